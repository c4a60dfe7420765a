"""When a box wins: on how many dice a result meets it.

The totals that win Small, Big, Odd and Even are lists in the rulebook; everything else follows from
the numbers printed in the box.
"""

from collections.abc import Container
from typing import assert_never

from taisai.core.rules.boxes import BoxName, Kind
from taisai.core.rules.dice import Result


def meets(box: BoxName, result: Result, totals: Container[int]) -> int:
    """Count how often a result meets a box: 0 loses; only a Single can be met twice or thrice.

    [ts6 3.10…, 4.1…; etg8 3.9…, 4.1…; div9 4.1…]
    """
    match box.kind:
        case Kind.SMALL | Kind.BIG | Kind.ODD | Kind.EVEN:
            return int(result.total in totals and not result.is_triple)
        case Kind.SINGLE:
            return result.count(box.numbers[0])
        case Kind.TOTAL:
            return int(result.total == box.numbers[0])
        case Kind.DOMINO:
            return int(set(box.numbers) <= set(result.faces))
        case Kind.DOUBLE:
            # A triple holds the double and wins once only [div9 4.1(d)(ii)].
            return int(result.count(box.numbers[0]) >= 2)
        case Kind.ANY_TRIPLE:
            return int(result.is_triple)
        case Kind.TRIPLE:
            return int(result.count(box.numbers[0]) == 3)
        case Kind.FOUR:
            # Three different faces, all of them among the four [D1].
            faces = set(result.faces)
            return int(len(faces) == 3 and faces <= set(box.numbers))
        case Kind.THREE | Kind.PAIR:
            return int(tuple(sorted(box.numbers)) == result.faces)
        case _:
            assert_never(box.kind)

"""How a result is entered on the roads: Big, Small or a triple; Odd, Even or a triple.

The roads are information only. A total counts as Small up to ten and as Big from eleven on, as it
does in every document; a triple counts as neither, and as neither Odd nor Even.
"""

from typing import Literal, NamedTuple

from taisai.core.rules.dice import RESULTS, Faces, Result, result_of

Size = Literal["small", "big", "triple"]
Parity = Literal["odd", "even", "triple"]

#: The largest total that is Small.
SMALL_MAX = 10


class Mark(NamedTuple):
    """What the roads show of a result."""

    total: int
    size: Size
    parity: Parity


NO_MARK: tuple[None, None, None] = (None, None, None)


def mark_of(faces: Faces) -> Mark:
    """Give how the dice are entered on the roads."""
    return _MARKS[result_of(faces).index]


def _mark(result: Result) -> Mark:
    if result.is_triple:
        return Mark(result.total, "triple", "triple")
    size: Size = "small" if result.total <= SMALL_MAX else "big"
    return Mark(result.total, size, "odd" if result.total % 2 else "even")


_MARKS = tuple(_mark(result) for result in RESULTS)

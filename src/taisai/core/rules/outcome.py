"""Why a bet won or lost, as a code with parameters that a sentence is made of in any language."""

from fractions import Fraction
from typing import assert_never

from taisai.core.rules.boxes import BoxName, Kind
from taisai.core.rules.dice import Result
from taisai.core.rules.money import write_odds
from taisai.core.rules.reason import Reason, because

_TIMES = {1: "ONE", 2: "TWO", 3: "THREE"}


def winning_reason(box: BoxName, odds: Fraction, result: Result) -> Reason:
    """Say why a box wins [div9 4.1…]."""
    params: dict[str, int | str] = {"box": box.key, "odds": write_odds(odds)}
    match box.kind:
        case Kind.SMALL | Kind.BIG | Kind.ODD | Kind.EVEN:
            return because(f"{box.kind.upper()}_WINS", **params, total=result.total)
        case Kind.SINGLE:
            face = box.numbers[0]
            times = _TIMES[result.count(face)]
            return because(f"SINGLE_WINS_ON_{times}", **params, face=face)
        case Kind.DOUBLE:
            face = box.numbers[0]
            code = "DOUBLE_WINS_ON_TRIPLE" if result.is_triple else "DOUBLE_WINS"
            return because(code, **params, face=face)
        case Kind.ANY_TRIPLE | Kind.TRIPLE:
            return because(f"{_word(box)}_WINS", **params, face=result.faces[0])
        case Kind.TOTAL:
            return because("TOTAL_WINS", **params, total=result.total)
        case Kind.DOMINO:
            return because("DOMINO_WINS", **params, **_first_second(box))
        case Kind.FOUR | Kind.THREE | Kind.PAIR:
            return because(f"{_word(box)}_WINS", **params, **_faces(result))
        case _:
            assert_never(box.kind)


def losing_reason(box: BoxName, result: Result) -> Reason:
    """Say why a box loses [div9 4.1…]."""
    params: dict[str, int | str] = {"box": box.key}
    match box.kind:
        case Kind.SMALL | Kind.BIG | Kind.ODD | Kind.EVEN:
            return _even_chance_loses(box, result)
        case Kind.SINGLE:
            return because("SINGLE_LOSES", **params, face=box.numbers[0])
        case Kind.TOTAL:
            return because("TOTAL_LOSES", **params, total=result.total)
        case Kind.DOMINO:
            return _domino_loses(box, result)
        case Kind.DOUBLE:
            face = box.numbers[0]
            code = "DOUBLE_LOSES_ON_ONE" if result.count(face) else "DOUBLE_LOSES"
            return because(code, **params, face=face)
        case Kind.ANY_TRIPLE | Kind.TRIPLE:
            return because(f"{_word(box)}_LOSES", **params, **_faces(result))
        case Kind.FOUR:
            return _four_loses(box, result)
        case Kind.THREE | Kind.PAIR:
            return because(f"{_word(box)}_LOSES", **params, **_faces(result))
        case _:
            assert_never(box.kind)


def _even_chance_loses(box: BoxName, result: Result) -> Reason:
    if result.is_triple:
        pair = "SMALL_BIG" if box.kind in (Kind.SMALL, Kind.BIG) else "ODD_EVEN"
        return because(f"TRIPLE_TAKES_{pair}", box=box.key, face=result.faces[0])
    return because(f"{_word(box)}_LOSES", box=box.key, total=result.total)


def _domino_loses(box: BoxName, result: Result) -> Reason:
    missing = [face for face in box.numbers if not result.count(face)]
    if len(missing) == 1:
        return because("DOMINO_LOSES_ON_ONE", box=box.key, missing=missing[0])
    return because("DOMINO_LOSES", box=box.key, **_first_second(box))


def _four_loses(box: BoxName, result: Result) -> Reason:
    """Distinguish a repeated face from a face outside the four [D1]."""
    if len(set(result.faces)) < 3:
        return because("FOUR_LOSES_ON_REPEAT", box=box.key, **_faces(result))
    outside = next(face for face in result.faces if face not in box.numbers)
    return because("FOUR_LOSES", box=box.key, outside=outside)


def _word(box: BoxName) -> str:
    return box.kind.upper().replace("-", "_")


def _first_second(box: BoxName) -> dict[str, int | str]:
    first, second = box.numbers
    return {"first": first, "second": second}


def _faces(result: Result) -> dict[str, int | str]:
    low, middle, high = result.faces
    return {"low": low, "middle": middle, "high": high}

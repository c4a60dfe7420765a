"""Detection: how large a bias could have been found with so many throws.

One of m tests surely rejects at alpha/m (Holm's first step), and power is computed for that level.

A face: one comes with a chance of 1/6 + e, the five others share what is left. Of n faces let it
come k times; the others are then n - k throws of a fair five-sided die, whose own chi-square c has
four degrees. All together the statistic is (6/n) (k² + (n-k) (c + n-k) / 5) - n, so that for each k
the chance of reaching the critical value is a tail of c; k itself is normal, and the mean over k is
the power. If the dice cannot be distinguished, the faces of all are tested, 3n of them, of
which one loaded die gives a third. With fewer than 30 faces there is no answer.

A result: it is found by the test of the result furthest off. There is a least count that any of the
56 results reaches with a chance of at most alpha/m; the result's own chance must be such that it
reaches this count with the requested power. That is the binomial law, exactly.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from functools import partial
from typing import Final, Literal, NamedTuple

import numpy as np
from msgspec import Struct

from taisai.core.rules.dice import RESULTS, THROWS
from taisai.maths.fairness.tails import (
    binomial_at_least,
    chi_square_critical,
    crossing,
    share_reaching,
)

POWERS: Final = (0.8, 0.9)
#: With fewer faces the normal law gives no valid power.
FACES_MIN: Final = 30
#: The bias of a face for which the number of throws needed is shown: one in a hundred.
SMALL_EXCESS: Final = 0.01
_FACE_DEGREES: Final = 5
_THROWS_TRIED_MAX: Final = 10**15
_STEPS: Final = np.linspace(-8.0, 8.0, 1_601)
_DENSITY: Final = np.exp(-(_STEPS**2) / 2) / np.exp(-(_STEPS**2) / 2).sum()

What = Literal["face-of-one-die", "face-of-all-dice", "triple", "pair", "three-faces"]
_WAYS: Final[dict[What, int]] = {"triple": 1, "pair": 3, "three-faces": 6}


class Detectable(Struct, frozen=True, kw_only=True):
    """The smallest excess chance that would have been found; None if no bias would have been."""

    what: What
    power: float
    fair: float
    excess: float | None


class Loading(NamedTuple):
    """The dice that a test of faces counts in each throw: so many loaded ones among so many."""

    loaded: int
    dice: int


def detectable(throws: int, alpha: float, tests: int, *, dice_known: bool) -> list[Detectable]:
    """Compute the bias of faces and results that would have been found, for each power."""
    level = alpha / tests
    one = Loading(1, 1) if dice_known else Loading(1, 3)
    biases: list[tuple[What, float, Callable[[float], float | None]]] = [
        ("face-of-one-die", 1 / 6, partial(face_excess, throws, one, level)),
        ("face-of-all-dice", 1 / 6, partial(face_excess, throws, Loading(3, 3), level)),
        *(
            (what, ways / THROWS, partial(result_excess, throws, ways, level))
            for what, ways in _WAYS.items()
        ),
    ]
    return [
        Detectable(what=what, power=power, fair=fair, excess=excess(power))
        for what, fair, excess in biases
        for power in POWERS
    ]


def _power(throws: int, tested: Loading, excess: float, critical: float) -> float:
    share, faces = 1 / 6 + excess, throws * tested.dice
    loaded, fair = throws * tested.loaded, throws * (tested.dice - tested.loaded)
    spread = math.sqrt(loaded * share * (1 - share) + fair * 5 / 36)
    counts = np.clip(loaded * share + fair / 6 + spread * _STEPS, 0, faces - 0.5)
    others = faces - counts
    needed = np.maximum(0, 5 * ((critical + faces) * faces / 6 - counts**2) / others - others)
    # The tail of a chi-square with four degrees.
    return float((_DENSITY * np.exp(-needed / 2) * (1 + needed / 2)).sum())


def face_excess(throws: int, tested: Loading, level: float, power: float) -> float | None:
    """Give the excess chance of a face that the chi-square of faces finds, if any."""
    critical = chi_square_critical(_FACE_DEGREES, level)
    if throws * tested.dice < FACES_MIN or _power(throws, tested, 5 / 6, critical) < power:
        return None
    return crossing(lambda excess: _power(throws, tested, excess, critical) >= power, 5 / 6)


def throws_needed(alpha: float, tests: int, power: float, *, dice_known: bool) -> int:
    """Give how many throws find a face of one die whose chance is a hundredth too high."""
    critical = chi_square_critical(_FACE_DEGREES, alpha / tests)
    tested = Loading(1, 1) if dice_known else Loading(1, 3)
    return 2 + bisect_left(
        range(2, _THROWS_TRIED_MAX),
        True,
        key=lambda throws: _power(throws, tested, SMALL_EXCESS, critical) >= power,
    )


def result_excess(throws: int, ways: int, level: float, power: float) -> float | None:
    """Give the excess chance of a result, of so many of the 216, that counting it finds."""
    fair = ways / THROWS
    count = critical_count(throws, fair, level / (2 * len(RESULTS)))
    return None if count > throws else share_reaching(count, throws, power) - fair


def critical_count(throws: int, fair: float, level: float) -> int:
    """Give the least count that a fair result reaches with a chance of at most the level."""
    return 1 + bisect_left(
        range(1, throws + 1),
        True,
        key=lambda count: binomial_at_least(count, throws, fair) <= level,
    )

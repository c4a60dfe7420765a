"""The band around a theoretical win: how far chance alone carries what a table really wins.

The deviation of many rounds' win, in its own standard deviations, is nearly normal. Within 1.96 of
them lie 95 wins of a hundred, within 2.58 lie 99.
"""

from fractions import Fraction
from math import sqrt
from typing import Literal

from msgspec import Struct

from taisai.projections.figures.sums import KindSums, Sums

Standing = Literal["within", "watch", "outside"]

WATCH_AT = 1.96
OUTSIDE_AT = 2.58


class Band(Struct, frozen=True):
    """A theoretical win with its two bands, in whole minor units, and where the win lies."""

    theory: int
    sigma: float
    low: int
    high: int
    lowest: int
    highest: int
    deviation: float
    standing: Standing


def band_of(sums: Sums | KindSums) -> Band:
    """Hold what was won against what was to be expected of the very bets that were made."""
    sigma = sqrt(sums.variance)
    deviation = float(sums.win - sums.theory) / sigma if sigma else 0.0
    return Band(
        theory=round(sums.theory),
        sigma=sigma,
        low=round(sums.theory - Fraction(WATCH_AT * sigma)),
        high=round(sums.theory + Fraction(WATCH_AT * sigma)),
        lowest=round(sums.theory - Fraction(OUTSIDE_AT * sigma)),
        highest=round(sums.theory + Fraction(OUTSIDE_AT * sigma)),
        deviation=deviation,
        standing=_standing(deviation),
    )


def _standing(deviation: float) -> Standing:
    if abs(deviation) <= WATCH_AT:
        return "within"
    return "watch" if abs(deviation) <= OUTSIDE_AT else "outside"

"""A figure with what is known of it: the value, and two bounds that the true one lies between.

An exact figure has equal bounds. Where floats were used the bounds are proven from the number of
roundings; where rounds were simulated they are a confidence interval, and the answer that holds the
figure says so.
"""

from fractions import Fraction
from typing import Self

from msgspec import Struct

#: Half a unit in the last place of 1: what one operation on floats is wrong by, at most and in
#: proportion, where nothing underflows.
ROUNDING = Fraction(1, 2**53)
#: The most that one multiplication loses where its result is too small for a normal float.
UNDERFLOW = Fraction(1, 2**1074)


class Figure(Struct, frozen=True):
    """A figure between its bounds; exact where they are the same."""

    value: Fraction
    low: Fraction
    high: Fraction

    @classmethod
    def exactly(cls, value: Fraction | int) -> Self:
        """Give a figure that is known exactly."""
        exact = Fraction(value)
        return cls(exact, exact, exact)

    @classmethod
    def between(cls, low: Fraction, high: Fraction) -> Self:
        """Give a figure of which only the bounds are known; its value is shown as their middle."""
        return cls((low + high) / 2, low, high)

    @property
    def exact(self) -> bool:
        """Say whether the figure is known exactly."""
        return self.low == self.high

    @property
    def error(self) -> Fraction:
        """Give the most that the value can be wrong by."""
        return max(self.high - self.value, self.value - self.low)

    def __float__(self) -> float:
        return float(self.value)

    def narrowed(self, low: Fraction | int, high: Fraction | int) -> "Figure":
        """Narrow the bounds by others that are known to hold, as that no chance passes 1."""
        return Figure(
            value=min(max(self.value, Fraction(low)), Fraction(high)),
            low=max(self.low, Fraction(low)),
            high=min(self.high, Fraction(high)),
        )

    def times(self, factor: Fraction | int) -> "Figure":
        """Give the figure multiplied by a number that is known exactly."""
        ends = sorted((self.low * factor, self.high * factor))
        return Figure(self.value * factor, ends[0], ends[1])

    def plus(self, addend: Fraction | int) -> "Figure":
        """Give the figure with a number added that is known exactly."""
        return Figure(self.value + addend, self.low + addend, self.high + addend)


def rounded(computed: float, roundings: int, losses: int = 0) -> Figure:
    """Bound what a sum of products of numbers of zero or more truly is.

    With every term rounded `roundings` times at most, and none of them subtracted, the sum is off
    by that many roundings in proportion; `losses` counts the products that may have underflowed.
    """
    value = Fraction(computed)
    slack = roundings * ROUNDING / (1 - roundings * ROUNDING)
    lost = losses * UNDERFLOW
    return Figure(value, value / (1 + slack), (value + lost) / (1 - slack))

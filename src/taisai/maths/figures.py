"""A figure with its accuracy: the value, and two bounds around the true value.

An exact figure has equal bounds. For floats the bounds are proven from the number of roundings; for
simulated rounds they are a confidence interval, and the answer with the figure says so.
"""

from fractions import Fraction
from typing import Self

from msgspec import Struct

#: Half a unit in the last place of 1: the greatest relative error of one operation on floats
#: without an underflow.
ROUNDING = Fraction(1, 2**53)
#: The greatest error of one multiplication whose result is too small for a normal float.
UNDERFLOW = Fraction(1, 2**1074)


class Figure(Struct, frozen=True):
    """A figure between its bounds; exact if they are the same."""

    value: Fraction
    low: Fraction
    high: Fraction

    @classmethod
    def exactly(cls, value: Fraction | int) -> Self:
        """Make an exact figure."""
        exact = Fraction(value)
        return cls(exact, exact, exact)

    @classmethod
    def between(cls, low: Fraction, high: Fraction) -> Self:
        """Make a figure from its bounds; its value is their middle."""
        return cls((low + high) / 2, low, high)

    @property
    def exact(self) -> bool:
        """Say whether the figure is known exactly."""
        return self.low == self.high

    @property
    def error(self) -> Fraction:
        """The greatest possible error of the value."""
        return max(self.high - self.value, self.value - self.low)

    def __float__(self) -> float:
        return float(self.value)

    def narrowed(self, low: Fraction | int, high: Fraction | int) -> "Figure":
        """Narrow the bounds by others that must hold, such as 1 for a chance."""
        return Figure(
            value=min(max(self.value, Fraction(low)), Fraction(high)),
            low=max(self.low, Fraction(low)),
            high=min(self.high, Fraction(high)),
        )

    def times(self, factor: Fraction | int) -> "Figure":
        """Give the figure times an exact number."""
        ends = sorted((self.low * factor, self.high * factor))
        return Figure(self.value * factor, ends[0], ends[1])

    def plus(self, addend: Fraction | int) -> "Figure":
        """Give the figure plus an exact number."""
        return Figure(self.value + addend, self.low + addend, self.high + addend)


def rounded(computed: float, roundings: int, losses: int = 0) -> Figure:
    """Bound the true value of a sum of products of non-negative numbers.

    If every term was rounded at most `roundings` times, and none subtracted, the relative error of
    the sum is that many roundings; `losses` counts the products that may have underflowed.
    """
    value = Fraction(computed)
    slack = roundings * ROUNDING / (1 - roundings * ROUNDING)
    lost = losses * UNDERFLOW
    return Figure(value, value / (1 + slack), (value + lost) / (1 - slack))

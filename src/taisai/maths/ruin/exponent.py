"""The root of a walk's characteristic equation, between bounds, and its powers.

Where a walk rises on average, the mean of z to the power of its step is 1 for exactly one z between
0 and 1. Its powers bound, and where no step leads down by more than a level are, the chance of ruin
ever. Decimals rounded downwards and upwards bound everything that is done with it.
"""

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import NamedTuple

from taisai.maths.distribution import Distribution

#: Digits that are kept; the root is known to about half of them.
_DIGITS = 60
_HALVINGS = 110
_DOWN = Context(prec=_DIGITS, rounding=ROUND_FLOOR, Emin=MIN_EMIN, Emax=MAX_EMAX)
_UP = Context(prec=_DIGITS, rounding=ROUND_CEILING, Emin=MIN_EMIN, Emax=MAX_EMAX)
#: What is smaller is told as between nothing and this.
_TINY_EXPONENT = -400
_TINY = Fraction(1, 10**400)


class Root(NamedTuple):
    """Two numbers with the root of a walk's characteristic equation between them."""

    low: Decimal
    high: Decimal

    def power(self, exponent: int) -> tuple[Fraction, Fraction]:
        """Bound the root to a power of zero or more."""
        low, high = _power(self.low, exponent, _DOWN), _power(self.high, exponent, _UP)
        return _fraction_below(low), _fraction_above(high)


def root_of_rising(steps: Distribution) -> Root:
    """Find the root between 0 and 1 of a walk that rises on average and can also fall."""
    assert steps.values[0] < 0 < steps.mean, "only such a walk has a root below 1"
    low, high = Decimal(0), Decimal(1)
    for _ in range(_HALVINGS):
        middle = _DOWN.divide(_DOWN.add(low, high), Decimal(2))
        least, most = _mean_of_powers(steps, middle)
        if least > steps.total:
            low = middle
        elif most < steps.total:
            high = middle
        else:
            break
    return Root(low, high)


def root_of_falling(steps: Distribution) -> Root:
    """Find the inverse of the root above 1 of a walk that falls on average and can also rise."""
    return root_of_rising(steps.scaled(-1))


def _mean_of_powers(steps: Distribution, base: Decimal) -> tuple[Decimal, Decimal]:
    """Bound the weighted sum of the base to the power of each step."""
    least = most = Decimal(0)
    for value, weight in steps.pairs():
        low, high = _signed_power(base, value)
        least = _DOWN.add(least, _DOWN.multiply(Decimal(weight), low))
        most = _UP.add(most, _UP.multiply(Decimal(weight), high))
    return least, most


def _signed_power(base: Decimal, exponent: int) -> tuple[Decimal, Decimal]:
    low, high = (_power(base, abs(exponent), context) for context in (_DOWN, _UP))
    if exponent >= 0:
        return low, high
    return _DOWN.divide(Decimal(1), high), _UP.divide(Decimal(1), low)


def _power(base: Decimal, exponent: int, context: Context) -> Decimal:
    """Multiply by squares, each rounded to the same side: nothing here is below zero."""
    result = Decimal(1)
    while exponent:
        if exponent & 1:
            result = context.multiply(result, base)
        base = context.multiply(base, base)
        exponent >>= 1
    return result


def _fraction_below(value: Decimal) -> Fraction:
    tiny = not value or value.adjusted() < _TINY_EXPONENT
    return Fraction(0) if tiny else Fraction(value)


def _fraction_above(value: Decimal) -> Fraction:
    tiny = not value or value.adjusted() < _TINY_EXPONENT
    return _TINY if tiny else Fraction(value)

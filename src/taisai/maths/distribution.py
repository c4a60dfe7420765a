"""An exact distribution of whole amounts: weights over a total, with moments and quantiles.

Everything is stored in integers. A Fraction is made only on request, so that distributions that are
never read cost no division.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import accumulate, repeat
from math import ceil, comb, gcd, isfinite, isqrt
from operator import mul
from typing import Final, Self

from taisai.core.rules.reason import shown
from taisai.maths.errors import MathsError


class Distribution:
    """The exact chance of each whole amount: `values[i]` comes `weights[i]` times of `total`.

    The values ascend and no weight is zero. Two distributions are equal when every amount has the
    same chance in both, whatever their totals.
    """

    __slots__ = ("_cumulative", "_mean", "_variance", "total", "values", "weights")

    values: tuple[int, ...]
    weights: tuple[int, ...]
    total: int

    def __init__(self, values: tuple[int, ...], weights: tuple[int, ...], total: int) -> None:
        """Take valid arguments without a check; `from_mapping` checks its input."""
        self.values = values
        self.weights = weights
        self.total = total
        self._cumulative: list[int] | None = None
        self._mean: Fraction | None = None
        self._variance: Fraction | None = None

    @classmethod
    def from_mapping(cls, weights: Mapping[int, int]) -> Self:
        """Make a distribution from the weight of each amount, or refuse an invalid one."""
        return cls.from_pairs(weights.items())

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[int, int]]) -> Self:
        """Make a distribution of amounts and weights; weights of a repeated amount are added."""
        summed: dict[int, int] = {}
        for value, weight in pairs:
            if type(value) is not int or type(weight) is not int or weight < 0:
                raise MathsError(
                    "a distribution is made of whole amounts with whole weights of zero or more"
                )
            summed[value] = summed.get(value, 0) + weight
        values = tuple(sorted(value for value, weight in summed.items() if weight))
        if not values:
            raise MathsError("a distribution needs an amount that can come at all")
        weights = tuple(map(summed.__getitem__, values))
        return cls(values, weights, sum(weights))

    def __iter__(self) -> Iterator[tuple[int, Fraction]]:
        """Iterate over the amounts with their chances, from the lowest."""
        total = self.total
        return ((value, Fraction(weight, total)) for value, weight in self.pairs())

    def __len__(self) -> int:
        return len(self.values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        return self.values == other.values and self._lowest_terms() == other._lowest_terms()

    def __hash__(self) -> int:
        return hash((self.values, self._lowest_terms()))

    def __repr__(self) -> str:
        if len(self.values) > 8:
            low, high = self.values[0], self.values[-1]
            return f"<Distribution of {len(self.values)} amounts from {low} to {high}>"
        chances = ", ".join(f"{value}: {chance}" for value, chance in self)
        return f"<Distribution {{{chances}}}>"

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Give each amount with its weight, from the lowest."""
        return zip(self.values, self.weights, strict=True)

    @property
    def mean(self) -> Fraction:
        """Give the average, exactly."""
        if self._mean is None:
            self._mean = Fraction(sum(map(mul, self.weights, self.values)), self.total)
        return self._mean

    @property
    def variance(self) -> Fraction:
        """Give the mean squared distance from the average, exactly."""
        if self._variance is None:
            total = self.total
            if len(self.values) == 2:
                # Of two amounts: their distance squared, times both their chances.
                (low, high), (one, other) = self.values, self.weights
                apart = high - low
                self._variance = Fraction(one * other * apart * apart, total * total)
                return self._variance
            first = second = 0
            for value, weight in zip(self.values, self.weights, strict=True):
                part = value * weight
                first += part
                second += part * value
            self._variance = Fraction(total * second - first * first, total * total)
        return self._variance

    @property
    def third_central_moment(self) -> Fraction:
        """Give the mean cubed distance from the average, exactly."""
        total = self.total
        first = sum(map(mul, self.weights, self.values))
        cubes = sum(
            weight * (value * total - first) ** 3
            for value, weight in zip(self.values, self.weights, strict=True)
        )
        return Fraction(cubes, total**4)

    @property
    def skewness_squared(self) -> Fraction:
        """Give the square of the skewness with the skewness's sign: it is rational, its root not.

        A distribution of one amount has a skewness of 0.
        """
        variance, third = self.variance, self.third_central_moment
        if not variance:
            return Fraction(0)
        return third * abs(third) / variance**3

    @property
    def skewness(self) -> float:
        """Give the skewness as the nearest float to within two units in the last place."""
        squared = self.skewness_squared
        root = _root(abs(squared))
        return -root if squared < 0 else root

    @property
    def standard_deviation(self) -> float:
        """Give the root of the variance as a float, to within two units in the last place."""
        return _root(self.variance)

    def probability(self, value: int) -> Fraction:
        """Give the chance of exactly this amount."""
        place = bisect_left(self.values, value)
        if place == len(self.values) or self.values[place] != value:
            return Fraction(0)
        return Fraction(self.weights[place], self.total)

    def below(self, value: int) -> Fraction:
        """Give the chance of less than this amount."""
        return self._up_to(bisect_left(self.values, value))

    def at_most(self, value: int) -> Fraction:
        """Give the chance of this amount or less."""
        return self._up_to(bisect_right(self.values, value))

    def at_least(self, value: int) -> Fraction:
        """Give the chance of this amount or more."""
        return 1 - self.below(value)

    def above(self, value: int) -> Fraction:
        """Give the chance of more than this amount."""
        return 1 - self.at_most(value)

    def quantile(self, share: Fraction | float | str) -> int:
        """Give the lowest amount that at least this share of all cases does not exceed.

        A share is taken exactly as written: `"0.05"` or `Fraction(1, 20)` is a twentieth, the float
        0.05 is slightly more.
        """
        wanted = ceil(read_share(share) * self.total)
        # The lowest possible amount, also for a share of 0.
        place = bisect_left(self.cumulative, max(wanted, 1))
        return self.values[place]

    @property
    def cumulative(self) -> Sequence[int]:
        """The running sums of the weights, computed once."""
        if self._cumulative is None:
            self._cumulative = list(accumulate(self.weights))
        return self._cumulative

    def scaled(self, factor: int) -> "Distribution":
        """Give the distribution of so many times the amount."""
        if type(factor) is not int or factor == 0:
            raise MathsError("amounts are scaled by a whole number other than zero")
        values = tuple(map(mul, self.values, repeat(factor)))
        if factor < 0:
            return Distribution(values[::-1], self.weights[::-1], self.total)
        return Distribution(values, self.weights, self.total)

    def _up_to(self, place: int) -> Fraction:
        return Fraction(self.cumulative[place - 1], self.total) if place else Fraction(0)

    def _lowest_terms(self) -> tuple[int, ...]:
        common = gcd(*self.weights)
        return tuple(weight // common for weight in self.weights)


#: The longest text of a share. Its exponent is bounded too: a fraction writes it out, digit by
#: digit, so that `1e-99999999` would take minutes.
_SHARE_MAX: Final = 1_000
_LONG_EXPONENT: Final = re.compile(r"[eE][-+]?[\d_]{4}")


def read_share(share: Fraction | float | str) -> Fraction:
    """Read a share from 0 to 1, and refuse anything else."""
    if isinstance(share, bool) or (isinstance(share, float) and not isfinite(share)):
        raise MathsError(f"{share} is no share; give one from 0 to 1")
    if isinstance(share, str) and (len(share) > _SHARE_MAX or _LONG_EXPONENT.search(share)):
        raise MathsError(
            f"{shown(share)} is too long for a share; one has at most {_SHARE_MAX} characters, and"
            " an exponent of at most three digits"
        )
    try:
        exact = Fraction(share)
    except (ValueError, ZeroDivisionError):
        raise MathsError(f"{str(share)[:40]!r} is no share; write '0.05' or '1/20'") from None
    if not 0 <= exact <= 1:
        raise MathsError("a share lies between 0 and 1")
    return exact


def _root(square: Fraction) -> float:
    """Take the root of a fraction of any size: in integers, with 60 bits kept before rounding."""
    if not square:
        return 0.0
    size = square.numerator.bit_length() - square.denominator.bit_length()
    shift = 120 - size + size % 2
    scaled = isqrt((square.numerator << max(shift, 0)) // (square.denominator << max(-shift, 0)))
    return float(Fraction(scaled) / Fraction(2) ** (shift // 2))


class Rounds:
    """A number of rounds of one slate, with the figures that are exact in both forms."""

    def __init__(self, net: Distribution, rounds: int) -> None:
        """Take a round's distribution and a checked number of rounds."""
        self.net = net
        self.rounds = rounds

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.rounds} rounds of {self.net!r}>"

    @property
    def expected_loss(self) -> Fraction:
        """Give what the session costs on average, in minor units."""
        return -self.mean

    @property
    def mean(self) -> Fraction:
        """The average net of the session: that of a round times the number of rounds."""
        return self.net.mean * self.rounds

    @property
    def variance(self) -> Fraction:
        """The variance of the session's net: rounds are independent."""
        return self.net.variance * self.rounds


# --- a round as a polynomial ---------------------------------------------------------------------
#
# With p(x) = p0 + p1·x^d1 + … and c = p^N, comparing p·c' with N·p'·c gives Miller's recurrence
# `k·p0·c[k] = Σ (N·d − k + d)·p_d·c[k − d]`: a few products by small numbers and one division that
# always has no remainder. Nothing is rounded, so that the last tail is as exact as the middle.


Terms = Sequence[tuple[int, int]]


class Lattice:
    """A round's net on its own scale: from the lowest amount up, in steps of the common divisor.

    `terms` are the degrees and weights of its polynomial, `total` the sum of the weights, both in
    lowest terms.
    """

    def __init__(self, net: Distribution) -> None:
        self.low = net.values[0]
        self.step = gcd(*(value - self.low for value in net.values)) or 1
        common = gcd(*net.weights)
        self.total = sum(net.weights) // common
        self.terms = [
            ((value - self.low) // self.step, weight // common) for value, weight in net.pairs()
        ]

    def degree_of(self, value: int, rounds: int) -> tuple[int, bool]:
        """Place an amount after so many rounds: the step at or below it, and if it is on it."""
        degree, beside = divmod(value - self.low * rounds, self.step)
        return degree, not beside


def power(terms: Terms, exponent: int) -> list[tuple[int, int]]:
    """Raise a polynomial to a power: degree and coefficient of every term that is not zero.

    `terms` are degrees with positive coefficients, ascending, and the first degree is 0.
    """
    if len(terms) == 1:
        return [(0, terms[0][1] ** exponent)]
    if len(terms) == 2:
        return _binomial(terms, exponent)
    top = terms[-1][0]
    if exponent * top <= 4 * sums_at_most(terms, exponent):
        return [(k, c) for k, c in enumerate(_dense(terms, exponent)) if c]
    return _sparse(terms, exponent)


def sums_at_most(terms: Terms, exponent: int) -> int:
    """Give a bound on how many terms the power has."""
    top = terms[-1][0]
    return min(exponent * top + 1, comb(exponent + len(terms) - 1, len(terms) - 1))


def _binomial(terms: Terms, exponent: int) -> list[tuple[int, int]]:
    """Raise two terms to a power: each coefficient is the one before times a small ratio."""
    (_, p0), (degree, p1) = terms
    coefficient = p0**exponent
    power = [(0, coefficient)]
    for k in range(1, exponent + 1):
        coefficient = coefficient * ((exponent - k + 1) * p1) // (k * p0)
        power.append((k * degree, coefficient))
    return power


def _dense(terms: Terms, exponent: int) -> list[int]:
    """Raise a polynomial to a power, if most of its sums of degrees occur."""
    (_, p0), *others = terms
    top = others[-1][0]
    # There are zeros below the first coefficient, so that no index needs a check.
    found = [0] * top + [p0**exponent]
    steps = [(top - degree, (exponent + 1) * degree * p, p) for degree, p in others]
    for k in range(1, exponent * top + 1):
        weighted = 0
        for back, start, p in steps:
            weighted += found[k + back] * (start - k * p)
        found.append(weighted // (k * p0))
    return found[top:]


def _sparse(terms: Terms, exponent: int) -> list[tuple[int, int]]:
    """Raise a polynomial to a power, if its sums of degrees are sparse: only those are visited.

    Each sum that occurs is a smaller such sum plus one degree, so it is enough to visit the
    degrees after each coefficient that is not zero.
    """
    (_, p0), *others = terms
    found = {0: p0**exponent}
    waiting = [degree for degree, _ in others]
    last = 0
    while waiting:
        k = heappop(waiting)
        if k == last:
            continue
        last = k
        weighted = 0
        for degree, p in others:
            before = found.get(k - degree)
            if before is not None:
                weighted += before * ((exponent * degree - k + degree) * p)
        if weighted:
            found[k] = weighted // (k * p0)
            for degree, _ in others:
                heappush(waiting, k + degree)
    return list(found.items())

"""Bands of a long session: quantiles of N rounds, exact to the last unit.

The sum of N rounds is a lattice distribution, and its chance of being at or below an amount is a
sum over its characteristic function, of which a few dozen terms count however large N is. Those
are floats; the amount found is exact if the chances on both sides of it differ from the requested
share by more than the error of the floats, and a `Quantile` says whether they do.

A window of h on either side of the mean holds all but 2·exp(−h² / (2(s² + b·h/3))) of the sum
(Bernstein; s its standard deviation, b the furthest a round lies from its mean). The window is
chosen so that this is below 10⁻¹⁵.
"""

from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction
from math import atan2, ceil, cos, exp, floor, fsum, log, log1p, pi, sin, sqrt
from typing import NamedTuple

from taisai.maths.distribution import Distribution, Lattice
from taisai.maths.errors import MathsError, check_whole

#: Beyond this the phases of floats are not accurate enough.
ROUNDS_MAX = 10**8
#: The error bound of a chance; compared with whole numbers it was measured to be a thousandth.
CHANCE_ERROR = 1e-9
#: The most terms that are computed; a Single after ten million rounds has 34,000.
_TERMS_MAX = 4_000_000
_TAIL = 1e-15
#: exp(-40) is too small to change a sum of a few dozen terms of size one.
_NEGLIGIBLE = -40.0


class Quantile(NamedTuple):
    """An amount that a share of sessions does not exceed; `exact` if it is certainly the lowest."""

    value: int
    exact: bool


class LongSum:
    """The sum of so many rounds of a distribution, with its chances and quantiles."""

    def __init__(self, net: Distribution, rounds: int) -> None:
        check_whole("the rounds are", rounds, 1, ROUNDS_MAX)
        self.rounds = rounds
        lattice = Lattice(net)
        self._low, self._step = lattice.low, lattice.step
        degrees = [degree for degree, _ in lattice.terms]
        chances = [weight / net.total for weight in net.weights]
        mean = Fraction(sum(d * w for d, w in zip(degrees, net.weights, strict=True)), net.total)
        self._offsets = [float(degree - mean) for degree in degrees]
        self._chances = chances
        self._first, self._count = self._window(mean, degrees[-1])
        if self._count > _TERMS_MAX:
            raise MathsError(f"bands over {rounds:,} rounds of this bet need too many terms")
        # Amounts are counted from the window's first one, so that phases stay small.
        self._from_mean = float(self._first - mean * rounds)
        self._terms = list(self._significant())

    def at_most(self, value: int) -> float:
        """Give the chance that the sum is this amount or less."""
        place = (value - self._low * self.rounds) // self._step
        return self._up_to(place - self._first + 1)

    def quantile(self, share: Fraction) -> Quantile:
        """Give the lowest amount that at least this share of sessions does not exceed."""
        wanted = float(share)
        if not 0 < wanted < 1:
            raise MathsError("a band ends at shares between 0 and 1")
        number = bisect_left(range(self._count), wanted, key=lambda at: self._up_to(at + 1))
        number = min(number, self._count - 1)
        sure = self._up_to(number + 1) - wanted > CHANCE_ERROR
        sure = sure and wanted - self._up_to(number) > CHANCE_ERROR
        degree = self._first + number
        return Quantile(self._low * self.rounds + degree * self._step, sure)

    def _window(self, mean: Fraction, top: int) -> tuple[int, int]:
        """Choose the degrees that hold nearly all of the sum: the first, and how many."""
        pairs = zip(self._chances, self._offsets, strict=True)
        variance = self.rounds * fsum(chance * offset**2 for chance, offset in pairs)
        size = log(2 / _TAIL)
        reach = size * max(map(abs, self._offsets)) / 3
        half = ceil(reach + sqrt(reach**2 + 2 * size * variance)) + 1
        # An odd count has no term at half a turn, so that all but the first come in pairs.
        whole = self.rounds * top + 1
        if 2 * half + 1 >= whole:
            return 0, whole | 1
        return floor(mean * self.rounds) - half, 2 * half + 1

    def _significant(self) -> Iterator[tuple[float, float, float]]:
        """Give turn, real and imaginary part of each significant term, about the mean."""
        turn = 2 * pi / self._count
        falling = len(self._offsets) <= 2
        for number in range(1, self._count // 2 + 1):
            angle = turn * number
            angles = [angle * offset for offset in self._offsets]
            pairs = list(zip(self._chances, angles, strict=True))
            real = -2 * fsum(chance * sin(each / 2) ** 2 for chance, each in pairs)
            imaginary = fsum(chance * sin(each) for chance, each in pairs)
            size = self.rounds * 0.5 * log1p(2 * real + real**2 + imaginary**2)
            if size > _NEGLIGIBLE:
                phase = self.rounds * atan2(imaginary, 1 + real) - angle * self._from_mean
                yield angle, exp(size) * cos(phase), exp(size) * sin(phase)
            elif falling:
                # With two amounts the terms only get smaller from here.
                return

    def _up_to(self, count: int) -> float:
        """Give the chance of the first so many degrees of the window."""
        if count <= 0:
            return 0.0
        if count >= self._count:
            return 1.0
        half = (count - 1) / 2
        parts = (
            # The sum of a row of turns is one turn to their middle, times this ratio.
            (real * cos(angle * half) + imaginary * sin(angle * half))
            * (sin(angle * count / 2) / sin(angle / 2))
            for angle, real, imaginary in self._terms
        )
        return (count + 2 * fsum(parts)) / self._count

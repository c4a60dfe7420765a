"""A session of very many rounds in floats: every answer with a bound on its relative error.

The distribution of a round is tilted so that the amount asked about becomes the average; there
floats are at their best, however far out the amount lies. `docs/maths.md` has the proof.
"""

from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import inf

from msgspec import Struct

from taisai.maths.distribution import Distribution, read_share
from taisai.maths.errors import MathsError
from taisai.maths.sessions.exponential_tilting import DIGITS, UNIT, TiltedSum, tilt_to
from taisai.maths.sessions.lattice import Lattice

#: A chance that cannot be told to six digits is not told.
RELATIVE_ERROR_MAX = 1e-6
#: Shares nearer to 0 or 1 than this are asked for as chances, not as quantiles.
SHARE_MIN = Fraction(1, 10**9)


class Chance(Struct, frozen=True):
    """A chance to within a relative error: `value` is a Decimal, since 1e-5000 is no float."""

    value: Decimal
    relative_error: float

    def __float__(self) -> float:
        return float(self.value)

    @property
    def log10(self) -> float:
        """Give the logarithm to the base of ten; minus infinity for what cannot be."""
        return float(DIGITS.log10(self.value)) if self.value else -inf

    def complement(self) -> "Chance":
        """Give the chance of the contrary, unless nothing would be left of it but the error."""
        rest = DIGITS.subtract(Decimal(1), self.value)
        wrong = float(DIGITS.multiply(self.value, Decimal(self.relative_error)))
        return _told(float(rest), wrong + UNIT, Decimal(1))


CERTAIN, IMPOSSIBLE = Chance(Decimal(1), 0.0), Chance(Decimal(0), 0.0)


class LongSession:
    """So many rounds of one slate in floats; `Session` has the same in whole numbers."""

    def __init__(self, net: Distribution, rounds: int) -> None:
        """Take a round's distribution and a number of rounds already checked."""
        self.net = net
        self.rounds = rounds
        self._lattice = Lattice(net)
        self._top = self._lattice.terms[-1][0] * rounds

    def __repr__(self) -> str:
        return f"<LongSession of {self.rounds} rounds of {self.net!r}>"

    @property
    def mean(self) -> Fraction:
        """Give the average net of the session, exactly."""
        return self.net.mean * self.rounds

    @property
    def variance(self) -> Fraction:
        """Give the variance of the session's net, exactly."""
        return self.net.variance * self.rounds

    @property
    def expected_loss(self) -> Fraction:
        """Give what the session costs on average, in minor units, exactly."""
        return -self.mean

    @cached_property
    def ahead(self) -> Chance:
        """Give the chance of having won in the end."""
        return self.at_least(1)

    @cached_property
    def even(self) -> Chance:
        """Give the chance of having neither won nor lost in the end."""
        return self.probability(0)

    @cached_property
    def behind(self) -> Chance:
        """Give the chance of having lost in the end."""
        return self.at_most(-1)

    def probability(self, value: int) -> Chance:
        """Give the chance of exactly this net."""
        degree, on_it = self._lattice.degree_of(value, self.rounds)
        if not on_it or not 0 <= degree <= self._top:
            return IMPOSSIBLE
        if degree in (0, self._top):
            return self._at_the_end(degree)
        window = self._window_at(degree)
        (tilted,) = window.chances(degree, degree)
        return _told(float(tilted), window.error, window.factor(degree))

    def at_most(self, value: int) -> Chance:
        """Give the chance of this net or less."""
        degree, _ = self._lattice.degree_of(value, self.rounds)
        return self._up_to(degree)

    def at_least(self, value: int) -> Chance:
        """Give the chance of this net or more."""
        degree, on_it = self._lattice.degree_of(value, self.rounds)
        return self._from(degree if on_it else degree + 1)

    def quantile(self, share: Fraction | float | str) -> int:
        """Give the lowest net that this share of sessions does not pass, to within rounding.

        Where the share falls on the edge between two amounts, it may be either.
        """
        wanted = read_share(share)
        if not SHARE_MIN <= wanted <= 1 - SHARE_MIN:
            raise MathsError(
                "the float form gives quantiles for shares from 1e-9 to 1 - 1e-9; "
                "beyond them ask for the chance of an amount"
            )
        window = self._middle
        reached = window.chances(window.first, window.last).cumsum()
        degree = min(window.first + int(reached.searchsorted(float(wanted))), window.last)
        return self._lattice.low * self.rounds + degree * self._lattice.step

    def outline(self) -> Distribution:
        """Give the shape of the distribution for a picture: weights in units of 1e-15, no tails."""
        window, lattice = self._middle, self._lattice
        chances = window.chances(window.first, window.last).tolist()
        low = lattice.low * self.rounds + window.first * lattice.step
        return Distribution.from_pairs(
            (low + place * lattice.step, round(chance * 10**15))
            for place, chance in enumerate(chances)
        )

    @cached_property
    def _middle(self) -> "TiltedSum":
        return TiltedSum(self._lattice, self.rounds, 1.0)

    def _up_to(self, degree: int) -> Chance:
        """Give the chance of so many steps or fewer."""
        if degree < 0:
            return IMPOSSIBLE
        if degree >= self._top:
            return CERTAIN
        if degree > self._mean_degree:
            return self._from(degree + 1).complement()
        if degree == 0:
            return self._at_the_end(0)
        window = self._window_at(degree)
        return _told(*window.tail(degree, window.first, degree), window.factor(degree))

    def _from(self, degree: int) -> Chance:
        """Give the chance of so many steps or more."""
        if degree <= 0:
            return CERTAIN
        if degree > self._top:
            return IMPOSSIBLE
        if degree <= self._mean_degree:
            return self._up_to(degree - 1).complement()
        if degree == self._top:
            return self._at_the_end(degree)
        window = self._window_at(degree)
        return _told(*window.tail(degree, degree, window.last), window.factor(degree))

    @cached_property
    def _mean_degree(self) -> Fraction:
        lattice = self._lattice
        moment = sum(degree * weight for degree, weight in lattice.terms)
        return Fraction(moment * self.rounds, lattice.total)

    def _at_the_end(self, degree: int) -> Chance:
        """Give the chance of the lowest or the highest net: one weight to the power of rounds."""
        weight = self._lattice.terms[-1 if degree else 0][1]
        share = DIGITS.divide(Decimal(weight), Decimal(self._lattice.total))
        return Chance(DIGITS.power(share, self.rounds), 1e-40)

    def _window_at(self, degree: int) -> "TiltedSum":
        return TiltedSum(
            self._lattice, self.rounds, tilt_to(self._lattice.terms, degree / self.rounds)
        )


def _told(tilted: float, error: float, factor: Decimal) -> Chance:
    """Tell a chance, unless too little is known of it."""
    relative = error / (tilted - error) if tilted > error else inf
    if relative > RELATIVE_ERROR_MAX:
        raise MathsError(
            "the float form cannot tell this chance to six digits; ask for the chance of as much "
            "or more, or of as little or less, or for whole numbers"
        )
    return Chance(DIGITS.multiply(factor, Decimal(tilted)), relative)

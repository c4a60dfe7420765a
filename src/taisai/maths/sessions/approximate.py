"""A session of very many rounds in floats: every answer with a bound on its relative error.

The distribution of a round is tilted so that the amount in question becomes the average, where
floats are most accurate, however extreme the amount is. `docs/maths.md` has the proof.

The sum around one amount takes a tilt and one Fourier transform. The error of the transform's
floats is bounded as they are computed; the tilt is undone in sixty decimal digits.
"""

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from math import ceil, exp, factorial, inf, log, log2, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from taisai.maths.distribution import Distribution, Lattice, Rounds, read_share
from taisai.maths.errors import MathsError, missing_extra

# --- the sum around one amount, tilted -----------------------------------------------------------


try:
    import numpy as np
except ImportError:
    raise missing_extra("the float form of a session", "maths") from None

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: The longest transform, in amounts: some 400 MB while it lasts.
WINDOW_MAX = 2**22

#: The unit of rounding.
UNIT = 2.0**-53
DIGITS = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN)

#: The chance of being outside a window is below e^-46, or 1e-20, on each side.
_OUTSIDE = 46.0
#: The error of a term of the characteristic function in units of rounding: about its average
#: relative to how far it turns, in its plain form relative to itself.
_CENTRED_UNITS, _PLAIN_UNITS = 100, 32
_SINE_TERMS = [(-1) ** n / factorial(2 * n + 1) for n in range(1, 9)]


class _Term(NamedTuple):
    """An amount of a round: its degree, its tilted share, and its distance from the average."""

    degree: int
    share: float
    offset: float


class TiltedSum:
    """The tilted chances of sums from `first` to `last`, which are nearly all of them.

    `error` bounds the Euclidean norm of the errors of its floats, and so each of them.
    """

    def __init__(self, lattice: Lattice, rounds: int, tilt: float) -> None:
        self._rounds = rounds
        self._tilt = Decimal(tilt)
        with localcontext(DIGITS):
            weights = [weight * self._tilt**degree for degree, weight in lattice.terms]
            self._sum = sum(weights, Decimal(0))
            self._shrunk = self._sum / lattice.total
            pairs = list(zip(weights, (degree for degree, _ in lattice.terms), strict=True))
            mean = sum((weight * degree for weight, degree in pairs), Decimal(0)) / self._sum
            terms = [
                _Term(degree, float(weight / self._sum), float(degree - mean))
                for weight, degree in pairs
            ]
            self._centre = int((mean * rounds).to_integral_value())
            beside = float(mean * rounds - self._centre)
        self._make_room(terms)
        self._transform(terms, beside)

    def chances(self, low: int, high: int) -> "Floats":
        """Give the tilted chances from one sum to another."""
        places = np.arange(low - self._centre, high - self._centre + 1) % self._length
        return np.maximum(self._tilted[places], 0.0)

    def tail(self, anchor: int, low: int, high: int) -> tuple[float, float]:
        """Add up chances with the tilt undone relative to an anchor; also return the error."""
        low, high = max(low, self.first), min(high, self.last)
        with np.errstate(under="ignore"):
            undone = np.exp(-log(float(self._tilt)) * np.arange(low - anchor, high - anchor + 1))
            total = float(np.sum(self.chances(low, high) * undone))
            error = self.error * sqrt(float(np.sum(undone * undone))) + 400 * UNIT * total
        return total, error

    def factor(self, degree: int) -> Decimal:
        """Give the factor that undoes the tilt of a chance at this sum."""
        with localcontext(DIGITS):
            return (self._rounds * self._shrunk.ln() - degree * self._tilt.ln()).exp()

    def _make_room(self, terms: list[_Term]) -> None:
        """Make room for all but 1e-20 of the sum, by Bernstein's inequality."""
        variance = sum(term.share * term.offset**2 for term in terms)
        near = _OUTSIDE * max(abs(term.offset) for term in terms) / 3
        half = ceil(near + sqrt(near * near + 2 * _OUTSIDE * self._rounds * variance)) + 1
        top = terms[-1].degree * self._rounds
        self.first, self.last = max(self._centre - half, 0), min(self._centre + half, top)
        self._length = _handy_length(self.last - self.first + 1)
        if self._length > WINDOW_MAX:
            raise MathsError(
                "the float form would need more than 400 MB; play fewer rounds, or stakes with "
                "a larger common measure"
            )

    def _transform(self, terms: list[_Term], beside: float) -> None:
        """Raise the characteristic function to the power of rounds, and transform it back."""
        length, rounds = self._length, self._rounds
        size, phase, off = self._characteristic(terms, beside)
        with np.errstate(divide="ignore", under="ignore"):
            magnitude = np.exp(rounds * size)
            wrong = rounds * off * np.exp((rounds - 1) * np.log(np.exp(size) + off))
        wrong += 8 * UNIT * magnitude
        self._tilted: Floats = np.fft.irfft(magnitude * np.exp(-1j * phase), length)
        transforming = 4 * UNIT * log2(length) * _norm(magnitude, length)
        self.error = _norm(wrong, length) + transforming + 2 * exp(-_OUTSIDE)

    def _characteristic(self, terms: list[_Term], beside: float) -> "tuple[Floats, Floats, Floats]":
        """Give the function's logarithm, the phase of its power, and a bound on its error.

        About its average the function is accurate where it turns little, which is where it matters;
        its plain form is accurate however far it turns. The one with the lower bound is used.
        """
        turns = np.arange(self._length // 2 + 1)
        frequencies = turns.astype(np.float64) * np.float64(2 * np.pi / self._length)
        off = _turning(terms, frequencies) * ((_CENTRED_UNITS + len(terms)) * UNIT)
        plain_off = (_PLAIN_UNITS + len(terms)) * UNIT
        cut = int(np.searchsorted(off, plain_off))
        off[cut:] = plain_off
        size, phase = np.empty_like(frequencies), np.empty_like(frequencies)
        with np.errstate(divide="ignore"):
            size[:cut], phase[:cut] = _centred(terms, frequencies[:cut], self._rounds, beside)
            size[cut:], phase[cut:] = self._plain(terms, turns[cut:])
        return size, phase, off

    def _plain(self, terms: list[_Term], turns: "NDArray[np.int64]") -> "tuple[Floats, Floats]":
        """Sum q·e^ix over the terms, each angle found in whole numbers."""
        unit = 2 * np.pi / self._length
        total = np.zeros(len(turns), dtype=np.complex128)
        for term in terms:
            total += term.share * np.exp(1j * unit * (turns * term.degree % self._length))
        back = turns * (self._centre % self._length) % self._length
        return np.log(np.abs(total)), self._rounds * np.angle(total) - unit * back


def tilt_to(terms: list[tuple[int, int]], mean: float) -> float:
    """Find a tilt under which the average of a round is about so many steps."""
    low, high = -1.0, 1.0
    while _tilted_mean(terms, low) > mean:
        low *= 2
    while _tilted_mean(terms, high) < mean:
        high *= 2
    for _ in range(64):
        middle = (low + high) / 2
        if _tilted_mean(terms, middle) < mean:
            low = middle
        else:
            high = middle
    return exp((low + high) / 2)


def _tilted_mean(terms: list[tuple[int, int]], tilt: float) -> float:
    largest = max(tilt * degree for degree, _ in terms)
    weights = [(degree, weight * exp(tilt * degree - largest)) for degree, weight in terms]
    return sum(degree * each for degree, each in weights) / sum(each for _, each in weights)


def _turning(terms: list[_Term], frequencies: "Floats") -> "Floats":
    """Sum q·x²/(1 + |x|): half a square where a term turns little, the angle where it turns far."""
    total = np.zeros_like(frequencies)
    for term in terms:
        angle = np.abs(frequencies * term.offset)
        total += term.share * angle * angle / (1 + angle)
    return total


def _centred(
    terms: list[_Term], frequencies: "Floats", rounds: int, beside: float
) -> "tuple[Floats, Floats]":
    """Sum q·(e^ix − 1 − ix) over the terms: the function about its average, less 1.

    The subtracted parts add up to zero, and the rest has a small relative error.
    """
    real, imaginary = np.zeros_like(frequencies), np.zeros_like(frequencies)
    for term in terms:
        angle = frequencies * term.offset
        real -= 2 * term.share * np.sin(angle / 2) ** 2
        imaginary += term.share * _sine_less_angle(angle)
    square = np.maximum(real * (2 + real) + imaginary * imaginary, -1.0)
    turned = np.arctan2(imaginary, 1 + real)
    return np.log1p(square) / 2, rounds * turned + frequencies * beside


def _sine_less_angle(angle: "Floats") -> "Floats":
    """Give sin x − x, by its series where both are nearly equal; the angles do not shrink."""
    result: Floats = np.sin(angle) - angle
    near = angle[: int(np.searchsorted(np.abs(angle), 1.0))]
    square = near * near
    series: Any = 0.0
    for coefficient in reversed(_SINE_TERMS):
        series = coefficient + square * series
    result[: len(near)] = near * square * series
    return result


def _norm(half: "Floats", length: int) -> float:
    """Give the norm of the full transform of this even length from the half that is stored."""
    squares = half * half
    both = 2 * float(np.sum(squares)) - float(squares[0]) - float(squares[-1])
    return sqrt(max(both, 0.0) / length)


def _handy_length(least: int) -> int:
    """Find an even length that transforms fast and is not much longer than needed."""
    power = 1 << max(least - 1, 1).bit_length()
    shorter = power // 4 * 3
    return shorter if shorter >= least and shorter % 2 == 0 else power


#: A chance that cannot be given to six digits is left out.
RELATIVE_ERROR_MAX = 1e-6
#: Quantiles of shares nearer to 0 or 1 than this are refused; ask for chances instead.
SHARE_MIN = Fraction(1, 10**9)


class Chance(Struct, frozen=True):
    """A chance to within a relative error: `value` is a Decimal, since 1e-5000 is no float."""

    value: Decimal
    relative_error: float

    def __float__(self) -> float:
        return float(self.value)

    @property
    def log10(self) -> float:
        """The logarithm to the base of ten; minus infinity for a chance of 0."""
        return float(DIGITS.log10(self.value)) if self.value else -inf

    def complement(self) -> "Chance":
        """Give the chance of the contrary, unless it would be smaller than its error."""
        rest = DIGITS.subtract(Decimal(1), self.value)
        wrong = float(DIGITS.multiply(self.value, Decimal(self.relative_error)))
        return _told(float(rest), wrong + UNIT, Decimal(1))


CERTAIN, IMPOSSIBLE = Chance(Decimal(1), 0.0), Chance(Decimal(0), 0.0)


class LongSession(Rounds):
    """So many rounds of one slate in floats; `Session` has the same in whole numbers."""

    def __init__(self, net: Distribution, rounds: int) -> None:
        """Take a round's distribution and a checked number of rounds."""
        super().__init__(net, rounds)
        self._lattice = Lattice(net)
        self._top = self._lattice.terms[-1][0] * rounds

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
        """Give the lowest net that this share of sessions does not exceed, up to rounding.

        If the share is on the edge between two amounts, it may be either.
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
    """Make a chance, unless its error is too large."""
    relative = error / (tilted - error) if tilted > error else inf
    if relative > RELATIVE_ERROR_MAX:
        raise MathsError(
            "the float form cannot tell this chance to six digits; ask for the chance of as much "
            "or more, or of as little or less, or for whole numbers"
        )
    return Chance(DIGITS.multiply(factor, Decimal(tilted)), relative)

"""A session: the exact outcome of so many rounds of the same slate, in whole minor units.

If whole numbers grow too large, `approximate_session` answers in floats and states its error.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import log2
from typing import TYPE_CHECKING

from msgspec import Struct

from taisai.maths.distribution import Distribution, Lattice, Rounds, power, read_share, sums_at_most
from taisai.maths.errors import MathsError, check_whole
from taisai.maths.slates import Slate

if TYPE_CHECKING:
    from taisai.maths.sessions.approximate import LongSession


#: The most megabytes of a session's whole numbers; a thousand rounds of a Single take 26.
EXACT_MEGABYTES_MAX = 1024
#: Up to this product of megabytes and amounts of a round, whole numbers take a few seconds.
QUICK_MEGABYTES_MAX = 512
#: No real session is longer, and the float form would need more than a machine's memory.
ROUNDS_MAX = 10**10


class Session(Rounds):
    """A number of rounds of one slate: `bankroll` is the exact distribution of their net."""

    @cached_property
    def bankroll(self) -> Distribution:
        """The exact distribution of the net after all rounds, computed on first use."""
        lattice = Lattice(self.net)
        terms = power(lattice.terms, self.rounds)
        low, step = lattice.low * self.rounds, lattice.step
        values = tuple([low + degree * step for degree, _ in terms])
        weights = tuple([weight for _, weight in terms])
        return Distribution(values, weights, lattice.total**self.rounds)

    @property
    def ahead(self) -> Fraction:
        """Give the chance of having won in the end."""
        return self.bankroll.above(0)

    @property
    def even(self) -> Fraction:
        """Give the chance of having neither won nor lost in the end."""
        return self.bankroll.probability(0)

    @property
    def behind(self) -> Fraction:
        """Give the chance of having lost in the end."""
        return self.bankroll.below(0)

    def quantile(self, share: Fraction | float | str) -> int:
        """Give the lowest net that at least this share of all sessions does not exceed."""
        return self.bankroll.quantile(share)


def session(slate: Slate | Distribution, rounds: int) -> Session:
    """Compute so many rounds of a slate, or of any distribution of a round's net, exactly."""
    net = _net(slate)
    check_rounds(rounds)
    megabytes = exact_megabytes(net, rounds)
    if megabytes > EXACT_MEGABYTES_MAX:
        raise MathsError(
            f"{rounds} rounds of this slate in whole numbers would take {_size(megabytes)}, over "
            f"{EXACT_MEGABYTES_MAX} MB; play fewer, or ask for the float form"
        )
    return Session(net, rounds)


def approximate_session(slate: Slate | Distribution, rounds: int) -> "LongSession":
    """Compute so many rounds in floats, each answer with a bound on its relative error."""
    net = _net(slate)
    check_rounds(rounds)
    # Not at the top: this needs numpy, and exact sessions do not.
    from taisai.maths.sessions.approximate import LongSession  # noqa: PLC0415

    return LongSession(net, rounds)


def is_quick(slate: Slate | Distribution, rounds: int) -> bool:
    """Say whether a session in whole numbers takes only seconds and fits into memory."""
    net = _net(slate)
    megabytes = exact_megabytes(net, rounds)
    return megabytes <= EXACT_MEGABYTES_MAX and megabytes * len(net) <= QUICK_MEGABYTES_MAX


def exact_megabytes(net: Distribution, rounds: int) -> int:
    """Give an upper estimate of the memory of a session's whole numbers, with running sums."""
    lattice = Lattice(net)
    many = sums_at_most(lattice.terms, min(rounds, ROUNDS_MAX))
    bits = int(rounds * log2(lattice.total)) + 64 * 8
    return 2 * many * bits // (8 * 10**6)


def check_rounds(rounds: object) -> None:
    """Refuse a number of rounds that cannot be played."""
    check_whole("the rounds are", rounds, 1, ROUNDS_MAX)


def _net(slate: Slate | Distribution) -> Distribution:
    if isinstance(slate, Slate):
        return slate.net
    if isinstance(slate, Distribution):
        return slate
    raise MathsError("a session is played with a Slate, or a Distribution of a round's net")


def _size(megabytes: int) -> str:
    return f"{megabytes} MB" if megabytes < 10**6 else "more than a million MB"


# --- how a bankroll spreads ----------------------------------------------------------------------


SHARES = ("0.05", "0.25", "0.5", "0.75", "0.95")
#: The most points of a picture; each needs a transform of its own.
STOPS_MAX = 200


class Fan(Struct, frozen=True):
    """Quantiles after some numbers of rounds, beginning with 0, and the expected net there."""

    rounds: tuple[int, ...]
    quantiles: dict[float, tuple[int, ...]]
    expected: tuple[Fraction, ...]


def fan(
    slate: Slate | Distribution, rounds: int, shares: Sequence[str] = SHARES, stops: int = 40
) -> Fan:
    """Give the quantiles of a session's net on the way to its last round, in the float form."""
    check_rounds(rounds)
    if not shares or not 1 <= stops <= STOPS_MAX:
        raise MathsError(f"a fan has at least one share and from 1 to {STOPS_MAX} stops")
    at = sorted({max(1, rounds * stop // stops) for stop in range(1, stops + 1)})
    sessions = [approximate_session(slate, each) for each in at]
    return Fan(
        rounds=(0, *at),
        quantiles={
            float(read_share(share)): (0, *(each.quantile(share) for each in sessions))
            for share in shares
        },
        expected=(Fraction(0), *(each.mean for each in sessions)),
    )

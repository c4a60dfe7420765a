"""How a bankroll spreads as rounds go by: quantiles of its distribution along a session."""

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from taisai.maths.distribution import Distribution, read_share
from taisai.maths.errors import MathsError
from taisai.maths.sessions.exact import approximate_session, check_rounds
from taisai.maths.slates import Slate

SHARES = ("0.05", "0.25", "0.5", "0.75", "0.95")
#: A picture shows no more, and each is a transform of its own.
STOPS_MAX = 200


class Fan(Struct, frozen=True):
    """Quantiles after some numbers of rounds, none being the first, and what is expected there."""

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

"""Sessions simulated many times: how many end ahead, and how many lose a bank.

An independent check of `sessions` and `ruin`, which compute; here dice are thrown. Session i plays
the seed's rounds from i × rounds on, so that the answer is the same from every engine.
"""

from collections.abc import Callable
from math import sqrt
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import astuple

from taisai.core.rules.dice import THROWS
from taisai.maths.engines import philox
from taisai.maths.engines.arrays import np
from taisai.maths.engines.choice import engine_named
from taisai.maths.engines.worker_threads import in_parts, threads_for
from taisai.maths.errors import MathsError, check_whole
from taisai.maths.simulation.rounds import ROUNDS_MAX, check_rounds, deviations_for
from taisai.maths.slates import Slate

if TYPE_CHECKING:
    from taisai.maths.engines.contract import Amounts, Engine

#: A session is played at once, with eight bytes for each of its rounds.
SESSION_ROUNDS_MAX = 10_000_000
SESSIONS_MAX = 1_000_000_000

_ROUNDS_PART = 1 << 18
_RESULT_OF_THROW = np.array(philox.RESULT_OF_THROW, np.intp)


class Share(Struct, frozen=True):
    """A counted share of all sessions, with its standard error."""

    count: int
    of: int

    @property
    def value(self) -> float:
        """Give the share itself."""
        return self.count / self.of

    @property
    def standard_error(self) -> float:
        """Estimate the standard error of the share."""
        return sqrt(self.value * (1 - self.value) / self.of)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Give the interval by Wilson that holds the true share with this confidence."""
        reach = deviations_for(confidence)
        scale = 1 + reach**2 / self.of
        middle = (self.value + reach**2 / (2 * self.of)) / scale
        half = reach / scale * sqrt(self.standard_error**2 + (reach / (2 * self.of)) ** 2)
        # Counts of none and of all reach the ends exactly, which floats miss slightly.
        low = middle - half if self.count else 0.0
        return low, middle + half if self.count < self.of else 1.0

    def deviation(self, exact: float) -> float:
        """Give the distance of the share from an exact one, in standard errors."""
        error = sqrt(exact * (1 - exact) / self.of)
        return (self.value - exact) / error if error else 0.0


class SimulatedSessions(Struct, frozen=True):
    """Simulated sessions: how they ended, and the sum of their nets.

    With a bank, `ruined` counts those that could no longer pay the slate before the last round;
    they stop, and their remaining money counts at the end.
    """

    rounds: int
    sessions: int
    seed: int
    engine: str
    net: int
    ahead: Share
    even: Share
    behind: Share
    ruined: Share | None


class _Ends(Struct, frozen=True):
    """The sums of some sessions, to be added up."""

    net: int
    ahead: int
    even: int
    sessions: int
    ruined: int

    def __add__(self, other: "_Ends") -> "_Ends":
        return _Ends(*map(int.__add__, astuple(self), astuple(other)))


class RepeatedSession(Struct, frozen=True):
    """A session to simulate: a slate for so many rounds, with a bank or without a limit."""

    slate: Slate
    rounds: int
    bank: int | None = None

    def play(self, engine: "Engine", seed: int, first: int, sessions: int) -> _Ends:
        """Play some sessions: each a row, each round a column."""
        start, count = first * self.rounds, sessions * self.rounds
        throws = engine.draw(seed, philox.DICE, start, count, THROWS)
        rows = np.array(self.slate.rows, np.int64)
        nets = rows.take(_RESULT_OF_THROW).take(throws).reshape(sessions, self.rounds)
        ended, ruined = self._end(nets)
        return _Ends(
            net=int(ended.sum()),
            ahead=int((ended > 0).sum()),
            even=int((ended == 0).sum()),
            sessions=sessions,
            ruined=ruined,
        )

    def _end(self, nets: "Amounts") -> "tuple[Amounts, int]":
        """Give the net of each session where it ended, and how many were ruined."""
        if self.bank is None:
            return nets.sum(axis=1), 0
        course = nets.cumsum(axis=1)
        short = course < self.slate.staked - self.bank
        ruined = short.any(axis=1)
        last = np.where(ruined, short.argmax(axis=1), self.rounds - 1)
        return course[np.arange(len(course)), last], int(ruined.sum())


def simulate_sessions(
    repeated: RepeatedSession,
    sessions: int,
    seed: int,
    *,
    engine: str | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> SimulatedSessions:
    """Play a session many times; with a bank, until it can no longer pay a round.

    `progress` is called with the number of rounds done, of all sessions.
    """
    rounds = repeated.rounds
    check_rounds(rounds, seed)
    _check(repeated, sessions)
    source = engine_named(engine)
    ends = in_parts(
        lambda first, count: repeated.play(source, seed, first, count),
        sessions,
        max(1, _ROUNDS_PART // rounds),
        threads_for(threads),
        None if progress is None else lambda done: progress(done * rounds),
    )
    behind = sessions - ends.ahead - ends.even
    return SimulatedSessions(
        rounds=rounds,
        sessions=sessions,
        seed=seed,
        engine=source.name,
        net=ends.net,
        ahead=Share(ends.ahead, sessions),
        even=Share(ends.even, sessions),
        behind=Share(behind, sessions),
        ruined=None if repeated.bank is None else Share(ends.ruined, sessions),
    )


def _check(repeated: RepeatedSession, sessions: int) -> None:
    slate, rounds, bank = repeated.slate, repeated.rounds, repeated.bank
    if rounds > SESSION_ROUNDS_MAX:
        raise MathsError(f"a simulated session has at most {SESSION_ROUNDS_MAX:,} rounds")
    check_whole("the sessions are", sessions, 1, SESSIONS_MAX)
    if rounds * sessions > ROUNDS_MAX:
        raise MathsError(f"all sessions together have at most {ROUNDS_MAX:,} rounds")
    if max(map(abs, slate.rows)) * rounds * max(1, _ROUNDS_PART // rounds) >= 2**62:
        raise MathsError(f"{rounds:,} rounds of these stakes could pass 64 bits; take smaller ones")
    if bank is not None:
        check_whole("a bank covers the stakes of a round: it is", bank, slate.staked, 2**62 - 1)

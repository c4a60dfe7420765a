"""Running sums of rounds: what was staked, won and to be expected, exactly.

Money is whole minor units. What is to be expected is kept in 216ths of them, which is exact, since
there are so many throws; by how much it varies is an exact fraction.
"""

from fractions import Fraction
from typing import Any

from msgspec import Struct, field

from taisai.core.kernel.messages import Instant
from taisai.core.rules.dice import THROWS, Faces

#: A pause longer than this is no part of dealing: the pace of a table is without it.
PAUSE_MS = 10 * 60 * 1_000
_HOUR_MS = 3_600_000


class KindSums(Struct, array_like=True):
    """What was staked on a kind of bet, what the house won of it, and what it expects to win."""

    turnover: int = 0
    win: int = 0
    theory_216ths: int = 0
    variance: Fraction = Fraction()
    #: In how many rounds the kind was bet on.
    rounds: int = 0

    @property
    def theory(self) -> Fraction:
        """Say what the house expects to win."""
        return Fraction(self.theory_216ths, THROWS)

    def add(self, other: "KindSums", sign: int = 1) -> None:
        """Add to the sums, or take off again."""
        self.turnover += sign * other.turnover
        self.win += sign * other.win
        self.theory_216ths += sign * other.theory_216ths
        self.variance += sign * other.variance
        self.rounds += sign * other.rounds


class RoundSums(Struct, array_like=True):
    """A settled round: by whom, on which gaming day and with which dice, and what it adds."""

    number: int
    by: str
    date: str
    dice_set: str | None
    faces: Faces
    bets: int
    turnover: int
    win: int
    theory_216ths: int
    variance: Fraction
    kinds: dict[str, KindSums]
    #: What played on each box: at a chip table it may be less than what was there [D2].
    stakes: dict[str, int]


class Pace(Struct, array_like=True):
    """When rounds were settled: the first, the newest, and the time between them without pauses."""

    first_at: Instant | None = None
    last_at: Instant | None = None
    intervals: int = 0
    dealt_ms: int = 0

    def note(self, at: Instant) -> None:
        """Take in that a round was settled."""
        if self.last_at is None:
            self.first_at = at
        elif at - self.last_at <= PAUSE_MS:
            self.intervals += 1
            self.dealt_ms += at - self.last_at
        self.last_at = at

    def add(self, other: "Pace") -> None:
        """Take in the pace at another table."""
        starts = [each for each in (self.first_at, other.first_at) if each is not None]
        ends = [each for each in (self.last_at, other.last_at) if each is not None]
        self.first_at, self.last_at = min(starts, default=None), max(ends, default=None)
        self.intervals += other.intervals
        self.dealt_ms += other.dealt_ms

    @property
    def rounds_per_hour(self) -> float | None:
        """Say how many rounds an hour of dealing has; None before there were two."""
        return self.intervals * _HOUR_MS / self.dealt_ms if self.dealt_ms else None


class Sums(Struct, array_like=True):
    """What the rounds that stand come to, at a table or by a dealer.

    A round that was reversed is taken off again, and counted as such; one that was settled again
    counts as it stands now.
    """

    rounds: int = 0
    bets: int = 0
    turnover: int = 0
    win: int = 0
    theory_216ths: int = 0
    variance: Fraction = Fraction()
    void: int = 0
    reversed: int = 0
    amendments: int = 0
    irregularities: int = 0
    pace: Pace = field(default_factory=Pace)

    @property
    def theory(self) -> Fraction:
        """Say what the house expects to win: the sum of each stake times its edge."""
        return Fraction(self.theory_216ths, THROWS)

    def add_round(self, each: RoundSums, sign: int = 1) -> None:
        """Add a round, or take it off again."""
        self.rounds += sign
        self.bets += sign * each.bets
        self.turnover += sign * each.turnover
        self.win += sign * each.win
        self.theory_216ths += sign * each.theory_216ths
        self.variance += sign * each.variance

    def add(self, other: "Sums") -> None:
        """Add the sums of another table."""
        self.rounds += other.rounds
        self.bets += other.bets
        self.turnover += other.turnover
        self.win += other.win
        self.theory_216ths += other.theory_216ths
        self.variance += other.variance
        self.void += other.void
        self.reversed += other.reversed
        self.amendments += other.amendments
        self.irregularities += other.irregularities
        self.pace.add(other.pace)


def write_exact(value: Any) -> str:
    """Write a fraction as JSON has it: a number may be longer than a program reads."""
    if isinstance(value, Fraction):
        return str(value)
    raise NotImplementedError(f"a {type(value).__name__} is none of the figures")


def read_exact(kind: type, value: Any) -> Any:
    """Read a fraction back."""
    if kind is Fraction:
        return Fraction(value)
    raise NotImplementedError(f"a {kind.__name__} is none of the figures")

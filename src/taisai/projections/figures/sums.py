"""Running sums of rounds: stakes, wins and expected wins, exactly.

Money is whole minor units. The expected win is in 216ths of them, which is exact, since there are
216 throws; its variance is an exact fraction. A pay table is priced once: after that a round costs
a few additions for each box that was bet on.

The band around an expected win says how far the real win may differ by chance alone. The deviation
of many rounds' win, in standard deviations, is nearly normal: 95 wins of a hundred are within 1.96
of them, 99 within 2.58.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import Any, Literal

from msgspec import Struct, field

from taisai.core.kernel.messages import Instant
from taisai.core.rules.dice import RESULTS, THROWS, Faces, Result
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.rulebook import Rulebook
from taisai.maths import returns_of

#: A longer pause is not counted in the pace of a table.
PAUSE_MS = 10 * 60 * 1_000
_HOUR_MS = 3_600_000

Standing = Literal["within", "watch", "outside"]

WATCH_AT = 1.96
OUTSIDE_AT = 2.58

#: How many priced pay tables are kept.
PRICED_MAX = 64

_THROWS_OF = tuple(result.throws for result in RESULTS)


class KindSums(Struct, array_like=True):
    """The stakes, what the house won of them, and what it expects to win.

    Of one round, or of one kind of bet over many rounds.
    """

    turnover: int = 0
    win: int = 0
    theory_216ths: int = 0
    variance: Fraction = Fraction()
    #: In how many rounds anything was bet.
    rounds: int = 0

    @property
    def theory(self) -> Fraction:
        """What the house expects to win: the sum of each stake times its edge."""
        return Fraction(self.theory_216ths, THROWS)

    def add(self, other: "KindSums", sign: int = 1) -> None:
        """Add to the sums, or subtract again."""
        self.turnover += sign * other.turnover
        self.win += sign * other.win
        self.theory_216ths += sign * other.theory_216ths
        self.variance += sign * other.variance
        self.rounds += sign * other.rounds


class RoundSums(Struct, array_like=True):
    """A settled round: its dealer, its gaming day, its dice, and what it adds to the sums."""

    number: int
    by: str
    date: str
    dice_set: str | None
    faces: Faces
    bets: int
    played: KindSums
    kinds: dict[str, KindSums]
    #: What played on each box: at a chip table it may be less than what was there [D2].
    stakes: dict[str, int]


class Pace(Struct, array_like=True):
    """The times of the first and the newest settled round, and the time between without pauses."""

    first_at: Instant | None = None
    last_at: Instant | None = None
    intervals: int = 0
    dealt_ms: int = 0

    def note(self, at: Instant) -> None:
        """Count the time of a settled round."""
        if self.last_at is None:
            self.first_at = at
        elif at - self.last_at <= PAUSE_MS:
            self.intervals += 1
            self.dealt_ms += at - self.last_at
        self.last_at = at

    def add(self, other: "Pace") -> None:
        """Add the pace of another table."""
        starts = [each for each in (self.first_at, other.first_at) if each is not None]
        ends = [each for each in (self.last_at, other.last_at) if each is not None]
        self.first_at, self.last_at = min(starts, default=None), max(ends, default=None)
        self.intervals += other.intervals
        self.dealt_ms += other.dealt_ms

    @property
    def rounds_per_hour(self) -> float | None:
        """The rounds in an hour of dealing; None before there were two rounds."""
        return self.intervals * _HOUR_MS / self.dealt_ms if self.dealt_ms else None


class Sums(KindSums, array_like=True):
    """The sums of all unreversed rounds, at a table or by a dealer.

    A reversed round is subtracted again, and counted as reversed; a round that was settled again
    counts as it is now.
    """

    bets: int = 0
    void: int = 0
    reversed: int = 0
    amendments: int = 0
    irregularities: int = 0
    pace: Pace = field(default_factory=Pace)

    def add_round(self, each: RoundSums, sign: int = 1) -> None:
        """Add a round, or subtract it again."""
        self.bets += sign * each.bets
        self.add(each.played, sign)

    def add_all(self, other: "Sums") -> None:
        """Add the sums of another table."""
        self.add(other)
        for name in ("bets", "void", "reversed", "amendments", "irregularities"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.pace.add(other.pace)


def write_exact(value: Any) -> str:
    """Write a fraction as text for JSON: its numbers may be too long for a program's integers."""
    if isinstance(value, Fraction):
        return str(value)
    raise NotImplementedError(f"a {type(value).__name__} is none of the figures")


def read_exact(kind: type, value: Any) -> Any:
    """Read a fraction back."""
    if kind is Fraction:
        return Fraction(value)
    raise NotImplementedError(f"a {kind.__name__} is none of the figures")


# --- the band around an expected win -------------------------------------------------------------


class Band(Struct, frozen=True):
    """A theoretical win with its two bands, in whole minor units, and the position of the win."""

    theory: int
    sigma: float
    low: int
    high: int
    lowest: int
    highest: int
    deviation: float
    standing: Standing


def band_of(sums: KindSums) -> Band:
    """Compare the win with the expectation for the same bets."""
    sigma = sqrt(sums.variance)
    deviation = float(sums.win - sums.theory) / sigma if sigma else 0.0
    return Band(
        theory=round(sums.theory),
        sigma=sigma,
        low=round(sums.theory - Fraction(WATCH_AT * sigma)),
        high=round(sums.theory + Fraction(WATCH_AT * sigma)),
        lowest=round(sums.theory - Fraction(OUTSIDE_AT * sigma)),
        highest=round(sums.theory + Fraction(OUTSIDE_AT * sigma)),
        deviation=deviation,
        standing=_standing(deviation),
    )


def _standing(deviation: float) -> Standing:
    if abs(deviation) <= WATCH_AT:
        return "within"
    return "watch" if abs(deviation) <= OUTSIDE_AT else "outside"


# --- pay tables, priced --------------------------------------------------------------------------


class Pricing:
    """A pay table, priced."""

    def __init__(self, table: PayTable) -> None:
        self._returns = {key: returns_of(box) for key, box in table.boxes.items()}
        self._kinds = {key: box.kind.value for key, box in table.boxes.items()}

    def wins(self, stakes: Mapping[str, int]) -> list[int]:
        """Give what the house wins on each of the 56 results; below zero it loses."""
        wins = [sum(stakes.values())] * len(RESULTS)
        for key, stake in stakes.items():
            step, returns = self._returns[key]
            steps = stake // step
            for index, returned in returns:
                wins[index] -= returned * steps
        return wins

    def played(self, stakes: Mapping[str, int], result: Result) -> KindSums:
        """Give the sums of stakes on a result: the win, and the expected win."""
        wins = self.wins(stakes)
        theory = sum(map(int.__mul__, _THROWS_OF, wins))
        squares = sum(throws * win * win for throws, win in zip(_THROWS_OF, wins, strict=True))
        return KindSums(
            turnover=sum(stakes.values()),
            win=wins[result.index],
            theory_216ths=theory,
            variance=Fraction(THROWS * squares - theory**2, THROWS**2),
            rounds=1,
        )

    def kinds(self, stakes: Mapping[str, int], result: Result) -> dict[str, KindSums]:
        """Give the sums of each kind of bet on a result, as if there had been no other bets."""
        by_kind: dict[str, dict[str, int]] = {}
        for key, stake in stakes.items():
            by_kind.setdefault(self._kinds[key], {})[key] = stake
        return {kind: self.played(part, result) for kind, part in by_kind.items()}


_PRICED: dict[tuple[str, int], Pricing] = {}


def pricing_of(book: Rulebook, number: int) -> Pricing:
    """Give a pay table of a rulebook, priced once for all tables that play it."""
    known = book.sha256, number
    if known not in _PRICED:
        if len(_PRICED) >= PRICED_MAX:
            del _PRICED[next(iter(_PRICED))]
        _PRICED[known] = Pricing(book.pay_tables[number])
    return _PRICED[known]

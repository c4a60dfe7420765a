"""Simulation: rounds played by the million from a seed, and compared with the exact answer.

Rounds take slates in turn, or draw their bets and stakes, or play bets listed in columns. All sums
are whole numbers, so that a seed gives the same answer from every engine, with any number of
threads and in parts of any size. Floats appear only in standard errors.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Protocol

from msgspec import Struct

from taisai.core.rules.dice import THROWS
from taisai.core.rules.paytable import PayTable
from taisai.maths.engines import philox
from taisai.maths.engines.choice import engine_named
from taisai.maths.engines.worker_threads import in_parts, threads_for
from taisai.maths.errors import MathsError, check_whole
from taisai.maths.slates import Slate

ROUNDS_MAX = 1_000_000_000_000
TURNS_MAX = 100_000

_TURNS_PART = 1 << 20

Progress = Callable[[int], None]


class Tally(Struct, frozen=True):
    """The sums of rounds: the player's net and its squares, the stakes, the counts of results."""

    staked: int
    net: int
    squares: int
    results: tuple[int, ...]

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.staked + other.staked,
            self.net + other.net,
            self.squares + other.squares,
            tuple(map(sum, zip(self.results, other.results, strict=True))),
        )


def deviations_for(confidence: float) -> float:
    """Give the standard deviations around the mean that hold a normal figure with a confidence."""
    if not 0 < confidence < 1:
        raise MathsError("a confidence lies between 0 and 1, like 0.95")
    return NormalDist().inv_cdf((1 + confidence) / 2)


class Betting(Protocol):
    """The bets of all rounds: how to play them, and their exact mean and variance."""

    #: The stake of every round.
    pay_table: PayTable
    #: How many rounds are played at a time.
    part: int

    def play(self, seed: int, start: int, count: int, engine: str) -> Tally:
        """Play rounds `start` to `start + count`."""
        ...

    def exactly(self, rounds: int) -> tuple[Fraction, Fraction | float]:
        """Give mean and variance of the net of the first so many rounds."""
        ...


class Simulation(Struct, frozen=True):
    """Simulated rounds, and the exact figures of the same rounds; amounts in minor units.

    `standard_error` is the error of `mean` as estimated from the rounds themselves, and
    `exact_standard_error` the computed one. If the average loss differs between rounds the former
    is slightly too large, never too small.
    """

    pay_table: str
    rounds: int
    seed: int
    engine: str
    tally: Tally
    exact_net: Fraction
    exact_variance: Fraction | float

    @property
    def mean(self) -> Fraction:
        """Give the mean net of a round, as played."""
        return Fraction(self.tally.net, self.rounds)

    @property
    def exact_mean(self) -> Fraction:
        """Give the mean net of a round, exactly."""
        return self.exact_net / self.rounds

    @property
    def house_edge(self) -> Fraction:
        """What the house kept of one unit staked."""
        return Fraction(-self.tally.net, self.tally.staked)

    @property
    def standard_error(self) -> float | None:
        """The error of the mean, estimated from the rounds; None for one round."""
        if self.rounds < 2:
            return None
        rest = self.rounds * self.tally.squares - self.tally.net**2
        return sqrt(Fraction(rest, self.rounds**2 * (self.rounds - 1)))

    @property
    def exact_standard_error(self) -> float:
        """Give the standard error of the mean, from the exact variance."""
        return sqrt(self.exact_variance) / self.rounds

    @property
    def deviation(self) -> float:
        """The distance of the mean from the exact mean, in exact standard errors."""
        apart = self.tally.net - self.exact_net
        return float(apart) / sqrt(self.exact_variance) if apart else 0.0

    def interval(self, confidence: float = 0.95) -> tuple[float, float] | None:
        """Give the confidence interval of the true mean, from the rounds alone."""
        reach = deviations_for(confidence)
        if self.standard_error is None:
            return None
        reach *= self.standard_error
        return float(self.mean) - reach, float(self.mean) + reach


def simulate(
    betting: Slate | Sequence[Slate] | Betting,
    rounds: int,
    seed: int,
    *,
    engine: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Play rounds from a seed: one slate, several in turn, or any other `Betting`."""
    played = betting_of(betting)
    check_rounds(rounds, seed)
    chosen = engine_named(engine).name
    exact_net, exact_variance = played.exactly(rounds)
    tally = in_parts(
        lambda start, count: played.play(seed, start, count, chosen),
        rounds,
        played.part,
        threads_for(threads),
        progress,
    )
    return Simulation(
        pay_table=played.pay_table.address,
        rounds=rounds,
        seed=seed,
        engine=chosen,
        tally=tally,
        exact_net=exact_net,
        exact_variance=exact_variance,
    )


class SlatesInTurn:
    """Slates that are played one after the other, and again from the first."""

    part = _TURNS_PART

    def __init__(self, slates: Sequence[Slate]) -> None:
        if not 1 <= len(slates) <= TURNS_MAX:
            raise MathsError(f"rounds take between 1 and {TURNS_MAX:,} slates in turn")
        self.slates = tuple(slates)
        self.pay_table = slates[0].pay_table
        if any(slate.pay_table is not self.pay_table for slate in slates):
            raise MathsError("slates that are played in turn lie on one pay table")

    def play(self, seed: int, start: int, count: int, engine: str) -> Tally:
        """Throw the dice and count the results of each slate; its row gives the net of each."""
        counts = engine_named(engine).count_results(seed, start, count, len(self.slates)).tolist()
        net = squares = staked = 0
        for slate, seen in zip(self.slates, counts, strict=True):
            staked += slate.staked * sum(seen)
            net += sum(times * value for times, value in zip(seen, slate.rows, strict=True))
            squares += sum(times * value**2 for times, value in zip(seen, slate.rows, strict=True))
        return Tally(staked, net, squares, tuple(map(sum, zip(*counts, strict=True))))

    def exactly(self, rounds: int) -> tuple[Fraction, Fraction]:
        """Add up means and variances: the rounds are independent."""
        whole, rest = divmod(rounds, len(self.slates))
        mean = variance = Fraction(0)
        for number, slate in enumerate(self.slates):
            times = whole + (number < rest)
            mean += times * slate.net.mean
            variance += times * slate.net.variance
        return mean, variance


def betting_of(betting: Slate | Sequence[Slate] | Betting) -> Betting:
    """Make the `Betting` from a slate, several, or one that exists."""
    if isinstance(betting, Slate):
        return SlatesInTurn([betting])
    if isinstance(betting, Sequence):
        return SlatesInTurn(betting)
    return betting


def check_rounds(rounds: int, seed: int) -> None:
    """Refuse an impossible number of rounds, and an invalid seed."""
    check_whole("the rounds are", rounds, 1, ROUNDS_MAX)
    philox.check_seed(seed)


def throw(seed: int, rounds: int, *, start: int = 0, engine: str | None = None) -> list[int]:
    """Give the results of rounds, by their number among the 56: the dice of every simulation."""
    check_rounds(rounds, seed)
    drawn = engine_named(engine).draw(seed, philox.DICE, start, rounds, THROWS)
    return [philox.RESULT_OF_THROW[each] for each in drawn.tolist()]

"""Ruin: the fate of a bank that pays the same slate round after round.

A bank is *ruined* when it cannot pay the next slate: when it falls below what the slate stakes. It
has *reached its target* when it is the target or more. Every answer is exact, or lies between two
proven bounds; `Figure.exact` says which.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

from taisai.maths.distribution import read_share
from taisai.maths.errors import MathsError, missing_extra
from taisai.maths.figures import Figure
from taisai.maths.ruin.within import (
    EXACT_WORK_MAX,
    Counted,
    Course,
    Net,
    check_rounds,
    count,
    exact_figures,
    running,
    walk_of,
)


class RuinWithin:
    """The chances of a bank within a number of rounds: ruined, at its target, or still playing."""

    def __init__(
        self,
        rounds: int,
        figures: tuple[Figure, Figure, Figure],
        by_round: Counted | Sequence[float],
    ) -> None:
        self.rounds = rounds
        self.ruined, self.reached, self.playing = figures
        self._by_round = by_round

    @property
    def exact(self) -> bool:
        """Say whether the chances are exact; else they lie between proven bounds."""
        return self.ruined.exact

    @cached_property
    def by_round(self) -> tuple[float, ...]:
        """Give the chance that ruin comes in each round, from the first, as floats."""
        counted = self._by_round
        if not isinstance(counted, Counted):
            return (*counted, *(0.0 for _ in range(self.rounds - len(counted))))
        cases = 1
        chances = []
        for weight in counted.ruined:
            cases *= counted.total
            chances.append(weight / cases)
        return tuple(chances)

    def quantile(self, share: Fraction | float | str) -> int | None:
        """Give the round by which this share of all such banks is ruined; None if it never is.

        With floats it is the round by their values, correct within their bounds.
        """
        wanted = read_share(share)
        if not wanted:
            raise MathsError("a share of banks lies above 0, up to 1")
        counted = self._by_round
        if isinstance(counted, Counted):
            return _round_counted(counted, wanted)
        ruined = Fraction(0)
        for played, chance in enumerate(counted, start=1):
            ruined += Fraction(chance)
            if ruined >= wanted:
                return played
        return None


def _round_counted(counted: Counted, wanted: Fraction) -> int | None:
    cases = wanted.numerator
    for played, ruined in enumerate(running(counted.ruined, counted.total), start=1):
        cases *= counted.total
        if ruined * wanted.denominator >= cases:
            return played
    return None


def ruin_within(
    net: Net, bank: int, rounds: int, *, stake: int | None = None, target: int | None = None
) -> RuinWithin:
    """Compute the chances of a bank within so many rounds, at most a million.

    In integers, exactly, up to about a second's work; beyond that in floats with proven bounds.
    """
    check_rounds(rounds)
    course = Course(walk_of(net, bank, stake=stake, target=target), rounds)
    if course.work(EXACT_WORK_MAX) <= EXACT_WORK_MAX:
        counted = count(course)
        return RuinWithin(rounds, exact_figures(counted), counted)
    try:
        from taisai.maths.ruin.float_bounds import bounded_figures, compute  # noqa: PLC0415
    except ImportError:
        raise missing_extra("a count of this many rounds", "maths") from None
    computed = compute(course)
    return RuinWithin(rounds, bounded_figures(computed), computed.ruined)

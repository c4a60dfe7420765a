"""The outcome of a plan as an answer: figures, their method, and the reason for the method."""

from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction

from msgspec import Struct

from taisai.maths.distribution import Distribution
from taisai.maths.figures import Figure
from taisai.maths.plans.sitting import Cells, End, Ending, Play


class Method(StrEnum):
    """How an answer was found: exactly, in floats with proven bounds, or by simulation."""

    EXACT = "exact"
    BOUNDED = "bounded"
    SIMULATED = "simulated"


class How(Struct, frozen=True):
    """The method of an answer, the reason for it, and the players of a simulation."""

    method: Method
    why: str
    confidence: float | None = None
    players: int | None = None
    seed: int | None = None


class Betting(Struct, frozen=True):
    """The bets of a plan on average: amounts, number, the largest bets, those held.

    `held` counts the bets that the table's maximum cut below the plan's stake; `met_maximum` is the
    chance that this ever happened, or stopped the plan. `largest_met` is the chance that the
    largest stake is bet at all.
    """

    turnover: Figure
    bets: Figure
    largest_stake: int
    largest_met: Figure
    held: Figure
    met_maximum: Figure


class Played(Struct, frozen=True):
    """The outcome of a plan: each figure exact or between its bounds, as `how` says."""

    plan: str
    box: str
    bank: int
    rounds: int
    house_edge: Fraction
    how: How
    ahead: Figure
    even: Figure
    behind: Figure
    endings: dict[Ending, Figure]
    final: Distribution
    expected_loss: Figure
    betting: Betting

    @property
    def ruined(self) -> Figure:
        """The chance that the bank could not pay the plan's next stake."""
        return self.endings[Ending.RUINED]

    @property
    def turnover(self) -> Figure:
        """Give what is bet in all, on average."""
        return self.betting.turnover


def played(
    play: Play,
    how: How,
    chance: Callable[[Callable[[End], bool]], Figure],
    final: Distribution,
    expected_loss: Figure,
    betting: Betting,
) -> Played:
    """Make an answer; `chance` gives the chance of all the ends for which a condition holds."""
    return Played(
        plan=play.plan.name,
        box=play.box.key,
        bank=play.bank,
        rounds=play.rounds,
        house_edge=play.box.house_edge,
        how=how,
        ahead=chance(lambda end: end.bank > play.bank),
        even=chance(lambda end: end.bank == play.bank),
        behind=chance(lambda end: end.bank < play.bank),
        endings={each: chance(_comes_to(each)) for each in Ending},
        final=final,
        expected_loss=expected_loss,
        betting=betting,
    )


def _comes_to(ending: Ending) -> Callable[[End], bool]:
    return lambda end: end.ending is ending


def betting_of(
    cells: Cells,
    averages: tuple[Figure, Figure, Figure],
    stopped: Figure,
    visits: Callable[[set[int]], Figure],
) -> Betting:
    """Make the betting figures from the averages of turnover, bets and bets held.

    `visits` gives the chance that a bet is made from any of some cells.
    """
    turnover, bets, held = averages
    largest = max(cells.stakes)
    most = {cell for cell, stake in enumerate(cells.stakes) if stake == largest}
    at_maximum = {cell for cell, is_held in enumerate(cells.held) if is_held}
    return Betting(
        turnover=turnover,
        bets=bets,
        largest_stake=largest,
        largest_met=Figure.exactly(1) if 0 in most else visits(most),
        held=held,
        # A plan that stops at the maximum is never held, and one that is held never stops there.
        met_maximum=visits(at_maximum) if at_maximum else stopped,
    )

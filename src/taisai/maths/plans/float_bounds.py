"""A plan computed in floats over all its cells, with bounds proven from the number of roundings."""

from collections.abc import Callable, Collection, Iterator
from fractions import Fraction
from math import fsum
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taisai.maths.distribution import Distribution
from taisai.maths.figures import Figure, rounded
from taisai.maths.plans.result import How, Method, Played, betting_of, played
from taisai.maths.plans.sitting import Cells, End, Ending

#: The most multiplications of chances, some seconds' work; beyond it the plan is simulated.
WORK_MAX = 700_000_000

#: Chances are converted to whole weights of a distribution with this many fractional bits.
_WEIGHT_BITS = 160

Chances: TypeAlias = NDArray[np.float64]


class Computation(NamedTuple):
    """A computed plan: the chance of each end, the bets, and the number of roundings."""

    ends: dict[End, float]
    turnover: Figure
    bets: Figure
    held: Figure
    roundings: int
    losses: int


def played_in_floats(cells: Cells, why: str) -> Played:
    """Answer in floats, each figure between bounds that are valid for any roundings."""
    found = compute(cells)

    def chance(asked: Callable[[End], bool]) -> Figure:
        chances = [chance for end, chance in found.ends.items() if asked(end)]
        return rounded(fsum(chances), found.roundings, found.losses).narrowed(0, 1)

    amounts = [end.bank * chance for end, chance in found.ends.items()]
    most = max(end.bank for end in found.ends)
    expected = rounded(fsum(amounts), found.roundings + 2, found.losses * (most + 1))
    return played(
        cells.play,
        How(Method.BOUNDED, why),
        chance,
        Distribution.from_pairs(
            (end.bank, int(Fraction(chance) * 2**_WEIGHT_BITS))
            for end, chance in found.ends.items()
        ),
        expected.times(-1).plus(cells.play.bank),
        betting_of(
            cells,
            (found.turnover, found.bets, found.held),
            chance(lambda end: end.ending is Ending.STOPPED),
            lambda wanted: visits_in_floats(cells, wanted).narrowed(0, 1),
        ),
    )


class _Leads:
    """The next cells of all cells, one array for each way; ends are numbered after the cells."""

    def __init__(self, cells: Cells) -> None:
        self.cells = len(cells.places)
        self.size = self.cells + len(cells.ends)
        self.betting = len(cells.stakes)
        self.chances = [way.weight / cells.total for way in cells.ways]
        self.to = []
        for leads in cells.leads:
            to = np.array(leads, dtype=np.int64)
            self.to.append(np.where(to >= 0, to, self.cells + ~to))
        arrivals = sum(np.bincount(to, minlength=self.size) for to in self.to)
        #: A chance is rounded as a weight, in its product, and in each sum that it takes part in.
        self.roundings = 2 + len(self.to) + int(np.max(arrivals))


def fits(cells: Cells) -> bool:
    """Say whether computing a plan is some seconds' work at most."""
    return len(cells.stakes) * len(cells.ways) * cells.play.rounds <= WORK_MAX


def compute(cells: Cells) -> Computation:
    """Compute the outcome of a plan."""
    leads = _Leads(cells)
    ended = np.zeros(leads.size - leads.cells)
    visits = np.zeros(leads.betting)
    last = np.zeros(leads.cells)
    for alive, arrived in _rounds(cells, leads, visits):
        ended += arrived
        last = alive
    ends = dict(zip(cells.ends, ended.tolist(), strict=True))
    playing: dict[int, list[float]] = {}
    for cell in np.flatnonzero(last).tolist():
        playing.setdefault(cells.places[cell][1], []).append(float(last[cell]))
    ends |= {End(Ending.PLAYING, bank): fsum(chances) for bank, chances in playing.items()}
    rounds = cells.play.rounds
    roundings = rounds * (leads.roundings + 1) + 4
    losses = rounds * leads.size * len(cells.ways)
    stakes = np.array(cells.stakes, dtype=np.float64)
    largest = max(1, *cells.stakes)

    def summed(weights: Chances, each: int) -> Figure:
        return rounded(fsum((visits * weights).tolist()), roundings, losses * each)

    return Computation(
        ends,
        summed(stakes, largest),
        summed((stakes > 0).astype(np.float64), 1),
        summed(np.array(cells.held, dtype=np.float64), 1),
        roundings,
        losses,
    )


def visits_in_floats(cells: Cells, wanted: Collection[int]) -> Figure:
    """Compute the chance that a bet is made from any of these cells at least once."""
    leads = _Leads(cells)
    alive = np.zeros(leads.cells)
    alive[0] = 1.0
    chosen = np.array(sorted(wanted), dtype=np.int64)
    met = []
    for _ in range(cells.play.rounds):
        met.append(fsum(alive[chosen].tolist()))
        alive[chosen] = 0.0
        alive = _next(alive, leads)[: leads.cells]
    roundings = cells.play.rounds * (leads.roundings + 1) + 4
    return rounded(fsum(met), roundings, cells.play.rounds * leads.size * len(leads.to))


def _rounds(cells: Cells, leads: _Leads, visits: Chances) -> Iterator[tuple[Chances, Chances]]:
    """Yield round by round the chances of cells and those of new ends; bets are added up."""
    alive = np.zeros(leads.cells)
    alive[0] = 1.0
    for _ in range(cells.play.rounds):
        visits += alive[: leads.betting]
        after = _next(alive, leads)
        alive = after[: leads.cells]
        yield alive, after[leads.cells :]


def _next(alive: Chances, leads: _Leads) -> Chances:
    betting = alive[: leads.betting]
    after = np.zeros(leads.size)
    for to, chance in zip(leads.to, leads.chances, strict=True):
        after += np.bincount(to, weights=betting * chance, minlength=leads.size)
    return after

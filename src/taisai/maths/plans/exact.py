"""A plan counted in integers: every course of all rounds, merged where courses meet."""

from collections.abc import Callable, Collection, Iterator
from fractions import Fraction
from typing import NamedTuple

from taisai.maths.distribution import Distribution
from taisai.maths.figures import Figure
from taisai.maths.plans.result import How, Method, Played, betting_of
from taisai.maths.plans.result import played as answer
from taisai.maths.plans.sitting import Cells, End, Ending

#: The most work in integers, a few seconds; beyond it the count is in floats.
WORK_MAX = 600_000_000
#: The fixed cost of handling an integer, in digits of thirty bits; by measurement.
_HANDLING_DIGITS = 400


class TooLongError(Exception):
    """The integers of a count have grown too long to go on."""


class Count(NamedTuple):
    """A plan counted: weights of each end over `cases`, and what was bet, exactly."""

    cases: int
    ends: dict[End, int]
    turnover: Fraction
    bets: Fraction
    held: Fraction


def played_exactly(cells: Cells) -> Played:
    """Answer exactly; raise `TooLongError` if that takes too long."""
    counted = count(cells)

    def chance(asked: Callable[[End], bool]) -> Figure:
        weights = (weight for end, weight in counted.ends.items() if asked(end))
        return Figure.exactly(Fraction(sum(weights), counted.cases))

    final = Distribution.from_pairs((end.bank, weight) for end, weight in counted.ends.items())
    why = f"every way the rounds can go was counted, over {len(cells.places)} states with banks"
    averages = [Figure.exactly(each) for each in (counted.turnover, counted.bets, counted.held)]
    return answer(
        cells.play,
        How(Method.EXACT, why),
        chance,
        final,
        Figure.exactly(cells.play.bank - final.mean),
        betting_of(
            cells,
            (averages[0], averages[1], averages[2]),
            chance(lambda end: end.ending is Ending.STOPPED),
            lambda wanted: Figure.exactly(count_visits(cells, wanted)),
        ),
    )


class _Gathered:
    """Weights of several rounds, scaled to the same number of cases while they are added up."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.weight = 0
        self.played = 0

    def add(self, weight: int, played: int) -> None:
        self.weight = self.weight * self.total ** (played - self.played) + weight
        self.played = played

    def share(self) -> Fraction:
        return Fraction(self.weight, self.total**self.played)


def count(cells: Cells) -> Count:
    """Count all the courses of a plan; raise `TooLongError` if that takes too long."""
    total, rounds = cells.total, cells.play.rounds
    turnover, bets, held = (_Gathered(total) for _ in range(3))
    ends: dict[int, _Gathered] = {}
    last: dict[int, int] = {}
    for played, alive, ended in _rounds(cells):
        for end, weight in ended.items():
            ends.setdefault(end, _Gathered(total)).add(weight, played)
        if played < rounds:
            turnover.add(sum(cells.stakes[cell] * weight for cell, weight in alive.items()), played)
            bets.add(sum(w for cell, w in alive.items() if cells.stakes[cell]), played)
            held.add(sum(w for cell, w in alive.items() if cells.held[cell]), played)
        last = alive
    final: dict[End, int] = {}
    for end, gathered in ends.items():
        gathered.add(0, rounds)
        final[cells.ends[end]] = gathered.weight
    for cell, weight in last.items():
        place = End(Ending.PLAYING, cells.places[cell][1])
        final[place] = final.get(place, 0) + weight
    return Count(total**rounds, final, turnover.share(), bets.share(), held.share())


def count_visits(cells: Cells, wanted: Collection[int]) -> Fraction:
    """Count the courses in which a bet is made from any of these cells at least once."""
    visits = _Gathered(cells.total)
    for played, alive, _ in _rounds(cells):
        if played < cells.play.rounds:
            met = [cell for cell in alive if cell in wanted]
            visits.add(sum(alive.pop(cell) for cell in met), played)
    return visits.share()


def _rounds(cells: Cells) -> Iterator[tuple[int, dict[int, int], dict[int, int]]]:
    """Yield round by round: the number played, the weights of cells and those of new ends.

    It also yields before the first round; weights that the caller removes are not followed further.
    """
    bits = cells.total.bit_length()
    alive, ended = {0: 1}, dict[int, int]()
    work = 0
    yield 0, alive, ended
    for played in range(1, cells.play.rounds + 1):
        work += len(alive) * len(cells.ways) * (_HANDLING_DIGITS + played * bits // 30)
        if work > WORK_MAX:
            raise TooLongError
        after: dict[int, int] = {}
        for way, leads in zip(cells.ways, cells.leads, strict=True):
            for cell, weight in alive.items():
                to = leads[cell]
                after[to] = after.get(to, 0) + way.weight * weight
        ended = {~to: weight for to, weight in after.items() if to < 0}
        alive = {to: weight for to, weight in after.items() if to >= 0}
        yield played, alive, ended

"""Ruin within so many rounds: a polynomial power from which ruin is cut off round by round.

After n rounds of a walk the level is `start + n × lowest + stride × k`; the weights by k are the
coefficients of a polynomial: a round multiplies it by the slate's own. Coefficients below ruin or
past the target are taken out as they appear; so are those that no remaining round can ruin. Here
all of it is done in integers; `ruin.reckoning` does the same in floats where those grow too long.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import repeat
from math import gcd
from operator import add, mul
from typing import NamedTuple

from taisai.maths.figures import Figure
from taisai.maths.ruin.walk import Walk

#: Integers are counted up to this much work, about a second's; past it the count is in floats.
EXACT_WORK_MAX = 1_000_000_000
#: What handling an integer costs whatever its length, in digits of thirty bits; by measurement.
_HANDLING_DIGITS = 120


class Cut(NamedTuple):
    """The indices that are still in play after a round: from `low` up to, not with, `high`."""

    low: int
    high: int


class Course:
    """A walk on its stride for a number of rounds: shifts, weights, and where each round cuts."""

    def __init__(self, walk: Walk, rounds: int) -> None:
        lowest = walk.steps.values[0]
        self.walk = walk
        self.rounds = rounds
        self.stride = gcd(*(value - lowest for value in walk.steps.values)) or 1
        self.shifts = [(value - lowest) // self.stride for value in walk.steps.values]
        self.weights = walk.steps.weights
        self.total = walk.steps.total

    def cut(self, played: int) -> Cut:
        """Find which indices are in play after a round: not ruined, not at the target, not safe."""
        walk = self.walk
        origin = walk.start + played * walk.steps.values[0]
        safe_from = (self.rounds - played) * walk.down
        top = safe_from if walk.ceiling is None else walk.ceiling
        return Cut(max(0, -(origin // self.stride)), max(0, -((origin - top) // self.stride)))

    def work(self, enough: int) -> int:
        """Foretell what counting costs, in operations on digits, until that is enough to know."""
        bits = self.total.bit_length()
        low, high, work = 0, 1, 0
        for played in range(1, self.rounds + 1):
            cut = self.cut(played)
            width = high - low
            low, high = max(low, cut.low), min(high + self.shifts[-1], cut.high)
            width = max(width, high - low)
            work += width * len(self.shifts) * (_HANDLING_DIGITS + played * bits // 30)
            if high <= low or work > enough:
                break
        return work


class Counted(NamedTuple):
    """What each round brought, as weights of the total to the power of the round's number."""

    total: int
    ruined: list[int]
    reached: list[int]
    playing: int


def count(course: Course) -> Counted:
    """Count in integers, round by round, the weights of ruin, of the target and of neither."""
    alive, base = [1], 0
    ruined, reached, safe = [], [], 0
    with_target = course.walk.ceiling is not None
    for played in range(1, course.rounds + 1):
        cut = course.cut(played)
        alive, past = _multiplied(alive, course, max(0, cut.high - base))
        below = max(0, cut.low - base)
        ruined.append(sum(alive[:below]))
        reached.append(past if with_target else 0)
        safe = safe * course.total + (0 if with_target else past)
        alive, base = alive[below:], base + below
    return Counted(course.total, ruined, reached, safe + sum(alive))


def _multiplied(alive: list[int], course: Course, kept: int) -> tuple[list[int], int]:
    """Give the weights after one more round, as many as are kept, and the sum past them."""
    length = len(alive)
    product = [0] * (min(length + course.shifts[-1], kept) if alive else 0)
    past = 0
    for shift, weight in zip(course.shifts, course.weights, strict=True):
        inside = max(0, min(length, kept - shift))
        if inside:
            part = product[shift : shift + inside]
            product[shift : shift + inside] = map(add, part, map(mul, repeat(weight), alive))
        past += weight * sum(alive[inside:])
    return product, past


def exact_figures(counted: Counted) -> tuple[Figure, Figure, Figure]:
    """Give the chances of ruin, of the target and of neither from a count in integers."""
    cases = counted.total ** len(counted.ruined)
    return (
        Figure.exactly(Fraction(_gathered(counted.ruined, counted.total), cases)),
        Figure.exactly(Fraction(_gathered(counted.reached, counted.total), cases)),
        Figure.exactly(Fraction(counted.playing, cases)),
    )


def _gathered(weights: Sequence[int], total: int) -> int:
    """Add up the weights of all rounds over the total to the power of the last round's number."""
    *_, last = running(weights, total)
    return last


def running(weights: Sequence[int], total: int) -> Iterator[int]:
    """Give the weight of all rounds so far, over the total to the power of each round's number."""
    gathered = 0
    for weight in weights:
        gathered = gathered * total + weight
        yield gathered

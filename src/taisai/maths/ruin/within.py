"""Ruin within so many rounds: a power of a polynomial, with ruin removed round by round.

A bank is a walk on levels, with common divisors taken out. It is ruined when it falls below the
stake of the next slate: level 0 is the lowest from which one more slate can be paid.

After n rounds of a walk the level is `start + n × lowest + stride × k`; the weights by k are the
coefficients of a polynomial: a round multiplies it by the slate's own. Coefficients below ruin or
past the target are taken out as they appear; so are those that no remaining round can ruin. This
module uses integers; `ruin.float_bounds` does the same in floats if they grow too long.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import repeat
from math import gcd
from operator import add, mul
from typing import NamedTuple, TypeAlias

from taisai.core.rules.money import AMOUNT_MAX
from taisai.maths.distribution import Distribution
from taisai.maths.errors import MathsError, check_whole
from taisai.maths.figures import Figure
from taisai.maths.slates import Slate

#: The subject of a question: a slate, or the distribution of the net of a round.
Net: TypeAlias = Slate | Distribution

#: No real question comes near; without a bound a count might never end.
ROUNDS_MAX = 1_000_000
#: The most different steps of a walk: there are 56 results.
STEPS_MAX = 1_000


class Walk:
    """A bank as a walk: its steps with their weights, its first level, its ceiling.

    `start` is the level of the bank; levels below 0 are ruin, and those from `ceiling` on, if there
    is one, have reached the target. A level is `scale` minor units.
    """

    def __init__(
        self, steps: Distribution, start: int, ceiling: int | None = None, scale: int = 1
    ) -> None:
        self.steps = steps
        self.start = start
        self.ceiling = ceiling
        self.scale = scale

    @cached_property
    def down(self) -> int:
        """The levels of the largest loss; 0 for a walk that cannot lose."""
        return max(0, -self.steps.values[0])

    @cached_property
    def up(self) -> int:
        """The levels of the largest win; 0 for a walk that cannot win."""
        return max(0, self.steps.values[-1])

    @cached_property
    def drift(self) -> Fraction:
        """The levels won in a round on average, below zero if the house has an edge."""
        return self.steps.mean


def walk_of(net: Net, bank: int, *, stake: int | None = None, target: int | None = None) -> Walk:
    """Make the walk of a bank, or refuse an invalid question with a sentence.

    The stake of a slate is the sum on its boxes. The stake of a distribution is its largest loss,
    unless another is given.
    """
    steps, staked = _net_and_stake(net, stake)
    check_whole("the bank is", bank, 0, AMOUNT_MAX)
    if bank < staked:
        raise MathsError(f"a bank of {bank} cannot pay the first slate of {staked}")
    if target is not None:
        check_whole("the target is", target, 0, AMOUNT_MAX)
        if target <= bank:
            raise MathsError(f"the target {target} is reached already by a bank of {bank}")
    if steps.values[0] == steps.values[-1] == 0:
        raise MathsError("a round that neither wins nor loses leaves every bank as it is")
    scale = gcd(*steps.values)
    start = (bank - staked) // scale
    ceiling = None if target is None else start + -((bank - target) // scale)
    return Walk(_scaled_down(steps, scale), start, ceiling, scale)


def check_rounds(rounds: int) -> None:
    """Refuse an impossible number of rounds."""
    check_whole("the rounds are", rounds, 1, ROUNDS_MAX)


def _net_and_stake(net: Net, stake: int | None) -> tuple[Distribution, int]:
    if isinstance(net, Slate):
        if stake is not None:
            raise MathsError("a slate stakes what lies on its boxes; leave the stake out")
        return net.net, net.staked
    if len(net) > STEPS_MAX:
        raise MathsError(f"the net of a round takes at most {STEPS_MAX} different amounts")
    worst = max(0, -net.values[0])
    if stake is None:
        return net, worst
    check_whole("the stake is", stake, 0, AMOUNT_MAX)
    if stake < worst:
        raise MathsError(f"a stake of {stake} cannot lose {worst}")
    return net, stake


def _scaled_down(steps: Distribution, scale: int) -> Distribution:
    """Take common divisors out of amounts and weights: smaller numbers, the same chances."""
    common = gcd(*steps.weights)
    return Distribution(
        tuple(value // scale for value in steps.values),
        tuple(weight // common for weight in steps.weights),
        steps.total // common,
    )


#: The most work in integers, about a second's; beyond it the count is in floats.
EXACT_WORK_MAX = 1_000_000_000
#: The fixed cost of handling an integer, in digits of thirty bits; by measurement.
_HANDLING_DIGITS = 120


class Cut(NamedTuple):
    """The indices still in play after a round: from `low` up to, but not including, `high`."""

    low: int
    high: int


class Course:
    """A walk on its stride for a number of rounds: shifts, weights, and the cut of each round."""

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
        """Estimate the cost of counting, in operations on digits, up to the limit."""
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
    """The outcome of each round, as weights of the total to the power of the round's number."""

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
    """Give the weights after one more round, as many as are kept, and the sum of the others."""
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

"""How a walk leaves its levels, exactly: the chance of each side, and after how many rounds.

The value u of a level depends on the levels a step away: u(j) = each + Σ p(v) u(j + v), with given
values outside. Solved for the lowest of them this is a recurrence downwards from the ceiling; it
leaves as many unknowns as the largest loss has levels, and the values below ruin determine them.
In integers nothing is rounded, so that an unstable recurrence does no harm.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from taisai.maths.distribution import Distribution
from taisai.maths.ruin.within import Walk

#: The most work in integers, about a second's; beyond it the answer is in floats.
EXACT_WORK_MAX = 500_000_000
#: The most unknowns that are solved for exactly; floats can solve more.
UNKNOWNS_MAX = 24
_HANDLING_DIGITS = 200

#: The value of a level outside: below 0, or from the ceiling on.
Outside: TypeAlias = Callable[[int], int]


class Leaving(NamedTuple):
    """A question about a walk between ruin and a ceiling: what it collects until it leaves.

    `each` is collected in every round, `outside(level)` once, at the level it leaves to.
    """

    steps: Distribution
    start: int
    ceiling: int
    each: int
    outside: Outside

    def turned(self) -> "Leaving":
        """Mirror the question: wins become losses, and the ceiling becomes ruin."""
        top = self.ceiling - 1
        outside = self.outside
        return Leaving(
            self.steps.scaled(-1),
            top - self.start,
            self.ceiling,
            self.each,
            lambda level: outside(top - level),
        )

    def with_fewer_losses(self) -> "Leaving":
        """Mirror the question if needed, so that there is a loss, and the largest is smaller."""
        down, up = -self.steps.values[0], self.steps.values[-1]
        return self.turned() if down <= 0 or 0 < up < down else self


def chance_of_ruin(walk: Walk, ceiling: int) -> Leaving:
    """Make the question of the chance that ruin comes before the ceiling."""
    return Leaving(walk.steps, walk.start, ceiling, 0, lambda level: int(level < 0))


def chance_of_ceiling(walk: Walk, ceiling: int) -> Leaving:
    """Make the question of the chance that the ceiling comes before ruin."""
    return Leaving(walk.steps, walk.start, ceiling, 0, lambda level: int(level >= 0))


def rounds_until(walk: Walk, ceiling: int) -> Leaving:
    """Make the question of the average number of rounds until the walk leaves on either side."""
    return Leaving(walk.steps, walk.start, ceiling, 1, lambda _: 0)


def depth_of_ruin(walk: Walk, ceiling: int) -> Leaving:
    """Make the question of the average depth of ruin below level 0, if it comes first."""
    return Leaving(walk.steps, walk.start, ceiling, 0, lambda level: max(0, -level))


def solved_exactly(asked: Leaving) -> Fraction | None:
    """Answer exactly, or give None if the integers would grow too long."""
    question = asked.with_fewer_losses()
    unknowns = -question.steps.values[0]
    if unknowns > UNKNOWNS_MAX or _work(question, unknowns) > EXACT_WORK_MAX:
        return None
    rows, scale = _recurrence(question, unknowns)
    values = _solved(_constraints(question, unknowns, rows, scale))
    place = question.ceiling - 1 - question.start
    known, *factors = rows[place]
    total = known + sum((one * each for one, each in zip(values, factors, strict=True)), Fraction())
    return total / Fraction(scale) ** _power(place, unknowns)


def _work(question: Leaving, unknowns: int) -> int:
    bits = question.steps.total.bit_length()
    levels = question.ceiling + unknowns
    digits = _HANDLING_DIGITS + levels * bits // 30
    return levels * (unknowns + 1) * (len(question.steps) + unknowns**2) * digits


def _power(place: int, unknowns: int) -> int:
    """Give the power of the scale by which the row of a place is divided."""
    return max(0, place - unknowns + 1)


def _recurrence(question: Leaving, unknowns: int) -> tuple[list[list[int]], int]:
    """Give, for each level from the ceiling down, its value as a sum over the unknowns.

    A row holds the known part and the factor of each unknown, all of them times the scale, which is
    the weight of the largest loss, to the power that `_power` gives.
    """
    steps, total = question.steps, question.steps.total
    scale = steps.weights[0]
    powers = [1]
    rows = [[0, *(int(place == one) for one in range(unknowns))] for place in range(unknowns)]
    for place in range(question.ceiling):
        wanted = _power(place + unknowns, unknowns) - 1
        row = _raised(rows[place], scale, wanted - _power(place, unknowns), powers, total)
        row[0] -= total * question.each * _to(scale, wanted, powers)
        for value, weight in zip(steps.values[1:], steps.weights[1:], strict=True):
            other = place - value
            if other < 0:
                level = question.ceiling - 1 - other
                row[0] -= weight * question.outside(level) * _to(scale, wanted, powers)
                continue
            factor = weight * _to(scale, wanted - _power(other, unknowns), powers)
            row = [mine - factor * theirs for mine, theirs in zip(row, rows[other], strict=True)]
        rows.append(row)
    return rows, scale


def _raised(row: list[int], scale: int, power: int, powers: list[int], factor: int) -> list[int]:
    raised = factor * _to(scale, power, powers)
    return [part * raised for part in row]


def _to(scale: int, power: int, powers: list[int]) -> int:
    """Give a power of the scale, each computed once."""
    while len(powers) <= power:
        powers.append(powers[-1] * scale)
    return powers[power]


def _constraints(
    question: Leaving, unknowns: int, rows: list[list[int]], scale: int
) -> list[list[Fraction]]:
    """Make the equations that the values below level 0 are the given ones."""
    equations = []
    for depth in range(1, unknowns + 1):
        place = question.ceiling - 1 + depth
        known, *factors = rows[place]
        right = question.outside(-depth) * scale ** _power(place, unknowns) - known
        equations.append([Fraction(factor) for factor in (*factors, right)])
    return equations


def _solved(equations: list[list[Fraction]]) -> list[Fraction]:
    """Solve linear equations, each with its right side last."""
    many = len(equations)
    for column in range(many):
        pivot = next(row for row in range(column, many) if equations[row][column])
        equations[column], equations[pivot] = equations[pivot], equations[column]
        lead = equations[column][column]
        equations[column] = [part / lead for part in equations[column]]
        for row in range(many):
            factor = equations[row][column]
            if row != column and factor:
                equations[row] = [
                    mine - factor * theirs
                    for mine, theirs in zip(equations[row], equations[column], strict=True)
                ]
    return [row[-1] for row in equations]

"""The questions of `ruin.exits` in floats, for walks of many levels, with a proven bound.

The equations of a walk have a band of numbers around the diagonal, eliminated block by block. The
solution is put back into them; the residual, times the expected number of rounds, bounds the error,
whatever its cause: the inverse of such equations has no entry below zero, and its rows sum to the
expected rounds.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from taisai.maths.errors import MathsError
from taisai.maths.figures import ROUNDING, Figure
from taisai.maths.ruin.exits import Leaving

#: The most numbers of a band in memory: a quarter of a gigabyte.
BAND_MAX = 32_000_000
#: The most products of its elimination: some seconds' work.
WORK_MAX = 8_000_000_000
#: With smaller blocks the calls would take most of the time.
_BLOCK_MIN = 48

Levels: TypeAlias = NDArray[np.float64]


def solved(asked: Sequence[Leaving]) -> list[Figure]:
    """Answer questions of one walk in floats, between bounds that are valid for any rounding."""
    questions = [each.with_fewer_losses() for each in asked]
    walk = questions[0]
    rounds = walk._replace(each=1, outside=lambda _: 0)
    answers = _eliminated(walk, [rounds, *questions])
    uneven = _uneven(rounds, answers[:, 0])
    if uneven >= 0.5:
        raise MathsError("floats cannot carry a walk this long; ask for a smaller bank or target")
    # The equations, with the computed rounds put in, give `1 - uneven` or more; so a residual of
    # one in each of them means an error of at most the rounds divided by that.
    most = Fraction(float(answers[walk.start, 0])) / (1 - Fraction(uneven))
    figures = []
    for place, question in enumerate(questions, start=1):
        error = Fraction(_uneven(question, answers[:, place])) * most
        value = Fraction(float(answers[walk.start, place]))
        figures.append(Figure(value, value - error, value + error))
    return figures


def solved_for_all(asked: Leaving) -> list[float]:
    """Answer in floats for every level at which the walk could start, for a picture."""
    return [float(value) for value in _eliminated(asked, [asked])[:, 0]]


def _eliminated(walk: Leaving, questions: Sequence[Leaving]) -> Levels:
    """Solve the equations of a walk for several right sides, one column for each."""
    size = walk.ceiling
    below = min(max(0, -walk.steps.values[0]), size - 1)
    above = min(max(0, walk.steps.values[-1]), size - 1)
    block = min(max(below, _BLOCK_MIN), size)
    if size * (above + 1) > BAND_MAX or size * block * (block + above) > WORK_MAX:
        raise MathsError(
            "this bank and target have too many levels between them to solve; ask for a nearer "
            "target, or for stakes with a larger common divisor"
        )
    blocks = -(-size // block)
    right = np.zeros((blocks * block, len(questions)))
    right[:size] = np.column_stack([_right_side(question) for question in questions])
    before, own = _template(walk, block, above)
    ahead: list[Levels] = []
    for number in range(blocks):
        rows = own.copy()
        here = slice(number * block, (number + 1) * block)
        if ahead:
            rows[:, :above] -= before @ ahead[-1]
            right[here] -= before @ right[here.start - block : here.start]
        _cut_off(rows, size - number * block)
        known = np.hstack((rows[:, block:], right[here]))
        solution: Levels = np.linalg.solve(rows[:, :block], known).astype(np.float64, copy=False)
        ahead.append(solution[:, :above])
        right[here] = solution[:, above:]
    for number in range(blocks - 2, -1, -1):
        after = right[(number + 1) * block : (number + 1) * block + above]
        right[number * block : (number + 1) * block] -= ahead[number][:, : len(after)] @ after
    return right[:size]


def _template(walk: Leaving, block: int, above: int) -> tuple[Levels, Levels]:
    """Make the equations of a block of levels: their part in the block before, and from it on.

    They are the same for every block, as the walk takes the same steps from every level.
    """
    before = np.zeros((block, block))
    own = np.zeros((block, block + above))
    own[np.arange(block), np.arange(block)] = 1.0
    for value, weight in walk.steps.pairs():
        level = np.arange(block)
        chance = weight / walk.steps.total
        inside = level[(level + value >= 0) & (level + value < block + above)]
        own[inside, inside + value] -= chance
        outside = level[(level + value < 0) & (level + value >= -block)]
        before[outside, outside + value + block] -= chance
    return before, own


def _cut_off(rows: Levels, left: int) -> None:
    """Leave out the levels past the last one: there is nothing to solve for."""
    rows[:, max(0, left) :] = 0.0
    for level in range(left, len(rows)):
        rows[level] = 0.0
        rows[level, level] = 1.0


def _right_side(question: Leaving) -> Levels:
    """Give what each level collects in its round, and where its steps lead outside."""
    size = question.ceiling
    right = np.full(size, float(question.each))
    for value, weight in question.steps.pairs():
        chance = weight / question.steps.total
        places = range(max(0, size - value), size) if value > 0 else range(min(size, -value))
        given = [question.outside(place + value) for place in places]
        right[places.start : places.stop] += chance * np.array(given, dtype=np.float64)
    return right


def _uneven(question: Leaving, values: Levels) -> float:
    """Bound the residual of any of the equations, with the roundings of computing it included."""
    right = _right_side(question)
    left = values - right
    size_of = np.abs(values) + np.abs(right)
    for value, weight in question.steps.pairs():
        chance = weight / question.steps.total
        if abs(value) >= len(values):
            continue
        here = slice(max(0, -value), len(values) - max(0, value))
        there = slice(max(0, value), len(values) - max(0, -value))
        left[here] -= chance * values[there]
        size_of[here] += chance * np.abs(values[there])
    # Every number above had fewer roundings than this; one more covers the roundings of the bound.
    roundings = 4 * len(question.steps) + 12
    return float(np.max(np.abs(left) + roundings * float(ROUNDING) * size_of) * (1 + 2**-40))

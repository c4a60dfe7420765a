"""The exact law of a chi-square of counts: every way the counts can fall, gathered by their score.

The statistic of counts o against weights w (of W in all, n throws) is W/(nL) times the score, the
sum of o² L/w, less n, with L the least common multiple of the weights: scores are whole numbers,
and ties are ties. Counts are built cell by cell over (throws so far, score so far); only scores
below the observed one are kept, which is what makes it quick. Each cell is given by the law of
Poisson, and the sum is divided by the chance of n in all: that is the multinomial law, with no
number too small.
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from taisai.maths.fairness.tails import poisson_chance
from taisai.maths.fairness.throws import Counts

#: Additions and multiplications allowed to one exact p-value: about a fifth of a second.
WORK_MAX: Final = 100_000_000
#: Where sums of so many chances are taken from 1, less than this cannot be told from nothing.
EXACT_MIN: Final = 1e-12


def score_steps(weights: Sequence[int]) -> list[int]:
    """Give for each cell what one count, squared, adds to the score."""
    common = math.lcm(*weights)
    return [common // weight for weight in weights]


def score_of(counts: Counts, weights: Sequence[int]) -> int:
    """Score counts; the larger, the further they are from what was to be expected."""
    pairs = zip(counts, score_steps(weights), strict=True)
    return sum(int(count) ** 2 * step for count, step in pairs)


def statistic_of(score: int, throws: int, weights: Sequence[int]) -> float:
    """Give the chi-square statistic that a score stands for."""
    common = math.lcm(*weights)
    return max(0.0, (score * sum(weights) - throws**2 * common) / (throws * common))


def exact_work(throws: int, score: int, weights: Sequence[int]) -> int:
    """Count the operations that the exact chance would take."""
    kept = (throws + 1) * score
    return sum(kept * (_most(throws, score, step) + 1) for step in score_steps(weights))


def exact_tail(throws: int, score: int, weights: Sequence[int]) -> float:
    """Give the chance that fair dice score at least this, from every way the counts can fall."""
    if score <= 0:
        return 1.0
    reached = np.zeros((throws + 1, score))
    reached[0, 0] = 1.0
    whole = sum(weights)
    for weight, step in zip(weights, score_steps(weights), strict=True):
        mean = throws * weight / whole
        after = np.zeros_like(reached)
        for count in range(_most(throws, score, step) + 1):
            moved = count * count * step
            part = reached[: throws + 1 - count, : score - moved]
            after[count:, moved:] += poisson_chance(count, mean) * part
        reached = after
    below = float(reached[throws].sum()) / poisson_chance(throws, float(throws))
    return max(EXACT_MIN, 1.0 - below)


def _most(throws: int, score: int, step: int) -> int:
    """Give the most that a cell can hold below a score."""
    return min(throws, math.isqrt((score - 1) // step)) if score else 0

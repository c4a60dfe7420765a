"""Tests of counts: chi-square, the result furthest from its expectation, pairs of dice.

The exact law of a chi-square sums over all possible counts by their score. The statistic
of counts o against weights w (of W in all, n throws) is W/(nL) times the score, the sum of o² L/w,
less n, with L the least common multiple of the weights: scores are whole numbers, and ties are
ties. Counts are built cell by cell over (throws so far, score so far); only scores below the
observed one are kept, which makes it quick. Each cell is given by the law of Poisson, and
the sum is divided by the chance of n in all: that is the multinomial law, with no number too small.
"""

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from taisai.core.rules.dice import RESULTS, THROWS
from taisai.maths.fairness.monte_carlo import Chance, Method, Outcome, sampled
from taisai.maths.fairness.tails import (
    binomial_at_least,
    binomial_at_most,
    chi_square_tail,
    poisson_chance,
    two_sided,
)
from taisai.maths.fairness.throws import FACE_OF, Counts, Floats, Throws

# --- the exact law of a chi-square ---------------------------------------------------------------


#: Additions and multiplications allowed to one exact p-value: about a fifth of a second.
WORK_MAX: Final = 100_000_000
#: When sums of so many chances are subtracted from 1, less than this is indistinguishable from 0.
EXACT_MIN: Final = 1e-12


def score_steps(weights: Sequence[int]) -> list[int]:
    """Give for each cell the factor of a squared count in the score."""
    common = math.lcm(*weights)
    return [common // weight for weight in weights]


def score_of(counts: Counts, weights: Sequence[int]) -> int:
    """Compute the score of counts; the larger, the further they are from the expectation."""
    pairs = zip(counts, score_steps(weights), strict=True)
    return sum(int(count) ** 2 * step for count, step in pairs)


def statistic_of(score: int, throws: int, weights: Sequence[int]) -> float:
    """Convert a score into the chi-square statistic."""
    common = math.lcm(*weights)
    return max(0.0, (score * sum(weights) - throws**2 * common) / (throws * common))


def exact_work(throws: int, score: int, weights: Sequence[int]) -> int:
    """Estimate the operations for the exact chance."""
    kept = (throws + 1) * score
    return sum(kept * (_most(throws, score, step) + 1) for step in score_steps(weights))


def exact_tail(throws: int, score: int, weights: Sequence[int]) -> float:
    """Give the chance that fair dice score at least this, from all possible counts."""
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
    """Give the highest count of a cell below a score."""
    return min(throws, math.isqrt((score - 1) // step)) if score else 0


#: With at least so many expected in every cell, the chi-square law itself is close enough.
EXPECTED_MIN: Final = 20
_PAIR_CELLS: Final = 36
_PAIR_DEGREES: Final = 25


def goodness(key: str, counts: Counts, weights: Sequence[int], chance: Chance) -> Outcome:
    """Test counts against their expected shares: exactly, by draws, or by the chi-square law."""
    throws, score = int(counts.sum()), score_of(counts, weights)
    statistic, degrees = statistic_of(score, throws, weights), len(weights) - 1
    details = _furthest(counts, weights)
    common: dict[str, Any] = {
        "key": key,
        "statistic": statistic,
        "degrees": degrees,
        "details": details,
    }
    if exact_work(throws, score, weights) <= WORK_MAX:
        return Outcome(p=exact_tail(throws, score, weights), method=Method.EXACT, **common)
    if throws * min(weights) >= EXPECTED_MIN * sum(weights):
        return Outcome(p=chi_square_tail(statistic, degrees), method=Method.ASYMPTOTIC, **common)
    return _by_draws(common, float(score), throws, weights, chance)


def _by_draws(
    common: dict[str, Any], score: float, throws: int, weights: Sequence[int], chance: Chance
) -> Outcome:
    shares = np.array(weights) / sum(weights)
    steps = np.array(score_steps(weights), dtype=np.float64)

    def scores(generator: np.random.Generator, size: int) -> Floats:
        counts = generator.multinomial(throws, shares, size).astype(np.float64)
        return np.asarray((counts * counts) @ steps)

    return sampled(scores, score, len(weights), chance, common)


def _furthest(counts: Counts, weights: Sequence[int]) -> dict[str, Any]:
    """Find the cell that is most standard deviations from its expectation."""
    throws, shares = counts.sum(), np.array(weights) / sum(weights)
    expected = throws * shares
    off = (counts - expected) / np.sqrt(expected * (1 - shares))
    cell = int(np.abs(off).argmax())
    return {"cell": cell, "count": int(counts[cell]), "expected": float(expected[cell])}


def furthest_result(key: str, counts: Counts) -> Outcome:
    """Test the one result whose count is least likely, as the worst of 56."""
    throws = int(counts.sum())
    tails = [
        _result_tail(int(count), throws, result.throws / THROWS)
        for count, result in zip(counts, RESULTS, strict=True)
    ]
    cell = min(range(len(tails)), key=tails.__getitem__)
    expected = throws * RESULTS[cell].throws / THROWS
    return Outcome(
        key=key,
        statistic=float(counts[cell]),
        p=min(1.0, len(RESULTS) * tails[cell]),
        method=Method.EXACT,
        details={"cell": cell, "count": int(counts[cell]), "expected": expected},
    )


def _result_tail(count: int, throws: int, chance: float) -> float:
    return two_sided(
        binomial_at_least(count, throws, chance), binomial_at_most(count, throws, chance)
    )


def pair_of_dice(key: str, throws: Throws, first: int, second: int, chance: Chance) -> Outcome:
    """Test whether two dice fall independently, whatever the chances of the faces of each.

    The draws shuffle one die against the other, which keeps the counts of each die.
    """
    statistic = float(independence(throws.pair_counts(first, second)[None])[0])
    common: dict[str, Any] = {"key": key, "statistic": statistic, "degrees": _PAIR_DEGREES}
    if len(throws) >= EXPECTED_MIN * _PAIR_CELLS:
        p = chi_square_tail(statistic, _PAIR_DEGREES)
        return Outcome(p=p, method=Method.ASYMPTOTIC, **common)
    one, other = FACE_OF[first][throws.codes], FACE_OF[second][throws.codes]

    def shuffled(generator: np.random.Generator, size: int) -> Floats:
        rows = np.broadcast_to(other, (size, len(other)))
        cells = one.astype(np.int64) * 6 + generator.permuted(rows, axis=1)
        cells += np.arange(size)[:, None] * _PAIR_CELLS
        tables = np.bincount(cells.ravel(), minlength=size * _PAIR_CELLS)
        return independence(tables.reshape(size, 6, 6))

    return sampled(shuffled, statistic, len(throws), chance, common)


def independence(tables: Counts) -> Floats:
    """Give the chi-square of each six-by-six table against the product of its margins."""
    rows, columns = tables.sum(axis=2, keepdims=True), tables.sum(axis=1, keepdims=True)
    expected = rows * columns / tables.sum(axis=(1, 2), keepdims=True)
    off = np.divide(
        (tables - expected) ** 2, expected, out=np.zeros(tables.shape), where=expected > 0
    )
    return np.asarray(off.sum(axis=(1, 2)))

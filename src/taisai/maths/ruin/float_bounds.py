"""Ruin within so many rounds in floats, with bounds proven from the number of roundings.

Chances are multiplied and added and never subtracted, so that each has a small relative error,
however small it is. Chances left out for speed are summed, and widen the bounds.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import fsum
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taisai.maths.errors import MathsError
from taisai.maths.figures import Figure, rounded
from taisai.maths.ruin.banded import solved_for_all
from taisai.maths.ruin.exits import chance_of_ruin
from taisai.maths.ruin.within import Course, Net, Walk, check_rounds, walk_of

#: The most multiplications, some seconds' work; beyond it the question is refused.
FLOAT_WORK_MAX = 3_000_000_000
#: The most chances in memory at once.
WIDTH_MAX = 20_000_000
#: The sum of the chances left out at the top for speed stays below this.
LEFT_OUT_MAX = 2.0**-80
#: So few chances are always kept, as they cost little: the tails keep their accuracy.
_KEPT = 8_192
_TRIM_EVERY = 64
#: The fixed cost of a round, in products.
_HANDLING = 2_000

Chances: TypeAlias = NDArray[np.float64]


class Computed(NamedTuple):
    """The same in floats, with the number of roundings of each chance."""

    ruined: list[float]
    reached: list[float]
    playing: float
    left_out: float
    roundings: int
    losses: int


def compute(course: Course) -> Computed:
    """Compute in floats what `count` counts; nothing is subtracted, so that errors stay small.

    A chance is rounded once a round as a coefficient of the slate, once in its product and once in
    each sum of the products.
    """
    chances = [weight / course.total for weight in course.weights]
    alive = np.ones(1)
    base = work = 0
    ruined: list[float] = []
    reached: list[float] = []
    safe: list[float] = []
    left_out: list[float] = []
    with_target = course.walk.ceiling is not None
    for played in range(1, course.rounds + 1):
        cut = course.cut(played)
        kept = min(len(alive) + course.shifts[-1], max(0, cut.high - base))
        work += max(kept, len(alive)) * len(chances) + _HANDLING
        _check_work(work, kept)
        alive, past = _multiplied(alive, course.shifts, chances, kept)
        below = min(max(0, cut.low - base), len(alive))
        ruined.append(_sum(alive[:below]))
        (reached if with_target else safe).append(past)
        alive, base = alive[below:], base + below
        if played % _TRIM_EVERY == 0 and len(alive) > _KEPT:
            alive, dropped = _trimmed(alive, LEFT_OUT_MAX * _TRIM_EVERY / course.rounds)
            left_out.append(dropped)
        if not len(alive):
            break
    return Computed(
        ruined=ruined,
        reached=reached,
        playing=fsum((*safe, _sum(alive))),
        left_out=fsum(left_out),
        roundings=course.rounds * (len(chances) + 1) + 3,
        losses=work,
    )


def _multiplied(
    alive: Chances, shifts: Sequence[int], chances: Sequence[float], kept: int
) -> tuple[Chances, float]:
    """Give the chances after one more round, as many as are kept, and the sum past them."""
    length = len(alive)
    product = np.zeros(kept)
    past = []
    for shift, chance in zip(shifts, chances, strict=True):
        inside = max(0, min(length, kept - shift))
        product[shift : shift + inside] += alive[:inside] * chance
        past.append(_sum(alive[inside:]) * chance)
    return product, fsum(past)


def _sum(chances: Chances) -> float:
    """Sum with one rounding, however many there are."""
    return fsum(chances.tolist()) if len(chances) else 0.0


def _trimmed(alive: Chances, allowed: float) -> tuple[Chances, float]:
    """Leave out chances at the top that are too small to change an answer."""
    from_top = np.cumsum(alive[::-1])
    many = int(np.searchsorted(from_top, allowed / 2))
    return (alive[: len(alive) - many], _sum(alive[len(alive) - many :])) if many else (alive, 0.0)


def _check_work(work: int, width: int) -> None:
    if work > FLOAT_WORK_MAX or width > WIDTH_MAX:
        raise MathsError(
            "this many rounds of such a slate are too much to count; ask for fewer rounds, or for "
            "stakes with a larger common divisor"
        )


def bounded_figures(computed: Computed) -> tuple[Figure, Figure, Figure]:
    """Give the same figures from floats, with bounds for the roundings and the omitted chances."""
    ruined, reached, playing = (
        _bounded(fsum(computed.ruined), computed),
        _bounded(fsum(computed.reached), computed),
        _bounded(computed.playing, computed),
    )
    return (
        _beside(ruined, reached, playing),
        _beside(reached, ruined, playing),
        _beside(playing, ruined, reached),
    )


def _bounded(chance: float, computed: Computed) -> Figure:
    known = rounded(chance, computed.roundings, computed.losses)
    left_out = rounded(computed.left_out, computed.roundings, computed.losses).high
    return Figure(known.value, known.low, known.high + left_out)


def _beside(figure: Figure, other: Figure, third: Figure) -> Figure:
    """Narrow a chance by the other two: the three of them sum to one."""
    return figure.narrowed(
        max(Fraction(0), 1 - other.high - third.high), min(Fraction(1), 1 - other.low - third.low)
    )


def ruin_at_levels(course: Course, levels: Sequence[int]) -> list[float]:
    """Compute the chance of ruin within the rounds for banks at several levels at once.

    Backwards: the chance at a level is the average over the levels that a round leads to.
    """
    walk = course.walk
    ahead = np.zeros(0)
    work = 0
    for played in range(1, course.rounds + 1):
        reach = max(levels) + 1 + (course.rounds - played) * walk.up
        width = min(reach, played * walk.down)
        width = width if walk.ceiling is None else min(width, walk.ceiling)
        work += width * len(course.weights) + _HANDLING
        _check_work(work, width)
        ahead = _one_round_earlier(ahead, course, width)
    return [float(ahead[level]) if level < len(ahead) else 0.0 for level in levels]


def _one_round_earlier(ahead: Chances, course: Course, width: int) -> Chances:
    """Average over a round: ruin is certain below the levels, and impossible above them."""
    earlier = np.zeros(width)
    for value, weight in course.walk.steps.pairs():
        chance = weight / course.total
        lost = min(max(0, -value), width)
        earlier[:lost] += chance
        found = ahead[lost + value : width + value] if lost + value >= 0 else ahead[:0]
        earlier[lost : lost + len(found)] += found * chance
    return earlier


# --- ruin against the bank -----------------------------------------------------------------------


#: About how many banks a picture shows.
BANKS = 200


class Curves(NamedTuple):
    """Banks in minor units, and for each named question its answers for all of them."""

    banks: list[int]
    chances: dict[str, list[float]]


def ruin_curves(
    net: Net, bank: int, *, rounds: int | None = None, target: int | None = None
) -> Curves:
    """Compute the chance of ruin of banks up to twice a bank, or below its target."""
    if rounds is None and target is None:
        raise MathsError("ruin against the bank needs a number of rounds or a target to draw")
    walk = walk_of(net, bank, target=target)
    levels = _levels(walk)
    chances = {}
    if rounds is not None:
        check_rounds(rounds)
        plain = Walk(walk.steps, walk.start, None, walk.scale)
        name = f"within {rounds:,} rounds"
        chances[name] = ruin_at_levels(Course(plain, rounds), levels)
    if walk.ceiling is not None:
        solved = solved_for_all(chance_of_ruin(walk, walk.ceiling))
        chances[f"before {target:,}"] = [solved[level] for level in levels]
    return Curves([bank + (level - walk.start) * walk.scale for level in levels], chances)


def _levels(walk: Walk) -> list[int]:
    """Choose levels from the lowest to twice the bank's, as many as a picture can show."""
    last = 2 * walk.start + 1 if walk.ceiling is None else walk.ceiling - 1
    return sorted({last * place // BANKS for place in range(BANKS + 1)})

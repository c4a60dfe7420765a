"""Ruin ever, the target first, and how long it takes: questions without a number of rounds."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from taisai.maths.errors import MathsError, missing_extra
from taisai.maths.figures import Figure
from taisai.maths.ruin.exits import (
    Leaving,
    chance_of_ceiling,
    chance_of_ruin,
    depth_of_ruin,
    rounds_until,
    solved_exactly,
)
from taisai.maths.ruin.exponent import Root, root_of_falling, root_of_rising
from taisai.maths.ruin.walk import Walk

#: A fraction to a power is written out exactly while it has no more bits than this.
_POWER_BITS_MAX = 1_000_000
#: What lies beyond a ceiling put in for the purpose counts for no more than e to minus this.
_BEYOND = 62.0
#: More levels than anything here solves.
LEVELS_MAX = 10**12


def chance_of_ruin_ever(walk: Walk) -> Figure:
    """Give the chance that a bank is ruined some day, however long that takes."""
    if not walk.down:
        return Figure.exactly(0)
    if walk.drift <= 0:
        return Figure.exactly(1)
    if set(walk.steps.values) <= {-1, 0, 1}:
        ratio = Fraction(walk.steps.weights[0], walk.steps.weights[-1])
        if (walk.start + 1) * ratio.denominator.bit_length() <= _POWER_BITS_MAX:
            return Figure.exactly(ratio ** (walk.start + 1))
    root = root_of_rising(walk.steps)
    low, _ = root.power(walk.start + walk.down)
    _, high = root.power(walk.start + 1)
    if walk.down == 1:
        return Figure.between(low, high)
    return _nearer(walk, root, Figure.between(low, high))


def _nearer(walk: Walk, root: Root, known: Figure) -> Figure:
    """Narrow the bounds by a ceiling so high that hardly any bank is ruined from there."""
    ceiling = walk.start + 1 + _levels_beyond(root)
    try:
        first = _solved(chance_of_ruin(walk, ceiling))
    except MathsError:
        return known
    _, beyond = root.power(ceiling + 1)
    return Figure(first.value, first.low, first.high + beyond).narrowed(known.low, known.high)


def chance_of_target(walk: Walk) -> Figure:
    """Give the chance that a bank reaches its target before it is ruined."""
    assert walk.ceiling is not None, "a walk without a ceiling has no target"
    if not walk.down:
        return Figure.exactly(1)
    if not walk.up:
        return Figure.exactly(0)
    return _target_narrowed(walk, _solved(chance_of_ceiling(walk, walk.ceiling)))


def _target_narrowed(walk: Walk, known: Figure) -> Figure:
    assert walk.ceiling is not None, "a walk without a ceiling has no target"
    known = known.narrowed(0, 1)
    if known.exact or walk.drift >= 0 or not walk.up:
        return known
    # Of a walk that falls on average no more than this reaches so high.
    return known.narrowed(0, root_of_falling(walk.steps).power(walk.ceiling - walk.start)[1])


def chance_of_target_and_rounds(walk: Walk) -> tuple[Figure, Figure]:
    """Give the chance of the target first, and the expected rounds, where both are wanted."""
    assert walk.ceiling is not None, "a walk without a ceiling has no target"
    target = chance_of_ceiling(walk, walk.ceiling)
    first, rounds = _solved_each([target, rounds_until(walk, walk.ceiling)])
    return _target_narrowed(walk, first), rounds.narrowed(1, rounds.high)


def expected_rounds(walk: Walk) -> Figure | None:
    """Give the rounds played, on average, until ruin or the target; nothing where never ending."""
    if walk.ceiling is not None:
        known = _solved(rounds_until(walk, walk.ceiling))
        return known.narrowed(1, known.high)
    if not walk.down or walk.drift >= 0:
        return None
    # What a bank has lost at ruin, over what it loses a round, is how many rounds that took.
    if walk.down == 1:
        return Figure.exactly((walk.start + 1) / -walk.drift)
    return _depth(walk).plus(walk.start).times(-1 / walk.drift)


def _depth(walk: Walk) -> Figure:
    """Give how far below level 0 ruin ends, on average."""
    if not walk.up:
        return _solved(depth_of_ruin(walk, walk.start + 1)).narrowed(1, walk.down)
    ceiling = walk.start + 1 + _levels_beyond(root_of_falling(walk.steps))
    try:
        below = _solved(depth_of_ruin(walk, ceiling))
    except MathsError:
        return Figure.between(Fraction(1), Fraction(walk.down))
    # A bank that comes so high first is ruined too: no deeper than by the largest loss.
    beyond = root_of_falling(walk.steps).power(ceiling - walk.start)[1]
    return Figure(below.value, below.low, below.high + beyond * walk.down).narrowed(1, walk.down)


def _levels_beyond(root: Root) -> int:
    """Say how many levels make a power of the root that hardly counts."""
    shrinking = -float(root.high.ln())
    return ceil(_BEYOND / shrinking) if shrinking else LEVELS_MAX


def _solved(asked: Leaving) -> Figure:
    """Solve exactly where the integers stay short, in floats between proven bounds elsewhere."""
    return _solved_each([asked])[0]


def _solved_each(asked: Sequence[Leaving]) -> list[Figure]:
    exact = [solved_exactly(each) for each in asked]
    if all(each is not None for each in exact):
        return [Figure.exactly(each) for each in exact if each is not None]
    try:
        from taisai.maths.ruin.banded import solved  # noqa: PLC0415 - numpy is an extra
    except ImportError:
        raise missing_extra("a walk of this many levels", "maths") from None
    return solved(asked)

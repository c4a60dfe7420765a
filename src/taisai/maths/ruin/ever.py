"""Questions without a number of rounds: ruin ever, the target first, and the expected rounds.

If a walk rises on average, the mean of z to the power of its step is 1 for exactly one z between 0
and 1. The powers of this root bound the chance of ruin ever, and equal it if no step leads down by
more than one level. Decimals rounded downwards and upwards bound all computations with the root.
"""

from collections.abc import Sequence
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from taisai.maths.distribution import Distribution
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
from taisai.maths.ruin.within import Net, Walk, walk_of

# --- the root of the characteristic equation -----------------------------------------------------


#: The number of digits; the root is known to about half of them.
_DIGITS = 60
_HALVINGS = 110
_DOWN = Context(prec=_DIGITS, rounding=ROUND_FLOOR, Emin=MIN_EMIN, Emax=MAX_EMAX)
_UP = Context(prec=_DIGITS, rounding=ROUND_CEILING, Emin=MIN_EMIN, Emax=MAX_EMAX)
#: A smaller chance is shown as between 0 and this.
_TINY_EXPONENT = -400
_TINY = Fraction(1, 10**400)


class Root(NamedTuple):
    """Bounds of the root of a walk's characteristic equation."""

    low: Decimal
    high: Decimal

    def power(self, exponent: int) -> tuple[Fraction, Fraction]:
        """Bound a power, zero or more, of the root."""
        low, high = _power(self.low, exponent, _DOWN), _power(self.high, exponent, _UP)
        return (
            Fraction(0) if _is_tiny(low) else Fraction(low),
            _TINY if _is_tiny(high) else Fraction(high),
        )


def _is_tiny(value: Decimal) -> bool:
    return not value or value.adjusted() < _TINY_EXPONENT


def root_of_rising(steps: Distribution) -> Root:
    """Find the root between 0 and 1 of a walk that rises on average and can also fall."""
    assert steps.values[0] < 0 < steps.mean, "only such a walk has a root below 1"
    low, high = Decimal(0), Decimal(1)
    for _ in range(_HALVINGS):
        middle = _DOWN.divide(_DOWN.add(low, high), Decimal(2))
        least, most = _mean_of_powers(steps, middle)
        if least > steps.total:
            low = middle
        elif most < steps.total:
            high = middle
        else:
            break
    return Root(low, high)


def root_of_falling(steps: Distribution) -> Root:
    """Find the inverse of the root above 1 of a walk that falls on average and can also rise."""
    return root_of_rising(steps.scaled(-1))


def _mean_of_powers(steps: Distribution, base: Decimal) -> tuple[Decimal, Decimal]:
    """Bound the weighted sum of the base to the power of each step."""
    least = most = Decimal(0)
    for value, weight in steps.pairs():
        low, high = _signed_power(base, value)
        least = _DOWN.add(least, _DOWN.multiply(Decimal(weight), low))
        most = _UP.add(most, _UP.multiply(Decimal(weight), high))
    return least, most


def _signed_power(base: Decimal, exponent: int) -> tuple[Decimal, Decimal]:
    low, high = (_power(base, abs(exponent), context) for context in (_DOWN, _UP))
    if exponent >= 0:
        return low, high
    return _DOWN.divide(Decimal(1), high), _UP.divide(Decimal(1), low)


def _power(base: Decimal, exponent: int, context: Context) -> Decimal:
    """Compute a power by squaring, each product rounded to the same side; all are positive."""
    result = Decimal(1)
    while exponent:
        if exponent & 1:
            result = context.multiply(result, base)
        base = context.multiply(base, base)
        exponent >>= 1
    return result


#: The most bits of a power of a fraction that is computed exactly.
_POWER_BITS_MAX = 1_000_000
#: Everything beyond an auxiliary ceiling has a weight of at most e to minus this.
_BEYOND = 62.0
#: More levels than any method here can solve.
LEVELS_MAX = 10**12


def ruin_ever(net: Net, bank: int, *, stake: int | None = None) -> Figure:
    """Give the chance that a bank is ever ruined: 1 wherever the house has an edge."""
    walk = walk_of(net, bank, stake=stake)
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
    """Narrow the bounds with a ceiling so high that hardly any bank is ruined from there."""
    ceiling = walk.start + 1 + _levels_beyond(root)
    try:
        first = _solved(chance_of_ruin(walk, ceiling))
    except MathsError:
        return known
    _, beyond = root.power(ceiling + 1)
    return Figure(first.value, first.low, first.high + beyond).narrowed(known.low, known.high)


def target_first(net: Net, bank: int, target: int, *, stake: int | None = None) -> Figure:
    """Give the chance that a bank reaches its target before it is ruined."""
    walk = walk_of(net, bank, stake=stake, target=target)
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
    # The chance that a walk that falls on average reaches this height is no more than this.
    return known.narrowed(0, root_of_falling(walk.steps).power(walk.ceiling - walk.start)[1])


def target_first_and_rounds(
    net: Net, bank: int, target: int, *, stake: int | None = None
) -> tuple[Figure, Figure]:
    """Give the chance of the target first and the expected rounds, solved for together."""
    walk = walk_of(net, bank, stake=stake, target=target)
    assert walk.ceiling is not None, "a walk without a ceiling has no target"
    asked = [chance_of_ceiling(walk, walk.ceiling), rounds_until(walk, walk.ceiling)]
    first, rounds = _solved_each(asked)
    return _target_narrowed(walk, first), rounds.narrowed(1, rounds.high)


def expected_rounds(
    net: Net, bank: int, *, stake: int | None = None, target: int | None = None
) -> Figure | None:
    """Give the average number of rounds until ruin or the target; None if they never end."""
    walk = walk_of(net, bank, stake=stake, target=target)
    if walk.ceiling is not None:
        known = _solved(rounds_until(walk, walk.ceiling))
        return known.narrowed(1, known.high)
    if not walk.down or walk.drift >= 0:
        return None
    # The loss at ruin divided by the average loss of a round is the expected number of rounds.
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
    # A bank that first reaches this height is ruined too: no deeper than by the largest loss.
    beyond = root_of_falling(walk.steps).power(ceiling - walk.start)[1]
    return Figure(below.value, below.low, below.high + beyond * walk.down).narrowed(1, walk.down)


def _levels_beyond(root: Root) -> int:
    """Give the number of levels at which the power of the root is negligible."""
    shrinking = -float(root.high.ln())
    return ceil(_BEYOND / shrinking) if shrinking else LEVELS_MAX


def _solved(asked: Leaving) -> Figure:
    """Solve exactly if the integers stay short, otherwise in floats between proven bounds."""
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

"""A bank as a walk on levels: what a slate and a bank come to once common divisors are taken out.

The bank is ruined when it cannot pay the next slate: when it falls below what the slate stakes.
Level 0 is the lowest from which one more slate can be paid; every level below it is ruin.
"""

from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import TypeAlias

from taisai.core.rules.money import AMOUNT_MAX, is_amount
from taisai.maths.distribution import Distribution
from taisai.maths.errors import MathsError
from taisai.maths.slates import Slate

#: What can be asked about: a slate, or the distribution of the net of a round.
Net: TypeAlias = Slate | Distribution

#: No question about a person's bank comes near; without a bound a count could take for ever.
ROUNDS_MAX = 1_000_000
#: A walk with more different steps than this is no slate: there are 56 results.
STEPS_MAX = 1_000


class Walk:
    """A bank's way up and down: steps with their weights, the level it starts at, its ceiling.

    `start` is the level of the bank; levels below 0 are ruin, and those from `ceiling` on, where
    there is one, have reached the target. A level is `scale` minor units.
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
        """Give the levels of the largest loss; none of a walk that cannot lose."""
        return max(0, -self.steps.values[0])

    @cached_property
    def up(self) -> int:
        """Give the levels of the largest win; none of a walk that cannot win."""
        return max(0, self.steps.values[-1])

    @cached_property
    def drift(self) -> Fraction:
        """Give the levels won in a round on average, below zero where the house has an edge."""
        return self.steps.mean


def walk_of(net: Net, bank: int, *, stake: int | None = None, target: int | None = None) -> Walk:
    """Put a bank on its levels, or refuse in a sentence what is no question.

    A slate stakes what lies on its boxes. Of a bare distribution the stake is the largest loss,
    unless another is given.
    """
    steps, staked = _net_and_stake(net, stake)
    _check_amount("the bank", bank)
    if bank < staked:
        raise MathsError(f"a bank of {bank} cannot pay the first slate of {staked}")
    if target is not None:
        _check_amount("the target", target)
        if target <= bank:
            raise MathsError(f"the target {target} is reached already by a bank of {bank}")
    if steps.values[0] == steps.values[-1] == 0:
        raise MathsError("a round that neither wins nor loses leaves every bank as it is")
    scale = gcd(*steps.values)
    start = (bank - staked) // scale
    ceiling = None if target is None else start + -((bank - target) // scale)
    return Walk(_scaled_down(steps, scale), start, ceiling, scale)


def check_rounds(rounds: int) -> None:
    """Refuse a number of rounds that nobody plays."""
    if type(rounds) is not int or not 1 <= rounds <= ROUNDS_MAX:
        raise MathsError(f"rounds are a whole number from 1 to {ROUNDS_MAX}")


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
    _check_amount("the stake", stake)
    if stake < worst:
        raise MathsError(f"a stake of {stake} cannot lose {worst}")
    return net, stake


def _check_amount(what: str, amount: int) -> None:
    if not is_amount(amount):
        raise MathsError(f"{what} is a whole number of minor units from 0 to {AMOUNT_MAX}")


def _scaled_down(steps: Distribution, scale: int) -> Distribution:
    """Take common divisors out of amounts and weights: smaller numbers, the same chances."""
    common = gcd(*steps.weights)
    return Distribution(
        tuple(value // scale for value in steps.values),
        tuple(weight // common for weight in steps.weights),
        steps.total // common,
    )

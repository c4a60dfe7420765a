"""A slate: the stakes on the boxes of a pay table in every round, and the outcome of one round.

A slate is counted over the 56 results of the pay table's compiled rows, so that all its figures are
exact. Its amounts are whole minor units; `net` is what a player has at the end less the beginning.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import compress
from operator import add
from typing import Self

from taisai.core.rules.bets import bet_refusal
from taisai.core.rules.dice import RESULTS, THROWS
from taisai.core.rules.limits import off_step
from taisai.core.rules.money import AMOUNT_MAX
from taisai.core.rules.paytable import BettingBox, PayTable
from taisai.core.rules.reason import shown
from taisai.maths.distribution import Distribution
from taisai.maths.errors import MathsError, worded

#: How many of the 216 throws show each of the 56 results.
THROWS_BY_RESULT = tuple(result.throws for result in RESULTS)


class Slate:
    """Stakes on boxes of a pay table, the same in every round; made by `Slate.of`."""

    def __init__(self, pay_table: PayTable, stakes: Mapping[str, int]) -> None:
        """Take valid stakes without a check; `Slate.of` checks its input."""
        self.pay_table = pay_table
        self.stakes = stakes

    @classmethod
    def of(cls, pay_table: PayTable, stakes: Mapping[str, int] | Iterable[tuple[str, int]]) -> Self:
        """Put stakes in minor units on boxes, or refuse them with a sentence; repeats are summed.

        Each stake must give a whole amount for every win of its box.
        """
        summed: dict[str, int] = {}
        for key, stake in stakes.items() if isinstance(stakes, Mapping) else stakes:
            _check(pay_table, key, stake)
            summed[key] = summed.get(key, 0) + stake
        if not summed:
            raise MathsError("an empty slate has nothing to count; bet on a box, like small=1000")
        return cls(pay_table, summed)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Slate):
            return NotImplemented
        return self.pay_table == other.pay_table and self.stakes == other.stakes

    def __hash__(self) -> int:
        return hash((self.pay_table.address, frozenset(self.stakes.items())))

    def __repr__(self) -> str:
        stakes = ", ".join(f"{key}={stake}" for key, stake in self.stakes.items())
        return f"<Slate on {self.pay_table.address}: {stakes}>"

    @cached_property
    def staked(self) -> int:
        """The sum of the stakes of a round."""
        return sum(self.stakes.values())

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """Give the net of a round for each of the 56 results, in the order of `core.dice.RESULTS`.

        The house's net is this with the other sign.
        """
        returned = [-self.staked] * len(RESULTS)
        for key, stake in self.stakes.items():
            back = backs(self.pay_table.boxes[key], stake)
            returned = list(map(add, returned, back))
        return tuple(returned)

    @cached_property
    def net(self) -> Distribution:
        """Give the exact distribution of the net of a round, over the 216 throws."""
        if len(self.stakes) == 1:
            ((key, stake),) = self.stakes.items()
            return net_of_box(self.pay_table.boxes[key], stake)
        return Distribution.from_pairs(zip(self.rows, THROWS_BY_RESULT, strict=True))

    @cached_property
    def hit_rate(self) -> Fraction:
        """Give the chance that at least one bet of the slate wins."""
        rows = [self.pay_table.boxes[key].met for key in self.stakes]
        met = map(any, zip(*rows, strict=True))
        return Fraction(sum(compress(THROWS_BY_RESULT, met)), THROWS)

    @property
    def ahead(self) -> Fraction:
        """The chance that a round returns more than was staked."""
        return self.net.above(0)

    @property
    def expected_loss(self) -> Fraction:
        """The average loss of a round, in minor units."""
        return -self.net.mean

    @property
    def house_edge(self) -> Fraction:
        """Give what the house keeps of one unit staked, on average and exactly.

        Every bet is decided in every round, so this is also the edge per unit staked.
        """
        return self.expected_loss / self.staked

    @property
    def edge_at_risk(self) -> Fraction:
        """The expected loss per unit of the largest possible loss of a round.

        It is above the house edge if bets cover each other: one on each Single can lose only one of
        six staked. It is 0 for a slate that cannot lose.
        """
        worst = -self.net.values[0]
        return self.expected_loss / worst if worst > 0 else Fraction(0)

    @property
    def return_to_player(self) -> Fraction:
        """Give what comes back of one unit staked, stakes included."""
        return 1 - self.house_edge


def backs(box: BettingBox, stake: int) -> tuple[int, ...]:
    """Give what comes back of a stake on each of the 56 results; 0 if the box loses."""
    won = (odds.numerator * stake // odds.denominator for odds in box.odds)
    by_times = (0, *(stake + each for each in won))
    return tuple([by_times[times] for times in box.met])


def net_of_box(box: BettingBox, stake: int) -> Distribution:
    """Give the exact distribution of the net of one stake on a box."""
    return _net_paid(box, stake)


def nets_of_boxes(pay_table: PayTable, stake: int | None = None) -> dict[str, Distribution]:
    """Give the distribution of every box at one stake: the table's smallest, where none is named.

    Boxes that win as often and pay alike, such as the thirty pairs with a single face, share one
    distribution, and with it what is worked out about it.
    """
    stake = _stake_for_all(pay_table, stake)
    alike: dict[tuple[int, tuple[int, ...]], Distribution] = {}
    nets: dict[str, Distribution] = {}
    for key, box in pay_table.boxes.items():
        # Boxes of one row of the pay table share a tuple of odds, which is the faster key.
        like = (id(box.odds), box.throws)
        net = alike.get(like)
        if net is None:
            net = alike[like] = _net_paid(box, stake)
        nets[key] = net
    return nets


def _net_paid(box: BettingBox, stake: int) -> Distribution:
    """Give the distribution of a stake on a box that wins on so many throws at each of its odds."""
    ways = box.throws
    if len(ways) == 1 and 0 < ways[0] < THROWS:
        won = box.odds[0].numerator * stake // box.odds[0].denominator
        return Distribution((-stake, won), (THROWS - ways[0], ways[0]), THROWS)
    weights = {-stake: THROWS - sum(ways)}
    for odds, each in zip(box.odds, ways, strict=True):
        won = odds.numerator * stake // odds.denominator
        weights[won] = weights.get(won, 0) + each
    values = sorted(weights) if all(weights.values()) else sorted(filter(weights.get, weights))
    return Distribution(tuple(values), tuple([weights[value] for value in values]), THROWS)


def _stake_for_all(pay_table: PayTable, stake: int | None) -> int:
    """Check a stake, which every box of the table must pay in whole amounts."""
    if stake is None:
        return pay_table.step
    if type(stake) is not int or not 0 < stake <= AMOUNT_MAX or stake % pay_table.step:
        for key in pay_table.boxes:
            _check(pay_table, key, stake)
    return stake


def _check(pay_table: PayTable, key: object, stake: object) -> None:
    """Refuse a box that is not on the table, an invalid stake, or one off the box's step."""
    box = pay_table.boxes.get(key) if isinstance(key, str) else None
    if box is None or type(stake) is not int or not 0 < stake <= AMOUNT_MAX:
        raise _refused(pay_table, key, stake)
    for odds in box.odds:
        if stake % odds.denominator:
            raise worded(off_step(box.key, stake, box.step))


def _refused(pay_table: PayTable, key: object, stake: object) -> MathsError:
    if not isinstance(key, str):
        return MathsError(f"{shown(key)} is no betting box; write its key, like 'small'")
    refusal = bet_refusal(pay_table, key, stake)
    assert refusal is not None, "only what the core refuses comes here"
    return worded(refusal)

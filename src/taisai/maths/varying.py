"""Bets that differ from round to round: drawn from the seed, or listed in columns.

Both are played in columns, and both know what they come to exactly.
"""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from taisai.core.rules.dice import RESULTS, THROWS
from taisai.core.rules.paytable import BettingBox, PayTable
from taisai.core.rules.reason import shown
from taisai.maths.columns import BetColumns
from taisai.maths.engines import engine_named, philox
from taisai.maths.engines.arrays import np
from taisai.maths.failures import MathsError
from taisai.maths.simulating import Tally
from taisai.maths.slates import THROWS_BY_RESULT

if TYPE_CHECKING:
    from taisai.maths.engines.contract import Amounts, Bytes

BETS_MAX = 1_000
#: A net of a round below 2⁴⁷ squares and adds up, over a part of 2¹⁴ rounds, within 64 bits.
NET_MAX = 2**47

_ROUNDS_PART = 1 << 14
_BETS_PART = 1 << 18
_RESULT_OF_THROW = np.array(philox.RESULT_OF_THROW, np.uint8)


class DrawnBets:
    """So many bets in each round, each on a box and with a stake drawn by themselves.

    Every box of the table is as likely as any other, and so is every stake from the lowest to the
    highest by the step, which is the table's own unless another is given.
    """

    def __init__(
        self, pay_table: PayTable, bets: int, lowest: int, highest: int, step: int | None = None
    ) -> None:
        self.pay_table = pay_table
        self.bets = bets
        self.lowest = lowest
        self.highest = highest
        self.step = pay_table.step if step is None else step
        _check_drawn(self)
        self.part = _part(bets)

    def play(self, seed: int, start: int, count: int, engine: str) -> Tally:
        """Draw boxes and stakes, lay them, throw, and add up."""
        columns = self.lay(seed, start, count, engine)
        results = _throw(seed, start, count, engine)
        return _tally(results, columns.net(results, 0, engine), columns.stakes)

    def lay(self, seed: int, start: int, count: int, engine: str | None = None) -> BetColumns:
        """Give the bets of rounds `start` to `start + count`, in columns."""
        source, shape = engine_named(engine), (count, self.bets)
        drawn = (start * self.bets, count * self.bets)
        boxes = source.draw(seed, philox.BOXES, *drawn, len(self.pay_table.boxes))
        steps = source.draw(seed, philox.STAKES, *drawn, self._stakes)
        stakes = steps.astype(np.int64)
        stakes *= self.step
        stakes += self.lowest
        return BetColumns(
            self.pay_table, boxes.astype(np.uint8).reshape(shape), stakes.reshape(shape)
        )

    def exactly(self, rounds: int) -> tuple[Fraction, Fraction]:
        """Give mean and variance: given the result, the bets of a round are independent."""
        stake, square = self._moments()
        mean = second = Fraction(0)
        for result, throws in zip(RESULTS, THROWS_BY_RESULT, strict=True):
            nets = [_net(box, result.index) for box in self.pay_table.boxes.values()]
            one = stake * sum(nets, Fraction(0)) / len(nets)
            one_square = square * sum((net**2 for net in nets), Fraction(0)) / len(nets)
            chance = Fraction(throws, THROWS)
            mean += chance * self.bets * one
            second += chance * self.bets * (one_square + (self.bets - 1) * one**2)
        return rounds * mean, rounds * (second - mean**2)

    @property
    def _stakes(self) -> int:
        return (self.highest - self.lowest) // self.step + 1

    def _moments(self) -> tuple[Fraction, Fraction]:
        """Give mean and mean square of a stake: lowest + step × one of 0 to n - 1."""
        last = self._stakes - 1
        mean, square = Fraction(last, 2), Fraction(last * (2 * last + 1), 6)
        both = self.lowest**2 + 2 * self.lowest * self.step * mean + self.step**2 * square
        return self.lowest + self.step * mean, both


class ListedBets:
    """Bets that are written out: row i of the columns is what lies on the table in round i."""

    def __init__(self, pay_table: PayTable, boxes: Any, stakes: Any) -> None:
        self.columns = BetColumns(pay_table, boxes, stakes)
        self.pay_table = pay_table
        bets = self.columns.boxes.shape[1]
        _check_net(pay_table, int(self.columns.stakes.max()), bets)
        self.part = _part(bets)

    def play(self, seed: int, start: int, count: int, engine: str) -> Tally:
        """Throw for the rounds, pay them and add up."""
        results = _throw(seed, start, count, engine)
        net = self.columns.net(results, start, engine)
        return _tally(results, net, self.columns.stakes[start : start + count])

    def exactly(self, rounds: int) -> tuple[Fraction, float]:
        """Give the exact mean; the variance, round by round, is added up in floats."""
        if rounds > self.columns.rounds:
            raise MathsError(f"bets are listed for {self.columns.rounds:,} rounds, not {rounds:,}")
        nets = [
            [_net(box, result.index) for result in RESULTS] for box in self.pay_table.boxes.values()
        ]
        mean, variance = Fraction(0), 0.0
        means = [_mean(row) for row in nets]
        brought = np.array([[float(net) for net in row] for row in nets])
        weights = np.array(THROWS_BY_RESULT) / THROWS
        for first in range(0, rounds, self.part):
            lying = self._by_box(first, min(first + self.part, rounds))
            staked = lying.sum(axis=0).tolist()
            mean += sum(stake * each for stake, each in zip(staked, means, strict=True))
            # Around its own mean, so that nothing is lost where a mean is large beside its spread.
            apart = lying @ brought
            apart -= (apart @ weights)[:, np.newaxis]
            variance += float((apart**2 @ weights).sum())
        return mean, variance

    def _by_box(self, first: int, last: int) -> "Amounts":
        """Sum the stakes of some rounds by box: a row for each round."""
        boxes = self.columns.boxes[first:last]
        summed = np.zeros((len(boxes), len(self.pay_table.boxes)), np.int64)
        rounds = np.arange(len(boxes))[:, np.newaxis]
        np.add.at(summed, (rounds, boxes), self.columns.stakes[first:last])
        return summed


def _throw(seed: int, start: int, count: int, engine: str) -> "Bytes":
    return _RESULT_OF_THROW.take(engine_named(engine).draw(seed, philox.DICE, start, count, THROWS))


def _tally(results: "Bytes", net: "Amounts", stakes: Any) -> Tally:
    seen = np.bincount(results, minlength=len(RESULTS))
    return Tally(
        staked=int(stakes.sum(dtype=np.int64)),
        net=int(net.sum()),
        squares=_sum_of_squares(net),
        results=tuple(seen.tolist()),
    )


def _sum_of_squares(net: "Amounts") -> int:
    """Add up squares exactly, in two halves of 24 bits whose products stay within 64."""
    high, low = net >> 24, net & (2**24 - 1)
    crossed = 2 * int((high * low).sum()) << 24
    return (int((high * high).sum()) << 48) + crossed + int((low * low).sum())


def _net(box: BettingBox, result: int) -> Fraction:
    """Give what one unit on a box brings on a result."""
    times = box.met[result]
    return box.odds[times - 1] if times else Fraction(-1)


def _mean(row: list[Fraction]) -> Fraction:
    weighed = (net * throws for net, throws in zip(row, THROWS_BY_RESULT, strict=True))
    return sum(weighed, Fraction(0)) / THROWS


def _part(bets: int) -> int:
    return max(1, min(_ROUNDS_PART, _BETS_PART // bets))


def _check_drawn(drawn: DrawnBets) -> None:
    """Refuse bets that cannot be drawn, with the first fault found."""
    if type(drawn.bets) is not int or not 1 <= drawn.bets <= BETS_MAX:
        raise MathsError(f"a round draws between 1 and {BETS_MAX:,} bets, not {shown(drawn.bets)}")
    for stake in (drawn.lowest, drawn.highest, drawn.step):
        if type(stake) is not int or stake < 1:
            raise MathsError(
                f"stakes and step are whole numbers of one or more, not {shown(stake)}"
            )
    table_step, step = drawn.pay_table.step, drawn.step
    if step % table_step or drawn.lowest % table_step:
        raise MathsError(
            f"lowest stake and step are multiples of {table_step}, "
            f"so that every payment of {drawn.pay_table.address} is whole"
        )
    if drawn.highest < drawn.lowest or (drawn.highest - drawn.lowest) % step:
        raise MathsError(
            f"the stakes go from the lowest to the highest by {step}: "
            f"{shown(drawn.highest)} is not reached from {shown(drawn.lowest)}"
        )
    if (drawn.highest - drawn.lowest) // step >= philox.BELOW_MAX:
        raise MathsError(f"stakes are drawn among at most {philox.BELOW_MAX:,}; take a larger step")
    _check_net(drawn.pay_table, drawn.highest, drawn.bets)


def _check_net(pay_table: PayTable, highest: int, bets: int) -> None:
    best: Fraction = max(max(box.odds) for box in pay_table.boxes.values())
    if highest * bets * max(best, Fraction(1)) >= NET_MAX:
        raise MathsError(
            f"{bets:,} bets of {highest} could bring more than a simulated round may, {NET_MAX:,}"
        )

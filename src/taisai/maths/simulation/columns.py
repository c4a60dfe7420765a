"""Bets in columns, millions at a time: paid round by round, settled by player, or simulated.

A column is a numpy array. A box is known by its number on the pay table, in the document's order
(`box_ids`), a player by a number from zero. Everything is whole minor units in 64 bits, and amounts
that could pass them are refused before they do. Bets that differ from round to round are drawn from
the seed or listed in columns; both know what they come to exactly.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from taisai.core.rules.dice import RESULTS, THROWS, Result, result_of
from taisai.core.rules.paytable import BettingBox, PayTable
from taisai.core.rules.reason import shown
from taisai.maths.engines import philox
from taisai.maths.engines.arrays import np
from taisai.maths.engines.choice import engine_named
from taisai.maths.engines.payouts import payout_rows
from taisai.maths.engines.worker_threads import threads_for
from taisai.maths.errors import MathsError, check_whole
from taisai.maths.simulation.rounds import Tally
from taisai.maths.slates import THROWS_BY_RESULT

if TYPE_CHECKING:
    from taisai.maths.engines.contract import Amounts, Bytes, Money, Players, Seen
    from taisai.maths.engines.payouts import PayoutRows

#: More rows would not fit the memory of a large machine.
BETS_MAX = 2_000_000_000
PLAYERS_MAX = 100_000_000

DRAWN_MAX = 1_000
#: For a net of a round below 2⁴⁷ the sums over a part of 2¹⁴ rounds stay within 64 bits.
NET_MAX = 2**47

_ROUNDS_PART = 1 << 14
_BETS_PART = 1 << 18
_RESULT_OF_THROW = np.array(philox.RESULT_OF_THROW, np.uint8)

# dtype objects, which numpy compares several times faster than a class such as np.int64.
_BYTE, _INT32, _INT64, _UINT64 = map(np.dtype, (np.uint8, np.int32, np.int64, np.uint64))


def box_ids(pay_table: PayTable) -> dict[str, int]:
    """Number the boxes of a pay table, in the document's order."""
    return dict(payout_rows(pay_table).ids)


class BetColumns:
    """Rounds with the same number of bets each: row i has the bets of round i.

    They are checked once, when they are made; then they can be paid for any number of results.
    """

    def __init__(self, pay_table: PayTable, boxes: Any, stakes: Any) -> None:
        self.pay_table = pay_table
        self._rows = payout_rows(pay_table)
        self.boxes = _box_column(self._rows, boxes)
        self.stakes = _money(stakes, self._rows)
        if self.boxes.ndim != 2 or self.boxes.shape != self.stakes.shape or not self.boxes.size:
            raise MathsError(
                "boxes and stakes have one row for each round and one column for each bet, "
                "the same in both and not empty"
            )
        _check_stakes(self._rows, self.boxes, self.stakes)

    @property
    def rounds(self) -> int:
        """Count the rounds."""
        return len(self.boxes)

    def back(
        self, results: Any, *, out: "Money | None" = None, engine: str | None = None
    ) -> "Money":
        """Write what goes back of each bet: nothing if it lost, else its stake and winnings.

        `results` are numbers of `core.dice.RESULTS`, one for each round. Runs in one thread.
        """
        column = _result_column(results, self.rounds)
        if out is None:
            out = np.empty_like(self.stakes)
        elif (out.shape, out.dtype) != (self.stakes.shape, self.stakes.dtype) or not (
            out.flags.c_contiguous and out.flags.writeable
        ):
            raise MathsError(f"what goes back is written as {self.stakes.dtype}, shaped as stakes")
        self._pay(column, slice(None), out, engine)
        return out

    def net(self, results: "Bytes", first: int, engine: str | None = None) -> "Amounts":
        """Give the net of each of the rounds from `first` on, one result for each."""
        part = slice(first, first + len(results))
        out = np.empty_like(self.stakes[part])
        self._pay(results, part, out, engine)
        net: Amounts = out.sum(axis=1, dtype=np.int64)
        net -= self.stakes[part].sum(axis=1, dtype=np.int64)
        return net

    def _pay(self, results: "Bytes", part: slice, out: "Money", engine: str | None) -> None:
        multiples = self._rows.narrow(8 * self.stakes.itemsize)
        engine_named(engine).pay(
            multiples, self._rows.shift, results, self.boxes[part], self.stakes[part], out
        )


class ColumnSettlement(Struct, frozen=True):
    """A round settled in columns: by player the stakes and what goes back, and the house's sums.

    `collected` is the stakes of the losing bets, `paid` what the winning ones won.
    """

    result: Result
    staked: Any
    back: Any
    collected: int
    paid: int

    @property
    def net(self) -> "Amounts":
        """The net of each player in the round."""
        net: Amounts = self.back - self.staked
        return net


def settle_columns(
    pay_table: PayTable,
    dice: Sequence[int],
    columns: tuple[Any, Any, Any],
    *,
    players: int | None = None,
    engine: str | None = None,
    threads: int | None = None,
) -> ColumnSettlement:
    """Settle one round: `columns` are player, box and stake, a row for each bet.

    Player numbers are below `players`, by default up to the highest in the column. Each row is a
    separate bet and pays a whole amount.
    """
    result = _result(dice)
    rows = payout_rows(pay_table)
    ids, boxes, stakes = _columns(rows, columns)
    count = _player_count(ids, players)
    totals = engine_named(engine).settle(
        rows.on(result.index), (ids, boxes, stakes), count, threads_for(threads)
    )
    seen = totals.seen
    _check_seen(rows, (ids, boxes, stakes), seen, count)
    return ColumnSettlement(
        result=result,
        staked=totals.staked,
        back=totals.back,
        collected=seen.staked - seen.kept,
        paid=(seen.products >> rows.shift) - seen.kept,
    )


def _columns(rows: "PayoutRows", columns: tuple[Any, Any, Any]) -> "tuple[Players, Bytes, Money]":
    ids = _whole(columns[0], "players")
    boxes, stakes = _box_column(rows, columns[1], checked=False), _money(columns[2])
    if ids.ndim != 1 or not ids.shape == boxes.shape == stakes.shape or not ids.size:
        raise MathsError("players, boxes and stakes are three columns of one length, not empty")
    if ids.size > BETS_MAX:
        raise MathsError(f"a round has at most {BETS_MAX:,} bets")
    return ids if ids.dtype in (_INT32, _INT64) else ids.astype(np.int64), boxes, stakes


def _player_count(ids: "Players", players: int | None) -> int:
    count = max(int(ids.max()) + 1, 1) if players is None else players
    check_whole("the number of players is", count, 1, PLAYERS_MAX)
    return count


def _check_seen(
    rows: "PayoutRows", columns: "tuple[Players, Bytes, Money]", seen: "Seen", players: int
) -> None:
    """Refuse a round with faults that the engine found while it added up."""
    ids, boxes, stakes = columns
    if seen.wrong >= 0:
        raise _wrong_row(rows, (ids[seen.wrong :], boxes[seen.wrong :]), seen.wrong, players)
    _check_range(rows, stakes, (seen.lowest, seen.bits), len(ids))
    if rows.may_be_off_step(seen.bits):
        _check_steps(rows, boxes, stakes)


def _wrong_row(
    rows: "PayoutRows", columns: "tuple[Players, Bytes]", first: int, players: int
) -> MathsError:
    """Name the first row, from `first` on, whose player or box does not exist."""
    ids, boxes = columns
    strangers = (ids < 0) | (ids >= players)
    row = int(np.flatnonzero(strangers | (boxes >= rows.boxes))[0])
    if not strangers[row]:
        return _no_box(rows, int(boxes[row]))
    return MathsError(
        f"player {int(ids[row])} of row {first + row} is not between 0 and {players - 1}"
    )


def _check_stakes(rows: "PayoutRows", boxes: "Bytes", stakes: "Money") -> None:
    bits = int(np.bitwise_or.reduce(stakes, axis=None))
    _check_range(rows, stakes, (int(stakes.min()), bits), boxes.shape[1])
    if rows.may_be_off_step(bits):
        for first in range(0, len(boxes), 65_536):
            _check_steps(rows, boxes[first : first + 65_536], stakes[first : first + 65_536])


def _check_range(
    rows: "PayoutRows", stakes: "Money", lowest_and_bits: tuple[int, int], bets: int
) -> None:
    """Refuse invalid stakes, or so large ones that a sum of payouts could overflow 64 bits."""
    lowest, bits = lowest_and_bits
    if lowest < 1:
        raise MathsError(f"a stake of {lowest} is none; stakes are whole numbers of one or more")
    largest = rows.largest(64, bets)
    # No stake is higher than the union of all set bits, so the highest is seldom searched for.
    if bits > largest and (highest := int(stakes.max())) > largest:
        raise MathsError(
            f"a stake of {highest} is too large to add up {bets:,} such bets in 64 bits; "
            f"at most {largest} is not"
        )


def _check_steps(rows: "PayoutRows", boxes: "Bytes", stakes: "Money") -> None:
    off = np.flatnonzero((stakes % rows.steps.take(boxes)).ravel())
    if off.size:
        box, stake = int(boxes.ravel()[off[0]]), int(stakes.ravel()[off[0]])
        raise MathsError(
            f"a stake of {stake} on {rows.keys[box]} would not pay a whole amount; "
            f"the step of that box is {int(rows.steps[box])}"
        )


def _whole(column: Any, name: str) -> Any:
    array = np.asarray(column)
    if array.dtype.kind not in "iu" or (array.dtype == _UINT64 and array.max(initial=0) >> 63):
        raise MathsError(f"the {name} are whole numbers of at most 64 bits with a sign")
    return np.ascontiguousarray(array)


def _money(column: Any, rows: "PayoutRows | None" = None) -> "Money":
    """Take stakes in 32 bits if they come so and the payouts fit too; else in 64."""
    stakes = _whole(column, "stakes")
    narrow = stakes.dtype == _INT32 and stakes.size > 0
    if narrow and (rows is None or int(stakes.max()) <= rows.largest(32)):
        return stakes  # type: ignore[no-any-return]
    return stakes.astype(_INT64, copy=False)  # type: ignore[no-any-return]


def _box_column(rows: "PayoutRows", column: Any, *, checked: bool = True) -> "Bytes":
    """Take boxes as bytes; an invalid number is refused here, or left to the engine."""
    boxes = _whole(column, "boxes")
    if boxes.dtype == _BYTE and not checked:
        return boxes  # type: ignore[no-any-return]
    for found in (boxes.min(initial=0), boxes.max(initial=0)):
        if not 0 <= found < rows.boxes:
            raise _no_box(rows, int(found))
    return boxes.astype(np.uint8, copy=False)  # type: ignore[no-any-return]


def _no_box(rows: "PayoutRows", found: int) -> MathsError:
    address, last = rows.pay_table.address, rows.boxes - 1
    return MathsError(f"there is no box number {found} on {address}; they are 0 to {last}")


def _result_column(results: Any, rounds: int) -> "Bytes":
    column = _whole(results, "results")
    if column.shape != (rounds,) or column.min() < 0 or column.max() >= len(RESULTS):
        raise MathsError(f"there is one result for each of the {rounds:,} rounds, from 0 to 55")
    return column.astype(np.uint8, copy=False)  # type: ignore[no-any-return]


def _result(dice: Sequence[int]) -> Result:
    try:
        return result_of(dice)
    except ValueError:
        raise MathsError(f"{shown(dice)} is no throw; three faces from 1 to 6 are") from None


# --- bets that differ from round to round --------------------------------------------------------


class DrawnBets:
    """A number of bets in each round, each with a box and a stake drawn independently.

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
        """Draw boxes and stakes, throw, and add up."""
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
    """Given bets: row i of the columns has the bets of round i."""

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
            # Around its own mean, so that no accuracy is lost if a mean is larger than its spread.
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
    """Give the net of one unit on a box on a result."""
    times = box.met[result]
    return box.odds[times - 1] if times else Fraction(-1)


def _mean(row: list[Fraction]) -> Fraction:
    weighed = (net * throws for net, throws in zip(row, THROWS_BY_RESULT, strict=True))
    return sum(weighed, Fraction(0)) / THROWS


def _part(bets: int) -> int:
    return max(1, min(_ROUNDS_PART, _BETS_PART // bets))


def _check_drawn(drawn: DrawnBets) -> None:
    """Refuse bets that cannot be drawn, with the first fault found."""
    check_whole("the bets that a round draws are", drawn.bets, 1, DRAWN_MAX)
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

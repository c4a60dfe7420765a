"""Bets in columns, millions at a time: rounds of many bets paid, and one round settled by player.

A column is a numpy array. A box is known by its number on the pay table, in the document's order
(`box_ids`), a player by a number from zero. Everything is whole minor units in 64 bits, and amounts
that could pass them are refused before they do.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from taisai.core.rules.dice import RESULTS, Result, result_of
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import shown
from taisai.maths.engines import engine_named, threads_for
from taisai.maths.engines.arrays import np
from taisai.maths.engines.payouts import RoundPayouts, payout_rows
from taisai.maths.failures import MathsError

if TYPE_CHECKING:
    from taisai.maths.engines.contract import Amounts, Bytes, Money, Players, Seen
    from taisai.maths.engines.payouts import PayoutRows

#: More would not fit the memory of a large machine.
BETS_MAX = 2_000_000_000
PLAYERS_MAX = 100_000_000

# Kinds of numbers as numpy compares them; it takes a name such as np.int64 some times as long.
_BYTE, _INT32, _INT64, _UINT64 = map(np.dtype, (np.uint8, np.int32, np.int64, np.uint64))


def box_ids(pay_table: PayTable) -> dict[str, int]:
    """Number the boxes of a pay table, in the document's order."""
    return dict(payout_rows(pay_table).ids)


class BetColumns:
    """Rounds of bets, each with as many as the others: row i lies on the table in round i.

    Checked once, when they are made; then paid for as many results as wanted.
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
        """Write what goes back of each bet: nothing where it lost, else its stake and winnings.

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
        multiples = self._rows.multiples(8 * self.stakes.itemsize)
        engine_named(engine).pay(
            multiples, self._rows.shift, results, self.boxes[part], self.stakes[part], out
        )


class ColumnSettlement(Struct, frozen=True):
    """A round settled in columns: by player what was staked and what goes back, and the house's.

    `collected` is the stakes of the losing bets, `paid` what the winning ones won.
    """

    result: Result
    staked: Any
    back: Any
    collected: int
    paid: int

    @property
    def net(self) -> "Amounts":
        """Give what the round brought each player."""
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

    Players are numbered below `players`, by default up to the highest that bets. Each row is a bet
    of its own and pays a whole amount.
    """
    result = _result(dice)
    rows = payout_rows(pay_table)
    ids, boxes, stakes = _columns(rows, columns)
    count = _player_count(ids, players)
    totals = engine_named(engine).settle(
        RoundPayouts(rows, result.index), (ids, boxes, stakes), count, threads_for(threads)
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
    if players is not None and (type(players) is not int or players < 1):
        raise MathsError("the number of players is a whole number, one or more")
    count = int(ids.max()) + 1 if players is None else players
    if count > PLAYERS_MAX:
        raise MathsError(f"players are numbered from 0, and below {PLAYERS_MAX:,}")
    return max(count, 1)


def _check_seen(
    rows: "PayoutRows", columns: "tuple[Players, Bytes, Money]", seen: "Seen", players: int
) -> None:
    """Refuse a round that the engine added up and should not have been asked to."""
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
    """Refuse stakes that are none, or so large that a sum of what goes back could pass 64 bits."""
    lowest, bits = lowest_and_bits
    if lowest < 1:
        raise MathsError(f"a stake of {lowest} is none; stakes are whole numbers of one or more")
    largest = rows.largest(64, bets)
    # No stake is higher than all bits set in any: the highest is seldom looked for.
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
    """Take stakes in 32 bits where they come so, and what goes back fits as well; else in 64."""
    stakes = _whole(column, "stakes")
    narrow = stakes.dtype == _INT32 and stakes.size > 0
    if narrow and (rows is None or int(stakes.max()) <= rows.largest(32)):
        return stakes  # type: ignore[no-any-return]
    return stakes.astype(_INT64, copy=False)  # type: ignore[no-any-return]


def _box_column(rows: "PayoutRows", column: Any, *, checked: bool = True) -> "Bytes":
    """Take boxes as bytes; a number that names no box is refused here, or left to the engine."""
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

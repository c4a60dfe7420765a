"""Evenings at a chip table, played by hand and recorded."""

from taisai.core.table.chips.colours import AssignColour, BuyColour
from taisai.core.table.chips.layout_bets import (
    AdvisePlayer,
    CorrectRecord,
    RecordBets,
    TakeBackBets,
)
from taisai.core.table.chips.leaving import LeaveSeat
from taisai.core.table.chips.pieces import Pieces
from taisai.core.table.chips.rulings import RuleOnBet
from taisai.core.table.chips.seats import BuyChips, TakeSeat
from taisai.core.table.round import ConfirmResult
from tests.kit.chip_tables import HUNDRED, bets, created, opened
from tests.records.recorded import RecordedTable


def opened_chip_table() -> RecordedTable:
    """Open a table: seat 1 has 3 hundreds and 4 chips of 25, seat 2 pink at 5.00 a piece."""
    table = opened(created(RecordedTable("ts6/2")))
    table.does("dealer", TakeSeat("1"))
    table.does("dealer", TakeSeat("2"))
    table.does("dealer", BuyChips("1", (Pieces(10_000, 3), Pieces(2_500, 4)), 40_000))
    table.does("dealer", AssignColour("2", "pink", 500))
    table.does("dealer", BuyColour("2", 40, 20_000))
    return table


def chip_table_evening() -> RecordedTable:
    """Play a round with everything that can happen to chips, and pay it; then one without bets."""
    table = opened_chip_table()
    table.betting()
    table.does("dealer", RecordBets("1", bets(small=HUNDRED, big=HUNDRED)))
    # A second look: 6 pieces of pink and not 4. Then 2 of them are taken back.
    table.does("dealer", RecordBets("2", bets(odd=(Pieces("pink", 4),))))
    table.does("dealer", CorrectRecord("2", "odd", (Pieces("pink", 6),), "two were hidden"))
    table.does("dealer", TakeBackBets("2", bets(odd=(Pieces("pink", 2),))))
    # Chips not recorded in front of seat 1: 400.00 of the 600.00 were.
    table.does("dealer", RecordBets("1", bets(total_9=(Pieces(10_000, 3),))))
    table.settled(1, 2, 6)
    table.betting().settled(1, 1, 2)
    return table


def returned_evening() -> RecordedTable:
    """Play a round in which an advised bet goes back, and another bet is ruled on.

    Seat 2 has 5.00 on Odd, where the minimum is 10.00, and 10.00 on Even with a chip of another
    kind among it, which was not recorded in front of it.
    """
    table = opened_chip_table()
    table.betting()
    table.does("dealer", RecordBets("1", bets(small=HUNDRED)))
    table.does("dealer", RecordBets("2", bets(odd=(Pieces("pink", 1),))))
    table.does("dealer", AdvisePlayer("2", "odd"))
    together = (Pieces("pink", 1), Pieces(500, 1))
    table.does("dealer", RecordBets("2", bets(even=together)))
    table.closed()
    table.agrees("shift-manager", RuleOnBet("2", "even", "returned", "nobody can tell whose"))
    table.tumbled().entered(1, 2, 6)
    table.does("dealer", ConfirmResult())
    table.paid()
    return table


def left_evening() -> RecordedTable:
    """Play a round that seat 1 leaves with 300.00, and wins; then seat 2 leaves.

    In the end 200.00 for Small are unclaimed for seat 1; seat 2 leaves with the 200.00 it bought.
    """
    table = opened_chip_table()
    table.betting()
    table.does("dealer", RecordBets("1", bets(small=HUNDRED)))
    table.does("dealer", LeaveSeat("1"))
    table.settled(1, 2, 6)
    table.does("dealer", LeaveSeat("2", converts=True))
    return table

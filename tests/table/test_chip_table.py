"""Chip tables: cases that no scenario reaches, and the chips of a bet."""

from datetime import UTC, datetime

import pytest

from taisai.core.kernel.ledger import credits_of
from taisai.core.kernel.messages import Posting
from taisai.core.table.chips.colours import (
    AssignColour,
    BuyColour,
    ColourConverted,
    ConvertColour,
)
from taisai.core.table.chips.gaming_day import CloseDay, OpenDay, ReceiveFill, gaming_date
from taisai.core.table.chips.layout_bets import CorrectRecord, RecordBets
from taisai.core.table.chips.leaving import LeaveSeat
from taisai.core.table.chips.payout import Guide, payout_guide
from taisai.core.table.chips.pieces import Pieces
from taisai.core.table.chips.seats import SeatLeft, TakeSeat
from taisai.core.table.chips.state import ChipTable
from taisai.core.table.corrections import Rule
from taisai.core.table.setup import OpenTable, RegisterDice
from tests.kit.chip_tables import (
    HUNDRED,
    bets,
    chips_counted,
    chips_credited,
    closed_chip_table,
    open_chip_table,
)
from tests.kit.tables import Table
from tests.table.books import assert_table_books


def layout_of(table: Table) -> ChipTable:
    """Give the layout of a table."""
    assert table.state.chips is not None
    return table.state.chips


@pytest.mark.parametrize(
    ("moment", "start_hour", "offset", "date"),
    [
        # 05:59 in Singapore is still the day before; at 06:00 the day begins.
        ("2026-11-15T21:59:59", 6, 480, "2026-11-15"),
        ("2026-11-15T22:00:00", 6, 480, "2026-11-16"),
        ("2026-11-16T15:59:59", 0, 480, "2026-11-16"),
        ("2026-11-16T16:00:00", 0, 480, "2026-11-17"),
        ("2026-03-01T00:30:00", 1, 0, "2026-02-28"),
    ],
)
def test_a_gaming_day_has_a_start_hour_and_a_date_of_its_own(
    moment: str, start_hour: int, offset: int, date: str
) -> None:
    at = int(datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp()) * 1000
    assert gaming_date(at, start_hour, offset) == date


def test_a_layout_that_is_paid_has_nothing_on_its_lists() -> None:
    assert payout_guide(open_chip_table().state) == Guide()


def test_a_rack_without_change_converts_no_colour() -> None:
    table = closed_chip_table()
    table.agrees("supervisor", OpenDay("2026-11-16", HUNDRED))
    table.does("supervisor", RegisterDice("D1", "S1"))
    table.does("supervisor", OpenTable())
    table.does("dealer", TakeSeat("1"))
    table.does("dealer", AssignColour("1", "pink", 500))
    table.does("dealer", BuyColour("1", 3, 1_500))
    assert table.refuses("dealer", ConvertColour("1", 3))[0] == "RACK_SHORT"
    assert table.refuses("dealer", LeaveSeat("1", converts=True))[0] == "RACK_SHORT"


def test_who_leaves_with_a_colour_has_it_converted_in_one() -> None:
    table = open_chip_table()
    table.does("dealer", TakeSeat("6"))
    table.does("dealer", AssignColour("6", "blue", 500))
    table.does("dealer", BuyColour("6", 7, 3_500))
    assert table.refuses("dealer", LeaveSeat("6"))[0] == "COLOUR_OUT"
    converted, left = table.does("dealer", LeaveSeat("6", converts=True))
    # Seven pieces of 5.00 are 25.00 and two fives.
    assert isinstance(converted, ColourConverted)
    assert (converted.count, converted.chips) == (7, (Pieces(2_500, 1), Pieces(500, 2)))
    assert left == SeatLeft("6", 3_500)
    assert "blue" not in layout_of(table).colours
    assert table.balance(credits_of("6")) == 0
    # A player without a colour, or with none of it left, leaves as usual.
    table.does("dealer", TakeSeat("7"))
    assert table.does("dealer", LeaveSeat("7", converts=True)) == (SeatLeft("7", 0),)


def test_fills_that_came_are_remembered_in_runs_of_their_numbers() -> None:
    table = chips_credited()
    before = dict(table.state.transits_received.runs)
    assert before == {"cage-T1": [(1, 1)]}
    table.agrees("dealer", ReceiveFill("cage-T1-7", HUNDRED))
    table.agrees("dealer", ReceiveFill("cage-T1-6", HUNDRED))
    # The fills 2 to 5 went back to the cage, or are still in transit.
    assert table.state.transits_received.runs == {"cage-T1": [(1, 1), (6, 7)]}
    assert table.refuses("dealer", ReceiveFill("cage-T1-6", HUNDRED))[0] == "TRANSIT_CLOSED"


def test_a_ruling_takes_chips_from_a_player_for_the_venue() -> None:
    table = open_chip_table()
    before = layout_of(table).rack_value
    posting = Posting("terminal:1", "house:bank", 10_000)
    table.agrees("shift-manager", Rule("past-posted", (posting,)))
    assert layout_of(table).rack_value == before + 10_000
    assert_table_books(table.state)


def test_a_rack_that_cannot_hand_out_a_ruling_owes_it_until_it_is_counted() -> None:
    table = closed_chip_table()
    table.agrees("supervisor", OpenDay("2026-11-16", HUNDRED))
    table.does("supervisor", RegisterDice("D1", "S1"))
    table.does("supervisor", OpenTable())
    table.does("dealer", TakeSeat("1"))
    posting = Posting("house:bank", "terminal:1", 500)
    table.agrees("shift-manager", Rule("goodwill", (posting,)))
    assert layout_of(table).rack == {10_000: 1, 500: -1}
    assert_table_books(table.state)


def test_the_oldest_standing_bet_keeps_its_turn_when_it_is_read_again() -> None:
    table = open_chip_table().betting()
    table.does("dealer", RecordBets("1", bets(small=HUNDRED)))
    table.does("dealer", RecordBets("2", bets(small=(Pieces("pink", 2),))))
    table.does("dealer", CorrectRecord("1", "small", (Pieces(2_500, 4),), "four of 25"))
    assert [stack.seat for stack in layout_of(table).stacks] == ["1", "2"]


def test_a_day_closes_with_what_was_counted() -> None:
    table = chips_counted()
    # The box held 5.00 more than was sold, and the rack is empty.
    events = table.agrees("supervisor", CloseDay(()))
    assert layout_of(table).rack == {}
    assert layout_of(table).day is None
    assert len(events) == 2

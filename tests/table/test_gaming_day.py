"""The gaming day and the cage beside it: dates, the box counted twice, chips that come back."""

import pytest

from taisai.core.cage.drawer import CloseShift, OpenShift, ShiftClosed
from taisai.core.cage.fills import FillReturned, ReceiveCredit, ReturnFill
from taisai.core.kernel.transits import TRANSIT_MAX, CloseTransit
from taisai.core.streams import CageCommand
from taisai.core.table.chips.gaming_day import (
    CloseDay,
    CountDrop,
    CreditReturned,
    DayClosed,
    OpenDay,
    ReturnCredit,
    SendCredit,
    date_after,
    last_date_at,
)
from taisai.core.table.chips.pieces import Pieces
from taisai.core.table.chips.seats import BuyChips, ExchangeChips
from taisai.core.table.chips.state import ChipTable, Day
from taisai.core.table.setup import (
    CloseTable,
    GiveNotice,
)
from tests.kit.chip_tables import (
    FLOAT,
    HUNDRED,
    cage_with_fills,
    closed_chip_table,
    created,
    open_chip_table,
    opened,
)
from tests.kit.tables import Cage, Table, open_cage
from tests.table.books import assert_table_books


def layout_of(table: Table) -> ChipTable:
    """Give the layout of a table."""
    assert table.state.chips is not None
    return table.state.chips


def day_of(table: Table) -> Day:
    """Give the gaming day of a table."""
    day = layout_of(table).day
    assert day is not None
    return day


# --- dates ---------------------------------------------------------------------------------------


def test_a_day_is_not_opened_with_a_date_long_before_its_time() -> None:
    """A slip of the pen such as 2062 would leave no date for any day until then."""
    table = closed_chip_table()
    for date in ("2026-11-19", "2062-11-16", "9999-12-31"):
        assert table.refuses("supervisor", OpenDay(date, ()))[0] == "DATE_AHEAD"
    table.agrees("supervisor", OpenDay("2026-11-18", ()))
    assert layout_of(table).last_date == "2026-11-18"


def test_the_last_date_is_two_days_ahead_at_greenwich() -> None:
    # 16 November 2026 at 23:59:59.999, and a millisecond later.
    assert last_date_at(1_794_873_599_999) == "2026-11-18"
    assert last_date_at(1_794_873_600_000) == "2026-11-19"


@pytest.mark.parametrize(
    ("last", "today", "date"),
    [
        ("", "2026-11-16", "2026-11-16"),
        ("2026-11-15", "2026-11-16", "2026-11-16"),
        ("2026-11-16", "2026-11-16", "2026-11-17"),
        ("2026-12-31", "2026-12-31", "2027-01-01"),
        # A journal may have such a date from before dates were checked: no day comes after it.
        ("9999-12-31", "2026-11-16", "9999-12-31"),
    ],
)
def test_the_next_day_is_todays_or_the_one_after_the_last(last: str, today: str, date: str) -> None:
    assert date_after(last, today) == date


# --- the drop box --------------------------------------------------------------------------------


def test_a_drop_that_was_counted_is_not_counted_again() -> None:
    table = open_chip_table()
    table.agrees("supervisor", CountDrop(60_000, 0))
    assert table.refuses("supervisor", CountDrop(60_000, 0))[0] == "DROP_COUNTED"
    assert table.refuses("supervisor", CountDrop(0, 1))[0] == "DROP_COUNTED"
    table.agrees("supervisor", CountDrop(0, 0))
    assert day_of(table).drop == 60_000


def test_chips_exchanged_put_nothing_into_the_box_and_cash_does() -> None:
    table = open_chip_table()
    table.agrees("supervisor", CountDrop(60_000, 0))
    table.does("dealer", ExchangeChips("1", HUNDRED, (Pieces(2_500, 4),)))
    assert table.refuses("supervisor", CountDrop(100, 0))[0] == "DROP_COUNTED"
    table.does("dealer", BuyChips("1", HUNDRED, 10_000))
    # 100.00 went in, and 101.00 is found.
    table.agrees("supervisor", CountDrop(10_100, 0))
    assert (day_of(table).drop, day_of(table).difference) == (70_100, 100)


def test_a_first_count_may_find_money_where_the_books_have_none() -> None:
    table = closed_chip_table()
    table.agrees("supervisor", OpenDay("2026-11-16", FLOAT))
    table.agrees("supervisor", CountDrop(5_000, 0))
    assert (day_of(table).drop, day_of(table).difference) == (5_000, 5_000)


# --- credits put back ----------------------------------------------------------------------------


def credited() -> tuple[Table, str]:
    """Send 300.00 of a counted rack to the cage, and close the table."""
    table = opened(closed_chip_table())
    table.agrees("dealer", SendCredit((Pieces(10_000, 3),)))
    table.does("dealer", GiveNotice())
    table.does("supervisor", CloseTable())
    (transit,) = layout_of(table).credits_open
    return table, transit


@pytest.mark.parametrize("count", [1, 40, 9_000])
def test_d14_what_a_dealer_asks_alone_of_a_closed_table_tells_nothing_of_its_rack(
    count: int,
) -> None:
    """37 chips of 100.00 are in the rack: whether fewer or more are asked for, it is closed."""
    table = open_chip_table()
    table.agrees("dealer", SendCredit((Pieces(10_000, 3),)))
    table.does("dealer", GiveNotice())
    table.does("supervisor", CloseTable())
    asked = (Pieces(10_000, count),)
    fours = (Pieces(2_500, 4 * count),)
    for act in (ExchangeChips("1", fours, asked), BuyChips("1", asked, 0)):
        assert table.refuses("dealer", act)[0] == "TABLE_CLOSED"


def test_a_credit_comes_back_whole() -> None:
    table, transit = credited()
    assert table.balance(f"transit:{transit}") == 30_000
    table.agrees("dealer", ReturnCredit(transit, (Pieces(10_000, 3),)))
    assert table.told[-1] == CreditReturned(transit, (Pieces(10_000, 3),), 30_000, 0, "dan")
    assert layout_of(table).rack == {10_000: 40, 2_500: 40, 500: 100, 100: 100, 50: 100}
    assert (layout_of(table).credits_open, day_of(table).credits) == ({}, 0)
    assert table.balance(f"transit:{transit}") == 0
    table.agrees("supervisor", CloseDay(FLOAT))
    closed = table.told[-1]
    assert isinstance(closed, DayClosed)
    assert closed.win == 0
    assert_table_books(table.state)


def test_what_is_missing_of_a_credit_is_the_tables_loss_by_its_counts() -> None:
    table, transit = credited()
    table.agrees("dealer", ReturnCredit(transit, (Pieces(10_000, 2),)))
    # The opening count alone had put the float of 5,650.00 into the difference.
    assert table.balance("house:count-difference") == -565_000 + 10_000
    assert (day_of(table).credits, day_of(table).difference) == (0, -10_000)
    table.agrees("supervisor", CloseDay((Pieces(10_000, 39), *FLOAT[1:])))
    closed = table.told[-1]
    assert isinstance(closed, DayClosed)
    # Opened with 5,650.00 and closed with 5,550.00: nothing was filled, credited or dropped.
    assert (closed.win, closed.closing, closed.expected) == (-10_000, 555_000, 555_000)
    assert_table_books(table.state)


def test_a_credit_that_is_lost_altogether_is_written_off() -> None:
    table, transit = credited()
    table.agrees("dealer", ReturnCredit(transit, ()))
    assert table.told[-1] == CreditReturned(transit, (), 0, 30_000, "dan")
    assert_table_books(table.state)


def test_a_credit_comes_back_once_and_with_no_more_than_went() -> None:
    table, transit = credited()
    back = ReturnCredit(transit, (Pieces(10_000, 4),))
    assert table.refuses("dealer", back)[0] == "CHIPS_ARRIVED"
    assert table.refuses("dealer", ReturnCredit(transit, (Pieces(7, 1),)))[0] == "UNKNOWN_CHIP"
    assert table.refuses("dealer", ReturnCredit("T1-99", HUNDRED))[0] == "TRANSIT_CLOSED"
    table.agrees("dealer", ReturnCredit(transit, HUNDRED))
    assert table.refuses("dealer", ReturnCredit(transit, HUNDRED))[0] == "TRANSIT_CLOSED"
    table.agrees("supervisor", CloseDay(FLOAT))
    assert table.refuses("dealer", ReturnCredit(transit, HUNDRED))[0] == "NO_GAMING_DAY"


def test_the_credit_of_a_table_with_a_long_name_can_be_received() -> None:
    """The longest name that a table may have, and a number that no table will come to."""
    name = "t" * 64
    cage = open_cage()
    cage.does("cage", ReceiveCredit(f"{name}-{10**12}", name, HUNDRED))
    cage.does("supervisor", cage.approval())
    assert f"{name}-{10**12}" in cage.state.transits_received
    too_long = ReceiveCredit("t" * (TRANSIT_MAX - 1) + "-1", name, HUNDRED)
    assert cage.refuses("cage", too_long) == "NO_TRANSIT"


def test_a_table_with_a_long_name_sends_a_credit() -> None:
    table = opened(created(Table("ts6/2"), name="t" * 64))
    table.agrees("dealer", SendCredit(HUNDRED))
    (transit,) = layout_of(table).credits_open
    assert len(transit) > 64
    cage = open_cage()
    cage.does("cage", ReceiveCredit(transit, "t" * 64, HUNDRED))
    cage.does("supervisor", cage.approval())
    assert cage.balance("vault:chips") == 10_000


# --- fills put back ------------------------------------------------------------------------------


def filling() -> tuple[Cage, str]:
    """Send a fill of 100.00."""
    cage = cage_with_fills()
    (transit,) = cage.state.fills_open
    return cage, transit


def agrees(cage: Cage, command: CageCommand, person: str | None = None) -> None:
    """Have the cage ask, and the pit approve."""
    cage.does("cage", command, person)
    cage.does("supervisor", cage.approval())


def test_a_fill_comes_back_whole() -> None:
    cage, transit = filling()
    before = cage.balance("vault:chips")
    agrees(cage, ReturnFill(transit, (Pieces(2_500, 4),)))
    assert cage.told[-1] == FillReturned(transit, "T1", (Pieces(2_500, 4),), 10_000, 0, "cat")
    assert cage.balance("vault:chips") == before + 10_000
    assert (cage.balance(f"transit:{transit}"), cage.state.fills_open) == (0, {})
    assert cage.refuses("cage", ReturnFill(transit, HUNDRED)) == "TRANSIT_CLOSED"
    assert cage.refuses("system", CloseTransit(transit)) == "TRANSIT_CLOSED"


def test_what_is_missing_of_a_fill_is_a_difference() -> None:
    cage, transit = filling()
    assert cage.refuses("cage", ReturnFill(transit, (Pieces(10_000, 2),))) == "CHIPS_ARRIVED"
    for chips in ((Pieces("pink", 1),), (Pieces(0, 1),), (Pieces(100, 0),)):
        assert cage.refuses("cage", ReturnFill(transit, chips)) == "BAD_CHIPS"
    before = cage.balance("vault:chips")
    agrees(cage, ReturnFill(transit, (Pieces(2_500, 3),)))
    assert cage.balance("vault:chips") == before + 7_500
    assert cage.balance("house:count-difference") == 2_500
    assert cage.balance(f"transit:{transit}") == 0


def test_one_person_alone_puts_nothing_back() -> None:
    cage, transit = filling()
    cage.does("cage", ReturnFill(transit, HUNDRED))
    assert cage.refuses("cage", cage.approval()) == "SAME_PERSON"
    assert transit in cage.state.fills_open
    cage.does("cage", cage.approval(), "Cora")
    assert transit not in cage.state.fills_open


# --- shifts --------------------------------------------------------------------------------------


def test_anothers_shift_is_closed_with_the_pit() -> None:
    """Cat had the drawer and was dismissed: Cora counts it, and a person of the pit agrees."""
    cage = cage_with_fills()
    cage.does("cage", CloseShift(99_000), "Cora")
    assert cage.refuses("cage", cage.approval(), "Cory") == "NOT_YOUR_SHIFT"
    cage.does("supervisor", cage.approval())
    assert cage.told[-1] == ShiftClosed("cat", 99_000, 100_000, "Cora")
    assert cage.state.shift is None
    agrees(cage, OpenShift(99_000), "Cora")


def test_ones_own_shift_is_closed_with_anybody() -> None:
    cage = cage_with_fills()
    cage.does("cage", CloseShift(100_000))
    cage.does("cage", cage.approval(), "Cora")
    assert cage.told[-1] == ShiftClosed("cat", 100_000, 100_000)

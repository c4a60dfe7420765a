"""A gaming day of a chip table in a real venue, interrupted in the middle, and then verified."""

from pathlib import Path

import pytest

from taisai.core.kernel.ledger import in_transit
from taisai.core.rules.reason import refuse
from taisai.core.table.chips.collecting import CollectLosers
from taisai.core.table.chips.colours import AssignColour, BuyColour, ConvertColour
from taisai.core.table.chips.gaming_day import CloseDay, CountDrop, DayClosed, DropCounted, OpenDay
from taisai.core.table.chips.layout_bets import RecordBets
from taisai.core.table.chips.leaving import LeaveSeat
from taisai.core.table.chips.pieces import BoxChips, Chips, Pieces
from taisai.core.table.chips.seats import BuyChips, TakeSeat
from taisai.core.table.chips.state import ChipTable
from taisai.core.table.interruption import ResumePlay
from taisai.core.table.round import ConfirmResult, OpenBets, Settle
from taisai.core.table.setup import CloseTable, GiveNotice, OpenTable
from taisai.core.table.state import Phase
from taisai.runtime import runtime as venues
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.verification.verifier import Asked
from tests.kit.floor import CHIPS, FLOAT, Floor, hundreds, keys, run
from tests.kit.people import CASHIER, DEALER, SUPERVISOR
from tests.runtime.failing_journals import DeafJournal
from tests.verification.damage import verify_file

TABLE = "table/F1"
#: 900.00 + 450.00 + 400.00 + 100.00.
AT_THE_CLOSE: Chips = (Pieces(10_000, 9), Pieces(2_500, 18), Pieces(500, 80), Pieces(100, 100))


@pytest.fixture(autouse=True)
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the carrier take nothing up again before the venue is cut."""
    monkeypatch.setattr(venues, "RETRY_SECONDS", 3_600.0)


async def opened(path: Path, venue_keys: VenueKeys) -> Floor:
    return await Floor.open(DeafJournal(await SqliteJournal.open(path)), venue_keys)


def deafen(floor: Floor) -> None:
    """Make the carrier's next question to the journal fail."""
    journal = floor.venue.journal
    assert isinstance(journal, DeafJournal)
    journal.deaf_to.append("system/carrier")


async def evening(floor: Floor) -> None:
    """Open a day and the table, play a round, and leave its winners unpaid, a fill unclosed."""
    await floor.found()
    await floor.add_chip_table()
    deafen(floor)
    fill = await floor.send_fill(hundreds(5))
    await floor.receive_fill(fill, hundreds(5))
    await floor.venue.transfers.settled()
    assert list(floor.venue.cage.fills_open) == [fill], "closing it was put off"
    await floor.do(TABLE, SUPERVISOR, OpenTable())
    await floor.do(TABLE, DEALER, TakeSeat("1"))
    await floor.do(TABLE, DEALER, BuyChips("1", hundreds(2), cash=20_000))
    await floor.do(TABLE, DEALER, TakeSeat("2"))
    await floor.do(TABLE, DEALER, AssignColour("2", "pink", 500))
    await floor.do(TABLE, DEALER, BuyColour("2", 40, cash=20_000))
    await floor.do(TABLE, DEALER, OpenBets())
    await floor.do(TABLE, DEALER, RecordBets("1", (BoxChips("small", hundreds(1)),)))
    await floor.do(TABLE, DEALER, RecordBets("2", (BoxChips("big", (Pieces("pink", 10),)),)))
    await floor.close_and_enter("F1", (4, 5, 6))
    await floor.do(TABLE, DEALER, ConfirmResult())
    await floor.do(TABLE, DEALER, CollectLosers())


async def night(floor: Floor) -> None:
    """Pay the winners, send a credit, close the table; everybody leaves."""
    await floor.do(TABLE, DEALER, Settle())
    credit = await floor.send_credit(hundreds(3))
    await floor.receive_credit(credit, hundreds(3))
    await floor.venue.transfers.settled()
    await floor.do(TABLE, DEALER, GiveNotice())
    await floor.do(TABLE, SUPERVISOR, CloseTable())
    await floor.do(TABLE, DEALER, ConvertColour("2", 40))
    for seat in ("1", "2"):
        await floor.do(TABLE, DEALER, LeaveSeat(seat))


def layout_of(floor: Floor) -> ChipTable:
    chip_table = floor.venue.table("F1").chips
    assert chip_table is not None
    return chip_table


@pytest.mark.parametrize("polite", [True, False])
def test_a_day_goes_on_after_a_stop_and_its_journal_is_proved(
    tmp_path: Path, *, polite: bool
) -> None:
    file, venue_keys = tmp_path / "journal.sqlite", keys()

    async def first() -> None:
        floor = await opened(file, venue_keys)
        await evening(floor)
        await (floor.venue.stop() if polite else floor.venue.journal.close())

    async def second() -> None:
        floor = await opened(file, venue_keys)
        venue = floor.venue
        await venue.transfers.settled()
        # A fill received before the stop is closed at its sender.
        assert venue.cage.fills_open == {}
        assert venue.cage.ledger.balance(in_transit("cage-F1-1")) == 0
        chip_table = layout_of(floor)
        assert (venue.table("F1").phase, chip_table.paying) == (Phase.CONFIRMED, True)
        # Two persons must say what happened at the table meanwhile, however it stopped.
        assert chip_table.interrupted
        assert await floor.send(TABLE, DEALER, Settle()) == refuse("TESTIMONY_FIRST")
        await floor.both(TABLE, SUPERVISOR, ResumePlay("nothing was dealt"), DEALER)
        assert (chip_table.chip_set, chip_table.seated, chip_table.marked) == (
            CHIPS,
            {"1": False, "2": False},
            {"pink": 500},
        )
        await night(floor)
        assert layout_of(floor).credits_open == {}
        counted = await floor.both(TABLE, CASHIER, CountDrop(40_000, 0), SUPERVISOR)
        # 15 of 100.00 less 2 sold, 1 collected, 3 credited, 2 for forty pink; 2 of 25.00 paid.
        closed = await floor.both(TABLE, SUPERVISOR, CloseDay(AT_THE_CLOSE), DEALER)
        assert counted.events[-1] == DropCounted(40_000, 0, 40_000, CASHIER.person)
        # 400 in the drop + 1,850 - 2,000 - 500 + 300 = 50: 100 collected less 50 paid.
        assert closed.events[-1] == DayClosed(
            date="2025-11-16",
            count=AT_THE_CLOSE,
            closing=185_000,
            expected=185_000,
            opening=200_000,
            fills=50_000,
            credits=30_000,
            drop=40_000,
            win=5_000,
            by=SUPERVISOR.person,
        )
        await venue.stop()

    run(first())
    run(second())
    report = verify_file(file, Asked(venue_keys.public))
    assert report.verified, report.faults
    assert (report.rounds, report.money.in_transit) == (1, 0)
    assert (report.money.turnover, report.money.won) == (15_000, 5_000)


def test_the_next_day_opens_with_what_the_last_one_closed_with(tmp_path: Path) -> None:
    file, venue_keys = tmp_path / "journal.sqlite", keys()

    async def work() -> None:
        floor = await opened(file, venue_keys)
        await floor.found()
        await floor.add_chip_table()
        fill = await floor.send_fill(hundreds(5))
        await floor.both(TABLE, SUPERVISOR, CloseDay(FLOAT), DEALER)
        await floor.venue.stop()
        # Nobody received the fill in time: it is in transit until the next day.
        floor = await opened(file, venue_keys)
        assert list(floor.venue.cage.fills_open) == [fill]
        await floor.both(TABLE, SUPERVISOR, OpenDay("2025-11-17", FLOAT), DEALER)
        await floor.receive_fill(fill, hundreds(5))
        await floor.venue.transfers.settled()
        assert floor.venue.cage.fills_open == {}
        assert layout_of(floor).rack_value == 250_000
        await floor.venue.stop()

    run(work())
    report = verify_file(file, Asked(venue_keys.public))
    assert report.verified, report.faults


def test_many_fills_and_credits_are_proved_in_the_order_they_were_made(tmp_path: Path) -> None:
    """An arrival is judged after its sending, whichever stream is read first."""
    file, venue_keys = tmp_path / "journal.sqlite", keys()

    async def work() -> None:
        floor = await opened(file, venue_keys)
        await floor.found()
        for table in ("F1", "F2"):
            await floor.add_chip_table(table)
        for count in (3, 2, 1):
            for table in ("F2", "F1"):
                fill = await floor.send_fill(hundreds(count), table)
                credit = await floor.send_credit(hundreds(count), table)
                await floor.receive_credit(credit, hundreds(count), table)
                await floor.receive_fill(fill, hundreds(count), table)
        await floor.venue.transfers.settled()
        await floor.venue.stop()

    run(work())
    report = verify_file(file, Asked(venue_keys.public))
    assert report.verified, report.faults
    assert report.money.in_transit == 0

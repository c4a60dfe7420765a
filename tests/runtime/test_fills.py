"""Fills and credits between rack and cage: received as they were sent, and closed at the sender."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from taisai.core.cage.fills import FillSent, ReceiveCredit, SendFill
from taisai.core.kernel.approvals import ApprovalRequested, Approve, Pending
from taisai.core.kernel.messages import Actor, Command, Order
from taisai.core.rules.reason import Refusal
from taisai.core.table.betting import RoundVoided
from taisai.core.table.chips.gaming_day import CloseDay, ReceiveFill
from taisai.core.table.chips.pieces import Pieces
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.round import OpenBets
from taisai.core.venue.staff import ChangeRoles, DismissStaff, EngageStaff, SuspendStaff
from taisai.runtime import runtime as venues
from taisai.runtime.answers import Registered
from taisai.runtime.journal.contract import JournalError, Snapshot
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.streams import CAGE, VENUE
from taisai.wording import say
from tests.kit.floor import FLOAT, Floor, hundreds, keys, run, until
from tests.kit.people import CASHIER, DEALER, SUPERVISOR, actor
from tests.runtime.failing_journals import DeafJournal

SOON_SECONDS = 0.005
HOST, SHIFT = actor("system", "host"), actor("shift-manager")
SECOND = actor("shift-manager", "tom")


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a venue take up soon what was put off."""
    monkeypatch.setattr(venues, "RETRY_SECONDS", SOON_SECONDS)


@asynccontextmanager
async def floor_with_chip_tables(path: Path) -> AsyncIterator[tuple[Floor, DeafJournal]]:
    """Open a venue with two chip tables with an open day, one without, and a terminal table."""
    journal = DeafJournal(await SqliteJournal.open(path / "journal"))
    floor = await Floor.open(journal, keys())
    await floor.found()
    for table in ("F1", "F2"):
        await floor.add_chip_table(table)
    await floor.add_chip_table("F3", date=None)
    await floor.add_table("T1", terminals=0)
    yield floor, journal
    await floor.venue.stop()


async def refused(floor: Floor, stream: str, actor: Actor, command: Command) -> str:
    """Send a command that must be refused, and give the sentence."""
    answer = await floor.send(stream, actor, command)
    assert isinstance(answer, Refusal), answer
    return say(answer.reason)


def approval_of(floor: Floor, stream: str) -> Approve:
    """Approve what is pending."""
    state = floor.venue.writer(stream).state
    lasting: dict[str, Pending] = state.lasting
    (pending,) = lasting.values() if state.pending is None else (state.pending,)
    return Approve(pending.hash, pending.version)


OUT: list[Command] = [
    SuspendStaff("cat"),
    DismissStaff("cat"),
    ChangeRoles("cat", ("dealer",)),
]


@pytest.mark.parametrize("change", OUT, ids=lambda change: type(change).__name__)
def test_d14_nothing_is_carried_out_for_somebody_who_is_out_by_now(
    tmp_path: Path, change: Command
) -> None:
    async def test() -> None:
        async with floor_with_chip_tables(tmp_path) as (floor, _):
            for name, role in (("cat", "cage"), ("sue", "supervisor"), ("sam", "shift-manager")):
                await floor.do(VENUE, HOST, EngageStaff(name, (role,), "sam", "tom"))
            await floor.do(VENUE, HOST, EngageStaff("tom", ("shift-manager",), "sam", "sue"))
            await floor.do(CAGE, CASHIER, SendFill("F1", hundreds(1)))
            answer = await floor.send(VENUE, SHIFT, change)
            if not isinstance(change, SuspendStaff):
                assert isinstance(answer, Registered)
                await floor.do(VENUE, SECOND, approval_of(floor, VENUE))
            said = await refused(floor, CAGE, SUPERVISOR, approval_of(floor, CAGE))
            assert said.startswith("cat, who asked for this, may not act in that role any more")
            assert floor.venue.cage.fills_open == {}

    run(test())


def test_d20_what_somebody_reported_who_is_out_by_now_is_still_answered(tmp_path: Path) -> None:
    async def test() -> None:
        async with floor_with_chip_tables(tmp_path) as (floor, _):
            for name, role in (("dan", "dealer"), ("sue", "supervisor"), ("sam", "shift-manager")):
                await floor.do(VENUE, HOST, EngageStaff(name, (role,), "sam", "tom"))
            await floor.do("table/T1", DEALER, OpenBets())
            await floor.do("table/T1", DEALER, ReportIrregularity("die-not-flat", "leans"))
            await floor.do(VENUE, SHIFT, SuspendStaff("dan"))
            answer = await floor.do("table/T1", SUPERVISOR, approval_of(floor, "table/T1"))
            assert isinstance(answer.events[-1], RoundVoided)

    run(test())


def test_a_fill_goes_where_somebody_can_take_it(tmp_path: Path) -> None:
    async def test() -> None:
        async with floor_with_chip_tables(tmp_path) as (floor, _):
            for table, chips, sentence in (
                ("F9", hundreds(1), "no chip table F9 is at work in this venue"),
                ("T1", hundreds(1), "no chip table T1 is at work in this venue"),
                ("F3", hundreds(1), "no gaming day is open at table F3: nobody could take a fill"),
                ("F1", (Pieces(700, 1),), "table F1 has no chip of 7.00"),
            ):
                said = await refused(floor, CAGE, CASHIER, SendFill(table, chips))
                assert said.startswith(sentence)
            floor.venue.writer("table/F1").suspend("for a trial")
            said = await refused(floor, CAGE, CASHIER, SendFill("F1", hundreds(1)))
            assert said == "no chip table F1 is at work in this venue"
            # A sender without the role is told so, and nothing about any table.
            not_allowed = await floor.send(CAGE, DEALER, SendFill("F9", hundreds(1)))
            assert isinstance(not_allowed, Refusal)
            assert not_allowed.code == "NOT_ALLOWED"

    run(test())


def test_a_day_that_was_closed_meanwhile_takes_no_fill(tmp_path: Path) -> None:
    async def test() -> None:
        async with floor_with_chip_tables(tmp_path) as (floor, _):
            asked = await floor.do(CAGE, CASHIER, SendFill("F1", hundreds(1)))
            requested = asked.events[-1]
            assert isinstance(requested, ApprovalRequested)
            await floor.both("table/F1", SUPERVISOR, CloseDay(FLOAT), DEALER)
            approve = Approve(requested.pending, asked.last)
            said = await refused(floor, CAGE, SUPERVISOR, approve)
            assert said.startswith("no gaming day is open at table F1")
            assert floor.venue.cage.fills_open == {}

    run(test())


def test_a_fill_is_taken_as_it_was_sent_and_where(tmp_path: Path) -> None:
    async def test() -> None:
        async with floor_with_chip_tables(tmp_path) as (floor, _):
            transit = await floor.send_fill(hundreds(3))
            for stream, name, count, sentence in (
                (
                    "table/F1",
                    "cage-F1-99",
                    3,
                    "no fill cage-F1-99 is on its way: look at the slip",
                ),
                ("table/F2", transit, 3, f"fill {transit} is on its way to table F1, not to this"),
                (
                    *("table/F1", transit, 2),
                    f"{transit} was sent as 300.00 and is counted as 200.00: count again",
                ),
            ):
                receive = ReceiveFill(name, hundreds(count))
                said = await refused(floor, stream, DEALER, receive)
                assert said.startswith(sentence)
            # Other chips of the same worth are accepted as the fill.
            await floor.receive_fill(transit, (Pieces(10_000, 2), Pieces(2_500, 4)))
            await floor.venue.transfers.settled()
            assert floor.venue.cage.fills_open == {}
            again = await floor.send("table/F1", DEALER, ReceiveFill(transit, hundreds(3)))
            assert isinstance(again, Refusal)
            assert again.code == "TRANSIT_CLOSED"

    run(test())


def test_a_credit_is_taken_as_it_was_sent_and_from_whom(tmp_path: Path) -> None:
    async def test() -> None:
        async with floor_with_chip_tables(tmp_path) as (floor, _):
            transit = await floor.send_credit(hundreds(3))
            for name, table, count, sentence in (
                ("F1-999", "F1", 3, "no credit F1-999 is on its way: look at the slip again"),
                (transit, "F2", 3, f"credit {transit} was sent by table F1, not by the table"),
                (
                    *(transit, "F1", 4),
                    f"{transit} was sent as 300.00 and is counted as 400.00: count again",
                ),
            ):
                receive = ReceiveCredit(name, table, hundreds(count))
                said = await refused(floor, CAGE, CASHIER, receive)
                assert said.startswith(sentence)
            # A credit is no fill, at any table.
            said = await refused(floor, "table/F2", DEALER, ReceiveFill(transit, hundreds(3)))
            assert said.startswith(f"no fill {transit} is on its way")
            await floor.receive_credit(transit, hundreds(3))
            await floor.venue.transfers.settled()
            chip_table = floor.venue.table("F1").chips
            assert chip_table is not None
            assert chip_table.credits_open == {}
            assert floor.venue.transfers.chips == {}

    run(test())


def test_the_same_id_gets_the_same_answer_whatever_has_arrived_since(tmp_path: Path) -> None:
    async def test() -> None:
        async with floor_with_chip_tables(tmp_path) as (floor, _):
            early = Order(floor.new_id(), DEALER, ReceiveFill("cage-F1-1", hundreds(1)))
            first = await floor.venue.submit("table/F1", early)
            assert isinstance(first, Refusal)
            transit = await floor.send_fill(hundreds(1))
            assert transit == "cage-F1-1"
            assert await floor.venue.submit("table/F1", early) == first
            right = Order(floor.new_id(), DEALER, early.command)
            asked = await floor.venue.submit("table/F1", right)
            assert isinstance(asked, Registered)
            requested = asked.events[-1]
            assert isinstance(requested, ApprovalRequested)
            await floor.do("table/F1", SUPERVISOR, Approve(requested.pending, asked.last))
            await floor.venue.transfers.settled()
            assert floor.venue.cage.fills_open == {}
            assert await floor.venue.submit("table/F1", right) == asked

    run(test())


def test_nothing_is_taken_before_it_is_durable_that_it_was_sent(tmp_path: Path) -> None:
    async def test() -> None:
        async with floor_with_chip_tables(tmp_path) as (floor, journal):
            asked = await floor.do(CAGE, CASHIER, SendFill("F1", hundreds(1)))
            requested = asked.events[-1]
            assert isinstance(requested, ApprovalRequested)
            journal.gate.clear()
            approve = Approve(requested.pending, asked.last)
            sending = asyncio.ensure_future(floor.do(CAGE, SUPERVISOR, approve))
            await until(lambda: bool(floor.venue.cage.fills_open))
            (transit,) = floor.venue.cage.fills_open
            receive = ReceiveFill(transit, hundreds(1))
            taking = asyncio.ensure_future(floor.send("table/F1", DEALER, receive))
            await asyncio.sleep(10 * SOON_SECONDS)
            journal.gate.set()
            assert isinstance((await sending).events[-1], FillSent)
            early = await taking
            assert isinstance(early, Refusal)
            assert early.code == "FILL_UNKNOWN"
            await floor.receive_fill(transit, hundreds(1))

    run(test())


def test_a_close_that_was_put_off_is_made_without_anybody_asking(tmp_path: Path) -> None:
    async def test() -> None:
        async with floor_with_chip_tables(tmp_path) as (floor, journal):
            journal.deaf_to += ["system/carrier", "system/carrier"]
            transit = await floor.send_fill(hundreds(1))
            await floor.receive_fill(transit, hundreds(1))
            assert list(floor.venue.cage.fills_open) == [transit]
            await until(lambda: not floor.venue.cage.fills_open)
            assert not journal.deaf_to

    run(test())


def test_a_cage_that_is_resumed_closes_what_arrived_meanwhile(tmp_path: Path) -> None:
    async def test() -> None:
        async with floor_with_chip_tables(tmp_path) as (floor, _):
            transit = await floor.send_fill(hundreds(1))
            floor.venue.writer(CAGE).suspend("for a trial")
            await floor.receive_fill(transit, hundreds(1))
            await floor.venue.transfers.settled()
            assert floor.venue.transfers.chips.keys() == {transit}
            assert await floor.venue.resume(CAGE) is None
            await until(lambda: not floor.venue.transfers.chips)
            assert floor.venue.cage.fills_open == {}

    run(test())


def test_a_table_that_is_read_late_is_asked_then_what_it_has_received(tmp_path: Path) -> None:
    """A table that cannot be read at the start may have received a fill before the stop."""

    async def test() -> None:
        venue_keys, file = keys(), tmp_path / "journal"
        journal = DeafJournal(await SqliteJournal.open(file))
        floor = await Floor.open(journal, venue_keys)
        await floor.found()
        await floor.add_chip_table()
        transit = await floor.send_fill(hundreds(1))
        # Closing is put off until the venue is gone.
        journal.deaf_to += ["system/carrier"] * 1_000
        await floor.receive_fill(transit, hundreds(1))
        await floor.venue.journal.close()
        floor = await Floor.open(ShutJournal(await SqliteJournal.open(file)), venue_keys)
        assert "table/F1" in floor.venue.suspended()
        await floor.venue.transfers.settled()
        assert list(floor.venue.cage.fills_open) == [transit]
        assert await floor.venue.resume("table/F1") is None
        await until(lambda: not floor.venue.cage.fills_open)
        await floor.venue.stop()

    run(test())


class ShutJournal(DeafJournal):
    """A journal in which one table cannot be read until it is reopened."""

    shut = True

    async def snapshots(self, stream: str) -> list[Snapshot]:
        if self.shut and stream == "table/F1":
            raise JournalError("the disk does not answer")
        return await super().snapshots(stream)

    async def reopen(self) -> None:
        self.shut = False
        await super().reopen()


def test_nothing_is_closed_before_it_is_durable_that_it_arrived(tmp_path: Path) -> None:
    async def test() -> None:
        async with floor_with_chip_tables(tmp_path) as (floor, journal):
            transit = await floor.send_fill(hundreds(1))
            receive = ReceiveFill(transit, hundreds(1))
            asked = await floor.do("table/F1", DEALER, receive)
            requested = asked.events[-1]
            assert isinstance(requested, ApprovalRequested)
            cage = floor.venue.writer(CAGE)
            before = cage.head
            journal.gate.clear()
            approve = Approve(requested.pending, asked.last)
            taking = asyncio.ensure_future(floor.do("table/F1", SUPERVISOR, approve))
            await until(lambda: transit in floor.venue.table("F1").transits_received)
            await asyncio.sleep(10 * SOON_SECONDS)
            # The table's state is ahead of the disk; the cage does not know of it yet.
            assert cage.head == before
            journal.gate.set()
            await taking
            await until(lambda: not floor.venue.cage.fills_open)

    run(test())


@pytest.mark.parametrize("polite", [True, False])
@pytest.mark.parametrize("received", [True, False])
def test_a_credit_outlives_a_stop(tmp_path: Path, *, received: bool, polite: bool) -> None:
    async def test() -> None:
        venue_keys, file = keys(), tmp_path / "journal"
        journal = DeafJournal(await SqliteJournal.open(file))
        floor = await Floor.open(journal, venue_keys)
        await floor.found()
        await floor.add_chip_table()
        transit = await floor.send_credit(hundreds(2))
        if received:
            # Closing is put off until the venue is gone.
            journal.deaf_to += ["system/carrier"] * 1_000
            await floor.receive_credit(transit, hundreds(2))
        await (floor.venue.stop() if polite else journal.close())
        floor = await Floor.open(file, venue_keys)
        chip_table = floor.venue.table("F1").chips
        assert chip_table is not None
        if not received:
            assert floor.venue.transfers.chips == {
                transit: ("table/F1", chip_table.credits_open[transit])
            }
            await floor.receive_credit(transit, hundreds(2))
        await until(lambda: not floor.venue.transfers.chips)
        assert (chip_table.credits_open, chip_table.rack_value) == ({}, 180_000)
        await floor.venue.stop()

    run(test())

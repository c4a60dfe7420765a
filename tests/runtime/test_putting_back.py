"""Chips that were sent and not received are put back; never both, whichever comes first."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from taisai.core.cage.drawer import CloseShift, OpenShift
from taisai.core.cage.fills import FillReturned, ReceiveCredit, ReturnFill
from taisai.core.kernel.approvals import ApprovalRequested, Approve
from taisai.core.kernel.messages import Actor, Command
from taisai.core.rules.reason import Refusal
from taisai.core.table.chips.gaming_day import CreditReturned, ReceiveFill, ReturnCredit
from taisai.runtime.answers import AGAIN
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.streams import CAGE
from taisai.runtime.verification.verifier import Asked
from tests.kit.floor import Floor, hundreds, keys, run, until
from tests.kit.people import CASHIER, DEALER, SUPERVISOR
from tests.runtime.failing_journals import DeafJournal
from tests.verification.damage import verify_file

TABLE = "table/F1"


@asynccontextmanager
async def floor_with_chip_table(path: Path) -> AsyncIterator[tuple[Floor, DeafJournal]]:
    """Open a venue with a chip table whose day is open."""
    journal = DeafJournal(await SqliteJournal.open(path / "journal"))
    floor = await Floor.open(journal, keys())
    await floor.found()
    await floor.add_chip_table()
    yield floor, journal
    await floor.venue.stop()


async def code_of(floor: Floor, stream: str, actor: Actor, command: Command) -> str:
    """Send a command that must be refused, and give the code."""
    answer = await floor.send(stream, actor, command)
    assert isinstance(answer, Refusal), answer
    return answer.code


async def asked_for(floor: Floor, stream: str, actor: Actor, command: Command) -> Approve:
    """Send a command that becomes pending, and make its approval."""
    asked = await floor.do(stream, actor, command)
    requested = asked.events[-1]
    assert isinstance(requested, ApprovalRequested)
    return Approve(requested.pending, asked.last)


def test_a_fill_that_arrives_short_goes_back(tmp_path: Path) -> None:
    async def test() -> None:
        async with floor_with_chip_table(tmp_path) as (floor, _):
            transit = await floor.send_fill(hundreds(3))
            short = ReceiveFill(transit, hundreds(2))
            assert await code_of(floor, TABLE, DEALER, short) == "CHIPS_ARRIVED"
            back = ReturnFill(transit, hundreds(2))
            answer = await floor.both(CAGE, CASHIER, back, SUPERVISOR)
            assert answer.events[-1] == FillReturned(
                transit, "F1", hundreds(2), 20_000, 10_000, CASHIER.person
            )
            assert (floor.venue.cage.fills_open, floor.venue.transfers.chips) == ({}, {})
            late = ReceiveFill(transit, hundreds(3))
            assert await code_of(floor, TABLE, DEALER, late) == "FILL_UNKNOWN"

    run(test())


def test_a_fill_that_was_received_does_not_come_back(tmp_path: Path) -> None:
    async def test() -> None:
        async with floor_with_chip_table(tmp_path) as (floor, journal):
            transit = await floor.send_fill(hundreds(1))
            back = ReturnFill(transit, hundreds(1))
            approve = await asked_for(floor, CAGE, CASHIER, back)
            # The fill is received while its return is pending, and closing it is put off.
            journal.deaf_to += ["system/carrier"] * 1_000
            await floor.receive_fill(transit, hundreds(1))
            assert transit in floor.venue.cage.fills_open
            assert await code_of(floor, CAGE, SUPERVISOR, approve) == "TRANSIT_CLOSED"
            assert await code_of(floor, CAGE, CASHIER, back) == "TRANSIT_CLOSED"
            journal.deaf_to.clear()

    run(test())


def test_a_credit_comes_back_unless_it_was_received(tmp_path: Path) -> None:
    async def test() -> None:
        async with floor_with_chip_table(tmp_path) as (floor, journal):
            first = await floor.send_credit(hundreds(3))
            back = ReturnCredit(first, hundreds(3))
            answer = await floor.both(TABLE, DEALER, back, SUPERVISOR)
            assert answer.events[-1] == CreditReturned(first, hundreds(3), 30_000, 0, DEALER.person)
            receive = ReceiveCredit(first, "F1", hundreds(3))
            assert await code_of(floor, CAGE, CASHIER, receive) == "CREDIT_UNKNOWN"
            second = await floor.send_credit(hundreds(1))
            journal.deaf_to += ["system/carrier"] * 1_000
            await floor.receive_credit(second, hundreds(1))
            late = ReturnCredit(second, hundreds(1))
            assert await code_of(floor, TABLE, DEALER, late) == "TRANSIT_CLOSED"
            journal.deaf_to.clear()

    run(test())


def test_nothing_comes_back_while_nobody_can_look_whether_it_arrived(tmp_path: Path) -> None:
    async def test() -> None:
        async with floor_with_chip_table(tmp_path) as (floor, _):
            fill = await floor.send_fill(hundreds(1))
            credit = await floor.send_credit(hundreds(1))
            floor.venue.writer(CAGE).suspend("for a trial")
            back = ReturnCredit(credit, hundreds(1))
            assert await code_of(floor, TABLE, DEALER, back) == "TABLE_SUSPENDED"
            assert await floor.venue.resume(CAGE) is None
            floor.venue.writer(TABLE).suspend("for a trial")
            returned = ReturnFill(fill, hundreds(1))
            assert await code_of(floor, CAGE, CASHIER, returned) == "TABLE_SUSPENDED"

    run(test())


def test_what_nobody_could_look_at_is_asked_again_with_the_same_id(tmp_path: Path) -> None:
    """A refusal after which the same may be sent again is no answer for good."""

    async def test() -> None:
        async with floor_with_chip_table(tmp_path) as (floor, journal):
            fill = await floor.send_fill(hundreds(1))
            credit = await floor.send_credit(hundreds(1))
            for stream, other, who, command in (
                (CAGE, TABLE, CASHIER, ReturnFill(fill, hundreds(1))),
                (TABLE, CAGE, DEALER, ReturnCredit(credit, hundreds(1))),
            ):
                # An id belongs to its sender: who asks and who approves may choose the same.
                id_ = floor.new_id()
                floor.venue.writer(other).suspend("for a trial")
                for _ in range(2):
                    early = await floor.send(stream, who, command, id_)
                    assert isinstance(early, Refusal)
                    assert (early.code, early.code in AGAIN) == ("TABLE_SUSPENDED", True)
                assert await journal.answered(stream, f"{who.role}/{who.person}", id_) is None
                assert await floor.venue.resume(other) is None
                asked = await floor.do(stream, who, command, id_)
                requested = asked.events[-1]
                assert isinstance(requested, ApprovalRequested)
                approve = Approve(requested.pending, asked.last)
                floor.venue.writer(other).suspend("for a trial")
                early = await floor.send(stream, SUPERVISOR, approve, id_)
                assert isinstance(early, Refusal)
                assert early.code == "TABLE_SUSPENDED"
                assert await floor.venue.resume(other) is None
                done = await floor.do(stream, SUPERVISOR, approve, id_)
                assert await floor.do(stream, SUPERVISOR, approve, id_) == done
            assert (floor.venue.cage.fills_open, floor.venue.transfers.chips) == ({}, {})

    run(test())


def test_what_is_being_put_back_is_not_received_meanwhile(tmp_path: Path) -> None:
    """The cage has decided, and the disk does not have it yet; then the cage is suspended."""

    async def test() -> None:
        async with floor_with_chip_table(tmp_path) as (floor, journal):
            transit = await floor.send_fill(hundreds(1))
            back = ReturnFill(transit, hundreds(1))
            approve = await asked_for(floor, CAGE, CASHIER, back)
            receive = ReceiveFill(transit, hundreds(1))
            journal.gate.clear()
            returning = asyncio.ensure_future(floor.send(CAGE, SUPERVISOR, approve))
            await until(lambda: not floor.venue.cage.fills_open)
            assert transit in floor.venue.transfers.chips, "the disk does not have it yet"
            early = asyncio.ensure_future(floor.send(TABLE, DEALER, receive))
            await asyncio.sleep(0.05)
            floor.venue.writer(CAGE).suspend("for a trial")
            later = asyncio.ensure_future(floor.send(TABLE, DEALER, receive))
            await asyncio.sleep(0.05)
            journal.gate.set()
            for answer in (await early, await later):
                assert isinstance(answer, Refusal)
                assert answer.code == "FILL_UNKNOWN"
            await returning

    run(test())


def test_a_journal_with_chips_that_came_back_is_proved(tmp_path: Path) -> None:
    venue_keys = keys()

    async def test() -> None:
        floor = await Floor.open(tmp_path / "journal", venue_keys)
        await floor.found()
        await floor.add_chip_table()
        fill = await floor.send_fill(hundreds(3))
        await floor.both(CAGE, CASHIER, ReturnFill(fill, hundreds(2)), SUPERVISOR)
        credit = await floor.send_credit(hundreds(3))
        await floor.both(TABLE, DEALER, ReturnCredit(credit, hundreds(1)), SUPERVISOR)
        await floor.both(CAGE, CASHIER, OpenShift(5_000), SUPERVISOR)
        await floor.both(CAGE, Actor("cora", "cage"), CloseShift(5_000), SUPERVISOR)
        await floor.venue.stop()

    run(test())
    report = verify_file(tmp_path / "journal", Asked(venue_keys.public))
    assert report.verified, report.faults

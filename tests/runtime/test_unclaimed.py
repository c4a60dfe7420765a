"""Unclaimed money between a table and the cage: paid once, through restarts and suspensions."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from taisai.core.cage.state import session_code
from taisai.core.cage.unclaimed import PayUnclaimed, UnclaimedPaid
from taisai.core.kernel.approvals import ApprovalRequested, Approve
from taisai.core.kernel.ledger import CASH
from taisai.core.kernel.messages import Actor, Delivery
from taisai.core.rules.reason import Refusal
from taisai.core.table.corrections import CorrectSettledRound, VoidSettledRounds
from taisai.core.table.positions import CashOut
from taisai.core.table.round import OpenBets
from taisai.runtime import runtime as venues
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.streams import CAGE
from taisai.runtime.unclaimed import find_unclaimed
from tests.kit.floor import Floor, keys, run, until
from tests.kit.people import CASHIER, DEALER, PIT, SUPERVISOR
from tests.runtime.failing_journals import DeafJournal

SOON_SECONDS = 0.005
#: Terminal T1-1 lost 5,000 of 100,000 on Big and cashed out; the round is void since.
OWED = 5_000


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a venue take up soon what was put off."""
    monkeypatch.setattr(venues, "RETRY_SECONDS", SOON_SECONDS)


async def lost_and_left(path: Path, *, void: bool = True) -> Floor:
    """Open a venue in which a player lost on Big, cashed out and left."""
    floor = await Floor.open(DeafJournal(await SqliteJournal.open(path / "journal")), keys())
    await floor.found()
    stream = await floor.add_table("T1")
    await floor.do(stream, DEALER, OpenBets())
    await floor.bet("T1", "T1-1", "big", OWED)
    await floor.close_and_enter("T1", (1, 2, 3))
    await floor.settle("T1")
    await floor.do(stream, Actor("T1-1", "terminal"), CashOut("T1-1"))
    await floor.venue.transfers.settled()
    if void:
        await floor.both(stream, SUPERVISOR, VoidSettledRounds(1, "a chipped die"), PIT)
    return floor


def code_of(floor: Floor, session: str = "T1-1@1") -> str:
    return session_code(floor.venue.cage.key, "T1", session)


def found(floor: Floor, code: str) -> PayUnclaimed | Refusal:
    tables, now = {"T1": floor.venue.table("T1")}, floor.venue.clock.now()
    return find_unclaimed(code, floor.venue.cage, tables, now)


def asked(floor: Floor) -> PayUnclaimed:
    command = found(floor, code_of(floor))
    assert isinstance(command, PayUnclaimed), command
    return command


async def refused(floor: Floor, command: PayUnclaimed) -> str:
    answer = await floor.send(CAGE, CASHIER, command)
    assert isinstance(answer, Refusal), answer
    return answer.code


def test_it_is_paid_once_and_gone_from_both_books(tmp_path: Path) -> None:
    """The drawer sold three vouchers of 100,000 and pays 5,000: 295,000 is in it."""

    async def test() -> None:
        floor = await lost_and_left(tmp_path)
        command = asked(floor)
        assert (command.table, command.session, command.amount) == ("T1", "T1-1@1", OWED)
        for other in (OWED - 100, OWED + 100):
            assert await refused(floor, replace(command, amount=other)) == "UNCLAIMED_CHANGED"
        assert await refused(floor, replace(command, in_chips=True)) == "UNCLAIMED_CHANGED"
        paid = await floor.both(CAGE, CASHIER, command, SUPERVISOR)
        assert isinstance(paid.events[-1], UnclaimedPaid)
        await floor.venue.transfers.settled()
        table, cage = floor.venue.table("T1"), floor.venue.cage
        assert (table.unclaimed, cage.claims_open) == ({}, {})
        assert -cage.ledger.balance(CASH) == 295_000
        # The money in transit adds up to nothing over both streams' books.
        assert table.ledger.total("transit:") + cage.ledger.total("transit:") == 0
        assert await refused(floor, command) == "UNCLAIMED_IS_PAID"
        again = found(floor, code_of(floor))
        assert isinstance(again, Refusal)
        assert again.code == "UNCLAIMED_IS_PAID"
        await floor.venue.stop()

    run(test())


def test_a_code_that_nothing_is_owed_for_is_told_from_one_that_is_nobodys(tmp_path: Path) -> None:
    async def test() -> None:
        floor = await lost_and_left(tmp_path)
        codes = {
            code_of(floor, "T1-2@1"): "NOTHING_UNCLAIMED",
            code_of(floor, "T1-1@2"): "UNKNOWN_UNCLAIMED",
            "0" * 16: "UNKNOWN_UNCLAIMED",
            "0" * 15 + "1": "NO_SESSION_CODE",
            "": "NO_SESSION_CODE",
        }
        for code, why in codes.items():
            answer = found(floor, code)
            assert isinstance(answer, Refusal)
            assert answer.code == why
        strange = replace(
            asked(floor), table="T9", code=session_code(floor.venue.cage.key, "T9", "T1-1@1")
        )
        assert await refused(floor, strange) == "TABLE_SUSPENDED"
        nothing = PayUnclaimed(code_of(floor, "T1-2@1"), "T1", "T1-2@1", 100)
        assert await refused(floor, nothing) == "NOTHING_UNCLAIMED"
        await floor.venue.stop()

    run(test())


def test_what_changed_before_the_second_person_agreed_is_not_paid(tmp_path: Path) -> None:
    """The round is corrected to a win, 10,000 is owed and requested, and the win is taken back."""

    async def test() -> None:
        floor = await lost_and_left(tmp_path, void=False)
        await floor.both("table/T1", SUPERVISOR, CorrectSettledRound(1, (4, 5, 6), "seen"), PIT)
        command = asked(floor)
        assert command.amount == 10_000
        waits = await floor.do(CAGE, CASHIER, command)
        requested = waits.events[-1]
        assert isinstance(requested, ApprovalRequested)
        await floor.both("table/T1", SUPERVISOR, CorrectSettledRound(1, (1, 2, 3), "no"), PIT)
        answer = await floor.send(CAGE, SUPERVISOR, Approve(requested.pending, waits.last))
        assert isinstance(answer, Refusal)
        assert answer.code == "NOTHING_UNCLAIMED"
        await floor.venue.stop()

    run(test())


def test_a_table_that_is_suspended_lets_go_of_it_when_it_is_back(tmp_path: Path) -> None:
    async def test() -> None:
        floor = await lost_and_left(tmp_path)
        command, venue = asked(floor), floor.venue
        let_go = venue.transfers.release

        def suspended_first(transit: str, paid: Delivery) -> None:
            venue.transfers.release = let_go  # type: ignore[method-assign]
            venue.writer("table/T1").suspend("for a trial")
            let_go(transit, paid)

        venue.transfers.release = suspended_first  # type: ignore[method-assign]
        await floor.both(CAGE, CASHIER, command, SUPERVISOR)
        await until(lambda: venue.writer("table/T1").suspended is not None)
        await asyncio.sleep(10 * SOON_SECONDS)
        assert await refused(floor, command) == "UNCLAIMED_IS_PAID"
        assert await venue.resume("table/T1") is None
        await until(lambda: not venue.cage.claims_open)
        assert venue.table("T1").unclaimed == {}
        await venue.stop()

    run(test())


def test_a_restart_between_paying_and_letting_go_pays_nothing_twice(tmp_path: Path) -> None:
    async def test() -> None:
        floor = await lost_and_left(tmp_path)
        command, venue = asked(floor), floor.venue
        # The carrier never answers again, as if the process had died.
        venue.transfers.release = lambda *_: None  # type: ignore[method-assign]
        await floor.both(CAGE, CASHIER, command, SUPERVISOR)
        assert (len(venue.cage.claims_open), venue.table("T1").unclaimed) == (1, {"T1-1@1": OWED})
        venue_keys = venue._keys
        await venue.stop()
        after = await Floor.open(tmp_path / "journal", venue_keys)
        assert after.venue.cage.claims_open
        assert await refused(after, command) == "UNCLAIMED_IS_PAID"
        await until(lambda: not after.venue.cage.claims_open)
        assert after.venue.table("T1").unclaimed == {}
        assert -after.venue.cage.ledger.balance(CASH) == 295_000
        assert await refused(after, command) == "UNCLAIMED_IS_PAID"
        await after.venue.stop()

    run(test())

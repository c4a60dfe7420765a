"""What a journal in trouble puts off is taken up again, and nothing before it is durable."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from taisai.core.kernel.messages import Actor, Equipment
from taisai.core.rules.reason import Refusal
from taisai.core.table.positions import CashOut
from taisai.core.table.round import CloseBets, OpenBets
from taisai.core.table.state import Phase
from taisai.runtime import runtime as venues
from taisai.runtime.answers import Registered
from taisai.runtime.journal import group_commit as committing
from taisai.runtime.journal import watch
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.keys.signing import VenueKeys
from tests.kit.floor import Floor, keys, run, until
from tests.kit.people import DEALER
from tests.runtime.failing_journals import DeafJournal

SOON_SECONDS = 0.005


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a venue take up soon what was put off."""
    monkeypatch.setattr(venues, "RETRY_SECONDS", SOON_SECONDS)
    monkeypatch.setattr(committing, "READ_BACK_SECONDS", 0.0)


async def opened(path: Path, venue_keys: VenueKeys, deaf_to: str | None = None) -> Floor:
    """Open a venue on a journal that may be deaf from the start."""
    journal = DeafJournal(await SqliteJournal.open(path / "journal"))
    if deaf_to is not None:
        journal.deaf_to.append(deaf_to)
    return await Floor.open(journal, venue_keys)


def journal_of(floor: Floor) -> DeafJournal:
    journal = floor.venue.journal
    assert isinstance(journal, DeafJournal)
    return journal


@asynccontextmanager
async def betting(path: Path, tumbler: str = "keyed") -> AsyncIterator[tuple[Floor, DeafJournal]]:
    """Open a venue with two tables that take bets."""
    floor = await opened(path, keys())
    await floor.found()
    for table in ("T1", "T2"):
        equipment = Equipment(tumbler)  # type: ignore[arg-type]
        await floor.do(await floor.add_table(table, equipment=equipment), DEALER, OpenBets())
    yield floor, journal_of(floor)
    await floor.venue.stop()


def cash_out(floor: Floor) -> "asyncio.Task[object]":
    sent = floor.send("table/T1", Actor("T1-1", "terminal"), CashOut("T1-1"))
    return asyncio.ensure_future(sent)


def test_money_is_not_carried_before_it_is_durable_that_it_left(tmp_path: Path) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            cage = floor.venue.writer("cage")
            before = cage.head
            journal.gate.clear()
            leaving = cash_out(floor)
            await until(lambda: bool(floor.venue.table("T1").transits_open))
            await asyncio.sleep(10 * SOON_SECONDS)
            # The table's state is ahead of the disk; the cage does not know of it yet.
            assert cage.head == before
            journal.gate.set()
            assert isinstance(await leaving, Registered)
            await until(lambda: not floor.venue.table("T1").transits_open)
            assert cage.head.version == before.version + 1

    run(test())


def test_a_cage_that_is_resumed_is_brought_nothing_that_is_not_durable(tmp_path: Path) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            cage = floor.venue.writer("cage")
            before = cage.head
            cage.suspend("for a trial")
            journal.opening.clear()
            resuming = asyncio.ensure_future(floor.venue.resume("cage"))
            await asyncio.sleep(0)
            journal.gate.clear()
            leaving = cash_out(floor)
            await until(lambda: bool(floor.venue.table("T1").transits_open))
            journal.opening.set()
            assert await resuming is None
            await asyncio.sleep(10 * SOON_SECONDS)
            assert cage.head == before
            journal.gate.set()
            assert isinstance(await leaving, Registered)
            await until(lambda: not floor.venue.table("T1").transits_open)
            assert cage.head.version == before.version + 1

    run(test())


def test_money_that_was_put_off_arrives_without_anybody_asking(tmp_path: Path) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            journal.deaf_to += ["system/carrier", "system/carrier"]
            assert isinstance(await cash_out(floor), Registered)
            assert floor.venue.table("T1").transits_open
            await until(lambda: not floor.venue.table("T1").transits_open)
            assert not journal.deaf_to
            assert [each.value for each in floor.venue.cage.outstanding.values()] == [100_000]

    run(test())


def test_a_device_that_was_put_off_draws_without_anybody_asking(tmp_path: Path) -> None:
    async def test() -> None:
        async with betting(tmp_path, "simulated") as (floor, journal):
            journal.deaf_to.append("device/tumbler-T1")
            await floor.do("table/T1", DEALER, CloseBets(bell=True))
            await until(lambda: floor.venue.table("T1").phase is Phase.RESULT)
            assert not journal.deaf_to
            assert floor.venue.suspended() == {}

    run(test())


def test_a_round_whose_interruption_cannot_be_recorded_stays_shut(tmp_path: Path) -> None:
    async def test() -> None:
        venue_keys = keys()
        floor = await opened(tmp_path, venue_keys)
        await floor.found()
        stream = await floor.add_table()
        await floor.do(stream, DEALER, OpenBets())
        await floor.venue.journal.close()
        floor = await opened(tmp_path, venue_keys, deaf_to="system/host")
        assert floor.venue.table("T1").phase is Phase.BETTING
        assert "interruption could not be recorded" in floor.venue.suspended()[stream]
        bet = await floor.bet("T1", "T1-1", "small", 500)
        assert isinstance(bet, Refusal)
        assert bet.code == "TABLE_SUSPENDED"
        assert await floor.venue.resume(stream) is None
        assert floor.venue.table("T1").phase is Phase.READY
        await floor.venue.stop()

    run(test())


def test_a_round_whose_interruption_could_not_be_looked_up_goes_on_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "RESUME_SECONDS", SOON_SECONDS)
    monkeypatch.setattr(watch, "LOOK_SECONDS", 0.0)

    async def test() -> None:
        venue_keys = keys()
        floor = await opened(tmp_path, venue_keys)
        await floor.found()
        await floor.do(await floor.add_table(), DEALER, OpenBets())
        await floor.venue.journal.close()
        floor = await opened(tmp_path, venue_keys, deaf_to="system/host")
        assert floor.venue.suspended()
        await until(lambda: floor.venue.table("T1").phase is Phase.READY)
        assert floor.venue.suspended() == {}
        await floor.venue.stop()

    run(test())


def test_nothing_is_taken_at_a_resumed_table_before_its_round_is_ruled_on(tmp_path: Path) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            floor.venue.writer("table/T1").suspend("for a trial")
            journal.gate.clear()
            journal.arrived.clear()
            resuming = asyncio.ensure_future(floor.venue.resume("table/T1"))
            # The ruling is on its way to disk.
            await journal.arrived.wait()
            assert floor.venue.suspended() == {}
            late = await floor.bet("T1", "T1-1", "small", 500)
            assert isinstance(late, Refusal)
            assert late.code == "TABLE_SUSPENDED"
            journal.gate.set()
            assert await resuming is None
            assert floor.venue.table("T1").phase is Phase.READY

    run(test())


def test_a_resumption_that_cannot_be_ruled_on_says_so(tmp_path: Path) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            floor.venue.writer("table/T1").suspend("for a trial")
            journal.deaf_to.append("system/host")
            assert "could not be recorded" in (await floor.venue.resume("table/T1") or "")
            assert await floor.venue.resume("table/T1") is None

    run(test())


def test_a_table_that_is_resumed_holds_up_no_other(tmp_path: Path) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, _):
            for _ in range(5):
                floor.venue.writer("table/T2").suspend("for a trial")
                resuming = asyncio.ensure_future(floor.venue.resume("table/T2"))
                while not resuming.done():
                    answer = await floor.bet("T1", "T1-1", "small", 100)
                    assert isinstance(answer, Registered), answer
                assert await resuming is None
            assert floor.venue.suspended() == {}

    run(test())


def test_a_checkpoint_for_itself_and_one_of_a_batch_have_numbers_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            monkeypatch.setattr(committing, "CHECKPOINT_EVERY", 1)
            journal.gate.clear()
            journal.arrived.clear()
            signing = asyncio.ensure_future(floor.venue.committer.checkpoint())
            await journal.arrived.wait()
            bet = asyncio.ensure_future(floor.bet("T1", "T1-1", "small", 500))
            await until(lambda: floor.venue.table("T1").live == 500)
            journal.gate.set()
            await signing
            assert isinstance(await bet, Registered)
            assert floor.venue.suspended() == {}

    run(test())


def test_a_checkpoint_in_doubt_is_looked_for_when_a_table_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            monkeypatch.setattr(committing, "CHECKPOINT_EVERY", 1)
            journal.lose_answer, journal.reopen_failures = True, committing.READ_BACK_TRIES
            answer = await floor.bet("T1", "T1-1", "small", 500)
            assert isinstance(answer, Refusal)
            assert answer.code == "RETRY"
            assert await floor.venue.resume("table/T1") is None
            assert isinstance(await floor.bet("T2", "T2-1", "small", 500), Registered)
            numbers = [each.number for each in await journal.checkpoints()]
            assert numbers == list(range(1, len(numbers) + 1))

    run(test())

"""Streams suspended because the journal was away go on by themselves, and no others do.

Meanwhile the readiness check says within two seconds that the venue is not ready.
"""

import asyncio
import importlib.util
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from taisai.core.rules.reason import Refusal
from taisai.core.table.round import OpenBets
from taisai.core.table.state import Phase
from taisai.runtime.interruption import rule_on_interruption
from taisai.runtime.journal import watch
from taisai.runtime.journal.contract import (
    Journal,
    JournalError,
    NothingWrittenError,
    OutcomeUnknownError,
)
from taisai.runtime.journal.group_commit import READ_BACK_SECONDS_MAX
from taisai.runtime.journal.postgres import RECONNECT_SECONDS, PostgresJournal
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.writer import Writer
from tests.contract.journals import outsider
from tests.faults.disk import Act, Disk
from tests.faults.failing_over.pair import SOCKET
from tests.kit.floor import Floor, keys, until
from tests.kit.paths import Path as Path_
from tests.kit.people import DEALER
from tests.kit.timeouts import TIMEOUT_SECONDS
from tests.postgres import Server, empty, own_server
from tests.runtime.failing_journals import FailingJournal

RESUME_SECONDS = 0.05
#: How soon tables go on after the journal is back.
PROMISED_SECONDS = 2.0
#: How soon the readiness check answers, whatever hangs.
NOT_READY_SECONDS = 2.0


@pytest.fixture(autouse=True)
def resuming(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the venue watch itself, as it does outside tests."""
    monkeypatch.setattr(watch, "RESUME_SECONDS", RESUME_SECONDS)
    monkeypatch.setattr(watch, "LOOK_SECONDS", 0.0)


@pytest.fixture(scope="module")
def own() -> Iterator[Server]:
    """Give a server that may be stopped."""
    with own_server() as server:
        yield server


@pytest.fixture
def server(own: Server) -> Server:
    """Give that server, running and empty."""
    if not own.is_running():
        own.start()
    empty(own.url)
    return own


@asynccontextmanager
async def betting(journal: Journal) -> AsyncIterator[Floor]:
    """Open a venue with a table that takes bets."""
    floor = await Floor.open(journal, keys())
    await floor.found()
    await floor.do(await floor.add_table("T1"), DEALER, OpenBets())
    yield floor
    await floor.venue.stop()


async def bet(floor: Floor) -> str:
    """Bet; gives the code of the answer."""
    answer = await floor.bet("T1", "T1-1", "small", 500)
    return answer.code if isinstance(answer, Refusal) else "registered"


async def goes_on(floor: Floor) -> bool:
    """Say whether the next round can be bet on, once the interrupted one has been ruled on."""
    await until(lambda: floor.venue.writer("table/T1").only is None)
    await floor.do("table/T1", DEALER, OpenBets())
    return await bet(floor) == "registered"


def test_a_database_that_is_stopped_and_started_is_gone_on_with(server: Server) -> None:
    async def test() -> None:
        async with betting(await PostgresJournal.open(server.url)) as floor:
            venue = floor.venue
            assert await venue.watch.look() is None
            # So that a bet is decided, and not already put off because its id cannot be looked up.
            venue.writer("table/T1").known.floor = 0
            await asyncio.to_thread(server.stop)
            began = time.monotonic()
            assert await venue.watch.look() is not None
            assert time.monotonic() - began < NOT_READY_SECONDS
            assert await bet(floor) == "RETRY"
            assert "table/T1" in venue.suspended()
            await asyncio.to_thread(server.start)
            await until(lambda: not venue.suspended())
            assert await venue.watch.look() is None
            assert await goes_on(floor)

    asyncio.run(test())


def test_a_database_that_could_not_be_reached_again_is_reached_in_the_end(server: Server) -> None:
    async def test() -> None:
        journal = await PostgresJournal.open(server.url)
        async with betting(journal) as floor:
            await asyncio.to_thread(server.stop)
            with pytest.raises(JournalError):
                await journal.reopen()
            await asyncio.to_thread(server.start)
            # Nobody bets, and nothing is suspended.
            assert not floor.venue.suspended()
            await until(lambda: journal.is_open)
            assert await bet(floor) == "registered"

    asyncio.run(test())


def test_a_batch_that_hangs_is_not_ready_for_long(server: Server) -> None:
    async def test() -> None:
        async with (
            betting(await PostgresJournal.open(server.url)) as floor,
            outsider(server.url) as other,
        ):
            # Batches wait, while everything else is answered as always.
            await other.execute("BEGIN; LOCK TABLE taisai.events IN SHARE MODE")
            asked = asyncio.create_task(bet(floor))
            began = time.monotonic()
            await until(lambda: floor.venue.watch.trouble is not None)
            assert "a batch has been under way" in (await floor.venue.watch.look() or "")
            assert time.monotonic() - began < NOT_READY_SECONDS + 1
            await other.execute("COMMIT")
            assert await asked == "registered"
            await until(lambda: floor.venue.watch.trouble is None)

    asyncio.run(test())


@pytest.mark.parametrize("trouble", ["full", "sync"])
def test_a_disk_that_is_mended_is_gone_on_with(trouble: str, tmp_path: Path) -> None:
    async def test(disk: Disk) -> None:
        journal = await SqliteJournal.open(disk.directory / "journal", vfs=disk.name)
        async with betting(journal) as floor:
            venue = floor.venue
            if trouble == "full":
                disk.room = 0
            else:
                disk.fail(act=Act.SYNC, lasting=True)
            assert await venue.watch.look() is not None
            async with asyncio.timeout(TIMEOUT_SECONDS):
                while not venue.suspended():
                    # An id that cannot be looked up while the journal is reopened suspends nothing.
                    assert await bet(floor) == "RETRY"
            disk.mend()
            await until(lambda: not venue.suspended())
            assert await venue.watch.look() is None
            assert await goes_on(floor)

    (tmp_path / "disk").mkdir()
    with Disk(tmp_path / "disk") as disk:
        asyncio.run(test(disk))


def test_what_is_suspended_for_another_cause_waits_for_a_person(tmp_path: Path) -> None:
    async def test() -> None:
        journal = FailingJournal(await SqliteJournal.open(tmp_path / "journal"))
        async with betting(journal) as floor:
            venue = floor.venue
            await floor.add_table("T2")
            venue.writer("table/T2").suspend("it was found to be unsound")
            journal.failures = [OutcomeUnknownError("the line went dead")]
            assert await bet(floor) == "RETRY"
            await until(lambda: "table/T1" not in venue.suspended())
            assert [*venue.suspended()] == ["table/T2"]
            # A suspension that passes by itself does not end one that does not.
            venue.writer("table/T1").suspend("the journal is away", passing=True)
            venue.writer("table/T1").suspend("it was found to be unsound")
            assert not venue.writer("table/T1").passing
            assert await venue.resume("table/T1") is None

    asyncio.run(test())


def test_a_table_whose_round_cannot_be_ruled_on_is_suspended_and_no_other_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its round would go on as if nothing had interrupted it."""

    async def test() -> None:
        async with betting(await SqliteJournal.open(tmp_path / "journal")) as floor:
            venue = floor.venue
            await floor.do(await floor.add_table("T2"), DEALER, OpenBets())

            async def trip(writer: Writer) -> str | None:
                if writer.stream == "table/T1":
                    raise MemoryError("once")
                return await rule_on_interruption(writer)

            with monkeypatch.context() as patch:
                patch.setattr("taisai.runtime.runtime.rule_on_interruption", trip)
                for stream in ("table/T1", "table/T2"):
                    venue.writer(stream).suspend("the journal is out of reach", passing=True)
                await until(lambda: venue.table("T2").phase is Phase.READY)
            assert venue.suspended() == {"table/T1": "a fault of ours: MemoryError: once"}
            assert not venue.writer("table/T1").passing
            assert await bet(floor) == "TABLE_SUSPENDED"
            # The watch goes on, and a person resumes the table.
            venue.writer("table/T2").suspend("the journal is out of reach", passing=True)
            await until(lambda: "table/T2" not in venue.suspended())
            assert await venue.resume("table/T1") is None
            assert await goes_on(floor)

    asyncio.run(test())


def test_a_stream_that_a_fault_keeps_from_being_read_back_waits_for_a_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def trip(*_: object) -> None:
        raise MemoryError("once")

    async def test() -> None:
        async with betting(await SqliteJournal.open(tmp_path / "journal")) as floor:
            venue, why = floor.venue, "a fault of ours: MemoryError: once"
            with monkeypatch.context() as patch:
                patch.setattr(venue, "_read_again", trip)
                venue.writer("table/T1").suspend("the journal is out of reach", passing=True)
                await until(lambda: venue.suspended() == {"table/T1": why})
            assert not venue.writer("table/T1").passing
            assert await venue.resume("table/T1") is None
            assert await goes_on(floor)

    asyncio.run(test())


def test_a_fault_in_looking_after_the_journal_does_not_end_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        async with betting(await SqliteJournal.open(tmp_path / "journal")) as floor:
            venue = floor.venue
            reopen, tries = venue.committer._reopen, 0

            async def trip() -> None:
                nonlocal tries
                tries += 1
                if tries == 1:
                    raise MemoryError("once")
                await reopen()

            monkeypatch.setattr(venue.committer, "_reopen", trip)
            venue.watch.fresh = False
            venue.writer("table/T1").suspend("the journal is out of reach", passing=True)
            await until(lambda: not venue.suspended())
            assert await goes_on(floor)

    asyncio.run(test())
    assert "the journal cannot be looked after: a fault of ours" in caplog.text


def test_what_was_interrupted_goes_on_with_the_journal_as_it_was_opened_to_read_back(
    tmp_path: Path,
) -> None:
    async def test() -> None:
        journal = FailingJournal(await SqliteJournal.open(tmp_path / "journal"))
        async with betting(journal) as floor:
            journal.failures = [OutcomeUnknownError("the line went dead")]
            assert await bet(floor) == "RETRY"
            assert floor.venue.suspended()
            assert journal.reopened == 1, "to find out what became of the batch"
            await until(lambda: not floor.venue.suspended())
            assert journal.reopened == 1, "and it was found to work since"
            assert await goes_on(floor)

    asyncio.run(test())


def test_what_could_not_be_written_has_the_journal_opened_afresh_before_it_goes_on(
    tmp_path: Path,
) -> None:
    async def test() -> None:
        journal = FailingJournal(await SqliteJournal.open(tmp_path / "journal"))
        async with betting(journal) as floor:
            journal.failures = [NothingWrittenError("the disk does not answer")]
            assert await bet(floor) == "RETRY"
            assert journal.reopened == 0
            await until(lambda: not floor.venue.suspended())
            assert journal.reopened == 1
            assert await goes_on(floor)

    asyncio.run(test())


def test_the_longest_that_goes_by_until_a_journal_is_found_to_be_back() -> None:
    # In tests the watch hardly ever looks; this is the real one.
    shipped = importlib.util.find_spec("taisai.runtime.journal.watch")
    assert shipped is not None
    assert shipped.loader is not None
    as_shipped = importlib.util.module_from_spec(shipped)
    shipped.loader.exec_module(as_shipped)
    # The last try fails, and the next begins and is answered.
    assert as_shipped.RESUME_SECONDS + RECONNECT_SECONDS < PROMISED_SECONDS
    assert READ_BACK_SECONDS_MAX + RECONNECT_SECONDS < PROMISED_SECONDS
    # The readiness check gives no older answer, and does not wait longer.
    assert as_shipped.LOOK_SECONDS + as_shipped.ANSWER_SECONDS < PROMISED_SECONDS


def test_a_path_that_dies_ends_the_connection(server: Server) -> None:
    async def test() -> None:
        through = Path_(server.home / SOCKET)
        await through.open()
        url = f"postgresql://postgres@127.0.0.1:{through.port}/postgres"
        journal = await PostgresJournal.open(url)
        try:
            await journal.probe()
            lines = [journal._writer.connection, journal._prober] if journal._writer else []
            for each in lines:
                assert each is not None
                line = each._transport.get_extra_info("socket")  # type: ignore[attr-defined]
                dead = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
                idle, between, count = (
                    line.getsockopt(socket.IPPROTO_TCP, option)
                    for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
                )
                assert line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
                # Far below the twenty seconds that a batch may take.
                assert dead == 3_000
                assert idle + between * count <= 4
            assert len(lines) == 2
        finally:
            await journal.close()
            await through.close()

    asyncio.run(test())


def test_a_journal_that_is_away_for_long_is_asked_again_and_again(tmp_path: Path) -> None:
    async def test() -> None:
        journal = FailingJournal(await SqliteJournal.open(tmp_path / "journal"))
        async with betting(journal) as floor:
            journal.failures = [OutcomeUnknownError("the line went dead")]
            journal.reopen_failures = 12
            assert await bet(floor) == "RETRY"
            await until(lambda: not floor.venue.suspended())
            assert not journal.reopen_failures
            codes = [each.code for each in floor.venue.announcements]
            assert codes.count("suspended") == codes.count("resumed") == 1
            assert await goes_on(floor)

    asyncio.run(test())


def test_a_venue_whose_journal_was_taken_over_is_suspended_and_stays_so(server: Server) -> None:
    async def test() -> None:
        journal = await PostgresJournal.open(server.url, node="here:/venue")
        async with betting(journal) as floor:
            venue = floor.venue
            taking = await PostgresJournal.open(server.url)
            await taking.take_over()
            await taking.close()
            await until(lambda: len(venue.suspended()) == 3)
            assert all("taken over" in why for why in venue.suspended().values())
            assert not any(venue.writer(each).passing for each in venue.suspended())
            assert await bet(floor) == "TABLE_SUSPENDED"
            with pytest.raises(JournalError, match="taken over"):
                await journal.reopen()

    asyncio.run(test())

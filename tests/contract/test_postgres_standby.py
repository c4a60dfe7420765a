"""With a synchronous standby, every durable batch is also on the standby: it survives a failover.

Two real servers, and paths to them that are cut.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from taisai.runtime.journal import postgres
from taisai.runtime.journal.contract import Append, JournalError, Outcome, OutcomeUnknownError
from taisai.runtime.journal.postgres import PostgresJournal
from taisai.runtime.journal.watch import Watch
from tests.contract.journals import adding, everything, head_after
from tests.faults.failing_over.pair import Pair, pair

DURABLE = Outcome.DURABLE
TIMEOUT_SECONDS = 30.0


async def until(look: Callable[[], Awaitable[Any]]) -> None:
    """Poll until a condition is true; every look asks a server, which takes its time."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while not await look():
            pass


@asynccontextmanager
async def waiting_batch(
    servers: Pair, journal: PostgresJournal, append: Append
) -> AsyncIterator["asyncio.Task[list[Outcome]]"]:
    """Write a batch that the standby does not receive, and wait until the server waits for it."""
    servers.first.to_standby.cut()
    writing = asyncio.create_task(journal.write([append]))
    await until(servers.waiting)
    yield writing
    servers.first.to_standby.mend()


async def test_what_a_standby_has_not_got_is_durable_to_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(postgres, "BARRIER_SECONDS", 0.2, raising=False)
    async with pair() as servers:
        # To create two servers takes longer than all tests of them.
        await break_off_the_wait(servers, "cancel")
        await break_off_the_wait(servers, "terminate")
        await fail_over_and_go_on(servers)


async def break_off_the_wait(servers: Pair, end: str) -> None:
    """Break off a batch's wait for the standby: it is not reported as durable."""
    append = adding(f"table/{end}", b"one")
    journal = await PostgresJournal.open(servers.url)
    async with waiting_batch(servers, journal, append) as writing:
        [(pid, _)] = await servers.waiting()
        await servers.first.ask(f"SELECT pg_{end}_backend($1)", pid)
        with pytest.raises(OutcomeUnknownError):
            await writing
        # The first server shows it by now, and its standby has not received it.
        shown = "SELECT count(*) FROM taisai.events WHERE stream = $1"
        assert await servers.first.ask(shown, append.stream) == 1
        with pytest.raises(JournalError, match="standby has not got"):
            await journal.reopen()
        with pytest.raises(JournalError):
            await journal.heads()
        with pytest.raises(JournalError, match="standby has not got"):
            await PostgresJournal.open(servers.url)
        # A probe of the journal fails at once, and does not wait.
        assert await Watch(journal, journal.reopen).look() is not None
    await journal.reopen()
    assert await everything(journal, append.stream) == append.records
    await journal.close()


def journal_url(servers: Pair) -> str:
    """Name both servers."""
    named = ",".join(
        f"127.0.0.1:{node.to_standby.port}" for node in (servers.first, servers.standby)
    )
    return f"postgresql://postgres@{named}/postgres"


async def fail_over_and_go_on(servers: Pair) -> None:
    """Name both servers: the promoted one is found, with everything that was durable."""
    journal = await PostgresJournal.open(journal_url(servers))
    # They write nothing, as an office does most of the time.
    read = await PostgresJournal.open(journal_url(servers))
    watched = await PostgresJournal.open(journal_url(servers))
    before = await journal.heads()
    ends = [has_ended(each) for each in (journal, read, watched)]
    await servers.fail_over()
    for ended in ends:
        await asyncio.wait_for(ended.wait(), TIMEOUT_SECONDS)
    append = adding("venue", b"two")
    assert await journal.write([append]) == [DURABLE]
    assert await journal.heads() == {**before, "venue": head_after(append)}
    for idle, look in ((read, read.heads()), (watched, watched.probe())):
        await read_without_writing(idle, look)
        assert await idle.heads() == await journal.heads()
    for each in (journal, read, watched):
        await each.close()


def has_ended(journal: PostgresJournal) -> asyncio.Event:
    """Give an event that is set when the connection that writes has ended."""
    ended = asyncio.Event()
    assert journal._writer is not None
    journal._writer.connection.add_termination_listener(lambda _: ended.set())
    return ended


async def read_without_writing(journal: PostgresJournal, look: Awaitable[object]) -> None:
    """Notice by reading alone that the server is gone, and read at the promoted one."""
    with pytest.raises(JournalError):
        await look
    # So a reader then reopens it, as `Watch` does, and a node that follows.
    assert not journal.is_open
    await journal.reopen()

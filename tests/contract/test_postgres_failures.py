"""What a PostgreSQL server can do to a batch, and what the journal reports of it.

The connection that writes is ended from outside, or the server crashes, refuses or keeps it
waiting: a batch reported as durable is there, one reported as not durable is not, and an unknown
outcome is known after reopening.
"""

import asyncio
import json
import os
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from taisai.runtime.journal import postgres
from taisai.runtime.journal import postgres_queries as statements
from taisai.runtime.journal.contract import (
    Append,
    Head,
    JournalError,
    NothingWrittenError,
    Outcome,
    OutcomeUnknownError,
)
from taisai.runtime.journal.postgres import PostgresJournal
from tests.contract.journals import (
    NOON,
    adding,
    answered,
    beginning,
    chain_holds,
    checkpoint_of,
    everything,
    following,
    head_after,
    outsider,
    within,
)
from tests.postgres import Server, own_server

DURABLE, CONFLICT = Outcome.DURABLE, Outcome.CONFLICT
#: Longer than anything here takes on a busy machine.
TIMEOUT_SECONDS = 30.0


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Give a server that may be crashed."""
    with own_server() as own:
        yield own


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[PostgresJournal]:
    """Open a journal, and close it at the end."""
    journal = await PostgresJournal.open(url)
    try:
        yield journal
    finally:
        await journal.close()


def writing_connection(journal: PostgresJournal) -> "asyncpg.Connection[asyncpg.Record]":
    """Give the connection that a journal writes with."""
    assert journal._writer is not None
    return journal._writer.connection


async def until(look: Callable[[], Awaitable[Any]]) -> None:
    """Poll until a condition is true; every look asks a server, which takes its time."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while not await look():
            pass


HOLD = """
CREATE FUNCTION taisai.hold() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN PERFORM pg_advisory_xact_lock_shared(7); RETURN NULL; END $$;
CREATE TRIGGER hold BEFORE INSERT ON taisai.events EXECUTE FUNCTION taisai.hold();
"""


@asynccontextmanager
async def writes_held(url: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """Hold up all writes meanwhile: a writer is inside its statement, and waits."""
    async with outsider(url) as connection:
        await connection.execute(HOLD)
        await connection.execute("SELECT pg_advisory_lock(7)")
        yield connection


async def someone_waits(connection: "asyncpg.Connection[asyncpg.Record]") -> bool:
    """Say whether a write is waiting."""
    waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    return bool(await connection.fetchval(waiting))


async def end_backend(url: str, pid: int) -> None:
    """End a server process from outside, and wait until it is gone."""
    async with outsider(url) as connection:
        assert await connection.fetchval("SELECT pg_terminate_backend($1, 10000)", pid)


# --- the connection is lost ------------------------------------------------------------------


async def test_a_connection_lost_between_batches_is_made_anew(postgres_url: str) -> None:
    append = adding("cage", b"one")
    async with opened(postgres_url) as journal:
        lost = asyncio.Event()
        writing_connection(journal).add_termination_listener(lambda _: lost.set())
        await end_backend(postgres_url, writing_connection(journal).get_server_pid())
        await within(TIMEOUT_SECONDS, lost)
        assert await journal.write([append]) == [DURABLE]
        assert await everything(journal, "cage") == append.records


async def test_a_connection_lost_unnoticed_leaves_the_outcome_unknown(postgres_url: str) -> None:
    append = adding("cage", b"one")
    async with opened(postgres_url) as journal:
        pid = writing_connection(journal).get_server_pid()
        ending = threading.Thread(target=lambda: asyncio.run(end_backend(postgres_url, pid)))
        ending.start()
        # The loop stands still meanwhile, so that nothing is noticed before the batch is sent.
        ending.join()
        with pytest.raises(OutcomeUnknownError):
            await journal.write([append])
        await journal.reopen()
        assert await journal.heads() == {}
        assert await journal.write([append]) == [DURABLE]


async def test_a_connection_ended_inside_a_write_leaves_the_outcome_unknown(
    postgres_url: str,
) -> None:
    append = adding("cage", b"one", commands=[answered("cage", "press")])
    async with opened(postgres_url) as journal:
        async with writes_held(postgres_url) as holding:
            writing = asyncio.create_task(journal.write([append]))
            await until(lambda: someone_waits(holding))
            await end_backend(postgres_url, writing_connection(journal).get_server_pid())
            with pytest.raises(OutcomeUnknownError):
                await writing
        await journal.reopen()
        assert await journal.heads() == {}
        assert await journal.answered("cage", "terminal/7", "press") is None
        assert await journal.write([append]) == [DURABLE]


async def test_what_was_sent_before_reopening_never_arrives_after_it(postgres_url: str) -> None:
    append = adding("cage", b"one")
    async with opened(postgres_url) as journal:
        async with writes_held(postgres_url) as holding:
            writing = asyncio.create_task(journal.write([append]))
            await until(lambda: someone_waits(holding))
            # The network fails: the server's answers are lost, but it goes on with its statement.
            writing_connection(journal).terminate()
            with pytest.raises(OutcomeUnknownError):
                await writing
            assert await someone_waits(holding)
            await journal.reopen()
            assert await journal.heads() == {}
        assert await journal.heads() == {}
        assert await journal.write([append]) == [DURABLE]


async def test_what_the_server_had_not_even_read_never_arrives_after_reopening(
    server: Server,
) -> None:
    append = adding("venue", b"one")
    async with opened(server.url) as journal, outsider(server.url) as looking:
        pid = writing_connection(journal).get_server_pid()
        os.kill(pid, signal.SIGSTOP)
        writing = asyncio.create_task(journal.write([append]))
        # Two questions of another process later, the batch is there before the held one.
        await looking.fetchval("SELECT 1")
        await looking.fetchval("SELECT 1")
        writing_connection(journal).terminate()
        with pytest.raises(OutcomeUnknownError):
            await writing
        reopening = asyncio.create_task(journal.reopen())
        await until(lambda: done_or(reopening, someone_waits(looking)))
        assert not reopening.done()
        os.kill(pid, signal.SIGCONT)
        await reopening
        assert "venue" not in await journal.heads()
        assert await journal.write([append]) == [DURABLE]


async def done_or(task: asyncio.Task[None], otherwise: Awaitable[bool]) -> bool:
    """Say whether a task is done, or a condition is true."""
    return await otherwise or task.done()


async def test_a_connection_that_the_server_still_believes_in_is_ended(postgres_url: str) -> None:
    async with opened(postgres_url) as journal:
        former = writing_connection(journal)
        # As after a network failure that the server has not noticed.
        journal._writer = await journal._connect_writer(postgres_url)
        with pytest.raises((asyncpg.PostgresConnectionError, asyncpg.InterfaceError)):
            await former.fetchval("SELECT 1")
        assert await journal.write([adding("cage", b"one")]) == [DURABLE]


async def test_a_server_that_does_not_answer_leaves_the_outcome_unknown(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = adding("cage", b"one")
    monkeypatch.setattr(postgres, "ANSWER_SECONDS", 0.5)
    async with opened(postgres_url) as journal:
        async with writes_held(postgres_url):
            with pytest.raises(OutcomeUnknownError):
                await journal.write([append])
        await journal.reopen()
        written = "cage" in await journal.heads()
        assert await journal.write([append]) == [CONFLICT if written else DURABLE]


async def test_a_killed_venue_has_finished_before_the_next_one_reads(postgres_url: str) -> None:
    async with opened(postgres_url):
        pass
    late = following(beginning("cage"), "cage", b"on its way when the venue was killed")
    async with outsider(postgres_url) as killed, outsider(postgres_url) as looking:

        async def next_one_waits() -> bool:
            found = "SELECT count(*) FROM pg_stat_activity WHERE query = $1"
            return bool(await looking.fetchval(found, postgres.UNDER_WAY))

        await killed.execute("BEGIN")
        insert = "INSERT INTO taisai.events VALUES ($1, $2, $3, $4, $5, $6, $7)"
        await killed.execute(insert, *late[0])
        opening = asyncio.create_task(PostgresJournal.open(postgres_url))
        await until(next_one_waits)
        assert not opening.done()
        await killed.execute("COMMIT")
        journal = await opening
        assert await everything(journal, "cage") == late
        await journal.close()


async def test_a_venue_is_not_opened_over_a_write_that_does_not_end(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "UNDER_WAY_LOOKS", 2)
    async with opened(postgres_url) as journal, outsider(postgres_url) as other:
        await other.execute("BEGIN; DELETE FROM taisai.events")
        with pytest.raises(JournalError, match="has not finished"):
            await PostgresJournal.open(postgres_url)
        # A connection at work is not disturbed by it.
        assert await journal.write([adding("cage", b"one")]) == [DURABLE]


# --- the server refuses ----------------------------------------------------------------------

REFUSE = """
CREATE FUNCTION taisai.refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device'
  USING ERRCODE = 'disk_full'; END $$;
"""
WHILE_WRITING = "CREATE TRIGGER refuse BEFORE INSERT ON taisai.events EXECUTE FUNCTION"
WHILE_COMMITTING = (
    "CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON taisai.events DEFERRABLE INITIALLY DEFERRED "
    "FOR EACH ROW EXECUTE FUNCTION"
)


@pytest.mark.parametrize("when", [WHILE_WRITING, WHILE_COMMITTING], ids=["writing", "committing"])
async def test_a_full_disk_writes_nothing_and_says_so(postgres_url: str, when: str) -> None:
    append = adding("cage", b"one", commands=[answered("cage", "press")])
    async with opened(postgres_url) as journal, outsider(postgres_url) as server:
        await server.execute(f"{REFUSE} {when} taisai.refuse()")
        with pytest.raises(NothingWrittenError, match="No space left on device"):
            await journal.write([append], checkpoint_of(1))
        assert await journal.answered("cage", "terminal/7", "press") is None
        assert await journal.checkpoints() == []
        await server.execute("DROP TRIGGER refuse ON taisai.events")
        assert await journal.write([append], checkpoint_of(1)) == [DURABLE]


async def test_a_refusal_in_the_middle_of_a_conflict_writes_nothing(postgres_url: str) -> None:
    async with opened(postgres_url) as journal, outsider(postgres_url) as server:
        await journal.write([adding("cage", b"was first")])
        await server.execute(f"{REFUSE} {WHILE_COMMITTING} taisai.refuse()")
        with pytest.raises(NothingWrittenError):
            await journal.write([adding("cage", b"second"), adding("venue", b"one")])
        assert set(await journal.heads()) == {"cage"}


async def test_a_server_that_only_reads_writes_nothing_and_says_so(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = adding("cage", b"one")
    async with opened(postgres_url) as journal:
        with monkeypatch.context() as patch:
            patch.setitem(postgres.SETTINGS, "default_transaction_read_only", "on")
            await journal.reopen()
        with pytest.raises(NothingWrittenError, match="read-only transaction"):
            await journal.write([append])
        await journal.reopen()
        assert await journal.write([append]) == [DURABLE]


async def test_a_write_that_waits_too_long_is_given_up_by_the_server(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(postgres.SETTINGS, "lock_timeout", "100")
    append = adding("cage", b"one")
    async with opened(postgres_url) as journal:
        async with writes_held(postgres_url):
            with pytest.raises(NothingWrittenError, match="lock timeout"):
                await journal.write([append])
        assert await journal.heads() == {}
        assert await journal.write([append]) == [DURABLE]


async def test_what_the_server_cannot_hold_writes_nothing(postgres_url: str) -> None:
    async with opened(postgres_url) as journal:
        for id_ in ("nought \0", "half a letter \ud800"):
            command = answered("cage", "press")._replace(id=id_)
            with pytest.raises(NothingWrittenError):
                await journal.write([adding("cage", b"one", commands=[command])])
        assert await journal.heads() == {}
        assert await journal.write([adding("cage", b"one")]) == [DURABLE]


# --- the server crashes ----------------------------------------------------------------------


@pytest.mark.parametrize("batches", [3, 17, 40])
async def test_what_was_durable_survives_a_crash_of_the_server(
    server: Server, batches: int
) -> None:
    stream = f"table/{batches}"
    async with opened(server.url) as journal:
        durable, doubtful = await write_until_crash(journal, server, stream, batches)
        with pytest.raises(JournalError):
            await journal.reopen()
        with pytest.raises(JournalError):
            await journal.heads()
        server.start()
        await journal.reopen()
        records = await everything(journal, stream)
        assert chain_holds(stream, records)
        head = Head(records[-1].version, records[-1].hash)
        assert head in (head_after(durable), head_after(doubtful))
        further = adding(stream, b"after the crash", after=head)
        assert await journal.write([further]) == [DURABLE]


async def write_until_crash(
    journal: PostgresJournal, server: Server, stream: str, batches: int
) -> tuple[Append, Append]:
    """Write without a pause and crash the server after some batches; give the last two parts."""
    crash = None
    durable = doubtful = adding(stream)
    for number in range(100_000):
        doubtful = adding(stream, b"%d" % number, b"x" * 5_000, after=head_after(durable))
        if number == batches:
            crash = asyncio.create_task(asyncio.to_thread(server.stop, "immediate"))
        try:
            assert await journal.write([doubtful]) == [DURABLE]
        except (OutcomeUnknownError, NothingWrittenError) as error:
            if isinstance(error, NothingWrittenError):
                doubtful = durable
            break
        durable = doubtful
    assert crash is not None
    await crash
    return durable, doubtful


async def test_a_server_that_does_not_sync_is_not_accepted(server: Server) -> None:
    async with outsider(server.url) as outside:
        await outside.execute("ALTER SYSTEM SET fsync = off")
        await outside.execute("SELECT pg_reload_conf()")
        await until(lambda: outside.fetchval("SELECT NOT current_setting('fsync')::boolean"))
        try:
            with pytest.raises(JournalError, match="must run with fsync on"):
                await PostgresJournal.open(server.url)
        finally:
            await outside.execute("ALTER SYSTEM RESET fsync")
            await outside.execute("SELECT pg_reload_conf()")
            await until(lambda: outside.fetchval("SELECT current_setting('fsync')::boolean"))


# --- reads -----------------------------------------------------------------------------------


async def test_heads_are_found_without_reading_the_events(postgres_url: str) -> None:
    appends = [adding(f"table/{n}", *[b"event"] * 2_000) for n in range(3)]
    async with opened(postgres_url) as journal:
        await journal.write(appends)
        assert await journal.heads() == {append.stream: head_after(append) for append in appends}
        assert 3 <= await events_read(journal, statements.ALL_HEADS) <= 10


async def test_a_batch_is_added_without_reading_the_events(postgres_url: str) -> None:
    appends = [adding(f"table/{n}", *[b"event"] * 2_000) for n in range(3)]
    further = [adding(each.stream, b"one more", after=head_after(each)) for each in appends]
    async with opened(postgres_url) as journal:
        # The statement is planned here, while there is nothing to be found.
        await journal.write(appends)
        before = await events_fetched(journal)
        assert await journal.write(further) == [DURABLE] * 3
        assert await events_fetched(journal) - before == 3


async def test_later_ids_are_found_without_reading_the_others(postgres_url: str) -> None:
    commands = [answered("cage", f"{NOON + n}-x", issued=NOON + n) for n in range(2_000)]
    async with opened(postgres_url) as journal:
        await journal.write([adding("cage", commands=commands)])
        assert await journal.issued_after(["cage"], NOON + 1_997) == commands[1_998:]
        # As a text the id of that time comes later too.
        given = f"{NOON + 1_997}", NOON + 1_997, "cage"
        assert await rows_of(journal, "commands", journal._later_than(1), *given) == 3


async def events_fetched(journal: PostgresJournal) -> int:
    """Count the events fetched so far, which the server updates at the end of a transaction."""
    connection = writing_connection(journal)
    await connection.execute("SELECT pg_stat_force_next_flush()")
    fetched = "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables WHERE relname = $1"
    return int(await connection.fetchval(fetched, "events"))


async def events_read(journal: PostgresJournal, sql: str, *given: Any) -> float:
    """Count the events that a statement reads, where the server has no statistics yet."""
    return await rows_of(journal, "events", sql, *given)


async def rows_of(journal: PostgresJournal, table: str, sql: str, *given: Any) -> float:
    """Count the rows of a table that a statement reads."""
    explain = f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}"
    plan = json.loads(await writing_connection(journal).fetchval(explain, *given))
    return sum(rows_read(node, table) for node in nodes_of(plan[0]["Plan"]))


def nodes_of(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Walk through the nodes of a plan."""
    yield node
    for below in node.get("Plans", []):
        yield from nodes_of(below)


def rows_read(node: dict[str, Any], table: str) -> float:
    """Count the rows of a table that a node of a plan has read."""
    if node.get("Relation Name") != table:
        return 0
    removed = float(node.get("Rows Removed by Filter", 0))
    return (float(node["Actual Rows"]) + removed) * float(node["Actual Loops"])

"""The journal in PostgreSQL: a server that several nodes share, or that a venue already trusts.

One connection writes, a few read. A batch is one statement in a transaction of its own, and is
durable when the server says it has committed: `synchronous_commit` is on, and a server that does
not sync at all is not accepted. Connections are direct, or through a pooler that keeps sessions.

If the server has a synchronous standby, a commit waits for that too. When such a wait is broken
off, every client sees the batch on the server, but the standby may not have it, and a failover
would lose it. So on every connection a barrier is written before anything is read back: once it is
committed, everything before it is committed too, on the standby as well.

The tables are in a database schema of their own, `taisai`; the rest of the database is other
people's. Each batch is one statement, so that it costs one round trip and is whole by itself. Rows
are sent whole, in an array: sent as columns, every value of a bet would be converted twice. A bet
and its id are sent as one row, and stored as two.
"""

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, Self, TypeAlias
from urllib.parse import urlsplit, urlunsplit

import asyncpg
from asyncpg.connect_utils import SessionAttribute

from taisai.core.kernel.messages import Instant
from taisai.runtime.journal import lease
from taisai.runtime.journal.contract import (
    PAGE,
    PAGE_BYTES,
    SCHEMA,
    SNAPSHOTS_KEPT,
    Append,
    Checkpoint,
    FencedError,
    Head,
    IdempotencyRecord,
    JournalError,
    NotAJournalError,
    NothingWrittenError,
    Outcome,
    OutcomeUnknownError,
    Record,
    RowJournal,
    Seal,
    Sealing,
    of_those_asked,
    to_seal,
)
from taisai.runtime.journal.lease import END_FORMER, HeldError, Holder, Lease, NodeLeases
from taisai.runtime.journal.location import shown_place
from taisai.runtime.journal.paths import FAILURES, WatchedConnection, failure_of
from taisai.runtime.journal.postgres_queries import (
    ALL_HEADS,
    ANSWERED,
    APPEND,
    APPEND_AND_MARK,
    FORGET,
    HEADS,
    READ,
    RECORDS,
    REGISTER,
    REGISTER_AND_MARK,
)
from taisai.runtime.journal.postgres_schema import (
    BEGIN_ALONE,
    HAS_ANSWERED,
    HAS_JOURNAL,
    HAS_NAMESPACE,
    HAS_REGISTERED,
    HAS_TABLES,
    MAKE_ANSWERED,
    MAKE_NAMESPACE,
    MAKE_REGISTERED,
    MARK_SCHEMA,
    SCHEMA_FOUND,
    TABLES,
)

SYNCS = "SELECT current_setting('fsync')::boolean"

#: A former connection is ended; this lock is free only once its session is over, with whatever
#: outcome.
TAKE_FENCE = "SELECT pg_advisory_lock($1)"
#: Transactions of other connections that are adding events at this moment.
UNDER_WAY = """
SELECT virtualtransaction FROM pg_locks
WHERE relation = 'taisai.events'::regclass AND mode = 'RowExclusiveLock' AND granted
  AND pid <> pg_backend_pid()
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""

#: The time of this moment, not of the transaction's start.
TIME = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
#: Committed like a batch, after every earlier commit; it writes nothing else.
BARRIER = "SELECT pg_logical_emit_message(true, 'taisai', 'barrier')"

#: So many connections read at once; further reads wait.
READERS_MAX = 4
FORGOTTEN_AT_ONCE = 2_000
#: Seconds to connect to the server, to reconnect, and for an answer before it counts as lost.
CONNECT_SECONDS = 10.0
RECONNECT_SECONDS = 1.0
ANSWER_SECONDS = 20.0
#: Seconds a batch may take before the journal counts as not working.
SLOW_SECONDS = 1.0
#: Seconds for the barrier: a standby that has not confirmed it by then is out of reach.
BARRIER_SECONDS = 2.0
#: How often it is checked whether other transactions have ended, and the pause between (10 s).
UNDER_WAY_LOOKS = 1_000
_UNDER_WAY_LOOK_SECONDS = 0.01
#: Seconds to close the connections, at the end and before reconnecting.
_CLOSE_SECONDS = 5.0
_REOPEN_CLOSE_SECONDS = 0.5

#: The server settings of every connection; times in milliseconds, below ANSWER_SECONDS.
SETTINGS = {
    "application_name": "taisai",
    "synchronous_commit": "on",
    "default_transaction_isolation": "read committed",
    "statement_timeout": "10000",
    "lock_timeout": "5000",
    "idle_in_transaction_session_timeout": "10000",
    # Everything is found by its key, in its order. A plan made while the tables were empty is used
    # ever after, and must not read a whole stream first.
    "enable_seqscan": "off",
    "enable_bitmapscan": "off",
    "plan_cache_mode": "force_generic_plan",
    "jit": "off",
}
_READING = {**SETTINGS, "default_transaction_read_only": "on"}

_Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
_Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"
_Statement: TypeAlias = "asyncpg.prepared_stmt.PreparedStatement[asyncpg.Record]"


class _Writer(NamedTuple):
    """The connection that writes, with its prepared statements and the server's warnings."""

    connection: _Connection
    register: _Statement
    register_and_mark: _Statement
    append: _Statement
    append_and_mark: _Statement
    lease: Lease | NodeLeases
    warnings: list[str]


class PostgresJournal(RowJournal):
    """A journal in a PostgreSQL database; made by `open`, which cleans up if it fails."""

    NAMESPACE = "taisai"
    AFTER = "(batch, place) > ($1, $2)"
    ORDER = "batch, place"
    beats = True
    writes_elsewhere = True

    def __init__(self, url: str, *, read_only: bool, lease: Lease | NodeLeases) -> None:
        self.place = shown_place(url)
        #: An address for each server of the URL, the one in use first.
        self._addresses = deque(_each_server(url))
        self._read_only = read_only
        self._connect_seconds = CONNECT_SECONDS
        self._turn = asyncio.Lock()
        #: The lock of the connection that writes, so that the next can tell when it has ended.
        self._fence = secrets.randbits(62)
        self._lease = lease
        self._writer: _Writer | None = None
        self._readers: _Pool | None = None
        #: A connection of its own, so that it need not wait for a write that hangs.
        self._prober: _Connection | None = None
        #: Since when a batch has been under way.
        self._writing_since: float | None = None

    @classmethod
    async def open(
        cls, url: str, *, read_only: bool = False, node: str | NodeLeases | None = None
    ) -> Self:
        """Open a journal, or begin one where there is none; `read_only` never begins one.

        With a name as `node` it is opened for that venue alone, or refused; with leases, by stream.
        """
        held = node if isinstance(node, NodeLeases) else Lease(node)
        journal = cls(url, read_only=read_only, lease=held)
        await journal._connect()
        journal._connect_seconds = RECONNECT_SECONDS
        return journal

    # --- the connections ---------------------------------------------------------------------

    async def _connect(self) -> None:
        """Connect to the first of the named servers that accepts us."""
        complaint: JournalError | None = None
        for _ in range(len(self._addresses)):
            try:
                return await self._connect_to(self._addresses[0])
            except (NotAJournalError, HeldError, FencedError):
                raise
            except JournalError as error:
                complaint = complaint or error
                self._addresses.rotate(-1)
        assert complaint is not None, "at least one server is named"
        raise complaint

    async def _connect_to(self, address: str) -> None:
        try:
            if not self._read_only:
                self._writer = await self._connect_writer(address)
            # To the server that is written to: no other is known to have all events.
            self._readers = await asyncpg.create_pool(
                address,
                min_size=1,
                max_size=READERS_MAX,
                reset=_leave_as_it_is,
                timeout=self._connect_seconds,
                command_timeout=ANSWER_SECONDS,
                connection_class=WatchedConnection,
                server_settings=_READING,
                target_session_attrs=self._server_wanted,
            )
            if self._read_only:
                await self._check_schema(self._readers)
        except (*FAILURES, ValueError) as error:
            await self._let_go()
            raise JournalError(
                f"the journal {self.place} cannot be opened: {_said(error)}"
            ) from error
        except BaseException:
            await self._let_go()
            raise

    @property
    def chain(self) -> int:  # type: ignore[override]  # given by who has it, and never set here
        """The chain that batches written here are sealed in."""
        return self._lease.chain

    @property
    def is_open(self) -> bool:
        """Say whether there are connections, or were when they were last used."""
        return self._readers is not None

    @property
    def _server_wanted(self) -> SessionAttribute:
        """The kind of server needed: a standby will do only for reading alone."""
        return SessionAttribute.any if self._read_only else SessionAttribute.primary

    async def _connect_writer(self, address: str) -> _Writer:
        connection = await asyncpg.connect(
            address,
            timeout=self._connect_seconds,
            command_timeout=ANSWER_SECONDS,
            connection_class=WatchedConnection,
            server_settings=SETTINGS,
            target_session_attrs=self._server_wanted,
        )
        try:
            await self._make_ready(connection)
            writer = _Writer(
                connection,
                await connection.prepare(REGISTER),
                await connection.prepare(REGISTER_AND_MARK),
                await connection.prepare(APPEND),
                await connection.prepare(APPEND_AND_MARK),
                self._lease,
                [],
            )
            connection.add_log_listener(partial(_note_warning, writer.warnings))
            # After preparing, which leaves a transaction open until the next query.
            await self._let_others_finish(connection)
            await self._pass_barrier(writer)
            return writer
        except BaseException:
            connection.terminate()
            raise

    async def _make_ready(self, connection: _Connection) -> None:
        await connection.fetch(END_FORMER, self._fence)
        await connection.fetch(TAKE_FENCE, self._fence)
        if not await connection.fetchval(SYNCS):
            raise JournalError(
                f"the journal {self.place} cannot be opened: the server does not sync what it "
                "commits; it must run with fsync on"
            )
        if self._lease.is_had:
            # Without the lock: a take-over must not wait for a reconnection.
            await self._check_schema(connection)
            await self._lease.beat(connection)
            return
        async with connection.transaction():
            await connection.execute(BEGIN_ALONE)
            await self._begin_or_check(connection)
        await self._lease.watch(connection)
        async with connection.transaction():
            await connection.execute(BEGIN_ALONE)
            former = await self._lease.take(connection, self._fence)
        await connection.fetch(END_FORMER, former)

    async def _let_others_finish(self, connection: _Connection) -> None:
        """Wait for the transactions that a killed venue left under way, so that all are seen."""
        others = await _under_way(connection)
        for _ in range(UNDER_WAY_LOOKS):
            if not others:
                return
            await asyncio.sleep(_UNDER_WAY_LOOK_SECONDS)
            others &= await _under_way(connection)
        raise JournalError(
            f"the journal {self.place} cannot be opened: another connection has been writing to "
            "it all the time, and has not finished"
        )

    async def _pass_barrier(self, writer: _Writer) -> None:
        """Make sure, before any read, that all that was committed is also on the standby."""
        try:
            await writer.connection.fetchval(BARRIER, timeout=BARRIER_SECONDS)
        except TimeoutError:
            writer.warnings.append("its standby has not got what it committed")
        if writer.warnings:
            raise JournalError(
                f"the journal {self.place} cannot be opened: {'; '.join(writer.warnings)}"
            )

    async def _begin_or_check(self, connection: _Connection) -> None:
        if await connection.fetchval(HAS_TABLES):
            await self._check_schema(connection)
        else:
            if not await connection.fetchval(HAS_NAMESPACE):
                await connection.execute(MAKE_NAMESPACE)
            await connection.execute(TABLES)
            await connection.execute(MARK_SCHEMA, SCHEMA)
        for is_made, make in (
            (lease.IS_MADE, lease.MAKE),
            (HAS_ANSWERED, MAKE_ANSWERED),
            (HAS_REGISTERED, MAKE_REGISTERED),
        ):
            if not await connection.fetchval(is_made):
                await connection.execute(make)

    async def _check_schema(self, connection: "_Connection | _Pool") -> None:
        there = await connection.fetchval(HAS_JOURNAL)
        schema = await connection.fetchval(SCHEMA_FOUND) if there else None
        if schema is None:
            raise NotAJournalError(f"{self.place} holds no journal of a venue")
        if schema != str(SCHEMA):
            raise NotAJournalError(
                f"{self.place} has schema {schema}, and this program reads schema {SCHEMA}"
            )

    async def reopen(self) -> None:
        """Reconnect, once nothing of the former connection can be under way any more."""
        async with self._turn:
            await self._let_go(_REOPEN_CLOSE_SECONDS)
            await self._connect()

    async def close(self) -> None:
        """Release the lease and close the connections; all that was durable is there.

        A server that does not answer is not waited for: what it was sent last may be there or not.
        """
        with suppress(*FAILURES):
            async with asyncio.timeout(_CLOSE_SECONDS), self._turn:
                if self._writer is not None and not self._writer.connection.is_closed():
                    await self._lease.let_go(self._writer.connection)
        await self._let_go()

    def hang_up(self) -> None:
        """End the connections at once: the server does not answer, and nothing waits for it."""
        for connected in (self._writer and self._writer.connection, self._readers, self._prober):
            if connected is not None:
                connected.terminate()

    async def _let_go(self, seconds: float = _CLOSE_SECONDS) -> None:
        writer, readers, prober = self._writer, self._readers, self._prober
        self._writer = self._readers = self._prober = None
        if prober is not None:
            prober.terminate()
        both = (writer and writer.connection, readers)
        await asyncio.gather(*(_end(each, seconds) for each in both if each is not None))

    # --- writing -----------------------------------------------------------------------------

    async def write(
        self,
        appends: Sequence[Append],
        checkpoint: Checkpoint | None = None,
        sealing: Sealing | None = None,
    ) -> list[Outcome]:
        """Write a batch in one statement; if a stream conflicts, stream by stream."""
        async with self._turn:
            self._writing_since = time.monotonic()
            try:
                return await self._write(appends, checkpoint, sealing)
            finally:
                self._writing_since = None

    async def _write(
        self,
        appends: Sequence[Append],
        checkpoint: Checkpoint | None,
        sealing: Sealing | None,
    ) -> list[Outcome]:
        writer = await self._connected()
        writer.warnings.clear()
        try:
            outcomes = await _transact(writer, appends, checkpoint, sealing)
        except FencedError as error:
            who = await self._taken_by(writer)
            raise FencedError(f"{self.place}: {error}: {who}") from error
        except FAILURES as error:
            if _was_refused(error):
                raise NothingWrittenError(f"{self.place}: {_said(error)}") from error
            # The batch may still arrive, so nothing more is sent until it has been read back.
            writer.connection.terminate()
            raise OutcomeUnknownError(f"{self.place}: {_said(error)}") from error
        if writer.warnings:
            # For example, that it did not wait for its standby: then it is committed here only.
            writer.connection.terminate()
            raise OutcomeUnknownError(f"{self.place}: {'; '.join(writer.warnings)}")
        return outcomes

    async def probe(self) -> None:
        """Beat durably on a connection of its own, and read something."""
        since = self._writing_since
        if since is not None and time.monotonic() - since > SLOW_SECONDS:
            raise JournalError(f"{self.place}: a batch has been under way for {SLOW_SECONDS:.0f} s")
        try:
            if self._prober is None or self._prober.is_closed():
                self._prober = await self._connect_prober()
            await self._lease.beat(self._prober)
            if self._lease.node is None or not self._lease.is_whole:
                await self._prober.fetchval(BARRIER)
        except JournalError:
            raise
        except FAILURES as error:
            if self._prober is not None:
                self._prober.terminate()
            # A read finds out whether the server itself is gone.
            with suppress(JournalError):
                await self._rows(HAS_JOURNAL)
            raise JournalError(f"{self.place}: {_said(error)}") from error
        await self._rows(HAS_JOURNAL)

    async def _connect_prober(self) -> _Connection:
        return await asyncpg.connect(
            self._addresses[0],
            timeout=SLOW_SECONDS,
            command_timeout=SLOW_SECONDS,
            connection_class=WatchedConnection,
            server_settings={**SETTINGS, "application_name": "taisai-watch"},
            target_session_attrs=self._server_wanted,
        )

    async def time(self) -> Instant:
        """Give the time by the server's clock."""
        return int((await self._rows(TIME))[0][0])

    async def take_over(self) -> Holder | None:
        """Take the journal from the venue that has it; give that venue, if there is one.

        On return its transactions are over, and this journal writes with the new epoch.
        """
        async with self._turn:
            writer = await self._connected()
            try:
                former = await lease.take_over(writer.connection)
                if former is not None:
                    # From now on this one writes, until the next venue starts.
                    self._lease = Lease(None, former.epoch + 1)
                    self._writer = writer._replace(lease=self._lease)
                    await self._let_others_finish(writer.connection)
            except FAILURES as error:
                raise JournalError(f"{self.place}: {_said(error)}") from error
            return former

    async def holder(self) -> Holder:
        """Find which venue has the journal."""
        async with self._turn:
            writer = await self._connected()
            try:
                return await lease.holder(writer.connection)
            except FAILURES as error:
                raise JournalError(f"{self.place}: {_said(error)}") from error

    async def _taken_by(self, writer: _Writer) -> str:
        try:
            return await self._lease.taken_by(writer.connection)
        except FAILURES as error:
            return _said(error)

    async def _connected(self) -> _Writer:
        if self._read_only:
            raise NothingWrittenError(f"{self.place} is open for reading only")
        if self._writer is None:
            raise NothingWrittenError(f"the journal {self.place} is closed")
        if self._writer.connection.is_closed():
            # Lost between two batches, with nothing under way: a new connection is safe.
            try:
                await self._connect_again()
            except FencedError:
                raise
            except (*FAILURES, JournalError) as error:
                raise NothingWrittenError(f"{self.place}: {_said(error)}") from error
        return self._writer

    async def _connect_again(self) -> None:
        """Reconnect to write; if several servers are named, to the one that is the primary now."""
        if len(self._addresses) == 1:
            self._writer = await self._connect_writer(self._addresses[0])
            return
        former = self._writer
        await self._let_go(_REOPEN_CLOSE_SECONDS)
        try:
            await self._connect()
        finally:
            # Still lost, and the journal not closed: the next batch tries again.
            self._writer = self._writer or former

    async def forget(self, issued_before: Instant) -> int:
        """Forget old ids, a few at once, so that no commit waits long."""
        async with self._turn:
            writer = await self._connected()
            try:
                done = await writer.connection.execute(FORGET, issued_before, FORGOTTEN_AT_ONCE)
            except FAILURES as error:
                raise JournalError(f"{self.place}: {_said(error)}") from error
        return int(done.removeprefix("DELETE "))

    # --- reading -----------------------------------------------------------------------------

    async def _rows(self, sql: str, *given: Any) -> list[asyncpg.Record]:
        readers = self._readers
        if readers is None:
            raise JournalError(f"the journal {self.place} is closed")
        try:
            return await readers.fetch(sql, *given)
        except FAILURES as error:
            self._look_elsewhere(readers)
            raise JournalError(
                f"the journal {self.place} cannot be read: {_said(error)}"
            ) from error

    def _look_elsewhere(self, readers: _Pool) -> None:
        """Stop reading if the writing connection has ended too, and several servers are named.

        Another server may be the primary by then. So the journal counts as not open and is
        reopened: the writer finds the primary, and reads go there from then on.
        """
        lost = self._writer is not None and self._writer.connection.is_closed()
        if lost and len(self._addresses) > 1 and self._readers is readers:
            self._readers = None
            readers.terminate()

    async def heads(self, streams: Iterable[str] | None = None) -> dict[str, Head]:
        """Read the last record of each stream."""
        if streams is None:
            rows = await self._rows(ALL_HEADS)
        else:
            rows = await self._rows(HEADS, list(streams))
        return {stream: Head(version, hash_) for stream, version, hash_ in rows}

    async def answered_among(
        self, stream: str, asked: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], IdempotencyRecord]:
        """Look many ids up along their key, in one query."""
        return of_those_asked(asked, await self._rows(ANSWERED, stream, [id_ for _, id_ in asked]))

    async def _page(self, stream: str, after: int, upto: int) -> list[Record]:
        rows = await self._rows(READ, stream, after, upto, PAGE, PAGE_BYTES)
        return [Record(*row) for row in rows]

    async def records(self, stream: str, versions: Sequence[int]) -> list[Record]:
        """Read single records; one that is not there is left out."""
        rows = await self._rows(RECORDS, stream, versions)
        return [Record(*row) for row in rows]

    async def integrity(self) -> list[str]:
        """Find nothing: the server checks the checksum of each page that it reads."""
        return []


async def _transact(
    writer: _Writer,
    appends: Sequence[Append],
    checkpoint: Checkpoint | None,
    sealing: Sealing | None,
) -> list[Outcome]:
    outcomes = [Outcome.DURABLE] * len(appends)
    batch = 0 if sealing is None else sealing.number
    seal = _seal(sealing, to_seal(appends, outcomes))
    try:
        if await _add(writer, _Batch(appends, batch, seal, checkpoint)) is Outcome.DURABLE:
            return outcomes
    except asyncpg.UniqueViolationError:
        # The server has undone the whole statement; the streams are now tried one by one.
        pass
    async with writer.connection.transaction():
        outcomes = [await _add_or_leave(writer, append, batch) for append in appends]
        # A checkpoint must not name heads that were not written.
        signed = checkpoint if all(each is Outcome.DURABLE for each in outcomes) else None
        seal = _seal(sealing, to_seal(appends, outcomes))
        if signed is not None or seal is not None:
            added = await _add(writer, _Batch((), batch, seal, signed))
            if added is not Outcome.DURABLE:
                raise NothingWrittenError("it is not for this node to sign")
    return outcomes


def _seal(sealing: Sealing | None, written: Sequence[Append]) -> Seal | None:
    return sealing.over(written) if sealing is not None and written else None


async def _add_or_leave(writer: _Writer, append: Append, batch: int) -> Outcome:
    """Add one stream's part, or none of it if another process was first."""
    try:
        async with writer.connection.transaction():
            return await _add(writer, _Batch((append,), batch))
    except asyncpg.UniqueViolationError:
        return Outcome.CONFLICT


class _Batch(NamedTuple):
    """All that one statement adds."""

    appends: Sequence[Append]
    number: int
    seal: Seal | None = None
    checkpoint: Checkpoint | None = None


async def _add(writer: _Writer, batch: _Batch) -> Outcome:
    """Add all, or nothing if a stream's head is not the one that its part follows on."""
    appends, number, seal, checkpoint = batch
    streams = [append.stream for append in appends]
    checked: tuple[Any, ...] = (
        streams,
        [append.after.hash if append.after.version else None for append in appends],
        *writer.lease.held(streams, signs=checkpoint is not None),
    )
    sealed = number, () if seal is None else (seal,)
    snapshots = [append.snapshot for append in appends if append.snapshot is not None]
    marks = snapshots, () if checkpoint is None else (checkpoint,), SNAPSHOTS_KEPT
    marked = bool(snapshots) or checkpoint is not None
    given: tuple[Any, ...]
    registered = _registered(appends)
    if registered is not None:
        statement = writer.register_and_mark if marked else writer.register
        given = *checked, registered, *sealed
    else:
        records = [*chain.from_iterable(append.records for append in appends)]
        commands = [*chain.from_iterable(append.commands for append in appends)]
        statement = writer.append_and_mark if marked else writer.append
        given = *checked, records, commands, *sealed
    [(stale, fenced)] = await statement.fetch(*given, *(marks if marked else ()))
    if fenced and writer.lease.is_whole:
        raise FencedError("the journal was taken over by another venue")
    if fenced:
        return Outcome.FENCED
    return Outcome.CONFLICT if stale else Outcome.DURABLE


def _registered(appends: Sequence[Append]) -> list[tuple[Any, ...]] | None:
    """Join each event with its command; `None` unless every command has exactly one event."""
    rows: list[tuple[Any, ...]] = []
    for append in appends:
        records, commands = append.records, append.commands
        if len(records) != len(commands):
            return None
        for record, command in zip(records, commands, strict=True):
            stream, sender, id_, input_, issued, first, last, answer = command
            if not first == last == record[1] or answer is not None or stream != record[0]:
                return None
            rows.append((*record, sender, id_, input_, issued))
    return rows


def _was_refused(error: Exception) -> bool:
    """Say whether an error shows for certain that the batch was undone.

    The driver's own errors are raised before anything is sent. A server's error that leaves the
    connection open comes from before the commit; one that ends the connection may not.
    """
    if isinstance(error, asyncpg.InterfaceError | asyncpg.DataError):
        return True
    return isinstance(error, asyncpg.PostgresError) and error.severity_en == "ERROR"


async def _under_way(connection: _Connection) -> set[str]:
    return {row[0] for row in await connection.fetch(UNDER_WAY)}


def _note_warning(warnings: list[str], _: object, message: "asyncpg.PostgresLogMessage") -> None:
    """Note the server's warnings, in any language: a broken-off wait for a standby is one."""
    if message.severity_en == "WARNING":
        warnings.append(message.message)


def _each_server(url: str) -> list[str]:
    """Give one address for each server that an address names, in order."""
    try:
        parts = urlsplit(url)
    except ValueError:
        # Not an address: connecting reports that.
        return [url]
    user, at, named = parts.netloc.rpartition("@")
    servers = named.split(",")
    if len(servers) == 1:
        return [url]
    return [urlunsplit(parts._replace(netloc=f"{user}{at}{server}")) for server in servers]


async def _end(connected: "_Connection | _Pool", seconds: float) -> None:
    """Close a connection, or a pool of them."""
    try:
        async with asyncio.timeout(seconds):
            await connected.close()
    except FAILURES:
        # The server is gone: an orderly close is not possible.
        connected.terminate()


async def _leave_as_it_is(_: object) -> None:
    """Reset nothing when a reader is given back: nothing here changes a session."""


def _said(error: BaseException) -> str:
    """Give an error's message, or its name if it has none."""
    if isinstance(error, ValueError) and not isinstance(error, asyncpg.InterfaceError):
        # Its message may hold a part of the address, and so of the password.
        return "that is no address; write it like postgresql://host:5432/database"
    return failure_of(error)

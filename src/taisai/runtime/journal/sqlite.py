"""The journal in a SQLite file: one process, nothing to install, every commit on the disk.

WAL with `synchronous=FULL`: a commit returns when it is on disk. One thread owns the connection
that writes; a second reads, and a third copies the write-ahead log back into the file, so that a
bet waits for neither. One part of that is left to the thread that writes, between two batches: the
last pages of the log, or all of them once there are 64 MB.
"""

import asyncio
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from errno import EACCES, EISDIR
from functools import cache
from itertools import chain
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Self, TypeVar

import apsw
import msgspec

from taisai.core.kernel.messages import Instant
from taisai.runtime.journal.contract import (
    PAGE,
    PAGE_BYTES,
    SCHEMA,
    SNAPSHOTS_KEPT,
    Append,
    Checkpoint,
    Head,
    IdempotencyRecord,
    JournalError,
    NotAJournalError,
    NothingWrittenError,
    Outcome,
    OutcomeUnknownError,
    Record,
    ReplacedError,
    RowJournal,
    Seal,
    Sealing,
    genesis,
    of_those_asked,
    to_seal,
)
from taisai.runtime.journal.journal_thread import JournalThread

#: "TaiS": marks the file as a journal.
APPLICATION_ID = 0x54616953

TABLES = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA};
CREATE TABLE events (
  stream TEXT NOT NULL, version INTEGER NOT NULL, shape INTEGER NOT NULL, at INTEGER NOT NULL,
  cause BLOB, data BLOB NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (stream, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE commands (
  stream TEXT NOT NULL, sender TEXT NOT NULL, id TEXT NOT NULL, input BLOB NOT NULL,
  issued INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, answer BLOB,
  batch INTEGER NOT NULL, place INTEGER PRIMARY KEY,
  UNIQUE (stream, id, sender)
) STRICT;
CREATE TABLE snapshots (
  stream TEXT NOT NULL, version INTEGER NOT NULL, head BLOB NOT NULL, data BLOB NOT NULL,
  key TEXT NOT NULL, signature BLOB NOT NULL, PRIMARY KEY (stream, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE seals (
  number INTEGER PRIMARY KEY, data BLOB NOT NULL, key BLOB, mac BLOB NOT NULL
) STRICT;
CREATE TABLE checkpoints (
  number INTEGER PRIMARY KEY, data BLOB NOT NULL, key TEXT NOT NULL, signature BLOB NOT NULL
) STRICT;
"""

#: Ids begin with a time: new ones go to the end of their index, and few pages are written.
INTO = {
    "events": ("events", "(?, ?, ?, ?, ?, ?, ?)"),
    # The first value is the same in all rows: the number of their seal.
    "commands": (
        "commands (batch, stream, sender, id, input, issued, first, last, answer)",
        "(?1, ?, ?, ?, ?, ?, ?, ?, ?)",
    ),
}
#: Rows are inserted so many at a time, then in multiples of the step, then the rest: few
#: statements, since after each the thread waits for the busy loop, and few different ones, since
#: each is parsed once and cached.
ROWS_AT_ONCE, ROWS_STEP = 256, 16
#: Writes a page without changing it: the schema number, again.
MARK = f"PRAGMA user_version = {SCHEMA}"
ADD_SNAPSHOT = "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)"
ADD_CHECKPOINT = "INSERT INTO checkpoints VALUES (?, ?, ?, ?)"
ADD_SEAL = "INSERT INTO seals VALUES (?, ?, ?, ?)"
OLD_SNAPSHOTS = """
DELETE FROM snapshots WHERE stream = ?1 AND version NOT IN (
  SELECT version FROM snapshots WHERE stream = ?1 ORDER BY version DESC LIMIT ?2)
"""
HEAD = "SELECT version, hash FROM events WHERE stream = ? ORDER BY version DESC LIMIT 1"
#: Skips from stream to stream along the key: to list ten streams it must not read every event.
STREAMS = """
WITH RECURSIVE found(stream) AS (
  SELECT min(stream) FROM events
  UNION ALL SELECT (SELECT min(stream) FROM events WHERE stream > found.stream) FROM found
  WHERE found.stream IS NOT NULL)
SELECT stream FROM found WHERE stream IS NOT NULL
"""
READ = """
SELECT stream, version, shape, at, cause, data, hash FROM events
WHERE stream = ? AND version > ? AND version <= ? ORDER BY version LIMIT ?
"""
ONE = """
SELECT stream, version, shape, at, cause, data, hash FROM events WHERE stream = ? AND version = ?
"""
#: The oldest first, in the order of writing; ids of a fast clock only stay a little longer.
FORGET = """
DELETE FROM commands WHERE place IN (
  SELECT place FROM (SELECT place, issued FROM commands ORDER BY place LIMIT ?)
  WHERE issued < ?)
"""


@cache
def insertion(table: str, rows: int) -> str:
    """Write the statement that inserts so many rows at once."""
    into, row = INTO[table]
    return f"INSERT INTO {into} VALUES {', '.join([row] * rows)}"  # noqa: S608 - our own words


_T = TypeVar("_T")
_encode = msgspec.json.Encoder().encode

#: From so many pages on (3 MB) the write-ahead log is copied back while commits go on: often, since
#: on a busy core one answer in a hundred waited for a copy of 16 MB.
WAL_PAGES = 800
#: The last pages, no more than this, are copied between two commits, and the next one writes the
#: log from its beginning: beside the commits the copying would never end while people bet.
WAL_PAGES_LEFT = 100
#: All of a log of this length (64 MB) is copied between two commits, however much is left.
WAL_PAGES_MAX = 16_000
FORGOTTEN_AT_ONCE = 2_000
#: So many faults of a damaged file are reported.
TOLD = 10
#: How long another process may have the file before a commit gives up.
BUSY_MS = 5_000
_FILE_FLAGS = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_MAIN_DB
#: With these SQLite's own layer syncs the directory too, as it might have created the log; it
#: writes at most 128 kB at once.
_WRITE_FLAGS = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
_LOG_FLAGS = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_WAL
_LOG_PART = 65_536
#: In bytes: the header of the log, and the header of each of its pages.
_LOG_HEADER = 32
_FRAME_HEADER = 24


#: Errors before the commit that leave nothing of a batch; the last is a checkpoint whose number was
#: used before. No error of the commit itself shows that: its last frame may still be in the log,
#: and the next reader of the log would take the batch as written.
_UNDONE = (
    apsw.FullError,
    apsw.ReadOnlyError,
    apsw.BusyError,
    apsw.CantOpenError,
    apsw.ConstraintError,
)


def read_connection(path: Path, vfs: str | None = None) -> apsw.Connection:
    """Open a file for reading only, even if nothing can be written beside it.

    A reader shares an index of the log with the writer. On a read-only disk there is no index, and
    no process that could change the file meanwhile.
    """
    if os.access(path.parent, os.W_OK):
        return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY, vfs=vfs)
    log, index = (path.with_name(f"{path.name}{ending}") for ending in ("-wal", "-shm"))
    if log.exists() and log.stat().st_size:
        if not index.exists():
            raise JournalError(
                f"{log} holds events that are not in {path.name} yet, and nothing can be written "
                "beside it; copy both files to a disk that can be written, and name the journal "
                "there"
            )
        return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY, vfs=vfs)
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return apsw.Connection(f"{path.absolute().as_uri()}?immutable=1", flags=flags, vfs=vfs)


class _PromisedSeal(Sealing):
    """The seal of a whole batch, which the loop makes while the thread that writes begins.

    The loop has nothing else to do then, and the thread would take longer by it. Where a stream is
    in conflict the thread seals what is left.
    """

    def __init__(self, sealing: Sealing, whole: Sequence[Append]) -> None:
        self._sealing = sealing
        self._whole = whole
        self._number = sealing.number
        self._made: SimpleQueue[Seal | BaseException] = SimpleQueue()

    @property
    def number(self) -> int:
        """Give the number that the seal will have."""
        return self._number

    def make(self) -> None:
        """Seal the whole batch; a fault is raised in the thread, as if it had made the seal."""
        try:
            self._made.put(self._sealing.over(self._whole))
        except BaseException as error:
            # Whatever it is, the thread waits for it.
            self._made.put(error)
            if not isinstance(error, Exception):
                raise

    def over(self, appends: Sequence[Append]) -> Seal:
        """Wait for the seal of the whole batch; seal these parts if that is not all of it."""
        made = self._made.get()
        if len(appends) < len(self._whole):
            return self._sealing.over(appends)
        if isinstance(made, Exception):
            raise made
        if isinstance(made, BaseException):
            raise JournalError("the loop was interrupted while it sealed a batch") from made
        return made


class SqliteJournal(RowJournal):
    """A journal in one SQLite file; made by `open`, which leaves nothing half open if it fails."""

    NAMESPACE = "main"
    AFTER = "batch >= $1 AND place > $2"
    ORDER = "place"
    beats = False

    def __init__(self, path: Path, vfs: str | None, *, read_only: bool) -> None:
        self.path = path
        self._vfs = vfs
        self._read_only = read_only
        self._writing = JournalThread("journal-write")
        self._reading = JournalThread("journal-read")
        self._carrying = JournalThread("journal-carry")
        self._carried = threading.Event()
        self._carried.set()
        #: Whether the thread that writes has a copy of the log to make, which it has not begun.
        self._owes_copy = False
        #: How long the log is, and how often it was begun again.
        self._wal_pages = self._wal_restarts = 0
        #: How much was copied back, and of which log: a copy may end after that was begun again.
        self._wal_copied = (0, 0)
        #: The error of a commit, or one after a durable commit: no other commit starts until the
        #: file has been reopened.
        self._trouble: Exception | None = None
        #: The files as they were opened first: device and inode by path.
        self._files: dict[str, tuple[int, int]] = {}
        #: The heads of the streams that this connection has written to.
        self._ends: dict[str, Head] = {}
        self._writer: apsw.Connection | None = None
        self._reader: apsw.Connection | None = None
        self._carrier: apsw.Connection | None = None
        self._closed = False
        self._reopening = asyncio.Lock()
        #: Cleared while the file is reopened: reads and commits then wait, and do not fail.
        self._open = asyncio.Event()
        self._open.set()

    @classmethod
    async def open(cls, path: Path, *, vfs: str | None = None, read_only: bool = False) -> Self:
        """Open a journal, or begin one where there is none; `read_only` never begins one."""
        journal = cls(path, vfs, read_only=read_only)
        try:
            await journal._in(journal._writing, journal._connect)
        except BaseException:
            await journal.close()
            raise
        return journal

    # --- the connections ---------------------------------------------------------------------

    def _in(
        self, thread: JournalThread, work: Callable[..., _T], *given: Any
    ) -> "asyncio.Future[_T]":
        if self._closed:
            raise JournalError(f"the journal {self.path} is closed")
        return thread.run(work, *given)

    def _connect(self) -> None:
        try:
            self._writer = self._connection(writes=not self._read_only)
            if not self._read_only:
                self._carrier = self._connection(writes=True)
                self._settle_log(self._writer, self._carrier)
                self._note_files(self._writer)
            self._check_schema(self._writer)
            self._reader = self._connection(writes=False)
        except apsw.NotADBError as error:
            self._give_up()
            raise NotAJournalError(f"{self.path} is no journal: {error}") from error
        except (apsw.Error, OSError) as error:
            self._give_up()
            raise JournalError(f"the journal {self.path} cannot be opened: {error}") from error

    def _give_up(self) -> None:
        """Close everything: a commit written after a log that is not settled could be lost."""
        for name in ("_carrier", "_reader", "_writer"):
            self._close(name)
        self._forget_log()

    def _connection(self, *, writes: bool) -> apsw.Connection:
        if writes:
            if self._vfs is None:
                _make_private(self.path)
            connection = apsw.Connection(str(self.path), flags=_WRITE_FLAGS, vfs=self._vfs)
        else:
            connection = read_connection(self.path, self._vfs)
        try:
            self._set_up(connection, writes=writes)
        except apsw.Error:
            # Not left to the garbage collector: it would keep its locks.
            connection.close(True)
            raise
        return connection

    def _set_up(self, connection: apsw.Connection, *, writes: bool) -> None:
        connection.set_busy_timeout(BUSY_MS)
        if writes:
            # Fetched to the end, because the change happens, and may fail, after its row.
            if connection.execute("PRAGMA journal_mode = WAL").get != "wal":
                raise apsw.CantOpenError("the write-ahead log cannot be turned on")
            connection.execute("PRAGMA synchronous = FULL")
            connection.set_wal_hook(self._note_wal)
            # A doubtful log is not copied back when connections are closed; only `close` does that.
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        connection.execute("PRAGMA cache_size = -32768")

    def _settle_log(self, connection: apsw.Connection, other: apsw.Connection) -> None:
        """Make the part of the log that SQLite shows durable, and only that, before it is used.

        A process that was killed may not have synced it. A sync that failed may have lost it on the
        disk and kept it in memory, where no later sync looks: so it is written again. After it may
        stand a commit that failed, whole. While another process reads, SQLite does not look there,
        but at the next start it would: so it is cut off.
        """
        connection.execute("BEGIN IMMEDIATE")
        try:
            shown = self._log_shown(other)
            log = apsw.VFSFile(self._vfs or "", connection.filename_wal, [_LOG_FLAGS, 0])
            try:
                for offset in range(0, shown, _LOG_PART):
                    size = min(_LOG_PART, shown - offset)
                    log.xWrite(log.xRead(size, offset), offset)
                log.xTruncate(shown)
                log.xSync(apsw.SQLITE_SYNC_NORMAL)
            finally:
                log.xClose()
        finally:
            connection.execute("ROLLBACK")

    def _log_shown(self, connection: apsw.Connection) -> int:
        """Give how many bytes of the log SQLite shows; a connection in a transaction cannot ask."""
        frames, _ = connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_NOOP)
        if frames < 0:
            raise apsw.CantOpenError("the write-ahead log cannot be measured")
        frame = _FRAME_HEADER + int(connection.pragma("page_size"))
        return _LOG_HEADER + frames * frame if frames else 0

    def _note_files(self, connection: apsw.Connection) -> None:
        """Remember which files were opened, to notice if they are replaced."""
        for path in (str(self.path), connection.filename_wal):
            self._files.setdefault(path, _number_of(path))

    def _forget_log(self) -> None:
        """Forget the log's number: SQLite deletes a log that it has copied back when it closes."""
        self._files = {path: known for path, known in self._files.items() if path == str(self.path)}

    def _replaced(self) -> ReplacedError | None:
        """Find a file that was moved, deleted or replaced since it was opened.

        While it is open no other file can have its number, so the same number at its path means the
        same file.
        """
        for path, opened in self._files.items():
            try:
                found = _number_of(path)
            except OSError as error:
                return _moved(path, f"cannot be found any more ({error.strerror})")
            if found != opened:
                return _moved(path, "is another file than the one that was opened")
        return None

    def _note_wal(self, _: apsw.Connection, __: str, pages: int) -> int:
        if pages <= self._wal_pages:
            # Every commit adds pages, so it was written from its beginning.
            self._wal_restarts += 1
        self._wal_pages = pages
        return apsw.SQLITE_OK

    def _check_schema(self, connection: apsw.Connection) -> None:
        application = connection.pragma("application_id")
        schema = connection.pragma("user_version")
        empty = not connection.execute("SELECT count(*) FROM sqlite_schema").get
        if empty and not application and not self._read_only:
            connection.execute(f"BEGIN IMMEDIATE; {TABLES} COMMIT")
        elif application != APPLICATION_ID:
            raise NotAJournalError(f"{self.path} is no journal of a venue")
        elif schema != SCHEMA:
            raise NotAJournalError(
                f"{self.path} has schema {schema}, and this program reads schema {SCHEMA}"
            )

    async def reopen(self) -> None:
        """Close all connections and open them again, to see what is really in the file."""
        async with self._reopening:
            # A file that has lost its name is kept open: `close` copies its log back.
            if (replaced := self._replaced()) is not None:
                raise replaced
            self._open.clear()
            try:
                await self._let_go()
                await self._in(self._writing, self._connect)
            finally:
                self._open.set()

    async def close(self) -> None:
        """Close the file; all that was durable is there."""
        if self._closed:
            return
        # A journal that could not be opened leaves its log for the next try.
        await self._let_go(carry=self._reader is not None)
        self._closed = True
        for thread in (self._carrying, self._reading, self._writing):
            thread.end()

    async def _let_go(self, *, carry: bool = False) -> None:
        for _ in range(2):
            # A commit that is under way may ask for a copy after it, and that for one beside.
            await self._in(self._writing, lambda: None)
        await self._in(self._carrying, self._close, "_carrier")
        await self._in(self._reading, self._close, "_reader")
        await self._in(self._writing, self._close, "_writer", carry)
        self._forget_log()
        self._ends.clear()
        self._trouble = None
        self._wal_copied = (self._wal_restarts, 0)
        self._carried.set()

    def _close(self, name: str, carry: bool = False) -> None:
        connection: apsw.Connection | None = getattr(self, name)
        setattr(self, name, None)
        if connection is None:
            return
        try:
            if carry and not self._read_only:
                connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
            connection.close()
        except apsw.Error:
            # A failing disk may fail here too; closing by force leaves the file as it is.
            connection.close(True)

    # --- writing -----------------------------------------------------------------------------

    async def write(
        self,
        appends: Sequence[Append],
        checkpoint: Checkpoint | None = None,
        sealing: Sealing | None = None,
    ) -> list[Outcome]:
        """Write a batch in one transaction, synced; a stream in conflict is left out of it."""
        await self._open.wait()
        whole = to_seal(appends, [Outcome.DURABLE] * len(appends))
        if sealing is None or not whole:
            return await self._in(self._writing, self._write, appends, checkpoint, sealing)
        promised = _PromisedSeal(sealing, whole)
        written = self._in(self._writing, self._write, appends, checkpoint, promised)
        promised.make()
        return await written

    async def probe(self) -> None:
        """Write an empty batch, which marks the file again, and read something from it."""
        await self.write(())
        await self._rows("SELECT count(*) FROM sqlite_schema")

    def _write(
        self,
        appends: Sequence[Append],
        checkpoint: Checkpoint | None,
        sealing: Sealing | None,
    ) -> list[Outcome]:
        connection = self._sound_writer()
        try:
            outcomes = self._add_all(connection, appends, checkpoint, sealing)
        except _UNDONE as error:
            self._roll_back(connection)
            raise NothingWrittenError(f"{self.path}: {error}") from error
        except apsw.Error as error:
            raise self._in_doubt(error) from error
        except Exception:
            # A fault of ours; the next batch begins a transaction of its own.
            self._roll_back(connection)
            raise
        try:
            connection.execute("COMMIT")
        except apsw.Error as error:
            raise self._in_doubt(error) from error
        if (replaced := self._replaced()) is not None:
            raise self._shut(connection, replaced)
        self._note_ends(appends, outcomes)
        if self._wal_pages >= WAL_PAGES and self._carried.is_set():
            # After this batch, which need not wait for it to be answered.
            self._owes_copy = True
            self._carried.clear()
            self._writing.submit(self._carry_back, connection)
        return outcomes

    def _sound_writer(self) -> apsw.Connection:
        """Give the connection that writes, unless the file has to be reopened first."""
        if self._writer is None:
            raise NothingWrittenError(f"the journal {self.path} is not open")
        if isinstance(self._trouble, ReplacedError):
            raise self._trouble
        if self._trouble is not None:
            raise NothingWrittenError(f"{self.path}: {self._trouble}")
        return self._writer

    def _note_ends(self, appends: Sequence[Append], outcomes: Sequence[Outcome]) -> None:
        for append, outcome in zip(appends, outcomes, strict=True):
            if append.records and outcome is Outcome.DURABLE:
                last = append.records[-1]
                self._ends[append.stream] = Head(last.version, last.hash)

    def _shut(self, connection: apsw.Connection, replaced: ReplacedError) -> ReplacedError:
        """Start no other commit; copy a log that has lost its name into the file, if that has not.

        Registered events may be in that log only.
        """
        self._trouble = replaced
        if not self._owes_copy:
            # That one is this thread's own, and comes after this batch.
            self._carried.wait()
        self._carry(connection, apsw.SQLITE_CHECKPOINT_PASSIVE)
        self._trouble = replaced
        return replaced

    def _in_doubt(self, error: apsw.Error) -> OutcomeUnknownError:
        """Start no other commit until the file has been reopened and read."""
        self._trouble = error
        return OutcomeUnknownError(f"{self.path}: {error}")

    def _add_all(
        self,
        connection: apsw.Connection,
        appends: Sequence[Append],
        checkpoint: Checkpoint | None,
        sealing: Sealing | None,
    ) -> list[Outcome]:
        batch = 0 if sealing is None else sealing.number
        connection.execute("BEGIN IMMEDIATE")
        try:
            for append in appends:
                self._add(connection, append, batch)
            outcomes = [Outcome.DURABLE] * len(appends)
        except apsw.ConstraintError:
            connection.execute("ROLLBACK")
            connection.execute("BEGIN IMMEDIATE")
            outcomes = [self._add_or_leave(connection, append, batch) for append in appends]
        written = to_seal(appends, outcomes)
        if sealing is not None and written:
            connection.execute(ADD_SEAL, sealing.over(written))
        if checkpoint is not None and all(each is Outcome.DURABLE for each in outcomes):
            # A checkpoint must not name heads that were not written.
            connection.execute(ADD_CHECKPOINT, checkpoint)
        if not appends and checkpoint is None:
            connection.execute(MARK)
        return outcomes

    def _add(self, connection: apsw.Connection, append: Append, batch: int) -> None:
        """Add one stream's part, unless the stream's head is not the one that it follows on.

        A head written by this connection need not be looked up: if another process had added to the
        stream since, its version would be the same as the one to be added, and the key forbids it.
        """
        if not append.records or self._ends.get(append.stream) != append.after:
            head = connection.execute(HEAD, (append.stream,)).get or genesis(append.stream)
            if head != append.after:
                raise apsw.ConstraintError(f"{append.stream} does not end where this begins")
        _insert(connection, "events", append.records)
        _insert(connection, "commands", append.commands, batch)
        if append.snapshot is not None:
            connection.execute(ADD_SNAPSHOT, append.snapshot)
            connection.execute(OLD_SNAPSHOTS, (append.stream, SNAPSHOTS_KEPT))

    def _add_or_leave(self, connection: apsw.Connection, append: Append, batch: int) -> Outcome:
        """Add one stream's part, or none of it if another process was first."""
        self._ends.pop(append.stream, None)
        try:
            with connection:
                self._add(connection, append, batch)
        except apsw.ConstraintError:
            return Outcome.CONFLICT
        return Outcome.DURABLE

    def _roll_back(self, connection: apsw.Connection) -> None:
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except apsw.Error as error:
            raise self._in_doubt(error) from error

    def _carry_back(self, connection: apsw.Connection) -> None:
        """Copy the write-ahead log back into the file: most of it beside the commits."""
        self._owes_copy = False
        if self._trouble is not None or self._carrier is None:
            # The file is opened again before anything else is written to it, or is being closed.
            self._carried.set()
        elif self._wal_pages >= WAL_PAGES_MAX:
            # At once or not at all: a backup that keeps reading must not delay a commit.
            connection.set_busy_timeout(0)
            self._carry(connection, apsw.SQLITE_CHECKPOINT_RESTART)
            connection.set_busy_timeout(BUSY_MS)
        elif self._wal_left() <= WAL_PAGES_LEFT:
            self._carry(connection, apsw.SQLITE_CHECKPOINT_PASSIVE)
        else:
            self._carrying.submit(self._carry_beside, self._carrier)

    def _wal_left(self) -> int:
        """Give how much of the log is still to be copied."""
        log, copied = self._wal_copied
        return self._wal_pages - copied if log == self._wal_restarts else self._wal_pages

    def _carry_beside(self, connection: apsw.Connection) -> None:
        """Copy the log while commits go on, and sync the file, so that what is left is quick."""
        self._carry(connection, apsw.SQLITE_CHECKPOINT_PASSIVE, self._sync)

    def _carry(
        self,
        connection: apsw.Connection,
        mode: int,
        then: Callable[[apsw.Connection], None] = lambda _: None,
    ) -> None:
        log = self._wal_restarts
        try:
            _, copied = connection.wal_checkpoint(mode=mode)
            self._wal_copied = (log, copied)
            then(connection)
        except (apsw.BusyError, apsw.LockedError):
            # A reader is in the way: the log stays as it is, and the next commit tries again.
            pass
        except Exception as error:  # noqa: BLE001 - no other commit starts with it
            self._trouble = error
        finally:
            self._carried.set()

    def _sync(self, connection: apsw.Connection) -> None:
        """Sync the file: SQLite does so only once all of the log is copied.

        It is opened by SQLite's own layer, since closing it in another way would end the locks
        that this process has on it.
        """
        try:
            file = apsw.VFSFile(self._vfs or "", connection.filename, [_FILE_FLAGS, 0])
            try:
                file.xSync(apsw.SQLITE_SYNC_NORMAL)
            finally:
                file.xClose()
        except apsw.Error:
            # If somebody moved the file, the next commit finds that, and saves what is in the log.
            if self._replaced() is None:
                raise

    # --- reading -----------------------------------------------------------------------------

    async def _ask(self, work: Callable[..., _T], *given: Any) -> _T:
        await self._open.wait()
        try:
            return await self._in(self._reading, work, *given)
        except apsw.Error as error:
            raise JournalError(f"the journal {self.path} cannot be read: {error}") from error

    async def _rows(self, sql: str, *given: Any) -> list[tuple[Any, ...]]:
        return await self._ask(self._fetch, sql, *given)

    def _fetch(self, sql: str, *given: Any) -> list[tuple[Any, ...]]:
        return _there(self._reader).execute(sql, given).fetchall()

    async def answered_among(
        self, stream: str, asked: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], IdempotencyRecord]:
        """Look many ids up in their unique index, in one call."""
        return await self._ask(self._answered_among, stream, asked)

    def _answered_among(
        self, stream: str, asked: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], IdempotencyRecord]:
        sql = self._select(IdempotencyRecord, "commands")
        where = "WHERE stream = ?1 AND id IN (SELECT value FROM json_each(?2))"
        # In one statement, since after each the thread waits for the busy loop.
        ids = _encode([id_ for _, id_ in asked])
        return of_those_asked(asked, _there(self._reader).execute(f"{sql} {where}", (stream, ids)))

    async def heads(self, streams: Iterable[str] | None = None) -> dict[str, Head]:
        """Read the last record of each stream."""
        return await self._ask(self._heads, streams)

    def _heads(self, streams: Iterable[str] | None) -> dict[str, Head]:
        wanted = [row[0] for row in self._fetch(STREAMS)] if streams is None else streams
        found = {stream: self._fetch(HEAD, stream) for stream in wanted}
        return {stream: Head(*rows[0]) for stream, rows in found.items() if rows}

    async def _page(self, stream: str, after: int, upto: int) -> list[Record]:
        return await self._ask(self._read_page, stream, after, upto)

    def _read_page(self, stream: str, after: int, upto: int) -> list[Record]:
        page: list[Record] = []
        size = 0
        for row in _there(self._reader).execute(READ, (stream, after, upto, PAGE)):
            record = Record(*row)
            page.append(record)
            size += len(record.data)
            if size > PAGE_BYTES:
                break
        return page

    async def records(self, stream: str, versions: Sequence[int]) -> list[Record]:
        """Read single records; one that is not there is left out."""
        return await self._ask(self._records, stream, versions)

    def _records(self, stream: str, versions: Sequence[int]) -> list[Record]:
        rows = [row for version in versions for row in self._fetch(ONE, stream, version)]
        return [Record(*row) for row in rows]

    async def integrity(self) -> list[str]:
        """Have SQLite check all pages and indexes of the file."""
        rows = await self._rows(f"PRAGMA integrity_check({TOLD})")
        return [row[0] for row in rows if row[0] != "ok"]

    async def forget(self, issued_before: Instant) -> int:
        """Forget old ids, a few at once, so that no commit waits long."""
        await self._open.wait()
        return await self._in(self._writing, self._forget, issued_before)

    def _forget(self, issued_before: Instant) -> int:
        connection = self._sound_writer()
        try:
            connection.execute(FORGET, (FORGOTTEN_AT_ONCE, issued_before))
        except apsw.Error as error:
            raise JournalError(f"{self.path}: {error}") from error
        return connection.changes()


def _make_private(path: Path) -> None:
    """Make the file for its owner alone, if there is none; log and index get the same mode.

    One that is there is not even opened: to close it would end the locks of this process on it, and
    another program could then take the log away.
    """
    # Where a link leads to nothing yet, the file is made there, as SQLite would.
    file = os.path.realpath(path)
    try:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        # SQLite would open what can only be read, and of the rest not say why it cannot.
        if os.path.isdir(file):  # noqa: PTH112 - beside the others
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path)) from None
        if not os.access(file, os.R_OK | os.W_OK):
            raise PermissionError(EACCES, os.strerror(EACCES), str(path)) from None


def _number_of(path: str) -> tuple[int, int]:
    status = os.stat(path)  # noqa: PTH116 - after every commit, and a Path takes longer
    return status.st_dev, status.st_ino


def _moved(path: str, what: str) -> ReplacedError:
    return ReplacedError(
        f"{path} {what}: somebody moved, deleted or replaced it under the running venue;"
        " stop the venue, put the file back, and start it again"
    )


def _there(connection: apsw.Connection | None) -> apsw.Connection:
    if connection is None:
        raise JournalError("the journal is closed")
    return connection


def _insert(
    connection: apsw.Connection, table: str, rows: Sequence[tuple[Any, ...]], *shared: int
) -> None:
    start = 0
    while left := len(rows) - start:
        size = min(left, ROWS_AT_ONCE)
        if size > ROWS_STEP:
            size -= size % ROWS_STEP
        values = (*shared, *chain.from_iterable(rows[start : start + size]))
        connection.execute(insertion(table, size), values)
        start += size

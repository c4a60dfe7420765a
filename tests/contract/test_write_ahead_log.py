"""SQLite's write-ahead log is copied back beside the commits, and then begins again."""

import asyncio
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from typing import Any

import apsw
import pytest

from taisai.runtime.journal import sqlite
from taisai.runtime.journal.contract import Append, ReplacedError
from taisai.runtime.journal.sqlite import SqliteJournal
from tests.contract.journals import adding, everything, head_after

STREAM = "table/1"
#: The name of the disk.
GATED = "gated"
#: Four commits are of no more than 21 pages: they are left, after a copy.
WAL_PAGES, WAL_PAGES_LEFT = 40, 25
#: A copy that is owed begins so late that nothing but waiting for it comes after it.
LATE_SECONDS = 0.2


class _File(apsw.VFSFile):
    """The database file: its writes wait at a gate and are noted, and its syncs are counted."""

    def __init__(self, disk: "_Disk", name: apsw.URIFilename | str | None, flags: list[int]):
        super().__init__("", name, flags)
        self._disk = disk

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        self._disk.come.put(threading.current_thread().name)
        assert self._disk.gate.wait(30)
        self._disk.written_by.add(threading.current_thread().name)
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        super().xSync(flags)
        self._disk.syncs += 1


class _Disk(apsw.VFS):
    """A disk on which a test decides when the database file is written."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.gate.set()
        #: The threads that have come to the gate.
        self.come = Queue[str]()
        self.syncs = 0
        #: The threads that wrote to the file.
        self.written_by: set[str] = set()
        super().__init__(GATED, base="")

    def close_gate(self) -> None:
        """Have whatever writes the file from now on wait."""
        self.gate.clear()
        self.come = Queue[str]()

    def xOpen(  # noqa: N802 - SQLite's name
        self, name: apsw.URIFilename | str | None, flags: list[int]
    ) -> apsw.VFSFile:
        is_database = flags[0] & apsw.SQLITE_OPEN_MAIN_DB and flags[0] & apsw.SQLITE_OPEN_READWRITE
        return _File(self, name, flags) if is_database else apsw.VFSFile("", name, flags)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[_Disk]:
    monkeypatch.setattr(sqlite, "WAL_PAGES", WAL_PAGES)
    monkeypatch.setattr(sqlite, "WAL_PAGES_LEFT", WAL_PAGES_LEFT)
    made = _Disk()
    yield made
    made.unregister()


class _Late:
    """A connection whose copy of the log is done, and heard of only once a gate opens."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self.done, self.gate = threading.Event(), threading.Event()

    def wal_checkpoint(self, **given: Any) -> tuple[int, int]:
        found = self._connection.wal_checkpoint(**given)
        self.done.set()
        assert self.gate.wait(30)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


class _Commits:
    """Commits of a few pages each."""

    def __init__(self, journal: SqliteJournal) -> None:
        self.journal = journal
        self._last: Append | None = None
        self.durable = 0

    async def add(self, times: int) -> None:
        for _ in range(times):
            after = None if self._last is None else head_after(self._last)
            self._last = adding(STREAM, b"x" * 5_000, after=after)
            await self.journal.write([self._last])
            self.durable += 1


def _slowly(work: Callable[..., None]) -> Callable[..., None]:
    """Begin late with some work."""

    def begin_late(*given: Any) -> None:
        time.sleep(LATE_SECONDS)
        work(*given)

    return begin_late


def _log_of(path: Path) -> int:
    """Count the pages of the log, as another process sees it."""
    connection = apsw.Connection(str(path))
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").get  # noqa: B018 - opens the log
        return connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_NOOP)[0]
    finally:
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        connection.close()


def test_the_log_begins_again_however_fast_it_is_written(disk: _Disk, tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"

    async def work() -> None:
        journal = await SqliteJournal.open(path, vfs=GATED)
        commits = _Commits(journal)
        await commits.add(5)
        for _ in range(3):
            disk.gate.clear()
            while journal._carried.is_set():
                await commits.add(1)
            # The log is being copied, and does not keep a commit waiting.
            await commits.add(3)
            assert _log_of(path) > WAL_PAGES
            before = disk.syncs
            disk.gate.set()
            await asyncio.to_thread(journal._carried.wait)
            # So that the commit that copies the rest has little left to sync.
            assert disk.syncs > before
            # The first copies what came meanwhile; the second begins the log again.
            await commits.add(2)
            assert _log_of(path) < WAL_PAGES_LEFT
        await journal.close()

    asyncio.run(work())


def test_a_batch_is_answered_before_the_last_of_the_log_is_copied(
    disk: _Disk, tmp_path: Path
) -> None:
    async def work() -> None:
        journal = await SqliteJournal.open(tmp_path / "journal.sqlite", vfs=GATED)
        commits = _Commits(journal)
        try:
            disk.close_gate()
            while journal._carried.is_set():
                await commits.add(1)
            assert await asyncio.to_thread(disk.come.get) == "journal-carry"
            # What is written meanwhile is left to be copied …
            await commits.add(1)
            disk.gate.set()
            await asyncio.to_thread(journal._carried.wait)
            disk.close_gate()
            # … by the thread that writes, after another batch, which is answered before …
            async with asyncio.timeout(10):
                await commits.add(1)
            assert await asyncio.to_thread(disk.come.get) == "journal-write"
            assert not journal._carried.is_set()
            # … and the next batch is written after it.
            following = asyncio.create_task(commits.add(1))
            assert not (await asyncio.wait([following], timeout=LATE_SECONDS))[0]
            disk.gate.set()
            await following
            assert len(await everything(journal, STREAM)) == commits.durable
        finally:
            disk.gate.set()
            await journal.close()

    asyncio.run(work())


@pytest.mark.parametrize("closes", [False, True])
def test_a_journal_that_owes_a_copy_is_reopened_or_closed_after_it(
    disk: _Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closes: bool
) -> None:
    path = tmp_path / "journal.sqlite"

    async def work() -> None:
        journal = await SqliteJournal.open(path, vfs=GATED)
        commits = _Commits(journal)
        while journal._wal_pages <= WAL_PAGES_LEFT:
            await commits.add(1)
        assert journal._carried.is_set()
        monkeypatch.setattr(sqlite, "WAL_PAGES", WAL_PAGES_LEFT)
        for name in ("_carry_back", "_carry_beside"):
            monkeypatch.setattr(journal, name, _slowly(getattr(journal, name)))
        # This commit asks for a copy when the journal is already asked to let go of the file.
        held = threading.Event()
        journal._writing.submit(held.wait, 30)
        journal._carrying.submit(time.sleep, 2 * LATE_SECONDS)
        owing = [asyncio.create_task(commits.add(1))]
        await asyncio.sleep(0)
        owing.append(asyncio.create_task(journal.close() if closes else journal.reopen()))
        await asyncio.sleep(0)
        disk.written_by.clear()
        held.set()
        await asyncio.gather(*owing)
        assert disk.written_by == {"journal-carry"}
        assert journal._carried.is_set()
        assert journal._trouble is None
        if closes:
            commits.journal = await SqliteJournal.open(path, vfs=GATED)
        else:
            await journal._carrying.run(lambda: None)
            assert journal._trouble is None
        await commits.add(20)
        assert len(await everything(commits.journal, STREAM)) == commits.durable
        await commits.journal.close()

    asyncio.run(work())


def test_what_was_copied_of_the_log_before_does_not_count_for_the_next(
    disk: _Disk, tmp_path: Path
) -> None:
    path = tmp_path / "journal.sqlite"

    async def work() -> None:
        journal = await SqliteJournal.open(path, vfs=GATED)
        assert journal._carrier is not None
        late: Any = _Late(journal._carrier)
        journal._carrier = late
        commits = _Commits(journal)
        while journal._carried.is_set():
            await commits.add(1)
        await asyncio.to_thread(late.done.wait)
        # All of the log is in the file: the next commit begins the log again …
        await commits.add(1)
        assert _log_of(path) < WAL_PAGES_LEFT
        # … and only then is it heard how much was copied.
        late.gate.set()
        await asyncio.to_thread(journal._carried.wait)
        disk.written_by.clear()
        while journal._carried.is_set() and not disk.written_by:
            await commits.add(1)
        await asyncio.to_thread(journal._carried.wait)
        assert disk.written_by == {"journal-carry"}
        await journal.close()

    asyncio.run(work())


def test_a_file_moved_while_the_log_is_copied_gets_all_that_was_registered(
    disk: _Disk, tmp_path: Path
) -> None:
    path, moved = tmp_path / "journal.sqlite", tmp_path / "moved.sqlite"

    async def work() -> None:
        journal = await SqliteJournal.open(path, vfs=GATED)
        commits = _Commits(journal)
        await commits.add(5)
        disk.gate.clear()
        while journal._carried.is_set():
            await commits.add(1)
        # These are in the log only.
        await commits.add(3)
        path.rename(moved)
        disk.gate.set()
        await asyncio.to_thread(journal._carried.wait)
        with pytest.raises(ReplacedError, match="under the running venue"):
            await commits.add(1)
        # As if the process had been killed here: its open files are not closed first.
        copy = tmp_path / "copy.sqlite"
        shutil.copy(moved, copy)
        left = await SqliteJournal.open(copy)
        assert len(await everything(left, STREAM)) >= commits.durable
        await left.close()
        await journal.close()

    asyncio.run(work())


@pytest.mark.usefixtures("disk")
def test_a_file_moved_between_two_batches_is_noticed_although_a_copy_is_owed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, moved = tmp_path / "journal.sqlite", tmp_path / "moved.sqlite"

    async def work() -> None:
        journal = await SqliteJournal.open(path, vfs=GATED)
        commits = _Commits(journal)
        while journal._wal_pages <= WAL_PAGES_LEFT:
            await commits.add(1)
        monkeypatch.setattr(sqlite, "WAL_PAGES", WAL_PAGES_LEFT)
        note_ends = journal._note_ends

        def note_and_move(*given: Any) -> None:
            note_ends(*given)
            path.rename(moved)

        monkeypatch.setattr(journal, "_note_ends", note_and_move)
        # The first of two batches in a row owes a copy, which waits behind the second.
        held = threading.Event()
        journal._writing.submit(held.wait, 30)
        first = asyncio.create_task(commits.add(1))
        await asyncio.sleep(0)
        second = asyncio.create_task(journal.probe())
        await asyncio.sleep(0)
        held.set()
        async with asyncio.timeout(10):
            await first
            with pytest.raises(ReplacedError, match="under the running venue"):
                await second
            # As if the process had been killed here: its open files are not closed first.
            copy = tmp_path / "copy.sqlite"
            shutil.copy(moved, copy)
            left = await SqliteJournal.open(copy)
            assert len(await everything(left, STREAM)) == commits.durable
            await left.close()
            # Nothing is copied any more, and nobody waits for it.
            await journal._writing.run(lambda: None)
            assert journal._carried.is_set()
            with pytest.raises(ReplacedError, match="under the running venue"):
                await commits.add(1)
            await journal.close()

    asyncio.run(work())


def test_a_batch_that_comes_while_the_journal_is_closed_owes_no_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path, moved = tmp_path / "journal.sqlite", tmp_path / "moved.sqlite"

    async def work() -> None:
        journal = await SqliteJournal.open(path)
        commits = _Commits(journal)
        await commits.add(1)
        monkeypatch.setattr(sqlite, "WAL_PAGES", 1)
        monkeypatch.setattr(sqlite, "WAL_PAGES_LEFT", 0)
        # The connection that copies is closed, and the one that writes is not yet.
        held = threading.Event()
        journal._reading.submit(held.wait, 30)
        closing = asyncio.create_task(journal.close())
        async with asyncio.timeout(10):
            while journal._carrier is not None:  # noqa: ASYNC110 - another thread closes it
                await asyncio.sleep(0.001)
            await commits.add(1)
            await journal._writing.run(lambda: None)
            # Else a batch that finds the file gone would wait for that copy for ever.
            assert journal._carried.is_set()
            path.rename(moved)
            with pytest.raises(ReplacedError, match="under the running venue"):
                await commits.add(1)
            held.set()
            await closing
        left = await SqliteJournal.open(moved)
        assert len(await everything(left, STREAM)) >= commits.durable
        await left.close()
        assert not caplog.records

    asyncio.run(work())


def test_no_ids_are_forgotten_in_a_file_that_was_replaced(tmp_path: Path) -> None:
    path, moved = tmp_path / "journal.sqlite", tmp_path / "moved.sqlite"

    async def work() -> None:
        journal = await SqliteJournal.open(path)
        await _Commits(journal).add(1)
        path.rename(moved)
        with pytest.raises(ReplacedError):
            await _Commits(journal).add(1)
        with pytest.raises(ReplacedError, match="under the running venue"):
            await journal.forget(1)
        await journal.close()

    asyncio.run(work())

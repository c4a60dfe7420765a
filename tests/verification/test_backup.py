"""Backups: whole while the venue writes, of either kind of journal, restored by two persons."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import apsw
import pytest

from taisai.core.errors import SentenceError
from taisai.core.venue.setup import VenueRestored
from taisai.runtime.journal.backends import open_journal
from taisai.runtime.journal.contract import Journal, JournalError
from taisai.runtime.journal.migration import import_postgres
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.operations import backup as backing_up
from taisai.runtime.operations.backup import (
    BackupError,
    Persons,
    back_up,
    restore,
    restore_by,
    two_persons,
)
from taisai.runtime.streams import VENUE, kind_of
from taisai.runtime.verification.verifier import Asked, verify
from tests.kit.journals import Pen, played, venue_keys, write_world
from tests.verification.damage import verify_file

TABLES = ("events", "commands", "snapshots", "checkpoints")
ANN_AND_BOB = Persons("Ann Lee", "Bob Tan")
#: Within a week of the recorded events: a clock further ahead would not be believed [D35].
NOW = 1_760_500_000_000


def contents(file: Path) -> dict[str, set[tuple[Any, ...]]]:
    """Read the whole content of a journal file, in any order."""
    connection = apsw.Connection(str(file))
    found = {}
    for table in TABLES:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        named = ", ".join(name for name in columns if name != "position")
        rows = connection.execute(f"SELECT {named} FROM {table}")  # noqa: S608 - our own names
        found[table] = set(rows)
    connection.close()
    return found


async def nothing(_: Journal) -> None:
    """Leave a restored journal as it is."""


def test_a_backup_is_the_journal_and_a_file_by_itself(
    file: Path, tmp_path: Path, asked: Asked
) -> None:
    target, shares = tmp_path / "backup.sqlite", list[tuple[int, int]]()
    asyncio.run(back_up(file, target, lambda done, of: shares.append((done, of))))
    assert contents(target) == contents(file)
    assert verify_file(target, asked).verified
    assert {each.name for each in tmp_path.glob("backup*")} == {"backup.sqlite"}
    assert target.stat().st_mode & 0o777 == 0o600
    assert shares[-1][0] == shares[-1][1] > 0
    # It can be read from a read-only disk.
    assert target.read_bytes()[18:20] == b"\x01\x01"


def test_a_backup_is_of_one_moment_while_the_venue_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: Asked
) -> None:
    monkeypatch.setattr(backing_up, "_PAGES", 5)
    file, target = tmp_path / "journal.sqlite", tmp_path / "backup.sqlite"
    decided = played(9, 12)

    async def work() -> tuple[dict[str, set[Any]], int]:
        journal = await SqliteJournal.open(file)
        pen = Pen(journal, venue_keys())
        await pen.write(decided[:100])
        loop, before, writes = asyncio.get_running_loop(), contents(file), 0

        def told(_: int, __: int) -> None:
            # Called by the thread that copies: it waits here until the venue has written more.
            nonlocal writes
            begin = 100 + 10 * writes
            if writes < 5:
                writes += 1
                writing = pen.write(decided[begin : begin + 10])
                asyncio.run_coroutine_threadsafe(writing, loop).result(20)

        await back_up(file, target, told)
        await journal.close()
        return before, writes

    before, writes = asyncio.run(work())
    assert writes == 5
    assert contents(target) == before
    assert contents(file) != before
    assert verify_file(target, asked).verified
    assert verify_file(file, asked).verified


def test_nothing_is_written_over(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "backup.sqlite"
    target.write_text("mine")
    with pytest.raises(BackupError, match=r"is there already, and nothing is written over"):
        asyncio.run(back_up(file, target))
    with pytest.raises(BackupError, match="is there already"):
        asyncio.run(restore(file, target, nothing))
    assert target.read_text() == "mine"
    (tmp_path / "new.sqlite-wal").write_text("left over")
    with pytest.raises(BackupError, match=r"belongs to a journal that was new\.sqlite"):
        asyncio.run(restore(file, tmp_path / "new.sqlite", nothing))
    with pytest.raises(BackupError, match="there is no directory"):
        asyncio.run(back_up(file, tmp_path / "no" / "such"))


def test_where_there_is_no_room_for_a_copy_is_said(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def empty(_: str) -> None:
        pass

    def full(*_: object) -> None:
        raise apsw.FullError("database or disk is full")

    monkeypatch.setattr(backing_up, "_begin_empty", empty)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    restoring = restore(file, "postgresql://somewhere/journal", nothing)
    with pytest.raises(BackupError, match="name a directory for temporary files with TMPDIR"):
        asyncio.run(restoring)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(backing_up, "_copy_pages", full)
    restoring = restore(file, "postgresql://somewhere/journal", nothing)
    said = f"there is no room in {tmp_path}/taisai-restore-.* for a copy of {file}"
    with pytest.raises(BackupError, match=said):
        asyncio.run(restoring)
    assert not [*tmp_path.glob("taisai-restore-*")]


def test_what_is_no_journal_is_not_backed_up(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no journal, but long enough to be looked at" * 99)
    with pytest.raises(JournalError, match="is no journal"):
        asyncio.run(back_up(tmp_path / "file", tmp_path / "backup.sqlite"))
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_restored_venue_says_who_restored_it(file: Path, tmp_path: Path, asked: Asked) -> None:
    target = tmp_path / "restored.sqlite"
    version = asyncio.run(restore_by(file, target, ANN_AND_BOB, NOW, venue_keys()))
    report = verify_file(target, asked)
    assert report.verified, report.faults
    before = contents(file)
    added = contents(target)["events"] - before["events"]
    ((stream, at_version, _, at, _, data, _),) = (row for row in added if row[0] == VENUE)
    assert (stream, at_version, at) == (VENUE, version, NOW)
    newest = max(row[0] for row in before["checkpoints"])
    assert kind_of(VENUE).decode(data) == VenueRestored("Ann Lee", "Bob Tan", newest)


def test_the_time_of_a_restored_venue_does_not_go_back(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "restored.sqlite"
    asyncio.run(restore_by(file, target, ANN_AND_BOB, 5, venue_keys()))
    latest = max(row[3] for row in contents(file)["events"])
    assert {row[3] for row in contents(target)["events"] - contents(file)["events"]} == {latest}


def test_a_venue_that_was_never_opened_has_nobody_to_tell(tmp_path: Path) -> None:
    empty = tmp_path / "empty.sqlite"

    async def begin() -> None:
        await (await SqliteJournal.open(empty)).close()

    asyncio.run(begin())
    assert (
        asyncio.run(restore_by(empty, tmp_path / "restored.sqlite", ANN_AND_BOB, NOW, venue_keys()))
        == 0
    )


@pytest.mark.parametrize(
    ("by", "second", "said"),
    [
        ("Ann Lee", "ann  LEE", "takes two different persons"),
        ("Ann Lee", "", "no name of a person"),
    ],
)
def test_restoring_takes_two_persons(by: str, second: str, said: str) -> None:
    with pytest.raises(SentenceError, match=said):
        two_persons(by, second)


def test_a_database_is_backed_up_restored_and_verified(
    postgres_url: str, tmp_path: Path, asked: Asked, made: Path
) -> None:
    target, again = tmp_path / "backup.sqlite", tmp_path / "again.sqlite"

    async def work() -> None:
        await restore(made, postgres_url, nothing)
        journal = await open_journal(postgres_url, read_only=True)
        report = await verify(journal, asked)
        await journal.close()
        assert report.verified, report.faults
        await back_up(postgres_url, target)
        with pytest.raises(BackupError, match="holds a journal already"):
            await restore(target, postgres_url, nothing)
        await back_up(target, again)

    asyncio.run(work())
    assert contents(target) == contents(made) == contents(again)
    assert verify_file(target, asked).verified


def test_no_database_is_ever_restored_without_saying_by_whom(
    postgres_url: str, tmp_path: Path, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> list[bytes]:
        source = await SqliteJournal.open(tmp_path / "journal.sqlite")
        await write_world(source, played(5, 6))
        await source.close()

        async def cut_short(*given: Any) -> None:
            await import_postgres(*given)
            raise SystemExit("the machine stops right after the database has everything")

        monkeypatch.setattr("taisai.runtime.journal.migration.import_postgres", cut_short)
        restoring = restore_by(source.path, postgres_url, ANN_AND_BOB, NOW, venue_keys())
        with pytest.raises(SystemExit):
            await restoring
        journal = await open_journal(postgres_url, read_only=True)
        report = await verify(journal, asked)
        pages = [page async for page in journal.read("venue")]
        await journal.close()
        assert report.verified, report.faults
        return [record.data for page in pages for record in page]

    assert sum(b"VenueRestored" in data for data in asyncio.run(work())) == 1


def test_a_restore_to_a_database_trusts_a_clock_that_the_database_agrees_with(
    postgres_url: str, tmp_path: Path
) -> None:
    async def work() -> None:
        source = await SqliteJournal.open(tmp_path / "journal.sqlite")
        await write_world(source, played(5, 6))
        await source.close()
        database = await open_journal(postgres_url)
        now = await database.time()
        await database.close()
        assert now is not None
        # More than a week after the newest event: by itself a machine's clock would be in doubt.
        assert now > NOW + 7 * 86_400_000
        version = await restore_by(source.path, postgres_url, ANN_AND_BOB, now, venue_keys())
        database = await open_journal(postgres_url, read_only=True)
        (restored,) = await database.records(VENUE, [version])
        await database.close()
        assert restored.at == now

    asyncio.run(work())


def test_a_database_is_written_to_after_a_restore(
    postgres_url: str, tmp_path: Path, asked: Asked
) -> None:
    async def work() -> None:
        source = await SqliteJournal.open(tmp_path / "journal.sqlite")
        await write_world(source, played(5, 6))
        await source.close()
        await restore_by(tmp_path / "journal.sqlite", postgres_url, ANN_AND_BOB, NOW, venue_keys())
        journal = await open_journal(postgres_url, read_only=True)
        report = await verify(journal, asked)
        await journal.close()
        assert report.verified, report.faults
        assert report.events > sum(len(each.events) for each in played(5, 6))

    asyncio.run(work())

"""Moving a journal between PostgreSQL and a file: all that it holds, or nothing."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal, TypeAlias

import apsw
import asyncpg

from taisai.runtime.journal.contract import (
    Checkpoint,
    IdempotencyRecord,
    JournalError,
    Progress,
    Record,
    Seal,
    Snapshot,
)
from taisai.runtime.journal.paths import FAILURES
from taisai.runtime.journal.postgres import CONNECT_SECONDS
from taisai.runtime.journal.sqlite import SqliteJournal, read_connection

_ROWS = 1_000
#: Each table with the columns that both backends have, and the order in which rows are moved.
_TABLES = {
    "events": (Record._fields, "stream, version"),
    "commands": ((*IdempotencyRecord._fields, "batch", "place"), "batch, place"),
    "seals": (Seal._fields, "number"),
    "snapshots": (Snapshot._fields, "stream, version"),
    "checkpoints": (Checkpoint._fields, "number"),
}

_Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


async def export_postgres(url: str, file: Path, progress: Progress) -> None:
    """Write all that a database holds at one moment to a journal file."""
    made = await SqliteJournal.open(file)
    await made.close()
    read, written = "the journal cannot be read", f"{file} cannot be written"
    async with _transaction(url, read, written) as connection:
        await _export(connection, file, progress)


@asynccontextmanager
async def _transaction(
    url: str, database_fails: str, file_fails: str, *, readonly: bool = True
) -> AsyncIterator[_Connection]:
    """Connect to a database for one transaction; failures are reported in the words given."""
    isolation: Literal["repeatable_read"] | None = "repeatable_read" if readonly else None
    try:
        connection = await asyncpg.connect(url, timeout=CONNECT_SECONDS)
        try:
            async with connection.transaction(isolation=isolation, readonly=readonly):
                yield connection
        finally:
            await connection.close()
    except FAILURES as error:
        raise JournalError(f"{database_fails}: {error}") from error
    except apsw.Error as error:
        raise JournalError(f"{file_fails}: {error}") from error


async def _export(connection: _Connection, file: Path, progress: Progress) -> None:
    target = apsw.Connection(str(file))
    try:
        target.execute("BEGIN IMMEDIATE")
        events = await connection.fetchval("SELECT count(*) FROM taisai.events")
        moved = 0
        for table, (columns, _) in _TABLES.items():
            # The file numbers the commands by itself, through all batches.
            kept = [column for column in columns if column != "place"]
            named, blanks = ", ".join(kept), ", ".join("?" * len(kept))
            add = f"INSERT INTO {table} ({named}) VALUES ({blanks})"  # noqa: S608 - our own names
            cursor = await connection.cursor(_asked("taisai", table))
            while rows := await cursor.fetch(_ROWS):
                target.executemany(add, (tuple(row)[: len(kept)] for row in rows))
                moved += len(rows) if table == "events" else 0
                progress(moved, events)
        target.execute("COMMIT")
        target.execute("PRAGMA journal_mode = DELETE").fetchall()
    finally:
        target.close()


def _asked(namespace: str, table: str) -> str:
    columns, order = _TABLES[table]
    named = ", ".join(columns)
    return f"SELECT {named} FROM {namespace}.{table} ORDER BY {order}"  # noqa: S608 - our own names


async def import_postgres(file: Path, url: str, progress: Progress) -> None:
    """Write all that a journal file holds to a database with an empty journal."""
    written, read = "the backup cannot be written", f"{file} cannot be read"
    async with _transaction(url, written, read, readonly=False) as connection:
        await _import(file, connection, progress)


async def _import(file: Path, connection: _Connection, progress: Progress) -> None:
    source = read_connection(file)
    try:
        counted = source.execute("SELECT count(*) FROM events").get
        for table, (columns, _) in _TABLES.items():
            rows = _rows(source, table, lambda moved: progress(moved, counted))
            await connection.copy_records_to_table(
                table, schema_name="taisai", columns=columns, records=rows
            )
    finally:
        source.close()


def _rows(
    source: apsw.Connection, table: str, progress: Callable[[int], None]
) -> Iterator[tuple[Any, ...]]:
    for moved, row in enumerate(source.execute(_asked("main", table)), 1):
        yield row
        if table == "events" and moved % _ROWS == 0:
            progress(moved)

"""Places for journals, and events to write into them.

Hashes are computed here a second way, from the description of the chain and not by its code.
"""

import asyncio
import hashlib
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import apsw
import asyncpg

from taisai.runtime.journal.backends import open_journal
from taisai.runtime.journal.contract import (
    Append,
    Checkpoint,
    Head,
    IdempotencyRecord,
    Journal,
    Record,
    Snapshot,
)

NOON = 1_700_000_000_000


class Place(ABC):
    """A place for a journal: it opens it, and can do to it what only an outsider would."""

    def __init__(self, where: str | Path) -> None:
        self.where = where

    @asynccontextmanager
    async def journal(self, *, read_only: bool = False) -> AsyncIterator[Journal]:
        """Open the journal here, and close it at the end."""
        journal = await open_journal(self.where, read_only=read_only)
        try:
            yield journal
        finally:
            await journal.close()

    @abstractmethod
    async def begins_nothing(self) -> bool:
        """Say whether nothing was created here."""

    @abstractmethod
    async def make_schema(self, schema: int) -> None:
        """Make the journal here claim another schema."""

    @abstractmethod
    async def make_something_else(self) -> None:
        """Put something else than a journal here."""


class SqlitePlace(Place):
    """A path of a file."""

    path: Path

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.path = path

    async def begins_nothing(self) -> bool:
        """Say whether there is no file."""
        return not self.path.exists()

    async def make_schema(self, schema: int) -> None:
        """Write another number into the file's header."""
        self._tell(f"PRAGMA user_version = {schema}")

    async def make_something_else(self) -> None:
        """Make another program's database here."""
        self._tell("CREATE TABLE recipes (name TEXT)")

    def _tell(self, command: str) -> None:
        connection = apsw.Connection(str(self.path))
        connection.execute(command)
        connection.close()


class PostgresPlace(Place):
    """The address of a database."""

    url: str

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url

    async def begins_nothing(self) -> bool:
        """Say whether there is no schema of ours."""
        async with outsider(self.url) as connection:
            return await connection.fetchval("SELECT to_regnamespace('taisai') IS NULL") is True

    async def make_schema(self, schema: int) -> None:
        """Write another number into the row that names the schema."""
        async with outsider(self.url) as connection:
            await connection.execute("UPDATE taisai.journal SET schema = $1", schema)

    async def make_something_else(self) -> None:
        """Make a schema of our name with another program's tables."""
        async with outsider(self.url) as connection:
            await connection.execute("CREATE SCHEMA taisai")
            await connection.execute("CREATE TABLE taisai.recipes (name text)")


@asynccontextmanager
async def outsider(url: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """Connect to a database without the journal."""
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close(timeout=5)


def beginning(stream: str) -> Head:
    """Give the head of an empty stream."""
    return Head(0, hashlib.sha256(b"taisai stream " + stream.encode()).digest())


def chained(before: bytes, record: Record) -> bytes:
    """Hash a record after the hash before it, by the description of the chain."""
    cause_length = 0 if record.cause is None else len(record.cause) + 1
    return hashlib.sha256(
        before
        + record.version.to_bytes(8, "big")
        + record.at.to_bytes(8, "big", signed=True)
        + record.shape.to_bytes(2, "big")
        + cause_length.to_bytes(4, "big")
        + len(record.data).to_bytes(4, "big")
        + (record.cause or b"")
        + record.data
    ).digest()


def following(after: Head, stream: str, *data: bytes, cause: bytes | None = None) -> list[Record]:
    """Make records that follow on a head, the first one with a cause."""
    records: list[Record] = []
    for offset, each in enumerate(data, start=1):
        version = after.version + offset
        unhashed = Record(stream, version, 1, NOON + version, cause, each, b"")
        before = records[-1].hash if records else after.hash
        records.append(unhashed._replace(hash=chained(before, unhashed)))
        cause = None
    return records


def adding(
    stream: str,
    *data: bytes,
    after: Head | None = None,
    commands: Sequence[IdempotencyRecord] = (),
    snapshot: Snapshot | None = None,
) -> Append:
    """Make a stream's part of a batch, at its beginning unless given another head."""
    head = beginning(stream) if after is None else after
    records = following(head, stream, *data, cause=b'["dealer","Mei","1"]')
    return Append(stream, head, records, commands, snapshot)


def head_after(append: Append) -> Head:
    """Give the head of a stream after an append."""
    if not append.records:
        return append.after
    return Head(append.records[-1].version, append.records[-1].hash)


def answered(
    stream: str, id_: str, *, sender: str = "terminal/7", issued: int = NOON, version: int = 1
) -> IdempotencyRecord:
    """Make the record of a command with one event."""
    hash_ = hashlib.sha256(id_.encode()).digest()
    return IdempotencyRecord(stream, sender, id_, hash_, issued, version, version, None)


def refused(stream: str, id_: str, answer: bytes, *, issued: int = NOON) -> IdempotencyRecord:
    """Make the record of a refused command."""
    hash_ = hashlib.sha256(id_.encode()).digest()
    return IdempotencyRecord(stream, "terminal/7", id_, hash_, issued, 0, 0, answer)


def snapshot_of(stream: str, version: int, data: bytes = b"state") -> Snapshot:
    """Make a snapshot; the journal does not look inside."""
    return Snapshot(stream, version, b"head" * 8, data, "key-1", b"signature" * 7)


def checkpoint_of(number: int) -> Checkpoint:
    """Make a checkpoint; the journal does not look inside."""
    return Checkpoint(number, b'{"number":%d}' % number, "key-1", b"signature" * 7)


async def everything(journal: Journal, stream: str, after: int = 0) -> list[Record]:
    """Read a stream to its end."""
    return [record async for page in journal.read(stream, after) for record in page]


def chain_holds(stream: str, records: Sequence[Record]) -> bool:
    """Say whether records read from the beginning of a stream are chained without a gap."""
    before = beginning(stream)
    for record in records:
        if record.version != before.version + 1 or record.hash != chained(before.hash, record):
            return False
        before = Head(record.version, record.hash)
    return True


async def within(seconds: float, event: asyncio.Event) -> None:
    """Wait for something that will happen soon, but not for ever."""
    async with asyncio.timeout(seconds):
        await event.wait()

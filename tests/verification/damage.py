"""A journal file altered by an attacker with access to it: rows changed by plain SQL."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from taisai.runtime.journal.contract import genesis, link
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.verification.report import Report
from taisai.runtime.verification.verifier import Asked, verify

#: The key columns of each table.
KEYS = {"events": ("stream", "version"), "snapshots": ("stream", "version")} | {
    "checkpoints": ("number",)
}

Row = dict[str, Any]


class Hand:
    """An attacker's connection to a journal file, and a verifier that has it open all the while."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.sql = apsw.Connection(str(file))
        self.sql.execute("PRAGMA synchronous = OFF")
        self._runner = asyncio.Runner()
        self._journal = self._runner.run(SqliteJournal.open(file, read_only=True))

    def verify(self, asked: Asked) -> Report:
        """Verify the present journal."""
        return self._runner.run(verify(self._journal, asked))

    def close(self) -> None:
        """Close the file."""
        self._runner.run(self._journal.close())
        self._runner.close()
        self.sql.close()

    def rows(self, table: str, where: str = "true", *given: Any) -> list[Row]:
        """Read rows, in the order of their keys."""
        order = ", ".join(KEYS[table])
        asked = f"SELECT * FROM {table} WHERE {where} ORDER BY {order}"  # noqa: S608 - our names
        cursor = self.sql.execute(asked, given)
        return [
            dict(zip([name for name, *_ in cursor.get_description()], row, strict=True))
            for row in cursor
        ]

    def do(self, statement: str, *given: Any) -> None:
        """Run any statement on the file."""
        self.sql.execute(statement, given)
        self.sql.wal_checkpoint()

    @contextmanager
    def cell(self, table: str, row: Row, column: str, value: Any) -> Iterator[None]:
        """Put another value into one cell for a while; if a key forbids it, SQLite raises."""
        keys = KEYS[table]
        was = [row[key] for key in keys]
        now = [value if key == column else row[key] for key in keys]
        self._set(table, column, value, was, text=isinstance(row[column], str))
        try:
            yield
        finally:
            self._set(table, column, row[column], now, text=isinstance(row[column], str))

    def _set(self, table: str, column: str, value: Any, named: list[Any], *, text: bool) -> None:
        # Any bytes are stored as text if the cell had text.
        blank = "CAST(? AS TEXT)" if text else "?"
        where = " AND ".join(f"CAST({key} AS BLOB) = CAST(? AS BLOB)" for key in KEYS[table])
        change = f"UPDATE {table} SET {column} = {blank} WHERE {where}"  # noqa: S608 - our names
        self.sql.execute(change, (value, *named))


def verify_file(file: Path, asked: Asked) -> Report:
    """Open a journal file read-only, and verify it."""

    async def work() -> Report:
        journal = await SqliteJournal.open(file, read_only=True)
        try:
            return await verify(journal, asked)
        finally:
            await journal.close()

    return asyncio.run(work())


def bits_of(value: Any) -> int:
    """Count the bits of a value as SQLite stores it."""
    return 64 if isinstance(value, int) else 8 * len(value)


def flipped(value: Any, bit: int) -> Any:
    """Flip one bit: of a whole number, of bytes, or of a text, which may then be invalid."""
    if isinstance(value, int):
        unsigned = (value & (2**64 - 1)) ^ (1 << bit)
        return unsigned - 2**64 if unsigned >= 2**63 else unsigned
    data = bytearray(value.encode() if isinstance(value, str) else value)
    data[bit // 8] ^= 1 << bit % 8
    return bytes(data)


def rechained(hand: Hand, stream: str, version: int, data: bytes) -> None:
    """Forge an event and every hash after it, as an expert would."""
    before = genesis(stream).hash
    for row in hand.rows("events", "stream = ?", stream):
        held = data if row["version"] == version else row["data"]
        before = link(before, row["version"], row["shape"], row["at"], row["cause"], held)
        change = "UPDATE events SET data = ?, hash = ? WHERE stream = ? AND version = ?"
        hand.do(change, held, before, *row_key(row))


def row_key(row: Row) -> tuple[str, int]:
    """Give the key of an event."""
    return row["stream"], row["version"]

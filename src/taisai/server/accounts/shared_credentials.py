"""Credentials that the nodes of a venue share: rows in PostgreSQL, and a copy of them in memory.

Each row has a MAC under a key of the venue, as in the file of a venue of one process: nobody can
add a row in the database, or put an older one in the place of another. A change is written to the
database before it is made in memory. Changes are rare and small, so the caller waits for them.
"""

import asyncio
import threading
from collections.abc import Coroutine, Sequence
from concurrent.futures import TimeoutError as LateError
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar

import apsw
import asyncpg
import msgspec

from taisai.runtime.journal.paths import FAILURES, failure_of
from taisai.runtime.journal.postgres_schema import BEGIN_ALONE
from taisai.server.accounts.credentials import (
    TABLE_NAMES,
    TABLES,
    Credentials,
    CredentialsError,
    Values,
)

_MAKE = """
CREATE TABLE IF NOT EXISTS taisai.credentials (
  kind text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL, row bytea NOT NULL,
  PRIMARY KEY (kind, name)
)
"""
_ALL = "SELECT kind, row FROM taisai.credentials"
_SET = """
INSERT INTO taisai.credentials VALUES ($1, $2, $3)
ON CONFLICT (kind, name) DO UPDATE SET row = excluded.row
"""
_DROP = "DELETE FROM taisai.credentials WHERE kind = $1 AND name = $2"
#: The table of keys has two columns for a name, the others one.
_NAMED_BY = {"persons": 1, "codes": 1, "keys": 2}
_ANSWER_SECONDS = 5.0
_FAILURES = (*FAILURES, LateError)
_T = TypeVar("_T")


class SharedCredentials(Credentials):
    """The credentials of a venue of several nodes; made by `join`, ended by `close`."""

    def __init__(self, url: str, connection: apsw.Connection, key: bytes) -> None:
        super().__init__(Path("the credentials in the database"), connection, key)
        self._url = url
        #: A loop of its own, so that a caller that makes a change can wait for the database.
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._writing: asyncpg.Connection[asyncpg.Record] | None = None
        self._thread.start()

    @classmethod
    def join(cls, url: str, key: bytes, file: Path | None = None) -> "SharedCredentials":
        """Read the credentials that the nodes share, or make them if there are none.

        If the venue was one process until now, the rows of its file are copied.
        """
        connection = apsw.Connection(":memory:")
        connection.execute(TABLES)
        shared = cls(url, connection, key)
        try:
            # Two nodes that start at once make the table once.
            shared._ask(shared._execute([(BEGIN_ALONE, ()), (_MAKE, ())]))
            rows = shared._ask(shared.fetch())
            shared.take(rows)
            if not rows and file is not None and file.exists():
                shared._copy(Credentials.open(file, key))
        except BaseException:
            shared.close()
            raise
        return shared

    def _copy(self, other: Credentials) -> None:
        """Copy the rows of a file, all or none."""
        with closing(other):
            changes = [
                self._row(table, values) for table in TABLE_NAMES for values in other.every(table)
            ]
        if changes:
            self._write(*changes)

    def close(self) -> None:
        """End the loop, and forget the rows."""
        asyncio.run_coroutine_threadsafe(self._hang_up(), self._loop).result(_ANSWER_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_ANSWER_SECONDS)
        self._loop.close()
        super().close()

    async def _hang_up(self) -> None:
        if self._writing is not None and not self._writing.is_closed():
            with suppress(*_FAILURES):
                await self._writing.close(timeout=1.0)

    async def fetch(self) -> list[tuple[str, bytes]]:
        """Read all rows as they are now."""
        connection = await asyncpg.connect(self._url, timeout=_ANSWER_SECONDS)
        try:
            rows = await connection.fetch(_ALL, timeout=_ANSWER_SECONDS)
        finally:
            await connection.close(timeout=_ANSWER_SECONDS)
        return [(row[0], row[1]) for row in rows]

    async def read_again(self) -> None:
        """Read the rows again, which other nodes may have changed."""
        try:
            self.take(await self.fetch())
        except _FAILURES as error:
            raise CredentialsError(f"{self._file} cannot be read: {failure_of(error)}") from error

    def take(self, rows: Sequence[tuple[str, bytes]]) -> None:
        """Replace the rows in memory by these, and check that this venue wrote each."""
        try:
            with self._connection:
                for table in TABLE_NAMES:
                    self._connection.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
                for table, row in rows:
                    self._put(table, tuple(msgspec.msgpack.decode(row)))
        except (msgspec.MsgspecError, UnicodeDecodeError, apsw.Error, TypeError) as error:
            raise CredentialsError(
                f"{self._file}: what they hold was not written by this venue: {error}"
            ) from error
        self._check_rows()

    def _put(self, table: str, values: Values) -> None:
        if table not in TABLE_NAMES:
            raise CredentialsError(f"{self._file}: they hold {table}, which no venue writes")
        marks = ", ".join("?" * len(values))
        self._connection.execute(f"INSERT INTO {table} VALUES ({marks})", values)  # noqa: S608

    def _write(self, *changes: tuple[str, Values]) -> None:
        """Make changes in the database, all or none, and then in memory."""
        self._ask(self._execute([_stated(*change) for change in changes]))
        super()._write(*changes)

    def _overwrite(self) -> None:
        """Do nothing: the database decides when it overwrites replaced rows."""

    async def _execute(self, changes: Sequence[tuple[str, tuple[Any, ...]]]) -> None:
        if self._writing is None or self._writing.is_closed():
            self._writing = await asyncpg.connect(self._url, timeout=_ANSWER_SECONDS)
        try:
            async with self._writing.transaction():
                for sql, given in changes:
                    await self._writing.execute(sql, *given, timeout=_ANSWER_SECONDS)
        except _FAILURES:
            self._writing.terminate()
            raise

    def _ask(self, work: Coroutine[Any, Any, _T]) -> _T:
        asked = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return asked.result(2 * _ANSWER_SECONDS)
        except _FAILURES as error:
            raise CredentialsError(f"{self._file} cannot be used: {failure_of(error)}") from error


def _stated(sql: str, values: Values) -> tuple[str, tuple[Any, ...]]:
    """Translate a change for the database, where a row has the name of what it belongs to."""
    table = sql.rsplit("INTO ", maxsplit=1)[-1].rsplit("FROM ", maxsplit=1)[-1].split(maxsplit=1)[0]
    if sql.startswith("DELETE"):
        return _DROP, (table, str(values[0]))
    name = "\n".join(map(str, values[: _NAMED_BY[table]]))
    return _SET, (table, name, msgspec.msgpack.encode(values))

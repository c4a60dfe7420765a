"""Opening a journal by its place: a file, or the address of a PostgreSQL database.

It knows which backend belongs to which place, and nothing about the backends.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from taisai.extras import require
from taisai.runtime.journal.contract import Journal, JournalError
from taisai.runtime.journal.location import is_address, node_of
from taisai.runtime.journal.sqlite import SqliteJournal

_POSTGRES = ("postgresql", "postgres")


async def open_journal(
    where: str | Path, *, read_only: bool = False, data: Path | None = None
) -> Journal:
    """Open the journal at a path or a `postgresql://` address, or begin one where there is none.

    `read_only` begins none, and writes nothing. Opened for a data directory, a database is that
    venue's alone; a file is its directory's.
    """
    scheme = str(where).partition("://")[0]
    if not is_address(where):
        return await SqliteJournal.open(Path(where), read_only=read_only)
    if scheme not in _POSTGRES:
        raise JournalError(
            f"a journal is a file or a database at postgresql://…, and {scheme}:// is neither"
        )
    require("a journal in PostgreSQL", "postgres")
    # Not at the top: it cannot be imported without the extra that was just looked for.
    from taisai.runtime.journal.postgres import PostgresJournal  # noqa: PLC0415

    node = None if data is None else node_of(data)
    return await PostgresJournal.open(str(where), read_only=read_only, node=node)


@asynccontextmanager
async def opened_journal(
    where: str | Path, *, read_only: bool = False, data: Path | None = None
) -> AsyncIterator[Journal]:
    """Open a journal for the duration of a `with` block."""
    journal = await open_journal(where, read_only=read_only, data=data)
    try:
        yield journal
    finally:
        await journal.close()

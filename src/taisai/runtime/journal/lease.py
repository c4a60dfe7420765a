"""Who may write to a journal in PostgreSQL: one venue at a time, by a row that says which.

The row has an epoch, which every batch is compared with: once somebody else has taken the journal
over, nothing that the former sends is written, however late it arrives. A venue that stops lets the
row go. One that was killed finds its own name there, and goes on; a venue of another name is
refused, and told whose it is: it takes an explicit take-over to begin there.
"""

import asyncio
from datetime import UTC, datetime
from typing import NamedTuple, TypeAlias

import asyncpg

from taisai.runtime.journal.contract import FencedError, JournalError

#: A row for all streams, since one venue has them all.
MAKE = """
CREATE TABLE taisai.owners (
  stream text COLLATE "C" PRIMARY KEY, epoch bigint NOT NULL, node text,
  fence bigint, since timestamptz NOT NULL DEFAULT now(),
  beat timestamptz NOT NULL DEFAULT now()
);
INSERT INTO taisai.owners (stream, epoch) VALUES ('*', 0);
"""
IS_MADE = "SELECT to_regclass('taisai.owners') IS NOT NULL"
#: What a session of a venue's is known by: an advisory lock that is its own.
_FENCED = """
FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND (classid::bigint << 32) | objid::bigint
"""
#: A connection that was lost may still have a server process at work: it is ended.
END_FORMER = f"SELECT pg_terminate_backend(pid) {_FENCED} = $1"
_HOLDER = f"""
SELECT epoch, node, fence, since, beat, EXISTS (SELECT {_FENCED} = owners.fence) AS connected,
  extract(epoch FROM clock_timestamp() - beat)::float8 AS silent
FROM taisai.owners WHERE stream = '*'
"""  # noqa: S608 - our own words
_TAKE = """
UPDATE taisai.owners SET epoch = epoch + 1, node = $1, fence = $2, since = now(), beat = now()
WHERE stream = '*' RETURNING epoch
"""
BEAT = "UPDATE taisai.owners SET beat = now() WHERE stream = '*' AND epoch = $1 RETURNING epoch"
_LET_GO = "UPDATE taisai.owners SET node = NULL, fence = NULL WHERE stream = '*' AND epoch = $1"

#: A session of our own name is watched so often, and so long each time: one that lives has a beat.
_WATCHES = 30
_WATCH_SECONDS = 0.1

_Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


class Holder(NamedTuple):
    """Whose a journal is: since when, when it was last heard of, and whether it is connected."""

    epoch: int
    node: str | None
    fence: int | None
    since: datetime
    beat: datetime
    connected: bool
    silent: float

    @property
    def sentence(self) -> str:
        """Say who it is, and how they are."""
        here = "is connected now" if self.connected else "has no connection now"
        since = self.since.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        return (
            f"the venue {self.node}, which has had it since {since},"
            f" was last heard of {max(self.silent, 0):.0f} s ago and {here}"
        )


class HeldError(JournalError):
    """Another venue has the journal; the sentence says which, and what to do."""


async def holder(connection: _Connection) -> Holder:
    """Look whose the journal is."""
    row = await connection.fetchrow(_HOLDER)
    if row is None:
        raise JournalError("the row that says whose the journal is has gone")
    return Holder(*row)


class Lease:
    """The right to write, for who has a name; who has none writes as long as nobody takes over."""

    def __init__(self, node: str | None) -> None:
        self.node = node
        self.epoch = 0
        self._had = False

    async def watch(self, connection: _Connection) -> None:
        """Refuse where somebody of our own name is at work; a session that only ends is none."""
        found = await holder(connection)
        if self.node is None or self._had or found.node != self.node:
            return
        for _ in range(_WATCHES):
            if not found.connected:
                return
            await asyncio.sleep(_WATCH_SECONDS)
            now = await holder(connection)
            if now.beat != found.beat:
                raise HeldError(f"another process has the name of this venue: {now.sentence}")
            found = now

    async def take(self, connection: _Connection, fence: int) -> int | None:
        """Take the row, or have it still; gives what sessions of a former holder are known by."""
        found = await holder(connection)
        if self.node is None:
            self.epoch = found.epoch
            return None
        if self._had:
            await self.beat(connection)
            return None
        if found.node not in (None, self.node):
            raise HeldError(
                f"the journal belongs to {found.sentence}; stop it there, or if it is lost take"
                " the journal over with: taisai takeover"
            )
        self.epoch = await connection.fetchval(_TAKE, self.node, fence)
        self._had = True
        return found.fence

    async def beat(self, connection: _Connection) -> None:
        """Be heard of; nothing is written any more where somebody else has taken over."""
        if self.node is None:
            return
        if await connection.fetchval(BEAT, self.epoch) is None:
            raise FencedError(f"the journal was taken over: {await self.taken_by(connection)}")

    async def taken_by(self, connection: _Connection) -> str:
        """Say who has taken over."""
        found = await holder(connection)
        return found.sentence if found.node else "by command; start the venue that is to go on"

    async def let_go(self, connection: _Connection) -> None:
        """Leave the journal to whoever comes next."""
        if self._had:
            await connection.execute(_LET_GO, self.epoch)


async def take_over(connection: _Connection) -> Holder | None:
    """Take the journal from whoever has it, for the next venue that starts; gives who that was."""
    async with connection.transaction():
        found = await holder(connection)
        if found.node is None:
            return None
        await connection.fetchval(_TAKE, None, None)
    await connection.fetch(END_FORMER, found.fence)
    return found

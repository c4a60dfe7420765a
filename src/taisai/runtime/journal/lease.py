"""The right to write to a journal in PostgreSQL: of one venue, or of several nodes by stream.

A row names the owner of a stream; the row of a venue that has all of them is called `*`. Each row
has an epoch, which every batch is compared with: after a take-over nothing that the former owner
sends is written, however late it arrives. A venue that stops releases its row. One that was killed
finds its own name there, and goes on; a venue of another name is refused with the owner's name: it
must take the journal over explicitly. A journal never belongs to one venue and to nodes at once.
"""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple, TypeAlias

import asyncpg

from taisai.runtime.journal.contract import FencedError, JournalError

#: The row for all streams, of one venue that has them all.
WHOLE = "*"
#: Tables of an older program are dropped: their epochs are of no use here.
MAKE = """
DROP TABLE IF EXISTS taisai.owners, taisai.nodes;
CREATE TABLE taisai.nodes (
  node text COLLATE "C" PRIMARY KEY, fence bigint NOT NULL, roles text[] NOT NULL DEFAULT '{}',
  beat bigint NOT NULL DEFAULT 0, heard timestamptz NOT NULL DEFAULT now(),
  draining boolean NOT NULL DEFAULT false, chain bigint NOT NULL DEFAULT 0,
  address text NOT NULL DEFAULT ''
);
CREATE TABLE taisai.owners (
  stream text COLLATE "C" PRIMARY KEY, epoch bigint NOT NULL DEFAULT 0, node text COLLATE "C",
  since timestamptz NOT NULL DEFAULT now(), role text NOT NULL DEFAULT 'owner',
  wanted text COLLATE "C"
);
INSERT INTO taisai.owners (stream) VALUES ('*');
"""
IS_MADE = """
SELECT EXISTS (SELECT FROM pg_attribute
  WHERE attrelid = to_regclass('taisai.nodes') AND attname = 'address' AND NOT attisdropped)
"""
#: Finds the sessions of a venue by their fence, an advisory lock of their own.
FENCED_SESSIONS = """
FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND (classid::bigint << 32) | objid::bigint
"""
#: Ends the server process that a lost connection may have left at work.
END_FORMER = f"SELECT pg_terminate_backend(pid) {FENCED_SESSIONS} = $1"
_HOLDER = f"""
SELECT epoch, node, fence, since, coalesce(heard, since),
  EXISTS (SELECT {FENCED_SESSIONS} = nodes.fence) AS connected,
  extract(epoch FROM clock_timestamp() - coalesce(heard, since))::float8 AS silent
FROM taisai.owners LEFT JOIN taisai.nodes USING (node) WHERE stream = '*'
"""  # noqa: S608 - our own words
_NODE = f"""
SELECT fence, heard, EXISTS (SELECT {FENCED_SESSIONS} = nodes.fence) AS connected
FROM taisai.nodes WHERE node = $1
"""  # noqa: S608 - our own words
_NAME = """
INSERT INTO taisai.nodes (node, fence, roles) VALUES ($1, $2, $3) ON CONFLICT (node)
DO UPDATE SET fence = $2, roles = $3, beat = nodes.beat + 1, heard = now(), draining = false
"""
#: A node keeps the number of its chain of seals as long as its name.
_NAME_NODE = """
INSERT INTO taisai.nodes (node, fence, roles, address, chain)
SELECT $1, $2, $3, $4, coalesce(max(chain), 0) + 1 FROM taisai.nodes ON CONFLICT (node)
DO UPDATE SET fence = $2, roles = $3, address = $4, beat = nodes.beat + 1, heard = now(),
  draining = false, chain = CASE nodes.chain WHEN 0 THEN excluded.chain ELSE nodes.chain END
RETURNING chain
"""
_TAKE = """
UPDATE taisai.owners SET epoch = epoch + 1, node = $1, since = now()
WHERE stream = '*' RETURNING epoch
"""
BEAT = """
UPDATE taisai.nodes SET beat = beat + 1, heard = now() FROM taisai.owners
WHERE owners.stream = '*' AND owners.epoch = $1 AND nodes.node = owners.node RETURNING epoch
"""
#: Only a read: if anything but the loop's beats counted, a stuck node would never be taken over.
_IS_NAMED = "SELECT beat FROM taisai.nodes WHERE node = $1 AND fence = $2"
_LET_GO = "UPDATE taisai.owners SET node = NULL WHERE stream = '*' AND epoch = $1"
_OF_NODES = """
SELECT node, count(*) FROM taisai.owners WHERE stream <> '*' AND node IS NOT NULL
GROUP BY node ORDER BY node LIMIT 1
"""

#: How often a session of our own name is checked for a beat, and the pause; a live one beats.
_WATCHES = 30
_WATCH_SECONDS = 0.1

_Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


class Holder(NamedTuple):
    """The owner of a journal: since when, its last beat, and whether it is connected."""

    epoch: int
    node: str | None
    fence: int | None
    since: datetime
    beat: datetime
    connected: bool
    silent: float

    @property
    def sentence(self) -> str:
        """Name the venue, and say when it last beat."""
        here = "is connected now" if self.connected else "has no connection now"
        since = self.since.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        return (
            f"the venue {self.node}, which has had it since {since},"
            f" was last heard of {max(self.silent, 0):.0f} s ago and {here}"
        )


class HeldError(JournalError):
    """Another venue has the journal; the sentence says which, and what to do."""


async def holder(connection: _Connection) -> Holder:
    """Find the owner of the journal."""
    row = await connection.fetchrow(_HOLDER)
    if row is None:
        raise JournalError("the row that says whose the journal is has gone")
    return Holder(*row)


class Lease:
    """A venue's right to write all streams; without a name, it lasts until another takes over."""

    #: Whether it is for all streams.
    is_whole = True
    #: The chain of seals of a venue that has all streams.
    chain = 0

    def __init__(self, node: str | None, epoch: int = 0) -> None:
        self.node = node
        self.epoch = epoch
        #: Whether the row was taken; its owner beats from then on.
        self.is_had = False

    def held(self, _: Sequence[str], *, signs: bool = False) -> tuple[Sequence[str], Sequence[int]]:
        """Name the rows whose epochs a batch needs, each with its epoch."""
        del signs  # The owner of all streams signs.
        return (WHOLE,), (self.epoch,)

    async def watch(self, connection: _Connection) -> None:
        """Refuse if another session of our own name is at work, and not just ending."""
        if self.node is not None:
            await _watch(connection, self.node)

    async def take(self, connection: _Connection, fence: int) -> int | None:
        """Take the row; give the fence of the former owner's sessions."""
        found = await holder(connection)
        if self.node is None:
            self.epoch = found.epoch
            return None
        if found.node not in (None, self.node):
            raise HeldError(
                f"the journal belongs to {found.sentence}; stop it there, or if it is lost take"
                " the journal over with: taisai takeover"
            )
        nodes = await connection.fetchrow(_OF_NODES)
        if nodes is not None:
            raise HeldError(
                f"the journal belongs to nodes, and {nodes[0]} has {nodes[1]} of its streams;"
                " stop them before one venue is to have it"
            )
        await connection.execute(_NAME, self.node, fence, ())
        self.epoch = await connection.fetchval(_TAKE, self.node)
        self.is_had = True
        return found.fence

    async def beat(self, connection: _Connection) -> None:
        """Beat; raises if another venue has taken over, and then nothing more is written."""
        if self.node is None:
            return
        if await connection.fetchval(BEAT, self.epoch) is None:
            raise FencedError(f"the journal was taken over: {await self.taken_by(connection)}")

    async def taken_by(self, connection: _Connection) -> str:
        """Say which venue has taken over."""
        found = await holder(connection)
        return found.sentence if found.node else "by command; start the venue that is to go on"

    async def let_go(self, connection: _Connection) -> None:
        """Release the journal for the next owner."""
        if self.is_had:
            await connection.execute(_LET_GO, self.epoch)


class NodeLeases:
    """One node's rights to write to streams; how it gets and loses them is not known here."""

    is_whole = False

    def __init__(
        self, node: str, roles: Sequence[str] = (), *, signs_by: str = WHOLE, address: str = ""
    ) -> None:
        self.node = node
        self.roles = tuple(roles)
        #: Its address for other nodes.
        self.address = address
        #: The number of its chain of seals, once it is connected.
        self.chain = 0
        #: The stream whose owner alone signs checkpoints.
        self.signs_by = signs_by
        #: Each stream that it may write to, with the epoch of its lease.
        self.epochs: dict[str, int] = {}
        #: The fence of its sessions, once it is connected.
        self.fence = 0

    @property
    def is_had(self) -> bool:
        """Say whether the node's name was taken by this process."""
        return self.fence != 0

    def held(
        self, streams: Sequence[str], *, signs: bool = False
    ) -> tuple[Sequence[str], Sequence[int]]:
        """Name the rows whose epochs a batch needs, each with its epoch; real ones begin at one."""
        if signs:
            streams = [*streams, self.signs_by]
        return streams, [self.epochs.get(stream, -1) for stream in streams]

    async def watch(self, connection: _Connection) -> None:
        """Refuse if another session of our own name is at work, and not just ending."""
        await _watch(connection, self.node)

    async def take(self, connection: _Connection, fence: int) -> int | None:
        """Take the node's name; give the fence of the sessions that had it before."""
        found = await holder(connection)
        if found.node is not None:
            raise HeldError(f"the journal belongs to one venue, not to nodes: {found.sentence}")
        former = await connection.fetchrow(_NODE, self.node)
        named = self.node, fence, self.roles, self.address
        self.chain = await connection.fetchval(_NAME_NODE, *named)
        self.fence = fence
        return None if former is None else int(former["fence"])

    async def beat(self, connection: _Connection) -> None:
        """Check that this process still has the name; if not, nothing more is written."""
        if await connection.fetchval(_IS_NAMED, self.node, self.fence) is None:
            raise FencedError(f"another process has the name of the node {self.node}")

    async def taken_by(self, _: _Connection) -> str:
        """Say that another process has the name."""
        return f"another process has the name of the node {self.node}"

    async def let_go(self, _: _Connection) -> None:
        """Leave the leases as they are: `ownership` releases them."""


async def _watch(connection: _Connection, node: str) -> None:
    """Refuse if another session of this name is alive, which its beats show."""
    row = await connection.fetchrow(_NODE, node)
    for _ in range(_WATCHES):
        if row is None or not row["connected"]:
            return
        await asyncio.sleep(_WATCH_SECONDS)
        now = await connection.fetchrow(_NODE, node)
        if now is None or now["heard"] != row["heard"]:
            raise HeldError(f"another process has the name {node}: it is connected, and at work")


async def take_over(connection: _Connection) -> Holder | None:
    """Take the journal from its owner, for the next venue that starts; give the former owner."""
    async with connection.transaction():
        found = await holder(connection)
        if found.node is None:
            return None
        await connection.fetchval(_TAKE, None)
    await connection.fetch(END_FORMER, found.fence)
    return found

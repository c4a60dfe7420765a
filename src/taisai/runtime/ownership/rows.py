"""Leases stored as rows in PostgreSQL, in the database of their journal.

Beats have a connection of their own and are committed without a sync: a slow disk makes no node
silent, and a lost beat is followed by the next. A change of owner is synced, also to the standby
if there is one, before any node acts on it.

They need PostgreSQL 14, which is the oldest that a venue may use: it hashes whole rows, and waits
for the sessions that it ends. The journal's own statements need nothing that came after 12.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import asyncpg
from asyncpg.connect_utils import SessionAttribute

from taisai.runtime.journal.contract import FencedError, JournalError
from taisai.runtime.journal.lease import FENCED_SESSIONS, NodeLeases
from taisai.runtime.journal.paths import FAILURES, WatchedConnection, failure_of
from taisai.runtime.journal.postgres import BARRIER, SETTINGS, UNDER_WAY
from taisai.runtime.journal.postgres_schema import BEGIN_ALONE
from taisai.runtime.ownership.ownership import Store
from taisai.runtime.ownership.tenure import NodeRow, OwnerRow, Seen, Taking, Terms

#: Two statements: the second sees all that was committed while the first waited for its row. Each
#: is a transaction of its own: a node stopped between them holds no row that others wait for.
_BEAT = """
UPDATE taisai.nodes SET beat = beat + 1, heard = now() WHERE node = $1 AND fence = $2 RETURNING beat
"""
#: The owners' rows are sent only if they have changed since they were last sent. The sum of the
#: rows' 64-bit hashes shows that, whichever node has written them.
_SEEN = """
WITH sent AS MATERIALIZED (
  SELECT coalesce(sum(hash_record_extended(ROW (stream, epoch, node, role, wanted), 0)), 0)::text
    AS print
  FROM taisai.owners WHERE stream <> '*'
)
SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
  ARRAY (SELECT ROW (node, fence, roles, beat, draining, chain) FROM taisai.nodes), print,
  CASE WHEN print IS DISTINCT FROM $1 THEN
    ARRAY (SELECT ROW (stream, epoch, node, role, wanted) FROM taisai.owners WHERE stream <> '*')
  END
FROM sent
"""
#: Locks until the streams are taken: so a former owner that beats after all has beaten before and
#: keeps its streams, or sees in its beat that it has lost them.
HOLD_FORMERS = "SELECT FROM taisai.nodes WHERE node = ANY ($1::text[]) ORDER BY node FOR UPDATE"
#: `wanted` stays, whichever other node has the stream meanwhile.
_TAKE = """
UPDATE taisai.owners SET epoch = owners.epoch + 1, node = $1, since = now(),
  wanted = nullif(wanted, $1)
FROM unnest($3::text[], $4::bigint[], $5::bigint[]) AS seen(stream, epoch, beat)
WHERE owners.stream = seen.stream AND owners.epoch = seen.epoch
  AND (owners.node IS NULL OR owners.node = $1
    OR EXISTS (SELECT FROM taisai.nodes WHERE node = owners.node AND beat = seen.beat))
  AND EXISTS (SELECT FROM taisai.nodes WHERE node = $1 AND fence = $2)
  AND NOT EXISTS (SELECT FROM taisai.owners WHERE stream = '*' AND node IS NOT NULL)
RETURNING owners.stream, owners.epoch
"""
_RELEASE = "UPDATE taisai.owners SET node = NULL WHERE stream = $1 AND epoch = $2"
_ADD = """
INSERT INTO taisai.owners (stream, role) SELECT unnest($1::text[]), $2 ON CONFLICT DO NOTHING
"""
#: A stream that is already there is not wanted there: else every take-over would send it back.
WANT = """
UPDATE taisai.owners SET wanted = nullif($2, node) WHERE stream = $1 RETURNING stream
"""
_DRAIN = "UPDATE taisai.nodes SET draining = $2 WHERE node = $1 RETURNING node"
#: Ends sessions, waits so many milliseconds at most, and says of each whether it is gone.
_END = f"SELECT pg_terminate_backend(pid, $2) {FENCED_SESSIONS} = ANY ($1::bigint[])"

#: Milliseconds for a former owner's sessions to end, and how often others are waited for.
_END_MS = 1_000
_LOOKS = 200
_LOOK_SECONDS = 0.01
#: Seconds to reach the server, and for its answer to a synced statement.
_CONNECT_SECONDS = 3.0
_ANSWER_SECONDS = 5.0

#: In milliseconds: a node stopped in a transaction blocks others for no longer, and a statement
#: that nobody waits for any more ends soon.
_BRIEF = {
    "application_name": "taisai-leases",
    "lock_timeout": "1000",
    "idle_in_transaction_session_timeout": "3000",
}

_Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


class Rows(Store):
    """The leases of a node, stored in the rows of one database; ended by `close`."""

    def __init__(self, url: str, leases: NodeLeases, terms: Terms) -> None:
        self._url = url
        self._leases = leases
        self._terms = terms
        self._beating: _Connection | None = None
        #: The owners' rows as they were last sent, and the hash by which a change is noticed.
        self._owners: Sequence[OwnerRow] = ()
        self._print: str | None = None
        self._deciding: _Connection | None = None
        #: Warnings with the server's last answer, such as that it did not wait for a standby.
        self._warnings: list[str] = []
        #: Synced statements run one at a time.
        self._turn = asyncio.Lock()

    async def close(self) -> None:
        """Close the connections."""
        for connection in (self._beating, self._deciding):
            _hang_up(connection)

    async def beat(self) -> Seen:
        """Beat, and read all rows; an answer that is late does no harm by itself.

        So a late answer is waited for, and slow preparation is done when connecting: otherwise a
        node on a machine that is too busy would only ever connect.
        """
        try:
            if self._beating is None or self._beating.is_closed():
                self._beating = await self._connect_to_beat()
            async with asyncio.timeout(2 * self._terms.suspend):
                mine = self._leases.node, self._leases.fence
                beaten = await self._beating.fetchval(_BEAT, *mine)
                row = await self._beating.fetchrow(_SEEN, self._print)
        except BaseException as error:
            _hang_up(self._beating)
            raise _complaint("no beat was had", error) from error
        assert row is not None, "such a statement gives one row"
        at, nodes, print_, owners = row
        if owners is not None:
            self._owners, self._print = [OwnerRow(*each) for each in owners], print_
        if beaten is None:
            raise FencedError(f"another process has the name of the node {self._leases.node}")
        return Seen([NodeRow(*each) for each in nodes], self._owners, at)

    async def take(self, takings: Sequence[Taking]) -> Mapping[str, int]:
        """Take streams whose rows are as they were seen; no venue takes the journal meanwhile."""
        columns = zip(*((each.stream, each.epoch, each.beat) for each in takings), strict=True)
        mine = self._leases.node, self._leases.fence
        formers = [each.former for each in takings if each.former is not None]
        first = ((BEGIN_ALONE,), (HOLD_FORMERS, formers))
        async with self._turn:
            rows = await self._decide(_TAKE, *mine, *map(list, columns), first=first)
        return {row["stream"]: row["epoch"] for row in rows}

    async def release(self, stream: str, epoch: int) -> None:
        """Leave a stream without an owner; the node that is chosen for it takes it."""
        async with self._turn:
            await self._decide(_RELEASE, stream, epoch)

    async def settle(self, fences: Collection[int]) -> None:
        """End sessions, wait until other transactions are over, and write a barrier after them."""
        async with self._turn:
            ended = await self._decide(_END, [*fences], _END_MS) if fences else []
            if not all(row[0] for row in ended):
                raise JournalError("a session of a former owner does not end")
            await self._let_others_finish()
            await self._decide(BARRIER)

    async def _let_others_finish(self) -> None:
        """Wait for the transactions under way now; later ones see the new owner."""
        others = {row[0] for row in await self._decide(UNDER_WAY)}
        for _ in range(_LOOKS):
            if not others:
                return
            await asyncio.sleep(_LOOK_SECONDS)
            others &= {row[0] for row in await self._decide(UNDER_WAY)}
        raise JournalError("another connection writes all the time, and has not finished")

    # --- what people ask for -----------------------------------------------------------------

    async def add(self, streams: Sequence[str], role: str = "owner") -> None:
        """Add rows for new streams, to be owned by nodes of a role; existing rows stay."""
        async with self._turn:
            await self._decide(_ADD, [*streams], role)

    async def want(self, stream: str, node: str | None) -> bool:
        """Name the node for a stream after its round; say whether there is such a stream."""
        async with self._turn:
            return bool(await self._decide(WANT, stream, node))

    async def drain(self, node: str, *, draining: bool = True) -> bool:
        """Have a node leave all its streams, or stop that; say whether there is such a node."""
        async with self._turn:
            return bool(await self._decide(_DRAIN, node, draining))

    # --- the connections ---------------------------------------------------------------------

    async def _decide(
        self, sql: str, *given: Any, first: Sequence[tuple[Any, ...]] = ()
    ) -> list[asyncpg.Record]:
        """Run a statement whose outcome must be synced before any node acts on it."""
        self._warnings.clear()
        try:
            if self._deciding is None or self._deciding.is_closed():
                self._deciding = await self._connect(synced="on")
                self._deciding.add_log_listener(partial(_note_warning, self._warnings))
            if first:
                rows = await _transact(self._deciding, (*first, (sql, *given)))
            else:
                rows = await self._deciding.fetch(sql, *given)
        except BaseException as error:
            # Without a rollback first: the server does that when the connection ends.
            _hang_up(self._deciding)
            raise _complaint("leases cannot be decided", error) from error
        if self._warnings:
            # For example, that it did not wait for its standby, which may not have the change.
            raise JournalError(f"leases cannot be decided: {'; '.join(self._warnings)}")
        return rows

    async def _connect_to_beat(self) -> _Connection:
        """Connect, and read the rows once: the first read also asks for their types.

        The server connected to now then sends the owners' rows anew.
        """
        self._print = None
        connection = await self._connect(synced="off")
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                await connection.fetchrow(_SEEN, None)
        except BaseException:
            connection.terminate()
            raise
        return connection

    async def _connect(self, *, synced: str) -> _Connection:
        settings = {**SETTINGS, **_BRIEF, "synchronous_commit": synced}
        return await asyncpg.connect(
            self._url,
            timeout=_CONNECT_SECONDS,
            command_timeout=_ANSWER_SECONDS,
            connection_class=WatchedConnection,
            server_settings=settings,
            target_session_attrs=SessionAttribute.primary,
        )


async def _transact(
    connection: _Connection, statements: Sequence[tuple[Any, ...]]
) -> list[asyncpg.Record]:
    """Run statements in one transaction; give the last one's rows. On an error, hang up."""
    transaction = connection.transaction()
    await transaction.start()
    brought = [await connection.fetch(*statement) for statement in statements]
    await transaction.commit()
    return brought[-1]


def _note_warning(warnings: list[str], _: object, message: "asyncpg.PostgresLogMessage") -> None:
    if message.severity_en == "WARNING":
        warnings.append(message.message)


def _hang_up(connection: "_Connection | None") -> None:
    if connection is not None:
        connection.terminate()


def _complaint(what: str, error: BaseException) -> BaseException:
    """Turn a failure that may pass into a `JournalError`; leave any other as it is."""
    if isinstance(error, FAILURES):
        return JournalError(f"{what}: {failure_of(error)}")
    return error

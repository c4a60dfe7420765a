"""The state of a journal's nodes, read from outside; requests to drain nodes and move streams."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeAlias

import asyncpg

from taisai.core.rules.reason import Refusal, refuse
from taisai.runtime.journal.contract import JournalError
from taisai.runtime.journal.paths import FAILURES, failure_of
from taisai.runtime.ownership.rows import WANT
from taisai.runtime.ownership.stand import Held, NodeStanding, Stand, move_refusal

#: A node that has beaten so recently is at work.
HEARD_SECONDS = 2.0
_CONNECT_SECONDS = 5.0
_HAS = "SELECT to_regclass('taisai.nodes') IS NOT NULL"
_NODES = """
SELECT node, roles, draining, chain, address,
  extract(epoch FROM clock_timestamp() - heard)::float8 AS silent
FROM taisai.nodes WHERE roles <> '{}' ORDER BY node
"""
_OWNERS = """
SELECT stream, epoch, node, role, wanted, (extract(epoch FROM since) * 1000)::bigint AS since
FROM taisai.owners WHERE stream <> '*' ORDER BY stream
"""
_DRAIN = "UPDATE taisai.nodes SET draining = true WHERE node = $1 AND roles <> '{}' RETURNING node"

_Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


class Standing:
    """The nodes of one database."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def read(self) -> list[NodeStanding]:
        """Give the state of every node; streams without an owner come last."""
        stand = await self.look()
        free = {each.stream: each.epoch for each in stand.streams if each.node is None}
        nobody = [NodeStanding(None, [], False, False, 0, 0, "", free)] if free else []
        return stand.nodes + nobody

    async def look(self) -> Stand:
        """Give the state of every node and stream; empty if there never was a node."""
        async with self._connected() as connection:
            if not await connection.fetchval(_HAS):
                return Stand([], [])
            held = [Held(*row) for row in await connection.fetch(_OWNERS)]
            rows = await connection.fetch(_NODES)
        nodes = []
        for node, roles, draining, chain, address, silent in rows:
            streams = {each.stream: each.epoch for each in held if each.node == node}
            heard = silent < HEARD_SECONDS
            said = (draining, heard, round(silent, 1), chain, address)
            nodes.append(NodeStanding(node, [*roles], *said, streams))
        return Stand(nodes, held)

    async def drain(self, node: str) -> Refusal | None:
        """Have a node leave all its streams; if it cannot, say why."""
        async with self._connected() as connection:
            found = await connection.fetchval(_DRAIN, node)
        return None if found else refuse("NO_SUCH_NODE", node=node)

    async def move(self, stream: str, node: str) -> Refusal | None:
        """Have a stream go to a node after its round; if it cannot, say why."""
        refusal = move_refusal(await self.look(), stream, node)
        if refusal is None:
            async with self._connected() as connection:
                await connection.execute(WANT, stream, node)
        return refusal

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[_Connection]:
        try:
            connection = await asyncpg.connect(
                self._url, timeout=_CONNECT_SECONDS, command_timeout=_CONNECT_SECONDS
            )
            try:
                yield connection
            finally:
                connection.terminate()
        except (*FAILURES, ValueError) as error:
            raise JournalError(f"the nodes cannot be asked: {failure_of(error)}") from error

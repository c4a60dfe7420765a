"""How the nodes of a journal stand, for whoever asks from outside; and what people ask of them."""

from typing import Any

import asyncpg
from msgspec import Struct

from taisai.runtime.journal.contract import JournalError
from taisai.runtime.journal.paths import FAILURES

#: A node that was heard of so lately is at work.
HEARD_SECONDS = 2.0
_CONNECT_SECONDS = 5.0
_HAS = "SELECT to_regclass('taisai.nodes') IS NOT NULL"
_NODES = """
SELECT node, roles, draining, chain, address,
  extract(epoch FROM clock_timestamp() - heard)::float8 AS silent
FROM taisai.nodes WHERE roles <> '{}' ORDER BY node
"""
_OWNERS = "SELECT stream, epoch, node FROM taisai.owners WHERE stream <> '*' ORDER BY stream"
_DRAIN = "UPDATE taisai.nodes SET draining = true WHERE node = $1 AND roles <> '{}' RETURNING node"
_ROLE = "SELECT role FROM taisai.owners WHERE stream = $1"
_ROLES = "SELECT roles FROM taisai.nodes WHERE node = $1"
_WANT = "UPDATE taisai.owners SET wanted = $2 WHERE stream = $1"


class NodeStanding(Struct, frozen=True):
    """A node: what it does, when it was heard of, and its streams with their epochs."""

    node: str | None
    roles: list[str]
    draining: bool
    heard: bool
    silent_seconds: float
    chain: int
    address: str
    streams: dict[str, int]


class Standing:
    """The nodes of one database."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def read(self) -> list[NodeStanding]:
        """Say how every node stands; streams that nobody has come last."""
        if not (await self._ask(_HAS))[0][0]:
            return []
        owners = await self._ask(_OWNERS)
        found = []
        for node, roles, draining, chain, address, silent in await self._ask(_NODES):
            streams = {stream: epoch for stream, epoch, name in owners if name == node}
            heard = silent < HEARD_SECONDS
            said = (draining, heard, round(silent, 1), chain, address)
            found.append(NodeStanding(node, [*roles], *said, streams))
        free = {stream: epoch for stream, epoch, name in owners if name is None}
        return found + ([NodeStanding(None, [], False, False, 0, 0, "", free)] if free else [])

    async def drain(self, node: str) -> bool:
        """Have a node leave all that it has; says whether there is such a node."""
        return bool(await self._ask(_DRAIN, node))

    async def move(self, stream: str, node: str) -> str | None:
        """Have a stream go to a node when it is at rest; says why it cannot."""
        role, roles = await self._ask(_ROLE, stream), await self._ask(_ROLES, node)
        if not role:
            return f"no node has a stream {stream}"
        if not roles:
            return f"there is no node {node}"
        if role[0][0] not in roles[0][0]:
            return f"{stream} is for nodes with the role {role[0][0]}, and {node} has not got it"
        await self._ask(_WANT, stream, node)
        return None

    async def _ask(self, sql: str, *given: Any) -> list[asyncpg.Record]:
        try:
            connection = await asyncpg.connect(self._url, timeout=_CONNECT_SECONDS)
            try:
                return await connection.fetch(sql, *given, timeout=_CONNECT_SECONDS)
            finally:
                await connection.close(timeout=_CONNECT_SECONDS)
        except (*FAILURES, ValueError) as error:
            raise JournalError(f"the nodes cannot be asked: {error}") from error

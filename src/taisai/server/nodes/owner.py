"""An owner decides for tables, deals at them, and serves their clients through gateways.

It knows no passwords, and admits clients only by a grant of the office. It has no pages: over HTTP
it answers only for its health and its metrics.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from taisai.runtime.node import NodeRuntime
from taisai.runtime.ownership.stand import Nodes
from taisai.runtime.publisher import Announcement, Follower
from taisai.server.accounts.grants import Grants
from taisai.server.application import gaming_days_of
from taisai.server.dealing.dealers import Dealers
from taisai.server.floor import plans_of
from taisai.server.floor_plan import FloorPlan
from taisai.server.live.answers import turn_away
from taisai.server.live.fills import FillsUnderWay
from taisai.server.live.hub import Hub
from taisai.server.metrics import CONTENT_TYPE, Metrics
from taisai.server.nodes.gates import Gates
from taisai.server.nodes.links import Links
from taisai.server.nodes.newcomers import NewTables
from taisai.server.nodes.node import Node
from taisai.server.nodes.port import port
from taisai.server.readiness import readiness
from taisai.server.settings import Settings

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Owner:
    """The parts of a node that has tables and is no office."""

    def __init__(
        self, settings: Settings, runtime: NodeRuntime, plan: FloorPlan, nodes: Nodes
    ) -> None:
        self.settings = settings
        self.nodes = nodes
        self.runtime = runtime
        self.grants = Grants(runtime)
        fills = FillsUnderWay(gaming_days_of(runtime, settings, plan))
        self.hub = Hub(runtime, self.grants, settings, fills)
        self.hub.sends_notices = False
        self.hub.expect_terminals()
        self.grants.on_revoked = self.hub.close_terminal
        self.dealers = Dealers(runtime, self.hub, settings.countdown_min_seconds)
        self.dealers.by_journal = True
        self.hub.questions.dealers = self.dealers
        self.closing = asyncio.Event()
        self._metrics = Metrics(self)
        runtime.committer.on_commit = self._metrics.committed
        for table in plans_of(runtime, plan):
            self.dealers.add(table.name, table)

    def end_session(self, id_: str) -> None:
        """Close the connections here of a session that is over."""
        self.grants.end_session(id_)
        for connection in [*self.hub.everybody]:
            if connection.session == id_:
                turn_away(connection, "SESSION_ENDED")

    async def finish(self) -> None:
        """Stop in order: stop the dealers, finish the rounds, and then close the connections."""
        self.closing.set()
        await self.dealers.stop()
        await self.runtime.stop()
        await self.hub.stop()

    async def __call__(self, scope: dict[str, Any], _: object, send: Send) -> None:
        """Answer over HTTP: whether it is alive, whether it is ready, and its metrics."""
        kind, status, body = "application/json", 200, b""
        if scope["path"] == "/healthz":
            body = msgspec.json.encode({"alive": True, "at": self.runtime.clock.now()})
        elif scope["path"] == "/readyz":
            ready = await readiness(self)
            status = 200 if ready.ready else 503
            body = msgspec.json.encode(ready)
        elif scope["path"] == "/metrics":
            kind, body = CONTENT_TYPE, self._metrics.write()
        else:
            kind, status = "text/plain; charset=utf-8", 404
            body = b"This node has tables, and no pages; connect to a gateway."
        headers = [(b"content-type", kind.encode()), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


async def serve_owner(
    node: Node, listening: socket.socket, ready: Callable[[], None], stop: asyncio.Event
) -> None:
    """Serve as an owner of tables until `stop` is set."""
    owner = Owner(node.settings, node.runtime, node.floor, node.seen)
    node.ends[-1] = owner.finish
    node.links.on_session_ended = owner.end_session
    node.runtime.publisher.followers.append(_Notices(node.runtime, node.links))
    node.runtime.publisher.followers.append(NewTables(node.runtime, owner.dealers, node.floor))
    node.serve_gateways(Gates(owner.hub, owner.grants))
    async with port(node, owner, owner.hub.door, listening, stop):
        ready()
        await stop.wait()
        owner.closing.set()


class _Notices(Follower):
    """Sends the office the notices for the pit about this node's tables."""

    follows_bets = False

    def __init__(self, runtime: NodeRuntime, links: Links) -> None:
        self._runtime = runtime
        self._links = links

    def announced(self, announcement: Announcement) -> None:
        """Send a notice to the office, unless it is about another node's table."""
        if self._runtime.follows(announcement.stream) or self._runtime.owns(announcement.stream):
            self._links.send_notice(announcement)

"""A node that owns streams: it joins the cluster, owns the streams it gets, and takes calls."""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from taisai.runtime.journal.contract import FencedError
from taisai.runtime.journal.lease import NodeLeases
from taisai.runtime.keys.files import derived
from taisai.runtime.node import NodeRuntime
from taisai.runtime.operations.process import held
from taisai.runtime.ownership.standing import Standing
from taisai.runtime.streams import VENUE
from taisai.server.application import plan_of
from taisai.server.floor_plan import FloorPlan
from taisai.server.lanes.lane import Lane
from taisai.server.nodes.cluster import Cluster, NodePlan
from taisai.server.nodes.founding import begin, check_begun, check_staff
from taisai.server.nodes.gates import Gates
from taisai.server.nodes.links import Links
from taisai.server.nodes.node_requests import NodeRequests
from taisai.server.nodes.seen import NodesSeen
from taisai.server.nodes.switchboard import LINK_DOMAIN, Call, Switchboard
from taisai.server.settings import Settings
from taisai.server.venue_data import keys_of

#: How often this node publishes which streams it has.
STANDING_SECONDS = 0.5

_log = logging.getLogger(__name__)


class Node:
    """A node that owns streams, as office or owner or both."""

    def __init__(self, cluster: Cluster, plan: NodePlan, settings: Settings) -> None:
        self.cluster = cluster
        self.plan = plan
        self.settings = settings
        #: What is released at the very end, and what is ended before that, the newest first.
        self.held = ExitStack()
        self.ends: list[Callable[[], Awaitable[None]]] = []
        #: Whether it has joined, so that other nodes may call it.
        self._joined = False
        #: Its streams, once it is open.
        self.runtime: NodeRuntime
        self.links: Links
        self.floor: FloorPlan
        #: The state of all nodes, as the Pit shows it.
        self.seen: NodesSeen
        self._board: Switchboard
        #: The gateways connected to it, once they are served.
        self.gates: Gates | None = None
        #: Set if the database is away while it stops: then nothing can be ended in order.
        self.is_given_up = False
        #: Why this node must not go on, if it must not.
        self.fenced: FencedError | None = None

    @property
    def is_office(self) -> bool:
        """Say whether it is an office, which has pages and accounts, and follows all streams."""
        return "office" in self.plan.roles

    async def open(self, stop: asyncio.Event) -> None:
        """Join the cluster, and own the streams that this node gets."""
        cluster, plan, settings = self.cluster, self.plan, self.settings
        # Before anything is written or taken: an owner without this would not know who deals.
        self.floor = plan_of(settings)
        is_begun = await check_begun(cluster, settings)
        self.held.enter_context(held(settings.data))
        elsewhere = Path(plan.keys) if plan.keys else None
        keys = self.held.enter_context(keys_of(settings, elsewhere, is_begun=is_begun))
        link_key = derived(keys.sealing, LINK_DOMAIN)
        self._board = await Switchboard.open(cluster.nats, plan.name, link_key, self._called)
        self.ends.append(self._board.close)
        leases = NodeLeases(plan.name, plan.roles, signs_by=VENUE)
        runtime = self.runtime = await NodeRuntime.join(cluster.journal, leases, keys)
        self.ends.append(runtime.stop)
        check_staff(cluster, runtime)
        self.links = Links(runtime, self._board, self._peers())
        self._joined = True
        runtime.owned_changed = self._send_standing
        runtime.on_fenced = partial(self._end_fenced, stop)
        await self._board.receive_standings(self.links.receive_standing)
        self.links.start()
        runtime.start()
        self._board.repeat(self._send_standing, STANDING_SECONDS)
        standing = Standing(cluster.journal)
        self.seen = NodesSeen(runtime, plan.roles, self.links, standing)
        runtime.publisher.followers.append(NodeRequests(runtime, standing))
        await begin(runtime, self.floor, settings, is_office=self.is_office)

    def _peers(self) -> list[str]:
        """Name the nodes that this one calls: an office calls all others, an owner the offices."""
        nodes = [each for each in self.cluster.node if each.roles != ("gateway",)]
        return [each.name for each in nodes if self.is_office or "office" in each.roles]

    async def close(self) -> None:
        """End all that was started, the newest first, unless it is given up."""
        for end in () if self.is_given_up else reversed(self.ends):
            await end()
        self.held.close()

    def give_up(self) -> None:
        """End without order: the database does not answer, and nothing more can be written."""
        self.is_given_up = True
        self.runtime.journal.hang_up()

    @property
    def heard_at(self) -> float:
        """Say when the database answered last, by the loop's clock."""
        return self.runtime.ownership.beaten_at if self._joined else -math.inf

    def _end_fenced(self, stop: asyncio.Event, error: FencedError) -> None:
        """Stop, and take no part until then: another process has the name or the streams."""
        _log.error("this node ends: %s", error)
        self.fenced = error
        stop.set()

    # --- other processes -----------------------------------------------------------------------

    def _send_standing(self) -> None:
        if self.fenced is None:
            self._board.send_standing(self.runtime.owned() if self.gates is not None else {})

    def _called(self, call: Call) -> Lane | None:
        """Accept the call of a node or a gateway, once this node can serve it."""
        if self.fenced is not None:
            return None
        if call.is_node:
            return self.links.takes(call) if self._joined else None
        return None if self.gates is None else self.gates.takes(call)

    def serve_gateways(self, gates: Gates) -> None:
        """Serve gateways, and exchange the closing times of bets with other nodes."""
        gates.hub.tell_closes = self.links.send_closes
        self.links.on_closes = gates.hub.show_closes
        self.gates = gates
        self._send_standing()

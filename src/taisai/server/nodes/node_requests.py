"""What two persons ask of the nodes is done by the node that owns the venue's own stream."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from taisai.core.kernel.messages import Event
from taisai.core.rules.reason import Refusal
from taisai.core.venue.nodes import NodeDrained, StreamMoved
from taisai.runtime.answers import Registered
from taisai.runtime.journal.contract import JournalError
from taisai.runtime.node import NodeRuntime
from taisai.runtime.ownership.standing import Standing
from taisai.runtime.publisher import Follower
from taisai.runtime.streams import VENUE
from taisai.wording import Told


class NodeRequests(Follower):
    """Has nodes drained and streams moved, once the journal has who asked for it."""

    follows_bets = False

    def __init__(self, node: NodeRuntime, standing: Standing) -> None:
        self._node = node
        self._standing = standing
        self._under_way: set[asyncio.Task[None]] = set()

    def published(self, stream: str, registered: Registered) -> None:
        """Start what was asked for, if this node owns the venue's stream."""
        if stream != VENUE or not self._node.owns(VENUE):
            return
        for event in registered.events:
            wanted = self._wanted(event)
            if wanted is not None:
                task = asyncio.get_running_loop().create_task(self._do(wanted))
                self._under_way.add(task)
                task.add_done_callback(self._under_way.discard)

    def _wanted(self, event: Event) -> Callable[[], Awaitable[Refusal | None]] | None:
        match event:
            case NodeDrained():
                return partial(self._standing.drain, event.node)
            case StreamMoved():
                return partial(self._standing.move, event.stream, event.node)
        return None

    async def _do(self, wanted: Callable[[], Awaitable[Refusal | None]]) -> None:
        """Do it, or tell the pit why it cannot be done: then it has to be asked for again."""
        try:
            refusal = await wanted()
        except JournalError as error:
            self._node.announce(VENUE, "nodes", str(error))
            return
        if refusal is not None:
            self._node.announce(VENUE, "nodes", Told(refusal.reason))

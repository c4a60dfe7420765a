"""All nodes as one of them sees them: how it is itself, and how the others stand."""

import time

from taisai.runtime.node import NodeRuntime
from taisai.runtime.ownership.stand import Beating, Nodes, Stand
from taisai.runtime.ownership.standing import Standing
from taisai.server.nodes.links import Links


class NodesSeen(Nodes):
    """What a node says of itself and of all of them."""

    def __init__(
        self, node: NodeRuntime, roles: tuple[str, ...], links: Links, standing: Standing
    ) -> None:
        self.name = node.name
        self.roles = roles
        self._node = node
        self._links = links
        self._standing = standing

    async def look(self) -> Stand:
        """Ask the database, where every node is heard of."""
        return await self._standing.look()

    def beating(self) -> Beating:
        """Say how this node is, by what it knows already."""
        ownership, now = self._node.ownership, time.monotonic()
        reached = self._links.reached()
        seen = () if ownership.seen is None else ownership.seen.owners
        # An owner calls the offices alone; who has nothing at this moment is not needed.
        owners = {row.node for row in seen if row.node in self._links.peers}
        return Beating(
            now < ownership.tenure.deadline,
            ownership.beats,
            now - ownership.beaten_at,
            now - self._node.followed_at,
            ownership.taken_over,
            sorted(reached),
            sorted({*filter(None, owners)} - {*reached}),
        )

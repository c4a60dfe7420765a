"""All nodes as one of them sees them: its own state, and the state of the others."""

import time

from taisai.runtime.node import NodeRuntime
from taisai.runtime.ownership.stand import Beating, Nodes, Stand
from taisai.runtime.ownership.standing import Standing
from taisai.server.nodes.links import Links


class NodesSeen(Nodes):
    """A node's view of itself and of all nodes."""

    def __init__(
        self, node: NodeRuntime, roles: tuple[str, ...], links: Links, standing: Standing
    ) -> None:
        self.name = node.name
        self.roles = roles
        self._node = node
        self._links = links
        self._standing = standing

    async def look(self) -> Stand:
        """Ask the database, in which every node has its state."""
        return await self._standing.look()

    def beating(self) -> Beating:
        """Give the state of this node, from what it knows already."""
        ownership, now = self._node.ownership, time.monotonic()
        reached = self._links.reached()
        seen = () if ownership.seen is None else ownership.seen.owners
        # An owner calls only the offices; a node without streams is not needed now.
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

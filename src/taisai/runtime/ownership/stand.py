"""The state of all nodes and streams at one moment, and where a stream may go.

No database is known here.
"""

from typing import Protocol

from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.core.rules.reason import Refusal, refuse


class Held(Struct, frozen=True):
    """The lease of a stream: its epoch, since when, and the node that it is to go to."""

    stream: str
    epoch: int
    node: str | None
    role: str
    wanted: str | None
    since: Instant


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


class Stand(Struct, frozen=True):
    """The state of all nodes and all streams at one moment."""

    nodes: list[NodeStanding]
    streams: list[Held]


class Beating(Struct, frozen=True):
    """A node's own state: how old its last beat is, and what it knows of the others."""

    #: Whether its last beat is recent enough for it to decide.
    is_heard: bool
    beats: int
    beat_age_seconds: float
    #: How long ago all events of other nodes were last followed.
    followed_age_seconds: float
    #: Streams that it has taken from nodes that were silent.
    taken_over: int
    #: The nodes that it has a connection to, and those that it needs one to.
    reached: list[str]
    unreached: list[str]


class Nodes(Protocol):
    """All nodes of a venue, as one of them reports on them."""

    name: str
    roles: tuple[str, ...]

    def beating(self) -> Beating:
        """Give the state of this node."""

    async def look(self) -> Stand:
        """Give the state of every node and every stream; raises a `JournalError`."""


def move_refusal(stand: Stand, stream: str, node: str) -> Refusal | None:
    """Say why a stream cannot go to a node now."""
    held = next((each for each in stand.streams if each.stream == stream), None)
    if held is None:
        return refuse("NO_SUCH_STREAM", stream=stream)
    its = next((each for each in stand.nodes if each.node == node), None)
    if its is None:
        return refuse("NO_SUCH_NODE", node=node)
    if held.role not in its.roles:
        return refuse("NOT_ITS_ROLE", stream=stream, role=held.role, node=node)
    if not its.heard:
        return refuse("NODE_SILENT", node=node)
    return refuse("NODE_DRAINING", node=node) if its.draining else None


def could_take(stand: Stand, held: Held) -> list[str]:
    """Name the other nodes that could take a stream now."""
    return [
        each.node
        for each in stand.nodes
        if each.node is not None
        and each.node != held.node
        and move_refusal(stand, held.stream, each.node) is None
    ]


def kept(stand: Stand, node: str) -> list[str]:
    """Name the streams of a node that no other node could take now."""
    its = (each for each in stand.streams if each.node == node)
    return [each.stream for each in its if not could_take(stand, each)]

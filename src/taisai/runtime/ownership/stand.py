"""How nodes and streams stand at one moment, and where a stream may go.

No database is known here.
"""

from typing import Protocol

from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.core.rules.reason import Refusal, refuse


class Held(Struct, frozen=True):
    """A stream: by which epoch it is had, since when, and where it is wanted."""

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
    """How all nodes and all streams stand at one moment."""

    nodes: list[NodeStanding]
    streams: list[Held]


class Beating(Struct, frozen=True):
    """How a node itself is: how old its last beat is, and what it knows of the others."""

    #: Whether it is heard of, so that it may decide.
    is_heard: bool
    beats: int
    beat_age_seconds: float
    #: How long ago all that others had written was known.
    followed_age_seconds: float
    #: Streams that it has taken from nodes that were silent.
    taken_over: int
    #: The nodes that it has a line to, and those that it would need one to.
    reached: list[str]
    unreached: list[str]


class Nodes(Protocol):
    """All nodes of a venue, for whoever asks one of them how they stand."""

    name: str
    roles: tuple[str, ...]

    def beating(self) -> Beating:
        """Say how this node is."""

    async def look(self) -> Stand:
        """Say how every node and every stream stands; raises a `JournalError`."""


def move_refusal(
    stream: str, node: str, role: str | None, roles: list[str] | None
) -> Refusal | None:
    """Say why a stream of a role cannot go to a node that has certain roles, if it is there."""
    if role is None:
        return refuse("NO_SUCH_STREAM", stream=stream)
    if roles is None:
        return refuse("NO_SUCH_NODE", node=node)
    if role not in roles:
        return refuse("NOT_ITS_ROLE", stream=stream, role=role, node=node)
    return None

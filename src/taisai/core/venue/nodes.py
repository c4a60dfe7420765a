"""Requests of two persons about nodes: a node is drained, or a stream is moved to another node.

The caller knows which nodes there are, and whether one may own a stream; this module only records
who requested it.
"""

from taisai.core.kernel.messages import Command, Decision, Event, Instant, Sender
from taisai.core.kernel.name_profile import is_name
from taisai.core.kernel.registry import VENUE, command, decides, event
from taisai.core.kernel.roles import MANAGERS, PIT
from taisai.core.rules.reason import refuse
from taisai.core.venue.state import VenueState


@command(at=VENUE, by=MANAGERS, second=PIT, wire=False)
class DrainNode(Command, frozen=True):
    """Have a node leave all that it has to others, each table between two rounds."""

    node: str


@event(at=VENUE, applies=False, posts=False)
class NodeDrained(Event, frozen=True):
    """A node is to leave all that it has, until it is started again."""

    node: str
    by: str
    second: str


@command(at=VENUE, by=MANAGERS, second=PIT, wire=False)
class MoveStream(Command, frozen=True):
    """Have a table, the cage or the venue's own stream go to a node, once it is at rest."""

    stream: str
    node: str


@event(at=VENUE, applies=False, posts=False)
class StreamMoved(Event, frozen=True):
    """A stream is wanted at a node, and goes there once it is at rest."""

    stream: str
    node: str
    by: str
    second: str


@decides
def drain_node(_state: VenueState, command: DrainNode, actor: Sender, _at: Instant) -> Decision:
    """Drain a node, by two persons [D14]."""
    if not is_name(command.node):
        return refuse("NAME_MISSING")
    return (NodeDrained(command.node, actor.person, actor.second_person),)


@decides
def move_stream(_state: VenueState, command: MoveStream, actor: Sender, _at: Instant) -> Decision:
    """Move a stream, by two persons [D14]."""
    if not (is_name(command.stream) and is_name(command.node)):
        return refuse("NAME_MISSING")
    return (StreamMoved(command.stream, command.node, actor.person, actor.second_person),)

"""The three streams of a venue put together: every command and event there is, for decoders.

Importing this completes the registry. A type checker sees the base classes; a decoder gets the
unions of all registered types.
"""

from typing import TYPE_CHECKING, Any, Union

from taisai.core import cage, table, venue
from taisai.core.kernel import messages
from taisai.core.kernel.messages import Command, Event
from taisai.core.kernel.registry import commands_of, events_of

__all__ = ["cage", "table", "venue"]


def union(kinds: tuple[type[Any], ...]) -> Any:
    """Make the union of types that are only known when the program runs."""
    return Union[kinds]  # noqa: UP007 - a union of a tuple


if TYPE_CHECKING:
    TableCommand = Command
    CageCommand = Command
    VenueCommand = Command
    AnyCommand = Command
    TableEvent = Event
    CageEvent = Event
    VenueEvent = Event
    AnyEvent = Event
else:
    TableCommand, CageCommand, VenueCommand = (
        union(commands_of(stream)) for stream in ("table", "cage", "venue")
    )
    TableEvent, CageEvent, VenueEvent = (
        union(events_of(stream)) for stream in ("table", "cage", "venue")
    )
    AnyCommand = TableCommand | CageCommand | VenueCommand
    AnyEvent = TableEvent | CageEvent | VenueEvent
    messages.AnyCommand = AnyCommand

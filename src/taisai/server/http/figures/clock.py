"""The times of clocks that do not agree, for the pit to accept or to correct [D35]."""

from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.core.kernel.registry import COMMANDS
from taisai.core.venue.setup import AcceptClock
from taisai.runtime.clock import Clock


class ClockInDoubt(Struct, frozen=True):
    """What the clocks say while they do not agree; two persons may accept the machine's [D35]."""

    #: The venue's time, the machine's, and the database's where that is in doubt.
    venue: Instant
    machine: Instant
    database: Instant | None
    #: As `AcceptClock` wants them.
    ahead_ms: int
    database_ms: int
    #: Whether whoever looks may ask for it; somebody else agrees.
    may_ask: bool


def clock_in_doubt(clock: Clock, role: str) -> ClockInDoubt | None:
    """Show a role the time of each clock; None while they agree."""
    doubt, venue = clock.doubt(), clock.now()
    if doubt is None:
        return None
    machine = venue + doubt.ahead_ms
    database = machine + doubt.database_ms if doubt.database_ms else None
    return ClockInDoubt(venue, machine, database, *doubt, role in COMMANDS[AcceptClock].by)

"""The state of a venue: one currency, the tables and the cage, its people and their keys.

Passwords, PINs and keys are stored elsewhere, and never come here.
"""

from typing import ClassVar

from msgspec import Struct

from taisai.core.kernel.approvals import Pending
from taisai.core.kernel.messages import Instant
from taisai.core.kernel.names import compared
from taisai.core.kernel.registry import VENUE, At, Place
from taisai.core.rules.reason import Reason

#: The most alerts that are remembered, those touched last; the journal has all of them.
ALERTS_KEPT = 500


class AlertStep(Struct, frozen=True):
    """What somebody did about an alert: acknowledged it, or gave it to a person."""

    at: Instant
    by: str
    note: str = ""
    #: Who has it from now on; none where it was acknowledged.
    person: str | None = None


class AlertCare(Struct, frozen=True):
    """An alert as it was at its last step, and all its steps."""

    reason: Reason
    table: str | None
    steps: tuple[AlertStep, ...]

    @property
    def acknowledged(self) -> AlertStep | None:
        """The person who acknowledged it, if any."""
        return next((each for each in self.steps if each.person is None), None)

    @property
    def person(self) -> str | None:
        """The person it is assigned to, if any."""
        given = (each.person for each in reversed(self.steps) if each.person is not None)
        return next(given, None)


#: The default hour at which a gaming day starts, and the clocks it is read on: everybody has gone
#: home by then.
DAY_STARTS = 6
TIME_ZONE = "UTC"
#: The hours at which one may start.
HOURS = range(24)


class VenueState(Struct):
    """A venue: its name, its currency, its tables, its cage, its terminals and its staff."""

    version: int = 0
    name: str = ""
    currency: str = ""
    streams: set[str] = set()
    demo: bool = False
    operator: str = ""
    day_starts: int = DAY_STARTS
    time_zone: str = TIME_ZONE
    #: Each person on the staff, by the name as first written, with the roles they may take.
    staff: dict[str, tuple[str, ...]] = {}
    #: The suspended persons, until two others reinstate or dismiss them.
    suspended: set[str] = set()
    #: The persons dismissed last, more than anything that still waits can have been asked for by.
    dismissed: tuple[str, ...] = ()
    #: The persons who founded the house, until the first log-in.
    founders: set[str] = set()
    #: The streams of tables at which the automatic dealer deals.
    automatic: set[str] = set()
    #: The places of tables, by their streams, on the map of the floor: column and row.
    on_map: dict[str, tuple[int, int]] = {}
    #: The terminals with a key, as `table/terminal`, with the version of the event that issued it.
    keyed: dict[str, int] = {}
    #: Terminals withdrawn since: none of their keys is valid.
    withdrawn: set[str] = set()
    #: Terminals whose key was used in two places at once, and when this was last seen.
    doubled: dict[str, Instant] = {}
    #: Of each person: the version at which an unused code was made, and the version at which they
    #: set password and PIN. Secrets stored elsewhere count only if they have that version.
    codes: dict[str, int] = {}
    credentials: dict[str, int] = {}
    #: How often the sealing key was replaced.
    sealing_key_changes: int = 0
    #: Alerts and their steps by name, those touched last at the end.
    alerts: dict[str, AlertCare] = {}
    pending: Pending | None = None

    places: ClassVar[At] = VENUE

    @property
    def lasting(self) -> dict[str, Pending]:
        """Nothing waits without an end at the venue: a pending command expires after a minute."""
        return {}

    @property
    def place(self) -> Place:
        """Say that it is the venue."""
        return VENUE[0]


def find_person(state: VenueState, person: str) -> str | None:
    """Find a person's name as written on the staff, however it was typed."""
    if person in state.staff:
        return person
    wanted = compared(person)
    return next((each for each in state.staff if compared(each) == wanted), None)


def roles_now(state: VenueState, person: str) -> tuple[str, ...]:
    """Give the roles in which a person may act: none while suspended."""
    return () if person in state.suspended else state.staff.get(person, ())

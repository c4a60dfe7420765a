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

#: Alerts that are remembered, those that were touched last; the journal has all of them.
ALERTS_KEPT = 500


class AlertStep(Struct, frozen=True):
    """What somebody did about an alert: acknowledged it, or gave it to a person."""

    at: Instant
    by: str
    note: str = ""
    #: Who has it from now on; none where it was acknowledged.
    person: str | None = None


class AlertCare(Struct, frozen=True):
    """An alert as it was when it was last touched, and everything that was done about it."""

    reason: Reason
    table: str | None
    steps: tuple[AlertStep, ...]

    @property
    def acknowledged(self) -> AlertStep | None:
        """Say who acknowledged it, if anybody has."""
        return next((each for each in self.steps if each.person is None), None)

    @property
    def person(self) -> str | None:
        """Say in whose hands it is."""
        given = (each.person for each in reversed(self.steps) if each.person is not None)
        return next(given, None)


#: The hour at which a gaming day starts, and by which clocks, where nobody says otherwise:
#: everybody has gone home by then.
DAY_STARTS = 6
TIME_ZONE = "UTC"
#: The hours at which one may start.
HOURS = range(24)


class VenueState(Struct):
    """A venue: its name, its currency, what belongs to it and who works there."""

    version: int = 0
    name: str = ""
    currency: str = ""
    streams: set[str] = set()
    demo: bool = False
    operator: str = ""
    day_starts: int = DAY_STARTS
    time_zone: str = TIME_ZONE
    #: Each person on the staff, as the name was written first, with the roles they may take.
    staff: dict[str, tuple[str, ...]] = {}
    #: Those of them who are kept out until two persons decide about them.
    suspended: set[str] = set()
    #: Those of the staff who founded the house, until somebody has logged in.
    founders: set[str] = set()
    #: The tables, by their streams, that a person has handed over to the automatic dealer.
    automatic: set[str] = set()
    #: Where tables, by their streams, were put on the map of the floor: column and row.
    on_map: dict[str, tuple[int, int]] = {}
    #: The terminals that were given a key, as `table/terminal`, with the version that says so.
    keyed: dict[str, int] = {}
    #: Those of them that were withdrawn since: none of their keys is good.
    withdrawn: set[str] = set()
    #: Those of them whose key was in two hands at once, and when that was seen last.
    doubled: dict[str, Instant] = {}
    #: Of each person: the version at which a code was made that is not used yet, and that at which
    #: they set password and PIN. What is kept elsewhere counts only if it is of that version.
    codes: dict[str, int] = {}
    credentials: dict[str, int] = {}
    #: How often secrets came to be sealed by another key.
    sealing_key_changes: int = 0
    #: What was done about alerts, by their names, those touched last at the end.
    alerts: dict[str, AlertCare] = {}
    pending: Pending | None = None

    places: ClassVar[At] = VENUE

    @property
    def lasting(self) -> dict[str, Pending]:
        """Say that nothing waits here until somebody answers it: a minute is all there is."""
        return {}

    @property
    def place(self) -> Place:
        """Say that it is the venue."""
        return VENUE[0]


def find_person(state: VenueState, person: str) -> str | None:
    """Find how a person's name is written on the staff, however it was typed."""
    if person in state.staff:
        return person
    wanted = compared(person)
    return next((each for each in state.staff if compared(each) == wanted), None)


def roles_now(state: VenueState, person: str) -> tuple[str, ...]:
    """Say in which roles a person may act: in none while suspended."""
    return () if person in state.suspended else state.staff.get(person, ())

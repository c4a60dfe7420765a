"""The phrases of scenarios about the house itself: its staff, and the pit's alerts."""

import re
from collections.abc import Callable, Iterator

from taisai.core.kernel.messages import Event
from taisai.core.rules.reason import because
from taisai.core.streams import VenueCommand
from taisai.core.venue.alerts import (
    AcknowledgeAlert,
    AlertAcknowledged,
    AlertAssigned,
    AssignAlert,
)
from taisai.core.venue.staff import (
    AppointStaff,
    ChangeRoles,
    DismissStaff,
    EngageStaff,
    RecordLogIn,
    ReinstateStaff,
    SuspendStaff,
)
from taisai.core.venue.state import VenueState

_NOTE = r"(?:: (?P<note>.*))?"
#: The sentence of every alert in scenarios; an alert's name tells it apart.
_SAYS = because("PIT_STOPPED", table="T1", clause="7.4")


def said_in_house(does: str) -> VenueCommand | None:
    """Read a phrase about the house; give None for any other."""
    for pattern, make in _PHRASES.items():
        found = re.fullmatch(pattern, does)
        if found is not None:
            return make(found)
    return None


def _roles(found: re.Match[str]) -> tuple[str, ...]:
    return tuple(found["roles"].split(" and "))


_PHRASES: dict[str, Callable[[re.Match[str]], VenueCommand]] = {
    r"engage (?P<person>[\w ]+) as (?P<roles>[\w -]+)": lambda found: EngageStaff(
        found["person"], _roles(found), "Ann Lee", "Bob Tan"
    ),
    r"appoint (?P<person>[\w ]+) as (?P<roles>[\w -]+)": lambda found: AppointStaff(
        found["person"], _roles(found)
    ),
    r"make (?P<person>[\w ]+) (?P<roles>[\w-]+(?: and [\w-]+)*) from now on": lambda found: (
        ChangeRoles(found["person"], _roles(found))
    ),
    r"log (?P<person>[\w ]+) in as (?P<role>[\w-]+)": lambda found: RecordLogIn(
        found["person"],
        found["role"],  # type: ignore[arg-type]
        "127.0.0.1",
    ),
    r"suspend (?P<person>[\w ]+)": lambda found: SuspendStaff(found["person"]),
    r"reinstate (?P<person>[\w ]+)": lambda found: ReinstateStaff(found["person"]),
    r"dismiss (?P<person>[\w ]+)": lambda found: DismissStaff(found["person"]),
    rf"acknowledge alert (?P<alert>[\w-]+){_NOTE}": lambda found: AcknowledgeAlert(
        found["alert"], _SAYS, "T1", found["note"] or ""
    ),
    rf"give alert (?P<alert>[\w-]+) to (?P<person>[\w ]+?){_NOTE}": lambda found: AssignAlert(
        found["alert"], _SAYS, found["person"], "T1", found["note"] or ""
    ),
}


def house_facts(event: Event, house: VenueState) -> Iterator[str]:
    """Give the facts of an event of the house: an alert's holder, and every step about it."""
    if not isinstance(event, AlertAcknowledged | AlertAssigned):
        return
    care = house.alerts[event.alert]
    seen = care.acknowledged
    yield f"{event.alert} seen by {'nobody' if seen is None else seen.by}"
    yield f"{event.alert} with {care.person or 'nobody'}"
    steps = (f"{each.by} {each.person or 'saw it'}" for each in care.steps)
    yield f"{event.alert}: {', '.join(steps)}"

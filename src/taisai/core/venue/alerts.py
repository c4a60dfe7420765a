"""Alerts of the pit: who acknowledged one, who is responsible for it, when and why.

Alerts are found elsewhere, from the tables, the cage and the journal. The part that finds one names
it, and the venue remembers what people did about it.
"""

from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant
from taisai.core.kernel.name_profile import NAME_MAX, is_name
from taisai.core.kernel.names import same_person
from taisai.core.kernel.registry import VENUE, applies, command, decides, event
from taisai.core.kernel.roles import MANAGERS, PIT, Roles
from taisai.core.rules.reason import Reason, Refusal, refuse
from taisai.core.venue.state import ALERTS_KEPT, AlertCare, AlertStep, VenueState, find_person

#: The roles that may assign an alert to another person; others may only take it themselves.
GIVE_ALERTS: Roles = MANAGERS
#: The most steps for one alert; more of them mean that something else is wrong.
STEPS_MAX = 20
#: The most blanks of a sentence, and the most letters that fill one.
BLANKS_MAX = 12
BLANK_MAX = 1_000


@command(at=VENUE, by=PIT, wire=False)
class AcknowledgeAlert(Command, frozen=True):
    """Say that an alert was seen; `reason` is what it says, `table` where that is, if anywhere."""

    alert: str
    reason: Reason
    table: str | None = None
    note: str = ""


@event(at=VENUE, routine=True, posts=False)
class AlertAcknowledged(Event, frozen=True):
    """Somebody has seen an alert, and says so."""

    alert: str
    reason: Reason
    table: str | None
    by: str
    note: str
    at: Instant


@command(at=VENUE, by=PIT, wire=False)
class AssignAlert(Command, frozen=True):
    """Give an alert to a person who is to see to it; whoever takes it names themselves."""

    alert: str
    reason: Reason
    person: str
    table: str | None = None
    note: str = ""


@event(at=VENUE, routine=True, posts=False)
class AlertAssigned(Event, frozen=True):
    """An alert is in the hands of a person."""

    alert: str
    reason: Reason
    table: str | None
    person: str
    by: str
    note: str
    at: Instant


def _refusal(state: VenueState, command: AcknowledgeAlert | AssignAlert) -> Refusal | None:
    """Refuse a missing name of an alert, a too long text, or one step too many."""
    named = is_name(command.alert) and (command.table is None or is_name(command.table))
    if not (named and is_name(command.reason.code)):
        return refuse("NAME_MISSING")
    params = command.reason.params
    if len(params) > BLANKS_MAX or any(
        len(str(each)) > BLANK_MAX for blank in params.items() for each in blank
    ):
        return refuse("BATCH_SIZE", most=BLANKS_MAX)
    care = state.alerts.get(command.alert)
    if care is not None and len(care.steps) >= STEPS_MAX:
        return refuse("NO_MORE_ROOM", most=STEPS_MAX)
    return None


@decides
def acknowledge_alert(
    state: VenueState, command: AcknowledgeAlert, actor: Actor, at: Instant
) -> Decision:
    """Acknowledge an alert, once; others are told who did."""
    refusal = _refusal(state, command)
    if refusal is not None:
        return refusal
    care = state.alerts.get(command.alert)
    if care is not None and care.acknowledged is not None:
        return refuse("ALERT_ACKNOWLEDGED", person=care.acknowledged.by)
    seen = (command.alert, command.reason, command.table, actor.person, command.note, at)
    return (AlertAcknowledged(*seen),)


@decides
def assign_alert(state: VenueState, command: AssignAlert, actor: Actor, at: Instant) -> Decision:
    """Assign an alert: a manager to any person on the staff, a supervisor to themselves."""
    refusal = _refusal(state, command)
    if refusal is not None:
        return refusal
    person = find_person(state, command.person)
    if person is None:
        return refuse("UNKNOWN_PERSON", person=command.person[:NAME_MAX])
    if actor.role not in GIVE_ALERTS and not same_person(person, actor.person):
        return refuse("MANAGERS_ASSIGN")
    care = state.alerts.get(command.alert)
    if care is not None and care.person == person:
        return refuse("ALERT_ASSIGNED", person=person)
    given = (command.alert, command.reason, command.table, person, actor.person, command.note, at)
    return (AlertAssigned(*given),)


@applies
def alert_acknowledged(state: VenueState, event: AlertAcknowledged) -> None:
    _note(state, event, AlertStep(event.at, event.by, event.note))


@applies
def alert_assigned(state: VenueState, event: AlertAssigned) -> None:
    _note(state, event, AlertStep(event.at, event.by, event.note, event.person))


def _note(state: VenueState, event: AlertAcknowledged | AlertAssigned, step: AlertStep) -> None:
    """Remember a step; if there are too many alerts, the one touched longest ago is forgotten."""
    care = state.alerts.pop(event.alert, None)
    steps = (step,) if care is None else (*care.steps, step)
    state.alerts[event.alert] = AlertCare(event.reason, event.table, steps)
    while len(state.alerts) > ALERTS_KEPT:
        del state.alerts[next(iter(state.alerts))]

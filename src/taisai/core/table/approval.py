"""Where and when a rulebook may be played: its operator, form, source of dice and date [D30].

A table of a real house knows its operator. A table of a demo has none, and may play any rulebook.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import get_args

from msgspec import Struct

from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant, Sender
from taisai.core.kernel.name_profile import is_name
from taisai.core.kernel.registry import TABLE, applies, command, decides, event
from taisai.core.kernel.roles import MANAGERS, PIT
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.rules.rulebook import Rulebook
from taisai.core.table.state import Aspect, Departure, TableState

#: The most departures for one table, from its plan or from two persons.
DEPARTURES_MAX = 100
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_REFUSALS = {
    "operator": "NOT_FOR_OPERATOR",
    "form": "NOT_FOR_FORM",
    "dice": "NOT_FOR_DICE",
    "date": "NOT_YET_IN_FORCE",
}


class Unlike(Struct, frozen=True):
    """A way in which a table differs from a rulebook's approval, and the clause for it."""

    aspect: Aspect
    clause: str | None
    approved: str
    here: str


@command(at=TABLE, by=("system",))
class SetDepartures(Command, frozen=True):
    """Say which written departures stand in the plan of this table: all of them, anew."""

    departures: tuple[Departure, ...]


@event(at=TABLE, posts=False)
class DeparturesSet(Event, frozen=True):
    """Which written departures stand in the plan of the table."""

    departures: tuple[Departure, ...]


@decides
def set_departures(
    _state: TableState, command: SetDepartures, _actor: Actor, _at: Instant
) -> Decision:
    """Record the written departures of the plan: who approved each, and in which paper."""
    return _written_refusal(command.departures) or (DeparturesSet(command.departures),)


def _written_refusal(departures: tuple[Departure, ...]) -> Refusal | None:
    """Refuse a departure without a person who approved it and a paper."""
    if len(departures) > DEPARTURES_MAX:
        return refuse("BATCH_SIZE", most=DEPARTURES_MAX)
    for each in departures:
        if not all(map(is_name, (each.rulebook, each.approved_by, each.reference))):
            return refuse("NAME_MISSING")
    return None


@applies
def departures_set(state: TableState, event: DeparturesSet) -> None:
    state.planned_departures = event.departures


@command(at=TABLE, by=MANAGERS, second=PIT)
class AdoptDepartures(Command, frozen=True):
    """Have written departures stand at this table besides those of its plan: all of them, anew."""

    departures: tuple[Departure, ...]


@event(at=TABLE, posts=False)
class DeparturesAdopted(Event, frozen=True):
    """Two persons have these written departures stand, besides those of the plan."""

    departures: tuple[Departure, ...]
    by: str
    second: str


@decides
def adopt_departures(
    _state: TableState, command: AdoptDepartures, actor: Sender, _at: Instant
) -> Decision:
    """Record departures by two persons who have seen the papers [D30]."""
    adopted = DeparturesAdopted(command.departures, actor.person, actor.second_person)
    return _written_refusal(command.departures) or (adopted,)


@applies
def departures_adopted(state: TableState, event: DeparturesAdopted) -> None:
    state.adopted_departures = event.departures


def approval_refusal(state: TableState, rulebook: Rulebook, at: Instant) -> Refusal | None:
    """Refuse a table outside a rulebook's approval, unless a written departure covers it [D30].

    [ts6 2.1.1, 2.2.1; etg8 2.2.1, 3.4; div9 3.3, 4.3]
    """
    written = {each.aspect for each in state.departures if each.rulebook == rulebook.key}
    for each in unlike(state, rulebook, at):
        if each.aspect not in written:
            code = _REFUSALS[each.aspect]
            return refuse(code, each.clause, approved=each.approved, here=each.here)
    return None


def relied_on(state: TableState, rulebook: Rulebook, at: Instant) -> tuple[Departure, ...]:
    """Give the written departures that a rulebook needs to be played here."""
    aspects = {each.aspect for each in unlike(state, rulebook, at)}
    own = (each for each in state.departures if each.rulebook == rulebook.key)
    return tuple(each for each in own if each.aspect in aspects)


def unlike(state: TableState, rulebook: Rulebook, at: Instant) -> Iterator[Unlike]:
    """Find in which ways a table of a real house differs from what a rulebook is approved for."""
    if state.operator is None:
        return
    yield from outside(rulebook, state.operator, state.form, state.equipment.tumbler)
    effective = rulebook.content.effective
    if effective is not None and at < (effective - _EPOCH) // timedelta(milliseconds=1):
        yield Unlike("date", None, effective.isoformat(), state.table)


def outside(rulebook: Rulebook, operator: str | None, form: str, tumbler: str) -> Iterator[Unlike]:
    """Find which parts of a table are outside a rulebook's approval, whatever the date."""
    approval = rulebook.content.approval
    if approval.operator is not None and approval.operator != operator:
        yield Unlike("operator", None, approval.operator, operator or "?")
    if form not in approval.forms:
        yield Unlike("form", approval.forms_clause, ", ".join(approval.forms), form)
    if tumbler not in approval.dice:
        yield Unlike("dice", approval.dice_clause, ", ".join(approval.dice), tumbler)

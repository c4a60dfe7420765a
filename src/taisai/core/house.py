"""The house: one currency, the tables and the cage that deal in it, its people and their keys.

Same shape as a table: `decide_house` answers a command and changes nothing, `evolve_house` applies
an event. Who is on the staff, and in which roles, is settled here by two persons [D14]; passwords,
PINs and keys are kept elsewhere, and never come here.
"""

from typing import assert_never
from unicodedata import normalize

from msgspec import Struct

from taisai.core import commands as c
from taisai.core.approvals import approval_refusal, decline_refusal, hash_of, named_refusal
from taisai.core.commands import Approve, Decline, HouseCommand, Order
from taisai.core.decision import NAME_MAX, compared, is_name, same_person
from taisai.core.events import (
    ApprovalRequested,
    CommandApproved,
    CommandDeclined,
    HouseEvent,
    HouseOpened,
    HouseRestored,
    LockedOut,
    LoggedIn,
    LoggedOut,
    RolesChanged,
    StaffAppointed,
    StaffDismissed,
    TableAdmitted,
    TerminalKeyIssued,
)
from taisai.core.messages import Actor, Instant
from taisai.core.people import MAY, STAFF_ROLES, takes_two
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table_state import Pending

STREAMS_MAX = 10_000
STAFF_MAX = 10_000
KEYED_MAX = 200_000

#: Somebody must be left who answers for the house where no clause does.
_ANSWERS = "shift-manager"

HouseDecision = tuple[HouseEvent, ...] | Refusal

#: What is carried out in a house that is open, by one person or by two.
_Work = (
    c.AdmitTable
    | c.RestoreHouse
    | c.EngageStaff
    | c.AppointStaff
    | c.ChangeRoles
    | c.DismissStaff
    | c.IssueTerminalKey
    | c.RecordLogIn
    | c.RecordLogOut
    | c.RecordLockOut
)


class HouseState(Struct):
    """A house: its name, its currency, what belongs to it and who works there."""

    version: int = 0
    name: str = ""
    currency: str = ""
    streams: set[str] = set()
    demo: bool = False
    #: Each person on the staff, as the name was written first, with the roles they may take.
    staff: dict[str, tuple[str, ...]] = {}
    #: The terminals that were given a key, as `table/terminal`.
    keyed: set[str] = set()
    pending: Pending | None = None


def find_person(state: HouseState, person: str) -> str | None:
    """Find how a person's name is written on the staff, however it was typed."""
    if person in state.staff:
        return person
    wanted = compared(person)
    return next((each for each in state.staff if compared(each) == wanted), None)


def decide_house(state: HouseState, order: Order, at: Instant) -> HouseDecision:
    """Answer a command to the house."""
    command, actor = order.command, order.actor
    if not isinstance(command, HouseCommand) or actor.role not in MAY[type(command)]:
        return refuse("NOT_ALLOWED", role=actor.role, command=type(command).__name__)
    if isinstance(command, c.OpenHouse):
        return _open(state, command)
    if not state.currency:
        return refuse("HOUSE_CLOSED")
    if isinstance(command, Approve):
        return _approve(state, command, actor, at)
    if isinstance(command, Decline):
        return _decline(state, command, actor)
    decision = _carry_out(state, command, actor.person)
    if isinstance(decision, Refusal) or not _takes_two(state, command):
        return decision
    return (ApprovalRequested(hash_of(order, state.version), order, at),)


def _carry_out(state: HouseState, command: _Work, by: str, second: str = "") -> HouseDecision:
    """Decide what a command comes to, asked by one person and, where it takes two, by another."""
    match command:
        case c.AdmitTable():
            return _admit(state, command)
        case c.RestoreHouse():
            return _restore(command)
        case c.EngageStaff():
            return _engage(state, command)
        case c.AppointStaff(person=person, roles=roles):
            return _appoint(state, person, roles, by, second)
        case c.ChangeRoles(person=person, roles=roles):
            return _change(state, person, roles, by, second)
        case c.DismissStaff(person=person):
            return _dismiss(state, person, by)
        case c.IssueTerminalKey():
            return _issue_key(state, command, by)
        case c.RecordLogIn() | c.RecordLogOut() | c.RecordLockOut():
            return _record(state, command)
        case _:
            assert_never(command)


def _takes_two(state: HouseState, command: _Work) -> bool:
    """Say whether a command waits for a second person; a terminal's further keys do.

    The first key needs none: two persons enrolled the terminal.
    """
    if isinstance(command, c.IssueTerminalKey):
        return _keyed_as(command) in state.keyed
    return takes_two(type(command))


# --- opening, tables, backups ---------------------------------------------------------------------


def _open(state: HouseState, command: c.OpenHouse) -> HouseDecision:
    if state.currency:
        return refuse("HOUSE_IS_OPEN")
    if not (command.name and command.currency):
        return refuse("NAME_MISSING")
    return (HouseOpened(command.name, command.currency, command.demo),)


def _admit(state: HouseState, command: c.AdmitTable) -> HouseDecision:
    if not command.stream:
        return refuse("NAME_MISSING")
    if command.currency != state.currency:
        return refuse("OTHER_CURRENCY", currency=state.currency)
    if command.stream in state.streams:
        return refuse("STREAM_EXISTS", stream=command.stream)
    if len(state.streams) >= STREAMS_MAX:
        return refuse("BATCH_SIZE", most=STREAMS_MAX)
    return (TableAdmitted(command.stream),)


def _restore(command: c.RestoreHouse) -> HouseDecision:
    """Put on record that two persons restored the house [D14]."""
    refusal = named_refusal(command.by, command.second)
    if refusal is not None:
        return refusal
    return (HouseRestored(command.by, command.second, command.checkpoint),)


# --- people ---------------------------------------------------------------------------------------


def _engage(state: HouseState, command: c.EngageStaff) -> HouseDecision:
    """Take a person on by two who are named; the first of a house name themselves."""
    refusal = named_refusal(command.by, command.second)
    if refusal is not None:
        return refusal
    return _appoint(state, command.person, command.roles, command.by, command.second)


def _appoint(
    state: HouseState, person: str, roles: tuple[str, ...], by: str, second: str
) -> HouseDecision:
    if not is_name(person):
        return refuse("NAME_MISSING")
    found = find_person(state, person)
    if found is not None:
        return refuse("ON_THE_STAFF", person=found)
    if len(state.staff) >= STAFF_MAX:
        return refuse("NO_MORE_ROOM", most=STAFF_MAX)
    return _roles_refusal(roles) or (StaffAppointed(_spelled(person), roles, by, second),)


def _change(
    state: HouseState, person: str, roles: tuple[str, ...], by: str, second: str
) -> HouseDecision:
    found = _other_person(state, person, (by, second))
    if isinstance(found, Refusal):
        return found
    refusal = _roles_refusal(roles)
    if refusal is not None:
        return refusal
    if _ANSWERS not in roles and _alone_answers(state, found):
        return refuse("LAST_SHIFT_MANAGER", person=found)
    return (RolesChanged(found, roles, by, second),)


def _dismiss(state: HouseState, person: str, by: str) -> HouseDecision:
    found = _other_person(state, person, (by,))
    if isinstance(found, Refusal):
        return found
    if _alone_answers(state, found):
        return refuse("LAST_SHIFT_MANAGER", person=found)
    return (StaffDismissed(found, by),)


def _other_person(state: HouseState, person: str, acting: tuple[str, ...]) -> str | Refusal:
    """Find somebody on the staff who is none of those who decide about them."""
    found = find_person(state, person)
    if found is None:
        return refuse("UNKNOWN_PERSON", person=person[:NAME_MAX])
    if any(same_person(found, each) for each in acting):
        return refuse("OWN_ROLES", person=found)
    return found


def _roles_refusal(roles: tuple[str, ...]) -> Refusal | None:
    if not roles or len(set(roles)) < len(roles) or not set(roles) <= set(STAFF_ROLES):
        return refuse("BAD_ROLES", roles=", ".join(STAFF_ROLES))
    return None


def _alone_answers(state: HouseState, person: str) -> bool:
    """Say whether a person is the only one who answers for the house."""
    return [each for each, roles in state.staff.items() if _ANSWERS in roles] == [person]


def _spelled(person: str) -> str:
    """Write a name in one way, with single spaces, as it will be shown."""
    return " ".join(normalize("NFC", person).split())


# --- keys and log-ins -----------------------------------------------------------------------------


def _keyed_as(key: c.IssueTerminalKey | TerminalKeyIssued) -> str:
    return f"{key.table}/{key.terminal}"


def _issue_key(state: HouseState, command: c.IssueTerminalKey, by: str) -> HouseDecision:
    if not (is_name(command.table) and is_name(command.terminal)):
        return refuse("NAME_MISSING")
    if len(state.keyed) >= KEYED_MAX and _keyed_as(command) not in state.keyed:
        return refuse("NO_MORE_ROOM", most=KEYED_MAX)
    return (TerminalKeyIssued(command.table, command.terminal, by),)


def _record(
    state: HouseState, command: c.RecordLogIn | c.RecordLogOut | c.RecordLockOut
) -> HouseDecision:
    """Write down who came and went; somebody dismissed meanwhile still goes."""
    found = find_person(state, command.person)
    if isinstance(command, c.RecordLogOut):
        person = found or _spelled(command.person)
        return (LoggedOut(person),) if is_name(person) else refuse("NAME_MISSING")
    if found is None:
        # What was typed is left out of the journal: it may have been a password.
        return refuse("UNKNOWN_PERSON", person=command.person[:NAME_MAX])
    if not command.place.strip() or len(command.place) > NAME_MAX:
        return refuse("NAME_MISSING")
    if isinstance(command, c.RecordLockOut):
        return (LockedOut(found, command.place),)
    if command.role not in state.staff[found]:
        return refuse("ROLE_NOT_HELD", person=found, role=command.role)
    return (LoggedIn(found, command.role, command.place),)


# --- two persons ----------------------------------------------------------------------------------


def _approve(state: HouseState, command: Approve, actor: Actor, at: Instant) -> HouseDecision:
    """Carry out what is pending, decided anew on the state as it is now."""
    refusal = approval_refusal(state.pending, command, actor, at)
    if refusal is not None:
        return refusal
    assert state.pending is not None, "an approval without anything pending is refused"
    asked = state.pending.order
    assert isinstance(asked.command, _Work), "the house's own commands wait here"
    decision = _carry_out(state, asked.command, asked.actor.person, actor.person)
    if isinstance(decision, Refusal):
        return decision
    return (CommandApproved(state.pending.hash, actor), *decision)


def _decline(state: HouseState, command: Decline, actor: Actor) -> HouseDecision:
    refusal = decline_refusal(state.pending, command.pending, actor)
    return refusal if refusal is not None else (CommandDeclined(command.pending, actor),)


def evolve_house(state: HouseState, event: HouseEvent) -> HouseState:
    """Apply an event to the house; it never refuses."""
    state.version += 1
    match event:
        case HouseOpened():
            state.name, state.currency, state.demo = event.name, event.currency, event.demo
        case TableAdmitted():
            state.streams.add(event.stream)
        case StaffAppointed() | RolesChanged():
            state.staff[event.person] = event.roles
            state.pending = None
        case StaffDismissed():
            del state.staff[event.person]
            # Who asked may be the one who left: nothing they asked for goes on.
            state.pending = None
        case TerminalKeyIssued():
            state.keyed.add(_keyed_as(event))
        case ApprovalRequested():
            state.pending = Pending(event.pending, event.order, event.at, state.version)
        case CommandApproved() | CommandDeclined():
            state.pending = None
        case HouseRestored() | LoggedIn() | LoggedOut() | LockedOut():
            # They are for the record: what the house is, is as it was.
            pass
        case _:
            assert_never(event)
    return state

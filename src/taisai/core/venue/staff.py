"""The staff of a venue: its people and their roles, set by two persons [D14]; log-ins and log-outs.

No event here holds a password, PIN, key or code: events only say that one was set, and by whom.
"""

from unicodedata import normalize

from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant, Role, Sender
from taisai.core.kernel.name_profile import NAME_MAX, is_name, looks, person_refusal
from taisai.core.kernel.names import same_person, two_persons_refusal
from taisai.core.kernel.registry import VENUE, applies, command, decides, event
from taisai.core.kernel.roles import STAFF_ROLES, STAFFING, Roles
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.venue.state import VenueState, find_person, roles_now

STAFF_MAX = 10_000
#: At least one person must have this role: it rules where no clause does.
_ANSWERS = "shift-manager"
#: So many of the persons dismissed last are remembered.
DISMISSED_KEPT = 100
#: The roles that approve decisions about people, and that may suspend a person at once.
_DECIDING: Roles = ("pit-manager", *STAFFING)


@command(at=VENUE, by=("system",))
class EngageStaff(Command, frozen=True):
    """Take a person on where there is no server to ask: two persons are named by the command."""

    person: str
    roles: tuple[str, ...]
    by: str
    second: str
    #: Whether it is one of the two who found the house on its page.
    founds: bool = False


@command(at=VENUE, by=STAFFING, second=_DECIDING, wire=False)
class AppointStaff(Command, frozen=True):
    person: str
    roles: tuple[str, ...]


@event(at=VENUE, posts=False)
class StaffAppointed(Event, frozen=True):
    """A person is on the staff, in the roles that two others say."""

    person: str
    roles: tuple[str, ...]
    by: str
    second: str
    #: Whether it is one of the two who found the house on its page.
    founds: bool = False


@decides
def engage_staff(state: VenueState, command: EngageStaff, _actor: Actor, _at: Instant) -> Decision:
    """Engage a person by two named persons; the first two of a venue name themselves."""
    by, second = command.by, command.second
    refusal = two_persons_refusal(by, second)
    if refusal is None and command.founds and state.staff.keys() - state.founders:
        return refuse("HOUSE_FOUNDED")
    appointed = refusal or _appointed(
        state, command.person, command.roles, by, second, founds=command.founds
    )
    if isinstance(appointed, Refusal):
        return appointed
    # Nobody in the house could make a code for a person engaged there.
    return (*appointed, CodeMade(_spelled(command.person), by, second))


@decides
def appoint_staff(
    state: VenueState, command: AppointStaff, actor: Sender, _at: Instant
) -> Decision:
    """Appoint a person to the staff."""
    return _appointed(state, command.person, command.roles, actor.person, actor.second_person)


def _appointed(
    state: VenueState,
    person: str,
    roles: tuple[str, ...],
    by: str,
    second: str,
    *,
    founds: bool = False,
) -> Decision:
    name = _spelled(person)
    refusal = _taken_refusal(state, name) or person_refusal(name)
    if refusal is not None:
        return refusal
    if len(state.staff) >= STAFF_MAX:
        return refuse("NO_MORE_ROOM", most=STAFF_MAX)
    return _roles_refusal(roles) or (StaffAppointed(name, roles, by, second, founds),)


def _taken_refusal(state: VenueState, name: str) -> Refusal | None:
    """Refuse the name of a person already on the staff, and one that looks like it [D34]."""
    found = find_person(state, name)
    if found is not None:
        return refuse("ON_THE_STAFF", person=found)
    like = next((each for each in state.staff if looks(each) == looks(name)), None)
    return None if like is None else refuse("NAME_LOOKS_LIKE", person=like)


def _roles_refusal(roles: tuple[str, ...]) -> Refusal | None:
    if not roles or len(set(roles)) < len(roles) or not set(roles) <= set(STAFF_ROLES):
        return refuse("BAD_ROLES", codes=", ".join(STAFF_ROLES))
    return None


def _spelled(person: str) -> str:
    """Normalize a name for display: one form of each letter, single spaces."""
    return " ".join(normalize("NFC", person).split())


@command(at=VENUE, by=STAFFING, second=_DECIDING, wire=False)
class ChangeRoles(Command, frozen=True):
    person: str
    roles: tuple[str, ...]


@event(at=VENUE, posts=False)
class RolesChanged(Event, frozen=True):
    person: str
    roles: tuple[str, ...]
    by: str
    second: str


@decides
def change_roles(state: VenueState, command: ChangeRoles, actor: Sender, _at: Instant) -> Decision:
    """Change the roles of a person who is not one of the two that decide it."""
    roles = command.roles
    found = _third_person(state, command.person, actor)
    if isinstance(found, Refusal):
        return found
    refusal = _roles_refusal(roles)
    if refusal is not None:
        return refusal
    if _ANSWERS not in roles and _alone_answers(state, found):
        return refuse("LAST_SHIFT_MANAGER", person=found)
    return (RolesChanged(found, roles, actor.person, actor.second_person),)


@applies
def on_the_staff(state: VenueState, event: StaffAppointed | RolesChanged) -> None:
    state.staff[event.person] = event.roles
    if isinstance(event, StaffAppointed) and event.founds:
        state.founders.add(event.person)


@command(at=VENUE, by=_DECIDING, wire=False)
class SuspendStaff(Command, frozen=True):
    """Keep a person out at once, until two others reinstate or dismiss them."""

    person: str


@event(at=VENUE, posts=False)
class StaffSuspended(Event, frozen=True):
    """A person is out, and stays on the staff; who asked for what is pending may be that one."""

    person: str
    by: str


@decides
def suspend_staff(state: VenueState, command: SuspendStaff, actor: Actor, _at: Instant) -> Decision:
    """Suspend another person, by one person: it must be possible at once [D14]."""
    found = _other_person(state, command.person, (actor.person,))
    if isinstance(found, Refusal):
        return found
    if found in state.suspended:
        return refuse("PERSON_SUSPENDED", person=found)
    if _alone_answers(state, found):
        return refuse("LAST_SHIFT_MANAGER", person=found)
    return (StaffSuspended(found, actor.person),)


@applies
def staff_suspended(state: VenueState, event: StaffSuspended) -> None:
    state.suspended.add(event.person)


@command(at=VENUE, by=STAFFING, second=_DECIDING, wire=False)
class ReinstateStaff(Command, frozen=True):
    """Let a person who was suspended in again."""

    person: str


@event(at=VENUE, posts=False)
class StaffReinstated(Event, frozen=True):
    """A person who was suspended may come again, in the roles that they have."""

    person: str
    by: str
    second: str


@decides
def reinstate_staff(
    state: VenueState, command: ReinstateStaff, actor: Sender, _at: Instant
) -> Decision:
    """Reinstate a person who is not one of the two that decide it [D14]."""
    found = _third_person(state, command.person, actor)
    if isinstance(found, Refusal):
        return found
    if found not in state.suspended:
        return refuse("NOT_SUSPENDED", person=found)
    return (StaffReinstated(found, actor.person, actor.second_person),)


@applies
def staff_reinstated(state: VenueState, event: StaffReinstated) -> None:
    state.suspended.remove(event.person)


@command(at=VENUE, by=STAFFING, second=_DECIDING, wire=False)
class DismissStaff(Command, frozen=True):
    person: str


@event(at=VENUE, posts=False)
class StaffDismissed(Event, frozen=True):
    """A person has left; who asked for what is pending may be that one, so it ends."""

    person: str
    by: str
    second: str


@decides
def dismiss_staff(
    state: VenueState, command: DismissStaff, actor: Sender, _at: Instant
) -> Decision:
    """Dismiss a person who is not one of the two, but never the venue's last shift manager."""
    found = _third_person(state, command.person, actor)
    if isinstance(found, Refusal):
        return found
    if _alone_answers(state, found):
        return refuse("LAST_SHIFT_MANAGER", person=found)
    return (StaffDismissed(found, actor.person, actor.second_person),)


@applies
def staff_dismissed(state: VenueState, event: StaffDismissed) -> None:
    del state.staff[event.person]
    state.founders.discard(event.person)
    state.suspended.discard(event.person)
    state.codes.pop(event.person, None)
    state.credentials.pop(event.person, None)
    state.dismissed = (*state.dismissed, event.person)[-DISMISSED_KEPT:]


def out_refusal(state: VenueState, actor: Actor) -> Refusal | None:
    """Refuse what a person asked for who may not act in that role any more [D14].

    In a demo, where anybody is anybody, a name says nothing.
    """
    person = actor.person
    is_known = person in state.staff or person in state.dismissed
    if (
        actor.role not in STAFF_ROLES
        or not is_known
        or state.demo
        or actor.role in roles_now(state, person)
    ):
        return None
    return refuse("ASKER_IS_OUT", person=person)


def _other_person(state: VenueState, person: str, acting: tuple[str, ...]) -> str | Refusal:
    """Find a person on the staff who is not one of those who decide about them."""
    found = find_person(state, person)
    if found is None:
        return refuse("UNKNOWN_PERSON", person=person[:NAME_MAX])
    if any(same_person(found, each) for each in acting):
        return refuse("OWN_ROLES", person=found)
    return found


def _third_person(state: VenueState, person: str, actor: Sender) -> str | Refusal:
    """Find a person on the staff who is neither the sender nor the second person [D14]."""
    return _other_person(state, person, (actor.person, actor.second_person))


def _alone_answers(state: VenueState, person: str) -> bool:
    """Say whether a person is the only shift manager of the venue now."""
    return [each for each in state.staff if _ANSWERS in roles_now(state, each)] == [person]


@command(at=VENUE, by=STAFFING, second=_DECIDING, wire=False)
class MakeCode(Command, frozen=True):
    """Have a code made with which a person sets password and PIN, half of it for each of two."""

    person: str


@command(at=VENUE, by=("system",))
class GiveCode(Command, frozen=True):
    """Make a code where there is no server to ask: two persons are named by the command."""

    person: str
    by: str
    second: str


@event(at=VENUE, posts=False)
class CodeMade(Event, frozen=True):
    """A code was made for a person, half of it shown to each of two; an earlier one is no good."""

    person: str
    by: str
    second: str


@decides
def make_code(state: VenueState, command: MakeCode, actor: Sender, _at: Instant) -> Decision:
    """Make a code for a person who is not one of the two that get half of it [D14]."""
    found = _third_person(state, command.person, actor)
    if isinstance(found, Refusal):
        return found
    return (CodeMade(found, actor.person, actor.second_person),)


@decides
def give_code(state: VenueState, command: GiveCode, _actor: Actor, _at: Instant) -> Decision:
    """Make a code by two named persons."""
    refusal = two_persons_refusal(command.by, command.second)
    if refusal is not None:
        return refusal
    found = find_person(state, command.person)
    if found is None:
        return refuse("UNKNOWN_PERSON", person=command.person[:NAME_MAX])
    return (CodeMade(found, command.by, command.second),)


@applies
def code_made(state: VenueState, event: CodeMade) -> None:
    state.codes[event.person] = state.version


@command(at=VENUE, by=("system",))
class RecordCredentials(Command, frozen=True):
    """Say that a person set password and PIN with the code that was made for them."""

    person: str


@event(at=VENUE, routine=True, posts=False)
class CredentialsSet(Event, frozen=True):
    """A person set password and PIN; the code for it is used up."""

    person: str


@decides
def record_credentials(
    state: VenueState, command: RecordCredentials, _actor: Actor, _at: Instant
) -> Decision:
    """Record that a person with a code set password and PIN."""
    found = find_person(state, command.person)
    if found is None or found not in state.codes:
        return refuse("BAD_CODE")
    return (CredentialsSet(found),)


@applies
def credentials_set(state: VenueState, event: CredentialsSet) -> None:
    state.credentials[event.person] = state.version
    del state.codes[event.person]


@command(at=VENUE, by=("system",))
class RecordLogIn(Command, frozen=True):
    person: str
    role: Role
    place: str


@event(at=VENUE, routine=True, posts=False)
class LoggedIn(Event, frozen=True):
    person: str
    role: Role
    place: str


@decides
def record_log_in(state: VenueState, command: RecordLogIn, _actor: Actor, _at: Instant) -> Decision:
    """Record a log-in, in a role that the person has."""
    found = _at_a_place(state, command)
    if isinstance(found, Refusal):
        return found
    if found in state.suspended:
        return refuse("PERSON_SUSPENDED", person=found)
    if command.role not in state.staff[found]:
        return refuse("ROLE_NOT_HELD", person=found, role=command.role)
    return (LoggedIn(found, command.role, command.place),)


@applies
def logged_in(state: VenueState, _: LoggedIn) -> None:
    # After the first log-in the house counts as founded.
    state.founders.clear()


@command(at=VENUE, by=("system",))
class RecordLockOut(Command, frozen=True):
    person: str
    place: str


@event(at=VENUE, routine=True, applies=False, posts=False)
class LockedOut(Event, frozen=True):
    """Too many wrong passwords or PINs: nobody gets in under this name for a time."""

    person: str
    place: str


@decides
def record_lock_out(
    state: VenueState, command: RecordLockOut, _actor: Actor, _at: Instant
) -> Decision:
    """Record who was locked out."""
    found = _at_a_place(state, command)
    return found if isinstance(found, Refusal) else (LockedOut(found, command.place),)


def _at_a_place(state: VenueState, command: RecordLogIn | RecordLockOut) -> str | Refusal:
    """Find the person of a log-in, and check its place."""
    found = find_person(state, command.person)
    if found is None:
        # The typed text is kept out of the journal: it may have been a password.
        return refuse("UNKNOWN_PERSON", person=command.person[:NAME_MAX])
    if not command.place.strip() or len(command.place) > NAME_MAX:
        return refuse("NAME_MISSING")
    return found


@command(at=VENUE, by=("system",))
class RecordLogOut(Command, frozen=True):
    person: str


@event(at=VENUE, routine=True, applies=False, posts=False)
class LoggedOut(Event, frozen=True):
    person: str


@decides
def record_log_out(
    state: VenueState, command: RecordLogOut, _actor: Actor, _at: Instant
) -> Decision:
    """Record a log-out, also of a person dismissed since the log-in."""
    person = find_person(state, command.person) or _spelled(command.person)
    return (LoggedOut(person),) if is_name(person) else refuse("NAME_MISSING")

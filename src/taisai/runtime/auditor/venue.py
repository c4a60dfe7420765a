"""Auditing the venue itself: opened once, its people by two persons, its keys and alerts [D14]."""

from collections.abc import Sequence
from unicodedata import category, name

from msgspec import Struct

from taisai.core.kernel.approvals import CommandDeclined
from taisai.core.kernel.messages import Event, Instant
from taisai.core.venue.alerts import AlertAcknowledged, AlertAssigned
from taisai.core.venue.nodes import DrainNode, MoveStream, NodeDrained, StreamMoved
from taisai.core.venue.setup import (
    AcceptClock,
    ClockAccepted,
    DealerChanged,
    RenameVenue,
    SealingKeyReplaced,
    TableAdmitted,
    TablePlaced,
    VenueOpened,
    VenueRenamed,
    VenueRestored,
    VenueTakenOver,
)
from taisai.core.venue.staff import (
    AppointStaff,
    ChangeRoles,
    CodeMade,
    CredentialsSet,
    DismissStaff,
    LockedOut,
    LoggedIn,
    LoggedOut,
    MakeCode,
    ReinstateStaff,
    RolesChanged,
    StaffAppointed,
    StaffDismissed,
    StaffReinstated,
    StaffSuspended,
)
from taisai.core.venue.terminal_keys import (
    IssueTerminalKey,
    TerminalConnectedTwice,
    TerminalKeyIssued,
    TerminalWithdrawn,
)
from taisai.runtime.auditor.approvals import SecondPerson, one_alone, plain
from taisai.runtime.auditor.books import AuditError, Complaint
from taisai.runtime.auditor.registry import audits, routine

#: Roles that may ask for a change of the staff, and that may agree to it.
_ASK = ("technician", "shift-manager")
_AGREE = (*_ASK, "pit-manager")
_KEYS = "technician"
_MANAGERS = ("pit-manager", "shift-manager")
_PIT = ("supervisor", *_MANAGERS)
_ROLES = {"dealer", "supervisor", "pit-manager", "shift-manager", "cage", "technician", "auditor"}
_LAST = "shift-manager"
_IN_NAMES = " '’-.,·・"
#: Alphabets whose letters look like those of others.
_ALONE = {"GREEK", "CYRILLIC", "ARMENIAN"}
#: The size of the floor's map.
_MAP = 40
#: A venue remembers so many alerts.
_ALERTS = 500
_PROGRAMS = {"host", "system", "automatic-dealer", "door", "carrier"}


class AuditedVenue(Struct):
    """The venue under audit: its people, and the terminals that have had a key."""

    second: SecondPerson
    currency: str | None = None
    #: Who operates a real house.
    operator: str = ""
    admitted: set[str] = set()
    #: The places of tables on the map of the floor.
    places: dict[str, tuple[int, int]] = {}
    #: The roles, by name in the form that people compare.
    people: dict[str, frozenset[str]] = {}
    #: Those of them who are suspended.
    suspended: set[str] = set()
    keyed: set[tuple[str, str]] = set()
    #: Those that were withdrawn, and have no valid key.
    withdrawn: set[tuple[str, str]] = set()
    #: Whether anybody has logged in, and the persons who founded the house before that.
    entered: bool = False
    founders: set[str] = set()
    #: The epoch of the last take-over of the journal.
    epoch: int = 0
    #: The persons with a code that is not used yet.
    coded: set[str] = set()
    #: Acknowledged alerts; and the person to whom each recent one is assigned.
    seen: set[str] = set()
    touched: dict[str, str] = {}

    def check_opened(self, event: Event) -> None:
        """Check that nothing comes before the venue is opened."""
        if self.currency is None and not isinstance(event, VenueOpened):
            raise self.wrong("{kind} before it was opened", kind=type(event).__name__)

    def wrong(self, sentence: str, /, **blanks: object) -> AuditError:
        """Give the error for a fault in the venue."""
        return AuditError("venue: {what}", what=Complaint(sentence, blanks))


@audits
def _opened(venue: AuditedVenue, event: VenueOpened, _: Instant) -> None:
    if venue.currency is not None:
        raise venue.wrong("it was opened twice")
    venue.currency = event.currency
    venue.operator = "" if event.demo else event.operator


@audits
def _renamed(venue: AuditedVenue, event: VenueRenamed, _: Instant) -> None:
    """The house is renamed by two persons, as they agreed."""
    command = venue.second.take(RenameVenue, "the house was renamed")
    asked, agreed = venue.second.persons()
    if (event.by, event.second) != (asked.person, agreed.person):
        raise venue.wrong("its new name is laid to others than those who agreed")
    if asked.role not in _MANAGERS or agreed.role not in _PIT:
        raise venue.wrong("a {role} and a {role_2} renamed it", role=asked.role, role_2=agreed.role)
    if event.name != command.name.strip() or not event.name:
        raise venue.wrong("its new name is not the one agreed to")
    venue.second.lapse()


@audits
def _dealer_changed(venue: AuditedVenue, event: DealerChanged, _: Instant) -> None:
    """A named person hands over a table of the venue."""
    if event.stream not in venue.admitted or not event.by.strip():
        raise venue.wrong(
            "{by} handed over {stream}, which is not here", by=event.by, stream=event.stream
        )


@audits
def _placed(venue: AuditedVenue, event: TablePlaced, _: Instant) -> None:
    """A table of the venue is placed where no other was placed."""
    if event.stream not in venue.admitted or not event.by.strip():
        raise venue.wrong(
            "{by} placed {stream}, which is not here", by=event.by, stream=event.stream
        )
    if event.place is None:
        if venue.places.pop(event.stream, None) is None:
            raise venue.wrong(
                "{stream} was taken from a place that it had not", stream=event.stream
            )
        return
    if event.place in venue.places.values() or not {*event.place} <= {*range(1, _MAP + 1)}:
        raise venue.wrong("{stream} was placed where it cannot be", stream=event.stream)
    venue.places[event.stream] = event.place


@audits
def _admitted(venue: AuditedVenue, event: TableAdmitted, _: Instant) -> None:
    if event.stream in venue.admitted:
        raise venue.wrong("{stream} was admitted twice", stream=event.stream)
    venue.admitted.add(event.stream)


@audits
def _node_drained(venue: AuditedVenue, event: NodeDrained, _: Instant) -> None:
    """A node is drained by two persons, as they agreed."""
    command = venue.second.take(DrainNode, "a node was drained")
    if event.node != command.node:
        raise venue.wrong("another node was drained than was agreed to")
    _agreed_by_two(venue, event)


@audits
def _stream_moved(venue: AuditedVenue, event: StreamMoved, _: Instant) -> None:
    """A stream is moved by two persons, as they agreed."""
    command = venue.second.take(MoveStream, "a stream was moved")
    if (event.stream, event.node) != (command.stream, command.node):
        raise venue.wrong("a stream was moved otherwise than was agreed to")
    _agreed_by_two(venue, event)


def _agreed_by_two(venue: AuditedVenue, event: NodeDrained | StreamMoved) -> None:
    asked, agreed = venue.second.persons()
    if (event.by, event.second) != (asked.person, agreed.person):
        raise venue.wrong("it is laid to others than those who agreed")
    if asked.role not in _MANAGERS or agreed.role not in _PIT:
        roles = {"role": asked.role, "role_2": agreed.role}
        if isinstance(event, NodeDrained):
            raise venue.wrong("a {role} and a {role_2} drained a node", **roles)
        raise venue.wrong("a {role} and a {role_2} moved a stream", **roles)
    venue.second.lapse()


@audits
def _clock_accepted(venue: AuditedVenue, event: ClockAccepted, _: Instant) -> None:
    """A jump of the clock is accepted by two persons, as far as they saw it."""
    command = venue.second.take(AcceptClock, "a jump of the clock was accepted")
    asked, agreed = venue.second.persons()
    jump, agreed_jump = (event.ahead_ms, event.database_ms), (command.ahead_ms, command.database_ms)
    if jump != agreed_jump or (event.by, event.second) != (asked.person, agreed.person):
        raise venue.wrong("another jump of the clock was accepted than was agreed to")
    if (
        jump == (0, 0)
        or event.ahead_ms < 0
        or asked.role not in _MANAGERS
        or agreed.role not in _PIT
    ):
        raise venue.wrong(
            "a {role} and a {role_2} accepted the clock", role=asked.role, role_2=agreed.role
        )
    venue.second.lapse()


@audits
def _restored(venue: AuditedVenue, event: VenueRestored, _: Instant) -> None:
    if one_alone(event.by, event.second):
        raise venue.wrong("{by} alone restored it", by=event.by)
    # It may be in another database now, whose epochs start again.
    venue.epoch = 0


@audits
def _taken_over(venue: AuditedVenue, event: VenueTakenOver, _: Instant) -> None:
    """Two persons pass a journal from one venue to the next, never back to an earlier epoch."""
    if one_alone(event.by, event.second):
        raise venue.wrong("{by} alone took it over", by=event.by)
    if event.epoch <= venue.epoch:
        raise venue.wrong(
            "it was taken over as of epoch {epoch}, after {epoch_2}",
            epoch=event.epoch,
            epoch_2=venue.epoch,
        )
    venue.epoch = event.epoch


@audits
def _appointed(venue: AuditedVenue, event: StaffAppointed, _: Instant) -> None:
    """A person is appointed once: by two named persons, or by two who asked and agreed."""
    _two_named(venue, event)
    _founds(venue, event)
    if venue.second.granted is not None:
        command = venue.second.take(AppointStaff, "{person} was appointed", person=event.person)
        _as_agreed(venue, event, command)
    if plain(event.person) in venue.people:
        raise venue.wrong("{person} was appointed twice", person=event.person)
    _named_plainly(venue, event.person)
    _given(venue, event)


def _founds(venue: AuditedVenue, event: StaffAppointed) -> None:
    """Only the first persons found a house, before there are others or anybody has logged in."""
    if not event.founds:
        return
    if venue.entered or set(venue.people) - venue.founders or venue.second.granted is not None:
        raise venue.wrong("{person} founded a house that has people already", person=event.person)
    venue.founders.add(plain(event.person))


def _named_plainly(venue: AuditedVenue, person: str) -> None:
    """A name has visible letters, of scripts written together, and is no program's [D34]."""
    kinds = {category(each)[0] for each in person if each not in _IN_NAMES}
    scripts = {name(each).split()[0] for each in person if category(each)[0] == "L"}
    alone = scripts & _ALONE
    if not kinds <= set("LMN") or (alone and len(scripts) > 1) or plain(person) in _PROGRAMS:
        raise venue.wrong("{person!r} was appointed, which is no name of a person", person=person)


@audits
def _changed(venue: AuditedVenue, event: RolesChanged, _: Instant) -> None:
    """Roles are changed by two others, and a person responsible for the venue is left."""
    _two_named(venue, event)
    command = venue.second.take(
        ChangeRoles, "the roles of {person} were changed", person=event.person
    )
    _as_agreed(venue, event, command)
    _by_others(venue, event.person, (event.by, event.second))
    answered = _answered(venue)
    _given(venue, event)
    _still_answered(venue, event.person, answered)


@audits
def _suspended(venue: AuditedVenue, event: StaffSuspended, _: Instant) -> None:
    """One other person suspends a person, and a person responsible for the venue is left."""
    _by_others(venue, event.person, (event.by,))
    if plain(event.person) in venue.suspended:
        raise venue.wrong("{person} was suspended twice", person=event.person)
    answered = _answered(venue)
    venue.suspended.add(plain(event.person))
    _still_answered(venue, event.person, answered)
    venue.second.lapse()


@audits
def _reinstated(venue: AuditedVenue, event: StaffReinstated, _: Instant) -> None:
    """Two others reinstate a suspended person."""
    _two_named(venue, event)
    command = venue.second.take(ReinstateStaff, "{person} was reinstated", person=event.person)
    _by_those_who_agreed(venue, event, command)
    _by_others(venue, event.person, (event.by, event.second))
    if plain(event.person) not in venue.suspended:
        raise venue.wrong("{person} was reinstated and not suspended", person=event.person)
    venue.suspended.discard(plain(event.person))
    venue.second.lapse()


@audits
def _dismissed(venue: AuditedVenue, event: StaffDismissed, _: Instant) -> None:
    """Two others dismiss a person, and a person responsible for the venue is left."""
    _two_named(venue, event)
    command = venue.second.take(DismissStaff, "{person} was dismissed", person=event.person)
    _by_those_who_agreed(venue, event, command)
    _by_others(venue, event.person, (event.by, event.second))
    answered = _answered(venue)
    del venue.people[plain(event.person)]
    venue.coded.discard(plain(event.person))
    venue.suspended.discard(plain(event.person))
    _still_answered(venue, event.person, answered)
    venue.second.lapse()


_ByTwo = StaffAppointed | RolesChanged | StaffReinstated | StaffDismissed


def _two_named(venue: AuditedVenue, event: _ByTwo) -> None:
    if one_alone(event.by, event.second):
        raise venue.wrong("{by} alone decided about {person}", by=event.by, person=event.person)


def _as_agreed(
    venue: AuditedVenue,
    event: StaffAppointed | RolesChanged,
    command: AppointStaff | ChangeRoles,
) -> None:
    """Check that the event is what one person asked for and another agreed to."""
    _by_those_who_agreed(venue, event, command)
    if command.roles != event.roles:
        raise venue.wrong("{person}'s roles are not those agreed to", person=event.person)


def _by_those_who_agreed(
    venue: AuditedVenue,
    event: _ByTwo,
    command: AppointStaff | ChangeRoles | ReinstateStaff | DismissStaff,
) -> None:
    """Check that the two persons of a decision on staff may decide, and agreed."""
    asked, agreed = venue.second.persons()
    if (event.by, event.second) != (asked.person, agreed.person):
        raise venue.wrong(
            "what {person} is is laid to others than those who agreed", person=event.person
        )
    if asked.role not in _ASK or agreed.role not in _AGREE:
        raise venue.wrong(
            "a {role} and a {role_2} decided about {person}",
            role=asked.role,
            role_2=agreed.role,
            person=event.person,
        )
    if plain(command.person) != plain(event.person):
        raise venue.wrong("{person} is not the one agreed on", person=event.person)


def _by_others(venue: AuditedVenue, person: str, acting: Sequence[str]) -> None:
    if plain(person) not in venue.people:
        raise venue.wrong("{person} is not on the staff", person=person)
    if plain(person) in map(plain, acting):
        raise venue.wrong("{person} decided about their own roles", person=person)


def _given(venue: AuditedVenue, event: StaffAppointed | RolesChanged) -> None:
    if not event.roles or set(event.roles) - _ROLES or len(set(event.roles)) != len(event.roles):
        raise venue.wrong(
            "{person} cannot be {named}",
            person=event.person,
            named=" and ".join(event.roles) or "nothing",
        )
    venue.people[plain(event.person)] = frozenset(event.roles)
    venue.second.lapse()


def _answered(venue: AuditedVenue) -> bool:
    here = [roles for each, roles in venue.people.items() if each not in venue.suspended]
    return any(_LAST in roles for roles in here)


def _still_answered(venue: AuditedVenue, person: str, before: bool) -> None:
    if before and not _answered(venue):
        raise venue.wrong("{person} was the last {role}", person=person, role=_LAST)


@audits
def _key_issued(venue: AuditedVenue, event: TerminalKeyIssued, _: Instant) -> None:
    """A terminal's first key takes one person, since two enrolled it; each further one two."""
    where = (event.table, event.terminal)
    if where in venue.keyed or venue.second.granted is not None:
        command = venue.second.take(
            IssueTerminalKey, "terminal {terminal} was given a key", terminal=event.terminal
        )
        asked, _agreed = venue.second.persons()
        if (command.table, command.terminal, asked.person) != (*where, event.by):
            raise venue.wrong(
                "the key of terminal {terminal} is not the one agreed to", terminal=event.terminal
            )
        if asked.role != _KEYS:
            raise venue.wrong("a {role} issued a key", role=asked.role)
    venue.keyed.add(where)
    venue.withdrawn.discard(where)


@audits
def _withdrawn(venue: AuditedVenue, event: TerminalWithdrawn, _: Instant) -> None:
    """A terminal is withdrawn once for each key that it was given."""
    where = (event.table, event.terminal)
    if where not in venue.keyed or where in venue.withdrawn or not event.by.strip():
        raise venue.wrong(
            "terminal {terminal} was withdrawn, and had no key", terminal=event.terminal
        )
    venue.withdrawn.add(where)
    venue.second.lapse()


@audits
def _connected_twice(venue: AuditedVenue, event: TerminalConnectedTwice, at: Instant) -> None:
    """Only a key that was issued can be used twice at once."""
    if (event.table, event.terminal) not in venue.keyed:
        raise venue.wrong(
            "terminal {terminal} was connected twice, and never had a key", terminal=event.terminal
        )
    if event.at != at:
        raise venue.wrong(
            "terminal {terminal} was connected twice at another time", terminal=event.terminal
        )


@routine
@audits
def _alert_seen(venue: AuditedVenue, event: AlertAcknowledged, at: Instant) -> None:
    """An alert is acknowledged once, as far back as the venue remembers it."""
    _touched(venue, event, at)
    if event.alert in venue.seen:
        raise venue.wrong("the alert {alert} was acknowledged twice", alert=event.alert)
    venue.seen.add(event.alert)


@routine
@audits
def _alert_handed(venue: AuditedVenue, event: AlertAssigned, at: Instant) -> None:
    """An alert is assigned to a person on the staff who has not got it."""
    _touched(venue, event, at)
    if plain(event.person) not in venue.people:
        raise venue.wrong(
            "an alert was given to {person}, who is not on the staff", person=event.person
        )
    if venue.touched[event.alert] == event.person:
        raise venue.wrong(
            "the alert {alert} was given to {person} twice", alert=event.alert, person=event.person
        )
    venue.touched[event.alert] = event.person


def _touched(venue: AuditedVenue, event: AlertAcknowledged | AlertAssigned, at: Instant) -> None:
    """Put an alert last; the one that was not touched for longest is forgotten."""
    if event.at != at:
        raise venue.wrong("the alert {alert} was seen to at another time", alert=event.alert)
    if not event.by.strip() or not event.alert.strip():
        raise venue.wrong("nobody saw to an alert, or somebody to none")
    venue.touched[event.alert] = venue.touched.pop(event.alert, "")
    if len(venue.touched) > _ALERTS:
        oldest = next(iter(venue.touched))
        del venue.touched[oldest]
        venue.seen.discard(oldest)


@audits
def _sealing_key_replaced(venue: AuditedVenue, event: SealingKeyReplaced, _: Instant) -> None:
    """A sealing key is replaced by two persons, who are named."""
    if one_alone(event.by, event.second) or not event.mark:
        raise venue.wrong("{by} alone replaced the sealing key", by=event.by)


@audits
def _code_made(venue: AuditedVenue, event: CodeMade, _: Instant) -> None:
    """Two named persons have half of a code each; a person in the house made none alone."""
    if one_alone(event.by, event.second):
        raise venue.wrong(
            "{by} alone had a code made for {person}", by=event.by, person=event.person
        )
    if plain(event.person) not in venue.people:
        raise venue.wrong(
            "a code was made for {person}, who is not on the staff", person=event.person
        )
    if venue.second.granted is not None:
        command = venue.second.take(MakeCode, "a code was made for {person}", person=event.person)
        asked, agreed = venue.second.persons()
        _by_others(venue, event.person, (event.by, event.second))
        if (event.by, event.second) != (asked.person, agreed.person):
            raise venue.wrong(
                "the code of {person} is laid to others than agreed", person=event.person
            )
        if plain(command.person) != plain(event.person) or asked.role not in _ASK:
            raise venue.wrong("a {role} had another code made than was agreed to", role=asked.role)
    venue.coded.add(plain(event.person))
    venue.second.lapse()


@audits
def _credentials_set(venue: AuditedVenue, event: CredentialsSet, _: Instant) -> None:
    if plain(event.person) not in venue.coded:
        raise venue.wrong("{person} set a password without a code", person=event.person)
    venue.coded.discard(plain(event.person))


@audits
def _logged_in(venue: AuditedVenue, event: LoggedIn, _: Instant) -> None:
    if event.role not in venue.people.get(plain(event.person), ()):
        raise venue.wrong(
            "{person} logged in as {role} without having that role",
            person=event.person,
            role=event.role,
        )
    if plain(event.person) in venue.suspended:
        raise venue.wrong("{person} logged in while suspended", person=event.person)
    venue.entered = True


@audits
def _locked_out(venue: AuditedVenue, event: LockedOut, _: Instant) -> None:
    if plain(event.person) not in venue.people:
        raise venue.wrong("{person} was locked out and is not on the staff", person=event.person)


@routine
@audits
def _declined(venue: AuditedVenue, event: CommandDeclined, _: Instant) -> None:
    venue.second.decline(event)


@audits
def _logged_out(_: AuditedVenue, __: LoggedOut, ___: Instant) -> None:
    """Anybody may log out."""

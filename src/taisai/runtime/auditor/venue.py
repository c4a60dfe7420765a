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
from taisai.runtime.auditor.books import AuditError
from taisai.runtime.auditor.registry import audits, routine

#: Who may ask for a change of the staff, and who may agree to it.
_ASK = ("technician", "shift-manager")
_AGREE = (*_ASK, "pit-manager")
_KEYS = "technician"
_MANAGERS = ("pit-manager", "shift-manager")
_PIT = ("supervisor", *_MANAGERS)
_ROLES = {"dealer", "supervisor", "pit-manager", "shift-manager", "cage", "technician", "auditor"}
_LAST = "shift-manager"
_IN_NAMES = " '’-.,·・"
#: Alphabets whose letters pass for those of others.
_ALONE = {"GREEK", "CYRILLIC", "ARMENIAN"}
#: The map of a floor goes so far.
_MAP = 40
#: So many alerts a venue remembers.
_ALERTS = 500
_PROGRAMS = {"host", "system", "automatic-dealer", "door", "carrier"}


class AuditedVenue(Struct):
    """The venue under audit: its people, and the terminals that have had a key."""

    second: SecondPerson
    currency: str | None = None
    #: Who operates a real house.
    operator: str = ""
    admitted: set[str] = set()
    #: Where tables were put on the map of the floor.
    places: dict[str, tuple[int, int]] = {}
    #: By name as a person would compare it: the roles.
    people: dict[str, frozenset[str]] = {}
    #: Those of them who are kept out.
    suspended: set[str] = set()
    keyed: set[tuple[str, str]] = set()
    #: Those that were withdrawn, and have no key that is good.
    withdrawn: set[tuple[str, str]] = set()
    #: Whether somebody has logged in, and who founded the house before that.
    entered: bool = False
    founders: set[str] = set()
    #: As of when the journal was taken over last.
    epoch: int = 0
    #: Who has a code that is not used yet.
    coded: set[str] = set()
    #: Alerts that were acknowledged; and of those touched last, in whose hands each is.
    seen: set[str] = set()
    touched: dict[str, str] = {}

    def check_opened(self, event: Event) -> None:
        """Check that nothing comes before the venue is opened."""
        if self.currency is None and not isinstance(event, VenueOpened):
            raise self.wrong(f"{type(event).__name__} before it was opened")

    def wrong(self, sentence: str) -> AuditError:
        """Say what is wrong with the venue."""
        return AuditError(f"venue: {sentence}")


@audits
def _opened(venue: AuditedVenue, event: VenueOpened, _: Instant) -> None:
    if venue.currency is not None:
        raise venue.wrong("it was opened twice")
    venue.currency = event.currency
    venue.operator = "" if event.demo else event.operator


@audits
def _renamed(venue: AuditedVenue, event: VenueRenamed, _: Instant) -> None:
    """The house is called otherwise by two, as they agreed."""
    command = venue.second.take(RenameVenue, "the house was renamed")
    asked, agreed = venue.second.persons()
    if (event.by, event.second) != (asked.person, agreed.person):
        raise venue.wrong("its new name is laid to others than those who agreed")
    if asked.role not in _MANAGERS or agreed.role not in _PIT:
        raise venue.wrong(f"a {asked.role} and a {agreed.role} renamed it")
    if event.name != command.name.strip() or not event.name:
        raise venue.wrong("its new name is not the one agreed to")
    venue.second.lapse()


@audits
def _dealer_changed(venue: AuditedVenue, event: DealerChanged, _: Instant) -> None:
    """Somebody hands over a table that is here."""
    if event.stream not in venue.admitted or not event.by.strip():
        raise venue.wrong(f"{event.by} handed over {event.stream}, which is not here")


@audits
def _placed(venue: AuditedVenue, event: TablePlaced, _: Instant) -> None:
    """Somebody puts a table that is here where no other was put."""
    if event.stream not in venue.admitted or not event.by.strip():
        raise venue.wrong(f"{event.by} placed {event.stream}, which is not here")
    if event.place is None:
        if venue.places.pop(event.stream, None) is None:
            raise venue.wrong(f"{event.stream} was taken from a place that it had not")
        return
    if event.place in venue.places.values() or not {*event.place} <= {*range(1, _MAP + 1)}:
        raise venue.wrong(f"{event.stream} was placed where it cannot be")
    venue.places[event.stream] = event.place


@audits
def _admitted(venue: AuditedVenue, event: TableAdmitted, _: Instant) -> None:
    if event.stream in venue.admitted:
        raise venue.wrong(f"{event.stream} was admitted twice")
    venue.admitted.add(event.stream)


@audits
def _node_drained(venue: AuditedVenue, event: NodeDrained, _: Instant) -> None:
    """A node is drained by two, as they agreed."""
    command = venue.second.take(DrainNode, "a node was drained")
    if event.node != command.node:
        raise venue.wrong("another node was drained than was agreed to")
    _agreed_by_two(venue, event, "drained a node")


@audits
def _stream_moved(venue: AuditedVenue, event: StreamMoved, _: Instant) -> None:
    """A stream is moved by two, as they agreed."""
    command = venue.second.take(MoveStream, "a stream was moved")
    if (event.stream, event.node) != (command.stream, command.node):
        raise venue.wrong("a stream was moved otherwise than was agreed to")
    _agreed_by_two(venue, event, "moved a stream")


def _agreed_by_two(venue: AuditedVenue, event: NodeDrained | StreamMoved, did: str) -> None:
    asked, agreed = venue.second.persons()
    if (event.by, event.second) != (asked.person, agreed.person):
        raise venue.wrong("it is laid to others than those who agreed")
    if asked.role not in _MANAGERS or agreed.role not in _PIT:
        raise venue.wrong(f"a {asked.role} and a {agreed.role} {did}")
    venue.second.lapse()


@audits
def _clock_accepted(venue: AuditedVenue, event: ClockAccepted, _: Instant) -> None:
    """A jump of the clock is accepted by two, as far as they saw it."""
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
        raise venue.wrong(f"a {asked.role} and a {agreed.role} accepted the clock")
    venue.second.lapse()


@audits
def _restored(venue: AuditedVenue, event: VenueRestored, _: Instant) -> None:
    if one_alone(event.by, event.second):
        raise venue.wrong(f"{event.by} alone restored it")
    # It may be in another database now, which counts anew.
    venue.epoch = 0


@audits
def _taken_over(venue: AuditedVenue, event: VenueTakenOver, _: Instant) -> None:
    """A journal passes from one venue to the next, by two, and never back to an earlier epoch."""
    if one_alone(event.by, event.second):
        raise venue.wrong(f"{event.by} alone took it over")
    if event.epoch <= venue.epoch:
        raise venue.wrong(f"it was taken over as of epoch {event.epoch}, after {venue.epoch}")
    venue.epoch = event.epoch


@audits
def _appointed(venue: AuditedVenue, event: StaffAppointed, _: Instant) -> None:
    """A person is appointed once: by two who are named, or by two who asked and agreed."""
    _two_named(venue, event)
    _founds(venue, event)
    if venue.second.granted is not None:
        command = venue.second.take(AppointStaff, f"{event.person} was appointed")
        _as_agreed(venue, event, command)
    if plain(event.person) in venue.people:
        raise venue.wrong(f"{event.person} was appointed twice")
    _named_plainly(venue, event.person)
    _given(venue, event)


def _founds(venue: AuditedVenue, event: StaffAppointed) -> None:
    """Only who comes first founds a house: before anybody else is there, or has logged in."""
    if not event.founds:
        return
    if venue.entered or set(venue.people) - venue.founders or venue.second.granted is not None:
        raise venue.wrong(f"{event.person} founded a house that has people already")
    venue.founders.add(plain(event.person))


def _named_plainly(venue: AuditedVenue, person: str) -> None:
    """A name has letters that are seen, of scripts written together, and is no program's [D34]."""
    kinds = {category(each)[0] for each in person if each not in _IN_NAMES}
    scripts = {name(each).split()[0] for each in person if category(each)[0] == "L"}
    alone = scripts & _ALONE
    if not kinds <= set("LMN") or (alone and len(scripts) > 1) or plain(person) in _PROGRAMS:
        raise venue.wrong(f"{person!r} was appointed, which is no name of a person")


@audits
def _changed(venue: AuditedVenue, event: RolesChanged, _: Instant) -> None:
    """Roles are changed by two others, and somebody is left who answers for the venue."""
    _two_named(venue, event)
    command = venue.second.take(ChangeRoles, f"the roles of {event.person} were changed")
    _as_agreed(venue, event, command)
    _by_others(venue, event.person, (event.by, event.second))
    answered = _answered(venue)
    _given(venue, event)
    _still_answered(venue, event.person, answered)


@audits
def _suspended(venue: AuditedVenue, event: StaffSuspended, _: Instant) -> None:
    """One other person keeps somebody out, and somebody is left who answers for the venue."""
    _by_others(venue, event.person, (event.by,))
    if plain(event.person) in venue.suspended:
        raise venue.wrong(f"{event.person} was suspended twice")
    answered = _answered(venue)
    venue.suspended.add(plain(event.person))
    _still_answered(venue, event.person, answered)
    venue.second.lapse()


@audits
def _reinstated(venue: AuditedVenue, event: StaffReinstated, _: Instant) -> None:
    """Two others let in again whom one kept out."""
    _two_named(venue, event)
    command = venue.second.take(ReinstateStaff, f"{event.person} was reinstated")
    _by_those_who_agreed(venue, event, command)
    _by_others(venue, event.person, (event.by, event.second))
    if plain(event.person) not in venue.suspended:
        raise venue.wrong(f"{event.person} was reinstated and not suspended")
    venue.suspended.discard(plain(event.person))
    venue.second.lapse()


@audits
def _dismissed(venue: AuditedVenue, event: StaffDismissed, _: Instant) -> None:
    """Two others dismiss somebody, and somebody is left who answers for the venue."""
    _two_named(venue, event)
    command = venue.second.take(DismissStaff, f"{event.person} was dismissed")
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
        raise venue.wrong(f"{event.by} alone decided about {event.person}")


def _as_agreed(
    venue: AuditedVenue,
    event: StaffAppointed | RolesChanged,
    command: AppointStaff | ChangeRoles,
) -> None:
    """Check that what was done is what one person asked for and another agreed to."""
    _by_those_who_agreed(venue, event, command)
    if command.roles != event.roles:
        raise venue.wrong(f"{event.person}'s roles are not those agreed to")


def _by_those_who_agreed(
    venue: AuditedVenue,
    event: _ByTwo,
    command: AppointStaff | ChangeRoles | ReinstateStaff | DismissStaff,
) -> None:
    """Check who decided about whom: the two who may, and who said so."""
    asked, agreed = venue.second.persons()
    if (event.by, event.second) != (asked.person, agreed.person):
        raise venue.wrong(f"what {event.person} is is laid to others than those who agreed")
    if asked.role not in _ASK or agreed.role not in _AGREE:
        raise venue.wrong(f"a {asked.role} and a {agreed.role} decided about {event.person}")
    if plain(command.person) != plain(event.person):
        raise venue.wrong(f"{event.person} is not the one agreed on")


def _by_others(venue: AuditedVenue, person: str, acting: Sequence[str]) -> None:
    if plain(person) not in venue.people:
        raise venue.wrong(f"{person} is not on the staff")
    if plain(person) in map(plain, acting):
        raise venue.wrong(f"{person} decided about their own roles")


def _given(venue: AuditedVenue, event: StaffAppointed | RolesChanged) -> None:
    if not event.roles or set(event.roles) - _ROLES or len(set(event.roles)) != len(event.roles):
        raise venue.wrong(f"{event.person} cannot be {' and '.join(event.roles) or 'nothing'}")
    venue.people[plain(event.person)] = frozenset(event.roles)
    venue.second.lapse()


def _answered(venue: AuditedVenue) -> bool:
    here = [roles for each, roles in venue.people.items() if each not in venue.suspended]
    return any(_LAST in roles for roles in here)


def _still_answered(venue: AuditedVenue, person: str, before: bool) -> None:
    if before and not _answered(venue):
        raise venue.wrong(f"{person} was the last {_LAST}")


@audits
def _key_issued(venue: AuditedVenue, event: TerminalKeyIssued, _: Instant) -> None:
    """A terminal's first key takes one person, since two enrolled it; each further one two."""
    where = (event.table, event.terminal)
    if where in venue.keyed or venue.second.granted is not None:
        command = venue.second.take(IssueTerminalKey, f"terminal {event.terminal} was given a key")
        asked, _agreed = venue.second.persons()
        if (command.table, command.terminal, asked.person) != (*where, event.by):
            raise venue.wrong(f"the key of terminal {event.terminal} is not the one agreed to")
        if asked.role != _KEYS:
            raise venue.wrong(f"a {asked.role} issued a key")
    venue.keyed.add(where)
    venue.withdrawn.discard(where)


@audits
def _withdrawn(venue: AuditedVenue, event: TerminalWithdrawn, _: Instant) -> None:
    """A terminal is withdrawn once for each key that it was given."""
    where = (event.table, event.terminal)
    if where not in venue.keyed or where in venue.withdrawn or not event.by.strip():
        raise venue.wrong(f"terminal {event.terminal} was withdrawn, and had no key")
    venue.withdrawn.add(where)
    venue.second.lapse()


@audits
def _connected_twice(venue: AuditedVenue, event: TerminalConnectedTwice, at: Instant) -> None:
    """Only a key that was issued can be in two hands."""
    if (event.table, event.terminal) not in venue.keyed:
        raise venue.wrong(f"terminal {event.terminal} was connected twice, and never had a key")
    if event.at != at:
        raise venue.wrong(f"terminal {event.terminal} was connected twice at another time")


@routine
@audits
def _alert_seen(venue: AuditedVenue, event: AlertAcknowledged, at: Instant) -> None:
    """An alert is acknowledged once, as far back as the venue remembers it."""
    _touched(venue, event, at)
    if event.alert in venue.seen:
        raise venue.wrong(f"the alert {event.alert} was acknowledged twice")
    venue.seen.add(event.alert)


@routine
@audits
def _alert_handed(venue: AuditedVenue, event: AlertAssigned, at: Instant) -> None:
    """An alert goes to somebody on the staff who has not got it."""
    _touched(venue, event, at)
    if plain(event.person) not in venue.people:
        raise venue.wrong(f"an alert was given to {event.person}, who is not on the staff")
    if venue.touched[event.alert] == event.person:
        raise venue.wrong(f"the alert {event.alert} was given to {event.person} twice")
    venue.touched[event.alert] = event.person


def _touched(venue: AuditedVenue, event: AlertAcknowledged | AlertAssigned, at: Instant) -> None:
    """Put an alert last; the one that nobody touched longest is forgotten."""
    if event.at != at:
        raise venue.wrong(f"the alert {event.alert} was seen to at another time")
    if not event.by.strip() or not event.alert.strip():
        raise venue.wrong("nobody saw to an alert, or somebody to none")
    venue.touched[event.alert] = venue.touched.pop(event.alert, "")
    if len(venue.touched) > _ALERTS:
        oldest = next(iter(venue.touched))
        del venue.touched[oldest]
        venue.seen.discard(oldest)


@audits
def _sealing_key_replaced(venue: AuditedVenue, event: SealingKeyReplaced, _: Instant) -> None:
    """Two persons are named who put a key in its place."""
    if one_alone(event.by, event.second) or not event.mark:
        raise venue.wrong(f"{event.by} alone replaced the sealing key")


@audits
def _code_made(venue: AuditedVenue, event: CodeMade, _: Instant) -> None:
    """Two who are named have half of a code each, and who asked in the house made none alone."""
    if one_alone(event.by, event.second):
        raise venue.wrong(f"{event.by} alone had a code made for {event.person}")
    if plain(event.person) not in venue.people:
        raise venue.wrong(f"a code was made for {event.person}, who is not on the staff")
    if venue.second.granted is not None:
        command = venue.second.take(MakeCode, f"a code was made for {event.person}")
        asked, agreed = venue.second.persons()
        _by_others(venue, event.person, (event.by, event.second))
        if (event.by, event.second) != (asked.person, agreed.person):
            raise venue.wrong(f"the code of {event.person} is laid to others than agreed")
        if plain(command.person) != plain(event.person) or asked.role not in _ASK:
            raise venue.wrong(f"a {asked.role} had another code made than was agreed to")
    venue.coded.add(plain(event.person))
    venue.second.lapse()


@audits
def _credentials_set(venue: AuditedVenue, event: CredentialsSet, _: Instant) -> None:
    if plain(event.person) not in venue.coded:
        raise venue.wrong(f"{event.person} set a password without a code")
    venue.coded.discard(plain(event.person))


@audits
def _logged_in(venue: AuditedVenue, event: LoggedIn, _: Instant) -> None:
    if event.role not in venue.people.get(plain(event.person), ()):
        raise venue.wrong(f"{event.person} logged in as {event.role} without having that role")
    if plain(event.person) in venue.suspended:
        raise venue.wrong(f"{event.person} logged in while suspended")
    venue.entered = True


@audits
def _locked_out(venue: AuditedVenue, event: LockedOut, _: Instant) -> None:
    if plain(event.person) not in venue.people:
        raise venue.wrong(f"{event.person} was locked out and is not on the staff")


@routine
@audits
def _declined(venue: AuditedVenue, event: CommandDeclined, _: Instant) -> None:
    venue.second.decline(event)


@audits
def _logged_out(_: AuditedVenue, __: LoggedOut, ___: Instant) -> None:
    """Anybody may log out."""

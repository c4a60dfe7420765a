"""Auditing the house itself: opened once, its people by two persons, its terminals' keys [D14]."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from taisai.core.kernel.approvals import ApprovalRequested, CommandApproved, CommandDeclined
from taisai.core.kernel.messages import Event, Instant
from taisai.core.venue.setup import TableAdmitted, VenueOpened, VenueRestored
from taisai.core.venue.staff import (
    AppointStaff,
    ChangeRoles,
    LockedOut,
    LoggedIn,
    LoggedOut,
    RolesChanged,
    StaffAppointed,
    StaffDismissed,
)
from taisai.core.venue.terminal_keys import IssueTerminalKey, TerminalKeyIssued
from taisai.runtime.auditor.approvals import SecondPerson, one_alone, plain
from taisai.runtime.auditor.finding import AuditError

#: Who may ask for a change of the staff, and who may agree to it.
_ASK = ("technician", "shift-manager")
_AGREE = (*_ASK, "pit-manager")
_KEYS = "technician"
_ROLES = {"dealer", "supervisor", "pit-manager", "shift-manager", "cage", "technician", "auditor"}
_LAST = "shift-manager"


class Establishment(Struct):
    """The house under audit: its people, and the terminals that have had a key."""

    second: SecondPerson
    currency: str | None = None
    admitted: set[str] = set()
    #: By name as a person would compare it: the roles.
    people: dict[str, frozenset[str]] = {}
    keyed: set[tuple[str, str]] = set()

    def observe(self, events: Sequence[Event], at: Instant) -> None:
        """Check what one decision in the house came to."""
        for event in events:
            if self.currency is None and not isinstance(event, VenueOpened):
                raise self.wrong(f"{type(event).__name__} before it was opened")
            _CHECKS[type(event)](self, event, at)
        self.second.end_decision()

    def wrong(self, sentence: str) -> AuditError:
        """Say what is wrong with the house."""
        return AuditError(f"house: {sentence}")


def _opened(house: Establishment, event: VenueOpened, _: Instant) -> None:
    if house.currency is not None:
        raise house.wrong("it was opened twice")
    house.currency = event.currency


def _admitted(house: Establishment, event: TableAdmitted, _: Instant) -> None:
    if event.stream in house.admitted:
        raise house.wrong(f"{event.stream} was admitted twice")
    house.admitted.add(event.stream)


def _restored(house: Establishment, event: VenueRestored, _: Instant) -> None:
    if one_alone(event.by, event.second):
        raise house.wrong(f"{event.by} alone restored it")


def _appointed(house: Establishment, event: StaffAppointed, _: Instant) -> None:
    """A person is appointed once: by two who are named, or by two who asked and agreed."""
    _two_named(house, event)
    if house.second.granted is not None:
        command = house.second.take(AppointStaff, f"{event.person} was appointed")
        _as_agreed(house, event, command)
    if plain(event.person) in house.people:
        raise house.wrong(f"{event.person} was appointed twice")
    _given(house, event)


def _changed(house: Establishment, event: RolesChanged, _: Instant) -> None:
    """Roles are changed by two others, and somebody is left who answers for the house."""
    _two_named(house, event)
    command = house.second.take(ChangeRoles, f"the roles of {event.person} were changed")
    _as_agreed(house, event, command)
    _by_others(house, event.person, (event.by, event.second))
    answered = _answered(house)
    _given(house, event)
    if answered and not _answered(house):
        raise house.wrong(f"{event.person} was the last {_LAST}")


def _dismissed(house: Establishment, event: StaffDismissed, _: Instant) -> None:
    _by_others(house, event.person, (event.by,))
    answered = _answered(house)
    del house.people[plain(event.person)]
    if answered and not _answered(house):
        raise house.wrong(f"{event.person} was the last {_LAST}")
    house.second.lapse()


def _two_named(house: Establishment, event: StaffAppointed | RolesChanged) -> None:
    if one_alone(event.by, event.second):
        raise house.wrong(f"{event.by} alone decided about {event.person}")


def _as_agreed(
    house: Establishment,
    event: StaffAppointed | RolesChanged,
    command: AppointStaff | ChangeRoles,
) -> None:
    """Check that what was done is what one person asked for and another agreed to."""
    asked, agreed = house.second.persons()
    if (event.by, event.second) != (asked.person, agreed.person):
        raise house.wrong(f"{event.person}'s roles are laid to others than those who agreed")
    if asked.role not in _ASK or agreed.role not in _AGREE:
        raise house.wrong(f"a {asked.role} and a {agreed.role} decided about {event.person}")
    if (plain(command.person), command.roles) != (plain(event.person), event.roles):
        raise house.wrong(f"{event.person}'s roles are not those agreed to")


def _by_others(house: Establishment, person: str, acting: Sequence[str]) -> None:
    if plain(person) not in house.people:
        raise house.wrong(f"{person} is not on the staff")
    if plain(person) in map(plain, acting):
        raise house.wrong(f"{person} decided about their own roles")


def _given(house: Establishment, event: StaffAppointed | RolesChanged) -> None:
    if not event.roles or set(event.roles) - _ROLES or len(set(event.roles)) != len(event.roles):
        raise house.wrong(f"{event.person} cannot be {' and '.join(event.roles) or 'nothing'}")
    house.people[plain(event.person)] = frozenset(event.roles)
    house.second.lapse()


def _answered(house: Establishment) -> bool:
    return any(_LAST in roles for roles in house.people.values())


def _key_issued(house: Establishment, event: TerminalKeyIssued, _: Instant) -> None:
    """A terminal's first key takes one person, since two enrolled it; each further one two."""
    where = (event.table, event.terminal)
    if where in house.keyed or house.second.granted is not None:
        command = house.second.take(IssueTerminalKey, f"terminal {event.terminal} was given a key")
        asked, _agreed = house.second.persons()
        if (command.table, command.terminal, asked.person) != (*where, event.by):
            raise house.wrong(f"the key of terminal {event.terminal} is not the one agreed to")
        if asked.role != _KEYS:
            raise house.wrong(f"a {asked.role} issued a key")
    house.keyed.add(where)


def _logged_in(house: Establishment, event: LoggedIn, _: Instant) -> None:
    if event.role not in house.people.get(plain(event.person), ()):
        raise house.wrong(f"{event.person} logged in as {event.role} without having that role")


def _locked_out(house: Establishment, event: LockedOut, _: Instant) -> None:
    if plain(event.person) not in house.people:
        raise house.wrong(f"{event.person} was locked out and is not on the staff")


def _declined(house: Establishment, event: CommandDeclined, _: Instant) -> None:
    house.second.decline(event)


_CHECKS: dict[type[Event], Callable[[Establishment, Any, Instant], None]] = {
    VenueOpened: _opened,
    TableAdmitted: _admitted,
    VenueRestored: _restored,
    StaffAppointed: _appointed,
    RolesChanged: _changed,
    StaffDismissed: _dismissed,
    TerminalKeyIssued: _key_issued,
    LoggedIn: _logged_in,
    LoggedOut: lambda _, __, ___: None,
    LockedOut: _locked_out,
    ApprovalRequested: lambda house, event, at: house.second.ask(event, at),
    CommandApproved: lambda house, event, at: house.second.agree(event, at),
    CommandDeclined: _declined,
}

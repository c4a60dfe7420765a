"""What can have happened in the house itself: its opening, its tables, its people and their keys.

No password, PIN, key or code is in any of these: they say that there is one, and who gave it.
"""

from taisai.core.messages import Event, Role


class HouseOpened(Event, frozen=True):
    """The first event of a house: its currency is pinned for good, and whether it is a demo."""

    name: str
    currency: str
    demo: bool = False


class TableAdmitted(Event, frozen=True):
    stream: str


class HouseRestored(Event, frozen=True):
    """From here on the house goes on from a backup; what came after that was made is not here."""

    by: str
    second: str
    checkpoint: int


class StaffAppointed(Event, frozen=True):
    """A person is on the staff, in the roles that two others say."""

    person: str
    roles: tuple[str, ...]
    by: str
    second: str


class RolesChanged(Event, frozen=True):
    person: str
    roles: tuple[str, ...]
    by: str
    second: str


class StaffDismissed(Event, frozen=True):
    person: str
    by: str


class TerminalKeyIssued(Event, frozen=True):
    """A terminal has a key of its own; one that it had before is good for nothing."""

    table: str
    terminal: str
    by: str


class LoggedIn(Event, frozen=True):
    person: str
    role: Role
    place: str


class LoggedOut(Event, frozen=True):
    person: str


class LockedOut(Event, frozen=True):
    """Too many wrong passwords or PINs: nobody gets in under this name for a time."""

    person: str
    place: str

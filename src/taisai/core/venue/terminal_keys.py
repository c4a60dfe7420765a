"""Keys of Player Terminals: who issued them, and when two places used one key at once [D38].

The key itself is never here.
"""

from typing import Protocol

from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant
from taisai.core.kernel.name_profile import NAME_MAX, is_name
from taisai.core.kernel.registry import VENUE, applies, command, decides, event, waits
from taisai.core.kernel.roles import PIT
from taisai.core.rules.reason import refuse
from taisai.core.venue.state import VenueState

KEYED_MAX = 200_000


@command(at=VENUE, by=("technician",), second=("technician", *PIT), wire=False)
class IssueTerminalKey(Command, frozen=True):
    """Give a terminal a key; the key itself is never here."""

    table: str
    terminal: str


@event(at=VENUE, routine=True, posts=False)
class TerminalKeyIssued(Event, frozen=True):
    """A terminal has a key of its own; one that it had before is good for nothing."""

    table: str
    terminal: str
    by: str


class _OfTerminal(Protocol):
    """A command about one terminal of one table."""

    @property
    def table(self) -> str: ...

    @property
    def terminal(self) -> str: ...


def _keyed_as(key: _OfTerminal) -> str:
    return f"{key.table}/{key.terminal}"


@waits
def _replaces(state: VenueState, command: IssueTerminalKey) -> bool:
    """A further key takes two persons; for the first, two persons enrolled the terminal."""
    return _keyed_as(command) in state.keyed


@decides
def issue_terminal_key(
    state: VenueState, command: IssueTerminalKey, actor: Actor, _at: Instant
) -> Decision:
    """Issue a key to a terminal, in place of the one it had."""
    if not (is_name(command.table) and is_name(command.terminal)):
        return refuse("NAME_MISSING")
    if len(state.keyed) >= KEYED_MAX and _keyed_as(command) not in state.keyed:
        return refuse("NO_MORE_ROOM", most=KEYED_MAX)
    return (TerminalKeyIssued(command.table, command.terminal, actor.person),)


@applies
def terminal_key_issued(state: VenueState, event: TerminalKeyIssued) -> None:
    state.keyed[_keyed_as(event)] = state.version
    state.doubled.pop(_keyed_as(event), None)
    state.withdrawn.discard(_keyed_as(event))


@command(at=VENUE, by=("technician", *PIT), wire=False)
class WithdrawTerminal(Command, frozen=True):
    """Take a terminal away from its table: its key is good for nothing from now on."""

    table: str
    terminal: str


@event(at=VENUE, posts=False)
class TerminalWithdrawn(Event, frozen=True):
    """A terminal is withdrawn until two persons give it another key; its money is at the table."""

    table: str
    terminal: str
    by: str


@decides
def withdraw_terminal(
    state: VenueState, command: WithdrawTerminal, actor: Actor, _at: Instant
) -> Decision:
    """Withdraw a terminal that has a key: one person is enough, as to suspend [D14]."""
    known = _keyed_as(command)
    if known not in state.keyed:
        return refuse("UNKNOWN_TERMINAL", terminal=command.terminal[:NAME_MAX])
    if known in state.withdrawn:
        return refuse("ALREADY_SO", terminal=command.terminal)
    return (TerminalWithdrawn(command.table, command.terminal, actor.person),)


@applies
def terminal_withdrawn(state: VenueState, event: TerminalWithdrawn) -> None:
    # No key has the version that withdraws it.
    state.keyed[_keyed_as(event)] = state.version
    state.doubled.pop(_keyed_as(event), None)
    state.withdrawn.add(_keyed_as(event))


@command(at=VENUE, by=("system",))
class RecordSecondConnection(Command, frozen=True):
    """Say that a terminal came with its key from a second place while it was at the first."""

    table: str
    terminal: str
    place: str
    before: str


@event(at=VENUE, routine=True, posts=False)
class TerminalConnectedTwice(Event, frozen=True):
    """Two had the key of one terminal at once; the second has its seat, until it gets a new key."""

    table: str
    terminal: str
    place: str
    before: str
    at: Instant


@decides
def record_second_connection(
    state: VenueState, command: RecordSecondConnection, _actor: Actor, at: Instant
) -> Decision:
    """Record that the key of a terminal was used in two places at once [D38]."""
    if _keyed_as(command) not in state.keyed:
        return refuse("UNKNOWN_TERMINAL", terminal=command.terminal[:NAME_MAX])
    places = (command.place, command.before)
    if any(not place.strip() or len(place) > NAME_MAX for place in places):
        return refuse("NAME_MISSING")
    return (TerminalConnectedTwice(command.table, command.terminal, *places, at),)


@applies
def terminal_connected_twice(state: VenueState, event: TerminalConnectedTwice) -> None:
    state.doubled[_keyed_as(event)] = event.at

"""Keys of Player Terminals: that one was issued, and by whom; the key itself is never here."""

from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant
from taisai.core.kernel.names import is_name
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


def _keyed_as(key: IssueTerminalKey | TerminalKeyIssued) -> str:
    return f"{key.table}/{key.terminal}"


@waits
def _replaces(state: VenueState, command: IssueTerminalKey) -> bool:
    """A terminal's further keys take two persons; two persons enrolled it before its first."""
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

"""What staff do when a terminal or its player cannot go on: out of service, sessions ended.

A failed terminal does not stop the round [D9]. Its registered bets are settled, and its credits
stay the player's; staff cash them out, or end the session and set them aside for its code [D21].
"""

from collections.abc import Iterator

from taisai.core.kernel.ledger import credits_of, unclaimed_by
from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant, Posting
from taisai.core.kernel.registry import TERMINALS, applies, command, decides, event, posts
from taisai.core.kernel.roles import PIT, PIT_AND_CAGE
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.positions import (
    assert_books,
    end_if_lost,
    locked_win,
    meters_with,
    newest_session,
    session_over,
    shown_session,
    unknown_refusal,
    unlock,
)
from taisai.core.table.state import TableState, clause_for


@command(at=TERMINALS, by=PIT)
class MarkTerminalFailed(Command, frozen=True):
    """Take a terminal that does not work out of service."""

    terminal: str
    note: str


@event(at=TERMINALS, routine=True, posts=False)
class TerminalFailed(Event, frozen=True):
    """A terminal is out of service: what is registered for it stays and settles."""

    terminal: str
    by: str
    note: str
    clause: str | None = None


@decides
def mark_terminal_failed(
    state: TableState, command: MarkTerminalFailed, actor: Actor, _at: Instant
) -> Decision:
    """Take a terminal out of service; the round goes on, its registered bets settle [etg8 5.2].

    [etg8 5.2.1]
    """
    refusal = _noted_refusal(state, command)
    if refusal is not None:
        return refusal
    if state.positions[command.terminal].failed:
        return refuse("ALREADY_SO", terminal=command.terminal)
    clause = clause_for(state, "terminal-lost-registered")
    return (TerminalFailed(command.terminal, actor.person, command.note, clause),)


def _noted_refusal(
    state: TableState, command: "MarkTerminalFailed | ReturnTerminal | EndSession"
) -> Refusal | None:
    """Refuse a terminal that does not exist, and a command without a reason."""
    refusal = unknown_refusal(state, command.terminal)
    if refusal is None and not command.note.strip():
        return refuse("NOTE_MISSING")
    return refusal


@applies
def terminal_failed(state: TableState, event: TerminalFailed) -> None:
    state.positions[event.terminal].failed = True


@command(at=TERMINALS, by=PIT)
class ReturnTerminal(Command, frozen=True):
    """Let a terminal that works again take bets and credits."""

    terminal: str
    note: str


@event(at=TERMINALS, routine=True, posts=False)
class TerminalReturned(Event, frozen=True):
    """A terminal is in service again."""

    terminal: str
    by: str
    note: str


@decides
def return_terminal(
    state: TableState, command: ReturnTerminal, actor: Actor, _at: Instant
) -> Decision:
    """Put a terminal back into service [etg8 5.2]."""
    refusal = _noted_refusal(state, command)
    if refusal is not None:
        return refusal
    if not state.positions[command.terminal].failed:
        return refuse("ALREADY_SO", terminal=command.terminal)
    return (TerminalReturned(command.terminal, actor.person, command.note),)


@applies
def terminal_returned(state: TableState, event: TerminalReturned) -> None:
    state.positions[event.terminal].failed = False


@command(at=TERMINALS, by=PIT, wire=False)
class EndSession(Command, frozen=True):
    """End a player's session; its credits are set aside for whoever has its code."""

    terminal: str
    note: str


@event(at=TERMINALS, routine=True)
class SessionEndedByStaff(Event, frozen=True):
    """Staff ended a session: its credits are set aside for it, and its own limits are over."""

    terminal: str
    session: str
    amount: int
    by: str
    note: str
    at: Instant


@decides
def end_session(state: TableState, command: EndSession, actor: Actor, at: Instant) -> Decision:
    """Let staff end a session; the cage pays its credits against its code [D21].

    Its registered bets are settled first [etg8 5.2.1].
    """
    refusal = _noted_refusal(state, command)
    if refusal is not None:
        return refusal
    terminal = command.terminal
    position = state.positions[terminal]
    found = shown_session(state, terminal, at)
    if found is None:
        return refuse("NO_SESSION", terminal=terminal)
    if position.bets:
        clause = clause_for(state, "terminal-lost-registered")
        return refuse("SESSION_HAS_BETS", clause, terminal=terminal)
    if position.locked:
        return refuse("TERMINAL_LOCKED", terminal=terminal)
    held = state.ledger.balance(credits_of(terminal))
    return (SessionEndedByStaff(terminal, found[1], held, actor.person, command.note, at),)


@applies
def session_ended_by_staff(state: TableState, event: SessionEndedByStaff) -> None:
    position = state.positions[event.terminal]
    position.session_ended = event.at
    session_over(position)
    for meter in meters_with(state, position):
        meter.out += event.amount
    assert_books(state, event.terminal, position)


@command(at=TERMINALS, by=PIT_AND_CAGE)
class SetWinAside(Command, frozen=True):
    """Take a win that locked a terminal off it, to be paid by hand at the cage."""

    terminal: str


@event(at=TERMINALS, routine=True)
class WinSetAside(Event, frozen=True):
    """A win that locked a terminal is set aside for its session; the lock is cleared."""

    terminal: str
    session: str
    amount: int
    by: str
    at: Instant


@decides
def set_win_aside(state: TableState, command: SetWinAside, actor: Actor, at: Instant) -> Decision:
    """Set a locked win aside for the session that won it; the cage pays it by its code [D42].

    Credits from before the win stay on the terminal. The part of the win that a correction has
    taken since is not paid.
    """
    refusal = unknown_refusal(state, command.terminal)
    if refusal is not None:
        return refusal
    terminal = command.terminal
    position = state.positions[terminal]
    if not position.locked:
        return refuse("TERMINAL_NOT_LOCKED", terminal=terminal)
    amount = locked_win(state, terminal)
    if amount == 0:
        return refuse("NO_WIN_LEFT", terminal=terminal)
    session = newest_session(position, terminal)
    return (WinSetAside(terminal, session, amount, actor.person, at),)


@applies
def win_set_aside(state: TableState, event: WinSetAside) -> None:
    position = state.positions[event.terminal]
    unlock(position)
    position.session_in -= event.amount
    for meter in meters_with(state, position):
        meter.out += event.amount
    end_if_lost(state, event.terminal, event.at)
    assert_books(state, event.terminal, position)


@posts
def _post_set_aside(event: SessionEndedByStaff | WinSetAside) -> Iterator[Posting]:
    yield Posting(credits_of(event.terminal), unclaimed_by(event.session), event.amount)

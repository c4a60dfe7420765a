"""What staff do where a terminal or its player cannot go on: out of service, sessions ended.

A failed terminal does not stop the round [D9]. What is registered for it settles, and its credits
stay the player's; staff cash them out, or end the session and set them aside for its code [D21].
"""

from collections.abc import Iterator

from taisai.core.kernel.ledger import credits_of, unclaimed_by
from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant, Posting
from taisai.core.kernel.registry import TERMINALS, applies, command, decides, event, posts
from taisai.core.kernel.roles import PIT
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.positions import (
    assert_books,
    meters_with,
    session_over,
    shown_session,
    unknown_refusal,
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
    """Refuse a terminal that is not there, and what nobody gives a reason for."""
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
    """Let staff end a session; the cage pays what it held against its code [D21].

    Its bets are settled first: they are registered [etg8 5.2.1].
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


@posts
def _post_session_ended(event: SessionEndedByStaff) -> Iterator[Posting]:
    yield Posting(credits_of(event.terminal), unclaimed_by(event.session), event.amount)

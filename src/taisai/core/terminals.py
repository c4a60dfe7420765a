"""Player Terminals: credits in and out, lines lost and restored, bars, locks and own limits."""

from taisai.core.commands import (
    BarTerminal,
    CashOut,
    ClearLock,
    CloseTransit,
    LiftBar,
    LoseTerminal,
    ReceiveCredits,
    RestoreTerminal,
    SetOwnLimits,
)
from taisai.core.decision import NAME_MAX, Decision, acts_for_itself, clause_for
from taisai.core.events import (
    BarLifted,
    CashedOut,
    CreditsReceived,
    LockCleared,
    OwnLimitsSet,
    SessionEnded,
    TerminalBarred,
    TerminalLost,
    TerminalRestored,
    TransitClosed,
)
from taisai.core.ledger import credits_of
from taisai.core.messages import Actor, Instant
from taisai.core.rules.money import is_amount
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table_state import TableState

#: Longer than a year is no session.
SESSION_SECONDS_MAX = 366 * 24 * 3600


def _unknown(state: TableState, terminal: str) -> Refusal | None:
    if terminal in state.terminals:
        return None
    return refuse("UNKNOWN_TERMINAL", terminal=terminal[:NAME_MAX])


def receive_credits(state: TableState, command: ReceiveCredits, at: Instant) -> Decision:
    """Let money arrive from the cage, once."""
    refusal = _unknown(state, command.terminal)
    if refusal is not None:
        return refusal
    if command.transit in state.transits_received:
        return refuse("TRANSIT_CLOSED", transit=command.transit)
    if not is_amount(command.amount) or command.amount == 0:
        return refuse("BAD_AMOUNT", amount=str(command.amount)[:40])
    return (CreditsReceived(command.transit, command.terminal, command.amount, at),)


def cash_out(state: TableState, command: CashOut, actor: Actor) -> Decision:
    """Send a terminal's free credits to the cage; live stakes stay on the table."""
    refusal = _unknown(state, command.terminal)
    if refusal is not None:
        return refusal
    if not acts_for_itself(actor, command.terminal):
        return refuse("NOT_YOUR_TERMINAL", terminal=command.terminal)
    if state.terminals[command.terminal].locked:
        return refuse("TERMINAL_LOCKED", terminal=command.terminal)
    held = state.ledger.balance(credits_of(command.terminal))
    seat = state.terminals[command.terminal]
    if held == 0 and seat.session_began is not None and not seat.bets:
        return (SessionEnded(command.terminal),)
    if held == 0:
        return refuse("NO_CREDITS", terminal=command.terminal)
    # The table's name and version make the transit unique in the house, on every replay alike.
    transit = f"{state.table}-{state.version + 1}"
    return (CashedOut(transit, command.terminal, held),)


def close_transit(state: TableState, command: CloseTransit) -> Decision:
    """Close a transit that the cage has turned into a voucher."""
    sent = state.transits_open.get(command.transit)
    if sent is None and state.felt is not None:
        sent = state.felt.credits_open.get(command.transit)
    if sent is None:
        return refuse("TRANSIT_CLOSED", transit=command.transit[:NAME_MAX])
    return (TransitClosed(command.transit, sent.amount),)


def lose_terminal(state: TableState, command: LoseTerminal) -> Decision:
    """Record that a terminal is out of reach; its registered bets stay and settle [etg8 5.2.1]."""
    refusal = _unknown(state, command.terminal)
    if refusal is not None:
        return refusal
    if not state.terminals[command.terminal].connected:
        return refuse("ALREADY_SO", terminal=command.terminal)
    return (TerminalLost(command.terminal, clause_for(state, "terminal-lost-registered")),)


def restore_terminal(state: TableState, command: RestoreTerminal) -> Decision:
    """Record that a terminal is back."""
    refusal = _unknown(state, command.terminal)
    if refusal is not None:
        return refusal
    if state.terminals[command.terminal].connected:
        return refuse("ALREADY_SO", terminal=command.terminal)
    return (TerminalRestored(command.terminal),)


def set_own_limits(state: TableState, command: SetOwnLimits, actor: Actor) -> Decision:
    """Let players bind themselves; within a session a bond is tightened, never loosened."""
    refusal = _unknown(state, command.terminal)
    if refusal is not None:
        return refusal
    if not acts_for_itself(actor, command.terminal):
        return refuse("NOT_YOUR_TERMINAL", terminal=command.terminal)
    if command.loss is not None and not is_amount(command.loss):
        return refuse("BAD_AMOUNT", amount=str(command.loss)[:40])
    seconds = command.session_seconds
    if seconds is not None and not (is_amount(seconds) and seconds <= SESSION_SECONDS_MAX):
        return refuse("BAD_AMOUNT", amount=str(seconds)[:40])
    seat = state.terminals[command.terminal]
    if seat.session_began is not None and (
        _loosens(seat.loss_limit, command.loss) or _loosens(seat.session_seconds, seconds)
    ):
        return refuse("ONLY_TIGHTER", terminal=command.terminal)
    return (OwnLimitsSet(command.terminal, command.loss, seconds),)


def _loosens(before: int | None, after: int | None) -> bool:
    return before is not None and (after is None or after > before)


def bar_terminal(state: TableState, command: BarTerminal, actor: Actor) -> Decision:
    """Bar a terminal: a self-excluded or barred player's bets are not taken."""
    refusal = _unknown(state, command.terminal)
    if refusal is not None:
        return refusal
    if not command.note.strip():
        return refuse("NOTE_MISSING")
    if state.terminals[command.terminal].barred:
        return refuse("ALREADY_SO", terminal=command.terminal)
    return (TerminalBarred(command.terminal, actor.person, command.note),)


def lift_bar(state: TableState, command: LiftBar, actor: Actor) -> Decision:
    """Lift a bar."""
    refusal = _unknown(state, command.terminal)
    if refusal is not None:
        return refusal
    if not command.note.strip():
        return refuse("NOTE_MISSING")
    if not state.terminals[command.terminal].barred:
        return refuse("ALREADY_SO", terminal=command.terminal)
    return (BarLifted(command.terminal, actor.person, command.note),)


def clear_lock(state: TableState, command: ClearLock, actor: Actor) -> Decision:
    """Let an attendant clear a terminal that a large win locked."""
    refusal = _unknown(state, command.terminal)
    if refusal is not None:
        return refusal
    if not state.terminals[command.terminal].locked:
        return refuse("ALREADY_SO", terminal=command.terminal)
    return (LockCleared(command.terminal, actor.person),)

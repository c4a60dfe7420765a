"""Positions, where bets come from: their books and meters, and what Player Terminals do.

Credits in and out, connections lost and restored, bars, locks and own limits.
"""

from bisect import bisect_right
from collections.abc import Iterator
from operator import itemgetter

from taisai.core.kernel.ledger import (
    DIFFERENCE,
    SETTLED_TRANSITS,
    SHORTFALL,
    credits_of,
    in_transit,
    stakes_of,
    unclaimed_by,
)
from taisai.core.kernel.messages import Actor, Command, Decision, Delivery, Event, Instant, Posting
from taisai.core.kernel.name_profile import NAME_MAX
from taisai.core.kernel.names import acts_for_itself
from taisai.core.kernel.once import same_amount, same_box
from taisai.core.kernel.registry import TABLE, TERMINALS, applies, command, decides, event, posts
from taisai.core.kernel.roles import MANAGERS, PIT, PIT_AND_CAGE, PIT_AND_DEALER
from taisai.core.kernel.transits import CloseTransit, TransitClosed, arrival
from taisai.core.rules.money import is_amount
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.state import (
    IN_ROUND,
    LockedWin,
    Meter,
    Position,
    TableState,
    chip_table_of,
    clause_for,
    next_transit,
)

#: No session is longer than a year.
SESSION_SECONDS_MAX = 366 * 24 * 3600
#: How long a player's own limits last after a session, as the player may still be there [D21].
GRACE_MS = 10 * 60 * 1000


@command(at=TERMINALS, by=("system",))
class ReceiveCredits(Command, frozen=True):
    transit: str
    terminal: str
    amount: int


@event(at=TERMINALS, routine=True, significant=False, transit="arrives")
class CreditsReceived(Event, frozen=True):
    transit: str
    terminal: str
    amount: int
    at: Instant


@decides
def receive_credits(
    state: TableState, command: ReceiveCredits, _actor: Actor, at: Instant
) -> Decision:
    """Let money arrive from the cage, once [etg8 1.7]; a failed terminal takes none [etg8 5.2]."""
    refusal = unknown_refusal(state, command.terminal)
    if refusal is not None:
        return refusal
    refusal = state.transits_received.refusal(command.transit)
    if refusal is not None:
        return refusal
    if not is_amount(command.amount) or command.amount == 0:
        return refuse("BAD_AMOUNT", amount=str(command.amount)[:40])
    if state.positions[command.terminal].failed:
        # The money comes back as a voucher.
        return refuse("TERMINAL_FAILED", terminal=command.terminal)
    received = CreditsReceived(command.transit, command.terminal, command.amount, at)
    return (*limits_ended(state, command.terminal, at), received)


def limits_ended(state: TableState, name: str, at: Instant) -> "tuple[OwnLimitsEnded, ...]":
    """End the limits of a player who left long ago, before another player's credits come [D21]."""
    seat = state.positions[name]
    if seat.is_bound and not has_session(state, name) and _is_over(seat, at):
        return (OwnLimitsEnded(name),)
    return ()


def _is_over(seat: Position, at: Instant) -> bool:
    """Say whether the last session ended so long ago that its player is taken to be gone."""
    return seat.session_ended is not None and at - seat.session_ended >= GRACE_MS


def unknown_refusal(state: TableState, terminal: str) -> Refusal | None:
    """Refuse a terminal that was never enrolled."""
    if terminal in state.positions:
        return None
    return refuse("UNKNOWN_TERMINAL", terminal=terminal[:NAME_MAX])


@applies
def credits_received(state: TableState, event: CreditsReceived) -> None:
    seat = state.positions[event.terminal]
    if not begin_with(state, event.terminal, event.amount, event.at):
        seat.session_in += event.amount
    for meter in meters_with(state, seat):
        meter.drop += event.amount
    state.transits_received.add(event.transit)
    assert_books(state, event.terminal, seat)


def begin_with(state: TableState, name: str, amount: int, at: Instant) -> bool:
    """Begin a session when credits come to a terminal without credits and bets.

    Time and losses are counted from these credits, unless a player's own limits are still in force.
    """
    seat = state.positions[name]
    held = state.ledger.balance(credits_of(name))
    if not (held == amount > 0) or seat.bets:
        return False
    if not seat.is_bound:
        _start_over(seat)
    seat.session_in += amount
    if seat.session_began is None:
        seat.session_began = at
    begin_session(state, name)
    return True


def meter_of(state: TableState, name: str) -> Meter:
    """Find a meter, or create it."""
    meter = state.meters.get(name)
    if meter is None:
        meter = state.meters[name] = Meter()
    return meter


def meters_with(state: TableState, position: Position) -> tuple[Meter, Meter]:
    """Give the meters that count money in and out of a position: the table's and its own."""
    return meter_of(state, "table"), position


def assert_books(state: TableState, name: str, seat: Position) -> int:
    """Assert a position's audit identity: credits + stakes = in - out - hold + corrections.

    Returns the credits.
    """
    balances = state.ledger.balances
    live = sum(seat.bets.values())
    assert balances.get(stakes_of(name), 0) == live, "stakes are what is on the boxes"
    owed = seat.drop - seat.out - seat.collected + seat.won + seat.corrections
    held = balances.get(credits_of(name), 0)
    assert held + live == owed + seat.brought, f"the books of position {name} do not agree"
    return held


def begin_session(state: TableState, name: str) -> None:
    """Begin a session: every bet from here on belongs to the player who is there now [D21].

    Sessions that ended before the oldest round in history are forgotten. A session that begins in
    the same round as the last one replaces it, which has no bets.
    """
    position = state.positions[name]
    position.session_ended, position.left = None, False
    sessions = position.sessions
    number = sessions[-1][1] + 1 if sessions else 1
    first = state.round if state.phase in IN_ROUND else state.round + 1
    held = sessions[max(0, _place_of(sessions, next(iter(state.history), first))) :]
    if held and held[-1][0] == first:
        held = held[:-1]
    position.sessions = (*held, (first, number))


def _place_of(sessions: tuple[tuple[int, int], ...], number: int) -> int:
    """Find in which session of a position a round was played."""
    return bisect_right(sessions, number, key=itemgetter(0)) - 1


def has_session(state: TableState, name: str) -> bool:
    """Say whether a position has a session: a terminal without credits and bets has none [D21]."""
    if state.chips is not None:
        return name in state.chips.seated
    return bool(state.positions[name].bets) or state.ledger.balances.get(credits_of(name), 0) > 0


def ended_session(state: TableState, name: str, number: int) -> str | None:
    """Name a position's session of this number if it has ended, else None [D21]."""
    if number == state.positions[name].sessions[-1][1] and has_session(state, name):
        return None
    return f"{name}@{number}"


def falls_short(state: TableState, session: str, amount: int) -> None:
    """Add what could not be recovered from a session; a negative amount is a later repayment."""
    short = state.shortfalls.pop(session, 0) + amount
    assert short >= 0, f"no more is given back than {session} fell short of"
    if short:
        state.shortfalls[session] = short


def newest_session(position: Position, name: str) -> str:
    """Name the newest session of a position: the position's name, and the session's number."""
    return f"{name}@{position.sessions[-1][1]}"


@posts
def _post_received(event: CreditsReceived) -> Iterator[Posting]:
    yield from arrival(event.transit, credits_of(event.terminal), event.amount)


@command(at=TERMINALS, by=("terminal", *PIT))
class CashOut(Command, frozen=True):
    terminal: str


@event(at=TERMINALS, routine=True, significant=False)
class CashedOut(Event, frozen=True):
    transit: str
    terminal: str
    amount: int
    session: str
    at: Instant


@event(at=TERMINALS, routine=True, significant=False, posts=False)
class SessionEnded(Event, frozen=True):
    """A player without credits has left, and ends the limits they set for themselves."""

    terminal: str


@decides
def cash_out(state: TableState, command: CashOut, actor: Actor, at: Instant) -> Decision:
    """Send a terminal's free credits to the cage; live stakes stay on the table [etg8 1.7]."""
    refusal = unknown_refusal(state, command.terminal)
    if refusal is not None:
        return refusal
    if not acts_for_itself(actor, command.terminal):
        return refuse("NOT_YOUR_TERMINAL", terminal=command.terminal)
    seat = state.positions[command.terminal]
    if seat.locked:
        return refuse("TERMINAL_LOCKED", terminal=command.terminal)
    if seat.failed and actor.role == "terminal":
        # Staff cash out its credits.
        return refuse("TERMINAL_FAILED", terminal=command.terminal)
    held = state.ledger.balance(credits_of(command.terminal))
    if held == 0 and seat.session_began is not None and not seat.bets:
        return (SessionEnded(command.terminal),)
    if held == 0:
        return refuse("NO_CREDITS", terminal=command.terminal)
    transit = next_transit(state)
    session = newest_session(seat, command.terminal)
    return (CashedOut(transit, command.terminal, held, session, at),)


@applies
def cashed_out(state: TableState, event: CashedOut) -> None:
    seat = state.positions[event.terminal]
    seat.session_in -= event.amount
    if not seat.bets:
        seat.session_ended, seat.left = event.at, True
        if not seat.is_bound:
            _start_over(seat)
    for meter in meters_with(state, seat):
        meter.out += event.amount
    sent = Delivery(state.table, event.terminal, event.amount, event.session)
    state.transits_sent += 1
    state.transits_open[event.transit] = sent
    assert_books(state, event.terminal, seat)


def _start_over(seat: Position) -> None:
    """Start counting a player's time and losses again with the next credits."""
    seat.session_began = None
    seat.session_in = 0


def end_if_lost(state: TableState, name: str, at: Instant) -> None:
    """Set the end of a session that has neither credits nor bets any more [D21]."""
    if not has_session(state, name):
        # Whoever comes next has won nothing yet.
        state.positions[name].session_ended, state.positions[name].locked_wins = at, ()


def shown_session(state: TableState, name: str, at: Instant) -> tuple[int, str] | None:
    """Find the session whose rounds a terminal shows: its first round and its name [D21].

    A player who lost all may still be there for ten minutes; one who cashed out has the code.
    """
    seat = state.positions[name]
    if not seat.sessions:
        return None
    lost = seat.session_ended is not None and not (seat.left or _is_over(seat, at))
    if not (has_session(state, name) or lost):
        return None
    return seat.sessions[-1][0], newest_session(seat, name)


@posts
def _post_cashed_out(event: CashedOut) -> Iterator[Posting]:
    yield Posting(credits_of(event.terminal), in_transit(event.transit), event.amount)


@applies
def session_ended(state: TableState, event: SessionEnded) -> None:
    session_over(state.positions[event.terminal])


def session_over(seat: Position) -> None:
    """End a player's own limits, and stop showing their rounds [D21]."""
    seat.left = True
    _end_limits(seat)
    _start_over(seat)


@command(at=TERMINALS, by=("system",))
class LoseTerminal(Command, frozen=True):
    terminal: str


@event(at=TERMINALS, routine=True, posts=False)
class TerminalLost(Event, frozen=True):
    """A terminal is out of reach; what is registered for it stays and settles."""

    terminal: str
    clause: str | None = None


@decides
def lose_terminal(
    state: TableState, command: LoseTerminal, _actor: Actor, _at: Instant
) -> Decision:
    """Record that a terminal is out of reach; its registered bets stay and settle [etg8 5.2.1].

    [etg8 5.2]
    """
    refusal = unknown_refusal(state, command.terminal)
    if refusal is not None:
        return refusal
    if not state.positions[command.terminal].connected:
        return refuse("ALREADY_SO", terminal=command.terminal)
    return (TerminalLost(command.terminal, clause_for(state, "terminal-lost-registered")),)


@applies
def terminal_lost(state: TableState, event: TerminalLost) -> None:
    state.positions[event.terminal].connected = False


@command(at=TERMINALS, by=("system",))
class RestoreTerminal(Command, frozen=True):
    terminal: str


@event(at=TERMINALS, routine=True, posts=False)
class TerminalRestored(Event, frozen=True):
    terminal: str


@decides
def restore_terminal(
    state: TableState, command: RestoreTerminal, _actor: Actor, _at: Instant
) -> Decision:
    """Record that a terminal is back."""
    refusal = unknown_refusal(state, command.terminal)
    if refusal is not None:
        return refusal
    if state.positions[command.terminal].connected:
        return refuse("ALREADY_SO", terminal=command.terminal)
    return (TerminalRestored(command.terminal),)


@applies
def terminal_restored(state: TableState, event: TerminalRestored) -> None:
    state.positions[event.terminal].connected = True


@command(at=TERMINALS, by=("terminal",))
class SetOwnLimits(Command, frozen=True):
    terminal: str
    loss: int | None = None
    session_seconds: int | None = None


@event(at=TERMINALS, routine=True, posts=False)
class OwnLimitsSet(Event, frozen=True):
    terminal: str
    loss: int | None
    session_seconds: int | None


@decides
def set_own_limits(
    state: TableState, command: SetOwnLimits, actor: Actor, _at: Instant
) -> Decision:
    """Let players set limits for themselves; within a session these may only become stricter.

    Without a session they may be loosened or ended [D21].
    """
    refusal = unknown_refusal(state, command.terminal)
    if refusal is not None:
        return refusal
    if not acts_for_itself(actor, command.terminal):
        return refuse("NOT_YOUR_TERMINAL", terminal=command.terminal)
    if command.loss is not None and not is_amount(command.loss):
        return refuse("BAD_AMOUNT", amount=str(command.loss)[:40])
    seconds = command.session_seconds
    if seconds is not None and not (is_amount(seconds) and seconds <= SESSION_SECONDS_MAX):
        return refuse("BAD_AMOUNT", amount=str(seconds)[:40])
    seat = state.positions[command.terminal]
    if has_session(state, command.terminal) and (
        _loosens(seat.loss_limit, command.loss) or _loosens(seat.session_seconds, seconds)
    ):
        return refuse("ONLY_TIGHTER", terminal=command.terminal)
    return (OwnLimitsSet(command.terminal, command.loss, seconds),)


def _loosens(before: int | None, after: int | None) -> bool:
    return before is not None and (after is None or after > before)


@applies
def own_limits_set(state: TableState, event: OwnLimitsSet) -> None:
    seat = state.positions[event.terminal]
    seat.loss_limit = event.loss
    seat.session_seconds = event.session_seconds
    if not has_session(state, event.terminal):
        # The limits are for the next credits, however long ago the last session ended.
        seat.session_ended = None
        _start_over(seat)


@command(at=TERMINALS, by=PIT)
class EndOwnLimits(Command, frozen=True):
    """End the limits that a player has set for themself, as they ask for."""

    terminal: str
    note: str


@event(at=TERMINALS, routine=True, posts=False)
class OwnLimitsEnded(Event, frozen=True):
    """A player's own limits are over: staff ended them, or their session ended ten minutes ago."""

    terminal: str
    by: str | None = None
    note: str = ""


@decides
def end_own_limits(
    state: TableState, command: EndOwnLimits, actor: Actor, _at: Instant
) -> Decision:
    """Let staff end a player's own limits [D21]."""
    refusal = unknown_refusal(state, command.terminal)
    if refusal is not None:
        return refusal
    if not command.note.strip():
        return refuse("NOTE_MISSING")
    if not state.positions[command.terminal].is_bound:
        return refuse("ALREADY_SO", terminal=command.terminal)
    return (OwnLimitsEnded(command.terminal, actor.person, command.note),)


@applies
def own_limits_ended(state: TableState, event: OwnLimitsEnded) -> None:
    seat = state.positions[event.terminal]
    _end_limits(seat)
    if not has_session(state, event.terminal):
        _start_over(seat)


def _end_limits(seat: Position) -> None:
    seat.loss_limit = None
    seat.session_seconds = None


@command(at=TERMINALS, by=PIT_AND_CAGE)
class BarTerminal(Command, frozen=True):
    terminal: str
    note: str


@event(at=TERMINALS, posts=False)
class TerminalBarred(Event, frozen=True):
    terminal: str
    by: str
    note: str


@decides
def bar_terminal(state: TableState, command: BarTerminal, actor: Actor, _at: Instant) -> Decision:
    """Bar a terminal: a self-excluded or barred player's bets are not taken."""
    refusal = unknown_refusal(state, command.terminal)
    if refusal is not None:
        return refusal
    if not command.note.strip():
        return refuse("NOTE_MISSING")
    if state.positions[command.terminal].barred:
        return refuse("ALREADY_SO", terminal=command.terminal)
    return (TerminalBarred(command.terminal, actor.person, command.note),)


@applies
def terminal_barred(state: TableState, event: TerminalBarred) -> None:
    state.positions[event.terminal].barred = True


@command(at=TERMINALS, by=MANAGERS)
class LiftBar(Command, frozen=True):
    terminal: str
    note: str


@event(at=TERMINALS, posts=False)
class BarLifted(Event, frozen=True):
    terminal: str
    by: str
    note: str


@decides
def lift_bar(state: TableState, command: LiftBar, actor: Actor, _at: Instant) -> Decision:
    """Lift a bar."""
    refusal = unknown_refusal(state, command.terminal)
    if refusal is not None:
        return refusal
    if not command.note.strip():
        return refuse("NOTE_MISSING")
    if not state.positions[command.terminal].barred:
        return refuse("ALREADY_SO", terminal=command.terminal)
    return (BarLifted(command.terminal, actor.person, command.note),)


@applies
def bar_lifted(state: TableState, event: BarLifted) -> None:
    state.positions[event.terminal].barred = False


@event(at=TERMINALS, posts=False)
class TerminalLocked(Event, frozen=True):
    """A large win locks a terminal; of all that it won in the round, `due` was given just now."""

    terminal: str
    won: int
    round: int
    due: int


@applies
def terminal_locked(state: TableState, event: TerminalLocked) -> None:
    seat = state.positions[event.terminal]
    win = LockedWin(event.round, event.won, event.due)
    seat.locked, seat.locked_wins = True, (*seat.locked_wins, win)


def locked_win(state: TableState, terminal: str) -> int:
    """Give what a terminal still has of the wins that locked it [D42]."""
    due = sum(win.due for win in state.positions[terminal].locked_wins)
    return min(due, state.ledger.balance(credits_of(terminal)))


@command(at=TERMINALS, by=PIT_AND_DEALER)
class ClearLock(Command, frozen=True):
    terminal: str


@event(at=TERMINALS, posts=False)
class LockCleared(Event, frozen=True):
    terminal: str
    by: str


@decides
def clear_lock(state: TableState, command: ClearLock, actor: Actor, _at: Instant) -> Decision:
    """Let an attendant clear a terminal that a large win locked."""
    refusal = unknown_refusal(state, command.terminal)
    if refusal is not None:
        return refusal
    if not state.positions[command.terminal].locked:
        return refuse("ALREADY_SO", terminal=command.terminal)
    return (LockCleared(command.terminal, actor.person),)


@applies
def lock_cleared(state: TableState, event: LockCleared) -> None:
    unlock(state.positions[event.terminal])


def unlock(seat: Position) -> None:
    """Unlock a terminal that a large win had locked."""
    seat.locked, seat.locked_wins = False, ()


def add_to(meter: Meter, turnover: int, collected: int, won: int) -> None:
    """Add turnover, losses and wins to a meter."""
    meter.turnover += turnover
    meter.collected += collected
    meter.won += won


def put_on(state: TableState, position: Position, box: str, amount: int) -> None:
    """Put an amount on a box; on a side of a Differential, remember the order of placements."""
    bets = position.bets
    if box in bets:
        bets[box] = same_amount(bets[box] + amount)
    else:
        bets[same_box(box)] = same_amount(amount)
    if box in state.sides:
        position.placed.setdefault(box, []).append((state.placements, amount))
    state.box_totals[box] = state.box_totals.get(box, 0) + amount
    state.placements += 1
    state.live += amount


def take_off(state: TableState, terminal: str, box: str, amount: int) -> None:
    """Take an amount off a box, the newest placements first."""
    seat = state.positions[terminal]
    state.live -= amount
    _lower(state.box_totals, box, amount)
    _lower(seat.bets, box, amount)
    if box in state.sides:
        _take_newest(seat.placed, box, amount)


def _take_newest(placements: dict[str, list[tuple[int, int]]], box: str, amount: int) -> None:
    placed = placements[box]
    while amount:
        position, stake = placed.pop()
        kept = max(0, stake - amount)
        amount -= stake - kept
        if kept:
            placed.append((position, kept))
    if not placed:
        del placements[box]


def _lower(amounts: dict[str, int], box: str, amount: int) -> None:
    left = amounts[box] - amount
    assert left >= 0, f"no more was taken off {box} than was there"
    if left:
        amounts[box] = left
    else:
        del amounts[box]


@command(at=TABLE, by=("system",))
class ReleaseUnclaimed(Command, frozen=True):
    """Give up what is set aside for a session: the cage has paid it."""

    transit: str
    session: str
    amount: int


def _falls_short(event: "UnclaimedReleased") -> bool:
    return event.shortfall > 0


@event(at=TABLE, routine=True, significant=_falls_short, transit="arrives")
class UnclaimedReleased(Event, frozen=True):
    """What the cage paid is no longer set aside; what was taken meanwhile is lost to the house."""

    transit: str
    session: str
    amount: int
    shortfall: int
    in_chips: bool


@decides
def release_unclaimed(
    state: TableState, command: ReleaseUnclaimed, _actor: Actor, _at: Instant
) -> Decision:
    """Release, once, what the cage has paid; it is paid whatever happened here since [D21]."""
    refusal = state.transits_received.refusal(command.transit)
    if refusal is not None:
        return refusal
    if not is_amount(command.amount) or command.amount == 0:
        return refuse("BAD_AMOUNT", amount=str(command.amount)[:40])
    held = min(command.amount, state.ledger.balance(unclaimed_by(command.session)))
    in_chips, shortfall = state.chips is not None, command.amount - held
    return (UnclaimedReleased(command.transit, command.session, held, shortfall, in_chips),)


@applies
def unclaimed_released(state: TableState, event: UnclaimedReleased) -> None:
    state.transits_received.add(event.transit)
    falls_short(state, event.session, event.shortfall)


@posts
def _post_unclaimed_released(event: UnclaimedReleased) -> Iterator[Posting]:
    """Post to the cage what it has paid: the other half is in its books.

    Chips that the books have in the rack, but that were handed out, are missing at the next count.
    """
    way = in_transit(event.transit)
    yield Posting(unclaimed_by(event.session), way, event.amount)
    yield Posting(DIFFERENCE if event.in_chips else SHORTFALL, way, event.shortfall)
    yield Posting(way, SETTLED_TRANSITS, event.amount + event.shortfall)


def stake_back(position: str, amount: int) -> Posting:
    """Return the stakes of a position."""
    return Posting(stakes_of(position), credits_of(position), amount)


@decides
def close_transit(
    state: TableState, command: CloseTransit, _actor: Actor, _at: Instant
) -> Decision:
    """Close a transit that the cage has turned into a voucher."""
    sent = state.transits_open.get(command.transit)
    if sent is None and state.chips is not None:
        sent = state.chips.credits_open.get(command.transit)
    if sent is None:
        return refuse("TRANSIT_CLOSED", transit=command.transit[:NAME_MAX])
    return (TransitClosed(command.transit, sent.amount),)


@applies
def transit_closed(state: TableState, event: TransitClosed) -> None:
    if event.transit in state.transits_open:
        del state.transits_open[event.transit]
    else:
        del chip_table_of(state).credits_open[event.transit]

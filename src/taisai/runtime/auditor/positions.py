"""Auditing terminals apart from bets: credits, connections, bars, locks, limits; and seats."""

from taisai.core.kernel.messages import Event, Instant
from taisai.core.kernel.transits import TransitClosed
from taisai.core.table.chips.seats import (
    ChipsBought,
    ChipsExchanged,
    PlayerWalkedAway,
    SeatLeft,
    SeatTaken,
    UnclaimedSetAside,
)
from taisai.core.table.corrections import RulingRecorded
from taisai.core.table.positions import (
    BarLifted,
    CashedOut,
    CreditsReceived,
    LockCleared,
    OwnLimitsEnded,
    OwnLimitsSet,
    SessionEnded,
    TerminalBarred,
    TerminalLocked,
    TerminalLost,
    TerminalRestored,
    UnclaimedReleased,
)
from taisai.core.table.service import (
    SessionEndedByStaff,
    TerminalFailed,
    TerminalReturned,
    WinSetAside,
)
from taisai.runtime.auditor.books import Transit
from taisai.runtime.auditor.cage import claimed_at
from taisai.runtime.auditor.chips import (
    ChipTable,
    brought,
    check_said,
    chips_of,
    colour_of,
    in_front,
    sits,
    value_chips,
    worth,
)
from taisai.runtime.auditor.registry import audits, routine
from taisai.runtime.auditor.table import AuditedTable, Position


@routine
@audits
def received(table: AuditedTable, event: CreditsReceived, at: Instant) -> None:
    """Credits arrive from the cage, once, at a terminal that works."""
    if table.is_free(event.terminal):
        comes(table, event.terminal, event.amount, at)
    else:
        table.position(event.terminal).session_in += event.amount
    table.transits.receive(event.transit, table.name, event.terminal, event.amount)
    if table.position(event.terminal).failed:
        raise table.wrong(
            "credits came to terminal {terminal}, which is out of service", terminal=event.terminal
        )
    table.books.enter("transit:settled", -event.amount)
    table.credited(event.terminal, event.amount)


def comes(table: AuditedTable, terminal: str, amount: int, at: Instant) -> None:
    """Start the time and losses of a player who comes to a terminal, without another's limits."""
    seat = table.position(terminal)
    if seat.bound and _is_long_gone(seat, at):
        raise table.wrong(
            "the limits of who left terminal {terminal} bind the next player", terminal=terminal
        )
    if not seat.bound:
        _count_anew(seat)
    seat.session_in += amount
    if seat.session_began is None:
        seat.session_began = at


def _is_long_gone(seat: Position, at: Instant) -> bool:
    """Say whether ten minutes have passed since a player had anything there [D21]."""
    return seat.ended is not None and at >= seat.ended + 600_000


def _count_anew(seat: Position) -> None:
    seat.session_began, seat.session_in = None, 0


@routine
@audits
def cashed(table: AuditedTable, event: CashedOut, at: Instant) -> None:
    """All free credits are cashed out, none on the table, and not from a locked terminal."""
    seat = table.position(event.terminal)
    held = table.books.holds(f"terminal:{event.terminal}")
    if event.amount != held or not held:
        raise table.wrong(
            "terminal {terminal} cashed out {amount}, and held {held}",
            terminal=event.terminal,
            amount=event.amount,
            held=held,
        )
    if seat.locked:
        raise table.wrong(
            "terminal {terminal} cashed out while it was locked", terminal=event.terminal
        )
    if seat.failed and table.asked_by == "terminal":
        raise table.wrong(
            "terminal {terminal} cashed out by itself, out of service", terminal=event.terminal
        )
    session = f"{event.terminal}@{table.sessions[event.terminal]}"
    if (event.session, event.at) != (session, at):
        raise table.wrong(
            "terminal {terminal} cashed out as {session} at {at}",
            terminal=event.terminal,
            session=event.session,
            at=event.at,
        )
    transit = Transit(table.name, "cage", f"{table.name}/{session}", event.amount)
    table.transits.send(event.transit, transit)
    table.books.move(f"terminal:{event.terminal}", f"transit:{event.transit}", event.amount)
    seat.session_in -= event.amount
    if not table.bets.get(event.terminal):
        seat.ended, seat.taken = at, True
        if not seat.bound:
            _count_anew(seat)


@routine
@audits
def session_ended(table: AuditedTable, event: SessionEnded, _: Instant) -> None:
    """A session ends without a voucher if there is no money for one."""
    seat = table.position(event.terminal)
    if table.books.holds(f"terminal:{event.terminal}") or table.bets.get(event.terminal):
        raise table.wrong(
            "terminal {terminal} still has money, and its session ended", terminal=event.terminal
        )
    seat.loss = seat.session_seconds = None
    seat.taken = True
    _count_anew(seat)


@routine
@audits
def ended_by_staff(table: AuditedTable, event: SessionEndedByStaff, at: Instant) -> None:
    """All that a session held is set aside for it, once its bets are settled; its limits end."""
    terminal = event.terminal
    seat, held = table.position(terminal), table.books.holds(f"terminal:{terminal}")
    if table.asked_by not in (None, "supervisor", "pit-manager", "shift-manager"):
        raise table.wrong(
            "a {asked_by} ended the session at terminal {terminal}",
            asked_by=table.asked_by,
            terminal=terminal,
        )
    if table.bets.get(terminal) or seat.locked or not event.note.strip():
        raise table.wrong(
            "the session at terminal {terminal} was ended too early, or without why",
            terminal=terminal,
        )
    if not held and (seat.ended is None or seat.taken or _is_long_gone(seat, at)):
        raise table.wrong("the session at terminal {terminal} was over already", terminal=terminal)
    if (event.amount, event.session, event.at) != (held, table.player(terminal), at):
        raise table.wrong(
            "{amount} of {held} was set aside as {session}",
            amount=event.amount,
            held=held,
            session=event.session,
        )
    table.books.move(f"terminal:{terminal}", f"unclaimed:{event.session}", held)
    seat.ended, seat.taken = at, True
    seat.loss = seat.session_seconds = None
    _count_anew(seat)


@routine
@audits
def transit_closed(table: AuditedTable, event: TransitClosed, _: Instant) -> None:
    """A transit that the cage has turned into a voucher is closed."""
    table.transits.close(event.transit, table.name, event.amount)
    table.books.move(f"transit:{event.transit}", "transit:settled", event.amount)


@routine
@audits
def lost(table: AuditedTable, event: TerminalLost, _: Instant) -> None:
    """Only a terminal that is connected can be lost."""
    seat = table.position(event.terminal)
    if not seat.connected:
        raise table.wrong("terminal {terminal} was lost twice", terminal=event.terminal)
    known = {} if table.rules is None else table.rules.irregularities
    if event.clause != known.get("terminal-lost-registered", {}).get("clause"):
        raise table.wrong(
            "terminal {terminal} was lost by {clause}", terminal=event.terminal, clause=event.clause
        )
    seat.connected = False


@routine
@audits
def restored(table: AuditedTable, event: TerminalRestored, _: Instant) -> None:
    """Only a lost terminal can be restored."""
    seat = table.position(event.terminal)
    if seat.connected:
        raise table.wrong(
            "terminal {terminal} came back and was never lost", terminal=event.terminal
        )
    seat.connected = True


@routine
@audits
def failed(table: AuditedTable, event: TerminalFailed, _: Instant) -> None:
    """A terminal fails once, by the clause that lets its registered bets settle."""
    seat = _judged(table, event)
    known = {} if table.rules is None else table.rules.irregularities
    if event.clause != known.get("terminal-lost-registered", {}).get("clause"):
        raise table.wrong(
            "terminal {terminal} failed by {clause}", terminal=event.terminal, clause=event.clause
        )
    if seat.failed:
        raise table.wrong("terminal {terminal} failed twice", terminal=event.terminal)
    seat.failed = True


@routine
@audits
def returned(table: AuditedTable, event: TerminalReturned, _: Instant) -> None:
    """Only a terminal out of service is returned to it."""
    seat = _judged(table, event)
    if not seat.failed:
        raise table.wrong(
            "terminal {terminal} was put back and never out of service", terminal=event.terminal
        )
    seat.failed = False


def _judged(table: AuditedTable, event: TerminalFailed | TerminalReturned) -> Position:
    """The pit says whether a terminal works, with a reason."""
    if table.asked_by not in (None, "supervisor", "pit-manager", "shift-manager"):
        raise table.wrong(
            "a {asked_by} judged whether terminal {terminal} works",
            asked_by=table.asked_by,
            terminal=event.terminal,
        )
    if not event.note.strip():
        raise table.wrong("nobody said why of terminal {terminal}", terminal=event.terminal)
    return table.position(event.terminal)


@routine
@audits
def bound(table: AuditedTable, event: OwnLimitsSet, _: Instant) -> None:
    """While a player plays, their own limits are only ever tightened."""
    seat = table.position(event.terminal)
    if table.is_free(event.terminal):
        seat.ended = None
        _count_anew(seat)
    else:
        for before, after in (
            (seat.loss, event.loss),
            (seat.session_seconds, event.session_seconds),
        ):
            if before is not None and (after is None or after > before):
                raise table.wrong(
                    "terminal {terminal} loosened its own limits", terminal=event.terminal
                )
    seat.loss, seat.session_seconds = event.loss, event.session_seconds


@routine
@audits
def unbound(table: AuditedTable, event: OwnLimitsEnded, at: Instant) -> None:
    """Own limits are ended by staff with a reason, or for the next player after ten minutes."""
    seat, free = table.position(event.terminal), table.is_free(event.terminal)
    if not seat.bound:
        raise table.wrong(
            "terminal {terminal} had no limits that could end", terminal=event.terminal
        )
    if event.by is None:
        if not free or not _is_long_gone(seat, at):
            raise table.wrong(
                "the limits of terminal {terminal} ended under its player", terminal=event.terminal
            )
        # Credits come from the cage or by a ruling, which may be for several terminals.
        table.due = (CreditsReceived, RulingRecorded, OwnLimitsEnded)
    elif not event.note.strip():
        raise table.wrong(
            "{by} ended the limits of {terminal} and did not say why",
            by=event.by,
            terminal=event.terminal,
        )
    seat.loss = seat.session_seconds = None
    if free:
        _count_anew(seat)


@audits
def locked(table: AuditedTable, event: TerminalLocked, _: Instant) -> None:
    """A lock follows a large win, and names the amount."""
    due = table.locks_due.pop(event.terminal, None)
    if due != (event.won, event.round, event.due):
        raise table.wrong(
            "terminal {terminal} was locked for {won} it did not win",
            terminal=event.terminal,
            won=event.won,
        )
    seat = table.position(event.terminal)
    seat.locked = True
    seat.wins[event.round] = (event.won, event.due)


@routine
@audits
def win_set_aside(table: AuditedTable, event: WinSetAside, at: Instant) -> None:
    """What is left of a locked win is set aside for its winner, by the pit or the cage."""
    terminal = event.terminal
    seat, held = table.position(terminal), table.books.holds(f"terminal:{terminal}")
    if table.asked_by not in (None, "cage", "supervisor", "pit-manager", "shift-manager"):
        raise table.wrong(
            "a {asked_by} set the win of terminal {terminal} aside",
            asked_by=table.asked_by,
            terminal=terminal,
        )
    if not seat.locked:
        raise table.wrong(
            "terminal {terminal} was not locked, and its win was set aside", terminal=terminal
        )
    left = sum(given for _, given in seat.wins.values())
    due = (min(left, held), table.player(terminal), at)
    if (event.amount, event.session, event.at) != due or not event.amount:
        raise table.wrong(
            "{amount} of {won} was set aside as {session}",
            amount=event.amount,
            won=left,
            session=event.session,
        )
    table.books.move(f"terminal:{terminal}", f"unclaimed:{event.session}", event.amount)
    seat.locked = False
    seat.wins.clear()
    seat.session_in -= event.amount
    if event.amount == held and not table.bets.get(terminal):
        seat.lost_all(at)


#: What an event turns on or off at a terminal, and the fault if it was so before.
_SWITCHES: dict[type[Event], tuple[str, bool, str]] = {
    TerminalBarred: ("barred", True, "terminal {terminal} was barred twice"),
    BarLifted: ("barred", False, "terminal {terminal} was not barred"),
    LockCleared: ("locked", False, "terminal {terminal} was not locked"),
}


@audits
def switched(
    table: AuditedTable, event: TerminalBarred | BarLifted | LockCleared, _: Instant
) -> None:
    """A terminal is barred once; only a bar can be lifted, and only a lock be cleared."""
    seat = table.position(event.terminal)
    field, becomes, wrong = _SWITCHES[type(event)]
    if getattr(seat, field) is becomes:
        raise table.wrong(wrong, terminal=event.terminal)
    setattr(seat, field, becomes)
    if not seat.locked:
        seat.wins.clear()


# --- seats at chip tables ----------------------------------------------------------------------


@routine
@audits
def seated(table: AuditedTable, event: SeatTaken, _: Instant) -> None:
    """A seat is taken by one player at a time."""
    layout = chips_of(table)
    if event.seat in layout.seated or not 1 <= int(event.seat) <= layout.chips.seats:
        raise table.wrong("seat {seat} was taken twice, or is not there", seat=event.seat)
    layout.seated[event.seat] = False
    table.positions.setdefault(event.seat, Position())
    table.sits_down(event.seat)


@routine
@audits
def left(table: AuditedTable, event: SeatLeft, _: Instant) -> None:
    """A player leaves with everything in front of them, and without coloured chips."""
    layout = sits(table, event.seat)
    check_said(table, event.seat)
    held = table.books.holds(f"terminal:{event.seat}")
    colour = colour_of(layout, event.seat)
    if event.taken != held or table.bets.get(event.seat):
        raise table.wrong(
            "seat {seat} was left with {taken} of {held}, or with bets",
            seat=event.seat,
            taken=event.taken,
            held=held,
        )
    if colour is not None and layout.colours[colour].out:
        raise table.wrong("{colour} left the table", colour=colour)
    _to_floor(table, event.seat, event.taken)
    _gone(layout, event.seat)


def _to_floor(table: AuditedTable, seat: str, amount: int) -> None:
    table.books.move(f"terminal:{seat}", "floor:chips", amount)


def _gone(layout: ChipTable, seat: str) -> None:
    colour = colour_of(layout, seat)
    if colour is not None:
        del layout.colours[colour]
    del layout.seated[seat]


@routine
@audits
def walked(table: AuditedTable, event: PlayerWalkedAway, _: Instant) -> None:
    """A player who walks away takes the value chips in front of them and leaves bets."""
    layout = sits(table, event.seat)
    table.expect_paid(type(event).__name__)
    check_said(table, event.seat)
    colour = colour_of(layout, event.seat)
    stays = 0 if colour is None else in_front(layout, colour) * layout.colours[colour].value
    if event.taken != table.books.holds(f"terminal:{event.seat}") - stays:
        raise table.wrong(
            "seat {seat} walked away with {taken}", seat=event.seat, taken=event.taken
        )
    if not table.bets.get(event.seat) or layout.seated[event.seat]:
        raise table.wrong("seat {seat} walked away from nothing", seat=event.seat)
    _to_floor(table, event.seat, event.taken)
    layout.seated[event.seat] = True


@audits
def kept(table: AuditedTable, event: UnclaimedSetAside, _: Instant) -> None:
    """All chips of a player who walked away are set aside, once their bets are settled."""
    layout = sits(table, event.seat)
    table.expect_paid(type(event).__name__)
    if not layout.seated[event.seat] or table.bets.get(event.seat):
        raise table.wrong("money of seat {seat} was kept while they play", seat=event.seat)
    if event.amount != table.books.holds(f"terminal:{event.seat}"):
        raise table.wrong(
            "{amount} of seat {seat} was kept, not all of it", amount=event.amount, seat=event.seat
        )
    colour = colour_of(layout, event.seat)
    if colour is not None:
        worth = layout.colours[colour].out * layout.colours[colour].value
        if worth > layout.rack and layout.settled_by_hand != table.round:
            raise table.wrong(
                "{amount} of seat {seat} was set aside in chips that the rack does not have",
                amount=worth,
                seat=event.seat,
            )
        layout.rack -= worth
    table.books.move(f"terminal:{event.seat}", f"unclaimed:{event.session}", event.amount)
    if event.session != f"{event.seat}@{table.sessions[event.seat]}":
        raise table.wrong(
            "money of seat {seat} was set aside as {session}",
            seat=event.seat,
            session=event.session,
        )
    _gone(layout, event.seat)


@routine
@audits
def released(table: AuditedTable, event: UnclaimedReleased, _: Instant) -> None:
    """Money that the cage paid is released, once; what is no longer there is lost."""
    paid = event.amount + event.shortfall
    held = table.books.holds(f"unclaimed:{event.session}")
    in_chips = table.chips is not None
    if event.amount != min(held, paid) or event.shortfall < 0 or event.in_chips != in_chips:
        raise table.wrong(
            "{amount} of {held} was released as {session}",
            amount=event.amount,
            held=held,
            session=event.session,
        )
    place = claimed_at(event.session, in_chips=in_chips)
    table.transits.receive(event.transit, table.name, place, -paid)
    table.books.enter(f"unclaimed:{event.session}", -event.amount)
    lost = "house:count-difference" if in_chips else "house:void-shortfall"
    table.books.enter(lost, -event.shortfall)
    table.fell_short(event.session, event.shortfall)
    table.books.enter("transit:settled", paid)


@routine
@audits
def bought(table: AuditedTable, event: ChipsBought, _: Instant) -> None:
    """Chips are worth what was paid for them."""
    layout = sits(table, event.seat)
    table.expect_paid(type(event).__name__)
    if worth(table, event.chips) != event.cash + event.dropped:
        raise table.wrong("chips were sold for another amount than they are worth")
    layout.rack -= event.cash + event.dropped
    table.books.enter("cash:patrons", -event.cash)
    table.books.enter("floor:chips", -event.dropped)
    table.books.enter("drop:box", event.cash + event.dropped)
    table.books.enter("house:bank", -value_chips(event.chips))
    table.books.enter(f"terminal:{event.seat}", value_chips(event.chips))


@routine
@audits
def exchanged(table: AuditedTable, event: ChipsExchanged, _: Instant) -> None:
    """Chips are changed for as much, at an open table."""
    sits(table, event.seat)
    table.expect_open()
    table.expect_paid(type(event).__name__)
    if worth(table, event.given) != worth(table, event.taken):
        raise table.wrong("chips were changed for another amount")
    brought(table, event.seat, event.brought)

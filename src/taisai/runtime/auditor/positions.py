"""Auditing what happens at a terminal other than betting: credits, lines, bars, locks, limits."""

from taisai.core.kernel.messages import Instant
from taisai.core.kernel.transits import TransitClosed
from taisai.core.table.positions import (
    BarLifted,
    CashedOut,
    CreditsReceived,
    LockCleared,
    OwnLimitsSet,
    PayUnclaimed,
    SessionEnded,
    TerminalBarred,
    TerminalLocked,
    TerminalLost,
    TerminalRestored,
    UnclaimedPaid,
)
from taisai.runtime.auditor.table import Seat, Watched
from taisai.runtime.auditor.transits import Transit


def received(table: Watched, event: CreditsReceived, at: Instant) -> None:
    """Credits arrive from the cage, once."""
    seat = table.seat(event.terminal)
    table.transits.receive(event.transit, table.name, event.terminal, event.amount)
    table.books.enter("transit:settled", -event.amount)
    table.credited(event.terminal, event.amount)
    seat.session_in += event.amount
    if seat.session_began is None:
        seat.session_began = at


def cashed(table: Watched, event: CashedOut, _: Instant) -> None:
    """All free credits go, none that lie on the table, and not from a locked terminal."""
    seat = table.seat(event.terminal)
    held = table.books.holds(f"terminal:{event.terminal}")
    if event.amount != held or not held:
        raise table.wrong(f"terminal {event.terminal} cashed out {event.amount}, and held {held}")
    if seat.locked:
        raise table.wrong(f"terminal {event.terminal} cashed out while it was locked")
    transit = Transit(table.name, "cage", f"{table.name}/{event.terminal}", event.amount)
    table.transits.send(event.transit, transit)
    table.books.enter(f"terminal:{event.terminal}", -event.amount)
    table.books.enter(f"transit:{event.transit}", event.amount)
    seat.session_in -= event.amount
    if not table.bets.get(event.terminal):
        _end_session(seat)


def session_ended(table: Watched, event: SessionEnded, _: Instant) -> None:
    """A session ends without a voucher where there is nothing to print one for."""
    seat = table.seat(event.terminal)
    if table.books.holds(f"terminal:{event.terminal}") or table.bets.get(event.terminal):
        raise table.wrong(f"terminal {event.terminal} still has money, and its session ended")
    _end_session(seat)


def _end_session(seat: Seat) -> None:
    seat.session_began = seat.loss = seat.session_seconds = None
    seat.session_in = 0


def transit_closed(table: Watched, event: TransitClosed, _: Instant) -> None:
    """What the cage has turned into a voucher is closed."""
    table.transits.close(event.transit, table.name, event.amount)
    table.books.enter(f"transit:{event.transit}", -event.amount)
    table.books.enter("transit:settled", event.amount)


def lost(table: Watched, event: TerminalLost, _: Instant) -> None:
    """Only what is there can be lost."""
    seat = table.seat(event.terminal)
    if not seat.connected:
        raise table.wrong(f"terminal {event.terminal} was lost twice")
    known = {} if table.rules is None else table.rules.irregularities
    if event.clause != known.get("terminal-lost-registered", {}).get("clause"):
        raise table.wrong(f"terminal {event.terminal} was lost by {event.clause}")
    seat.connected = False


def restored(table: Watched, event: TerminalRestored, _: Instant) -> None:
    """Only what is lost can come back."""
    seat = table.seat(event.terminal)
    if seat.connected:
        raise table.wrong(f"terminal {event.terminal} came back and was never lost")
    seat.connected = True


def bound(table: Watched, event: OwnLimitsSet, _: Instant) -> None:
    """While a player plays, their own limits are only ever tightened."""
    seat = table.seat(event.terminal)
    if seat.session_began is not None:
        for before, after in (
            (seat.loss, event.loss),
            (seat.session_seconds, event.session_seconds),
        ):
            if before is not None and (after is None or after > before):
                raise table.wrong(f"terminal {event.terminal} loosened its own limits")
    seat.loss, seat.session_seconds = event.loss, event.session_seconds


def barred(table: Watched, event: TerminalBarred, _: Instant) -> None:
    """A terminal is barred once."""
    seat = table.seat(event.terminal)
    if seat.barred:
        raise table.wrong(f"terminal {event.terminal} was barred twice")
    seat.barred = True


def lifted(table: Watched, event: BarLifted, _: Instant) -> None:
    """Only a bar can be lifted."""
    seat = table.seat(event.terminal)
    if not seat.barred:
        raise table.wrong(f"terminal {event.terminal} was not barred")
    seat.barred = False


def locked(table: Watched, event: TerminalLocked, _: Instant) -> None:
    """A lock follows a large win, and says how large."""
    if table.locks_due.pop(event.terminal, None) != event.won:
        raise table.wrong(f"terminal {event.terminal} was locked for {event.won} it did not win")
    table.seat(event.terminal).locked = True


def unlocked(table: Watched, event: LockCleared, _: Instant) -> None:
    """Only a lock can be cleared."""
    seat = table.seat(event.terminal)
    if not seat.locked:
        raise table.wrong(f"terminal {event.terminal} was not locked")
    seat.locked = False


def unclaimed_paid(table: Watched, event: UnclaimedPaid, _: Instant) -> None:
    """What is set aside is handed out once, all of it, by two persons."""
    command = table.second.take(PayUnclaimed, "unclaimed money was handed out")
    if table.books.holds(f"unclaimed:{event.session}") != event.amount or not event.amount:
        raise table.wrong(f"{event.amount} was handed out as {event.session}")
    if (command.session, command.terminal) != (event.session, event.terminal):
        raise table.wrong(f"{event.session} was paid to {event.terminal}, and nobody agreed to it")
    table.books.enter(f"unclaimed:{event.session}", -event.amount)
    if table.felt is not None:
        table.books.enter("floor:chips", event.amount)
        return
    seat = table.seat(str(event.terminal))
    table.credited(str(event.terminal), event.amount)
    seat.session_in += event.amount

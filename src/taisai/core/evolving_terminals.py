"""What the events of terminals and of corrections do to a table's state."""

from taisai.core import events as e
from taisai.core.books import assert_books, meter_of
from taisai.core.felt.evolving import assert_rack
from taisai.core.felt.reversing import put_right, ruled
from taisai.core.messages import Delivery, Netted
from taisai.core.table_state import TRANSITS_KEPT, TableState, Terminal


def credits_received(state: TableState, event: e.CreditsReceived) -> None:
    seat = state.terminals[event.terminal]
    seat.bought += event.amount
    seat.session_in += event.amount
    if seat.session_began is None:
        seat.session_began = event.at
    for name in ("table", f"terminal:{event.terminal}"):
        meter_of(state, name).drop += event.amount
    state.transits_received[event.transit] = None
    if len(state.transits_received) > TRANSITS_KEPT:
        del state.transits_received[next(iter(state.transits_received))]
    assert_books(state, event.terminal, seat)


def cashed_out(state: TableState, event: e.CashedOut) -> None:
    seat = state.terminals[event.terminal]
    seat.cashed += event.amount
    seat.session_in -= event.amount
    if not seat.bets:
        _end_session(seat)
    for name in ("table", f"terminal:{event.terminal}"):
        meter_of(state, name).out += event.amount
    state.transits_open[event.transit] = Delivery(state.table, event.terminal, event.amount)
    assert_books(state, event.terminal, seat)


def _end_session(seat: Terminal) -> None:
    """End a player's session with their credits: the next player starts unbound."""
    seat.session_began = None
    seat.session_in = 0
    seat.loss_limit = None
    seat.session_seconds = None


def session_ended(state: TableState, event: e.SessionEnded) -> None:
    _end_session(state.terminals[event.terminal])


def transit_closed(state: TableState, event: e.TransitClosed) -> None:
    if event.transit in state.transits_open:
        del state.transits_open[event.transit]
    else:
        assert state.felt is not None, "a transit that is closed was open"
        del state.felt.credits_open[event.transit]


def rounds_reversed(state: TableState, event: e.RoundsReversed) -> None:
    for number in event.rounds:
        # The round under way, voided just before, may have pushed the oldest out of history.
        if number in state.history:
            state.history[number].void = True
    _put_right(state, event.netted, event.gone)


def round_resettled(state: TableState, event: e.RoundResettled) -> None:
    record = state.history[event.round]
    record.faces = event.faces
    record.lines = event.lines
    record.version = state.version
    _put_right(state, event.netted, event.gone)


def _put_right(state: TableState, netted: tuple[Netted, ...], gone: tuple[Netted, ...]) -> None:
    if state.felt is not None:
        put_right(state, netted, gone)
        assert_rack(state)
    for each in netted:
        seat = state.terminals[each.terminal]
        seat.corrections += each.given - each.taken
        for name in ("table", f"terminal:{each.terminal}"):
            meter_of(state, name).corrections += each.given - each.taken
        assert_books(state, each.terminal, seat)


def ruling_recorded(state: TableState, event: e.RulingRecorded) -> None:
    for posting in event.postings:
        for account, amount in (
            (posting.source, -posting.amount),
            (posting.destination, posting.amount),
        ):
            branch, _, name = account.partition(":")
            if branch == "terminal":
                state.terminals[name].corrections += amount
                meter_of(state, account).corrections += amount
                meter_of(state, "table").corrections += amount
    if state.felt is not None:
        ruled(state, event.postings)
        assert_rack(state)


def terminal_lost(state: TableState, event: e.TerminalLost) -> None:
    state.terminals[event.terminal].connected = False


def terminal_restored(state: TableState, event: e.TerminalRestored) -> None:
    state.terminals[event.terminal].connected = True


def own_limits_set(state: TableState, event: e.OwnLimitsSet) -> None:
    seat = state.terminals[event.terminal]
    seat.loss_limit = event.loss
    seat.session_seconds = event.session_seconds


def terminal_barred(state: TableState, event: e.TerminalBarred) -> None:
    state.terminals[event.terminal].barred = True


def bar_lifted(state: TableState, event: e.BarLifted) -> None:
    state.terminals[event.terminal].barred = False


def terminal_locked(state: TableState, event: e.TerminalLocked) -> None:
    state.terminals[event.terminal].locked = True


def lock_cleared(state: TableState, event: e.LockCleared) -> None:
    state.terminals[event.terminal].locked = False

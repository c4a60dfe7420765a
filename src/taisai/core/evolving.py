"""`evolve`: what an event does to a table's state; it never refuses.

It may change the state it owns in place, so that a bet costs the same with 100,000 on the table as
with ten. Money moves by the event's postings and in no other way; the books are checked as it does.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from taisai.core import events as e
from taisai.core.books import (
    add_to,
    assert_books,
    meter_kinds,
    meter_of,
    sums_by_terminal,
    take_off,
)
from taisai.core.decision import limits_from, pay_table_in_force, rules_of
from taisai.core.events import Event, TableEvent
from taisai.core.evolving_terminals import (
    bar_lifted,
    cashed_out,
    credits_received,
    lock_cleared,
    own_limits_set,
    round_resettled,
    rounds_reversed,
    ruling_recorded,
    session_ended,
    terminal_barred,
    terminal_locked,
    terminal_lost,
    terminal_restored,
    transit_closed,
)
from taisai.core.felt.evolving import (
    APPLY_FELT,
    assert_rack,
    evolve_felt,
    round_settled,
    round_voided,
    table_opened,
)
from taisai.core.felt_state import Felt
from taisai.core.ledger import postings_of, stakes_of
from taisai.core.rules.limits import Limits
from taisai.core.rules.rulebook import Rulebook, rulebook_from_canonical
from taisai.core.table_state import (
    DICE_SETS_KEPT,
    HISTORY_LINES,
    HISTORY_ROUNDS,
    Chain,
    Pending,
    Phase,
    RoundRecord,
    TableState,
    Terminal,
)

#: Events of terminals, of pressing buttons and of the house's own bookkeeping of secrets leave a
#: pending command pending; all others end it.
_KEEPS_PENDING = (
    e.BetsRegistered,
    e.BetsWithdrawn,
    e.CreditsReceived,
    e.CashedOut,
    e.SessionEnded,
    e.TransitClosed,
    e.TerminalLost,
    e.TerminalRestored,
    e.OwnLimitsSet,
    e.FacePressed,
    e.ChainPublished,
    e.SecretRevealed,
    e.SeatTaken,
    e.SeatLeft,
    e.PlayerWalkedAway,
    e.ChipsBought,
    e.ChipsExchanged,
    e.ColourAssigned,
    e.ColourBought,
    e.ColourConverted,
    e.ColourReleased,
    e.BetsRecorded,
    e.RecordCorrected,
    e.BetsTakenBack,
    e.ExcessRejected,
    e.PlayerAdvised,
)


@lru_cache(maxsize=16)
def journaled_rulebook(canonical: str) -> Rulebook:
    """Give the rulebook that an event carries, proved once for all tables that play by it."""
    return rulebook_from_canonical(canonical.encode(), "the journal")


def evolve(state: TableState, event: TableEvent) -> TableState:
    """Apply an event to the state, and give the state back."""
    kind = type(event)
    if state.pending is not None and kind not in _KEEPS_PENDING:
        state.pending = None
    state.version += 1
    state.ledger.post(postings_of(event))
    _APPLY[kind](state, event)
    return state


# --- the table -----------------------------------------------------------------------------------


def _created(state: TableState, event: e.TableCreated) -> None:
    state.phase = Phase.CLOSED
    state.table = event.table
    state.currency = event.currency
    state.equipment = event.equipment
    state.lock_above = event.lock_above
    if event.chips is not None:
        state.felt = Felt(event.chips)


def _enrolled(state: TableState, event: e.TerminalEnrolled) -> None:
    state.terminals[event.terminal] = Terminal(event.place)


def _adopted(state: TableState, event: e.RulebookAdopted) -> None:
    state.rulebook = journaled_rulebook(event.canonical)
    state.pay_table = state.rulebook.pay_tables[event.pay_table]
    # Limits were checked against the pay table that is no longer there, and so were the checks.
    state.limits = None
    state.checks = frozenset()
    pairs = state.pay_table.limit_rules.differential_pairs
    state.sides = frozenset(side for pair in pairs for side in pair)


def _limits_set(state: TableState, event: e.LimitsSet) -> None:
    limits = limits_from(pay_table_in_force(state), event.limits)
    assert isinstance(limits, Limits), "limits were checked before they were set"
    state.limits = limits


def _dice(state: TableState, event: e.DiceRegistered) -> None:
    if state.dice_set is not None:
        first, _ = state.dice_rounds[state.dice_set]
        state.dice_rounds[state.dice_set] = (first, state.round)
    # A set that comes back is counted from its newest registration on.
    state.dice_rounds.pop(event.dice_set, None)
    state.dice_rounds[event.dice_set] = (state.round + 1, None)
    state.dice_set = event.dice_set
    if len(state.dice_rounds) > DICE_SETS_KEPT:
        del state.dice_rounds[next(iter(state.dice_rounds))]


def _checked(state: TableState, event: e.ChecksRecorded) -> None:
    state.checks |= frozenset(event.checks)


def _opened(state: TableState, _: e.TableOpened) -> None:
    state.phase = Phase.READY
    state.notice_given = False
    if state.felt is not None:
        table_opened(state)


def _notice(state: TableState, _: e.NoticeGiven) -> None:
    state.notice_given = True


def _closed(state: TableState, _: e.TableClosed) -> None:
    state.phase = Phase.CLOSED
    state.checks = frozenset()


def _stopped(state: TableState, event: e.TableStopped) -> None:
    state.stopped = event.clause


def _going_on(state: TableState, _: TableEvent) -> None:
    state.stopped = None


# --- the round -----------------------------------------------------------------------------------


def _started(state: TableState, event: e.RoundStarted) -> None:
    state.round = event.round
    state.phase = Phase.TUMBLED
    state.tumbled = False
    state.echo = ()
    state.reported = {}
    state.faces = None
    state.placements = 0


def _bets_opened(state: TableState, _: e.BetsOpened) -> None:
    state.phase = Phase.BETTING


def _tumbled(state: TableState, _: e.TumbleRecorded) -> None:
    state.tumbled = True


def _bets_closed(state: TableState, event: e.BetsClosed) -> None:
    state.phase = Phase.NO_MORE_BETS
    for terminal, box, amount in event.rejected:
        take_off(state, terminal, box, amount)
    for terminal in {terminal for terminal, _, _ in event.rejected}:
        assert_books(state, terminal, state.terminals[terminal])


def _pressed(state: TableState, event: e.FacePressed) -> None:
    state.echo = (*state.echo[-2:], event.face)


def _reported(state: TableState, event: e.ResultReported) -> None:
    state.reported[event.source] = event.faces


def _disagreed(state: TableState, _: e.ResultsDisagreed) -> None:
    state.waiting = True


def _entered(state: TableState, event: e.ResultEntered) -> None:
    state.faces = event.faces
    state.phase = Phase.RESULT
    state.waiting = False
    if state.chain is not None:
        state.chain.shown = event.faces


def _confirmed(state: TableState, _: e.ResultConfirmed) -> None:
    state.phase = Phase.CONFIRMED


def _amended(state: TableState, event: e.ResultAmended) -> None:
    state.faces = event.faces
    state.phase = Phase.RESULT


def _irregular(state: TableState, event: e.IrregularityReported) -> None:
    if event.in_doubt:
        state.in_doubt = event.code


def _interrupted(state: TableState, event: e.InterruptionRecorded) -> None:
    if event.ruling == "wait":
        state.waiting = True


def _settled(state: TableState, event: e.RoundSettled) -> None:
    idle: dict[str, int] = {}
    for part in event.playing:
        idle[part.terminal] = idle.get(part.terminal, 0) + part.stake - part.playing
    turnover = state.live - sum(idle.values())
    for name in ("table", f"dealer:{event.by}"):
        add_to(meter_of(state, name), turnover, event.collected, event.paid)
    meter_kinds(state, event)
    played = sums_by_terminal(event.lines)
    for terminal, stake, won, back in played:
        state.terminals[terminal].back += back
        own = stake - idle.get(terminal, 0)
        add_to(meter_of(state, f"terminal:{terminal}"), own, stake + won - back, won)
    rules, version = rules_of(state), state.version
    record = RoundRecord(event.round, event.faces, event.lines, False, rules, version)
    _end_round(state, record)
    if state.felt is not None:
        round_settled(state, event)
        assert_rack(state)
    for terminal, *_ in played:
        assert_books(state, terminal, state.terminals[terminal])


def _voided(state: TableState, event: e.RoundVoided) -> None:
    for line in event.returned:
        state.terminals[line.terminal].staked -= line.stake
        for name in ("table", f"terminal:{line.terminal}"):
            meter_of(state, name).voided += line.stake
    _end_round(state, RoundRecord(event.round, None, (), True, rules_of(state), state.version))
    if state.felt is not None:
        round_voided(state)


def _end_round(state: TableState, record: RoundRecord) -> None:
    for seat in state.terminals.values():
        if seat.bets:
            seat.bets = {}
            seat.placed = {}
    state.lying = {}
    state.live = 0
    state.round = record.number
    state.phase = Phase.READY
    state.tumbled = False
    state.in_doubt = None
    state.waiting = False
    state.faces = None
    state.history[record.number] = record
    state.history_lines += len(record.lines)
    while len(state.history) > HISTORY_ROUNDS or (
        state.history_lines > HISTORY_LINES and len(state.history) > 1
    ):
        oldest = state.history.pop(next(iter(state.history)))
        state.history_lines -= len(oldest.lines)


def _chain_published(state: TableState, event: e.ChainPublished) -> None:
    state.chain = Chain(
        commitment=event.commitment,
        length=event.length,
        sealed=event.sealed,
        first=event.first,
        link=event.commitment,
    )


def _revealed(state: TableState, event: e.SecretRevealed) -> None:
    assert state.chain is not None, "a secret is revealed of a chain that was published"
    state.chain.link = event.secret
    state.chain.revealed += 1
    state.chain.shown = None
    # The newest round is always among those that are kept.
    state.history[event.round].drawn = event.drawn


def _abandoned(state: TableState, _: e.ChainAbandoned) -> None:
    assert state.chain is not None, "a chain is abandoned that was published"
    state.chain.last = state.round


# --- bets ----------------------------------------------------------------------------------------


def _registered(state: TableState, event: e.BetsRegistered) -> None:
    name = event.terminal
    seat = state.terminals[name]
    for bet in event.bets:
        box, stake = bet.box, bet.stake
        seat.bets[box] = seat.bets.get(box, 0) + stake
        if box in state.sides:
            seat.placed.setdefault(box, []).append((state.placements, stake))
        state.lying[box] = state.lying.get(box, 0) + stake
        state.placements += 1
        state.live += stake
        seat.staked += stake
    balances = state.ledger.balances
    assert balances[stakes_of(name)] == sum(seat.bets.values()), "stakes are what lies there"
    assert_books(state, name, seat)


def _withdrawn(state: TableState, event: e.BetsWithdrawn) -> None:
    for bet in event.bets:
        take_off(state, event.terminal, bet.box, bet.stake)
    assert_books(state, event.terminal, state.terminals[event.terminal])


# --- approvals ----------------------------------------------------------------------------------


def _declined(state: TableState, event: e.CommandDeclined) -> None:
    if event.lifts_doubt:
        state.in_doubt = None


def _requested(state: TableState, event: e.ApprovalRequested) -> None:
    state.pending = Pending(event.pending, event.order, event.at, state.version)


def _nothing(_: TableState, __: TableEvent) -> None:
    """Leave the state as it is: the event is for the record."""


_APPLY: dict[type[Event], Callable[[TableState, Any], None]] = {
    e.BetsRegistered: _registered,
    e.BetsWithdrawn: _withdrawn,
    e.TableCreated: _created,
    e.TerminalEnrolled: _enrolled,
    e.RulebookAdopted: _adopted,
    e.LimitsSet: _limits_set,
    e.DiceRegistered: _dice,
    e.ChecksRecorded: _checked,
    e.TableOpened: _opened,
    e.NoticeGiven: _notice,
    e.TableClosed: _closed,
    e.RoundStarted: _started,
    e.BetsOpened: _bets_opened,
    e.TumbleRecorded: _tumbled,
    e.BetsClosed: _bets_closed,
    e.FacePressed: _pressed,
    e.ResultReported: _reported,
    e.ResultsDisagreed: _disagreed,
    e.ResultEntered: _entered,
    e.ResultConfirmed: _confirmed,
    e.ResultAmended: _amended,
    e.RoundSettled: _settled,
    e.RoundVoided: _voided,
    e.ChainPublished: _chain_published,
    e.SecretRevealed: _revealed,
    e.ChainAbandoned: _abandoned,
    e.IrregularityReported: _irregular,
    e.InterruptionRecorded: _interrupted,
    e.TableStopped: _stopped,
    e.TableRectified: _going_on,
    e.SafeProcedureDeclared: _going_on,
    e.RoundsReversed: rounds_reversed,
    e.RoundResettled: round_resettled,
    e.RulingRecorded: ruling_recorded,
    e.CreditsReceived: credits_received,
    e.CashedOut: cashed_out,
    e.SessionEnded: session_ended,
    e.TransitClosed: transit_closed,
    e.TerminalLost: terminal_lost,
    e.TerminalRestored: terminal_restored,
    e.OwnLimitsSet: own_limits_set,
    e.TerminalBarred: terminal_barred,
    e.BarLifted: bar_lifted,
    e.TerminalLocked: terminal_locked,
    e.LockCleared: lock_cleared,
    e.ApprovalRequested: _requested,
    e.CommandApproved: _nothing,
    e.CommandDeclined: _declined,
    **dict.fromkeys(APPLY_FELT, evolve_felt),
}

"""Bets from terminals: placed, added to, withdrawn, cleared, returned when a round is void.

A batch is registered as a whole or not at all.
"""

from collections.abc import Sequence

from taisai.core.kernel.ledger import credits_of, stakes_of
from taisai.core.kernel.messages import (
    Actor,
    BoxStake,
    Command,
    Decision,
    Event,
    Instant,
    Posting,
    SettledLine,
)
from taisai.core.kernel.names import acts_for_itself
from taisai.core.kernel.registry import TABLE, TERMINALS, applies, command, decides, event, posts
from taisai.core.kernel.roles import PLACING
from taisai.core.rules.bets import bet_refusal
from taisai.core.rules.limit_checks import change_refusal
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.chips.pieces import CollectedChips
from taisai.core.table.positions import assert_books, meters_with, put_on, stake_back, take_off
from taisai.core.table.state import (
    Phase,
    Position,
    RoundRecord,
    TableState,
    clause_for,
    end_round,
    ground_of,
    in_force,
    limits_in_force,
    not_playing,
    pay_table_in_force,
    rules_of,
    ruling_on,
)

#: Bound to a name here: looking it up in its class would take a tenth of the time of a bet.
_BETTING = Phase.BETTING
#: A layout has 107 boxes at most; nobody needs more in one batch.
BATCH_MAX = 200


@command(at=TERMINALS, by=("terminal", *PLACING))
class PlaceBets(Command, frozen=True):
    terminal: str
    bets: tuple[BoxStake, ...]
    #: With a round it is for that one alone, however late it arrives.
    round: int | None = None


@command(at=TERMINALS, by=("terminal", *PLACING))
class WithdrawBets(Command, frozen=True):
    terminal: str
    bets: tuple[BoxStake, ...]
    round: int | None = None


@command(at=TERMINALS, by=("terminal", *PLACING))
class ClearBets(Command, frozen=True):
    terminal: str
    round: int | None = None


@event(at=TERMINALS, routine=True, significant=False)
class BetsRegistered(Event, frozen=True):
    terminal: str
    bets: tuple[BoxStake, ...]
    on_behalf_by: str | None = None


@event(at=TERMINALS, routine=True, significant=False)
class BetsWithdrawn(Event, frozen=True):
    terminal: str
    bets: tuple[BoxStake, ...]
    on_behalf_by: str | None = None


@decides
def place_bets(state: TableState, command: PlaceBets, actor: Actor, at: Instant) -> Decision:
    """Register bets: a bet is on the table when the journal holds it, and not before.

    [ts6 3.1, 3.2, 5.7, 5.13; etg8 1.7, 3.1, 3.2, 3.4, 3.5, 5.2.2; div9 4.7, 4.7(a)]
    """
    seat = state.positions.get(command.terminal)
    refusal = _not_taken(state, command, seat, actor)
    if refusal is not None:
        return refusal
    assert seat is not None, "an unknown terminal is refused"
    table, limits = state.pay_table, state.limits
    assert table is not None, "bets are open on a pay table"
    assert limits is not None, "bets are open with limits"
    change = _change(table, command.bets)
    if type(change) is Refusal:
        return change
    held, total = state.ledger.balances.get(credits_of(command.terminal), 0), sum(change.values())
    if seat.failed or seat.barred or seat.locked:
        refusal = _access_refusal(command.terminal, seat)
    if refusal is None:
        refusal = change_refusal(table, limits, state.box_totals, seat.bets, change)
    if refusal is None and total > held:
        refusal = _credit_refusal(held, total)
    if refusal is None and (seat.session_seconds is not None or seat.loss_limit is not None):
        refusal = _own_limits_refusal(seat, held, total, at)
    if refusal is not None:
        return refusal
    # Most batches have each box only once.
    bets = command.bets if len(change) == len(command.bets) else _each_box_once(change)
    return (BetsRegistered(command.terminal, bets, _on_behalf(actor)),)


def _change(table: PayTable, bets: tuple[BoxStake, ...]) -> dict[str, int] | Refusal:
    """Add up a batch by box, and refuse an impossible bet."""
    if not 0 < len(bets) <= BATCH_MAX:
        return refuse("BATCH_SIZE", most=BATCH_MAX)
    change: dict[str, int] = {}
    for bet in bets:
        box, stake = bet.box, bet.stake
        refusal = bet_refusal(table, box, stake)
        if refusal is not None:
            return refusal
        change[box] = change.get(box, 0) + stake
    return change


def _each_box_once(change: dict[str, int]) -> tuple[BoxStake, ...]:
    return tuple(BoxStake(box, stake) for box, stake in change.items())


def _not_taken(
    state: TableState,
    command: PlaceBets | WithdrawBets | ClearBets,
    seat: Position | None,
    actor: Actor,
) -> Refusal | None:
    """Refuse a sender who may not bet here, and any bet at a wrong time."""
    terminal, meant = command.terminal, command.round
    own = seat is not None and seat.connected and not seat.failed and actor.person == terminal
    open_ = state.phase is _BETTING and not state.doubts and not state.waiting
    if own and open_ and actor.role == "terminal" and (meant is None or meant == state.round):
        # Almost every bet takes this path: the reasons to refuse are checked only for the others.
        return None
    return (
        _terminal_refusal(terminal, seat, actor)
        or _lost_refusal(state, terminal, seat, actor)
        or phase_refusal(state)
        or _round_refusal(state, meant)
        or _behalf_refusal(state, actor)
    )


def _terminal_refusal(terminal: str, seat: Position | None, actor: Actor) -> Refusal | None:
    if seat is None:
        return refuse("UNKNOWN_TERMINAL", terminal=terminal[:64])
    if not acts_for_itself(actor, terminal):
        return refuse("NOT_YOUR_TERMINAL", terminal=terminal)
    return None


def _lost_refusal(
    state: TableState, terminal: str, seat: Position | None, actor: Actor
) -> Refusal | None:
    """Refuse a bet that was still on its way from a lost or failed terminal [etg8 5.2.2].

    Staff may still take a bet back for the player; they may place none at a failed terminal.
    """
    if seat is None or actor.role != "terminal" or (seat.connected and not seat.failed):
        return None
    clause = clause_for(state, "terminal-lost-unregistered")
    return refuse("TERMINAL_FAILED" if seat.failed else "TERMINAL_LOST", clause, terminal=terminal)


def phase_refusal(state: TableState) -> Refusal | None:
    """Refuse a bet before the call for bets, and after they are closed."""
    refusal = not_playing(state)
    if refusal is not None or state.phase is Phase.BETTING:
        return refusal
    betting = in_force(state).content.procedure.betting
    if state.phase in (Phase.READY, Phase.TUMBLED):
        return refuse("BETS_NOT_OPEN", betting.opens_clause)
    return refuse("BETS_CLOSED", betting.late_clause)


def _round_refusal(state: TableState, meant: int | None) -> Refusal | None:
    """Refuse a bet for another round: it was still on its way when that round ended."""
    if meant is None or meant == state.round:
        return None
    late = in_force(state).content.procedure.betting.late_clause
    return refuse("OTHER_ROUND", late, round=meant, now=state.round)


def _behalf_refusal(state: TableState, actor: Actor) -> Refusal | None:
    """Staff may bet for a player only where the document provides for it [ts6 5.13]."""
    if actor.role == "terminal" or in_force(state).content.procedure.betting.on_behalf_clause:
        return None
    return refuse("NO_BETS_ON_BEHALF", in_force(state).content.limits.decision)


def _on_behalf(actor: Actor) -> str | None:
    return None if actor.role == "terminal" else actor.person


def _access_refusal(terminal: str, seat: Position) -> Refusal:
    """Refuse a bet from a terminal that is failed, barred or locked."""
    if seat.failed:
        return refuse("TERMINAL_FAILED", terminal=terminal)
    if seat.barred:
        return refuse("TERMINAL_BARRED", terminal=terminal)
    return refuse("TERMINAL_LOCKED", terminal=terminal)


def _credit_refusal(held: int, total: int) -> Refusal | None:
    return refuse("NOT_ENOUGH_CREDITS", credits_cents=held, stake_cents=total)


def _own_limits_refusal(seat: Position, held: int, total: int, at: Instant) -> Refusal | None:
    """Refuse a bet beyond the loss limit or the time that players set for themselves."""
    began, seconds = seat.session_began, seat.session_seconds
    if began is not None and seconds is not None and at - began >= seconds * 1000:
        return refuse("SESSION_OVER", seconds=seconds)
    if seat.loss_limit is not None:
        lost = seat.session_in - held
        if lost + total > seat.loss_limit:
            return refuse("LOSS_LIMIT", limit_cents=seat.loss_limit, at_risk_cents=lost + total)
    return None


@applies
def bets_registered(state: TableState, event: BetsRegistered) -> None:
    name = event.terminal
    seat = state.positions[name]
    for bet in event.bets:
        put_on(state, seat, bet.box, bet.stake)
    assert_books(state, name, seat)


@posts
def _post_registered(event: BetsRegistered) -> tuple[Posting]:
    position = event.terminal
    return (Posting(credits_of(position), stakes_of(position), _sum_of(event.bets)),)


def _sum_of(bets: Sequence[BoxStake]) -> int:
    total = 0
    for bet in bets:
        total += bet.stake
    return total


@decides
def withdraw_bets(state: TableState, command: WithdrawBets, actor: Actor, _at: Instant) -> Decision:
    """Take back bets, or parts of them, while bets are open [ts6 5.7; div9 4.7(b), 4.8]."""
    seat = state.positions.get(command.terminal)
    refusal = _not_taken(state, command, seat, actor)
    if refusal is not None:
        return refusal
    assert seat is not None, "an unknown terminal is refused"
    table = pay_table_in_force(state)
    change = _change(table, command.bets)
    if isinstance(change, Refusal):
        return change
    taken = {box: -stake for box, stake in change.items()}
    refusal = change_refusal(table, limits_in_force(state), state.box_totals, seat.bets, taken)
    if refusal is not None:
        return refusal
    return (BetsWithdrawn(command.terminal, _each_box_once(change), _on_behalf(actor)),)


@decides
def clear_bets(state: TableState, command: ClearBets, actor: Actor, _at: Instant) -> Decision:
    """Take back all bets of a terminal."""
    seat = state.positions.get(command.terminal)
    refusal = _not_taken(state, command, seat, actor)
    if refusal is not None:
        return refusal
    assert seat is not None, "an unknown terminal is refused"
    if not seat.bets:
        return refuse("NO_BETS_PLACED", terminal=command.terminal)
    bets = tuple(BoxStake(box, stake) for box, stake in seat.bets.items())
    return (BetsWithdrawn(command.terminal, bets, _on_behalf(actor)),)


@applies
def bets_withdrawn(state: TableState, event: BetsWithdrawn) -> None:
    for bet in event.bets:
        take_off(state, event.terminal, bet.box, bet.stake)
    assert_books(state, event.terminal, state.positions[event.terminal])


@posts
def _post_withdrawn(event: BetsWithdrawn) -> tuple[Posting]:
    return (stake_back(event.terminal, _sum_of(event.bets)),)


@event(at=TABLE, irregular=True)
class RoundVoided(Event, frozen=True):
    round: int
    code: str
    clause: str
    returned: tuple[SettledLine, ...]
    #: At a chip table, what had been collected and goes back to its boxes [D23].
    put_back: tuple[CollectedChips, ...] = ()


def voided(state: TableState, code: str, number: int | None = None) -> RoundVoided:
    """Void the round under way: every bet of it goes back.

    [ts6 1.9, 5.12; etg8 1.10, 5.9; div9 7.1]
    """
    returned = tuple(
        SettledLine(name, box, stake, 0, stake)
        for name, position in state.positions.items()
        for box, stake in position.bets.items()
    )
    clause = ground_of(state, ruling_on(state, code))
    collected = () if state.chips is None else state.chips.collected
    return RoundVoided(state.round if number is None else number, code, clause, returned, collected)


@applies
def round_voided(state: TableState, event: RoundVoided) -> None:
    for line in event.returned:
        for meter in meters_with(state, state.positions[line.position]):
            meter.voided += line.stake
    end_round(state, RoundRecord(event.round, None, (), True, rules_of(state), state.version))


@posts
def _post_voided(event: RoundVoided) -> list[Posting]:
    return [stake_back(line.position, line.stake) for line in event.returned]

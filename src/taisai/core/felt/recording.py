"""Bets as the dealer reads them on the layout: recorded, read again, taken back, rejected.

Nothing is refused for a limit: the dealer records what lies there, and is shown what is outside the
limits while there is still time to reject it or to advise the player [D4].
"""

from taisai.core.betting import BATCH_MAX, phase_refusal
from taisai.core.chips import Chips, counted, stacked, taken_from, value_chips, value_of
from taisai.core.commands import AdvisePlayer, CorrectRecord, RecordBets, RejectExcess, TakeBackBets
from taisai.core.decision import Decision, in_force, limits_in_force, pay_table_in_force
from taisai.core.events import (
    BetsRecorded,
    BetsTakenBack,
    ExcessRejected,
    PlayerAdvised,
    RecordCorrected,
)
from taisai.core.felt.common import (
    chips_refusal,
    felt_of,
    known_value,
    pieces_of,
    recorded,
    seat_refusal,
    stacks_of,
)
from taisai.core.felt_messages import BoxChips
from taisai.core.messages import Actor
from taisai.core.rules.bets import Bet, box_refusal
from taisai.core.rules.limit_checks import Notice, notices
from taisai.core.rules.limits import off_step
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table_state import TableState

#: What is laid on a stack of such chips lies on it: no layout comes near so many for each player.
STACKS_PER_BOX = 2


def felt_notices(state: TableState) -> list[Notice]:
    """List what the dealer should see before the close: excess to reject, players to advise."""
    bets = [Bet(stack.seat, stack.box, stack.amount) for stack in felt_of(state).lying]
    return notices(pay_table_in_force(state), limits_in_force(state), bets)


def record_bets(state: TableState, command: RecordBets, actor: Actor) -> Decision:
    """Record what a player has put on the layout, on several boxes at once."""
    felt, seat = felt_of(state), command.seat
    refusal = (
        _betting_refusal(state, seat)
        or _spoken_refusal(state, command)
        or _batch_refusal(state, seat, command.bets)
        or _pieces_refusal(state, tuple(bet.chips for bet in command.bets))
    )
    if refusal is not None:
        return refusal
    value = sum(value_chips(bet.chips) for bet in command.bets)
    return (
        BetsRecorded(
            seat=seat,
            bets=tuple(recorded(felt, bet.box, bet.chips) for bet in command.bets),
            brought=max(0, value - known_value(state, seat)),
            by=actor.person,
            oral=command.oral,
            on_behalf=command.on_behalf,
            clause=_spoken_clause(state, command),
        ),
    )


def _betting_refusal(state: TableState, seat: str) -> Refusal | None:
    """Refuse a seat that is empty or was walked away from, and a bet out of time."""
    refusal = seat_refusal(state, seat) or phase_refusal(state)
    if refusal is not None:
        return refusal
    return refuse("SEAT_EMPTY", seat=seat) if felt_of(state).seated[seat] else None


def _spoken_refusal(state: TableState, command: RecordBets) -> Refusal | None:
    """Take a spoken bet, or one on a player's behalf, only where the document does."""
    betting, limits = in_force(state).content.procedure.betting, in_force(state).content.limits
    if command.oral and betting.oral_clause is None:
        return refuse("NO_ORAL_BETS", betting.on_behalf_clause or limits.decision)
    if command.oral and not any(bet.chips for bet in command.bets):
        return refuse("CHIPS_FIRST", betting.oral_clause)
    if command.on_behalf and betting.on_behalf_clause is None:
        return refuse("NO_BETS_ON_BEHALF", limits.decision)
    return None


def _spoken_clause(state: TableState, command: RecordBets) -> str | None:
    betting = in_force(state).content.procedure.betting
    if command.oral:
        return betting.oral_clause
    return betting.on_behalf_clause if command.on_behalf else None


def _batch_refusal(state: TableState, seat: str, bets: tuple[BoxChips, ...]) -> Refusal | None:
    if not 0 < len(bets) <= BATCH_MAX:
        return refuse("BATCH_SIZE", most=BATCH_MAX)
    table, felt = pay_table_in_force(state), felt_of(state)
    most = STACKS_PER_BOX * felt.chips.seats * len(table.boxes)
    if len(felt.lying) + len(bets) > most:
        return refuse("TOO_MANY_STACKS", most=most)
    for bet in bets:
        refusal = box_refusal(table, bet.box) or _stack_refusal(state, seat, bet.box, bet.chips)
        if refusal is not None:
            return refusal
    return None


def _stack_refusal(state: TableState, seat: str, box: str, chips: Chips) -> Refusal | None:
    """Refuse chips that cannot lie there: none, unknown, somebody else's, or off the step."""
    felt = felt_of(state)
    refusal = chips_refusal(felt, chips, seat)
    if refusal is not None or not chips:
        return refusal or refuse("BAD_CHIPS")
    amount, step = value_of(chips, felt.marked), limits_in_force(state).step
    return off_step(box, amount, step) if amount % step else None


def _pieces_refusal(state: TableState, stacks: tuple[Chips, ...]) -> Refusal | None:
    """Refuse more pieces of a colour than the player has in front of them."""
    felt = felt_of(state)
    for colour, count in pieces_of(stacks).items():
        held = felt.in_front(colour)
        if count > held:
            return refuse("COLOUR_SHORT", colour=colour, count=held)
    return None


def correct_record(state: TableState, command: CorrectRecord, actor: Actor) -> Decision:
    """Record anew what one player has on one box, before the close only."""
    felt, seat, box = felt_of(state), command.seat, command.box
    refusal = (
        _betting_refusal(state, seat)
        or box_refusal(pay_table_in_force(state), box)
        or (_stack_refusal(state, seat, box, command.chips) if command.chips else None)
    )
    if refusal is not None:
        return refusal
    if not command.note.strip():
        return refuse("NOTE_MISSING")
    before, after = stacks_of(felt, seat, box), command.chips
    if not before:
        return refuse("NO_SUCH_STACK", seat=seat, box=box)
    more = pieces_of([after])
    lay = pieces_of([before])
    for colour, count in more.items():
        held = felt.in_front(colour) + lay.get(colour, 0)
        if count > held:
            return refuse("COLOUR_SHORT", colour=colour, count=held)
    old, new = (
        recorded(felt, box, stacked(counted(before), felt.marked)),
        recorded(felt, box, after),
    )
    known = known_value(state, seat) + value_chips(before)
    brought = max(0, value_chips(after) - known)
    return (RecordCorrected(seat, old, new, brought, command.note, actor.person),)


def take_back_bets(state: TableState, command: TakeBackBets, actor: Actor) -> Decision:
    """Give back what a player withdraws before the close."""
    felt, seat = felt_of(state), command.seat
    refusal = _betting_refusal(state, seat)
    if refusal is not None:
        return refusal
    if not 0 < len(command.bets) <= BATCH_MAX or len({bet.box for bet in command.bets}) < len(
        command.bets
    ):
        return refuse("BATCH_SIZE", most=BATCH_MAX)
    for bet in command.bets:
        refusal = held_refusal(state, seat, bet.box, bet.chips)
        if refusal is not None:
            return refusal
    bets = tuple(recorded(felt, bet.box, bet.chips) for bet in command.bets)
    return (BetsTakenBack(seat, bets, actor.person),)


def held_refusal(state: TableState, seat: str, box: str, chips: Chips) -> Refusal | None:
    """Refuse to take chips off a box that do not lie there, or that leave it off the step."""
    refusal = box_refusal(pay_table_in_force(state), box) or _stack_refusal(state, seat, box, chips)
    if refusal is not None:
        return refusal
    if taken_from(stacks_of(felt_of(state), seat, box), chips) is None:
        return refuse("NO_SUCH_STACK", seat=seat, box=box)
    return None


def reject_excess(state: TableState, command: RejectExcess, actor: Actor) -> Decision:
    """Reject what lies beyond a limit, noticed before the close [ts6 5.1]."""
    felt, seat, box = felt_of(state), command.seat, command.box
    refusal = (
        seat_refusal(state, seat)
        or phase_refusal(state)
        or held_refusal(state, seat, box, command.chips)
    )
    if refusal is not None:
        return refusal
    over = [
        notice
        for notice in felt_notices(state)
        if notice.box == box
        and notice.player in (None, seat)
        and notice.reason.code != "BELOW_MINIMUM"
    ]
    if not over:
        return refuse("NOT_IN_EXCESS", box=box)
    most = max(notice.amount for notice in over)
    bet = recorded(felt, box, command.chips)
    if bet.amount > most:
        return refuse("MORE_THAN_EXCESS", over[0].clause, box=box, over_cents=most)
    return (ExcessRejected(seat, bet, over[0].clause, actor.person),)


def advise_player(state: TableState, command: AdvisePlayer, actor: Actor) -> Decision:
    """Tell a player that a bet does not meet the minimum, noticed before the close [ts6 5.2]."""
    refusal = seat_refusal(state, command.seat) or phase_refusal(state)
    if refusal is not None:
        return refusal
    where = (command.seat, command.box)
    for notice in felt_notices(state):
        if (notice.player, notice.box) == where and notice.reason.code == "BELOW_MINIMUM":
            return (PlayerAdvised(command.seat, command.box, notice.clause, actor.person),)
    refusal = box_refusal(pay_table_in_force(state), command.box)
    return refusal or refuse("NOT_UNDER_MINIMUM", seat=command.seat, box=command.box)

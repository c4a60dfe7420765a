"""Seats and value chips: taken, bought for, exchanged at the change block, left, walked away from.

What is known to be in front of a player is what passed through the dealer's hands; chips may come
out of a pocket at any time, and are entered as brought when they are first bet or changed.
"""

from taisai.core.accounts import credits_of
from taisai.core.chips import value_of
from taisai.core.commands import BuyChips, ExchangeChips, LeaveSeat, PayKept, TakeSeat
from taisai.core.decision import NAME_MAX, Decision, clause_for
from taisai.core.events import (
    ChipsBought,
    ChipsExchanged,
    KeptPaid,
    MoneyKept,
    PlayerWalkedAway,
    SeatLeft,
    SeatTaken,
    TableEvent,
)
from taisai.core.felt.common import (
    closed_refusal,
    felt_of,
    known_value,
    paying_refusal,
    rack_refusal,
    recovery_refusal,
    seat_refusal,
    value_only_refusal,
)
from taisai.core.messages import Actor
from taisai.core.rules.money import is_amount
from taisai.core.rules.reason import Refusal, printable, refuse
from taisai.core.table_state import TableState


def take_seat(state: TableState, command: TakeSeat) -> Decision:
    """Let a player sit down; seats are numbered from one."""
    felt = felt_of(state)
    refusal = closed_refusal(state)
    if refusal is not None:
        return refusal
    if command.seat not in {str(number) for number in range(1, felt.chips.seats + 1)}:
        return refuse("UNKNOWN_SEAT", seat=printable(command.seat[:NAME_MAX]))
    if command.seat in felt.seated:
        return refuse("SEAT_TAKEN", seat=command.seat)
    return (SeatTaken(command.seat),)


def leave_seat(state: TableState, command: LeaveSeat) -> Decision:
    """Let a player go: with chips in hand, or away from bets that are settled all the same."""
    felt, seat = felt_of(state), command.seat
    refusal = seat_refusal(state, seat) or paying_refusal(state)
    if refusal is not None:
        return refusal
    if felt.seated[seat]:
        return refuse("SEAT_EMPTY", seat=seat)
    refusal = recovery_refusal(state, seat)
    if refusal is not None:
        return refusal
    if state.terminals[seat].bets:
        taken = known_value(state, seat)
        return (PlayerWalkedAway(seat, taken, clause_for(state, "walked-away")),)
    colour = felt.colour_of(seat)
    if colour is not None and felt.colours[colour].out:
        return refuse("COLOUR_OUT", colour=colour, count=felt.colours[colour].out)
    return (SeatLeft(seat, state.ledger.balance(credits_of(seat))),)


def buy_chips(state: TableState, command: BuyChips, actor: Actor) -> Decision:
    """Sell value chips out of the rack; cash and chips for value go into the drop box."""
    felt = felt_of(state)
    refusal = (
        seat_refusal(state, command.seat)
        or closed_refusal(state)
        or paying_refusal(state)
        or _paid_refusal(command.cash, command.dropped)
        or value_only_refusal(felt, command.chips)
    )
    if refusal is not None:
        return refusal
    paid, bought = command.cash + command.dropped, value_of(command.chips, {})
    if paid != bought:
        return refuse("CHIPS_DIFFER", given_cents=paid, taken_cents=bought)
    refusal = rack_refusal(felt, command.chips)
    if refusal is not None:
        return refusal
    return (ChipsBought(command.seat, command.chips, command.cash, command.dropped, actor.person),)


def _paid_refusal(*amounts: int) -> Refusal | None:
    wrong = [amount for amount in amounts if not is_amount(amount)]
    return refuse("BAD_AMOUNT", amount=str(wrong[0])[:40]) if wrong else None


def exchange_chips(state: TableState, command: ExchangeChips, actor: Actor) -> Decision:
    """Change value chips for others of the same worth at the change block [div9 3.4(c)]."""
    felt, seat = felt_of(state), command.seat
    refusal = (
        seat_refusal(state, seat)
        or paying_refusal(state)
        or value_only_refusal(felt, command.given)
        or value_only_refusal(felt, command.taken)
    )
    if refusal is not None:
        return refusal
    given, taken = value_of(command.given, {}), value_of(command.taken, {})
    if given != taken:
        return refuse("CHIPS_DIFFER", given_cents=given, taken_cents=taken)
    refusal = rack_refusal(felt, command.taken)
    if refusal is not None:
        return refusal
    brought = max(0, given - known_value(state, seat))
    return (ChipsExchanged(seat, command.given, command.taken, brought, actor.person),)


def keep_money(state: TableState) -> tuple[TableEvent, ...]:
    """Set aside what became of the bets of players who walked away [ts6 5.3]."""
    felt = felt_of(state)
    events: list[TableEvent] = []
    for seat, walked in felt.seated.items():
        held = state.ledger.balance(credits_of(seat))
        if walked and held:
            events.append(MoneyKept(seat, f"{seat}@{state.round}", held))
        elif walked:
            events.append(SeatLeft(seat, 0))
    return tuple(events)


def pay_kept(state: TableState, command: PayKept, actor: Actor) -> Decision:
    """Hand out what was kept for a player, who has come back for it."""
    held = felt_of(state).kept.get(command.kept)
    if held is None:
        return refuse("UNKNOWN_KEPT", kept=printable(command.kept[:NAME_MAX]))
    return (KeptPaid(command.kept, held, actor.person),)

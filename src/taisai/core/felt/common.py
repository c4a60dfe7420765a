"""What the decisions of a felt table look up: seats, stacks, what is known to lie in front."""

from collections.abc import Iterable

from taisai.core.accounts import credits_of
from taisai.core.chips import Chips, are_pieces, coloured, value_of
from taisai.core.decision import NAME_MAX, in_force
from taisai.core.felt_messages import RecordedBet
from taisai.core.felt_state import Felt
from taisai.core.rules.reason import Refusal, printable, refuse
from taisai.core.table_state import Phase, TableState


def felt_of(state: TableState) -> Felt:
    """Give what a felt table keeps; nobody else is asked for it."""
    assert state.felt is not None, "a felt table has a felt"
    return state.felt


def seat_refusal(state: TableState, seat: str) -> Refusal | None:
    """Refuse a seat at which nobody sits."""
    if seat in felt_of(state).seated:
        return None
    return refuse("SEAT_EMPTY", seat=printable(seat[:NAME_MAX]))


def closed_refusal(state: TableState) -> Refusal | None:
    """Refuse what is done at an open table alone."""
    return refuse("TABLE_CLOSED") if state.phase is Phase.CLOSED else None


def paying_refusal(state: TableState) -> Refusal | None:
    """Refuse everything else with chips until all winning bets are paid [div9 4.4]."""
    if not felt_of(state).paying:
        return None
    betting = in_force(state).content.procedure.betting
    return refuse("WINNERS_FIRST", betting.after_payment_clause or betting.opens_clause)


def recovery_refusal(state: TableState, seat: str | None = None) -> Refusal | None:
    """Refuse to go on, or to let a player go, until it is said what a reversal could get back."""
    owing = next((name for name in felt_of(state).recovering if seat in (None, name)), None)
    return None if owing is None else refuse("RECOVERY_FIRST", seat=owing)


def unpaid_to(state: TableState, seat: str) -> int:
    """Tell what a player is to get off the layout, while it is collected and paid."""
    if not felt_of(state).paying:
        return 0
    lines = state.history[state.round].lines
    return sum(line.back for line in lines if line.terminal == seat)


def chips_refusal(felt: Felt, chips: Chips, seat: str | None = None) -> Refusal | None:
    """Refuse chips that this table does not have, or a colour that is not the player's own."""
    if not are_pieces(chips):
        return refuse("BAD_CHIPS")
    for each in chips:
        if isinstance(each.chip, int):
            if each.chip not in felt.chips.values:
                return refuse("UNKNOWN_CHIP", chip=str(each.chip)[:40])
        elif each.chip not in felt.colours or felt.colours[each.chip].seat != seat:
            return refuse("COLOUR_NOT_YOURS", colour=printable(each.chip[:NAME_MAX]))
    return None


def value_only_refusal(felt: Felt, chips: Chips) -> Refusal | None:
    """Refuse anything but value chips, and none at all."""
    return chips_refusal(felt, chips) or (None if chips else refuse("BAD_CHIPS"))


def rack_refusal(felt: Felt, chips: Chips) -> Refusal | None:
    """Refuse to hand out value chips that the rack does not have."""
    for each in chips:
        if isinstance(each.chip, int) and felt.rack.get(each.chip, 0) < each.count:
            return refuse("RACK_SHORT", amount_cents=each.chip * each.count)
    return None


def known_value(state: TableState, seat: str) -> int:
    """Tell what value chips are known to be in front of a player."""
    return state.ledger.balance(credits_of(seat)) - felt_of(state).coloured_in_front(seat)


def recorded(felt: Felt, box: str, chips: Chips) -> RecordedBet:
    """Write down chips on a box with what they are worth at the values marked."""
    return RecordedBet(box, value_of(chips, felt.marked), chips)


def stacks_of(felt: Felt, seat: str, box: str) -> Chips:
    """Give all that one player has on one box, stack by stack."""
    return tuple(
        each
        for stack in felt.lying
        if (stack.seat, stack.box) == (seat, box)
        for each in stack.chips
    )


def own_stacks_of(felt: Felt, seat: str, box: str) -> Chips:
    """Give what one player has put on one box without the dealer's help."""
    return tuple(
        each
        for stack in felt.lying
        if (stack.seat, stack.box) == (seat, box) and not stack.called
        for each in stack.chips
    )


def pieces_of(stacks: Iterable[Chips]) -> dict[str, int]:
    """Count the coloured pieces of several stacks."""
    counts: dict[str, int] = {}
    for chips in stacks:
        for colour, count in coloured(chips).items():
            counts[colour] = counts.get(colour, 0) + count
    return counts

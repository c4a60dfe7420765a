"""Seats and value chips: seats taken and left, chips bought and exchanged at the change block.

The chips known to be in front of a player are those that the dealer handled; chips may come out of
a pocket at any time, and are entered as brought when they are first bet or changed.
"""

from collections.abc import Iterable, Iterator

from taisai.core.kernel.ledger import DROP, FLOOR, HOUSE, PATRONS, credits_of, unclaimed_by
from taisai.core.kernel.messages import (
    Actor,
    Command,
    Decision,
    Event,
    Instant,
    Posting,
    SettledLine,
)
from taisai.core.kernel.name_profile import NAME_MAX
from taisai.core.kernel.registry import CHIP_TABLE, applies, command, decides, event, posts
from taisai.core.kernel.roles import PLACING
from taisai.core.rules.money import is_amount
from taisai.core.rules.reason import Refusal, printable, refuse
from taisai.core.table.chips.pieces import (
    Chips,
    Pieces,
    RecordedBet,
    are_pieces,
    coloured,
    value_of,
)
from taisai.core.table.chips.state import (
    ChipTable,
    move,
    nothing_owed,
    put_in,
    take_out,
)
from taisai.core.table.positions import begin_session, meters_with, newest_session
from taisai.core.table.state import (
    Phase,
    Position,
    TableState,
    chip_table_of,
    in_force,
)


@command(at=CHIP_TABLE, by=PLACING)
class TakeSeat(Command, frozen=True):
    seat: str


@event(at=CHIP_TABLE, routine=True, significant=False, posts=False, shown=True)
class SeatTaken(Event, frozen=True):
    seat: str


@decides
def take_seat(state: TableState, command: TakeSeat, _actor: Actor, _at: Instant) -> Decision:
    """Let a player sit down; seats are numbered from one."""
    chip_table = chip_table_of(state)
    refusal = closed_refusal(state)
    if refusal is not None:
        return refusal
    if command.seat not in {str(number) for number in range(1, chip_table.chip_set.seats + 1)}:
        return refuse("UNKNOWN_SEAT", seat=printable(command.seat[:NAME_MAX]))
    if command.seat in chip_table.seated:
        return refuse("SEAT_TAKEN", seat=command.seat)
    return (SeatTaken(command.seat),)


def closed_refusal(state: TableState) -> Refusal | None:
    """Refuse a command that needs an open table."""
    return refuse("TABLE_CLOSED") if state.phase is Phase.CLOSED else None


@applies
def seat_taken(state: TableState, event: SeatTaken) -> None:
    chip_table_of(state).seated[event.seat] = False
    if event.seat not in state.positions:
        state.positions[event.seat] = Position(place=f"seat {event.seat}")
    begin_session(state, event.seat)


@event(at=CHIP_TABLE, routine=True, significant=False, shown=True)
class SeatLeft(Event, frozen=True):
    """A player has left with the chips in front of them, which are no longer the table's affair."""

    seat: str
    taken: int


@event(at=CHIP_TABLE, routine=True)
class PlayerWalkedAway(Event, frozen=True):
    """A player left while their bets were on the layout: they are settled all the same."""

    seat: str
    taken: int
    clause: str | None


@event(at=CHIP_TABLE)
class UnclaimedSetAside(Event, frozen=True):
    """What became of the bets of a player who walked away is set aside for them."""

    seat: str
    session: str
    amount: int


def seat_refusal(state: TableState, seat: str) -> Refusal | None:
    """Refuse an empty seat."""
    if seat in chip_table_of(state).seated:
        return None
    return refuse("SEAT_EMPTY", seat=printable(seat[:NAME_MAX]))


def paying_refusal(state: TableState) -> Refusal | None:
    """Refuse, between collecting and paying, a command that changes the rack [div9 4.4]."""
    if not chip_table_of(state).paying:
        return None
    betting = in_force(state).content.procedure.betting
    return refuse("WINNERS_FIRST", betting.after_payment_clause or betting.opens_clause)


def recovery_refusal(state: TableState, seat: str | None = None) -> Refusal | None:
    """Refuse to go on, or to let a player leave, before a reversal's recovery is entered [D8]."""
    owed = {} if state.chips is None else state.chips.recovering
    owing = next((name for name in owed if seat in (None, name)), None)
    return None if owing is None else refuse("RECOVERY_FIRST", seat=owing)


def known_value(state: TableState, seat: str) -> int:
    """Give the worth of the value chips known to be in front of a player."""
    return state.ledger.balance(credits_of(seat)) - chip_table_of(state).coloured_in_front(seat)


@applies
def seat_left(state: TableState, event: SeatLeft) -> None:
    _paid_out(state, event.seat, event.taken)
    _is_gone(state, event.seat)


def _paid_out(state: TableState, seat: str, amount: int) -> None:
    for meter in meters_with(state, state.positions[seat]):
        meter.out += amount


def _is_gone(state: TableState, seat: str) -> None:
    chip_table = chip_table_of(state)
    colour = chip_table.colour_of(seat)
    if colour is not None:
        del chip_table.colours[colour]
    del chip_table.seated[seat]
    nothing_owed(chip_table, seat)


@applies
def player_walked_away(state: TableState, event: PlayerWalkedAway) -> None:
    _paid_out(state, event.seat, event.taken)
    chip_table_of(state).seated[event.seat] = True


@posts
def _post_player_walked_away(event: SeatLeft | PlayerWalkedAway) -> Iterator[Posting]:
    yield Posting(credits_of(event.seat), FLOOR, event.taken)


@applies
def unclaimed_set_aside(state: TableState, event: UnclaimedSetAside) -> None:
    """Set aside value chips; coloured chips go back to the rack in exchange."""
    chip_table = chip_table_of(state)
    colour = chip_table.colour_of(event.seat)
    if colour is not None:
        own = chip_table.colours[colour]
        worth = own.out * own.value
        own.out = 0
        move(chip_table, -worth)
    _paid_out(state, event.seat, event.amount)
    _is_gone(state, event.seat)


@posts
def _post_unclaimed_set_aside(event: UnclaimedSetAside) -> Iterator[Posting]:
    yield Posting(credits_of(event.seat), unclaimed_by(event.session), event.amount)


@command(at=CHIP_TABLE, by=PLACING)
class BuyChips(Command, frozen=True):
    """Buy value chips for cash, or for chips for value, which both go into the drop box."""

    seat: str
    chips: Chips
    cash: int
    dropped: int = 0


@event(at=CHIP_TABLE, routine=True, significant=False)
class ChipsBought(Event, frozen=True):
    seat: str
    chips: Chips
    cash: int
    dropped: int
    by: str


@decides
def buy_chips(state: TableState, command: BuyChips, actor: Actor, _at: Instant) -> Decision:
    """Sell value chips out of the rack; cash and chips for value go into the drop box."""
    chip_table = chip_table_of(state)
    refusal = (
        seat_refusal(state, command.seat)
        or closed_refusal(state)
        or paying_refusal(state)
        or _paid_refusal(command.cash, command.dropped)
        or value_only_refusal(chip_table, command.chips)
    )
    if refusal is not None:
        return refusal
    paid, bought = command.cash + command.dropped, value_of(command.chips, {})
    if paid != bought:
        return refuse("CHIPS_DIFFER", given_cents=paid, taken_cents=bought)
    refusal = rack_refusal(chip_table, command.chips)
    if refusal is not None:
        return refusal
    return (ChipsBought(command.seat, command.chips, command.cash, command.dropped, actor.person),)


def value_only_refusal(chip_table: ChipTable, chips: Chips) -> Refusal | None:
    """Refuse anything but value chips, and none at all."""
    return chips_refusal(chip_table, chips) or (None if chips else refuse("BAD_CHIPS"))


def chips_refusal(chip_table: ChipTable, chips: Chips, seat: str | None = None) -> Refusal | None:
    """Refuse chips that this table does not have, or a colour that is not the player's own."""
    if not are_pieces(chips):
        return refuse("BAD_CHIPS")
    for each in chips:
        if isinstance(each.chip, int):
            if each.chip not in chip_table.chip_set.values:
                return refuse("UNKNOWN_CHIP", chip=str(each.chip)[:40])
        elif each.chip not in chip_table.colours or chip_table.colours[each.chip].seat != seat:
            return refuse("COLOUR_NOT_YOURS", colour=printable(each.chip[:NAME_MAX]))
    return None


def rack_refusal(chip_table: ChipTable, chips: Chips) -> Refusal | None:
    """Refuse to hand out value chips that the rack does not have."""
    short = missing_in_rack(chip_table, chips)
    return None if short is None else refuse("RACK_SHORT", amount_cents=value_of((short,), {}))


def missing_in_rack(chip_table: ChipTable, chips: Chips) -> Pieces | None:
    """Find the first value chips of which the rack, by the books, does not have so many."""
    rack = chip_table.rack
    wanted = (each for each in chips if isinstance(each.chip, int))
    return next((each for each in wanted if rack.get(int(each.chip), 0) < each.count), None)


def _paid_refusal(*amounts: int) -> Refusal | None:
    wrong = [amount for amount in amounts if not is_amount(amount)]
    return refuse("BAD_AMOUNT", amount=str(wrong[0])[:40]) if wrong else None


@applies
def chips_bought(state: TableState, event: ChipsBought) -> None:
    paid = event.cash + event.dropped
    take_out(chip_table_of(state), event.chips)
    bought_in(state, event.seat, paid)


def bought_in(state: TableState, seat: str, paid: int, brought: int = 0) -> None:
    """Count what a player paid into the drop box, or brought as chips."""
    position = state.positions[seat]
    position.brought += brought
    for meter in meters_with(state, position):
        meter.drop += paid


@posts
def _post_chips_bought(event: ChipsBought) -> Iterator[Posting]:
    """Put what was paid into the drop box; the chips come out of the rack."""
    yield Posting(PATRONS, DROP, event.cash)
    yield Posting(FLOOR, DROP, event.dropped)
    yield Posting(HOUSE, credits_of(event.seat), event.cash + event.dropped)


@command(at=CHIP_TABLE, by=PLACING)
class ExchangeChips(Command, frozen=True):
    """Change chips at the change block."""

    seat: str
    given: Chips
    taken: Chips


@event(at=CHIP_TABLE, routine=True, significant=False)
class ChipsExchanged(Event, frozen=True):
    """Chips changed at the change block; `brought` was not known to be in front of the player."""

    seat: str
    given: Chips
    taken: Chips
    brought: int
    by: str


@decides
def exchange_chips(
    state: TableState, command: ExchangeChips, actor: Actor, _at: Instant
) -> Decision:
    """Change value chips for others of the same worth at the change block [div9 3.4(c)].

    Not at a closed table, whose rack is to be counted [D14].
    """
    chip_table, seat = chip_table_of(state), command.seat
    refusal = (
        seat_refusal(state, seat)
        or closed_refusal(state)
        or paying_refusal(state)
        or value_only_refusal(chip_table, command.given)
        or value_only_refusal(chip_table, command.taken)
    )
    if refusal is not None:
        return refusal
    given, taken = value_of(command.given, {}), value_of(command.taken, {})
    if given != taken:
        return refuse("CHIPS_DIFFER", given_cents=given, taken_cents=taken)
    refusal = rack_refusal(chip_table, command.taken)
    if refusal is not None:
        return refusal
    brought = max(0, given - known_value(state, seat))
    return (ChipsExchanged(seat, command.given, command.taken, brought, actor.person),)


@applies
def chips_exchanged(state: TableState, event: ChipsExchanged) -> None:
    chip_table = chip_table_of(state)
    put_in(chip_table, event.given)
    take_out(chip_table, event.taken)
    bought_in(state, event.seat, 0, event.brought)


@posts
def _post_chips_exchanged(event: ChipsExchanged) -> Iterator[Posting]:
    yield Posting(FLOOR, credits_of(event.seat), event.brought)


def recorded(chip_table: ChipTable, box: str, chips: Chips) -> RecordedBet:
    """Write down chips on a box with what they are worth at the values marked."""
    return RecordedBet(box, value_of(chips, chip_table.marked), chips)


def stacks_of(chip_table: ChipTable, seat: str, box: str, *, called: bool = True) -> Chips:
    """Give what one player has on one box, stack by stack; all, or what no dealer placed."""
    return tuple(
        each
        for stack in chip_table.stacks
        if (stack.seat, stack.box) == (seat, box) and (called or not stack.called)
        for each in stack.chips
    )


def pieces_of(stacks: Iterable[Chips]) -> dict[str, int]:
    """Count the coloured pieces of several stacks."""
    counts: dict[str, int] = {}
    for chips in stacks:
        for colour, count in coloured(chips).items():
            counts[colour] = counts.get(colour, 0) + count
    return counts


def set_aside_unclaimed(
    state: TableState, lines: tuple[SettledLine, ...] = ()
) -> tuple[Event, ...]:
    """Set aside what players who walked away are due from their bets [ts6 5.3].

    `lines` are those of the round that is being paid, and are not yet in the players' credits.
    """
    events: list[Event] = []
    for seat, walked in ({} if state.chips is None else state.chips.seated).items():
        held = state.ledger.balance(credits_of(seat))
        held += sum(line.back for line in lines if line.position == seat)
        if walked and held:
            session = newest_session(state.positions[seat], seat)
            events.append(UnclaimedSetAside(seat, session, held))
        elif walked:
            events.append(SeatLeft(seat, 0))
    return tuple(events)

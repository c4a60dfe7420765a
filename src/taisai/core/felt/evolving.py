"""What the events of a felt table do to its state; the rack is held against the books each time."""

from collections.abc import Callable, Mapping
from typing import Any

from taisai.core import events as e
from taisai.core.books import assert_books, meter_of, take_off
from taisai.core.chips import (
    Chips,
    Pieces,
    counted,
    stacked,
    taken_from,
    value_of,
)
from taisai.core.events import Event, TableEvent
from taisai.core.felt.common import felt_of
from taisai.core.felt.rack import move, put_in, take_out
from taisai.core.felt.reversing import not_recovered, nothing_owed
from taisai.core.felt_messages import RecordedBet
from taisai.core.felt_state import Coloured, Day, Felt, Lying
from taisai.core.gaming_day import expected_in_rack
from taisai.core.messages import Delivery
from taisai.core.table_state import IN_ROUND, TRANSITS_KEPT, TableState, Terminal


def assert_rack(state: TableState) -> None:
    """Assert that the rack holds what the books say, colours and unpaid bets counted in."""
    assert felt_of(state).rack_value == expected_in_rack(state), "the rack does not agree"


# --- seats ---------------------------------------------------------------------------------------


def _seat_taken(state: TableState, event: e.SeatTaken) -> None:
    felt_of(state).seated[event.seat] = False
    if event.seat not in state.terminals:
        state.terminals[event.seat] = Terminal(f"seat {event.seat}")


def _paid_out(state: TableState, seat: str, amount: int) -> None:
    state.terminals[seat].cashed += amount
    for name in ("table", f"terminal:{seat}"):
        meter_of(state, name).out += amount


def _is_gone(state: TableState, seat: str) -> None:
    felt = felt_of(state)
    colour = felt.colour_of(seat)
    if colour is not None:
        del felt.colours[colour]
    del felt.seated[seat]
    nothing_owed(felt, seat)
    # Who leaves during a round has no bets in it: they walk away from those.
    last = state.round - 1 if state.phase in IN_ROUND else state.round
    oldest = next(iter(state.history), 0)
    before = [each for each in felt.left.get(seat, ()) if oldest <= each < last]
    felt.left[seat] = [*before, last]


def _seat_left(state: TableState, event: e.SeatLeft) -> None:
    _paid_out(state, event.seat, event.taken)
    _is_gone(state, event.seat)


def _walked_away(state: TableState, event: e.PlayerWalkedAway) -> None:
    _paid_out(state, event.seat, event.taken)
    felt_of(state).seated[event.seat] = True


def _money_kept(state: TableState, event: e.MoneyKept) -> None:
    """Set aside value chips for what is kept; coloured ones go back to the rack for them."""
    felt = felt_of(state)
    colour = felt.colour_of(event.seat)
    if colour is not None:
        own = felt.colours[colour]
        worth = own.out * own.value
        own.out = 0
        move(felt, -worth)
    _paid_out(state, event.seat, event.amount)
    felt.kept[event.kept] = felt.kept.get(event.kept, 0) + event.amount
    _is_gone(state, event.seat)


def _kept_paid(state: TableState, event: e.KeptPaid) -> None:
    del felt_of(state).kept[event.kept]


def _bought_in(state: TableState, seat: str, amount: int, drop: int) -> None:
    state.terminals[seat].bought += amount
    for name in ("table", f"terminal:{seat}"):
        meter_of(state, name).drop += drop


def _chips_bought(state: TableState, event: e.ChipsBought) -> None:
    paid = event.cash + event.dropped
    take_out(felt_of(state), event.chips)
    _bought_in(state, event.seat, paid, paid)


def _exchanged(state: TableState, event: e.ChipsExchanged) -> None:
    felt = felt_of(state)
    put_in(felt, event.given)
    take_out(felt, event.taken)
    _bought_in(state, event.seat, event.brought, 0)


# --- colours -------------------------------------------------------------------------------------


def _assigned(state: TableState, event: e.ColourAssigned) -> None:
    felt_of(state).colours[event.colour] = Coloured(event.seat, event.value)


def _colour_bought(state: TableState, event: e.ColourBought) -> None:
    felt = felt_of(state)
    put_in(felt, event.given)
    felt.colours[event.colour].out += event.count
    _bought_in(state, event.seat, event.cash + event.brought, event.cash)


def _converted(state: TableState, event: e.ColourConverted) -> None:
    felt = felt_of(state)
    felt.colours[event.colour].out -= event.count
    take_out(felt, event.chips)


def _released(state: TableState, event: e.ColourReleased) -> None:
    felt = felt_of(state)
    del felt.colours[event.colour]
    felt.pieces_taken.pop(event.seat, None)


# --- bets ----------------------------------------------------------------------------------------


def _lay(state: TableState, name: str, bet: RecordedBet, *, oral: bool, on_behalf: bool) -> None:
    seat = state.terminals[name]
    new = Lying(name, bet.box, bet.amount, bet.chips, oral, on_behalf)
    _put_together(felt_of(state), new)
    seat.bets[bet.box] = seat.bets.get(bet.box, 0) + bet.amount
    seat.staked += bet.amount
    if bet.box in state.sides:
        seat.placed.setdefault(bet.box, []).append((state.placements, bet.amount))
    state.lying[bet.box] = state.lying.get(bet.box, 0) + bet.amount
    state.live += bet.amount
    state.placements += 1


def _put_together(felt: Felt, new: Lying) -> None:
    """Lay chips on the player's newest stack of such chips on the box, if it came there likewise.

    So a layout has no more stacks than kinds of chips, however often a bet is added to; and what is
    taken off again, the newest first, leaves the same chips in the same order as if each lay alone.
    """
    for each in new.chips:
        same = _newest_of(felt, new, each.chip)
        if same is not None and (same.oral, same.on_behalf) == (new.oral, new.on_behalf):
            more = value_of((each,), felt.marked)
            same.chips = stacked(counted((*same.chips, each)), felt.marked)
            same.amount += more
            new.amount -= more
            new.chips = tuple(other for other in new.chips if other is not each)
    if new.chips:
        felt.lying.append(new)


def _newest_of(felt: Felt, new: Lying, chip: int | str) -> Lying | None:
    """Find the newest stack in the same place that has such chips."""
    for stack in reversed(felt.lying):
        if (
            stack.box == new.box
            and stack.seat == new.seat
            and any(each.chip == chip for each in stack.chips)
        ):
            return stack
    return None


def _lift(felt: Felt, seat: str, box: str, chips: Chips, *, own_first: bool = False) -> list[Lying]:
    """Take chips off a player's stacks on a box, the newest first; what is left lies as before.

    Give the stacks that some were taken off.
    """
    wanted, touched = counted(chips), []
    stacks = list(reversed(felt.lying))
    if own_first:
        stacks.sort(key=lambda stack: stack.called)
    for stack in stacks:
        if (stack.seat, stack.box) == (seat, box):
            taken = tuple(
                Pieces(each.chip, min(each.count, wanted[each.chip]))
                for each in stack.chips
                if wanted.get(each.chip)
            )
            if taken:
                touched.append(stack)
            left = taken_from(stack.chips, taken)
            assert left is not None, "no more is taken off a stack than lies there"
            stack.chips = stacked(left, felt.marked)
            stack.amount = value_of(stack.chips, felt.marked)
            for each in taken:
                wanted[each.chip] -= each.count
    assert not any(wanted.values()), "what was taken off lay there"
    felt.lying = [stack for stack in felt.lying if stack.chips]
    return touched


def _take_up(
    state: TableState, seat: str, bet: RecordedBet, *, own_first: bool = False
) -> list[Lying]:
    touched = _lift(felt_of(state), seat, bet.box, bet.chips, own_first=own_first)
    take_off(state, seat, bet.box, bet.amount)
    return touched


def _recorded(state: TableState, event: e.BetsRecorded) -> None:
    state.terminals[event.seat].bought += event.brought
    for bet in event.bets:
        _lay(state, event.seat, bet, oral=event.oral, on_behalf=event.on_behalf)


def _corrected(state: TableState, event: e.RecordCorrected) -> None:
    """Put the new reading where the oldest stack lay: a correction does not lose one's turn."""
    felt = felt_of(state)
    where = (event.seat, event.before.box)
    stacks = [stack for stack in felt.lying if (stack.seat, stack.box) == where]
    position, how = felt.lying.index(stacks[0]), _how(stacks)
    _take_up(state, event.seat, event.before)
    state.terminals[event.seat].bought += event.brought
    if event.after.chips:
        _lay(state, event.seat, event.after, **how)
        felt.lying.insert(position, felt.lying.pop())


def _how(stacks: list[Lying]) -> dict[str, bool]:
    """Tell whether any of some stacks was spoken for, or placed for the player."""
    return {
        "oral": any(stack.oral for stack in stacks),
        "on_behalf": any(stack.on_behalf for stack in stacks),
    }


def _taken_back(state: TableState, event: e.BetsTakenBack) -> None:
    for bet in event.bets:
        _take_up(state, event.seat, bet)


def _rejected(state: TableState, event: e.ExcessRejected) -> None:
    _take_up(state, event.seat, event.bet)


def _put_right(state: TableState, event: e.BetPutRight) -> None:
    """Move the player's own chips before any that the dealer placed at a call [div9 4.9]."""
    moved = RecordedBet(event.from_box, event.amount, event.chips)
    stacks = _take_up(state, event.seat, moved, own_first=True)
    to = RecordedBet(event.to_box, event.amount, event.chips)
    _lay(state, event.seat, to, **_how(stacks))


def _winners_paid(state: TableState, event: e.WinnersPaid) -> None:
    felt = felt_of(state)
    put_in(felt, event.collected)
    take_out(felt, event.paid)
    felt.paying = False
    felt.due = 0
    felt.lying = []


# --- what all tables have, at a felt one ---------------------------------------------------------


def table_opened(state: TableState) -> None:
    """Remember that the table was open on this day: it is counted out when it has closed."""
    _day(felt_of(state)).played = True


def round_settled(state: TableState, event: e.RoundSettled) -> None:
    """Have the layout collected and paid before anything else; the money has moved already."""
    felt = felt_of(state)
    felt.paying = bool(event.lines)
    felt.due = event.paid - event.collected
    day = _day(felt)
    day.collected += event.collected
    day.paid += event.paid


def round_voided(state: TableState) -> None:
    """Give every stack back to who laid it."""
    felt_of(state).lying = []


# --- the gaming day ------------------------------------------------------------------------------


def _count(felt: Felt, count: Chips) -> None:
    felt.rack = {chip: number for chip, number in counted(count).items() if isinstance(chip, int)}


def _day_opened(state: TableState, event: e.DayOpened) -> None:
    felt = felt_of(state)
    felt.day = Day(event.date, event.amount)
    felt.last_date = event.date
    _count(felt, event.count)


def _day(felt: Felt) -> Day:
    assert felt.day is not None, "a gaming day is open"
    return felt.day


def _filled(state: TableState, event: e.FloatFilled) -> None:
    felt = felt_of(state)
    put_in(felt, event.chips)
    _day(felt).fills += event.amount
    state.transits_received[event.transit] = None
    if len(state.transits_received) > TRANSITS_KEPT:
        del state.transits_received[next(iter(state.transits_received))]


def _credited(state: TableState, event: e.FloatCredited) -> None:
    felt = felt_of(state)
    take_out(felt, event.chips)
    _day(felt).credits += event.amount
    felt.credits_open[event.transit] = Delivery(state.table, "", event.amount)


def _credit_returned(state: TableState, event: e.CreditReturned) -> None:
    felt = felt_of(state)
    put_in(felt, event.chips)
    day = _day(felt)
    day.credits -= event.amount + event.missing
    day.difference -= event.missing
    del felt.credits_open[event.transit]


def _drop_counted(state: TableState, event: e.DropCounted) -> None:
    day = _day(felt_of(state))
    day.drop += event.cash + event.chips
    day.counted = True
    day.difference += event.cash + event.chips - event.expected


def _day_closed(state: TableState, event: e.DayClosed) -> None:
    """Close a day; the win by the counts is the win by the books, to the cent."""
    felt = felt_of(state)
    day = _day(felt)
    _count(felt, event.count)
    difference = day.difference + event.closing - event.expected
    won = day.collected - day.paid - day.corrections + difference
    assert event.win == won, "the win by the counts is not the win by the books"
    felt.day = None


def _nothing(_: TableState, __: TableEvent) -> None:
    """Leave the state as it is: the event is for the record."""


def evolve_felt(state: TableState, event: TableEvent) -> None:
    """Apply an event of a felt table, and hold its books and its rack against each other."""
    APPLY_FELT[type(event)](state, event)
    seat: str | None = getattr(event, "seat", None)
    if seat is not None:
        assert_books(state, seat, state.terminals[seat])
    assert_rack(state)


APPLY_FELT: Mapping[type[Event], Callable[[TableState, Any], None]] = {
    e.SeatTaken: _seat_taken,
    e.SeatLeft: _seat_left,
    e.PlayerWalkedAway: _walked_away,
    e.MoneyKept: _money_kept,
    e.KeptPaid: _kept_paid,
    e.ChipsBought: _chips_bought,
    e.ChipsExchanged: _exchanged,
    e.ColourAssigned: _assigned,
    e.ColourBought: _colour_bought,
    e.ColourConverted: _converted,
    e.ColourReleased: _released,
    e.BetsRecorded: _recorded,
    e.RecordCorrected: _corrected,
    e.BetsTakenBack: _taken_back,
    e.ExcessRejected: _rejected,
    e.PlayerAdvised: _nothing,
    e.BetPutRight: _put_right,
    e.WinnersPaid: _winners_paid,
    e.RecoveryRecorded: not_recovered,
    e.DayOpened: _day_opened,
    e.FloatFilled: _filled,
    e.FloatCredited: _credited,
    e.CreditReturned: _credit_returned,
    e.DropCounted: _drop_counted,
    e.DayClosed: _day_closed,
}

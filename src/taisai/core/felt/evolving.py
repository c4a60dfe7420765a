"""What the events of a felt table do to its state; the rack is held against the books each time."""

from collections.abc import Callable, Mapping
from typing import Any

from taisai.core import events as e
from taisai.core.accounts import credits_of
from taisai.core.books import assert_books, meter_of, take_off
from taisai.core.chips import (
    Chips,
    Pieces,
    counted,
    fewest_chips,
    plain_chips,
    stacked,
    taken_from,
    value_of,
)
from taisai.core.events import Event, TableEvent
from taisai.core.felt.common import felt_of
from taisai.core.felt_messages import RecordedBet
from taisai.core.felt_state import Coloured, Day, Felt, Lying
from taisai.core.gaming_day import expected_in_rack
from taisai.core.messages import Delivery, Netted, Posting
from taisai.core.table_state import TRANSITS_KEPT, TableState, Terminal


def assert_rack(state: TableState) -> None:
    """Assert that the rack holds what the books say, colours and unpaid bets counted in."""
    assert felt_of(state).rack_value == expected_in_rack(state), "the rack does not agree"


# --- the rack ------------------------------------------------------------------------------------


def _put_in(felt: Felt, chips: Chips) -> None:
    for each in chips:
        if isinstance(each.chip, int):
            felt.rack[each.chip] = felt.rack.get(each.chip, 0) + each.count
        else:
            felt.colours[each.chip].out -= each.count


def _take_out(felt: Felt, chips: Chips) -> None:
    for each in chips:
        if isinstance(each.chip, int):
            felt.rack[each.chip] = felt.rack.get(each.chip, 0) - each.count
        else:
            felt.colours[each.chip].out += each.count


def _move(felt: Felt, amount: int) -> None:
    """Move an amount in or out in chips that nobody wrote down; a count sets them right."""
    if amount >= 0:
        _put_in(felt, plain_chips(amount, felt.chips.values))
        return
    chips = fewest_chips(-amount, felt.value_chips, {})
    _take_out(felt, plain_chips(-amount, felt.chips.values) if chips is None else chips)


def _take_from_seat(state: TableState, seat: str, amount: int) -> None:
    """Take chips from in front of a player: value chips first, then pieces of their colour."""
    felt = felt_of(state)
    colour = felt.colour_of(seat)
    if colour is None:
        _move(felt, amount)
        return
    own = felt.colours[colour]
    short = felt.in_front(colour) * own.value - state.ledger.balance(credits_of(seat))
    pieces = max(0, -(-short // own.value))
    own.out -= pieces
    _move(felt, amount - pieces * own.value)


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
    felt.recovering.pop(seat, None)
    felt.left[seat] = state.round


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
        _move(felt, -worth)
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
    _take_out(felt_of(state), event.chips)
    _bought_in(state, event.seat, paid, paid)


def _exchanged(state: TableState, event: e.ChipsExchanged) -> None:
    felt = felt_of(state)
    _put_in(felt, event.given)
    _take_out(felt, event.taken)
    _bought_in(state, event.seat, event.brought, 0)


# --- colours -------------------------------------------------------------------------------------


def _assigned(state: TableState, event: e.ColourAssigned) -> None:
    felt_of(state).colours[event.colour] = Coloured(event.seat, event.value)


def _colour_bought(state: TableState, event: e.ColourBought) -> None:
    felt = felt_of(state)
    _put_in(felt, event.given)
    felt.colours[event.colour].out += event.count
    _bought_in(state, event.seat, event.cash + event.brought, event.cash)


def _converted(state: TableState, event: e.ColourConverted) -> None:
    felt = felt_of(state)
    felt.colours[event.colour].out -= event.count
    _take_out(felt, event.chips)


def _released(state: TableState, event: e.ColourReleased) -> None:
    del felt_of(state).colours[event.colour]


# --- bets ----------------------------------------------------------------------------------------


def _lay(state: TableState, name: str, bet: RecordedBet, *, oral: bool = False) -> None:
    seat = state.terminals[name]
    felt_of(state).lying.append(Lying(name, bet.box, bet.amount, bet.chips, oral))
    seat.bets[bet.box] = seat.bets.get(bet.box, 0) + bet.amount
    seat.staked += bet.amount
    if bet.box in state.sides:
        seat.placed.setdefault(bet.box, []).append((state.placements, bet.amount))
    state.lying[bet.box] = state.lying.get(bet.box, 0) + bet.amount
    state.live += bet.amount
    state.placements += 1


def _lift(felt: Felt, seat: str, box: str, chips: Chips) -> None:
    """Take chips off a player's stacks on a box, the newest first; what is left lies as before."""
    wanted = counted(chips)
    for stack in reversed(felt.lying):
        if (stack.seat, stack.box) == (seat, box):
            taken = tuple(
                Pieces(each.chip, min(each.count, wanted[each.chip]))
                for each in stack.chips
                if wanted.get(each.chip)
            )
            left = taken_from(stack.chips, taken)
            assert left is not None, "no more is taken off a stack than lies there"
            stack.chips = stacked(left, felt.marked)
            stack.amount = value_of(stack.chips, felt.marked)
            for each in taken:
                wanted[each.chip] -= each.count
    assert not any(wanted.values()), "what was taken off lay there"
    felt.lying = [stack for stack in felt.lying if stack.chips]


def _take_up(state: TableState, seat: str, bet: RecordedBet) -> None:
    _lift(felt_of(state), seat, bet.box, bet.chips)
    take_off(state, seat, bet.box, bet.amount)


def _recorded(state: TableState, event: e.BetsRecorded) -> None:
    state.terminals[event.seat].bought += event.brought
    for bet in event.bets:
        _lay(state, event.seat, bet, oral=event.oral)


def _corrected(state: TableState, event: e.RecordCorrected) -> None:
    """Put the new reading where the oldest stack lay: a correction does not lose one's turn."""
    felt = felt_of(state)
    where = (event.seat, event.before.box)
    stacks = [stack for stack in felt.lying if (stack.seat, stack.box) == where]
    position, oral = felt.lying.index(stacks[0]), any(stack.oral for stack in stacks)
    _take_up(state, event.seat, event.before)
    state.terminals[event.seat].bought += event.brought
    if event.after.chips:
        _lay(state, event.seat, event.after, oral=oral)
        felt.lying.insert(position, felt.lying.pop())


def _taken_back(state: TableState, event: e.BetsTakenBack) -> None:
    for bet in event.bets:
        _take_up(state, event.seat, bet)


def _rejected(state: TableState, event: e.ExcessRejected) -> None:
    _take_up(state, event.seat, event.bet)


def _put_right(state: TableState, event: e.BetPutRight) -> None:
    _take_up(state, event.seat, RecordedBet(event.from_box, event.amount, event.chips))
    _lay(state, event.seat, RecordedBet(event.to_box, event.amount, event.chips))


def _winners_paid(state: TableState, event: e.WinnersPaid) -> None:
    felt = felt_of(state)
    _put_in(felt, event.collected)
    _take_out(felt, event.paid)
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


def put_right(state: TableState, netted: tuple[Netted, ...], gone: tuple[Netted, ...]) -> None:
    """Move the chips of a reversal, and remember what is to be had from whom."""
    felt = felt_of(state)
    for each in netted:
        if each.given:
            _move(felt, -each.given)
        if each.taken:
            _take_from_seat(state, each.terminal, each.taken)
            felt.recovering[each.terminal] = felt.recovering.get(each.terminal, 0) + each.taken
    for each in gone:
        if each.given:
            _move(felt, -each.given)
            felt.kept[each.terminal] = felt.kept.get(each.terminal, 0) + each.given
    corrected(felt, sum(each.given - each.taken for each in (*netted, *gone)))


def corrected(felt: Felt, given: int) -> None:
    """Count what was given to players to put something right."""
    if felt.day is not None:
        felt.day.corrections += given


def ruled(state: TableState, postings: tuple[Posting, ...]) -> None:
    """Move the chips of a ruling between players and the rack."""
    felt = felt_of(state)
    for posting in postings:
        branch, _, seat = posting.source.partition(":")
        if branch == "terminal":
            _take_from_seat(state, seat, posting.amount)
            corrected(felt, -posting.amount)
        if posting.destination.startswith("terminal:"):
            _move(felt, -posting.amount)
            corrected(felt, posting.amount)


def _not_recovered(state: TableState, event: e.RecoveryRecorded) -> None:
    felt = felt_of(state)
    del felt.recovering[event.seat]
    _move(felt, -event.missing)
    corrected(felt, event.missing)
    state.terminals[event.seat].corrections += event.missing
    for name in ("table", f"terminal:{event.seat}"):
        meter_of(state, name).corrections += event.missing


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
    _put_in(felt, event.chips)
    _day(felt).fills += event.amount
    state.transits_received[event.transit] = None
    if len(state.transits_received) > TRANSITS_KEPT:
        del state.transits_received[next(iter(state.transits_received))]


def _credited(state: TableState, event: e.FloatCredited) -> None:
    felt = felt_of(state)
    _take_out(felt, event.chips)
    _day(felt).credits += event.amount
    felt.credits_open[event.transit] = Delivery(state.table, "", event.amount)


def _drop_counted(state: TableState, event: e.DropCounted) -> None:
    day = _day(felt_of(state))
    day.drop += event.cash + event.chips
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
    e.RecoveryRecorded: _not_recovered,
    e.DayOpened: _day_opened,
    e.FloatFilled: _filled,
    e.FloatCredited: _credited,
    e.DropCounted: _drop_counted,
    e.DayClosed: _day_closed,
}

"""The gaming day of a chip table: counts, fills, credits, the drop, and what the table won.

The rack is counted when a day opens and when it closes. A count that differs from the books is
entered as a difference, so that the win by the counts and the win by the books are the same figure.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

from taisai.core.kernel.ledger import (
    COUNTED,
    DIFFERENCE,
    DROP,
    HOUSE,
    SHORTFALL,
    difference,
    in_transit,
)
from taisai.core.kernel.messages import Actor, Command, Decision, Delivery, Event, Instant, Posting
from taisai.core.kernel.registry import (
    CHIP_TABLE,
    Dated,
    applies,
    checks,
    command,
    decides,
    event,
    posts,
)
from taisai.core.kernel.roles import PIT, PIT_AND_CAGE, PIT_AND_DEALER
from taisai.core.kernel.transits import TRANSIT_MAX, arrival, other_amount
from taisai.core.rules.money import is_amount
from taisai.core.rules.reason import Refusal, printable, refuse
from taisai.core.table.chips.pieces import Chips, counted, value_of
from taisai.core.table.chips.seats import (
    chips_refusal,
    missing_in_rack,
    paying_refusal,
    value_only_refusal,
)
from taisai.core.table.chips.state import ChipTable, Day, day_of, put_in, take_out
from taisai.core.table.state import Phase, TableState, chip_table_of, next_transit

#: A gaming day's date is at most one day ahead of the date at Greenwich, and tomorrow's day may
#: be opened today; a later date is a mistake, and would leave no date for the days before it.
DAYS_AHEAD = 2


@command(at=CHIP_TABLE, by=PIT, second=PIT_AND_DEALER, dated=Dated.WRITTEN)
class OpenDay(Command, frozen=True):
    """Open a gaming day with a count of the rack."""

    date: str
    count: Chips


@event(at=CHIP_TABLE)
class DayOpened(Event, frozen=True):
    """A gaming day begins with what was counted in the rack; `expected` is what the books say."""

    date: str
    count: Chips
    amount: int
    expected: int
    by: str


@decides
def open_day(state: TableState, command: OpenDay, actor: Actor, at: Instant) -> Decision:
    """Open a gaming day on a closed table, with a count of its rack by two persons [D14]."""
    chip_table = chip_table_of(state)
    if state.phase is not Phase.CLOSED:
        return refuse("TABLE_NOT_CLOSED")
    if chip_table.day is not None:
        return refuse("DAY_IS_OPEN", date=chip_table.day.date)
    if not _is_date(command.date) or command.date <= chip_table.last_date:
        return refuse("BAD_DATE", date=printable(command.date[:40]))
    if command.date > last_date_at(at):
        return refuse("DATE_AHEAD", date=command.date, last=last_date_at(at))
    refusal = chips_refusal(chip_table, command.count)
    if refusal is not None:
        return refusal
    amount = value_of(command.count, {})
    expected = expected_in_rack(state)
    return (DayOpened(command.date, command.count, amount, expected, actor.person),)


def expected_in_rack(state: TableState) -> int:
    """Give the worth of the value chips that the books say are in the rack."""
    chip_table, ledger = chip_table_of(state), state.ledger
    bank = ledger.balance(HOUSE) + ledger.balance(SHORTFALL)
    return bank + chip_table.coloured_out + sum(each.amount for each in chip_table.collected)


def last_date_at(at: Instant) -> str:
    """Give the last date that a gaming day opened at a moment may have."""
    today = datetime.fromtimestamp(at // 1000, UTC).date()
    return (today + timedelta(days=DAYS_AHEAD)).isoformat()


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


@applies
def day_opened(state: TableState, event: DayOpened) -> None:
    chip_table = chip_table_of(state)
    chip_table.day = Day(event.date, event.amount)
    chip_table.last_date = event.date
    _count(chip_table, event.count)


def _count(chip_table: ChipTable, count: Chips) -> None:
    chip_table.rack = {
        chip: number for chip, number in counted(count).items() if isinstance(chip, int)
    }


@posts
def _post_day_opened(event: DayOpened) -> Iterator[Posting]:
    yield difference(event.amount, event.expected, HOUSE, DIFFERENCE)


@command(at=CHIP_TABLE, by=PIT_AND_DEALER, second=PIT_AND_DEALER, crosses=True)
class ReceiveFill(Command, frozen=True):
    """Take a fill from the cage into the rack."""

    transit: str
    chips: Chips


@event(at=CHIP_TABLE, transit="arrives")
class FloatFilled(Event, frozen=True):
    transit: str
    chips: Chips
    amount: int
    by: str


@decides
def receive_fill(state: TableState, command: ReceiveFill, actor: Actor, _at: Instant) -> Decision:
    """Receive chips from the cage into the rack, once, as two persons counted them."""
    refusal = _day_refusal(state) or value_only_refusal(chip_table_of(state), command.chips)
    if refusal is not None:
        return refusal
    refusal = state.transits_received.refusal(command.transit)
    if refusal is not None:
        return refusal
    amount = value_of(command.chips, {})
    return (FloatFilled(command.transit, command.chips, amount, actor.person),)


def _day_refusal(state: TableState) -> Refusal | None:
    return refuse("NO_GAMING_DAY") if chip_table_of(state).day is None else None


@applies
def float_filled(state: TableState, event: FloatFilled) -> None:
    chip_table = chip_table_of(state)
    put_in(chip_table, event.chips)
    day_of(chip_table).fills += event.amount
    state.transits_received.add(event.transit)


@posts
def _post_float_filled(event: FloatFilled) -> Iterator[Posting]:
    yield from arrival(event.transit, HOUSE, event.amount)


@command(at=CHIP_TABLE, by=PIT_AND_DEALER, second=PIT_AND_DEALER)
class SendCredit(Command, frozen=True):
    """Send chips of the rack to the cage."""

    chips: Chips


@event(at=CHIP_TABLE)
class FloatCredited(Event, frozen=True):
    transit: str
    chips: Chips
    amount: int
    by: str


@decides
def send_credit(state: TableState, command: SendCredit, actor: Actor, _at: Instant) -> Decision:
    """Send chips out of the rack to the cage, as two persons counted them."""
    chip_table = chip_table_of(state)
    refusal = (
        _day_refusal(state)
        or paying_refusal(state)
        or value_only_refusal(chip_table, command.chips)
        or _credit_refusal(chip_table, command.chips)
    )
    if refusal is not None:
        return refusal
    transit = next_transit(state)
    return (FloatCredited(transit, command.chips, value_of(command.chips, {}), actor.person),)


def _credit_refusal(chip_table: ChipTable, chips: Chips) -> Refusal | None:
    """Refuse to send chips that are not in the rack by the books."""
    short = missing_in_rack(chip_table, chips)
    return (
        None if short is None else refuse("NOT_IN_RACK", count=short.count, chip_cents=short.chip)
    )


@applies
def float_credited(state: TableState, event: FloatCredited) -> None:
    chip_table = chip_table_of(state)
    take_out(chip_table, event.chips)
    day_of(chip_table).credits += event.amount
    state.transits_sent += 1
    chip_table.credits_open[event.transit] = Delivery(state.table, "", event.amount)


@posts
def _post_float_credited(event: FloatCredited) -> Iterator[Posting]:
    yield Posting(HOUSE, in_transit(event.transit), event.amount)


@command(at=CHIP_TABLE, by=PIT_AND_DEALER, second=PIT_AND_DEALER, crosses=True)
class ReturnCredit(Command, frozen=True):
    """Put chips back into the rack that were sent to the cage and not received there."""

    transit: str
    chips: Chips


@event(at=CHIP_TABLE)
class CreditReturned(Event, frozen=True):
    """Chips on their way to the cage are in the rack again, but for what is missing of them."""

    transit: str
    chips: Chips
    amount: int
    missing: int
    by: str


@decides
def return_credit(state: TableState, command: ReturnCredit, actor: Actor, _at: Instant) -> Decision:
    """Put a credit that the cage has not received back into the rack, as two persons counted it.

    Chips missing by then are lost, and are entered as the difference, as in any count.
    """
    chip_table = chip_table_of(state)
    refusal = _day_refusal(state) or chips_refusal(chip_table, command.chips)
    if refusal is not None:
        return refusal
    transit, sent = command.transit, chip_table.credits_open.get(command.transit)
    if sent is None:
        return refuse("TRANSIT_CLOSED", transit=printable(transit[:TRANSIT_MAX]))
    amount = value_of(command.chips, {})
    if amount > sent.amount:
        return other_amount(transit, sent.amount, amount)
    missing = sent.amount - amount
    return (CreditReturned(transit, command.chips, amount, missing, actor.person),)


@applies
def credit_returned(state: TableState, event: CreditReturned) -> None:
    chip_table = chip_table_of(state)
    put_in(chip_table, event.chips)
    day = day_of(chip_table)
    day.credits -= event.amount + event.missing
    day.difference -= event.missing
    del chip_table.credits_open[event.transit]


@posts
def _post_credit_returned(event: CreditReturned) -> Iterator[Posting]:
    way = in_transit(event.transit)
    yield Posting(way, HOUSE, event.amount)
    yield Posting(way, DIFFERENCE, event.missing)


@command(at=CHIP_TABLE, by=PIT_AND_CAGE, second=("cage", *PIT_AND_DEALER))
class CountDrop(Command, frozen=True):
    """Count the drop box: its cash, and its chips for value."""

    cash: int
    chips: int


@event(at=CHIP_TABLE)
class DropCounted(Event, frozen=True):
    cash: int
    chips: int
    expected: int
    by: str


@decides
def count_drop(state: TableState, command: CountDrop, actor: Actor, _at: Instant) -> Decision:
    """Count what is in the drop box, and empty it [div9 3.1]."""
    refusal = _day_refusal(state)
    if refusal is not None:
        return refusal
    for amount in (command.cash, command.chips):
        if not is_amount(amount):
            return refuse("BAD_AMOUNT", amount=str(amount)[:40])
    day, expected = chip_table_of(state).day, state.ledger.balance(DROP)
    assert day is not None, "a day that is not open is refused"
    if day.counted and not expected and command.cash + command.chips:
        # Nothing has gone in since the last count: the same count entered again would be won twice.
        return refuse("DROP_COUNTED")
    return (DropCounted(command.cash, command.chips, expected, actor.person),)


@applies
def drop_counted(state: TableState, event: DropCounted) -> None:
    day = day_of(chip_table_of(state))
    day.drop += event.cash + event.chips
    day.counted = True
    day.difference += event.cash + event.chips - event.expected


@posts
def _post_drop_counted(event: DropCounted) -> Iterator[Posting]:
    yield Posting(DROP, COUNTED, event.expected)
    yield difference(event.cash + event.chips, event.expected, COUNTED, DIFFERENCE)


@command(at=CHIP_TABLE, by=PIT, second=PIT_AND_DEALER, dated=Dated.WRITTEN)
class CloseDay(Command, frozen=True):
    """Close the gaming day with a count of the rack."""

    count: Chips


@event(at=CHIP_TABLE)
class DayClosed(Event, frozen=True):
    """A gaming day ends: win is drop + closing - opening - fills + credits."""

    date: str
    count: Chips
    closing: int
    expected: int
    opening: int
    fills: int
    credits: int
    drop: int
    win: int
    by: str


@decides
def close_day(state: TableState, command: CloseDay, actor: Actor, _at: Instant) -> Decision:
    """Close a gaming day: the table is closed, everybody has left, box and rack are counted."""
    chip_table = chip_table_of(state)
    day = chip_table.day
    refusal = _unfinished(state) or chips_refusal(chip_table, command.count)
    if refusal is not None:
        return refusal
    assert isinstance(day, Day), "a day that is not open is refused"
    closing = value_of(command.count, {})
    return (
        DayClosed(
            date=day.date,
            count=command.count,
            closing=closing,
            expected=expected_in_rack(state),
            opening=day.opening,
            fills=day.fills,
            credits=day.credits,
            drop=day.drop,
            win=day.win(closing),
            by=actor.person,
        ),
    )


def _unfinished(state: TableState) -> Refusal | None:
    """Refuse to close a day while something of it is still to be done."""
    chip_table = chip_table_of(state)
    refusal = _day_refusal(state)
    if refusal is not None:
        return refusal
    if state.phase is not Phase.CLOSED:
        return refuse("TABLE_NOT_CLOSED")
    if chip_table.seated:
        return refuse("SEAT_TAKEN", seat=next(iter(chip_table.seated)))
    if state.ledger.balance(DROP):
        return refuse("DROP_FIRST")
    return None


@applies
def day_closed(state: TableState, event: DayClosed) -> None:
    """Close a day; the win by the counts equals the win by the books, to the cent."""
    chip_table = chip_table_of(state)
    day = day_of(chip_table)
    _count(chip_table, event.count)
    won = day.book_win + event.closing - event.expected
    assert event.win == won, "the win by the counts is not the win by the books"
    chip_table.day = None


@posts
def _post_day_closed(event: DayClosed) -> Iterator[Posting]:
    yield difference(event.closing, event.expected, HOUSE, DIFFERENCE)


def gaming_date(at: Instant, start_hour: int, offset_minutes: int = 0) -> str:
    """Give the gaming day of a moment: the date before, until the hour at which the day starts."""
    local = datetime.fromtimestamp(at // 1000, UTC) + timedelta(minutes=offset_minutes)
    return (local - timedelta(hours=start_hour)).date().isoformat()


def date_after(last: str, today: str) -> str:
    """Give the date of the day that would be opened: today's, or the one after the last."""
    if today > last:
        return today
    day = date.fromisoformat(last)
    return (day + timedelta(days=day < date.max)).isoformat()


@checks(CHIP_TABLE)
def assert_rack(state: TableState) -> None:
    """Assert that the rack holds what the books say, with colours and unpaid bets included."""
    assert chip_table_of(state).rack_value == expected_in_rack(state), "the rack does not agree"

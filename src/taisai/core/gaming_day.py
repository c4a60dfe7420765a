"""The gaming day of a felt table: counts, fills, credits, the drop, and what the table won.

The rack is counted when a day opens and when it closes; what was counted beyond what the books say
is entered as a difference, so that the win by the counts and the win by the books are one figure.
"""

from datetime import UTC, date, datetime, timedelta

from taisai.core.accounts import DROP, HOUSE, SHORTFALL
from taisai.core.chips import value_of
from taisai.core.commands import (
    CloseDay,
    CountDrop,
    OpenDay,
    ReceiveFill,
    ReturnCredit,
    SendCredit,
)
from taisai.core.decision import TRANSIT_MAX, Decision, is_transit
from taisai.core.events import (
    CreditReturned,
    DayClosed,
    DayOpened,
    DropCounted,
    FloatCredited,
    FloatFilled,
)
from taisai.core.felt.common import (
    chips_refusal,
    felt_of,
    paying_refusal,
    rack_refusal,
    value_only_refusal,
)
from taisai.core.felt_state import Day
from taisai.core.messages import Actor, Instant
from taisai.core.rules.money import is_amount
from taisai.core.rules.reason import Refusal, printable, refuse
from taisai.core.table_state import Phase, TableState

#: The gaming day's date is at most one day ahead of that at Greenwich, and tomorrow's may be
#: opened today; a date further ahead is a slip, and would leave no date for the days before it.
DAYS_AHEAD = 2


def gaming_date(at: Instant, start_hour: int, offset_minutes: int = 0) -> str:
    """Name the gaming day that a moment belongs to: it is the day before, until it starts."""
    local = datetime.fromtimestamp(at // 1000, UTC) + timedelta(minutes=offset_minutes)
    return (local - timedelta(hours=start_hour)).date().isoformat()


def expected_in_rack(state: TableState) -> int:
    """Tell what the value chips in the rack should be worth by the books."""
    felt, ledger = felt_of(state), state.ledger
    return ledger.balance(HOUSE) + ledger.balance(SHORTFALL) + felt.coloured_out + felt.due


def last_date_at(at: Instant) -> str:
    """Tell the last date that a gaming day may be opened with at a moment."""
    today = datetime.fromtimestamp(at // 1000, UTC).date()
    return (today + timedelta(days=DAYS_AHEAD)).isoformat()


def date_after(last: str, today: str) -> str:
    """Tell the date of the day that would be opened: today's, or the one after the last."""
    if today > last:
        return today
    day = date.fromisoformat(last)
    return (day + timedelta(days=day < date.max)).isoformat()


def open_day(state: TableState, command: OpenDay, actor: Actor, at: Instant) -> Decision:
    """Open a gaming day on a closed table, with a count of its rack by two persons [D14]."""
    felt = felt_of(state)
    if state.phase is not Phase.CLOSED:
        return refuse("TABLE_NOT_CLOSED")
    if felt.day is not None:
        return refuse("DAY_IS_OPEN", date=felt.day.date)
    if not _is_date(command.date) or command.date <= felt.last_date:
        return refuse("BAD_DATE", date=printable(command.date[:40]))
    if command.date > last_date_at(at):
        return refuse("DATE_AHEAD", date=command.date, last=last_date_at(at))
    refusal = chips_refusal(felt, command.count)
    if refusal is not None:
        return refusal
    amount = value_of(command.count, {})
    expected = expected_in_rack(state)
    return (DayOpened(command.date, command.count, amount, expected, actor.person),)


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _day_refusal(state: TableState) -> Refusal | None:
    return refuse("NO_GAMING_DAY") if felt_of(state).day is None else None


def receive_fill(state: TableState, command: ReceiveFill, actor: Actor) -> Decision:
    """Take chips from the cage into the rack, once, as two persons counted them."""
    refusal = _day_refusal(state) or value_only_refusal(felt_of(state), command.chips)
    if refusal is not None:
        return refusal
    if not is_transit(command.transit):
        return refuse("NAME_MISSING")
    if command.transit in state.transits_received:
        return refuse("TRANSIT_CLOSED", transit=command.transit)
    amount = value_of(command.chips, {})
    return (FloatFilled(command.transit, command.chips, amount, actor.person),)


def send_credit(state: TableState, command: SendCredit, actor: Actor) -> Decision:
    """Send chips out of the rack to the cage, as two persons counted them."""
    felt = felt_of(state)
    refusal = (
        _day_refusal(state)
        or paying_refusal(state)
        or value_only_refusal(felt, command.chips)
        or rack_refusal(felt, command.chips)
    )
    if refusal is not None:
        return refusal
    # The table's name and version make the transit unique in the house, on every replay alike.
    transit = f"{state.table}-{state.version + 1}"
    return (FloatCredited(transit, command.chips, value_of(command.chips, {}), actor.person),)


def return_credit(state: TableState, command: ReturnCredit, actor: Actor) -> Decision:
    """Put back into the rack what the cage has not received, as two persons counted it.

    What is missing by then is missing for good, and is entered as the difference of any count.
    """
    felt = felt_of(state)
    refusal = _day_refusal(state) or chips_refusal(felt, command.chips)
    if refusal is not None:
        return refusal
    transit, sent = command.transit, felt.credits_open.get(command.transit)
    if sent is None:
        return refuse("TRANSIT_CLOSED", transit=printable(transit[:TRANSIT_MAX]))
    amount = value_of(command.chips, {})
    if amount > sent.amount:
        return other_amount(transit, sent.amount, amount)
    missing = sent.amount - amount
    return (CreditReturned(transit, command.chips, amount, missing, actor.person),)


def other_amount(transit: str, sent: int, counted: int) -> Refusal:
    """Refuse chips that are said to be what was sent, and are worth something else."""
    return refuse("CHIPS_ARRIVED", transit=transit, sent_cents=sent, counted_cents=counted)


def count_drop(state: TableState, command: CountDrop, actor: Actor) -> Decision:
    """Count what is in the drop box, and empty it [div9 3.1]."""
    refusal = _day_refusal(state)
    if refusal is not None:
        return refusal
    for amount in (command.cash, command.chips):
        if not is_amount(amount):
            return refuse("BAD_AMOUNT", amount=str(amount)[:40])
    day, expected = felt_of(state).day, state.ledger.balance(DROP)
    assert day is not None, "a day that is not open is refused"
    if day.counted and not expected and command.cash + command.chips:
        # Nothing has gone in since: the same count entered again would be won a second time.
        return refuse("DROP_COUNTED")
    return (DropCounted(command.cash, command.chips, expected, actor.person),)


def close_day(state: TableState, command: CloseDay, actor: Actor) -> Decision:
    """Close a gaming day: the table is closed, everybody has left, box and rack are counted."""
    felt = felt_of(state)
    day = felt.day
    refusal = _unfinished(state) or chips_refusal(felt, command.count)
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
    felt = felt_of(state)
    refusal = _day_refusal(state) or paying_refusal(state)
    if refusal is not None:
        return refusal
    if state.phase is not Phase.CLOSED:
        return refuse("TABLE_NOT_CLOSED")
    if felt.seated:
        return refuse("SEAT_TAKEN", seat=next(iter(felt.seated)))
    if state.ledger.balance(DROP):
        return refuse("DROP_FIRST")
    return None

"""Auditing the gaming day of a felt table, and the cage beside it: counts, fills, shifts."""

from datetime import date

from taisai.core.cage.drawer import CloseShift, OpenShift, ShiftClosed, ShiftOpened
from taisai.core.cage.fills import (
    CreditReceived,
    FillReturned,
    FillSent,
    ReceiveCredit,
    ReturnFill,
    SendFill,
)
from taisai.core.kernel.messages import Instant
from taisai.core.table.chips.gaming_day import (
    CloseDay,
    CountDrop,
    CreditReturned,
    DayClosed,
    DayOpened,
    DropCounted,
    FloatCredited,
    FloatFilled,
    OpenDay,
    ReceiveFill,
    ReturnCredit,
    SendCredit,
)
from taisai.runtime.auditor.approvals import one_alone
from taisai.runtime.auditor.cage import Till
from taisai.runtime.auditor.chips import Day, Layout, layout
from taisai.runtime.auditor.table import Watched
from taisai.runtime.auditor.transits import Transit

_EPOCH = date(1970, 1, 1)
_DAY_MS = 86_400_000


def _counted(chips: tuple[object, ...]) -> int:
    return sum(each.chip * each.count for each in chips)  # type: ignore[attr-defined]


def _day(table: Watched) -> tuple[Layout, Day]:
    felt = layout(table)
    if felt.day is None:
        raise table.wrong("no gaming day is open")
    return felt, felt.day


def day_opened(table: Watched, event: DayOpened, at: Instant) -> None:
    """A day opens on a closed table with a count by two persons, after the day before it."""
    table.expect("closed")
    felt = layout(table)
    table.second.take(OpenDay, "a gaming day was opened")
    if felt.day is not None or event.date <= felt.dated:
        raise table.wrong(f"gaming day {event.date} was opened after {felt.dated}")
    if (date.fromisoformat(event.date) - _EPOCH).days > at // _DAY_MS + 2:
        raise table.wrong(f"gaming day {event.date} was opened before its time")
    if (event.amount, event.expected) != (_counted(event.count), felt.rack):
        raise table.wrong(f"the rack was counted as {event.amount} against {event.expected}")
    _difference(table, "house:bank", event.amount - event.expected)
    felt.rack, felt.day, felt.dated = event.amount, Day(event.amount), event.date


def _difference(table: Watched, pocket: str, amount: int) -> None:
    table.books.enter(pocket, amount)
    table.books.enter("house:count-difference", -amount)


def filled(table: Watched, event: FloatFilled, _: Instant) -> None:
    """A fill that the cage sent arrives, all of it, as two persons counted it."""
    felt, day = _day(table)
    table.second.take(ReceiveFill, "a fill was received")
    table.transits.receive(event.transit, table.name, "rack", _counted(event.chips))
    table.books.enter("transit:settled", -event.amount)
    table.books.enter("house:bank", _counted(event.chips))
    felt.rack += event.amount
    day.fills += event.amount


def credited(table: Watched, event: FloatCredited, _: Instant) -> None:
    """A credit leaves the rack as two persons counted it."""
    felt, day = _day(table)
    table.second.take(SendCredit, "a credit was sent")
    amount = _counted(event.chips)
    table.transits.send(event.transit, Transit(table.name, "cage", table.name, amount))
    table.books.enter("house:bank", -event.amount)
    table.books.enter(f"transit:{event.transit}", amount)
    felt.rack -= event.amount
    day.credits += event.amount


def credit_returned(table: Watched, event: CreditReturned, _: Instant) -> None:
    """A credit is put back by two persons; what is missing is the table's loss by its counts."""
    felt, day = _day(table)
    table.second.take(ReturnCredit, "a credit was put back")
    sent, back = table.transits.take_back(event.transit, table.name), _counted(event.chips)
    if event.missing < 0 or event.amount + event.missing != sent:
        raise table.wrong(f"of {sent} in {event.transit} came back {back}, {event.missing} missing")
    table.books.enter(f"transit:{event.transit}", -sent)
    table.books.enter("house:bank", back)
    table.books.enter("house:count-difference", event.missing)
    felt.rack += event.amount
    day.credits -= sent
    day.earned -= event.missing


def drop_counted(table: Watched, event: DropCounted, _: Instant) -> None:
    """The drop box is counted by two persons, and emptied."""
    day = _day(table)[1]
    table.second.take(CountDrop, "the drop box was counted")
    held, counted = table.books.holds("drop:box"), event.cash + event.chips
    if event.expected != held:
        raise table.wrong(f"the drop box holds {held}, and {event.expected} was expected")
    if day.counted and counted and not held:
        raise table.wrong(f"{counted} was counted in a drop box that had been counted")
    day.counted = True
    table.books.enter("drop:box", -held)
    table.books.enter("count:room", held)
    _difference(table, "count:room", counted - held)
    day.drop += counted
    day.earned += counted - held


def day_closed(table: Watched, event: DayClosed, _: Instant) -> None:
    """A day closes with a count by two persons; its win is what the bets came to."""
    table.expect("closed")
    felt, day = _day(table)
    table.second.take(CloseDay, "a gaming day was closed")
    if felt.seated or felt.owed is not None or table.books.holds("drop:box"):
        raise table.wrong("a gaming day was closed with something still to be done")
    if (event.closing, event.expected) != (_counted(event.count), felt.rack):
        raise table.wrong(f"the rack was counted as {event.closing} against {event.expected}")
    difference = event.closing - event.expected
    _difference(table, "house:bank", difference)
    day.earned += difference
    win = day.drop + event.closing - day.opening - day.fills + day.credits
    if not event.win == win == day.earned:
        raise table.wrong(f"the table won {event.win}; by the counts {win}, by bets {day.earned}")
    felt.rack, felt.day = event.closing, None


# --- the cage ------------------------------------------------------------------------------------


def fill_sent(till: Till, event: FillSent, _: Instant) -> None:
    """A fill is sent by two persons."""
    till.second.take(SendFill, "a fill was sent")
    amount = _counted(event.chips)
    till.transits.send(event.transit, Transit("cage", event.table, "rack", amount))
    till.books.enter("vault:chips", -event.amount)
    till.books.enter(f"transit:{event.transit}", amount)


def credit_received(till: Till, event: CreditReceived, _: Instant) -> None:
    """A credit arrives that a table sent, all of it, as two persons counted it."""
    till.second.take(ReceiveCredit, "a credit was received")
    till.transits.receive(event.transit, "cage", event.table, _counted(event.chips))
    till.books.enter("transit:settled", -event.amount)
    till.books.enter("vault:chips", _counted(event.chips))


def fill_returned(till: Till, event: FillReturned, _: Instant) -> None:
    """A fill is put back by two persons; what is missing is a difference."""
    till.second.take(ReturnFill, "a fill was put back")
    sent, back = till.transits.take_back(event.transit, "cage"), _counted(event.chips)
    if event.missing < 0 or event.amount + event.missing != sent:
        raise till.wrong(f"of {sent} in {event.transit} came back {back}, {event.missing} missing")
    till.books.enter(f"transit:{event.transit}", -sent)
    till.books.enter("vault:chips", back)
    till.books.enter("house:count-difference", event.missing)


def shift_opened(till: Till, event: ShiftOpened, _: Instant) -> None:
    """A shift opens with a count by two persons, one at a time."""
    till.second.take(OpenShift, "a shift was opened")
    if till.shift is not None:
        raise till.wrong("a shift was opened while another was")
    till.shift = (event.cashier, event.count + till.books.holds("cash:counter"))


def shift_closed(till: Till, event: ShiftClosed, _: Instant) -> None:
    """A shift closes with a count, beside what came in and went out since it opened."""
    till.second.take(CloseShift, "a shift was closed")
    cashier, base = till.shift or ("", 0)
    expected = base - till.books.holds("cash:counter")
    if (event.cashier, event.expected) != (cashier, expected):
        raise till.wrong(f"{event.cashier} closed a shift with {event.expected} expected")
    asked, agreed = till.second.persons()
    own = one_alone(asked.person, cashier)
    if event.by != (None if own else asked.person) or (agreed.role == "cage" and not own):
        raise till.wrong(f"the shift of {cashier} was closed by {asked.person}, without the pit")
    missing = event.expected - event.count
    till.books.enter("cash:counter", missing)
    till.books.enter("cash:difference", -missing)
    till.shift = None

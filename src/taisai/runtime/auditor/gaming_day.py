"""Auditing the gaming day of a chip table: counts, fills, credits, the drop."""

from datetime import date

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
from taisai.runtime.auditor.chips import ChipTable, Day, chips_of, value_chips
from taisai.runtime.auditor.registry import audits
from taisai.runtime.auditor.table import AuditedTable
from taisai.runtime.auditor.transits import Transit

_EPOCH = date(1970, 1, 1)
_DAY_MS = 86_400_000


def _day(table: AuditedTable) -> tuple[ChipTable, Day]:
    layout = chips_of(table)
    if layout.day is None:
        raise table.wrong("no gaming day is open")
    return layout, layout.day


@audits
def day_opened(table: AuditedTable, event: DayOpened, at: Instant) -> None:
    """A day opens on a closed table with a count by two persons, after the day before it."""
    table.expect("closed")
    layout = chips_of(table)
    table.second.take(OpenDay, "a gaming day was opened")
    if layout.day is not None or event.date <= layout.dated:
        raise table.wrong(f"gaming day {event.date} was opened after {layout.dated}")
    if (date.fromisoformat(event.date) - _EPOCH).days > at // _DAY_MS + 2:
        raise table.wrong(f"gaming day {event.date} was opened before its time")
    if (event.amount, event.expected) != (value_chips(event.count), layout.rack):
        raise table.wrong(f"the rack was counted as {event.amount} against {event.expected}")
    _difference(table, "house:bank", event.amount - event.expected)
    layout.rack, layout.day, layout.dated = event.amount, Day(event.amount), event.date


def _difference(table: AuditedTable, pocket: str, amount: int) -> None:
    table.books.enter(pocket, amount)
    table.books.enter("house:count-difference", -amount)


@audits
def filled(table: AuditedTable, event: FloatFilled, _: Instant) -> None:
    """A fill that the cage sent arrives, all of it, as two persons counted it."""
    layout, day = _day(table)
    table.second.take(ReceiveFill, "a fill was received")
    table.transits.receive(event.transit, table.name, "rack", value_chips(event.chips))
    table.books.enter("transit:settled", -event.amount)
    table.books.enter("house:bank", value_chips(event.chips))
    layout.rack += event.amount
    day.fills += event.amount


@audits
def credited(table: AuditedTable, event: FloatCredited, _: Instant) -> None:
    """A credit leaves the rack as two persons counted it."""
    layout, day = _day(table)
    table.second.take(SendCredit, "a credit was sent")
    amount = value_chips(event.chips)
    table.transits.send(event.transit, Transit(table.name, "cage", table.name, amount))
    table.books.enter("house:bank", -event.amount)
    table.books.enter(f"transit:{event.transit}", amount)
    layout.rack -= event.amount
    day.credits += event.amount


@audits
def credit_returned(table: AuditedTable, event: CreditReturned, _: Instant) -> None:
    """A credit is put back by two persons; what is missing is the table's loss by its counts."""
    layout, day = _day(table)
    table.second.take(ReturnCredit, "a credit was put back")
    sent, back = table.transits.take_back(event.transit, table.name), value_chips(event.chips)
    if event.missing < 0 or event.amount + event.missing != sent:
        raise table.wrong(f"of {sent} in {event.transit} came back {back}, {event.missing} missing")
    table.books.enter(f"transit:{event.transit}", -sent)
    table.books.enter("house:bank", back)
    table.books.enter("house:count-difference", event.missing)
    layout.rack += event.amount
    day.credits -= sent
    day.earned -= event.missing


@audits
def drop_counted(table: AuditedTable, event: DropCounted, _: Instant) -> None:
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


@audits
def day_closed(table: AuditedTable, event: DayClosed, _: Instant) -> None:
    """A day closes with a count by two persons; its win is what the bets came to."""
    table.expect("closed")
    layout, day = _day(table)
    table.second.take(CloseDay, "a gaming day was closed")
    if layout.seated or layout.owed is not None or table.books.holds("drop:box"):
        raise table.wrong("a gaming day was closed with something still to be done")
    if (event.closing, event.expected) != (value_chips(event.count), layout.rack):
        raise table.wrong(f"the rack was counted as {event.closing} against {event.expected}")
    difference = event.closing - event.expected
    _difference(table, "house:bank", difference)
    day.earned += difference
    win = day.drop + event.closing - day.opening - day.fills + day.credits
    if not event.win == win == day.earned:
        raise table.wrong(f"the table won {event.win}; by the counts {win}, by bets {day.earned}")
    layout.rack, layout.day = event.closing, None


# --- the cage ------------------------------------------------------------------------------------

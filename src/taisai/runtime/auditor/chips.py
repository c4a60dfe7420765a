"""Auditing chips: colours in use, stacks on the boxes, a rack that always agrees with the books.

Only the value of the rack is followed, from the chips that each event names.
"""

from datetime import date
from typing import Any

from msgspec import Struct

from taisai.core.kernel.messages import Instant, Netted
from taisai.core.table.betting import RoundVoided
from taisai.core.table.chips.collecting import LosersCollected
from taisai.core.table.chips.colours import (
    ColourAssigned,
    ColourBought,
    ColourConverted,
    ColourReleased,
)
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
from taisai.core.table.chips.pieces import Chips, ChipSet, CollectedChips
from taisai.core.table.chips.recovery import RecordRecovery, RecoveryRecorded
from taisai.core.table.corrections import RulingRecorded
from taisai.core.table.round import RoundSettled
from taisai.runtime.auditor.books import Transit
from taisai.runtime.auditor.registry import audits, routine
from taisai.runtime.auditor.table import AuditedTable


class Colour(Struct):
    """A colour in use: its player, its value, and how many pieces are out."""

    seat: str
    value: int
    out: int = 0


class Stack(Struct):
    """Chips of a player on a box."""

    seat: str
    box: str
    chips: dict[int | str, int]
    #: Whether the dealer placed it when the player called the bet.
    called: bool = False


class Day(Struct):
    """A gaming day: what was counted and moved, and what the bets won."""

    opening: int
    fills: int = 0
    credits: int = 0
    drop: int = 0
    earned: int = 0
    #: Whether the drop box has been counted.
    counted: bool = False


class ChipTable(Struct):
    """What the auditor knows only of a chip table."""

    chips: ChipSet
    rack: int = 0
    colours: dict[str, Colour] = {}
    seated: dict[str, bool] = {}
    stacks: list[Stack] = []
    #: Bets by player and box: advised of the minimum; of value and colour chips together.
    advised: set[tuple[str, str]] = set()
    mixed: set[tuple[str, str]] = set()
    #: How much plays of each bet that was ruled on.
    ruled: dict[tuple[str, str], int] = {}
    #: The chips collected in the round under way, by seat and box.
    taken: dict[tuple[str, str], CollectedChips] = {}
    recovering: dict[str, int] = {}
    #: How many pieces of its own colour reversals took from each seat.
    pieces: dict[str, int] = {}
    day: Day | None = None
    dated: str = ""
    #: Whether it is not recorded yet what happened while the system was away.
    interrupted: bool = False
    #: The round dealt by hand that is being entered; and the players it paid wrongly.
    by_hand: Any = None
    differs: dict[str, tuple[int, int]] = {}
    #: The last round dealt by hand: what its rack handed out was not recorded chip by chip.
    settled_by_hand: int = 0


def chips_of(table: AuditedTable) -> ChipTable:
    """Give a chip table's own part; a terminal table has no such events."""
    if table.chips is None:
        raise table.wrong("{kind} at a table without chips", kind=type(table.decision[-1]).__name__)
    found: ChipTable = table.chips
    return found


def check_rack(table: AuditedTable) -> None:
    """Check that the rack is worth what the books say, after each decision."""
    layout = chips_of(table)
    books = table.books
    out = sum(mark.value * mark.out for mark in layout.colours.values())
    taken = sum(line.amount for line in layout.taken.values())
    bank = books.holds("house:bank") + books.holds("house:void-shortfall")
    if layout.rack != bank + out + taken:
        raise table.wrong(
            "the rack is worth {rack}, and the books say {sum}",
            rack=layout.rack,
            sum=bank + out + taken,
        )
    if layout.by_hand is not None:
        raise table.wrong("a round dealt by hand was entered and not settled")


def worth(table: AuditedTable, chips: Chips, seat: str | None = None) -> int:
    """Add up chips of this table, at the values marked."""
    layout, total = chips_of(table), 0
    for each in chips:
        if each.count <= 0:
            raise table.wrong("{count} chips of {chip}", count=each.count, chip=each.chip)
        if isinstance(each.chip, int):
            known = each.chip in layout.chips.values
            value = each.chip
        else:
            mark = layout.colours.get(each.chip)
            known = mark is not None and mark.seat == seat
            value = 0 if mark is None else mark.value
        if not known:
            raise table.wrong("chips of {chip} that are not there", chip=each.chip)
        total += value * each.count
    return total


def value_chips(chips: Chips) -> int:
    return sum(each.chip * each.count for each in chips if isinstance(each.chip, int))


def in_front(layout: ChipTable, colour: str) -> int:
    lying = sum(stack.chips.get(colour, 0) for stack in layout.stacks)
    for line in layout.taken.values():
        lying -= _pieces(line.chips, colour) - _pieces(line.change, colour)
    return layout.colours[colour].out - lying


def _pieces(chips: Chips, colour: str) -> int:
    return sum(each.count for each in chips if each.chip == colour)


def colour_of(layout: ChipTable, seat: str) -> str | None:
    return next((name for name, mark in layout.colours.items() if mark.seat == seat), None)


def sits(table: AuditedTable, seat: str) -> ChipTable:
    layout = chips_of(table)
    if seat not in layout.seated:
        raise table.wrong("nobody sits at {seat}", seat=seat)
    return layout


def check_said(table: AuditedTable, seat: str | None = None) -> None:
    """Check that it was recorded what reversals recovered, for one seat or for all."""
    owing = chips_of(table).recovering
    if seat in owing or (seat is None and owing):
        what = type(table.decision[-1]).__name__
        raise table.wrong(
            "{what} before it was said what could be had back from {seats}",
            what=what,
            seats=[*owing],
        )


def check_nobody_walked(table: AuditedTable) -> None:
    """Check that a round begins without money of a player who has walked away."""
    waiting = [seat for seat, walked in chips_of(table).seated.items() if walked]
    if waiting:
        raise table.wrong(
            "a round begins before what is theirs was kept for {waiting}", waiting=waiting
        )


def check_day(table: AuditedTable) -> None:
    """Check that a correction moves chips during a gaming day, not between two."""
    if chips_of(table).day is None:
        raise table.wrong("something was put right while no gaming day was open")


def brought(table: AuditedTable, seat: str, amount: int) -> None:
    """Enter chips that came out of a player's pocket."""
    if amount < 0:
        raise table.wrong("{amount} came out of a pocket", amount=amount)
    table.books.move("floor:chips", f"terminal:{seat}", amount)


# --- colours ---------------------------------------------------------------------------------


@routine
@audits
def assigned(table: AuditedTable, event: ColourAssigned, _: Instant) -> None:
    """A colour belongs to one player, at a value that is a multiple of the step."""
    layout = sits(table, event.seat)
    step = (table.limits and table.limits.step) or 1
    if event.colour in layout.colours or colour_of(layout, event.seat) is not None:
        raise table.wrong("{colour} was given out twice", colour=event.colour)
    if event.value <= 0 or event.value % step or event.colour not in layout.chips.colours:
        raise table.wrong("{colour} was marked at {value}", colour=event.colour, value=event.value)
    layout.colours[event.colour] = Colour(event.seat, event.value)


def _own(table: AuditedTable, layout: ChipTable, event: Any) -> Colour:
    mark = layout.colours.get(event.colour)
    if mark is None or mark.seat != event.seat:
        raise table.wrong(
            "{colour} is not the colour of seat {seat}", colour=event.colour, seat=event.seat
        )
    return mark


@routine
@audits
def colour_bought(table: AuditedTable, event: ColourBought, _: Instant) -> None:
    """Coloured chips are sold at the value marked, as many as there are."""
    layout = sits(table, event.seat)
    table.expect_paid(type(event).__name__)
    mark = _own(table, layout, event)
    paid = event.cash + worth(table, event.given)
    mark.out += event.count
    if event.amount != mark.value * event.count or paid != event.amount:
        raise table.wrong(
            "{count} of {colour} were sold for {paid}",
            count=event.count,
            colour=event.colour,
            paid=paid,
        )
    if event.count <= 0 or mark.out > layout.chips.pieces:
        raise table.wrong("{out} pieces of {colour} are out", out=mark.out, colour=event.colour)
    layout.rack += value_chips(event.given)
    brought(table, event.seat, event.brought)
    table.books.move("cash:patrons", "drop:box", event.cash)
    table.books.move("house:bank", f"terminal:{event.seat}", event.cash)


@routine
@audits
def converted(table: AuditedTable, event: ColourConverted, _: Instant) -> None:
    """Coloured chips in front of a player are turned back at the value marked."""
    layout = sits(table, event.seat)
    table.expect_paid(type(event).__name__)
    mark = _own(table, layout, event)
    if not 0 < event.count <= in_front(layout, event.colour):
        raise table.wrong(
            "{count} of {colour} were converted", count=event.count, colour=event.colour
        )
    if not mark.value * event.count == event.amount == worth(table, event.chips):
        raise table.wrong(
            "{count} of {colour} were converted for {amount}",
            count=event.count,
            colour=event.colour,
            amount=event.amount,
        )
    mark.out -= event.count
    layout.rack -= event.amount


@routine
@audits
def released(table: AuditedTable, event: ColourReleased, _: Instant) -> None:
    """A colour is free again when none of it is out."""
    layout = chips_of(table)
    check_said(table, event.seat)
    if _own(table, layout, event).out:
        raise table.wrong("{colour} was released with pieces out", colour=event.colour)
    del layout.colours[event.colour]


# --- collecting, paying, putting right -----------------------------------------------------------


def collected(table: AuditedTable, event: LosersCollected) -> None:
    """Collected chips lay there, less the change for them; chips put back were collected."""
    layout = chips_of(table)
    for line in event.put_back:
        if layout.taken.pop((line.seat, line.box), None) != line:
            raise table.wrong("{line} was put back, which was not collected", line=line)
        _into_rack(layout, line.change, line.chips)
    for line in event.collected:
        where = (line.seat, line.box)
        lay: dict[int | str, int] = {}
        for stack in layout.stacks:
            if (stack.seat, stack.box) == where:
                for chip, count in stack.chips.items():
                    lay[chip] = lay.get(chip, 0) + count
        if where in layout.taken or any(lay.get(each.chip, 0) < each.count for each in line.chips):
            raise table.wrong("{line} was collected, and {lay} lay there", line=line, lay=lay)
        amount = worth(table, line.chips, line.seat) - worth(table, line.change, line.seat)
        if amount != line.amount:
            raise table.wrong(
                "{line} was collected, which comes to {amount}", line=line, amount=amount
            )
        layout.taken[where] = line
        _into_rack(layout, line.chips, line.change)


def _into_rack(layout: ChipTable, into: Chips, out: Chips = ()) -> None:
    for chips, sign in ((into, 1), (out, -1)):
        layout.rack += sign * value_chips(chips)
        for each in chips:
            if isinstance(each.chip, str):
                layout.colours[each.chip].out -= sign * each.count


def settled(table: AuditedTable, event: RoundSettled) -> None:
    """A round is paid once all losing bets are collected, in chips worth what was won."""
    layout = chips_of(table)
    lost = {
        (line.position, line.box): line.stake - line.back
        for line in event.lines
        if line.stake > line.back
    }
    taken = {where: line.amount for where, line in layout.taken.items()}
    if lost != taken:
        raise table.wrong(
            "winners were paid with {taken} collected, and {lost} was lost", taken=taken, lost=lost
        )
    marks = {colour: mark.seat for colour, mark in layout.colours.items()}
    paid = sum(worth(table, (each,), marks.get(str(each.chip))) for each in event.chips)
    if paid != event.paid:
        raise table.wrong("{paid} was paid in chips worth {paid_2}", paid=event.paid, paid_2=paid)
    _into_rack(layout, (), event.chips)
    layout.taken, layout.stacks, layout.ruled = {}, [], {}
    layout.advised, layout.mixed = set(), set()
    _earn(layout, event.collected - event.paid)


def voided(table: AuditedTable, event: RoundVoided) -> None:
    """A void puts back everything that was collected."""
    layout = chips_of(table)
    if event.put_back != tuple(layout.taken.values()):
        raise table.wrong(
            "a void put back {put_back}, not {taken}", put_back=event.put_back, taken=layout.taken
        )
    for line in event.put_back:
        _into_rack(layout, line.change, line.chips)
    layout.taken, layout.stacks, layout.ruled = {}, [], {}
    layout.advised, layout.mixed = set(), set()


def _earn(layout: ChipTable, amount: int) -> None:
    if layout.day is not None:
        layout.day.earned += amount


def netted(table: AuditedTable, each: Netted) -> None:
    """Follow the chips of a reversal: value chips first, then pieces of the player's colour."""
    layout, seat = chips_of(table), each.position
    _earn(layout, each.taken - each.given)
    left = min(each.given, layout.recovering.get(seat, 0))
    layout.rack -= each.given - left
    if left:
        _leave_chips(table, seat, left)
    if each.taken:
        pieces = take_chips(table, seat, each.taken)
        if not layout.seated[seat]:
            layout.recovering[seat] = layout.recovering.get(seat, 0) + each.taken
            layout.pieces[seat] = layout.pieces.get(seat, 0) + pieces


def take_chips(table: AuditedTable, seat: str, amount: int) -> int:
    """Take chips from in front of a player, whose books are already lower by the amount."""
    layout, pieces = chips_of(table), 0
    colour = colour_of(layout, seat)
    layout.rack += amount
    if colour is not None:
        mark = layout.colours[colour]
        while in_front(layout, colour) * mark.value > table.books.holds(f"terminal:{seat}"):
            mark.out -= 1
            layout.rack -= mark.value
            pieces += 1
    return pieces


def _leave_chips(table: AuditedTable, seat: str, amount: int) -> None:
    """Leave with a player what a reversal could not recover: pieces as far as they were taken."""
    layout = chips_of(table)
    colour, taken = colour_of(layout, seat), layout.pieces.get(seat, 0)
    layout.recovering[seat] -= amount
    layout.rack -= amount
    if colour is not None:
        mark = layout.colours[colour]
        # All of them, or as many as the part not recovered is worth.
        whole = amount // mark.value if layout.recovering[seat] else taken
        for _ in range(min(whole, taken)):
            beyond = (in_front(layout, colour) + 1) * mark.value > table.books.holds(
                f"terminal:{seat}"
            )
            if beyond or mark.out >= layout.chips.pieces:
                break
            mark.out += 1
            layout.rack += mark.value
            layout.pieces[seat] -= 1
    if not layout.recovering[seat]:
        del layout.recovering[seat]
        layout.pieces.pop(seat, None)


def put_by(table: AuditedTable, more: int) -> None:
    """Take chips out of the rack that are set aside for players who left, or put them back."""
    layout = chips_of(table)
    layout.rack -= more
    _earn(layout, -more)


def ruled(table: AuditedTable, event: RulingRecorded) -> None:
    """Follow the chips of a ruling."""
    layout = chips_of(table)
    if event.postings:
        check_day(table)
    for posting in event.postings:
        branch, _colon, seat = posting.source.partition(":")
        if branch == "terminal":
            take_chips(table, seat, posting.amount)
            _earn(layout, posting.amount)
        if posting.destination.startswith("terminal:"):
            layout.rack -= posting.amount
            _earn(layout, -posting.amount)


@audits
def recovered(table: AuditedTable, event: RecoveryRecorded, _: Instant) -> None:
    """No more can be missing than a reversal took; two persons record it."""
    layout = chips_of(table)
    table.second.take(RecordRecovery, "something was not recovered")
    if not 0 <= event.missing <= layout.recovering.get(event.seat, -1):
        raise table.wrong(
            "{missing} of seat {seat} was not recovered", missing=event.missing, seat=event.seat
        )
    _earn(layout, -event.missing)
    table.books.move("house:void-shortfall", f"terminal:{event.seat}", event.missing)
    table.fell_short(table.player(event.seat), event.missing)
    _leave_chips(table, event.seat, event.missing)
    layout.recovering.pop(event.seat, None)
    layout.pieces.pop(event.seat, None)


# --- the gaming day ------------------------------------------------------------------------------


_EPOCH = date(1970, 1, 1)
_DAY_MS = 86_400_000


def _day(table: AuditedTable) -> tuple[ChipTable, Day]:
    layout = chips_of(table)
    if layout.day is None:
        raise table.wrong("no gaming day is open")
    return layout, layout.day


@audits
def day_opened(table: AuditedTable, event: DayOpened, at: Instant) -> None:
    """A day opens on a closed table with a count by two persons, after the last day."""
    table.expect("closed")
    layout = chips_of(table)
    table.second.take(OpenDay, "a gaming day was opened")
    if layout.day is not None or event.date <= layout.dated:
        raise table.wrong(
            "gaming day {date} was opened after {dated}", date=event.date, dated=layout.dated
        )
    if (date.fromisoformat(event.date) - _EPOCH).days > at // _DAY_MS + 2:
        raise table.wrong("gaming day {date} was opened before its time", date=event.date)
    if (event.amount, event.expected) != (value_chips(event.count), layout.rack):
        raise table.wrong(
            "the rack was counted as {amount} against {expected}",
            amount=event.amount,
            expected=event.expected,
        )
    _difference(table, "house:bank", event.amount - event.expected)
    layout.rack, layout.day, layout.dated = event.amount, Day(event.amount), event.date


def _difference(table: AuditedTable, pocket: str, amount: int) -> None:
    table.books.move("house:count-difference", pocket, amount)


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
    """A credit is put back by two persons; missing chips are the table's loss by its counts."""
    layout, day = _day(table)
    table.second.take(ReturnCredit, "a credit was put back")
    sent, back = table.transits.take_back(event.transit, table.name), value_chips(event.chips)
    if event.missing < 0 or event.amount + event.missing != sent:
        raise table.wrong(
            "of {sent} in {transit} came back {back}, {missing} missing",
            sent=sent,
            transit=event.transit,
            back=back,
            missing=event.missing,
        )
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
        raise table.wrong(
            "the drop box holds {held}, and {expected} was expected",
            held=held,
            expected=event.expected,
        )
    if day.counted and counted and not held:
        raise table.wrong(
            "{counted} was counted in a drop box that had been counted", counted=counted
        )
    day.counted = True
    table.books.move("drop:box", "count:room", held)
    _difference(table, "count:room", counted - held)
    day.drop += counted
    day.earned += counted - held


@audits
def day_closed(table: AuditedTable, event: DayClosed, _: Instant) -> None:
    """A day closes with a count by two persons; its win is that of the bets."""
    table.expect("closed")
    layout, day = _day(table)
    table.second.take(CloseDay, "a gaming day was closed")
    if layout.seated or table.books.holds("drop:box"):
        raise table.wrong("a gaming day was closed with something still to be done")
    if (event.closing, event.expected) != (value_chips(event.count), layout.rack):
        raise table.wrong(
            "the rack was counted as {closing} against {expected}",
            closing=event.closing,
            expected=event.expected,
        )
    difference = event.closing - event.expected
    _difference(table, "house:bank", difference)
    day.earned += difference
    win = day.drop + event.closing - day.opening - day.fills + day.credits
    if not event.win == win == day.earned:
        raise table.wrong(
            "the table won {win}; by the counts {win_2}, by bets {earned}",
            win=event.win,
            win_2=win,
            earned=day.earned,
        )
    layout.rack, layout.day = event.closing, None


# --- the cage ------------------------------------------------------------------------------------

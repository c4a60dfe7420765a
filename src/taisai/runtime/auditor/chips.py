"""Auditing a felt table: chips that are there, bets that lie there, a rack that is never off.

The rack is followed by its worth alone, from the chips that each event names.
"""

from typing import Any

from msgspec import Struct

from taisai.core.kernel.messages import Instant, Netted
from taisai.core.table.chips.colours import (
    ColourAssigned,
    ColourBought,
    ColourConverted,
    ColourReleased,
)
from taisai.core.table.chips.payout import WinnersPaid
from taisai.core.table.chips.pieces import Chips, ChipSet
from taisai.core.table.chips.recovery import RecordRecovery, RecoveryRecorded
from taisai.core.table.chips.seats import (
    ChipsBought,
    ChipsExchanged,
    PlayerWalkedAway,
    SeatLeft,
    SeatTaken,
    UnclaimedSetAside,
)
from taisai.core.table.corrections import RulingRecorded
from taisai.core.table.round import RoundSettled
from taisai.runtime.auditor.table import Seat, Watched


class Mark(Struct):
    """A colour in use: whose, at which value, and how many pieces are out."""

    seat: str
    value: int
    out: int = 0


class Stack(Struct):
    """Chips of a player on a box."""

    seat: str
    box: str
    chips: dict[int | str, int]
    #: Whether the dealer placed it at the player's call.
    called: bool = False


class Day(Struct):
    """A gaming day: what was counted and moved, and what the bets came to."""

    opening: int
    fills: int = 0
    credits: int = 0
    drop: int = 0
    earned: int = 0
    #: Whether the drop box has been counted.
    counted: bool = False


class Layout(Struct):
    """What the auditor keeps of a felt table."""

    chips: ChipSet
    rack: int = 0
    marks: dict[str, Mark] = {}
    seated: dict[str, bool] = {}
    stacks: list[Stack] = []
    #: What is still to be collected and to be paid.
    owed: tuple[int, int] | None = None
    recovering: dict[str, int] = {}
    #: The pieces of their own colour among what reversals took from each seat.
    pieces: dict[str, int] = {}
    day: Day | None = None
    dated: str = ""


def layout(table: Watched) -> Layout:
    """Give what is kept of a felt table; an electronic one has no such events."""
    if table.felt is None:
        raise table.wrong(f"{type(table.decision[-1]).__name__} at a table without a felt")
    found: Layout = table.felt
    return found


def check_rack(table: Watched) -> None:
    """Check that the rack is worth what the books say, after each decision."""
    felt = layout(table)
    books = table.books
    out = sum(mark.value * mark.out for mark in felt.marks.values())
    collect, pay = felt.owed or (0, 0)
    bank = books.holds("house:bank") + books.holds("house:void-shortfall")
    if felt.rack != bank + out + pay - collect:
        raise table.wrong(f"the rack is worth {felt.rack}, and the books say {bank + out}")


def worth(table: Watched, chips: Chips, seat: str | None = None) -> int:
    """Add up chips of this table, at the values marked."""
    felt, total = layout(table), 0
    for each in chips:
        if each.count <= 0:
            raise table.wrong(f"{each.count} chips of {each.chip}")
        if isinstance(each.chip, int):
            known = each.chip in felt.chips.values
            value = each.chip
        else:
            mark = felt.marks.get(each.chip)
            known = mark is not None and mark.seat == seat
            value = 0 if mark is None else mark.value
        if not known:
            raise table.wrong(f"chips of {each.chip} that are not there")
        total += value * each.count
    return total


def _values(chips: Chips) -> int:
    return sum(each.chip * each.count for each in chips if isinstance(each.chip, int))


def in_front(felt: Layout, colour: str) -> int:
    lying = sum(stack.chips.get(colour, 0) for stack in felt.stacks)
    return felt.marks[colour].out - lying


def _colour_of(felt: Layout, seat: str) -> str | None:
    return next((name for name, mark in felt.marks.items() if mark.seat == seat), None)


def sits(table: Watched, seat: str) -> Layout:
    felt = layout(table)
    if seat not in felt.seated:
        raise table.wrong(f"nobody sits at {seat}")
    return felt


def _idle(table: Watched, felt: Layout) -> None:
    if felt.owed is not None:
        what = type(table.decision[-1]).__name__
        raise table.wrong(f"{what} before the winners were paid")


def check_said(table: Watched, seat: str | None = None) -> None:
    """Check that it was said what reversals could get back, of one seat or of all."""
    owing = layout(table).recovering
    if seat in owing or (seat is None and owing):
        what = type(table.decision[-1]).__name__
        raise table.wrong(f"{what} before it was said what could be had back from {[*owing]}")


def check_nobody_walked(table: Watched) -> None:
    """Check that a round begins with nobody's money on the table who has walked away."""
    waiting = [seat for seat, walked in layout(table).seated.items() if walked]
    if waiting:
        raise table.wrong(f"a round begins before what is theirs was kept for {waiting}")


def check_day(table: Watched) -> None:
    """Check that chips are moved to put something right on a gaming day, and not between two."""
    if layout(table).day is None:
        raise table.wrong("something was put right while no gaming day was open")


# --- seats, chips and colours --------------------------------------------------------------------


def seated(table: Watched, event: SeatTaken, _: Instant) -> None:
    """A seat is taken by one player at a time."""
    felt = layout(table)
    if event.seat in felt.seated or not 1 <= int(event.seat) <= felt.chips.seats:
        raise table.wrong(f"seat {event.seat} was taken twice, or is not there")
    felt.seated[event.seat] = False
    table.seats.setdefault(event.seat, Seat())
    table.sits_down(event.seat)


def left(table: Watched, event: SeatLeft, _: Instant) -> None:
    """A player leaves with everything in front of them, and without coloured chips."""
    felt = sits(table, event.seat)
    check_said(table, event.seat)
    held = table.books.holds(f"terminal:{event.seat}")
    colour = _colour_of(felt, event.seat)
    if event.taken != held or table.bets.get(event.seat):
        raise table.wrong(f"seat {event.seat} was left with {event.taken} of {held}, or with bets")
    if colour is not None and felt.marks[colour].out:
        raise table.wrong(f"{colour} left the table")
    _to_floor(table, event.seat, event.taken)
    _gone(felt, event.seat)


def _to_floor(table: Watched, seat: str, amount: int) -> None:
    table.books.enter(f"terminal:{seat}", -amount)
    table.books.enter("floor:chips", amount)


def _gone(felt: Layout, seat: str) -> None:
    colour = _colour_of(felt, seat)
    if colour is not None:
        del felt.marks[colour]
    del felt.seated[seat]


def walked(table: Watched, event: PlayerWalkedAway, _: Instant) -> None:
    """Who walks away takes the value chips in front of them and leaves bets."""
    felt = sits(table, event.seat)
    _idle(table, felt)
    check_said(table, event.seat)
    colour = _colour_of(felt, event.seat)
    stays = 0 if colour is None else in_front(felt, colour) * felt.marks[colour].value
    if event.taken != table.books.holds(f"terminal:{event.seat}") - stays:
        raise table.wrong(f"seat {event.seat} walked away with {event.taken}")
    if not table.bets.get(event.seat) or felt.seated[event.seat]:
        raise table.wrong(f"seat {event.seat} walked away from nothing")
    _to_floor(table, event.seat, event.taken)
    felt.seated[event.seat] = True


def kept(table: Watched, event: UnclaimedSetAside, _: Instant) -> None:
    """All that is left of who walked away is kept, once their bets are done with."""
    felt = sits(table, event.seat)
    _idle(table, felt)
    if not felt.seated[event.seat] or table.bets.get(event.seat):
        raise table.wrong(f"money of seat {event.seat} was kept while they play")
    if event.amount != table.books.holds(f"terminal:{event.seat}"):
        raise table.wrong(f"{event.amount} of seat {event.seat} was kept, not all of it")
    colour = _colour_of(felt, event.seat)
    if colour is not None:
        felt.rack -= felt.marks[colour].out * felt.marks[colour].value
    table.books.enter(f"terminal:{event.seat}", -event.amount)
    table.books.enter(f"unclaimed:{event.session}", event.amount)
    if event.session != f"{event.seat}@{table.sessions[event.seat][-1]}":
        raise table.wrong(f"money of seat {event.seat} was set aside as {event.session}")
    _gone(felt, event.seat)


def bought(table: Watched, event: ChipsBought, _: Instant) -> None:
    """Chips are worth what was paid for them."""
    felt = sits(table, event.seat)
    _idle(table, felt)
    if worth(table, event.chips) != event.cash + event.dropped:
        raise table.wrong("chips were sold for another amount than they are worth")
    felt.rack -= event.cash + event.dropped
    table.books.enter("cash:patrons", -event.cash)
    table.books.enter("floor:chips", -event.dropped)
    table.books.enter("drop:box", event.cash + event.dropped)
    table.books.enter("house:bank", -_values(event.chips))
    table.books.enter(f"terminal:{event.seat}", _values(event.chips))


def brought(table: Watched, seat: str, amount: int) -> None:
    """Enter chips that came out of a player's pocket."""
    if amount < 0:
        raise table.wrong(f"{amount} came out of a pocket")
    table.books.enter("floor:chips", -amount)
    table.books.enter(f"terminal:{seat}", amount)


def exchanged(table: Watched, event: ChipsExchanged, _: Instant) -> None:
    """Chips are changed for as much."""
    _idle(table, sits(table, event.seat))
    if worth(table, event.given) != worth(table, event.taken):
        raise table.wrong("chips were changed for another amount")
    brought(table, event.seat, event.brought)


def assigned(table: Watched, event: ColourAssigned, _: Instant) -> None:
    """A colour is one player's, at a value that is whole in the step."""
    felt = sits(table, event.seat)
    step = (table.limits and table.limits.step) or 1
    if event.colour in felt.marks or _colour_of(felt, event.seat) is not None:
        raise table.wrong(f"{event.colour} was given out twice")
    if event.value <= 0 or event.value % step or event.colour not in felt.chips.colours:
        raise table.wrong(f"{event.colour} was marked at {event.value}")
    felt.marks[event.colour] = Mark(event.seat, event.value)


def _own(table: Watched, felt: Layout, event: Any) -> Mark:
    mark = felt.marks.get(event.colour)
    if mark is None or mark.seat != event.seat:
        raise table.wrong(f"{event.colour} is not the colour of seat {event.seat}")
    return mark


def colour_bought(table: Watched, event: ColourBought, _: Instant) -> None:
    """Coloured chips are sold at the value marked, as many as there are."""
    felt = sits(table, event.seat)
    _idle(table, felt)
    mark = _own(table, felt, event)
    paid = event.cash + worth(table, event.given)
    mark.out += event.count
    if event.amount != mark.value * event.count or paid != event.amount:
        raise table.wrong(f"{event.count} of {event.colour} were sold for {paid}")
    if event.count <= 0 or mark.out > felt.chips.pieces:
        raise table.wrong(f"{mark.out} pieces of {event.colour} are out")
    felt.rack += _values(event.given)
    brought(table, event.seat, event.brought)
    table.books.enter("cash:patrons", -event.cash)
    table.books.enter("drop:box", event.cash)
    table.books.enter("house:bank", -event.cash)
    table.books.enter(f"terminal:{event.seat}", event.cash)


def converted(table: Watched, event: ColourConverted, _: Instant) -> None:
    """Coloured chips in front of a player are turned back at the value marked."""
    felt = sits(table, event.seat)
    _idle(table, felt)
    mark = _own(table, felt, event)
    if not 0 < event.count <= in_front(felt, event.colour):
        raise table.wrong(f"{event.count} of {event.colour} were converted")
    if not mark.value * event.count == event.amount == worth(table, event.chips):
        raise table.wrong(f"{event.count} of {event.colour} were converted for {event.amount}")
    mark.out -= event.count
    felt.rack -= event.amount


def released(table: Watched, event: ColourReleased, _: Instant) -> None:
    """A colour is free again when none of it is out."""
    felt = layout(table)
    check_said(table, event.seat)
    if _own(table, felt, event).out:
        raise table.wrong(f"{event.colour} was released with pieces out")
    del felt.marks[event.colour]


# --- collecting, paying, putting right -----------------------------------------------------------


def settled(table: Watched, event: RoundSettled) -> None:
    """After a settlement the layout is to be collected and paid."""
    felt = layout(table)
    felt.owed = (event.collected, event.paid) if event.lines else None
    _earn(felt, event.collected - event.paid)


def _earn(felt: Layout, amount: int) -> None:
    if felt.day is not None:
        felt.day.earned += amount


def winners_paid(table: Watched, event: WinnersPaid, _: Instant) -> None:
    """What is collected and paid in chips comes to what was settled."""
    felt = layout(table)
    if felt.owed is None or event.round != table.round:
        raise table.wrong("winners were paid, and nothing was owed")
    for chips, sign in ((event.collected, 1), (event.paid, -1)):
        felt.rack += sign * _values(chips)
        for each in chips:
            if isinstance(each.chip, str):
                felt.marks[each.chip].out -= sign * each.count
    felt.owed = None
    felt.stacks = []


def netted(table: Watched, each: Netted) -> None:
    """Follow the chips of a reversal: value chips first, then pieces of the player's colour."""
    felt, seat = layout(table), each.position
    _earn(felt, each.taken - each.given)
    left = min(each.given, felt.recovering.get(seat, 0))
    felt.rack -= each.given - left
    if left:
        _leave_chips(table, seat, left)
    if each.taken:
        pieces = take_chips(table, seat, each.taken)
        if not felt.seated[seat]:
            felt.recovering[seat] = felt.recovering.get(seat, 0) + each.taken
            felt.pieces[seat] = felt.pieces.get(seat, 0) + pieces


def take_chips(table: Watched, seat: str, amount: int) -> int:
    """Take an amount from in front of a player, whose books are lower by it already."""
    felt, pieces = layout(table), 0
    colour = _colour_of(felt, seat)
    felt.rack += amount
    if colour is not None:
        mark = felt.marks[colour]
        while in_front(felt, colour) * mark.value > _free(table, seat):
            mark.out -= 1
            felt.rack -= mark.value
            pieces += 1
    return pieces


def _free(table: Watched, seat: str) -> int:
    """Tell what is in front of a player: what is still to be collected and paid is not."""
    held = table.books.holds(f"terminal:{seat}")
    if layout(table).owed is None:
        return held
    return held - sum(
        line.back for line in table.rounds[table.round].lines if line.position == seat
    )


def _leave_chips(table: Watched, seat: str, amount: int) -> None:
    """Leave with a player what a reversal took and nobody had: pieces as far as they were taken."""
    felt = layout(table)
    colour, taken = _colour_of(felt, seat), felt.pieces.get(seat, 0)
    felt.recovering[seat] -= amount
    felt.rack -= amount
    if colour is not None:
        mark = felt.marks[colour]
        # All of them, or as many as the part that was not had comes to.
        whole = amount // mark.value if felt.recovering[seat] else taken
        for _ in range(min(whole, taken)):
            beyond = (in_front(felt, colour) + 1) * mark.value > _free(table, seat)
            if beyond or mark.out >= felt.chips.pieces:
                break
            mark.out += 1
            felt.rack += mark.value
            felt.pieces[seat] -= 1
    if not felt.recovering[seat]:
        del felt.recovering[seat]
        felt.pieces.pop(seat, None)


def put_by(table: Watched, more: int) -> None:
    """Take the chips out of the rack that are set aside for who left, or put them back."""
    felt = layout(table)
    felt.rack -= more
    _earn(felt, -more)


def ruled(table: Watched, event: RulingRecorded) -> None:
    """Follow the chips of a ruling, which takes nothing that is still to be paid."""
    felt = layout(table)
    if event.postings:
        check_day(table)
    for posting in event.postings:
        branch, _colon, seat = posting.source.partition(":")
        if branch == "terminal" and _free(table, seat) < 0:
            raise table.wrong(f"a ruling took what seat {seat} was not paid yet")
    for posting in event.postings:
        branch, _colon, seat = posting.source.partition(":")
        if branch == "terminal":
            take_chips(table, seat, posting.amount)
            _earn(felt, posting.amount)
        if posting.destination.startswith("terminal:"):
            felt.rack -= posting.amount
            _earn(felt, -posting.amount)


def recovered(table: Watched, event: RecoveryRecorded, _: Instant) -> None:
    """No more can be missing than a reversal took, said by two persons."""
    felt = layout(table)
    table.second.take(RecordRecovery, "something was not recovered")
    if not 0 <= event.missing <= felt.recovering.get(event.seat, -1):
        raise table.wrong(f"{event.missing} of seat {event.seat} was not recovered")
    _earn(felt, -event.missing)
    table.books.enter("house:void-shortfall", -event.missing)
    table.books.enter(f"terminal:{event.seat}", event.missing)
    _leave_chips(table, event.seat, event.missing)
    felt.recovering.pop(event.seat, None)
    felt.pieces.pop(event.seat, None)

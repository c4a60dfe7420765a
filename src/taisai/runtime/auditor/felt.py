"""Auditing a felt table: chips that are there, bets that lie there, a rack that is never off.

The rack is followed by its worth alone, from the chips that each event names.
"""

from typing import Any

from msgspec import Struct

from taisai.core import commands as c
from taisai.core import events as e
from taisai.core.felt_messages import Chips, ChipSet
from taisai.core.messages import Instant, Netted
from taisai.runtime.auditor.betting import take_off
from taisai.runtime.auditor.watching import AFTER_CLOSE, Seat, Watched


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
    oral: bool = False


class Day(Struct):
    """A gaming day: what was counted and moved, and what the bets came to."""

    opening: int
    fills: int = 0
    credits: int = 0
    drop: int = 0
    earned: int = 0


class Layout(Struct):
    """What the auditor keeps of a felt table."""

    chips: ChipSet
    rack: int = 0
    marks: dict[str, Mark] = {}
    seated: dict[str, bool] = {}
    left: dict[str, int] = {}
    stacks: list[Stack] = []
    #: What is still to be collected and to be paid.
    owed: tuple[int, int] | None = None
    kept: dict[str, int] = {}
    recovering: dict[str, int] = {}
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


def _worth(table: Watched, chips: Chips, seat: str | None = None) -> int:
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


def _in_front(felt: Layout, colour: str) -> int:
    lying = sum(stack.chips.get(colour, 0) for stack in felt.stacks)
    return felt.marks[colour].out - lying


def _colour_of(felt: Layout, seat: str) -> str | None:
    return next((name for name, mark in felt.marks.items() if mark.seat == seat), None)


def _sits(table: Watched, seat: str) -> Layout:
    felt = layout(table)
    if seat not in felt.seated:
        raise table.wrong(f"nobody sits at {seat}")
    return felt


def _idle(table: Watched, felt: Layout) -> None:
    if felt.owed is not None:
        what = type(table.decision[-1]).__name__
        raise table.wrong(f"{what} before the winners were paid")


# --- seats, chips and colours --------------------------------------------------------------------


def seated(table: Watched, event: e.SeatTaken, _: Instant) -> None:
    """A seat is taken by one player at a time."""
    felt = layout(table)
    if event.seat in felt.seated or not 1 <= int(event.seat) <= felt.chips.seats:
        raise table.wrong(f"seat {event.seat} was taken twice, or is not there")
    felt.seated[event.seat] = False
    table.seats.setdefault(event.seat, Seat())


def left(table: Watched, event: e.SeatLeft, _: Instant) -> None:
    """A player leaves with everything in front of them, and without coloured chips."""
    felt = _sits(table, event.seat)
    held = table.books.holds(f"terminal:{event.seat}")
    colour = _colour_of(felt, event.seat)
    if event.taken != held or table.bets.get(event.seat):
        raise table.wrong(f"seat {event.seat} was left with {event.taken} of {held}, or with bets")
    if colour is not None and felt.marks[colour].out:
        raise table.wrong(f"{colour} left the table")
    _to_floor(table, event.seat, event.taken)
    _gone(table, felt, event.seat)


def _to_floor(table: Watched, seat: str, amount: int) -> None:
    table.books.enter(f"terminal:{seat}", -amount)
    table.books.enter("floor:chips", amount)


def _gone(table: Watched, felt: Layout, seat: str) -> None:
    colour = _colour_of(felt, seat)
    if colour is not None:
        del felt.marks[colour]
    del felt.seated[seat]
    felt.recovering.pop(seat, None)
    felt.left[seat] = table.round


def walked(table: Watched, event: e.PlayerWalkedAway, _: Instant) -> None:
    """Who walks away takes the value chips in front of them and leaves bets."""
    felt = _sits(table, event.seat)
    _idle(table, felt)
    colour = _colour_of(felt, event.seat)
    stays = 0 if colour is None else _in_front(felt, colour) * felt.marks[colour].value
    if event.taken != table.books.holds(f"terminal:{event.seat}") - stays:
        raise table.wrong(f"seat {event.seat} walked away with {event.taken}")
    if not table.bets.get(event.seat) or felt.seated[event.seat]:
        raise table.wrong(f"seat {event.seat} walked away from nothing")
    _to_floor(table, event.seat, event.taken)
    felt.seated[event.seat] = True


def kept(table: Watched, event: e.MoneyKept, _: Instant) -> None:
    """All that is left of who walked away is kept, once their bets are done with."""
    felt = _sits(table, event.seat)
    _idle(table, felt)
    if not felt.seated[event.seat] or table.bets.get(event.seat):
        raise table.wrong(f"money of seat {event.seat} was kept while they play")
    if event.amount != table.books.holds(f"terminal:{event.seat}"):
        raise table.wrong(f"{event.amount} of seat {event.seat} was kept, not all of it")
    colour = _colour_of(felt, event.seat)
    if colour is not None:
        felt.rack -= felt.marks[colour].out * felt.marks[colour].value
    table.books.enter(f"terminal:{event.seat}", -event.amount)
    table.books.enter(f"kept:{event.kept}", event.amount)
    felt.kept[event.kept] = felt.kept.get(event.kept, 0) + event.amount
    _gone(table, felt, event.seat)


def kept_paid(table: Watched, event: e.KeptPaid, _: Instant) -> None:
    """What is kept is handed out once, all of it, by two persons."""
    felt = layout(table)
    table.second.take(c.PayKept, "what was kept was handed out")
    if felt.kept.pop(event.kept, None) != event.amount:
        raise table.wrong(f"{event.amount} was handed out as {event.kept}")
    table.books.enter(f"kept:{event.kept}", -event.amount)
    table.books.enter("floor:chips", event.amount)


def bought(table: Watched, event: e.ChipsBought, _: Instant) -> None:
    """Chips are worth what was paid for them."""
    felt = _sits(table, event.seat)
    _idle(table, felt)
    if _worth(table, event.chips) != event.cash + event.dropped:
        raise table.wrong("chips were sold for another amount than they are worth")
    felt.rack -= event.cash + event.dropped
    table.books.enter("cash:patrons", -event.cash)
    table.books.enter("floor:chips", -event.dropped)
    table.books.enter("drop:box", event.cash + event.dropped)
    table.books.enter("house:bank", -_values(event.chips))
    table.books.enter(f"terminal:{event.seat}", _values(event.chips))


def _brought(table: Watched, seat: str, brought: int) -> None:
    if brought < 0:
        raise table.wrong(f"{brought} came out of a pocket")
    table.books.enter("floor:chips", -brought)
    table.books.enter(f"terminal:{seat}", brought)


def exchanged(table: Watched, event: e.ChipsExchanged, _: Instant) -> None:
    """Chips are changed for as much."""
    _idle(table, _sits(table, event.seat))
    if _worth(table, event.given) != _worth(table, event.taken):
        raise table.wrong("chips were changed for another amount")
    _brought(table, event.seat, event.brought)


def assigned(table: Watched, event: e.ColourAssigned, _: Instant) -> None:
    """A colour is one player's, at a value that is whole in the step."""
    felt = _sits(table, event.seat)
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


def colour_bought(table: Watched, event: e.ColourBought, _: Instant) -> None:
    """Coloured chips are sold at the value marked, as many as there are."""
    felt = _sits(table, event.seat)
    _idle(table, felt)
    mark = _own(table, felt, event)
    paid = event.cash + _worth(table, event.given)
    mark.out += event.count
    if event.amount != mark.value * event.count or paid != event.amount:
        raise table.wrong(f"{event.count} of {event.colour} were sold for {paid}")
    if event.count <= 0 or mark.out > felt.chips.pieces:
        raise table.wrong(f"{mark.out} pieces of {event.colour} are out")
    felt.rack += _values(event.given)
    _brought(table, event.seat, event.brought)
    table.books.enter("cash:patrons", -event.cash)
    table.books.enter("drop:box", event.cash)
    table.books.enter("house:bank", -event.cash)
    table.books.enter(f"terminal:{event.seat}", event.cash)


def converted(table: Watched, event: e.ColourConverted, _: Instant) -> None:
    """Coloured chips in front of a player are turned back at the value marked."""
    felt = _sits(table, event.seat)
    _idle(table, felt)
    mark = _own(table, felt, event)
    if not 0 < event.count <= _in_front(felt, event.colour):
        raise table.wrong(f"{event.count} of {event.colour} were converted")
    if not mark.value * event.count == event.amount == _worth(table, event.chips):
        raise table.wrong(f"{event.count} of {event.colour} were converted for {event.amount}")
    mark.out -= event.count
    felt.rack -= event.amount


def released(table: Watched, event: e.ColourReleased, _: Instant) -> None:
    """A colour is free again when none of it is out."""
    felt = layout(table)
    if _own(table, felt, event).out:
        raise table.wrong(f"{event.colour} was released with pieces out")
    del felt.marks[event.colour]


# --- bets ----------------------------------------------------------------------------------------


def _lay(table: Watched, seat: str, bet: Any, *, oral: bool = False) -> None:
    felt = layout(table)
    if bet.box not in table.rules_in_force().pays or not bet.chips:
        raise table.wrong(f"{bet.amount} was recorded on {bet.box}")
    if bet.amount != _worth(table, bet.chips, seat):
        raise table.wrong(f"chips on {bet.box} were recorded as {bet.amount}")
    step = (table.limits and table.limits.step) or 1
    if bet.amount % step:
        raise table.wrong(f"{bet.amount} on {bet.box} is off the step")
    chips = {each.chip: each.count for each in bet.chips}
    felt.stacks.append(Stack(seat, bet.box, chips, oral))
    own = table.bets.setdefault(seat, {})
    own[bet.box] = own.get(bet.box, 0) + bet.amount
    table.lying[bet.box] = table.lying.get(bet.box, 0) + bet.amount
    table.books.stake(seat, bet.amount)
    for colour, mark in felt.marks.items():
        if mark.seat == seat and _in_front(felt, colour) < 0:
            raise table.wrong(f"more {colour} lies there than is out")


def _lift(table: Watched, seat: str, bet: Any) -> bool:
    """Take chips off a box, the newest stack first; say whether any was spoken for."""
    felt, oral = layout(table), False
    if bet.amount != _worth(table, bet.chips, seat):
        raise table.wrong(f"chips on {bet.box} were taken off as {bet.amount}")
    for each in bet.chips:
        wanted = each.count
        for stack in reversed(felt.stacks):
            if (stack.seat, stack.box) == (seat, bet.box):
                oral |= stack.oral
                took = min(wanted, stack.chips.get(each.chip, 0))
                wanted -= took
                if took:
                    stack.chips[each.chip] -= took
        if wanted:
            raise table.wrong(f"{wanted} of {each.chip} did not lie on {bet.box}")
    felt.stacks = [stack for stack in felt.stacks if any(stack.chips.values())]
    take_off(table, seat, bet.box, bet.amount)
    return oral


def _open(table: Watched, seat: str) -> Layout:
    table.expect("betting")
    table.expect_playing()
    return _sits(table, seat)


def recorded(table: Watched, event: e.BetsRecorded, _: Instant) -> None:
    """Bets are recorded while they are open, of somebody who is there."""
    felt = _open(table, event.seat)
    betting = table.rules_in_force().procedure["betting"]
    if felt.seated[event.seat]:
        raise table.wrong(f"a bet of seat {event.seat}, who walked away")
    if event.oral and not betting.get("oral_clause"):
        raise table.wrong("a spoken bet was taken, which no clause provides for")
    if event.on_behalf and not betting.get("on_behalf_clause"):
        raise table.wrong("a bet was taken on behalf of a player, which no clause provides for")
    _brought(table, event.seat, event.brought)
    for bet in event.bets:
        _lay(table, event.seat, bet, oral=event.oral)


def corrected(table: Watched, event: e.RecordCorrected, _: Instant) -> None:
    """What is read again replaces all that was recorded there, in its place in the order."""
    felt = _open(table, event.seat)
    where = (event.seat, event.before.box)
    if table.bets.get(event.seat, {}).get(event.before.box) != event.before.amount:
        raise table.wrong(f"a record of {event.before.amount} was corrected that was not there")
    position = next(
        place for place, stack in enumerate(felt.stacks) if (stack.seat, stack.box) == where
    )
    oral = _lift(table, event.seat, event.before)
    _brought(table, event.seat, event.brought)
    if event.after.chips:
        _lay(table, event.seat, event.after, oral=oral)
        felt.stacks.insert(position, felt.stacks.pop())


def taken_back(table: Watched, event: e.BetsTakenBack, _: Instant) -> None:
    """Bets are taken back while they are open."""
    _open(table, event.seat)
    for bet in event.bets:
        _lift(table, event.seat, bet)


def rejected(table: Watched, event: e.ExcessRejected, _: Instant) -> None:
    """No more is rejected than lies over a limit."""
    _open(table, event.seat)
    if event.bet.amount > _excess(table, event.seat, event.bet.box):
        raise table.wrong(f"{event.bet.amount} on {event.bet.box} was rejected")
    _lift(table, event.seat, event.bet)


def _excess(table: Watched, seat: str, box: str) -> int:
    rules, most = table.rules_in_force(), table.limit_of(box)[1]
    if rules.limits["scope"] == "player":
        return table.bets.get(seat, {}).get(box, 0) - most
    over = table.lying.get(box, 0) - most
    apart = None if table.limits is None else table.limits.differential
    for pair in rules.limits.get("differential_pairs", ()):
        if apart is not None and box in pair:
            (other,) = (each for each in pair if each != box)
            over = max(over, table.lying.get(box, 0) - table.lying.get(other, 0) - apart)
    return over


def advised(table: Watched, event: e.PlayerAdvised, _: Instant) -> None:
    """Who is advised has bet less than the minimum."""
    _open(table, event.seat)
    own = table.bets.get(event.seat, {}).get(event.box, 0)
    if not 0 < own < table.limit_of(event.box)[0]:
        raise table.wrong(f"seat {event.seat} was advised of {own} on {event.box}")


def put_right(table: Watched, event: e.BetPutRight, _: Instant) -> None:
    """A bet is moved after the close, by two persons, where a clause lets it; never a call bet."""
    table.expect(*AFTER_CLOSE)
    table.second.take(c.PutBetRight, "a bet was put right")
    rules = table.rules_in_force()
    clause = rules.procedure["settlement"].get("corrections_clause")
    if event.reason == "touching-line":
        clause = rules.irregularities.get("touching-line", {}).get("clause")
    if clause is None or event.clause != clause or not event.note.strip():
        raise table.wrong(f"a bet was put right by {event.clause}")
    if _lift(table, event.seat, _moved(event, event.from_box)):
        raise table.wrong("a call bet was put right")
    _lay(table, event.seat, _moved(event, event.to_box))


class _Moved(Struct, frozen=True):
    box: str
    amount: int
    chips: Chips


def _moved(event: e.BetPutRight, box: str) -> _Moved:
    return _Moved(box, event.amount, event.chips)


# --- collecting, paying, putting right -----------------------------------------------------------


def settled(table: Watched, event: e.RoundSettled) -> None:
    """After a settlement the layout is to be collected and paid."""
    felt = layout(table)
    felt.owed = (event.collected, event.paid) if event.lines else None
    _earn(felt, event.collected - event.paid)


def _earn(felt: Layout, amount: int) -> None:
    if felt.day is not None:
        felt.day.earned += amount


def winners_paid(table: Watched, event: e.WinnersPaid, _: Instant) -> None:
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
    felt = layout(table)
    felt.rack -= each.given
    _earn(felt, each.taken - each.given)
    if each.taken:
        take_chips(table, each.terminal, each.taken)
        felt.recovering[each.terminal] = felt.recovering.get(each.terminal, 0) + each.taken


def take_chips(table: Watched, seat: str, amount: int) -> None:
    """Take an amount from in front of a player, whose books are lower by it already."""
    felt = layout(table)
    colour = _colour_of(felt, seat)
    felt.rack += amount
    if colour is not None:
        mark = felt.marks[colour]
        while _in_front(felt, colour) * mark.value > table.books.holds(f"terminal:{seat}"):
            mark.out -= 1
            felt.rack -= mark.value


def put_by(table: Watched, gone: tuple[Netted, ...], changes: dict[str, int]) -> None:
    """Keep what is due to players who left; what is due from them is lost."""
    felt = layout(table)
    found = {each.terminal: each.given - each.shortfall for each in gone}
    if found != {name: change for name, change in changes.items() if change}:
        raise table.wrong(f"those who left were netted as {found}, not {changes}")
    for each in gone:
        felt.rack -= each.given
        _earn(felt, -each.given)
        table.books.enter("house:bank", each.shortfall - each.given)
        table.books.enter("house:void-shortfall", -each.shortfall)
        if each.given:
            table.books.enter(f"kept:{each.terminal}", each.given)
            felt.kept[each.terminal] = felt.kept.get(each.terminal, 0) + each.given


def ruled(table: Watched, event: e.RulingRecorded) -> None:
    """Follow the chips of a ruling."""
    felt = layout(table)
    for posting in event.postings:
        branch, _colon, seat = posting.source.partition(":")
        if branch == "terminal":
            take_chips(table, seat, posting.amount)
            _earn(felt, posting.amount)
        if posting.destination.startswith("terminal:"):
            felt.rack -= posting.amount
            _earn(felt, -posting.amount)


def recovered(table: Watched, event: e.RecoveryRecorded, _: Instant) -> None:
    """No more can be missing than a reversal took, said by two persons."""
    felt = layout(table)
    table.second.take(c.RecordRecovery, "something was not recovered")
    if not 0 <= event.missing <= felt.recovering.pop(event.seat, -1):
        raise table.wrong(f"{event.missing} of seat {event.seat} was not recovered")
    felt.rack -= event.missing
    _earn(felt, -event.missing)
    table.books.enter("house:void-shortfall", -event.missing)
    table.books.enter(f"terminal:{event.seat}", event.missing)

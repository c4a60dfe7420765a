"""Auditing bets on a felt: chips that lie there, read again, taken back, rejected, put right."""

from typing import Any

from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.core.table.chips.layout_bets import (
    BetPutRight,
    BetsRecorded,
    BetsTakenBack,
    ExcessRejected,
    PlayerAdvised,
    PutBetRight,
    RecordCorrected,
)
from taisai.core.table.chips.pieces import Chips
from taisai.runtime.auditor.betting import take_off
from taisai.runtime.auditor.chips import Layout, Stack, brought, in_front, layout, sits, worth
from taisai.runtime.auditor.table import AFTER_CLOSE, Watched


def _lay(table: Watched, seat: str, bet: Any, *, called: bool = False) -> None:
    felt = layout(table)
    if bet.box not in table.rules_in_force().pays or not bet.chips:
        raise table.wrong(f"{bet.amount} was recorded on {bet.box}")
    if bet.amount != worth(table, bet.chips, seat):
        raise table.wrong(f"chips on {bet.box} were recorded as {bet.amount}")
    step = (table.limits and table.limits.step) or 1
    if bet.amount % step:
        raise table.wrong(f"{bet.amount} on {bet.box} is off the step")
    chips = {each.chip: each.count for each in bet.chips}
    felt.stacks.append(Stack(seat, bet.box, chips, called))
    own = table.bets.setdefault(seat, {})
    own[bet.box] = own.get(bet.box, 0) + bet.amount
    table.lying[bet.box] = table.lying.get(bet.box, 0) + bet.amount
    table.books.stake(seat, bet.amount)
    for colour, mark in felt.marks.items():
        if mark.seat == seat and in_front(felt, colour) < 0:
            raise table.wrong(f"more {colour} lies there than is out")


def _lift(table: Watched, seat: str, bet: Any, *, own_first: bool = False) -> bool:
    """Take chips off a box, the newest stack first; say whether any was placed at a call."""
    felt, called = layout(table), False
    if bet.amount != worth(table, bet.chips, seat):
        raise table.wrong(f"chips on {bet.box} were taken off as {bet.amount}")
    for each in bet.chips:
        wanted = each.count
        newest = list(reversed(felt.stacks))
        own = [stack for stack in newest if not stack.called]
        for stack in (*own, *(each for each in newest if each.called)) if own_first else newest:
            if (stack.seat, stack.box) == (seat, bet.box):
                took = min(wanted, stack.chips.get(each.chip, 0))
                wanted -= took
                if took:
                    called |= stack.called
                    stack.chips[each.chip] -= took
        if wanted:
            raise table.wrong(f"{wanted} of {each.chip} did not lie on {bet.box}")
    felt.stacks = [stack for stack in felt.stacks if any(stack.chips.values())]
    take_off(table, seat, bet.box, bet.amount)
    return called


def _open(table: Watched, seat: str) -> Layout:
    table.expect("betting")
    table.expect_playing()
    return sits(table, seat)


def recorded(table: Watched, event: BetsRecorded, _: Instant) -> None:
    """Bets are recorded while they are open, of somebody who is there."""
    felt = _open(table, event.seat)
    betting = table.rules_in_force().procedure["betting"]
    if felt.seated[event.seat]:
        raise table.wrong(f"a bet of seat {event.seat}, who walked away")
    if event.oral and not betting.get("oral_clause"):
        raise table.wrong("a spoken bet was taken, which no clause provides for")
    if event.on_behalf and not betting.get("on_behalf_clause"):
        raise table.wrong("a bet was taken on behalf of a player, which no clause provides for")
    brought(table, event.seat, event.brought)
    for bet in event.bets:
        _lay(table, event.seat, bet, called=event.oral or event.on_behalf)


def corrected(table: Watched, event: RecordCorrected, _: Instant) -> None:
    """What is read again replaces all that was recorded there, in its place in the order."""
    felt = _open(table, event.seat)
    where = (event.seat, event.before.box)
    if table.bets.get(event.seat, {}).get(event.before.box) != event.before.amount:
        raise table.wrong(f"a record of {event.before.amount} was corrected that was not there")
    position = next(
        place for place, stack in enumerate(felt.stacks) if (stack.seat, stack.box) == where
    )
    called = _lift(table, event.seat, event.before)
    brought(table, event.seat, event.brought)
    if event.after.chips:
        _lay(table, event.seat, event.after, called=called)
        felt.stacks.insert(position, felt.stacks.pop())


def taken_back(table: Watched, event: BetsTakenBack, _: Instant) -> None:
    """Bets are taken back while they are open."""
    _open(table, event.seat)
    for bet in event.bets:
        _lift(table, event.seat, bet)


def rejected(table: Watched, event: ExcessRejected, _: Instant) -> None:
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


def advised(table: Watched, event: PlayerAdvised, _: Instant) -> None:
    """Who is advised has bet less than the minimum."""
    _open(table, event.seat)
    own = table.bets.get(event.seat, {}).get(event.box, 0)
    if not 0 < own < table.limit_of(event.box)[0]:
        raise table.wrong(f"seat {event.seat} was advised of {own} on {event.box}")


def put_right(table: Watched, event: BetPutRight, _: Instant) -> None:
    """A bet is moved after the close, by two persons, where a clause lets it.

    A call bet is moved for the line that it touches alone.
    """
    table.expect(*AFTER_CLOSE)
    table.second.take(PutBetRight, "a bet was put right")
    rules = table.rules_in_force()
    clause = rules.procedure["settlement"].get("corrections_clause")
    if event.reason == "touching-line":
        clause = rules.irregularities.get("touching-line", {}).get("clause")
    if clause is None or event.clause != clause or not event.note.strip():
        raise table.wrong(f"a bet was put right by {event.clause}")
    called = _lift(table, event.seat, _moved(event, event.from_box), own_first=True)
    if called and event.reason != "touching-line":
        raise table.wrong("a call bet was put right")
    _lay(table, event.seat, _moved(event, event.to_box), called=called)


class _Moved(Struct, frozen=True):
    box: str
    amount: int
    chips: Chips


def _moved(event: BetPutRight, box: str) -> _Moved:
    return _Moved(box, event.amount, event.chips)

"""Auditing bets: registered in time, within every limit, from credits or chips that are there."""

from collections.abc import Sequence
from typing import Any

from taisai.core.kernel.messages import Command, Instant
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn, RoundVoided
from taisai.core.table.chips.layout_bets import (
    AdvisedBetReturned,
    BetPutRight,
    BetsRecorded,
    BetsTakenBack,
    CorrectRecord,
    ExcessRejected,
    PlayerAdvised,
    PutBetRight,
    RecordBets,
    RecordCorrected,
)
from taisai.core.table.chips.pieces import RecordedBet
from taisai.core.table.chips.rulings import (
    BetRuled,
    LateBetRefused,
    RuleOnBet,
    StackSeparated,
)
from taisai.core.table.round import BetsClosed
from taisai.runtime.auditor.books import AuditError
from taisai.runtime.auditor.chips import ChipTable, Stack, brought, chips_of, in_front, sits, worth
from taisai.runtime.auditor.pay_tables import Rules
from taisai.runtime.auditor.registry import audits, routine
from taisai.runtime.auditor.table import AFTER_CLOSE, AuditedTable, Position


@routine
@audits
def registered(table: AuditedTable, event: BetsRegistered, at: Instant) -> None:
    """A bet is registered while bets are open, from a terminal that may bet, within the limits."""
    registered_in_turn(table, (event,), (at,))


def registered_in_turn(
    table: AuditedTable, events: Sequence[BetsRegistered], times: Sequence[Instant]
) -> None:
    """Bets in a row, with nothing else between: the same limits and phase hold for all of them.

    The one being judged is the last in the table's decision.
    """
    if table.phase != "betting" or table.doubted or table.waiting:
        table.expect("betting")
        table.expect_playing()
    rules, positions, bets = table.rules or table.rules_in_force(), table.positions, table.bets
    totals, placed, move_stake = table.box_totals, table.placed, table.books.stake
    pays, paired, limit_of, bounds = rules.pays, rules.paired, table.limit_of, table.bounds_now()
    by_player, step = rules.limits["scope"] == "player", table.limits and table.limits.step
    decision = table.decision
    for event, at in zip(events, times, strict=True):
        decision[-1] = event
        terminal, total = event.terminal, 0
        seat = positions.get(terminal) or table.position(terminal)
        away = not seat.connected or seat.barred or seat.locked or seat.failed
        if away or event.on_behalf_by is not None:
            _check_seat(table, seat, event, rules)
        own = bets.setdefault(terminal, {})
        for bet in event.bets:
            box, stake = bet.box, bet.stake
            if box not in pays or stake <= 0:
                raise table.wrong(
                    "{stake} was taken on {box}, which is no bet here", stake=stake, box=box
                )
            own[box] = own.get(box, 0) + stake
            totals[box] = totals.get(box, 0) + stake
            placed.append([terminal, box, stake])
            total += stake
        move_stake(terminal, total)
        for bet in event.bets:
            box = bet.box
            held, (low, high) = own[box], bounds.get(box) or limit_of(box)
            # The limit counts all bets on the box, or the player's only.
            counted = held if by_player else totals[box]
            if held < low or counted > high or (step and held % step):
                raise _off_limits(
                    table, terminal, box, held, within=low <= held and counted <= high
                )
            if box in paired:
                _check_differential(table, rules, box)
        if seat.loss is not None or seat.session_seconds is not None:
            _check_own_limits(table, terminal, at)


def _off_limits(
    table: AuditedTable, terminal: str, box: str, own: int, *, within: bool
) -> AuditError:
    """Give the error for a bet outside the table's limits, with the limit."""
    lies = {"own": own, "terminal": terminal, "box": box}
    if within:
        return table.wrong("{own} of terminal {terminal} on {box} is off the step", **lies)
    return table.wrong("{own} of terminal {terminal} on {box} is outside the limits", **lies)


def _check_seat(table: AuditedTable, seat: Position, event: BetsRegistered, rules: Rules) -> None:
    on_behalf = event.on_behalf_by is not None
    if seat.barred or seat.locked:
        name = event.terminal
        raise table.wrong(
            "a bet was taken from terminal {name}, which is barred or locked", name=name
        )
    if seat.failed:
        raise table.wrong(
            "a bet was taken at terminal {terminal}, out of service", terminal=event.terminal
        )
    if not on_behalf and not seat.connected:
        raise table.wrong(
            "a bet came from terminal {terminal}, which is lost", terminal=event.terminal
        )
    if on_behalf and not rules.procedure["betting"].get("on_behalf_clause"):
        raise table.wrong("a bet was taken on behalf of a player, which no clause provides for")


def _check_differential(table: AuditedTable, rules: Rules, box: str) -> None:
    """A bet may not drive its own side further ahead than the Differential."""
    most = None if table.limits is None else table.limits.differential
    if most is None:
        return
    for first, second in rules.limits.get("differential_pairs", ()):
        ahead = table.box_totals.get(first, 0) - table.box_totals.get(second, 0)
        if (ahead > most and first == box) or (-ahead > most and second == box):
            raise table.wrong(
                "a bet drove {first} and {second} apart by {abs}",
                first=first,
                second=second,
                abs=abs(ahead),
            )


def _check_own_limits(table: AuditedTable, terminal: str, at: Instant) -> None:
    seat = table.positions[terminal]
    began, seconds = seat.session_began, seat.session_seconds
    if began is not None and seconds is not None and at >= began + seconds * 1000:
        raise table.wrong(
            "terminal {terminal} bet after the time its player set", terminal=terminal
        )
    at_risk = seat.session_in - table.books.holds(f"terminal:{terminal}")
    if seat.loss is not None and at_risk > seat.loss:
        raise table.wrong(
            "terminal {terminal} risks {at_risk}, more than its player set",
            terminal=terminal,
            at_risk=at_risk,
        )


@routine
@audits
def withdrawn(table: AuditedTable, event: BetsWithdrawn, _: Instant) -> None:
    """A bet is taken back while bets are open, whole or down to the minimum."""
    table.expect("betting")
    table.expect_playing()
    table.position(event.terminal)
    for bet in event.bets:
        take_off(table, event.terminal, bet.box, bet.stake)
        left = table.bets[event.terminal].get(bet.box, 0)
        if 0 < left < table.limit_of(bet.box)[0]:
            raise table.wrong(
                "{left} of terminal {terminal} was left on {box}",
                left=left,
                terminal=event.terminal,
                box=bet.box,
            )


def take_off(table: AuditedTable, terminal: str, box: str, amount: int) -> None:
    """Take an amount off a box, the newest placement first."""
    own = table.bets.get(terminal, {})
    left = own.get(box, 0) - amount
    if left < 0 or amount <= 0:
        raise table.wrong(
            "{amount} of terminal {terminal} was taken off {box}, {excess} too much",
            amount=amount,
            terminal=terminal,
            box=box,
            excess=-left,
        )
    if left:
        own[box] = left
    else:
        del own[box]
    table.box_totals[box] -= amount
    table.books.move(f"stake:{terminal}", f"terminal:{terminal}", amount)
    for placement in reversed(table.placed):
        if placement[:2] == [terminal, box]:
            cut = min(placement[2], amount)
            placement[2] -= cut
            amount -= cut


@audits
def bets_closed(table: AuditedTable, event: BetsClosed, _: Instant) -> None:
    """Bets close with the bell, if there is one; exactly the excess left goes back [D4].

    For a report of what voids the round they close at once, and without the bell [D20].
    """
    table.expect("betting")
    betting = table.rules_in_force().procedure["betting"]
    voids = event.report is not None and _closes_for(table, event.report)
    if event.report is None:
        table.expect_playing()
        table.expect_people("betting")
        if betting["bell"] and not event.bell:
            raise table.wrong("bets were closed without the bell")
    if (event.words, event.clause) != (betting["closes_words"], betting["closes_clause"]):
        raise table.wrong("bets were closed by {clause}", clause=event.clause)
    if event.displayed is not (betting["closes"] == "terminal-notice"):
        raise table.wrong("the close was displayed where it is called, or called where displayed")
    rejected: dict[tuple[str, str], int] = {}
    for terminal, box, amount in event.rejected:
        rejected[terminal, box] = rejected.get((terminal, box), 0) + amount
    # Excess that a dealer left at a chip table plays pro rata; in a void round all goes back.
    excess = {} if table.chips is not None or voids else _excess(table)
    if rejected != excess:
        raise table.wrong(
            "the close gave back {rejected}, not {excess}", rejected=rejected, excess=excess
        )
    clause = table.rules_in_force().limits.get("rejected_clause") if rejected else None
    if event.rejected_clause != clause:
        raise table.wrong(
            "the close gave bets back by {rejected_clause}, not {clause}",
            rejected_clause=event.rejected_clause,
            clause=clause,
        )
    for (terminal, box), amount in rejected.items():
        take_off(table, terminal, box, amount)
    table.phase = "shut"


def _closes_for(table: AuditedTable, report: str) -> bool:
    """Check that bets close for the report just made; say whether it voids the round."""
    if table.closes_for is None or table.closes_for[0] != report:
        raise table.wrong("bets were closed for {report}, which nobody reported", report=report)
    table.due = table.closes_for[1]
    table.closes_for = None
    return RoundVoided in table.due


def _excess(table: AuditedTable) -> dict[tuple[str, str], int]:
    """Find what the close gives back: the newest first, and the rest of a bet left too small."""
    most = None if table.limits is None else table.limits.differential
    pairs = table.rules_in_force().limits.get("differential_pairs", ())
    apart = [
        abs(table.box_totals.get(one, 0) - table.box_totals.get(other, 0)) for one, other in pairs
    ]
    if most is None or max(apart, default=0) <= most:
        return {}
    placed = [list(placement) for placement in table.placed]
    while _cut_one_side(table, placed, most):
        pass
    excess: dict[tuple[str, str], int] = {}
    for before, after in zip(table.placed, placed, strict=True):
        if before[2] > after[2]:
            where = (before[0], before[1])
            excess[where] = excess.get(where, 0) + before[2] - after[2]
    return excess


def _cut_one_side(table: AuditedTable, placed: list[list[Any]], most: int) -> bool:
    for pair in table.rules_in_force().limits.get("differential_pairs", ()):
        for box, other in (pair, pair[::-1]):
            over = _sum_on(placed, box) - _sum_on(placed, other) - most
            if over > 0:
                _cut(table, placed, box, over)
                return True
    return False


def _sum_on(placed: list[list[Any]], box: str, terminal: str | None = None) -> int:
    return sum(each[2] for each in placed if each[1] == box and terminal in (None, each[0]))


def _cut(table: AuditedTable, placed: list[list[Any]], box: str, over: int) -> None:
    cut_from: list[str] = []
    for placement in reversed(placed):
        if placement[1] == box and over and placement[2]:
            cut = min(placement[2], over)
            placement[2] -= cut
            over -= cut
            cut_from.append(placement[0])
    for terminal in cut_from:
        if _sum_on(placed, box, terminal) < table.limit_of(box)[0]:
            for placement in placed:
                if placement[:2] == [terminal, box]:
                    placement[2] = 0


# --- bets in chips ---------------------------------------------------------------------------


def _add_stack(table: AuditedTable, seat: str, bet: RecordedBet, *, called: bool = False) -> None:
    layout = chips_of(table)
    if bet.box not in table.rules_in_force().pays or not bet.chips:
        raise table.wrong("{amount} was recorded on {box}", amount=bet.amount, box=bet.box)
    if bet.amount != worth(table, bet.chips, seat):
        raise table.wrong(
            "chips on {box} were recorded as {amount}", box=bet.box, amount=bet.amount
        )
    if len({type(each.chip) for each in bet.chips}) > 1:
        layout.mixed.add((seat, bet.box))
    layout.ruled.pop((seat, bet.box), None)
    chips = {each.chip: each.count for each in bet.chips}
    layout.stacks.append(Stack(seat, bet.box, chips, called))
    own = table.bets.setdefault(seat, {})
    own[bet.box] = own.get(bet.box, 0) + bet.amount
    table.box_totals[bet.box] = table.box_totals.get(bet.box, 0) + bet.amount
    table.books.stake(seat, bet.amount)
    for colour, mark in layout.colours.items():
        if mark.seat == seat and in_front(layout, colour) < 0:
            raise table.wrong("more {colour} lies there than is out", colour=colour)


def _take_chips_off(
    table: AuditedTable, seat: str, bet: RecordedBet, *, own_first: bool = False
) -> bool:
    """Take chips off a box, the newest stack first; say whether any were placed by a call."""
    layout, called = chips_of(table), False
    if bet.amount != worth(table, bet.chips, seat):
        raise table.wrong(
            "chips on {box} were taken off as {amount}", box=bet.box, amount=bet.amount
        )
    for each in bet.chips:
        wanted = each.count
        newest = list(reversed(layout.stacks))
        own = [stack for stack in newest if not stack.called]
        for stack in (*own, *(each for each in newest if each.called)) if own_first else newest:
            if (stack.seat, stack.box) == (seat, bet.box):
                took = min(wanted, stack.chips.get(each.chip, 0))
                wanted -= took
                if took:
                    called |= stack.called
                    stack.chips[each.chip] -= took
        if wanted:
            raise table.wrong(
                "{wanted} of {chip} did not lie on {box}",
                wanted=wanted,
                chip=each.chip,
                box=bet.box,
            )
    layout.stacks = [stack for stack in layout.stacks if any(stack.chips.values())]
    take_off(table, seat, bet.box, bet.amount)
    where = (seat, bet.box)
    layout.ruled.pop(where, None)
    if not table.bets[seat].get(bet.box):
        layout.advised.discard(where)
    left = [stack.chips for stack in layout.stacks if (stack.seat, stack.box) == where]
    if len({type(chip) for chips in left for chip, count in chips.items() if count}) < 2:
        layout.mixed.discard(where)
    return called


def _open_seat(table: AuditedTable, seat: str) -> ChipTable:
    table.expect("betting")
    table.expect_playing()
    return sits(table, seat)


def _read(table: AuditedTable, event: Any, kind: type[Command]) -> ChipTable:
    """Check who reads a layout: one person until dice are seen, then two with a reason."""
    table.expect("betting", *AFTER_CLOSE)
    table.expect_playing()
    closed = table.phase != "betting"
    basis = table.rules_in_force().procedure["settlement"]["basis"] if closed else None
    if (event.lay_at, event.late) != (basis, closed and table.in_sight):
        raise table.wrong(
            "a stack was read as of {lay_at}, late: {late}", lay_at=event.lay_at, late=event.late
        )
    if event.late:
        table.second.take(kind, "a stack was read late")
        if not event.note.strip():
            raise table.wrong("a stack was read late, and nobody said why")
    return sits(table, event.seat)


@routine
@audits
def recorded(table: AuditedTable, event: BetsRecorded, _: Instant) -> None:
    """Bets are recorded for a player who is there; late ones one by one, by two with a reason."""
    _read(table, event, RecordBets)
    if table.phase == "betting" and chips_of(table).seated[event.seat]:
        raise table.wrong("a bet of seat {seat}, who walked away", seat=event.seat)
    if event.late and len(event.bets) > 1:
        raise table.wrong("{count} stacks were read late at once", count=len(event.bets))
    betting = table.rules_in_force().procedure["betting"]
    if event.oral and not betting.get("oral_clause"):
        raise table.wrong("a spoken bet was taken, which no clause provides for")
    if event.on_behalf and not betting.get("on_behalf_clause"):
        raise table.wrong("a bet was taken on behalf of a player, which no clause provides for")
    brought(table, event.seat, event.brought)
    for bet in event.bets:
        _add_stack(table, event.seat, bet, called=event.oral or event.on_behalf)


@routine
@audits
def corrected(table: AuditedTable, event: RecordCorrected, _: Instant) -> None:
    """A second reading replaces all that was recorded there, and keeps its place in the order."""
    layout = _read(table, event, CorrectRecord)
    where, advised = (event.seat, event.before.box), set(layout.advised)
    settlement = table.rules_in_force().procedure["settlement"]
    if event.clause != (settlement["basis_clause"] if event.lay_at else None):
        raise table.wrong("a record was corrected by {clause}", clause=event.clause)
    if table.bets.get(event.seat, {}).get(event.before.box) != event.before.amount:
        raise table.wrong(
            "a record of {amount} was corrected that was not there", amount=event.before.amount
        )
    position = next(
        place for place, stack in enumerate(layout.stacks) if (stack.seat, stack.box) == where
    )
    called = _take_chips_off(table, event.seat, event.before)
    brought(table, event.seat, event.brought)
    if event.after.chips:
        _add_stack(table, event.seat, event.after, called=called)
        layout.stacks.insert(position, layout.stacks.pop())
        layout.advised = advised


@routine
@audits
def taken_back(table: AuditedTable, event: BetsTakenBack, _: Instant) -> None:
    """Bets are taken back while they are open."""
    _open_seat(table, event.seat)
    for bet in event.bets:
        _take_chips_off(table, event.seat, bet)


@routine
@audits
def rejected(table: AuditedTable, event: ExcessRejected, _: Instant) -> None:
    """No more is rejected than is over a limit."""
    _open_seat(table, event.seat)
    if event.bet.amount > _over_limit(table, event.seat, event.bet.box):
        raise table.wrong(
            "{amount} on {box} was rejected", amount=event.bet.amount, box=event.bet.box
        )
    _take_chips_off(table, event.seat, event.bet)


def _over_limit(table: AuditedTable, seat: str, box: str) -> int:
    rules, most = table.rules_in_force(), table.limit_of(box)[1]
    if rules.limits["scope"] == "player":
        return table.bets.get(seat, {}).get(box, 0) - most
    over = table.box_totals.get(box, 0) - most
    apart = None if table.limits is None else table.limits.differential
    for pair in rules.limits.get("differential_pairs", ()):
        if apart is not None and box in pair:
            (other,) = (each for each in pair if each != box)
            over = max(over, table.box_totals.get(box, 0) - table.box_totals.get(other, 0) - apart)
    return over


@routine
@audits
def advised(table: AuditedTable, event: PlayerAdvised, _: Instant) -> None:
    """An advised player has bet less than the minimum."""
    _open_seat(table, event.seat)
    own = table.bets.get(event.seat, {}).get(event.box, 0)
    if not 0 < own < table.limit_of(event.box)[0]:
        raise table.wrong(
            "seat {seat} was advised of {own} on {box}", seat=event.seat, own=own, box=event.box
        )
    chips_of(table).advised.add((event.seat, event.box))


@audits
def advised_returned(table: AuditedTable, event: AdvisedBetReturned, _: Instant) -> None:
    """An advised bet that stayed short goes back whole, after the close, before dice are seen."""
    table.expect("shut")
    layout, box = sits(table, event.seat), event.bet.box
    own = table.bets.get(event.seat, {}).get(box, 0)
    if table.in_sight or (event.seat, box) not in layout.advised:
        raise table.wrong(
            "{own} of seat {seat} on {box} was given back, dice seen",
            own=own,
            seat=event.seat,
            box=box,
        )
    if not own == event.bet.amount < table.limit_of(box)[0]:
        raise table.wrong(
            "{amount} of {own} on {box} was given back as advised",
            amount=event.bet.amount,
            own=own,
            box=box,
        )
    if (event.clause, event.decision) != (table.rules_in_force().ground_of("not-covered"), "D28"):
        raise table.wrong("an advised bet was given back by {clause}", clause=event.clause)
    _take_chips_off(table, event.seat, event.bet)


def check_read(table: AuditedTable) -> None:
    """Check, when dice come in sight, that no advised bet is still short [D28]."""
    for seat, box in chips_of(table).advised if table.chips is not None else ():
        if 0 < table.bets.get(seat, {}).get(box, 0) < table.limit_of(box)[0]:
            raise table.wrong(
                "the advised bet of seat {seat} on {box} was not given back", seat=seat, box=box
            )


@routine
@audits
def late_refused(table: AuditedTable, event: LateBetRefused, _: Instant) -> None:
    """Chips are late after the close, and are no bet."""
    table.expect(*AFTER_CLOSE)
    table.expect_playing()
    sits(table, event.seat)
    late = table.rules_in_force().procedure["betting"]["late_clause"]
    if (event.irregularity, event.clause) != ("late-bet", late):
        raise table.wrong("a late bet was refused by {clause}", clause=event.clause)
    if not event.bet.amount == worth(table, event.bet.chips, event.seat) > 0:
        raise table.wrong("{bet} was refused as late", bet=event.bet)


@routine
@audits
def separated(table: AuditedTable, event: StackSeparated, _: Instant) -> None:
    """A mixed stack is put right while bets are open."""
    layout = _open_seat(table, event.seat)
    if (event.seat, event.box) not in layout.mixed:
        raise table.wrong(
            "a stack of seat {seat} on {box} was separated", seat=event.seat, box=event.box
        )
    if event.clause != table.rules_in_force().ground_of("not-covered"):
        raise table.wrong("a stack was separated by {clause}", clause=event.clause)
    layout.mixed.discard((event.seat, event.box))


def awaiting_ruling(table: AuditedTable) -> dict[tuple[str, str], str]:
    """Find each bet that must be ruled on before it is settled, and why [D22, D28]."""
    layout, rules, found = chips_of(table), table.rules_in_force().limits, {}
    for seat, own in table.bets.items():
        for box, stake in own.items():
            (least, most), where = table.limit_of(box), (seat, box)
            told = where in layout.advised
            reasons = {
                "mixed-stack": where in layout.mixed,
                "advised-bet": stake < least and told and table.in_sight,
                "below-minimum": stake < least and not told and rules["below_minimum"] == "refused",
                "over-limit": stake > most and rules["over_maximum"] == "refused",
            }
            if where not in layout.ruled and any(reasons.values()):
                found[where] = next(why for why, so in reasons.items() if so)
    return found


def check_ruled(table: AuditedTable) -> None:
    """Check that no bet is settled that awaits a ruling; a round by hand was settled as it lay."""
    waiting = {} if table.by_hand else awaiting_ruling(table)
    if waiting:
        what = type(table.decision[-1]).__name__
        raise table.wrong("{what} before a ruling on {waiting}", what=what, waiting=waiting)


@audits
def ruled(table: AuditedTable, event: BetRuled, _: Instant) -> None:
    """A bet that awaits a ruling is ruled on by the shift manager, whole, in part or not at all.

    With a second person if something goes back, or dice can be seen.
    """
    table.expect(*AFTER_CLOSE)
    table.expect_playing()
    layout, bet, where = sits(table, event.seat), event.bet, (event.seat, event.bet.box)
    if awaiting_ruling(table).get(where) != event.why:
        raise table.wrong(
            "a ruling on {bet} of seat {seat}, which awaits none ({why})",
            bet=bet,
            seat=event.seat,
            why=event.why,
        )
    if event.clause != table.rules_in_force().ground_of("not-covered") or not event.note.strip():
        raise table.wrong(
            "a bet was ruled on by {clause}, {note!r}", clause=event.clause, note=event.note
        )
    role = table.asked_by
    if event.verdict != "stands" or table.in_sight:
        table.second.take(RuleOnBet, "a bet was ruled on")
        role = table.second.persons()[0].role
    if role not in (None, "shift-manager"):
        raise table.wrong("a bet was ruled on by a {role}", role=role)
    lies, part = table.bets[event.seat][bet.box], 0 < event.plays < bet.amount
    right = {"stands": event.plays == lies, "plays": part, "returned": event.plays == 0}
    if bet.amount != lies or not right[event.verdict]:
        raise table.wrong(
            "of {lies} on {box} {plays} plays, as it {verdict}",
            lies=lies,
            box=bet.box,
            plays=event.plays,
            verdict=event.verdict,
        )
    if event.verdict == "returned":
        _take_chips_off(table, event.seat, bet)
    else:
        layout.ruled[where] = event.plays


@audits
def put_right(table: AuditedTable, event: BetPutRight, _: Instant) -> None:
    """A bet is moved after the close, by two persons, if a clause allows it.

    A call bet is moved only because it touches the line.
    """
    table.expect(*AFTER_CLOSE)
    table.second.take(PutBetRight, "a bet was put right")
    rules = table.rules_in_force()
    clause = rules.procedure["settlement"].get("corrections_clause")
    if event.reason == "touching-line":
        clause = rules.irregularities.get("touching-line", {}).get("clause")
    if clause is None or event.clause != clause or not event.note.strip():
        raise table.wrong("a bet was put right by {clause}", clause=event.clause)
    called = _take_chips_off(
        table, event.seat, RecordedBet(event.from_box, event.amount, event.chips), own_first=True
    )
    if called and event.reason != "touching-line":
        raise table.wrong("a call bet was put right")
    _add_stack(
        table, event.seat, RecordedBet(event.to_box, event.amount, event.chips), called=called
    )

"""Auditing corrections of settled rounds: reversals, results found wrong, rulings."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import NamedTuple

from taisai.core.kernel.messages import Event, Instant, Netted, Posting, SettledLine
from taisai.core.table.betting import RoundVoided
from taisai.core.table.corrections import (
    CorrectSettledRound,
    RoundResettled,
    RoundsReversed,
    Rule,
    RulingRecorded,
    VoidSettledRounds,
)
from taisai.core.table.damage import DiceQuarantined
from taisai.core.table.round import RoundSettled
from taisai.runtime.auditor import chips, positions
from taisai.runtime.auditor.pay_tables import Rules, Throw
from taisai.runtime.auditor.provably_fair import check_corrected
from taisai.runtime.auditor.registry import audits
from taisai.runtime.auditor.rounds import check_lines, check_supervised
from taisai.runtime.auditor.table import UNDER_WAY, AuditedTable, Played, throw_of

#: One event has so many rounds at most, and so many lines.
_IN_ONE_EVENT = 1_000
_DAMAGED = "damaged-dice"


class Asked(NamedTuple):
    """What the auditor needs again before it judges a decision: runs of rounds, events."""

    rounds: tuple[tuple[int, int], ...] = ()
    versions: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        """Say whether it needs anything."""
        return bool(self.rounds)


NOTHING_ASKED = Asked()


def asks(table: AuditedTable, events: Sequence[Event]) -> Asked:
    """Give the rounds that a decision corrects and the auditor no longer keeps [D24]."""
    about = {
        number
        for event in events
        for number in _about(table, event, events)
        if number not in table.rounds and not table.was_reversed(number)
    }
    runs: list[tuple[int, int]] = []
    for number in sorted(about):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    again = (table.resettled[number] for number in about if number in table.resettled)
    return Asked(tuple(runs), tuple(again))


def _about(table: AuditedTable, event: Event, events: Sequence[Event]) -> list[int]:
    if isinstance(event, RoundResettled):
        return [event.round] if 0 < event.round < table.round else []
    order = table.second.order
    if not isinstance(event, RoundsReversed) or event.part > 1 or order is None:
        return []
    if not isinstance(order.command, VoidSettledRounds):
        return []
    away = (each.dice_set for each in events if isinstance(each, DiceQuarantined))
    last = next(reversed(table.quarantined), "")
    return table.ended_with(order.command.dice_set or next(away, last), event.first)


def recall(
    table: AuditedTable,
    ends: Mapping[int, Event],
    drawn: Mapping[int, Throw],
    events: Mapping[int, Event],
) -> None:
    """Take old rounds again that are no longer kept, as they are now."""
    for number, end in ends.items():
        played = Played(table.rules_of(number).name, void=not isinstance(end, RoundSettled))
        if isinstance(end, RoundSettled):
            played.throw, played.lines, played.players = (
                throw_of(end.faces),
                end.lines,
                end.sessions,
            )
            played.plays = {(each.position, each.box): each.playing for each in end.playing}
            played.drawn = drawn.get(number)
        again = events.get(table.resettled.get(number, 0))
        if isinstance(again, RoundResettled):
            played.throw, played.lines = throw_of(again.faces), again.lines
        table.recalled[number] = played


@audits
def reversed_(table: AuditedTable, event: RoundsReversed, at: Instant) -> None:
    """Damaged dice void every settled round they touched, netted by player over all parts [D8]."""
    _check_time(table, event, at)
    command = table.second.take(VoidSettledRounds, "settled rounds were voided")
    table.reversal.append(event)
    _check_part(table, event)
    if event.part < event.parts:
        table.due = (RoundsReversed,)
        return
    parts, table.reversal = table.reversal, []
    affected = _check_rounds(table, command, parts)
    changes: dict[str, int] = {}
    gone: dict[str, int] = {}
    for number in (each for rounds in affected.values() for each in rounds):
        played = table.played(number)
        for line in played.lines:
            _change(table, played, line.position, line.stake - line.back, changes, gone)
        played.void = True
        table.note_reversed(number)
        for seat in table.positions.values():
            seat.wins.pop(number, None)
    _put_right(table, changes, tuple(each for part in parts for each in part.netted), at)
    _put_by(table, gone, tuple(each for part in parts for each in part.gone))


def _check_part(table: AuditedTable, event: RoundsReversed) -> None:
    """Check that a large reversal comes in order, in events of limited size [D24]."""
    parts = table.reversal
    if (event.part, event.parts) != (len(parts), parts[0].parts) or event.part > event.parts:
        raise table.wrong(
            "part {part} of {parts} of a reversal is not the next",
            part=event.part,
            parts=event.parts,
        )
    if max(len(event.rounds), len(event.netted) + len(event.gone)) > _IN_ONE_EVENT:
        raise table.wrong("a reversal is written in one event that is too long")


def _check_rounds(
    table: AuditedTable, command: VoidSettledRounds, parts: list[RoundsReversed]
) -> dict[str, list[int]]:
    """Check which rounds were voided, and by which clause; give them."""
    name, first = command.dice_set or next(reversed(table.quarantined), ""), command.first
    if name not in table.quarantined:
        raise table.wrong("rounds were voided for dice that are not put away: {name}", name=name)
    served, own = table.rounds_with(name), table.rules_in_force()
    if any(each.first != first for each in parts) or not served or first < served[0]:
        raise table.wrong(
            "rounds from {first} were voided, before the dice came or unasked", first=first
        )
    if table.phase in UNDER_WAY and table.round in served and _voids(own):
        raise table.wrong("settled rounds were voided, and not the one under way")
    affected = _affected(table, name, first)
    found: dict[str, list[int]] = {}
    for part in parts:
        if part.rounds or not affected:
            found.setdefault(part.clause, []).extend(part.rounds)
    if found != (affected or {own.ground_of(_DAMAGED): []}):
        raise table.wrong(
            "rounds {found} were voided, not {affected}", found=found, affected=affected
        )
    if any(each.last != served[-1] for each in parts):
        raise table.wrong(
            "rounds up to {last} were voided, not up to {served}",
            last=parts[-1].last,
            served=served[-1],
        )
    return affected


def _voids(rules: Rules) -> bool:
    return rules.ruling_on(_DAMAGED) == "void-affected-rounds"


def _affected(table: AuditedTable, name: str, since: int) -> dict[str, list[int]]:
    """List the rounds that damaged dice touched and that their own rulebooks void, by clause."""
    affected: dict[str, list[int]] = {}
    for number in table.ended_with(name, since):
        rules = table.rules_of(number)
        if not table.was_reversed(number) and _voids(rules) and not table.played(number).void:
            affected.setdefault(rules.ground_of(_DAMAGED), []).append(number)
    return affected


@audits
def resettled(table: AuditedTable, event: RoundResettled, at: Instant) -> None:
    """A round found wrong is settled again by its dice, and each terminal gets the difference."""
    _check_time(table, event, at)
    command = table.second.take(CorrectSettledRound, "a settled round was settled again")
    check_supervised(table)
    played = table.played(event.round)
    rules = table.rules_of(event.round)
    if rules.procedure["amendment"]["until"] == "settlement":
        raise table.wrong(
            "round {round} was settled again, after results may be amended", round=event.round
        )
    if played.void or table.was_reversed(event.round) or played.rules != rules.name:
        raise table.wrong("round {round} was settled again and cannot be", round=event.round)
    throw = throw_of(event.faces)
    asked = (command.round, throw_of(command.faces), event.before)
    if asked != (event.round, throw, played.throw):
        raise table.wrong(
            "round {round} was settled again by dice nobody agreed on", round=event.round
        )
    if (event.sessions, event.clause) != (played.players, rules.ground_of("wrong-result-settled")):
        raise table.wrong(
            "round {round} was settled again for others, or by {clause}",
            round=event.round,
            clause=event.clause,
        )
    check_corrected(table, event)
    bets: dict[str, dict[str, int]] = {}
    changes: dict[str, int] = {}
    gone: dict[str, int] = {}
    for line in played.lines:
        bets.setdefault(line.position, {})[line.box] = line.stake
        _change(table, played, line.position, -line.back, changes, gone)
    check_lines(table, rules, throw, bets, event.lines, played.plays)
    for line in event.lines:
        _change(table, played, line.position, line.back, changes, gone)
    _put_right(table, changes, event.netted, at)
    _put_by(table, gone, event.gone)
    _lock(table, event, played.lines)
    played.throw, played.lines = throw, event.lines
    table.resettled[event.round] = table.version


def _lock(table: AuditedTable, event: RoundResettled, before: tuple[SettledLine, ...]) -> None:
    """A win put right locks its terminal as another would, or is what a lock is for [D42]."""
    if table.chips is not None:
        return
    threshold = inf if table.handpay_threshold is None else table.handpay_threshold
    more: dict[str, int] = {}
    for sign, lines in ((-1, before), (1, event.lines)):
        for line in lines:
            more[line.position] = more.get(line.position, 0) + sign * line.won
    for each in event.netted:
        name, seat = each.position, table.position(each.position)
        won = sum(line.won for line in event.lines if line.position == name)
        given = min(more[name], each.given)
        if event.round in seat.wins:
            seat.wins[event.round] = (won, max(0, seat.wins[event.round][1] + given))
        elif given and more[name] > threshold:
            table.locks_due[name] = (won, event.round, given)


def _check_time(
    table: AuditedTable, event: RoundsReversed | RoundResettled | RulingRecorded, at: Instant
) -> None:
    """A correction's time is right: by it limits end of players who have nothing left [D21]."""
    if event.at != at:
        raise table.wrong("money was put right at {at}, not at {at_2}", at=event.at, at_2=at)


def _change(
    table: AuditedTable,
    played: Played,
    terminal: str,
    amount: int,
    here: dict[str, int],
    gone: dict[str, int],
) -> None:
    """Add to what a position is due; players who have left since are due it apart."""
    name = table.who_left(terminal, played.players[terminal])
    if name is None:
        here[terminal] = here.get(terminal, 0) + amount
    else:
        gone[name] = gone.get(name, 0) + amount


def _put_by(table: AuditedTable, changes: dict[str, int], gone: tuple[Netted, ...]) -> None:
    """Set aside what players who left are due; what they owe and is not there is lost [D21]."""
    if table.chips is not None:
        chips.check_day(table)
    expected = {}
    for name, change in changes.items():
        if change:
            held = table.books.holds(f"unclaimed:{name}")
            expected[name] = _parts(change, held, table.missing.get(name, 0))
    found = _found(gone)
    if found != expected or len(found) != len(gone):
        raise table.wrong(
            "those who left were netted as {found}, not {expected}", found=found, expected=expected
        )
    for each in gone:
        more = each.given - each.taken
        table.fell_short(each.position, each.shortfall - each.covered)
        table.books.enter("house:bank", each.shortfall - each.covered - more)
        table.books.enter("house:void-shortfall", each.covered - each.shortfall)
        table.books.enter(f"unclaimed:{each.position}", more)
        if table.chips is not None:
            chips.put_by(table, more)


def _parts(change: int, held: int, missing: int) -> tuple[int, int, int, int]:
    """Divide what a player is due, or owes: given, taken, lost, and had already."""
    had = max(0, min(change, missing))
    taken = max(0, min(-change, held))
    return max(0, change) - had, taken, max(0, -change) - taken, had


def _found(netted: tuple[Netted, ...]) -> dict[str, tuple[int, int, int, int]]:
    return {
        each.position: (each.given, each.taken, each.shortfall, each.covered) for each in netted
    }


def _put_right(
    table: AuditedTable, changes: dict[str, int], netted: tuple[Netted, ...], at: Instant
) -> None:
    """Check that each terminal gets or gives its net, and never more than its free credits."""
    expected = {}
    for terminal, change in changes.items():
        if change:
            free = table.books.holds(f"terminal:{terminal}")
            short = table.missing.get(table.player(terminal), 0)
            expected[terminal] = _parts(change, free, short)
    found = _found(netted)
    if found != expected or len(found) != len(netted):
        raise table.wrong(
            "terminals were netted as {found}, not {expected}", found=found, expected=expected
        )
    for each in netted:
        table.books.enter(f"terminal:{each.position}", each.given - each.taken)
        table.books.enter("house:void-shortfall", each.covered - each.shortfall)
        table.fell_short(table.player(each.position), each.shortfall - each.covered)
        if table.chips is not None:
            chips.netted(table, each)
        elif table.is_free(each.position):
            table.position(each.position).lost_all(at)
    owed = sum(changes.values())
    table.books.enter("house:bank", -owed)


@audits
def ruled(table: AuditedTable, event: RulingRecorded, at: Instant) -> None:
    """A ruling that moves money takes two persons, and moves only what a ruling may move."""
    _check_time(table, event, at)
    granted = table.second.granted
    if event.postings or isinstance(granted, Rule):
        command = table.second.take(Rule, "a ruling moved money")
        if command.postings != event.postings:
            raise table.wrong("a ruling moved other money than was agreed to")
        if command.voids_round:
            table.due = (RoundVoided,)
    if event.clause != table.rules_in_force().ground_of("not-covered"):
        raise table.wrong("a ruling cites {clause}", clause=event.clause)
    terminals = () if table.chips is not None else tuple(table.positions)
    before = {name: table.is_free(name) for name in terminals}
    for posting in event.postings:
        _enter_ruling(table, posting)
    for name, was_free in before.items():
        if was_free and not table.is_free(name):
            positions.comes(table, name, table.books.holds(f"terminal:{name}"), at)
            table.sits_down(name)
        elif table.is_free(name) and not was_free:
            table.position(name).lost_all(at)
    if table.chips is not None:
        chips.ruled(table, event)


def _enter_ruling(table: AuditedTable, posting: Posting) -> None:
    present = table.positions if table.chips is None else table.chips.seated
    for account in (posting.source, posting.destination):
        branch, _colon, name = account.partition(":")
        free = branch == "terminal" and name in present
        if not free and account not in ("house:bank", "house:void-shortfall"):
            raise table.wrong("a ruling touched {account}", account=account)
    if posting.amount <= 0:
        raise table.wrong("a ruling moved {amount}", amount=posting.amount)
    table.books.move(posting.source, posting.destination, posting.amount)
    if posting.destination == "house:void-shortfall" and posting.source.startswith("terminal:"):
        name = posting.source.removeprefix("terminal:")
        if table.sessions.get(name):
            player = table.player(name)
            table.fell_short(player, -min(posting.amount, table.missing.get(player, 0)))

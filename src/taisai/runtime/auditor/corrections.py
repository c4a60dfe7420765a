"""Auditing what puts settled rounds right: reversals, results found wrong, rulings."""

from taisai.core.kernel.messages import Instant, Netted, Posting
from taisai.core.table.betting import RoundVoided
from taisai.core.table.corrections import (
    CorrectSettledRound,
    RoundResettled,
    RoundsReversed,
    Rule,
    RulingRecorded,
    VoidSettledRounds,
)
from taisai.runtime.auditor import chips, positions
from taisai.runtime.auditor.provably_fair import check_corrected
from taisai.runtime.auditor.registry import audits
from taisai.runtime.auditor.rounds import check_lines, check_supervised
from taisai.runtime.auditor.table import UNDER_WAY, AuditedTable, throw_of


@audits
def reversed_(table: AuditedTable, event: RoundsReversed, at: Instant) -> None:
    """Damaged dice void every settled round they touched, netted by terminal [D8]."""
    _check_time(table, event, at)
    command = table.second.take(VoidSettledRounds, "settled rounds were voided")
    name = command.dice_set or next(reversed(table.quarantined), "")
    if name not in table.quarantined:
        raise table.wrong(f"rounds were voided for dice that are not put away: {name}")
    served = table.rounds_with(name)
    if command.first != event.first or not served or event.first < served[0]:
        raise table.wrong(f"rounds from {event.first} were voided, before the dice came or unasked")
    if table.phase in UNDER_WAY and table.round in served:
        raise table.wrong("settled rounds were voided, and not the one under way")
    affected = [
        number
        for number in served
        if number >= event.first and number in table.rounds and not table.rounds[number].void
    ]
    if list(event.rounds) != affected or event.last != served[-1]:
        raise table.wrong(f"rounds {event.rounds} were voided, not {affected}")
    changes: dict[str, int] = {}
    gone: dict[str, int] = {}
    for number in affected:
        played = table.rounds[number]
        for line in played.lines:
            _change(table, number, line.position, line.stake - line.back, changes, gone)
        played.void = True
    _put_right(table, changes, event.netted, at)
    _put_by(table, gone, event.gone)


@audits
def resettled(table: AuditedTable, event: RoundResettled, at: Instant) -> None:
    """A round found wrong is settled again by its dice, and each terminal gets the difference."""
    _check_time(table, event, at)
    command = table.second.take(CorrectSettledRound, "a settled round was settled again")
    check_supervised(table)
    if table.rules_in_force().procedure["amendment"]["until"] == "settlement":
        raise table.wrong(f"round {event.round} was settled again, after results may be amended")
    played = table.rounds.get(event.round)
    rules = table.rules_in_force()
    if played is None or played.void or played.rules != rules.name:
        raise table.wrong(f"round {event.round} was settled again and cannot be")
    throw = throw_of(event.faces)
    asked = (command.round, throw_of(command.faces), event.before)
    if asked != (event.round, throw, played.throw):
        raise table.wrong(f"round {event.round} was settled again by dice nobody agreed on")
    check_corrected(table, event)
    bets: dict[str, dict[str, int]] = {}
    changes: dict[str, int] = {}
    gone: dict[str, int] = {}
    for line in played.lines:
        bets.setdefault(line.position, {})[line.box] = line.stake
        _change(table, event.round, line.position, -line.back, changes, gone)
    check_lines(table, rules, throw, bets, event.lines, played.plays)
    for line in event.lines:
        _change(table, event.round, line.position, line.back, changes, gone)
    _put_right(table, changes, event.netted, at)
    _put_by(table, gone, event.gone)
    played.throw, played.lines = throw, event.lines


def _check_time(
    table: AuditedTable, event: RoundsReversed | RoundResettled | RulingRecorded, at: Instant
) -> None:
    """By the event's own time a player's limits last who has nothing left by it [D21]."""
    if event.at != at:
        raise table.wrong(f"money was put right at {event.at}, not at {at}")


def _change(
    table: AuditedTable,
    number: int,
    terminal: str,
    amount: int,
    here: dict[str, int],
    gone: dict[str, int],
) -> None:
    """Add to what a position is due; each player who left it since is due it apart."""
    name = table.who_left(terminal, number)
    if name is None:
        here[terminal] = here.get(terminal, 0) + amount
    else:
        gone[name] = gone.get(name, 0) + amount


def _put_by(table: AuditedTable, changes: dict[str, int], gone: tuple[Netted, ...]) -> None:
    """Set aside what is due to who left; what is due from them and not there is lost [D21]."""
    if table.chips is not None:
        chips.check_day(table)
    expected = {}
    for name, change in changes.items():
        if change:
            held = table.books.holds(f"unclaimed:{name}")
            expected[name] = _parts(change, held, table.missing.get(name, 0))
    found = _found(gone)
    if found != expected or len(found) != len(gone):
        raise table.wrong(f"those who left were netted as {found}, not {expected}")
    for each in gone:
        more = each.given - each.taken
        table.fell_short(each.position, each.shortfall - each.covered)
        table.books.enter("house:bank", each.shortfall - each.covered - more)
        table.books.enter("house:void-shortfall", each.covered - each.shortfall)
        table.books.enter(f"unclaimed:{each.position}", more)
        if table.chips is not None:
            chips.put_by(table, more)


def _parts(change: int, held: int, missing: int) -> tuple[int, int, int, int]:
    """Divide what somebody is due, or owes: given, taken, lost, and had already."""
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
        raise table.wrong(f"terminals were netted as {found}, not {expected}")
    for each in netted:
        table.books.enter(f"terminal:{each.position}", each.given - each.taken)
        table.books.enter("house:void-shortfall", each.covered - each.shortfall)
        table.fell_short(table.player(each.position), each.shortfall - each.covered)
        if table.chips is not None:
            chips.netted(table, each)
        elif table.is_free(each.position):
            table.position(each.position).ended = at
    owed = sum(changes.values())
    table.books.enter("house:bank", -owed)


@audits
def ruled(table: AuditedTable, event: RulingRecorded, at: Instant) -> None:
    """A ruling that moves money takes two persons and touches only what is a ruling's to touch."""
    _check_time(table, event, at)
    granted = table.second.granted
    if event.postings or isinstance(granted, Rule):
        command = table.second.take(Rule, "a ruling moved money")
        if command.postings != event.postings:
            raise table.wrong("a ruling moved other money than was agreed to")
        if command.voids_round:
            table.due = (RoundVoided,)
    if event.clause != table.rules_in_force().ground_of("not-covered"):
        raise table.wrong(f"a ruling cites {event.clause}")
    terminals = () if table.chips is not None else tuple(table.positions)
    before = {name: table.is_free(name) for name in terminals}
    for posting in event.postings:
        _enter_ruling(table, posting)
    for name, was_free in before.items():
        if was_free and not table.is_free(name):
            positions.comes(table, name, table.books.holds(f"terminal:{name}"), at)
            table.sits_down(name)
        elif table.is_free(name) and not was_free:
            table.position(name).ended = at
    if table.chips is not None:
        chips.ruled(table, event)


def _enter_ruling(table: AuditedTable, posting: Posting) -> None:
    present = table.positions if table.chips is None else table.chips.seated
    for account in (posting.source, posting.destination):
        branch, _colon, name = account.partition(":")
        free = branch == "terminal" and name in present
        if not free and account not in ("house:bank", "house:void-shortfall"):
            raise table.wrong(f"a ruling touched {account}")
    if posting.amount <= 0:
        raise table.wrong(f"a ruling moved {posting.amount}")
    table.books.move(posting.source, posting.destination, posting.amount)
    if posting.destination == "house:void-shortfall" and posting.source.startswith("terminal:"):
        name = posting.source.removeprefix("terminal:")
        if table.sessions.get(name):
            player = table.player(name)
            table.fell_short(player, -min(posting.amount, table.missing.get(player, 0)))

"""Rounds and their bets as rows: how each ended, by which rules, and whether that still stands.

Corrections are looked for first, so that every row can say at once whether it still stands.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import NamedTuple

from taisai.core.kernel.messages import Event, Instant, SettledLine
from taisai.core.rules.boxes import BOX_NAMES
from taisai.core.rules.dice import Faces, call_of, result_of
from taisai.core.rules.money import write_odds
from taisai.core.rules.paytable import BettingBox
from taisai.core.table.betting import RoundVoided
from taisai.core.table.chips.layout_bets import AdvisedBetReturned, ExcessRejected
from taisai.core.table.chips.rulings import BetRuled
from taisai.core.table.corrections import RoundResettled, RoundsReversed
from taisai.core.table.round import BetsClosed, BetsOpened, RoundSettled, RoundStarted
from taisai.core.table.setup import RulebookAdopted, journaled_rulebook
from taisai.projections.filling import write_dice
from taisai.projections.moved_bets import MOVES
from taisai.runtime.records.columns import Cell, Row
from taisai.runtime.records.entries import Entry, Source, names
from taisai.runtime.streams import table_stream
from taisai.wording import say

RoundEnd = RoundSettled | RoundVoided | RoundResettled
Boxes = Mapping[str, BettingBox]

_ENDS = names(RoundSettled, RoundVoided, RoundResettled)
_CONTEXT = names(RulebookAdopted, RoundStarted, BetsOpened, BetsClosed)
_CORRECTIONS = names(RoundsReversed, RoundResettled)
_PLACEMENTS = names(*MOVES)
#: Events by which bets go back to players who did not take them back.
_REJECTIONS = (BetsClosed, ExcessRejected, AdvisedBetReturned, BetRuled)


class Correction(NamedTuple):
    """A settled round put right: by which event, when, and how."""

    version: int
    at: Instant
    kind: str


class Ended(NamedTuple):
    """A round's end, with the rules and times that the events before it gave."""

    table: str
    entry: Entry
    event: RoundEnd
    rules: RulebookAdopted
    times: tuple[Instant | None, Instant | None, Instant | None]
    correction: Correction | None

    @property
    def lines(self) -> tuple[SettledLine, ...]:
        """Give the settled lines, by terminal and box."""
        return self.event.returned if isinstance(self.event, RoundVoided) else self.event.lines

    @property
    def faces(self) -> Faces | None:
        """Give the dice; a void round has none."""
        return None if isinstance(self.event, RoundVoided) else self.event.faces

    @property
    def boxes(self) -> Boxes:
        """Give the boxes of the pay table that it was played by."""
        return journaled_rulebook(self.rules.canonical).pay_tables[self.rules.pay_table].boxes

    @property
    def end(self) -> str:
        """Say how it ended."""
        return {RoundSettled: "settled", RoundVoided: "void", RoundResettled: "resettled"}[
            type(self.event)
        ]


async def corrections_of(source: Source, table: str) -> dict[int, list[Correction]]:
    """Find the corrections at a table, by round, the oldest first."""
    found: dict[int, list[Correction]] = {}
    async for entries in source.entries(table_stream(table), _CORRECTIONS):
        for entry in entries:
            for number, kind in _corrected(entry.event):
                found.setdefault(number, []).append(Correction(entry.version, entry.at, kind))
    return found


def _corrected(event: Event) -> Iterator[tuple[int, str]]:
    if isinstance(event, RoundsReversed):
        yield from ((number, "reversed") for number in event.rounds)
    elif isinstance(event, RoundResettled):
        yield event.round, "resettled"


class _Following:
    """Follows a table's rounds: the rules in force, and the times of the round under way."""

    def __init__(self, table: str, corrections: dict[int, list[Correction]]) -> None:
        self._table = table
        self._corrections = corrections
        #: The rulebooks adopted, each with the first round that was played by it.
        self._adopted: list[tuple[int, RulebookAdopted]] = []
        self._last = 0
        self._started: Instant | None = None
        self._opened: Instant | None = None
        self._closed: Instant | None = None

    def ended(self, entry: Entry) -> Ended | None:
        """Note an event; if it ends a round, give that end."""
        match entry.event:
            case RulebookAdopted() as adopted:
                self._adopted.append((self._last + 1, adopted))
            case RoundStarted(round=number):
                self._last = number
                self._started, self._opened, self._closed = entry.at, None, None
            case BetsOpened():
                self._opened = entry.at
            case BetsClosed():
                self._closed = entry.at
            case RoundSettled() | RoundVoided() | RoundResettled() as event:
                return self._end(entry, event)
            case other:
                raise AssertionError(f"{other} is no part of a round's frame")
        return None

    def _end(self, entry: Entry, event: RoundEnd) -> Ended:
        again = isinstance(event, RoundResettled)
        times = (None, None, None) if again else (self._started, self._opened, self._closed)
        later = self._corrections.get(event.round, ())
        correction = next((each for each in later if each.version > entry.version), None)
        # A round settled again long after it was played keeps the rules of its own time.
        rules = next(own for first, own in reversed(self._adopted) if first <= event.round)
        return Ended(self._table, entry, event, rules, times, correction)


async def _ended(source: Source) -> AsyncIterator[Ended]:
    for table in source.tables:
        following = _Following(table, await corrections_of(source, table))
        async for entries in source.entries(table_stream(table), _ENDS, _CONTEXT):
            for entry in entries:
                ended = following.ended(entry)
                if ended is not None:
                    yield ended


async def round_rows(source: Source, language: str) -> AsyncIterator[list[Row]]:
    """Give a row for each end of a round; for a terminal, only rounds that it had bets in."""
    async for ended in _ended(source):
        if not source.terminals or any(source.wants(line.position) for line in ended.lines):
            yield [_round_row(ended, language)]


def _round_row(ended: Ended, language: str) -> Row:
    event, rules, correction, lines = ended.event, ended.rules, ended.correction, ended.lines
    result = None if ended.faces is None else result_of(ended.faces)
    collected, paid, returned = _sums(event)
    return (
        ended.table,
        event.round,
        ended.entry.version,
        ended.end,
        *ended.times,
        ended.entry.at,
        rules.key,
        rules.sha256,
        rules.pay_table,
        event.by if isinstance(event, RoundSettled) else None,
        None if result is None else write_dice(result.faces),
        None if result is None else result.total,
        None if result is None else say(call_of(result), language),
        event.code if isinstance(event, RoundVoided) else None,
        None if isinstance(event, RoundSettled) else event.clause,
        len({line.position for line in lines}),
        len(lines),
        sum(line.stake for line in lines),
        collected,
        paid,
        returned,
        correction is None,
        None if correction is None else correction.kind,
        None if correction is None else correction.at,
    )


def _sums(event: RoundEnd) -> tuple[int, int, int]:
    """Add up what was collected, paid and returned."""
    match event:
        case RoundSettled():
            return event.collected, event.paid, 0
        case RoundVoided():
            return 0, 0, sum(line.stake for line in event.returned)
        case RoundResettled():
            collected = sum(line.stake - line.back + line.won for line in event.lines)
            return collected, sum(line.won for line in event.lines), 0


async def bet_rows(source: Source, _: str) -> AsyncIterator[list[Row]]:
    """Give a row for each terminal and box of each end of a round."""
    async for ended in _ended(source):
        yield list(_bet_rows(source, ended))


def _bet_rows(source: Source, ended: Ended) -> Iterator[Row]:
    entry, event = ended.entry, ended.event
    dice = None if ended.faces is None else write_dice(ended.faces)
    clause_of = clauses_of(event, ended.boxes)
    for position, line in enumerate(ended.lines, start=1):
        if source.wants(line.position):
            yield (
                ended.table,
                event.round,
                entry.version,
                position,
                entry.at,
                ended.end,
                line.position,
                line.box,
                BOX_NAMES[line.box].kind.value,
                line.stake,
                outcome_of(line, event),
                odds_of(line, event, ended.boxes),
                line.won,
                line.back,
                clause_of(line.box),
                dice,
                ended.correction is None,
            )


def outcome_of(line: SettledLine, event: RoundEnd) -> str:
    """Say whether a line won, lost or was void."""
    if isinstance(event, RoundVoided):
        return "void"
    if line.won:
        return "win"
    return "returned" if line.back == line.stake else "lose"


def odds_of(line: SettledLine, event: RoundEnd, boxes: Boxes) -> str | None:
    """Write the odds a line was paid at; a round settled again is read by its pay table."""
    if not line.won or isinstance(event, RoundVoided):
        return None
    if isinstance(event, RoundSettled):
        return event.odds[line.box]
    odds = boxes[line.box].odds_on(result_of(event.faces))
    return None if odds is None else write_odds(odds)


def clauses_of(event: RoundEnd, boxes: Boxes) -> Callable[[str], str]:
    """Find the clause that decided each box; a round settled again is read by its pay table."""
    match event:
        case RoundSettled(clauses=clauses):
            return clauses.__getitem__
        case RoundVoided(clause=clause):
            return lambda _: clause
        case RoundResettled(faces=faces):
            result = result_of(faces)
            return lambda box: boxes[box].clause_on(result)


async def placement_rows(source: Source, _: str) -> AsyncIterator[list[Row]]:
    """Give a row for each amount placed, withdrawn or rejected."""
    for table in source.tables:
        async for entries in source.entries(table_stream(table), _PLACEMENTS):
            for entry in entries:
                yield [row for row in _placements(table, entry) if source.wants(str(row[5]))]


def _placements(table: str, entry: Entry) -> Iterator[Row]:
    who: tuple[Cell, ...] = (None, None, None) if entry.who is None else entry.who
    moved = [each for each in MOVES[type(entry.event)](entry.event) if each.amount]
    off = "rejected" if isinstance(entry.event, _REJECTIONS) else "withdrawn"
    for position, (terminal, box, amount, _) in enumerate(moved, start=1):
        yield (
            entry.at,
            table,
            entry.round,
            entry.version,
            position,
            terminal,
            box,
            "placed" if amount > 0 else off,
            abs(amount),
            getattr(entry.event, "on_behalf_by", None),
            *who,
        )

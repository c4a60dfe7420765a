"""Statistics of a table: its last results, how often everything came up, hot and cold boxes.

Made anew when a round is over, written once for each language, and kept until the next.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec
from litestar import Request, Response, get
from msgspec import Struct

from taisai.core.rules.money import write_fraction
from taisai.core.rules.reason import because
from taisai.core.table.state import TableState
from taisai.projections.figures.frequencies import BoxFrequency, Frequencies, Frequency, cold, hot
from taisai.server.http.frame.access import EVERYBODY, route
from taisai.server.http.frame.caching import kept_until_changed
from taisai.server.http.frame.dependencies import (
    InLanguage,
    TableName,
    TheApplication,
    read_table,
)
from taisai.server.http.tables.lobby import FinishedRound, finished
from taisai.wording import name_box, say

#: The newest results that are shown one by one.
RESULTS_SHOWN = 30
#: Boxes named as hot, and as cold.
BOXES_SHOWN = 5


class Expected(Struct, frozen=True):
    """What is expected on average: exactly, and to one decimal."""

    exact: str
    rounded: str


class Counted(Struct, frozen=True):
    """How often something was seen, and how often fair dice show it."""

    name: str
    seen: int
    expected: Expected


class BoxCount(Struct, frozen=True):
    """How often a box won, and how far that is from expectation, in standard errors."""

    box: str
    name: str
    seen: int
    expected: Expected
    errors: float
    #: Rounds since the box last won; null where it has not won in these rounds.
    since: int | None
    #: The longest row of rounds in which it did not win.
    longest: int


class Statistics(Struct, frozen=True):
    """What the rounds that a table keeps come to; information only, as the note says."""

    table: str
    rounds: int
    note: str
    #: The clause of the table's rulebook that says so, where it has one.
    clause: str | None
    totals: list[Counted]
    faces: list[Counted]
    sizes: list[Counted]
    parities: list[Counted]
    hot: list[BoxCount]
    cold: list[BoxCount]
    #: Every box of the pay table, in its order.
    boxes: list[BoxCount]
    #: The newest first.
    results: list[FinishedRound]


@get(
    "/api/tables/{table:str}/statistics",
    **route(
        "tables", "How often everything came up", EVERYBODY, (503,), fixed=True, answer=Statistics
    ),
)
async def statistics(
    application: TheApplication,
    table: TableName,
    request: Request[Any, Any, Any],
    language: InLanguage = "en",
) -> Response[Any]:
    """Say how often each total, face and box came up against what fair dice show.

    Over the finished rounds that the table keeps, some hundreds; void rounds are left out.
    """
    writings: Writings = request.app.state.statistics
    async with read_table(application.runtime, table) as state:
        return kept_until_changed(request, writings.of(state, language))


def statistics_of(state: TableState, language: str) -> Statistics:
    """Work out the statistics of a table."""
    records = [each for each in state.history.values() if each.faces is not None and not each.void]
    throws = [each.faces for each in records if each.faces is not None]
    counted = Frequencies(throws, state.pay_table)
    boxes = counted.boxes()
    return Statistics(
        table=state.table,
        rounds=counted.rounds,
        note=say(because("STATISTICS_INFORM"), language),
        clause=_clause(state),
        totals=_counts(counted.totals()),
        faces=_counts(counted.faces()),
        sizes=_counts(counted.sizes()),
        parities=_counts(counted.parities()),
        hot=[_box(each, language) for each in hot(boxes, BOXES_SHOWN)],
        cold=[_box(each, language) for each in cold(boxes, BOXES_SHOWN)],
        boxes=[_box(each, language) for each in boxes],
        results=[finished(each, language) for each in reversed(records[-RESULTS_SHOWN:])],
    )


class Writings:
    """The statistics of each table as they were written last, by language, and of which rounds."""

    def __init__(self) -> None:
        self._written: dict[str, tuple[object, dict[str, bytes]]] = {}

    def of(self, state: TableState, language: str) -> bytes:
        """Write a table's statistics, or give them as they are written already."""
        rounds = _fingerprint(state)
        kept, by_language = self._written.get(state.table, (None, {}))
        if kept != rounds:
            by_language = {}
            self._written[state.table] = rounds, by_language
        if language not in by_language:
            by_language[language] = msgspec.json.encode(statistics_of(state, language))
        return by_language[language]


def _fingerprint(state: TableState) -> object:
    """Show apart what the statistics are made of: the rounds as they stand, and the pay table."""
    address = None if state.pay_table is None else state.pay_table.address
    return address, [(each.number, each.faces, each.void) for each in state.history.values()]


def _clause(state: TableState) -> str | None:
    """Name the clause by which displays of results inform only."""
    if state.rulebook is None:
        return None
    rulings = state.rulebook.content.irregularities
    return next((each.clause for each in rulings if each.code == "display-wrong"), None)


def _counts(found: Sequence[Frequency]) -> list[Counted]:
    return [Counted(each.name, each.seen, _expected(each.expected)) for each in found]


def _box(each: BoxFrequency, language: str) -> BoxCount:
    return BoxCount(
        box=each.box,
        name=name_box(each.box, language),
        seen=each.seen,
        expected=_expected(each.expected),
        errors=round(each.errors, 2),
        since=each.since,
        longest=each.longest,
    )


def _expected(value: Fraction) -> Expected:
    tenths = round(value * 10)
    return Expected(write_fraction(value), f"{tenths // 10}.{tenths % 10}")


handlers = [statistics]

"""Tables as everybody may see them: their state, their finished rounds, and statistics.

Statistics are computed again after each round, written once for each language, and stored until the
next.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get
from msgspec import Struct
from msgspec.structs import asdict

from taisai.core.kernel.messages import Instant
from taisai.core.rules.dice import call_of, result_of
from taisai.core.rules.money import write_fraction
from taisai.core.rules.reason import because
from taisai.core.table.state import RoundRecord, TableState
from taisai.projections.figures.frequencies import BoxFrequency, Frequencies, Frequency, cold, hot
from taisai.projections.signs import limits_shown
from taisai.projections.table_view import summary_of
from taisai.protocol import PROTOCOL
from taisai.protocol.views import Dealer, FinishedRound, TableEntry, TableView, view_from
from taisai.runtime.streams import table_stream
from taisai.server.application import Application
from taisai.server.http.frame.access import EVERYBODY, route
from taisai.server.http.frame.caching import UNTIL_CHANGED, fixed
from taisai.server.http.frame.dependencies import (
    WHOLE_MAX,
    InLanguage,
    TableName,
    TheApplication,
    durable_version,
    durably,
    find_open,
    is_suspended,
    open_tables,
    read_table,
    tables_of,
    whole,
)
from taisai.wording import LANGUAGES, name_box, say

#: The most finished rounds in one answer.
ROUNDS_SHOWN = 100

Before = Annotated[int, whole("only rounds before this one", 1)]
Limit = Annotated[int, whole("so many at most", 1, ROUNDS_SHOWN)]

_tables = partial(route, "tables", roles=EVERYBODY, problems=(503,))


class VenueView(Struct, frozen=True):
    """The venue: what it is called, the money it deals in, its tables and where to watch them."""

    name: str
    currency: str
    demo: bool
    #: The venue's time: ids of commands begin with it.
    at: Instant
    tables: list[str]
    protocol: int
    languages: tuple[str, ...]
    live: str = "/api/live"
    #: Whether it has its first two persons; until then it waits for them, and is nothing else.
    founded: bool = True


class FinishedRounds(Struct, frozen=True):
    """Finished rounds, the newest first; `before` asks for the ones before them."""

    table: str
    rounds: list[FinishedRound]
    before: int | None = None


@get("/api/venue", **route("venue", "The venue", EVERYBODY))
async def the_venue(application: TheApplication) -> VenueView:
    """Say what the venue is called, its tables, and its time, which ids of commands begin with."""
    runtime = application.runtime
    state = runtime.state
    return VenueView(
        name=state.name,
        currency=state.currency,
        demo=state.demo,
        at=runtime.clock.now(),
        tables=tables_of(runtime),
        protocol=PROTOCOL,
        languages=LANGUAGES,
    )


@get("/api/tables", **_tables("All tables"))
async def all_tables(application: TheApplication, language: InLanguage = "en") -> list[TableEntry]:
    """List the tables, each with its phase, its rules and limits, and its last result."""
    runtime = application.runtime
    async with durably(runtime, *map(table_stream, open_tables(runtime))):
        return [table_entry(application, name, language) for name in tables_of(runtime)]


def table_entry(application: Application, table: str, language: str) -> TableEntry:
    """Make the entry of a table for the list of tables; a suspended one has few fields."""
    dealer: Dealer = "automatic" if application.dealers.automatic(table) else "person"
    if is_suspended(application.runtime, table):
        return TableEntry(table, "suspended", 0, suspended=True, dealer=dealer)
    return _open_entry(application.runtime.table(table), dealer, language)


def _open_entry(state: TableState, dealer: Dealer, language: str) -> TableEntry:
    content = None if state.rulebook is None else state.rulebook.content
    pay_table = state.pay_table
    newest = next((each for each in reversed(state.history.values()) if each.faces), None)
    terminals = state.terminals.values()
    return TableEntry(
        table=state.table,
        phase=state.phase.value,
        round=state.round,
        suspended=False,
        dealer=dealer,
        title=None if content is None else content.title,
        pay_table=None if pay_table is None else pay_table.address,
        publisher=None if content is None else content.publisher,
        version=None if content is None else content.version,
        layout=None if pay_table is None else pay_table.layout.name,
        boxes=0 if pay_table is None else len(pay_table.boxes),
        limits=None if state.limits is None else limits_shown(state.limits),
        tumbler=state.equipment.tumbler,
        terminals=len(terminals),
        connected=sum(seat.connected for seat in terminals),
        last=None if newest is None else finished(newest, language),
        form=state.form,
    )


@get("/api/tables/{table:str}", **_tables("A table as it stands"))
async def one_table(
    application: TheApplication, table: TableName, language: InLanguage = "en"
) -> TableView:
    """Show a table as everybody may see it; over the socket the same comes as it changes."""
    find_open(application.runtime, table)
    channel = application.hub.table(table)
    assert channel is not None, "every table that is open has its channels"
    return channel.view_in(language)


@get("/api/tables/{table:str}/rounds", **_tables("Finished rounds"))
async def finished_rounds(
    application: TheApplication,
    table: TableName,
    before: Before = WHOLE_MAX,
    limit: Limit = 20,
    language: InLanguage = "en",
) -> FinishedRounds:
    """Show the last finished rounds of a table, the newest first; some hundreds are kept."""
    runtime = application.runtime
    version = durable_version(runtime, find_open(runtime, table))
    found = [
        record
        for record in reversed(runtime.table(table).history.values())
        if record.version <= version and record.number < before
    ]
    shown = [finished(record, language) for record in found[:limit]]
    more = found[limit - 1].number if len(found) > limit else None
    return FinishedRounds(table, shown, more)


def finished(record: RoundRecord, language: str) -> FinishedRound:
    """Show the result of a round."""
    call = None if record.faces is None else say(call_of(result_of(record.faces)), language)
    return FinishedRound(**asdict(summary_of(record)), call=call)


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
        return fixed(request, writings.of(state, language), UNTIL_CHANGED)


def statistics_of(state: TableState, language: str) -> Statistics:
    """Compute the statistics of a table."""
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
    """The statistics of each table as last written, by language, and the rounds they are of."""

    def __init__(self) -> None:
        self._written: dict[str, tuple[object, dict[str, bytes]]] = {}

    def of(self, state: TableState, language: str) -> bytes:
        """Write a table's statistics, or give the stored ones if they still hold."""
        rounds = _fingerprint(state)
        kept, by_language = self._written.get(state.table, (None, {}))
        if kept != rounds:
            by_language = {}
            self._written[state.table] = rounds, by_language
        if language not in by_language:
            by_language[language] = msgspec.json.encode(statistics_of(state, language))
        return by_language[language]


def _fingerprint(state: TableState) -> object:
    """Give what the statistics depend on: the rounds as they stand, and the pay table."""
    address = None if state.pay_table is None else state.pay_table.address
    return address, [(each.number, each.faces, each.void) for each in state.history.values()]


def _clause(state: TableState) -> str | None:
    """Give the clause by which displays of results are for information only."""
    if state.rulebook is None:
        return None
    rulings = state.rulebook.content.irregularities
    return next((each.clause for each in rulings if each.code == "display-wrong"), None)


def _counts(found: Sequence[Frequency]) -> list[Counted]:
    return [Counted(each.name, each.seen, _expected(each.expected)) for each in found]


def _box(each: BoxFrequency, language: str) -> BoxCount:
    name, expected = name_box(each.box, language), _expected(each.expected)
    errors = round(each.errors, 2)
    return view_from(BoxCount, each, name=name, expected=expected, errors=errors)


def _expected(value: Fraction) -> Expected:
    tenths = round(value * 10)
    return Expected(write_fraction(value), f"{tenths // 10}.{tenths % 10}")

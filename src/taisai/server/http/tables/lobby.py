"""Tables as everybody may see them: how they stand, and their finished rounds."""

from functools import partial
from typing import Annotated

from litestar import get
from litestar.params import QueryParameter
from msgspec import Struct
from msgspec.structs import asdict

from taisai.core.kernel.messages import Instant, LimitsAsked
from taisai.core.rules.dice import call_of, result_of
from taisai.core.table.chips.pieces import Form
from taisai.core.table.state import RoundRecord, TableState
from taisai.projections.table_view import limits_shown, summary_of
from taisai.protocol import PROTOCOL
from taisai.protocol.views import RoundSummary, TableView
from taisai.runtime.streams import table_stream
from taisai.server.application import Application
from taisai.server.floor_plan import Dealer
from taisai.server.http.frame.access import EVERYBODY, route
from taisai.server.http.frame.dependencies import (
    WHOLE_MAX,
    InLanguage,
    TableName,
    TheApplication,
    durable_version,
    durably,
    find_open,
    is_suspended,
    tables_of,
)
from taisai.wording import LANGUAGES, say

#: Finished rounds that one answer holds.
ROUNDS_SHOWN = 100

Before = Annotated[
    int, QueryParameter(ge=1, le=WHOLE_MAX, description="only rounds before this one")
]
Limit = Annotated[int, QueryParameter(ge=1, le=ROUNDS_SHOWN, description="so many at most")]

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


class FinishedRound(RoundSummary, frozen=True):
    """A finished round as the roads show it, with the dealer's call."""

    call: str | None = None


class TableEntry(Struct, frozen=True):
    """A table in a list of tables: what somebody wants to know who chooses one."""

    table: str
    phase: str
    round: int
    suspended: bool
    dealer: Dealer
    title: str | None = None
    pay_table: str | None = None
    #: Who publishes the rulebook, and in which version.
    publisher: str | None = None
    version: str | None = None
    layout: str | None = None
    #: Betting boxes of the pay table.
    boxes: int = 0
    limits: LimitsAsked | None = None
    tumbler: str | None = None
    #: Player Terminals of the table, and those that are connected
    terminals: int = 0
    connected: int = 0
    #: The last round with a result.
    last: FinishedRound | None = None
    #: Played from Player Terminals, or with chips on a chip table.
    form: Form = "terminals"


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
    names = tables_of(runtime)
    open_ = [table_stream(name) for name in names if not is_suspended(runtime, name)]
    async with durably(runtime, *open_):
        return [table_entry(application, name, language) for name in names]


def table_entry(application: Application, table: str, language: str) -> TableEntry:
    """Show a table as a list of tables does; of one that is suspended little is known."""
    dealer: Dealer = "automatic" if application.dealers.automatic(table) else "person"
    if is_suspended(application.runtime, table):
        return TableEntry(table, "suspended", 0, suspended=True, dealer=dealer)
    return _open_entry(application.runtime.table(table), dealer, language)


def _open_entry(state: TableState, dealer: Dealer, language: str) -> TableEntry:
    content = None if state.rulebook is None else state.rulebook.content
    pay_table = state.pay_table
    newest = next((each for each in reversed(state.history.values()) if each.faces), None)
    terminals = () if state.chips is not None else state.positions.values()
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
        form="terminals" if state.chips is None else "chips",
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
    """Say how a round came out."""
    call = None if record.faces is None else say(call_of(result_of(record.faces)), language)
    return FinishedRound(**asdict(summary_of(record)), call=call)


handlers = [the_venue, all_tables, one_table, finished_rounds]

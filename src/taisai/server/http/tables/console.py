"""The Game Console over HTTP: what a command would do, what to collect and pay, what to do next.

Every answer is a dry run of the core on the present table, and changes nothing.
"""

from functools import lru_cache, partial
from typing import Annotated, Any, TypeVar

import msgspec
from litestar import Request, Response, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec import Struct

from taisai.core.rules.dice import RESULTS, Faces, call_of
from taisai.core.rules.reason import Refusal, printable, refuse
from taisai.core.table.past import NOTHING_READ, Past, Wanted
from taisai.protocol.client_messages import Language
from taisai.runtime.journal.contract import JournalError
from taisai.runtime.past_rounds import TooManyLinesError
from taisai.runtime.streams import table_stream
from taisai.server.console.guide import Gauges, PayoutGuide, gauges_for, guide_for
from taisai.server.console.irregularities import (
    IrregularityView,
    Particulars,
    irregularities_for,
    needed_for,
)
from taisai.server.console.preview import Asked, CommandPreview, Previewed, needed_by, preview_of
from taisai.server.console.steps import Opening, opening_for
from taisai.server.http.accounts.approvals import waiting
from taisai.server.http.frame.access import EVERYBODY, TheCaller, route
from taisai.server.http.frame.caching import fixed
from taisai.server.http.frame.dependencies import (
    PROBLEMS,
    WHOLE_MAX,
    InLanguage,
    TableName,
    TheApplication,
    find_open,
    read_table,
    whole,
)
from taisai.server.http.frame.problems import RefusedError, busy, not_found
from taisai.server.roles import AT_THE_CONSOLE, WATCH_TABLES
from taisai.wording import LANGUAGES, say

Code = Annotated[
    str, QueryParameter(pattern="^[a-z-]{0,40}$", description="only the irregularity of this code")
]
FromRound = Annotated[int, whole("void settled rounds from this one on", 1)]
OfRound = Annotated[int, whole("the settled round to be put right", 1)]
TheFaces = Annotated[
    str, QueryParameter(pattern="^([1-6]{3})?$", description="what the dice showed, as in 136")
]
Voids = Annotated[bool, QueryParameter(description="whether a ruling voids the round under way")]

_T = TypeVar("_T")
_console = partial(route, "console", roles=AT_THE_CONSOLE, problems=(409, 503))


class ResultView(Struct, frozen=True):
    """One of the 56 distinct results: its faces, their total, how many throws of 216 show it."""

    faces: Faces
    total: int
    ways: int
    call: str
    triple: bool


class ResultList(Struct, frozen=True):
    """Every result there is, in the order in which exposure is shown."""

    language: Language
    results: list[ResultView]


class IrregularityList(Struct, frozen=True):
    """What can go wrong at a table, and what would come of each now; what awaits a ruling."""

    table: str
    irregularities: list[IrregularityView]
    #: What was reported and is left to the shift manager, by its code: in which round [D29].
    unruled: dict[str, int]


class PreviewAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A command that somebody thinks of giving."""

    command: Previewed


@get("/api/results", **route("rules", "All 56 results", EVERYBODY, fixed=True))
async def all_results(
    request: Request[Any, Any, Any], language: InLanguage = "en"
) -> Response[ResultList]:
    """Show the 56 distinct results of three dice, each with the dealer's call."""
    return fixed(request, _results(language))


@lru_cache(maxsize=len(LANGUAGES))
def _results(language: Language) -> bytes:
    found = [
        ResultView(
            each.faces, each.total, each.throws, say(call_of(each), language), each.is_triple
        )
        for each in RESULTS
    ]
    return msgspec.json.encode(ResultList(language, found))


@get("/api/tables/{table:str}/irregularities", **_console("What each irregularity would come to"))
async def irregularities(  # noqa: PLR0913, PLR0917 - each is a parameter of the address
    application: TheApplication,
    caller: TheCaller,
    table: TableName,
    code: Code = "",
    first: FromRound = WHOLE_MAX,
    round: OfRound = WHOLE_MAX,
    faces: TheFaces = "",
    voids_round: Voids = False,
    language: InLanguage = "en",
) -> IrregularityList:
    """Say what would happen if an irregularity were reported now, or why it would be refused.

    What the newest round does not settle can be named: from which round on, which round, which
    faces, whether a ruling voids the round.
    """
    given = Particulars(_given(first), _given(round), _faces(faces), voids_round)
    at, role = application.runtime.clock.now(), caller.actor.role
    async with read_table(application.runtime, table) as state:
        if state.rulebook is None:
            raise RefusedError(refuse("NO_RULEBOOK"))
        past = await _read(application, table, needed_for(state, role, given))
        found = irregularities_for(state, role, language, at, given, code or None, past)
        if not found:
            known = irregularities_for(state, role, language, at, Particulars())
            there = ", ".join(each.code for each in known)
            raise not_found("UNKNOWN_IRREGULARITY", there=there)
        unruled = dict(state.unruled)
    return IrregularityList(table, found, unruled)


async def _read(application: TheApplication, table: str, needed: Wanted) -> Past:
    """Read from the journal the rounds that the table no longer has [D24]."""
    if not needed:
        return NOTHING_READ
    try:
        return await application.runtime.writer(table_stream(table)).read_past(needed)
    except TooManyLinesError as error:
        raise RefusedError(refuse("TOO_MANY_ROUNDS", most=error.rounds)) from None
    except JournalError as error:
        raise busy("JOURNAL_UNREADABLE", detail=printable(str(error))) from None


@get("/api/tables/{table:str}/guide", **_console("What to collect and pay"))
async def guide(
    application: TheApplication, table: TableName, language: InLanguage = "en"
) -> PayoutGuide:
    """List what is collected, then what is paid, of the result entered or of the last round."""
    async with read_table(application.runtime, table) as state:
        found = guide_for(state, language, application.runtime.clock.now())
    return _unless_refused(found)


@get("/api/tables/{table:str}/gauges", **_console("Limits and Differential"))
async def gauges(
    application: TheApplication, table: TableName, language: InLanguage = "en"
) -> Gauges:
    """Measure what lies on each box against its limits, and the sides of each Differential."""
    async with read_table(application.runtime, table) as state:
        found = gauges_for(state, language, application.runtime.clock.now())
    return _unless_refused(found)


@get(
    "/api/tables/{table:str}/opening",
    **route(
        "console",
        "What a table wants to open",
        WATCH_TABLES,
        (409, 503),
    ),
)
async def opening(
    application: TheApplication, caller: TheCaller, table: TableName, language: InLanguage = "en"
) -> Opening:
    """Say what is still wanted before a table opens, each with the step that brings it."""
    at = application.runtime.clock.now()
    async with read_table(application.runtime, table) as state:
        return opening_for(state, caller.actor.role, language, at)


@post(
    "/api/tables/{table:str}/preview",
    **route("console", "What a command would do", AT_THE_CONSOLE, PROBLEMS, status=200),
)
async def preview(
    application: TheApplication,
    caller: TheCaller,
    table: TableName,
    data: JSONBody[PreviewAsked],
    language: InLanguage = "en",
) -> CommandPreview:
    """Say what a ruling, a reversal or the like would do to every account; nothing is done.

    Whoever may not give the command is refused it here too.
    """
    asked = Asked(caller.actor.role, data.command, language, application.runtime.clock.now())
    async with read_table(application.runtime, table) as state:
        past = await _read(application, table, needed_by(state, asked))
        found = preview_of(state, asked._replace(past=past))
    return _unless_refused(found)


@get(
    "/api/tables/{table:str}/preview/{pending:str}",
    **route("console", "What would be agreed to", AT_THE_CONSOLE, PROBLEMS),
)
async def preview_pending(
    application: TheApplication,
    table: TableName,
    pending: Annotated[str, PathParameter(max_length=64, description="the hash of what waits")],
    language: InLanguage = "en",
) -> CommandPreview:
    """Show the second person what would be done, as it was shown to whoever asked for it."""
    runtime = application.runtime
    stream, now = find_open(runtime, table), runtime.clock.now()
    found = next(
        (each for at, each in waiting(runtime) if (at, each.hash) == (stream, pending)), None
    )
    command = None if found is None else found.order.command
    if found is None or not isinstance(command, Previewed):
        raise RefusedError(refuse("NOTHING_PENDING"))
    asked = Asked(found.order.actor.role, command, language, now)
    async with read_table(runtime, table) as state:
        past = await _read(application, table, needed_by(state, asked))
        shown = preview_of(state, asked._replace(past=past))
    return _unless_refused(shown)


def _unless_refused(found: _T | Refusal) -> _T:
    if isinstance(found, Refusal):
        raise RefusedError(found)
    return found


def _given(number: int) -> int | None:
    return None if number == WHOLE_MAX else number


def _faces(text: str) -> Faces | None:
    if not text:
        return None
    low, middle, high = sorted(int(face) for face in text)
    return low, middle, high

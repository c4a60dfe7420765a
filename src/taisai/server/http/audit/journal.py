"""Audit: rounds in full, significant events, notices, exports, and proof of the running journal."""

from typing import Annotated, Any, Literal

from litestar import Request, delete, get, post
from litestar.enums import MediaType
from litestar.params import PathParameter, QueryParameter
from litestar.response import Stream
from msgspec import Struct
from msgspec.structs import replace

from taisai.core.rules.reason import refuse
from taisai.core.venue.state import find_person
from taisai.runtime.publisher import Announcement
from taisai.runtime.records.round_story import RoundStoryView
from taisai.runtime.records.search import FoundPage, Sought, read_position
from taisai.runtime.records.significant_events import EventPage
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, table_stream
from taisai.server.http.audit.journal_worker import Events, Export, Find, Story
from taisai.server.http.audit.journal_workers import (
    JournalWorkers,
    Verification,
    Verifications,
    figures_of,
)
from taisai.server.http.frame.access import TheCaller, route
from taisai.server.http.frame.dependencies import (
    WHOLE_MAX,
    InLanguage,
    OneTable,
    TableName,
    TheApplication,
    find_table,
    text,
    whole,
)
from taisai.server.http.frame.problems import RefusedError
from taisai.server.roles import AUDIT, EXPORT, SEE_ROUNDS

View = Literal["rounds", "bets", "placements", "postings", "meters", "significant"]
Format = Literal["csv", "json", "parquet"]
MEDIA: dict[str, str] = {
    "csv": "text/csv",
    "json": "application/jsonl",
    "parquet": "application/vnd.apache.parquet",
}
#: The formats by the writers' names, and the file extension of each.
_ENDINGS = {"csv": "csv", "json": "jsonl", "parquet": "parquet"}

# A parameter that is left out has a value of its own type: `null` in an address is a text.
Since = Annotated[int, whole("from this time on, in milliseconds")]
Until = Annotated[int, whole("before this time, in milliseconds")]
Terminal = Annotated[str, text("one terminal alone")]


@get(
    "/api/exports/{view:str}",
    **route(
        "audit",
        "Export a view",
        EXPORT,
        (503,),
        media=tuple(MEDIA.values()),
    ),
)
async def export_view(  # noqa: PLR0913, PLR0917 - one for each part of the address
    request: Request[Any, Any, Any],
    application: TheApplication,
    view: Annotated[View, PathParameter(description="what a row is: see docs/records.md")],
    format_: Annotated[
        Format, QueryParameter(name="format", description="JSON is one object a line")
    ] = "csv",
    table: OneTable = "",
    terminal: Terminal = "",
    since: Since = 0,
    until: Until = WHOLE_MAX,
    language: InLanguage = "en",
) -> Stream:
    """Write a view of the journal out, as it was when asked for; it begins before it is complete.

    An export that breaks off half-way ends without its last chunk, so that nobody takes a part for
    the whole.
    """
    if table:
        find_table(application.runtime, table)
    workers: JournalWorkers = request.app.state.workers
    job = Export(
        where=workers.where,
        view=view,
        format=_ENDINGS[format_],
        tables=(table,) if table else (),
        terminals=(terminal,) if terminal else (),
        since=since,
        until=until,
        language=language,
    )
    name = f"{view}.{_ENDINGS[format_]}"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Stream(await workers.answer(job), media_type=MEDIA[format_], headers=headers)


EVENTS_MAX = 500

Round = Annotated[int, PathParameter(ge=1, le=WHOLE_MAX, description="a round, by its number")]
Limit = Annotated[int, whole("so many at most", 1, EVENTS_MAX)]
_BEFORE = r"^([0-9]{1,15}\.[0-9]{1,15}\..+)?$"
Before = Annotated[
    str,
    text("only what came before this one, as an answer named it", pattern=_BEFORE, max_length=200),
]


@get(
    "/api/tables/{table:str}/rounds/{round:int}",
    **route(
        "audit",
        "A round in full",
        SEE_ROUNDS,
        (503,),
        answer=RoundStoryView,
    ),
)
async def round_story(
    request: Request[Any, Any, Any],
    application: TheApplication,
    table: TableName,
    round: Round,
    language: InLanguage = "en",
) -> Stream:
    """Re-create a round from the journal alone: rules, events, bets with reasons, every posting."""
    find_table(application.runtime, table)
    workers: JournalWorkers = request.app.state.workers
    job = Story(workers.where, table, round, language)
    return Stream(await workers.answer(job), media_type=MediaType.JSON)


@get(
    "/api/audit/events", **route("audit", "Significant events", AUDIT, (404, 503), answer=EventPage)
)
async def significant_events(  # noqa: PLR0913, PLR0917 - one for each part of the address
    request: Request[Any, Any, Any],
    application: TheApplication,
    limit: Limit = 100,
    before: Before = "",
    table: OneTable = "",
    since: Since = 0,
    until: Until = WHOLE_MAX,
    language: InLanguage = "en",
) -> Stream:
    """Show the significant events, the newest first."""
    if table:
        find_table(application.runtime, table)
    workers: JournalWorkers = request.app.state.workers
    job = Events(
        where=workers.where,
        limit=limit,
        tables=(table,) if table else (),
        since=since,
        until=until,
        before=read_position(before) if before else None,
        language=language,
    )
    return Stream(await workers.answer(job), media_type=MediaType.JSON)


#: The most events found in one answer.
FOUND_MAX = 100
#: The digits of a voucher's number; fewer are its serial.
NUMBER_DIGITS = 18

Found = Annotated[int, whole("so many at most", 1, FOUND_MAX)]
Person = Annotated[str, text("somebody who did it, agreed to it, or is named in it")]
VoucherAsked = Annotated[
    str, text("a voucher: its serial, or its number of eighteen digits", pattern=r"^[0-9 -]*$")
]
Least = Annotated[int, whole("an amount of at least so many cents")]
Most = Annotated[int, whole("an amount of at most so many cents")]
Irregularity = Annotated[
    str, text("an irregularity by its code, or `any`", pattern=r"^[a-z-]*$", max_length=40)
]


@get("/api/audit/find", **route("audit", "Find events", AUDIT, (404, 503), answer=FoundPage))
async def find_events(  # noqa: PLR0913, PLR0917 - one for each part of the address
    request: Request[Any, Any, Any],
    application: TheApplication,
    limit: Found = 50,
    before: Before = "",
    table: OneTable = "",
    terminal: Terminal = "",
    person: Person = "",
    voucher: VoucherAsked = "",
    least: Least = 0,
    most: Most = WHOLE_MAX,
    irregularity: Irregularity = "",
    since: Since = 0,
    until: Until = WHOLE_MAX,
    language: InLanguage = "en",
) -> Stream:
    """Find events of any kind, from the newest back; everything that is given must be so.

    One answer looks at a hundred thousand events at the most: it says how far back it came, and
    `before` goes on from there, whether or not anything was found.
    """
    runtime = application.runtime
    if table:
        find_table(runtime, table)
    workers: JournalWorkers = request.app.state.workers
    sought = Sought(
        terminal=terminal,
        person=(find_person(runtime.state, person) or person) if person else "",
        **_voucher(runtime, voucher),
        least=least or None,
        most=None if most == WHOLE_MAX else most,
        irregularity=irregularity,
    )
    job = Find(
        where=workers.where,
        sought=sought,
        limit=limit,
        tables=(table,) if table else (),
        since=since,
        until=None if until == WHOLE_MAX else until,
        before=read_position(before) if before else None,
        language=language,
    )
    return Stream(await workers.answer(job), media_type=MediaType.JSON)


def _voucher(runtime: Runtime, voucher: str) -> dict[str, Any]:
    """Say what to look for when an auditor names a voucher.

    No number is in the journal: an outstanding voucher is found by its serial, and a redeemed one
    by the last four digits.
    """
    digits = "".join(each for each in voucher if each.isdigit())
    if len(digits) < NUMBER_DIGITS:
        return {"serial": int(digits)} if digits else {}
    out = {} if runtime.writer(CAGE).suspended else runtime.cage.by_number
    serial = out.get(digits)
    return {"last_four": digits[-4:]} if serial is None else {"serial": serial}


@get("/api/audit/notices", **route("audit", "Notices", AUDIT))
async def notices(
    application: TheApplication, limit: Limit = 100, language: InLanguage = "en"
) -> list[Announcement]:
    """Say what the pit was shown of the venue itself since it was started, the newest first."""
    newest = list(reversed(application.runtime.announcements))[:limit]
    return [replace(each, text=each.said(language)) for each in newest]


@post(
    "/api/audit/verifications",
    response_description="Under way; ask for its progress.",
    **route("audit", "Begin a verification", AUDIT, (409,), status=202),
)
async def begin_verification(request: Request[Any, Any, Any], caller: TheCaller) -> Verification:
    """Begin to prove the running journal, beside the venue and without holding it up."""
    verifications: Verifications = request.app.state.verifications
    begun = verifications.begin(caller.person)
    if begun is None:
        raise RefusedError(refuse("VERIFICATION_RUNS"))
    return begun


@get(
    "/api/audit/verifications/current",
    **route("audit", "The verification under way, or the last", AUDIT),
)
async def current_verification(
    request: Request[Any, Any, Any], language: InLanguage = "en"
) -> Verification | None:
    """Say how far a verification has got, or what the last one came to; null before the first."""
    verifications: Verifications = request.app.state.verifications
    return verifications.shown(language)


@delete(
    "/api/audit/verifications/current",
    **route("audit", "Stop the verification under way", AUDIT, (409,), status=200),
)
async def stop_verification(request: Request[Any, Any, Any], caller: TheCaller) -> Verification:
    """Stop the verification that is under way: what it has looked at proves nothing."""
    verifications: Verifications = request.app.state.verifications
    stopped = await verifications.stop(caller.person)
    if stopped is None:
        raise RefusedError(refuse("NO_VERIFICATION_RUNS"))
    return stopped


class RoundMarks(Struct, frozen=True):
    """What was out of the ordinary in rounds of a table, by their numbers."""

    table: str
    #: Each of `void`, `amended`, `irregular`, `reversed` and `resettled` at most once.
    marks: dict[int, list[str]]
    #: Whether older events are still being read, so that marks may be missing.
    incomplete: bool


@get(
    "/api/tables/{table:str}/marks",
    **route("audit", "Marks of rounds", SEE_ROUNDS),
)
async def round_marks(
    request: Request[Any, Any, Any], application: TheApplication, table: TableName
) -> RoundMarks:
    """Say which rounds of a table were not as they should be: of the thousand touched last."""
    find_table(application.runtime, table)
    tally = figures_of(request).of(table_stream(table))
    marks = {} if tally is None else dict(sorted(tally.state.marks.items()))
    return RoundMarks(table, marks, tally is None)

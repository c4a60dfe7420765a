"""Exports: a view of the journal, streamed as it is read."""

from typing import Annotated, Any, Literal

from litestar import Request, get
from litestar.params import PathParameter, QueryParameter
from litestar.response import Stream

from taisai.server.http.audit.journal_worker import Export
from taisai.server.http.audit.journal_workers import JournalWorkers
from taisai.server.http.frame.access import route
from taisai.server.http.frame.dependencies import WHOLE_MAX, InLanguage, TheApplication, find_table

View = Literal["rounds", "bets", "placements", "postings", "meters", "significant"]
Format = Literal["csv", "json", "parquet"]
MEDIA: dict[str, str] = {
    "csv": "text/csv",
    "json": "application/jsonl",
    "parquet": "application/vnd.apache.parquet",
}
#: What the writers call the formats, and the ending of a file.
_ENDINGS = {"csv": "csv", "json": "jsonl", "parquet": "parquet"}

# A parameter that is left out has a value of its own type: `null` in an address is a text.
Since = Annotated[
    int, QueryParameter(ge=0, le=WHOLE_MAX, description="from this time on, in milliseconds")
]
Until = Annotated[
    int, QueryParameter(ge=0, le=WHOLE_MAX, description="before this time, in milliseconds")
]
Table = Annotated[str, QueryParameter(max_length=64, description="one table alone")]
Terminal = Annotated[str, QueryParameter(max_length=64, description="one terminal alone")]


@get(
    "/api/exports/{view:str}",
    summary="Export a view",
    **route(
        "audit", ("auditor", "shift-manager", "pit-manager"), (503,), media=tuple(MEDIA.values())
    ),
)
async def export_view(  # noqa: PLR0913, PLR0917 - one for each part of the address
    request: Request[Any, Any, Any],
    application: TheApplication,
    view: Annotated[View, PathParameter(description="what a row is: see docs/records.md")],
    format_: Annotated[
        Format, QueryParameter(name="format", description="JSON is one object a line")
    ] = "csv",
    table: Table = "",
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


handlers = [export_view]

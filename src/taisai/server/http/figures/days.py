"""Reports of gaming days: each as JSON, as a tidy CSV table and as a page that prints on A4."""

from datetime import date as calendar
from datetime import timedelta
from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.params import PathParameter

from taisai.core.errors import SentenceError
from taisai.core.rules.reason import printable, refuse, shown
from taisai.projections.figures.days import DAYS_KEPT, Dates, DaySums
from taisai.runtime.journal.location import without_passwords
from taisai.runtime.streams import table_stream
from taisai.server.figures.follower import Figures
from taisai.server.http.audit.journal_workers import BUSY_SECONDS, figures_of
from taisai.server.http.figures.day_files import PAGE_POLICY, day_list_csv, day_page, day_report_csv
from taisai.server.http.figures.views import (
    DayList,
    DayReport,
    DayTable,
    KnownDay,
    day_dealers,
    day_kinds,
    day_of_table,
    day_total,
)
from taisai.server.http.frame.access import TheCaller, route
from taisai.server.http.frame.dependencies import (
    InLanguage,
    OneTable,
    TheApplication,
    find_table,
    tables_of,
    text,
)
from taisai.server.http.frame.problems import RefusedError, busy
from taisai.server.roles import SEE_PIT, counts

#: How many dates are shown at once, today's included.
DATES_MAX = DAYS_KEPT
#: How many days back are shown if no first date is given: a week.
DAYS_BEFORE = 6

Asked = Request[Any, Any, Any]
GamingDate = Annotated[
    str, PathParameter(max_length=64, description="a gaming date, as `2026-11-16`")
]
Since = Annotated[
    str,
    text("the first gaming date, as `2026-11-16`; left out, six days before the last", name="from"),
]
Until = Annotated[str, text("the last gaming date; left out, that of today", name="to")]


@get("/api/reports/days", **route("reports", "Gaming days", SEE_PIT, (404, 409, 503)))
async def gaming_days(
    application: TheApplication,
    request: Asked,
    caller: TheCaller,
    since: Since = "",
    until: Until = "",
    table: OneTable = "",
) -> DayList:
    """List the gaming days of the tables: what was turned over, won, to be expected and counted.

    A chip table's day is the one that was opened there; at a terminal table a round belongs to
    the gaming date of the moment it was settled in. At most a hundred dates are shown at once.
    """
    return await _list(application, request, (since, until), table, blind=counts(caller.role))


@get(
    "/api/reports/days/csv",
    **route(
        "reports",
        "Gaming days, as CSV",
        SEE_PIT,
        (404, 409, 503),
        media=("text/csv",),
        answer=bytes,
    ),
)
async def gaming_days_csv(
    application: TheApplication,
    request: Asked,
    caller: TheCaller,
    since: Since = "",
    until: Until = "",
    table: OneTable = "",
) -> Response[bytes]:
    """Write gaming days as one table, a row for each day of each table: see docs/gaming_day.md."""
    report = await _list(application, request, (since, until), table, blind=counts(caller.role))
    name = f"gaming-days-{report.since}-{report.until}.csv"
    return _file(day_list_csv(report), "text/csv", f'attachment; filename="{name}"')


@get("/api/reports/day/{date:str}", **route("reports", "A gaming day", SEE_PIT, (409, 503)))
async def gaming_day(
    application: TheApplication,
    request: Asked,
    caller: TheCaller,
    date: GamingDate,
    language: InLanguage = "en",
) -> DayReport:
    """Show a gaming day of the venue: by table, by dealer and by kind of bet."""
    return await _report(application, request, date, language, blind=counts(caller.role))


@get(
    "/api/reports/day/{date:str}/csv",
    **route(
        "reports", "A gaming day, as CSV", SEE_PIT, (409, 503), media=("text/csv",), answer=bytes
    ),
)
async def gaming_day_csv(
    application: TheApplication,
    request: Asked,
    caller: TheCaller,
    date: GamingDate,
    language: InLanguage = "en",
) -> Response[bytes]:
    """Write a gaming day as one table, whose column `row` says what each row is of."""
    report = await _report(application, request, date, language, blind=counts(caller.role))
    name = f'attachment; filename="gaming-day-{report.date}.csv"'
    return _file(day_report_csv(report), "text/csv", name)


@get(
    "/api/reports/day/{date:str}/page",
    **route(
        "reports", "A gaming day, to print", SEE_PIT, (409, 503), media=("text/html",), answer=bytes
    ),
)
async def gaming_day_page(
    application: TheApplication,
    request: Asked,
    caller: TheCaller,
    date: GamingDate,
    language: InLanguage = "en",
) -> Response[bytes]:
    """Write a gaming day as a page that is complete in itself and prints on A4."""
    report = await _report(application, request, date, language, blind=counts(caller.role))
    name = f'inline; filename="gaming-day-{report.date}.html"'
    answer = _file(day_page(report, language), "text/html", name)
    answer.headers["content-security-policy"] = PAGE_POLICY
    return answer


def _file(content: str, kind: str, disposition: str) -> Response[bytes]:
    headers = {"content-disposition": disposition}
    return Response(content.encode(), media_type=kind, headers=headers)


async def _list(
    application: TheApplication, request: Asked, asked: tuple[str, str], table: str, *, blind: bool
) -> DayList:
    runtime, figures = application.runtime, figures_of(request)
    dates = _dates(asked, _today(application, figures))
    if table:
        find_table(runtime, table)
    names = [table] if table else tables_of(runtime)
    found, missing = await _known(application, figures, names, dates)
    found.sort(key=lambda each: each.table)
    found.sort(key=lambda each: each.sums.date, reverse=True)
    return DayList(
        at=runtime.clock.now(),
        currency=runtime.state.currency,
        since=dates.first,
        until=dates.last,
        day_starts=figures.gaming_days.day_starts,
        time_zone=figures.gaming_days.time_zone,
        days=[day_of_table(each, blind=blind) for each in found],
        missing=missing,
    )


async def _report(
    application: TheApplication, request: Asked, asked: str, language: str, *, blind: bool
) -> DayReport:
    runtime, figures = application.runtime, figures_of(request)
    date = _date(asked)
    found, missing = await _known(application, figures, tables_of(runtime), Dates(date, date))
    return DayReport(
        venue=runtime.state.name,
        currency=runtime.state.currency,
        date=date,
        day_starts=figures.gaming_days.day_starts,
        time_zone=figures.gaming_days.time_zone,
        produced_at=runtime.clock.now(),
        open=date == _today(application, figures) or any(each.open for each in found),
        tables=[
            DayTable(
                day_of_table(each, blind=blind), day_dealers([each]), day_kinds([each], language)
            )
            for each in found
        ],
        missing=missing,
        total=day_total(found),
        win=sum(each.sums.win for each in found),
        dealers=day_dealers(found),
        kinds=day_kinds(found, language),
    )


async def _known(
    application: TheApplication, figures: Figures, tables: list[str], dates: Dates
) -> tuple[list[KnownDay], list[str]]:
    """Find the days of tables on some dates, and name the tables without figures at present."""
    found: list[KnownDay] = []
    missing: list[str] = []
    today = _today(application, figures)
    for table in tables:
        days = await _read(figures, table, dates)
        tally = figures.of(table_stream(table))
        if days is None or tally is None:
            missing.append(table)
            continue
        chip_table, open_date = tally.state.chip_table, tally.state.open_date
        under_way = open_date if chip_table else today
        found += [KnownDay(table, chip_table, day.date == under_way, day) for day in days]
    return found, missing


async def _read(figures: Figures, table: str, dates: Dates) -> list[DaySums] | None:
    """Find the days of a table; older ones are read from the journal, which may fail."""
    try:
        return await figures.days(table_stream(table), dates)
    except SentenceError as error:
        detail = printable(without_passwords(str(error)))
        raise busy("JOURNAL_UNREADABLE", BUSY_SECONDS, detail=detail) from None


def _today(application: TheApplication, figures: Figures) -> str:
    return figures.gaming_days.gaming_date_at(application.runtime.clock.now())


def _dates(asked: tuple[str, str], today: str) -> Dates:
    """Read the first and the last date of a request."""
    last = _date(asked[1]) if asked[1] else today
    first = _date(asked[0]) if asked[0] else _before(last, DAYS_BEFORE)
    days = (calendar.fromisoformat(last) - calendar.fromisoformat(first)).days + 1
    if days < 1:
        raise RefusedError(refuse("DATES_BACKWARDS", first=first, last=last))
    if days > DATES_MAX:
        raise RefusedError(
            refuse("TOO_MANY_DATES", first=first, last=last, days=days, most=DATES_MAX)
        )
    return Dates(first, last)


def _before(date: str, days: int) -> str:
    found = calendar.fromisoformat(date)
    return (found - timedelta(days=min(days, (found - calendar.min).days))).isoformat()


def _date(text: str) -> str:
    """Read a date in the one form that is accepted."""
    try:
        if calendar.fromisoformat(text).isoformat() == text:
            return text
    except ValueError:
        pass
    raise RefusedError(refuse("NOT_A_DATE", date=shown(text)))

"""A gaming day as files: a page that is complete in itself and prints on A4, and tables as CSV.

All text that a person entered is escaped; the page has no script, and one style, allowed by its
hash. In CSV every row names its subject, and every amount is there twice: in whole minor units, for
programs, and in its currency with two decimals, for people. A text that a spreadsheet would read as
a formula gets an apostrophe.
"""

import csv
import hashlib
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from html import escape
from importlib import resources
from io import StringIO
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import structs

from taisai.core.kernel.messages import Instant
from taisai.projections.figures.days import zone_of
from taisai.runtime.records.export import guarded, write_time
from taisai.server.http.figures.views import (
    DayCount,
    DayList,
    DayOfTable,
    DayReport,
    DayTable,
    DealerFigures,
    FiguresView,
    KindFigures,
)
from taisai.wording import name, write_amount

WIDTH, HEIGHT = 140, 16
_MARGIN = 6


def band_picture(figures: FiguresView | KindFigures, described: str) -> str:
    """Draw the two bands, a line at theory and a diamond at the win; `described` is its text."""
    band = figures.band
    ends = (band.lowest, band.highest, figures.win)
    least, most = min(ends), max(ends)

    def place(amount: int) -> float:
        if most == least:
            return WIDTH / 2
        return round(_MARGIN + (amount - least) * (WIDTH - 2 * _MARGIN) / (most - least), 1)

    def bar(low: int, high: int, top: int, shade: str) -> str:
        width = round(place(high) - place(low), 1)
        height = HEIGHT - 2 * top
        return (
            f'<rect x="{place(low)}" y="{top}" width="{width}" height="{height}" fill="{shade}"/>'
        )

    theory, win, middle = place(figures.theory), place(figures.win), HEIGHT // 2
    return (
        f'<svg role="img" aria-label="{described}" width="{WIDTH}" height="{HEIGHT}"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}"><title>{described}</title>'
        f"{bar(band.lowest, band.highest, 5, '#ccc')}{bar(band.low, band.high, 4, '#888')}"
        f'<line x1="{theory}" y1="0" x2="{theory}" y2="{HEIGHT}" stroke="#000" stroke-width="1.5"/>'
        f'<path d="M{win} {middle - 5}l5 5l-5 5l-5 -5z" fill="#fff" stroke="#000"'
        ' stroke-width="1.5"/></svg>'
    )


_STYLE = "\n" + (resources.files(__package__) / "day.css").read_text("utf-8")
_DIGEST = b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
#: The page may have only its own style, which is allowed by its hash.
PAGE_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)


def day_page(report: DayReport, language: str) -> str:
    """Write a gaming day of the venue as a page."""
    return _Page(report, language).write()


class _Page:
    """The page of one report in one language."""

    def __init__(self, report: DayReport, language: str) -> None:
        self._report = report
        self._language = language
        self._zone = zone_of(report.time_zone) or ZoneInfo("UTC")

    def _say(self, code: str, **blanks: int | str) -> str:
        """Word a reason, escaped for the page."""
        return escape(name("reports", code, self._language, **blanks))

    def _moment(self, at: Instant) -> str:
        local = datetime.fromtimestamp(at / 1000, UTC).astimezone(self._zone)
        return f"{local:%Y-%m-%d %H:%M %Z}"

    def write(self) -> str:
        """Write the page: its subject, all tables together, then each table."""
        report = self._report
        title = self._say("title", date=report.date)
        parts = [
            f"<h1>{title}</h1>",
            self._head(),
            *self._warnings(),
            *self._together(),
            *(self._table(each) for each in report.tables),
            f'<p class="note">{self._say("note")}</p>',
        ]
        return (
            f'<!doctype html>\n<html lang="{escape(self._language)}">\n<head>\n'
            '<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{title} – {escape(report.venue)}</title>\n<style>{_STYLE}</style>\n</head>\n"
            "<body>\n<main>\n" + "\n".join(parts) + "\n</main>\n</body>\n</html>\n"
        )

    def _head(self) -> str:
        report = self._report
        hour = self._say("hour", hour=f"{report.day_starts:02d}", zone=report.time_zone)
        lines = (
            ("venue", escape(report.venue)),
            ("date", escape(report.date)),
            ("starts", hour),
            ("currency", escape(report.currency)),
            ("produced", escape(self._moment(report.produced_at))),
        )
        return _list((self._say(code), value) for code, value in lines)

    def _warnings(self) -> Iterable[str]:
        report = self._report
        if report.open:
            yield f'<p class="alert">{self._say("open")}</p>'
        if report.missing:
            tables = self._say("missing", tables=", ".join(report.missing))
            yield f'<p class="alert">{tables}</p>'
        if not report.tables:
            yield f"<p>{self._say('nothing')}</p>"

    # --- a table -----------------------------------------------------------------------------

    def _table(self, each: DayTable) -> str:
        day, figures = each.day, each.day.figures
        form = name("reports", day.form, self._language)
        parts = [f"<h2>{self._say('of-table', table=day.table, form=form)}</h2>"]
        if day.count is not None:
            parts += [*self._counted(day, day.count)]
        parts.append(self._money(day))
        aside = self._say(
            "rounds-void",
            void=figures.void,
            reversed=figures.reversed,
            amended=figures.amendments,
            irregularities=figures.irregularities,
        )
        parts += [
            self._cut("by-dealer", "dealer", self._dealers(each.dealers), figures),
            self._cut("by-kind", "kind", self._kinds(each.kinds), figures),
            f"<p>{aside}</p>",
        ]
        return "\n".join(parts)

    def _counted(self, day: DayOfTable, count: DayCount) -> Iterable[str]:
        head = [self._say(code) for code in ("item", "counted", "expected", "difference")]
        rows = [
            self._compared("opening", count.opening, count.opening_expected),
            [self._say("fills"), write_amount(count.fills), "", ""],
            [self._say("credits"), write_amount(count.credits), "", ""],
            [self._say("drop-cash"), write_amount(count.drop_cash), "", ""],
            [self._say("drop-chips"), write_amount(count.drop_chips), "", ""],
        ]
        if count.drop_counted_at is not None:
            rows.append(self._compared("drop-box", count.drop, count.drop_expected))
        if count.closing is not None and count.closing_expected is not None:
            rows.append(self._compared("closing", count.closing, count.closing_expected))
        yield _table(self._say("counts"), head, rows)
        yield self._formula(day, count)
        yield f"<p>{'<br>'.join(self._people(count))}</p>"

    def _compared(self, code: str, counted: int, expected: int) -> list[str]:
        apart = write_amount(counted - expected)
        shown = apart if counted == expected else f"<strong>{apart}</strong>"
        return [self._say(code), write_amount(counted), write_amount(expected), shown]

    def _formula(self, day: DayOfTable, count: DayCount) -> str:
        """Write the win formula out with its figures."""
        said = f'<p class="formula">{self._say("formula")}<br>'
        if count.closing is None or count.win is None:
            return f"{said}{self._say('not-closed', win=write_amount(day.win))}</p>"
        signs = ("", "+ ", "− ", "− ", "+ ")
        parts = (count.drop, count.closing, count.opening, count.fills, count.credits)
        sum_ = " ".join(
            f"{sign}{write_amount(part)}" for sign, part in zip(signs, parts, strict=True)
        )
        return f"{said}{sum_} = <strong>{write_amount(count.win)}</strong></p>"

    def _people(self, count: DayCount) -> Iterable[str]:
        opened = self._moment(count.opened_at)
        yield self._say("opened-by", person=count.opened_by, time=opened)
        if count.closed_at is not None and count.closed_by is not None:
            closed = self._moment(count.closed_at)
            yield self._say("closed-by", person=count.closed_by, time=closed)
        if count.between:
            yield self._say("between", amount=write_amount(count.between))

    def _money(self, day: DayOfTable) -> str:
        codes = ("drop", "out", "collected", "paid", "corrections")
        found: dict[str, int | None] = {code: getattr(day, code) for code in codes}
        lines = {code: amount for code, amount in found.items() if amount is not None}
        if day.count is not None:
            lines["difference"] = day.count.difference
        lines["books"] = day.win
        return _list((self._say(code), write_amount(amount)) for code, amount in lines.items())

    # --- figures -----------------------------------------------------------------------------

    def _together(self) -> Iterable[str]:
        report = self._report
        if not report.tables:
            return
        tables = [(escape(each.day.table), each.day.figures) for each in report.tables]
        yield f"<h2>{self._say('all-tables')}</h2>"
        yield self._cut("by-table", "table", tables, report.total)
        yield self._cut("by-dealer", "dealer", self._dealers(report.dealers), report.total)
        yield self._cut("by-kind", "kind", self._kinds(report.kinds), report.total)
        yield _list([(self._say("books"), write_amount(report.win))])

    def _dealers(self, dealers: Sequence[DealerFigures]) -> list[tuple[str, FiguresView]]:
        others = self._say("others")
        return [(escape(each.person) or others, each.figures) for each in dealers]

    def _kinds(self, kinds: Sequence[KindFigures]) -> list[tuple[str, KindFigures]]:
        return [(escape(each.name), each) for each in kinds]

    def _cut(
        self,
        caption: str,
        first: str,
        rows: Sequence[tuple[str, FiguresView | KindFigures]],
        total: FiguresView,
    ) -> str:
        """Write the figures of several dealers, kinds of bet or tables, and their sum."""
        codes = ("rounds", "turnover", "win", "hold", "theory", "theory-percent", "band", "picture")
        head = [self._say(first), *(self._say(code) for code in codes)]
        cells = [[title, *self._figures(each)] for title, each in rows]
        foot = [self._say("total"), *self._figures(total)]
        return _table(self._say(caption), head, cells, foot)

    def _figures(self, figures: FiguresView | KindFigures) -> list[str]:
        standing = name("reports", figures.standing, self._language)
        amounts = {"win": figures.win, "theory": figures.theory, **structs.asdict(figures.band)}
        written = {code: write_amount(each) for code, each in amounts.items()}
        described = self._say("drawn", standing=standing, **written)
        return [
            f"{figures.rounds:,}",
            write_amount(figures.turnover),
            written["win"],
            _percent(figures.hold_percent),
            written["theory"],
            _percent(figures.theory_percent),
            f"{written['low']} … {written['high']}<br>{escape(standing)}",
            band_picture(figures, described),
        ]


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.2f}"


def _list(lines: Iterable[tuple[str, str]]) -> str:
    return "<dl>" + "".join(f"<dt>{term}</dt><dd>{value}</dd>" for term, value in lines) + "</dl>"


def _table(
    caption: str, head: Sequence[str], rows: Iterable[Sequence[str]], foot: Sequence[str] = ()
) -> str:
    """Write a table of cells that are escaped already."""
    columns = "".join(f'<th scope="col">{each}</th>' for each in head)
    body = "".join(f"<tr>{_row(cells)}</tr>" for cells in rows)
    end = f"<tfoot><tr>{_row(foot)}</tr></tfoot>" if foot else ""
    return (
        f'<div class="scroll"><table><caption>{caption}</caption>'
        f"<thead><tr>{columns}</tr></thead><tbody>{body}</tbody>{end}</table></div>"
    )


def _row(cells: Sequence[str]) -> str:
    first, *rest = cells
    return f'<th scope="row">{first}</th>' + "".join(f"<td>{each}</td>" for each in rest)


#: The columns that name the subject of a row.
NAMED = ("row", "date", "table", "form", "name", "title", "open", "currency")
NUMBERS = ("rounds", "void", "reversed", "bets")
AMOUNTS = (
    *("turnover", "win", "theory", "sigma", "low", "high", "lowest", "highest"),
    *("collected", "paid", "corrections", "book_win", "drop", "out"),
    *("opening", "opening_expected", "fills", "credits"),
    *("drop_cash", "drop_chips", "drop_counted", "drop_expected"),
    *("closing", "closing_expected", "counted_win", "difference", "opening_difference", "between"),
)
SHARES = ("deviation", "standing", "hold_percent", "theory_percent")
TIMES = ("opened_at", "closed_at")
COLUMNS = (
    *NAMED,
    *NUMBERS,
    *(column for amount in AMOUNTS for column in (amount, f"{amount}_decimal")),
    *SHARES,
    *TIMES,
)

Row = dict[str, Any]


def day_list_csv(report: DayList) -> str:
    """Write a row for each gaming day of each table."""
    return _written({**_day(each), "currency": report.currency} for each in report.days)


def day_report_csv(report: DayReport) -> str:
    """Write a gaming day: each table, its dealers and its kinds of bet, then all of the venue."""
    return _written(
        {**row, "date": report.date, "currency": report.currency} for row in _rows(report)
    )


def _rows(report: DayReport) -> Iterator[Row]:
    for each in report.tables:
        of = {"table": each.day.table, "form": each.day.form}
        yield _day(each.day)
        yield from ({**_dealer(dealer), **of, "row": "table-dealer"} for dealer in each.dealers)
        yield from ({**_kind(kind), **of, "row": "table-kind"} for kind in each.kinds)
    yield from ({**_dealer(dealer), "row": "dealer"} for dealer in report.dealers)
    yield from ({**_kind(kind), "row": "kind"} for kind in report.kinds)
    yield {"row": "venue", "open": report.open, "book_win": report.win, **_figures(report.total)}


def _day(day: DayOfTable) -> Row:
    own = {name: value for name, value in structs.asdict(day).items() if name in COLUMNS}
    row: Row = own | _figures(day.figures) | {"row": "table", "book_win": day.win}
    if day.count is None:
        return row
    counted = structs.asdict(day.count)
    counted |= {"drop_counted": counted.pop("drop"), "counted_win": counted.pop("win")}
    return row | {name: counted[name] for name in counted.keys() & {*AMOUNTS, *TIMES}}


def _dealer(dealer: DealerFigures) -> Row:
    return {"name": dealer.person, **_figures(dealer.figures)}


def _kind(kind: KindFigures) -> Row:
    return {"name": kind.kind, "title": kind.name, **_figures(kind)}


def _figures(figures: FiguresView | KindFigures) -> Row:
    values = structs.asdict(figures) | structs.asdict(figures.band)
    return {name: values[name] for name in values.keys() & {*NUMBERS, *AMOUNTS, *SHARES}}


def _written(rows: Iterable[Row]) -> str:
    text = StringIO()
    write = csv.writer(text, lineterminator="\r\n").writerow
    write(COLUMNS)
    for row in rows:
        amounts = {f"{name}_decimal": _decimal(row.get(name)) for name in AMOUNTS}
        whole = row | amounts
        write(_cell(name, whole.get(name)) for name in COLUMNS)
    return text.getvalue()


def _decimal(amount: int | None) -> str | None:
    """Write an amount with two decimals and nothing else, as every program can read it."""
    if amount is None:
        return None
    sign = "-" if amount < 0 else ""
    return f"{sign}{abs(amount) // 100}.{abs(amount) % 100:02d}"


def _cell(name: str, value: Any) -> Any:
    if value is None:
        return ""
    if name in TIMES:
        return write_time(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return guarded(value) if name in (*NAMED, "standing") else value

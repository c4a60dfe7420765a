"""Gaming days as CSV: one table, in which every row says what it is of.

Every amount stands there twice: in whole minor units, for programs, and in its currency with two
decimals, for people. A text that a spreadsheet would take for a formula gets an apostrophe.
"""

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Any

from msgspec import structs

from taisai.runtime.records.export import guarded, write_time
from taisai.server.http.figures.day_views import DayList, DayOfTable, DayReport
from taisai.server.http.figures.views import DealerFigures, FiguresView, KindFigures

#: What a row is of, and by which names it is known.
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
    row: Row = {
        "row": "table",
        "date": day.date,
        "table": day.table,
        "form": day.form,
        "open": day.open,
        "collected": day.collected,
        "paid": day.paid,
        "corrections": day.corrections,
        "book_win": day.win,
        "drop": day.drop,
        "out": day.out,
        **_figures(day.figures),
    }
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
    """Write an amount with two decimals and nothing else, as every program reads it."""
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

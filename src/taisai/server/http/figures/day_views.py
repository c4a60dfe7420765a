"""Gaming days as answers: by table, by dealer and by kind of bet, with what was counted."""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec
from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.core.table.chips.pieces import Form
from taisai.projections.figures.days import Count, DaySums
from taisai.projections.figures.sums import Sums
from taisai.server.http.figures.views import (
    DealerFigures,
    FiguresView,
    KindFigures,
    dealers_view,
    figures_view,
    form_of,
    kinds_view,
)


class DayCount(Count, array_like=False, kw_only=True):
    """What two persons counted at a chip table on a gaming day, beside what the books said."""

    #: Cash and chips for value together.
    drop: int
    #: drop + closing - opening - fills + credits; null until the day is closed.
    win: int | None
    #: Counted beyond what the books said, in the drop box and at the close.
    difference: int
    #: Counted at the opening beyond what the books said: it is in no day's win.
    opening_difference: int


class DayOfTable(Struct, frozen=True):
    """A gaming day at one table: what stands of its rounds, and what the books say it won."""

    table: str
    form: Form
    date: str
    #: Whether the day is still under way.
    open: bool
    #: The rounds of the day as they stand now.
    figures: FiguresView
    #: As the rounds were settled; and what was given that day to put something right.
    collected: int
    paid: int
    corrections: int
    #: Collected less paid and corrections, and what was counted beyond the books.
    win: int
    #: What players brought to the table, and what they took from it.
    drop: int
    out: int
    #: Null at a terminal table.
    count: DayCount | None


class DayTable(Struct, frozen=True):
    """A gaming day at one table, by dealer and by kind of bet."""

    day: DayOfTable
    dealers: list[DealerFigures]
    kinds: list[KindFigures]


class DayReport(Struct, frozen=True):
    """A gaming day of the venue: every table on it, then all tables together."""

    venue: str
    currency: str
    date: str
    #: The hour at which a gaming day starts, on the clocks of the time zone.
    day_starts: int
    time_zone: str
    produced_at: Instant
    #: Whether the date is today's, or a table's day is still open.
    open: bool
    tables: list[DayTable]
    #: The tables of which the figures are not known now: nothing of them is in any sum.
    missing: list[str]
    total: FiguresView
    #: The win by the books of all tables.
    win: int
    dealers: list[DealerFigures]
    kinds: list[KindFigures]


class DayList(Struct, frozen=True):
    """Gaming days, table by table, the newest date first."""

    currency: str
    since: str
    until: str
    day_starts: int
    time_zone: str
    days: list[DayOfTable]
    missing: list[str]


class KnownDay(NamedTuple):
    """The sums of one day at one table, and how it stands."""

    table: str
    chip_table: bool
    open: bool
    sums: DaySums


def day_of_table(known: KnownDay) -> DayOfTable:
    """Show a gaming day at one table."""
    day = known.sums
    return DayOfTable(
        table=known.table,
        form=form_of(chip_table=known.chip_table),
        date=day.date,
        open=known.open,
        figures=figures_view(day.sums),
        collected=day.collected,
        paid=day.paid,
        corrections=day.corrections,
        win=day.win,
        drop=day.drop,
        out=day.out,
        count=msgspec.convert(day.count, DayCount | None, from_attributes=True),
    )


def day_table(known: KnownDay, language: str) -> DayTable:
    """Show a gaming day at one table, by dealer and by kind of bet."""
    return DayTable(day_of_table(known), day_dealers([known]), day_kinds([known], language))


def day_dealers(days: Iterable[KnownDay]) -> list[DealerFigures]:
    """Add each dealer's rounds up over tables."""
    return dealers_view((known.table, known.sums.dealers) for known in days)


def day_kinds(days: Iterable[KnownDay], language: str) -> list[KindFigures]:
    """Add each kind of bet up over tables."""
    return kinds_view((known.sums.kinds for known in days), language)


def day_total(days: Iterable[KnownDay]) -> FiguresView:
    """Add all tables up."""
    sums = Sums()
    for known in days:
        sums.add_all(known.sums.sums)
    return figures_view(sums)

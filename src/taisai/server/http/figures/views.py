"""Figures as answers: the win of rounds, the band around its theory, dealers, kinds of bet.

Gaming days too: by table, by dealer and by kind of bet, with the counts.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.core.table.chips.pieces import Form
from taisai.projections.figures.days import Count, DaySums
from taisai.projections.figures.sums import KindSums, Standing, Sums, band_of
from taisai.protocol.views import view_from
from taisai.server.dealing.dealers import DEALER
from taisai.wording import name


class WinBand(Struct, frozen=True):
    """What chance alone makes of a theoretical win: 95 of a hundred within, 99 within the wider."""

    low: int
    high: int
    lowest: int
    highest: int


class AgainstTheory(Struct, frozen=True, kw_only=True):
    """What was turned over and won, and the win against what the bets lead to expect."""

    rounds: int
    turnover: int
    win: int
    #: The sum of each stake times its house edge, to the nearest minor unit.
    theory: int
    #: One standard deviation of the win.
    sigma: int
    band: WinBand
    #: How far the win is from theory, in standard deviations.
    deviation: float
    standing: Standing
    #: Win and theory in percent of the turnover; null before any bet.
    hold_percent: float | None
    theory_percent: float | None


class FiguresView(AgainstTheory, frozen=True, kw_only=True):
    """What the rounds that stand come to, and the win against what their bets lead to expect."""

    void: int
    reversed: int
    bets: int
    amendments: int
    irregularities: int
    first_at: Instant | None
    last_at: Instant | None
    #: Rounds in an hour of dealing, pauses left out; null before there were two.
    rounds_per_hour: float | None


class KindFigures(AgainstTheory, frozen=True, kw_only=True):
    """A kind of bet: the rounds it was bet on in, and its win against what was to be expected."""

    kind: str
    name: str


class DealerFigures(Struct, frozen=True):
    """A dealer: the tables they dealt at, and what their rounds come to.

    A dealer without a name stands for all beyond the hundredth of one table on one day.
    """

    person: str
    automatic: bool
    tables: list[str]
    figures: FiguresView


def figures_view(sums: Sums) -> FiguresView:
    """Show the figures of rounds."""
    hourly = sums.pace.rounds_per_hour
    return view_from(
        FiguresView,
        sums,
        **_against_theory(sums),
        first_at=sums.pace.first_at,
        last_at=sums.pace.last_at,
        rounds_per_hour=None if hourly is None else round(hourly, 1),
    )


def kinds_view(several: Iterable[Mapping[str, KindSums]], language: str) -> list[KindFigures]:
    """Add each kind of bet up over tables, the one with the most turnover first.

    A kind whose rounds were all reversed is left out.
    """
    added: dict[str, KindSums] = {}
    for kinds in several:
        for kind, sums in kinds.items():
            added.setdefault(kind, KindSums()).add(sums)
    found = [
        KindFigures(kind=kind, name=name("kinds", kind, language), **_against_theory(sums))
        for kind, sums in added.items()
        if sums.rounds
    ]
    return sorted(found, key=lambda each: -each.turnover)


def dealers_view(several: Iterable[tuple[str, Mapping[str, Sums]]]) -> list[DealerFigures]:
    """Add each dealer's rounds up over tables, each given by its name with its dealers' sums."""
    added: dict[str, Sums] = {}
    tables: dict[str, list[str]] = {}
    for table, dealers in several:
        for person, sums in dealers.items():
            added.setdefault(person, Sums()).add_all(sums)
            tables.setdefault(person, []).append(table)
    return [
        DealerFigures(person, person == DEALER.person, tables[person], figures_view(sums))
        for person, sums in sorted(added.items())
    ]


def _against_theory(sums: KindSums) -> dict[str, Any]:
    """Show a win against the expected win, of rounds, of a kind of bet or of a dealer."""
    band = band_of(sums)
    return {
        "rounds": sums.rounds,
        "turnover": sums.turnover,
        "win": sums.win,
        "theory": band.theory,
        "sigma": round(band.sigma),
        "band": msgspec.convert(band, WinBand, from_attributes=True),
        "deviation": round(band.deviation, 2),
        "standing": band.standing,
        "hold_percent": _percent(sums.win, sums.turnover),
        "theory_percent": _percent(sums.theory, sums.turnover),
    }


def form_of(*, chip_table: bool) -> Form:
    return "chips" if chip_table else "terminals"


def _percent(part: int | Fraction, whole: int) -> float | None:
    """Show a part of a whole in percent, to two decimals."""
    return round(float(part * Fraction(100) / whole), 2) if whole else None


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
    #: What players brought to the table, and what they took from it; what was brought is null at a
    #: chip table whose drop box is still to be counted by whoever asks.
    drop: int | None
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
    """Gaming days, table by table, the newest date first, as they stood at a moment."""

    at: Instant
    currency: str
    since: str
    until: str
    day_starts: int
    time_zone: str
    days: list[DayOfTable]
    missing: list[str]


class KnownDay(NamedTuple):
    """The sums of one day at one table, and the state of the day."""

    table: str
    chip_table: bool
    open: bool
    sums: DaySums


def day_of_table(known: KnownDay, *, blind: bool) -> DayOfTable:
    """Show a gaming day at one table; the drop is hidden from those who still have to count it."""
    day = known.sums
    hidden = blind and known.chip_table and known.open
    return view_from(
        DayOfTable,
        day,
        table=known.table,
        form=form_of(chip_table=known.chip_table),
        open=known.open,
        drop=None if hidden else day.drop,
        figures=figures_view(day.sums),
        count=msgspec.convert(day.count, DayCount | None, from_attributes=True),
    )


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

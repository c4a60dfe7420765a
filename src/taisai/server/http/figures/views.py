"""Figures as answers: what rounds come to, the band around their theory, dealers, kinds of bet."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.core.table.chips.pieces import Form
from taisai.projections.figures.sums import KindSums, Standing, Sums, band_of
from taisai.server.dealing.dealers import DEALER
from taisai.wording import name_kind


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
    """Say what rounds come to."""
    pace = sums.pace
    hourly = pace.rounds_per_hour
    return FiguresView(
        **_against_theory(sums),
        void=sums.void,
        reversed=sums.reversed,
        bets=sums.bets,
        amendments=sums.amendments,
        irregularities=sums.irregularities,
        first_at=pace.first_at,
        last_at=pace.last_at,
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
        KindFigures(kind=kind, name=name_kind(kind, language), **_against_theory(sums))
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
    """Show a win against what was to be expected, whatever it is the win of."""
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
    """Name the form of a table."""
    return "chips" if chip_table else "terminals"


def _percent(part: int | Fraction, whole: int) -> float | None:
    """Show a part of a whole in percent, to two decimals."""
    return round(float(part * Fraction(100) / whole), 2) if whole else None

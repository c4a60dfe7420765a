"""The pit: all tables at a glance, what they win against what is to be expected, and alerts."""

from collections.abc import Iterable
from typing import Any, Literal

from litestar import Request, get
from msgspec import Struct

from taisai.core.messages import Instant, LimitsAsked
from taisai.core.table_state import TableState
from taisai.maths.watching import FairnessMonitor
from taisai.runtime.house import House
from taisai.runtime.streams import table_stream
from taisai.server.dealing.dealers import DEALER
from taisai.server.figures.bands import Standing, band_of
from taisai.server.figures.following import Figures
from taisai.server.figures.pricing import pricing_of
from taisai.server.figures.sums import KindSums, Sums
from taisai.server.figures.tally import Tally
from taisai.server.http import alerts as alerting
from taisai.server.http.alerts import Alert
from taisai.server.http.given import Given, InLanguage, durable, tables_of
from taisai.server.http.reports import PIT
from taisai.server.http.tables import FinishedRound, finished
from taisai.server.live.views import limits_shown
from taisai.wording import name_kind

#: An e-value is told up to here; beyond it nobody doubts any more.
E_VALUE_MAX = 1e12


class WinBand(Struct, frozen=True):
    """What chance alone makes of a theoretical win: 95 of a hundred within, 99 within the wider."""

    low: int
    high: int
    lowest: int
    highest: int


class FiguresView(Struct, frozen=True):
    """What the rounds that stand come to, and the win against what their bets lead to expect."""

    rounds: int
    void: int
    reversed: int
    bets: int
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
    amendments: int
    irregularities: int
    first_at: Instant | None
    last_at: Instant | None
    #: Rounds in an hour of dealing, pauses left out; null before there were two.
    rounds_per_hour: float | None


class Fairness(Struct, frozen=True):
    """The watch over a set of dice: the evidence against them, and whether it raised an alarm."""

    dice_set: str
    throws: int
    #: What one unit bet against fair dice has become; the alarm is raised at `alarm_at`.
    e_value: float
    alarm_at: float
    confidence: float
    #: The throw at which the alarm was raised; null where none was.
    alarmed_at: int | None
    in_use: bool


class PitKind(Struct, frozen=True):
    """A kind of bet, at one table or over all of them."""

    kind: str
    name: str
    turnover: int
    win: int
    theory: int
    hold_percent: float | None
    theory_percent: float | None


class PitTable(Struct, frozen=True):
    """A table in the pit: how it stands, who deals, its money now and its figures so far."""

    table: str
    phase: str
    round: int
    suspended: bool
    dealer: Literal["automatic", "person"]
    #: Who opened or closed the bets last; null where nobody has, or the figures are not read yet.
    dealt_by: str | None = None
    #: Why the table is suspended.
    why: str | None = None
    title: str | None = None
    pay_table: str | None = None
    limits: LimitsAsked | None = None
    notice_given: bool = False
    #: The clause that stops the table.
    stopped: str | None = None
    in_doubt: str | None = None
    waiting: bool = False
    #: Whether a command waits for its second person.
    pending: bool = False
    terminals: int = 0
    connected: int = 0
    locked: int = 0
    barred: int = 0
    #: What lies on the table now, and the most it can cost the house.
    staked: int = 0
    worst: int = 0
    last: FinishedRound | None = None
    drop: int = 0
    out: int = 0
    #: Null while older events are still being read.
    figures: FiguresView | None = None
    #: The sets of dice, the one in use first.
    fairness: list[Fairness] = []
    #: Kinds of bet, those with the most turnover first.
    kinds: list[PitKind] = []


class PitDealer(Struct, frozen=True):
    """A dealer: the tables they dealt at, and what their rounds come to."""

    person: str
    automatic: bool
    tables: list[str]
    figures: FiguresView


class CatchingUp(Struct, frozen=True):
    """How many older events of how many have been read for the figures."""

    seen: int
    total: int


class Pit(Struct, frozen=True):
    """The pit as it stands now."""

    at: Instant
    currency: str
    tables: list[PitTable]
    dealers: list[PitDealer]
    kinds: list[PitKind]
    alerts: list[Alert]
    #: Null when the figures are complete.
    catching_up: CatchingUp | None


@get("/api/pit", tags=["reports"], summary="The pit", opt={"roles": PIT, "problems": (503,)})
async def the_pit(
    premises: Given, request: Request[Any, Any, Any], language: InLanguage = "en"
) -> Pit:
    """Tell how all tables stand, their win against theory with its band, their dice, and alerts.

    The band is that of the very bets that were made: the exact variance of each round's win.
    """
    house, figures = premises.house, _figures(request)
    names = tables_of(house)
    tallies = {name: tally for name in names if (tally := figures.of(table_stream(name)))}
    progress = figures.progress
    told = Pit(
        at=house.clock.now(),
        currency=house.state.currency,
        tables=[
            _table(house, name, tallies.get(name), premises.dealers.automatic(name), language)
            for name in names
        ],
        dealers=_dealers(tallies),
        kinds=_kinds(tallies.values(), language),
        alerts=alerting.alerts_of(house, tallies, language),
        catching_up=None if progress is None else CatchingUp(*progress),
    )
    # All of it is of one moment, and told when all that it stands on is on disk.
    writers = [house.writer(table_stream(name)) for name in names]
    versions = [(each.stream, each.head.version) for each in writers if each.suspended is None]
    for stream, version in versions:
        await durable(house, stream, version)
    return told


def _figures(request: Request[Any, Any, Any]) -> Figures:
    figures: Figures = request.app.state.figures
    return figures


def _table(
    house: House, table: str, tally: Tally | None, automatic: bool, language: str
) -> PitTable:
    writer = house.writer(table_stream(table))
    dealer: Literal["automatic", "person"] = "automatic" if automatic else "person"
    told = {} if tally is None else _told(tally, language)
    if writer.suspended is not None:
        return PitTable(table, "suspended", 0, True, dealer, why=writer.suspended, **told)
    state = house.table(table)
    newest = next((each for each in reversed(state.history.values()) if each.faces), None)
    seats = state.terminals.values()
    return PitTable(
        table=table,
        phase=state.phase.value,
        round=state.round,
        suspended=False,
        dealer=dealer,
        title=None if state.rulebook is None else state.rulebook.content.title,
        pay_table=None if state.pay_table is None else state.pay_table.address,
        limits=None if state.limits is None else limits_shown(state.limits),
        notice_given=state.notice_given,
        stopped=state.stopped,
        in_doubt=state.in_doubt,
        waiting=state.waiting,
        pending=state.pending is not None,
        terminals=len(seats),
        connected=sum(seat.connected for seat in seats),
        locked=sum(seat.locked for seat in seats),
        barred=sum(seat.barred for seat in seats),
        staked=state.live,
        worst=_worst(state),
        last=None if newest is None else finished(newest, language),
        **told,
    )


def _told(tally: Tally, language: str) -> dict[str, Any]:
    kept = tally.kept
    return {
        "dealt_by": kept.dealing,
        "drop": kept.drop,
        "out": kept.out,
        "figures": figures_view(kept.sums),
        "fairness": _watches(tally),
        "kinds": _kinds([tally], language),
    }


def _worst(state: TableState) -> int:
    """Tell the most that what lies on the table can cost the house; nothing if it wins anyhow."""
    if state.rulebook is None or state.pay_table is None or not state.lying:
        return 0
    wins = pricing_of(state.rulebook, state.pay_table.number).wins(state.lying)
    return max(0, -min(wins))


def figures_view(sums: Sums) -> FiguresView:
    """Tell what rounds come to."""
    band, pace = band_of(sums), sums.pace
    hourly = pace.rounds_per_hour
    return FiguresView(
        rounds=sums.rounds,
        void=sums.void,
        reversed=sums.reversed,
        bets=sums.bets,
        turnover=sums.turnover,
        win=sums.win,
        theory=band.theory,
        sigma=round(band.sigma),
        band=WinBand(band.low, band.high, band.lowest, band.highest),
        deviation=round(band.deviation, 2),
        standing=band.standing,
        hold_percent=_percent(sums.win, sums.turnover),
        theory_percent=_percent(sums.theory, sums.turnover),
        amendments=sums.amendments,
        irregularities=sums.irregularities,
        first_at=pace.first_at,
        last_at=pace.last_at,
        rounds_per_hour=None if hourly is None else round(hourly, 1),
    )


def _percent(part: Any, whole: int) -> float | None:
    return round(float(part * 100 / whole), 2) if whole else None


def _watches(tally: Tally) -> list[Fairness]:
    """Tell of each set of dice that was thrown, the one in use first, then the newest."""
    newest = [*reversed(tally.dice.items())]
    in_use = tally.kept.dice_set
    newest.sort(key=lambda each: each[0] != in_use)
    return [_watch(name, each, in_use=name == in_use) for name, each in newest]


def _watch(dice_set: str, monitor: FairnessMonitor, *, in_use: bool) -> Fairness:
    return Fairness(
        dice_set=dice_set,
        throws=monitor.throws,
        e_value=float(f"{min(monitor.e_value, E_VALUE_MAX):.3g}"),
        alarm_at=round(monitor.alarm_at, 2),
        confidence=monitor.confidence,
        alarmed_at=monitor.alarmed_at,
        in_use=in_use,
    )


def _dealers(tallies: dict[str, Tally]) -> list[PitDealer]:
    """Add each dealer's rounds up over the tables they dealt at."""
    sums: dict[str, Sums] = {}
    at: dict[str, list[str]] = {}
    for table, tally in tallies.items():
        for person, each in tally.kept.dealers.items():
            sums.setdefault(person, Sums()).add(each)
            at.setdefault(person, []).append(table)
    return [
        PitDealer(person, person == DEALER.person, at[person], figures_view(each))
        for person, each in sorted(sums.items())
    ]


def _kinds(tallies: Iterable[Tally], language: str) -> list[PitKind]:
    sums: dict[str, KindSums] = {}
    for tally in tallies:
        for kind, each in tally.kept.kinds.items():
            sums.setdefault(kind, KindSums()).add(each)
    return [
        PitKind(
            kind=kind,
            name=name_kind(kind, language),
            turnover=each.turnover,
            win=each.win,
            theory=round(each.theory),
            hold_percent=_percent(each.win, each.turnover),
            theory_percent=_percent(each.theory, each.turnover),
        )
        for kind, each in sorted(sums.items(), key=lambda item: -item[1].turnover)
    ]


handlers = [the_pit]

_SHOWN = FiguresView(
    rounds=1_204,
    void=2,
    reversed=0,
    bets=9_630,
    turnover=4_815_000,
    win=131_400,
    theory=142_310,
    sigma=61_050,
    band=WinBand(22_652, 261_968, -15_199, 299_819),
    deviation=-0.18,
    standing="within",
    hold_percent=2.73,
    theory_percent=2.96,
    amendments=1,
    irregularities=2,
    first_at=1_794_700_000_000,
    last_at=1_794_803_220_000,
    rounds_per_hour=58.4,
)

#: An example of each body and answer.
examples: dict[Any, Any] = {
    Pit: Pit(
        at=1_794_803_228_232,
        currency="SGD",
        tables=[
            PitTable(
                table="T1",
                phase="betting",
                round=1_207,
                suspended=False,
                dealer="person",
                dealt_by="Dan Ong",
                title="Tai Sai",
                pay_table="ts6/2",
                limits=LimitsAsked(minimum=100, maximum=1_000_000, step=100),
                terminals=12,
                connected=9,
                staked=8_400,
                worst=35_100,
                drop=900_000,
                out=610_000,
                figures=_SHOWN,
                fairness=[Fairness("D-17", 1_206, 0.41, 100.0, 0.99, None, in_use=True)],
                kinds=[PitKind("small", "Small", 1_200_000, 30_500, 33_333, 2.54, 2.78)],
            )
        ],
        dealers=[PitDealer("Dan Ong", False, ["T1"], _SHOWN)],
        kinds=[PitKind("small", "Small", 1_200_000, 30_500, 33_333, 2.54, 2.78)],
        alerts=[
            Alert(None, "T1", "PIT_IN_DOUBT", "act", "round 1207 of table T1 is in doubt: …"),
        ],
        catching_up=None,
    )
}

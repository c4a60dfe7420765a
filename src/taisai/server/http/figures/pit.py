"""The pit: all tables at a glance, what they win against what is to be expected, and alerts."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from litestar import Request, get
from msgspec import Struct

from taisai.core.accounts import DROP
from taisai.core.felt_messages import Form
from taisai.core.messages import Instant, LimitsAsked
from taisai.core.rules.apportionment import playing_stakes
from taisai.core.rules.bets import Bet, sum_by_player_and_box
from taisai.core.table_state import TableState
from taisai.maths.watching import FairnessMonitor
from taisai.projections.figures.pricing import pricing_of
from taisai.projections.figures.sums import KindSums, Sums
from taisai.projections.figures.tally import Tally
from taisai.projections.table_view import limits_shown
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import table_stream
from taisai.server.dealing.dealers import DEALER
from taisai.server.http.figures.alerts import Alert, alerts_of
from taisai.server.http.figures.meters import PIT
from taisai.server.http.figures.views import (
    SHOWN,
    FiguresView,
    figures_view,
    form_of,
    percent,
)
from taisai.server.http.figures.worker_folds import figures_of
from taisai.server.http.frame.dependencies import InLanguage, TheApplication, durable, tables_of
from taisai.server.http.tables.lobby import FinishedRound, finished
from taisai.wording import name_kind

#: An e-value is told up to here; beyond it nobody doubts any more.
E_VALUE_MAX = 1e12


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


class PitDay(Struct, frozen=True):
    """The gaming day that is open at a felt table: what was counted, and what the books say."""

    date: str
    opening: int
    fills: int
    credits: int
    #: What was counted in the drop box, and what should be in it that was not counted yet.
    drop: int
    in_box: int
    #: What the value chips in the rack are worth by the books.
    rack: int
    seats: int
    #: Collected less paid and put right, and what was counted beyond the books.
    win: int
    difference: int


class PitTable(Struct, frozen=True):
    """A table in the pit: how it stands, who deals, its money now and its figures so far."""

    table: str
    phase: str
    round: int
    suspended: bool
    dealer: Literal["automatic", "person"]
    form: Form
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
    #: The gaming day of a felt table; null between two of them, and at an electronic table.
    day: PitDay | None = None
    drop: int = 0
    out: int = 0
    #: Null while older events are still being read.
    figures: FiguresView | None = None
    #: Those of the gaming day under way; null where nothing was played on it yet.
    today: FiguresView | None = None
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
    #: The gaming date of this moment.
    date: str
    tables: list[PitTable]
    dealers: list[PitDealer]
    kinds: list[PitKind]
    alerts: list[Alert]
    #: Null when the figures are complete.
    catching_up: CatchingUp | None


@get("/api/pit", tags=["reports"], summary="The pit", opt={"roles": PIT, "problems": (503,)})
async def the_pit(
    application: TheApplication, request: Request[Any, Any, Any], language: InLanguage = "en"
) -> Pit:
    """Tell how all tables stand, their win against theory with its band, their dice, and alerts.

    The band is that of the very bets that were made: the exact variance of each round's win.
    """
    house, figures = application.house, figures_of(request)
    names = tables_of(house)
    tallies = {name: tally for name in names if (tally := figures.of(table_stream(name)))}
    progress, now = figures.progress, house.clock.now()
    date = figures.gaming_days.gaming_date_at(now)
    told = Pit(
        at=now,
        currency=house.state.currency,
        date=date,
        tables=[
            _table(
                house,
                name,
                None if name not in tallies else _told(tallies[name], date, language),
                "automatic" if application.dealers.automatic(name) else "person",
                language,
            )
            for name in names
        ],
        dealers=_dealers(tallies),
        kinds=_kinds(tallies.values(), language),
        alerts=alerts_of(house, figures, language),
        catching_up=None if progress is None else CatchingUp(*progress),
    )
    # All of it is of one moment, and told when all that it stands on is on disk.
    writers = [house.writer(table_stream(name)) for name in names]
    versions = [(each.stream, each.head.version) for each in writers if each.suspended is None]
    for stream, version in versions:
        await durable(house, stream, version)
    return told


def _table(
    house: Runtime,
    table: str,
    told: dict[str, Any] | None,
    dealer: Literal["automatic", "person"],
    language: str,
) -> PitTable:
    writer, told = house.writer(table_stream(table)), told or {}
    if writer.suspended is not None:
        why, form = writer.suspended, told.pop("form", "electronic")
        return PitTable(table, "suspended", 0, True, dealer, form, why=why, **told)
    state = house.table(table)
    newest = next((each for each in reversed(state.history.values()) if each.faces), None)
    # The seats of a felt table are people on chairs: none of them is connected to anything.
    seats = [] if state.felt is not None else [*state.terminals.values()]
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
        day=_day(state),
        **{**told, "form": form_of(felt=state.felt is not None)},
    )


def _day(state: TableState) -> PitDay | None:
    felt = state.felt
    if felt is None or felt.day is None:
        return None
    day = felt.day
    return PitDay(
        date=day.date,
        opening=day.opening,
        fills=day.fills,
        credits=day.credits,
        drop=day.drop,
        in_box=state.ledger.balance(DROP),
        rack=felt.rack_value,
        seats=len(felt.seated),
        win=day.collected - day.paid - day.corrections + day.difference,
        difference=day.difference,
    )


def _told(tally: Tally, date: str, language: str) -> dict[str, Any]:
    kept = tally.kept
    today = kept.days.get(kept.open_date or date)
    return {
        "form": form_of(felt=kept.felt),
        "today": None if today is None else figures_view(today.sums),
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
    wins = pricing_of(state.rulebook, state.pay_table.number).wins(_playing(state))
    return max(0, -min(wins))


def _playing(state: TableState) -> Mapping[str, int]:
    """Tell what would play on each box now: of a felt that is over-full, only a part [D2]."""
    if state.felt is None or state.pay_table is None or state.limits is None:
        return state.lying
    bets = sum_by_player_and_box(
        Bet(stack.seat, stack.box, stack.amount) for stack in state.felt.lying
    )
    found: dict[str, int] = {}
    for bet, part in zip(bets, playing_stakes(state.pay_table, bets, state.limits), strict=True):
        found[bet.box] = found.get(bet.box, 0) + part.stake
    return found


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
            hold_percent=percent(each.win, each.turnover),
            theory_percent=percent(each.theory, each.turnover),
        )
        for kind, each in sorted(sums.items(), key=lambda item: -item[1].turnover)
    ]


handlers = [the_pit]

#: An example of each body and answer.
examples: dict[Any, Any] = {
    Pit: Pit(
        at=1_794_803_228_232,
        currency="SGD",
        date="2026-11-16",
        tables=[
            PitTable(
                table="T1",
                phase="betting",
                round=1_207,
                suspended=False,
                dealer="person",
                form="felt",
                day=PitDay("2026-11-16", 200_000, 0, 0, 0, 40_000, 160_000, 3, 0, 0),
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
                figures=SHOWN,
                fairness=[Fairness("D-17", 1_206, 0.41, 100.0, 0.99, None, in_use=True)],
                kinds=[PitKind("small", "Small", 1_200_000, 30_500, 33_333, 2.54, 2.78)],
            )
        ],
        dealers=[PitDealer("Dan Ong", False, ["T1"], SHOWN)],
        kinds=[PitKind("small", "Small", 1_200_000, 30_500, 33_333, 2.54, 2.78)],
        alerts=[
            Alert(None, "T1", "PIT_IN_DOUBT", "act", "round 1207 of table T1 is in doubt: …"),
        ],
        catching_up=None,
    )
}

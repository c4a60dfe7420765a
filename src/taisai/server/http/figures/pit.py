"""The pit: all tables at a glance, their win against the expected win, and alerts."""

from typing import Any

from litestar import Request, get
from msgspec import Struct
from msgspec.structs import asdict

from taisai.core.kernel.ledger import DROP
from taisai.core.kernel.messages import Instant
from taisai.core.table.state import TableState
from taisai.projections.exposure import exposure_on, playing_on
from taisai.projections.figures.tally import Tally
from taisai.protocol.chip_table import ChipDay
from taisai.protocol.views import TableEntry, view_from
from taisai.runtime.streams import table_stream
from taisai.server.application import Application
from taisai.server.console.chip_table import day_shown, is_counted_blind
from taisai.server.http.audit.journal_workers import figures_of
from taisai.server.http.figures.alerts import Alert, Alerts, venue_if_open
from taisai.server.http.figures.clock import ClockInDoubt, clock_in_doubt
from taisai.server.http.figures.views import (
    DealerFigures,
    FiguresView,
    KindFigures,
    dealers_view,
    figures_view,
    form_of,
    kinds_view,
)
from taisai.server.http.frame.access import TheCaller, route
from taisai.server.http.frame.dependencies import (
    InLanguage,
    TheApplication,
    durably,
    open_tables,
    tables_of,
)
from taisai.server.http.tables.lobby import table_entry
from taisai.server.roles import SEE_PIT, counts
from taisai.wording import say_again

#: An e-value is shown up to here; beyond it there is no doubt any more.
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


class PitDay(ChipDay, frozen=True, kw_only=True):
    """The gaming day that is open at a chip table, and what the books say of it."""

    #: What should be in the drop box; for auditors alone, since all others may count it.
    in_box: int | None
    #: What the value chips in the rack are worth by the books; null while it is to be counted by
    #: whoever asks.
    rack: int | None
    seats: int
    #: Collected less paid and put right, and what was counted beyond the books; null as the rack.
    win: int | None
    difference: int


class PitTable(TableEntry, frozen=True, kw_only=True):
    """A table in the pit: its entry in the list of tables, its money now and its figures so far."""

    #: Column and row on the map of the floor; null where the floor plan has none.
    place: tuple[int, int] | None = None
    #: Who opened or closed the bets last; null where nobody has, or the figures are not read yet.
    dealt_by: str | None = None
    #: Why the table is suspended.
    why: str | None = None
    notice_given: bool = False
    #: The clause that stops the table.
    stopped: str | None = None
    in_doubt: str | None = None
    waiting: bool = False
    #: Whether a command waits for its second person.
    pending: bool = False
    locked: int = 0
    barred: int = 0
    #: What is on the table now, and the most it can cost the house.
    staked: int = 0
    worst: int = 0
    #: The gaming day of a chip table; null between two of them, and at a terminal table.
    day: PitDay | None = None
    #: What was brought to the table; null where it is still to be counted by whoever asks.
    drop: int | None = 0
    out: int = 0
    #: Null while older events are still being read.
    figures: FiguresView | None = None
    #: Those of the gaming day under way; null where nothing was played on it yet.
    today: FiguresView | None = None
    #: The sets of dice, the one in use first.
    fairness: tuple[Fairness, ...] = ()
    #: Kinds of bet, those with the most turnover first.
    kinds: tuple[KindFigures, ...] = ()


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
    dealers: list[DealerFigures]
    kinds: list[KindFigures]
    alerts: list[Alert]
    #: Null when the figures are complete.
    catching_up: CatchingUp | None
    #: Null when the clocks agree.
    clock: ClockInDoubt | None = None


@get("/api/pit", **route("reports", "The pit", SEE_PIT, (503,)))
async def the_pit(
    application: TheApplication,
    request: Request[Any, Any, Any],
    caller: TheCaller,
    language: InLanguage = "en",
) -> Pit:
    """Say how all tables stand, their win against theory with its band, their dice, and alerts.

    The band is that of the very bets that were made: the exact variance of each round's win.
    """
    runtime, figures, blind = application.runtime, figures_of(request), counts(caller.role)
    alerts: Alerts = request.app.state.alerts
    names = tables_of(runtime)
    tallies = {name: tally for name in names if (tally := figures.of(table_stream(name)))}
    progress, now = figures.progress, runtime.clock.now()
    date = figures.gaming_days.gaming_date_at(now)
    # The whole answer is of one moment, and sent when all events in it are on disk.
    async with durably(runtime, *venue_if_open(runtime), *map(table_stream, open_tables(runtime))):
        return Pit(
            at=now,
            currency=runtime.state.currency,
            date=date,
            tables=[
                _table(
                    application,
                    name,
                    _figures(tallies.get(name), date, language, blind=blind),
                    language,
                    blind=blind,
                )
                for name in names
            ],
            dealers=dealers_view((name, tally.state.dealers) for name, tally in tallies.items()),
            kinds=kinds_view((tally.state.kinds for tally in tallies.values()), language),
            alerts=alerts.shown(language),
            catching_up=None if progress is None else CatchingUp(*progress),
            clock=clock_in_doubt(runtime.clock, caller.role),
        )


def _table(
    application: Application, table: str, figures: dict[str, Any], language: str, *, blind: bool
) -> PitTable:
    runtime, entry = application.runtime, table_entry(application, table, language)
    place = application.place_of(table)
    if entry.suspended:
        # Nothing is known of its form but what the figures say.
        why = say_again(runtime.writer(table_stream(table)).suspended or "", language)
        return PitTable(**{**asdict(entry), **figures}, place=place, why=why)
    state = runtime.table(table)
    terminals = state.terminals.values()
    return PitTable(
        **{**figures, **asdict(entry)},
        place=place,
        notice_given=state.notice_given,
        stopped=state.stopped,
        in_doubt=state.in_doubt,
        waiting=state.waiting,
        pending=state.pending is not None,
        locked=sum(each.locked for each in terminals),
        barred=sum(each.barred for each in terminals),
        staked=state.live,
        worst=_worst(state),
        day=_day(state, blind=blind),
    )


def _day(state: TableState, *, blind: bool) -> PitDay | None:
    chip_table = state.chips
    if chip_table is None or chip_table.day is None:
        return None
    hidden = blind and is_counted_blind(state)
    return PitDay(
        **asdict(day_shown(chip_table.day)),
        in_box=None if blind else state.ledger.balance(DROP),
        rack=None if hidden else chip_table.rack_value,
        seats=len(chip_table.seated),
        win=None if hidden else chip_table.day.book_win,
        difference=chip_table.day.difference,
    )


def _figures(tally: Tally | None, date: str, language: str, *, blind: bool) -> dict[str, Any]:
    """Give the figures of a table; None while they are still being read."""
    if tally is None:
        return {}
    held = tally.state
    today = held.days.get(held.open_date or date)
    return {
        "form": form_of(chip_table=held.chip_table),
        "today": None if today is None else figures_view(today.sums),
        "dealt_by": held.dealing,
        "drop": None if blind and held.open_date is not None else held.drop,
        "out": held.out,
        "figures": figures_view(held.sums),
        "fairness": _watches(tally),
        "kinds": tuple(kinds_view([held.kinds], language)),
    }


def _worst(state: TableState) -> int:
    """Give the most that the present bets can cost the house; 0 if it wins in any case."""
    found = exposure_on(state, playing_on(state))
    return 0 if found is None else max(0, found.worst)


def _watches(tally: Tally) -> tuple[Fairness, ...]:
    """Report each set of dice that was thrown, the one in use first, then the newest."""
    newest = [*reversed(tally.dice.items())]
    in_use = tally.state.dice_set
    newest.sort(key=lambda each: each[0] != in_use)
    return tuple(
        view_from(
            Fairness,
            monitor,
            dice_set=name,
            e_value=float(f"{min(monitor.e_value, E_VALUE_MAX):.3g}"),
            alarm_at=round(monitor.alarm_at, 2),
            in_use=name == in_use,
        )
        for name, monitor in newest
    )

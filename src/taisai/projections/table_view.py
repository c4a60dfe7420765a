"""The public view of a table, folded from its durable events.

Each event gives the changes to the view, as they are sent. Only the call of a result depends on the
reader: it is added when a message is written.
"""

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from msgspec import structs

from taisai.core.kernel.messages import Event
from taisai.core.table.approval import DeparturesAdopted, DeparturesSet
from taisai.core.table.betting import BetsRegistered, RoundVoided
from taisai.core.table.chips.collecting import LosersCollected
from taisai.core.table.chips.colours import ColourAssigned, ColourReleased
from taisai.core.table.chips.seats import SeatLeft, SeatTaken, UnclaimedSetAside
from taisai.core.table.corrections import RoundResettled, RoundsReversed
from taisai.core.table.damage import DiceFoundUndamaged, DiceQuarantined
from taisai.core.table.interruption import InterruptionRecorded, OutcomeTestified, PlayResumed
from taisai.core.table.irregularities import IrregularityReported, ReportDeclined
from taisai.core.table.opening import LayoutTested, LightsVerified
from taisai.core.table.provably_fair import ChainPublished
from taisai.core.table.round import (
    BetsClosed,
    BetsOpened,
    ResultAmended,
    ResultConfirmed,
    ResultEntered,
    ResultsDisagreed,
    RoundSettled,
    RoundStarted,
)
from taisai.core.table.setup import (
    LimitsSet,
    NoticeGiven,
    RulebookAdopted,
    SafeProcedureDeclared,
    TableClosed,
    TableCreated,
    TableOpened,
    TableRectified,
    TableStopped,
    TerminalEnrolled,
    journaled_rulebook,
)
from taisai.core.table.state import Phase, RoundRecord, TableState
from taisai.projections.dice_in_sight import dice_lie
from taisai.projections.moved_bets import MOVES, MovedBet
from taisai.projections.signs import (
    apart_of,
    apart_shown,
    limits_set,
    limits_shown,
    rulebook_shown,
    sign_of,
    tested_lit,
    winners_lit,
)
from taisai.protocol.roads import NO_MARK, mark_of
from taisai.protocol.views import (
    Apart,
    Changes,
    MarkedColour,
    RoundSummary,
    TableView,
    apply_changes,
)

#: Finished rounds that a view shows, for the roads.
ROUNDS_SHOWN = 120
#: Sets of damaged dice that a view shows.
PUT_AWAY_SHOWN = 20


def view_of(state: TableState) -> TableView:
    """Make the view of a table from a durable state."""
    rulebook, pay_table, limits, chips = state.rulebook, state.pay_table, state.limits, state.chips
    newest = reversed(list(islice(reversed(state.history.values()), ROUNDS_SHOWN)))
    view = TableView(
        table=state.table,
        currency=state.currency,
        phase=state.phase.value,
        round=state.round,
        tumbler=state.equipment.tumbler,
        rulebook=None if rulebook is None else rulebook_shown(rulebook, pay_table),
        operator=state.operator,
        apart=apart_of(state),
        limits=None if limits is None else limits_shown(limits),
        sign=() if limits is None or pay_table is None else sign_of(pay_table, limits),
        totals=dict(state.box_totals),
        terminals=len(state.terminals),
        tumbled=state.tumbled,
        uncovered=state.uncovered,
        faces=state.faces,
        winners=winners_lit(state),
        tested=state.tested,
        lit=tested_lit(state),
        put_away=tuple(state.quarantined)[-PUT_AWAY_SHOWN:],
        notice_given=state.notice_given and state.phase is not Phase.CLOSED,
        stopped=state.stopped,
        doubts=state.doubts,
        waiting=state.waiting,
        commitment=None if state.chain is None else state.chain.commitment,
        rounds={each.number: summary_of(each) for each in newest},
    )
    if chips is not None:
        view.form, view.seats, view.paying = "chips", chips.chip_set.seats, chips.paying
        view.interrupted = chips.interrupted
        view.taken = tuple(chips.seated)
        view.marked = tuple(
            MarkedColour(colour, each.seat, each.value) for colour, each in chips.colours.items()
        )
    return view


def summary_of(record: RoundRecord) -> RoundSummary:
    """Give a finished round as the roads show it."""
    mark = NO_MARK if record.faces is None else mark_of(record.faces)
    return RoundSummary(record.number, record.faces, record.void, *mark)


class TableProjection:
    """The durable view of one table."""

    def __init__(self, state: TableState) -> None:
        self.view = view_of(state)
        self._rulebook = state.rulebook
        self._pay_table = state.pay_table
        self._planned = state.planned_departures
        self._adopted_departures = state.adopted_departures
        self._put_away = list(state.quarantined)
        #: Boxes with new totals that are not in any changes yet.
        self._touched: set[str] = set()

    def bets_registered(self, event: BetsRegistered) -> None:
        """Add bets to the totals of their boxes; most events are of this type."""
        totals, touched = self.view.totals, self._touched
        for bet in event.bets:
            box = bet.box
            totals[box] = totals.get(box, 0) + bet.stake
            touched.add(box)

    def fold(self, event: Event) -> Changes:
        """Apply an event; return the changes except those to totals, which are taken later."""
        if type(event) is BetsRegistered:
            self.bets_registered(event)
            return {}
        moved = MOVES.get(type(event))
        if moved is not None:
            self._move(moved(event))
        view = self.view
        changes = self._changes(event) | dice_lie(view, self._rulebook, event)
        if "totals" in changes:
            self._touched.clear()
        changes = {name: new for name, new in changes.items() if getattr(view, name) != new}
        apply_changes(view, changes)
        return changes

    def _changes(self, event: Event) -> Changes:
        match event:
            case RulebookAdopted():
                return self._adopted(event)
            case LimitsSet():
                return self._limits_set(event)
            case DiceQuarantined() | DiceFoundUndamaged():
                if isinstance(event, DiceQuarantined):
                    self._put_away.append(event.dice_set)
                else:
                    self._put_away.remove(event.dice_set)
                return {"put_away": tuple(self._put_away[-PUT_AWAY_SHOWN:])}
            case DeparturesSet() | DeparturesAdopted():
                if isinstance(event, DeparturesSet):
                    self._planned = event.departures
                else:
                    self._adopted_departures = event.departures
                return {"apart": self._apart()}
            case _:
                fold = _FOLD.get(type(event))
                return {} if fold is None else fold(self.view, event)

    @property
    def touched(self) -> bool:
        """Say whether there are new totals to take."""
        return bool(self._touched)

    def take_totals(self) -> dict[str, int | None]:
        """Give the totals that changed since they were last taken; null for an empty box."""
        totals = self.view.totals
        taken = {box: totals.get(box) for box in self._touched}
        self._touched.clear()
        return taken

    def _move(self, moved: Iterable[MovedBet]) -> None:
        totals = self.view.totals
        for _, box, amount, _ in moved:
            left = totals.get(box, 0) + amount
            if left:
                totals[box] = left
            else:
                totals.pop(box, None)
            self._touched.add(box)

    def _adopted(self, event: RulebookAdopted) -> Changes:
        rulebook = journaled_rulebook(event.canonical)
        self._rulebook = rulebook
        self._pay_table = rulebook.pay_tables[event.pay_table]
        return {
            "apart": self._apart(),
            "rulebook": rulebook_shown(rulebook, self._pay_table),
            "limits": None,
            "sign": (),
            "tested": None,
            "lit": (),
        }

    def _apart(self) -> tuple[Apart, ...]:
        here = (self.view.operator, self.view.form, self.view.tumbler)
        return apart_shown(self._rulebook, *here, self._planned + self._adopted_departures)

    def _limits_set(self, event: LimitsSet) -> Changes:
        assert self._pay_table is not None, "limits are set on a pay table"
        limits = limits_set(self._pay_table, event.limits)
        return {"limits": limits_shown(limits), "sign": sign_of(self._pay_table, limits)}


# --- what each event changes, beside the totals ---------------------------------------------------


def _created(_: TableView, event: TableCreated) -> Changes:
    changes: Changes = {
        "table": event.table,
        "currency": event.currency,
        "phase": "closed",
        "tumbler": event.equipment.tumbler,
        "operator": event.operator,
    }
    if event.chips is not None:
        changes |= {"form": "chips", "seats": event.chips.seats}
    return changes


def _settled(view: TableView, event: RoundSettled) -> Changes:
    return _ended(view, RoundSummary(event.round, event.faces, False, *mark_of(event.faces)))


def _ended(view: TableView, summary: RoundSummary) -> Changes:
    rounds: dict[int, RoundSummary | None] = {summary.round: summary}
    if summary.round not in view.rounds and len(view.rounds) >= ROUNDS_SHOWN:
        rounds[next(iter(view.rounds))] = None
    return {
        **({"paying": False} if view.paying else {}),
        "phase": "ready",
        "round": summary.round,
        "totals": None,
        "faces": None,
        "winners": (),
        "doubts": (),
        "waiting": view.interrupted,
        "rounds": rounds,
    }


def _interrupted(_: TableView, event: InterruptionRecorded) -> Changes:
    match event.ruling:
        case "wait":
            return {"waiting": True}
        case "testify":
            return {"waiting": True, "interrupted": True}
        case _:
            return {}


def _reversed(view: TableView, event: RoundsReversed) -> Changes:
    shown = {number: view.rounds[number] for number in event.rounds if number in view.rounds}
    return {"rounds": {number: structs.replace(each, void=True) for number, each in shown.items()}}


def _resettled(view: TableView, event: RoundResettled) -> Changes:
    before = view.rounds.get(event.round)
    if before is None:
        return {}
    after = RoundSummary(event.round, event.faces, before.void, *mark_of(event.faces))
    return {"rounds": {event.round: after}}


def _seat_free(view: TableView, event: SeatLeft | UnclaimedSetAside) -> Changes:
    return {
        "taken": tuple(seat for seat in view.taken if seat != event.seat),
        "marked": tuple(each for each in view.marked if each.seat != event.seat),
    }


def _assigned(view: TableView, event: ColourAssigned) -> Changes:
    marked = {each.colour: each for each in view.marked}
    marked[event.colour] = MarkedColour(event.colour, event.seat, event.value)
    return {"marked": tuple(marked.values())}


def _to(**changes: Any) -> Callable[[TableView, Any], Changes]:
    """Make the function for an event that always makes the same changes."""
    return lambda _, __: dict(changes)


_FOLD: dict[type[Event], Callable[[TableView, Any], Changes]] = {
    TableCreated: _created,
    TerminalEnrolled: lambda view, _: {"terminals": view.terminals + 1},
    TableOpened: _to(phase="ready", notice_given=False, tested=None, lit=()),
    LayoutTested: lambda _, event: {"tested": event.faces, "lit": event.lit},
    LightsVerified: _to(tested=None, lit=()),
    NoticeGiven: _to(notice_given=True),
    TableClosed: _to(phase="closed", notice_given=False),
    RoundStarted: lambda _, event: {
        "phase": "tumbled",
        "round": event.round,
        "faces": None,
        "winners": (),
    },
    BetsOpened: _to(phase="betting"),
    BetsClosed: _to(phase="no-more-bets"),
    ResultsDisagreed: _to(waiting=True),
    ResultEntered: lambda _, event: {
        "phase": "result",
        "faces": event.faces,
        "winners": (),
        "waiting": False,
    },
    ResultConfirmed: lambda _, event: {"phase": "confirmed", "winners": event.winners},
    ResultAmended: lambda _, event: {"phase": "result", "faces": event.faces, "winners": ()},
    RoundSettled: _settled,
    RoundVoided: lambda view, event: _ended(view, RoundSummary(event.round, None, void=True)),
    ChainPublished: lambda _, event: {"commitment": event.commitment},
    IrregularityReported: lambda view, event: (
        {"doubts": (*view.doubts, event.code)} if event.in_doubt else {}
    ),
    ReportDeclined: lambda view, event: {
        "doubts": tuple(code for code in view.doubts if code != event.code)
    },
    InterruptionRecorded: _interrupted,
    OutcomeTestified: _to(phase="no-more-bets"),
    PlayResumed: _to(waiting=False, interrupted=False),
    TableStopped: lambda _, event: {"stopped": event.clause},
    TableRectified: _to(stopped=None),
    SafeProcedureDeclared: _to(stopped=None),
    RoundsReversed: _reversed,
    RoundResettled: _resettled,
    SeatTaken: lambda view, event: {
        "taken": (*(seat for seat in view.taken if seat != event.seat), event.seat)
    },
    SeatLeft: _seat_free,
    UnclaimedSetAside: _seat_free,
    ColourAssigned: _assigned,
    ColourReleased: lambda view, event: {
        "marked": tuple(each for each in view.marked if each.colour != event.colour)
    },
    LosersCollected: _to(paying=True),
}

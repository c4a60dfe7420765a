"""The view of each terminal of a table for itself, folded from the table's durable events.

A terminal's money is always its balance in the core's ledger after the event: no money is computed
here.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, get_args

from taisai.core.kernel.ledger import credits_of, stakes_of
from taisai.core.kernel.messages import Balances, BoxStake, Event, Netted
from taisai.core.kernel.once import same_amount, same_box
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn, RoundVoided
from taisai.core.table.corrections import RoundResettled, RoundsReversed, RulingRecorded
from taisai.core.table.positions import (
    BarLifted,
    CashedOut,
    CreditsReceived,
    LockCleared,
    OwnLimitsEnded,
    OwnLimitsSet,
    SessionEnded,
    TerminalBarred,
    TerminalLocked,
    TerminalLost,
    TerminalRestored,
)
from taisai.core.table.round import BetsClosed, RoundSettled
from taisai.core.table.service import (
    SessionEndedByStaff,
    TerminalFailed,
    TerminalReturned,
    WinSetAside,
)
from taisai.core.table.setup import TableCreated, TerminalEnrolled
from taisai.core.table.state import TableState
from taisai.protocol import private as p
from taisai.protocol.views import Changes, Line, PositionView, RoundOutcome, apply_changes

#: A terminal, the event as it is shown to it, and the changes to its view.
Shown = tuple[str, p.AnyPrivateEvent, Changes]


def view_of(state: TableState, terminal: str) -> PositionView:
    """Make the view of a terminal from a durable state."""
    seat, ledger = state.positions[terminal], state.ledger
    return PositionView(
        table=state.table,
        terminal=terminal,
        place=seat.place,
        credits=ledger.balance(credits_of(terminal)),
        staked=ledger.balance(stakes_of(terminal)),
        bets=dict(seat.bets),
        locked=seat.locked,
        barred=seat.barred,
        failed=seat.failed,
        loss_limit=seat.loss_limit,
        session_seconds=seat.session_seconds,
        session_began=seat.session_began,
    )


#: How a round ended for one terminal, and the terminal's name.
_Outcome = tuple[str, RoundOutcome]


class PositionProjection(Mapping[str, PositionView]):
    """The durable views of all terminals of a table; a chip table has none."""

    def __init__(self, state: TableState) -> None:
        self._table = state.table
        self._has_terminals = state.chips is None
        names = state.positions if self._has_terminals else ()
        self._views = {name: view_of(state, name) for name in names}

    def __iter__(self) -> Iterator[str]:
        return iter(self._views)

    def __len__(self) -> int:
        return len(self._views)

    def __getitem__(self, terminal: str) -> PositionView:
        return self._views[terminal]

    def bets_registered(
        self, event: BetsRegistered, touched: Balances
    ) -> tuple[p.AnyPrivateEvent, Changes]:
        """Fold registered bets; most events are of this type."""
        changed: dict[str, int] = {}
        view = self._views[event.terminal]
        bets = view.bets
        for bet in event.bets:
            box = bet.box
            if box in bets:
                changed[box] = bets[box] = same_amount(bets[box] + bet.stake)
            else:
                changed[box] = bets[same_box(box)] = same_amount(bet.stake)
        # One posting, from the terminal's credits to its stakes, touched both accounts.
        view.credits, view.staked = credits_, staked = touched.values()
        changes: Changes = {"credits": credits_, "staked": staked, "bets": changed}
        return p.BetsRegistered(event.bets, event.on_behalf_by is not None), changes

    def fold(self, event: Event, touched: Balances) -> Iterable[Shown]:
        """Apply an event with the new balances, and yield it as each terminal is shown it.

        Views are updated while the caller iterates: of a round with thousands of terminals nothing
        is kept longer than it takes to write it.
        """
        match event:
            case BetsRegistered():
                return [(event.terminal, *self.bets_registered(event, touched))]
            case TableCreated():
                self._table, self._has_terminals = event.table, event.chips is None
            case TerminalEnrolled():
                view = PositionView(self._table, event.terminal, event.place)
                self._views[event.terminal] = view
            case RoundSettled() | RoundVoided() if self._has_terminals:
                return self._round_ended(event, touched)
            case _ if self._has_terminals:
                return self._fold(event, touched)
            case _:
                pass
        return []

    def _fold(self, event: Event, touched: Balances) -> list[Shown]:
        show = _SHOW.get(type(event))
        concerned = {} if show is None else show(event)
        shown: list[Shown] = []
        for terminal, own in concerned.items():
            view = self._views[terminal]
            held = touched.get(credits_of(terminal), view.credits)
            staked = touched.get(stakes_of(terminal), view.staked)
            changes = _changes(view, event, own, held)
            if held != view.credits:
                changes["credits"] = held
            if staked != view.staked:
                changes["staked"] = staked
            apply_changes(view, changes)
            shown.append((terminal, own.event, changes))
        return shown

    def _round_ended(self, event: RoundSettled | RoundVoided, touched: Balances) -> Iterator[Shown]:
        """Show terminals the end of their round: often thousands of them at once."""
        announced, views = _announced(event), self._views
        outcomes = _settled(event) if isinstance(event, RoundSettled) else _voided(event)
        for terminal, outcome in outcomes:
            view = views[terminal]
            view.bets, view.last = {}, outcome
            view.credits = held = touched.get(credits_of(terminal), view.credits)
            view.staked = staked = touched[stakes_of(terminal)]
            changes = {"bets": None, "last": outcome, "credits": held, "staked": staked}
            yield terminal, announced, changes


class _Own(NamedTuple):
    """An event for one terminal: how it is announced, and what it changes besides money."""

    event: p.AnyPrivateEvent
    bets: Sequence[BoxStake] = ()


_UNBOUND: Changes = {"loss_limit": None, "session_seconds": None}
_ENDED: Changes = {"session_began": None, **_UNBOUND}


def _is_free(view: PositionView) -> bool:
    return not (view.credits or view.bets)


def _is_bound(view: PositionView) -> bool:
    return view.loss_limit is not None or view.session_seconds is not None


def _changes(view: PositionView, event: Any, own: _Own, held: int) -> Changes:
    """Give what an event changes in a view besides money; `held` is the new balance."""
    if own.bets:
        return {"bets": _taken_off(view.bets, own.bets)}
    match event:
        case CreditsReceived(at=at) | RulingRecorded(at=at) if held and _is_free(view):
            return (
                {} if _is_bound(view) and view.session_began is not None else {"session_began": at}
            )
        case CashedOut() if not (view.bets or _is_bound(view)):
            return {"session_began": None}
        case SessionEnded() | SessionEndedByStaff():
            return dict(_ENDED)
        case OwnLimitsEnded():
            return dict(_ENDED if _is_free(view) else _UNBOUND)
        case OwnLimitsSet(loss=loss, session_seconds=seconds):
            began = {"session_began": None} if _is_free(view) else {}
            return {"loss_limit": loss, "session_seconds": seconds, **began}
        case TerminalBarred() | BarLifted():
            return {"barred": isinstance(event, TerminalBarred)}
        case TerminalFailed() | TerminalReturned():
            return {"failed": isinstance(event, TerminalFailed)}
        case TerminalLocked() | LockCleared() | WinSetAside():
            return {"locked": isinstance(event, TerminalLocked)}
        case _:
            return {}


def _taken_off(held: Mapping[str, int], bets: Sequence[BoxStake]) -> dict[str, int | None]:
    """Give what is left on each box; null if nothing is."""
    left: dict[str, int | None] = {}
    for bet in bets:
        before = left[bet.box] if bet.box in left else held[bet.box]
        left[bet.box] = (before or 0) - bet.stake or None
    return left


# --- how each event is announced to the terminals that it concerns -------------------------------


def _closed(event: BetsClosed) -> dict[str, _Own]:
    rejected: dict[str, list[BoxStake]] = {}
    for terminal, box, amount in event.rejected:
        rejected.setdefault(terminal, []).append(BoxStake(box, amount))
    return {
        terminal: _Own(p.BetsRejected(tuple(bets), event.rejected_clause), bets)
        for terminal, bets in rejected.items()
    }


def _settled(event: RoundSettled) -> Iterator[_Outcome]:
    """Split a settled round by terminal; thousands of them share few different lines."""
    number, faces, odds, clauses = event.round, event.faces, event.odds, event.clauses
    alike: dict[tuple[str, int, int, int], Line] = {}
    mine: list[Line] = []
    terminal, won, back = "", 0, 0
    # The lines of a terminal are together.
    for each in event.lines:
        if each.position != terminal:
            if mine:
                yield terminal, RoundOutcome(number, tuple(mine), back, won, faces)
            terminal, won, back, mine = each.position, 0, 0, []
        key = box, stake, won_, back_ = each.box, each.stake, each.won, each.back
        line = alike.get(key)
        if line is None:
            paid = odds[box] if won_ else None
            line = alike[key] = Line(box, stake, won_, back_, paid, clauses[box])
        mine.append(line)
        won += won_
        back += back_
    if mine:
        yield terminal, RoundOutcome(number, tuple(mine), back, won, faces)


def _voided(event: RoundVoided) -> Iterator[_Outcome]:
    for terminal, lines in groupby(event.returned, key=attrgetter("position")):
        mine = tuple(Line(line.box, line.stake, back=line.stake) for line in lines)
        back = sum(line.stake for line in mine)
        yield terminal, RoundOutcome(event.round, mine, back, clause=event.clause)


def _put_right(rounds: tuple[int, ...], netted: Sequence[Netted], clause: str) -> dict[str, _Own]:
    return {
        each.position: _Own(p.RoundsCorrected(rounds, each.given, each.taken, clause))
        for each in netted
    }


def _ruled(event: RulingRecorded) -> dict[str, _Own]:
    accounts = (name for each in event.postings for name in (each.source, each.destination))
    branches = (account.partition(":") for account in accounts)
    ruled = _Own(p.RulingRecorded(event.clause))
    return {name: ruled for branch, _, name in branches if branch in ("terminal", "stake")}


def _own(event: Any) -> dict[str, _Own]:
    return {event.terminal: _Own(_announced(event))}


def _announced(event: Event) -> p.AnyPrivateEvent:
    """Announce an event under its own name, with the fields that are shown."""
    private = _PRIVATE[type(event).__name__]
    return private(*(getattr(event, name) for name in private.__struct_fields__))


_PRIVATE: dict[str, type[p.PrivateEvent]] = {
    each.__name__: each for each in get_args(p.AnyPrivateEvent)
}


_SHOW: dict[type[Event], Callable[[Any], dict[str, _Own]]] = {
    BetsWithdrawn: lambda event: {
        event.terminal: _Own(
            p.BetsWithdrawn(event.bets, event.on_behalf_by is not None), event.bets
        )
    },
    BetsClosed: _closed,
    RoundsReversed: lambda event: _put_right(event.rounds, event.netted, event.clause),
    RoundResettled: lambda event: _put_right((event.round,), event.netted, event.clause),
    RulingRecorded: _ruled,
    **dict.fromkeys((CreditsReceived, CashedOut, SessionEnded, SessionEndedByStaff), _own),
    WinSetAside: _own,
    **dict.fromkeys((OwnLimitsSet, OwnLimitsEnded), _own),
    **dict.fromkeys((TerminalLost, TerminalRestored, TerminalBarred, BarLifted), _own),
    **dict.fromkeys((TerminalFailed, TerminalReturned, TerminalLocked, LockCleared), _own),
}

"""Each terminal of a table as it is shown to itself, folded from the table's durable events.

What an event does to a terminal's money is what the core posts for it, and nothing else: the
balances here are the ledger's own, as far as they are durable.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, get_args

from taisai.core.kernel.ledger import Ledger, credits_of, postings_of, stakes_of
from taisai.core.kernel.messages import BoxStake, Event, Netted, SettledLine
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn, RoundVoided
from taisai.core.table.corrections import RoundResettled, RoundsReversed, RulingRecorded
from taisai.core.table.positions import (
    BarLifted,
    CashedOut,
    CreditsReceived,
    LockCleared,
    OwnLimitsSet,
    SessionEnded,
    TerminalBarred,
    TerminalLocked,
    TerminalLost,
    TerminalRestored,
)
from taisai.core.table.round import BetsClosed, RoundSettled
from taisai.core.table.setup import TableCreated, TerminalEnrolled
from taisai.core.table.state import TableState
from taisai.protocol import private as p
from taisai.protocol.views import Changes, Line, PositionView, RoundOutcome, apply_changes


class Shown(NamedTuple):
    """What one terminal is shown of an event, and what it changes in the terminal's view."""

    event: p.AnyPrivateEvent
    changes: Changes


def view_of(state: TableState, terminal: str) -> PositionView:
    """Make the view of a terminal from the state, which must be durable."""
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
        loss_limit=seat.loss_limit,
        session_seconds=seat.session_seconds,
        session_began=seat.session_began,
    )


class PositionProjection:
    """The durable views of all terminals of a table; a chip table has none."""

    def __init__(self, state: TableState) -> None:
        self._table = state.table
        self._has_terminals = state.chips is None
        self._ledger = Ledger(dict(state.ledger.balances))
        names = state.positions if self._has_terminals else ()
        self.views = {name: view_of(state, name) for name in names}

    def bets_registered(self, event: BetsRegistered) -> Shown:
        """Fold bets that are on the table now; most events are this."""
        terminal = event.terminal
        self._ledger.post(postings_of(event))
        view = self.views[terminal]
        bets, balances = view.bets, self._ledger.balances
        changed = {}
        for bet in event.bets:
            box = bet.box
            changed[box] = bets[box] = bets.get(box, 0) + bet.stake
        view.credits = balances[credits_of(terminal)]
        view.staked = balances[stakes_of(terminal)]
        changes: Changes = {"credits": view.credits, "staked": view.staked, "bets": changed}
        return Shown(p.BetsRegistered(event.bets, event.on_behalf_by is not None), changes)

    def fold(self, event: Event) -> Mapping[str, Shown]:
        """Apply an event; give what it is to each terminal that it concerns."""
        match event:
            case BetsRegistered():
                return {event.terminal: self.bets_registered(event)}
            case TableCreated():
                self._table, self._has_terminals = event.table, event.chips is None
            case TerminalEnrolled():
                view = PositionView(self._table, event.terminal, event.place)
                self.views[event.terminal] = view
            case _ if self._has_terminals:
                return self._fold(event)
            case _:
                pass
        return {}

    def _fold(self, event: Any) -> Mapping[str, Shown]:
        postings = postings_of(event)
        if postings:
            self._ledger.post(postings)
        show = _SHOW.get(type(event))
        if show is None:
            return {}
        shown = {}
        balance = self._ledger.balance
        for terminal, own in show(event).items():
            view = self.views[terminal]
            changes = _changes(view, event, own)
            credits_, staked = balance(credits_of(terminal)), balance(stakes_of(terminal))
            if credits_ != view.credits:
                changes["credits"] = credits_
            if staked != view.staked:
                changes["staked"] = staked
            apply_changes(view, changes)
            shown[terminal] = Shown(own.event, changes)
        return shown


class _Own(NamedTuple):
    """What an event is to one terminal: how it is announced, and what it changes beside money."""

    event: p.AnyPrivateEvent
    bets: Sequence[BoxStake] = ()
    last: RoundOutcome | None = None


_ENDED: Changes = {"session_began": None, "loss_limit": None, "session_seconds": None}


def _changes(view: PositionView, event: Any, own: _Own) -> Changes:
    """Say what an event changes in a terminal's view beside its money."""
    if own.last is not None:
        return {"bets": None, "last": own.last}
    if own.bets:
        return {"bets": _taken_off(view.bets, own.bets)}
    match event:
        case CreditsReceived(at=at) if view.session_began is None:
            return {"session_began": at}
        case CashedOut() if not view.bets:
            return dict(_ENDED)
        case SessionEnded():
            return dict(_ENDED)
        case OwnLimitsSet(loss=loss, session_seconds=seconds):
            return {"loss_limit": loss, "session_seconds": seconds}
        case TerminalBarred() | BarLifted():
            return {"barred": isinstance(event, TerminalBarred)}
        case TerminalLocked() | LockCleared():
            return {"locked": isinstance(event, TerminalLocked)}
        case _:
            return {}


def _taken_off(held: Mapping[str, int], bets: Sequence[BoxStake]) -> dict[str, int | None]:
    """Give what is left on each box; null where nothing is."""
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


def _by_terminal(lines: Iterable[SettledLine]) -> dict[str, list[SettledLine]]:
    found: dict[str, list[SettledLine]] = {}
    for line in lines:
        mine = found.get(line.position)
        if mine is None:
            found[line.position] = [line]
        else:
            mine.append(line)
    return found


def _settled(event: RoundSettled) -> dict[str, _Own]:
    """Divide a settled round; thousands of terminals have few different lines among them."""
    number, faces, odds, clauses = event.round, event.faces, event.odds, event.clauses
    alike: dict[tuple[str, int, int, int], Line] = {}
    found = {}
    for terminal, lines in _by_terminal(event.lines).items():
        won = back = 0
        mine = []
        for each in lines:
            key = box, stake, won_, back_ = each.box, each.stake, each.won, each.back
            line = alike.get(key)
            if line is None:
                paid = odds[box] if won_ else None
                line = alike[key] = Line(box, stake, won_, back_, paid, clauses[box])
            mine.append(line)
            won += won_
            back += back_
        outcome = RoundOutcome(number, tuple(mine), back, won, faces)
        found[terminal] = _Own(p.RoundSettled(number, won, back), (), outcome)
    return found


def _voided(event: RoundVoided) -> dict[str, _Own]:
    found = {}
    for terminal, lines in _by_terminal(event.returned).items():
        back = sum(line.stake for line in lines)
        mine = tuple(Line(line.box, line.stake, back=line.stake) for line in lines)
        outcome = RoundOutcome(event.round, mine, back, clause=event.clause)
        voided = p.RoundVoided(event.round, event.code, event.clause, back)
        found[terminal] = _Own(voided, (), outcome)
    return found


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
    """Announce an event of one terminal under its own name, with those fields that are shown."""
    private = _PRIVATE[type(event).__name__]
    return {
        event.terminal: _Own(private(*(getattr(event, name) for name in private.__struct_fields__)))
    }


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
    RoundSettled: _settled,
    RoundVoided: _voided,
    RoundsReversed: lambda event: _put_right(event.rounds, event.netted, event.clause),
    RoundResettled: lambda event: _put_right((event.round,), event.netted, event.clause),
    RulingRecorded: _ruled,
    **dict.fromkeys((CreditsReceived, CashedOut, SessionEnded, OwnLimitsSet), _own),
    **dict.fromkeys((TerminalLost, TerminalRestored, TerminalBarred, BarLifted), _own),
    **dict.fromkeys((TerminalLocked, LockCleared), _own),
}

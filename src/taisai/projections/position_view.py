"""Each terminal of a table as it is shown to itself, folded from the table's durable events.

What an event does to a terminal's money is what the core posts for it, and nothing else: the
balances here are the ledger's own, as far as they are durable.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, get_args

from msgspec import Struct

from taisai.core.kernel.ledger import credits_of, stakes_of
from taisai.core.kernel.messages import BoxStake, Event, Netted, Posting
from taisai.core.kernel.registry import POSTINGS
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
from taisai.core.table.setup import TableCreated, TerminalEnrolled
from taisai.core.table.state import TableState
from taisai.protocol import private as p
from taisai.protocol.views import Changes, Line, PositionView, RoundOutcome, apply_changes


class Shown(Struct, frozen=True, gc=False):
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


#: How a round ended for one terminal: its name, how that is announced, and its own lines.
_Outcome = tuple[str, p.AnyPrivateEvent, RoundOutcome]


class PositionProjection:
    """The durable views of all terminals of a table; a chip table has none."""

    def __init__(self, state: TableState) -> None:
        self._table = state.table
        self._has_terminals = state.chips is None
        #: What each account holds, by the postings of the durable events.
        self._balances = defaultdict(int, state.ledger.balances)
        names = state.positions if self._has_terminals else ()
        self.views = {name: view_of(state, name) for name in names}

    def bets_registered(self, event: BetsRegistered) -> Shown:
        """Fold bets that are on the table now; most events are this."""
        view, balances = self.views[event.terminal], self._balances
        bets, changed = view.bets, {}
        for bet in event.bets:
            box = bet.box
            changed[box] = bets[box] = bets.get(box, 0) + bet.stake
        # The one posting goes from the terminal's credits to its stakes.
        (posting,) = POSTINGS[BetsRegistered](event)
        source, destination, amount = posting.source, posting.destination, posting.amount
        balances[source] = view.credits = balances[source] - amount
        balances[destination] = view.staked = balances[destination] + amount
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

    def _post(self, postings: Iterable[Posting]) -> None:
        """Move money as the core did, which has judged every posting when it was decided."""
        balances = self._balances
        for posting in postings:
            amount = posting.amount
            balances[posting.source] -= amount
            balances[posting.destination] += amount

    def _fold(self, event: Any) -> Mapping[str, Shown]:
        post = POSTINGS.get(type(event))
        if post is not None:
            self._post(post(event))
        ended = _ENDED_ROUND.get(type(event))
        if ended is not None:
            return self._round_ended(ended(event))
        show = _SHOW.get(type(event))
        shown = {}
        for terminal, own in {} if show is None else show(event).items():
            view = self.views[terminal]
            changes = _changes(view, event, own)
            given = isinstance(event, RulingRecorded) and self._balances[credits_of(terminal)] > 0
            if given and _is_free(view):
                # Money that a ruling gives begins a session like any other.
                changes |= _begun(view, event.at)
            apply_changes(view, changes)
            self._show_money(terminal, view, changes)
            shown[terminal] = Shown(own.event, changes)
        return shown

    def _round_ended(self, outcomes: Iterable[_Outcome]) -> Mapping[str, Shown]:
        """Show terminals the end of their round: often thousands of them at once."""
        shown, views, balances = {}, self.views, self._balances
        for terminal, announced, outcome in outcomes:
            view = views[terminal]
            view.bets, view.last = {}, outcome
            view.credits = credits_ = balances[credits_of(terminal)]
            view.staked = staked = balances[stakes_of(terminal)]
            changes = {"bets": None, "last": outcome, "credits": credits_, "staked": staked}
            shown[terminal] = Shown(announced, changes)
        return shown

    def _show_money(self, terminal: str, view: PositionView, changes: Changes) -> None:
        """Put what the ledger holds for a terminal into its view, and into the changes."""
        credits_ = self._balances[credits_of(terminal)]
        if credits_ != view.credits:
            changes["credits"] = view.credits = credits_
        staked = self._balances[stakes_of(terminal)]
        if staked != view.staked:
            changes["staked"] = view.staked = staked


class _Own(NamedTuple):
    """What an event is to one terminal: how it is announced, and what it changes beside money."""

    event: p.AnyPrivateEvent
    bets: Sequence[BoxStake] = ()


_UNBOUND: Changes = {"loss_limit": None, "session_seconds": None}
_ENDED: Changes = {"session_began": None, **_UNBOUND}


def _is_free(view: PositionView) -> bool:
    return not (view.credits or view.bets)


def _is_bound(view: PositionView) -> bool:
    return view.loss_limit is not None or view.session_seconds is not None


def _begun(view: PositionView, at: int) -> Changes:
    """Begin a session with credits that came to a terminal, unless one goes on."""
    goes_on = not _is_free(view) or _is_bound(view)
    return {} if goes_on and view.session_began is not None else {"session_began": at}


def _changes(view: PositionView, event: Any, own: _Own) -> Changes:
    """Say what an event changes in a terminal's view beside its money."""
    if own.bets:
        return {"bets": _taken_off(view.bets, own.bets)}
    match event:
        case CreditsReceived(at=at):
            return _begun(view, at)
        case CashedOut() if not (view.bets or _is_bound(view)):
            return {"session_began": None}
        case SessionEnded():
            return dict(_ENDED)
        case OwnLimitsEnded():
            return dict(_ENDED if _is_free(view) else _UNBOUND)
        case OwnLimitsSet(loss=loss, session_seconds=seconds):
            began = {"session_began": None} if _is_free(view) else {}
            return {"loss_limit": loss, "session_seconds": seconds, **began}
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


def _settled(event: RoundSettled) -> Iterator[_Outcome]:
    """Divide a settled round; thousands of terminals have few different lines among them."""
    number, faces, odds, clauses = event.round, event.faces, event.odds, event.clauses
    alike: dict[tuple[str, int, int, int], Line] = {}
    # The lines of a terminal stand together.
    for terminal, lines in groupby(event.lines, key=attrgetter("position")):
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
        yield (
            terminal,
            p.RoundSettled(number, won, back),
            RoundOutcome(number, tuple(mine), back, won, faces),
        )


def _voided(event: RoundVoided) -> Iterator[_Outcome]:
    for terminal, lines in groupby(event.returned, key=attrgetter("position")):
        mine = tuple(Line(line.box, line.stake, back=line.stake) for line in lines)
        back = sum(line.stake for line in mine)
        outcome = RoundOutcome(event.round, mine, back, clause=event.clause)
        yield terminal, p.RoundVoided(event.round, event.code, event.clause, back), outcome


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
    RoundsReversed: lambda event: _put_right(event.rounds, event.netted, event.clause),
    RoundResettled: lambda event: _put_right((event.round,), event.netted, event.clause),
    RulingRecorded: _ruled,
    **dict.fromkeys((CreditsReceived, CashedOut, SessionEnded), _own),
    **dict.fromkeys((OwnLimitsSet, OwnLimitsEnded), _own),
    **dict.fromkeys((TerminalLost, TerminalRestored, TerminalBarred, BarLifted), _own),
    **dict.fromkeys((TerminalLocked, LockCleared), _own),
}

_ENDED_ROUND: dict[type[Event], Callable[[Any], Iterator[_Outcome]]] = {
    RoundSettled: _settled,
    RoundVoided: _voided,
}

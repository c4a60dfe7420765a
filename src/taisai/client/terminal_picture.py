"""A terminal as it pictures itself: its last snapshot, and what it was told since."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from taisai.core.kernel.messages import BoxStake, Instant
from taisai.protocol import private as p
from taisai.protocol.server_messages import Private, TerminalSnapshot


class TerminalPicture(Struct):
    """What a terminal knows of itself now; the fields of `TerminalView`."""

    table: str
    terminal: str
    place: str
    credits: int
    staked: int
    bets: dict[str, int] = {}
    locked: bool = False
    barred: bool = False
    loss_limit: int | None = None
    session_seconds: int | None = None
    session_began: Instant | None = None
    last: p.RoundSettled | p.RoundVoided | None = None

    def begin(self, snapshot: TerminalSnapshot) -> None:
        """Forget what was known, and begin with a snapshot."""
        for name in snapshot.view.__struct_fields__:
            setattr(self, name, getattr(snapshot.view, name))
        self.bets = dict(snapshot.view.bets)

    def tell(self, message: Private) -> None:
        """Take in what happened to the terminal."""
        for event in message.events:
            _APPLY[type(event)](self, event, message.at)
        self.credits, self.staked = message.credits, message.staked


def picture_of(snapshot: TerminalSnapshot) -> TerminalPicture:
    """Begin a picture with a snapshot."""
    view = snapshot.view
    seat = TerminalPicture(view.table, view.terminal, view.place, view.credits, view.staked)
    seat.begin(snapshot)
    return seat


def _add(seat: TerminalPicture, bets: Iterable[BoxStake], sign: int) -> None:
    for bet in bets:
        left = seat.bets.get(bet.box, 0) + sign * bet.stake
        if left > 0:
            seat.bets[bet.box] = left
        else:
            seat.bets.pop(bet.box, None)


def _registered(seat: TerminalPicture, event: p.BetsRegistered, _: Instant) -> None:
    _add(seat, event.bets, 1)


def _taken_off(seat: TerminalPicture, event: p.BetsWithdrawn | p.BetsRejected, _: Instant) -> None:
    _add(seat, event.bets, -1)


def _ended(seat: TerminalPicture, event: p.RoundSettled | p.RoundVoided, _: Instant) -> None:
    seat.bets = {}
    seat.last = event


def _received(seat: TerminalPicture, _: p.CreditsReceived, at: Instant) -> None:
    if seat.session_began is None:
        seat.session_began = at


def _cashed(seat: TerminalPicture, event: p.CashedOut, at: Instant) -> None:
    if not seat.bets:
        _session_ended(seat, event, at)


def _session_ended(seat: TerminalPicture, _: p.PrivateEvent, __: Instant) -> None:
    seat.session_began = seat.loss_limit = seat.session_seconds = None


def _own_limits(seat: TerminalPicture, event: p.OwnLimitsSet, _: Instant) -> None:
    seat.loss_limit, seat.session_seconds = event.loss, event.session_seconds


def _barred(seat: TerminalPicture, event: p.TerminalBarred | p.BarLifted, _: Instant) -> None:
    seat.barred = isinstance(event, p.TerminalBarred)


def _locked(seat: TerminalPicture, event: p.TerminalLocked | p.LockCleared, _: Instant) -> None:
    seat.locked = isinstance(event, p.TerminalLocked)


def _nothing(_: TerminalPicture, __: p.PrivateEvent, ___: Instant) -> None:
    """Leave the picture as it is: money is told beside the events."""


_APPLY: dict[type[p.PrivateEvent], Callable[[TerminalPicture, Any, Instant], None]] = {
    p.BetsRegistered: _registered,
    p.BetsWithdrawn: _taken_off,
    p.BetsRejected: _taken_off,
    p.RoundSettled: _ended,
    p.RoundVoided: _ended,
    p.RoundsCorrected: _nothing,
    p.CreditsReceived: _received,
    p.CashedOut: _cashed,
    p.SessionEnded: _session_ended,
    p.OwnLimitsSet: _own_limits,
    p.TerminalLost: _nothing,
    p.TerminalRestored: _nothing,
    p.TerminalBarred: _barred,
    p.BarLifted: _barred,
    p.TerminalLocked: _locked,
    p.LockCleared: _locked,
    p.RulingRecorded: _nothing,
}

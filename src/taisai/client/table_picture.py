"""A table as a client pictures it: its last snapshot, and what it was told since."""

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct, structs

from taisai.core.kernel.messages import Instant, LimitsAsked
from taisai.core.rules.dice import Faces
from taisai.core.table.chips.pieces import Form
from taisai.protocol import public as p
from taisai.protocol.felt import MarkedColour
from taisai.protocol.server_messages import (
    Countdown,
    Dealer,
    Public,
    Suspended,
    TableSnapshot,
    Totals,
)

#: Finished rounds that are kept, the newest last.
ROUNDS_KEPT = 120


class TablePicture(Struct):
    """What is known of a table now; the fields of `TableView`, and how it is being dealt."""

    table: str
    currency: str
    phase: str
    round: int
    tumbler: str
    rulebook: p.RulebookName | None = None
    limits: LimitsAsked | None = None
    totals: dict[str, int] = {}
    terminals: int = 0
    faces: Faces | None = None
    call: str | None = None
    winners: tuple[str, ...] = ()
    notice_given: bool = False
    stopped: str | None = None
    in_doubt: str | None = None
    waiting: bool = False
    commitment: str | None = None
    rounds: tuple[p.RoundSummary, ...] = ()
    form: Form = "terminals"
    seats: int = 0
    taken: tuple[str, ...] = ()
    marked: tuple[MarkedColour, ...] = ()
    paying: bool = False
    closes_at: Instant | None = None
    dealer: Literal["automatic", "person"] = "person"
    suspended: bool = False

    @property
    def taking_bets(self) -> bool:
        """Say whether a bet sent now would be in time."""
        return self.phase == "betting" and not (self.suspended or self.waiting or self.in_doubt)

    @property
    def minimum(self) -> int:
        """Tell the least that may be bet on a box that has no minimum of its own."""
        return 0 if self.limits is None else self.limits.minimum

    def begin(self, snapshot: TableSnapshot) -> None:
        """Forget what was known, and begin with a snapshot."""
        for name in snapshot.view.__struct_fields__:
            setattr(self, name, getattr(snapshot.view, name))
        self.totals = dict(snapshot.view.totals)
        self.closes_at = snapshot.closes_at
        self.dealer = snapshot.dealer
        self.suspended = snapshot.suspended

    def tell(self, message: Public | Totals | Countdown | Dealer | Suspended) -> bool:
        """Take in what happened; False when it does not say enough, and a snapshot is wanted."""
        match message:
            case Public():
                enough = [_APPLY[type(event)](self, event) for event in message.events]
                return all(enough)
            case Totals():
                _put_totals(self, message.boxes)
            case Countdown():
                self.closes_at = message.closes_at
            case Dealer():
                self.dealer = message.dealer
            case Suspended():
                self.suspended = message.suspended
        return True


def picture_of(snapshot: TableSnapshot) -> TablePicture:
    """Begin a picture with a snapshot."""
    view = snapshot.view
    table = TablePicture(view.table, view.currency, view.phase, view.round, view.tumbler)
    table.begin(snapshot)
    return table


def _put_totals(table: TablePicture, boxes: dict[str, int]) -> None:
    for box, total in boxes.items():
        if total:
            table.totals[box] = total
        else:
            table.totals.pop(box, None)


# --- what each event does to the picture; True when it says enough ------------------------------


def _ask_anew(_: TablePicture, __: p.PublicEvent) -> bool:
    """Rules and limits in force are only in a snapshot."""
    return False


def _nothing(_: TablePicture, __: p.PublicEvent) -> bool:
    return True


def _opened(table: TablePicture, _: p.TableOpened) -> bool:
    table.phase, table.notice_given = "ready", False
    return True


def _notice(table: TablePicture, _: p.NoticeGiven) -> bool:
    table.notice_given = True
    return True


def _closed(table: TablePicture, _: p.TableClosed) -> bool:
    table.phase, table.closes_at = "closed", None
    return True


def _started(table: TablePicture, event: p.RoundStarted) -> bool:
    table.round, table.phase = event.round, "tumbled"
    table.faces = table.call = None
    table.winners = ()
    return True


def _bets_opened(table: TablePicture, _: p.BetsOpened) -> bool:
    table.phase = "betting"
    return True


def _bets_closed(table: TablePicture, _: p.BetsClosed) -> bool:
    table.phase, table.closes_at = "no-more-bets", None
    # A doubt that was lifted is told to staff alone; that the round goes on says it to everybody.
    table.in_doubt = None
    return True


def _disagreed(table: TablePicture, _: p.ResultsDisagreed) -> bool:
    table.waiting = True
    return True


def _entered(table: TablePicture, event: p.ResultEntered | p.ResultAmended) -> bool:
    table.phase, table.faces, table.call = "result", event.faces, event.call
    table.winners = ()
    table.waiting, table.in_doubt = False, None
    return True


def _confirmed(table: TablePicture, event: p.ResultConfirmed) -> bool:
    table.phase, table.winners, table.in_doubt = "confirmed", event.winners, None
    return True


def _settled(table: TablePicture, event: p.RoundSettled) -> bool:
    # At a felt the chips still have to move; where none lay there is nothing to wait for.
    table.paying = table.form == "chips" and any(table.totals.values())
    _end_round(
        table,
        p.RoundSummary(
            event.round, event.faces, total=event.total, size=event.size, parity=event.parity
        ),
    )
    return True


def _voided(table: TablePicture, event: p.RoundVoided) -> bool:
    _end_round(table, p.RoundSummary(event.round, None, void=True))
    return True


def _end_round(table: TablePicture, summary: p.RoundSummary) -> None:
    table.phase, table.round = "ready", summary.round
    table.totals = {}
    table.faces = table.call = table.in_doubt = table.closes_at = None
    table.winners = ()
    table.waiting = False
    earlier = tuple(each for each in table.rounds if each.round != summary.round)
    table.rounds = (*earlier, summary)[-ROUNDS_KEPT:]


def _published(table: TablePicture, event: p.ChainPublished) -> bool:
    table.commitment = event.commitment
    return True


def _irregular(table: TablePicture, event: p.IrregularityReported) -> bool:
    if event.in_doubt:
        table.in_doubt = event.code
    return True


def _doubt_lifted(table: TablePicture, _: p.DoubtLifted) -> bool:
    table.in_doubt = None
    return True


def _interrupted(table: TablePicture, event: p.InterruptionRecorded) -> bool:
    if event.ruling == "wait":
        table.waiting = True
    return True


def _stopped(table: TablePicture, event: p.TableStopped) -> bool:
    table.stopped = event.clause
    return True


def _going_on(table: TablePicture, _: p.PublicEvent) -> bool:
    table.stopped = None
    return True


def _reversed(table: TablePicture, event: p.RoundsReversed) -> bool:
    table.rounds = tuple(
        structs.replace(each, void=True) if each.round in event.rounds else each
        for each in table.rounds
    )
    return True


def _resettled(table: TablePicture, event: p.RoundResettled) -> bool:
    told = {"total": event.total, "size": event.size, "parity": event.parity}
    table.rounds = tuple(
        structs.replace(each, faces=event.faces, **told) if each.round == event.round else each
        for each in table.rounds
    )
    return True


def _seat_taken(table: TablePicture, event: p.SeatTaken) -> bool:
    table.taken = (*table.taken, event.seat)
    return True


def _seat_left(table: TablePicture, event: p.SeatLeft) -> bool:
    table.taken = tuple(seat for seat in table.taken if seat != event.seat)
    table.marked = tuple(each for each in table.marked if each.seat != event.seat)
    return True


def _assigned(table: TablePicture, event: p.ColourAssigned) -> bool:
    table.marked = (*table.marked, MarkedColour(event.colour, event.seat, event.value))
    return True


def _released(table: TablePicture, event: p.ColourReleased) -> bool:
    table.marked = tuple(each for each in table.marked if each.colour != event.colour)
    return True


def _paid(table: TablePicture, _: p.WinnersPaid) -> bool:
    table.paying = False
    return True


_APPLY: dict[type[p.PublicEvent], Callable[[TablePicture, Any], bool]] = {
    p.RulebookAdopted: _ask_anew,
    p.LimitsSet: _ask_anew,
    p.TableOpened: _opened,
    p.NoticeGiven: _notice,
    p.TableClosed: _closed,
    p.RoundStarted: _started,
    p.BetsOpened: _bets_opened,
    p.TumbleRecorded: _nothing,
    p.BetsClosed: _bets_closed,
    p.ResultsDisagreed: _disagreed,
    p.ResultEntered: _entered,
    p.ResultConfirmed: _confirmed,
    p.ResultAmended: _entered,
    p.RoundSettled: _settled,
    p.RoundVoided: _voided,
    p.ChainPublished: _published,
    p.SecretRevealed: _nothing,
    p.ChainAbandoned: _nothing,
    p.IrregularityReported: _irregular,
    p.DoubtLifted: _doubt_lifted,
    p.InterruptionRecorded: _interrupted,
    p.TableStopped: _stopped,
    p.TableRectified: _going_on,
    p.SafeProcedureDeclared: _going_on,
    p.RoundsReversed: _reversed,
    p.RoundResettled: _resettled,
    p.SeatTaken: _seat_taken,
    p.SeatLeft: _seat_left,
    p.ColourAssigned: _assigned,
    p.ColourReleased: _released,
    p.WinnersPaid: _paid,
}

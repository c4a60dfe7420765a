"""The auditor of a house: every stream's events, decision by decision, and the books of all."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from taisai.core.cage.drawer import ShiftClosed, ShiftOpened
from taisai.core.cage.fills import CreditReceived, FillReturned, FillSent
from taisai.core.cage.vouchers import (
    CageOpened,
    SerialsSkipped,
    VoucherIssued,
    VoucherPaid,
    VoucherTaken,
)
from taisai.core.kernel.approvals import ApprovalRequested, CommandApproved, CommandDeclined
from taisai.core.kernel.messages import Event, Instant
from taisai.core.kernel.transits import TransitClosed
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn, RoundVoided
from taisai.core.table.chips.colours import (
    ColourAssigned,
    ColourBought,
    ColourConverted,
    ColourReleased,
)
from taisai.core.table.chips.gaming_day import (
    CreditReturned,
    DayClosed,
    DayOpened,
    DropCounted,
    FloatCredited,
    FloatFilled,
)
from taisai.core.table.chips.layout_bets import (
    BetPutRight,
    BetsRecorded,
    BetsTakenBack,
    ExcessRejected,
    PlayerAdvised,
    RecordCorrected,
)
from taisai.core.table.chips.payout import WinnersPaid
from taisai.core.table.chips.recovery import RecoveryRecorded
from taisai.core.table.chips.seats import (
    ChipsBought,
    ChipsExchanged,
    PlayerWalkedAway,
    SeatLeft,
    SeatTaken,
    UnclaimedSetAside,
)
from taisai.core.table.corrections import RoundResettled, RoundsReversed, RulingRecorded
from taisai.core.table.irregularities import InterruptionRecorded, IrregularityReported
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
    UnclaimedPaid,
)
from taisai.core.table.provably_fair import ChainAbandoned, ChainPublished, SecretRevealed
from taisai.core.table.round import (
    BetsClosed,
    BetsOpened,
    FacePressed,
    ResultAmended,
    ResultConfirmed,
    ResultEntered,
    ResultReported,
    ResultsDisagreed,
    RoundSettled,
    RoundStarted,
    TumbleRecorded,
)
from taisai.core.table.setup import (
    ChecksRecorded,
    DiceRegistered,
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
)
from taisai.runtime.auditor import betting, cage, gaming_day, rounds
from taisai.runtime.auditor import chip_bets as felt_bets
from taisai.runtime.auditor import chips as felt
from taisai.runtime.auditor import corrections as correcting
from taisai.runtime.auditor import positions as seats
from taisai.runtime.auditor import provably_fair as drawing
from taisai.runtime.auditor import setup as opening
from taisai.runtime.auditor.approvals import SecondPerson
from taisai.runtime.auditor.books import Books
from taisai.runtime.auditor.cage import Till
from taisai.runtime.auditor.finding import AuditError
from taisai.runtime.auditor.table import AFTER_CLOSE, Watched
from taisai.runtime.auditor.transits import Transits
from taisai.runtime.auditor.venue import Establishment

HOUSE, CAGE = "house", "cage"

#: What players and buttons do, and secrets that come out in their turn, leaves a command pending;
#: after anything else it is no longer the table that it was asked for at. An answer to it looks
#: for it first.
_LEAVES_PENDING = (
    CommandApproved,
    CommandDeclined,
    BetsRegistered,
    BetsWithdrawn,
    CreditsReceived,
    CashedOut,
    SessionEnded,
    TransitClosed,
    TerminalLost,
    TerminalRestored,
    OwnLimitsSet,
    FacePressed,
    ChainPublished,
    SecretRevealed,
    *(SeatTaken, SeatLeft, PlayerWalkedAway, ChipsBought, ChipsExchanged),
    *(ColourAssigned, ColourBought, ColourConverted, ColourReleased),
    *(BetsRecorded, RecordCorrected, BetsTakenBack, ExcessRejected, PlayerAdvised),
)

_TABLE: dict[type[Event], Callable[[Watched, Any, Instant], None]] = {
    BetsRegistered: betting.registered,
    BetsWithdrawn: betting.withdrawn,
    BetsClosed: betting.bets_closed,
    TableCreated: opening.created,
    TerminalEnrolled: opening.enrolled,
    RulebookAdopted: opening.adopted,
    LimitsSet: opening.limited,
    DiceRegistered: opening.dice_registered,
    ChecksRecorded: opening.checked,
    TableOpened: opening.opened,
    NoticeGiven: opening.noticed,
    TableClosed: opening.closed,
    TableStopped: opening.stopped,
    TableRectified: opening.rectified,
    SafeProcedureDeclared: opening.made_safe,
    RoundStarted: rounds.begun,
    BetsOpened: rounds.bets_opened,
    TumbleRecorded: rounds.tumbled,
    IrregularityReported: rounds.irregular,
    InterruptionRecorded: rounds.interrupted,
    FacePressed: rounds.pressed,
    ResultReported: rounds.reported,
    ResultsDisagreed: rounds.disagreed,
    ResultEntered: rounds.entered,
    ResultConfirmed: rounds.confirmed,
    ResultAmended: rounds.amended,
    RoundSettled: rounds.settled,
    RoundVoided: rounds.voided,
    ChainPublished: drawing.published,
    SecretRevealed: drawing.revealed,
    ChainAbandoned: drawing.abandoned,
    RoundsReversed: correcting.reversed_,
    RoundResettled: correcting.resettled,
    RulingRecorded: correcting.ruled,
    CreditsReceived: seats.received,
    CashedOut: seats.cashed,
    SessionEnded: seats.session_ended,
    TransitClosed: seats.transit_closed,
    TerminalLost: seats.lost,
    TerminalRestored: seats.restored,
    OwnLimitsSet: seats.bound,
    TerminalBarred: seats.barred,
    BarLifted: seats.lifted,
    TerminalLocked: seats.locked,
    LockCleared: seats.unlocked,
    SeatTaken: felt.seated,
    SeatLeft: felt.left,
    PlayerWalkedAway: felt.walked,
    UnclaimedSetAside: felt.kept,
    UnclaimedPaid: seats.unclaimed_paid,
    ChipsBought: felt.bought,
    ChipsExchanged: felt.exchanged,
    ColourAssigned: felt.assigned,
    ColourBought: felt.colour_bought,
    ColourConverted: felt.converted,
    ColourReleased: felt.released,
    BetsRecorded: felt_bets.recorded,
    RecordCorrected: felt_bets.corrected,
    BetsTakenBack: felt_bets.taken_back,
    ExcessRejected: felt_bets.rejected,
    PlayerAdvised: felt_bets.advised,
    BetPutRight: felt_bets.put_right,
    WinnersPaid: felt.winners_paid,
    RecoveryRecorded: felt.recovered,
    DayOpened: gaming_day.day_opened,
    FloatFilled: gaming_day.filled,
    FloatCredited: gaming_day.credited,
    CreditReturned: gaming_day.credit_returned,
    DropCounted: gaming_day.drop_counted,
    DayClosed: gaming_day.day_closed,
    ApprovalRequested: lambda table, event, at: table.second.ask(event, at),
    CommandApproved: lambda table, event, at: table.second.agree(event, at),
    CommandDeclined: rounds.declined,
}

_CAGE: dict[type[Event], Callable[[Till, Any, Instant], None]] = {
    CageOpened: cage.opened,
    VoucherIssued: cage.issued,
    VoucherTaken: cage.taken,
    VoucherPaid: cage.paid,
    SerialsSkipped: cage.skipped,
    FillSent: gaming_day.fill_sent,
    CreditReceived: gaming_day.credit_received,
    FillReturned: gaming_day.fill_returned,
    ShiftOpened: gaming_day.shift_opened,
    ShiftClosed: gaming_day.shift_closed,
    TransitClosed: cage.transit_closed,
    ApprovalRequested: lambda till, event, at: till.second.ask(event, at),
    CommandApproved: lambda till, event, at: till.second.agree(event, at),
    CommandDeclined: cage.declined,
}


class Auditor:
    """Watches a house through its events alone; complains with a sentence."""

    def __init__(self) -> None:
        self.house = Establishment(SecondPerson(HOUSE))
        self.transits = Transits()
        self.till = Till(Books(CAGE), SecondPerson(CAGE), self.transits)
        self.tables: dict[str, Watched] = {}
        self.decisions = 0

    def observe(self, stream: str, events: Sequence[Event], at: Instant) -> None:
        """Check what one decision came to, in the order of the house's streams."""
        self.decisions += 1
        if stream == HOUSE:
            self.house.observe(events, at)
        elif stream == CAGE:
            self._observe_cage(events, at)
        else:
            self._observe_table(self.table(stream), events, at)

    def table(self, stream: str) -> Watched:
        """Give a table under audit; a new one from its first event on."""
        if stream not in self.tables:
            second = SecondPerson(stream)
            self.tables[stream] = Watched(stream, Books(stream), second, self.transits)
        return self.tables[stream]

    def compare(self, stream: str, balances: Mapping[str, int]) -> None:
        """Check a ledger's balances against the auditor's own, and the stakes against the bets."""
        if stream == CAGE:
            self.till.books.compare(balances)
            return
        table = self.tables[stream]
        table.books.compare(balances)
        for terminal in table.seats:
            lying = sum(table.bets.get(terminal, {}).values())
            if balances.get(f"stake:{terminal}", 0) != lying:
                raise table.wrong(f"the stakes of terminal {terminal} are not its bets, {lying}")

    def compare_meter(self, stream: str, turnover: int, collected: int, won: int) -> None:
        """Check what a table's meter says of all settled rounds."""
        table = self.tables[stream]
        if (turnover, collected, won) != (table.turnover, table.collected, table.won):
            raise table.wrong(f"its meter shows a turnover of {turnover}, not {table.turnover}")

    def _observe_cage(self, events: Sequence[Event], at: Instant) -> None:
        till = self.till
        for event in events:
            if isinstance(event, CageOpened):
                self._check_currency(CAGE, event.currency)
            _CAGE[type(event)](till, event, at)
        till.second.end_decision()
        till.transits.end_decision()
        till.books.close()

    def _observe_table(self, table: Watched, events: Sequence[Event], at: Instant) -> None:
        if len(events) == 1 and type(events[0]) is BetsRegistered:
            self._observe_bets(table, events[0], at)
            return
        table.decision = []
        table.seen_before = table.doubted is not None or (
            table.tumbled and table.phase in AFTER_CLOSE
        )
        for event in events:
            kind = type(event)
            if kind is TableCreated:
                self._check_currency(table.name, event.currency)  # type: ignore[attr-defined]
            if table.due or table.locks_due:
                _check_due(table, kind)
            table.decision.append(event)
            if kind not in _LEAVES_PENDING:
                table.second.lapse()
            _TABLE[kind](table, event, at)
        if table.due or table.locks_due:
            _check_due(table, None)
        if table.felt is not None:
            felt.check_rack(table)
        table.second.end_decision()
        table.books.close()

    def _observe_bets(self, table: Watched, event: Event, at: Instant) -> None:
        """Check bets, which come alone and more often than all else together."""
        if table.due or table.locks_due:
            _check_due(table, type(event))
        table.decision = [event]
        _TABLE[type(event)](table, event, at)
        table.second.end_decision()
        table.books.close()

    def _check_currency(self, stream: str, currency: str) -> None:
        own = self.house.currency
        if currency != own:
            raise AuditError(f"{stream}: it deals in {currency}, and the house in {own}")


def _check_due(table: Watched, kind: type[Event] | None) -> None:
    """Check that what an event calls for comes next, in the same decision."""
    if table.locks_due and kind is not TerminalLocked:
        name = next(iter(table.locks_due))
        raise table.wrong(f"terminal {name} won {table.locks_due[name]} and was not locked")
    if table.due and kind not in table.due:
        came = "nothing" if kind is None else kind.__name__
        raise table.wrong(f"{table.due[0].__name__} should have followed, and {came} did")
    table.due = ()

"""The auditor of a house: every stream's events, decision by decision, and the books of all."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from taisai.core import events as e
from taisai.core.events import Event
from taisai.core.messages import Instant
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
    e.CommandApproved,
    e.CommandDeclined,
    e.BetsRegistered,
    e.BetsWithdrawn,
    e.CreditsReceived,
    e.CashedOut,
    e.SessionEnded,
    e.TransitClosed,
    e.TerminalLost,
    e.TerminalRestored,
    e.OwnLimitsSet,
    e.FacePressed,
    e.ChainPublished,
    e.SecretRevealed,
    *(e.SeatTaken, e.SeatLeft, e.PlayerWalkedAway, e.ChipsBought, e.ChipsExchanged),
    *(e.ColourAssigned, e.ColourBought, e.ColourConverted, e.ColourReleased),
    *(e.BetsRecorded, e.RecordCorrected, e.BetsTakenBack, e.ExcessRejected, e.PlayerAdvised),
)

_TABLE: dict[type[Event], Callable[[Watched, Any, Instant], None]] = {
    e.BetsRegistered: betting.registered,
    e.BetsWithdrawn: betting.withdrawn,
    e.BetsClosed: betting.bets_closed,
    e.TableCreated: opening.created,
    e.TerminalEnrolled: opening.enrolled,
    e.RulebookAdopted: opening.adopted,
    e.LimitsSet: opening.limited,
    e.DiceRegistered: opening.dice_registered,
    e.ChecksRecorded: opening.checked,
    e.TableOpened: opening.opened,
    e.NoticeGiven: opening.noticed,
    e.TableClosed: opening.closed,
    e.TableStopped: opening.stopped,
    e.TableRectified: opening.rectified,
    e.SafeProcedureDeclared: opening.made_safe,
    e.RoundStarted: rounds.begun,
    e.BetsOpened: rounds.bets_opened,
    e.TumbleRecorded: rounds.tumbled,
    e.IrregularityReported: rounds.irregular,
    e.InterruptionRecorded: rounds.interrupted,
    e.FacePressed: rounds.pressed,
    e.ResultReported: rounds.reported,
    e.ResultsDisagreed: rounds.disagreed,
    e.ResultEntered: rounds.entered,
    e.ResultConfirmed: rounds.confirmed,
    e.ResultAmended: rounds.amended,
    e.RoundSettled: rounds.settled,
    e.RoundVoided: rounds.voided,
    e.ChainPublished: drawing.published,
    e.SecretRevealed: drawing.revealed,
    e.ChainAbandoned: drawing.abandoned,
    e.RoundsReversed: correcting.reversed_,
    e.RoundResettled: correcting.resettled,
    e.RulingRecorded: correcting.ruled,
    e.CreditsReceived: seats.received,
    e.CashedOut: seats.cashed,
    e.SessionEnded: seats.session_ended,
    e.TransitClosed: seats.transit_closed,
    e.TerminalLost: seats.lost,
    e.TerminalRestored: seats.restored,
    e.OwnLimitsSet: seats.bound,
    e.TerminalBarred: seats.barred,
    e.BarLifted: seats.lifted,
    e.TerminalLocked: seats.locked,
    e.LockCleared: seats.unlocked,
    e.SeatTaken: felt.seated,
    e.SeatLeft: felt.left,
    e.PlayerWalkedAway: felt.walked,
    e.MoneyKept: felt.kept,
    e.KeptPaid: felt.kept_paid,
    e.ChipsBought: felt.bought,
    e.ChipsExchanged: felt.exchanged,
    e.ColourAssigned: felt.assigned,
    e.ColourBought: felt.colour_bought,
    e.ColourConverted: felt.converted,
    e.ColourReleased: felt.released,
    e.BetsRecorded: felt_bets.recorded,
    e.RecordCorrected: felt_bets.corrected,
    e.BetsTakenBack: felt_bets.taken_back,
    e.ExcessRejected: felt_bets.rejected,
    e.PlayerAdvised: felt_bets.advised,
    e.BetPutRight: felt_bets.put_right,
    e.WinnersPaid: felt.winners_paid,
    e.RecoveryRecorded: felt.recovered,
    e.DayOpened: gaming_day.day_opened,
    e.FloatFilled: gaming_day.filled,
    e.FloatCredited: gaming_day.credited,
    e.CreditReturned: gaming_day.credit_returned,
    e.DropCounted: gaming_day.drop_counted,
    e.DayClosed: gaming_day.day_closed,
    e.ApprovalRequested: lambda table, event, at: table.second.ask(event, at),
    e.CommandApproved: lambda table, event, at: table.second.agree(event, at),
    e.CommandDeclined: rounds.declined,
}

_CAGE: dict[type[Event], Callable[[Till, Any, Instant], None]] = {
    e.CageOpened: cage.opened,
    e.VoucherIssued: cage.issued,
    e.VoucherTaken: cage.taken,
    e.VoucherPaid: cage.paid,
    e.SerialsSkipped: cage.skipped,
    e.FillSent: gaming_day.fill_sent,
    e.CreditReceived: gaming_day.credit_received,
    e.FillReturned: gaming_day.fill_returned,
    e.ShiftOpened: gaming_day.shift_opened,
    e.ShiftClosed: gaming_day.shift_closed,
    e.TransitClosed: cage.transit_closed,
    e.ApprovalRequested: lambda till, event, at: till.second.ask(event, at),
    e.CommandApproved: lambda till, event, at: till.second.agree(event, at),
    e.CommandDeclined: cage.declined,
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
            if isinstance(event, e.CageOpened):
                self._check_currency(CAGE, event.currency)
            _CAGE[type(event)](till, event, at)
        till.second.end_decision()
        till.transits.end_decision()
        till.books.close()

    def _observe_table(self, table: Watched, events: Sequence[Event], at: Instant) -> None:
        if len(events) == 1 and type(events[0]) is e.BetsRegistered:
            self._observe_bets(table, events[0], at)
            return
        table.decision = []
        table.seen_before = table.doubted is not None or (
            table.tumbled and table.phase in AFTER_CLOSE
        )
        for event in events:
            kind = type(event)
            if kind is e.TableCreated:
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
    if table.locks_due and kind is not e.TerminalLocked:
        name = next(iter(table.locks_due))
        raise table.wrong(f"terminal {name} won {table.locks_due[name]} and was not locked")
    if table.due and kind not in table.due:
        came = "nothing" if kind is None else kind.__name__
        raise table.wrong(f"{table.due[0].__name__} should have followed, and {came} did")
    table.due = ()

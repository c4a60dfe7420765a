"""Auditing the cage: each voucher issued once and redeemed once, for what it is worth."""

from msgspec import Struct

from taisai.core.cage.drawer import CloseShift, OpenShift, ShiftClosed, ShiftOpened
from taisai.core.cage.fills import (
    CreditReceived,
    FillReturned,
    FillSent,
    ReceiveCredit,
    ReturnFill,
    SendFill,
)
from taisai.core.cage.unclaimed import ClaimClosed, PayUnclaimed, UnclaimedPaid
from taisai.core.cage.vouchers import (
    CageOpened,
    PayVoucher,
    SellVoucher,
    SerialsSkipped,
    SetVoucherTerms,
    VoidVoucher,
    VoucherIssued,
    VoucherKeyReplaced,
    VoucherPaid,
    VoucherTaken,
    VoucherTermsSet,
    VoucherVoided,
)
from taisai.core.kernel.approvals import CommandDeclined
from taisai.core.kernel.messages import Instant
from taisai.core.kernel.transits import TransitClosed
from taisai.runtime.auditor.approvals import SecondPerson, one_alone
from taisai.runtime.auditor.books import AuditError, Books, Complaint, Transit, Transits
from taisai.runtime.auditor.chips import value_chips
from taisai.runtime.auditor.registry import audits, routine

_DAY_MS = 86_400_000
#: A voucher is valid for ten years at most, and a few days.
_DAYS = 3_660
#: At most so many serials are left out at once.
_SKIPPED_MAX = 10**9


class Slip(Struct):
    """A voucher as the auditor knows it."""

    value: int
    expires: Instant
    sold: bool


class AuditedCage(Struct):
    """The cage under audit."""

    books: Books
    second: SecondPerson
    transits: Transits
    opened: bool = False
    #: How long a voucher is valid, and the value above which it takes two persons.
    voucher_days: int = 0
    approve_above: int | None = None
    #: The vouchers that are out, and the newest serial; a redeemed one is forgotten.
    slips: dict[int, Slip] = {}
    serial: int = 0
    #: The cashier with the drawer, and what it would hold had nothing come in.
    shift: tuple[str, int] | None = None

    def wrong(self, sentence: str, /, **blanks: object) -> AuditError:
        """Give the error for a fault in the cage."""
        return AuditError("cage: {what}", what=Complaint(sentence, blanks))

    def above(self, value: int) -> bool:
        """Say whether a voucher's value is so high that it takes two persons."""
        return self.approve_above is not None and value > self.approve_above


@audits
def opened(cage: AuditedCage, event: CageOpened, _: Instant) -> None:
    """A cage opens once."""
    if cage.opened:
        raise cage.wrong("it was opened twice")
    cage.opened = True
    cage.voucher_days, cage.approve_above = event.voucher_days, event.approve_above


@audits
def terms(cage: AuditedCage, event: VoucherTermsSet, _: Instant) -> None:
    """The terms of future vouchers are changed by two persons, as they agreed."""
    command = cage.second.take(SetVoucherTerms, "the terms of vouchers were changed")
    asked, agreed = cage.second.persons()
    if (event.by, event.second) != (asked.person, agreed.person):
        raise cage.wrong("the terms of vouchers are laid to others than those who agreed")
    if asked.role not in ("pit-manager", "shift-manager"):
        raise cage.wrong("a {role} changed the terms of vouchers", role=asked.role)
    said = (event.voucher_days, event.approve_above)
    if said != (command.voucher_days, command.approve_above) or not 1 <= said[0] <= _DAYS:
        raise cage.wrong("the terms of vouchers are not those agreed to")
    cage.voucher_days, cage.approve_above = said


@audits
def issued(cage: AuditedCage, event: VoucherIssued, at: Instant) -> None:
    """A voucher has a new serial, is valid for the days set, against cash or money that arrived."""
    if not cage.opened or event.serial <= cage.serial:
        raise cage.wrong(
            "voucher {serial} was issued twice, or by a cage never opened", serial=event.serial
        )
    if event.at != at or event.expires != at + cage.voucher_days * _DAY_MS:
        raise cage.wrong("voucher {serial} is dated wrongly", serial=event.serial)
    if len(event.last_four) != 4 or event.value <= 0:
        raise cage.wrong(
            "voucher {serial} of {value} shows {last_four}",
            serial=event.serial,
            value=event.value,
            last_four=event.last_four,
        )
    if event.transit is not None:
        number = event.session.removeprefix(event.place.partition("/")[2])
        cage.transits.receive(event.transit, "cage", event.place + number, event.value)
        cage.books.enter("transit:settled", -event.value)
    else:
        if cage.above(event.value):
            command = cage.second.take(
                SellVoucher, "a voucher of {value} was sold", value=event.value
            )
            if command.value != event.value:
                raise cage.wrong(
                    "a voucher of {value} was sold, not of {value_2}",
                    value=event.value,
                    value_2=command.value,
                )
        if cage.shift is None:
            raise cage.wrong(
                "voucher {serial} was sold while nobody had the drawer", serial=event.serial
            )
        cage.books.enter("cash:counter", -event.value)
    cage.books.enter("vouchers:outstanding", event.value)
    cage.slips[event.serial] = Slip(event.value, event.expires, event.transit is None)
    cage.serial = event.serial


@audits
def taken(cage: AuditedCage, event: VoucherTaken, at: Instant) -> None:
    """A voucher taken at a terminal is on its way there."""
    _redeem(cage, event.serial, event.value, at)
    cage.transits.send(event.transit, Transit("cage", event.table, event.terminal, event.value))
    cage.books.enter(f"transit:{event.transit}", event.value)


@audits
def paid(cage: AuditedCage, event: VoucherPaid, at: Instant) -> None:
    """A voucher paid over the counter is paid in full."""
    _redeem(cage, event.serial, event.value, at)
    if cage.above(event.value):
        command = cage.second.take(PayVoucher, "a voucher of {value} was paid", value=event.value)
        if command.serial != event.serial:
            raise cage.wrong(
                "voucher {serial} was paid, not {serial_2}",
                serial=event.serial,
                serial_2=command.serial,
            )
    cage.books.enter("cash:counter", event.value)


@audits
def voided(cage: AuditedCage, event: VoucherVoided, at: Instant) -> None:
    """A sale is voided by two persons with a reason; a terminal's voucher is never voided."""
    slip = cage.slips.get(event.serial)
    if slip is not None and not slip.sold:
        raise cage.wrong(
            "voucher {serial} was voided, and it was not sold here", serial=event.serial
        )
    _redeem(cage, event.serial, event.value, at)
    command = cage.second.take(VoidVoucher, "voucher {serial} was voided", serial=event.serial)
    if command.serial != event.serial or command.number or not event.note.strip():
        raise cage.wrong(
            "voucher {serial} was voided, and nobody agreed to that, or why", serial=event.serial
        )
    cage.books.enter("cash:counter", event.value)


@audits
def unclaimed_paid(cage: AuditedCage, event: UnclaimedPaid, _: Instant) -> None:
    """Money owed to a session is paid by two persons, as they agreed; its table accounts for it."""
    command = cage.second.take(PayUnclaimed, "unclaimed money was paid")
    asked = (command.table, command.session, command.amount, command.in_chips)
    if asked != (event.table, event.session, event.amount, event.in_chips) or event.amount <= 0:
        raise cage.wrong(
            "{amount} was paid for {session}, and nobody agreed to it",
            amount=event.amount,
            session=event.session,
        )
    if command.code:
        raise cage.wrong("the code of {session} was written down", session=event.session)
    place = claimed_at(event.session, in_chips=event.in_chips)
    cage.transits.send(event.transit, Transit("cage", event.table, place, -event.amount))
    cage.books.enter("transit:settled", -event.amount)
    cage.books.enter("floor:chips" if event.in_chips else "cash:counter", event.amount)


def claimed_at(session: str, *, in_chips: bool) -> str:
    """Give the place of a claim: the session, and whether its table plays with chips."""
    return f"{session} in chips" if in_chips else session


@routine
@audits
def claim_closed(cage: AuditedCage, event: ClaimClosed, _: Instant) -> None:
    """A payment for a table is closed once the table has accounted for it."""
    cage.transits.close(event.transit, "cage", -event.amount)


def _redeem(cage: AuditedCage, serial: int, value: int, at: Instant) -> None:
    slip = cage.slips.get(serial)
    if slip is None:
        if serial > cage.serial:
            raise cage.wrong("voucher {serial} was redeemed and never issued", serial=serial)
        raise cage.wrong("voucher {serial} was redeemed twice", serial=serial)
    if at > slip.expires:
        raise cage.wrong("voucher {serial} was redeemed after it expired", serial=serial)
    if slip.value != value:
        raise cage.wrong(
            "voucher {serial} of {value} was redeemed for {value_2}",
            serial=serial,
            value=slip.value,
            value_2=value,
        )
    del cage.slips[serial]
    cage.books.enter("vouchers:outstanding", -value)


@audits
def skipped(cage: AuditedCage, event: SerialsSkipped, _: Instant) -> None:
    """Serials are left out by two persons with a reason, and only ever go up."""
    if not cage.opened or not 0 < event.upto - cage.serial <= _SKIPPED_MAX:
        raise cage.wrong(
            "serials were left out up to {upto}, after {serial}",
            upto=event.upto,
            serial=cage.serial,
        )
    if one_alone(event.by, event.second) or not event.note.strip():
        raise cage.wrong("{by} alone left serials out, or nobody said why", by=event.by)
    cage.serial = event.upto


@routine
@audits
def declined(cage: AuditedCage, event: CommandDeclined, _: Instant) -> None:
    """A declined command is not carried out."""
    cage.second.decline(event)


@routine
@audits
def transit_closed(cage: AuditedCage, event: TransitClosed, _: Instant) -> None:
    """Money that arrived at a terminal, or came back from a table, is closed."""
    cage.transits.close(event.transit, "cage", event.amount)
    cage.books.move(f"transit:{event.transit}", "transit:settled", event.amount)


# --- chips and the drawer ----------------------------------------------------------------------


@audits
def fill_sent(cage: AuditedCage, event: FillSent, _: Instant) -> None:
    """A fill is sent by two persons."""
    cage.second.take(SendFill, "a fill was sent")
    amount = value_chips(event.chips)
    cage.transits.send(event.transit, Transit("cage", event.table, "rack", amount))
    cage.books.enter("vault:chips", -event.amount)
    cage.books.enter(f"transit:{event.transit}", amount)


@audits
def credit_received(cage: AuditedCage, event: CreditReceived, _: Instant) -> None:
    """A credit arrives that a table sent, all of it, as two persons counted it."""
    cage.second.take(ReceiveCredit, "a credit was received")
    cage.transits.receive(event.transit, "cage", event.table, value_chips(event.chips))
    cage.books.enter("transit:settled", -event.amount)
    cage.books.enter("vault:chips", value_chips(event.chips))


@audits
def voucher_key_replaced(cage: AuditedCage, event: VoucherKeyReplaced, at: Instant) -> None:
    """A new key numbers the vouchers after the newest; two persons are named."""
    if one_alone(event.by, event.second):
        raise cage.wrong("{by} alone replaced the key of vouchers", by=event.by)
    if (
        event.after != cage.serial
        or event.until != at + cage.voucher_days * _DAY_MS
        or not event.mark
    ):
        raise cage.wrong(
            "a key of vouchers is in force after {after}, not {serial}",
            after=event.after,
            serial=cage.serial,
        )


@audits
def fill_returned(cage: AuditedCage, event: FillReturned, _: Instant) -> None:
    """A fill is put back by two persons; missing chips are a difference."""
    cage.second.take(ReturnFill, "a fill was put back")
    sent, back = cage.transits.take_back(event.transit, "cage"), value_chips(event.chips)
    if event.missing < 0 or event.amount + event.missing != sent:
        raise cage.wrong(
            "of {sent} in {transit} came back {back}, {missing} missing",
            sent=sent,
            transit=event.transit,
            back=back,
            missing=event.missing,
        )
    cage.books.enter(f"transit:{event.transit}", -sent)
    cage.books.enter("vault:chips", back)
    cage.books.enter("house:count-difference", event.missing)


@audits
def shift_opened(cage: AuditedCage, event: ShiftOpened, _: Instant) -> None:
    """A shift opens with a count by two persons, one at a time."""
    cage.second.take(OpenShift, "a shift was opened")
    if cage.shift is not None:
        raise cage.wrong("a shift was opened while another was")
    cage.shift = (event.cashier, event.count + cage.books.holds("cash:counter"))


@audits
def shift_closed(cage: AuditedCage, event: ShiftClosed, _: Instant) -> None:
    """A shift closes with a count, compared with what came in and went out since it opened."""
    cage.second.take(CloseShift, "a shift was closed")
    cashier, base = cage.shift or ("", 0)
    expected = base - cage.books.holds("cash:counter")
    if (event.cashier, event.expected) != (cashier, expected):
        raise cage.wrong(
            "{cashier} closed a shift with {expected} expected",
            cashier=event.cashier,
            expected=event.expected,
        )
    asked, agreed = cage.second.persons()
    own = one_alone(asked.person, cashier)
    if event.by != (None if own else asked.person) or (agreed.role == "cage" and not own):
        raise cage.wrong(
            "the shift of {cashier} was closed by {person}, without the pit",
            cashier=cashier,
            person=asked.person,
        )
    missing = event.expected - event.count
    cage.books.move("cash:difference", "cash:counter", missing)
    cage.shift = None

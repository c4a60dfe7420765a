"""Auditing the cage: each voucher issued once and redeemed once, for what it is worth."""

from msgspec import Struct

from taisai.core.cage.vouchers import (
    CageOpened,
    PayVoucher,
    SellVoucher,
    SerialsSkipped,
    VoucherIssued,
    VoucherPaid,
    VoucherTaken,
)
from taisai.core.kernel.approvals import CommandDeclined
from taisai.core.kernel.messages import Instant
from taisai.core.kernel.transits import TransitClosed
from taisai.runtime.auditor.approvals import SecondPerson, one_alone
from taisai.runtime.auditor.books import Books
from taisai.runtime.auditor.finding import AuditError
from taisai.runtime.auditor.transits import Transit, Transits

_DAY_MS = 86_400_000
#: So many serials are left out at once, at the most.
_SKIPPED_MAX = 10**9


class Slip(Struct):
    """A voucher as the auditor knows it."""

    value: int
    expires: Instant


class Till(Struct):
    """The cage under audit."""

    books: Books
    second: SecondPerson
    transits: Transits
    opened: CageOpened | None = None
    #: The vouchers that are out, and the newest serial; a redeemed one is forgotten.
    slips: dict[int, Slip] = {}
    serial: int = 0
    #: Who has the drawer, and what it would hold had nothing come in.
    shift: tuple[str, int] | None = None

    def wrong(self, sentence: str) -> AuditError:
        """Say what is wrong with the cage."""
        return AuditError(f"cage: {sentence}")

    def above(self, value: int) -> bool:
        """Say whether a voucher is worth so much that it takes two persons."""
        most = None if self.opened is None else self.opened.approve_above
        return most is not None and value > most


def opened(till: Till, event: CageOpened, _: Instant) -> None:
    """A cage opens once."""
    if till.opened is not None:
        raise till.wrong("it was opened twice")
    till.opened = event


def issued(till: Till, event: VoucherIssued, at: Instant) -> None:
    """A voucher has a new serial, good for so many days, against cash or money that arrived."""
    if till.opened is None or event.serial <= till.serial:
        raise till.wrong(f"voucher {event.serial} was issued twice, or by a cage never opened")
    if event.at != at or event.expires != at + till.opened.voucher_days * _DAY_MS:
        raise till.wrong(f"voucher {event.serial} is dated wrongly")
    if len(event.last_four) != 4 or event.value <= 0:
        raise till.wrong(f"voucher {event.serial} of {event.value} shows {event.last_four}")
    if event.transit is not None:
        till.transits.receive(event.transit, "cage", event.place, event.value)
        till.books.enter("transit:settled", -event.value)
    else:
        if till.above(event.value):
            command = till.second.take(SellVoucher, f"a voucher of {event.value} was sold")
            if command.value != event.value:
                raise till.wrong(f"a voucher of {event.value} was sold, not of {command.value}")
        till.books.enter("cash:counter", -event.value)
    till.books.enter("vouchers:outstanding", event.value)
    till.slips[event.serial] = Slip(event.value, event.expires)
    till.serial = event.serial


def taken(till: Till, event: VoucherTaken, at: Instant) -> None:
    """A voucher taken at a terminal is on its way there."""
    _redeem(till, event.serial, event.value, at)
    if event.transit != f"cage-{event.serial}":
        raise till.wrong(f"voucher {event.serial} is on its way as {event.transit}")
    till.transits.send(event.transit, Transit("cage", event.table, event.terminal, event.value))
    till.books.enter(f"transit:{event.transit}", event.value)


def paid(till: Till, event: VoucherPaid, at: Instant) -> None:
    """A voucher paid over the counter is paid in full."""
    _redeem(till, event.serial, event.value, at)
    if till.above(event.value):
        command = till.second.take(PayVoucher, f"a voucher of {event.value} was paid")
        if command.serial != event.serial:
            raise till.wrong(f"voucher {event.serial} was paid, not {command.serial}")
    till.books.enter("cash:counter", event.value)


def _redeem(till: Till, serial: int, value: int, at: Instant) -> None:
    slip = till.slips.get(serial)
    if slip is None:
        how = "and never issued" if serial > till.serial else "twice"
        raise till.wrong(f"voucher {serial} was redeemed {how}")
    if at > slip.expires:
        raise till.wrong(f"voucher {serial} was redeemed after it expired")
    if slip.value != value:
        raise till.wrong(f"voucher {serial} of {slip.value} was redeemed for {value}")
    del till.slips[serial]
    till.books.enter("vouchers:outstanding", -value)


def skipped(till: Till, event: SerialsSkipped, _: Instant) -> None:
    """Serials are left out by two persons who say why, and only ever go up."""
    if till.opened is None or not 0 < event.upto - till.serial <= _SKIPPED_MAX:
        raise till.wrong(f"serials were left out up to {event.upto}, after {till.serial}")
    if one_alone(event.by, event.second) or not event.note.strip():
        raise till.wrong(f"{event.by} alone left serials out, or nobody said why")
    till.serial = event.upto


def declined(till: Till, event: CommandDeclined, _: Instant) -> None:
    """What a second person does not agree to is not done."""
    till.second.decline(event)


def transit_closed(till: Till, event: TransitClosed, _: Instant) -> None:
    """What arrived at a terminal, or came back from a table, is closed."""
    till.transits.close(event.transit, "cage", event.amount)
    till.books.enter(f"transit:{event.transit}", -event.amount)
    till.books.enter("transit:settled", event.amount)

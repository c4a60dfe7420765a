"""What can have happened in the cage: vouchers issued, taken and paid."""

from taisai.core.messages import Event, Instant


class CageOpened(Event, frozen=True):
    currency: str
    voucher_days: int
    approve_above: int | None


class VoucherIssued(Event, frozen=True):
    """A voucher, by its serial and last four digits; a live number is never written down."""

    serial: int
    last_four: str
    value: int
    place: str
    at: Instant
    expires: Instant
    order: str
    transit: str | None = None


class VoucherTaken(Event, frozen=True):
    serial: int
    transit: str
    table: str
    terminal: str
    value: int


class VoucherPaid(Event, frozen=True):
    serial: int
    value: int
    by: str


class SerialsSkipped(Event, frozen=True):
    """No voucher will have a serial up to this one that none has yet."""

    upto: int
    by: str
    second: str
    note: str

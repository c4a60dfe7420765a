"""The state of the cage: live vouchers, money and chips in transit, the drawer and the books.

The keys from which voucher numbers are derived are in the state, and in no event.
"""

import hashlib
import hmac
from bisect import bisect_left
from typing import ClassVar

import msgspec
from msgspec import Struct, field

from taisai.core.kernel.approvals import Pending
from taisai.core.kernel.ledger import VOUCHERS, Ledger
from taisai.core.kernel.messages import Actor, Delivery, Instant, Order
from taisai.core.kernel.registry import CAGE, At, Place, checks
from taisai.core.kernel.transits import Received, from_cage

DIGITS = 18
SESSION_DIGITS = 16


class Voucher(Struct, frozen=True):
    """A live voucher: its value, the place that issued it, and when it expires."""

    serial: int
    value: int
    place: str
    at: Instant
    expires: Instant
    #: The session whose credits it was printed for, by the name it has at its table.
    session: str = ""
    #: Whether it was sold over the counter: only such a voucher may be voided.
    sold: bool = False


class Shift(Struct, frozen=True):
    """A cashier's shift: the cashier, what was in the drawer, and what had come in by then."""

    cashier: str
    count: int
    began_with: int


class KeyChange(Struct, frozen=True):
    """A new key for the vouchers after a serial; codes made with the old key expire at `until`."""

    after: int
    until: Instant


class CageState(Struct):
    """The cage: its live vouchers, its open transits, its drawer and its books."""

    #: The first key, and the later ones in order [D39].
    key: bytes
    later: tuple[bytes, ...] = ()
    version: int = 0
    currency: str = ""
    voucher_days: int = 0
    approve_above: int | None = None
    serial: int = 0
    pending: Pending | None = None
    #: From which serial on each of the later keys is used.
    key_changes: list[KeyChange] = []
    outstanding: dict[int, Voucher] = {}
    worth: int = 0
    by_number: dict[str, int] = {}
    issued_by_order: dict[str, int] = {}
    transits_open: dict[str, Delivery] = {}
    transits_received: Received = field(default_factory=Received)
    #: How much has been sent to each table.
    sent: dict[str, int] = {}
    ledger: Ledger = field(default_factory=Ledger)
    #: Fills in transit to chip tables, and the shift of the cashier who has the drawer.
    fills_open: dict[str, Delivery] = {}
    shift: Shift | None = None
    #: Payments for sessions of tables that are not closed yet, and the sessions that were paid.
    claims_open: dict[str, Delivery] = {}
    sessions_paid: dict[str, None] = {}

    places: ClassVar[At] = CAGE

    @property
    def lasting(self) -> dict[str, Pending]:
        """Nothing waits without an end at the cage: a pending command expires after a minute."""
        return {}

    @property
    def place(self) -> Place:
        """Say that it is the cage."""
        return CAGE[0]

    def number_for(self, order: Order) -> str | None:
        """Give a voucher's number to the order that issued it, and to no other order."""
        serial = self.issued_by_order.get(sender_and_id(order.actor, order.id))
        return None if serial is None else self.number_of(serial)

    def number_of(self, serial: int) -> str:
        """Derive the number of a voucher with the key that was in force for its serial [D39]."""
        changes = self.key_changes
        return voucher_number(self._key(bisect_left(changes, serial, key=_after)), serial)

    @property
    def newest_key(self) -> bytes:
        """The key that is in force now."""
        return self._key(len(self.key_changes))

    def is_code_of(self, code: str, table: str, session: str, at: Instant) -> bool:
        """Say whether a code is that of a session, by the newest key or one still accepted."""
        changes = self.key_changes
        good = [self._key(number) for number, each in enumerate(changes) if at <= each.until]
        return any(session_code(key, table, session) == code for key in (self.newest_key, *good))

    def _key(self, number: int) -> bytes:
        # A replay without the real keys has one key that stands in for all of them.
        keys = (self.key, *self.later)
        return keys[min(number, len(self.later))]


def _after(change: KeyChange) -> int:
    return change.after


def sender_and_id(actor: Actor, order_id: str) -> str:
    """Name an order uniquely in the venue: two senders may choose the same order id."""
    return msgspec.json.encode((actor.role, actor.person, order_id)).decode()


def next_transit(state: CageState, table: str) -> str:
    """Name the next transit from the cage to a table."""
    return from_cage(table, state.sent.get(table, 0) + 1)


def sent_to(state: CageState, table: str) -> None:
    """Count one more transit from the cage to a table."""
    state.sent[table] = state.sent.get(table, 0) + 1


@checks(CAGE)
def assert_vouchers(state: CageState) -> None:
    """Assert that the live vouchers are worth what the books say."""
    assert state.ledger.balance(VOUCHERS) == state.worth, "the vouchers out do not agree"


def voucher_number(key: bytes, serial: int) -> str:
    """Derive a voucher's number: seventeen keyed digits and a check digit.

    The journal holds the serial and the last four digits; a reader of the journal cannot derive
    the number from them.
    """
    return _keyed_digits(key, f"voucher {serial}", DIGITS)


def session_code(key: bytes, table: str, session: str) -> str:
    """Derive the code of a session: fifteen keyed digits and a check digit [D21].

    The journal names the session and never holds its code, so a reader of the journal cannot
    collect the money.
    """
    return _keyed_digits(key, f"session {session_at(table, session)}", SESSION_DIGITS)


def printed_session(cage: CageState, voucher: Voucher) -> str | None:
    """Give the code of the session that a voucher was printed for, if there was one [D21]."""
    if not voucher.session:
        return None
    # A voucher of a terminal came from the table before the slash.
    table = voucher.place.removesuffix("/" + voucher.session.rpartition("@")[0])
    return session_code(cage.newest_key, table, voucher.session)


def session_at(table: str, session: str) -> str:
    """Name a session uniquely in the venue; no table's or session's name has a colon."""
    return f"{table}:{session}"


def _keyed_digits(key: bytes, what: str, digits: int) -> str:
    digest = hmac.digest(key, what.encode(), hashlib.sha256)
    body = str(int.from_bytes(digest, "big") % 10 ** (digits - 1)).rjust(digits - 1, "0")
    return body + check_digit(body)


def check_digit(body: str) -> str:
    """Compute the digit that finds a wrong digit and most swapped neighbours (Luhn)."""
    total = 0
    for position, digit in enumerate(reversed(body)):
        doubled = int(digit) * (2 if position % 2 == 0 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return str(-total % 10)


def is_voucher_number(number: object) -> bool:
    """Say whether a text could be a voucher's number: eighteen digits, the last one right."""
    return _are_digits(number, DIGITS)


def is_session_code(code: object) -> bool:
    """Say whether a text could be the code of a session: sixteen digits, the last one right."""
    return _are_digits(code, SESSION_DIGITS)


def _are_digits(text: object, digits: int) -> bool:
    return (
        isinstance(text, str)
        and len(text) == digits
        and text.isascii()
        and text.isdigit()
        and check_digit(text[:-1]) == text[-1]
    )

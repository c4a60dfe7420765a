"""The state of the cage: vouchers that are out, what is on its way, the drawer and the books.

The keys that voucher numbers are derived with belong to the state and to no event.
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
    """A voucher that is out: what it is worth, where it came from, until when it is good."""

    serial: int
    value: int
    place: str
    at: Instant
    expires: Instant
    #: The session whose credits it was printed for, by the name it has at its table.
    session: str = ""
    #: Whether it was sold over the counter: such a sale may be taken back.
    sold: bool = False


class Shift(Struct, frozen=True):
    """A cashier's shift: who has the drawer, what was in it, and what had come in by then."""

    cashier: str
    count: int
    began_with: int


class KeyChange(Struct, frozen=True):
    """Another key numbers the vouchers after a serial; codes by the old one are good until then."""

    after: int
    until: Instant


class CageState(Struct):
    """The cage: what is out, what is on its way, and the books."""

    #: The first key that there was, and those that came after it, in their order [D39].
    key: bytes
    later: tuple[bytes, ...] = ()
    version: int = 0
    currency: str = ""
    voucher_days: int = 0
    approve_above: int | None = None
    serial: int = 0
    pending: Pending | None = None
    #: When each of the later keys began to number vouchers.
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
    #: Chips on their way to chip tables, and the shift of the cashier who has the drawer.
    fills_open: dict[str, Delivery] = {}
    shift: Shift | None = None
    #: What was paid for a table's session and is not closed yet, and which sessions were paid.
    claims_open: dict[str, Delivery] = {}
    sessions_paid: dict[str, None] = {}

    places: ClassVar[At] = CAGE

    @property
    def lasting(self) -> dict[str, Pending]:
        """Say that nothing waits here until somebody answers it: a minute is all there is."""
        return {}

    @property
    def place(self) -> Place:
        """Say that it is the cage."""
        return CAGE[0]

    def number_for(self, order: Order) -> str | None:
        """Show a voucher's number to the order that issued it, and to no other."""
        serial = self.issued_by_order.get(sender_and_id(order.actor, order.id))
        return None if serial is None else self.number_of(serial)

    def number_of(self, serial: int) -> str:
        """Derive the number of a voucher, by the key that was in force for it [D39]."""
        changes = self.key_changes
        return voucher_number(self._key(bisect_left(changes, serial, key=_after)), serial)

    @property
    def newest_key(self) -> bytes:
        """The key that is in force now."""
        return self._key(len(self.key_changes))

    def is_code_of(self, code: str, table: str, session: str, at: Instant) -> bool:
        """Say whether a code is that of a session, by the key in force or one not long before."""
        changes = self.key_changes
        good = [self._key(number) for number, each in enumerate(changes) if at <= each.until]
        return any(session_code(key, table, session) == code for key in (self.newest_key, *good))

    def _key(self, number: int) -> bytes:
        # Who replays without the keys has one to stand in for all.
        keys = (self.key, *self.later)
        return keys[min(number, len(self.later))]


def _after(change: KeyChange) -> int:
    return change.after


def sender_and_id(actor: Actor, order_id: str) -> str:
    """Name an order in the venue: an id is its sender's own, and another may choose the same."""
    return msgspec.json.encode((actor.role, actor.person, order_id)).decode()


def next_transit(state: CageState, table: str) -> str:
    """Name the next that the cage sends to a table."""
    return from_cage(table, state.sent.get(table, 0) + 1)


def sent_to(state: CageState, table: str) -> None:
    """Count what the cage has sent to a table."""
    state.sent[table] = state.sent.get(table, 0) + 1


@checks(CAGE)
def assert_vouchers(state: CageState) -> None:
    """Assert that the vouchers out are worth what the books say they are."""
    assert state.ledger.balance(VOUCHERS) == state.worth, "the vouchers out do not agree"


def voucher_number(key: bytes, serial: int) -> str:
    """Derive a voucher's number: seventeen keyed digits and a check digit.

    The journal holds the serial and the last four digits; whoever reads it cannot make a live
    number.
    """
    return _keyed_digits(key, f"voucher {serial}", DIGITS)


def session_code(key: bytes, table: str, session: str) -> str:
    """Derive the code of a session: fifteen keyed digits and a check digit [D21].

    The journal names the session and never has its code, so that whoever reads the one cannot
    collect by the other.
    """
    return _keyed_digits(key, f"session {session_at(table, session)}", SESSION_DIGITS)


def printed_session(cage: CageState, voucher: Voucher) -> str | None:
    """Give the code of the session that a voucher was printed for, where it was for one [D21]."""
    if not voucher.session:
        return None
    # A voucher of a terminal came from the table before the slash.
    table = voucher.place.removesuffix("/" + voucher.session.rpartition("@")[0])
    return session_code(cage.newest_key, table, voucher.session)


def session_at(table: str, session: str) -> str:
    """Name a session in the venue; no name has a colon."""
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

"""The cage: vouchers issued once and redeemed once, cash over the counter, money in transit.

Same shape as a table: `decide_cage` answers a command and changes nothing, `evolve_cage` applies an
event. The key that voucher numbers are derived with belongs to the state and to no event. Money
that a table will not take comes back as a voucher for the same transit, which is closed with it.
"""

from typing import assert_never

import msgspec
from msgspec import Struct, field

from taisai.core.approvals import approval_refusal, decline_refusal, hash_of, named_refusal
from taisai.core.chips import Chips, are_pieces, value_of
from taisai.core.commands import (
    Approve,
    CloseShift,
    CloseTransit,
    Decline,
    OpenCage,
    OpenShift,
    Order,
    PayVoucher,
    PrintVoucher,
    ReceiveCredit,
    ReturnFill,
    SellVoucher,
    SendFill,
    SkipSerials,
    TakeVoucher,
)
from taisai.core.decision import (
    NAME_MAX,
    TRANSIT_MAX,
    acts_for_itself,
    is_name,
    is_transit,
    note_refusal,
    same_person,
)
from taisai.core.events import (
    ApprovalRequested,
    CageEvent,
    CageOpened,
    CommandApproved,
    CommandDeclined,
    CreditReceived,
    FillReturned,
    FillSent,
    SerialsSkipped,
    ShiftClosed,
    ShiftOpened,
    TransitClosed,
    VoucherIssued,
    VoucherPaid,
    VoucherTaken,
)
from taisai.core.gaming_day import other_amount
from taisai.core.ledger import CASH, VOUCHERS, Ledger, postings_of
from taisai.core.messages import CAGE, Actor, Delivery, Instant
from taisai.core.people import MAY, takes_two
from taisai.core.rules.money import is_amount
from taisai.core.rules.reason import Refusal, printable, refuse
from taisai.core.table_state import TRANSITS_KEPT, Pending
from taisai.core.vouchers import is_voucher_number, voucher_number

DAY_MS = 24 * 3600 * 1000
DAYS_MAX = 3660
#: A number is shown again to the order that issued it, as long as that is among so many.
ORDERS_KEPT = 10_000
#: So many serials are left out at once, at the most: they are to last for ever.
SKIPPED_MAX = 1_000_000_000

CageDecision = tuple[CageEvent, ...] | Refusal

#: What may wait for a second person.
_Counter = SellVoucher | PayVoucher | SendFill | ReceiveCredit | ReturnFill | OpenShift | CloseShift


class Voucher(Struct, frozen=True):
    """A voucher that is out: what it is worth, where it came from, until when it is good."""

    serial: int
    value: int
    place: str
    at: Instant
    expires: Instant


class Shift(Struct, frozen=True):
    """A cashier's shift: who has the drawer, what was in it, and what had come in by then."""

    cashier: str
    count: int
    began_with: int


def sender_and_id(order: Order) -> str:
    """Name an order in the house: an id is its sender's own, and another may choose the same."""
    return msgspec.json.encode((order.actor.role, order.actor.person, order.id)).decode()


class CageState(Struct):
    """The cage: what is out, what is on its way, and the books."""

    key: bytes
    version: int = 0
    currency: str = ""
    voucher_days: int = 0
    approve_above: int | None = None
    serial: int = 0
    pending: Pending | None = None
    outstanding: dict[int, Voucher] = {}
    worth: int = 0
    by_number: dict[str, int] = {}
    issued_by_order: dict[str, int] = {}
    transits_open: dict[str, Delivery] = {}
    transits_received: dict[str, None] = {}
    ledger: Ledger = field(default_factory=Ledger)
    #: Chips on their way to felt tables, and the shift of the cashier who has the drawer.
    fills_open: dict[str, Delivery] = {}
    shift: Shift | None = None

    def number_for(self, order: Order) -> str | None:
        """Show a voucher's number to the order that issued it, and to no other."""
        serial = self.issued_by_order.get(sender_and_id(order))
        return None if serial is None else voucher_number(self.key, serial)


def decide_cage(state: CageState, order: Order, at: Instant) -> CageDecision:
    """Answer a command to the cage."""
    command, actor = order.command, order.actor
    if type(command) not in MAY or actor.role not in MAY[type(command)]:
        return refuse("NOT_ALLOWED", role=actor.role, command=type(command).__name__)
    if isinstance(command, OpenCage):
        return _open(state, command)
    if not state.currency:
        return refuse("CAGE_CLOSED")
    if isinstance(command, Approve):
        return _approve(state, command, actor, at)
    if isinstance(command, Decline):
        return _decline(state, command, actor)
    if isinstance(command, PayVoucher) and command.serial is not None:
        # A serial is no secret: only the number itself proves that somebody holds the voucher.
        return refuse("NO_VOUCHER_NUMBER")
    decision = note_refusal(command) or _carry_out(state, order, at)
    if isinstance(decision, Refusal) or not (
        takes_two(type(command)) or _takes_two(state, decision)
    ):
        return decision
    assert isinstance(command, _Counter), "only the counter's commands wait"
    kept = Order(order.id, actor, _without_number(state, command))
    return (ApprovalRequested(hash_of(kept, state.version), kept, at),)


def _open(state: CageState, command: OpenCage) -> CageDecision:
    if state.currency:
        return refuse("CAGE_IS_OPEN")
    if not is_name(command.currency):
        return refuse("NAME_MISSING")
    if not 1 <= command.voucher_days <= DAYS_MAX:
        return refuse("BAD_AMOUNT", amount=str(command.voucher_days)[:40])
    if command.approve_above is not None and not is_amount(command.approve_above):
        return refuse("BAD_AMOUNT", amount=str(command.approve_above)[:40])
    return (CageOpened(command.currency, command.voucher_days, command.approve_above),)


def _carry_out(state: CageState, order: Order, at: Instant) -> CageDecision:
    command = order.command
    match command:
        case SellVoucher(value=value, place=place):
            return _issue(state, sender_and_id(order), value, place, at, None)
        case PrintVoucher():
            return _print(state, sender_and_id(order), command, at)
        case TakeVoucher():
            return _take(state, command, order.actor, at)
        case PayVoucher():
            return _pay(state, command, order.actor, at)
        case CloseTransit(transit=transit):
            return _close_transit(state, transit)
        case SkipSerials():
            return _skip(state, command)
        case SendFill() | ReceiveCredit():
            return _move_chips(state, command, order.actor)
        case ReturnFill():
            return _return_fill(state, command, order.actor)
        case OpenShift() | CloseShift():
            return _count_drawer(state, command, order.actor)
        case _:
            return refuse("NOT_ALLOWED", role=order.actor.role, command=type(command).__name__)


def _takes_two(state: CageState, events: tuple[CageEvent, ...]) -> bool:
    """Say whether a second person is asked: over the counter, above the threshold."""
    above = state.approve_above
    if above is None:
        return False
    return any(
        (isinstance(event, VoucherIssued) and event.transit is None and event.value > above)
        or (isinstance(event, VoucherPaid) and event.value > above)
        for event in events
    )


def _without_number(state: CageState, command: _Counter) -> _Counter:
    """Keep a live number out of the journal: what waits names the serial instead."""
    if isinstance(command, PayVoucher):
        return PayVoucher(number="", serial=state.by_number[command.number])
    return command


def _issue(
    state: CageState, order: str, value: int, place: str, at: Instant, transit: str | None
) -> CageDecision:
    """Issue a voucher with the next serial whose number no other voucher has."""
    if not is_amount(value) or value == 0:
        return refuse("BAD_AMOUNT", amount=str(value)[:40])
    serial = state.serial + 1
    while voucher_number(state.key, serial) in state.by_number:
        serial += 1
    return (
        VoucherIssued(
            serial=serial,
            last_four=voucher_number(state.key, serial)[-4:],
            value=value,
            place=place,
            at=at,
            expires=at + state.voucher_days * DAY_MS,
            order=order,
            transit=transit,
        ),
    )


def _print(state: CageState, order: str, command: PrintVoucher, at: Instant) -> CageDecision:
    """Print what a table sent; what the cage itself sent, and no table took, is closed with it."""
    transit, came_back = command.transit, _is_own(command.transit)
    delivery = Delivery(command.table, command.terminal, command.value)
    if transit in state.transits_received or (
        came_back and state.transits_open.get(transit) != delivery
    ):
        return refuse("TRANSIT_CLOSED", transit=transit[:64])
    place = f"{command.table}/{command.terminal}"
    issued = _issue(state, order, command.value, place, at, transit)
    if isinstance(issued, Refusal) or not came_back:
        return issued
    # Were it closed later, a table that has the terminal by then could be sent the money again.
    return (*issued, TransitClosed(transit, command.value))


def _is_own(transit: str) -> bool:
    """Say whether the cage sent a transit: a table's own name stands before the last dash."""
    return transit.rpartition("-")[0] == CAGE


def _find(state: CageState, number: str, serial: int | None, at: Instant) -> Voucher | Refusal:
    """Find a voucher that is out and still good."""
    if serial is None:
        if not is_voucher_number(number):
            return refuse("NO_VOUCHER_NUMBER")
        serial = state.by_number.get(number)
    voucher = None if serial is None else state.outstanding.get(serial)
    if voucher is None:
        return refuse("UNKNOWN_VOUCHER")
    if at > voucher.expires:
        return refuse("VOUCHER_EXPIRED")
    return voucher


def _take(state: CageState, command: TakeVoucher, actor: Actor, at: Instant) -> CageDecision:
    if not acts_for_itself(actor, command.terminal):
        return refuse("NOT_YOUR_TERMINAL", terminal=command.terminal[:NAME_MAX])
    voucher = _find(state, command.number, None, at)
    if isinstance(voucher, Refusal):
        return voucher
    transit = f"{CAGE}-{voucher.serial}"
    return (VoucherTaken(voucher.serial, transit, command.table, command.terminal, voucher.value),)


def _pay(state: CageState, command: PayVoucher, actor: Actor, at: Instant) -> CageDecision:
    voucher = _find(state, command.number, command.serial, at)
    if isinstance(voucher, Refusal):
        return voucher
    return (VoucherPaid(voucher.serial, voucher.value, actor.person),)


def _close_transit(state: CageState, transit: str) -> CageDecision:
    sent = state.transits_open.get(transit) or state.fills_open.get(transit)
    if sent is None:
        return refuse("TRANSIT_CLOSED", transit=transit[:64])
    return (TransitClosed(transit, sent.amount),)


def _move_chips(state: CageState, command: SendFill | ReceiveCredit, actor: Actor) -> CageDecision:
    """Send chips to a felt table, or take those it sent; two persons count them [D14]."""
    if not command.chips or not _are_value_chips(command.chips):
        return refuse("BAD_CHIPS")
    if not is_name(command.table):
        return refuse("NAME_MISSING")
    amount = value_of(command.chips, {})
    if not is_amount(amount):
        return refuse("BAD_AMOUNT", amount=str(amount)[:40])
    if isinstance(command, SendFill):
        # The version makes it unique; vouchers have serials without a letter.
        transit = f"{CAGE}-F{state.version + 1}"
        return (FillSent(transit, command.table, command.chips, amount, actor.person),)
    transit = command.transit
    if not is_transit(transit) or transit in state.transits_received or _is_own(transit):
        return refuse("TRANSIT_CLOSED", transit=transit[:TRANSIT_MAX])
    return (CreditReceived(transit, command.table, command.chips, amount, actor.person),)


def _are_value_chips(chips: Chips) -> bool:
    values = [each.chip for each in chips if isinstance(each.chip, int)]
    known = len(values) == len(chips) and all(value > 0 for value in values)
    return known and are_pieces(chips)


def _return_fill(state: CageState, command: ReturnFill, actor: Actor) -> CageDecision:
    """Put back into the cage what the table has not received; what is missing is a difference."""
    if not _are_value_chips(command.chips):
        return refuse("BAD_CHIPS")
    transit, sent = command.transit, state.fills_open.get(command.transit)
    if sent is None:
        return refuse("TRANSIT_CLOSED", transit=printable(transit[:TRANSIT_MAX]))
    amount = value_of(command.chips, {})
    if amount > sent.amount:
        return other_amount(transit, sent.amount, amount)
    missing = sent.amount - amount
    return (FillReturned(transit, sent.table, command.chips, amount, missing, actor.person),)


def _count_drawer(state: CageState, command: OpenShift | CloseShift, actor: Actor) -> CageDecision:
    """Open or close a cashier's shift with a count; what should be there follows from the books."""
    if not is_amount(command.count):
        return refuse("BAD_AMOUNT", amount=str(command.count)[:40])
    shift = state.shift
    if isinstance(command, OpenShift):
        if shift is not None:
            return refuse("SHIFT_IS_OPEN", cashier=shift.cashier)
        return (ShiftOpened(actor.person, command.count),)
    if shift is None:
        return refuse("NO_SHIFT")
    came_in = -state.ledger.balance(CASH) - shift.began_with
    by = None if same_person(shift.cashier, actor.person) else actor.person
    return (ShiftClosed(shift.cashier, command.count, shift.count + came_in, by),)


def _skip(state: CageState, command: SkipSerials) -> CageDecision:
    """Leave out serials that vouchers may have which the cage does not know of."""
    refusal = named_refusal(command.by, command.second)
    if refusal is not None:
        return refusal
    if not command.note.strip():
        return refuse("NOTE_MISSING")
    most = state.serial + SKIPPED_MAX
    if not state.serial < command.upto <= most:
        return refuse("BAD_SERIAL", serial=state.serial, most=most)
    return (SerialsSkipped(command.upto, command.by, command.second, command.note),)


def _approve(state: CageState, command: Approve, actor: Actor, at: Instant) -> CageDecision:
    refusal = approval_refusal(state.pending, command, actor, at)
    if refusal is not None:
        return refusal
    assert state.pending is not None, "an approval without anything pending is refused"
    decision = _carry_out(state, state.pending.order, at)
    if isinstance(decision, Refusal):
        return decision
    refusal = _shift_refusal(decision, actor)
    if refusal is not None:
        return refusal
    return (CommandApproved(state.pending.hash, actor), *decision)


def _shift_refusal(events: tuple[CageEvent, ...], second: Actor) -> Refusal | None:
    """Have the pit agree when somebody else closes a cashier's shift: the cage alone may not."""
    for event in events:
        if isinstance(event, ShiftClosed) and event.by is not None and second.role == "cage":
            return refuse("NOT_YOUR_SHIFT", cashier=event.cashier)
    return None


def _decline(state: CageState, command: Decline, actor: Actor) -> CageDecision:
    refusal = decline_refusal(state.pending, command.pending, actor)
    return refusal if refusal is not None else (CommandDeclined(command.pending, actor),)


def evolve_cage(state: CageState, event: CageEvent) -> CageState:
    """Apply an event to the cage; it never refuses."""
    state.version += 1
    state.ledger.post(postings_of(event))
    match event:
        case CageOpened():
            state.currency = event.currency
            state.voucher_days = event.voucher_days
            state.approve_above = event.approve_above
        case VoucherIssued():
            _issued(state, event)
        case VoucherTaken():
            _redeemed(state, event.serial)
            sent = Delivery(event.table, event.terminal, event.value)
            state.transits_open[event.transit] = sent
        case VoucherPaid():
            _redeemed(state, event.serial)
        case SerialsSkipped():
            state.serial = event.upto
        case TransitClosed():
            sent_by = state.fills_open if event.transit in state.fills_open else state.transits_open
            del sent_by[event.transit]
        case FillSent() | CreditReceived() | FillReturned() | ShiftOpened() | ShiftClosed():
            _evolve_felt(state, event)
        case ApprovalRequested():
            state.pending = Pending(event.pending, event.order, event.at, state.version)
        case CommandApproved() | CommandDeclined():
            state.pending = None
        case _:
            assert_never(event)
    _assert_books(state)
    return state


def _evolve_felt(
    state: CageState, event: FillSent | CreditReceived | FillReturned | ShiftOpened | ShiftClosed
) -> None:
    match event:
        case FillSent():
            state.fills_open[event.transit] = Delivery(event.table, "", event.amount)
        case CreditReceived():
            _receive(state, event.transit)
        case FillReturned():
            del state.fills_open[event.transit]
        case ShiftOpened():
            came_in = -state.ledger.balance(CASH)
            state.shift = Shift(event.cashier, event.count, came_in)
        case ShiftClosed():
            state.shift = None
        case _:
            assert_never(event)


def _receive(state: CageState, transit: str) -> None:
    state.transits_received[transit] = None
    if len(state.transits_received) > TRANSITS_KEPT:
        del state.transits_received[next(iter(state.transits_received))]


def _issued(state: CageState, event: VoucherIssued) -> None:
    state.serial = event.serial
    voucher = Voucher(event.serial, event.value, event.place, event.at, event.expires)
    state.outstanding[event.serial] = voucher
    state.by_number[voucher_number(state.key, event.serial)] = event.serial
    state.worth += event.value
    state.issued_by_order[event.order] = event.serial
    if len(state.issued_by_order) > ORDERS_KEPT:
        del state.issued_by_order[next(iter(state.issued_by_order))]
    if event.transit is not None:
        _receive(state, event.transit)


def _redeemed(state: CageState, serial: int) -> None:
    state.worth -= state.outstanding.pop(serial).value
    del state.by_number[voucher_number(state.key, serial)]


def _assert_books(state: CageState) -> None:
    """Assert that the vouchers out are worth what the books say they are."""
    assert state.ledger.balance(VOUCHERS) == state.worth, "the vouchers out do not agree"

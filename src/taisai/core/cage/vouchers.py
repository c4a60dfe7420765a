"""Vouchers: issued once and redeemed once, over the counter or between the cage and a terminal.

Money that a table refuses comes back as a voucher for the same transit, and the transit is closed
with it.
"""

from collections.abc import Iterator

from taisai.core.cage.state import (
    CageState,
    KeyChange,
    Voucher,
    is_voucher_number,
    next_transit,
    sender_and_id,
    sent_to,
)
from taisai.core.kernel.ledger import CASH, VOUCHERS, in_transit
from taisai.core.kernel.messages import (
    Actor,
    Command,
    Decision,
    Delivery,
    Event,
    Instant,
    Posting,
    Sender,
)
from taisai.core.kernel.name_profile import NAME_MAX, is_name
from taisai.core.kernel.names import acts_for_itself, two_persons_refusal
from taisai.core.kernel.registry import (
    CAGE,
    Dated,
    applies,
    command,
    decides,
    event,
    posts,
    waits,
    waits_as,
)
from taisai.core.kernel.roles import MANAGERS, PIT_AND_CAGE
from taisai.core.kernel.transits import CloseTransit, TransitClosed, arrival, is_the_cages
from taisai.core.rules.money import is_amount
from taisai.core.rules.reason import Refusal, refuse

DAY_MS = 24 * 3600 * 1000
DAYS_MAX = 3660
#: So many orders are remembered; each of them can be shown its voucher's number again.
ORDERS_KEPT = 10_000
#: At most so many serials are skipped at once: the serials must never run out.
SKIPPED_MAX = 1_000_000_000


@command(at=CAGE, by=("system",), opens=True)
class OpenCage(Command, frozen=True):
    currency: str
    voucher_days: int = 30
    approve_above: int | None = None


@event(at=CAGE, routine=True, posts=False)
class CageOpened(Event, frozen=True):
    currency: str
    voucher_days: int
    approve_above: int | None


@decides
def open_cage(state: CageState, command: OpenCage, _actor: Actor, _at: Instant) -> Decision:
    """Open the cage, once: how long vouchers are good, and above what two persons are asked."""
    if state.currency:
        return refuse("CAGE_IS_OPEN")
    if not is_name(command.currency):
        return refuse("NAME_MISSING")
    opened = CageOpened(command.currency, command.voucher_days, command.approve_above)
    return _terms_refusal(command.voucher_days, command.approve_above) or (opened,)


def _terms_refusal(days: int, above: int | None) -> Refusal | None:
    """Refuse an impossible lifetime of vouchers, and a threshold that is no amount."""
    if not 1 <= days <= DAYS_MAX:
        return refuse("BAD_AMOUNT", amount=str(days)[:40])
    if above is not None and not is_amount(above):
        return refuse("BAD_AMOUNT", amount=str(above)[:40])
    return None


@applies
def cage_opened(state: CageState, event: CageOpened) -> None:
    state.currency = event.currency
    state.voucher_days = event.voucher_days
    state.approve_above = event.approve_above


@command(at=CAGE, by=MANAGERS, second=PIT_AND_CAGE)
class SetVoucherTerms(Command, frozen=True):
    """Say how long vouchers are good from now on, and above what two persons are asked."""

    voucher_days: int
    approve_above: int | None = None


@event(at=CAGE, posts=False)
class VoucherTermsSet(Event, frozen=True):
    """Vouchers issued from now on are good so long; those that are out keep their last day."""

    voucher_days: int
    approve_above: int | None
    by: str
    second: str


@decides
def set_voucher_terms(
    state: CageState, command: SetVoucherTerms, actor: Sender, _at: Instant
) -> Decision:
    """Change the terms of future vouchers, by two persons [D14]."""
    terms = command.voucher_days, command.approve_above
    refusal = _terms_refusal(*terms)
    if refusal is not None:
        return refusal
    if terms == (state.voucher_days, state.approve_above):
        return refuse("SETTING_IS_SO")
    return (VoucherTermsSet(*terms, actor.person, actor.second_person),)


@applies
def voucher_terms_set(state: CageState, event: VoucherTermsSet) -> None:
    state.voucher_days = event.voucher_days
    state.approve_above = event.approve_above


@command(at=CAGE, by=("cage",), second=PIT_AND_CAGE, wire=False, dated=Dated.WRITTEN)
class SellVoucher(Command, frozen=True):
    """Take cash over the counter and print a voucher for it."""

    value: int
    place: str


@event(at=CAGE, routine=True, significant=False, transit="arrives")
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
    session: str = ""


@waits
def _sells_much(state: CageState, command: SellVoucher) -> bool:
    """Above the threshold a second person is asked [D14]."""
    return _is_above(state, command.value)


def _is_above(state: CageState, value: int) -> bool:
    return state.approve_above is not None and value > state.approve_above


@decides
def sell_voucher(state: CageState, command: SellVoucher, actor: Sender, at: Instant) -> Decision:
    """Sell a voucher for cash, which goes into the drawer of an open shift [D37]."""
    issued = _issue(state, actor, at, command.value, command.place)
    if isinstance(issued, Refusal) or state.shift is not None:
        return issued
    return refuse("NO_SHIFT_TO_SELL")


def _issue(
    state: CageState,
    actor: Sender,
    at: Instant,
    value: int,
    place: str,
    printed: "PrintVoucher | None" = None,
) -> Decision:
    """Issue a voucher with the next serial whose number no other voucher has."""
    if not is_amount(value) or value == 0:
        return refuse("BAD_AMOUNT", amount=str(value)[:40])
    serial = state.serial + 1
    while state.number_of(serial) in state.by_number:
        serial += 1
    return (
        VoucherIssued(
            serial=serial,
            last_four=state.number_of(serial)[-4:],
            value=value,
            place=place,
            at=at,
            expires=at + state.voucher_days * DAY_MS,
            order=sender_and_id(actor, actor.order_id),
            transit=None if printed is None else printed.transit,
            session="" if printed is None else printed.session,
        ),
    )


@applies
def voucher_issued(state: CageState, event: VoucherIssued) -> None:
    state.serial = event.serial
    dates = (event.at, event.expires)
    sold = event.transit is None
    voucher = Voucher(event.serial, event.value, event.place, *dates, event.session, sold)
    state.outstanding[event.serial] = voucher
    state.by_number[state.number_of(event.serial)] = event.serial
    state.worth += event.value
    state.issued_by_order[event.order] = event.serial
    if len(state.issued_by_order) > ORDERS_KEPT:
        del state.issued_by_order[next(iter(state.issued_by_order))]
    if event.transit is not None and not is_the_cages(event.transit):
        # A transit of the cage's own that came back is still open here, and is closed by its event.
        state.transits_received.add(event.transit)


@posts
def _post_issued(event: VoucherIssued) -> Iterator[Posting]:
    if event.transit is None:
        yield Posting(CASH, VOUCHERS, event.value)
    else:
        yield from arrival(event.transit, VOUCHERS, event.value)


@command(at=CAGE, by=("system",))
class PrintVoucher(Command, frozen=True):
    """Turn what a terminal cashed out, now in transit, into a voucher."""

    transit: str
    table: str
    terminal: str
    value: int
    session: str = ""


@decides
def print_voucher(state: CageState, command: PrintVoucher, actor: Sender, at: Instant) -> Decision:
    """Print a voucher for a table's transit, or for the cage's own that no table took."""
    transit, came_back = command.transit, is_the_cages(command.transit)
    delivery = Delivery(command.table, command.terminal, command.value)
    refusal = state.transits_received.refusal(transit)
    if refusal is not None:
        return refusal
    if came_back and state.transits_open.get(transit) != delivery:
        return refuse("TRANSIT_CLOSED", transit=transit)
    place = f"{command.table}/{command.terminal}"
    issued = _issue(state, actor, at, command.value, place, command)
    if isinstance(issued, Refusal) or not came_back:
        return issued
    # If it were closed later, the money could be sent again to another table with this terminal.
    return (*issued, TransitClosed(transit, command.value))


@command(at=CAGE, by=("terminal", "system"), dated=Dated.COMPARED)
class TakeVoucher(Command, frozen=True):
    """Take a voucher at a terminal: its value goes into transit to the table."""

    number: str
    table: str
    terminal: str


@event(at=CAGE, routine=True, significant=False)
class VoucherTaken(Event, frozen=True):
    serial: int
    transit: str
    table: str
    terminal: str
    value: int


@decides
def take_voucher(state: CageState, command: TakeVoucher, actor: Actor, at: Instant) -> Decision:
    """Take a voucher at a terminal, once."""
    if not acts_for_itself(actor, command.terminal):
        return refuse("NOT_YOUR_TERMINAL", terminal=command.terminal[:NAME_MAX])
    voucher = find_voucher(state, command.number, None, at)
    if isinstance(voucher, Refusal):
        return voucher
    if not is_name(command.table):
        return refuse("NAME_MISSING")
    transit = next_transit(state, command.table)
    return (VoucherTaken(voucher.serial, transit, command.table, command.terminal, voucher.value),)


def find_voucher(
    state: CageState, number: str, serial: int | None, at: Instant
) -> Voucher | Refusal:
    """Find a live voucher that has not expired."""
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


@applies
def voucher_taken(state: CageState, event: VoucherTaken) -> None:
    _redeem(state, event.serial)
    sent_to(state, event.table)
    state.transits_open[event.transit] = Delivery(event.table, event.terminal, event.value)


def _redeem(state: CageState, serial: int) -> None:
    state.worth -= state.outstanding.pop(serial).value
    del state.by_number[state.number_of(serial)]


@posts
def _post_taken(event: VoucherTaken) -> Iterator[Posting]:
    yield Posting(VOUCHERS, in_transit(event.transit), event.value)


@command(at=CAGE, by=("cage",), second=PIT_AND_CAGE, wire=False, dated=Dated.COMPARED)
class PayVoucher(Command, frozen=True):
    """Pay a voucher out in cash over the counter; what waits for approval names its serial."""

    number: str
    serial: int | None = None


@event(at=CAGE, routine=True, significant=False)
class VoucherPaid(Event, frozen=True):
    serial: int
    value: int
    by: str


@waits
def _pays_much(state: CageState, command: PayVoucher) -> bool:
    """Above the threshold a second person is asked [D14]."""
    return _is_above(state, state.outstanding[state.by_number[command.number]].value)


@waits_as
def _without_number(state: CageState, command: PayVoucher) -> PayVoucher:
    """Keep a live number out of the journal: what waits names the serial instead."""
    return PayVoucher(number="", serial=state.by_number[command.number])


@decides
def pay_voucher(state: CageState, command: PayVoucher, actor: Sender, at: Instant) -> Decision:
    """Pay a voucher in cash, once; a serial is accepted only after a second person's approval."""
    voucher = _presented(state, command, actor, at)
    if isinstance(voucher, Refusal):
        return voucher
    return (VoucherPaid(voucher.serial, voucher.value, actor.person),)


def _presented(
    state: CageState, command: "PayVoucher | VoidVoucher", actor: Sender, at: Instant
) -> Voucher | Refusal:
    """Find the voucher by its number, or by its serial once a second person has approved."""
    if command.serial is not None and actor.second is None:
        # A serial is no secret: only the number proves that the player has the voucher.
        return refuse("NO_VOUCHER_NUMBER")
    return find_voucher(state, command.number, command.serial, at)


@applies
def voucher_paid(state: CageState, event: VoucherPaid) -> None:
    _redeem(state, event.serial)


@posts
def _post_paid(event: VoucherPaid) -> Iterator[Posting]:
    yield Posting(VOUCHERS, CASH, event.value)


@command(at=CAGE, by=("cage",), second=PIT_AND_CAGE, wire=False, dated=Dated.COMPARED)
class VoidVoucher(Command, frozen=True):
    """Take a sale over the counter back: the slip is void, and its cash is handed back."""

    number: str
    note: str
    serial: int | None = None


@event(at=CAGE)
class VoucherVoided(Event, frozen=True):
    """A voucher sold over the counter is void: the cash for it went back out of the drawer."""

    serial: int
    value: int
    by: str
    note: str


@waits_as
def _void_without_number(state: CageState, command: VoidVoucher) -> VoidVoucher:
    """Keep a live number out of the journal: what waits names the serial instead."""
    return VoidVoucher("", command.note, state.by_number[command.number])


@decides
def void_voucher(state: CageState, command: VoidVoucher, actor: Sender, at: Instant) -> Decision:
    """Void a voucher that was sold here and is presented at the counter, by two persons [D41].

    A voucher that a terminal printed is a player's money: it is paid, never voided.
    """
    voucher = _presented(state, command, actor, at)
    if isinstance(voucher, Refusal):
        return voucher
    if not command.note.strip():
        return refuse("NOTE_MISSING")
    if not voucher.sold:
        return refuse("VOUCHER_NOT_SOLD", place=voucher.place)
    return (VoucherVoided(voucher.serial, voucher.value, actor.person, command.note),)


@applies
def voucher_voided(state: CageState, event: VoucherVoided) -> None:
    _redeem(state, event.serial)


@posts
def _post_voided(event: VoucherVoided) -> Iterator[Posting]:
    yield Posting(VOUCHERS, CASH, event.value)


@command(at=CAGE, by=("system",))
class SkipSerials(Command, frozen=True):
    """Leave out serials up to a number: from a backup on, they may be those of vouchers out."""

    upto: int
    by: str
    second: str
    note: str


@event(at=CAGE, routine=True, posts=False)
class SerialsSkipped(Event, frozen=True):
    """No voucher will have a serial up to this one that none has yet."""

    upto: int
    by: str
    second: str
    note: str


@decides
def skip_serials(state: CageState, command: SkipSerials, _actor: Actor, _at: Instant) -> Decision:
    """Skip serials that may belong to vouchers unknown to the cage."""
    refusal = two_persons_refusal(command.by, command.second)
    if refusal is not None:
        return refusal
    if not command.note.strip():
        return refuse("NOTE_MISSING")
    most = state.serial + SKIPPED_MAX
    if not state.serial < command.upto <= most:
        return refuse("BAD_SERIAL", serial=state.serial, most=most)
    return (SerialsSkipped(command.upto, command.by, command.second, command.note),)


@applies
def serials_skipped(state: CageState, event: SerialsSkipped) -> None:
    state.serial = event.upto


@command(at=CAGE, by=("system",))
class ReplaceVoucherKey(Command, frozen=True):
    """Number vouchers by a new key from now on; two persons put it in its place."""

    mark: str
    by: str
    second: str


@event(at=CAGE, routine=True, posts=False)
class VoucherKeyReplaced(Event, frozen=True):
    """Vouchers after a serial are numbered by a new key; those that are out keep their numbers.

    Codes of sessions by the old key are good for as long as a voucher that was printed then.
    """

    mark: str
    after: int
    until: Instant
    by: str
    second: str


@decides
def replace_voucher_key(
    state: CageState, command: ReplaceVoucherKey, _actor: Actor, at: Instant
) -> Decision:
    """Use a new key from now on; the journal gets a mark of the key and never the key [D39]."""
    refusal = two_persons_refusal(command.by, command.second, command.mark)
    if refusal is not None:
        return refusal
    until = at + state.voucher_days * DAY_MS
    return (VoucherKeyReplaced(command.mark, state.serial, until, command.by, command.second),)


@applies
def voucher_key_replaced(state: CageState, event: VoucherKeyReplaced) -> None:
    state.key_changes.append(KeyChange(event.after, event.until))


@decides
def close_transit(state: CageState, command: CloseTransit, _actor: Actor, _at: Instant) -> Decision:
    """Close a transit that a table has received."""
    sent = state.transits_open.get(command.transit) or state.fills_open.get(command.transit)
    if sent is None:
        return refuse("TRANSIT_CLOSED", transit=command.transit[:64])
    return (TransitClosed(command.transit, sent.amount),)


@applies
def transit_closed(state: CageState, event: TransitClosed) -> None:
    sent_by = state.fills_open if event.transit in state.fills_open else state.transits_open
    del sent_by[event.transit]

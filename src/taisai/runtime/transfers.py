"""Transfers of money between tables and the cage: each is delivered once, then closed.

A transit is in the state of the stream that it left until it is closed there. Each stream knows
the transits that it has received, so sending one again neither loses nor doubles money. A state may
be ahead of the disk: a transit is only delivered once the event that sent it is durable.

Chips between a rack and the cage are carried by people. Their transits are only noted here, and
closed in the stream that they left once two persons have counted them in at either end.

When the cage pays a table's unclaimed money, the release is sent to the table until it is done.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Any

from taisai.core.cage.fills import (
    CreditReceived,
    FillReturned,
    FillSent,
    ReceiveCredit,
    ReturnFill,
    SendFill,
)
from taisai.core.cage.state import CageState, session_at
from taisai.core.cage.unclaimed import CloseClaim, PayUnclaimed, UnclaimedPaid
from taisai.core.cage.vouchers import PrintVoucher, VoucherTaken
from taisai.core.kernel.approvals import ApprovalRequested, CommandApproved
from taisai.core.kernel.decider import waiting_as
from taisai.core.kernel.ledger import unclaimed_by
from taisai.core.kernel.messages import Actor, Command, Delivery, Event, Order
from taisai.core.kernel.name_profile import NAME_MAX
from taisai.core.kernel.transits import TRANSIT_MAX, CloseTransit, other_amount
from taisai.core.rules.reason import Refusal, printable, refuse
from taisai.core.table.chips.gaming_day import (
    CreditReturned,
    FloatCredited,
    FloatFilled,
    ReceiveFill,
    ReturnCredit,
)
from taisai.core.table.chips.pieces import Chips, value_of
from taisai.core.table.positions import CashedOut, ReceiveCredits, ReleaseUnclaimed
from taisai.core.table.state import TableState
from taisai.core.venue.staff import out_refusal
from taisai.core.venue.state import VenueState
from taisai.runtime.answers import AGAIN, Answer, Registered, UnknownStreamError
from taisai.runtime.streams import CAGE, table_of, table_stream

CARRIER = Actor("carrier", "system")


def print_order(transit: str, sent: Delivery) -> Order:
    """Give the order that prints the voucher for a cash-out; the same each time."""
    command = PrintVoucher(transit, sent.table, sent.terminal, sent.amount, sent.session)
    return Order(f"print-{transit}", CARRIER, command)


def sent_by(table: str, event: CashedOut) -> Delivery:
    """Give the delivery of a cash-out."""
    return Delivery(table, event.terminal, event.amount, event.session)


_log = logging.getLogger(__name__)

Send = Callable[[str, Order], Awaitable[Answer]]
#: Says whether a stream has received a transit, durably.
HasReceived = Callable[[str, str], bool]


class _PutOffError(Exception):
    """A stream does not accept an order now; it may be sent again."""


class Transfers:
    """Delivers transits, each in a task of its own, and never one transit twice at a time."""

    def __init__(self, send: Send, has_received: HasReceived) -> None:
        self._send = send
        self._has_received = has_received
        self._under_way: dict[str, asyncio.Task[None]] = {}
        #: Money that has left, durably, and is not known to be closed: source and delivery of each.
        self._open: dict[str, tuple[str, Delivery]] = {}
        #: Chips that have left, durably, and are not known to be closed: fills and credits.
        self.chips: dict[str, tuple[str, Delivery]] = {}
        #: Those of them that have arrived, durably.
        self._arrived: dict[str, None] = {}
        #: What the cage has paid, durably, and its table is not known to have released.
        self._claims: dict[str, Delivery] = {}
        #: Called when a voucher was printed for a terminal's cash-out: table, terminal, order.
        self.printed: Callable[[str, str, Order], None] = lambda _, __, ___: None

    def note(self, stream: str, registered: Registered) -> None:
        """Start delivering or closing the transits of a decision that is now durable."""
        for event in registered.events:
            match event:
                case VoucherTaken(transit=transit, table=table, terminal=terminal, value=value):
                    self.carry(stream, transit, Delivery(table, terminal, value))
                case CashedOut(transit=transit):
                    table = stream.removeprefix(table_stream(""))
                    self.carry(stream, transit, sent_by(table, event))
                case UnclaimedPaid():
                    paid = Delivery(event.table, event.session, event.amount)
                    self.release(event.transit, paid)
                case FillSent(transit=transit, table=table, amount=amount):
                    self.chips[transit] = (stream, Delivery(table, "", amount))
                case FloatCredited(transit=transit, amount=amount):
                    table = stream.removeprefix(table_stream(""))
                    self.chips[transit] = (stream, Delivery(table, "", amount))
                case FloatFilled(transit=transit) | CreditReceived(transit=transit):
                    self.arrived(transit)
                case FillReturned(transit=transit) | CreditReturned(transit=transit):
                    self.chips.pop(transit, None)
                case _:
                    pass

    def arrived(self, transit: str) -> None:
        """Start to close chips that have arrived durably, in the stream that they left."""
        if transit in self.chips:
            self._arrived[transit] = None
            self._begin(transit, lambda: self._close(transit))

    def carry(self, source: str, transit: str, delivery: Delivery) -> None:
        """Start to deliver money that has left durably, unless that is under way."""
        self._open[transit] = (source, delivery)
        self._begin(transit, lambda: self._carry(source, transit, delivery))

    def release(self, transit: str, paid: Delivery) -> None:
        """Start to have a table release what the cage has paid durably."""
        self._claims[transit] = paid
        self._begin(transit, lambda: self._release(transit, paid))

    def _begin(self, transit: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if transit not in self._under_way:
            task = asyncio.get_running_loop().create_task(work())
            self._under_way[transit] = task
            task.add_done_callback(lambda _: self._under_way.pop(transit, None))

    def take_up(self, stream: str, state: TableState | CageState) -> None:
        """Send again what was in transit from a stream that was read back."""
        for transit, delivery in [*state.transits_open.items()]:
            self.carry(stream, transit, delivery)
        for transit, delivery in chips_sent(state).items():
            self.chips[transit] = (stream, delivery)
        for transit, paid in [*state.claims_open.items()] if isinstance(state, CageState) else ():
            self.release(transit, paid)

    def forget(self, stream: str) -> None:
        """Forget what left a stream: its next owner takes that up.

        Chips stay noted: whether they have arrived is checked against the streams at both ends.
        """
        for transit in [key for key, (source, _) in self._open.items() if source == stream]:
            del self._open[transit]
        if stream == CAGE:
            self._claims.clear()

    def again(self) -> None:
        """Take up what was put off, and chips that arrived while they could not be closed."""
        for transit, (source, delivery) in [*self._open.items()]:
            self.carry(source, transit, delivery)
        for transit, paid in [*self._claims.items()]:
            self.release(transit, paid)
        for transit, (source, delivery) in [*self.chips.items()]:
            stream = table_stream(delivery.table) if source == CAGE else CAGE
            if transit in self._arrived or self._has_received(stream, transit):
                self.arrived(transit)

    async def settled(self) -> None:
        """Wait until nothing is being delivered."""
        while self._under_way:
            await asyncio.wait([*self._under_way.values()])

    async def _carry(self, source: str, transit: str, delivery: Delivery) -> None:
        deliver = self._to_table if source == CAGE else self._to_cage
        try:
            if await deliver(transit, delivery):
                await self._order(source, f"close-{transit}", CloseTransit(transit))
        except _PutOffError:
            # It stays open where it left.
            return
        self._open.pop(transit, None)

    async def _release(self, transit: str, paid: Delivery) -> None:
        """Have the table release the money, then close the claim at the cage; retry if put off."""
        stream = table_stream(paid.table)
        command = ReleaseUnclaimed(transit, paid.terminal, paid.amount)
        try:
            answer = await self._order(stream, f"release-{transit}", command)
            if _arrived(answer):
                await self._order(CAGE, f"close-{transit}", CloseClaim(transit))
            else:
                _log.error("%s has not let go of %s: %s", stream, transit, answer)
        except _PutOffError:
            return
        self._claims.pop(transit, None)

    async def _close(self, transit: str) -> None:
        """Close chips in the stream that they left; retry if put off."""
        source, _ = self.chips[transit]
        try:
            await self._order(source, f"close-{transit}", CloseTransit(transit))
        except _PutOffError:
            return
        self._arrived.pop(transit, None)
        self.chips.pop(transit, None)

    async def _to_table(self, transit: str, delivery: Delivery) -> bool:
        command = ReceiveCredits(transit, delivery.terminal, delivery.amount)
        stream = table_stream(delivery.table)
        answer = await self._order(stream, f"receive-{transit}", command)
        if _arrived(answer):
            return True
        # The table refuses the money: it comes back as a voucher, which closes the transit.
        await self._to_cage(transit, delivery)
        return False

    async def _to_cage(self, transit: str, delivery: Delivery) -> bool:
        order = print_order(transit, delivery)
        answer = await self._order(CAGE, order.id, order.command)
        if not _arrived(answer):
            _log.error("transit %s was not delivered: %s", transit, answer)
            return False
        self.printed(delivery.table, delivery.terminal, order)
        return True

    async def _order(self, stream: str, id_: str, command: Command) -> Answer | None:
        """Send an order; a table that the venue does not have gives no answer."""
        try:
            order = Order(id_, CARRIER, command)
            answer = await self._send(stream, order)
        except UnknownStreamError:
            return None
        if isinstance(answer, Refusal) and answer.code in AGAIN:
            raise _PutOffError
        return answer


def _arrived(answer: Answer | None) -> bool:
    """Say whether the money has arrived, now or when it was sent before."""
    if answer is None or isinstance(answer, Registered):
        return answer is not None
    return answer.code == "TRANSIT_CLOSED"


#: Chips on their way, by transit: the stream that they left, and what was sent.
OnTheWay = Mapping[str, tuple[str, Delivery]]


def chips_sent(state: TableState | CageState) -> Mapping[str, Delivery]:
    """Give the chips that have left a stream and are not closed there."""
    if isinstance(state, CageState):
        return state.fills_open
    return {} if state.chips is None else state.chips.credits_open


#: The newest state of the cage or of a table that takes commands.
AtWork = Callable[[str], TableState | CageState | None]


class ChipChecks:
    """Checks whether chips may be sent, or received as sent, and unclaimed money be paid.

    What two persons decide is also checked against the staff: the first may be out by now.
    """

    def __init__(
        self, on_the_way: OnTheWay, at_work: AtWork, venue: Callable[[], VenueState]
    ) -> None:
        self._on_the_way = on_the_way
        self._at_work = at_work
        self._venue = venue
        #: Transits that were decided to be put back: durable or not, if the stream is suspended.
        self._put_back: set[str] = set()

    def refusal(self, stream: str, events: Sequence[Event]) -> Refusal | None:
        """Check what was decided, when it is requested and again when it is approved."""
        if isinstance(events[0], CommandApproved):
            refusal = self._asker_refusal(stream, events[0].pending)
            if refusal is not None:
                return refusal
        for event in events:
            asked = event.order.command if isinstance(event, ApprovalRequested) else event
            match asked:
                case SendFill(table=table, chips=chips) | FillSent(table=table, chips=chips):
                    return self._nobody_takes(table, chips)
                case ReceiveFill() | FloatFilled():
                    return self._no_fill(stream, asked.transit, asked.chips)
                case ReceiveCredit() | CreditReceived():
                    return self._no_credit(asked.transit, asked.table, asked.chips)
                case ReturnFill(transit=transit) | ReturnCredit(transit=transit):
                    return self._has_arrived(stream, transit)
                case FillReturned(transit=transit) | CreditReturned(transit=transit):
                    return self._puts_back(stream, transit)
                case PayUnclaimed() | UnclaimedPaid():
                    return self._not_set_aside(asked)
                case _:
                    pass
        return None

    def _asker_refusal(self, stream: str, hash_: str) -> Refusal | None:
        """Refuse what somebody asked for who is out by now, except what they report [D14, D20]."""
        state = self._at_work(stream)
        pending = None if state is None else waiting_as(state, hash_)
        if pending is None or pending.lasts:
            return None
        return out_refusal(self._venue(), pending.order.actor)

    def _table(self, table: str) -> TableState | None:
        state = self._at_work(table_stream(table))
        return state if isinstance(state, TableState) else None

    def _sent(self, transit: str) -> tuple[str, Delivery] | None:
        """Find a transit that has left durably, and is not being put back."""
        found = self._on_the_way.get(transit)
        if found is None:
            return None
        source = self._at_work(found[0])
        gone = transit in self._put_back if source is None else transit not in chips_sent(source)
        return None if gone else found

    def _not_set_aside(self, asked: PayUnclaimed | UnclaimedPaid) -> Refusal | None:
        """Refuse any amount but all that the table has set aside for the session now."""
        table, cage = self._table(asked.table), self._at_work(CAGE)
        if table is None:
            return refuse("TABLE_SUSPENDED", stream=table_stream(asked.table))
        held = table.ledger.balance(unclaimed_by(asked.session))
        if not held:
            assert isinstance(cage, CageState), "the cage is at work while it decides"
            return nothing_unclaimed(cage, asked.table, asked.session)
        if (held, table.chips is not None) != (asked.amount, asked.in_chips):
            return refuse("UNCLAIMED_CHANGED", held_cents=held)
        return None

    def _has_arrived(self, stream: str, transit: str) -> Refusal | None:
        """Refuse to put back chips that the other side has, or may have while it is suspended."""
        found = self._on_the_way.get(transit)
        if found is None:
            return refuse("TRANSIT_CLOSED", transit=printable(transit[:TRANSIT_MAX]))
        other = table_stream(found[1].table) if stream == CAGE else CAGE
        state = self._at_work(other)
        if state is None:
            return refuse("TABLE_SUSPENDED", stream=other)
        if transit in state.transits_received:
            return refuse("TRANSIT_CLOSED", transit=transit)
        return None

    def _puts_back(self, stream: str, transit: str) -> Refusal | None:
        refusal = self._has_arrived(stream, transit)
        if refusal is None:
            self._put_back.add(transit)
        return refusal

    def _nobody_takes(self, table: str, chips: Chips) -> Refusal | None:
        """Refuse a fill for a table that cannot receive it, or whose rack has no such chips."""
        state = self._table(table)
        if state is None or state.chips is None:
            return refuse("FILL_NO_TABLE", table=printable(table[:NAME_MAX]))
        if state.chips.day is None:
            return refuse("FILL_NO_DAY", table=table)
        values = state.chips.chip_set.values
        wrong = next((each.chip for each in chips if each.chip not in values), None)
        return None if wrong is None else refuse("FILL_CHIP", table=table, chip_cents=wrong)

    def _no_fill(self, stream: str, transit: str, chips: Chips) -> Refusal | None:
        """Refuse a fill that is not on its way to this table, or not as it was sent."""
        source, sent = self._sent(transit) or (None, None)
        if source != CAGE or sent is None:
            return refuse("FILL_UNKNOWN", transit=printable(transit[:TRANSIT_MAX]))
        if table_stream(sent.table) != stream:
            return refuse("FILL_ELSEWHERE", transit=transit, table=sent.table)
        return _other_amount(transit, sent, chips)

    def _no_credit(self, transit: str, table: str, chips: Chips) -> Refusal | None:
        """Refuse a credit that is not on its way from the table named, or not as it was sent."""
        source, sent = self._sent(transit) or (CAGE, None)
        if source == CAGE or sent is None:
            return refuse("CREDIT_UNKNOWN", transit=printable(transit[:TRANSIT_MAX]))
        if source != table_stream(table):
            return refuse("CREDIT_ELSEWHERE", transit=transit, table=table_of(source) or source)
        return _other_amount(transit, sent, chips)


def nothing_unclaimed(cage: CageState, table: str, session: str) -> Refusal:
    """Say that a session is owed nothing: never, or because it was paid."""
    paid = session_at(table, session) in cage.sessions_paid
    return refuse("UNCLAIMED_IS_PAID" if paid else "NOTHING_UNCLAIMED", session=session)


def _other_amount(transit: str, sent: Delivery, chips: Chips) -> Refusal | None:
    counted = value_of(chips, {})
    if counted == sent.amount:
        return None
    return other_amount(transit, sent.amount, counted)

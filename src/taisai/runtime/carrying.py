"""Carrying money between tables and cage: delivered once, closed where it left, sent again.

What is on its way is in the states: money that left a stream and is not closed there. Each side
knows what it has received, so that sending again neither loses nor doubles anything. A state may be
ahead of the disk: nothing is carried before it is durable that the money has left.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from taisai.core.commands import CloseTransit, Command, Order, PrintVoucher, ReceiveCredits
from taisai.core.events import CashedOut, VoucherTaken
from taisai.core.messages import Actor, Delivery
from taisai.core.reason import Refusal
from taisai.runtime.answering import AGAIN, Answer, Registered, UnknownStreamError
from taisai.runtime.streams import CAGE, table_stream

CARRIER = Actor("carrier", "system")

_log = logging.getLogger(__name__)

Send = Callable[[str, Order], Awaitable[Answer]]


class _PutOffError(Exception):
    """A stream does not take an order now; it may be sent again."""


class Carrier:
    """Delivers what is in transit, one transit at a time each, in tasks of its own."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._under_way: dict[str, asyncio.Task[None]] = {}
        #: What has left, durably, and is not known to be closed: source and delivery of each.
        self._open: dict[str, tuple[str, Delivery]] = {}
        #: Told when a voucher was printed for what a terminal cashed out: table, terminal, order.
        self.printed: Callable[[str, str, Order], None] = lambda _, __, ___: None

    def note(self, stream: str, registered: Registered) -> None:
        """Take up money that has left a stream, now that this is durable."""
        for event in registered.events:
            match event:
                case VoucherTaken(transit=transit, table=table, terminal=terminal, value=value):
                    self.carry(stream, transit, Delivery(table, terminal, value))
                case CashedOut(transit=transit, terminal=terminal, amount=amount):
                    table = stream.removeprefix(table_stream(""))
                    self.carry(stream, transit, Delivery(table, terminal, amount))
                case _:
                    pass

    def carry(self, source: str, transit: str, delivery: Delivery) -> None:
        """Begin to deliver what has left durably, unless that is under way."""
        self._open[transit] = (source, delivery)
        if transit not in self._under_way:
            task = asyncio.get_running_loop().create_task(self._carry(source, transit, delivery))
            self._under_way[transit] = task
            task.add_done_callback(lambda _: self._under_way.pop(transit, None))

    def again(self) -> None:
        """Take up what was put off."""
        for transit, (source, delivery) in [*self._open.items()]:
            self.carry(source, transit, delivery)

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

    async def _to_table(self, transit: str, delivery: Delivery) -> bool:
        command = ReceiveCredits(transit, delivery.terminal, delivery.amount)
        stream = table_stream(delivery.table)
        answer = await self._order(stream, f"receive-{transit}", command)
        if _arrived(answer):
            return True
        # The table will not have it: it comes back as a voucher, which closes the transit.
        await self._to_cage(transit, delivery)
        return False

    async def _to_cage(self, transit: str, delivery: Delivery) -> bool:
        table, terminal, amount = delivery.table, delivery.terminal, delivery.amount
        command = PrintVoucher(transit, table, terminal, amount)
        answer = await self._order(CAGE, f"print-{transit}", command)
        if not _arrived(answer):
            _log.error("transit %s was not delivered: %s", transit, answer)
            return False
        self.printed(table, terminal, Order(f"print-{transit}", CARRIER, command))
        return True

    async def _order(self, stream: str, id_: str, command: Command) -> Answer | None:
        """Give an order; there is no answer from a table that the house does not have."""
        try:
            order = Order(id_, CARRIER, command)  # type: ignore[arg-type]
            answer = await self._send(stream, order)
        except UnknownStreamError:
            return None
        if isinstance(answer, Refusal) and answer.code in AGAIN:
            raise _PutOffError
        return answer


def _arrived(answer: Answer | None) -> bool:
    """Say whether money has arrived, now or when it was sent before."""
    if answer is None or isinstance(answer, Registered):
        return answer is not None
    return answer.code == "TRANSIT_CLOSED"

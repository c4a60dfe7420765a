"""The carrier of money between streams, which sometimes dies between two steps.

It delivers what left one stream to the other, then closes the transit where it left. After a crash
it knows nothing but the journals: whatever is still open there is delivered again, and the other
stream must know that it has it already.
"""

import random
from typing import NamedTuple

from taisai.core.commands import CloseTransit, Order, PrintVoucher, ReceiveCredits
from taisai.core.events import CashedOut, Event, VoucherTaken
from taisai.core.messages import Actor
from taisai.runtime.simulator.house import CAGE, House

SYSTEM = Actor("router", "system")


class Delivery(NamedTuple):
    """Money that left a stream and is not closed there yet."""

    source: str
    table: str
    terminal: str
    amount: int


class Router:
    """Carries open transits; `crash` is the chance to die after a step."""

    def __init__(self, house: House, rng: random.Random, crash: float) -> None:
        self._house = house
        self._rng = rng
        self._crash = crash
        self._open: dict[str, Delivery] = {}
        #: What a printer put out at each terminal, until somebody takes it.
        self.trays: dict[tuple[str, str], list[str]] = {}

    def __len__(self) -> int:
        return len(self._open)

    def note(self, stream: str, events: object) -> None:
        """Take note of money that leaves a stream, as the journals tell it."""
        if isinstance(events, tuple):
            for event in events:
                self._note(stream, event)

    def _note(self, stream: str, event: Event) -> None:
        if isinstance(event, VoucherTaken):
            delivery = Delivery(CAGE, event.table, event.terminal, event.value)
            self._open[event.transit] = delivery
        elif isinstance(event, CashedOut):
            self._open[event.transit] = Delivery(stream, stream, event.terminal, event.amount)

    def run(self, *, crashing: bool = True) -> None:
        """Deliver everything that is open, or die on the way."""
        for transit, delivery in list(self._open.items()):
            self._deliver(transit, delivery)
            if crashing and self._rng.random() < self._crash:
                self._house.tally.crashes += 1
                return
            self._house.send(delivery.source, SYSTEM, CloseTransit(transit))
            if crashing and self._rng.random() < self._crash:
                # It is closed, but whoever closed it died before striking it off.
                self._house.tally.crashes += 1
                return
            del self._open[transit]

    def _deliver(self, transit: str, delivery: Delivery) -> None:
        _, table, terminal, amount = delivery
        if delivery.source == CAGE:
            self._house.send(table, SYSTEM, ReceiveCredits(transit, terminal, amount))
            return
        command = PrintVoucher(transit, table, terminal, amount)
        self._house.send(CAGE, SYSTEM, command, f"print-{transit}")
        number = self._house.cage.number_for(Order(f"print-{transit}", SYSTEM, command))
        tray = self.trays.setdefault((table, terminal), [])
        if number is not None and number not in tray:
            tray.append(number)

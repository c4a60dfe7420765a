"""The carrier of money between simulated streams, which sometimes crashes between two steps.

It delivers a transit to the other stream, then closes it in the stream that it left. After a crash
it knows only the states from the journals: every transit still open there is delivered again, and
the other stream must know if it has it already. Money that a table refuses goes back to the cage,
which closes the transit as it prints the voucher. When the cage pays a table's unclaimed money, the
release is sent to the table until it is done.
"""

import random
from collections.abc import Iterator

from taisai.core.cage.unclaimed import CloseClaim
from taisai.core.cage.vouchers import VoucherTaken
from taisai.core.kernel.messages import Actor, Delivery, Event, Order
from taisai.core.kernel.transits import CloseTransit
from taisai.core.rules.reason import Refusal
from taisai.core.table.positions import CashedOut, ReceiveCredits, ReleaseUnclaimed
from taisai.runtime.simulator.venue import SimulatedVenue
from taisai.runtime.streams import CAGE
from taisai.runtime.transfers import print_order, sent_by

SYSTEM = Actor("router", "system")


class Router:
    """Delivers open transits; `crash` is the chance of a crash after a step."""

    def __init__(self, venue: SimulatedVenue, rng: random.Random, crash: float) -> None:
        self._venue = venue
        self._rng = rng
        self._crash = crash
        #: Money that left a stream, with that stream, and is not known to be closed there.
        self._open: dict[str, tuple[str, Delivery]] = {}
        #: The vouchers printed at each terminal, until somebody takes them.
        self.trays: dict[tuple[str, str], list[str]] = {}

    def __len__(self) -> int:
        return len(self._open) + len(self._venue.cage.claims_open)

    def note(self, stream: str, events: object) -> None:
        """Note money that leaves a stream, from its events."""
        if isinstance(events, tuple):
            for event in events:
                self._note(stream, event)

    def _note(self, stream: str, event: Event) -> None:
        if isinstance(event, VoucherTaken):
            self._open[event.transit] = CAGE, Delivery(event.table, event.terminal, event.value)
        elif isinstance(event, CashedOut):
            self._open[event.transit] = stream, sent_by(stream, event)

    def run(self, *, crashing: bool = True) -> None:
        """Deliver every open transit, or crash on the way."""
        for transit, (source, delivery) in list(self._open.items()):
            if source != CAGE or not self._receive(transit, delivery):
                self._print(transit, delivery)
            if crashing and self._dies():
                return
            self._venue.send(source, SYSTEM, CloseTransit(transit))
            if crashing and self._dies():
                return
            del self._open[transit]
        for transit, paid in [*self._venue.cage.claims_open.items()]:
            release = ReleaseUnclaimed(transit, paid.terminal, paid.amount)
            self._venue.send(paid.table, SYSTEM, release)
            if crashing and self._dies():
                return
            self._venue.send(CAGE, SYSTEM, CloseClaim(transit))

    def _dies(self) -> bool:
        """Crash now and then; a restart begins with the transits open in the states."""
        if self._rng.random() >= self._crash:
            return False
        self._venue.tally.crashes += 1
        self._open = dict(self._found_open())
        return True

    def _found_open(self) -> Iterator[tuple[str, tuple[str, Delivery]]]:
        streams = {CAGE: self._venue.cage} | self._venue.tables
        for stream, state in streams.items():
            for transit, delivery in state.transits_open.items():
                yield transit, (stream, delivery)

    def _receive(self, transit: str, delivery: Delivery) -> bool:
        """Have a table receive money from the cage; say whether it did."""
        if delivery.table not in self._venue.tables:
            return False
        command = ReceiveCredits(transit, delivery.terminal, delivery.amount)
        answer = self._venue.send(delivery.table, SYSTEM, command)
        return not isinstance(answer, Refusal) or answer.code == "TRANSIT_CLOSED"

    def _print(self, transit: str, delivery: Delivery) -> None:
        """Have the cage print a voucher, into the tray of the terminal or beside the table."""
        command = print_order(transit, delivery).command
        self._venue.send(CAGE, SYSTEM, command, f"print-{transit}")
        number = self._venue.cage.number_for(Order(f"print-{transit}", SYSTEM, command))
        tray = self.trays.setdefault((delivery.table, delivery.terminal), [])
        if number is not None and number not in tray:
            tray.append(number)

"""A terminal's private channel: its sequence, its money carried on, and its last messages.

A seat outlives the connection: what happens while a terminal is away is kept for it, as far as it
goes, and told when it comes back.
"""

import asyncio
from collections import deque
from typing import TYPE_CHECKING

import msgspec

from taisai.core.kernel.messages import Instant, Order
from taisai.protocol.private import AnyPrivateEvent, CreditsReceived
from taisai.protocol.server_messages import Private
from taisai.server.live.private_showing import Shown

if TYPE_CHECKING:
    from taisai.server.live.connection import Connection

#: Messages kept for a terminal that is away; a longer absence ends with a snapshot.
KEPT = 16
#: Printed vouchers whose numbers are shown again to a terminal that comes back.
VOUCHERS_KEPT = 4

_encode = msgspec.json.Encoder().encode


class Seat:
    """One terminal at one table, since it first connected."""

    __slots__ = (
        "_kept",
        "connection",
        "credits",
        "floor",
        "leaving",
        "sequence",
        "staked",
        "table",
        "terminal",
        "vouchers",
        "waits",
    )

    def __init__(self, table: str, terminal: str) -> None:
        self.table = table
        self.terminal = terminal
        self.connection: Connection | None = None
        #: Whether the connection is told nothing before its next snapshot.
        self.waits = False
        #: What is done when the terminal does not come back in time.
        self.leaving: asyncio.TimerHandle | None = None
        #: Vouchers printed here since somebody last bought in: their numbers are that player's.
        self.vouchers: deque[Order] = deque(maxlen=VOUCHERS_KEPT)
        self._kept: deque[tuple[int, bytes]] = deque()
        self.credits = 0
        self.staked = 0
        self.sequence = 0
        #: Everything after this sequence is kept.
        self.floor = 0

    def stays(self) -> None:
        """Take it that the terminal has come back in time."""
        if self.leaving is not None:
            self.leaving.cancel()
            self.leaving = None

    def begin(self, sequence: int, credits_: int, staked: int) -> None:
        """Go on from what the state has at a sequence."""
        self.credits, self.staked = credits_, staked
        self.sequence = self.floor = sequence
        self._kept.clear()

    def show(self, sequence: int, at: Instant, shown: Shown) -> bytes | None:
        """Carry the money on, and write down what happened; nothing if a snapshot had it."""
        if sequence <= self.sequence:
            return None
        self.credits += shown.credits
        self.staked += shown.staked
        return self._write(sequence, at, (shown.event,))

    def show_all(self, sequence: int, at: Instant, shown: list[Shown]) -> bytes | None:
        """Write down several things that one decision came to."""
        if sequence <= self.sequence:
            return None
        self.credits += sum(each.credits for each in shown)
        self.staked += sum(each.staked for each in shown)
        return self._write(sequence, at, tuple(each.event for each in shown))

    def _write(self, sequence: int, at: Instant, events: tuple[AnyPrivateEvent, ...]) -> bytes:
        after, self.sequence = self.sequence, sequence
        if self.vouchers and any(isinstance(each, CreditsReceived) for each in events):
            self.vouchers.clear()
        message = Private(self.table, sequence, after, at, events, self.credits, self.staked)
        data = _encode(message)
        kept = self._kept
        if len(kept) == KEPT:
            self.floor = kept.popleft()[0]
        kept.append((sequence, data))
        return data

    def since(self, sequence: int) -> list[bytes] | None:
        """Give everything after a sequence, or nothing where it is not kept any more."""
        if not self.floor <= sequence <= self.sequence:
            return None
        return [data for each, data in self._kept if each > sequence]

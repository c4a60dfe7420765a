"""A terminal's private channel: its sequence, and its last messages.

A seat outlives the connection: messages for a terminal that is away are stored, up to a limit, and
sent when it reconnects.
"""

import asyncio
from collections import deque

import msgspec

from taisai.core.kernel.messages import Instant, Order
from taisai.protocol.private import AnyPrivateEvent, CreditsReceived
from taisai.protocol.server_messages import Private
from taisai.protocol.views import Changes
from taisai.server.live.connection import Connection

#: Messages stored for a terminal that is away; a longer absence ends with a snapshot.
STORED = 16
#: Printed vouchers whose numbers are shown again to a terminal that comes back.
VOUCHERS_STORED = 4


class _Place(msgspec.Struct):
    """The sequence of a terminal's message, and the sequence it follows."""

    sequence: int
    after: int


_encode = msgspec.json.Encoder().encode
_place_of = msgspec.json.Decoder(_Place).decode


class Seat:
    """One terminal at one table, since it first connected."""

    #: A result is sent through thousands of these, an eighth faster with slots than without.
    __slots__ = ("_sequence", "_stored", "connection", "leaving", "table", "terminal", "vouchers")

    def __init__(self, table: str, terminal: str, sequence: int) -> None:
        self.table = table
        self.terminal = terminal
        self.connection: Connection | None = None
        #: The timer that records the terminal as lost if it does not reconnect in time.
        self.leaving: asyncio.TimerHandle | None = None
        #: Vouchers printed here since the last buy-in, if this process has seen every event since
        #: then: their numbers belong to that player.
        self.vouchers: deque[Order] = deque(maxlen=VOUCHERS_STORED)
        #: Messages as they were sent; their sequences are decoded from them when needed.
        self._stored: deque[bytes] = deque(maxlen=STORED)
        self._sequence = sequence

    def stays(self) -> None:
        """Cancel the timer: the terminal is not lost."""
        if self.leaving is not None:
            self.leaving.cancel()
            self.leaving = None

    def begin(self, sequence: int, *, unseen: bool) -> None:
        """Go on from a sequence; the messages stored before it are dropped.

        If events happened `unseen`, another player may have bought in.
        """
        self._sequence = sequence
        self._stored.clear()
        if unseen:
            self.vouchers.clear()

    def show(
        self,
        sequence: int,
        at: Instant,
        events: tuple[AnyPrivateEvent, ...],
        changes: Changes,
        id_: str | None = None,
    ) -> bytes:
        """Write a private message, and store it; with an id it answers the terminal's command."""
        after, self._sequence = self._sequence, sequence
        if self.vouchers and any(isinstance(each, CreditsReceived) for each in events):
            self.vouchers.clear()
        data = _encode(Private(self.table, sequence, after, at, events, changes, id_))
        self._stored.append(data)
        return data

    def send_later(self, data: bytes) -> None:
        """Send the terminal a message written for it, if it is connected."""
        if self.connection is not None:
            self.connection.send_later(data)

    def since(self, sequence: int) -> list[bytes] | None:
        """Give the messages after a sequence, or None if they are no longer stored."""
        floor = _place_of(self._stored[0]).after if self._stored else self._sequence
        if not floor <= sequence <= self._sequence:
            return None
        return [data for data in self._stored if _place_of(data).sequence > sequence]

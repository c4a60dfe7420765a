"""A terminal's private channel: its sequence, and its last messages.

A seat outlives the connection: what happens while a terminal is away is stored for it, as far as it
goes, and sent when it comes back.
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
    """Where a message belongs among those of its terminal."""

    sequence: int
    after: int


_encode = msgspec.json.Encoder().encode
_place_of = msgspec.json.Decoder(_Place).decode


class Seat:
    """One terminal at one table, since it first connected."""

    #: A result goes through thousands of these, an eighth quicker with slots than without.
    __slots__ = ("_sequence", "_stored", "connection", "leaving", "table", "terminal", "vouchers")

    def __init__(self, table: str, terminal: str, sequence: int) -> None:
        self.table = table
        self.terminal = terminal
        self.connection: Connection | None = None
        #: What is done when the terminal does not come back in time.
        self.leaving: asyncio.TimerHandle | None = None
        #: Vouchers printed here since somebody last bought in, as far as this process has seen
        #: all that happened: their numbers are that player's.
        self.vouchers: deque[Order] = deque(maxlen=VOUCHERS_STORED)
        #: As they were sent: where each belongs stands in it, and is read when it is asked for.
        self._stored: deque[bytes] = deque(maxlen=STORED)
        self._sequence = sequence

    def stays(self) -> None:
        """Take it that the terminal has come back in time."""
        if self.leaving is not None:
            self.leaving.cancel()
            self.leaving = None

    def begin(self, sequence: int, *, unseen: bool) -> None:
        """Go on from a sequence: what was before is not known to be so any more.

        Of what happened `unseen` it may be that another player has bought in.
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
        """Write what happened, and store it; with an id it answers what the terminal asked."""
        after, self._sequence = self._sequence, sequence
        if self.vouchers and any(isinstance(each, CreditsReceived) for each in events):
            self.vouchers.clear()
        data = _encode(Private(self.table, sequence, after, at, events, changes, id_))
        self._stored.append(data)
        return data

    def send_later(self, data: bytes) -> None:
        """Send the terminal what was written for it, if it is connected."""
        if self.connection is not None:
            self.connection.send_later(data)

    def since(self, sequence: int) -> list[bytes] | None:
        """Give everything after a sequence, or nothing where it is not stored any more."""
        floor = _place_of(self._stored[0]).after if self._stored else self._sequence
        if not floor <= sequence <= self._sequence:
            return None
        return [data for data in self._stored if _place_of(data).sequence > sequence]

"""A lane carries entries between two processes, in order and once, even if messages are lost.

All entries that are put on a lane in one turn of the loop are sent as one message, or as several if
that would be long. Messages are numbered. Each acknowledges the messages that its sender has
received in order; until then they are stored. A side that sees a gap, or is connected again, asks
for all messages after the last it received in order. Over a transport that loses messages the
newest is sent again while nothing is acknowledged, since no gap shows that the last one is lost;
and a side that closes waits until all is acknowledged, or for a while. A message that is received
twice is processed once. A lane stores a limited amount that is not acknowledged: beyond its window
it is `full`, so that callers can wait, and beyond its limit it is broken, since a side that
acknowledges nothing is not served for ever. It is also broken if a fault of ours left part of a
message undone, so that both sides start anew. A lane between two versions is refused.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable

import msgspec

from taisai.server.lanes.transport import Transport

#: The version of lanes, and of what is put on them.
VERSION = 1
#: One entry on a lane: its kind, the number of whom it concerns, and its data.
Entry = tuple[int, int, bytes]
#: Bytes that may wait to be acknowledged before the lane is full, and before it is broken.
WINDOW_BYTES = 4 * 1024 * 1024
HELD_BYTES_MAX = 128 * 1024 * 1024
#: Entries of one turn beyond this go out as another message; a single entry may be longer.
MESSAGE_BYTES = 256 * 1024
#: Messages are acknowledged after so long at the latest, if nothing else is sent.
TAKEN_SECONDS = 0.02
#: How long before a gap is asked for again, and before the newest message is sent again.
AGAIN_SECONDS = 0.5
#: How long a side that closes waits for acknowledgement, over a transport that loses messages.
LAST_SECONDS = 5.0

_log = logging.getLogger(__name__)


class Message(msgspec.Struct, array_like=True, frozen=True):
    """One message of a lane; number 0 has no entries and takes no place in the order."""

    version: int
    number: int
    #: Acknowledges all messages of the other side up to this number.
    taken: int
    #: Whether all messages after that are asked for again.
    again: bool
    entries: list[Entry]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Message).decode

Take = Callable[[list[Entry]], None]


class Lane:
    """One side of a lane."""

    def __init__(
        self,
        take: Take,
        lost: Callable[[str], None],
        *,
        gather: float = 0.0,
        window: int = WINDOW_BYTES,
        held_max: int = HELD_BYTES_MAX,
    ) -> None:
        self._take = take
        self._lost = lost
        #: How long entries wait for more entries to go out with them.
        self._gather = gather
        self._window = window
        self._held_max = held_max
        self._loop = asyncio.get_running_loop()
        self._transport: Transport | None = None
        self._entries: list[Entry] = []
        self._scheduled = False
        #: The number of the newest message that was sent, and all not acknowledged yet.
        self._number = 0
        self._untaken: deque[tuple[int, bytes]] = deque()
        self._since = 0.0
        #: How many bytes those have.
        self.held = 0
        #: Whether as much waits to be acknowledged as the window allows.
        self.full = False
        #: The number of the newest message that was received here in order.
        self._taken = 0
        self._acknowledging: asyncio.TimerHandle | None = None
        self._asked_at = float("-inf")
        self._resending: asyncio.TimerHandle | None = None
        #: Whether nothing more is sent on it or received from it.
        self.broken = False
        #: The timer that ends a closing lane, whether all was acknowledged or not.
        self._leaving: asyncio.TimerHandle | None = None
        #: When the last message of the other side was received.
        self.received_at = self._loop.time()

    def untaken_seconds(self) -> float:
        """Say for how long the other side has acknowledged none of the messages that wait."""
        return self._loop.time() - self._since if self._untaken else 0.0

    # --- sending -----------------------------------------------------------------------------

    def put(self, kind: int, number: int, data: bytes = b"") -> None:
        """Put an entry on the lane; it is sent with all others of this turn."""
        self._entries.append((kind, number, data))
        if not self._scheduled:
            self._scheduled = True
            if self._gather:
                self._loop.call_later(self._gather, self.flush)
            else:
                self._loop.call_soon(self.flush)

    def flush(self) -> None:
        """Send all entries that were put on the lane."""
        self._scheduled = False
        # A broken lane stores nothing either.
        entries, self._entries = self._entries, []
        if self.broken or not entries:
            return
        self._send_entries(entries)
        if self.held > self._held_max:
            self._break("more waits for it than may")
        elif self._resending is None and self._transport is not None and self._transport.lossy:
            self._resend_later()

    def _send_entries(self, entries: list[Entry]) -> None:
        """Send entries as one message, or in halves if that is long."""
        data = self._write(self._number + 1, entries=entries)
        if len(data) > MESSAGE_BYTES and len(entries) > 1:
            half = len(entries) // 2
            self._send_entries(entries[:half])
            self._send_entries(entries[half:])
            return
        self._number += 1
        if not self._untaken:
            self._since = self._loop.time()
        self._untaken.append((self._number, data))
        self.held += len(data)
        self.full = self.held >= self._window
        self._send(data)

    def _write(self, number: int, *, again: bool = False, entries: list[Entry]) -> bytes:
        if self._acknowledging is not None:
            self._acknowledging.cancel()
            self._acknowledging = None
        return _encode(Message(VERSION, number, self._taken, again, entries))

    def _send(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.send(data)

    def resend(self) -> None:
        """Send again all messages that are not acknowledged."""
        for _, data in self._untaken:
            self._send(data)

    def _resend_later(self) -> None:
        self._resending = self._loop.call_later(AGAIN_SECONDS, self._resend_newest)

    def _resend_newest(self) -> None:
        """Send the newest message again if nothing was acknowledged for long: it may be lost."""
        self._resending = None
        if self._untaken:
            if self.untaken_seconds() >= AGAIN_SECONDS:
                self._send(self._untaken[-1][1])
            self._resend_later()

    def sign_of_life(self) -> None:
        """Send an empty message: it shows the other side that this one is alive."""
        self._send(self._write(0, entries=[]))

    def give_up(self, why: str) -> None:
        """Break the lane: the other side is gone."""
        self._break(why)

    def close(self) -> None:
        """Send the entries that wait, and close; if they may be lost, once acknowledged."""
        self.flush()
        if self._untaken and self._transport is not None and self._transport.lossy:
            self.broken = True
            self._leaving = self._loop.call_later(LAST_SECONDS, self._end)
        else:
            self._end()

    def _end(self) -> None:
        self.broken = True
        for timer in (self._acknowledging, self._resending, self._leaving):
            if timer is not None:
                timer.cancel()
        self._leaving = None
        transport, self._transport = self._transport, None
        if transport is not None:
            transport.close()

    # --- receiving ---------------------------------------------------------------------------

    def connected(self, transport: Transport) -> None:
        """Go on over a transport, with all messages not acknowledged yet, both ways."""
        self._transport = transport
        if transport.lossy and not self.broken:
            self._asked_at = self._loop.time()
            self._send(self._write(0, again=True, entries=[]))
            if self._resending is None:
                self._resend_later()
        self.resend()

    def lost(self) -> None:
        """Break the lane: the transport is lost."""
        self._transport = None
        if self._leaving is not None:
            self._end()
        self._break("it has hung up")

    def received(self, message: bytes) -> None:
        """Process the next message; drop one that came twice, and ask again for a missing one."""
        if self.broken and self._leaving is None:
            return
        self.received_at = self._loop.time()
        try:
            read = _decode(message)
        except msgspec.DecodeError as error:
            self._break(f"it sent what is no message of a lane: {error}")
            return
        if read.version != VERSION:
            self._break(f"it speaks version {read.version} of lanes, and this is {VERSION}")
            return
        self._were_taken(read.taken)
        if read.again:
            self.resend()
        if self.broken:
            self._leave_when_taken()
        elif read.number == self._taken + 1:
            self._taken = read.number
            self._acknowledge_soon()
            self._take_all(read.entries)
        elif read.number > self._taken:
            self._ask_again()
        elif read.number:
            self._acknowledge_soon()

    def _take_all(self, entries: list[Entry]) -> None:
        try:
            self._take(entries)
        except Exception:  # noqa: BLE001 - logged; the rest of the message would be lost unseen
            _log.exception("what came by a lane could not be done: a fault of ours")
            self._break("what it sent could not be done")

    def _leave_when_taken(self) -> None:
        if not self._untaken:
            self._end()

    def _were_taken(self, taken: int) -> None:
        untaken = self._untaken
        if untaken and untaken[0][0] <= taken:
            while untaken and untaken[0][0] <= taken:
                self.held -= len(untaken.popleft()[1])
            self.full = self.held >= self._window
            self._since = self._loop.time()

    def _acknowledge_soon(self) -> None:
        """Acknowledge messages with the next one that is sent, or soon by itself."""
        if self._acknowledging is None:
            self._acknowledging = self._loop.call_later(TAKEN_SECONDS, self._acknowledge)

    def _acknowledge(self) -> None:
        self._acknowledging = None
        self._send(self._write(0, entries=[]))

    def _ask_again(self) -> None:
        now = self._loop.time()
        if now - self._asked_at >= AGAIN_SECONDS:
            self._asked_at = now
            self._send(self._write(0, again=True, entries=[]))

    def _break(self, why: str) -> None:
        if not self.broken:
            self._end()
            self._lost(why)

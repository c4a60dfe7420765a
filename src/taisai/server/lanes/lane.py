"""A lane: what two processes say to each other, in order, whatever happens to single messages.

Everything that is put on a lane in one turn of the loop goes out as one message, or as several
where that would be long. Messages are numbered. Each says what its sender has taken in order, so
that nothing is stored for longer than it takes; whoever sees a gap asks for all that follows what
it has taken, and gets it again; so does whoever finds its way again. Over a way that loses messages
the newest is sent again while nothing is taken, since behind the last of all no gap is seen; so
whoever hangs up there stays until all was taken, or for a while. What came twice is taken once. A
lane holds so much that was not taken yet: beyond its window whoever could wait is told so, and
beyond its limit the lane is broken: who takes nothing is not served for ever. It is
broken too where a fault of ours left some of a message undone, so that both sides begin anew. Both
sides speak one version, and a lane between two is refused.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable

import msgspec

from taisai.server.lanes.transport import Transport

#: The version of lanes, and of what is put on them.
VERSION = 1
#: One thing on a lane: its kind, whom it concerns, and the rest of it.
Entry = tuple[int, int, bytes]
#: What may wait to be taken before somebody is told to wait, and before the lane is broken.
WINDOW_BYTES = 4 * 1024 * 1024
HELD_BYTES_MAX = 128 * 1024 * 1024
#: What one turn has beyond this goes out as another message; a single entry may be longer.
MESSAGE_BYTES = 256 * 1024
#: What was taken is said after so long at the latest, where nothing else is sent.
TAKEN_SECONDS = 0.02
#: A gap is asked for again after so long; so long nothing is taken before the newest is sent again.
AGAIN_SECONDS = 0.5
#: Over a way that loses messages whoever hangs up stays so long for what was not taken yet.
LAST_SECONDS = 5.0

_log = logging.getLogger(__name__)


class Message(msgspec.Struct, array_like=True, frozen=True):
    """What is sent at once; number 0 has no entries and takes no place in the order."""

    version: int
    number: int
    #: The number up to which everything of the other side's was taken, in order.
    taken: int
    #: Whether everything after that is asked for again.
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
        #: So long what is put on the lane waits for more to go out with it.
        self._gather = gather
        self._window = window
        self._held_max = held_max
        self._loop = asyncio.get_running_loop()
        self._transport: Transport | None = None
        self._entries: list[Entry] = []
        self._scheduled = False
        #: The number of the newest message that was sent, and all that were not taken yet.
        self._number = 0
        self._untaken: deque[tuple[int, bytes]] = deque()
        self._since = 0.0
        #: How much of that there is.
        self.held = 0
        #: Whether as much waits to be taken as may.
        self.full = False
        #: The number of the newest message that was taken here.
        self._taken = 0
        self._acknowledging: asyncio.TimerHandle | None = None
        self._asked_at = float("-inf")
        self._resending: asyncio.TimerHandle | None = None
        #: Whether nothing is put on it or taken from it any more.
        self.broken = False
        #: What ends a lane that was hung up, whether all it sent was taken or not.
        self._leaving: asyncio.TimerHandle | None = None
        #: When the other side last said anything at all.
        self.received_at = self._loop.time()

    def untaken_seconds(self) -> float:
        """Say for how long the other side has not taken anything that waits for it."""
        return self._loop.time() - self._since if self._untaken else 0.0

    # --- sending -----------------------------------------------------------------------------

    def put(self, kind: int, number: int, data: bytes = b"") -> None:
        """Have something sent with everything else of this turn."""
        self._entries.append((kind, number, data))
        if not self._scheduled:
            self._scheduled = True
            if self._gather:
                self._loop.call_later(self._gather, self.flush)
            else:
                self._loop.call_soon(self.flush)

    def flush(self) -> None:
        """Send everything that was put on the lane."""
        self._scheduled = False
        if self.broken or not self._entries:
            return
        entries, self._entries = self._entries, []
        self._send_entries(entries)
        if self.held > self._held_max:
            self._break("more waits for it than may")
        elif self._resending is None and self._transport is not None and self._transport.lossy:
            self._resend_later()

    def _send_entries(self, entries: list[Entry]) -> None:
        """Send entries as one message, or where that is long in halves."""
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
        """Send everything again that was not taken yet."""
        for _, data in self._untaken:
            self._send(data)

    def _resend_later(self) -> None:
        self._resending = self._loop.call_later(AGAIN_SECONDS, self._resend_newest)

    def _resend_newest(self) -> None:
        """Send the newest again where nothing was taken for long: it may have been lost."""
        self._resending = None
        if self._untaken:
            if self.untaken_seconds() >= AGAIN_SECONDS:
                self._send(self._untaken[-1][1])
            self._resend_later()

    def sign_of_life(self) -> None:
        """Send a message with nothing in it: the other side hears that this one is there."""
        self._send(self._write(0, entries=[]))

    def give_up(self, why: str) -> None:
        """Break: the other side is not there any more."""
        self._break(why)

    def close(self) -> None:
        """Send what was put on the lane, and hang up: where it may be lost, once it is taken."""
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
        """Go on over a transport, with everything that was not taken yet, both ways."""
        self._transport = transport
        if transport.lossy and not self.broken:
            self._asked_at = self._loop.time()
            self._send(self._write(0, again=True, entries=[]))
            if self._resending is None:
                self._resend_later()
        self.resend()

    def lost(self) -> None:
        """Take it that nothing more will come."""
        self._transport = None
        if self._leaving is not None:
            self._end()
        self._break("it has hung up")

    def received(self, message: bytes) -> None:
        """Take the next message; drop what came twice, and ask again where one is missing."""
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
        """Say what was taken, with whatever is sent next, or soon by itself."""
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

"""The flooder: thousands of hostile connections in one process, each repeating the same attack."""

import asyncio
import os
from base64 import b64encode
from collections import Counter
from collections.abc import Callable
from typing import Any, cast
from urllib.parse import urlsplit

from bench.live.children import answer_lines, run_child

#: The bytes sent at a time, and the pause of slow connections.
BLOCK = 64 * 1024
DRIP_SECONDS = 1.0
#: Connections opened at a time; a failed one is tried again after a moment.
AT_ONCE = 100
AGAIN_SECONDS = 0.05

_KEY = b64encode(bytes(16)).decode()


def _masked(opcode: int, payload: bytes) -> bytes:
    """Make a short frame; a mask of zeros changes nothing."""
    assert len(payload) < 126
    return bytes([0x80 | opcode, 0x80 | len(payload), 0, 0, 0, 0]) + payload


EMPTY_LINES = _masked(1, b"\n" * 60) * 200
PINGS = _masked(9, b"x") * 800
VISITOR = _masked(1, b'{"type":"Hello","protocol":1}')
WATCH = _masked(1, b'{"type":"Watch","table":"T1"}') * 20
LOG_IN = b'{"person":"nobody","password":"this is a wrong one","role":"dealer"}'


class Stranger(asyncio.Protocol):
    """One hostile connection; when it ends, the next one begins."""

    def __init__(self, flood: "Flood") -> None:
        self._flood = flood
        self._way: asyncio.Transport | None = None
        self._paused = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._way = cast("asyncio.Transport", transport)
        self._flood.counts["connected"] += 1
        self._flood.there.add(self)
        self._flood.begin(self)

    def say(self, data: bytes) -> bool:
        """Send some bytes; return whether more may follow at once."""
        if self._way is None or self._way.is_closing():
            return False
        try:
            self._way.write(data)
        except RuntimeError:
            # It was just reset, and uvloop has not reported it yet.
            return False
        self._flood.counts["bytes"] += len(data)
        return not self._paused

    def pause_writing(self) -> None:
        self._paused = True

    def resume_writing(self) -> None:
        self._paused = False
        self._flood.go_on(self)

    def data_received(self, data: bytes) -> None:
        self._flood.receive(self, data)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's
        self._way = None
        self._flood.there.discard(self)
        self._flood.again()

    def cut(self) -> None:
        """Close the connection at once."""
        if self._way is not None:
            self._way.abort()


class Flood:
    """A number of hostile connections of one kind, until the end of the flood."""

    def __init__(self, address: str, kind: str, connections: int) -> None:
        where = urlsplit(address)
        self._host, self._port = str(where.hostname), int(where.port or 0)
        self._loop = asyncio.get_running_loop()
        self._connections = connections
        self.counts: Counter[str] = Counter()
        self.there: set[Stranger] = set()
        self._over = False
        self._room = asyncio.Semaphore(AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()
        self._kind = _KINDS[kind](self)

    def run(self) -> None:
        """Begin."""
        for _ in range(self._connections):
            self.again()

    def again(self) -> None:
        """Make another connection in place of an ended one."""
        if not self._over:
            task = self._loop.create_task(self._connect())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _connect(self) -> None:
        async with self._room:
            try:
                await self._loop.create_connection(lambda: Stranger(self), self._host, self._port)
            except OSError:
                self.counts["not connected"] += 1
                await asyncio.sleep(AGAIN_SECONDS)
                self.again()

    def begin(self, stranger: Stranger) -> None:
        """Begin the attack on a connection."""
        self._kind.begin(stranger)

    def go_on(self, stranger: Stranger) -> None:
        """Continue the attack."""
        if not self._over:
            self._kind.go_on(stranger)

    def receive(self, stranger: Stranger, data: bytes) -> None:
        """Receive the venue's bytes."""
        self.counts["answers"] += 1
        if not self._over:
            self._kind.receive(stranger, data)

    async def end(self) -> dict[str, Any]:
        """Close every connection; return what was done."""
        self._over = True
        for task in [*self._tasks]:
            task.cancel()
        for stranger in [*self.there]:
            stranger.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        return {"counts": dict(self.counts)}


class Kind:
    """One kind of attack: what is sent first, and what is sent then."""

    first = b""

    def __init__(self, flood: Flood) -> None:
        self._flood = flood

    def begin(self, stranger: Stranger) -> None:
        """Send the first bytes, and go on."""
        if stranger.say(self.first):
            self.go_on(stranger)

    def go_on(self, stranger: Stranger) -> None:
        """Send more."""

    def receive(self, stranger: Stranger, data: bytes) -> None:
        """Ignore received bytes."""


class Endless(Kind):
    """The same bytes again and again, as fast as the venue takes them."""

    more = b""

    def go_on(self, stranger: Stranger) -> None:
        if stranger.say(self.more):
            asyncio.get_running_loop().call_soon(self.go_on, stranger)


class Heads(Endless):
    """Endless request heads."""

    first = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "
    more = b"x" * BLOCK


class Trailers(Endless):
    """Complete bodies with endless trailer lines after them."""

    first = (
        b"POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"2\r\n{}\r\n0\r\n"
    )
    more = b"X-Trailer: y\r\n" * (BLOCK // 14)


class Slowly(Kind):
    """A head or a body, one byte a second; half of the connections each."""

    def __init__(self, flood: Flood) -> None:
        super().__init__(flood)
        self._heads = True

    def begin(self, stranger: Stranger) -> None:
        self._heads = not self._heads
        head = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
        body = (
            b"POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b"Content-Length: 60000\r\n\r\n{"
        )
        stranger.say(head if self._heads else body)
        self.go_on(stranger)

    def go_on(self, stranger: Stranger) -> None:
        if stranger.say(b" "):
            asyncio.get_running_loop().call_later(DRIP_SECONDS, self.go_on, stranger)


class HalfOpen(Kind):
    """Open connections that send nothing."""

    def begin(self, stranger: Stranger) -> None:
        """Send nothing."""


class LogIns(Kind):
    """Wrong log-ins, one after another."""

    first = (
        b"POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n" % len(LOG_IN)
    ) + LOG_IN

    def begin(self, stranger: Stranger) -> None:
        stranger.say(self.first)

    def receive(self, stranger: Stranger, data: bytes) -> None:
        if b"HTTP/1.1" in data:
            stranger.say(self.first)


class Pages(LogIns):
    """The same page, again and again."""

    first = b"GET /api/venue HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


class Sockets(Endless):
    """WebSockets; the attack begins with the answer to the upgrade request."""

    hello = b""
    first = (
        "GET /api/live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {_KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()

    def begin(self, stranger: Stranger) -> None:
        stranger.say(self.first)

    def receive(self, stranger: Stranger, data: bytes) -> None:
        if data.startswith(b"HTTP/1.1 101") and stranger.say(self.hello):
            self.go_on(stranger)


class EmptyFrames(Sockets):
    """Frames of empty lines, before a hello."""

    more = EMPTY_LINES


class VisitorsFrames(Sockets):
    """Frames of empty lines, as visitors."""

    hello = VISITOR
    more = EMPTY_LINES


class Pinging(Sockets):
    """Pings, as visitors."""

    hello = VISITOR
    more = PINGS


class Visitors(Sockets):
    """Visitors who watch, and request the snapshot again and again."""

    hello = VISITOR
    more = WATCH


_KINDS: dict[str, Callable[[Flood], Kind]] = {
    "heads without an end": Heads,
    "trailers without an end": Trailers,
    "heads and bodies, a byte a second": Slowly,
    "half-open": HalfOpen,
    "frames of empty lines": EmptyFrames,
    "the same, as visitors": VisitorsFrames,
    "pings": Pinging,
    "visitors who watch": Visitors,
    "log-ins": LogIns,
    "pages": Pages,
}
KINDS = tuple(_KINDS)


class Flooder:
    """Begins and ends floods at the bench's request."""

    def __init__(self) -> None:
        self._flood: Flood | None = None

    async def begin(self, address: str, kind: str, connections: int) -> dict[str, Any]:
        """Begin a flood."""
        self._flood = Flood(address, kind, connections)
        self._flood.run()
        return {}

    async def end(self) -> dict[str, Any]:
        """End the flood; return what was done."""
        assert self._flood is not None
        return await self._flood.end()


async def main(_: list[str]) -> None:
    """Answer the bench until it closes the pipe, at a lower priority than the betting generator."""
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    os.nice(10)
    flooder = Flooder()
    await answer_lines({"begin": flooder.begin, "end": flooder.end})


if __name__ == "__main__":
    run_child(main)

"""The flooder: thousands of strangers in one process, each doing the same wrong thing again."""

import asyncio
import os
from base64 import b64encode
from collections import Counter
from collections.abc import Callable
from typing import Any, cast
from urllib.parse import urlsplit

from bench.live.children import answer_lines, run_child

#: What is sent at a time, and how long those wait who are slow.
BLOCK = 64 * 1024
DRIP_SECONDS = 1.0
#: Connections begun at a time; one that could not be made is tried again after a moment.
AT_ONCE = 100
AGAIN_SECONDS = 0.05

_KEY = b64encode(bytes(16)).decode()


def _masked(opcode: int, payload: bytes) -> bytes:
    """Write a short frame; a mask of nothing changes nothing."""
    assert len(payload) < 126
    return bytes([0x80 | opcode, 0x80 | len(payload), 0, 0, 0, 0]) + payload


EMPTY_LINES = _masked(1, b"\n" * 60) * 200
PINGS = _masked(9, b"x") * 800
VISITOR = _masked(1, b'{"type":"Hello","protocol":1}')
WATCH = _masked(1, b'{"type":"Watch","table":"T1"}') * 20
LOG_IN = b'{"person":"nobody","password":"this is a wrong one","role":"dealer"}'


class Stranger(asyncio.Protocol):
    """One connection; when it ends, the next begins."""

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
        """Send something; says whether more may follow at once."""
        if self._way is None or self._way.is_closing():
            return False
        try:
            self._way.write(data)
        except RuntimeError:
            # It was reset a moment ago, and uvloop has yet to say so.
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
        """Break off."""
        if self._way is not None:
            self._way.abort()


class Flood:
    """So many strangers of one kind, until it is over."""

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
        """Make another connection in place of one that has ended."""
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
        """Do the first wrong thing."""
        self._kind.begin(stranger)

    def go_on(self, stranger: Stranger) -> None:
        """Do more of it."""
        if not self._over:
            self._kind.go_on(stranger)

    def receive(self, stranger: Stranger, data: bytes) -> None:
        """Take what the venue says."""
        self.counts["answers"] += 1
        if not self._over:
            self._kind.receive(stranger, data)

    async def end(self) -> dict[str, Any]:
        """Break everything off; tells what was done."""
        self._over = True
        for task in [*self._tasks]:
            task.cancel()
        for stranger in [*self.there]:
            stranger.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        return {"counts": dict(self.counts)}


class Kind:
    """One way to be a nuisance: what is said first, and what is said then."""

    first = b""

    def __init__(self, flood: Flood) -> None:
        self._flood = flood

    def begin(self, stranger: Stranger) -> None:
        """Say the first thing, and go on."""
        if stranger.say(self.first):
            self.go_on(stranger)

    def go_on(self, stranger: Stranger) -> None:
        """Say more."""

    def receive(self, stranger: Stranger, data: bytes) -> None:
        """Do nothing about what is said."""


class Endless(Kind):
    """More and more of the same, as fast as it is taken."""

    more = b""

    def go_on(self, stranger: Stranger) -> None:
        if stranger.say(self.more):
            asyncio.get_running_loop().call_soon(self.go_on, stranger)


class Heads(Endless):
    """Heads without an end."""

    first = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "
    more = b"x" * BLOCK


class Trailers(Endless):
    """Bodies that have ended, and lines after them without an end."""

    first = (
        b"POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"2\r\n{}\r\n0\r\n"
    )
    more = b"X-Trailer: y\r\n" * (BLOCK // 14)


class Slowly(Kind):
    """A head or a body, a byte in a second; half of them each."""

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
    """Nothing at all."""

    def begin(self, stranger: Stranger) -> None:
        """Say nothing."""


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
    """The same page, one time after another."""

    first = b"GET /api/venue HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


class Sockets(Endless):
    """Sockets; what they do begins with the answer to their request."""

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
    """The same, as visitors."""

    hello = VISITOR
    more = EMPTY_LINES


class Pinging(Sockets):
    """Pings, as visitors."""

    hello = VISITOR
    more = PINGS


class Visitors(Sockets):
    """Visitors who watch, and ask to be shown again and again."""

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
    """Begins and ends floods as the bench asks."""

    def __init__(self) -> None:
        self._flood: Flood | None = None

    async def begin(self, address: str, kind: str, connections: int) -> dict[str, Any]:
        """Begin a flood."""
        self._flood = Flood(address, kind, connections)
        self._flood.run()
        return {}

    async def end(self) -> dict[str, Any]:
        """End it; tells what was done."""
        assert self._flood is not None
        return await self._flood.end()


async def main(_: list[str]) -> None:
    """Do what the bench asks until it hangs up; whoever bets on this core comes first."""
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    os.nice(10)
    flooder = Flooder()
    await answer_lines({"begin": flooder.begin, "end": flooder.end})


if __name__ == "__main__":
    run_child(main)

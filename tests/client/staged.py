"""A venue that follows a script: a real socket server whose every message the test decides."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import msgspec
import uvloop
from picows import (
    WSCloseCode,
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeRequest,
    ws_create_server,
)

from taisai.protocol.client_messages import ClientMessage, Hello, TerminalKey
from taisai.protocol.server_messages import (
    Fault,
    Registered,
    ServerMessage,
    TableSnapshot,
    TerminalSnapshot,
    Welcome,
)
from taisai.protocol.views import PositionView, TableView
from tests.kit.timeouts import TIMEOUT_SECONDS

KEY = TerminalKey("T1", "T1-1", "the key")
AT = 1_794_803_228_000
WELCOME = Welcome(1, "the venue", "SGD", AT, ("T1", "T2"), "terminal", "T1-1")
VISITOR = Welcome(1, "the venue", "SGD", AT, ("T1", "T2"), "visitor")

_T = TypeVar("_T")
_read = msgspec.json.Decoder(ClientMessage).decode_lines
_write = msgspec.json.Encoder().encode

LOOPS: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {
    "asyncio": asyncio.new_event_loop,
    "uvloop": uvloop.new_event_loop,
}


def run(work: Coroutine[Any, Any, _T], loop: str = "uvloop") -> _T:
    """Run a test's coroutine, with a limit on its time."""

    async def bounded() -> _T:
        async with asyncio.timeout(5 * TIMEOUT_SECONDS):
            return await work

    with asyncio.Runner(loop_factory=LOOPS[loop]) as runner:
        return runner.run(bounded())


class Caller(WSListener):
    """One connection to the staged venue: its messages are queued, the test sends the answers."""

    def __init__(self, venue: "StagedVenue") -> None:
        self._venue = venue
        self._said: asyncio.Queue[ClientMessage] = asyncio.Queue()
        self._gone = asyncio.Event()
        self.transport: WSTransport | None = None

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.CLOSE:
            transport.send_close(WSCloseCode.OK)
            transport.disconnect()
        elif frame.msg_type == WSMsgType.TEXT:
            for message in _read(frame.get_payload_as_bytes()):
                self._take(message)

    def on_ws_disconnected(self, _: WSTransport) -> None:
        self._gone.set()

    def _take(self, message: ClientMessage) -> None:
        if isinstance(message, Hello):
            self.hello = message
            self.tell(*self._venue.greet(message))
            self._venue.callers.put_nowait(self)
        else:
            self._said.put_nowait(message)

    async def says(self, kind: type[_T]) -> _T:
        """Wait for its next message, which must be of this type."""
        message = await self._said.get()
        assert isinstance(message, kind), message
        return message

    def says_nothing(self) -> bool:
        """Say whether all its messages have been read."""
        return self._said.empty()

    def tell(self, *messages: ServerMessage) -> None:
        """Send it messages, in one frame."""
        if messages:
            self.send(b"\n".join(map(_write, messages)))

    def send(self, payload: bytes, *, fin: bool = True, more: bool = False) -> None:
        """Send it any bytes."""
        assert self.transport is not None
        self.transport.send(WSMsgType.CONTINUATION if more else WSMsgType.TEXT, payload, fin)

    def cut(self) -> None:
        """Cut the connection without a close frame."""
        assert self.transport is not None
        self.transport.disconnect(graceful=False)

    def close(self, code: int, reason: str, sentence: str) -> None:
        """Close the connection as a venue does, with a reason."""
        assert self.transport is not None
        self.tell(Fault(reason, sentence))
        self.transport.send_close(code, reason.encode())  # type: ignore[arg-type]
        self.transport.disconnect()

    async def gone(self) -> None:
        """Wait until it has disconnected."""
        await self._gone.wait()


def greeting(hello: Hello) -> tuple[ServerMessage, ...]:
    """Welcome a client, and send a new terminal its view."""
    if hello.terminal is None:
        return (VISITOR,)
    return (WELCOME, own_snapshot(5)) if hello.after is None else (WELCOME,)


class StagedVenue:
    """A server for callers; `greet` decides the answer to each hello."""

    def __init__(self) -> None:
        self.address = ""
        self.callers: asyncio.Queue[Caller] = asyncio.Queue()
        self.greet: Callable[[Hello], tuple[ServerMessage, ...]] = greeting

    async def caller(self) -> Caller:
        """Wait for the next caller's hello."""
        return await self.callers.get()

    def _answer(self, request: WSUpgradeRequest) -> Caller | None:
        return Caller(self) if request.path == b"/api/live" else None


@asynccontextmanager
async def staged_venue() -> AsyncIterator[StagedVenue]:
    """Open a staged venue on a free port."""
    venue = StagedVenue()
    server = await ws_create_server(venue._answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    venue.address = f"http://127.0.0.1:{port}"
    try:
        yield venue
    finally:
        server.close()


def snapshot(
    sequence: int, phase: str = "betting", table: str = "T1", **more: Any
) -> TableSnapshot:
    """Make a snapshot of a table."""
    view = TableView(table, "SGD", phase, 7, "keyed", **more)
    return TableSnapshot(table, sequence, AT, view)


def own_snapshot(sequence: int, credits_: int = 10_000, **more: Any) -> TerminalSnapshot:
    """Make a snapshot of the terminal."""
    view = PositionView("T1", "T1-1", "a place", credits_, 0, **more)
    return TerminalSnapshot(sequence, AT, view)


def registered(id_: str, version: int = 9) -> Registered:
    """Make the answer for a registered command."""
    return Registered(id_, "T1", version, version, AT)

"""The turns in which messages are sent: in order, together if possible, and none left over."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from taisai.protocol.client_messages import Ask, ClientMessage
from taisai.server.live import sockets
from taisai.server.live.connection import Connection
from taisai.server.live.sockets import Sockets
from taisai.server.settings import Settings
from tests.kit.floor import run, until


class _Line:
    """A transport that keeps its frames."""

    def __init__(self, *, trips: bool = False) -> None:
        self.frames: list[bytes] = []
        self.is_cut = False
        self._trips = trips

    def send(self, _: Any, frame: bytes) -> None:
        if self._trips:
            raise RuntimeError("for the sake of this test")
        self.frames.append(bytes(frame))

    def disconnect(self, *, graceful: bool) -> None:
        self.is_cut = not graceful


class _Sockets(Sockets):
    """Sockets without a venue behind them."""

    def disconnected(self, connection: Connection) -> None:
        """Ignore a connection that ends."""

    def ask(self, connection: Connection, message: Ask, written: bytes) -> None:
        """Ignore a command."""

    def receive(self, connection: Connection, message: ClientMessage) -> None:
        """Ignore a message."""

    def catch_up(self, connection: Connection) -> None:
        """Ignore a slow reader."""


@asynccontextmanager
async def connected(folder: Path) -> AsyncIterator[tuple[Connection, list[bytes]]]:
    """Make a connection; gives also the frames sent to it."""
    everybody = _Sockets(Settings(folder))
    guest: Any = None
    connection, line = everybody.socket(None, guest), _Line()
    transport: Any = line
    connection.on_ws_connected(transport)
    yield connection, line.frames
    connection.transport = None
    everybody.everybody.clear()
    await everybody.end_all()


def sent(*messages: Callable[[Connection], None]) -> Callable[[Path], list[bytes]]:
    """Send messages in several ways within one turn; give the frames."""

    def frames(folder: Path) -> list[bytes]:
        async def play() -> list[bytes]:
            async with connected(folder) as (connection, frames):
                for send in messages:
                    send(connection)
                owner: Any = connection._owner
                # A turn with nothing left to send sends nothing.
                await until(lambda: not (owner._along or owner._later or owner._next))
                return [*frames]

        return run(play())

    return frames


def test_what_has_time_goes_out_with_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "ALONG_SECONDS_EACH", 0.01)
    both = sent(lambda it: it.send_along(b"totals"), lambda it: it.send_now(b"answer"))
    assert both(tmp_path) == [b"totals\nanswer"]


def test_what_has_time_goes_out_with_what_many_are_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "ALONG_SECONDS_EACH", 0.01)
    both = sent(lambda it: it.send_along(b"totals"), lambda it: it.send_later(b"result"))
    assert both(tmp_path) == [b"totals\nresult"]


def test_what_has_time_goes_out_by_itself_where_nothing_else_does(tmp_path: Path) -> None:
    assert sent(lambda it: it.send_along(b"totals"))(tmp_path) == [b"totals"]


def test_what_has_time_is_sent_before_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "ALONG_SECONDS_EACH", 10.0)
    monkeypatch.setattr(sockets, "ALONG_SECONDS_MAX", 10.0)

    async def play() -> list[bytes]:
        async with connected(tmp_path) as (connection, frames):
            connection.send_along(b"totals")
            everybody: Any = connection._owner
            everybody.everybody.clear()
            await everybody.end_all()
            return [*frames]

    assert run(play()) == [b"totals"]


def test_a_connection_that_cannot_be_sent_to_is_cut_and_holds_up_no_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The rest of the turn waited for the next answer to anybody, however long that took."""

    async def story() -> None:
        everybody, guest = _Sockets(Settings(tmp_path)), cast(Any, None)
        lines = [_Line(trips=True), _Line(), _Line(trips=True), _Line()]
        connections = [everybody.socket(None, guest) for _ in lines]
        for connection, line in zip(connections, lines, strict=True):
            connection.on_ws_connected(cast(Any, line))
        for connection in connections[:2]:
            connection.send_now(b"answer")
        for connection in connections[2:]:
            connection.send_later(b"result")
        await until(lambda: (lines[1].frames, lines[3].frames) == ([b"answer"], [b"result"]))
        assert [line.is_cut for line in lines] == [True, False, True, False]
        # Broadcasts are gathered and sent as before.
        connections[3].send_later(b"result")
        await until(lambda: lines[3].frames == [b"result", b"result"])
        everybody.everybody.clear()
        await everybody.end_all()

    run(story())
    assert "could not be sent to" in caplog.text

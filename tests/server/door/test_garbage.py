"""Strangers' connections are freed at once, and not left to the garbage collector."""

import gc
from pathlib import Path

import uvloop

from taisai.server.door.line import Line
from taisai.server.live.connection import Connection
from taisai.server.live.joining import JoinedProtocol
from tests.kit.floor import until
from tests.kit.servers import opened
from tests.server.fuzz.sockets import RawSocket, text


def test_lines_and_sockets_that_have_gone_are_no_garbage(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            gc.collect()
            gc.disable()
            # Objects that another test of this process still holds are not counted.
            before = {id(each) for each in _left()}
            try:
                for said in (b"", b"GET", b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"):
                    socket = await RawSocket.dial(live.address)
                    socket.send_raw(said)
                    await socket.close()
                socket = await RawSocket.dial(live.address)
                await socket.upgrade(live.address)
                socket.send(text('{"type":"Hello","protocol":1}'))
                await socket.receive()
                await socket.close()
                door = live.application.hub.door
                await until(lambda: not (door.newcomers or door.visitors or len(door.turns)))
                await until(lambda: all(id(each) in before for each in _left()))
            finally:
                gc.enable()

    uvloop.run(play())


def _left() -> list[object]:
    return [each for each in gc.get_objects() if type(each) in (Line, JoinedProtocol, Connection)]

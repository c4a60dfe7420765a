"""Every frame and byte is charged, whatever it contains; text that is not UTF-8 is a Fault."""

import asyncio
import json

import pytest

from tests.server.fuzz.conftest import place, runner
from tests.server.fuzz.hall import MALLORY, TABLE, Hall, nothing
from tests.server.fuzz.sockets import CONTINUATION, PING, PONG, TEXT, Frame, text

__all__ = ["place", "runner"]

HELLO = '{"type":"Hello","protocol":1}'
#: Frames that cost the venue something and request nothing, more than anybody may send at once.
FLOODS = {
    "frames of empty lines": [Frame(TEXT, b"\n" * 64)] * 400,
    "frames of one empty line": [Frame(TEXT, b"\n")] * 400,
    "spaces": [Frame(TEXT, b" \n \r\n\t\n")] * 400,
    "pings": [Frame(PING, b"x")] * 400,
    "pongs": [Frame(PONG, b"x")] * 400,
    "parts of nothing": [
        each
        for _ in range(40)
        for each in (
            Frame(TEXT, b"\n", fin=False),
            *[Frame(CONTINUATION, b"", fin=False)] * 8,
            Frame(CONTINUATION, b"\n"),
        )
    ],
    "messages over and over": [text('{"type":"Ping","number":1}')] * 2_000,
    "long frames": [text(" " * 4_000 + '{"type":"Ping","number":1}')] * 400,
}


@pytest.mark.parametrize("who", ["visitor", "terminal"])
@pytest.mark.parametrize("frames", FLOODS.values(), ids=FLOODS.keys())
def test_what_asks_for_nothing_is_charged_all_the_same(
    runner: asyncio.Runner, place: Hall, frames: list[Frame], who: str
) -> None:
    async def flood() -> None:
        before = place.live.application.hub.door.turned_away["TOO_FAST"]
        hello = HELLO if who == "visitor" else place.hello(TABLE, MALLORY)
        socket = await place.open(hello)
        if who == "terminal":
            while b"TerminalSnapshot" not in (await socket.receive() or (0, b""))[1]:
                pass
        socket.send(*frames)
        # A client that keeps sending may find the connection reset before it has read the reason.
        await socket.until_end()
        assert socket.closed_with in (1013, None)
        assert place.live.application.hub.door.turned_away["TOO_FAST"] == before + 1
        await socket.close()
        await place.check([], nothing)

    runner.run(flood())


NOT_UNDERSTOOD = {
    "no UTF-8 in a text": b'{"type":"Hello","protocol":1,"session":"\xff\xfe"}',
    "no UTF-8 in a key": b'{"type":"Hello","protocol":1,"\xff":1}',
    "no UTF-8 alone": b"\xff\xfe",
    "no UTF-8 on a second line": HELLO.encode() + b'\n{"type":"Watch","table":"\xff"}',
    "a key twice": b'{"type":"Hello","protocol":2,"protocol":1}',
    "a key twice, further in": b'{"type":"Hello","protocol":1,"terminal":'
    b'{"table":"T1","table":"T2","terminal":"x","key":"y"}}',
    "a whole number with a point": b'{"type":"Hello","protocol":1.0}',
    "a whole number with an exponent": b'{"type":"Hello","protocol":1e0}',
    "an array in place of an object": b'["Hello",1]',
}


@pytest.mark.parametrize("said", NOT_UNDERSTOOD.values(), ids=NOT_UNDERSTOOD.keys())
@pytest.mark.parametrize("before", [(), (HELLO,)], ids=["before hello", "after it"])
def test_what_is_not_understood_is_a_fault_and_a_close(
    runner: asyncio.Runner, place: Hall, said: bytes, before: tuple[str, ...]
) -> None:
    if before:
        said = said.replace(b'"type":"Hello"', b'"type":"Ping"').replace(b"protocol", b"number")

    async def play() -> None:
        socket = await place.open(
            *before,
        )
        socket.send(text(said))
        await socket.until_end()
        faults = [json.loads(line) for line in socket.lines if b'"Fault"' in line]
        assert [each["code"] for each in faults] == ["NOT_UNDERSTOOD"]
        assert socket.closed_with == 4000
        await socket.close()
        # Nothing is logged as an error either.
        await place.check([], nothing)

    runner.run(play())

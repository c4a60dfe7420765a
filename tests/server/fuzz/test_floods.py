"""Clients that send much and read nothing: they delay nobody and fill no memory."""

import asyncio
import json

from taisai.server.accounts.limiting import Bucket
from tests.kit.floor import until
from tests.server.fuzz.hall import MALLORY, TABLE, Hall, nothing
from tests.server.fuzz.sockets import Frame, request, text

VISITOR = '{"type":"Hello","protocol":1}'
WATCH = json.dumps({"type": "Watch", "table": TABLE})
#: For one connection the venue holds no more than a few snapshots.
HELD_MAX = 1 << 20


def held_for_others(hall: Hall) -> list[int]:
    """Count the bytes that the venue holds for connections that do not read them."""
    held = []
    for connection in hall.live.application.hub.everybody:
        transport = connection.transport
        if transport is not None:
            waiting = sum(map(len, connection._waiting))
            held.append(waiting + transport.underlying_transport.get_write_buffer_size())
    return held


async def gone(hall: Hall) -> None:
    """Wait until every connection but the honest terminal's is closed."""
    await until(lambda: len(hall.live.application.hub.everybody) == 1)


def test_thousands_of_watches_are_too_many(runner: asyncio.Runner, place: Hall) -> None:
    async def flood() -> None:
        socket = await place.open(VISITOR)
        for _ in range(100):
            socket.send(text("\n".join([WATCH] * 50)))
        heard = b"\n".join(await place.last_words(socket))
        assert b"TOO_FAST" in heard
        await gone(place)
        await place.check([heard], nothing)

    runner.run(flood())


def test_a_reader_that_takes_nothing_fills_no_memory(runner: asyncio.Runner, place: Hall) -> None:
    async def flood() -> None:
        sockets = [await place.open(VISITOR, WATCH) for _ in range(4)]
        everybody = place.live.application.hub.everybody
        await until(lambda: all(each.watching for each in [*everybody][1:]))
        for connection in everybody:
            # The limits on how much and how fast a client may send are tested elsewhere.
            connection.bucket, connection.strange = Bucket(1e9, 1e9), False
            connection.guest.standing = "known"
        for socket in sockets:
            socket.stop_reading()
        # Each answer is long, and together they are more than the buffers on the way can take.
        asked = {"type": "Ask", "to": TABLE, "id": "x" * 60_000, "command": {"type": "Settle"}}
        for _ in range(150):
            for socket in sockets:
                socket.send(text(json.dumps(asked)))
            assert place.honest is not None
            await place.honest.is_served()
            assert max(held_for_others(place)) < HELD_MAX
        assert place.live.application.hub.slow >= len(sockets), "nobody was slow: nothing was tried"
        for socket in sockets:
            socket.cut()
        await gone(place)
        await place.check([], nothing)

    runner.run(flood())


def test_half_open_connections_are_let_go_when_they_break(
    runner: asyncio.Runner, place: Hall
) -> None:
    beginnings = [
        b"",
        b"GET /api/live HT",
        request(place.address),
        request(place.address) + Frame(0x1, VISITOR.encode()).encoded()[:7],
        request(place.address) + Frame(0x1, VISITOR.encode(), fin=False).encoded(),
        request(place.address) + Frame(0x1, place.hello(TABLE, MALLORY).encode()).encoded(),
    ]

    async def break_off() -> None:
        for _ in range(20):
            sockets = [await place.dial() for _ in beginnings]
            for socket, data in zip(sockets, beginnings, strict=True):
                socket.send_raw(data)
            assert place.honest is not None
            await place.honest.is_served()
            for socket in sockets:
                socket.cut()
        await gone(place)
        await place.check([], nothing)

    runner.run(break_off())


def test_a_terminal_that_connects_again_and_again_has_one_seat(
    runner: asyncio.Runner, place: Hall
) -> None:
    async def again() -> None:
        sockets = [await place.open(place.hello(TABLE, MALLORY)) for _ in range(30)]
        last = sockets.pop()
        for socket in sockets:
            await socket.until_end()
            assert socket.closed_with == 4001
        await until(lambda: len(place.live.application.hub.everybody) == 2)
        assert b"TerminalSnapshot" in b"".join(await place.last_words(last))
        await gone(place)
        await place.check([], nothing)

    runner.run(again())

"""Frames of every kind, from every kind of client: the venue stays up, leaks and writes nothing."""

import asyncio

import pytest
from hypothesis import HealthCheck, example, given, settings

from tests.server.fuzz.attacking import AS, Attack, attack
from tests.server.fuzz.hall import Hall
from tests.server.fuzz.sockets import BINARY, CLOSE, CONTINUATION, TEXT, Frame
from tests.server.fuzz.strategies import attacks

HELLO = b'{"type":"Hello","protocol":1}'
PING = b'{"type":"Ping"}'


@pytest.mark.parametrize("who", AS)
@given(sent=attacks)
@settings(
    max_examples=50,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@example(sent=[b"\x00" * 300])
@example(sent=[b"\xff" * 300])
@example(sent=[b"GET / HTTP/1.1\r\n\r\n"])
@example(sent=[Frame(TEXT, HELLO), Frame(TEXT, HELLO)])
@example(sent=[Frame(TEXT, b"\n".join([HELLO] * 64))])
@example(sent=[Frame(TEXT, b"\n".join([PING] * 65))])
@example(sent=[Frame(TEXT, b"x" * 65_536)])
@example(sent=[Frame(TEXT, b"x" * 65_537)])
@example(sent=[Frame(TEXT, b"x" * 1_000_000)])
@example(sent=[Frame(TEXT, claimed=2**64 - 1)])
@example(sent=[Frame(BINARY, HELLO)])
@example(sent=[Frame(TEXT, HELLO, masked=False)])
@example(sent=[Frame(TEXT, HELLO, reserved=4)])
@example(sent=[Frame(CONTINUATION, HELLO)])
@example(sent=[Frame(TEXT, HELLO[:9], fin=False), Frame(CONTINUATION, HELLO[9:])])
@example(sent=[Frame(TEXT, HELLO[:9], fin=False), Frame(TEXT, HELLO[9:])])
@example(sent=[Frame(TEXT, b"", fin=False)] + [Frame(CONTINUATION, b"", fin=False)] * 500)
@example(sent=[Frame(TEXT, b"x" * 40_000, fin=False), Frame(CONTINUATION, b"x" * 40_000)])
@example(sent=[Frame(TEXT, HELLO[:9], fin=False), Frame(CLOSE), Frame(CONTINUATION, HELLO[9:])])
@example(sent=[Frame(CLOSE), Frame(TEXT, HELLO)])
@example(sent=[Frame(CLOSE, b"\x00"), Frame(TEXT, HELLO)])
@example(sent=[Frame(CLOSE, (5).to_bytes(2, "big") + b"\xff\xff")])
@example(sent=[Frame(0x9, b"x" * 126)])
@example(sent=[Frame(0x9, b"x", fin=False)])
@example(sent=[Frame(TEXT, b"[" * 65_000)])
@example(sent=[Frame(TEXT, b'{"type":"Ping","number":' + b"9" * 60_000 + b"}")])
def test_no_frames_do_harm(runner: asyncio.Runner, place: Hall, who: str, sent: Attack) -> None:
    runner.run(attack(place, who, sent))


def test_frames_split_at_every_byte_are_heard_as_one(runner: asyncio.Runner, place: Hall) -> None:
    async def dribble() -> None:
        socket = await place.open()
        for byte in Frame(TEXT, HELLO).encoded() + Frame(TEXT, PING).encoded():
            socket.send_raw(bytes([byte]))
            await socket.drained()
        heard = b"\n".join(await place.last_words(socket))
        assert b"Welcome" in heard
        assert b"Pong" in heard

    runner.run(dribble())

"""Wrong requests for a socket: answered or cut, never accepted."""

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.server.fuzz.hall import Hall, nothing
from tests.server.fuzz.sockets import request

ODDITIES: dict[str, dict[str, str | None]] = {
    "another path": {"path": "/api/live/"},
    "no path": {"path": "/"},
    "another host": {"Host": "casino.example"},
    "no host": {"Host": None},
    "a host with a user": {"Host": "x@127.0.0.1"},
    "another origin": {"Origin": "http://evil.example"},
    "no origin of a page": {"Origin": "null"},
    "an origin that begins like ours": {"Origin": "http://127.0.0.1.evil.example"},
    "no key": {"Sec-WebSocket-Key": None},
    "no version": {"Sec-WebSocket-Version": None},
    "an old version": {"Sec-WebSocket-Version": "8"},
    "no upgrade": {"Upgrade": None},
    "another upgrade": {"Upgrade": "h2c"},
    "no connection": {"Connection": None},
}


async def tried(hall: Hall, data: bytes) -> bytes:
    """Send a request as it is, end the sending side, and give the answer."""
    socket = await hall.dial()
    socket.send_raw(data)
    await socket.drained()
    socket.stop_sending()
    heard = await socket.read_all()
    await socket.close()
    return heard


@pytest.mark.parametrize("oddity", ODDITIES)
def test_what_is_not_quite_a_request_is_not_taken(
    runner: asyncio.Runner, place: Hall, oddity: str
) -> None:
    async def odd() -> None:
        heard = await tried(place, request(place.address, **ODDITIES[oddity]))
        assert b" 101 " not in heard[:20], heard
        assert len(place.live.application.hub.everybody) == 1, "the honest terminal alone"
        await place.check([heard], nothing)

    runner.run(odd())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"POST /api/live HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\nhello",
        b"GET /api/live HTTP/1.1\r\n" + b"X: y\r\n" * 5_000 + b"\r\n",
        b"GET /api/live HTTP/1.1\r\nX: " + b"y" * 200_000 + b"\r\n\r\n",
        b"GET /api/live HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET /api/live\r\n\r\n",
        b"GET " + b"/" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
    ids=range(10),
)
def test_what_is_no_request_does_no_harm(runner: asyncio.Runner, place: Hall, data: bytes) -> None:
    async def odd() -> None:
        heard = await tried(place, data)
        await place.check([heard], nothing)

    runner.run(odd())


def test_two_hosts_are_none(runner: asyncio.Runner, place: Hall) -> None:
    async def odd() -> None:
        data = request(place.address).replace(b"Upgrade: ", b"Host: evil.example\r\nUpgrade: ", 1)
        assert b" 101 " not in (await tried(place, data))[:20]
        await place.check([], nothing)

    runner.run(odd())


_header = st.text(st.characters(min_codepoint=1, max_codepoint=255), max_size=40)


@given(
    name=st.sampled_from(["Host", "Origin", "Cookie", "Upgrade", "Sec-WebSocket-Key", "X"]),
    value=_header,
)
@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
def test_no_header_does_harm(runner: asyncio.Runner, place: Hall, name: str, value: str) -> None:
    async def odd() -> None:
        heard = await tried(place, request(place.address, **{name: value}))
        if name == "Origin" and value.strip():
            assert b" 101 " not in heard[:20]
        await place.check([heard], nothing)

    runner.run(odd())

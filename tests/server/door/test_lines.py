"""HTTP connections that send too much, too slowly or nothing are ended and counted."""

from pathlib import Path

import pytest

from taisai.server.door import line
from tests.kit.floor import run, until
from tests.kit.servers import Live, opened
from tests.server.fuzz.sockets import RawSocket

HOST = b"Host: 127.0.0.1\r\n"


async def told(live: Live, *pieces: bytes) -> bytes:
    """Send pieces over a connection of their own, and give everything received until it ends."""
    socket = await RawSocket.dial(live.address)
    for piece in pieces:
        socket.send_raw(piece)
        await socket.drained()
    answer = await socket.read_all()
    await socket.close()
    return answer


def counted(live: Live, why: str) -> int:
    """Count the connections turned away for a reason."""
    return live.application.hub.door.turned_away[why]


LONG_HEADS = {
    "one header": b"GET /healthz HTTP/1.1\r\n" + HOST + b"X-Long: " + b"x" * 1_000_000,
    "the address": b"GET /healthz?" + b"x" * 1_000_000,
    "a header's name": b"GET /healthz HTTP/1.1\r\n" + HOST + b"x" * 1_000_000,
    "many headers": b"GET /healthz HTTP/1.1\r\n" + HOST + b"A: b\r\n" * line.HEADERS_MAX + b"\r\n",
}


@pytest.mark.parametrize("head", LONG_HEADS.values(), ids=LONG_HEADS.keys())
def test_a_long_head_is_refused_before_it_is_read(head: bytes, tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            answer = await told(live, head)
            # A client that keeps sending may find the connection reset before it has read why.
            assert answer.startswith(b"HTTP/1.1 431 ") or not answer
            assert counted(live, "HEAD_TOO_LONG") == 1
            within = b"X: " + b"x" * (line.HEAD_MAX - 200) + b"\r\nConnection: close\r\n\r\n"
            right = await told(live, b"GET /healthz HTTP/1.1\r\n" + HOST + within)
            assert right.startswith(b"HTTP/1.1 200 ")

    run(play())


def test_nothing_is_read_after_a_body(tmp_path: Path) -> None:
    chunked = b"POST /api/sessions HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n"

    async def play() -> None:
        async with opened(tmp_path) as live:
            await told(live, chunked + b"2\r\n{}\r\n0\r\n", b"X-Trailer: y\r\n" * 10)
            assert counted(live, "NO_TRAILERS") == 1
            await told(live, chunked, *[b"4000\r\n" + b" " * 0x4000 + b"\r\n"] * 20)
            assert counted(live, "BODY_TOO_LONG") == 1

    run(play())


def test_requests_do_not_pile_up_behind_one_another(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await told(live, (b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n") * 100)
            assert counted(live, "TOO_MANY_AT_ONCE") == 1

    run(play())


SLOW = {
    "nothing at all": ((b"",), "SLOW_HEAD"),
    "half a head": ((b"GET /healthz HT",), "SLOW_HEAD"),
    "empty lines": ((b"\r\n", b"\r\n"), "SLOW_HEAD"),
    "half a body": (
        (b"POST /api/sessions HTTP/1.1\r\n" + HOST + b"Content-Length: 99\r\n\r\n{",),
        "SLOW_BODY",
    ),
    "a body that nobody waits for": (
        (b"POST /api/nowhere HTTP/1.1\r\n" + HOST + b"Content-Length: 99\r\n\r\n{",),
        "SLOW_BODY",
    ),
}


@pytest.mark.parametrize(("pieces", "why"), SLOW.values(), ids=SLOW.keys())
def test_a_slow_line_ends(
    pieces: tuple[bytes, ...], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line, "HEAD_SECONDS", 0.1)
    monkeypatch.setattr(line, "REST_SECONDS", 0.1)

    async def play() -> None:
        async with opened(tmp_path) as live:
            await told(live, *pieces)
            assert counted(live, why) == 1
            assert not live.application.hub.door.newcomers

    run(play())


def test_an_answer_that_nobody_takes_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "TAKE_SECONDS", 0.1)
    # More than the buffers on the way can take.
    monkeypatch.setattr(line, "PIPELINED_MAX", 64)
    pages = (b"GET /openapi.json HTTP/1.1\r\n" + HOST + b"\r\n") * 64

    async def play() -> None:
        async with opened(tmp_path) as live:
            socket = await RawSocket.dial(live.address)
            socket.stop_reading()
            socket.send_raw(pages)
            await until(lambda: counted(live, "SLOW_READER") == 1)
            socket.cut()

    run(play())


def test_what_is_no_http_is_said_in_a_sentence_and_once_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taisai.server.door.door.LOG_SECONDS", 0.0)

    async def play() -> None:
        async with opened(tmp_path) as live:
            for _ in range(20):
                answer = await told(live, b"\x00\xff nonsense\r\n\r\n")
                assert answer.startswith(b"HTTP/1.1 400 ")
                assert answer.endswith(b"That is no request that this venue understands.")
            live.application.hub.door.log()
            text = (await _metrics(live)).decode()
            assert 'taisai_turned_away_total{why="NOT_HTTP"} 20.0' in text

    run(play())
    told_of = [each for each in caplog.records if "NOT_HTTP" in each.getMessage()]
    assert 1 <= len(told_of) <= 3, "a line now and then, not one for each"


def test_a_line_that_breaks_off_is_no_error_of_ours(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    head = b"POST /api/sessions HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"

    async def play() -> None:
        async with opened(tmp_path) as live:
            for rest in (
                b"Content-Length: 99\r\n\r\n{",
                b"Transfer-Encoding: chunked\r\n\r\n2\r\n{",
            ):
                socket = await RawSocket.dial(live.address)
                socket.send_raw(head + rest)
                await until(lambda: not live.application.hub.door.turns.held)
                socket.cut()
            await until(lambda: not live.application.hub.door.newcomers)
            assert (await _metrics(live)).startswith(b"HTTP/1.1 200 ")

    run(play())
    assert [each for each in caplog.records if each.levelname == "ERROR"] == []


async def _metrics(live: Live) -> bytes:
    ask = b"GET /metrics HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"
    return await told(live, ask)

"""Lanes over a real NATS server: killed under load, slow readers, log-ins, TLS."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest
import uvloop

from taisai.runtime.recovery import StartupError
from taisai.server.lanes import nats as nats_module
from taisai.server.lanes.nats import Nats, NatsOptions
from taisai.server.lanes.nats_line import Greeting, Listener, NatsError, NatsLine, open_line
from tests.kit.certificates import certificate
from tests.kit.floor import run, until
from tests.kit.lanes import Side
from tests.kit.nats_server import nats_server

THERE, BACK = "lane.there", "lane.back"
#: Nodes run on uvloop, which handles writes to a lost connection otherwise than asyncio.
on_each_loop = pytest.mark.parametrize("run_on", [run, uvloop.run], ids=["asyncio", "uvloop"])


@asynccontextmanager
async def joined(options: NatsOptions, one: Side, other: Side) -> AsyncIterator[list[Nats]]:
    """Join two sides, with a connection each."""
    connections = [await Nats.connect(options, name) for name in ("one", "other")]
    await connections[0].carry(one.lane, BACK, THERE)
    await connections[1].carry(other.lane, THERE, BACK)
    try:
        yield connections
    finally:
        for each in connections:
            await each.close()


def line_of(connection: Nats) -> NatsLine:
    """Give the present line of a connection."""
    assert connection._line is not None
    return connection._line


class Hears(Listener):
    """Records the messages of a line, and why it was lost."""

    def __init__(self) -> None:
        self.taken: list[tuple[int, bytes]] = []
        self.told: list[str] = []

    def took(self, number: int, data: bytes) -> None:
        self.taken.append((number, data))

    def line_lost(self, line: NatsLine, why: str) -> None:
        assert not line.is_open
        self.told.append(why)


class Talks(asyncio.Protocol):
    """A server that accepts every connection."""

    transport: asyncio.Transport
    left = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(b'INFO {"max_payload":1024}\r\n')

    def data_received(self, data: bytes) -> None:
        self.transport.write(b"PONG\r\n" * data.count(b"PING\r\n"))

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's
        self.left = True


class Load:
    """Puts numbers on both sides of a lane, some in each turn, until it is stopped."""

    def __init__(self, one: Side, other: Side) -> None:
        self.put = 0
        self._sides = (one, other)
        self._task = asyncio.get_running_loop().create_task(self._go_on())

    async def _go_on(self) -> None:
        while True:
            for side in self._sides:
                side.lane.put(1, self.put, b"bet")
            self.put += 1
            await asyncio.sleep(0 if self.put % 20 else 0.001)

    async def stop(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def puts(self, more: int) -> None:
        """Wait until this many more were put on both sides."""
        upto = self.put + more
        await until(lambda: self.put >= upto)

    async def is_taken(self) -> None:
        """Wait until everything put so far is taken on both sides."""
        upto = self.put
        await until(lambda: all(len(side.taken) >= upto for side in self._sides))


@on_each_loop
def test_a_server_killed_and_started_again_under_load_costs_nothing(
    run_on: Callable[..., list[float]], capsys: pytest.CaptureFixture[str]
) -> None:
    async def story() -> list[float]:
        one, other = Side(), Side()
        seconds = []
        with nats_server() as server:
            async with joined(NatsOptions((server.url,)), one, other) as connections:
                load = Load(one, other)
                for kill, politely in enumerate((False, True, False), 1):
                    await load.puts(200)
                    server.kill(politely=politely)
                    await until(lambda: not any(each.connected for each in connections))
                    await load.puts(200)
                    server.start()
                    began = time.monotonic()
                    await load.is_taken()
                    seconds.append(time.monotonic() - began)
                    assert [each.reconnections for each in connections] == [kill, kill]
                await load.stop()
                await load.is_taken()
                for side in (one, other):
                    assert [number for _, number, _ in side.taken] == [*range(load.put)]
                    assert not side.lost
                assert sum(each.unsent for each in connections) > 0
                one.lane.close()
                other.lane.close()
        return seconds

    seconds = run_on(story())
    with capsys.disabled():
        print(  # noqa: T201 - a time is shown, and nothing asked of it
            f" [taken again {', '.join(f'{each:.2f}' for each in seconds)} s after a restart]"
        )


def test_what_is_dropped_for_a_slow_reader_is_sent_again() -> None:
    async def story() -> None:
        one, other = Side(), Side()
        with nats_server(max_pending=1024 * 1024, max_payload=512 * 1024) as server:
            async with joined(NatsOptions((server.url,)), one, other) as (_, slow):
                reads = line_of(slow)._transport
                assert reads is not None
                reads.pause_reading()
                for number in range(100):
                    one.lane.put(1, number, bytes(250_000))
                    one.lane.flush()
                await until(lambda: "Slow Consumer" in server.log)
                reads.resume_reading()
                await until(lambda: len(other.taken) == 100)
                assert [number for _, number, _ in other.taken] == [*range(100)]
                assert slow.reconnections > 0
                one.lane.close()
                other.lane.close()

    run(story())


def test_a_part_that_is_missing_costs_the_whole_message_once() -> None:
    async def story() -> None:
        one, other = Side(), Side()
        with nats_server(max_payload=1024) as server:
            async with joined(NatsOptions((server.url,)), one, other) as (there, _):
                post, lost = there.post, [3]

                def careless(subject: str, data: bytes) -> None:
                    lost[0] -= 1
                    if lost[0]:
                        post(subject, data)

                there.post = careless  # type: ignore[method-assign]
                one.lane.put(1, 1, bytes(10_000))
                await until(lambda: len(other.taken) == 1)
                assert lost[0] < -10, "it was sent twice"
                assert other.taken == [(1, 1, bytes(10_000))]
                one.lane.close()
                other.lane.close()

    run(story())


def test_only_who_has_the_password_is_let_in() -> None:
    async def story() -> None:
        one, other = Side(), Side()
        secured = {"user": "venue", "password": "right"}
        with nats_server(authorization=secured) as server:
            for wrong in (NatsOptions((server.url,)), NatsOptions((server.url,), "venue", "wrong")):
                with pytest.raises(NatsError, match="cannot be connected to"):
                    await Nats.connect(wrong, "nobody")
            async with joined(NatsOptions((server.url,), "venue", "right"), one, other):
                one.lane.put(1, 1)
                await until(lambda: len(other.taken) == 1)
                one.lane.close()
                other.lane.close()

    run(story())


@on_each_loop
def test_a_server_with_tls_is_trusted_by_its_certificate_and_asks_for_ours(
    run_on: Callable[..., None], tmp_path: Path
) -> None:
    async def story() -> None:
        one, other = Side(), Side()
        chain, secret = certificate(tmp_path)
        tls = {"cert_file": str(chain), "key_file": str(secret)}
        with nats_server(tls={**tls, "ca_file": str(chain), "verify": True}) as server:
            urls = (server.url,)
            with pytest.raises(NatsError, match="cannot be connected to"):
                await Nats.connect(NatsOptions(urls, authority=chain), "without a certificate")
            options = NatsOptions(urls, authority=chain, certificate=chain, key=secret)
            async with joined(options, one, other):
                one.lane.put(1, 1)
                await until(lambda: len(other.taken) == 1)
                one.lane.close()
                other.lane.close()

    run_on(story())


def test_the_system_s_authorities_are_trusted_where_none_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        chain, secret = certificate(tmp_path)
        with nats_server(tls={"cert_file": str(chain), "key_file": str(secret)}) as server:
            assert server.url.startswith("tls://")
            with pytest.raises(NatsError, match="certificate verify failed"):
                await Nats.connect(NatsOptions((server.url,)), "a stranger")
            monkeypatch.setenv("SSL_CERT_FILE", str(chain))
            await (await Nats.connect(NatsOptions((server.url,)), "one")).close()
            plain = server.url.replace("tls://", "nats://")
            with pytest.raises(NatsError, match="its address is to begin with tls://"):
                await Nats.connect(NatsOptions((plain,)), "one")

    run(story())


@pytest.mark.parametrize("said", [{}, {"tls_required": True}, {"tls_available": True}])
@pytest.mark.parametrize("how", ["tls://", "authority", "certificate", "another server"])
def test_no_password_goes_out_in_plain_text_where_tls_is_asked_for(
    tmp_path: Path, how: str, said: dict[str, bool]
) -> None:
    received: list[bytes] = []

    async def hears(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer):
            writer.write(b"INFO %b\r\n" % msgspec.json.encode({"max_payload": 1_024, **said}))
            received.append(await reader.read(65_536))

    async def story() -> None:
        chain, secret = certificate(tmp_path)
        listener = await asyncio.start_server(hears, "127.0.0.1", 0)
        at = f"127.0.0.1:{listener.sockets[0].getsockname()[1]}"
        servers = {"tls://": (f"tls://{at}",), "another server": (at, f"tls://{at}")}
        options = NatsOptions(servers.get(how, (f"nats://{at}",)), "venue", "secret")
        if how == "authority":
            options = replace(options, authority=chain)
        elif how == "certificate":
            options = replace(options, certificate=chain, key=secret)
        with pytest.raises(NatsError, match="cannot be connected to"):
            await Nats.connect(options, "one")
        await until(lambda: bool(received))
        listener.close()
        await listener.wait_closed()

    run(story())
    assert received
    assert not any(b"CONNECT" in each or b"secret" in each for each in received)


@pytest.mark.parametrize(
    ("server", "shown"),
    [
        *((each, f"'{each}' is no") for each in ("nats://h:abc", "nats://h:99999", "nats://h:0")),
        *((each, f"'{each}' is no") for each in ("nats://[::1:4222", "http://h:4222", "")),
        ("nats://venue:secret@h:abc", "'h:abc' is no address of a NATS server"),
    ],
)
def test_an_address_that_is_none_is_told_without_its_password(server: str, shown: str) -> None:
    with pytest.raises(NatsError, match="is like nats://host:4222") as refused:
        Nats(NatsOptions((server,)), "one")
    assert shown in str(refused.value)
    assert "secret" not in str(refused.value)


def test_files_for_tls_that_cannot_be_used_are_told(tmp_path: Path) -> None:
    chain, _ = certificate(tmp_path)
    junk, none = tmp_path / "junk", tmp_path / "none"
    junk.write_text("junk", "utf-8")
    for authority in (junk, none):
        with pytest.raises(NatsError, match=f"the authority {authority} cannot be used"):
            NatsOptions(("tls://h",), authority=authority).tls()
    for key, told in ((None, "go together"), (none, "there is no private key"), (junk, "be used")):
        with pytest.raises(StartupError, match=told):
            NatsOptions(("tls://h",), certificate=chain, key=key).tls()


def test_a_server_that_hangs_up_on_us_is_found_again(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        one, other = Side(), Side()
        with nats_server(max_control_line=512) as server:
            async with joined(NatsOptions((server.url,)), one, other) as (there, _):
                # No server accepts this: it reports the error, and hangs up.
                there.post("x" * 2_000, b"")
                await until(lambda: there.reconnections == 1)
                one.lane.put(1, 1)
                other.lane.put(1, 2)
                await until(lambda: len(one.taken) == len(other.taken) == 1)
                assert not one.lost
                one.lane.close()
                other.lane.close()

    run(story())
    assert "maximum control line exceeded" in caplog.text


def test_a_server_that_gives_no_sign_of_life_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nats_module, "PING_SECONDS", 0.05)
    monkeypatch.setattr(nats_module, "PING_ANSWER_SECONDS", 0.2)

    async def story() -> None:
        one, other = Side(), Side()
        with nats_server() as server:
            async with joined(NatsOptions((server.url,)), one, other) as connections:
                os.kill(server.pid, signal.SIGSTOP)
                one.lane.put(1, 1)
                await until(lambda: not any(each.connected for each in connections))
                os.kill(server.pid, signal.SIGCONT)
                await until(lambda: len(other.taken) == 1)
                one.lane.close()
                other.lane.close()

    run(story())


def test_a_lane_that_is_begun_while_there_is_no_server_begins_once_there_is() -> None:
    async def story() -> None:
        one, other = Side(), Side()
        with nats_server() as server:
            options = NatsOptions((server.url,))
            connections = [await Nats.connect(options, name) for name in ("one", "other")]
            server.kill()
            begun = asyncio.gather(
                connections[0].carry(one.lane, BACK, THERE),
                connections[1].carry(other.lane, THERE, BACK),
            )
            one.lane.put(1, 1)
            await until(lambda: not any(each.connected for each in connections))
            assert not begun.done()
            server.start()
            await begun
            await until(lambda: len(other.taken) == 1)
            for lane, connection in zip((one.lane, other.lane), connections, strict=True):
                lane.close()
                await connection.close()

    run(story())


def test_whoever_trips_over_a_message_costs_others_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def trip(_: bytes) -> None:
        raise RuntimeError("stumbled")

    async def story() -> None:
        taken: list[bytes] = []
        with nats_server() as server:
            there = await Nats.connect(NatsOptions((server.url,)), "one")
            await there.listen("said", trip)
            await there.listen("said", taken.append)
            there.post("said", b"a word")
            await until(lambda: taken == [b"a word"])
            assert there.connected
            assert there.reconnections == 0
            await there.close()

    run(story())
    assert "stumbled" in caplog.text


@pytest.mark.parametrize(
    "said",
    [b"NONSENSE\r\n", b"MSG\r\n", b"MSG a b c\r\n", b"PONG\r\n", b"x" * 1_100_000],
    ids=["no word", "no numbers", "other numbers", "unasked", "no end"],
)
def test_a_server_that_talks_nonsense_is_left(said: bytes) -> None:
    """Whatever the server sends, the line ends, and its listener is told once."""

    async def story() -> None:
        hears, talks = Hears(), Talks()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: talks, "127.0.0.1", 0)
        address = urlsplit(f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        line = await open_line(address, Greeting("one"), hears, lambda _: None)
        talks.transport.write(said)
        await until(lambda: len(hears.told) == 1)
        with pytest.raises(NatsError):
            await line.sign_of_life()
        await until(lambda: talks.left)
        server.close()

    run(story())


def test_a_message_is_taken_however_it_is_cut_in_pieces() -> None:
    async def story() -> None:
        said = b"MSG a.b 7 5\r\n\r\nMSG\r\nPING\r\nMSG c 8 me 0\r\n\r\n+OK\r\n"
        for size in range(1, len(said)):
            hears = Hears()
            line = NatsLine(hears)
            for start in range(0, len(said), size):
                line.data_received(said[start : start + size])
            assert (hears.taken, hears.told) == ([(7, b"\r\nMSG"), (8, b"")], [])

    run(story())

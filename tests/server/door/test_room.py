"""A crowd without proof of who it is shuts nobody out, from one address or from many."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
import websockets

from taisai.core.table.round import OpenBets
from taisai.server.door import door as door_module
from taisai.server.door import turns as turns_module
from taisai.server.door.door import Door
from taisai.server.door.guests import Guest
from taisai.server.listening import ACCEPTED_AT_ONCE
from taisai.server.settings import Settings
from tests.kit.floor import run, until
from tests.kit.people import DEALER
from tests.kit.servers import Live, Told, Wire, opened
from tests.server.fuzz.sockets import PING, PONG, Frame, RawSocket

HELLO = {"type": "Hello", "protocol": 1}


async def _sits(live: Live, terminal: str) -> None:
    """Connect as a terminal, and be shown its seat."""
    async with live.sit(live.key("T1", terminal)) as wire:
        await wire.until("TerminalSnapshot")


async def _visit(live: Live, **headers: str) -> tuple[websockets.ClientConnection, Told]:
    """Connect as a visitor; gives the socket and the first message."""
    socket = await websockets.connect(live.socket_address, additional_headers=headers)
    wire = Wire(socket)
    await wire.say(HELLO)
    return socket, await wire.receive()


def test_newcomers_who_say_nothing_make_room_for_whoever_comes(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path, newcomers_per_place=4) as live:
            await live.floor.add_table("T1", terminals=1)
            idle = [await RawSocket.dial(live.address) for _ in range(12)]
            await until(lambda: live.application.hub.door.turned_away["DISPLACED"] == 8)
            await _sits(live, "T1-1")
            assert len(live.application.hub.door.newcomers) <= 4
            # The first ones made room, and are disconnected.
            assert await idle[0].read_all() == b""
            for socket in idle:
                socket.cut()
            await until(lambda: not live.application.hub.door.newcomers)

    run(play())


def test_a_crowd_that_arrives_at_once_is_taken_a_few_in_a_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # After a turn strangers rest for longer than the test takes.
    for each in ("REST_SECONDS", "REST_SECONDS_MAX"):
        monkeypatch.setattr(turns_module, each, 3_600.0)

    async def play() -> None:
        async with opened(tmp_path) as live:
            door = live.application.hub.door
            crowd = [await RawSocket.dial(live.address) for _ in range(3 * ACCEPTED_AT_ONCE)]
            await until(lambda: bool(door.newcomers))
            # Bets are registered meanwhile.
            table = await live.floor.add_table("T1", terminals=1)
            await live.floor.do(table, DEALER, OpenBets())
            await live.floor.bet("T1", "T1-1", "small", 500)
            assert len(door.newcomers) <= ACCEPTED_AT_ONCE
            for socket in crowd:
                socket.cut()

    run(play())


def test_what_a_stranger_sends_is_not_read_while_something_of_it_waits(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            hub = live.application.hub
            socket = await RawSocket.dial(live.address)
            await socket.upgrade(live.address)
            await until(lambda: bool(hub.everybody))
            [connection] = hub.everybody
            assert connection.transport is not None
            way = connection.transport.underlying_transport
            # Its first turn is over, and will not set the time of the next one any more.
            await until(lambda: not hub.door.turns._scheduled)
            rested = hub.door.turns._next_at
            hub.door.turns._next_at = hub.time() + 3_600.0
            frames = hub.frames_in
            socket.send(*[Frame(PING, b"x")] * 20)
            await until(lambda: bool(len(hub.door.turns)) and not way.is_reading())
            assert (len(hub.door.turns), hub.frames_in) == (1, frames), "none was looked for yet"
            hub.door.turns._next_at = rested
            hub.door.turns._schedule()
            for _ in range(20):
                assert (await socket.receive() or (0, b""))[0] == PONG
            await until(way.is_reading)
            socket.cut()

    run(play())


def test_who_is_known_is_heard_without_waiting_for_a_turn(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await live.floor.add_table("T1", terminals=1)
            async with live.sit(live.key("T1", "T1-1")) as wire:
                await wire.until("TerminalSnapshot")
                hub = live.application.hub
                hub.door.turns._next_at = hub.time() + 3_600.0
                for number in (1, 2):
                    await wire.say({"type": "Ping", "number": number})
                    assert (await wire.until("Pong"))["number"] == number
                assert not len(hub.door.turns)

    run(play())


def test_visitors_of_one_address_shut_neither_terminals_nor_staff_out(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path, visitors_per_place=2, connections_max=2) as live:
            await live.floor.add_table("T1", terminals=1)
            came = [await _visit(live) for _ in range(3)]
            assert [told["type"] for _, told in came] == ["Welcome", "Welcome", "Fault"]
            assert came[2][1]["code"] == "NO_ROOM"
            await came[2][0].wait_closed()
            assert came[2][0].close_code == 1013
            await _sits(live, "T1-1")
            # When one leaves, another may come.
            await came[0][0].close()
            await until(lambda: live.application.hub.door.visitors == 1)
            socket, told = await _visit(live)
            assert told["type"] == "Welcome"
            await socket.close()
            await came[1][0].close()

    run(play())


@pytest.mark.parametrize(
    ("proxies", "welcomed"),
    # The venue's own proxy stands for many clients; the header of any other client is ignored.
    [(("127.0.0.0/8",), 3), ((), 1)],
)
def test_behind_a_proxy_of_the_venue_callers_are_counted_and_not_the_proxy(
    proxies: tuple[str, ...], welcomed: int, tmp_path: Path
) -> None:
    async def play() -> None:
        async with opened(tmp_path, visitors_per_place=1, proxies=proxies) as live:
            came = []
            for number in range(3):
                forwarded = {"X-Forwarded-For": f"8.8.8.8, 203.0.113.{number}"}
                came.append(await _visit(live, **forwarded))
            assert [told["type"] for _, told in came].count("Welcome") == welcomed
            _, again = await _visit(live, **{"X-Forwarded-For": "203.0.113.0"})
            assert again["type"] == "Fault"
            for socket, _ in came:
                await socket.close()

    run(play())


def test_wrong_keys_behind_a_proxy_are_counted_for_who_asks(tmp_path: Path) -> None:
    async def ask(live: Live, who: str) -> int:
        socket = await RawSocket.dial(live.address)
        head = f"GET /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: {who}\r\n"
        socket.send_raw(head.encode() + b"Authorization: Bearer wrong\r\n\r\n")
        status, _ = await socket.response()
        socket.cut()
        return status

    async def play() -> None:
        settings: dict[str, Any] = {"commands_per_second": 0.001, "commands_burst": 2}
        async with opened(tmp_path, proxies=("127.0.0.1",), **settings) as live:
            guessed = [await ask(live, "203.0.113.1") for _ in range(3)]
            assert guessed == [401, 401, 429]
            assert await ask(live, "203.0.113.2") == 401

    run(play())


def _door(connections_max: int = 100) -> Door:
    return Door(
        Settings(Path("nowhere"), connections_max=connections_max), asyncio.get_running_loop()
    )


class _Way:
    """A transport that records that it was cut."""

    cut = False

    def abort(self) -> None:
        self.cut = True


def test_one_person_has_only_so_many_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door_module, "LINES_EACH_MAX", 2)

    async def play() -> None:
        door = _door(connections_max=3)
        guests = [Guest("10.0.0.1", _Way()) for _ in range(5)]
        for guest in guests:
            door.arrive(guest)
        assert [door.know(guest, "ann") for guest in guests[:3]] == [True, True, False]
        assert [door.know(guest, "bob") for guest in guests[3:]] == [True, False]
        assert (door.known, len(door.newcomers)) == (3, 2)
        assert door.turned_away == {"LINES": 1, "FULL": 1}
        for guest in guests:
            door.leave(guest)
            door.leave(guest)
        assert (door.known, len(door.newcomers), door.visitors) == (0, 0, 0)

    run(play())


def test_the_log_stays_short_however_many_places_are_turned_away(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door_module, "LOG_SECONDS", 0.0)

    async def play() -> None:
        door = _door()
        for number in range(5_000):
            door.refused("SLOW_HEAD", f"10.0.{number >> 8}.{number & 255}")
        assert len(door._to_log) <= door_module.PLACES_LOGGED + 1
        door.log()
        door.log()
        assert door.turned_away["SLOW_HEAD"] == 5_000

    run(play())
    (record,) = [each for each in caplog.records if each.name == door_module.__name__]
    assert "SLOW_HEAD 5000" in record.getMessage()

"""A connection without a finished TLS handshake is a newcomer, and has limited time for it."""

import asyncio
import ssl
from pathlib import Path

import httpx
import pytest

from taisai.server import listening
from tests.kit.certificates import certificate
from tests.kit.floor import run, until
from tests.kit.servers import opened
from tests.server.fuzz.sockets import RawSocket


def test_who_never_agrees_on_a_key_makes_room_for_who_does(tmp_path: Path) -> None:
    chain, private_key = certificate(tmp_path)
    trusted = ssl.create_default_context(cafile=str(chain))

    async def play() -> None:
        async with opened(
            tmp_path / "data", certificate=chain, private_key=private_key, newcomers_per_place=4
        ) as live:
            door = live.application.hub.door
            # They connect, and send nothing, or half of a handshake.
            silent = [await RawSocket.dial(live.address) for _ in range(12)]
            for socket in silent[::2]:
                socket.send_raw(bytes.fromhex("160301"))
            await until(lambda: door.turned_away["DISPLACED"] == 8)
            assert len(door.newcomers) == 4
            assert await silent[0].read_all() == b""
            async with httpx.AsyncClient(verify=trusted) as client:
                assert (await client.get(f"{live.address}healthz")).status_code == 200
            for socket in silent:
                socket.cut()
            await until(lambda: not door.newcomers)

    run(play())


def test_a_key_has_only_so_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chain, private_key = certificate(tmp_path)
    monkeypatch.setattr(listening, "HANDSHAKE_SECONDS", 0.05)

    async def play() -> None:
        async with opened(tmp_path / "data", certificate=chain, private_key=private_key) as live:
            slow = await RawSocket.dial(live.address)
            slow.send_raw(bytes.fromhex("160301"))
            assert await slow.read_all() == b""
            slow.cut()
            await until(lambda: not live.application.hub.door.newcomers)

    run(play())


def test_only_so_many_begin_to_agree_on_a_key_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain, private_key = certificate(tmp_path)
    monkeypatch.setattr(listening, "HANDSHAKES_PER_SECOND", 1e-6)
    monkeypatch.setattr(listening, "HANDSHAKES_AT_ONCE", 3)

    async def play() -> None:
        async with opened(tmp_path / "data", certificate=chain, private_key=private_key) as live:
            door = live.application.hub.door
            crowd = [await RawSocket.dial(live.address) for _ in range(6)]
            await until(lambda: len(door.newcomers) == 3)
            # Turns go on, and admit no more.
            for _ in range(20):
                await asyncio.sleep(0)
            assert len(door.newcomers) == 3
            for socket in crowd:
                socket.cut()

    run(play())

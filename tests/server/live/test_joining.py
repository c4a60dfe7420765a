"""HTTP and sockets share a port, with TLS and without; a request must name this venue's host."""

import ssl
from pathlib import Path

import httpx
import pytest
import websockets

from taisai.protocol import FRAME_MAX, PROTOCOL
from tests.kit.certificates import certificate
from tests.kit.floor import run
from tests.kit.servers import Wire, opened

HELLO = {"type": "Hello", "protocol": PROTOCOL}


def test_one_port_under_tls(tmp_path: Path) -> None:
    chain, private_key = certificate(tmp_path)

    async def play() -> None:
        async with opened(tmp_path / "data", certificate=chain, private_key=private_key) as live:
            trusted = ssl.create_default_context(cafile=str(chain))
            async with httpx.AsyncClient(verify=trusted) as client:
                answer = await client.get(f"{live.address}healthz")
                assert answer.status_code == 200
                assert "strict-transport-security" in answer.headers
            async with websockets.connect(live.socket_address, ssl=trusted) as socket:
                wire = Wire(socket)
                await wire.say(HELLO)
                assert (await wire.receive())["type"] == "Welcome"

    run(play())


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        # There is one Host header already, and a second one is wrong.
        {"Host": "127.0.0.1"},
    ],
)
def test_a_request_from_elsewhere_is_not_let_in(headers: dict[str, str], tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            with pytest.raises(websockets.InvalidStatus) as refused:
                async with websockets.connect(live.socket_address, additional_headers=headers):
                    pass
            assert refused.value.response.status_code == 403

    run(play())


def test_a_request_for_another_host_is_not_let_in(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            port = httpx.URL(live.address).port
            elsewhere = f"ws://elsewhere.example:{port}/api/live"
            with pytest.raises(websockets.InvalidStatus) as refused:
                async with websockets.connect(elsewhere, host="127.0.0.1", port=port):
                    pass
            assert refused.value.response.status_code == 403

    run(play())


def test_another_path_has_no_socket(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            with pytest.raises(websockets.InvalidStatus) as refused:
                async with websockets.connect(live.socket_address + "/more"):
                    pass
            assert refused.value.response.status_code == 404

    run(play())


def test_there_is_room_for_so_many(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path, connections_max=1) as live:
            await live.floor.add_table("T1", terminals=2)
            async with live.sit(live.key("T1", "T1-1")) as wire:
                await wire.until("TerminalSnapshot")
                async with live.sit(live.key("T1", "T1-2")) as second:
                    assert (await second.receive())["code"] == "NO_ROOM"
                    await second.socket.wait_closed()
                    assert second.socket.close_code == 1013

    run(play())


def test_a_message_in_parts_and_one_too_long(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            async with websockets.connect(live.socket_address) as socket:
                wire = Wire(socket)
                await socket.send(iter(['{"type":"Hello",', '"proto', f'col":{PROTOCOL}}}']))
                assert (await wire.receive())["type"] == "Welcome"
                await socket.send("x" * (FRAME_MAX + 1))
                with pytest.raises(websockets.ConnectionClosed):
                    await wire.receive()
            async with live.visit() as wire:
                assert (await wire.receive())["type"] == "Welcome"

    run(play())


def test_a_page_of_another_address_of_the_venue_is_let_in_and_everybody_is_told_all(
    tmp_path: Path,
) -> None:
    listed = ("http://10.0.0.5:8888", "https://venue.example")

    async def play() -> None:
        async with opened(tmp_path, addresses=listed) as live:
            ours = {"Origin": "https://venue.example"}
            async with websockets.connect(live.socket_address, additional_headers=ours) as socket:
                wire = Wire(socket)
                await wire.say(HELLO)
                welcome = await wire.until("Welcome")
                assert tuple(welcome["gateways"]) == listed
            for wrong in ("https://elsewhere.example", "http://venue.example"):
                with pytest.raises(websockets.InvalidStatus):
                    await websockets.connect(
                        live.socket_address, additional_headers={"Origin": wrong}
                    )
            async with httpx.AsyncClient() as client:
                page = await client.get(live.address)
                named = await client.get(live.address, headers={"Host": "venue.example"})
                strange = await client.get(live.address, headers={"Host": "elsewhere.example"})
            policy = page.headers["content-security-policy"]
            assert "connect-src 'self' ws://10.0.0.5:8888 wss://venue.example;" in policy
            assert (named.status_code, strange.status_code) == (200, 421)

    run(play())

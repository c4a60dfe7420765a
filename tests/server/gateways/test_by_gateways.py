"""A venue whose sockets are held by gateways, as real processes: everything works as with one."""

import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest

from taisai.core.table.round import CloseBets, ConfirmResult, EnterResult, OpenBets, Settle
from taisai.core.table.tumble import RecordTumble
from taisai.runtime.recovery import StartupError
from taisai.server.gateways import processes
from taisai.server.gateways.far import FarConnection
from taisai.server.live import hub as hub_module
from tests.kit.floor import run, until
from tests.kit.people import DEALER
from tests.kit.servers import Live, Told, Wire, bets, opened

TABLE, STREAM = "T1", "table/T1"


async def _settle(live: Live, *faces: int) -> None:
    result = (EnterResult(faces), ConfirmResult(), Settle())
    for command in (CloseBets(bell=True), RecordTumble(3), *result):
        await live.floor.do(STREAM, DEALER, command)


async def _watch(*wires: Wire) -> list[Told]:
    for wire in wires:
        await wire.say({"type": "Watch", "table": TABLE})
    return [await wire.until("TableSnapshot") for wire in wires]


async def _bet(live: Live, wire: Wire, terminal: str, box: str, stake: int) -> str:
    told = await wire.ask(TABLE, live.floor.new_id(), bets(terminal, (box, stake)))
    return str(told["type"])


async def _until_shown(wire: Wire, totals: dict[str, int]) -> None:
    """Wait until the totals of these boxes have come, in one message or several."""
    shown: dict[str, int] = {}
    while shown != totals:
        shown.update((await wire.until("Public", table=TABLE))["changes"].get("totals", {}))


async def _credits(wire: Wire) -> int:
    return int((await wire.until("TerminalSnapshot"))["view"]["credits"])


def _at(live: Live, terminal: str) -> tuple[str, int]:
    """Give the gateway of a terminal's connection, and its generation."""
    channel = live.application.hub.table(TABLE)
    assert channel is not None
    connection = channel.seats[terminal].connection
    assert isinstance(connection, FarConnection)
    return connection.at


def test_5_2_bets_are_paid_and_all_hear_of_it_though_a_gateway_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "GRACE_SECONDS", 0.2)

    async def story() -> None:
        async with opened(tmp_path, gateways=2) as live:
            await live.floor.add_table(TABLE, terminals=2)
            keys = [live.key(TABLE, each) for each in ("T1-1", "T1-2")]
            gateways = live.application.hub.gateways
            async with live.visit(language="zh-Hans") as watcher, live.sit(keys[0]) as player:
                before = await _credits(player)
                await _watch(watcher, player)
                async with live.sit(keys[1]) as other:
                    await _credits(other)
                    await live.floor.do(STREAM, DEALER, OpenBets())
                    assert await _bet(live, player, "T1-1", "small", 500) == "Registered"
                    assert await _bet(live, other, "T1-2", "big", 700) == "Registered"
                    await _until_shown(watcher, {"small": 500, "big": 700})
                    name, generation = _at(live, "T1-2")
                    assert generation == 1
                    os.kill(gateways[name].pid, signal.SIGKILL)
                    await other.socket.wait_closed()
                # The round goes on; a terminal that does not come back in time is lost [etg8 5.2].
                await _settle(live, 1, 2, 3)
                positions = live.venue.table(TABLE).positions
                await until(lambda: not positions["T1-2"].connected)
                await until(lambda: gateways[name].generation == 2)
                async with live.sit(keys[0]) as again, live.sit(keys[1]) as back:
                    # Small pays even money: the stake comes back, and as much again.
                    assert await _credits(again) == before + 500
                    assert await _credits(back) == before - 700
                    await until(lambda: positions["T1-2"].connected)
            assert live.application.hub.questions.bets == 2
            await until(lambda: not live.application.hub.everybody)

    run(story())


def test_pages_come_through_a_gateway_and_for_whom_it_asks_nobody_else_says(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        async with (
            opened(tmp_path, gateways=1, proxies=("127.0.0.1",)) as live,
            httpx.AsyncClient(base_url=live.address) as http,
        ):
            alive = await http.get("/healthz")
            assert alive.json()["alive"] is True
            assert "connection" not in alive.headers
            # The answer to HEAD ends after its headers, which give the length of the body.
            head = await http.head("/healthz")
            assert (head.status_code, head.content) == (405, b"")
            assert int(head.headers["content-length"]) > 0
            body = b'{"person":"pat","role":"pit-manager","password":"wrong"}'
            typed = {"content-type": "application/json"}
            for content in (body, _pieces(body)):
                asked = await http.post("/api/sessions", content=content, headers=typed)
                assert asked.status_code == 401, asked.text
            elsewhere = await http.get("/healthz", headers={"host": "elsewhere.example"})
            assert elsewhere.json()["code"] == "UNKNOWN_HOST"
            # Figures are for this machine alone, and a client behind a proxy is not on it. A header
            # that a client writes in the gateway's name is not passed on.
            proxied, plain = [
                await http.get("/metrics", headers={header: "192.0.2.7"})
                for header in ("x-forwarded-for", "x-taisai-for")
            ]
            assert (proxied.status_code, plain.status_code) == (403, 200)
            assert 'taisai_gateway_starts_total{gateway="1"} 1.0' in plain.text

    run(story())


async def _pieces(body: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(body), 20):
        yield body[start : start + 20]


def test_a_gateway_that_stands_still_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "AGAIN_SECONDS", 0.0)

    async def story() -> None:
        async with opened(tmp_path, gateways=1) as live, live.visit() as wire:
            await wire.until("Welcome")
            gateways = live.application.hub.gateways
            (gateway,) = gateways.values()
            os.kill(gateway.pid, signal.SIGSTOP)
            with monkeypatch.context() as sooner:
                sooner.setattr(processes, "LOOK_SECONDS", 0.05)
                await wire.socket.wait_closed()
            await until(lambda: gateways[gateway.name].generation == 2)
            await until(lambda: not live.application.hub.everybody)
            async with live.visit() as again:
                await again.until("Welcome")

    run(story())


def test_a_gateway_that_does_not_begin_is_said_so_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")

    async def story() -> None:
        async with opened(tmp_path, gateways=1):
            pass

    with pytest.raises(StartupError, match="gateway 1 did not begin"):
        run(story())


def test_a_venue_that_stops_lets_everybody_at_its_gateways_go(tmp_path: Path) -> None:
    async def story() -> None:
        async with AsyncExitStack() as stack:
            async with opened(tmp_path, gateways=1) as live:
                wire = await stack.enter_async_context(live.visit())
                await wire.until("Welcome")
                (gateway,) = live.application.hub.gateways.values()
            assert (await wire.until("Fault"))["code"] == "VENUE_STOPPING"
            await wire.socket.wait_closed()
            assert wire.socket.close_code == 1012
            with pytest.raises(ProcessLookupError):
                os.kill(gateway.pid, 0)

    run(story())

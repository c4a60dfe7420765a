"""A second connection with a terminal's key, beside the first, is reported to the pit [D38]."""

import itertools
from pathlib import Path
from typing import Any

import httpx
import pytest

from taisai.core.venue.staff import RecordLogOut
from taisai.core.venue.terminal_keys import IssueTerminalKey, TerminalConnectedTwice
from taisai.protocol.client_messages import TerminalKey
from taisai.runtime.answers import HOST
from taisai.runtime.streams import VENUE, kind_of
from taisai.server.live.second_connections import OF_ALL_MOST, SecondConnections
from tests.kit.floor import run, until
from tests.kit.people import PIT, TECHNICIAN
from tests.kit.servers import Live, Wire, opened

TABLE, TERMINAL = "T1", "T1-1"


async def _keyed(live: Live) -> TerminalKey:
    """Open a table, and make its terminal's key as the staff do."""
    await live.floor.add_table(TABLE, terminals=1)
    issued = await live.floor.do(VENUE, TECHNICIAN, IssueTerminalKey(TABLE, TERMINAL))
    (key,) = live.application.accounts.issue_keys([(TABLE, TERMINAL, issued.last)])
    return TerminalKey(TABLE, TERMINAL, key)


async def _written(live: Live) -> list[TerminalConnectedTwice]:
    # Whatever follows is answered when everything before it is on disk.
    last = await live.floor.do(VENUE, HOST, RecordLogOut("Ann"))
    records = await live.venue.journal.records(VENUE, range(1, last.last + 1))
    events = map(kind_of(VENUE).read, records)
    return [each for each in events if isinstance(each, TerminalConnectedTwice)]


async def _at_its_place(wire: Wire) -> None:
    await wire.until("TerminalSnapshot")
    await wire.say({"type": "Ping", "number": 1})
    await wire.until("Pong")


@pytest.mark.parametrize("gateways", [0, 1])
def test_a_second_connection_is_written_down_and_shown_to_the_pit(
    gateways: int, tmp_path: Path
) -> None:
    async def story() -> None:
        async with opened(tmp_path, gateways=gateways) as live:
            key = await _keyed(live)
            seconds = live.application.hub.admission.seconds
            async with live.sit(key) as first:
                await _at_its_place(first)
                async with live.sit(key) as second:
                    await _at_its_place(second)
                    assert (await first.until("Fault"))["code"] == "REPLACED"
                    await until(lambda: f"{TABLE}/{TERMINAL}" in live.venue.state.doubled)
                    await first.socket.wait_closed()
                    assert first.socket.close_code == 4001
                    # Another one soon after is counted, and not recorded again.
                    async with live.sit(key) as third:
                        await _at_its_place(third)
                        await until(lambda: seconds.count == 2)
            await until(lambda: not live.application.hub.everybody)
            (written,) = await _written(live)
            assert (written.table, written.terminal) == (TABLE, TERMINAL)
            assert written.place == written.before == "127.0.0.1"
            sessions, now = live.application.accounts.sessions, live.venue.clock.now()
            begun = sessions.begin(PIT.person, PIT.role, "here", now)
            assert begun is not None
            bearer = {"authorization": f"Bearer {begun[0]}"}
            async with httpx.AsyncClient(base_url=live.address, headers=bearer) as pit:
                told = (await pit.get("/api/pit")).json()["alerts"]
                metrics = (await pit.get("/metrics")).text
            (alert,) = [each for each in told if each["code"] == "PIT_CONNECTED_TWICE"]
            assert (alert["level"], alert["table"], alert["at"]) == ("act", TABLE, written.at)
            assert TERMINAL in alert["sentence"]
            assert "taisai_second_connections_total 2.0" in metrics

    run(story())


def test_a_terminal_that_comes_back_is_no_second_one(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path) as live:
            key = await _keyed(live)
            ways: list[Any] = [
                # A goodbye; a broken connection; a dead one that does not show it.
                lambda wire: wire.socket.transport.write(b"\x88\x82\0\0\0\0\x03\xe9"),
                lambda wire: wire.socket.transport.abort(),
                lambda wire: wire.socket.transport.pause_reading(),
            ]
            for leaves in ways:
                async with live.sit(key) as first:
                    await _at_its_place(first)
                    leaves(first)
                    async with live.sit(key) as again:
                        await _at_its_place(again)
                    first.socket.transport.abort()
                await until(lambda: not live.application.hub.everybody)
            assert live.application.hub.admission.seconds.count == 0
            assert await _written(live) == []

    run(story())


def test_however_many_there_are_few_are_written_down(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path) as live:
            now = 1_000.0
            seconds = SecondConnections(live.venue, lambda: now)
            terminals = [f"T1-{number}" for number in range(OF_ALL_MOST + 10)]
            for each in terminals:
                await live.floor.do(VENUE, TECHNICIAN, IssueTerminalKey(TABLE, each))
            for each, _ in itertools.product(terminals, range(50)):
                seconds.seen(TABLE, each, "198.51.100.9", "192.0.2.17")
            await until(lambda: len(live.venue.state.doubled) == OF_ALL_MOST)
            assert seconds.count == 50 * len(terminals)
            assert len(await _written(live)) == OF_ALL_MOST
            # An hour later there is room for one record of this terminal, and for others.
            now += 3_600.0
            seconds.seen(TABLE, terminals[0], "198.51.100.9", "192.0.2.17")
            seconds.seen(TABLE, terminals[-1], "198.51.100.9", "192.0.2.17")
            await until(lambda: len(live.venue.state.doubled) == OF_ALL_MOST + 1)
            assert len(await _written(live)) == OF_ALL_MOST + 2

    run(story())

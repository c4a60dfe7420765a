"""A gateway and a venue in one process, on a lane that tests may stop, or make lossy."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from picows import WSTransport

from taisai.core.kernel.messages import BoxStake
from taisai.core.table.betting import PlaceBets
from taisai.core.table.round import CloseBets, OpenBets
from taisai.protocol import PROTOCOL
from taisai.protocol.client_messages import Ask, Hello, Ping, TerminalKey, Watch
from taisai.server.door.guests import Guest
from taisai.server.gateways.attached import Attached
from taisai.server.gateways.gateway import Gateway, GatewayConnection
from taisai.server.lanes import lane as lane_module
from taisai.server.lanes.lane import Entry, Lane
from tests.kit.carriers import Carrier
from tests.kit.floor import run, until
from tests.kit.paper import Paper
from tests.kit.people import DEALER
from tests.kit.servers import Live, opened

TABLE, STREAM = "T1", "table/T1"


class Beside:
    """A venue and a gateway, and the lane between them."""

    def __init__(self, live: Live, window: int = 10**6) -> None:
        self.live = live
        self.lost: list[str] = []
        hub = live.application.hub
        self.attached = Attached(hub, "1", 1, lambda _, why: self.lost.append(why))
        self.lane = Lane(self._take, self.lost.append, window=window)
        self.gateway = Gateway(live.application.settings, self.lane, lambda: None)
        self.up, self.down = Carrier(), Carrier()
        self.up.to, self.down.to = self.attached.lane, self.lane
        self.lane.connected(self.up)
        self.attached.lane.connected(self.down)

    def _take(self, entries: list[Entry]) -> None:
        self.gateway.take(entries)

    def arrive(self) -> tuple[GatewayConnection, Paper]:
        """Connect a client."""
        paper = Paper()
        guest = Guest("192.0.2.9", paper)
        self.gateway.door.arrive(guest)
        connection = self.gateway.socket(None, guest)
        assert isinstance(connection, GatewayConnection)
        connection.on_ws_connected(cast("WSTransport", paper))
        return connection, paper

    async def sit(self, terminal: str) -> tuple[GatewayConnection, Paper]:
        """Connect a terminal, and wait until it sees its table."""
        connection, paper = self.arrive()
        key = self.live.application.accounts.issue_key(TABLE, terminal)
        hello = Hello(PROTOCOL, TerminalKey(TABLE, terminal, key))
        self.gateway.receive(connection, hello)
        self.gateway.receive(connection, Watch(TABLE))
        await until(lambda: "TableSnapshot" in paper.types())
        return connection, paper

    def bet(self, connection: GatewayConnection, terminal: str) -> str:
        """Place a bet, and give its id."""
        id_ = self.live.floor.new_id()
        connection.received_at = self.gateway.time()
        command = PlaceBets(terminal, (BoxStake("small", 100),))
        ask = Ask(TABLE, id_, command)
        self.gateway.ask(connection, ask, msgspec.json.encode(ask))
        return id_


@asynccontextmanager
async def beside(data: Path, **how: Any) -> AsyncIterator[Beside]:
    async with opened(data) as live:
        await live.floor.add_table(TABLE, terminals=2)
        both = Beside(live, **how)
        yield both
        both.attached.lane.lost()
        await both.gateway.end_all()


def _answers(paper: Paper) -> dict[str, str]:
    return {each["id"]: each.get("code", each["type"]) for each in paper.told if "id" in each}


def test_beyond_the_window_a_gateway_says_busy_and_goes_on_when_there_is_room(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        async with beside(tmp_path, window=400) as both:
            connection, paper = await both.sit("T1-1")
            await both.live.floor.do(STREAM, DEALER, OpenBets())
            await until(lambda: not both.lane.held)
            # The venue reads nothing for a while.
            both.up.to = None
            ids = []
            while not both.lane.full:
                ids.append(both.bet(connection, "T1-1"))
                both.lane.flush()
            busy = both.bet(connection, "T1-1")
            await until(lambda: busy in _answers(paper))
            assert _answers(paper) == {busy: "BUSY"}
            stranger, its = both.arrive()
            both.gateway.receive(stranger, Hello(PROTOCOL))
            assert its.told[-1]["code"] == "BUSY"
            assert its.close_code == 1013
            # It reads again: the waiting messages are carried out once, and there is room.
            both.up.to = both.attached.lane
            both.lane.resend()
            await until(lambda: len(_answers(paper)) == len(ids) + 1)
            assert set(_answers(paper).values()) == {"BUSY", "Registered"}
            later = both.bet(connection, "T1-1")
            await until(lambda: later in _answers(paper))
            assert both.live.venue.table(TABLE).box_totals == {"small": 100 * (len(ids) + 1)}

    run(story())


def test_on_a_lane_that_loses_messages_each_bet_is_registered_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lane_module, "AGAIN_SECONDS", 0.0)

    async def story() -> None:
        async with beside(tmp_path) as both:
            connection, paper = await both.sit("T1-1")
            await both.live.floor.do(STREAM, DEALER, OpenBets())
            both.up.careless = both.down.careless = random.Random(5)  # noqa: S311 - no secret
            ids = []
            for _ in range(40):
                ids.append(both.bet(connection, "T1-1"))
                both.lane.flush()
            lanes = both.lane, both.attached.lane

            def all_answered() -> bool:
                for each in lanes:
                    each.resend()
                return len(_answers(paper)) == len(ids)

            await until(all_answered)
            assert set(_answers(paper).values()) == {"Registered"}
            assert both.live.venue.table(TABLE).box_totals == {"small": 100 * len(ids)}
            # What a terminal sees has no gap.
            mine = [each for each in paper.told if each["type"] == "Private"]
            assert [each["after"] for each in mine[1:]] == [each["sequence"] for each in mine[:-1]]

    run(story())


def test_who_reads_too_slowly_is_sent_nothing_until_all_of_it_comes_anew(tmp_path: Path) -> None:
    async def story() -> None:
        async with beside(tmp_path) as both:
            connection, paper = await both.sit("T1-1")
            other, its = await both.sit("T1-2")
            connection.pause_writing()
            await both.live.floor.do(STREAM, DEALER, OpenBets())
            await until(lambda: "Public" in its.types())
            assert "Public" not in paper.types()
            connection.resume_writing()
            # Until the venue has heard of this connection, broadcasts are not sent to it.
            both.gateway.receive(connection, Ping(7))
            await both.live.floor.do(STREAM, DEALER, CloseBets(bell=True))
            await until(lambda: "Pong" in paper.types())
            snapshots = [each for each in paper.told if each["type"] == "TableSnapshot"]
            assert snapshots[-1]["view"]["phase"] != snapshots[0]["view"]["phase"]
            version = snapshots[-1]["sequence"]
            public = [each for each in paper.told if each["type"] == "Public"]
            assert all(each["after"] >= version for each in public)
            assert not connection.behind
            assert other.paused_at is None
            assert both.gateway.slow == 1

    run(story())


def test_before_its_hello_a_connection_is_unknown_to_the_venue(tmp_path: Path) -> None:
    async def story() -> None:
        async with beside(tmp_path) as both:
            connection, paper = both.arrive()
            both.gateway.receive(connection, Watch(TABLE))
            assert (paper.told[0]["code"], paper.close_code) == ("HELLO_FIRST", 4002)
            assert not both.up.sent
            # A client with another version of the protocol is disconnected by the venue.
            connection, paper = both.arrive()
            both.gateway.receive(connection, msgspec.structs.replace(Hello(PROTOCOL), protocol=0))
            await until(lambda: bool(paper.told))
            assert (paper.told[0]["code"], paper.close_code) == ("PROTOCOL", 4002)
            connection.on_ws_disconnected(cast("WSTransport", paper))
            await until(lambda: not both.attached.connections)

    run(story())

"""A gateway of a cluster by itself: what it sends to whom; the test plays the nodes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
from picows import WSTransport

from taisai.core.kernel.messages import BoxStake
from taisai.core.table.betting import PlaceBets
from taisai.protocol import PROTOCOL
from taisai.protocol.client_messages import Ask, Deal, Hello, Ping, Unwatch, Watch
from taisai.runtime.streams import CAGE, VENUE, table_stream
from taisai.server.door.guests import Guest
from taisai.server.gateways import entries as e
from taisai.server.lanes.lane import Lane, Message
from taisai.server.nodes.gate import NodeConnection, NodeGateway
from taisai.server.nodes.switchboard import Standing, Switchboard
from tests.kit.carriers import Carrier
from tests.kit.floor import run, until
from tests.kit.paper import Paper
from tests.kit.servers import demo_settings

OFFICE = {VENUE: 1, CAGE: 1}
TABLES = {table_stream("T1"): 1, table_stream("T2"): 1}

_read = msgspec.msgpack.Decoder(Message).decode
_encode = msgspec.json.encode


class Board:
    """A switchboard that accepts every call, and records what is sent."""

    def __init__(self) -> None:
        self.nats = SimpleNamespace(connected=True)
        self.carriers: dict[str, Carrier] = {}
        self.tasks: list[asyncio.Task[None]] = []
        #: The repeated tasks; a test runs them.
        self.works: list[Callable[[], None]] = []

    def spawn(self, work: Any) -> None:
        self.tasks.append(asyncio.get_running_loop().create_task(work))

    def repeat(self, work: Any, _: float) -> None:
        self.works.append(work)

    async def call(self, node: str, lane: Lane) -> str:
        carrier = self.carriers[node] = Carrier()
        lane.connected(carrier)
        return "first"


class Gate:
    """A gateway, and the messages it sends to each node."""

    def __init__(self, settings: Any) -> None:
        self.board = Board()
        self.gateway = NodeGateway(settings, cast("Switchboard", self.board), lambda: None)

    async def learn(self, node: str, streams: dict[str, int]) -> None:
        """Tell it which streams a node owns."""
        self.gateway.receive_standing(Standing(node, "first", streams))
        await until(lambda: self.gateway._nodes[node].ready)

    def come(self) -> tuple[NodeConnection, Paper]:
        """Make a connection, which the office lets in."""
        paper = Paper()
        guest = Guest("192.0.2.9", paper)
        self.gateway.door.arrive(guest)
        connection = self.gateway.socket(None, guest)
        assert isinstance(connection, NodeConnection)
        connection.on_ws_connected(cast("WSTransport", paper))
        self.gateway.receive(connection, Hello(PROTOCOL))
        for known in ((e.KNOWN, e.Known("", "visitor", "")), (e.GRANTED, e.Granted(b"x", None))):
            self.tell("office", known[0], connection, e.write(known[1]))
        return connection, paper

    def tell(self, node: str, kind: int, connection: NodeConnection, data: bytes = b"") -> None:
        """Send it a node's message about a connection."""
        self.gateway._nodes[node].take([(kind, connection.number, data)])

    def said(self, node: str) -> list[tuple[int, bytes]]:
        """Give the messages it sent to a node since the last call."""
        desk, carrier = self.gateway._nodes.get(node), self.board.carriers[node]
        if desk is not None:
            desk.lane.flush()
        sent = [*carrier.sent]
        carrier.sent.clear()
        return [(kind, data) for each in map(_read, sent) for kind, _, data in each.entries]


@asynccontextmanager
async def gate(directory: Path) -> AsyncIterator[Gate]:
    """Make a gateway that knows an office, and an owner of two tables."""
    made = Gate(demo_settings(directory, "etg8/1", seconds=5, dealer="person"))
    await made.learn("office", OFFICE)
    await made.learn("east", TABLES)
    yield made
    for task in made.board.tasks:
        task.cancel()
    await made.gateway.end_all()


def test_without_an_office_owners_answer_pings_and_nobody_is_sent_away(tmp_path: Path) -> None:
    async def story() -> None:
        async with gate(tmp_path) as here:
            connection, paper = here.come()
            alone, its = here.come()
            here.gateway.receive(connection, Watch("T1"))
            here.gateway.receive(connection, Ping(1))
            assert (e.SAID, _encode(Ping(1))) in here.said("office")
            assert (e.SAID, _encode(Ping(1))) not in here.said("east")
            await here.learn("office", {})
            here.gateway.receive(connection, Ping(2))
            assert (e.SAID, _encode(Ping(2))) in here.said("east")
            # A connection that watches no table gets no answer, and stays all the same.
            here.gateway.receive(alone, Ping(3))
            here.gateway.receive(alone, Unwatch("T9"))
            # A request for the office alone is refused, to be sent again.
            here.gateway.receive(connection, Deal("T1", "7", automatic=True))
            await until(lambda: bool(paper.told))
            (told,) = paper.told
            assert (told["id"], told["code"], told["again"]) == ("7", "BUSY", True)
            assert (connection.there, alone.there, its.told) == (True, True, [])

    run(story())


def test_a_ping_over_a_full_lane_ends_the_connection_as_busy(tmp_path: Path) -> None:
    async def story() -> None:
        async with gate(tmp_path) as here:
            connection, paper = here.come()
            here.gateway.receive(connection, Ping(1))
            here.said("office")
            here.gateway._nodes["office"].lane.full = True
            here.gateway.receive(connection, Ping(2))
            await until(lambda: bool(paper.told))
            assert (paper.told[-1]["code"], connection.there) == ("BUSY", False)
            assert (e.SAID, _encode(Ping(2))) not in here.said("office")

    run(story())


def test_a_table_that_moves_is_watched_at_its_former_owner_no_more(tmp_path: Path) -> None:
    async def story() -> None:
        async with gate(tmp_path) as here:
            connection, _ = here.come()
            for table in ("T1", "T2"):
                here.gateway.receive(connection, Watch(table))
            here.tell("east", e.JOINS, connection, e.write_number(1))
            here.said("east")
            await here.learn("west", {table_stream("T1"): 2})
            assert here.said("east") == [(e.SAID, _encode(Unwatch("T1")))]
            assert (e.SAID, _encode(Watch("T1"))) in here.said("west")
            # The other table goes on as before.
            here.tell("east", e.LATER, connection, b"{}")
            assert connection in here.gateway._nodes["east"]._crowds[1]
            await here.learn("west", {**TABLES, table_stream("T1"): 2, table_stream("T2"): 2})
            assert here.said("east") == [(e.GONE, b"")]
            assert connection not in here.gateway._nodes["east"]._crowds[1]

    run(story())


def test_what_comes_late_from_a_node_met_anew_costs_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with gate(tmp_path) as here:
            connection, _ = here.come()
            here.gateway.receive(connection, Watch("T1"))
            connection.pause_writing()
            connection.behind = True
            connection.resume_writing()
            assert len(connection.awaited) == 2
            # The table goes to another owner and comes back before the answers have come.
            await here.learn("west", {table_stream("T1"): 2})
            await here.learn("east", {**TABLES, table_stream("T1"): 3})
            here.tell("office", e.CAUGHT_UP, connection)
            assert connection.paused_at is None
            here.tell("east", e.CAUGHT_UP, connection)
            here.tell("east", e.LATER, connection, b"{}")
            assert (connection.there, connection.awaited) == (True, {})

    run(story())


def test_a_fault_costs_one_connection_and_nobody_else_what_came_with_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with gate(tmp_path) as here:
            (one, _), (other, paper) = here.come(), here.come()
            desk = here.gateway._nodes["office"]
            bad = (e.ENDED, one.number, b"\xc1")
            desk.take([bad, (e.NOW, other.number, b'{"type":"Pong","number":1,"at":1}')])
            await until(lambda: "Pong" in paper.types())
            assert not desk.lane.broken

    run(story())


def test_while_nats_is_away_for_long_tables_are_shown_as_suspended(tmp_path: Path) -> None:
    async def story() -> None:
        async with gate(tmp_path) as here:
            connection, paper = here.come()
            here.gateway.receive(connection, Watch("T1"))
            (look,) = here.board.works

            async def shown(connected: bool, times: int) -> list[Any]:
                paper.frames.clear()
                here.board.nats.connected = connected
                for _ in range(times):
                    look()
                here.gateway.release()
                await asyncio.sleep(0)
                return [(each["table"], each["suspended"]) for each in paper.told]

            # A second without NATS, in tenths.
            assert await shown(connected=False, times=9) == []
            assert await shown(connected=False, times=2) == [("T1", True)]
            assert not here.gateway.has_office()
            assert await shown(connected=True, times=1) == [("T1", False)]

    run(story())


def test_an_answer_goes_out_at_once_and_behind_what_waits(tmp_path: Path) -> None:
    async def story() -> None:
        async with gate(tmp_path) as here:
            connection, paper = here.come()
            here.tell("office", e.NOW, connection, b'{"type":"Pong","number":1}')
            assert [each["number"] for each in paper.told] == [1]
            here.tell("office", e.LATER, connection, b'{"type":"Pong","number":2}')
            here.tell("office", e.NOW, connection, b'{"type":"Pong","number":3}')
            await until(lambda: len(paper.frames) > 1)
            assert [each["number"] for each in paper.told] == [1, 2, 3]
            assert here.gateway.frames_out == len(paper.frames) == 2
            # A slow reader is sent nothing, and a snapshot afterwards.
            connection.pause_writing()
            here.tell("office", e.NOW, connection, b'{"type":"Pong","number":4}')
            assert (len(paper.frames), connection.behind) == (2, True)

    run(story())


def test_what_is_asked_for_goes_on_as_it_was_written(tmp_path: Path) -> None:
    async def story() -> None:
        async with gate(tmp_path) as here:
            connection, _ = here.come()
            ask = Ask("T1", "1795000000000-1", PlaceBets("T1-1", (BoxStake("small", 100),)))
            connection.received_at = here.gateway.time()
            connection._receive(_encode(ask))
            assert here.said("east")[-1] == (e.SAID, _encode(ask))
            assert [*connection.pending] == [b"1795000000000-1"]
            # With spaces and its keys in another order it is the same message.
            told = msgspec.json.decode(_encode(ask))
            told["id"] = "1795000000000-2"
            other = msgspec.json.format(_encode(dict(reversed(told.items()))))
            connection._receive(other)
            again = msgspec.structs.replace(ask, id="1795000000000-2")
            assert here.said("east") == [(e.SAID, _encode(again))]
            # An id with escaped characters is not looked for in answers.
            odd = msgspec.structs.replace(ask, id='a "b"')
            connection._receive(_encode(odd))
            assert here.said("east") == [(e.SAID, _encode(odd))]
            assert [*connection.pending] == [b"1795000000000-1", b"1795000000000-2"]
            # A message with two ids is rejected.
            connection._receive(_encode(ask)[:-1] + b',"id":"1795000000000-3"}')
            assert here.said("east") == []
            assert not connection.there

    run(story())

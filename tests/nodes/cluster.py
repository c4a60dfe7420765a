"""A cluster in one process, on a real PostgreSQL and a real NATS: an office, owners, gateways."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import websockets

from taisai.protocol import PROTOCOL
from taisai.protocol.client_messages import TerminalKey
from taisai.runtime import node as runtime_node
from taisai.runtime.keys.directory import create_keys
from taisai.runtime.ownership.tenure import Terms
from taisai.runtime.streams import table_stream
from taisai.server.listening import listen
from taisai.server.nodes.cluster import Cluster, read_cluster, settings_of
from taisai.server.nodes.gate_process import serve_gateway
from taisai.server.nodes.node import Node
from taisai.server.nodes.process import serve
from taisai.server.settings import Settings
from tests.kit.floor import Floor, until
from tests.kit.nats_server import NatsServer, nats_server
from tests.kit.servers import Wire, demo_settings
from tests.kit.timeouts import TIMEOUT_SECONDS
from tools.cluster import write_cluster

#: No take-overs, however busy the machine is.
PATIENT = Terms(suspend=TIMEOUT_SECONDS, take_over=2 * TIMEOUT_SECONDS)
OWNERS = ("east", "west")
NODES: dict[str, tuple[str, ...]] = {
    "office": ("office",),
    **dict.fromkeys(OWNERS, ("owner",)),
    "gate-a": ("gateway",),
    "gate-b": ("gateway",),
}


class Running:
    """The nodes of a running cluster, and the addresses of its gateways."""

    def __init__(self, plan: Cluster, nats: NatsServer) -> None:
        self.plan = plan
        self.nats = nats
        self.nodes: dict[str, Node] = {}
        #: People who act through the office.
        self.floor: Floor
        self.addresses: dict[str, str] = {}
        self._stops: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def start(self, name: str) -> None:
        """Start a node, and wait until it serves."""
        plan, ready = self.plan.of(name), asyncio.Event()
        stop = self._stops[name] = asyncio.Event()
        settings = settings_of(self.plan, plan, None)
        self.addresses[name] = f"http://127.0.0.1:{plan.port}/"
        if plan.roles == ("gateway",):
            work = self._hold_sockets(name, settings, ready, stop)
        else:
            self.nodes[name] = Node(self.plan, plan, settings)
            work = self._serve(self.nodes[name], settings.port, ready, stop)
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[name] = task
        waiting = asyncio.get_running_loop().create_task(ready.wait())
        await asyncio.wait([task, waiting], return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()

    async def _hold_sockets(
        self, name: str, settings: Settings, ready: asyncio.Event, stop: asyncio.Event
    ) -> None:
        with listen(settings.host, settings.port) as listening:
            given = (self.plan.nats, name, settings, listening)
            await serve_gateway(*given, ready.set, stop)

    async def _serve(
        self, node: Node, port: int, ready: asyncio.Event, stop: asyncio.Event
    ) -> None:
        try:
            await node.open(stop)
            with listen("127.0.0.1", port) as listening:
                await serve(node, listening, ready.set, stop)
        finally:
            await node.close()

    async def stop(self, *names: str) -> None:
        """Stop the named nodes in order, or all."""
        for name in names or [*self._tasks]:
            self._stops[name].set()
        await asyncio.gather(*(self._tasks.pop(name) for name in names or [*self._tasks]))

    @property
    def office(self) -> Node:
        """Give the office, which comes first."""
        return next(iter(self.nodes.values()))

    def owner(self, table: str) -> Node:
        """Find the node that decides for a table."""
        return self.nodes[self.owner_of(table_stream(table))]

    def owner_of(self, stream: str) -> str:
        """Give the name of the node that decides for a stream."""
        (found,) = [name for name, each in self.nodes.items() if each.runtime.owns(stream)]
        return found

    async def move(self, table: str) -> Node:
        """Move a table to the other owner, and wait until it is there."""
        stream = table_stream(table)
        before = self.owner(table).runtime.name
        (other,) = {*OWNERS} - {before}
        await self.office.runtime.rows.want(stream, other)
        await until(lambda: self.nodes[other].runtime.owns(stream))
        return self.nodes[other]

    @asynccontextmanager
    async def visit(self, gateway: str, **hello: Any) -> AsyncIterator[Wire]:
        """Connect to a gateway, and say hello."""
        address = self.addresses[gateway].replace("http", "ws", 1) + "api/live"
        async with websockets.connect(address) as socket:
            wire = Wire(socket)
            await wire.say({"type": "Hello", "protocol": PROTOCOL, **hello})
            await wire.until("Welcome")
            yield wire

    def sit(self, gateway: str, key: TerminalKey) -> Any:
        """Connect to a gateway as a terminal."""
        told = {"table": key.table, "terminal": key.terminal, "key": key.key}
        return self.visit(gateway, terminal=told)


@asynccontextmanager
async def running(
    url: str, directory: Path, nodes: Mapping[str, tuple[str, ...]] = NODES
) -> AsyncIterator[Running]:
    """Run a demo cluster with a table that a person deals at; nobody is connected yet."""
    create_keys(directory / "keys")
    with nats_server() as nats, pytest.MonkeyPatch.context() as patch:
        # All are in one process: however busy the machine is, no stream is taken over.
        patch.setattr(runtime_node, "Terms", lambda: PATIENT)
        tables = demo_settings(directory / "floor", "etg8/1", seconds=5, dealer="person").tables
        file = write_cluster(directory, url, nats.url, nodes)
        text = file.read_text("utf-8")
        file.write_text(f'tables = "{tables}"\n{text}', "utf-8")
        cluster = Running(read_cluster(file), nats)
        try:
            await asyncio.gather(*map(cluster.start, nodes))
            cluster.floor = Floor(cluster.office.runtime)
            yield cluster
        finally:
            await cluster.stop()

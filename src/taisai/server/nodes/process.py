"""The process of a node: an office, an owner, or a gateway, on its port until it is stopped."""

import asyncio
import socket
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from taisai.runtime.recovery import StartupError
from taisai.server.listening import listen, raise_files
from taisai.server.nodes.checks import check_node
from taisai.server.nodes.cluster import Cluster, NatsPlan, settings_of
from taisai.server.nodes.gate_process import gateways_at, serve_gateway
from taisai.server.nodes.node import Node
from taisai.server.nodes.office import serve_office
from taisai.server.nodes.owner import serve_owner
from taisai.server.nodes.stopping import StoppedError, unless_stopped
from taisai.server.process import address_of
from taisai.server.settings import Settings

#: A node that is told to stop ends without having finished if its database is silent for so long.
AWAY_SECONDS = 10.0
LOOK_SECONDS = 0.5


async def serve_node(
    cluster: Cluster,
    name: str,
    ready: Callable[[str], None],
    stop: asyncio.Event,
    passphrase: str | None = None,
) -> None:
    """Run a node of a cluster until `stop` is set; `ready` is called with the address to open.

    Raises `FencedError` if the node must not go on, as when another process has its name: it has
    released everything by then.
    """
    plan = cluster.of(name)
    settings = settings_of(cluster, plan, passphrase)
    check_node(cluster, plan, settings)
    raise_files()
    with listen(settings.host, settings.port) as listening:
        address = address_of(settings, listening)
        if plan.roles == ("gateway",):
            with suppress(StoppedError):
                given = (cluster.nats, name, settings, listening)
                await _hold_sockets(*given, lambda: ready(address), stop)
            return
        node = Node(cluster, plan, settings)
        await _unless_away(_run(node, listening, lambda: ready(address), stop), node, stop)
        if node.fenced is not None:
            raise node.fenced


async def _run(
    node: Node, listening: socket.socket, ready: Callable[[], None], stop: asyncio.Event
) -> None:
    """Join the cluster, and serve until `stop` is set."""
    try:
        await unless_stopped(node.open(stop), stop)
        await serve(node, listening, ready, stop)
    except StoppedError:
        pass
    finally:
        await node.close()


async def _unless_away(work: Coroutine[Any, Any, None], node: Node, stop: asyncio.Event) -> None:
    """Do the work of a node; once it is to stop, the database is not waited for long.

    Without the database nothing can be finished or left, and other nodes take its streams anyhow.
    """
    loop = asyncio.get_running_loop()
    doing, stopping = loop.create_task(work), loop.create_task(stop.wait())
    await asyncio.wait([doing, stopping], return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    told = loop.time()
    while not doing.done():
        await asyncio.wait([doing], timeout=LOOK_SECONDS)
        if loop.time() - max(told, node.heard_at) > AWAY_SECONDS and not doing.done():
            node.give_up()
            doing.cancel()
            await asyncio.wait([doing])
            raise StartupError(
                f"the database has not answered for {AWAY_SECONDS:.0f} s, so this node ends before"
                " its rounds do; what is registered is safe, and other nodes take its streams"
            )
    await doing


async def _hold_sockets(
    nats: NatsPlan,
    name: str,
    settings: Settings,
    listening: socket.socket,
    ready: Callable[[], None],
    stop: asyncio.Event,
) -> None:
    """Serve as a gateway until `stop` is set, in this process or in several others."""
    if settings.gateways == 1:
        await serve_gateway(nats, name, settings, listening, ready, stop)
        return
    async with gateways_at(nats, name, settings, listening, stop) as begun:
        with suppress(StoppedError):
            await unless_stopped(begun(), stop)
            ready()
            await stop.wait()


async def serve(
    node: Node, listening: socket.socket, ready: Callable[[], None], stop: asyncio.Event
) -> None:
    """Serve gateways, and the port of a node, until `stop` is set."""
    await (serve_office if node.is_office else serve_owner)(node, listening, ready, stop)

"""The process of a node: an office, an owner, or a gateway, on its port until it is stopped."""

import asyncio
import socket
from collections.abc import Callable

from taisai.server.listening import listen, raise_files
from taisai.server.nodes.cluster import Cluster, settings_of
from taisai.server.nodes.gate_process import gateways_at, serve_gateway
from taisai.server.nodes.node import Node, StoppedError
from taisai.server.nodes.office import serve_office
from taisai.server.nodes.owner import serve_owner
from taisai.server.process import address_of


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
    raise_files()
    with listen(settings.host, settings.port) as listening:
        address = address_of(settings, listening)
        if plan.roles == ("gateway",) and settings.gateways == 1:
            given = (cluster.nats, name, settings, listening, lambda: ready(address), stop)
            await serve_gateway(*given)
            return
        if plan.roles == ("gateway",):
            async with gateways_at(cluster.nats, name, settings, listening):
                ready(address)
                await stop.wait()
            return
        node = Node(cluster, plan, settings)
        try:
            await node.open(stop)
            await serve(node, listening, lambda: ready(address), stop)
        except StoppedError:
            pass
        finally:
            await node.close()
        if node.fenced is not None:
            raise node.fenced


async def serve(
    node: Node, listening: socket.socket, ready: Callable[[], None], stop: asyncio.Event
) -> None:
    """Serve gateways, and the port of a node, until `stop` is set."""
    await (serve_office if node.is_office else serve_owner)(node, listening, ready, stop)

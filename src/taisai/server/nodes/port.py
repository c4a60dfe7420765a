"""The port of a node: served by gateways of its own, or by the node itself without sockets."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from taisai.server.door.door import Door
from taisai.server.door.line import line_class
from taisai.server.listening import Listening, config_of, serving
from taisai.server.nodes.gate_process import gateways_at
from taisai.server.nodes.node import Node


@asynccontextmanager
async def port(
    node: Node, app: Any, door: Door, listening: socket.socket, stop: asyncio.Event
) -> AsyncIterator[None]:
    """Serve the port of a node by gateways of its own, or by its application, without sockets.

    If that ends by a fault, `stop` is set, and the fault is raised when the context is closed.
    """
    settings = node.settings
    if "gateway" in node.plan.roles:
        async with gateways_at(node.cluster.nats, node.plan.name, settings, listening, stop):
            yield
    else:
        config = config_of(app, line_class(door), "none", settings, lifespan=False)
        async with serving(Listening(config, door), listening, stop):
            yield

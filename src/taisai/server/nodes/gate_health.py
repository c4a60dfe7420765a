"""A gateway answers for its own health; the office answers all other requests over HTTP."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from taisai.server.gateways.relay import Receive, Send

App = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]


class GateReady(Struct, frozen=True):
    """Whether a gateway can pass on what its clients send, and what it cannot reach."""

    ready: bool
    node: str
    roles: tuple[str, ...]
    #: Whether there is an office, which says who a client is.
    office: bool
    #: Tables, and the cage and the venue, whose owner cannot be reached.
    suspended: list[str]


class Reached(Protocol):
    """A gateway, as far as its health is concerned."""

    def unreached(self) -> list[str]:
        """Name the tables and streams whose owner cannot be reached."""

    def has_office(self) -> bool:
        """Say whether there is an office."""


class Health:
    """Answers for the health of a gateway, and hands all other requests on."""

    def __init__(self, name: str, gateway: Reached, relay: App) -> None:
        self._name = name
        self._gateway = gateway
        self._relay = relay

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer, or hand on."""
        path = scope["path"]
        if path == "/healthz":
            await _send(send, 200, {"alive": True, "node": self._name})
        elif path == "/readyz":
            ready = self._ready()
            await _send(send, 200 if ready.ready else 503, ready)
        else:
            await self._relay(scope, receive, send)

    def _ready(self) -> GateReady:
        office, suspended = self._gateway.has_office(), self._gateway.unreached()
        ready = office and not suspended
        return GateReady(ready, self._name, ("gateway",), office, suspended)


async def _send(send: Send, status: int, answer: object) -> None:
    body = msgspec.json.encode(answer)
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

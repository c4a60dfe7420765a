"""A gateway says by itself how it is; everything else over HTTP is the office's to answer."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from taisai.server.gateways.relay import Receive, Send

App = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]


class GateReady(Struct, frozen=True):
    """Whether a gateway can pass on what it is asked, and what is out of its reach."""

    ready: bool
    node: str
    roles: tuple[str, ...]
    #: Whether there is an office that says who somebody is.
    office: bool
    #: Tables, and the cage and the venue, that nobody who can be reached has.
    suspended: list[str]


class Reached(Protocol):
    """A gateway, as far as it is asked how it is."""

    def unreached(self) -> list[str]:
        """Name what nobody has who can be reached."""

    def has_office(self) -> bool:
        """Say whether there is an office."""


class Health:
    """Answers for a gateway how it is, and hands everything else on."""

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

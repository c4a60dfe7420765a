"""Sockets and HTTP on one port: uvicorn reads the request, picows takes the connection over.

picows does not export its protocol class. The version is pinned, and a test fails loudly should a
newer one take other arguments; the fallback is picows' own server on a second port.
"""

import asyncio
import logging
from collections.abc import Callable
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from typing import Any

from picows import (
    WSAutoPingStrategy,
    WSUpgradeRequest,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
)
from picows.picows import WSProtocol  # type: ignore[attr-defined]

from taisai.protocol import FRAME_MAX
from taisai.server.accounts.sessions import SESSION_COOKIE
from taisai.server.door.guests import Guest
from taisai.server.door.unproved import UnprovedSocket
from taisai.server.live.connection import Connection
from taisai.server.live.sockets import Sockets

PATH = b"/api/live"
VERSION = "13"
HANDSHAKE_SECONDS = 5.0
READ_BUFFER = 2_048


class _FramesLog(logging.LoggerAdapter[logging.Logger]):
    """The log of picows: connects, disconnects and bad frames are logged as debug messages only.

    They would fill the log, and are no errors of ours. Since this is an adapter and no logger,
    picows does not make a logger for each connection.
    """

    def log(self, level: int, msg: object, *args: object, **kwargs: Any) -> None:
        if level == logging.INFO or str(msg).startswith("WS parser error"):
            level = logging.DEBUG
        super().log(level, msg, *args, **kwargs)


_log = _FramesLog(logging.getLogger(__name__), {})

#: Says whether a request is allowed by its Host, its Origin if it has one, and the local address
#: at which it arrived.
Allowed = Callable[[str | None, str | None, str | None], bool]


class JoinedProtocol(WSProtocol):  # type: ignore[misc]
    """A picows connection that is fed by uvicorn's transport."""

    def __init__(self, sockets: Sockets, allowed: Allowed, guest: Guest) -> None:
        # The function that makes the listener refers to the address, not to the protocol: there is
        # no reference cycle for the garbage collector to find.
        local: list[str | None] = [None]
        self._local = local
        self._sockets = sockets
        self._guest = guest
        super().__init__(
            None,  # host and port: a client's
            None,  # path: a client's
            False,  # this is the server's side
            lambda request: listener_for(sockets, allowed, request, local[0], guest),
            _log,
            True,  # a fault of ours ends the connection, and no other
            HANDSHAKE_SECONDS,
            False,  # we ping quiet connections: a task for each of them would cost more
            None,
            None,
            WSAutoPingStrategy.PING_WHEN_IDLE,
            False,  # a client's ping is charged like all it sends, and then answered
            FRAME_MAX,
            None,
            READ_BUFFER,
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over a connection, and note the local address."""
        name = transport.get_extra_info("sockname")
        self._local[0] = str(name[0]) if isinstance(name, tuple) else None
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the client from the door."""
        self._sockets.door.leave(self._guest)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take the bytes that uvicorn has read: the request, and any that came with it."""
        view = memoryview(data)
        while view:
            room = self.get_buffer(len(view))
            taken = min(len(room), len(view))
            room[:taken] = view[:taken]
            self.buffer_updated(taken)
            view = view[taken:]


def protocol_class(sockets: Sockets, allowed: Allowed) -> Callable[..., UnprovedSocket]:
    """Make the function that uvicorn calls for each request for a WebSocket."""

    def make(guest: Guest, **_: Any) -> UnprovedSocket:
        return UnprovedSocket(sockets.door, guest, JoinedProtocol(sockets, allowed, guest))

    return make


def listener_for(
    sockets: Sockets, allowed: Allowed, request: WSUpgradeRequest, local: str | None, guest: Guest
) -> WSUpgradeResponseWithListener | Connection | None:
    """Accept a WebSocket request, or refuse it by its path, its origin or its version."""
    if request.path.partition(b"?")[0] != PATH:
        return None
    headers = request.headers
    hosts, origins = headers.getall("Host", []), headers.getall("Origin", [None])
    if len(hosts) != 1 or len(origins) != 1 or not allowed(hosts[0], origins[0], local):
        return _refused(HTTPStatus.FORBIDDEN, b"This venue is not reached from there.")
    if headers.get("Sec-WebSocket-Version") != VERSION:
        return _refused(
            HTTPStatus.UPGRADE_REQUIRED,
            b"This venue speaks version 13 of WebSocket.",
            {"Sec-WebSocket-Version": VERSION},
        )
    if sockets.stopped:
        return _refused(HTTPStatus.SERVICE_UNAVAILABLE, b"The venue is stopping; come back soon.")
    return sockets.socket(_cookie(headers.get("Cookie")), guest)


def _refused(
    status: HTTPStatus, sentence: bytes, headers: dict[str, str] | None = None
) -> WSUpgradeResponseWithListener:
    response = WSUpgradeResponse.create_error_response(status, sentence, headers)
    return WSUpgradeResponseWithListener(response, None)


def _cookie(header: str | None) -> str | None:
    if header is None:
        return None
    try:
        found = SimpleCookie(header).get(SESSION_COOKIE)
    except CookieError:
        return None
    return None if found is None else found.value

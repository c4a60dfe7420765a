"""Failures of the connection to a database; a network path that has died is noticed by itself."""

import asyncio
import socket
from typing import Any

import asyncpg

#: Errors between here and the server, whatever was asked of it. `InternalClientError` is the
#: driver's own: an answer that comes with the end of a session may find it in another state.
FAILURES = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
    TimeoutError,
)


def failure_of(error: BaseException) -> str:
    """Give an error's message in one line, or its name if it has none."""
    return " ".join(str(error).split()) or type(error).__name__


#: A path that has died sends nothing, so nothing would end the connection. It ends once data was
#: not acknowledged for so long, or the probes of an idle connection were not.
DEAD_PATH_SECONDS = 3
_PROBE_EVERY_SECONDS = 1


class WatchedConnection(asyncpg.Connection):
    """A connection that ends when its path has died."""

    def __init__(self, protocol: Any, transport: asyncio.Transport, *more: Any) -> None:
        super().__init__(protocol, transport, *more)
        watch_path(transport.get_extra_info("socket"))


def watch_path(line: socket.socket) -> None:
    """Have the system end a connection whose path has died; a local socket has no path."""
    if line.family not in (socket.AF_INET, socket.AF_INET6):
        return
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    options = {
        "TCP_KEEPIDLE": _PROBE_EVERY_SECONDS,
        "TCP_KEEPINTVL": _PROBE_EVERY_SECONDS,
        "TCP_KEEPCNT": DEAD_PATH_SECONDS // _PROBE_EVERY_SECONDS,
        "TCP_USER_TIMEOUT": DEAD_PATH_SECONDS * 1_000,
    }
    for name, value in options.items():
        # Not every system has all these options.
        if hasattr(socket, name):
            line.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)

"""The HTTP relay: a gateway sends each request on to the venue, and passes the answer on.

The venue listens on a Unix socket in a directory of its own. The gateway adds headers with the
caller's address, the local address and whether TLS is used; such headers of a caller are dropped.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Protocol, cast

import httptools

from taisai.server.door.door import Door
from taisai.server.door.line import Line

#: The headers that a gateway adds: the caller's address, the local address, and the scheme.
ASKED_FOR, ARRIVED_AT, SCHEME = b"x-taisai-for", b"x-taisai-at", b"x-taisai-scheme"
_OURS = frozenset({ASKED_FOR, ARRIVED_AT, SCHEME})
#: Headers that concern one connection only, and are not passed on.
_OF_A_LINE = frozenset(
    {b"connection", b"keep-alive", b"transfer-encoding", b"te", b"trailer", b"upgrade", b"expect"}
)
_PIECE = 64 * 1024
AWAY = b"The venue does not answer just now; come back in a moment."

Header = tuple[bytes, bytes]
Receive = Callable[[], Any]
Send = Callable[[dict[str, Any]], Any]


class Reader(Protocol):
    """Reads the venue's answer."""

    async def read(self, most: int, /) -> bytes:
        """Read the bytes that have come, or none at the end."""


class Writer(Protocol):
    """Sends a request to the venue."""

    def write(self, data: bytes, /) -> None:
        """Send bytes of the request."""

    def abort(self) -> None:
        """Close at once."""

    def close(self) -> None:
        """Close."""


#: Makes a connection to the venue; raises an `OSError` if it does not answer.
Connect = Callable[[], Awaitable[tuple[Reader, Writer]]]


class _UnixWriter:
    """A connection to a venue on this machine."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.write = writer.write
        self.close = writer.close
        self.abort = writer.transport.abort


def by_unix(address: str) -> Connect:
    """Make the function that connects to a venue on this machine."""

    async def connect() -> tuple[Reader, Writer]:
        reader, writer = await asyncio.open_unix_connection(address)
        return reader, _UnixWriter(writer)

    return connect


class Relay:
    """The application of a gateway, as uvicorn calls it."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Ask the venue, and pass its answer on; if it does not answer, say so."""
        body = await _body(receive)
        if body is None:
            return
        answer = _Answer(without_body=scope["method"] == "HEAD")
        try:
            reader, writer = await self._connect()
        except OSError:
            await _away(send)
            return
        leaving = asyncio.ensure_future(receive())
        # A caller that hangs up is not answered: its request in the venue ends.
        leaving.add_done_callback(lambda _: writer.abort())
        try:
            writer.write(_head(scope, len(body)) + body)
            await _pass_on(reader, answer, send)
        except (OSError, httptools.HttpParserError):
            if not answer.begun:
                await _away(send)
        finally:
            leaving.cancel()
            with suppress(asyncio.CancelledError):
                await leaving
            writer.close()


async def _body(receive: Receive) -> bytes | None:
    """Read a request's whole body, which is short; None if its caller has hung up."""
    pieces = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        pieces.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(pieces)


def _head(scope: dict[str, Any], length: int) -> bytes:
    """Write the head of a request as it was received, with the headers that a gateway adds."""
    query = scope["query_string"]
    target = scope["raw_path"] + (b"?" + query if query else b"")
    given = [each for each in scope["headers"] if each[0] not in _OURS | _OF_A_LINE]
    has_length = any(name == b"content-length" for name, _ in given)
    client, server = scope.get("client"), scope.get("server")
    added = [
        (b"connection", b"close"),
        (ASKED_FOR, b"" if client is None else client[0].encode()),
        (ARRIVED_AT, b"" if server is None else server[0].encode()),
        (SCHEME, scope["scheme"].encode()),
        *([(b"content-length", b"%d" % length)] if length and not has_length else ()),
    ]
    lines = [b"%s: %s\r\n" % each for each in [*given, *added]]
    first = b"%s %s HTTP/1.1\r\n" % (scope["method"].encode(), target)
    return first + b"".join(lines) + b"\r\n"


class _Answer:
    """The venue's answer, as the parser finds it."""

    def __init__(self, *, without_body: bool) -> None:
        self.begun = self.head_complete = self.complete = False
        self.headers: list[Header] = []
        self.pieces: list[bytes] = []
        self._without_body = without_body
        self.parser = httptools.HttpResponseParser(self)

    def on_header(self, name: bytes, value: bytes) -> None:
        if name.lower() not in _OF_A_LINE:
            self.headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        self.head_complete = True
        self.complete = self._without_body

    def on_body(self, piece: bytes) -> None:
        self.pieces.append(piece)

    def on_message_complete(self) -> None:
        self.complete = True


async def _pass_on(reader: Reader, answer: _Answer, send: Send) -> None:
    """Pass an answer on piece by piece, as fast as the caller reads it."""
    while not answer.complete:
        data = await reader.read(_PIECE)
        if not data:
            raise ConnectionResetError
        answer.parser.feed_data(data)
        if answer.head_complete and not answer.begun:
            answer.begun = True
            status = answer.parser.get_status_code()
            await send({"type": "http.response.start", "status": status, "headers": answer.headers})
        pieces, answer.pieces = b"".join(answer.pieces), []
        if pieces or answer.complete:
            more = not answer.complete
            await send({"type": "http.response.body", "body": pieces, "more_body": more})


async def _away(send: Send) -> None:
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", b"%d" % len(AWAY)),
        (b"cache-control", b"no-store"),
        (b"retry-after", b"1"),
    ]
    status = HTTPStatus.SERVICE_UNAVAILABLE.value
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": AWAY})


class RelayedLine(Line):
    """A connection on which a gateway sends its callers' requests to the venue."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection of a gateway: each request names its caller."""
        super().connection_made(transport)
        self._by_proxy = True

    def _asked_for(self) -> str:
        """Read the caller's address, the local address and the scheme that a gateway added."""
        said = {name: value.decode("latin-1") for name, value in self.headers if name in _OURS}
        self.headers[:] = [each for each in self.headers if each[0] not in _OURS]
        self.scope["server"] = (said.get(ARRIVED_AT, ""), 0)
        self.scope["scheme"] = said.get(SCHEME, "http")
        return said.get(ASKED_FOR, "")


def relayed_line_class(door: Door) -> Callable[..., Line]:
    """Make the function that uvicorn calls for each connection of a gateway."""
    return cast("Callable[..., Line]", lambda *given, **named: RelayedLine(door, *given, **named))

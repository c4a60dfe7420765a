"""A line is one HTTP connection, with limits for the length and the time of a head and a body.

uvicorn's own protocol on httptools has no such limits: a head of any length is joined piece by
piece, and a connection that sends nothing is kept for ever. The numbers are those that nginx,
Apache and gunicorn have found to be enough.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any, cast

import httptools
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)
from uvicorn.server import ServerState

from taisai.server.door.door import Door
from taisai.server.door.guests import GUEST, Guest
from taisai.server.door.places import place_of

#: The first line and all headers of a request, and how many headers there may be.
HEAD_MAX = 32 * 1024
HEADERS_MAX = 100
#: What comes after the head, in chunks of any size; no body that is accepted is nearly as long.
REST_MAX = 256 * 1024
#: Requests that may wait behind another on one line.
PIPELINED_MAX = 16
#: How long a head may take, with the time before it, and what comes after it; how long a caller
#: may read nothing of an answer; how long a line may wait for the next request.
HEAD_SECONDS = 10.0
REST_SECONDS = 20.0
TAKE_SECONDS = 30.0
KEEP_SECONDS = 5
#: Bytes that are parsed at a time.
PIECE = 16 * 1024
#: Bytes that may wait for their turn on one line.
WAITING_MAX = HEAD_MAX + REST_MAX

_SENTENCES = {
    "HEAD_TOO_LONG": f"A head has {HEAD_MAX} bytes and {HEADERS_MAX} headers at most.",
    "BODY_TOO_LONG": f"A body has {REST_MAX} bytes at most, however it is sent.",
    "NO_TRAILERS": "Nothing is read after a body.",
    "TOO_MANY_AT_ONCE": f"At most {PIPELINED_MAX} requests wait on one line.",
    "NOT_HTTP": "That is no request that this venue understands.",
    "SLOW_HEAD": f"A head has {HEAD_SECONDS:.0f} seconds.",
    "SLOW_BODY": f"A body has {REST_SECONDS:.0f} seconds.",
    "BUSY": "Too many are asking; come back soon.",
}


class Line(HttpToolsProtocol):
    """An HTTP connection that is read in pieces and in turn, and closed if too slow or too long."""

    def __init__(
        self,
        door: Door,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._door = door
        self._time = door.time
        self._peer = "unknown"
        self._by_proxy = False
        self.guest: Guest
        #: The guest that the same connection was counted as during the TLS handshake.
        self.before: Guest | None = None
        #: Whether a head has ended and its body has not; how many bytes of either were read.
        self._in_rest = False
        self._read = 0
        #: When the head or the body must be complete, and since when the caller reads nothing.
        self._due: float | None = None
        self._untaken: float | None = None
        self._why = "NOT_HTTP"
        self._waiting: list[bytes] = []
        self._held_back = False
        self._over = False

    # --- the line ----------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a line; the caller has to send a request soon."""
        super().connection_made(transport)
        if self.client is not None:
            self._peer = self.client[0]
        self._by_proxy = self._door.proxies.trust(self._peer)
        self.guest = Guest(self._peer if self._by_proxy else place_of(self._peer), transport)
        # A socket refers to the guest, not to the line: a socket and a line that refer to each
        # other would be left to the garbage collector.
        if self.ws_protocol_class is not None:
            make = cast("Callable[..., asyncio.Protocol]", self.ws_protocol_class)
            self.ws_protocol_class = cast("type[asyncio.Protocol]", partial(make, guest=self.guest))
        self._due = self._time() + HEAD_SECONDS
        if self.before is not None:
            self._door.leave(self.before)
            self.before = None
        self._door.arrive(self.guest)

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the guest from the door."""
        self._over = True
        self._door.leave(self.guest)
        super().connection_lost(exc)

    def look(self, now: float) -> None:
        """End the line if what it waits for is overdue."""
        if self._untaken is not None and now - self._untaken > TAKE_SECONDS:
            self._cut("SLOW_READER")
        elif self._due is not None and now > self._due and not self._waiting:
            why = "SLOW_BODY" if self._in_rest else "SLOW_HEAD"
            if self._is_answering():
                self._cut(why)
            else:
                self._refuse(HTTPStatus.REQUEST_TIMEOUT, why)

    def pause_writing(self) -> None:
        """Note that the caller does not read."""
        self._untaken = self._time()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Go on."""
        self._untaken = None
        super().resume_writing()

    # --- what comes in -----------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Read what a known caller sends; a stranger's data waits for its turn."""
        if self._over:
            return
        if self.guest.standing == "known" and not self._waiting:
            self._take(data)
            return
        waiting = self._waiting
        if not waiting:
            if not self._door.turns.add(self.guest, self._turn, len(data)):
                self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "BUSY")
                return
            if not self.flow.read_paused:
                self._held_back = True
                self.flow.pause_reading()
        elif sum(map(len, waiting)) + len(data) > WAITING_MAX:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "BODY_TOO_LONG")
            return
        waiting.append(data)

    def _turn(self) -> None:
        """Read the data that has waited."""
        data, self._waiting = b"".join(self._waiting), []
        if self._held_back:
            self._held_back = False
            if not self._over:
                self.flow.resume_reading()
        self._take(data)

    def _take(self, data: bytes) -> None:
        """Parse data piece by piece, up to the limits."""
        self._unset_keepalive_if_required()
        if self._due is None and not self._in_rest:
            self._due = self._time() + HEAD_SECONDS
        for start in range(0, len(data), PIECE):
            if self._over:
                return
            if self._in_rest and self._read > REST_MAX:
                self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "BODY_TOO_LONG")
            elif not self._in_rest and self._read > HEAD_MAX:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "HEAD_TOO_LONG")
            else:
                piece = data if len(data) <= PIECE else data[start : start + PIECE]
                self._read += len(piece)
                self._parse(piece)

    def _parse(self, piece: bytes) -> None:
        try:
            self.parser.feed_data(piece)
        except httptools.HttpParserUpgrade:
            if self._should_upgrade():
                self._over = True
                self.handle_websocket_upgrade()
                # Parser and line refer to each other: that ends here.
                self.parser = None  # type: ignore[assignment]
        except httptools.HttpParserError:
            status = HTTPStatus.BAD_REQUEST
            if self._why == "HEAD_TOO_LONG":
                status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            self._refuse(status, self._why)

    # --- what the parser finds ---------------------------------------------------------------

    def on_message_begin(self) -> None:
        """Begin a head."""
        super().on_message_begin()
        self._in_rest, self._read = False, 0
        if self._due is None:
            self._due = self._time() + HEAD_SECONDS

    def on_url(self, url: bytes) -> None:
        """Read the address, which may be no longer than a head."""
        super().on_url(url)
        self._limit(len(self.url) <= HEAD_MAX, "HEAD_TOO_LONG")

    def on_header(self, name: bytes, value: bytes) -> None:
        """Read a header; their number is limited, and none may follow a body."""
        self._limit(not self._in_rest, "NO_TRAILERS")
        self._limit(len(self.headers) < HEADERS_MAX, "HEAD_TOO_LONG")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin to answer; the caller of a proxy is known from here on."""
        self._limit(len(self.pipeline) < PIPELINED_MAX, "TOO_MANY_AT_ONCE")
        self._in_rest, self._read = True, 0
        self._due = self._time() + REST_SECONDS
        if self._by_proxy:
            self._stand_for(self._asked_for())
        self.scope[GUEST] = self.guest  # type: ignore[literal-required]
        super().on_headers_complete()

    def _asked_for(self) -> str:
        """Find the caller that a proxy asks for."""
        return self._door.proxies.asked_for(self._peer, self.headers)

    def _stand_for(self, host: str) -> None:
        """Count a line as that of a proxy's caller, until the next request on it."""
        self.scope["client"] = (host, 0)
        self._door.leave(self.guest)
        self.guest.place = place_of(host)
        self._door.arrive(self.guest)

    def on_message_complete(self) -> None:
        """End a request."""
        super().on_message_complete()
        self._in_rest, self._read, self._due = False, 0, None

    def _limit(self, right: bool, why: str) -> None:
        if not right:
            self._why = why
            raise ValueError(why)

    # --- its end -----------------------------------------------------------------------------

    def _is_answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        """Send the reason, unless an answer is being sent, and close."""
        if self._is_answering():
            self._cut(why)
            return
        self._over = True
        self._door.refused(why, self.guest.place)
        sentence = _SENTENCES[why].encode()
        head = (
            b"content-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\n"
            b"cache-control: no-store\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(STATUS_LINE[status] + head % len(sentence) + sentence)
        self.transport.close()

    def _cut(self, why: str) -> None:
        """Close at once."""
        self._over = True
        self._door.refused(why, self.guest.place)
        self.transport.abort()


def line_class(door: Door) -> Callable[..., Line]:
    """Make the function that uvicorn calls for each line."""
    return partial(Line, door)

"""One connection to a NATS server: its protocol, but not how it is restored when it is lost.

It is the protocol of NATS core, as much as lanes need: publishing, subscribing and pings. All data
is processed in the turn of the loop in which it arrives, and there is no task that could end
unseen: either the line is open, or its listener is told that it is lost.
"""

import asyncio
import ssl
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol, cast
from urllib.parse import SplitResult

import msgspec

from taisai.core.errors import SentenceError

#: The longest line of a server; it is long if it names the servers of a cluster.
_SAID_MAX = 1024 * 1024
#: The port of a server whose address names none.
PORT = 4222
_END = b"\r\n"
_PING, _PONG = b"PING\r\n", b"PONG\r\n"

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


class NatsError(SentenceError):
    """No server lets us in, or one sends what cannot be read."""


class Listener(Protocol):
    """The owner of a line."""

    def took(self, number: int, data: bytes) -> None:
        """Take a message of the subscription with this number."""

    def line_lost(self, line: "NatsLine", why: str) -> None:
        """Note that an open line is lost."""


class NatsLine(asyncio.Protocol):
    """A connection to one server; made by `open_line`."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        #: Data that is not whole yet, and the length at which it is, if that is known.
        self._buffer = bytearray()
        self._whole_at = 0
        #: The server's INFO, the first that it sends.
        self.info: asyncio.Future[dict[str, Any]] = self._loop.create_future()
        #: Pings that are not answered yet.
        self._asked: deque[asyncio.Future[None]] = deque()
        self.is_open = False
        #: The longest message that the server accepts.
        self.payload_max = 0
        #: The server's last error.
        self._complaint = ""

    # --- what is sent --------------------------------------------------------------------------

    def greet(self, words: bytes) -> None:
        """Send the CONNECT message."""
        self._write(words)

    def publish(self, subject: str, data: bytes) -> None:
        """Publish a message on a subject."""
        self._write(b"PUB %b %d\r\n%b\r\n" % (subject.encode(), len(data), data))

    def subscribe(self, subject: str, number: int) -> None:
        """Subscribe to a subject, under a number."""
        self._write(b"SUB %b %d\r\n" % (subject.encode(), number))

    def unsubscribe(self, number: int) -> None:
        """End the subscription with this number."""
        self._write(b"UNSUB %d\r\n" % number)

    async def sign_of_life(self) -> None:
        """Ping the server; once it answers, it has processed all that was sent before.

        Raises `NatsError` if the line is lost meanwhile.
        """
        if self._transport is None:
            raise NatsError("the line is lost")
        asked: asyncio.Future[None] = self._loop.create_future()
        self._asked.append(asked)
        self._write(_PING)
        await asked

    @property
    def unsent_bytes(self) -> int:
        """Count the bytes that wait to be sent."""
        return 0 if self._transport is None else self._transport.get_write_buffer_size()

    def _write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def hang_up(self, why: str) -> None:
        """Close at once; bytes that were not sent are lost."""
        self._complaint = self._complaint or why
        if self._transport is not None:
            self._transport.abort()

    def close(self) -> None:
        """Send what waits, and close; the listener is not told."""
        self.is_open = False
        if self._transport is not None:
            self._transport.close()

    async def secure(self, context: ssl.SSLContext, host: str | None) -> None:
        """Switch to TLS."""
        assert self._transport is not None, "a server has said that it wants it"
        # The loop resumes reading once TLS has begun.
        self._transport.pause_reading()
        secured = await self._loop.start_tls(self._transport, self, context, server_hostname=host)
        self._transport = cast("asyncio.Transport", secured)

    # --- what the loop calls -------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """End the line, and fail whatever waits for its answers."""
        why = self._complaint or (str(exc) if exc is not None else "the server has hung up")
        self._transport = None
        waiting: list[asyncio.Future[Any]] = [self.info, *self._asked]
        for waits in waiting:
            if not waits.done():
                waits.set_exception(NatsError(why))
                # The caller that waited may have given up: the exception counts as seen.
                waits.exception()
        self._asked.clear()
        if self.is_open:
            self.is_open = False
            self._listener.line_lost(self, why)

    def data_received(self, data: bytes) -> None:
        """Read what the server sends; what is not whole yet waits for the rest."""
        if self._buffer:
            self._buffer += data
            if len(self._buffer) < self._whole_at:
                return
            data = bytes(self._buffer)
            self._buffer.clear()
        start = 0
        try:
            while (end := data.find(_END, start)) >= 0:
                after = self._take(data, start, end)
                if after > len(data):
                    self._whole_at = after - start
                    break
                start = after
            else:
                self._whole_at = 0
        except (ValueError, LookupError, msgspec.MsgspecError) as error:
            self.hang_up(f"the server says what NATS does not: {error}")
            return
        self._buffer += data[start:]
        if not self._whole_at and len(self._buffer) > _SAID_MAX:
            self.hang_up("the server says more at once than NATS does")

    def _take(self, data: bytes, start: int, end: int) -> int:
        """Read one message if it is whole; give where it ends, or will end."""
        after = end + len(_END)
        if data.startswith(b"MSG ", start):
            said = data[start:end].split()
            until = after + int(said[-1])
            if until + len(_END) <= len(data):
                self._listener.took(int(said[2]), data[after:until])
            return until + len(_END)
        word, _, rest = data[start:end].partition(b" ")
        self._answer(word.upper(), rest)
        return after

    def _answer(self, word: bytes, rest: bytes) -> None:
        if word == b"PING":
            self._write(_PONG)
        elif word == b"PONG":
            asked = self._asked.popleft()
            if not asked.done():
                asked.set_result(None)
        elif word == b"INFO":
            if not self.info.done():
                self.info.set_result(_decode(rest))
        elif word == b"-ERR":
            # The server closes by itself if the error is fatal.
            self._complaint = rest.decode("utf-8", "replace").strip("' ")
        elif word != b"+OK":
            raise ValueError(f"{word[:20]!r}")


class Greeting(msgspec.Struct, frozen=True):
    """How to log in to a server, and the TLS context of the line."""

    name: str
    user: str | None = None
    password: str | None = None
    token: str | None = None
    tls: ssl.SSLContext | None = None

    def words(self, server: SplitResult) -> bytes:
        """Write the CONNECT message; user and password may be in the address."""
        user, password = self.user or server.username, self.password or server.password
        told = {
            "verbose": False,
            "pedantic": False,
            "lang": "taisai",
            "version": "1",
            "protocol": 1,
            "name": self.name,
            "user": user,
            "pass": password,
            "auth_token": self.token,
        }
        said = {key: value for key, value in told.items() if value is not None}
        return b"CONNECT %b\r\n" % _encode(said)


async def open_line(
    server: SplitResult, greeting: Greeting, listener: Listener, ready: Callable[[NatsLine], None]
) -> NatsLine:
    """Connect and log in to a server; `ready` then sends the first messages on the line.

    Raises `NatsError` or `OSError`. When it returns, the server has processed those messages.
    """
    loop = asyncio.get_running_loop()
    made = NatsLine(listener)
    await loop.create_connection(lambda: made, server.hostname or "", server.port or PORT)
    try:
        info = await made.info
        if greeting.tls is not None:
            if not (info.get("tls_required") or info.get("tls_available")):
                raise NatsError("the server has no TLS, and nothing is sent to it without")
            await made.secure(greeting.tls, server.hostname)
        elif info.get("tls_required"):
            raise NatsError("the server wants TLS; its address is to begin with tls://")
        made.greet(greeting.words(server))
        await made.sign_of_life()
        ready(made)
        await made.sign_of_life()
    except BaseException:
        made.hang_up("it was given up")
        raise
    made.is_open, made.payload_max = True, int(info["max_payload"])
    return made

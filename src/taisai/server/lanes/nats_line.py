"""One connection to a NATS server: what is said on it, and nothing of finding it again.

The protocol of NATS core, as much as lanes need: publishing, subjects that are subscribed to, and
signs of life. Everything is done within the turn of the loop in which it comes, and no task of its
own can end unseen: a line is there, or whoever has it is told that it is lost.
"""

import asyncio
import ssl
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol, cast
from urllib.parse import SplitResult

import msgspec

from taisai.core.errors import SentenceError

#: What a server says in one line, at most; it is longer where it names a cluster's servers.
_SAID_MAX = 1024 * 1024
_END = b"\r\n"
_PING, _PONG = b"PING\r\n", b"PONG\r\n"

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


class NatsError(SentenceError):
    """Nobody lets us in, or says what we can make nothing of."""


class Listener(Protocol):
    """Whoever has a line."""

    def took(self, number: int, data: bytes) -> None:
        """Take a message that came by the subscription of this number."""

    def line_lost(self, line: "NatsLine", why: str) -> None:
        """Take it that nothing more comes by a line that was open."""


class NatsLine(asyncio.Protocol):
    """A connection to one server; made by `open_line`."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        #: What was said and is not whole yet, and when it is, where that is known.
        self._buffer = bytearray()
        self._whole_at = 0
        #: What the server says of itself, first of all.
        self.info: asyncio.Future[dict[str, Any]] = self._loop.create_future()
        #: Signs of life that were asked for and did not come yet.
        self._asked: deque[asyncio.Future[None]] = deque()
        self.is_open = False
        #: The longest message that the server takes.
        self.payload_max = 0
        #: What the server complained of last.
        self._complaint = ""

    # --- what is sent --------------------------------------------------------------------------

    def greet(self, words: bytes) -> None:
        """Say who one is."""
        self._write(words)

    def publish(self, subject: str, data: bytes) -> None:
        """Send a message by a subject."""
        self._write(b"PUB %b %d\r\n%b\r\n" % (subject.encode(), len(data), data))

    def subscribe(self, subject: str, number: int) -> None:
        """Have messages come by a subject, under a number."""
        self._write(b"SUB %b %d\r\n" % (subject.encode(), number))

    def unsubscribe(self, number: int) -> None:
        """Have none come any more."""
        self._write(b"UNSUB %d\r\n" % number)

    async def sign_of_life(self) -> None:
        """Ask the server whether it is there; by its answer it has done all that was said before.

        Raises `NatsError` where the line is lost meanwhile.
        """
        if self._transport is None:
            raise NatsError("the line is lost")
        asked: asyncio.Future[None] = self._loop.create_future()
        self._asked.append(asked)
        self._write(_PING)
        await asked

    @property
    def unsent_bytes(self) -> int:
        """Count what waits to be sent."""
        return 0 if self._transport is None else self._transport.get_write_buffer_size()

    def _write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def hang_up(self, why: str) -> None:
        """Be done with this server at once; what was not sent is lost."""
        self._complaint = self._complaint or why
        if self._transport is not None:
            self._transport.abort()

    def close(self) -> None:
        """Send what waits, and hang up; nobody is told that it is lost."""
        self.is_open = False
        if self._transport is not None:
            self._transport.close()

    async def secure(self, context: ssl.SSLContext, host: str | None) -> None:
        """Go on over TLS."""
        assert self._transport is not None, "a server has said that it wants it"
        # The loop reads on where TLS has begun.
        self._transport.pause_reading()
        secured = await self._loop.start_tls(self._transport, self, context, server_hostname=host)
        self._transport = cast("asyncio.Transport", secured)

    # --- what the loop calls -------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """End: nobody waits for this line any longer."""
        why = self._complaint or (str(exc) if exc is not None else "the server has hung up")
        self._transport = None
        waiting: list[asyncio.Future[Any]] = [self.info, *self._asked]
        for waits in waiting:
            if not waits.done():
                waits.set_exception(NatsError(why))
                # Who waited has perhaps given up.
                waits.exception()
        self._asked.clear()
        if self.is_open:
            self.is_open = False
            self._listener.line_lost(self, why)

    def data_received(self, data: bytes) -> None:
        """Take what the server says; what is not whole yet waits for the rest."""
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
        """Take one thing that was said, if it is whole; gives where it ends, or will."""
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
            # It hangs up by itself where it is done with us.
            self._complaint = rest.decode("utf-8", "replace").strip("' ")
        elif word != b"+OK":
            raise ValueError(f"{word[:20]!r}")


class Greeting(msgspec.Struct, frozen=True):
    """Who one is to a server, and how the line to it is secured."""

    name: str
    user: str | None = None
    password: str | None = None
    token: str | None = None
    tls: ssl.SSLContext | None = None

    def words(self, server: SplitResult) -> bytes:
        """Write what is said first of all; who one is may be in the address."""
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
    """Connect to a server, and be let in; `ready` then says first what is to be said on the line.

    Raises `NatsError` or `OSError`. Of what was said all is done when it returns.
    """
    loop = asyncio.get_running_loop()
    made = NatsLine(listener)
    await loop.create_connection(lambda: made, server.hostname or "", server.port or 4222)
    try:
        info = await made.info
        if greeting.tls is not None:
            await made.secure(greeting.tls, server.hostname)
        elif info.get("tls_required"):
            raise NatsError("the server wants a secure line, and nats.authority is not given")
        made.greet(greeting.words(server))
        await made.sign_of_life()
        ready(made)
        await made.sign_of_life()
    except BaseException:
        made.hang_up("it was given up")
        raise
    made.is_open, made.payload_max = True, int(info["max_payload"])
    return made

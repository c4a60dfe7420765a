"""Messages over NATS, where two processes are on different machines.

A process has one connection to NATS, which all its lanes share. Each lane has two subjects, one for
each way, that belong to it alone: whoever is started anew has others. NATS keeps nothing: what is
sent while a server is lost, or while nobody subscribes to it, is gone, and a lane sends it again. A
message that is longer than the server takes goes out in parts, and arrives whole or not at all.
"""

import asyncio
import logging
import ssl
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error

from taisai.core.errors import SentenceError
from taisai.server.lanes.lane import HELD_BYTES_MAX
from taisai.server.lanes.transport import Receiver

_log = logging.getLogger(__name__)

#: A server that is lost is looked for again after so long, and given so long to answer.
RETRY_SECONDS = 0.05
CONNECT_SECONDS = 1.0
#: A server is asked for a sign of life so often, and given up when it has missed so many.
PING_SECONDS = 2.0
PINGS_MISSED = 2
#: What may wait to be sent: beyond the first nothing more is given to the client, which has no
#: limit, and beyond the second it is lost.
CLIENT_BYTES = 4 * 1024 * 1024
QUEUE_BYTES_MAX = 128 * 1024 * 1024
#: What may wait to be taken of one lane; beyond it the newest is lost. A lane never has more.
PENDING_BYTES = 2 * HELD_BYTES_MAX
#: What a message begins with: it is whole, or a part of one, or its last part. Parts have the
#: number of their message and their own.
_WHOLE, _PART, _LAST = b"\0", b"\1", b"\2"
_PART_HEAD = 1 + 4 + 4


@dataclass(frozen=True)
class NatsOptions:
    """Where NATS is, and who one is there."""

    servers: tuple[str, ...]
    user: str | None = None
    password: str | None = None
    token: str | None = None
    #: Files: who signs the servers' certificates, and one's own certificate with its key.
    authority: Path | None = None
    certificate: Path | None = None
    key: Path | None = None

    def tls(self) -> ssl.SSLContext | None:
        """Give what a secure line needs; None where it is not to be secure."""
        if self.authority is None:
            return None
        context = ssl.create_default_context(cafile=self.authority)
        if self.certificate is not None:
            context.load_cert_chain(self.certificate, self.key)
        return context


class NatsError(SentenceError):
    """Nobody lets us in."""


class Nats:
    """A process's connection to NATS, found again whenever it is lost."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._queue: deque[tuple[str, bytes]] = deque()
        self._queued = 0
        self._wanted = asyncio.Event()
        self._transports: dict[NatsTransport, Subscription] = {}
        self._leaving: list[Subscription] = []
        self._sending = asyncio.get_running_loop().create_task(self._send_queue())
        #: How often the connection was found again, and how many messages were not even sent.
        self.reconnections = 0
        self.unsent = 0
        self._fault: Exception | None = None

    @classmethod
    async def connect(cls, options: NatsOptions, name: str) -> "Nats":
        """Connect, under a name that shows in NATS' own figures."""
        made = cls(Client())
        try:
            await made._connect(options, name)
        except Error as error:
            at, why = ", ".join(options.servers), made._fault or error
            raise NatsError(f"NATS cannot be connected to at {at}: {why}") from error
        finally:
            if not made.connected:
                made._sending.cancel()
        return made

    async def _connect(self, options: NatsOptions, name: str) -> None:
        await self._client.connect(
            [*options.servers],
            name=name,
            user=options.user,
            password=options.password,
            token=options.token,
            tls=options.tls(),
            # Its types want whole seconds, and it takes any.
            reconnect_time_wait=RETRY_SECONDS,  # type: ignore[arg-type]
            connect_timeout=CONNECT_SECONDS,  # type: ignore[arg-type]
            ping_interval=PING_SECONDS,  # type: ignore[arg-type]
            max_outstanding_pings=PINGS_MISSED,
            max_reconnect_attempts=1,
            error_cb=self._trouble,
            reconnected_cb=self._found_again,
            closed_cb=self._lost,
        )
        # Who never got in is told so; who was in once looks for a server for ever.
        self._client.options["max_reconnect_attempts"] = -1

    @property
    def connected(self) -> bool:
        """Say whether there is a server."""
        return self._client.is_connected

    async def carry(self, receiver: Receiver, takes: str, sends: str) -> "NatsTransport":
        """Carry one lane: what comes by one subject here, and what goes by another there."""
        made = NatsTransport(self, receiver, sends)
        self._transports[made] = await self._client.subscribe(
            takes, cb=made.take, pending_bytes_limit=PENDING_BYTES
        )
        # What the other side sends from here on is not lost for want of somebody who takes it.
        await self._client.flush()
        receiver.connected(made)
        return made

    async def listen(self, subject: str, take: Callable[[bytes], None]) -> None:
        """Take single messages by a subject, of which any may be lost; nonsense is none."""

        async def taken(message: Msg) -> None:
            try:
                take(message.data)
            except msgspec.DecodeError as error:
                _log.warning("NATS: by %s came what nobody says there: %s", subject, error)

        await self._client.subscribe(subject, cb=taken)
        await self._client.flush()

    async def close(self) -> None:
        """Send what waits, and hang up."""
        await self._flush()
        self._sending.cancel()
        await asyncio.gather(self._sending, return_exceptions=True)
        self._transports.clear()
        await self._client.close()

    # --- what its transports do ----------------------------------------------------------------

    @property
    def payload_max(self) -> int:
        """Give the length of the longest message that the server takes."""
        return self._client.max_payload

    def post(self, subject: str, data: bytes) -> None:
        """Have something sent; without a server, or where too much waits, it is lost."""
        if not self._client.is_connected or self._queued > QUEUE_BYTES_MAX:
            self.unsent += 1
            return
        self._queue.append((subject, data))
        self._queued += len(data)
        self._wanted.set()

    def leave(self, transport: "NatsTransport") -> None:
        """Have nothing more come to a transport, once what it has sent is out."""
        subscription = self._transports.pop(transport, None)
        if subscription is not None:
            self._leaving.append(subscription)
            self._wanted.set()

    async def _send_queue(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            await self._flush()

    async def _flush(self) -> None:
        client, queue = self._client, self._queue
        while queue:
            subject, data = queue.popleft()
            self._queued -= len(data)
            try:
                await client.publish(subject, data)
            except Error:
                self.unsent += 1
            while client.is_connected and client.pending_data_size > CLIENT_BYTES:  # noqa: ASYNC110
                # The client has no event for it.
                await asyncio.sleep(0.001)
        while self._leaving and client.is_connected:
            await self._leaving.pop().unsubscribe()

    # --- what its client calls -----------------------------------------------------------------

    async def _trouble(self, error: Exception) -> None:
        self._fault = error
        _log.warning("NATS: %s", str(error) or type(error).__name__)

    async def _found_again(self) -> None:
        """Have every lane send again what was not taken: anything may have been lost."""
        self.reconnections += 1
        for transport in [*self._transports]:
            transport.found_again()

    async def _lost(self) -> None:
        """End every lane: the server wants nothing of us any more."""
        transports, self._transports = [*self._transports], {}
        if transports:
            _log.error("NATS has ended our connection, and %d lanes with it", len(transports))
        for transport in transports:
            transport.lost()


class NatsTransport:
    """Carries one lane over NATS."""

    lossy = True

    def __init__(self, nats_: Nats, receiver: Receiver, sends: str) -> None:
        self._nats = nats_
        self._receiver = receiver
        self._sends = sends
        self._number = 0
        #: What came of a message in parts, its number, and which part comes next.
        self._parts: list[bytes] = []
        self._next = (0, 0)

    def send(self, message: bytes) -> None:
        """Send one message."""
        if len(message) < self._nats.payload_max:
            self._nats.post(self._sends, _WHOLE + message)
        else:
            self._send_parts(message)

    def _send_parts(self, message: bytes) -> None:
        self._number = (self._number + 1) % (1 << 32)
        step = self._nats.payload_max - _PART_HEAD
        for index, start in enumerate(range(0, len(message), step)):
            kind = _PART if start + step < len(message) else _LAST
            head = kind + self._number.to_bytes(4, "big") + index.to_bytes(4, "big")
            self._nats.post(self._sends, head + message[start : start + step])

    def close(self) -> None:
        """Carry nothing more, either way."""
        self._nats.leave(self)

    # --- what comes ----------------------------------------------------------------------------

    async def take(self, message: Msg) -> None:
        """Take what came by the subject: a message, or a part of one."""
        data = message.data
        kind = data[:1]
        if kind == _WHOLE:
            self._receiver.received(data[1:])
        elif kind in (_PART, _LAST) and len(data) > _PART_HEAD:
            self._take_part(data, last=kind == _LAST)
        else:
            _log.warning("NATS: by %s came what is no message of a lane", message.subject)

    def _take_part(self, data: bytes, *, last: bool) -> None:
        """Put a message together; one of which a part is missing is lost."""
        number, index = (int.from_bytes(data[each : each + 4], "big") for each in (1, 5))
        if index == 0:
            self._parts = []
        elif (number, index) != self._next:
            return
        self._parts.append(data[_PART_HEAD:])
        self._next = (number, index + 1)
        if last:
            whole, self._parts = b"".join(self._parts), []
            self._receiver.received(whole)

    def found_again(self) -> None:
        """Go on after the way was lost."""
        self._receiver.connected(self)

    def lost(self) -> None:
        """End: nothing more will come."""
        self._receiver.lost()

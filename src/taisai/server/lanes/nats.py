"""Carries lanes over NATS, between processes on different machines.

A process has one connection to NATS, which all its lanes share; if it is lost, each server is tried
in turn until the process ends. Each lane has two subjects of its own, one for each direction; a
process that is started again uses others. NATS stores nothing: a message that is sent while a
server is lost, or while nobody subscribes, is gone, and the lane sends it again. A message that is
longer than the server accepts is sent in parts, and arrives whole or not at all.
"""

import asyncio
import itertools
import logging
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

import msgspec

from taisai.server.lanes.nats_line import PORT, Greeting, Listener, NatsError, NatsLine, open_line
from taisai.server.lanes.transport import Receiver
from taisai.server.setting_checks import load_certificate

_log = logging.getLogger(__name__)

#: How long before a lost server is tried again, and how long it has to answer.
RETRY_SECONDS = 0.05
CONNECT_SECONDS = 1.0
#: How often a server is pinged, and how long it has to answer.
PING_SECONDS = 2.0
PING_ANSWER_SECONDS = 4.0
#: Bytes that may wait to be sent: beyond that, messages are dropped.
UNSENT_BYTES_MAX = 128 * 1024 * 1024
#: The first byte: the data is a whole message, a part of one, or its last part. Parts have the
#: number of their message and their own.
_WHOLE, _PART, _LAST = b"\0", b"\1", b"\2"
_PART_HEAD = 1 + 4 + 4

Take = Callable[[bytes], None]


@dataclass(frozen=True)
class NatsOptions:
    """Where NATS is, and how to log in there."""

    servers: tuple[str, ...]
    user: str | None = None
    password: str | None = None
    token: str | None = None
    #: Files: the authority for the servers' certificates, and our own certificate with its key.
    #: Without an authority, the system's are trusted.
    authority: Path | None = None
    certificate: Path | None = None
    key: Path | None = None

    def addresses(self) -> list[SplitResult]:
        """Read the servers' addresses; a fault in one is raised as a sentence."""
        return [_server(each) for each in self.servers]

    def tls(self) -> ssl.SSLContext | None:
        """Make the TLS context; None if nothing asks for TLS, and all servers have plain lines.

        It is for every server: no password goes to one of them in plain text.
        """
        asked = any(each.scheme == "tls" for each in self.addresses())
        if not asked and self.authority is None and self.certificate is None and self.key is None:
            return None
        try:
            context = ssl.create_default_context(cafile=self.authority)
        except (OSError, ValueError) as error:
            raise NatsError(
                f"nats: the authority {self.authority} cannot be used: {error}; it is a PEM file"
                " of certificates"
            ) from None
        load_certificate(context, self.certificate, self.key)
        return context


class Nats(Listener):
    """A process's connection to NATS, restored whenever it is lost."""

    def __init__(self, options: NatsOptions, name: str) -> None:
        self._greeting = Greeting(
            name, options.user, options.password, options.token, options.tls()
        )
        self._servers = options.addresses()
        self._line: NatsLine | None = None
        #: Subscriptions by number: the subject, and the function that takes its messages.
        self._subscribed: dict[int, tuple[str, Take]] = {}
        self._numbers = itertools.count(1)
        self._transports: dict[NatsTransport, int] = {}
        self._found, self._lost = asyncio.Event(), asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        #: The longest message that the server accepts.
        self.payload_max = 0
        #: How often it was connected again, and how many messages were dropped unsent.
        self.reconnections = 0
        self.unsent = 0

    @classmethod
    async def connect(cls, options: NatsOptions, name: str) -> "Nats":
        """Connect, under a name that shows in NATS' own figures."""
        made = cls(options, name)
        faults = [await made._try(server) for server in made._servers if made._line is None]
        if made._line is None:
            raise NatsError(f"NATS cannot be connected to at {'; '.join(map(str, faults))}")
        made._task = asyncio.get_running_loop().create_task(made._keep())
        return made

    @property
    def connected(self) -> bool:
        """Say whether a server is connected."""
        return self._line is not None

    async def carry(self, receiver: Receiver, takes: str, sends: str) -> "NatsTransport":
        """Carry one lane: receive on the subject `takes`, and send on the subject `sends`."""
        made = NatsTransport(self, receiver, sends)
        self._transports[made] = await self._subscribe(takes, made.take)
        receiver.connected(made)
        return made

    async def listen(self, subject: str, take: Take) -> None:
        """Take single messages on a subject; any may be lost, and unreadable ones are ignored."""

        def taken(data: bytes) -> None:
            try:
                take(data)
            except msgspec.DecodeError as error:
                _log.warning("NATS: by %s came what nobody says there: %s", subject, error)

        await self._subscribe(subject, taken)

    async def _subscribe(self, subject: str, take: Take) -> int:
        """Subscribe to a subject; once this returns, the server has the subscription."""
        number = next(self._numbers)
        self._subscribed[number] = subject, take
        if self._line is not None:
            self._line.subscribe(subject, number)
        while True:
            await self._found.wait()
            try:
                await self._line_there().sign_of_life()
            except NatsError:
                # The next line begins with all subscriptions.
                continue
            return number

    def _line_there(self) -> NatsLine:
        if self._line is None:
            raise NatsError("there is no server")
        return self._line

    async def close(self) -> None:
        """Send what waits, and close."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._transports.clear()
        self._subscribed.clear()
        line, self._line = self._line, None
        if line is not None:
            line.close()

    # --- finding a server ----------------------------------------------------------------------

    async def _keep(self) -> None:
        """Keep a server connected for as long as this process runs."""
        servers, said = itertools.cycle(self._servers), ""
        while True:
            try:
                if self._line is not None:
                    await self._watch(self._line)
                    said = ""
                elif (fault := await self._try(next(servers))) is None:
                    self._go_on()
                else:
                    # Tried twenty times a second: the same fault is logged once.
                    if str(fault) != said:
                        _log.warning("NATS: %s", fault)
                    said = str(fault)
                    await asyncio.sleep(RETRY_SECONDS)
            except Exception:  # noqa: BLE001 - logged: without this task NATS is lost for good
                _log.exception("NATS: a fault of ours")
                await asyncio.sleep(RETRY_SECONDS)

    async def _try(self, server: SplitResult) -> Exception | None:
        """Try one server; give the fault, if there is one."""
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                line = await open_line(server, self._greeting, self, self._subscribe_all)
        except (OSError, ssl.SSLError, NatsError) as error:
            return NatsError(f"{_shown(server)}: {str(error) or type(error).__name__}")
        self.payload_max = line.payload_max
        self._lost.clear()
        self._line = line
        self._found.set()
        return None

    def _subscribe_all(self, line: NatsLine) -> None:
        for number, (subject, _) in self._subscribed.items():
            line.subscribe(subject, number)

    async def _watch(self, line: NatsLine) -> None:
        """Wait until a line is lost; one that does not answer a ping is closed."""
        try:
            async with asyncio.timeout(PING_SECONDS):
                await self._lost.wait()
                return
        except TimeoutError:
            pass
        try:
            async with asyncio.timeout(PING_ANSWER_SECONDS):
                await line.sign_of_life()
        except TimeoutError:
            line.hang_up("it gives no sign of life")
            await self._lost.wait()
        except NatsError:
            await self._lost.wait()

    def _go_on(self) -> None:
        """Have every lane send again what is not acknowledged: any message may be lost."""
        self.reconnections += 1
        _log.info("NATS is found again")
        for transport in [*self._transports]:
            transport.found_again()

    def line_lost(self, line: NatsLine, why: str) -> None:
        """Look for another server: messages on their way are lost."""
        if line is self._line:
            _log.warning("NATS: %s", why)
            self._line = None
            self._found.clear()
            self._lost.set()

    # --- what its transports do ----------------------------------------------------------------

    def took(self, number: int, data: bytes) -> None:
        """Give a message to its subscriber; a fault of one subscriber harms no other."""
        found = self._subscribed.get(number)
        if found is None:
            return
        try:
            found[1](data)
        except Exception:  # noqa: BLE001 - logged: others have their messages all the same
            _log.exception("NATS: what came by %s: a fault of ours", found[0])

    def post(self, subject: str, data: bytes) -> None:
        """Publish a message; without a server, or if too much waits, it is dropped."""
        line = self._line
        if line is None or line.unsent_bytes > UNSENT_BYTES_MAX:
            self.unsent += 1
        else:
            line.publish(subject, data)

    def leave(self, transport: "NatsTransport") -> None:
        """Unsubscribe a transport."""
        number = self._transports.pop(transport, None)
        if number is not None:
            del self._subscribed[number]
            if self._line is not None:
                self._line.unsubscribe(number)


def _server(address: str) -> SplitResult:
    """Read an address, with or without its scheme."""
    whole = address if "://" in address else f"nats://{address}"
    with suppress(ValueError):
        found = urlsplit(whole)
        if found.scheme in ("nats", "tls") and found.hostname and found.port != 0:
            return found
    # What stands before the last @ may be a password.
    raise NatsError(
        f"nats: {address.rpartition('@')[2]!r} is no address of a NATS server; one is like"
        " nats://host:4222 or tls://host:4222"
    )


def _shown(server: SplitResult) -> str:
    """Show a server to people: without a user and a password."""
    return f"{server.hostname}:{server.port or PORT}"


class NatsTransport:
    """Carries one lane over NATS."""

    lossy = True

    def __init__(self, nats_: Nats, receiver: Receiver, sends: str) -> None:
        self._nats = nats_
        self._receiver = receiver
        self._sends = sends
        self._number = 0
        #: The parts received of a message, its number, and which part comes next.
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

    def take(self, data: bytes) -> None:
        """Take data from the subject: a message, or a part of one."""
        kind = data[:1]
        if kind == _WHOLE:
            self._receiver.received(data[1:])
        elif kind in (_PART, _LAST) and len(data) > _PART_HEAD:
            self._take_part(data, last=kind == _LAST)
        else:
            _log.warning("NATS: by a subject of a lane came what is no message of one")

    def _take_part(self, data: bytes, *, last: bool) -> None:
        """Join the parts of a message; if a part is missing, the message is lost."""
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
        """Have the lane go on after a lost connection."""
        self._receiver.connected(self)

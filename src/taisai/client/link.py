"""A connection to a venue: it says hello, watches, sends commands, and reconnects when lost.

Received messages go to callbacks. There is a task only while it reconnects, so that one process can
hold thousands of links. It does not interpret the messages.
"""

import asyncio
import contextlib
import itertools
import secrets
import time
from collections.abc import Callable, Sequence
from ssl import SSLContext
from typing import Literal

from msgspec import structs
from picows import WSCloseCode, WSError, WSFrame, WSListener, WSMsgType, WSTransport

from taisai.client.failures import Backoff, ClientError, NotConnected, NotWelcome
from taisai.client.unanswered import Question, Reply, Unanswered
from taisai.client.ways import Ways
from taisai.client.wire import (
    HANDSHAKE_SECONDS,
    LOG,
    Unread,
    left,
    open_socket,
    read_frame,
    write_message,
)
from taisai.protocol import FRAME_MAX, frames_of
from taisai.protocol import server_messages as t
from taisai.protocol.client_messages import ClientMessage, Hello, Unwatch, Watch

Sequenced = t.Public | t.Private | t.Staff | t.TableSnapshot | t.TerminalSnapshot


#: How a message fits the sequence that a client has.
Verdict = Literal["next", "old", "gap"]


class Channels:
    """The last sequence of each channel: the private one, and each table's public and staff ones.

    The public channel of a watched table is None before its first message. The staff channel is
    never sent again: it begins with the next message, whatever was before.
    """

    __slots__ = ("listening", "private", "public", "staff")

    def __init__(self) -> None:
        self.private: int | None = None
        self.public: dict[str, int | None] = {}
        self.staff: dict[str, int] = {}
        self.listening: set[str] = set()

    def take(self, message: Sequenced) -> Verdict:
        """Check a message, and advance to its sequence if it comes next."""
        verdict: Verdict = "next"
        match message:
            case t.Private():
                verdict = _judge(self.private, message)
            case t.TableSnapshot() | t.Public() if message.table not in self.public:
                # The message was already on its way when watching stopped.
                return "old"
            case t.Public():
                verdict = _judge(self.public[message.table], message)
            case t.Staff() if message.sequence <= self.staff.get(message.to, -1):
                return "old"
            case _:
                pass
        if verdict == "next":
            self._go_on(message)
        return verdict

    def _go_on(self, message: Sequenced) -> None:
        match message:
            case t.Private() | t.TerminalSnapshot():
                self.private = message.sequence
            case t.TableSnapshot() | t.Public():
                self.public[message.table] = message.sequence
            case t.Staff():
                self.staff[message.to] = message.sequence


def _judge(mine: int | None, message: t.Public | t.Private) -> Verdict:
    """Compare the client's sequence with the sequences before and after a message."""
    if mine is None or message.after > mine:
        return "gap"
    return "next" if message.sequence > mine else "old"


#: Close codes after which the link does not reconnect: a wrong message, a newer connection of the
#: same terminal, not let in, too much watched; and the code that a proxy sends in their place.
_FOR_GOOD = frozenset({4000, 4001, 4002, 4004, 1008})
#: A command without an answer for so long is sent again: a slow reader may have missed it.
RESEND_SECONDS = 3.0


def _nothing(_: object) -> None:
    """Do nothing."""


class Link(WSListener):
    """One client's connection to a venue, over one socket after another.

    `received` is called with every new message; `given_up` once, when the link will not reconnect.
    """

    def __init__(
        self,
        address: str | Sequence[str],
        hello: Hello,
        *,
        backoff: Backoff | None = None,
        trust: SSLContext | None = None,
        lean: bool = False,
        skipping: tuple[type[t.ServerMessage], ...] = (),
    ) -> None:
        """Prepare to connect.

        A lean link has small buffers and no heartbeat; messages of the skipped types are not even
        decoded when they come alone.
        """
        self._ways = Ways([address] if isinstance(address, str) else address)
        self.received: Callable[[t.ServerMessage], None] = _nothing
        self.given_up: Callable[[ClientError], None] = _nothing
        self.welcome: t.Welcome | None = None
        self.reconnections = 0
        #: The newest checkpoint that the venue ever sent; the client keeps it and sends it back.
        self.checkpoint = hello.checkpoint
        #: Whether the venue's journal ends before that checkpoint: it has lost events.
        self.behind = False
        self._hello = hello
        self._backoff = backoff or Backoff()
        self._trust = trust
        self._lean = lean
        self._skipped = skipping
        self._skipping = tuple(f'{{"type":"{each.__name__}"'.encode() for each in skipping)
        self._channels = Channels()
        self._asked = Unanswered(self._send_line)
        self._catching_up: set[str] = set()
        self._parts: list[bytes] = []
        self._transport: WSTransport | None = None
        self._welcomed: asyncio.Future[None] | None = None
        self._coming_back: asyncio.Task[None] | None = None
        self._fault: t.Fault | None = None
        self._for_good = False
        self._resending: asyncio.TimerHandle | None = None
        self._closing = False
        self._attempt = 0
        #: The venue's time as last sent, and the local monotonic time at that moment.
        self._clock = (0, 0.0)
        self._mark = secrets.token_hex(4)
        self._numbers = itertools.count(1)

    # --- what its owner does ---------------------------------------------------------------------

    @property
    def url(self) -> str:
        """The address of the open socket, or of the next attempt."""
        return self._ways.url

    @property
    def connected(self) -> bool:
        """Say whether the venue has welcomed the client and the socket is open."""
        return self._transport is not None and self._welcomed is None

    @property
    def sequence(self) -> int | None:
        """The last sequence of the terminal's private channel."""
        return self._channels.private

    @property
    def unanswered(self) -> int:
        """The number of unanswered commands."""
        return len(self._asked)

    def venue_time(self) -> int:
        """The venue's time in milliseconds, as far as it is known."""
        sent, then = self._clock
        return sent + int((time.monotonic() - then) * 1000)

    def new_id(self) -> str:
        """Make an id: the venue's time, and a random text [D15]."""
        return f"{self.venue_time()}-{self._mark}{next(self._numbers):x}"

    async def open(self) -> None:
        """Connect to any of the addresses and wait for the welcome, or raise why not."""
        for _ in self._ways.urls[1:]:
            try:
                return await self._reach()
            except NotConnected:
                self._ways.turn()
        return await self._reach()

    def watch(self, table: str) -> None:
        """Watch a table from now on, also after reconnecting."""
        self._channels.public[table] = None
        self.send(Watch(table))

    def listen(self, to: str) -> None:
        """Receive the staff channel of the cage or of the venue, also after reconnecting."""
        self._channels.listening.add(to)
        self.send(Watch(to))

    def unwatch(self, table: str) -> None:
        """Stop watching a table."""
        self._channels.public.pop(table, None)
        self._channels.staff.pop(table, None)
        self.send(Unwatch(table))

    def ask(self, question: Question, reply: Reply) -> None:
        """Send a command, again and again if need be, until there is an answer for `reply`."""
        if self._closing:
            raise NotConnected(f"the connection to {self.url} is closed")
        line = self._asked.add(question, reply)
        if self.connected:
            self._send_line(line)
        if self._resending is None:
            self._resend_later()

    def forget(self, id_: str) -> None:
        """Stop waiting for an answer; the command may have been registered or not."""
        self._asked.forget(id_)

    def send(self, message: ClientMessage) -> None:
        """Send a message once; it is lost with the connection."""
        if self.connected:
            self._send_line(write_message(message))

    async def close(self) -> None:
        """Close the connection properly; commands without an answer will get none."""
        self._closing = True
        if self._coming_back is not None:
            self._coming_back.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._coming_back
        transport = self._transport
        if transport is not None:
            transport.send_close(WSCloseCode.OK)
            transport.disconnect()
            with contextlib.suppress(WSError):
                await left(transport)
        self._asked.fail(NotConnected("the connection was closed before an answer came"))
        if self._resending is not None:
            self._resending.cancel()

    def drop(self) -> None:
        """Cut the connection without a close, as a pulled plug would; the link then reconnects."""
        if self._transport is not None:
            self._transport.disconnect(graceful=False)

    # --- what the socket calls -------------------------------------------------------------------

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Say hello, with the last sequence of the private channel."""
        self._transport = transport
        self._parts = []
        said = structs.replace(
            self._hello, after=self._channels.private, checkpoint=self.checkpoint
        )
        self._send_line(write_message(said))

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.CLOSE:
            self._for_good = int.from_bytes(frame.get_payload_as_bytes()[:2], "big") in _FOR_GOOD
            transport.send_close(WSCloseCode.OK)
            transport.disconnect()
        elif frame.msg_type in (WSMsgType.TEXT, WSMsgType.CONTINUATION):
            self._take(transport, frame.get_payload_as_bytes(), last=frame.fin)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """Reconnect, unless this side closed the connection."""
        if transport is not self._transport:
            return
        self._transport = None
        if self._welcomed is not None:
            if not self._welcomed.done():
                self._welcomed.set_exception(self._why())
        elif not self._closing:
            self._coming_back = asyncio.get_running_loop().create_task(self._come_back(transport))

    def pause_writing(self) -> None:
        """Go on writing: unanswered commands are limited, and so is unsent data."""

    def resume_writing(self) -> None:
        """Go on."""

    # --- reading ---------------------------------------------------------------------------------

    def _take(self, transport: WSTransport, payload: bytes, *, last: bool) -> None:
        if self._parts or not last:
            payload = self._gather(payload, last=last)
            if not payload:
                return
        if self._skipping and payload.startswith(self._skipping) and b"\n" not in payload:
            return
        try:
            messages = read_frame(payload)
        except ClientError as error:
            LOG.warning("%s", error)
            transport.disconnect(graceful=False)
            return
        for message in messages:
            if isinstance(message, Unread):
                self._look_anew(message)
            elif not isinstance(message, self._skipped):
                self._receive(message)

    def _gather(self, payload: bytes, *, last: bool) -> bytes:
        """Join a message's fragments; empty until the last one has come."""
        self._parts.append(payload)
        whole = b"".join(self._parts) if last else b""
        if last or sum(map(len, self._parts)) > FRAME_MAX:
            self._parts = []
        return whole

    def _look_anew(self, unread: Unread) -> None:
        """Begin a channel again with a snapshot, since one of its messages could not be read."""
        if unread.type == "Private":
            self._channels.private = None
            self.drop()
        elif unread.type == "Public" and unread.table in self._channels.public:
            self.send(Watch(unread.table))

    def _receive(self, message: t.ServerMessage) -> None:
        match message:
            case t.Registered() | t.Refused() | t.Done():
                self._asked.answer(message)
            case t.Private(id=str(id_)):
                # A message about the client's own bets is also the answer to them.
                version = message.sequence
                self._asked.answer(t.Registered(id_, message.table, version, version, message.at))
                if not self._in_sequence(message):
                    return
            case t.Public() | t.Private() | t.Staff() | t.TableSnapshot() | t.TerminalSnapshot():
                if not self._in_sequence(message):
                    return
            case t.Welcome():
                self._come_in(message)
            case t.Pong():
                self._clock = (message.at, time.monotonic())
                self.checkpoint = max(message.checkpoint, self.checkpoint or 0)
            case t.Suspended(suspended=False):
                self._asked.hurry()
            case t.Fault():
                self._fault = message
            case _:
                pass
        self.received(message)

    def _in_sequence(self, message: Sequenced) -> bool:
        """Accept a message that comes next; after a gap, request the missed ones once."""
        verdict = self._channels.take(message)
        if verdict == "gap":
            self._catch_up(message)
        elif verdict == "next" and self._catching_up:
            self._catching_up.discard(_table_of(message))
        return verdict == "next"

    def _catch_up(self, message: Sequenced) -> None:
        if isinstance(message, t.Private):
            # The private channel is resumed by another hello.
            self.drop()
            return
        table = _table_of(message)
        if table not in self._catching_up:
            self._catching_up.add(table)
            self.send(Watch(table, self._channels.public[table]))

    def _come_in(self, welcome: t.Welcome) -> None:
        self.welcome = welcome
        self.behind = welcome.checkpoint < (self.checkpoint or 0)
        if self.behind:
            LOG.error(
                "the venue ends with checkpoint %d, and has told of checkpoint %d before",
                welcome.checkpoint,
                self.checkpoint,
            )
        self.checkpoint = max(welcome.checkpoint, self.checkpoint or 0)
        self._ways.told(welcome.gateways)
        self._clock = (welcome.at, time.monotonic())
        self._catching_up.clear()
        self._fault = None
        if self._welcomed is not None and not self._welcomed.done():
            self._welcomed.set_result(None)
        self._welcomed = None
        watched = [Watch(each, after) for each, after in self._channels.public.items()]
        watched += [Watch(each) for each in self._channels.listening]
        watching = map(write_message, watched)
        for frame in frames_of([*watching, *self._asked.lines()]):
            self._send_line(frame)

    # --- sending ---------------------------------------------------------------------------------

    def _send_line(self, line: bytes) -> None:
        if self._transport is not None:
            self._transport.send(WSMsgType.TEXT, line)

    def _resend_later(self) -> None:
        loop = asyncio.get_running_loop()
        self._resending = loop.call_later(RESEND_SECONDS, self._resend)

    def _resend(self) -> None:
        """Send again what has waited since the last time, as long as there is something."""
        self._resending = None
        if not self._asked:
            return
        if self.connected:
            for frame in frames_of(self._asked.overdue()):
                self._send_line(frame)
        self._resend_later()

    # --- connecting ------------------------------------------------------------------------------

    async def _reach(self) -> None:
        """Open a socket and wait for the welcome."""
        welcomed = self._welcomed = asyncio.get_running_loop().create_future()
        self._fault, self._for_good = None, False
        transport = await open_socket(self, self.url, self._trust, lean=self._lean)
        if transport.is_disconnected and not welcomed.done():
            raise self._why()
        try:
            async with asyncio.timeout(HANDSHAKE_SECONDS):
                await welcomed
        except TimeoutError:
            self._transport = None
            transport.disconnect(graceful=False)
            raise NotConnected(f"{self.url} took the connection and says nothing") from None

    def _why(self) -> ClientError:
        """Find why a connection ended; the venue sends a fault message before it closes."""
        fault = self._fault
        if self._for_good:
            fault = fault or t.Fault("CLOSED", f"{self.url} closed the connection for good")
            return NotWelcome(fault.code, fault.sentence)
        return NotConnected(fault.sentence if fault else f"the connection to {self.url} was lost")

    async def _come_back(self, lost: WSTransport) -> None:
        with contextlib.suppress(WSError):
            await lost.wait_disconnected()
        if time.monotonic() - self._clock[1] >= self._backoff.good_seconds:
            self._attempt = 0
        trouble = self._why()
        while self._attempt < self._backoff.attempts and not isinstance(trouble, NotWelcome):
            delay = self._backoff.delay(self._attempt)
            self._attempt += 1
            self._ways.turn()
            await asyncio.sleep(delay)
            try:
                await self._reach()
            except ClientError as error:
                trouble = error
            else:
                self.reconnections += 1
                return
        self._closing = True
        self._asked.fail(trouble)
        self.given_up(trouble)


def _table_of(message: object) -> str:
    match message:
        case t.TableSnapshot() | t.Public():
            return message.table
        case t.Staff():
            return message.to
        case _:
            return ""

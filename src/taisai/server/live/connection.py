"""One socket: it receives frames, sends messages, and knows which client it is connected to.

It knows no table: it hands each message to its owner, the hub or gateway. Messages to be sent wait
for the connection's turn, and then go out together in one frame.
"""

from collections.abc import Callable
from functools import partial
from typing import Literal, Protocol

import msgspec
from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport

from taisai.core.kernel.messages import Actor
from taisai.protocol import FRAME_MAX, MESSAGES_MAX, frames_of
from taisai.protocol.client_messages import Ask, ClientMessage, Language
from taisai.protocol.server_messages import Fault
from taisai.runtime.writer import Writer
from taisai.server.accounts.limiting import Bucket
from taisai.server.door.door import Door
from taisai.server.door.guests import Guest
from taisai.server.strictly import twice_in

#: Close codes of the protocol, described in docs/protocol.md.
BAD_MESSAGE, REPLACED, NOT_LET_IN, TOO_SLOW, TOO_MANY = 4000, 4001, 4002, 4003, 4004
#: There is no room, or the client asked too much; it may try again later (RFC 6455).
TRY_LATER = 1013
#: Messages that may wait for their turn; a client further behind gets a snapshot instead.
WAITING_MAX = 1_000
#: Slow requests that one connection may have under way, such as checking a PIN.
SLOW_ASKS_MAX = 4

#: A frame costs one token for each so many bytes, besides one for each message.
CHARGED_BYTES = 1_024
#: Messages refused as too fast within so many seconds; beyond that the connection is closed.
REFUSED_MAX = 200
REFUSED_SECONDS = 4.0
#: The longest frame of a stranger, who has not proved who they are, and how many may wait: a lobby
#: says hello and watches a hundred tables at once.
STRANGE_FRAME_MAX = 4_096
STRANGE_FRAMES_MAX = 128

NOWHERE, ALONG, LATER, NEXT = 0, 1, 2, 3

#: The payload of the ping to a connection that was replaced.
_STILL_THERE = b"still there?"

#: Looking it up in its class costs as much as writing a message.
_TEXT = WSMsgType.TEXT

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(ClientMessage).decode


def is_too_long(message: bytes) -> bool:
    """Say whether a message is longer than a frame may be."""
    return len(message) > FRAME_MAX


class Owner(Protocol):
    """What a connection needs of the hub or gateway that owns it."""

    faults: int
    frames_out: int
    time: Callable[[], float]
    door: Door

    def connected(self, connection: "Connection") -> None:
        """Add a connection."""

    def disconnected(self, connection: "Connection") -> None:
        """Remove a connection."""

    def ask(self, connection: "Connection", message: Ask, written: bytes) -> None:
        """Take a command; `written` is our own encoding of it, in which no key occurs twice."""

    def receive(self, connection: "Connection", message: ClientMessage) -> None:
        """Take any other message."""

    def next(self, connection: "Connection") -> None:
        """Give a connection the next turn to send."""

    def later(self, connection: "Connection") -> None:
        """Give a connection a turn after those who wait already."""

    def along(self, connection: "Connection") -> None:
        """Give a connection a turn soon, unless it gets another one first."""

    def slowed(self, connection: "Connection") -> None:
        """Note that a connection does not read as fast as it is sent to."""

    def catch_up(self, connection: "Connection") -> None:
        """Send snapshots to a connection that missed something."""


class Crowd(Protocol):
    """The connections at one gateway that watch a table in one language, sent to as one."""

    language: str
    members: dict["Connection", None]

    def add(self, connection: "Connection") -> None:
        """Add a connection to the crowd."""

    def remove(self, connection: "Connection") -> None:
        """Remove a connection from the crowd."""

    def send_later(self, data: bytes) -> None:
        """Send a message to the whole crowd."""

    def send_along(self, data: bytes) -> None:
        """Send a message that may wait to the whole crowd."""


class Connection(WSListener):
    """A terminal, a person of the staff, or a visitor, connected."""

    #: A result is sent through thousands of these, an eighth faster with slots than without.
    __slots__ = (
        *("_frames", "_line", "_owner", "_parts", "_refused", "_refused_since"),
        *("_replaced", "_waiting"),
        *("actor", "answered", "behind", "bucket", "cookie", "ended_at", "guest", "language"),
        *("paused_at", "queued", "received_at", "session", "slow_asks", "strange", "to"),
        *("transport", "watching", "writer"),
    )

    def __init__(self, owner: Owner, bucket: Bucket, cookie: str | None, guest: Guest) -> None:
        self._owner = owner
        self._waiting: list[bytes] = []
        self._parts: list[bytes] = []
        self.bucket = bucket
        self.cookie = cookie
        self.guest = guest
        #: Whether it has yet to prove who it is; what it sends waits for its turn until then.
        self.strange = True
        self._frames = 0
        self._refused = 0
        self._refused_since = 0.0
        self.transport: WSTransport | None = None
        #: The socket itself until it is closed, even when nothing is sent on it any more.
        self._line: WSTransport | None = None
        self.ended_at: float | None = None
        #: Called if this connection, which another has replaced, proves to be still alive.
        self._replaced: Callable[[], None] | None = None
        self.actor: Actor | Literal["visitor"] | None = None
        #: The table that a terminal is bound to, and its writer; staff are bound to none.
        self.to: str | None = None
        self.writer: Writer | None = None
        self.session: str | None = None
        #: The version up to which the terminal's private messages have answered its bets.
        self.answered = 0
        self.language: Language = "en"
        self.watching: set[str] = set()
        self.received_at = 0.0
        self.queued = NOWHERE
        #: Since when the client has read nothing; what it misses it needs in a snapshot.
        self.paused_at: float | None = None
        self.behind = False
        self.slow_asks = 0

    def __repr__(self) -> str:
        """Name the client; its key or session is never shown."""
        return f"Connection({self.actor!r})"

    @property
    def welcomed(self) -> bool:
        """Say whether it has had its Welcome from an earlier office."""
        return False

    @property
    def there(self) -> bool:
        """Say whether anything can still be sent."""
        return self.transport is not None

    def crowd(self, table: str) -> Crowd | None:  # noqa: ARG002 - somebody else's may need it
        """Give the crowd that it watches a table in; a socket of this process is in none."""
        return None

    # --- what comes in -----------------------------------------------------------------------

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = self._line = transport
        self._owner.connected(self)

    def on_ws_disconnected(self, transport: WSTransport) -> None:  # noqa: ARG002 - given by picows
        self.transport = self._line = None
        self._waiting.clear()
        self._owner.disconnected(self)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:  # noqa: ARG002 - picows'
        if self.transport is None:
            # Frames that arrive with the close or after it are not read.
            if self._replaced is not None:
                self._after_replaced(frame.msg_type, frame.get_payload_as_bytes())
            return
        if self.strange:
            self._wait(frame.msg_type, frame.fin, frame.get_payload_as_bytes())
            return
        self.received_at = self._owner.time()
        kind, data = frame.msg_type, frame.get_payload_as_bytes()
        if kind is _TEXT and frame.fin and not self._parts and len(data) <= CHARGED_BYTES:
            # Almost every frame is one short message.
            self._receive(data)
        elif self._charge(kind, data):
            self._take(kind, frame.fin, data)

    def _wait(self, kind: WSMsgType, fin: bool, data: bytes) -> None:
        """Queue a stranger's frame for its turn, up to a limit."""
        if self.actor is not None:
            self.received_at = self._owner.time()
        if len(data) > STRANGE_FRAME_MAX:
            sentence = (
                f"Before it is known who this is, a frame has {STRANGE_FRAME_MAX} bytes at most."
            )
            self.refuse("TOO_LONG", sentence)
        elif self._charge(kind, data, 1):
            turns = self._owner.door.turns
            work = partial(self._in_turn, kind, fin, data)
            if self._frames >= STRANGE_FRAMES_MAX or not turns.add(self.guest, work, len(data)):
                self.cut_off()
            else:
                self._frames += 1

    def _in_turn(self, kind: WSMsgType, fin: bool, data: bytes) -> None:
        """Take a frame that waited; once the client is known and none wait, frames wait no more."""
        self._frames -= 1
        if self.transport is not None:
            self._take(kind, fin, data)
        if not self._frames and type(self.actor) is Actor:
            self.strange = False

    def _charge(self, kind: WSMsgType, data: bytes, frame: int = 0) -> bool:
        """Charge a frame by its length; a stranger's, and one without text, cost one more each."""
        cost = frame + len(data) // CHARGED_BYTES + (kind is not _TEXT)
        if cost and not self.bucket.charge(self._owner.time(), cost):
            self.cut_off()
            return False
        return True

    def _take(self, kind: WSMsgType, fin: bool, data: bytes) -> None:
        if kind is _TEXT and fin and not self._parts:
            self._receive(data)
        elif kind is WSMsgType.CLOSE and self.transport is not None:
            # Answering "no status" with a status that browsers know.
            self._close(self.transport, WSCloseCode.OK)
        elif kind in (WSMsgType.TEXT, WSMsgType.CONTINUATION):
            self._part(kind, fin, data)
        elif kind is WSMsgType.PING and self.transport is not None:
            self.transport.send_pong(data)
        elif kind is WSMsgType.BINARY:
            self.refuse("NOT_TEXT", "A message is JSON in a text frame, not a binary one.")

    def _part(self, kind: WSMsgType, fin: bool, data: bytes) -> None:
        """Join a message that comes in parts; the limit on its length is the same."""
        if (kind is WSMsgType.TEXT) == bool(self._parts):
            self.refuse("BAD_FRAME", "A part of a message came without its beginning.")
            return
        self._parts.append(data)
        if sum(map(len, self._parts)) > FRAME_MAX or len(self._parts) > MESSAGES_MAX:
            self.refuse("TOO_LONG", f"A message may be {FRAME_MAX} bytes long at most.")
        elif fin:
            whole, self._parts = b"".join(self._parts), []
            self._receive(whole)

    def _receive(self, data: bytes) -> None:
        try:
            message = _decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            # Several messages, or none: almost every frame is one.
            self._receive_lines(data, error)
            return
        self._received(message, data)

    def _receive_lines(self, data: bytes, error: Exception) -> None:
        lines = data.splitlines()
        if len(lines) < 2 and not data.isspace():
            self._not_understood(error)
        elif len(lines) > MESSAGES_MAX:
            self.refuse("TOO_MANY", f"A frame may hold {MESSAGES_MAX} messages at most.")
        else:
            for line in lines:
                if self.transport is not None:
                    self._receive_line(line)

    def _receive_line(self, line: bytes) -> None:
        if not line.strip():
            # An empty line costs as much as a message.
            if not self.bucket.take(self._owner.time()):
                self.cut_off()
            return
        try:
            message = _decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self._not_understood(error)
            return
        self._received(message, line)

    def _not_understood(self, error: Exception) -> None:
        why = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else error
        self.refuse("NOT_UNDERSTOOD", f"That is no message of the protocol: {why}.")

    def _received(self, message: ClientMessage, data: bytes) -> None:
        written = _encode(message)
        if written != data and twice_in(data) is not None:
            # Almost every message is as our own encoding has it, with no key twice.
            self.refuse("NOT_UNDERSTOOD", "That is no message of the protocol: it has a key twice.")
        elif type(message) is Ask:
            self._owner.ask(self, message, written)
        else:
            self._owner.receive(self, message)

    # --- what goes out -----------------------------------------------------------------------

    def send_now(self, data: bytes) -> None:
        """Queue a message that the client waits for: it goes out before broadcasts."""
        if self.transport is None or self.paused_at is not None:
            self.behind = True
            return
        self._waiting.append(data)
        if self.queued != NEXT:
            self.queued = NEXT
            self._owner.next(self)

    def send_at_once(self, data: bytes) -> None:
        """Send a message that the client waits for: at once, if no other message waits."""
        transport = self.transport
        if transport is None or self._waiting or self.paused_at is not None:
            self.send_now(data)
        else:
            self._owner.frames_out += 1
            transport.send(_TEXT, data)

    def send_later(self, data: bytes) -> None:
        """Queue a broadcast: it goes out when the connection's turn comes."""
        if self.transport is None or self.paused_at is not None or len(self._waiting) > WAITING_MAX:
            self.behind = True
            return
        self._waiting.append(data)
        if self.queued < LATER:
            self.queued = LATER
            self._owner.later(self)

    def send_along(self, data: bytes) -> None:
        """Queue a message that may wait: it goes out with the next one, or soon by itself."""
        if self.transport is None or self.paused_at is not None or len(self._waiting) > WAITING_MAX:
            self.behind = True
            return
        self._waiting.append(data)
        if self.queued == NOWHERE:
            self.queued = ALONG
            self._owner.along(self)

    def send(self, message: msgspec.Struct) -> None:
        """Encode and queue a message for this connection alone."""
        self.send_now(_encode(message))

    def flush(self) -> int:
        """Send all queued messages in as few frames as possible; give their number."""
        waiting, transport = self._waiting, self.transport
        self.queued = NOWHERE
        if not waiting or transport is None:
            return 0
        frames = (waiting[0],) if len(waiting) == 1 else frames_of(waiting)
        waiting.clear()
        for frame in frames:
            transport.send(_TEXT, frame)
        if self.behind and self.paused_at is None:
            # More came at once than may wait: it was not slow, and nothing else resumes it.
            self.resume_writing()
        return len(frames)

    def pause_writing(self) -> None:
        """Stop sending: a client that reads too slowly delays no other, and gets a snapshot."""
        self.paused_at = self._owner.time()
        self._owner.slowed(self)

    def resume_writing(self) -> None:
        """Resume sending, from a snapshot if messages were missed."""
        self.paused_at = None
        if self.behind:
            self.behind = False
            self._owner.catch_up(self)

    def refuse(self, code: str, sentence: str) -> None:
        """Send a fault and close: nothing after an unreadable message could be trusted."""
        self._owner.faults += 1
        self.end(BAD_MESSAGE, code, sentence)

    def too_often(self) -> bool:
        """Count a message that came too fast; say whether there are too many of them."""
        now = self._owner.time()
        if now - self._refused_since > REFUSED_SECONDS:
            self._refused, self._refused_since = 0, now
        self._refused += 1
        return self._refused > REFUSED_MAX

    def cut_off(self) -> None:
        """Close: far more was sent than one connection may send."""
        self._owner.door.refused("TOO_FAST", self.guest.place)
        sentence = "Far more was sent than one connection may send; come back and send less."
        self.end(TRY_LATER, "TOO_FAST", sentence)

    def end(self, close_code: int, code: str, sentence: str) -> None:
        """Send the reason, and close."""
        transport = self.transport
        if transport is None:
            return
        transport.send(WSMsgType.TEXT, _encode(Fault(code, sentence[:500])))
        self._close(transport, close_code, code.encode())

    def replace(self, still_there: Callable[[], None]) -> None:
        """Give way to a newer connection with the same key, and find out if this one is alive.

        A client that has left, or is leaving, answers no ping: an ordinary reconnection is not
        counted as a second connection.
        """
        transport = self.transport
        if transport is None:
            return
        transport.send_ping(_STILL_THERE)
        sentence = "This terminal has been connected from somewhere else."
        transport.send(WSMsgType.TEXT, _encode(Fault("REPLACED", sentence)))
        transport.send_close(REPLACED, b"REPLACED")  # type: ignore[arg-type]
        self._replaced = still_there
        self._end()

    def _after_replaced(self, kind: WSMsgType, data: bytes) -> None:
        """Take the answer of a replaced connection: a pong if it is alive, or a close."""
        still_there, line = self._replaced, self._line
        lives = kind is WSMsgType.PONG and data == _STILL_THERE
        if still_there is None or line is None or not (lives or kind is WSMsgType.CLOSE):
            return
        self._replaced = None
        line.disconnect()
        if lives:
            still_there()

    def _close(
        self, transport: WSTransport, close_code: int | WSCloseCode, why: bytes = b""
    ) -> None:
        """Close once the client has read everything; from here on nothing is sent or received."""
        self._end()
        transport.send_close(close_code, why)  # type: ignore[arg-type]
        transport.disconnect()

    def _end(self) -> None:
        self.transport = None
        self.ended_at = self._owner.time()
        self._waiting.clear()

    def cut(self) -> None:
        """Close at once: what the client has not read is lost."""
        if self._line is not None:
            self._line.disconnect(graceful=False)

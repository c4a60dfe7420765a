"""A gateway holds the sockets of clients for a venue, and knows nothing of the game.

It checks each message of a client as a venue of one process does: its form, how much is sent and
how fast. Messages that pass go to the venue over the lane; the venue's messages go out in turns.
A gateway has no keys and stores nothing: if it fails, its clients reconnect through another.
"""

import itertools
import logging
from collections import Counter
from collections.abc import Callable
from functools import partial

import msgspec

from taisai.core.kernel.messages import Actor
from taisai.core.rules.reason import Refusal, refuse
from taisai.protocol.client_messages import Ask, ClientMessage, Hello
from taisai.runtime.answers import AGAIN
from taisai.server.accounts.limiting import Bucket
from taisai.server.door.guests import Guest
from taisai.server.gateways import entries as e
from taisai.server.gateways.tunnels import TunnelRequests
from taisai.server.lanes.lane import Entry, Lane
from taisai.server.live import answers
from taisai.server.live.answers import turn_away
from taisai.server.live.connection import TRY_LATER, Connection
from taisai.server.live.sockets import Sockets
from taisai.server.settings import Settings

#: How often the counts are sent.
COUNTED_SECONDS = 1.0
BUSY = "The venue has more to do than it can take; come back in a moment."

_log = logging.getLogger(__name__)
_encode = msgspec.json.Encoder().encode
#: Looking them up in their module costs as much as passing a message on.
_NEWS, _ALONG, _NOW, _LATER, _PIECE = e.NEWS, e.ALONG, e.NOW, e.LATER, e.PIECE
#: How the answers to commands begin, except for a terminal's private messages.
_ANSWERS = (b'{"type":"Registered","id":"', b'{"type":"Refused","id":"')


#: Commands that are not answered yet, by id: the stream they are for, and the message.
Pending = dict[bytes, tuple[str, bytes]]


class GatewayConnection(Connection):
    """One socket of a gateway."""

    __slots__ = ("awaited", "crowds", "desks", "halted", "number", "opened", "pending")

    def __init__(
        self, gateway: "Gateway", bucket: Bucket, cookie: str | None, guest: Guest, number: int
    ) -> None:
        super().__init__(gateway, bucket, cookie, guest)
        self.number = number
        #: Whether the venue knows of it; the desks that do, and for which tables; its crowds.
        self.opened = False
        self.desks: dict[Desk, set[str]] = {}
        self.crowds: set[tuple[Desk, int]] = set()
        #: Commands that are not answered yet, by id: they may have to be sent to another node.
        self.pending: Pending = {}
        #: Whether it reads too slowly now; how often each desk was asked for what it missed.
        self.halted = False
        self.awaited: dict[Desk, int] = {}

    def pause_writing(self) -> None:
        self.halted = True
        super().pause_writing()

    def resume_writing(self) -> None:
        self.halted = False
        super().resume_writing()

    def known(self, actor: Actor) -> None:
        """Note that the client has proved who it is: its messages no longer wait for a turn."""
        self.actor = actor
        if not self._frames:
            self.strange = False


class Desk:
    """A process that a gateway is connected to: its lane, and the crowds that it sends to."""

    def __init__(self, gateway: "Gateway", lane: Lane) -> None:
        self.lane = lane
        self._gateway = gateway
        self._crowds: dict[int, dict[GatewayConnection, None]] = {}

    def forget(self, connection: GatewayConnection) -> None:
        """Forget a connection."""
        for each in [each for each in connection.crowds if each[0] is self]:
            connection.crowds.discard(each)
            self._crowds[each[1]].pop(connection, None)
        connection.desks.pop(self, None)
        if connection.awaited.pop(self, 0):
            _goes_on(connection)

    def behind(self, connection: GatewayConnection) -> None:
        """Ask for all that a connection missed."""
        connection.awaited[self] = connection.awaited.get(self, 0) + 1
        self.lane.put(e.BEHIND, connection.number)

    def take(self, entries: list[Entry]) -> None:
        """Process the entries, in order; a fault of ours costs one connection, no other."""
        by_number = self._gateway.by_number
        for kind, number, data in entries:
            if kind == _NEWS or kind == _ALONG:  # noqa: PLR1714, SIM109 - half of the time of `in`
                self._pass_on(kind, number, data)
                continue
            if kind >= _PIECE:
                self._gateway.requests.take(kind, number, data)
                continue
            connection = by_number.get(number)
            if connection is None or self not in connection.desks:
                if kind == e.STOPS:
                    self._gateway.stop()
                continue
            try:
                if kind == _NOW:
                    if connection.pending:
                        note_answered(connection.pending, data)
                    connection.send_at_once(data)
                elif kind == _LATER:
                    connection.send_later(data)
                else:
                    self._concerns(kind, connection, data)
            except Exception:  # noqa: BLE001 - logged, and nobody else is held up
                _log.exception("what concerns %r could not be done", connection)
                connection.cut()

    def _pass_on(self, kind: int, number: int, data: bytes) -> None:
        """Send a message to a whole crowd."""
        if kind == _NEWS:
            for each in self._crowds.get(number, ()):
                each.send_later(data)
        else:
            for each in self._crowds.get(number, ()):
                each.send_along(data)

    def _concerns(self, kind: int, connection: GatewayConnection, data: bytes) -> None:
        """Process an entry about one connection that is no message for its client."""
        if kind == e.JOINS:
            crowd = e.read_number(data)
            connection.crowds.add((self, crowd))
            self._crowds.setdefault(crowd, {})[connection] = None
        elif kind == e.LEAVES:
            crowd = e.read_number(data)
            connection.crowds.discard((self, crowd))
            self._crowds.get(crowd, {}).pop(connection, None)
        elif kind == e.KNOWN:
            self._gateway.know(connection, e.read_known(data))
        elif kind == e.CAUGHT_UP:
            awaited = connection.awaited.pop(self, 0) - 1
            if awaited > 0:
                connection.awaited[self] = awaited
            elif not awaited:
                # Below zero: it was asked for before the connection was last forgotten here.
                _goes_on(connection)
        elif kind == e.ENDED:
            ended = e.read_ended(data)
            connection.end(ended.close_code, ended.code, ended.sentence)
        elif kind == e.REPLACED:
            connection.replace(partial(self.lane.put, e.STILL_THERE, connection.number))
        else:
            assert kind == e.CUT, "there are no other kinds"
            connection.cut()


def _goes_on(connection: GatewayConnection) -> None:
    """Send to a connection again, once every desk sends it all that it missed."""
    if not connection.awaited and not connection.halted:
        connection.paused_at, connection.behind = None, False


def note_answered(pending: Pending, data: bytes) -> None:
    """Forget a pending command if this message is its answer.

    Almost always it is a terminal's private message, whose last field is the id. If another message
    ends with an id, its client has chosen the id so, and no other client is concerned.
    """
    if pending.pop(data[data.rfind(b'"', 0, -2) + 1 : -2], None) is not None:
        return
    for beginning in _ANSWERS:
        if data.startswith(beginning):
            id_ = data[len(beginning) : data.index(b'"', len(beginning))]
            pending.pop(id_, None)
            return


class Gateway(Sockets):
    """All connections of one gateway."""

    def __init__(self, settings: Settings, lane: Lane, stop: Callable[[], None]) -> None:
        super().__init__(settings)
        self._lane = lane
        self._desk = Desk(self, lane)
        self.take = self._desk.take
        self.stop = stop
        self._numbers = itertools.count(1)
        self.by_number: dict[int, GatewayConnection] = {}
        #: HTTP requests that are sent over lanes, as in a cluster.
        self.requests = TunnelRequests()
        self._refusals: Counter[str] = Counter()
        self._turned_away: Counter[str] = Counter()

    # --- sockets -----------------------------------------------------------------------------

    def socket(self, cookie: str | None, guest: Guest) -> Connection:
        """Make the connection of a new socket."""
        return GatewayConnection(self, self.bucket(), cookie, guest, next(self._numbers))

    def disconnected(self, connection: Connection) -> None:
        """Remove a connection, and tell the venue if it knew of it."""
        assert isinstance(connection, GatewayConnection), "all of a gateway's are"
        self.everybody.pop(connection, None)
        self.by_number.pop(connection.number, None)
        for desk in [*connection.desks]:
            desk.forget(connection)
            desk.lane.put(e.GONE, connection.number)

    def ask(self, connection: Connection, message: Ask, written: bytes) -> None:
        """Hand a command to the venue, unless it comes too fast or the lane is full."""
        if not connection.bucket.take(connection.received_at):
            self._too_fast(connection, message.id)
        elif self._lane.full:
            self._refuse(connection, message.id, refuse("BUSY", stream=message.to))
        else:
            self._hand_on(connection, written)

    def receive(self, connection: Connection, message: ClientMessage) -> None:
        """Hand any other message to the venue."""
        if not connection.bucket.take(self.time()):
            self._too_fast(connection, getattr(message, "id", ""))
        elif self._lane.full:
            connection.end(TRY_LATER, "BUSY", BUSY)
        elif isinstance(message, Hello):
            self._hello(connection, message)
        else:
            self._hand_on(connection, _encode(message))

    def _hello(self, connection: Connection, message: Hello) -> None:
        assert isinstance(connection, GatewayConnection), "all of a gateway's are"
        if connection.opened:
            self._hand_on(connection, _encode(message))
            return
        connection.opened = True
        connection.language = message.language
        self.by_number[connection.number] = connection
        connection.desks[self._desk] = set()
        opened = e.Opened(connection.guest.place, connection.cookie, _encode(message))
        self._lane.put(e.OPENED, connection.number, e.write(opened))

    def _hand_on(self, connection: Connection, written: bytes) -> None:
        assert isinstance(connection, GatewayConnection), "all of a gateway's are"
        if connection.opened:
            self._lane.put(e.SAID, connection.number, written)
        else:
            turn_away(connection, "HELLO_FIRST")

    def _too_fast(self, connection: Connection, id_: str) -> None:
        if connection.too_often():
            connection.cut_off()
        else:
            self._refuse(connection, id_, refuse("TOO_FAST"))

    def _refuse(self, connection: Connection, id_: str, refusal: Refusal) -> None:
        self.frames_in += 1
        self._refusals[refusal.code] += 1
        again = refusal.code in AGAIN or refusal.code == "TOO_FAST"
        connection.send(answers.refused(id_, refusal, connection.language, again=again))

    def catch_up(self, connection: Connection) -> None:
        """Ask the venue for all that a connection missed; until it comes nothing is sent to it."""
        assert isinstance(connection, GatewayConnection), "all of a gateway's are"
        if connection.opened:
            connection.paused_at = self.time()
            self._desk.behind(connection)

    def know(self, connection: GatewayConnection, known: e.Known) -> None:
        """Note who a client is, as the venue says; the venue has made room for it."""
        if known.role == "visitor":
            connection.actor = "visitor"
            self.door.visit(connection.guest)
        else:
            self.door.know(connection.guest, known.who)
            connection.known(Actor(known.person, known.role))

    # --- counting ------------------------------------------------------------------------------

    def count(self) -> None:
        """Send the venue the counts since the last time, and schedule the next."""
        turned_away = Counter(self.door.turned_away)
        counts = e.Counts(
            *(self.frames_in, self.frames_out, self.slow, self.faults, self._refusals),
            *(turned_away - self._turned_away, len(self.door.newcomers)),
        )
        self._lane.put(e.COUNTED, 0, e.write(counts))
        self._turned_away, self._refusals = turned_away, Counter()
        self.frames_in = self.frames_out = self.slow = self.faults = 0
        self.loop.call_later(COUNTED_SECONDS, self.count)

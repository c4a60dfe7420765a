"""A gateway: sockets, who is behind them as far as the venue has said so, and nothing of the game.

What somebody sends is checked here as it is in a venue of one process: its form, how much and how
fast. What is left of it goes to the venue over the lane; what the venue sends goes out in turns.
A gateway has no keys and remembers nothing: whoever it loses comes back through another.
"""

import itertools
from collections import Counter
from collections.abc import Callable
from functools import partial

import msgspec

from taisai.core.kernel.messages import Actor
from taisai.core.rules.reason import Refusal, refuse
from taisai.protocol.client_messages import Ask, ClientMessage, Hello
from taisai.server.accounts.limiting import Bucket
from taisai.server.door.guests import Guest
from taisai.server.gateways import entries as e
from taisai.server.lanes.lane import Entry, Lane
from taisai.server.live import answers
from taisai.server.live.answers import turn_away
from taisai.server.live.connection import TRY_LATER, Connection
from taisai.server.live.sockets import Sockets
from taisai.server.settings import Settings

#: What is counted is said so often.
COUNTED_SECONDS = 1.0
BUSY = "The venue has more to do than it can take; come back in a moment."

_encode = msgspec.json.Encoder().encode


class GatewayConnection(Connection):
    """One socket of a gateway."""

    __slots__ = ("awaited", "crowds", "halted", "number", "opened")

    def __init__(
        self, gateway: "Gateway", bucket: Bucket, cookie: str | None, guest: Guest, number: int
    ) -> None:
        super().__init__(gateway, bucket, cookie, guest)
        self.number = number
        #: Whether the venue knows of it, and the crowds that it is in.
        self.opened = False
        self.crowds: set[int] = set()
        #: Whether it reads too slowly just now, and how often it was said to need all anew.
        self.halted = False
        self.awaited = 0

    def pause_writing(self) -> None:
        self.halted = True
        super().pause_writing()

    def resume_writing(self) -> None:
        self.halted = False
        super().resume_writing()

    def known(self, actor: Actor) -> None:
        """Take it that it is proved who this is: what it sends does not wait for its turn now."""
        self.actor = actor
        if not self._frames:
            self.strange = False


class Gateway(Sockets):
    """Everybody who is connected to one gateway."""

    def __init__(self, settings: Settings, lane: Lane, stop: Callable[[], None]) -> None:
        super().__init__(settings)
        self._lane = lane
        self._stop = stop
        self._numbers = itertools.count(1)
        self._by_number: dict[int, GatewayConnection] = {}
        self._crowds: dict[int, dict[GatewayConnection, None]] = {}
        self._refusals: Counter[str] = Counter()
        self._turned_away: Counter[str] = Counter()

    # --- sockets -----------------------------------------------------------------------------

    def socket(self, cookie: str | None, guest: Guest) -> Connection:
        """Make what takes the frames of a socket."""
        return GatewayConnection(self, self.bucket(), cookie, guest, next(self._numbers))

    def disconnected(self, connection: Connection) -> None:
        """Let a connection go; the venue is told if it knew of it."""
        assert isinstance(connection, GatewayConnection), "all of a gateway's are"
        self.everybody.pop(connection, None)
        for crowd in connection.crowds:
            self._crowds[crowd].pop(connection, None)
        connection.crowds.clear()
        if self._by_number.pop(connection.number, None) is not None:
            self._lane.put(e.GONE, connection.number)

    def ask(self, connection: Connection, message: Ask) -> None:
        """Hand a command to the venue, unless it comes too fast or the lane is full."""
        if not connection.bucket.take(connection.received_at):
            self._too_fast(connection, message.id)
        elif self._lane.full:
            self._refuse(connection, message.id, refuse("BUSY", stream=message.to))
        else:
            self._hand_on(connection, message)

    def receive(self, connection: Connection, message: ClientMessage) -> None:
        """Hand anything else to the venue."""
        if not connection.bucket.take(self.time()):
            self._too_fast(connection, getattr(message, "id", ""))
        elif self._lane.full:
            connection.end(TRY_LATER, "BUSY", BUSY)
        elif isinstance(message, Hello):
            self._hello(connection, message)
        else:
            self._hand_on(connection, message)

    def _hello(self, connection: Connection, message: Hello) -> None:
        assert isinstance(connection, GatewayConnection), "all of a gateway's are"
        if connection.opened:
            self._hand_on(connection, message)
            return
        connection.opened = True
        connection.language = message.language
        self._by_number[connection.number] = connection
        opened = e.Opened(connection.guest.place, connection.cookie, _encode(message))
        self._lane.put(e.OPENED, connection.number, e.write(opened))

    def _hand_on(self, connection: Connection, message: ClientMessage) -> None:
        assert isinstance(connection, GatewayConnection), "all of a gateway's are"
        if connection.opened:
            self._lane.put(e.SAID, connection.number, _encode(message))
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
        connection.send(answers.refused(id_, refusal, connection.language, again=True))

    def catch_up(self, connection: Connection) -> None:
        """Ask the venue for all that a connection missed; until it comes nothing is sent to it."""
        assert isinstance(connection, GatewayConnection), "all of a gateway's are"
        if connection.opened:
            connection.paused_at = self.time()
            connection.awaited += 1
            self._lane.put(e.BEHIND, connection.number)

    # --- what the venue sends ------------------------------------------------------------------

    def take(self, entries: list[Entry]) -> None:
        """Do what the venue says, in order."""
        by_number = self._by_number
        for kind, number, data in entries:
            if kind == e.NEWS:
                for each in self._crowds.get(number, ()):
                    each.send_later(data)
            elif kind == e.ALONG:
                for each in self._crowds.get(number, ()):
                    each.send_along(data)
            elif kind == e.STOPS:
                self._stop()
            else:
                connection = by_number.get(number)
                if connection is None:
                    continue
                if kind == e.NOW:
                    connection.send_now(data)
                elif kind == e.LATER:
                    connection.send_later(data)
                else:
                    self._concerns(kind, connection, data)

    def _concerns(self, kind: int, connection: GatewayConnection, data: bytes) -> None:
        """Do what concerns one connection, and is no message for it."""
        if kind == e.JOINS:
            crowd = e.read_number(data)
            connection.crowds.add(crowd)
            self._crowds.setdefault(crowd, {})[connection] = None
        elif kind == e.LEAVES:
            crowd = e.read_number(data)
            connection.crowds.discard(crowd)
            self._crowds.get(crowd, {}).pop(connection, None)
        elif kind == e.KNOWN:
            self._know(connection, e.read_known(data))
        elif kind == e.CAUGHT_UP:
            connection.awaited -= 1
            if not connection.awaited and not connection.halted:
                connection.paused_at, connection.behind = None, False
        elif kind == e.ENDED:
            ended = e.read_ended(data)
            connection.end(ended.close_code, ended.code, ended.sentence)
        elif kind == e.REPLACED:
            connection.replace(partial(self._lane.put, e.STILL_THERE, connection.number))
        else:
            assert kind == e.CUT, "there are no other kinds"
            connection.cut()

    def _know(self, connection: GatewayConnection, known: e.Known) -> None:
        """Take somebody for who the venue says they are; it has made room for them."""
        if known.role == "visitor":
            connection.actor = "visitor"
            self.door.visit(connection.guest)
        else:
            self.door.know(connection.guest, known.who)
            connection.known(Actor(known.person, known.role))

    # --- counting ------------------------------------------------------------------------------

    def count(self) -> None:
        """Tell the venue what was counted here since the last time, and go on doing so."""
        turned_away = Counter(self.door.turned_away)
        counts = e.Counts(
            *(self.frames_in, self.frames_out, self.slow, self.faults, self._refusals),
            *(turned_away - self._turned_away, len(self.door.newcomers)),
        )
        self._lane.put(e.COUNTED, 0, e.write(counts))
        self._turned_away, self._refusals = turned_away, Counter()
        self.frames_in = self.frames_out = self.slow = self.faults = 0
        self.loop.call_later(COUNTED_SECONDS, self.count)

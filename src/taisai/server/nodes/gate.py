"""A gateway of a cluster: sockets, a lane to the office and to each owner, and no keys.

Who somebody is the office says, and gives a grant for it. What concerns a table goes to its owner,
whom the gateway shows the grant first; everything else goes to the office. When a table passes to
another owner, whoever has to do with it is announced there, and what was asked and not answered is
asked again with the same id: only whoever has the table at the time is listened to, so each answer
is given once.
"""

import asyncio
import logging
import math
from collections.abc import Callable

import msgspec

from taisai.core.kernel.messages import Actor
from taisai.core.rules.reason import refuse
from taisai.protocol.client_messages import (
    Ask,
    ClientMessage,
    Deal,
    Grant,
    Hello,
    Ping,
    Unwatch,
    Watch,
)
from taisai.protocol.server_messages import Suspended
from taisai.runtime.streams import CAGE, VENUE, table_of
from taisai.server.accounts.limiting import Bucket
from taisai.server.door.guests import Guest
from taisai.server.gateways import entries as e
from taisai.server.gateways.gateway import BUSY, Desk, Gateway, GatewayConnection
from taisai.server.gateways.relay import AWAY, Reader, Writer
from taisai.server.lanes.lane import Lane
from taisai.server.live.answers import turn_away
from taisai.server.live.connection import TRY_LATER, Connection
from taisai.server.nodes.switchboard import Standing, Switchboard
from taisai.server.settings import Settings

#: What one connection may have asked and not been answered, and what may wait until it is known.
PENDING_MAX = 1_000
HELD_MAX = 128
#: The office is told so often at most that somebody of the staff is not idle.
TOUCHED_SECONDS = 10.0
#: So long NATS may be away before tables are shown as suspended.
CUT_OFF_SECONDS = 1.0
LOOK_SECONDS = 0.1
#: Another grant for one connection is asked for once in so long.
UNGRANTED_SECONDS = 1.0
#: A message by NATS costs as much as some bets: what comes within so long goes out together.
GATHER_SECONDS = 0.001

_log = logging.getLogger(__name__)
_encode = msgspec.json.Encoder().encode


class NodeConnection(GatewayConnection):
    """One socket of a gateway of a cluster."""

    __slots__ = ("grant", "held", "hello", "touched", "ungranted_at")

    def __init__(
        self, gateway: "NodeGateway", bucket: Bucket, cookie: str | None, guest: Guest, number: int
    ) -> None:
        super().__init__(gateway, bucket, cookie, guest, number)
        self.hello: Hello | None = None
        self.grant: bytes | None = None
        #: What was sent before there was a grant.
        self.held: list[ClientMessage] = []
        self.touched = 0.0
        #: When another grant was asked for last.
        self.ungranted_at = -math.inf


class NodeDesk(Desk):
    """A node that a gateway speaks to, since one start of that node."""

    def __init__(self, gateway: "NodeGateway", name: str) -> None:
        super().__init__(gateway, Lane(self.take, self._lost, gather=GATHER_SECONDS))
        self.name = name
        self.instance = ""
        #: Whether its lane is there.
        self.ready = False
        self._node_gateway = gateway

    def _lost(self, why: str) -> None:
        self._node_gateway.lost(self, why)

    def _concerns(self, kind: int, connection: GatewayConnection, data: bytes) -> None:
        assert isinstance(connection, NodeConnection), "all of them are"
        if kind == e.GRANTED:
            self._node_gateway.granted(connection, e.read_granted(data))
        elif kind == e.UNGRANTED:
            self._node_gateway.ungranted(connection)
        else:
            super()._concerns(kind, connection, data)


class NodeGateway(Gateway):
    """Everybody who is connected to one gateway of a cluster."""

    def __init__(self, settings: Settings, board: Switchboard, stop: Callable[[], None]) -> None:
        # It has no lane of its own but those to nodes.
        super().__init__(settings, Lane(lambda _: None, lambda _: None), stop)
        self._board = board
        self._nodes: dict[str, NodeDesk] = {}
        #: Whose each stream is by what was heard, with its epoch; and who is asked for each name.
        self._routes: dict[str, tuple[int, str | None]] = {}
        self._desks: dict[str, NodeDesk] = {}
        #: Tables that whoever watches them was shown as suspended from here.
        self._suspended: set[str] = set()
        #: Whether NATS has been away for so long that nobody is waited for.
        self._cut_off = False
        #: Set once there is an office.
        self.begun = asyncio.Event()
        #: For how long NATS has been away.
        self._away = 0.0
        board.repeat(self._look, LOOK_SECONDS)

    def has_office(self) -> bool:
        """Say whether there is an office within reach that says who somebody is."""
        return VENUE in self._desks and not self._cut_off

    async def connect(self) -> tuple[Reader, Writer]:
        """Begin a request over HTTP, where there is an office that answers it."""
        if not self.has_office():
            raise ConnectionRefusedError
        return await self.requests.connect()

    def unreached(self) -> list[str]:
        """Name what nobody has who can be reached, as far as it was ever heard of."""
        names = (table_of(stream) or stream for stream in self._routes)
        return sorted(name for name in names if self._cut_off or name not in self._desks)

    # --- whose a table is ----------------------------------------------------------------------

    def receive_standing(self, standing: Standing) -> None:
        """Receive the streams that a node has; the newest epoch counts."""
        known = self._nodes.get(standing.node)
        if known is not None and known.instance not in ("", standing.instance):
            known.lane.give_up("the node was started again")
            known = None
        if known is None:
            desk = self._nodes[standing.node] = NodeDesk(self, standing.node)
            self._board.spawn(self._call(desk))
        routes, changed = self._routes, False
        for stream, epoch in standing.streams.items():
            before = routes.get(stream, (-1, None))
            if epoch >= before[0] and before != (epoch, standing.node):
                routes[stream], changed = (epoch, standing.node), True
        for stream, (epoch, node) in [*routes.items()]:
            if node == standing.node and stream not in standing.streams:
                routes[stream], changed = (epoch, None), True
        if changed:
            self._reroute()

    async def _call(self, desk: NodeDesk) -> None:
        desk.instance = await self._board.call(desk.name, desk.lane)
        if self._nodes.get(desk.name) is desk and not desk.lane.broken:
            desk.ready = True
            self._reroute()

    def lost(self, desk: NodeDesk, why: str) -> None:
        """Have a node no more: what it had is asked of it again, or of whoever has it next."""
        _log.warning("node %s is lost: %s", desk.name, why)
        if self._nodes.get(desk.name) is desk:
            del self._nodes[desk.name]
        for connection in [*self.by_number.values()]:
            desk.forget(connection)
        self._reroute()

    def _reroute(self) -> None:
        """Find anew whom to ask, and announce those who are concerned where that changed."""
        before, self._desks = self._desks, {}
        for stream, (_, node) in self._routes.items():
            desk = None if node is None else self._nodes.get(node)
            if desk is not None and desk.ready:
                self._desks[table_of(stream) or stream] = desk
        if before.get(VENUE) is not self._desks.get(VENUE):
            self._other_office(before.get(VENUE), self._desks.get(VENUE))
        moved = {
            name
            for name in before.keys() | self._desks.keys()
            if before.get(name) is not self._desks.get(name)
        }
        if moved:
            self._move(moved, before)

    def _other_office(self, before: NodeDesk | None, office: NodeDesk | None) -> None:
        """Ask another office, who is told of everybody who is here."""
        self.requests.lost()
        if office is not None:
            self.requests.begin(office.lane)
            self.begun.set()
        for connection in [*self.by_number.values()]:
            assert isinstance(connection, NodeConnection), "all of them are"
            if before is not None and before in connection.desks:
                before.forget(connection)
                before.lane.put(e.GONE, connection.number)
            if office is not None:
                self._open(connection)
            for name in self._concerned(connection) if connection.grant is not None else ():
                if before is not None and self._desks.get(name) is before:
                    # It is an owner still.
                    self._join(connection, before, name)

    def _move(self, moved: set[str], before: dict[str, NodeDesk]) -> None:
        """Announce everybody at the new owners of tables, with what they asked for."""
        suspended = {name for name in moved if name not in self._desks and _is_table(name)}
        for name in suspended:
            self._show(name, suspended=True)
        for name in moved & self._desks.keys() & self._suspended:
            self._show(name, suspended=False)
        for connection in [*self.by_number.values()]:
            assert isinstance(connection, NodeConnection), "all of them are"
            for name in moved & self._concerned(connection):
                former, now = before.get(name), self._desks.get(name)
                if former is not None:
                    self._leave(former, connection, name)
                if now is not None and connection.grant is not None:
                    self._join(connection, now, name)

    def _concerned(self, connection: NodeConnection) -> set[str]:
        """Name everything that somebody has to do with."""
        asked = {name for name, _ in connection.pending.values()}
        return {*connection.watching, *asked, *((connection.to,) if connection.to else ())}

    def _leave(self, desk: NodeDesk, connection: GatewayConnection, name: str) -> None:
        """Have nothing more to do with a node, once it is for nothing that it has.

        Where it is for something still, what it had is watched there no more: who has it next is
        told of that alone, and of its end.
        """
        names = connection.desks.get(desk)
        if names is not None:
            names.discard(name)
            if not names:
                desk.forget(connection)
                desk.lane.put(e.GONE, connection.number)
            elif name in connection.watching:
                desk.lane.put(e.SAID, connection.number, _encode(Unwatch(name)))

    def _join(self, connection: NodeConnection, desk: NodeDesk, name: str) -> None:
        """Show a node the grant, unless it has seen it, and go on there with what was going on."""
        self._admit(connection, desk, name)
        if name in connection.watching:
            desk.lane.put(e.SAID, connection.number, _encode(Watch(name)))
        for asked, data in connection.pending.values():
            if asked == name:
                desk.lane.put(e.SAID, connection.number, data)

    def _admit(self, connection: NodeConnection, desk: NodeDesk, name: str) -> None:
        names = connection.desks.setdefault(desk, set())
        if name in names:
            return
        seated = name == connection.to
        if not names or seated:
            assert connection.grant is not None, "nobody is announced without"
            hello = connection.hello
            # What was missed since is known to whoever had the table before; a snapshot has it all.
            after = hello.after if hello is not None and seated else None
            self._forget_after(connection)
            given = (connection.grant, connection.guest.place, connection.language, after)
            desk.lane.put(e.ADMITTED, connection.number, e.write(e.Admitted(*given)))
        names.add(name)

    @staticmethod
    def _forget_after(connection: NodeConnection) -> None:
        if connection.hello is not None and connection.hello.after is not None:
            connection.hello = msgspec.structs.replace(connection.hello, after=None)

    def _show(self, table: str, *, suspended: bool) -> None:
        """Show everybody who has to do with a table whether it is suspended."""
        (self._suspended.add if suspended else self._suspended.discard)(table)
        data = _encode(Suspended(table, suspended=suspended))
        for connection in self.by_number.values():
            if table in connection.watching or connection.to == table:
                connection.send_later(data)

    def _look(self) -> None:
        """Show every table as suspended while NATS is away for long, and none afterwards."""
        self._away = 0.0 if self._board.nats.connected else self._away + LOOK_SECONDS
        tables = {name for name in self._desks if _is_table(name)}
        self._cut_off = self._away >= CUT_OFF_SECONDS
        if self._cut_off:
            for name in tables - self._suspended:
                self._show(name, suspended=True)
        elif not self._away:
            for name in tables & self._suspended:
                self._show(name, suspended=False)

    # --- sockets -------------------------------------------------------------------------------

    def socket(self, cookie: str | None, guest: Guest) -> Connection:
        """Make what takes the frames of a socket."""
        return NodeConnection(self, self.bucket(), cookie, guest, next(self._numbers))

    def ask(self, connection: Connection, message: Ask, written: bytes) -> None:
        """Hand a command to the owner of its table, unless too much comes or waits."""
        assert isinstance(connection, NodeConnection), "all of them are"
        desk = self._desks.get(message.to)
        if not connection.bucket.take(connection.received_at):
            self._too_fast(connection, message.id)
        elif not connection.opened:
            turn_away(connection, "HELLO_FIRST")
        elif connection.grant is None:
            self._hold(connection, message)
        elif desk is None or message.to in self._suspended:
            known = message.to in self._names()
            code = refuse("TABLE_SUSPENDED", stream=message.to) if known else refuse("NO_TABLE")
            self._refuse(connection, message.id, code)
        elif desk.lane.full or len(connection.pending) >= PENDING_MAX:
            self._refuse(connection, message.id, refuse("BUSY", stream=message.to))
        else:
            if message.to not in connection.desks.get(desk, ()):
                self._admit(connection, desk, message.to)
            if b"\\" not in written or b"\\" not in _encode(message.id):
                # One that is written otherwise than it is read is not looked for in answers.
                connection.pending[message.id.encode()] = (message.to, written)
            desk.lane.put(e.SAID, connection.number, written)
            if connection.to is None:
                # Terminals are not idle: they have no session.
                self._touch(connection)

    def _names(self) -> set[str]:
        return {table_of(stream) or stream for stream in self._routes}

    def receive(self, connection: Connection, message: ClientMessage) -> None:
        """Hand anything else to the owner of the table that it is about, or to the office."""
        assert isinstance(connection, NodeConnection), "all of them are"
        office = self._desks.get(VENUE)
        if not connection.bucket.take(self.time()):
            self._too_fast(connection, getattr(message, "id", ""))
        elif isinstance(message, Hello) and not connection.opened:
            self._hello(connection, message)
        elif not connection.opened:
            turn_away(connection, "HELLO_FIRST")
        elif isinstance(message, Watch | Unwatch):
            self._watch(connection, message)
        elif isinstance(message, Ping):
            self._ping(connection, message)
        elif office is not None and office in connection.desks and not office.lane.full:
            office.lane.put(e.SAID, connection.number, _encode(message))
        elif isinstance(message, Grant | Deal):
            about = message.to if isinstance(message, Grant) else message.table
            self._refuse(connection, message.id, refuse("BUSY", stream=about))
        else:
            connection.end(TRY_LATER, "BUSY", BUSY)

    @staticmethod
    def _ping(connection: NodeConnection, message: Ping) -> None:
        """Have a node answer that knows who this is: the one met first, as a rule the office.

        Nobody is sent away for want of an office: whoever is connected plays on.
        """
        desk = next(iter(connection.desks), None)
        if desk is not None and desk.lane.full:
            connection.end(TRY_LATER, "BUSY", BUSY)
        elif desk is not None:
            desk.lane.put(e.SAID, connection.number, _encode(message))

    def _hello(self, connection: Connection, message: Hello) -> None:
        assert isinstance(connection, NodeConnection), "all of them are"
        if not self.has_office():
            connection.end(TRY_LATER, "BUSY", AWAY.decode())
            return
        connection.opened = True
        connection.language = message.language
        connection.hello = message
        self.by_number[connection.number] = connection
        self._open(connection)

    def _open(self, connection: GatewayConnection) -> None:
        """Tell the office of somebody, as they said hello."""
        assert isinstance(connection, NodeConnection), "all of them are"
        assert connection.hello is not None, "nobody is known here before"
        office = self._desks[VENUE]
        connection.desks.setdefault(office, set()).add(VENUE)
        again = connection.actor is not None
        given = (connection.guest.place, connection.cookie, _encode(connection.hello), again)
        office.lane.put(e.OPENED, connection.number, e.write(e.Opened(*given)))

    def _watch(self, connection: NodeConnection, message: Watch | Unwatch) -> None:
        name = message.table
        desk = self._desks.get(name)
        if connection.grant is None:
            self._hold(connection, message)
        elif desk is None and name in self._names() and isinstance(message, Watch):
            connection.watching.add(name)
            connection.send(Suspended(name, suspended=True))
        else:
            # Of what there is not the office says so.
            there = desk or self._desks.get(VENUE)
            if there is None and isinstance(message, Unwatch):
                # Whoever had it was told when it left.
                connection.watching.discard(name)
                return
            if there is None or there.lane.full:
                connection.end(TRY_LATER, "BUSY", BUSY)
                return
            if isinstance(message, Watch) and desk is not None:
                connection.watching.add(name)
                if name in self._suspended:
                    # What it is asked for comes once NATS is back.
                    connection.send(Suspended(name, suspended=True))
            if isinstance(message, Unwatch):
                connection.watching.discard(name)
            self._admit(connection, there, name if desk is not None else VENUE)
            there.lane.put(e.SAID, connection.number, _encode(message))

    def _hold(self, connection: NodeConnection, message: ClientMessage) -> None:
        """Have something wait until it is known who this is."""
        if len(connection.held) >= HELD_MAX:
            connection.end(TRY_LATER, "BUSY", BUSY)
        else:
            connection.held.append(message)

    def _touch(self, connection: NodeConnection) -> None:
        """Tell the office now and then that somebody of the staff is not idle."""
        actor, now = connection.actor, connection.received_at
        if isinstance(actor, Actor):
            office = self._desks.get(VENUE)
            if office is not None and now - connection.touched > TOUCHED_SECONDS:
                connection.touched = now
                office.lane.put(e.TOUCHED, connection.number)

    def granted(self, connection: NodeConnection, granted: e.Granted) -> None:
        """Have a grant; whoever waited for it is announced, and what waited goes on."""
        first, connection.grant = connection.grant is None, granted.grant
        connection.to = granted.table
        if not first:
            return
        for name in self._concerned(connection):
            if name in self._desks:
                self._join(connection, self._desks[name], name)
        held, connection.held = connection.held, []
        for message in held:
            if isinstance(message, Ask):
                self.ask(connection, message, _encode(message))
            elif isinstance(message, Watch | Unwatch):
                self._watch(connection, message)

    def ungranted(self, connection: NodeConnection) -> None:
        """Ask the office for another grant: one that was shown is good no more."""
        connection.grant = None
        office = self._desks.get(VENUE)
        for desk in [each for each in connection.desks if each is not office]:
            desk.forget(connection)
            desk.lane.put(e.GONE, connection.number)
        # An owner that believes nobody, as with a key of its own, is not asked without a pause.
        pause = max(0.0, connection.ungranted_at + UNGRANTED_SECONDS - self.time())
        connection.ungranted_at = self.time() + pause
        if pause:
            self.loop.call_later(pause, self._ask_for_grant, connection)
        else:
            self._ask_for_grant(connection)

    def _ask_for_grant(self, connection: NodeConnection) -> None:
        office = self._desks.get(VENUE)
        if office is not None and connection.grant is None and connection.there:
            connection.desks[office] = {VENUE}
            self._open(connection)

    def catch_up(self, connection: Connection) -> None:
        """Ask everybody for all that a connection missed; until it comes nothing is sent to it."""
        assert isinstance(connection, GatewayConnection), "all of a gateway's are"
        if connection.desks:
            connection.paused_at = self.time()
        for desk in connection.desks:
            desk.behind(connection)

    def count(self) -> None:
        """Tell the office what was counted here, and go on doing so."""
        office = self._desks.get(VENUE)
        if office is None:
            self.loop.call_later(LOOK_SECONDS, self.count)
            return
        self._lane = office.lane
        super().count()


def _is_table(name: str) -> bool:
    """Say whether a name is a table's."""
    return name not in (VENUE, CAGE)

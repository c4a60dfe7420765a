"""A gateway of a cluster: it has sockets, a lane to the office and to each owner, and no keys.

The office checks who a client is, and gives the gateway a grant for it. Messages about a table go
to its owner, to which the gateway shows the grant first; all others go to the office. When a table
passes to another owner, the gateway admits the table's clients there, and sends unanswered commands
again with the same id: only the present owner's messages are passed on, so that each answer is
given once.
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

#: Commands of one connection that may wait for answers; messages that may wait for its grant.
PENDING_MAX = 1_000
HELD_MAX = 128
#: How often at most the office is told that a person of the staff is not idle.
TOUCHED_SECONDS = 10.0
#: How long NATS may be away before tables are shown as suspended.
CUT_OFF_SECONDS = 1.0
LOOK_SECONDS = 0.1
#: How often at most another grant is asked for, for one connection.
UNGRANTED_SECONDS = 1.0
#: A message over NATS costs as much as some bets: entries within so long go out together.
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
        #: Messages that were sent before there was a grant.
        self.held: list[ClientMessage] = []
        self.touched = 0.0
        #: When another grant was last asked for.
        self.ungranted_at = -math.inf


class NodeDesk(Desk):
    """A node that a gateway is connected to, since one start of that node."""

    def __init__(self, gateway: "NodeGateway", name: str) -> None:
        super().__init__(gateway, Lane(self.take, self._lost, gather=GATHER_SECONDS))
        self.name = name
        self.instance = ""
        #: Whether its lane is connected.
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
    """All connections of one gateway of a cluster, and the nodes that serve them."""

    def __init__(self, settings: Settings, board: Switchboard, stop: Callable[[], None]) -> None:
        # It has no lane of its own but those to nodes.
        super().__init__(settings, Lane(lambda _: None, lambda _: None), stop)
        self._board = board
        self._nodes: dict[str, NodeDesk] = {}
        #: The epoch and the owner of each stream, as received; and the desk for each name.
        self._routes: dict[str, tuple[int, str | None]] = {}
        self._desks: dict[str, NodeDesk] = {}
        #: Tables that this gateway has shown as suspended.
        self._suspended: set[str] = set()
        #: Whether NATS has been away for so long that no node is waited for.
        self._cut_off = False
        #: Set once there is an office.
        self.begun = asyncio.Event()
        #: For how long NATS has been away.
        self._away = 0.0
        board.repeat(self._look, LOOK_SECONDS)

    def has_office(self) -> bool:
        """Say whether an office can be reached, which says who a client is."""
        return VENUE in self._desks and not self._cut_off

    async def connect(self) -> tuple[Reader, Writer]:
        """Begin an HTTP request, if there is an office to answer it."""
        if not self.has_office():
            raise ConnectionRefusedError
        return await self.requests.connect()

    def unreached(self) -> list[str]:
        """Name the known tables and streams whose owner cannot be reached."""
        names = (table_of(stream) or stream for stream in self._routes)
        return sorted(name for name in names if self._cut_off or name not in self._desks)

    # --- whose a table is ----------------------------------------------------------------------

    def receive_standing(self, standing: Standing) -> None:
        """Receive the streams that a node owns; the newest epoch counts."""
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
        """Drop a lost node: pending commands are sent again, to it or to the next owner."""
        _log.warning("node %s is lost: %s", desk.name, why)
        if self._nodes.get(desk.name) is desk:
            del self._nodes[desk.name]
        for connection in [*self.by_number.values()]:
            desk.forget(connection)
        self._reroute()

    def _reroute(self) -> None:
        """Find the desk of each name again, and move the connections whose desk has changed."""
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
        """Switch to another office, and announce all connections there."""
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
                    # It is still an owner.
                    self._join(connection, before, name)

    def _move(self, moved: set[str], before: dict[str, NodeDesk]) -> None:
        """Admit connections at the new owners of tables, with their pending commands."""
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
        """Name everything that a connection watches, is bound to, or has sent commands to."""
        asked = {name for name, _ in connection.pending.values()}
        return {*connection.watching, *asked, *((connection.to,) if connection.to else ())}

    def _leave(self, desk: NodeDesk, connection: GatewayConnection, name: str) -> None:
        """Remove a connection from a node, once the node serves it for no other name.

        If the node still does, the connection only stops watching the name there: an unwatch that
        the client sends later goes to the next owner alone.
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
        """Show a node the grant, unless it has seen it, and watch and ask there as before."""
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
            # Only the former owner has the messages that were missed; a snapshot has it all.
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
        """Show the clients of a table whether it is suspended."""
        (self._suspended.add if suspended else self._suspended.discard)(table)
        data = _encode(Suspended(table, suspended=suspended))
        for connection in self.by_number.values():
            if table in connection.watching or connection.to == table:
                connection.send_later(data)

    def _look(self) -> None:
        """Show all tables as suspended while NATS is away for long, and as resumed afterwards."""
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
        """Make the connection of a new socket."""
        return NodeConnection(self, self.bucket(), cookie, guest, next(self._numbers))

    def ask(self, connection: Connection, message: Ask, written: bytes) -> None:
        """Send a command to the owner of its table, unless too many come or wait."""
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
                # An id that JSON writes with escapes is not searched for in answers.
                connection.pending[message.id.encode()] = (message.to, written)
            desk.lane.put(e.SAID, connection.number, written)
            if connection.to is None:
                # Terminals cannot be idle: they have no session.
                self._touch(connection)

    def _names(self) -> set[str]:
        return {table_of(stream) or stream for stream in self._routes}

    def receive(self, connection: Connection, message: ClientMessage) -> None:
        """Send any other message to the owner of its table, or to the office."""
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
        """Send a ping to a node that knows the client: the first one, as a rule the office.

        Without an office no client is turned away: those who are connected play on.
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
        """Announce a connection to the office, with its Hello."""
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
            # The office answers for tables that do not exist.
            there = desk or self._desks.get(VENUE)
            if there is None and isinstance(message, Unwatch):
                # The node that had the table was told when it left.
                connection.watching.discard(name)
                return
            if there is None or there.lane.full:
                connection.end(TRY_LATER, "BUSY", BUSY)
                return
            if isinstance(message, Watch) and desk is not None:
                connection.watching.add(name)
                if name in self._suspended:
                    # The snapshot comes once NATS is back.
                    connection.send(Suspended(name, suspended=True))
            if isinstance(message, Unwatch):
                connection.watching.discard(name)
            self._admit(connection, there, name if desk is not None else VENUE)
            there.lane.put(e.SAID, connection.number, _encode(message))

    def _hold(self, connection: NodeConnection, message: ClientMessage) -> None:
        """Have a message wait until the client has a grant."""
        if len(connection.held) >= HELD_MAX:
            connection.end(TRY_LATER, "BUSY", BUSY)
        else:
            connection.held.append(message)

    def _touch(self, connection: NodeConnection) -> None:
        """Tell the office now and then that a person of the staff is not idle."""
        actor, now = connection.actor, connection.received_at
        if isinstance(actor, Actor):
            office = self._desks.get(VENUE)
            if office is not None and now - connection.touched > TOUCHED_SECONDS:
                connection.touched = now
                office.lane.put(e.TOUCHED, connection.number)

    def granted(self, connection: NodeConnection, granted: e.Granted) -> None:
        """Take a grant; the first one admits the client to its nodes, and its messages go on."""
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
        """Ask the office for another grant: the one that was shown is no longer valid."""
        connection.grant = None
        office = self._desks.get(VENUE)
        for desk in [each for each in connection.desks if each is not office]:
            desk.forget(connection)
            desk.lane.put(e.GONE, connection.number)
        # An owner that accepts no grant, as with another key, must not be asked without a pause.
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
        """Ask every desk for all that a connection missed; until then nothing is sent to it."""
        assert isinstance(connection, GatewayConnection), "all of a gateway's are"
        if connection.desks:
            connection.paused_at = self.time()
        for desk in connection.desks:
            desk.behind(connection)

    def count(self) -> None:
        """Send the office the counts since the last time, and schedule the next."""
        office = self._desks.get(VENUE)
        if office is None:
            self.loop.call_later(LOOK_SECONDS, self.count)
            return
        self._lane = office.lane
        super().count()


def _is_table(name: str) -> bool:
    """Say whether a name is that of a table."""
    return name not in (VENUE, CAGE)

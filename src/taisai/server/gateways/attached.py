"""A gateway as the venue sees it: its lane, and the connections it holds.

A connection is identified by gateway and generation: a gateway that is started again is a new one,
and the connections of the old one are gone.
"""

import asyncio
import logging
from collections.abc import Callable
from math import inf

import msgspec

from taisai.core.kernel.messages import Actor
from taisai.protocol.client_messages import Ask, ClientMessage, TerminalKey
from taisai.server.accounts.grants import Grants, Ungranted
from taisai.server.gateways import entries as e
from taisai.server.gateways.far import Crowds, FarConnection
from taisai.server.gateways.tunnels import Answering
from taisai.server.lanes.lane import Entry, Lane
from taisai.server.live.hub import Hub

_log = logging.getLogger(__name__)

_decode = msgspec.json.Decoder(ClientMessage).decode
_OF_PAGES = frozenset({e.PIECE, e.PASSED_ON, e.OVER})


class Attached:
    """One gateway, since it was started."""

    def __init__(
        self,
        hub: Hub,
        name: str,
        generation: int,
        lost: Callable[["Attached", str], None],
        *,
        instance: str = "",
        grants: Grants | None = None,
    ) -> None:
        #: In a cluster: which start of the gateway it is, the tunnel to the pages, which only the
        #: office has, and the grants that let clients in.
        self.instance = instance
        self.pages: Answering | None = None
        self._grants = grants
        self.name = name
        self.generation = generation
        self.pid = 0
        self.connections: dict[int, FarConnection] = {}
        #: How many of its connections have not said hello, and how often it has sent its counts.
        self.newcomers = self.counted = 0
        self.begun = asyncio.Event()
        self._hub = hub
        self._on_lost = lost
        self.lane = Lane(self._take, self._lost)
        self._crowds = Crowds(self.lane, (name, generation))

    @property
    def connected(self) -> int:
        """Count its connections that have said hello."""
        return len(self.connections)

    def _take(self, entries: list[Entry]) -> None:
        """Process a gateway's entries, in order; a fault of ours costs one connection, no other.

        The gateway has already checked how much each client may send.
        """
        connections, ask, said, asked = self.connections, self._hub.questions.ask, e.SAID, 0
        for kind, number, data in entries:
            connection = connections.get(number)
            try:
                if kind == said and connection is not None:
                    if connection.there:
                        message = _decode(data)
                        if type(message) is Ask:
                            asked += 1
                            ask(connection, message)
                        else:
                            self._hub.receive(connection, message)
                elif kind != said:
                    self._do(kind, number, data)
            except Exception:  # noqa: BLE001 - logged, and nobody else is held up
                _log.exception("what came of gateway %s could not be done", self.name)
                if connection is not None:
                    connection.cut()
        self._hub.frames_in += asked

    def _do(self, kind: int, number: int, data: bytes) -> None:
        """Process an entry that is no message of a client."""
        connection = self.connections.get(number)
        if kind in _OF_PAGES:
            if self.pages is not None:
                self.pages.take(kind, number, data)
        elif kind == e.OPENED:
            self._open(number, e.read_opened(data))
        elif kind == e.COUNTED:
            self._count(e.read_counts(data))
        elif kind == e.ADMITTED:
            self._admit(number, connection, e.read_admitted(data))
        elif connection is not None:
            self._concerns(kind, connection)

    def _open(self, number: int, opened: e.Opened) -> None:
        """Admit a client that says hello, as any other, and tell the gateway who it is."""
        if self._grants is not None and self.pages is None:
            # Only the office admits clients, not an owner.
            self.lane.put(e.CUT, number)
            return
        before, hub = self.connections.pop(number, None), self._hub
        if before is not None:
            # It says hello again to get another grant.
            self._let_go(before)
        connection = FarConnection(hub, self._crowds, number, opened)
        self.connections[number] = connection
        hub.connected(connection)
        # The gateway checks whether it is silent.
        connection.received_at = inf
        hub.receive(connection, _decode(opened.hello))
        actor = connection.actor
        if actor is not None:
            name = actor.person if isinstance(actor, Actor) else ""
            role = actor.role if isinstance(actor, Actor) else actor
            self.lane.put(e.KNOWN, number, e.write(e.Known(name, role, connection.guest.who)))
            if self._grants is not None:
                self._grant(self._grants, connection)

    def _grant(self, grants: Grants, connection: FarConnection) -> None:
        """Send the gateway the grant that lets a client in at owners."""
        actor = connection.actor
        person, role = (actor.person, actor.role) if isinstance(actor, Actor) else ("", None)
        session = self._hub.questions.session_of(connection)
        at = (self.instance, connection.number)
        grant = grants.write(at, person, role, connection.to, session)
        granted = e.Granted(grant, connection.to)
        self.lane.put(e.GRANTED, connection.number, e.write(granted))

    def _admit(self, number: int, known: FarConnection | None, admitted: e.Admitted) -> None:
        """Admit a client by its grant and seat a terminal, or say that another grant is needed.

        If this node is the office too, it knows the client already.
        """
        assert self._grants is not None, "only nodes give grants"
        grant = self._grants.read(admitted.grant, self.instance, number)
        if isinstance(grant, Ungranted):
            _log.warning("a grant that gateway %s showed is not good: %s", self.name, grant)
            self.lane.put(e.UNGRANTED, number)
            return
        connection = known
        if connection is None:
            opened = e.Opened(admitted.place, None, b"")
            connection = FarConnection(self._hub, self._crowds, number, opened)
            connection.language = admitted.language
            self.connections[number] = connection
            self._hub.connected(connection)
            connection.received_at = inf
        if grant.table is not None:
            terminal = TerminalKey(grant.table, grant.person, "")
            self._hub.admission.seat(connection, terminal, admitted.after)
        elif known is None:
            role = grant.role
            connection.actor = "visitor" if role is None else Actor(grant.person, role)
            connection.session = grant.session

    def _concerns(self, kind: int, connection: FarConnection) -> None:
        """Process an entry about one connection that is no message of its client."""
        if kind == e.GONE:
            del self.connections[connection.number]
            self._let_go(connection)
        elif kind == e.BEHIND:
            self.lane.put(e.CAUGHT_UP, connection.number)
            self._hub.catch_up(connection)
        elif kind == e.STILL_THERE:
            connection.shown_there()
        elif kind == e.TOUCHED:
            self._hub.questions.still_let_in(connection)

    def _let_go(self, connection: FarConnection) -> None:
        connection.gone()
        self._hub.door.leave(connection.guest)
        self._hub.disconnected(connection)

    def _count(self, counts: e.Counts) -> None:
        hub = self._hub
        hub.frames_in += counts.frames_in
        hub.frames_out += counts.frames_out
        hub.slow += counts.slow
        hub.faults += counts.faults
        hub.questions.refusals.update(counts.refusals)
        hub.door.turned_away.update(counts.turned_away)
        self.newcomers = counts.newcomers
        self.counted += 1
        self.begun.set()

    def _lost(self, why: str) -> None:
        """Remove all connections of this gateway."""
        connections, self.connections = [*self.connections.values()], {}
        for connection in connections:
            self._let_go(connection)
        if self.pages is not None:
            self.pages.end()
        self._on_lost(self, why)

"""Admits connections: handles their Hello, gives terminals their seats, and starts watching."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Literal, Protocol

from taisai.core.kernel.messages import Actor, Order, Role
from taisai.core.rules.reason import Refusal
from taisai.core.table.positions import LoseTerminal, RestoreTerminal
from taisai.protocol import PROTOCOL
from taisai.protocol.client_messages import Hello, TerminalKey, Watch
from taisai.protocol.server_messages import Fault, Suspended, Welcome
from taisai.runtime.answers import AGAIN, HOST, Answer, Registered
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import VENUE, table_stream
from taisai.runtime.writer import OnAnswer
from taisai.server.accounts.doorkeeper import Doorkeeper
from taisai.server.door.door import Door
from taisai.server.live.answers import turn_away
from taisai.server.live.attendance import Attendance
from taisai.server.live.channels import Channel, TableChannel
from taisai.server.live.connection import TOO_MANY, TRY_LATER, Connection
from taisai.server.live.seats import Seat
from taisai.server.live.second_connections import SecondConnections
from taisai.server.settings import Settings
from taisai.wording import told

#: Tables that one connection may watch at a time.
WATCHED_MAX = 100
#: How soon it is tried again to record a terminal as lost.
AGAIN_SECONDS = 1.0
#: The most notices to the pit that a client has seen a newer checkpoint than the journal has.
TOLD_MAX = 1_000

NO_ROOM = "There is no room for another connection from there; come back later."

_log = logging.getLogger(__name__)


class Streams(Protocol):
    """Finds the channels of a stream by name."""

    def find(self, name: str) -> Channel | None:
        """Find the channels of a table, of `cage` or of `venue`."""


class Admission:
    """Lets connections in and to the channels they may watch."""

    def __init__(
        self,
        runtime: Runtime,
        accounts: Doorkeeper,
        streams: Streams,
        door: Door,
        settings: Settings,
    ) -> None:
        self._runtime = runtime
        self._accounts = accounts
        self._streams = streams
        self._door = door
        self._demo = settings.demo
        self._addresses = settings.addresses
        #: The notices sent: a client, and the newer checkpoint that it reported.
        self._told: set[tuple[str, int]] = set()
        self.absences = Absences(runtime)
        self.seconds = SecondConnections(runtime)
        self.attendance = Attendance(runtime.clock.now)
        #: Whether terminals have their seats at the owners of their tables, perhaps other nodes;
        #: if so, `gathered` holds the terminals connected through gateways.
        self.seats_elsewhere = False
        self.gathered: dict[tuple[str, str], Connection] = {}
        #: Shows a terminal the number of a voucher printed for it, as long as it may be shown.
        self.show_voucher: Callable[[Connection, Order], None] = lambda _, __: None

    # --- hello -------------------------------------------------------------------------------

    def hello(self, connection: Connection, hello: Hello) -> None:
        """Admit a connection as the client that its Hello names, or turn it away."""
        if connection.actor is not None:
            turn_away(connection, "HELLO_TWICE")
            return
        if hello.protocol != PROTOCOL:
            turn_away(connection, "PROTOCOL")
            return
        connection.language = hello.language
        if hello.terminal is not None:
            self._hello_terminal(connection, hello.terminal, hello)
            return
        token = hello.session or connection.cookie
        session = None if token is None else self._accounts.session(token)
        if session is None and hello.session is not None:
            turn_away(connection, "SESSION_ENDED")
            return
        if session is None:
            # A browser sends the cookie of an ended session for as long as it has it. If the Hello
            # names no session, the connection is then a visitor, as over HTTP.
            if not self._door.visit(connection.guest):
                connection.end(TRY_LATER, "NO_ROOM", NO_ROOM)
                return
            connection.actor = "visitor"
            self._welcome(connection, "visitor", None)
            return
        if not self._door.know(connection.guest, f"session {session.id}"):
            connection.end(TRY_LATER, "NO_ROOM", NO_ROOM)
            return
        connection.session = token
        connection.actor = Actor(session.person, session.role)
        self._welcome(connection, session.role, session.person)
        self._compare(session.person, hello.checkpoint)

    def _hello_terminal(self, connection: Connection, key: TerminalKey, hello: Hello) -> None:
        channel = self._streams.find(key.table)
        known = self._accounts.knows(key.table, key.terminal, key.key)
        if not isinstance(channel, TableChannel) or not known:
            turn_away(connection, "NOT_LET_IN")
            return
        if not self._door.know(connection.guest, f"terminal {key.table}/{key.terminal}"):
            connection.end(TRY_LATER, "NO_ROOM", NO_ROOM)
            return
        self.attendance.came(key.table, key.terminal, hello.client, connection.guest.place)
        self._bind(connection, key)
        self._welcome(connection, "terminal", key.terminal)
        self._compare(told("WHO_TERMINAL", terminal=key.terminal), hello.checkpoint)
        if self.seats_elsewhere:
            self.gathered[key.table, key.terminal] = connection
        else:
            self.sit(connection, channel, hello.after)

    def seat(self, connection: Connection, terminal: TerminalKey, after: int | None) -> None:
        """Give its seat to a terminal whose key the office has checked."""
        channel = self._streams.find(terminal.table)
        if not isinstance(channel, TableChannel):
            turn_away(connection, "NOT_LET_IN")
            return
        self._bind(connection, terminal)
        self.sit(connection, channel, after)

    def _bind(self, connection: Connection, terminal: TerminalKey) -> None:
        """Bind a connection to a terminal, which may act at its own table only."""
        connection.actor = Actor(terminal.terminal, "terminal")
        connection.to = terminal.table
        connection.writer = self._runtime.writer(table_stream(terminal.table))

    def _welcome(
        self, connection: Connection, role: Role | Literal["visitor"], name: str | None
    ) -> None:
        if connection.welcomed:
            return
        state, now = self._runtime.state, self._runtime.clock.now()
        tables = tuple(self._runtime.table_names())
        said = (PROTOCOL, state.name, state.currency, now, tables, role, name, self._demo)
        connection.send(Welcome(*said, self.newest(), self._addresses))

    def newest(self) -> int:
        """Give the number of the newest checkpoint."""
        newest = self._runtime.committer.newest
        return 0 if newest is None else newest.number

    def _compare(self, who: str, seen: int | None) -> None:
        """Notify the pit if a known client has seen a newer checkpoint than the venue has [D36]."""
        newest = self.newest()
        if seen is None or seen <= newest or (who, seen) in self._told:
            return
        if len(self._told) < TOLD_MAX:
            self._told.add((who, seen))
            said = told("NOTICE_BEHIND", who=who, seen=seen, newest=newest)
            self._runtime.announce(VENUE, "behind", said)

    # --- seats -------------------------------------------------------------------------------

    def sit(
        self,
        connection: Connection,
        channel: TableChannel,
        after: int | None,
        *,
        noted: bool = False,
    ) -> None:
        """Give a terminal its seat, and send it the messages it missed, or a snapshot.

        A lost terminal is first recorded as back (`noted`), so that its commands are not refused.
        While its table is suspended it waits; the hub seats it when the table resumes.
        """
        assert isinstance(connection.actor, Actor), "a terminal is known by its name"
        terminal = connection.actor.person
        if not connection.there:
            if noted:
                self.absences.gone(channel, terminal)
            return
        if channel.suspended:
            connection.send(Suspended(channel.name, suspended=True))
            return
        state = self._runtime.table(channel.name)
        if terminal not in channel.terminals:
            # At a chip table the positions are players' seats, which have no keys.
            turn_away(connection, "NOT_LET_IN")
            return
        if not noted and not state.positions[terminal].connected:
            back = partial(self.sit, connection, channel, after, noted=True)
            self.absences.restore(channel.name, terminal, back)
            return
        seat = channel.seats.get(terminal)
        missed = None if seat is None or after is None else seat.since(after)
        if seat is None:
            seat = channel.seats[terminal] = Seat(channel.name, terminal, channel.version)
        self._take(connection, seat)
        if missed is None:
            missed = [channel.terminal_snapshot(self._runtime.clock.now(), terminal)]
        for data in missed:
            connection.send_now(data)
        self._vouchers(connection, seat)

    def _take(self, connection: Connection, seat: Seat) -> None:
        """Give a seat to a connection; an older connection of the same terminal loses it."""
        older, seat.connection = seat.connection, connection
        if older is not None and older is not connection:
            places = connection.guest.place, older.guest.place
            older.replace(partial(self.seconds.seen, seat.table, seat.terminal, *places))
        seat.stays()

    def _vouchers(self, connection: Connection, seat: Seat) -> None:
        """Show the numbers of vouchers that may not have been seen yet [D40]."""
        for order in seat.vouchers:
            self.show_voucher(connection, order)

    def printed(self, table: str, terminal: str, order: Order) -> None:
        """Show a terminal the number of the voucher that was printed for it.

        If the table has moved to another node, that node shows the number: another player may
        have bought in there.
        """
        if not self._runtime.owns(table_stream(table)):
            return
        channel = self._streams.find(table)
        seat = channel.seats.get(terminal) if isinstance(channel, TableChannel) else None
        if seat is None:
            return
        seat.vouchers.append(order)
        if seat.connection is not None:
            self.show_voucher(seat.connection, order)

    # --- watching ----------------------------------------------------------------------------

    def watch(self, connection: Connection, message: Watch) -> None:
        """Let a connection watch a table, or staff the cage or the venue."""
        channel = self._streams.find(message.table)
        role = connection.actor.role if isinstance(connection.actor, Actor) else "visitor"
        is_for = channel is not None and channel.is_for(role)
        if channel is None or not (is_for or isinstance(channel, TableChannel)):
            connection.send(Fault("NO_SUCH_TABLE", "There is no such table to watch."))
            return
        watched = channel.name in connection.watching
        if not watched and len(connection.watching) >= WATCHED_MAX:
            connection.end(TOO_MANY, "TOO_MANY", f"At most {WATCHED_MAX} tables are watched.")
            return
        connection.watching.add(channel.name)
        if is_for:
            channel.staff[connection] = None
        if isinstance(channel, TableChannel):
            channel.join(connection)
            self.show(connection, channel, message.after)

    def unwatch(self, connection: Connection, table: str) -> None:
        """Stop sending a table's messages to a connection."""
        channel = self._streams.find(table)
        if channel is not None:
            connection.watching.discard(channel.name)
            channel.forget(connection)

    def show(self, connection: Connection, channel: TableChannel, after: int | None = None) -> None:
        """Send a connection that watches a table the messages it missed, or a snapshot.

        While the table is suspended it waits; the hub shows the table when it resumes.
        """
        if channel.suspended:
            connection.send(Suspended(channel.name, suspended=True))
            return
        missed = None if after is None else channel.since(after, connection.language)
        if missed is None:
            connection.send_now(channel.snapshot(self._runtime.clock.now(), connection.language))
        else:
            # State that has no sequence may have changed as well.
            for data in (*missed, *channel.standing()):
                connection.send_now(data)
        if connection in channel.staff and channel.console is not None:
            channel.console.joined(connection)


class Absences:
    """Records in the journal which terminals are lost, and which are back.

    The commands of a terminal recorded as lost are refused [etg8 5.2.2]: so a connected terminal
    must never stay recorded as lost, however its disconnecting and reconnecting overlap.
    """

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        #: Set when the venue stops: terminals that disconnect then are not lost.
        self.over = False

    def lost(self, seat: Seat) -> None:
        """Record as lost a terminal that did not reconnect in time, if its table is ours.

        While its table takes no commands it is tried again, unless the terminal comes back.
        """
        seat.stays()
        if self.over or not self._runtime.owns(table_stream(seat.table)):
            return

        def noted(answer: Answer) -> None:
            _noted(answer)
            if isinstance(answer, Registered):
                if seat.connection is not None:
                    # It reconnected while it was being recorded as lost.
                    self.restore(seat.table, seat.terminal)
            elif answer.code in AGAIN and seat.connection is None and seat.leaving is None:
                loop = asyncio.get_running_loop()
                seat.leaving = loop.call_later(AGAIN_SECONDS, self.lost, seat)

        self._order(seat.table, f"lost-{seat.terminal}", LoseTerminal(seat.terminal), noted)

    def gone(self, channel: TableChannel, terminal: str) -> None:
        """Record as lost a terminal that left again while it was being recorded as back."""
        seat = channel.seats.get(terminal)
        if seat is None:
            seat = channel.seats[terminal] = Seat(channel.name, terminal, channel.version)
        if seat.connection is None:
            self.lost(seat)

    def restore(self, table: str, terminal: str, then: Callable[[], None] | None = None) -> None:
        """Record a lost terminal as back; `then` is called whether that was refused or not."""

        def noted(answer: Answer) -> None:
            _noted(answer)
            if then is not None:
                then()

        self._order(table, f"back-{terminal}", RestoreTerminal(terminal), noted)

    def _order(
        self, table: str, what: str, command: LoseTerminal | RestoreTerminal, then: OnAnswer
    ) -> None:
        order = Order(f"{what}-{self._runtime.clock.now()}", HOST, command)
        self._runtime.submit_then(table_stream(table), order, then)


def _noted(answer: Answer) -> None:
    """Log a refusal, unless the terminal was recorded so already or the order may be repeated."""
    if isinstance(answer, Refusal) and answer.code not in ("ALREADY_SO", *AGAIN):
        _log.warning("a terminal could not be noted as lost or back: %s", answer.code)

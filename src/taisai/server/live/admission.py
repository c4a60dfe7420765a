"""Who is let in, and what each may watch: hello, watch, grant, deal, ping."""

from functools import partial
from typing import TYPE_CHECKING, Literal, assert_never

from taisai.core.kernel.approvals import Approve
from taisai.core.kernel.messages import Actor, Order, Role
from taisai.core.rules.reason import refuse
from taisai.protocol import PROTOCOL
from taisai.protocol import client_messages as a
from taisai.protocol import server_messages as t
from taisai.runtime.answers import UnknownStreamError
from taisai.runtime.streams import CAGE, stream_of, table_of, table_stream
from taisai.server.live import answers
from taisai.server.live.channels import SEAT, WATCH, Channel, TableChannel
from taisai.server.live.connection import NOT_LET_IN, TOO_MANY, Connection
from taisai.server.live.seats import Seat

if TYPE_CHECKING:
    from taisai.server.accounts import Accounts
    from taisai.server.live.hub import Hub

#: Tables that one connection may watch at a time.
WATCHED_MAX = 100
#: Who may watch what the staff are told of each kind of stream.
WATCH_TABLES = frozenset(
    {"dealer", "supervisor", "pit-manager", "shift-manager", "technician", "auditor"}
)
WATCH_CAGE = frozenset({"cage", "supervisor", "pit-manager", "shift-manager", "auditor"})
WATCH_HOUSE = frozenset({"pit-manager", "shift-manager", "technician", "auditor"})
MAY_DEAL = frozenset({"dealer", "supervisor", "pit-manager"})

_WHY = {
    "HELLO_FIRST": "The first message is a Hello that says who this is.",
    "HELLO_TWICE": "A connection says hello once; connect anew to be somebody else.",
    "PROTOCOL": f"This house speaks version {PROTOCOL} of the protocol.",
    "NOT_LET_IN": "The terminal, the table or the key is not right.",
    "SESSION_ENDED": "There is no such session, or it is over; log in again.",
    "KEY_REPLACED": "This terminal has been given another key.",
    "TOO_MANY_TRIES": "There were too many wrong tries; wait a while.",
}


class Admission:
    """Lets connections in and to the channels they may hear."""

    def __init__(self, hub: "Hub", accounts: "Accounts") -> None:
        self._hub = hub
        self._house = hub.house
        self._accounts = accounts

    def turn_away(self, connection: Connection, code: str) -> None:
        """Close a connection that is not let in, or not any more."""
        connection.end(NOT_LET_IN, code, _WHY[code])

    def still_let_in(self, connection: Connection) -> bool:
        """Say whether the session that let somebody in still holds; it is not idle then."""
        token = connection.session
        return token is None or self._accounts.session(token) is not None

    def hear(self, connection: Connection, message: a.ClientMessage) -> None:
        """Do what a connection says; before its hello it can say nothing else."""
        if isinstance(message, a.Hello):
            self._hello(connection, message)
        elif connection.actor is None:
            self.turn_away(connection, "HELLO_FIRST")
        elif not isinstance(message, a.Ping) and not self.still_let_in(connection):
            self.turn_away(connection, "SESSION_ENDED")
        else:
            self._hear(connection, message)

    def _hear(self, connection: Connection, message: a.ClientMessage) -> None:
        match message:
            case a.Watch():
                self._watch(connection, message)
            case a.Unwatch(table=table):
                self._unwatch(connection, table)
            case a.Grant():
                self._hub.spawn(connection, message.id, self._grant(connection, message))
            case a.Deal():
                self._hub.spawn(connection, message.id, self._deal(connection, message))
            case a.Ping(number=number):
                connection.tell(t.Pong(number, self._house.clock.now()))
            case a.Hello() | a.Ask():
                self.turn_away(connection, "HELLO_TWICE")
            case _:
                assert_never(message)

    # --- hello -------------------------------------------------------------------------------

    def _hello(self, connection: Connection, hello: a.Hello) -> None:
        if connection.actor is not None:
            self.turn_away(connection, "HELLO_TWICE")
            return
        if hello.protocol != PROTOCOL:
            self.turn_away(connection, "PROTOCOL")
            return
        connection.language = hello.language
        if hello.terminal is not None:
            self._hello_terminal(connection, hello.terminal, hello.after)
            return
        token = hello.session or connection.cookie
        session = None if token is None else self._accounts.session(token)
        if session is None and hello.session is not None:
            self.turn_away(connection, "SESSION_ENDED")
            return
        if session is None:
            # A browser sends the cookie of a session that is over for as long as it has it: whoever
            # says nothing else is a visitor then, as over HTTP.
            connection.actor = "visitor"
            self._welcome(connection, "visitor", None)
            return
        connection.session = token
        connection.actor = Actor(session.person, session.role)
        self._welcome(connection, session.role, session.person)

    def _hello_terminal(
        self, connection: Connection, key: a.TerminalKey, after: int | None
    ) -> None:
        channel = self._hub.table(key.table)
        known = self._accounts.knows(key.table, key.terminal, key.key)
        if channel is None or not known:
            self.turn_away(connection, "NOT_LET_IN")
            return
        connection.actor = Actor(key.terminal, "terminal")
        connection.to = key.table
        connection.writer = self._house.writer(table_stream(key.table))
        self._welcome(connection, "terminal", key.terminal)
        self._sit(connection, channel, key.terminal, after)

    def _welcome(
        self, connection: Connection, role: Role | Literal["visitor"], name: str | None
    ) -> None:
        state = self._house.state
        tables = tuple(table_of(stream) or "" for stream in self._house.tables())
        now, demo = self._house.clock.now(), self._hub.settings.demo
        told = t.Welcome(PROTOCOL, state.name, state.currency, now, tables, role, name, demo)
        connection.tell(told)

    # --- seats -------------------------------------------------------------------------------

    def _sit(
        self,
        connection: Connection,
        channel: TableChannel,
        terminal: str,
        after: int | None,
        *,
        noted: bool = False,
    ) -> None:
        """Give a terminal its seat: from what it has, or from a snapshot.

        One that was lost is `noted` as back first: what it asks for then is not refused any more.
        """
        if connection.transport is None:
            if noted:
                self._hub.absences.gone(channel, terminal)
            return
        writer = self._house.writer(table_stream(channel.name))
        again = partial(self._sit, connection, channel, terminal, after)
        if channel.suspended:
            connection.tell(t.Suspended(channel.name, suspended=True))
            channel.put_off((connection, SEAT), again)
            return
        if writer.state.chips is not None or terminal not in writer.state.positions:
            # At a felt table they are the players' seats, which nobody has a key to.
            self.turn_away(connection, "NOT_LET_IN")
            return
        if not noted and not writer.state.positions[terminal].connected:
            back = partial(self._sit, connection, channel, terminal, after, noted=True)
            self._hub.absences.restore(channel.name, terminal, back)
            return
        seat = channel.seats.get(terminal)
        missed = None if seat is None or after is None else seat.since(after)
        if seat is not None and missed is not None:
            self._take(connection, seat)
            for data in missed:
                connection.say(data)
            self._vouchers(connection, seat)
            return
        self._sit_anew(connection, channel, terminal, again)

    def _sit_anew(
        self,
        connection: Connection,
        channel: TableChannel,
        terminal: str,
        again: "partial[None]",
    ) -> None:
        """Take a snapshot now, and show it when all that it holds is durable."""
        writer = self._house.writer(table_stream(channel.name))
        version, now = writer.head.version, self._house.clock.now()
        data, credits_, staked = channel.terminal_snapshot(writer.state, version, now, terminal)

        def show() -> None:
            seat = channel.seats.get(terminal)
            if seat is None:
                seat = channel.seats[terminal] = Seat(channel.name, terminal)
                seat.begin(version, credits_, staked)
            if connection.transport is not None:
                self._take(connection, seat)
                connection.say(data)
                self._vouchers(connection, seat)

        channel.when_told((connection, SEAT), version, show, again)

    def _take(self, connection: Connection, seat: Seat) -> None:
        """Let a connection have a seat; an older one of the same terminal loses it."""
        older, seat.connection = seat.connection, connection
        connection.seat = seat
        if older is not None and older is not connection:
            self._hub.replace(older)
        seat.waits = False
        seat.stays()

    def _vouchers(self, connection: Connection, seat: Seat) -> None:
        """Show again the numbers of vouchers that are still out."""
        for order in seat.vouchers:
            data = answers.voucher(self._house, order)
            if data is not None:
                connection.say(data)

    def seat_again(self, seat: Seat, channel: TableChannel) -> None:
        """Show a terminal how it stands, after something was missed or read back."""
        writer = self._house.writer(table_stream(channel.name))
        version, now = writer.head.version, self._house.clock.now()
        if channel.suspended or seat.terminal not in writer.state.positions:
            return
        data, credits_, staked = channel.terminal_snapshot(
            writer.state, version, now, seat.terminal
        )

        def show() -> None:
            if seat.sequence <= version:
                seat.begin(version, credits_, staked)
            seat.waits = False
            if seat.connection is not None:
                seat.connection.say(data)
                self._vouchers(seat.connection, seat)

        again = partial(self.seat_again, seat, channel)
        channel.when_told((seat, SEAT), version, show, again)

    # --- watching ----------------------------------------------------------------------------

    def _watch(self, connection: Connection, message: a.Watch) -> None:
        channel: Channel | None = self._hub.table(message.table)
        if channel is None:
            channel = self._hub.channels.get(message.table)
        role = connection.actor.role if isinstance(connection.actor, Actor) else "visitor"
        if channel is None or not _may_watch(channel, role):
            connection.tell(t.Fault("NO_SUCH_TABLE", "There is no such table to watch."))
            return
        watched = channel.name in connection.watching
        if not watched and len(connection.watching) >= WATCHED_MAX:
            connection.end(TOO_MANY, "TOO_MANY", f"At most {WATCHED_MAX} tables are watched.")
            return
        connection.watching.add(channel.name)
        if role in WATCH_TABLES or not isinstance(channel, TableChannel):
            channel.staff[connection] = None
        if isinstance(channel, TableChannel):
            self.watch(connection, channel, message.after)

    def _unwatch(self, connection: Connection, table: str) -> None:
        channel = self._hub.table(table) or self._hub.channels.get(table)
        if channel is not None:
            connection.watching.discard(channel.name)
            channel.forget(connection)

    def watch(self, connection: Connection, channel: TableChannel, after: int | None) -> None:
        """Let a connection hear a table: from what it has, or from a snapshot."""
        if connection.transport is None or channel.name not in connection.watching:
            return
        again = partial(self.watch, connection, channel, after)
        if channel.suspended:
            connection.tell(t.Suspended(channel.name, suspended=True))
            channel.put_off((connection, WATCH), again)
            return
        missed = None if after is None else channel.since(after, connection.language)
        if missed is not None:
            channel.join(connection)
            for data in missed:
                connection.say(data)
            connection.tell(t.Countdown(channel.name, channel.closes_at))
            self._show_console(connection, channel)
            return
        writer = self._house.writer(table_stream(channel.name))
        version, now = writer.head.version, self._house.clock.now()
        data = channel.snapshot(writer.state, version, now, connection.language)

        def show() -> None:
            if connection.transport is not None and channel.name in connection.watching:
                channel.join(connection)
                connection.say(data)
                self._show_console(connection, channel)

        channel.when_told((connection, WATCH), version, show, again)

    def _show_console(self, connection: Connection, channel: TableChannel) -> None:
        """Have staff who begin to watch a table told its steps and its exposure."""
        if connection in channel.staff and channel.console is not None:
            channel.console.joined(connection)

    # --- what takes its time -----------------------------------------------------------------

    async def _grant(self, connection: Connection, message: a.Grant) -> None:
        """Let the second person approve, with their own PIN [D14]."""
        token, actor = connection.session, connection.actor
        session = None if token is None else self._accounts.session(token)
        if session is None or not isinstance(actor, Actor):
            self._hub.refuse(connection, message.id, refuse("VISITORS_WATCH"))
            return
        refusal = await self._accounts.check_pin(session, message.pin)
        if refusal is not None:
            self._hub.refuse(connection, message.id, refusal)
            return
        order = Order(message.id, actor, Approve(message.pending, message.version))
        to = message.to
        try:
            stream = stream_of(to)
            answer = await self._house.submit(stream, order)
        except UnknownStreamError:
            answer = refuse("NO_TABLE")
        self._hub.answer(connection, message.id, to, answer)

    async def _deal(self, connection: Connection, message: a.Deal) -> None:
        """Hand a table over to the automatic dealer, or back to a person."""
        actor, dealers = connection.actor, self._hub.dealers
        if not isinstance(actor, Actor) or actor.role not in MAY_DEAL or dealers is None:
            role = actor.role if isinstance(actor, Actor) else "visitor"
            self._hub.refuse(
                connection, message.id, refuse("NOT_ALLOWED", role=role, command="Deal")
            )
            return
        try:
            refusal = await dealers.hand_over(message.table, message.automatic, actor.person)
        except UnknownStreamError:
            refusal = refuse("NO_TABLE")
        if refusal is None:
            connection.tell(t.Done(message.id))
        else:
            self._hub.refuse(connection, message.id, refusal)


def _may_watch(channel: Channel, role: str) -> bool:
    if isinstance(channel, TableChannel):
        return True
    return role in (WATCH_CAGE if channel.name == CAGE else WATCH_HOUSE)

"""The hub owns every connection and every channel of a venue.

It decides nothing of the game. It hands the clients' commands to the venue, and publishes durable
events to the connections that may see them.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, assert_never

from taisai.core.kernel.messages import Actor, Instant
from taisai.core.table.state import TableState
from taisai.protocol import client_messages as m
from taisai.protocol import server_messages as t
from taisai.protocol.client_messages import Ask, ClientMessage
from taisai.runtime.answers import Registered
from taisai.runtime.publisher import Announcement, Follower, not_passed_on
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, VENUE, table_of, table_stream
from taisai.server.accounts.doorkeeper import Doorkeeper
from taisai.server.accounts.sessions import Session, id_of
from taisai.server.console.feed import ConsoleFeed
from taisai.server.live.admission import Admission
from taisai.server.live.answers import turn_away
from taisai.server.live.channels import Channel, TableChannel, is_settled
from taisai.server.live.connection import Connection
from taisai.server.live.fills import FillsUnderWay
from taisai.server.live.questions import Questions
from taisai.server.live.seats import Seat
from taisai.server.live.sockets import Sockets, is_told
from taisai.server.settings import Settings

#: A terminal that reconnects within this time is not lost.
GRACE_SECONDS = 10.0


class GatewayBeside(Protocol):
    """A gateway process, which holds sockets of the venue; `generation` counts its starts."""

    name: str
    generation: int
    pid: int
    #: How many of its connections have not said hello.
    newcomers: int

    @property
    def connected(self) -> int:
        """Count the connections that have."""


class Hub(Sockets, Follower):
    """All connections to a venue, and its channels."""

    def __init__(
        self, runtime: Runtime, accounts: Doorkeeper, settings: Settings, fills: FillsUnderWay
    ) -> None:
        super().__init__(settings)
        self.runtime = runtime
        self.questions = Questions(runtime, accounts)
        self.channels: dict[str, Channel] = {}
        self.fills = fills
        #: Tells other nodes when the bets of a table will be closed.
        self.tell_closes: Callable[[str, Instant | None], None] = lambda _, __: None
        #: The processes that hold sockets beside this one, by name.
        self.gateways: dict[str, GatewayBeside] = {}
        #: Whether the pit's notices are sent to the staff here; in a cluster the office does it.
        self.sends_notices = True
        #: Whether terminals get time to reconnect when a table is opened, as after a take-over.
        self.expects_terminals = False
        self.admission = Admission(runtime, accounts, self, self.door, settings)
        self.admission.show_voucher = self.questions.show_voucher
        for stream in (*runtime.tables(), CAGE, VENUE):
            self.add(stream)
        self._follow_fills()
        runtime.publisher.followers.append(self)
        runtime.transfers.printed = self.admission.printed

    # --- channels ----------------------------------------------------------------------------

    def add(self, stream: str) -> None:
        """Open the channels of a stream; everything decided so far must be durable."""
        if stream not in self.channels:
            writer = self.runtime.writer(stream)
            suspended = writer.suspended is not None
            state = TableState() if suspended else writer.state
            self._open(stream, state, writer.head.version).suspended = suspended

    def _open(self, stream: str, state: TableState, version: int) -> Channel:
        table = table_of(stream)
        if table is None:
            channel = self.channels[stream] = Channel(stream, version)
            return channel
        channel = self.channels[stream] = TableChannel(table, state, version)
        writer, clock = self.runtime.writer(stream), self.runtime.clock
        channel.console = ConsoleFeed(channel, writer, clock, partial(self.fills.around, table))
        channel.followed = lambda: (writer.state, writer.head.version)
        return channel

    def table(self, table: str) -> TableChannel | None:
        """Find the channels of a table."""
        channel = self.channels.get(table_stream(table))
        return channel if isinstance(channel, TableChannel) else None

    def find(self, name: str) -> Channel | None:
        """Find the channels of a table, of `cage` or of `venue`."""
        return self.table(name) or self.channels.get(name)

    def published_all(self, stream: str, batch: Sequence[Registered]) -> None:
        """Publish a durable batch."""
        channel = self._channel_of(stream, batch)
        for registered in batch:
            try:
                if registered.last > channel.version:
                    channel.published(registered)
            except Exception:  # noqa: BLE001 - logged, and nobody else is held up
                not_passed_on(stream)
        if is_settled(batch[-1]):
            # No message follows soon that could be sent with it.
            self.release()
        if stream == CAGE:
            self._follow_fills()

    def published_bets(self, stream: str, bets: Sequence[Registered]) -> None:
        """Publish durable bets and nothing else: most batches are that."""
        channel = self._channel_of(stream, bets)
        assert isinstance(channel, TableChannel), "bets are placed at tables"
        publish, version = channel.publish_bet, channel.version
        for registered in bets:
            try:
                if registered.last > version:
                    publish(registered)
            except Exception:  # noqa: BLE001 - logged, and nobody else is held up
                not_passed_on(stream)
        try:
            channel.bets_published()
        except Exception:  # noqa: BLE001 - logged, and nobody else is held up
            not_passed_on(stream)

    def _channel_of(self, stream: str, batch: Sequence[Registered]) -> Channel:
        """Find the channel of a durable batch, as far as the batch is not in its view yet."""
        channel = self.channels.get(stream)
        if channel is None:
            # A new stream: its state may be ahead of what is durable.
            channel = self._open(stream, TableState(), batch[0].first - 1)
        if isinstance(channel, TableChannel):
            if not channel.is_watched and self.runtime.is_followed(stream):
                channel.pass_by(batch[-1].last)
            else:
                # This node may have just taken the table over: the batch is then in its state.
                channel.catch_up()
        return channel

    def _follow_fills(self) -> None:
        """Update the consoles of the tables whose fills under way have changed.

        Fills that are not durable yet are shown once they are.
        """
        cage = self.runtime.writer(CAGE)
        if cage.suspended is None and not cage.is_durable:
            return
        for table in self.fills.take_up(None if cage.suspended is not None else cage.state):
            channel = self.table(table)
            if channel is not None:
                channel.look_again()

    def announced(self, announcement: Announcement) -> None:
        """Send a notice to the pit, and follow a stream that is suspended or resumed."""
        channel = self.channels.get(announcement.stream)
        if channel is not None and announcement.code == "suspended":
            channel.suspend()
        elif announcement.code == "resumed":
            self._resumed(channel, announcement.stream)
        if self.sends_notices:
            self.pass_on(announcement)

    def pass_on(self, announcement: Announcement) -> None:
        """Send a notice to the staff who receive the pit's notices."""
        told = (announcement.at, announcement.stream, announcement.code)
        for connection in self.everybody:
            if is_told(connection):
                connection.send(t.Notice(*told, announcement.said(connection.language)))

    def _resumed(self, channel: Channel | None, stream: str) -> None:
        """Resume the channels of a stream, or open them if it is new at this node."""
        if channel is None:
            self.add(stream)
        else:
            self._go_on(channel, stream)
        if self.expects_terminals:
            self._expect(stream)

    def expect_terminals(self) -> None:
        """Give terminals time to reconnect whenever a table is opened at this node."""
        self.expects_terminals = True
        for stream in self.runtime.tables():
            self._expect(stream)

    def _expect(self, stream: str) -> None:
        """Give the terminals of a table time to reconnect after a take-over [etg8 5.2]."""
        channel = self.channels[stream]
        if not self.runtime.owns(stream) or channel.suspended:
            return
        if not isinstance(channel, TableChannel) or self.runtime.table(channel.name).chips:
            return
        lost = self.admission.absences.lost
        for terminal in channel.terminals:
            position = self.runtime.table(channel.name).positions[terminal]
            seat = channel.seats.get(terminal) or Seat(channel.name, terminal, channel.version)
            if position.connected and seat.connection is None:
                channel.seats[terminal] = seat
                seat.stays()
                seat.leaving = self.loop.call_later(GRACE_SECONDS, lost, seat)

    def _go_on(self, channel: Channel, stream: str) -> None:
        writer = self.runtime.writer(stream)
        if not isinstance(channel, TableChannel):
            channel.go_on(writer.head.version)
            self._follow_fills()
            return
        channel.resume(writer.state, writer.head.version)
        for connection in channel.everyone():
            self.admission.show(connection, channel)
        if not self.runtime.owns(stream):
            # Its terminals have their seats at its owner.
            return
        for connection in [*self.everybody]:
            if connection.to == channel.name:
                self.admission.sit(connection, channel, None)

    def countdown(self, table: str, closes_at: Instant | None) -> None:
        """Show when the bets of a table will be closed, here and at other nodes."""
        self.show_closes(table, closes_at)
        self.tell_closes(table, closes_at)

    def show_closes(self, table: str, closes_at: Instant | None) -> None:
        """Show here when the bets of a table will be closed."""
        channel = self.table(table)
        if channel is not None:
            channel.closes_at = closes_at
            channel.send_all(t.Countdown(table, closes_at))

    def dealer(self, table: str, automatic: str) -> None:
        """Show who deals at a table: `automatic` or a `person`."""
        channel = self.table(table)
        if channel is not None:
            channel.automatic = automatic == "automatic"
            channel.send_all(t.Dealer(table, channel.dealer))
            channel.look_again()

    # --- connections -------------------------------------------------------------------------

    def disconnected(self, connection: Connection) -> None:
        """Remove a connection; a terminal that does not reconnect soon is lost."""
        self.everybody.pop(connection, None)
        for name in connection.watching:
            channel = self.find(name)
            if channel is not None:
                channel.forget(connection)
        self._left(connection)
        seat = self._seat_of(connection)
        if seat is not None:
            seat.connection = None
            self.admission.attendance.left(seat.table, seat.terminal)
            if not self.stopped:
                lost = self.admission.absences.lost
                seat.leaving = self.loop.call_later(GRACE_SECONDS, lost, seat)

    def _left(self, connection: Connection) -> None:
        """Note that a terminal whose seat is at another node has disconnected."""
        if self.admission.gathered and isinstance(connection.actor, Actor):
            its = connection.to or "", connection.actor.person
            if self.admission.gathered.get(its) is connection:
                del self.admission.gathered[its]
                self.admission.attendance.left(*its)

    def heard(self, table: str, terminal: str) -> Instant | None:
        """Say when a terminal last sent something; None if it is not connected."""
        channel = self.table(table)
        seat = None if channel is None else channel.seats.get(terminal)
        there = self.admission.gathered.get((table, terminal))
        connection = there if seat is None else seat.connection or there
        if connection is None:
            return None
        # A gateway checks itself whether its connections are silent.
        silent = max(0.0, self.time() - connection.received_at)
        return self.runtime.clock.now() - round(silent * 1_000)

    def _seat_of(self, connection: Connection) -> Seat | None:
        """Find the seat that a connection has."""
        channel = None if connection.to is None else self.table(connection.to)
        if channel is None or not isinstance(connection.actor, Actor):
            return None
        seat = channel.seats.get(connection.actor.person)
        return seat if seat is not None and seat.connection is connection else None

    def close_terminal(self, table: str, terminal: str, why: str = "KEY_REPLACED") -> None:
        """Close the connections of a terminal: its key is no longer valid."""
        its = (table, Actor(terminal, "terminal"))
        for connection in [*self.everybody]:
            if (connection.to, connection.actor) == its:
                turn_away(connection, why)

    def close_session(self, session: Session) -> None:
        """Close every connection of a session that is over."""
        for connection in [*self.everybody]:
            if connection.session is not None and id_of(connection.session) == session.id:
                turn_away(connection, "SESSION_ENDED")

    def _keep(self, connection: Connection, silent: float) -> None:
        """Ping a quiet connection, and restore a connected terminal still recorded as lost."""
        super()._keep(connection, silent)
        seat = self._seat_of(connection)
        if seat is None or self.channels[table_stream(seat.table)].suspended:
            return
        if not self.runtime.owns(table_stream(seat.table)):
            # Its owner knows whether it is there.
            return
        if not self.runtime.table(seat.table).positions[seat.terminal].connected:
            self.admission.absences.restore(seat.table, seat.terminal)

    # --- what connections send -----------------------------------------------------------------

    def ask(self, connection: Connection, message: Ask, written: bytes) -> None:  # noqa: ARG002
        """Take a command, unless the connection sends too fast."""
        self.frames_in += 1
        if connection.bucket.take(connection.received_at):
            self.questions.ask(connection, message)
        else:
            self.questions.too_fast(connection, message.id)

    def receive(self, connection: Connection, message: ClientMessage) -> None:
        """Take any other message; the first one of a connection must be its Hello."""
        self.frames_in += 1
        if not connection.bucket.take(self.time()):
            self.questions.too_fast(connection, getattr(message, "id", ""))
        elif isinstance(message, m.Hello):
            self.admission.hello(connection, message)
        elif connection.actor is None:
            turn_away(connection, "HELLO_FIRST")
        elif not isinstance(message, m.Ping) and not self.questions.still_let_in(connection):
            turn_away(connection, "SESSION_ENDED")
        else:
            self._receive(connection, message)

    def _receive(self, connection: Connection, message: ClientMessage) -> None:
        match message:
            case m.Watch():
                self.admission.watch(connection, message)
            case m.Unwatch(table=table):
                self.admission.unwatch(connection, table)
            case m.Grant():
                self.questions.grant(connection, message)
            case m.Deal():
                self.questions.deal(connection, message)
            case m.Ping(number=number):
                now, newest = self.runtime.clock.now(), self.admission.newest()
                connection.send(t.Pong(number, now, newest))
            case m.Hello() | Ask():
                raise AssertionError("these are taken elsewhere")
            case _:
                assert_never(message)

    # --- going on, and the end -----------------------------------------------------------------

    def catch_up(self, connection: Connection) -> None:
        """Send a connection that missed messages snapshots of everything it watches."""
        for name in connection.watching:
            channel = self.table(name)
            if channel is not None:
                self.admission.show(connection, channel)
        seat = self._seat_of(connection)
        channel = None if seat is None else self.table(seat.table)
        if channel is not None:
            self.admission.sit(connection, channel, None, noted=True)

    async def stop(self) -> None:
        """Send what is waiting, then close every connection: the venue stops."""
        self.stopped = self.admission.absences.over = True
        for channel in self.channels.values():
            if isinstance(channel, TableChannel):
                if channel.console is not None:
                    channel.console.stop()
                for seat in channel.seats.values():
                    seat.stays()
        await self.questions.stop()
        await self.end_all()
        self.runtime.publisher.leave(self)

"""The hub: every connection, every channel, and the turns in which messages go out.

It decides nothing of the game. It knows who is connected, hands on what they send, and publishes
what the venue has made durable.
"""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Sequence
from functools import partial
from typing import assert_never

from taisai.core.kernel.messages import Actor, Instant
from taisai.core.table.state import TableState
from taisai.protocol import client_messages as m
from taisai.protocol import server_messages as t
from taisai.protocol.client_messages import Ask, ClientMessage
from taisai.runtime.answers import Registered
from taisai.runtime.publisher import Announcement, Follower, not_passed_on
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, VENUE, table_of, table_stream
from taisai.server.accounts.accounts import Accounts
from taisai.server.accounts.sessions import Session, id_of
from taisai.server.console.feed import ConsoleFeed
from taisai.server.door.door import Door
from taisai.server.live.admission import Admission
from taisai.server.live.answers import turn_away
from taisai.server.live.channels import Channel, TableChannel
from taisai.server.live.connection import TOO_SLOW, Connection
from taisai.server.live.fills import FillsUnderWay
from taisai.server.live.questions import Questions
from taisai.server.live.seats import Seat
from taisai.server.settings import Settings

#: Sockets that are written to before bets and others have their turn.
CHUNK = 64
#: What is sent to many waits a moment, the longer the more there are, so that what follows at once
#: goes out with it; nobody sees a twentieth of a second.
GATHER_SECONDS_EACH = 0.000_01
GATHER_SECONDS_MAX = 0.05
#: A terminal that comes back within this was never away.
GRACE_SECONDS = 10.0
#: How long a connection may take nothing, and how long it may say nothing.
SLOW_SECONDS = 30.0
SILENT_SECONDS = 90.0
HELLO_SECONDS = 10.0
SWEEP_SECONDS = 5.0
#: Who is sent what the pit is to know.
SENT_NOTICES = frozenset({"supervisor", "pit-manager", "shift-manager", "technician", "auditor"})

_log = logging.getLogger(__name__)


class Hub(Follower):
    """Everybody who is connected to a venue."""

    def __init__(
        self, runtime: Runtime, accounts: Accounts, settings: Settings, fills: FillsUnderWay
    ) -> None:
        self.runtime = runtime
        self.settings = settings
        self.questions = Questions(runtime, accounts)
        self.channels: dict[str, Channel] = {}
        self.fills = fills
        self.everybody: dict[Connection, None] = {}
        self.slow = self.faults = self.frames_in = self.frames_out = 0
        self.loop = asyncio.get_running_loop()
        self.time = self.loop.time
        self.door = Door(settings, self.loop)
        self.admission = Admission(runtime, accounts, self, self.door, demo=settings.demo)
        self.admission.show_voucher = self.questions.show_voucher
        self._next: deque[Connection] = deque()
        self._later: deque[Connection] = deque()
        self._flushing = self._gathering = self._released = False
        self.stopped = False
        for stream in (*runtime.tables(), CAGE, VENUE):
            self.add(stream)
        self._follow_fills()
        runtime.publisher.followers.append(self)
        runtime.transfers.printed = self.admission.printed
        self._sweeping = self.loop.create_task(self._sweep())

    # --- channels ----------------------------------------------------------------------------

    def add(self, stream: str) -> None:
        """Open the channels of a stream, everything decided so far being durable."""
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
        return channel

    def table(self, table: str) -> TableChannel | None:
        """Find the channels of a table."""
        channel = self.channels.get(table_stream(table))
        return channel if isinstance(channel, TableChannel) else None

    def find(self, name: str) -> Channel | None:
        """Find the channels of a table, of `cage` or of `venue`."""
        return self.table(name) or self.channels.get(name)

    def published_all(self, stream: str, batch: Sequence[Registered]) -> None:
        """Pass on what is durable: almost always a table's bets, so the table is found once."""
        channel = self.channels.get(stream)
        if channel is None:
            # A new stream: its state may be ahead of what is durable.
            channel = self._open(stream, TableState(), batch[0].first - 1)
        for registered in batch:
            try:
                if registered.last > channel.version:
                    channel.published(registered)
            except Exception:  # noqa: BLE001 - logged, and nobody else is held up
                not_passed_on(stream)
        if stream == CAGE:
            self._follow_fills()

    def _follow_fills(self) -> None:
        """Have the consoles of tables show anew which fills are on their way, where that changed.

        What is not durable yet is shown when it is.
        """
        cage = self.runtime.writer(CAGE)
        if cage.suspended is None and not cage.is_durable:
            return
        for table in self.fills.take_up(None if cage.suspended is not None else cage.state):
            channel = self.table(table)
            if channel is not None:
                channel.look_again()

    def announced(self, announcement: Announcement) -> None:
        """Pass on what the pit is to know, and follow a stream that stops or goes on."""
        channel = self.channels.get(announcement.stream)
        if channel is not None and announcement.code == "suspended":
            channel.suspend()
        elif channel is not None and announcement.code == "resumed":
            self._go_on(channel, announcement.stream)
        sent = t.Notice(announcement.at, announcement.stream, announcement.code, announcement.text)
        for connection in self.everybody:
            if _role(connection) in SENT_NOTICES:
                connection.send(sent)

    def _go_on(self, channel: Channel, stream: str) -> None:
        writer = self.runtime.writer(stream)
        if not isinstance(channel, TableChannel):
            channel.go_on(writer.head.version)
            self._follow_fills()
            return
        channel.resume(writer.state, writer.head.version)
        for connection in channel.watchers:
            self.admission.show(connection, channel)
        for connection in [*self.everybody]:
            if connection.to == channel.name:
                self.admission.sit(connection, channel, None)

    def countdown(self, table: str, closes_at: Instant | None) -> None:
        """Show when the bets of a table will be closed."""
        channel = self.table(table)
        if channel is not None:
            channel.closes_at = closes_at
            channel.send_all(t.Countdown(table, closes_at))

    def dealer(self, table: str, automatic: str) -> None:
        """Show who deals at a table: `automatic` or a `person`."""
        channel = self.table(table)
        if channel is not None:
            channel.automatic = automatic == "automatic"
            channel.send_all(t.Dealer(table, "automatic" if channel.automatic else "person"))
            channel.look_again()

    # --- connections -------------------------------------------------------------------------

    def sockets_by_role(self) -> dict[str, int]:
        """Count who is connected, by what they are."""
        return dict(Counter(_role(each) for each in self.everybody))

    def connected(self, connection: Connection) -> None:
        """Take a connection in; it has a moment to say who it is."""
        connection.received_at = self.time()
        self.everybody[connection] = None

    def disconnected(self, connection: Connection) -> None:
        """Let a connection go; a terminal that does not come back soon is lost."""
        self.everybody.pop(connection, None)
        for name in connection.watching:
            channel = self.find(name)
            if channel is not None:
                channel.forget(connection)
        seat = self._seat_of(connection)
        if seat is not None:
            seat.connection = None
            if not self.stopped:
                lost = self.admission.absences.lost
                seat.leaving = self.loop.call_later(GRACE_SECONDS, lost, seat)

    def _seat_of(self, connection: Connection) -> Seat | None:
        """Find the seat that a connection has."""
        channel = None if connection.to is None else self.table(connection.to)
        if channel is None or not isinstance(connection.actor, Actor):
            return None
        seat = channel.seats.get(connection.actor.person)
        return seat if seat is not None and seat.connection is connection else None

    def close_terminal(self, table: str, terminal: str) -> None:
        """Cut a terminal off: its key is not good any more."""
        its = (table, Actor(terminal, "terminal"))
        for connection in [*self.everybody]:
            if (connection.to, connection.actor) == its:
                turn_away(connection, "KEY_REPLACED")

    def close_session(self, session: Session) -> None:
        """Cut off everybody connected by a session that is over."""
        for connection in [*self.everybody]:
            if connection.session is not None and id_of(connection.session) == session.id:
                turn_away(connection, "SESSION_ENDED")

    async def _sweep(self) -> None:
        """Cut off who is silent, too slow or never said who they are; ping who is quiet."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now = self.time()
            for connection in [*self.everybody]:
                try:
                    self._look_after(connection, now)
                except Exception:  # noqa: BLE001 - logged, and nobody else is held up
                    _log.exception("%r could not be looked after", connection)

    def _look_after(self, connection: Connection, now: float) -> None:
        silent, paused = now - connection.received_at, connection.paused_at
        if connection.ended_at is not None:
            if now - connection.ended_at > SWEEP_SECONDS:
                # It takes not even its end: nothing more is stored for it.
                connection.cut()
        elif paused is not None and now - paused > SLOW_SECONDS:
            connection.end(TOO_SLOW, "TOO_SLOW", "What was sent was not taken in time.")
        elif connection.actor is None and silent > HELLO_SECONDS:
            turn_away(connection, "HELLO_FIRST")
        elif silent > SILENT_SECONDS:
            connection.end(TOO_SLOW, "SILENT", "Nothing was received for too long.")
        else:
            self._keep(connection, silent)

    def _keep(self, connection: Connection, silent: float) -> None:
        """Ping who is quiet, and have a terminal restored that could not be before."""
        if silent > SILENT_SECONDS / 3 and connection.transport is not None:
            connection.transport.send_ping()
        seat = self._seat_of(connection)
        if seat is None or self.channels[table_stream(seat.table)].suspended:
            return
        if not self.runtime.table(seat.table).positions[seat.terminal].connected:
            self.admission.absences.restore(seat.table, seat.terminal)

    # --- what connections send -----------------------------------------------------------------

    def ask(self, connection: Connection, message: Ask) -> None:
        """Take a command."""
        self.frames_in += 1
        self.questions.ask(connection, message)

    def receive(self, connection: Connection, message: ClientMessage) -> None:
        """Take any other message; before its hello a connection can say nothing else."""
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

    # --- sending -----------------------------------------------------------------------------

    def next(self, connection: Connection) -> None:
        self._next.append(connection)
        self._schedule()

    def later(self, connection: Connection) -> None:
        """Give a connection a turn after those who wait already."""
        self._later.append(connection)
        if not self._gathering:
            self._gathering = True
            pause = min(GATHER_SECONDS_MAX, len(self.everybody) * GATHER_SECONDS_EACH)
            self.loop.call_later(pause, self._release)

    def _release(self) -> None:
        """Let what has gathered go out; what follows goes with it until all of it is sent."""
        self._released = True
        self._schedule()

    def _schedule(self) -> None:
        if not self._flushing:
            self._flushing = True
            self.loop.call_soon(self._flush)

    def _flush(self) -> None:
        """Send to everybody who waits for an answer, and some of what is sent to many."""
        self._flushing = False
        waiting, later, sent = self._next, self._later, 0
        while waiting:
            sent += waiting.popleft().flush()
        if self._released:
            for _ in range(min(CHUNK, len(later))):
                sent += later.popleft().flush()
            self._gathering = self._released = bool(later)
            if later:
                self._schedule()
        self.frames_out += sent

    def slowed(self, connection: Connection) -> None:
        """Count a connection that does not read as fast as it is sent to."""
        self.slow += 1
        _log.debug("%r is slow", connection)

    def catch_up(self, connection: Connection) -> None:
        """Show a connection that missed something how everything stands."""
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
        self._sweeping.cancel()
        for channel in self.channels.values():
            if isinstance(channel, TableChannel):
                if channel.console is not None:
                    channel.console.stop()
                for seat in channel.seats.values():
                    seat.stays()
        await asyncio.gather(self._sweeping, self.questions.stop(), return_exceptions=True)
        while self._next or self._later:
            self._released = True
            self._flush()
            await asyncio.sleep(0)
        for connection in [*self.everybody]:
            connection.end(1012, "VENUE_STOPPING", "The venue is stopping; come back soon.")
        self.runtime.publisher.leave(self)


def _role(connection: Connection) -> str:
    actor = connection.actor
    if actor is None:
        return "nobody"
    return actor.role if isinstance(actor, Actor) else actor

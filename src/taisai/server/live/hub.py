"""The hub: every connection, every channel, and the turns in which what is told goes out.

It decides nothing of the game. It knows who is connected, hands what they ask for to the house, and
passes on what the house has made durable.
"""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Coroutine, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from taisai.core.cage.vouchers import TakeVoucher
from taisai.core.kernel.messages import Actor, Instant, Order
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.positions import CashedOut
from taisai.core.table.state import TableState
from taisai.protocol import server_messages as t
from taisai.protocol.client_messages import Ask, ClientMessage
from taisai.runtime.answers import AGAIN, Answer, Registered, UnknownStreamError
from taisai.runtime.publisher import Announcement
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, HOUSE, stream_of, table_of, table_stream
from taisai.server.accounts import id_of
from taisai.server.console.chip_table import Meanwhile
from taisai.server.console.feed import ConsoleFeed
from taisai.server.live import answers
from taisai.server.live.absences import Absences
from taisai.server.live.admission import Admission
from taisai.server.live.channels import SEAT, Channel, TableChannel
from taisai.server.live.connection import (
    REPLACED,
    SLOW_ASKS_MAX,
    TOO_SLOW,
    Connection,
)
from taisai.server.live.fills import FillsUnderWay

if TYPE_CHECKING:
    from taisai.projections.figures.gaming_days import GamingDays
    from taisai.server.accounts import Accounts, Session
    from taisai.server.dealing import Dealers
    from taisai.server.settings import Settings

#: Sockets that are written to before bets and others have their turn.
CHUNK = 64
#: What many hear waits a moment, the longer the more there are, so that what follows at once goes
#: out with it; nobody sees a twentieth of a second.
GATHER_SECONDS_EACH = 0.000_01
GATHER_SECONDS_MAX = 0.05
#: A terminal that comes back within this was never away.
GRACE_SECONDS = 10.0
#: How long a connection may take nothing, and how long it may say nothing.
SLOW_SECONDS = 30.0
SILENT_SECONDS = 90.0
HELLO_SECONDS = 10.0
SWEEP_SECONDS = 5.0
#: Who hears what the pit is told.
TOLD_NOTICES = frozenset({"supervisor", "pit-manager", "shift-manager", "technician", "auditor"})

_log = logging.getLogger(__name__)


class Hub:
    """Everybody who is connected to a house."""

    def __init__(
        self,
        house: Runtime,
        accounts: "Accounts",
        settings: "Settings",
        gaming_days: "GamingDays",
    ) -> None:
        self.house = house
        self.settings = settings
        self.gaming_days = gaming_days
        self.dealers: Dealers | None = None
        self.admission = Admission(self, accounts)
        self.absences = Absences(house)
        self.channels: dict[str, Channel] = {}
        self.fills = FillsUnderWay()
        self.everybody: dict[Connection, None] = {}
        self.bets = 0
        self.refusals: Counter[str] = Counter()
        self.slow = self.faults = self.frames_in = self.frames_out = 0
        self.loop = asyncio.get_running_loop()
        self.time = self.loop.time
        self._next: deque[Connection] = deque()
        self._later: deque[Connection] = deque()
        self._flushing = self._gathering = self._released = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = False
        for stream in (*house.tables(), CAGE, HOUSE):
            self.add(stream)
        self._follow_fills()
        house.publisher.followers.append(self)
        house.transfers.printed = self._printed
        self._sweeping = self.loop.create_task(self._sweep())

    # --- channels ----------------------------------------------------------------------------

    def add(self, stream: str) -> None:
        """Open the channels of a stream."""
        writer, table = self.house.writer(stream), table_of(stream)
        if stream in self.channels:
            return
        if table is None:
            self.channels[stream] = Channel(stream, writer.head.version)
        else:
            state = TableState() if writer.suspended is not None else writer.state
            channel = self.channels[stream] = TableChannel(table, state, writer.head.version)
            channel.begin_anew = partial(self._show_anew, channel)
            meanwhile = partial(self._meanwhile, table)
            channel.console = ConsoleFeed(channel, writer, self.house.clock, meanwhile)
        self.channels[stream].suspended = writer.suspended is not None

    def table(self, table: str) -> TableChannel | None:
        """Find the channels of a table."""
        channel = self.channels.get(table_stream(table))
        return channel if isinstance(channel, TableChannel) else None

    def published(self, stream: str, registered: Registered) -> None:
        """Pass on what is durable."""
        channel = self.channels.get(stream)
        if channel is None:
            self.add(stream)
        else:
            channel.published(registered)
        if stream == CAGE:
            self._look_again(self.fills.heard(registered))

    def _meanwhile(self, table: str, at: Instant) -> Meanwhile:
        """Tell a felt table's console how the house around the table stands."""
        return Meanwhile(self.gaming_days.gaming_date_at(at), self.fills.to(table))

    def _follow_fills(self) -> None:
        cage = self.house.writer(CAGE)
        self.fills.begin(None if cage.suspended is not None else cage.state)

    def _look_again(self, tables: Iterable[str]) -> None:
        """Have the consoles of some tables tell the house around them anew."""
        for table in tables:
            channel = self.table(table)
            if channel is not None and channel.staff and channel.console is not None:
                channel.console.happened()

    def announced(self, announcement: Announcement) -> None:
        """Pass on what the pit is told, and follow a stream that stops or goes on."""
        channel = self.channels.get(announcement.stream)
        if channel is not None and announcement.code == "suspended":
            channel.suspend()
        elif channel is not None and announcement.code == "resumed":
            self._go_on(channel, announcement.stream)
        told = t.Notice(announcement.at, announcement.stream, announcement.code, announcement.text)
        for connection in self.everybody:
            if _role(connection) in TOLD_NOTICES:
                connection.tell(told)

    def _go_on(self, channel: Channel, stream: str) -> None:
        writer = self.house.writer(stream)
        if not isinstance(channel, TableChannel):
            channel.go_on(writer.head.version)
            told = self.fills.tables()
            self._follow_fills()
            self._look_again(told | self.fills.tables())
            return
        channel.resume(writer.state, writer.head.version)
        self._show_anew(channel)
        for seat in channel.seats.values():
            self.admission.seat_again(seat, channel)

    def _show_anew(self, channel: TableChannel) -> None:
        """Give everybody who watches a table a snapshot of it."""
        for connection in [*channel.watchers]:
            self.admission.watch(connection, channel, None)

    def countdown(self, table: str, closes_at: Instant | None) -> None:
        """Tell when the bets of a table will be closed."""
        channel = self.table(table)
        if channel is not None:
            channel.closes_at = closes_at
            channel.tell_all(t.Countdown(table, closes_at))

    def dealer(self, table: str, automatic: str) -> None:
        """Tell who deals at a table: `automatic` or a `person`."""
        channel = self.table(table)
        if channel is not None:
            channel.automatic = automatic == "automatic"
            channel.tell_all(t.Dealer(table, "automatic" if channel.automatic else "person"))
            if channel.staff and channel.console is not None:
                channel.console.happened()

    # --- connections -------------------------------------------------------------------------

    @property
    def connections(self) -> int:
        """Count who is connected."""
        return len(self.everybody)

    @property
    def full(self) -> bool:
        """Say whether there is room for no more."""
        return self._stopped or len(self.everybody) >= self.settings.connections_max

    def sockets_by_role(self) -> dict[str, int]:
        """Count who is connected, by what they are."""
        return dict(Counter(_role(each) for each in self.everybody))

    def connected(self, connection: Connection) -> None:
        """Take a connection in; it has a moment to say who it is."""
        connection.heard_at = self.time()
        self.everybody[connection] = None

    def disconnected(self, connection: Connection) -> None:
        """Let a connection go; a terminal that does not come back soon is lost."""
        self.everybody.pop(connection, None)
        for name in connection.watching:
            channel = self.table(name) or self.channels.get(name)
            if channel is not None:
                channel.forget(connection)
        if connection.to is not None:
            self.channels[table_stream(connection.to)].let_go((connection, SEAT))
        seat = connection.seat
        if seat is not None and seat.connection is connection:
            seat.connection = None
            if not self._stopped:
                seat.leaving = self.loop.call_later(GRACE_SECONDS, self.absences.lost, seat)

    def close_terminal(self, table: str, terminal: str) -> None:
        """Cut a terminal off: its key is not good any more."""
        its = (table, Actor(terminal, "terminal"))
        for connection in [*self.everybody]:
            if (connection.to, connection.actor) == its:
                self.admission.turn_away(connection, "KEY_REPLACED")

    def close_session(self, session: "Session") -> None:
        """Cut off everybody connected by a session that is over."""
        for connection in [*self.everybody]:
            if connection.session is not None and id_of(connection.session) == session.id:
                self.admission.turn_away(connection, "SESSION_ENDED")

    def replace(self, connection: Connection) -> None:
        """Cut off a terminal's older connection, since it is connected anew."""
        connection.seat = None
        sentence = "This terminal has been connected from somewhere else."
        connection.end(REPLACED, "REPLACED", sentence)

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
        silent, paused = now - connection.heard_at, connection.paused_at
        if connection.ended_at is not None:
            if now - connection.ended_at > SWEEP_SECONDS:
                # It takes not even its end: nothing more is kept for it.
                connection.cut()
        elif paused is not None and now - paused > SLOW_SECONDS:
            connection.end(TOO_SLOW, "TOO_SLOW", "What was told was not taken in time.")
        elif connection.actor is None and silent > HELLO_SECONDS:
            self.admission.turn_away(connection, "HELLO_FIRST")
        elif silent > SILENT_SECONDS:
            connection.end(TOO_SLOW, "SILENT", "Nothing was heard for too long.")
        else:
            self._keep(connection, silent)

    def _keep(self, connection: Connection, silent: float) -> None:
        """Ping who is quiet, and have a terminal restored that could not be before."""
        if silent > SILENT_SECONDS / 3 and connection.transport is not None:
            connection.transport.send_ping()
        seat = connection.seat
        if seat is None or self.channels[table_stream(seat.table)].suspended:
            return
        if not self.house.table(seat.table).positions[seat.terminal].connected:
            self.absences.restore(seat.table, seat.terminal)

    # --- asking ------------------------------------------------------------------------------

    def ask(self, connection: Connection, message: Ask) -> None:
        """Hand a command to the house; its answer goes to who asked when it is durable."""
        self.frames_in += 1
        actor = connection.actor
        if not connection.bucket.take(connection.heard_at):
            self.refuse(connection, message.id, refuse("TOO_FAST"))
            return
        if type(actor) is not Actor:
            self._not_staff(connection, message.id)
            return
        if message.to != connection.to and _is_elsewhere(connection, message):
            # Terminals of two tables may have the same name: each acts at its own table alone.
            self.refuse(connection, message.id, refuse("NOT_YOUR_TERMINAL", terminal=actor.person))
            return
        if connection.session is not None and not self.admission.still_let_in(connection):
            self.admission.turn_away(connection, "SESSION_ENDED")
            return
        order = Order(message.id, actor, message.command)
        answer = partial(self.answer, connection, message.id, message.to)
        if message.to == connection.to and connection.writer is not None:
            connection.writer.submit_then(order, answer)
            return
        try:
            self.house.submit_then(stream_of(message.to), order, answer)
        except UnknownStreamError:
            self.refuse(connection, message.id, refuse("NO_TABLE"))

    def _not_staff(self, connection: Connection, id_: str) -> None:
        if connection.actor is None:
            self.admission.turn_away(connection, "HELLO_FIRST")
        else:
            self.refuse(connection, id_, refuse("VISITORS_WATCH"))

    def answer(self, connection: Connection, id_: str, to: str, answer: Answer) -> None:
        """Tell who asked what became of it."""
        if type(answer) is Registered:
            if type(answer.events[0]) is answers.BETS:
                self.bets += 1
            connection.say(answers.registered(id_, to, answer))
            if type(answer.events[0]) is CashedOut:
                self._show_voucher(connection, to, answer.events[0])
        else:
            assert isinstance(answer, Refusal), "an answer is one or the other"
            self.refuse(connection, id_, answer)

    def _show_voucher(self, connection: Connection, table: str, event: CashedOut) -> None:
        """Show a terminal that asks again what it cashed out, perhaps before a restart."""
        if connection.actor == Actor(event.terminal, "terminal"):
            data = answers.voucher(self.house, answers.printing(table, event))
            if data is not None:
                connection.say(data)

    def refuse(self, connection: Connection, id_: str, refusal: Refusal) -> None:
        """Answer that nothing was changed, and why."""
        self.refusals[refusal.code] += 1
        again = refusal.code in AGAIN or refusal.code == "TOO_FAST"
        connection.tell(answers.refused(id_, refusal, connection.language, again=again))

    def hear(self, connection: Connection, message: ClientMessage) -> None:
        """Do what a connection says that is no command to the house."""
        self.frames_in += 1
        if not connection.bucket.take(self.time()):
            self.refuse(connection, getattr(message, "id", ""), refuse("TOO_FAST"))
            return
        self.admission.hear(connection, message)

    def spawn(self, connection: Connection, id_: str, work: Coroutine[Any, Any, None]) -> None:
        """Do something that takes its time, a few for one connection at a time."""
        if connection.slow_asks >= SLOW_ASKS_MAX:
            work.close()
            self.refuse(connection, id_, refuse("TOO_FAST"))
            return
        connection.slow_asks += 1
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(partial(self._done, connection))

    def _done(self, connection: Connection, task: "asyncio.Task[None]") -> None:
        connection.slow_asks -= 1
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("something asked for failed", exc_info=task.exception())

    def _printed(self, table: str, terminal: str, order: Order) -> None:
        """Show a terminal the number of the voucher that was printed for it."""
        channel = self.table(table)
        seat = None if channel is None else channel.seats.get(terminal)
        data = answers.voucher(self.house, order)
        if seat is None or data is None:
            return
        seat.vouchers.append(order)
        if seat.connection is not None:
            seat.connection.say(data)

    # --- sending -----------------------------------------------------------------------------

    def next(self, connection: Connection) -> None:
        """Give a connection the next turn."""
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
        """Send to everybody who waits for an answer, and to some of those who hear what all do."""
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
        """Count a connection that does not read as fast as it is told."""
        self.slow += 1
        _log.info("%r is slow", connection)

    def catch_up(self, connection: Connection) -> None:
        """Tell a connection that missed something how everything stands."""
        for name in [*connection.watching]:
            channel = self.table(name)
            if channel is not None:
                # Before its snapshot it hears nothing: that would be news from after a gap.
                channel.watchers.pop(connection, None)
                self.admission.watch(connection, channel, None)
        if connection.seat is not None:
            connection.seat.waits = True
            channel = self.table(connection.seat.table)
            assert channel is not None, "a seat is at a table"
            self.admission.seat_again(connection.seat, channel)

    async def stop(self) -> None:
        """Send what is waiting, then close every connection: the house stops."""
        self._stopped = self.absences.over = True
        self._sweeping.cancel()
        for channel in self.channels.values():
            if isinstance(channel, TableChannel):
                if channel.console is not None:
                    channel.console.stop()
                for seat in channel.seats.values():
                    seat.stays()
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(self._sweeping, *self._tasks, return_exceptions=True)
        while self._next or self._later:
            self._released = True
            self._flush()
            await asyncio.sleep(0)
        for connection in [*self.everybody]:
            connection.end(1012, "HOUSE_STOPPING", "The house is stopping; come back soon.")
        if self in self.house.publisher.followers:
            self.house.publisher.followers.remove(self)


def _is_elsewhere(connection: Connection, message: Ask) -> bool:
    """Say whether a terminal asks for something that is not at its own table."""
    if connection.to is None:
        return False
    command = message.command
    own_voucher = isinstance(command, TakeVoucher) and command.table == connection.to
    return message.to != CAGE or not own_voucher


def _role(connection: Connection) -> str:
    actor = connection.actor
    if actor is None:
        return "nobody"
    return actor.role if isinstance(actor, Actor) else actor

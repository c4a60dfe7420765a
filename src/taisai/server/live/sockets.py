"""Every socket of a process: the turns in which messages go out, and an end for silent sockets."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections import Counter, deque

from taisai.core.kernel.messages import Actor
from taisai.protocol.client_messages import Ask, ClientMessage
from taisai.server.accounts.limiting import Bucket
from taisai.server.door.door import Door
from taisai.server.door.guests import Guest
from taisai.server.live.answers import turn_away
from taisai.server.live.connection import ALONG, LATER, TOO_SLOW, Connection
from taisai.server.roles import SEE_MACHINES
from taisai.server.settings import Settings

#: Sockets that are written to before bets and other work have their turn.
CHUNK = 64
#: A broadcast waits a moment, the longer the more connections there are, so that messages that
#: follow at once go out with it; nobody notices a twentieth of a second.
GATHER_SECONDS_EACH = 0.000_01
GATHER_SECONDS_MAX = 0.05
#: A message that may wait is held longer, to go out with another: where many bet, an answer.
ALONG_SECONDS_EACH = 0.000_1
ALONG_SECONDS_MAX = 0.1
#: How long a connection may read nothing, and how long it may send nothing.
SLOW_SECONDS = 30.0
SILENT_SECONDS = 90.0
HELLO_SECONDS = 10.0
SWEEP_SECONDS = 5.0

_log = logging.getLogger(__name__)


class Sockets(ABC):
    """All connections of a process; subclasses handle what they send."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.everybody: dict[Connection, None] = {}
        self.slow = self.faults = self.frames_in = self.frames_out = 0
        self.loop = asyncio.get_running_loop()
        self.time = self.loop.time
        self.door = Door(settings, self.loop)
        self._next: deque[Connection] = deque()
        self._later: deque[Connection] = deque()
        self._along: list[Connection] = []
        self._flushing = self._gathering = self._released = False
        self.stopped = False
        self._sweeping = self.loop.create_task(self._sweep())

    # --- who is connected --------------------------------------------------------------------

    def sockets_by_role(self) -> dict[str, int]:
        """Count the connections by role."""
        return dict(Counter(role_of(each) for each in self.everybody))

    def socket(self, cookie: str | None, guest: Guest) -> Connection:
        """Make the connection of a new socket."""
        return Connection(self, self.bucket(), cookie, guest)

    def bucket(self) -> Bucket:
        """Make the bucket that limits how much one connection may send."""
        settings = self.settings
        return Bucket(settings.commands_per_second, settings.commands_burst)

    def connected(self, connection: Connection) -> None:
        """Add a connection; it has a moment to say who it is."""
        connection.received_at = self.time()
        self.everybody[connection] = None

    @abstractmethod
    def disconnected(self, connection: Connection) -> None:
        """Remove a connection."""

    @abstractmethod
    def ask(self, connection: Connection, message: Ask, written: bytes) -> None:
        """Take a command."""

    @abstractmethod
    def receive(self, connection: Connection, message: ClientMessage) -> None:
        """Take any other message."""

    @abstractmethod
    def catch_up(self, connection: Connection) -> None:
        """Send a connection that missed messages snapshots of everything it watches."""

    async def _sweep(self) -> None:
        """Close connections that are silent, too slow or never said hello; ping quiet ones."""
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
                # The client does not even read the close: nothing more is stored for it.
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
        """Ping a quiet connection."""
        if silent > SILENT_SECONDS / 3 and connection.transport is not None:
            connection.transport.send_ping()

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
            self.loop.call_later(pause, self.release)

    def along(self, connection: Connection) -> None:
        """Give a connection a turn soon, if it has none of its own until then."""
        if not self._along:
            pause = min(ALONG_SECONDS_MAX, len(self.everybody) * ALONG_SECONDS_EACH)
            self.loop.call_later(pause, self._along_with_others)
        self._along.append(connection)

    def _along_with_others(self) -> None:
        """Give a turn to the connections that had no other meanwhile."""
        along, self._along = self._along, []
        waiting = [connection for connection in along if connection.queued == ALONG]
        for connection in waiting:
            connection.queued = LATER
        self._later.extend(waiting)
        if waiting and not self._released:
            self._gathering = True
            self.release()

    def release(self) -> None:
        """Send the broadcasts that wait; later ones go out with them until all are sent."""
        self._released = True
        self._schedule()

    def _schedule(self) -> None:
        if not self._flushing:
            self._flushing = True
            self.loop.call_soon(self._flush)

    def _flush(self) -> None:
        """Send all answers that wait, and a chunk of the broadcasts."""
        self._flushing = False
        waiting, later, sent = self._next, self._later, 0
        released = self._released
        left = CHUNK if released else 0
        while waiting or (left and later):
            if waiting:
                connection = waiting.popleft()
            else:
                connection, left = later.popleft(), left - 1
            try:
                sent += connection.flush()
            except Exception:  # noqa: BLE001 - logged; it costs one connection, no other
                _log.exception("%r could not be sent to", connection)
                connection.cut()
        if released:
            self._gathering = self._released = bool(later)
            if later:
                self._schedule()
        self.frames_out += sent

    def slowed(self, connection: Connection) -> None:
        """Count a connection that does not read as fast as it is sent to."""
        self.slow += 1
        _log.debug("%r is slow", connection)

    async def end_all(self) -> None:
        """Send what is waiting, then close every connection: the venue stops."""
        self.stopped = True
        self._sweeping.cancel()
        await asyncio.gather(self._sweeping, return_exceptions=True)
        self._along_with_others()
        while self._next or self._later:
            self._released = True
            self._flush()
            await asyncio.sleep(0)
        for connection in [*self.everybody]:
            connection.end(1012, "VENUE_STOPPING", "The venue is stopping; come back soon.")


def role_of(connection: Connection) -> str:
    """Give the role of a connection, for counting."""
    actor = connection.actor
    if actor is None:
        return "nobody"
    return actor.role if isinstance(actor, Actor) else actor


def is_told(connection: Connection) -> bool:
    """Say whether a connection is sent the pit's notices."""
    return role_of(connection) in SEE_MACHINES

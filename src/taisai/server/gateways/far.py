"""Connections whose sockets are at a gateway, as the venue sees them; and crowds of them.

To hub, channels and consoles they are connections like any other. Every message goes on the lane at
once, so that all arrive in the order in which they were sent.
"""

from collections.abc import Callable

from taisai.server.accounts.limiting import Bucket
from taisai.server.door.guests import Guest
from taisai.server.gateways import entries as e
from taisai.server.lanes.lane import Lane
from taisai.server.live.connection import Connection, Crowd, Owner


class _Free(Bucket):
    """A bucket without a limit: the gateway has already checked how much is sent."""

    def take(self, now: float) -> bool:  # noqa: ARG002 - as a bucket's
        return True


class _Way:
    """The way to a client at a gateway."""

    def __init__(self, lane: Lane, number: int) -> None:
        self._lane = lane
        self._number = number

    def abort(self) -> None:
        """End it at once."""
        self._lane.put(e.CUT, self._number)


_FREE = _Free(1, 1)
#: Looking them up in their module costs as much as putting an entry on a lane.
_NOW, _LATER = e.NOW, e.LATER


class FarConnection(Connection):
    """A terminal, a person of the staff or a visitor, connected to a gateway."""

    __slots__ = ("_crowds", "_lane", "_put", "_still_there", "_welcomed", "number", "there")

    #: Whether anything can still be sent.
    there: bool

    def __init__(self, owner: Owner, crowds: "Crowds", number: int, opened: e.Opened) -> None:
        guest = Guest(opened.place, _Way(crowds.lane, number))
        super().__init__(owner, _FREE, opened.cookie, guest)
        self._lane = crowds.lane
        self._put = crowds.lane.put
        self._crowds = crowds
        self.number = number
        self._welcomed = opened.again
        self.there = True
        self.strange = False
        self._still_there: Callable[[], None] | None = None

    @property
    def at(self) -> tuple[str, int]:
        """Give the name and generation of its gateway."""
        return self._crowds.at

    @property
    def welcomed(self) -> bool:
        """Say whether it has had its Welcome from an earlier office."""
        return self._welcomed

    # --- what goes out -----------------------------------------------------------------------

    def send_now(self, data: bytes) -> None:
        """Send a message that the client waits for."""
        if self.there:
            self._put(_NOW, self.number, data)

    #: The gateway sends it at once.
    send_at_once = send_now

    def send_later(self, data: bytes) -> None:
        """Send a broadcast."""
        if self.there:
            self._put(_LATER, self.number, data)

    def crowd(self, table: str) -> "FarCrowd":
        """Give the crowd that it watches a table in."""
        return self._crowds.of(table, self.language)

    def end(self, close_code: int, code: str, sentence: str) -> None:
        """Send the reason, and close."""
        if self.there:
            ended = e.Ended(close_code, code, sentence)
            self._lane.put(e.ENDED, self.number, e.write(ended))
            self._ends()

    def replace(self, still_there: Callable[[], None]) -> None:
        """Give way to a newer connection with the same key, and find out if this one is alive."""
        if self.there:
            self._lane.put(e.REPLACED, self.number)
            self._still_there = still_there
            self._ends()

    def shown_there(self) -> None:
        """Note that this replaced connection is still alive."""
        if self._still_there is not None:
            self._still_there()
            self._still_there = None

    def cut(self) -> None:
        """Close at once."""
        self._lane.put(e.CUT, self.number)

    def gone(self) -> None:
        """Note that the client is gone, or its gateway."""
        self.there = False
        self._still_there = None

    def _ends(self) -> None:
        self.there = False
        self.ended_at = self._owner.time()


class FarCrowd(Crowd):
    """All connections that watch a table through one gateway in one language."""

    def __init__(self, lane: Lane, number: int, language: str) -> None:
        self._lane = lane
        self._number = e.write_number(number)
        self.number = number
        self.language = language
        self.members: dict[Connection, None] = {}

    def add(self, connection: Connection) -> None:
        """Add a connection to the crowd."""
        assert isinstance(connection, FarConnection), "only they are in crowds"
        if connection not in self.members:
            self.members[connection] = None
            self._lane.put(e.JOINS, connection.number, self._number)

    def remove(self, connection: Connection) -> None:
        """Remove a connection from the crowd."""
        assert isinstance(connection, FarConnection), "only they are in crowds"
        if self.members.pop(connection, connection) is None and connection.there:
            self._lane.put(e.LEAVES, connection.number, self._number)

    def send_later(self, data: bytes) -> None:
        """Send a message to the whole crowd."""
        self._lane.put(e.NEWS, self.number, data)

    def send_along(self, data: bytes) -> None:
        """Send a message that may wait to the whole crowd."""
        self._lane.put(e.ALONG, self.number, data)


class Crowds:
    """The crowds at one gateway."""

    def __init__(self, lane: Lane, at: tuple[str, int]) -> None:
        self.lane = lane
        #: The gateway's name, and how often it was started.
        self.at = at
        self._crowds: dict[tuple[str, str], FarCrowd] = {}

    def of(self, table: str, language: str) -> FarCrowd:
        """Find or make a crowd."""
        key = table, language
        if key not in self._crowds:
            self._crowds[key] = FarCrowd(self.lane, len(self._crowds) + 1, language)
        return self._crowds[key]

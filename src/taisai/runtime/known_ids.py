"""Ids of commands that wait for their answers, or were answered lately.

They are kept in parts, and the oldest part is dropped whole once the newest is full: to forget them
one by one, each at the other end of memory, took longer than to look one up. Parts are small, since
everybody waits while one is dropped: with two of 25,000 ids that was ten milliseconds.
"""

from collections import deque
from typing import Generic, TypeVar

from taisai.core.kernel.messages import Instant

#: Ids known to have been answered lately; older ones are looked up in the journal to find out.
IDS_KNOWN = 50_000
#: In so many parts they are kept.
PARTS = 10

#: What an answer is known by: who asked, by role and name, and their id for it. One text, since
#: Python looks through tuples for garbage, and there would be one for every bet.
Key = str
_Waiting = TypeVar("_Waiting")


def key_of(sender: str, id_: str) -> Key:
    """Write what an answer is known by; neither a name nor an id has more than one line."""
    return f"{sender}\n{id_}"


class KnownIds(Generic[_Waiting]):
    """Commands that wait; of those that have had their answers, when they were made.

    Every id of a command made after `floor` that was answered is here; whether an older one was,
    and how, the journal knows.
    """

    __slots__ = ("_newest_then", "floor", "newer", "newest", "older", "older_newest")

    def __init__(self, floor: Instant) -> None:
        self.begin(floor)

    def begin(self, floor: Instant) -> None:
        """Begin with none: what was answered before may have been made by a clock ahead."""
        self.floor = floor
        self.newer: dict[Key, _Waiting | Instant] = {}
        #: The parts that are full, the oldest first, and when the newest of all was made then.
        self.older: deque[dict[Key, _Waiting | Instant]] = deque()
        self._newest_then: deque[Instant] = deque()
        #: When the newest of all was made, and of those that were there before the newest part.
        self.newest = self.older_newest = floor

    def __len__(self) -> int:
        return len(self.newer) + sum(map(len, self.older))

    def get(self, key: Key) -> _Waiting | Instant | None:
        """Find what waits by an id, or when what was answered by it was made."""
        known = self.newer.get(key)
        return self._in_older(key) if known is None else known

    def find(self, key: Key, issued: Instant) -> _Waiting | Instant | None:
        """Find the same of an id that says itself when it was made: seldom in the older parts."""
        known = self.newer.get(key)
        if known is None and issued <= self.older_newest:
            return self._in_older(key)
        return known

    def _in_older(self, key: Key) -> _Waiting | Instant | None:
        for part in reversed(self.older):
            known = part.get(key)
            if known is not None:
                return known
        return None

    def add(self, key: Key, waiting: _Waiting, issued: Instant) -> None:
        """Take in a command that waits for its answer."""
        self.newer[key] = waiting
        if issued > self.newest:  # noqa: PLR1730 - for every bet, and twice as fast as max()
            self.newest = issued
        if len(self.newer) >= IDS_KNOWN // PARTS:
            self._begin_part()

    def free(self, key: Key) -> None:
        """Let an id go: there is no answer to it."""
        for part in (self.newer, *self.older):
            part.pop(key, None)

    def _begin_part(self) -> None:
        """Begin a new part, and drop the oldest, but for what waits still."""
        self.older.append(self.newer)
        self._newest_then.append(self.newest)
        self.newer, self.older_newest = {}, self.newest
        if len(self.older) == PARTS:
            dropped, self.floor = self.older.popleft(), self._newest_then.popleft()
            for key, known in dropped.items():
                if type(known) is not int and self._in_older(key) is None:
                    self.newer[key] = known

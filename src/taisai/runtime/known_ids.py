"""Ids of commands that wait for their answers, or were answered lately.

They are kept in parts, and the oldest part is dropped whole once the newest is full: to forget them
one by one, far apart in memory, took longer than to look one up. Parts are small, since nothing
else runs while one is dropped: with two of 25,000 ids that was ten milliseconds.
"""

from collections import deque
from collections.abc import Mapping
from types import MappingProxyType
from typing import Generic, TypeVar

from taisai.core.kernel.messages import Instant

#: Ids kept that were answered lately; older ones are looked up in the journal.
IDS_KNOWN = 50_000
#: They are kept in so many parts.
PARTS = 5

#: The key of an answer: the sender's role and name, and the sender's id. One text, since Python's
#: garbage collector visits tuples, and there would be one for every bet.
Key = str
_Waiting = TypeVar("_Waiting")


def key_of(sender: str, id_: str) -> Key:
    """Write the key of an answer; neither a name nor an id has more than one line."""
    return f"{sender}\n{id_}"


class KnownIds(Generic[_Waiting]):
    """The commands that wait for an answer, and the times of those that were answered.

    Every answered id of a command made after `floor` is here; older ones must be looked up in the
    journal.
    """

    __slots__ = ("_newest_then", "floor", "newer", "newest", "older", "older_newest")

    def __init__(self, floor: Instant) -> None:
        self.begin(floor)

    def begin(self, floor: Instant, answered: Mapping[Key, Instant] = MappingProxyType({})) -> None:
        """Begin with the ids that were answered and made after `floor`, and no others."""
        self.floor = floor
        self.newer: dict[Key, _Waiting | Instant] = {**answered}
        #: The full parts, the oldest first, and the newest time of all ids when each was full.
        self.older: deque[dict[Key, _Waiting | Instant]] = deque()
        self._newest_then: deque[Instant] = deque()
        #: When the newest id of all was made, and the newest before the newest part.
        self.newest, self.older_newest = max([floor, *answered.values()]), floor

    def __len__(self) -> int:
        return len(self.newer) + sum(map(len, self.older))

    def get(self, key: Key) -> _Waiting | Instant | None:
        """Find the command that waits under an id, or when the answered one was made."""
        known = self.newer.get(key)
        return self._in_older(key) if known is None else known

    def _in_older(self, key: Key) -> _Waiting | Instant | None:
        for part in reversed(self.older):
            known = part.get(key)
            if known is not None:
                return known
        return None

    def claim(self, key: Key, waiting: _Waiting, issued: Instant) -> _Waiting | Instant | None:
        """Take in a command that waits for its answer, unless its id is known: give what is known.

        The older parts are rarely looked through: all their ids were made before `older_newest`.
        """
        newer = self.newer
        known: _Waiting | Instant | None = newer.setdefault(key, waiting)
        if known is not waiting:
            return known
        if issued <= self.older_newest:
            known = self._in_older(key)
            if known is not None:
                del newer[key]
                return known
        if issued > self.newest:  # noqa: PLR1730 - for every bet, and twice as fast as max()
            self.newest = issued
        if len(newer) >= IDS_KNOWN // PARTS:
            self._begin_part()
        return None

    def free(self, key: Key) -> None:
        """Remove an id: there is no answer to it."""
        for part in (self.newer, *self.older):
            part.pop(key, None)

    def _begin_part(self) -> None:
        """Begin a new part, and drop the oldest, except commands that still wait."""
        self.older.append(self.newer)
        self._newest_then.append(self.newest)
        self.newer, self.older_newest = {}, self.newest
        if len(self.older) == PARTS:
            dropped, self.floor = self.older.popleft(), self._newest_then.popleft()
            for key, known in dropped.items():
                if type(known) is not int and self._in_older(key) is None:
                    self.newer[key] = known

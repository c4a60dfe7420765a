"""Ids of commands that wait for their answers, or were answered lately.

They are kept in two halves, and the older half is dropped whole once the newer is full: to forget
them one by one, each at the other end of memory, took longer than to look one up.
"""

from typing import Generic, TypeVar

from taisai.core.kernel.messages import Instant

#: Ids known to have been answered lately; older ones are looked up in the journal to find out.
IDS_KNOWN = 50_000

#: What an answer is known by: who asked, by role and name, and their id for it.
Key = tuple[str, str]
_Waiting = TypeVar("_Waiting")


class KnownIds(Generic[_Waiting]):
    """Commands that wait; of those that have had their answers, when they were made.

    Every id of a command made after `floor` that was answered is here; whether an older one was,
    and how, the journal knows.
    """

    __slots__ = ("floor", "newer", "newest", "older", "older_newest")

    def __init__(self, floor: Instant) -> None:
        self.begin(floor)

    def begin(self, floor: Instant) -> None:
        """Begin with none: what was answered before may have been made by a clock ahead."""
        self.floor = floor
        self.newer: dict[Key, _Waiting | Instant] = {}
        self.older: dict[Key, _Waiting | Instant] = {}
        #: When the newest of all was made, and of those that were there before the newer half.
        self.newest = self.older_newest = floor

    def __len__(self) -> int:
        return len(self.newer) + len(self.older)

    def get(self, key: Key) -> _Waiting | Instant | None:
        """Find what waits by an id, or when what was answered by it was made."""
        known = self.newer.get(key)
        return self.older.get(key) if known is None else known

    def find(self, key: Key, issued: Instant) -> _Waiting | Instant | None:
        """Find the same of an id that says itself when it was made: seldom in the older half."""
        known = self.newer.get(key)
        if known is None and issued <= self.older_newest:
            return self.older.get(key)
        return known

    def add(self, key: Key, waiting: _Waiting, issued: Instant) -> None:
        """Take in a command that waits for its answer."""
        self.newer[key] = waiting
        if issued > self.newest:  # noqa: PLR1730 - for every bet, and twice as fast as max()
            self.newest = issued
        if len(self.newer) > IDS_KNOWN // 2:
            self._turn_over()

    def free(self, key: Key) -> None:
        """Let an id go: there is no answer to it."""
        self.newer.pop(key, None)
        self.older.pop(key, None)

    def _turn_over(self) -> None:
        """Drop the older half, but for what waits still."""
        dropped, self.older, self.newer = self.older, self.newer, {}
        self.older_newest = self.newest
        for key, known in dropped.items():
            if type(known) is int:
                self.floor = max(self.floor, known)
            elif key not in self.older:
                self.newer[key] = known

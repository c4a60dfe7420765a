"""The places where a kill can strike a venue, and the board on which a venue shows where it is.

The board is a few bytes of a file that the venue's process and the killer both map into memory: it
remains after the process has died. It also takes one request: that the venue ring, and hold still
if asked to, at its nth visit of a place.
"""

import ctypes
import mmap
import os
import time
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path

#: A venue that is held for longer ends itself: the killer is gone.
HELD_SECONDS = 30.0
HELD_TOO_LONG = 3


class Place(IntEnum):
    """A place where a kill strikes; an idle venue is at none of them."""

    BEFORE_APPEND = 1
    INSIDE_COMMIT = 2
    AFTER_DURABLE = 3
    SETTLEMENT = 4
    RECOVERY = 5

    @property
    def words(self) -> str:
        """Name the place for a report."""
        return _WORDS[self]


_WORDS = {
    Place.BEFORE_APPEND: "before the append",
    Place.INSIDE_COMMIT: "inside the commit",
    Place.AFTER_DURABLE: "after durable, before the reply",
    Place.SETTLEMENT: "during settlement",
    Place.RECOVERY: "during recovery",
}


class Board(ctypes.Structure):
    """The state a venue shows: what it is doing, its waiting commands, and its owed answers."""

    _fields_ = (
        ("recovering", ctypes.c_uint32),
        ("committing", ctypes.c_uint32),
        ("settling", ctypes.c_uint32),
        #: Commands from outside that are taken and not durable.
        ("waiting", ctypes.c_uint32),
        #: Commands from outside that are durable and whose answer has not left the venue.
        ("owed", ctypes.c_uint32),
        ("wanted", ctypes.c_uint32),
        ("visits", ctypes.c_uint32),
        ("hold", ctypes.c_uint32),
    )
    recovering: int
    committing: int
    settling: int
    waiting: int
    owed: int
    wanted: int
    visits: int
    hold: int

    @classmethod
    def open(cls, path: Path) -> "Board":
        """Open a board, or create a blank one."""
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            os.ftruncate(file, mmap.PAGESIZE)
            return cls.from_buffer(mmap.mmap(file, mmap.PAGESIZE))
        finally:
            os.close(file)

    def aim(self, place: Place, visit: int, *, hold: bool) -> None:
        """Request a ring at a place, at its nth visit from now on."""
        assert visit > 0
        self.wanted, self.visits, self.hold = 0, visit, hold
        self.wanted = place

    def visit(self, place: Place, ring: Callable[[], None]) -> None:
        """Visit a place; ring, and hold still to be killed, if that was requested."""
        if self.wanted != place:
            return
        self.visits -= 1
        if self.visits:
            return
        self.wanted = 0
        ring()
        if self.hold:
            time.sleep(HELD_SECONDS)
            os._exit(HELD_TOO_LONG)

    def places(self) -> list[Place]:
        """Give the venue's places; it can settle, commit and owe answers at the same time."""
        if self.recovering:
            return [Place.RECOVERY]
        found = []
        if self.settling:
            found.append(Place.SETTLEMENT)
        if self.owed:
            found.append(Place.AFTER_DURABLE)
        if self.committing:
            found.append(Place.INSIDE_COMMIT)
        if self.waiting and not self.committing:
            found.append(Place.BEFORE_APPEND)
        return found

    def struck(self, aimed_at: Place | None) -> Place | None:
        """Give the place a kill struck: the one aimed at, if it was there too; none if idle."""
        found = self.places()
        if aimed_at is not None and aimed_at in found:
            return aimed_at
        return found[0] if found else None

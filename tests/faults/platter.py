"""The real content of a disk, beside what programs see: unsynced writes are not safe.

A file is its synced bytes and the changes made since; a directory is its synced entries and the
changes made since. A power cut keeps, drops or tears each change of a file by itself, and keeps the
changes of each name up to some point. It knows no SQLite and no file system.
"""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from random import Random
from typing import NamedTuple, assert_never

#: What a disk writes whole or not at all.
SECTOR = 512
#: How likely a change survives: drawn once for each file, so that all and nothing are frequent.
_SURVIVAL = (0.0, 0.25, 0.5, 0.75, 1.0)


class Loss(StrEnum):
    """What a cut takes of the unsynced data."""

    #: A process was killed: the machine still has everything it wrote.
    NOTHING = "nothing"
    #: The power went: each change is kept, dropped or torn, by the seed.
    SOME = "some"
    #: The power went, and nothing had left the cache.
    EVERYTHING = "everything"


class Fate(StrEnum):
    """What became of an unsynced change."""

    KEPT = "kept"
    TORN = "torn"
    LOST = "lost"


class Write(NamedTuple):
    """Bytes written at a place in a file."""

    offset: int
    data: bytes

    def apply(self, held: bytearray) -> None:
        """Write the bytes into the content; a gap before them reads as zeros."""
        if self.data:
            held.extend(bytes(max(0, self.offset - len(held))))
            held[self.offset : self.offset + len(self.data)] = self.data

    def sectors(self) -> list["Write"]:
        """Split the write at the sectors' boundaries."""
        end = self.offset + len(self.data)
        inner = range((self.offset // SECTOR + 1) * SECTOR, end, SECTOR)
        places = [self.offset, *inner, end]
        return [
            Write(start, self.data[start - self.offset : stop - self.offset])
            for start, stop in pairwise(places)
        ]


class Cut(NamedTuple):
    """A change of a file's length; new bytes are zeros."""

    size: int

    def apply(self, held: bytearray) -> None:
        """Set the length."""
        del held[self.size :]
        held.extend(bytes(self.size - len(held)))


Change = Write | Cut


@dataclass
class Content:
    """The bytes of one file, whatever its name, and which of them are safe."""

    held: bytearray = field(default_factory=bytearray)
    unsynced: list[Change] = field(default_factory=list)
    size: int = 0

    def write(self, offset: int, data: bytes) -> None:
        """Write without syncing."""
        if data:
            self.unsynced.append(Write(offset, data))
            self.size = max(self.size, offset + len(data))

    def cut(self, size: int) -> None:
        """Set the length without syncing."""
        self.unsynced.append(Cut(size))
        self.size = size

    def sync(self) -> None:
        """Make every change safe."""
        for change in self.unsynced:
            change.apply(self.held)
        self.unsynced.clear()

    def fail_to_sync(self, chance: Random) -> None:
        """Lose some changes for good, as a system does that marks failed writes as clean.

        Programs go on reading them from the cache, and no later sync brings them to the disk.
        """
        self.held = bytearray(self.after(Loss.SOME, chance))
        self.unsynced.clear()

    def after(self, loss: Loss, chance: Random, fates: Counter[Fate] | None = None) -> bytes:
        """Give the bytes after a cut, and count what became of each change."""
        held = bytearray(self.held)
        for change, kept in _survivors(self.unsynced, loss, chance):
            for part in kept:
                part.apply(held)
            if fates is not None:
                fates[_fate(change, kept)] += 1
        return bytes(held)


def _survivors(
    changes: list[Change], loss: Loss, chance: Random
) -> list[tuple[Change, list[Change]]]:
    """Give each change with the parts of it that survive."""
    match loss:
        case Loss.NOTHING:
            return [(change, [change]) for change in changes]
        case Loss.EVERYTHING:
            return [(change, []) for change in changes]
        case Loss.SOME:
            likely = chance.choice(_SURVIVAL)
            return [(change, _torn(change, likely, chance)) for change in changes]
        case _:
            assert_never(loss)


def _fate(change: Change, kept: list[Change]) -> Fate:
    if not kept:
        return Fate.LOST
    if isinstance(change, Cut):
        return Fate.KEPT
    arrived = sum(len(part.data) for part in kept if isinstance(part, Write))
    return Fate.KEPT if arrived == len(change.data) else Fate.TORN


def _torn(change: Change, likely: float, chance: Random) -> list[Change]:
    """Keep a change whole, in some of its sectors, or not at all."""
    if isinstance(change, Write) and chance.random() < 0.5:
        return [sector for sector in change.sectors() if chance.random() < likely]
    return [change] if chance.random() < likely else []


class Platter:
    """One directory of files."""

    def __init__(self) -> None:
        #: The file of each name: the safe one first, then each unsynced change.
        self._entries: dict[str, list[Content | None]] = {}
        #: What became of the unsynced changes in the last result of `after`.
        self.fates: Counter[Fate] = Counter()

    def find(self, name: str) -> Content | None:
        """Give the file of a name now."""
        return self._entries.get(name, [None])[-1]

    def adopt(self, name: str, data: bytes) -> Content:
        """Adopt a file that was there before, and is safe."""
        content = Content(bytearray(data), size=len(data))
        self._entries[name] = [content]
        return content

    def create(self, name: str) -> Content:
        """Make an empty file; its name is not safe before the directory is synced."""
        content = Content()
        self._entries.setdefault(name, [None]).append(content)
        return content

    def delete(self, name: str) -> None:
        """Delete a name, which is not safe before the directory is synced either."""
        self._entries.setdefault(name, [None]).append(None)

    def rename(self, old: str, new: str) -> None:
        """Rename a file, which is not safe either."""
        self._entries.setdefault(new, [None]).append(self.find(old))
        self.delete(old)

    def sync_directory(self) -> None:
        """Make every name safe."""
        for history in self._entries.values():
            del history[:-1]

    def after(self, loss: Loss, chance: Random) -> dict[str, bytes]:
        """Give every file after a cut."""
        left: dict[str, bytes] = {}
        self.fates.clear()
        for name in sorted(self._entries):
            content = _entry(self._entries[name], loss, chance)
            if content is not None:
                left[name] = content.after(loss, chance, self.fates)
        return left


def _entry(history: list[Content | None], loss: Loss, chance: Random) -> Content | None:
    match loss:
        case Loss.NOTHING:
            return history[-1]
        case Loss.EVERYTHING:
            return history[0]
        case Loss.SOME:
            return chance.choice(history)
        case _:
            assert_never(loss)

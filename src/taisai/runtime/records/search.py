"""Finding events in a long journal: by terminal, person, voucher, amount or irregularity.

The journal is read backwards from the newest event, in windows, all streams merged by time. Records
that cannot match are skipped by their bytes and never decoded. One search looks at a limited number
of events: it says how far back it came, and the next goes on from there.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from msgspec import Struct

from taisai.core.kernel.messages import Event, Instant
from taisai.core.kernel.registry import EVENTS, POSTINGS
from taisai.runtime.journal.contract import Journal, Record
from taisai.runtime.records.entries import NOTHING, Entry, Reader, Source, names
from taisai.runtime.records.significant_events import EventView, event_view

#: One search looks at so many events at most; a stream is read a window at a time.
EXAMINED_MAX = 100_000
WINDOW = 2_000
#: So many events before a window are read first, to know its persons and its round.
CONTEXT = 500
#: Any irregularity.
ANY = "any"

_IRREGULAR = names(*(kind for kind, spec in EVENTS.items() if spec.irregular))
_MONEY = names(*POSTINGS)


class Sought(Struct, frozen=True, kw_only=True):
    """The criteria of a search: all that are given must match; none given finds every event."""

    terminal: str = ""
    person: str = ""
    #: A voucher, by its serial or by the last four digits of its number.
    serial: int | None = None
    last_four: str = ""
    least: int | None = None
    most: int | None = None
    #: A code of an irregularity, or `any`.
    irregularity: str = ""

    @property
    def has_amount(self) -> bool:
        """Say whether an amount is looked for."""
        return self.least is not None or self.most is not None

    def matches(self, event: Event) -> bool:
        """Say whether an event moves an amount that is looked for."""
        if not self.has_amount:
            return True
        least, most = self.least or 0, self.most
        return any(least <= each and (most is None or each <= most) for each in amounts_of(event))


def amounts_of(event: Event) -> Iterator[int]:
    """Give the amounts in an event: those that it moves, and those of each settled line."""
    moved = POSTINGS.get(type(event))
    if moved is not None:
        yield from (posting.amount for posting in moved(event))
    for line in getattr(event, "lines", ()):
        yield line.stake
        yield line.won


class Sieve:
    """Skips records that cannot match, by their bytes."""

    def __init__(self, sought: Sought) -> None:
        #: Texts that must be in an event, and one that may be in the cause of its command instead.
        self._within = [_written(sought.terminal)] if sought.terminal else []
        if sought.last_four:
            self._within.append(b'"last_four":' + _written(sought.last_four))
        if sought.irregularity not in ("", ANY):
            self._within.append(_written(sought.irregularity))
        self._person = _written(sought.person) if sought.person else b""
        serial = sought.serial
        self._serial = None if serial is None else re.compile(rb'"serial":%d[,}]' % serial)
        self._types = _IRREGULAR if sought.irregularity else None
        self._money = sought.has_amount

    def keeps(self, record: Record, name: bytes, cause: bytes | None) -> bool:
        """Say whether a record may match."""
        data = record.data
        return (
            (self._types is None or name in self._types)
            and (not self._money or name in _MONEY)
            and all(each in data for each in self._within)
            and (self._person in data or (cause is not None and self._person in cause))
            and (self._serial is None or self._serial.search(data) is not None)
        )


def _written(text: str) -> bytes:
    return msgspec.json.encode(text)


class Position(NamedTuple):
    """A place in the order of all events; a search looks before it."""

    at: Instant
    stream: str
    version: int


class FoundPage(Struct, frozen=True):
    """What a search found, the newest first, and how far it looked."""

    events: list[EventView]
    #: Asks for what lies further back; null where everything was looked at.
    before: str | None
    #: Everything since then was looked at.
    back_to: Instant | None
    #: So many events were looked at this time.
    examined: int


async def find(
    source: Source, sought: Sought, limit: int, before: Position | None, language: str
) -> FoundPage:
    """Look for events, from the newest back, until enough were found or looked at."""
    searching = _Searching(source, Sieve(sought), sought)
    await searching.begin(before)
    found: list[Entry] = []
    reached = before
    while (newest := searching.newest()) is not None:
        position = newest.position
        if not source.period.has_begun(position.at):
            reached = None
            break
        if newest.waiting and len(found) < limit:
            found.append(newest.waiting.pop())
            reached = position
        elif newest.waiting or searching.examined >= EXAMINED_MAX:
            reached = position if not newest.waiting else reached
            break
        else:
            await searching.read_window(newest)
    else:
        reached = None
    views = [event_view(entry, language) for entry in found]
    asks = None if reached is None else f"{reached.at}.{reached.version}.{reached.stream}"
    return FoundPage(views, asks, None if reached is None else reached.at, searching.examined)


class _Backwards:
    """One stream, read from its end: its position, and what was found and not given yet."""

    def __init__(self, stream: str, upto: int, at: Instant) -> None:
        self.stream = stream
        #: Everything after this version was read, back to this time.
        self.upto = upto
        self.at = at
        #: The oldest first.
        self.waiting: list[Entry] = []

    @property
    def position(self) -> Position:
        """Give the latest place of its next event."""
        if self.waiting:
            entry = self.waiting[-1]
            return Position(entry.at, self.stream, entry.version)
        return Position(self.at, self.stream, self.upto + 1)


class _Searching:
    """All streams requested, read side by side."""

    def __init__(self, source: Source, sieve: Sieve, sought: Sought) -> None:
        self.examined = 0
        self._source = source
        self._sieve = sieve
        self._sought = sought
        self._streams: list[_Backwards] = []

    async def begin(self, before: Position | None) -> None:
        """Find where each stream is to be read from."""
        journal = self._source.journal
        for stream in self._source.streams:
            upto = await self._start(stream, before)
            if upto:
                (last,) = await journal.records(stream, [upto])
                self._streams.append(_Backwards(stream, upto, last.at))

    async def _start(self, stream: str, before: Position | None) -> int:
        """Find the last version of a stream that is before a position and within the period."""
        journal, head = self._source.journal, self._source.heads[stream].version
        until = self._source.period.until
        if before is not None and before.stream == stream:
            return min(head, before.version - 1)
        if before is not None:
            at = before.at + (1 if stream < before.stream else 0)
            until = at if until is None else min(at, until)
        return head if until is None else await last_before(journal, stream, head, until)

    def newest(self) -> _Backwards | None:
        """Give the stream that may have the next event."""
        left = [each for each in self._streams if each.waiting or each.upto]
        return max(left, key=lambda each: each.position, default=None)

    async def read_window(self, stream: _Backwards) -> None:
        """Read on in a stream, a window further back."""
        after = max(0, stream.upto - WINDOW)
        reader = Reader(self._source.period, NOTHING, keeps=self._sieve.keeps)
        oldest = stream.at
        found: list[Entry] = []
        first = max(0, after - CONTEXT)
        async for page in self._source.journal.read(stream.stream, first, stream.upto):
            self.examined += len(page)
            window = [record.at for record in page if record.version > after]
            oldest = min(oldest, *window[:1]) if window else oldest
            found += [
                entry
                for entry in reader.entries(page)
                if entry.version > after and self._sought.matches(entry.event)
            ]
        since = self._source.period
        stream.waiting = [entry for entry in found if since.has_begun(entry.at)]
        stream.upto, stream.at = after, oldest


async def last_before(journal: Journal, stream: str, upto: int, at: Instant) -> int:
    """Find the last version of a stream before a time, by halving; 0 if there is none."""
    low, high = 0, upto
    while low < high:
        middle = (low + high + 1) // 2
        (record,) = await journal.records(stream, [middle])
        low, high = (middle, high) if record.at < at else (low, middle - 1)
    return low


def read_position(before: str) -> Position:
    """Read a position as a page wrote it."""
    at, version, stream = before.split(".", 2)
    return Position(int(at), stream, int(version))

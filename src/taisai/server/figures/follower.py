"""The figures of a running venue: caught up from the journal, and then kept up to date.

New events are received as they become durable. Older events are read from the journal in the
background: a short stream here, a long one by a process of its own. Events that are received
meanwhile wait, and those that the reading has seen already are left out by their version, so that
nothing counts twice. After a gap in the versions, as when a stream was suspended and read back, the
stream is read from the journal again.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from taisai.core.errors import SentenceError
from taisai.core.kernel.messages import Event, Instant
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn
from taisai.projections.figures.days import Dates, DaySums, GamingDays
from taisai.projections.figures.digests import DIGESTS, Noted
from taisai.projections.figures.drawer import Drawer
from taisai.projections.figures.tally import Tally
from taisai.runtime.answers import Registered
from taisai.runtime.journal.contract import Journal
from taisai.runtime.publisher import Announcement, Follower
from taisai.runtime.records.entries import event_of, names, type_of
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, table_of

#: The events that the figures are made from, and what is used of each.
_TAKEN: dict[type[Event], Callable[[Any], Noted]] = {
    kind: DIGESTS.get(kind, lambda event: event)
    for kind in (*DIGESTS, *Tally.APPLY, *Drawer.APPLY)
    if issubclass(kind, Event)
}
_WANTED = names(*_TAKEN)

#: What a stream is folded into: the figures of a table, or the drawer of the cage.
Fold = Tally | Drawer


def noted(event: Event) -> Noted | None:
    """Give what the figures need of an event; None for most events."""
    take = _TAKEN.get(type(event))
    return None if take is None else take(event)


def begin_fold(stream: str, gaming_days: GamingDays, wanted: Dates | None = None) -> Fold:
    """Begin the figures of a stream."""
    return Drawer() if stream == CAGE else Tally(gaming_days, wanted=wanted)


def unpack_fold(stream: str, data: bytes | msgspec.Raw, gaming_days: GamingDays) -> Fold:
    """Unpack figures that another process has made."""
    return Drawer.unpack(data) if stream == CAGE else Tally.unpack(data, gaming_days)


async def read_fold(
    journal: Journal, stream: str, upto: int, progress: Callable[[int, int], None], fold: Fold
) -> None:
    """Fold a stream up to a version; `progress` is called with how far it is, of how much."""
    async for page in journal.read(stream, upto=upto):
        for record in page:
            if type_of(record) in _WANTED:
                event = noted(event_of(record))
                assert event is not None, "what is wanted is noted"
                fold.note(event, record.at)
        progress(page[-1].version, upto)
        # Other work has its turn between pages.
        await asyncio.sleep(0)


#: A stream with no more events than this is read in the venue's own process.
SHORT = 5_000
#: Events that may wait while older ones are read; beyond that the reading begins again.
WAITING_MAX = 20_000
#: How soon a reading that failed is tried again.
AGAIN_SECONDS = 30.0
#: These are frequent, and have no part in the figures.
_BETS = (BetsRegistered, BetsWithdrawn)

OnProgress = Callable[[int, int], None]

#: Folds a stream up to a version in the background; of a table's days only those wanted.
ReadLong = Callable[[str, int, OnProgress, Dates | None], Awaitable[Fold]]

_log = logging.getLogger(__name__)


class _Heard(NamedTuple):
    """An event that waits until all events before it are known."""

    version: int
    at: Instant
    event: Noted


class Followed:
    """One stream: its figures, their version, and the events that wait while they are behind."""

    def __init__(self, stream: str, gaming_days: GamingDays | None = None) -> None:
        self.stream = stream
        self.fold = begin_fold(stream, gaming_days or GamingDays())
        self.version = 0
        self.behind = True
        #: How far the reading is, and how far it has to go.
        self.seen = self.total = 0
        self._waiting: list[_Heard] = []
        #: The versions that were received without a gap: after the first, up to the second.
        self._after: int | None = None
        self._upto = 0

    def receive(self, registered: Registered) -> bool:
        """Receive a durable decision; False if events before it are missing."""
        if self.behind:
            self._wait_with(registered)
            return True
        if registered.last <= self.version:
            return True
        if registered.first != self.version + 1:
            self.fall_behind()
            self._wait_with(registered)
            return False
        self.version = registered.last
        for heard in _heard(registered):
            self.fold.note(heard.event, heard.at)
        return True

    def pass_over(self, bets: Sequence[Registered]) -> bool:
        """Skip bets that follow the known version; False if they do not, or it is behind."""
        if self.behind or bets[0].first != self.version + 1:
            return False
        self.version = bets[-1].last
        return True

    def fall_behind(self) -> None:
        """Have everything read again."""
        self.behind = True
        self._forget()

    def _wait_with(self, registered: Registered) -> None:
        if self._after is None or registered.first != self._upto + 1:
            self._forget()
            self._after = registered.first - 1
        self._upto = registered.last
        self._waiting += _heard(registered)
        if len(self._waiting) > WAITING_MAX:
            self._forget()
            self._after = registered.last

    def _forget(self) -> None:
        self._waiting, self._after = [], None

    def catch_up(self, fold: Fold, version: int) -> bool:
        """Go on from the events read, with those received later; False if some are missing."""
        if self._after is not None and version < self._after:
            return False
        for heard in self._waiting:
            if heard.version > version:
                fold.note(heard.event, heard.at)
        self.fold = fold
        self.version = version if self._after is None else max(version, self._upto)
        self.behind = False
        self._forget()
        return True


def _heard(registered: Registered) -> list[_Heard]:
    if type(registered.events[0]) in _BETS:
        return []
    found = []
    for version, event in enumerate(registered.events, registered.first):
        what = noted(event)
        if what is not None:
            found.append(_Heard(version, registered.at, what))
    return found


class Figures(Follower):
    """The figures of all tables of a venue and of its cage's drawer.

    They are made with the venue, started in its loop and ended by `close`.
    """

    def __init__(
        self, runtime: Runtime, read_long: ReadLong, gaming_days: GamingDays | None = None
    ) -> None:
        self.gaming_days = gaming_days or GamingDays()
        self._runtime = runtime
        self._read_long = read_long
        self._streams: dict[str, Followed] = {}
        self._wanted = asyncio.Event()
        self._caught_up = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        runtime.publisher.followers.append(self)
        for stream in (*runtime.tables(), CAGE):
            self._follow(stream)

    def begin(self) -> None:
        """Begin to catch up, in the background."""
        self._task = asyncio.get_running_loop().create_task(self._keep_up())

    async def close(self) -> None:
        """Receive no more events."""
        self._runtime.publisher.leave(self)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def of(self, stream: str) -> Tally | None:
        """Give the tally of a table; None while older events are still being read."""
        followed = self._streams.get(stream)
        if followed is None or followed.behind:
            return None
        assert isinstance(followed.fold, Tally), "a table is tallied"
        return followed.fold

    @property
    def drawer(self) -> Drawer | None:
        """Give the drawer of the cage; None while older events are still being read."""
        followed = self._streams[CAGE]
        if followed.behind:
            return None
        assert isinstance(followed.fold, Drawer), "the cage has a drawer"
        return followed.fold

    async def days(self, stream: str, dates: Dates) -> list[DaySums] | None:
        """Give the gaming days of a table on some dates; older ones are read from the journal."""
        tally = self.of(stream)
        if tally is not None and not tally.days.know(dates):
            tally = await self._read_days(stream, dates)
        if tally is None:
            return None
        return [each for date, each in sorted(tally.state.days.items()) if dates.has(date)]

    async def _read_days(self, stream: str, dates: Dates) -> Tally:
        version = self._streams[stream].version
        fold = await self._read(stream, version, lambda *_: None, dates)
        assert isinstance(fold, Tally), "a table is tallied"
        return fold

    @property
    def progress(self) -> tuple[int, int] | None:
        """Say how many events of how many were read; None when nothing is behind."""
        behind = [each for each in self._streams.values() if each.behind and self._is_open(each)]
        if not behind:
            return None
        return sum(each.seen for each in behind), sum(each.total for each in behind)

    async def caught_up(self) -> None:
        """Wait until no table is behind."""
        await self._caught_up.wait()

    # --- receiving ---------------------------------------------------------------------------

    def published_bets(self, stream: str, bets: Sequence[Registered]) -> None:
        """Receive a durable batch of bets alone: skipped, since they change no figure."""
        followed = self._streams.get(stream)
        if followed is None or not followed.pass_over(bets):
            self.published_all(stream, bets)

    def published(self, stream: str, registered: Registered) -> None:
        """Receive a durable decision."""
        followed = self._streams.get(stream)
        if followed is None:
            if table_of(stream) is None:
                return
            followed = self._follow(stream)
        try:
            complete = followed.receive(registered)
        except Exception:
            # A part of it may be in the sums: no figure is better than a doubtful one.
            followed.fall_behind()
            self._want()
            raise
        if not complete:
            self._want()

    def announced(self, announcement: Announcement) -> None:
        """Read a resumed table if some events are unknown; stop reading when the venue stops."""
        if announcement.code == "stopping" and self._task is not None:
            self._task.cancel()
        followed = self._streams.get(announcement.stream)
        if followed is None or announcement.code != "resumed":
            return
        if not followed.behind and followed.version != self._durable(followed):
            # It was written and is in the journal, but was never published.
            followed.fall_behind()
        if followed.behind:
            self._want()

    def _follow(self, stream: str) -> Followed:
        followed = self._streams[stream] = Followed(stream, self.gaming_days)
        self._want()
        return followed

    def _want(self) -> None:
        self._caught_up.clear()
        self._wanted.set()

    # --- catching up -------------------------------------------------------------------------

    async def _keep_up(self) -> None:
        while True:
            self._wanted.clear()
            behind = [each for each in self._streams.values() if each.behind]
            caught_up = [await self._catch_up(each) for each in behind if self._is_open(each)]
            if not all(caught_up):
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            if self._wanted.is_set():
                continue
            self._caught_up.set()
            await self._wanted.wait()

    def _is_open(self, followed: Followed) -> bool:
        """Say whether a table can be read: one that is suspended is read when it goes on."""
        return self._runtime.writer(followed.stream).suspended is None

    def _durable(self, followed: Followed) -> int:
        head = self._runtime.committer.heads.get(followed.stream)
        return 0 if head is None else head.version

    async def _catch_up(self, followed: Followed) -> bool:
        version = self._durable(followed)
        followed.seen, followed.total = 0, version

        def progress(seen: int, _: int) -> None:
            followed.seen = seen

        try:
            fold = await self._read(followed.stream, version, progress)
            complete = followed.catch_up(fold, version)
        except SentenceError as error:
            _log.warning("the figures of %s could not be read: %s", followed.stream, error)
            return False
        except Exception:  # noqa: BLE001 - logged, and tried again
            _log.exception("the figures of %s could not be read", followed.stream)
            return False
        if not complete:
            self._wanted.set()
        return True

    async def _read(
        self, stream: str, version: int, progress: OnProgress, wanted: Dates | None = None
    ) -> Fold:
        if version > SHORT:
            return await self._read_long(stream, version, progress, wanted)
        fold = begin_fold(stream, self.gaming_days, wanted)
        await read_fold(self._runtime.journal, stream, version, progress, fold)
        return fold

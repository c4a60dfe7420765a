"""A node at work on its leases: it beats, takes what falls to it, opens that, and leaves it again.

It knows no database and no table: those are behind `Store` and `Streams`. Clock and sleep are given
to it, so that it runs as well where time is made up.
"""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from typing import Any, Protocol

from taisai.runtime.journal.contract import FencedError, JournalError
from taisai.runtime.ownership.database_time import DatabaseTime
from taisai.runtime.ownership.tenure import Duties, Seen, Taking, Tenure, Terms
from taisai.wording import told

#: Why a stream decides nothing here.
ELSEWHERE = told("NOTICE_NODE_ELSEWHERE")

_log = logging.getLogger(__name__)


def resumed_notice(node: str, version: int) -> str:
    """Say which node goes on with a stream."""
    return told("NOTICE_NODE_HAS", node=node, version=version)


def stopping_notice(node: str) -> str:
    """Say which node is stopping."""
    return told("NOTICE_NODE_STOPPING", node=node)


class Store(Protocol):
    """Where leases are kept; what cannot be done raises a `JournalError`."""

    async def beat(self) -> Seen:
        """Be heard of, and see everybody; raises `FencedError` where another has the name."""

    async def take(self, takings: Sequence[Taking]) -> Mapping[str, int]:
        """Take the streams whose rows are still as they were seen; gives their new epochs.

        Whoever had them has not beaten meanwhile, and who does later sees that they are taken.
        """

    async def settle(self, fences: Collection[int]) -> None:
        """End these sessions, wait for whatever is under way, and write a barrier behind it all."""

    async def release(self, stream: str, epoch: int) -> None:
        """Leave a stream to whoever is to have it next."""

    async def want(self, stream: str, node: str) -> bool:
        """Say which node is to have a stream, once it is left; says whether there is such one."""


class Streams(Protocol):
    """What is owned."""

    async def open(self, stream: str, epoch: int) -> None:
        """Read a stream back, and decide for it from then on; raises what may pass."""

    def shut(self, stream: str, why: str) -> None:
        """Decide nothing more for a stream as of now, and tell those who wait to ask again."""

    async def finish(self, stream: str) -> None:
        """Come to rest, as between two rounds, with everything durable; nothing is decided then."""


class Ownership:
    """The streams that one node owns; made for one process, ended by `stop`."""

    def __init__(
        self,
        tenure: Tenure,
        store: Store,
        streams: Streams,
        terms: Terms,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.tenure = tenure
        #: The time by the database's clock.
        self.time = DatabaseTime(clock)
        #: What the last beat brought back, when, and the how manieth it was.
        self.seen: Seen | None = None
        self.beaten_at = -math.inf
        self.beats = 0
        #: Streams that were taken from a node that was silent.
        self.taken_over = 0
        self._store = store
        self._streams = streams
        self._terms = terms
        self._clock = clock
        self._sleep = sleep
        #: Why this node must not go on, once it is known.
        self._ended_by: FencedError | None = None
        #: Streams that are decided for, each with its epoch.
        self._open: dict[str, int] = {}
        #: Those that could not be opened yet, each with when that was first tried.
        self._tried: dict[str, float] = {}
        #: Those that were shut while they were being opened.
        self._shut_meanwhile: set[str] = set()
        #: What sessions of those who had a stream before are known by, until they are ended.
        self._formers: dict[str, int] = {}
        self._under_way: dict[str, asyncio.Task[None]] = {}

    # --- what others ask ---------------------------------------------------------------------

    def holds(self, stream: str) -> bool:
        """Say whether this node may decide for a stream at this moment."""
        epoch = self._open.get(stream)
        return epoch is not None and self.tenure.holds(stream, self._clock()) == epoch

    def opened(self) -> list[str]:
        """Name the streams that this node decides for at this moment."""
        return [stream for stream in self._open if self.holds(stream)]

    def note_shut(self, stream: str) -> None:
        """Note that a stream decides nothing for now, as when its journal failed: opened again."""
        self._open.pop(stream, None)
        self._shut_meanwhile.add(stream)

    def end(self, why: FencedError) -> None:
        """Beat no more, so that others have what this node has: it must not go on."""
        self._ended_by = why

    # --- at work -----------------------------------------------------------------------------

    async def run(self) -> None:
        """Beat, and do what is due, until another process has its name, or it must not go on."""
        try:
            while True:
                self._start("guard", self._guard())
                await self._beat()
                await self._sleep(self._terms.beat)
        finally:
            for task in self._under_way.values():
                task.cancel()
            self._shut(self._open, self._unheard())

    async def stop(self) -> None:
        """Come to rest with every stream, and leave all of them."""
        # What is just being taken is left too.
        tasks = self._under_way.items()
        await asyncio.gather(*(task for name, task in tasks if name.startswith(("take", "leave "))))
        await asyncio.gather(*(self._leave(stream) for stream in [*self.tenure.epochs]))

    async def _beat(self) -> None:
        """Beat once; whatever comes of it, there is a next one."""
        try:
            await self._beat_and_do()
        except FencedError:
            raise
        except JournalError as error:
            _log.warning("no beat: %s", error)
        except Exception:  # noqa: BLE001 - logged: who stops beating has its streams for nothing
            _log.exception("a beat: a fault of ours")

    async def _beat_and_do(self) -> None:
        if self._ended_by is not None:
            raise self._ended_by
        asked = self._clock()
        seen = await self._store.beat()
        answered = self._clock()
        self.seen, self.beaten_at, self.beats = seen, answered, self.beats + 1
        self.time.learn(seen.at, answered)
        if asked >= self.tenure.deadline:
            # It was away itself, and so was whatever it tried to open.
            self._tried.clear()
        self._do(self.tenure.note(seen, asked, answered))

    def _do(self, duties: Duties) -> None:
        for stream in duties.lost:
            self._open.pop(stream, None)
        # A fault in shutting one leaves none of the others open here. A stream that was suspended
        # and waited to be opened again is shut too.
        for stream in duties.lost:
            self._streams.shut(stream, ELSEWHERE)
        if duties.take:
            self._start("take", self._take(duties.take))
        for stream in duties.leave:
            self._start(f"leave {stream}", self._leave(stream))
        leaving = {name.removeprefix("leave ") for name in self._under_way}
        shut = self.tenure.epochs.keys() - self._open.keys() - leaving
        if shut:
            self._start("open", self._open_all())
        until = self._clock() - self._terms.give_up
        self._tried = {each: since for each, since in self._tried.items() if each in shut}
        late = [each for each, since in self._tried.items() if since <= until]
        if late:
            self._start("give up", self._give_up(late))

    async def _guard(self) -> None:
        """Suspend everything once this node has not been heard of for too long."""
        while True:
            left = self.tenure.deadline - self._clock()
            if left <= 0:
                self._shut([*self._open], self._unheard())
            await self._sleep(left if left > 0 else self._terms.beat)

    def _unheard(self) -> str:
        return told("NOTICE_NODE_UNHEARD", node=self.tenure.node)

    async def _take(self, takings: Sequence[Taking]) -> None:
        sent = self._clock()
        epochs = await self._store.take(takings)
        for taking in takings:
            if taking.stream in epochs and taking.fence is not None:
                self._formers[taking.stream] = taking.fence
                self.taken_over += 1
        self.tenure.take(epochs, sent, self._clock())

    async def _open_all(self) -> None:
        """Open what this node has and does not decide for yet, once no former can write to it."""
        epochs = {each: by for each, by in self.tenure.epochs.items() if each not in self._open}
        fences = {self._formers[stream] for stream in epochs if stream in self._formers}
        try:
            await self._store.settle(fences)
        except JournalError:
            # The database's trouble is everybody's, and no reason to leave anything to another.
            self._tried.clear()
            raise
        # What could not be opened holds up nothing else.
        for stream in sorted(epochs, key=self._tried.__contains__):
            epoch = epochs[stream]
            if self.tenure.epochs.get(stream) != epoch:
                continue
            self._tried.setdefault(stream, self._clock())
            self._formers.pop(stream, None)
            self._shut_meanwhile.discard(stream)
            await self._streams.open(stream, epoch)
            self._open[stream] = epoch
            if stream in self._shut_meanwhile or not self.holds(stream):
                # If it is had still, it is opened again.
                self._shut([stream], told("NOTICE_NODE_LOST_IT", node=self.tenure.node))

    async def _give_up(self, streams: Sequence[str]) -> None:
        """Have another node decide for what cannot be opened here, if there is any."""
        assert self.seen is not None, "it is found out by a beat"
        for stream in streams:
            for each, heir in self.tenure.heirs(stream, self.seen).items():
                _log.error("%s cannot be opened here: %s is to go to %s", stream, each, heir)
                await self._store.want(each, heir)
            self._tried.pop(stream, None)

    async def _leave(self, stream: str) -> None:
        await self._streams.finish(stream)
        self._open.pop(stream, None)
        epoch = self.tenure.leave(stream)
        if epoch is not None:
            try:
                await self._store.release(stream, epoch)
            finally:
                self.tenure.left(stream, self._clock())

    def _shut(self, streams: Collection[str], why: str) -> None:
        for stream in [*streams]:
            if self._open.pop(stream, None) is not None:
                self._streams.shut(stream, why)

    # --- tasks -------------------------------------------------------------------------------

    def _start(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Have something done beside the beats, one of a kind at a time."""
        if name in self._under_way:
            work.close()
        else:
            task = asyncio.get_running_loop().create_task(self._see_through(name, work))
            self._under_way[name] = task

    async def _see_through(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except JournalError as error:
            # The next beat says whether it is still to be done.
            _log.warning("%s: %s", name, error)
        except Exception:  # noqa: BLE001 - logged, and tried again with the next beat
            _log.exception("%s: a fault of ours", name)
        finally:
            del self._under_way[name]

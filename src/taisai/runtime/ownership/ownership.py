"""The work of a node on its leases: it beats, and takes, opens and leaves streams.

It knows no database and no table: those are behind `Store` and `Streams`. Clock and sleep are
passed in, so that it also runs in simulated time.
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
    """Where leases are stored; a failure raises a `JournalError`."""

    async def beat(self) -> Seen:
        """Beat, and read all rows; raises `FencedError` if another process has the node's name."""

    async def take(self, takings: Sequence[Taking]) -> Mapping[str, int]:
        """Take the streams whose rows are still as they were seen; give their new epochs.

        Their former owners have not beaten meanwhile; one that beats later sees that it lost them.
        """

    async def settle(self, fences: Collection[int]) -> None:
        """End these sessions, wait for transactions under way, and write a barrier after them."""

    async def release(self, stream: str, epoch: int) -> None:
        """Give up the lease of a stream to its next owner."""

    async def want(self, stream: str, node: str) -> bool:
        """Name the node for a stream once it is left; say whether there is such a stream."""


class Streams(Protocol):
    """The streams of a node."""

    async def open(self, stream: str, epoch: int) -> None:
        """Read a stream back and decide for it from then on; a failure that may pass is raised."""

    def shut(self, stream: str, why: str) -> None:
        """Stop deciding for a stream now, and answer waiting commands with `RETRY`."""

    async def finish(self, stream: str) -> None:
        """Finish a stream's round and make everything durable; then decide nothing more."""


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
        #: What the last beat read, when it was answered, and the count of beats.
        self.seen: Seen | None = None
        self.beaten_at = -math.inf
        self.beats = 0
        #: Whether its beats fail: then nothing else can be read or written either.
        self.is_away = False
        #: How many streams were taken from silent nodes.
        self.taken_over = 0
        self._store = store
        self._streams = streams
        self._terms = terms
        self._clock = clock
        self._sleep = sleep
        #: Why this node must not go on, once that is known.
        self._ended_by: FencedError | None = None
        #: Streams that this node decides for, each with its epoch.
        self._open: dict[str, int] = {}
        #: Streams that could not be opened yet, each with the time of the first try.
        self._tried: dict[str, float] = {}
        #: Streams that were shut while they were being opened.
        self._shut_meanwhile: set[str] = set()
        #: The fences of former owners, by stream, until their sessions are ended.
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
        """Note that a stream is suspended, as when its journal failed; it is then opened again."""
        self._open.pop(stream, None)
        self._shut_meanwhile.add(stream)

    def end(self, why: FencedError) -> None:
        """Stop beating, so that others take this node's streams: it must not go on."""
        self._ended_by = why

    # --- at work -----------------------------------------------------------------------------

    async def run(self) -> None:
        """Beat, and do what is due, until another process has the name, or this must not go on."""
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
        """Finish every stream's round, and leave all streams."""
        # Streams that are being taken are left too.
        await self._ended("take", "leave ")
        # A beat may have the same stream left: a second leaving would not wait for the round that
        # the first one finishes, and would release the stream before that is durable.
        for stream in [*self.tenure.epochs]:
            self._start(f"leave {stream}", self._leave(stream))
        await self._ended("leave ")

    async def _beat(self) -> None:
        """Beat once; a failed beat does not prevent the next."""
        try:
            await self._beat_and_do()
        except FencedError:
            raise
        except JournalError as error:
            # Tried ten times a second: it is logged when it begins, and when it is over.
            if not self.is_away:
                _log.warning("%s; this node goes on trying to beat", error)
            self.is_away = True
        except Exception:  # noqa: BLE001 - logged: a node that stops beating loses its streams
            _log.exception("a beat: a fault of ours")

    async def _beat_and_do(self) -> None:
        if self._ended_by is not None:
            raise self._ended_by
        asked = self._clock()
        seen = await self._store.beat()
        answered = self._clock()
        if self.is_away:
            _log.info("this node beats again")
        self.is_away = False
        self.seen, self.beaten_at, self.beats = seen, answered, self.beats + 1
        self.time.learn(seen.at, answered)
        if asked >= self.tenure.deadline:
            # This node itself was away, so failed tries to open do not count.
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
        """Suspend everything once this node has not beaten for too long."""
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
        """Open the streams that this node has taken, once no former owner can write to them."""
        epochs = {each: by for each, by in self.tenure.epochs.items() if each not in self._open}
        fences = {self._formers[stream] for stream in epochs if stream in self._formers}
        try:
            await self._store.settle(fences)
        except JournalError:
            # If the database fails it fails for every node: no reason to give a stream up.
            self._tried.clear()
            raise
        # Streams that failed to open hold up no others: they come last.
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
                # If this node still has its lease, it is opened again.
                self._shut([stream], told("NOTICE_NODE_LOST_IT", node=self.tenure.node))

    async def _give_up(self, streams: Sequence[str]) -> None:
        """Pass streams that cannot be opened here to another node, if there is one."""
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
        """Run work beside the beats, one task of each name at a time."""
        if name in self._under_way:
            work.close()
        else:
            task = asyncio.get_running_loop().create_task(self._see_through(name, work))
            self._under_way[name] = task

    async def _ended(self, *names: str) -> None:
        """Wait for the tasks under way whose names begin like one of these."""
        tasks = [task for name, task in self._under_way.items() if name.startswith(names)]
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _see_through(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except FencedError as error:
            self.end(error)
        except JournalError as error:
            # The next beat says whether it is still to be done.
            _log.warning("%s: %s", name, error)
        except Exception:  # noqa: BLE001 - logged, and tried again with the next beat
            _log.exception("%s: a fault of ours", name)
        finally:
            del self._under_way[name]

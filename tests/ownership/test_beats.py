"""Whatever fails at a beat, the next one follows, and the task that shuts streams goes on."""

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence

import pytest

from taisai.runtime.journal.contract import JournalError
from taisai.runtime.ownership.ownership import Ownership, Store, Streams
from taisai.runtime.ownership.tenure import NodeRow, OwnerRow, Seen, Taking, Tenure, Terms
from tests.ownership.virtual_time import run

TERMS = Terms()


class Troubled(Store):
    """A store whose answers come one after the other; the last one for ever."""

    def __init__(self, *answers: Exception | None) -> None:
        self._answers = [*answers]
        self.beats = 0
        self._epoch = 1

    async def beat(self) -> Seen:
        """Raise the next failure, or answer as always."""
        self.beats += 1
        failure = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if failure is not None:
            raise failure
        owner = OwnerRow("table/A", self._epoch, "here", "owner", None)
        return Seen([NodeRow("here", 1, ("owner",), self.beats, False)], [owner], 0)

    async def take(self, takings: Sequence[Taking]) -> Mapping[str, int]:
        """Give the stream with the next epoch."""
        self._epoch += 1
        return {each.stream: self._epoch for each in takings}

    async def settle(self, fences: Collection[int]) -> None:
        """Wait for nobody."""

    async def release(self, stream: str, epoch: int) -> None:
        """Release nothing."""

    async def want(self, stream: str, node: str) -> bool:
        """Fail the test: no stream may be wanted elsewhere."""
        raise AssertionError(f"nobody else could have {stream}, as {node} is not there")


class Clumsy(Streams):
    """Streams whose first shutting fails."""

    def __init__(self) -> None:
        self.shut_times = 0
        self.opened = 0

    async def open(self, stream: str, epoch: int) -> None:
        """Count an opening."""
        del stream, epoch
        self.opened += 1

    def shut(self, stream: str, why: str) -> None:
        """Count a shutting, and fail the first time."""
        del stream, why
        self.shut_times += 1
        if self.shut_times == 1:
            raise RuntimeError("tripped")

    async def finish(self, stream: str) -> None:
        """Finish at once."""


def owned(store: Store, streams: Streams) -> Ownership:
    """Make a node that owns streams, in simulated time."""
    clock = asyncio.get_running_loop().time
    return Ownership(Tenure("here", TERMS, {}), store, streams, TERMS, clock)


def test_a_beat_that_fails_in_whatever_way_is_followed_by_the_next() -> None:
    """The driver has failures of its own, which are neither the server's nor the path's."""
    trouble = (None, RuntimeError("another operation is in progress"), JournalError("away"))

    async def beat() -> None:
        store, streams = Troubled(None, *trouble, None), Clumsy()
        ownership = owned(store, streams)
        task = asyncio.create_task(ownership.run())
        await asyncio.sleep(10 * TERMS.beat)
        assert not task.done()
        assert store.beats >= 8
        assert ownership.holds("table/A")
        task.cancel()

    run(beat())


def test_what_suspends_a_node_that_is_not_heard_of_goes_on_when_it_tripped() -> None:
    async def beat() -> None:
        always = (None,) * 8
        store = Troubled(*always, *(JournalError("away"),) * 10, *always, JournalError("away"))
        streams = Clumsy()
        task = asyncio.create_task(owned(store, streams).run())
        # The database is away twice, and the stream is shut each time, though the first one failed.
        await asyncio.sleep(40 * TERMS.beat)
        assert not task.done()
        assert streams.opened == 2
        assert streams.shut_times == 2
        task.cancel()

    run(beat())


def test_a_database_that_is_away_is_logged_when_it_is_lost_and_when_it_is_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)

    away: list[bool] = []

    async def beat() -> None:
        store = Troubled(None, None, *(JournalError("away"),) * 6, None)
        ownership = owned(store, Clumsy())
        task = asyncio.create_task(ownership.run())
        for beats in (5, 10):
            await asyncio.sleep(beats * TERMS.beat)
            away.append(ownership.is_away)
        task.cancel()

    run(beat())
    assert away == [True, False]
    told = [each.getMessage() for each in caplog.records if "beat" in each.getMessage()]
    assert told == ["away; this node goes on trying to beat", "this node beats again"]


class Given(Troubled):
    """A store in which another node has the stream from some beat on."""

    def __init__(self, from_beat: int) -> None:
        super().__init__(None)
        self._from_beat = from_beat

    async def beat(self) -> Seen:
        """Give the stream's owner of this beat."""
        seen = await super().beat()
        if self.beats < self._from_beat:
            return seen
        there = NodeRow("there", 2, ("owner",), self.beats, False)
        owner = OwnerRow("table/A", self._epoch + 1, "there", "owner", None)
        return Seen([*seen.nodes, there], [owner], 0)


class Followed(Clumsy):
    """Streams that count how often they are shut."""

    def shut(self, stream: str, why: str) -> None:
        """Count a shutting."""
        del stream, why
        self.shut_times += 1


def test_what_decides_nothing_for_now_is_shut_too_when_it_is_lost() -> None:
    """Otherwise the node would claim to decide for it as soon as it takes it again."""

    async def beat() -> None:
        streams = Followed()
        ownership = owned(Given(5), streams)
        task = asyncio.create_task(ownership.run())
        await asyncio.sleep(3.5 * TERMS.beat)
        assert ownership.holds("table/A")
        # As in a process that was stopped: it decides what waits before it checks the time.
        ownership.note_shut("table/A")
        await asyncio.sleep(10 * TERMS.beat)
        assert streams.shut_times == 1
        task.cancel()

    run(beat())


class Passing(Troubled):
    """A store in which two streams go to another node, which then never beats."""

    def __init__(self) -> None:
        super().__init__(None)
        self._owners = dict.fromkeys(("table/A", "table/B"), ("here", 1))

    async def beat(self) -> Seen:
        """Give the streams' owners; from the sixth beat on they belong to the other node."""
        self.beats += 1
        if self.beats == 6:
            self._owners = {each: ("there", by + 1) for each, (_, by) in self._owners.items()}
        here = NodeRow("here", 1, ("owner",), self.beats, False)
        rows = [OwnerRow(each, by, at, "owner", None) for each, (at, by) in self._owners.items()]
        return Seen([here], rows, 0)

    async def take(self, takings: Sequence[Taking]) -> Mapping[str, int]:
        """Give the streams with the next epoch."""
        taken = {each.stream: each.epoch + 1 for each in takings}
        self._owners.update({stream: ("here", epoch) for stream, epoch in taken.items()})
        return taken


def test_a_fault_in_shutting_one_lost_stream_keeps_no_other_from_being_opened_again() -> None:
    async def beat() -> None:
        streams = Clumsy()
        ownership = owned(Passing(), streams)
        task = asyncio.create_task(ownership.run())
        await asyncio.sleep(3.5 * TERMS.beat)
        assert [ownership.holds(each) for each in ("table/A", "table/B")] == [True, True]
        await asyncio.sleep(10 * TERMS.beat)
        assert streams.opened == 4
        assert [ownership.holds(each) for each in ("table/A", "table/B")] == [True, True]
        task.cancel()

    run(beat())


class Stumbling(Clumsy):
    """Streams whose journal fails while they are opened, so that they decide nothing after all."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.ownership: Ownership | None = None
        self._times = times

    async def open(self, stream: str, epoch: int) -> None:
        """Open the stream, and the first times shut it before that is over."""
        await super().open(stream, epoch)
        if self.opened <= self._times:
            assert self.ownership is not None
            self.ownership.note_shut(stream)
        await asyncio.sleep(0)

    def shut(self, stream: str, why: str) -> None:
        """Count a shutting."""
        del stream, why
        self.shut_times += 1


def test_what_is_shut_while_it_is_opened_is_opened_again() -> None:
    """As when a round must be ruled on, and just then the journal is unreachable."""

    async def beat() -> None:
        streams = Stumbling(2)
        ownership = streams.ownership = owned(Troubled(None), streams)
        task = asyncio.create_task(ownership.run())
        await asyncio.sleep(1.5 * TERMS.beat)
        assert not ownership.holds("table/A")
        await asyncio.sleep(10 * TERMS.beat)
        assert ownership.holds("table/A")
        # Each time the half-opened stream was shut first.
        assert (streams.opened, streams.shut_times) == (3, 2)
        task.cancel()

    run(beat())


class Draining(Troubled):
    """A store of a node that drains; another one, for its stream, is there from some beat on."""

    def __init__(self, from_beat: int, said: list[str]) -> None:
        super().__init__(None)
        self._from_beat = from_beat
        self._said = said
        self._owner: str | None = "here"

    async def beat(self) -> Seen:
        """Give this node as draining, and from some beat on the other node too."""
        seen = await super().beat()
        if self.beats < self._from_beat:
            return seen
        here = NodeRow("here", 1, ("owner",), self.beats, True)
        there = NodeRow("there", 2, ("owner",), self.beats, False)
        owner = OwnerRow("table/A", self._epoch, self._owner, "owner", None)
        return Seen([here, there], [owner], 0)

    async def release(self, stream: str, epoch: int) -> None:
        """Release the stream, and note it."""
        del epoch
        self._owner = None
        self._said.append(f"{stream} is released")


class Unhurried(Clumsy):
    """Streams whose rounds take a while to finish."""

    def __init__(self, said: list[str]) -> None:
        super().__init__()
        self._said = said

    async def finish(self, stream: str) -> None:
        """Note when the round begins to be finished, and when it is."""
        self._said.append(f"{stream} is being finished")
        await asyncio.sleep(3 * TERMS.beat)
        self._said.append(f"{stream} is finished")


def test_a_stream_is_left_once_though_a_beat_wants_it_left_while_its_node_stops() -> None:
    async def stop() -> None:
        said: list[str] = []
        ownership = owned(Draining(5, said), Unhurried(said))
        task = asyncio.create_task(ownership.run())
        await asyncio.sleep(3.5 * TERMS.beat)
        assert ownership.holds("table/A")
        # The fifth beat comes while the round is being finished.
        await ownership.stop()
        once = ["table/A is being finished", "table/A is finished", "table/A is released"]
        assert said == once
        # Whatever another leaving had begun would be over by now.
        await asyncio.sleep(5 * TERMS.beat)
        assert said == once
        task.cancel()

    run(stop())

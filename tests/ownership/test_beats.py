"""Whatever comes of a beat, there is a next one; and what watches over the streams does not end."""

import asyncio
from collections.abc import Collection, Mapping, Sequence

from taisai.runtime.journal.contract import JournalError
from taisai.runtime.ownership.ownership import Ownership, Store, Streams
from taisai.runtime.ownership.tenure import NodeRow, OwnerRow, Seen, Taking, Tenure, Terms
from tests.ownership.virtual_time import run

TERMS = Terms()


class Troubled(Store):
    """A database whose answers are given one after the other; the last for ever."""

    def __init__(self, *answers: Exception | None) -> None:
        self._answers = [*answers]
        self.beats = 0
        self._epoch = 1

    async def beat(self) -> Seen:
        """Raise what is next, or be as always."""
        self.beats += 1
        failure = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if failure is not None:
            raise failure
        owner = OwnerRow("table/A", self._epoch, "here", "owner", None)
        return Seen([NodeRow("here", 1, ("owner",), self.beats, False)], [owner], 0)

    async def take(self, takings: Sequence[Taking]) -> Mapping[str, int]:
        """Have it by another epoch."""
        self._epoch += 1
        return {each.stream: self._epoch for each in takings}

    async def settle(self, fences: Collection[int]) -> None:
        """Have nobody to wait for."""

    async def release(self, stream: str, epoch: int) -> None:
        """Leave nothing."""

    async def want(self, stream: str, node: str) -> bool:
        """Have it nowhere else."""
        raise AssertionError(f"nobody else could have {stream}, as {node} is not there")


class Clumsy(Streams):
    """Streams that trip over what they are asked, once."""

    def __init__(self) -> None:
        self.shut_times = 0
        self.opened = 0

    async def open(self, stream: str, epoch: int) -> None:
        """Open it."""
        del stream, epoch
        self.opened += 1

    def shut(self, stream: str, why: str) -> None:
        """Trip, the first time."""
        del stream, why
        self.shut_times += 1
        if self.shut_times == 1:
            raise RuntimeError("tripped")

    async def finish(self, stream: str) -> None:
        """Come to rest."""


def owned(store: Store, streams: Streams) -> Ownership:
    """Have a node at work, in made-up time."""
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
        # It is away twice, and suspended each time, though it tripped over the first.
        await asyncio.sleep(40 * TERMS.beat)
        assert not task.done()
        assert streams.opened == 2
        assert streams.shut_times == 2
        task.cancel()

    run(beat())


class Given(Troubled):
    """A database by which another node has the stream from some beat on."""

    def __init__(self, from_beat: int) -> None:
        super().__init__(None)
        self._from_beat = from_beat

    async def beat(self) -> Seen:
        """Say whose it is."""
        seen = await super().beat()
        if self.beats < self._from_beat:
            return seen
        there = NodeRow("there", 2, ("owner",), self.beats, False)
        owner = OwnerRow("table/A", self._epoch + 1, "there", "owner", None)
        return Seen([*seen.nodes, there], [owner], 0)


class Followed(Clumsy):
    """Streams that say when they are shut."""

    def shut(self, stream: str, why: str) -> None:
        """Count it."""
        del stream, why
        self.shut_times += 1


def test_what_decides_nothing_for_now_is_shut_too_when_it_is_lost() -> None:
    """Otherwise the node would say that it decides for it as soon as it takes it again."""

    async def beat() -> None:
        streams = Followed()
        ownership = owned(Given(5), streams)
        task = asyncio.create_task(ownership.run())
        await asyncio.sleep(3.5 * TERMS.beat)
        assert ownership.holds("table/A")
        # As a stopped process does that goes on: what waits is decided before it looks at the time.
        ownership.note_shut("table/A")
        await asyncio.sleep(10 * TERMS.beat)
        assert streams.shut_times == 1
        task.cancel()

    run(beat())


class Passing(Troubled):
    """A database by which two streams go to another node, of which nothing more is heard."""

    def __init__(self) -> None:
        super().__init__(None)
        self._owners = dict.fromkeys(("table/A", "table/B"), ("here", 1))

    async def beat(self) -> Seen:
        """Say whose they are; with the sixth beat they are the other's."""
        self.beats += 1
        if self.beats == 6:
            self._owners = {each: ("there", by + 1) for each, (_, by) in self._owners.items()}
        here = NodeRow("here", 1, ("owner",), self.beats, False)
        rows = [OwnerRow(each, by, at, "owner", None) for each, (at, by) in self._owners.items()]
        return Seen([here], rows, 0)

    async def take(self, takings: Sequence[Taking]) -> Mapping[str, int]:
        """Have them by another epoch."""
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
    """Streams whose journal fails as they are opened, so that they decide nothing after all."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.ownership: Ownership | None = None
        self._times = times

    async def open(self, stream: str, epoch: int) -> None:
        """Open it, and be shut before that is over, the first times."""
        await super().open(stream, epoch)
        if self.opened <= self._times:
            assert self.ownership is not None
            self.ownership.note_shut(stream)
        await asyncio.sleep(0)

    def shut(self, stream: str, why: str) -> None:
        """Count it."""
        del stream, why
        self.shut_times += 1


def test_what_is_shut_while_it_is_opened_is_opened_again() -> None:
    """As where a round is to be ruled on, and the journal is away just then."""

    async def beat() -> None:
        streams = Stumbling(2)
        ownership = streams.ownership = owned(Troubled(None), streams)
        task = asyncio.create_task(ownership.run())
        await asyncio.sleep(1.5 * TERMS.beat)
        assert not ownership.holds("table/A")
        await asyncio.sleep(10 * TERMS.beat)
        assert ownership.holds("table/A")
        # Each time whatever had begun to decide was shut first.
        assert (streams.opened, streams.shut_times) == (3, 2)
        task.cancel()

    run(beat())

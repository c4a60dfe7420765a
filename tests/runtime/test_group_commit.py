"""Group commit: what is waited for, what is signed, and a batch whose outcome is unknown."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import cast

import pytest

from taisai.runtime.journal.contract import (
    CHAIN_SEALS,
    SHAPE,
    Append,
    Checkpoint,
    Head,
    Heads,
    Journal,
    Outcome,
    OutcomeUnknownError,
    Record,
    Seal,
    Sealing,
    genesis,
    link,
)
from taisai.runtime.journal.group_commit import Committer
from taisai.runtime.journal.seals import Followed, Tail
from tests.kit.floor import run

SEALING = b"s" * 32


class Slow:
    """A journal whose batches take a turn of the loop, or are lost."""

    writes_elsewhere = False

    def __init__(self) -> None:
        self.fails = False
        #: What becomes of each part of a batch, unless the batch is lost.
        self.outcome = Outcome.DURABLE
        self.is_writing = False
        #: The head of each stream, as it is read.
        self.ends: dict[str, Head] = {}

    async def write(
        self,
        appends: Sequence[Append],
        checkpoint: Checkpoint | None = None,
        sealing: Sealing | None = None,
    ) -> list[Outcome]:
        """Write a batch, while other tasks have their turn."""
        del checkpoint
        self.is_writing = True
        await asyncio.sleep(0)
        self.is_writing = False
        if self.fails:
            raise OutcomeUnknownError("the connection is gone")
        if sealing is not None and appends and self.outcome is Outcome.DURABLE:
            sealing.over(appends)
        return [self.outcome] * len(appends)

    async def reopen(self) -> None:
        """Work again."""
        self.fails = False

    async def heads(self, streams: Iterable[str] | None = None) -> dict[str, Head]:
        """Give the heads of these streams."""
        return {each: self.ends[each] for each in streams or () if each in self.ends}

    async def chains(self) -> list[int]:
        """Give no chains: there are no seals."""
        return []

    async def seals_after(self, number: int, most: int) -> list[Seal]:
        """Give no seals."""
        del number, most
        return []


class Stream:
    """A stream that adds an event whenever it is asked for new ones."""

    def __init__(self, name: str) -> None:
        self.stream = name
        self.head = genesis(name)
        self.taken = self.told = 0
        self.failures: list[bool] = []

    def take(self) -> Append:
        """Give one more event."""
        after, version = self.head, self.head.version + 1
        hash_ = link(after.hash, version, SHAPE, 0, b"cause", b"{}")
        record = Record(self.stream, version, SHAPE, 0, b"cause", b"{}", hash_)
        self.head = Head(version, hash_)
        self.taken += 1
        return Append(self.stream, after, [record], [])

    def durable(self) -> None:
        """Count a durable batch."""
        self.told += 1

    def go_on(self, *, in_halves: bool) -> None:
        """Have nothing to decide."""

    def failed(self, why: str, *, passing: bool) -> None:
        """Record whether the failure may pass."""
        del why
        self.failures.append(passing)


class Busy(Stream):
    """A stream that is ready again as soon as its events are taken."""

    def __init__(self, name: str, committer: Committer) -> None:
        super().__init__(name)
        self._committer = committer
        self.at_rest = False

    def take(self) -> Append:
        """Give one more event, and be ready again in the next turn of the loop."""
        if not self.at_rest:
            asyncio.get_running_loop().call_soon(self._committer.ready, self)
        return super().take()


class Deciding(Busy):
    """A busy stream that records whether a batch is being written when it may decide at once."""

    def __init__(self, name: str, committer: Committer, journal: Slow) -> None:
        super().__init__(name, committer)
        self._journal = journal
        #: At each call: what was taken, what was durable, whether a batch was being written.
        self.went_on: list[tuple[int, int, bool]] = []

    def go_on(self, *, in_halves: bool) -> None:
        """Record the call, and be ready again after the first."""
        assert not in_halves, "this process writes"
        if not self.went_on:
            self._committer.ready(self)
        self.went_on.append((self.taken, self.told, self._journal.is_writing))


Signed = list[tuple[dict[str, Head], list[Followed]]]


def committer_of(journal: Slow, signed: Signed | None = None, chain: int = 0) -> Committer:
    """Make a committer that records what it is asked to sign."""
    tail = Tail(SEALING, (), {}, chain)

    def sign(heads: Heads, _: Checkpoint | None) -> Checkpoint:
        if signed is not None:
            signed.append((dict(heads), tail.followed))
        return Checkpoint(1, b"", "", b"")

    return Committer(cast(Journal, journal), {}, sign, tail)


def test_what_is_ready_is_waited_for_and_not_what_comes_later() -> None:
    """A table that is never quiet delays nobody who opens or leaves another."""

    async def wait() -> None:
        committer = committer_of(Slow())
        busy, once = Busy("table/busy", committer), Stream("table/once")
        committer.ready(busy)
        await asyncio.sleep(0)
        committer.ready(once)
        async with asyncio.timeout(5.0):
            await committer.settled()
        assert (once.taken, once.told) == (1, 1)
        assert busy.taken > busy.told
        # It waits for the batch being written, and for no more than that.
        taken = busy.taken
        async with asyncio.timeout(5.0):
            await committer.settled()
        assert taken <= busy.told <= taken + 1
        busy.at_rest = True
        async with asyncio.timeout(5.0):
            await committer.idle()
        assert busy.told == busy.taken

    run(wait())


def test_a_checkpoint_is_signed_while_tables_are_busy_and_of_all_that_is_sealed() -> None:
    async def sign() -> None:
        signed: Signed = []
        committer = committer_of(Slow(), signed)
        busy = Busy("table/busy", committer)
        committer.ready(busy)
        for _ in range(5):
            async with asyncio.timeout(5.0):
                await committer.checkpoint()
        busy.at_rest = True
        await committer.idle()
        assert len(signed) == 5
        # Each batch is one event, and has one seal.
        for heads, ((number, _),) in signed:
            assert heads["table/busy"].version == number > 0

    run(sign())


@pytest.mark.parametrize(("chain", "passing"), [(0, False), (3, True)])
def test_where_nodes_share_a_journal_what_another_wrote_instead_may_pass(
    chain: int, passing: bool
) -> None:
    """Another node may have taken over the stream, which is followed; alone, no other may write."""

    async def write() -> None:
        journal = Slow()
        committer = committer_of(journal, chain=chain)
        stream = Stream("table/A")
        journal.fails, journal.ends = True, {"table/A": Head(1, b"another's")}
        committer.ready(stream)
        await committer.idle()
        assert committer.tail.at.number // CHAIN_SEALS == chain
        assert (stream.told, stream.failures) == (0, [passing])

    run(write())


def test_what_came_meanwhile_is_decided_at_once_only_while_nothing_is_written() -> None:
    async def write() -> None:
        journal = Slow()
        committer = committer_of(journal)
        busy = Deciding("table/busy", committer, journal)
        committer.ready(busy)
        async with asyncio.timeout(5.0):
            while busy.told < 5:
                await committer.settled()
        # Each batch was answered while the next was written.
        assert busy.went_on == []
        busy.at_rest = True
        async with asyncio.timeout(5.0):
            await committer.idle()
        # The last batch has no next one, until one is decided at once; then that is the last.
        taken = busy.taken
        assert busy.went_on == [(taken - 1, taken - 1, False), (taken, taken, False)]

    run(write())


@pytest.mark.parametrize("outcome", [Outcome.CONFLICT, Outcome.FENCED])
def test_a_batch_of_which_nothing_is_durable_is_followed_by_nothing_and_settled(
    outcome: Outcome,
) -> None:
    async def write() -> None:
        journal = Slow()
        journal.outcome = outcome
        committer, followed = committer_of(journal), list[int]()
        busy = Busy("table/busy", committer)
        committer.after_batch = lambda: followed.append(busy.told)
        committer.ready(busy)
        for _ in range(3):
            failed = len(busy.failures)
            # It ends although the stream is ready again each time.
            async with asyncio.timeout(5.0):
                await committer.settled()
            assert len(busy.failures) > failed
        assert (busy.told, followed) == (0, [])
        # Each batch that is durable is followed by it.
        journal.outcome, busy.at_rest = Outcome.DURABLE, True
        async with asyncio.timeout(5.0):
            await committer.idle()
        assert followed == [*range(1, busy.told + 1)] != []

    run(write())

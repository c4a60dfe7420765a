"""A real journal that a test can make wait, fail, or lose its answer."""

import asyncio
from collections.abc import Collection, Iterable, Sequence

from taisai.core.kernel.messages import Instant
from taisai.runtime.journal.contract import (
    CHECKPOINTS_AT_ONCE,
    Append,
    Checkpoint,
    Commands,
    Head,
    IdempotencyRecord,
    Journal,
    JournalError,
    Outcome,
    OutcomeUnknownError,
    Pages,
    Record,
    Seal,
    Sealing,
    Snapshot,
)


class FailingJournal(Journal):
    """Passes everything on to another journal, except where a test makes it fail."""

    def __init__(self, real: Journal) -> None:
        self.real = real
        self.writes_elsewhere = real.writes_elsewhere
        #: Raised instead of writing, once each, oldest first.
        self.failures: list[JournalError] = []
        #: The next write happens, and its answer is lost.
        self.lose_answer = False
        #: While clear, a write waits before it begins.
        self.gate = asyncio.Event()
        self.gate.set()
        self.arrived = asyncio.Event()
        self.batches: list[Sequence[Append]] = []
        self.reopen_failures = 0
        #: How often it was reopened.
        self.reopened = 0

    async def write(
        self,
        appends: Sequence[Append],
        checkpoint: Checkpoint | None = None,
        sealing: Sealing | None = None,
    ) -> list[Outcome]:
        self.arrived.set()
        await self.gate.wait()
        if self.failures:
            raise self.failures.pop(0)
        self.batches.append(appends)
        outcomes = await self.real.write(appends, checkpoint, sealing)
        if self.lose_answer:
            self.lose_answer = False
            raise OutcomeUnknownError("the line went dead")
        return outcomes

    async def probe(self) -> None:
        await self.real.probe()

    async def reopen(self) -> None:
        if self.reopen_failures:
            self.reopen_failures -= 1
            raise JournalError("the disk does not answer")
        await self.real.reopen()
        self.reopened += 1

    async def heads(self, streams: Iterable[str] | None = None) -> dict[str, Head]:
        return await self.real.heads(streams)

    def read(self, stream: str, after: int = 0, upto: int | None = None) -> Pages:
        return self.real.read(stream, after, upto)

    async def records(self, stream: str, versions: Sequence[int]) -> list[Record]:
        return await self.real.records(stream, versions)

    async def answered(self, stream: str, sender: str, id_: str) -> IdempotencyRecord | None:
        return await self.real.answered(stream, sender, id_)

    async def issued_after(self, streams: Collection[str], at: Instant) -> list[IdempotencyRecord]:
        return await self.real.issued_after(streams, at)

    async def forget(self, issued_before: Instant) -> int:
        return await self.real.forget(issued_before)

    async def snapshots(self, stream: str) -> list[Snapshot]:
        return await self.real.snapshots(stream)

    async def snapshot_streams(self) -> list[str]:
        return await self.real.snapshot_streams()

    async def checkpoints(self, newest: int | None = None) -> list[Checkpoint]:
        return await self.real.checkpoints(newest)

    async def checkpoints_after(
        self, number: int, most: int = CHECKPOINTS_AT_ONCE
    ) -> list[Checkpoint]:
        return await self.real.checkpoints_after(number, most)

    async def chains(self) -> list[int]:
        return await self.real.chains()

    async def seals_after(self, number: int, most: int) -> list[Seal]:
        return await self.real.seals_after(number, most)

    async def run_of(self, number: int) -> Seal | None:
        return await self.real.run_of(number)

    def commands(self) -> Commands:
        return self.real.commands()

    async def integrity(self) -> list[str]:
        return await self.real.integrity()

    async def close(self) -> None:
        await self.real.close()


class DeafJournal(FailingJournal):
    """A journal that fails to look up an id, once for each sender named."""

    def __init__(self, real: Journal) -> None:
        super().__init__(real)
        self.deaf_to: list[str] = []
        #: While clear, reopening waits.
        self.opening = asyncio.Event()
        self.opening.set()

    async def answered(self, stream: str, sender: str, id_: str) -> IdempotencyRecord | None:
        if sender in self.deaf_to:
            self.deaf_to.remove(sender)
            raise JournalError("the disk does not answer")
        return await super().answered(stream, sender, id_)

    async def reopen(self) -> None:
        await self.opening.wait()
        await super().reopen()

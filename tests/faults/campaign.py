"""A journal on a failing disk: its answers, compared with what is there afterwards.

A case is a seed, which decides what is written, where and how the disk fails, and what a power cut
leaves. Everything the journal answered as `durable`, or showed after it was reopened, must be in
every image of the disk, whole and chained; what it reported as not written must be in none.
"""

import asyncio
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Any, Self, assert_never
from unittest.mock import patch

import apsw

from taisai.runtime.journal import sqlite
from taisai.runtime.journal.contract import (
    SNAPSHOTS_KEPT,
    Append,
    Checkpoint,
    Head,
    IdempotencyRecord,
    JournalError,
    NothingWrittenError,
    Outcome,
    OutcomeUnknownError,
    Snapshot,
)
from tests.contract.journals import (
    NOON,
    adding,
    answered,
    beginning,
    chain_holds,
    checkpoint_of,
    everything,
    head_after,
    snapshot_of,
)
from tests.faults.disk import SQLITE_FILES, Act, Answer, Disk, Kind
from tests.faults.platter import Loss

FILE = "venue.journal"
STREAMS = ("table/1", "table/2", "cage")
BATCHES = 12
#: About as many steps as a case has; a fault that comes later strikes nothing.
STEPS = 260
#: A log of a few pages is copied back every few batches.
SMALL_LOG: dict[str, Any] = {"WAL_PAGES": 12, "WAL_PAGES_LEFT": 6, "WAL_PAGES_MAX": 40}
REOPENED_MAX = 8


class Trouble(StrEnum):
    """A trouble of the disk in a case."""

    POWER = "the power is cut"
    KILL = "the process is killed"
    FAULT = "a step fails"
    PART = "a write arrives in part"
    SYNCS = "syncs fail in a row"
    SYNCS_POWER = "syncs fail, and the power is cut"
    FULL = "the disk is full for a while"
    READ = "a read fails"


@dataclass
class Memory:
    """What a journal must contain, by its answers."""

    durable: dict[str, list[Append]] = field(default_factory=dict)
    #: Parts of the batch with an unknown outcome, until they are looked up.
    doubtful: dict[str, Append] = field(default_factory=dict)
    #: Parts that were not written, for certain.
    unwritten: list[Append] = field(default_factory=list)
    checkpoints: list[Checkpoint] = field(default_factory=list)
    doubtful_checkpoint: Checkpoint | None = None
    #: Ids of commands issued earlier may have been forgotten.
    forgotten: int = 0

    def head(self, stream: str) -> Head:
        """Give the head of a stream."""
        appends = self.durable.get(stream)
        return head_after(appends[-1]) if appends else beginning(stream)

    def keep(self, appends: Iterable[Append], checkpoint: Checkpoint | None) -> None:
        """Remember the parts answered as `durable`."""
        for append in appends:
            self.durable.setdefault(append.stream, []).append(append)
        if checkpoint is not None:
            self.checkpoints.append(checkpoint)

    async def hold(self, journal: sqlite.SqliteJournal, *, settle: bool = False) -> None:
        """Compare all of it with a journal; if settled, what is shown now must stay."""
        heads = await journal.heads()
        assert set(heads) <= {*STREAMS}
        written = [stream for stream in STREAMS if await self._holds(journal, stream)]
        for append in self.unwritten:
            assert not any([await journal.answered(*each[:3]) for each in append.commands])
        shown = await journal.checkpoints()
        assert shown in (self.checkpoints, [*self.checkpoints, self.doubtful_checkpoint])
        if settle:
            self.checkpoints = shown
            self.keep((self.doubtful[stream] for stream in written), None)
            missing = set(self.doubtful) - {*written}
            self.unwritten += [self.doubtful[stream] for stream in missing]
            self.doubtful, self.doubtful_checkpoint = {}, None

    async def _holds(self, journal: sqlite.SqliteJournal, stream: str) -> bool:
        """Compare one stream; says whether its doubtful part is there."""
        appends = [*self.durable.get(stream, [])]
        told = [record for append in appends for record in append.records]
        found = await everything(journal, stream)
        assert found[: len(told)] == told, f"{stream}: {len(found)} of {len(told)} records"
        assert chain_holds(stream, found), f"{stream} is not chained"
        doubtful = self.doubtful.get(stream)
        written = doubtful is not None and len(found) > len(told)
        if doubtful is not None and written:
            appends.append(doubtful)
            told += doubtful.records
        elif doubtful is not None:
            assert not any([await journal.answered(*each[:3]) for each in doubtful.commands])
        assert found == told, f"{stream}: {len(found)} records for {len(told)}"
        for command in self._commands(appends):
            kept = await journal.answered(*command[:3])
            assert kept == command, f"{stream}: a record without the answer that came with it"
        assert await journal.snapshots(stream) == _newest_snapshots(appends)
        return written

    def _commands(self, appends: Iterable[Append]) -> Iterator[IdempotencyRecord]:
        for append in appends:
            yield from (each for each in append.commands if each.issued >= self.forgotten)


def _newest_snapshots(appends: Sequence[Append]) -> list[Snapshot]:
    taken = [append.snapshot for append in appends if append.snapshot is not None]
    return taken[::-1][:SNAPSHOTS_KEPT]


class Case:
    """One seed, played to its end in a directory of its own."""

    def __init__(self, seed: int, directory: Path, trouble: Trouble | None = None) -> None:
        self.chance = Random(f"case {seed}")
        self.directory = directory
        chosen = self.chance.choice([*Trouble])
        self.trouble = chosen if trouble is None else trouble
        self.memory = Memory()
        self.disk = Disk(directory / "disk", seed)
        #: How often the journal gave each answer.
        self.said: Counter[str] = Counter()
        self.images = 0
        #: Another program reads the file: SQLite then cannot restart its log.
        self.read_beside = Random(f"reader {seed}").random() < 0.25
        self._number = 0
        self._issued = NOON

    def __enter__(self) -> Self:
        self.disk.directory.mkdir(parents=True)
        self.disk.__enter__()
        return self

    def __exit__(self, *given: object) -> None:
        self.disk.__exit__(*given)

    def play(self, batches: int = BATCHES, nth: int | None = None) -> None:
        """Write batches on a disk in trouble at the nth step; check, and check again after cuts."""
        drawn = self.chance.randint(1, STEPS)
        with patch.multiple(sqlite, **SMALL_LOG):
            self._befall(drawn if nth is None else nth)
            asyncio.run(self._write(batches))
            while self.trouble is Trouble.KILL and self.disk.down:
                self.disk.restart()
                if self.chance.random() < 0.4:
                    # The next process is killed too, while it opens or soon after.
                    self.disk.crash(self.chance.randint(1, 40))
                asyncio.run(self._write(3))
            asyncio.run(self.cut())

    def _befall(self, nth: int) -> None:
        disk, chance = self.disk, self.chance
        match self.trouble:
            case Trouble.POWER | Trouble.KILL:
                disk.crash(nth)
            case Trouble.FAULT:
                disk.fail(nth)
            case Trouble.PART:
                written = chance.choice((1, 24, 500, 512, 3000, 4096))
                answer = chance.choice((Answer.FULL, Answer.WRITE_FAILED))
                disk.fail(nth // 2 + 1, act=Act.WRITE, written=written, answer=answer)
            case Trouble.SYNCS | Trouble.SYNCS_POWER:
                first, last = nth // 6 + 1, nth // 6 + chance.randint(2, 5)
                power = self.trouble is Trouble.SYNCS_POWER
                # Soon after: while the journal is reopened, or a little later.
                disk.fail(first, act=Act.SYNC, crash_after=chance.randint(1, 40) * power)
                for further in range(first + 1, last + 1):
                    disk.fail(further, act=Act.SYNC)
            case Trouble.FULL:
                disk.room = nth * 1_000
            case Trouble.READ:
                disk.fail(nth // 5 + 1, act=Act.READ, file=chance.choice((*SQLITE_FILES, None)))
            case _:
                assert_never(self.trouble)

    async def _write(self, batches: int) -> None:
        journal = await self._opened()
        if journal is None:
            return
        reader = await self._reading_beside()
        try:
            await self._look(journal)
            if self.disk.life and not self.disk.down:
                # What a new process shows must stay from then on.
                await self.cut()
            for _ in range(batches):
                if self.disk.down:
                    return
                await self._batch(journal)
                # Beside the commits, but never two at once: a seed always gives the same steps.
                await asyncio.to_thread(journal._carried.wait)
        finally:
            if reader is not None:
                await reader.close()
            await journal.close()

    async def _reading_beside(self) -> sqlite.SqliteJournal | None:
        if not self.read_beside:
            return None
        path = self.disk.directory / FILE
        try:
            return await sqlite.SqliteJournal.open(path, vfs=self.disk.name, read_only=True)
        except JournalError:
            self.said["cannot be read beside"] += 1
            return None

    async def _opened(self) -> sqlite.SqliteJournal | None:
        """Open the journal, trying again as long as the disk is there at all."""
        for _ in range(REOPENED_MAX):
            try:
                return await sqlite.SqliteJournal.open(
                    self.disk.directory / FILE, vfs=self.disk.name
                )
            except JournalError:
                self.said["cannot be opened"] += 1
                self._make_room()
                if self.disk.down:
                    return None
        raise AssertionError("the journal cannot be opened any more")

    async def _batch(self, journal: sqlite.SqliteJournal) -> None:
        appends, checkpoint = self._made()
        stale = self._stale() if self.chance.random() < 0.15 else []
        given = [*appends, *stale]
        checkpoint = None if stale else checkpoint
        try:
            outcomes = await journal.write(given, checkpoint)
            assert outcomes == [Outcome.DURABLE] * len(appends) + [Outcome.CONFLICT] * len(stale)
            self.memory.keep(appends, checkpoint)
            self.memory.unwritten += stale
            await self._forget(journal)
        except NothingWrittenError:
            self.said["nothing written"] += 1
            self.memory.unwritten += given
            self._make_room()
            if self.chance.random() < 0.7:
                await self._look_again(journal)
        except OutcomeUnknownError:
            self.said["outcome unknown"] += 1
            self.memory.doubtful = {append.stream: append for append in appends}
            self.memory.doubtful_checkpoint = checkpoint
            self.memory.unwritten += stale
            await self._look_again(journal)
        else:
            self.said["durable"] += 1
        if self.chance.random() < 0.1:
            await self.cut()

    async def _forget(self, journal: sqlite.SqliteJournal) -> None:
        if self.chance.random() < 0.1:
            self.memory.forgotten = self._issued - 10
            try:
                await journal.forget(self.memory.forgotten)
            except JournalError:
                self.said["cannot forget"] += 1
                await self._look_again(journal)

    async def _look_again(self, journal: sqlite.SqliteJournal) -> None:
        """Start again, and compare the journal with its answers."""
        for _ in range(REOPENED_MAX):
            self._make_room()
            if self.disk.down:
                return None
            try:
                await journal.reopen()
            except JournalError:
                self.said["cannot be reopened"] += 1
            else:
                return await self._look(journal)
        raise AssertionError("the journal cannot be reopened any more")

    async def _look(self, journal: sqlite.SqliteJournal) -> None:
        """Compare the journal with its answers, as soon as it can be read."""
        for _ in range(REOPENED_MAX):
            if self.disk.down:
                return None
            try:
                return await self.memory.hold(journal, settle=True)
            except JournalError:
                self.said["cannot be read"] += 1
        raise AssertionError("the journal cannot be read any more")

    def _make_room(self) -> None:
        if self.disk.room is not None and self.chance.random() < 0.7:
            self.disk.room += 100_000

    async def cut(self) -> None:
        """Cut the power, several times over, and compare what is left with the answers."""
        losses = (Loss.EVERYTHING, Loss.SOME, Loss.SOME, Loss.NOTHING)
        for loss in losses:
            image = self.directory / "image"
            self.disk.image(image, loss, self.chance.randrange(10**6))
            self.images += 1
            await self._find(image)

    async def _find(self, image: Path) -> None:
        # On a disk of its own: this layer syncs nothing for real, and is much faster.
        with Disk(image) as plain:
            journal = await sqlite.SqliteJournal.open(image / FILE, vfs=plain.name)
            try:
                await self.memory.hold(journal)
                connection = apsw.Connection(str(image / FILE), vfs=plain.name)
                assert connection.execute("PRAGMA integrity_check").get == "ok"
                connection.close()
            finally:
                await journal.close()

    # --- batches -----------------------------------------------------------------------------

    def _made(self) -> tuple[list[Append], Checkpoint | None]:
        streams = self.chance.sample(STREAMS, self.chance.randint(1, len(STREAMS)))
        appends = [self._append(stream) for stream in streams]
        number = len(self.memory.checkpoints) + 1
        return appends, checkpoint_of(number) if self.chance.random() < 0.2 else None

    def _append(self, stream: str) -> Append:
        head = self.memory.head(stream)
        sizes = [self.chance.choice((40, 200, 3000)) for _ in range(self.chance.randint(1, 4))]
        commands = [self._command(stream, head) for _ in range(self.chance.randint(1, 3))]
        version = head.version + len(sizes)
        snapshot = None
        if self.chance.random() < 0.2:
            snapshot = snapshot_of(stream, version, self.chance.randbytes(6_000))
        data = [self.chance.randbytes(size) for size in sizes]
        return adding(stream, *data, after=head, commands=commands, snapshot=snapshot)

    def _command(self, stream: str, head: Head) -> IdempotencyRecord:
        self._number += 1
        self._issued += 1
        id_ = f"order-{self._number}"
        return answered(stream, id_, issued=self._issued, version=head.version + 1)

    def _stale(self) -> list[Append]:
        """Make a part of a second writer: it follows on an old head."""
        for stream, appends in self.memory.durable.items():
            if stream not in self.memory.doubtful:
                commands = [self._command(stream, appends[0].after)]
                return [adding(stream, b"stale", after=appends[0].after, commands=commands)]
        return []


@dataclass
class Report:
    """The outcome of many cases."""

    cases: int = 0
    images: int = 0
    missed: int = 0
    struck: Counter[tuple[Trouble, Act, Kind]] = field(default_factory=Counter)
    said: Counter[str] = field(default_factory=Counter)

    def add(self, case: Case) -> None:
        """Add a case that found nothing."""
        self.cases += 1
        self.images += case.images
        self.said += case.said
        failed = case.said["nothing written"] or case.said["outcome unknown"]
        full = case.trouble is Trouble.FULL and failed
        self.missed += not case.disk.struck and not full
        for step in case.disk.struck:
            self.struck[case.trouble, step.act, step.file] += 1

    def join(self, other: "Report") -> None:
        """Add the cases of another report."""
        self.cases += other.cases
        self.images += other.images
        self.missed += other.missed
        self.struck += other.struck
        self.said += other.said


def campaign(seeds: Iterable[int], directory: Path) -> Report:
    """Play a case for each seed; a finding has its seed in a note."""
    report = Report()
    for seed in seeds:
        with Case(seed, directory / str(seed)) as case:
            try:
                case.play()
            except Exception as error:
                error.add_note(f"seed {seed}: {case.trouble}, struck {case.disk.struck}")
                raise
        report.add(case)
        shutil.rmtree(directory / str(seed))
    return report

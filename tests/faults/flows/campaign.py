"""A venue on a disk that fails at one step of a flow: it is struck, mended or cut off, and goes on.

A case is a flow, a trouble, a step and a seed. Every answer to people must agree with the journal
afterwards; unanswered commands are sent again, with the same id, and are answered then. The books
balance, the chain holds, and the auditor agrees with every decision.
"""

import asyncio
import copy
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from taisai.runtime import runtime as venues
from taisai.runtime import writer
from taisai.runtime.journal import group_commit as committing
from taisai.runtime.journal import sqlite, watch
from taisai.runtime.journal.contract import Journal, JournalError
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.publisher import Announcement
from taisai.runtime.recovery import StartupError
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import table_of
from tests.faults.disk import Act, Disk, Kind
from tests.faults.flows.guests import FILE, PEOPLE, Begun, Guests, copy_of
from tests.faults.flows.playing import Dice, Flow, Press
from tests.faults.flows.troubles import Counted, FloorDisk, Plan, Trouble
from tests.faults.killing.checking import check, check_interruptions
from tests.faults.killing.crowd import Memory, PromiseBrokenError
from tests.faults.killing.reading import read_stream
from tests.faults.platter import Loss
from tests.kit.news import News, news_of

#: A log of a few pages is copied back several times in a flow.
SMALL_LOG: dict[str, Any] = {"WAL_PAGES": 40, "WAL_PAGES_LEFT": 10, "WAL_PAGES_MAX": 80}
#: Far more often than a venue does these, so that every flow has some of each.
CHECKPOINT_EVERY = 25
SNAPSHOT_EVERY = 30
#: The same waits as a venue's, hundreds of times shorter.
READ_BACK_SECONDS = 0.0002
RETRY_SECONDS = 0.005
#: Longer than any case takes, unless it waits for something that never comes.
TIMEOUT_SECONDS = 60.0
#: The most tries a venue needs to go on.
RECOVERIES_MAX = 5
#: Long enough that events before and after it are never in the same millisecond.
MOMENT_SECONDS = 0.002
#: The share of recoveries with a second fault.
TWICE = 0.5
#: About as many steps, and as many reads, as a venue takes to come back.
STEPS_BACK = 60
READS_BACK = 400
FLOWS = ("press", "dice")
#: The announcements when a stream is shut: while it is open, or from the start.
SHUT = ("suspended", "broken")


def _flow(begun: Begun, name: str) -> Flow:
    return Press.made(begun.vouchers) if name == "press" else Dice()


@contextmanager
def quickened() -> Iterator[None]:
    """Make a venue copy its log back, sign and take snapshots often, with short waits."""
    with ExitStack() as stack:
        stack.enter_context(patch.multiple(sqlite, **SMALL_LOG))
        stack.enter_context(patch.object(committing, "CHECKPOINT_EVERY", CHECKPOINT_EVERY))
        stack.enter_context(patch.object(committing, "READ_BACK_SECONDS", READ_BACK_SECONDS))
        stack.enter_context(patch.object(venues, "RETRY_SECONDS", RETRY_SECONDS))
        # Suspended tables are resumed by people, at moments that are recorded.
        stack.enter_context(patch.object(watch, "RESUME_SECONDS", TIMEOUT_SECONDS))
        stack.enter_context(patch.object(writer, "SNAPSHOT_EVERY", SNAPSHOT_EVERY))
        yield


Sabotage = Callable[[Journal], Journal]


def sound(journal: Journal) -> Journal:
    """Give the journal unchanged."""
    return journal


class Case:
    """One plan, played to its end in a directory of its own."""

    def __init__(
        self,
        begun: Begun,
        plan: Plan,
        directory: Path,
        losses: Sequence[Loss] = (),
        sabotage: Sabotage = sound,
    ) -> None:
        self.begun = begun
        self.plan = plan
        self.directory = directory
        self.chance = Random(f"{plan}")
        self.losses = losses or (self.chance.choice([*Loss]),)
        self.disk = FloorDisk(directory / "disk", plan.seed)
        #: What the flow asked of the disk, as far as it came.
        self.counted = Counted([], 0)
        #: The venue's reports, and how often each was made.
        self.said: Counter[str] = Counter()
        self.images = 0
        self._sabotage = sabotage
        self._resumed: dict[str, list[int]] = {}

    def play(self) -> None:
        """Play it, and check every answer."""
        self.begun.lay(self.disk.directory)
        try:
            with quickened(), self.disk:
                asyncio.run(self._play())
        except Exception as error:
            error.add_note(f"{self.plan}, struck {self.disk.struck}, {dict(self.said)}")
            raise
        finally:
            shutil.rmtree(self.directory)

    async def _play(self) -> None:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            memory, flow = copy_of(self.begun.memory), _flow(self.begun, self.plan.flow)
            if self.plan.trouble is not None:
                self.disk.befall(self.plan.trouble, self.plan.nth, self.chance)
            venue = await self._live(self.disk, memory, flow)
            self.counted = self.disk.counted
            if not self.disk.down:
                await self._go_on(self.disk, venue, memory, flow)
                return
            if venue is not None:
                await venue.stop()
            for loss in self.losses:
                await self._start_again(loss, copy_of(memory), copy.deepcopy(flow))

    # --- the venue on the failing disk -------------------------------------------------------

    async def _live(self, disk: FloorDisk, memory: Memory, flow: Flow) -> Runtime | None:
        """Open the venue and play as far as that goes; without a venue give None."""
        venue = await self._opened(disk, memory)
        if venue is not None:
            guests, news = Guests(venue, memory), news_of(venue)
            await flow.play(guests)
            self._see_suspended(guests, news)
            news.close()
            await self._meet_trouble_again(disk, venue)
        return venue

    async def _opened(self, disk: Disk, memory: Memory) -> Runtime | None:
        """Open the venue, if the disk lets it."""
        memory.born.append(await moment())
        async with AsyncExitStack() as stack:
            try:
                journal = await SqliteJournal.open(disk.directory / FILE, vfs=disk.name)
                stack.push_async_callback(journal.close)
                venue = await Runtime.open(self._sabotage(journal), self.begun.keys)
            except (JournalError, StartupError):
                self.said["cannot be opened"] += 1
                return None
            stack.pop_all()
            return venue

    def _see_suspended(self, guests: Guests, news: News) -> None:
        """Check that a suspension is reported, both in answers and in announcements."""
        venue = guests.venue
        shut, tables = venue.suspended(), venue.tables()
        # Suspensions before anybody could listen are among the notices.
        told = [*news.queue, *venue.announcements]
        notices = [each for each in told if isinstance(each, Announcement)]
        heard = {each.stream for each in notices if each.code in SHUT}
        silent = {*shut} - heard
        silent |= {stream for code, stream in guests.put_off if code == "TABLE_SUSPENDED"} - heard
        if silent:
            raise PromiseBrokenError(f"{silent} was suspended, and nobody was told")
        self.said.update(code for code, _ in guests.put_off)
        self.said["suspended"] += bool(shut)
        self.said["others went on"] += bool(shut) and any(table not in shut for table in tables)

    async def _meet_trouble_again(self, disk: FloorDisk, venue: Runtime) -> None:
        """Resume too early: trouble that lasts, or new trouble, is reported and does no harm."""
        shut = [*venue.suspended()]
        if shut and not disk.down:
            self._befall_again(disk)
            await self._resume(venue, shut[0])
            self.said["resumed too early"] += shut[0] in venue.suspended()

    def _befall_again(self, disk: FloorDisk) -> None:
        if self.chance.random() < TWICE:
            disk.fail(self.chance.randint(1, STEPS_BACK))
        elif self.chance.random() < TWICE:
            disk.fail(self.chance.randint(1, READS_BACK), act=Act.READ)

    async def _resume(self, venue: Runtime, stream: str) -> str | None:
        self._resumed.setdefault(stream, []).append(await moment())
        return await venue.resume(stream)

    # --- afterwards --------------------------------------------------------------------------

    async def _start_again(self, loss: Loss, memory: Memory, flow: Flow) -> None:
        """Open the venue on what a power cut left, sometimes with one more fault meanwhile."""
        image = self.directory / "image"
        self.disk.image(image, loss, self.plan.seed)
        self.images += 1
        with FloorDisk(image, self.plan.seed) as disk:
            self._befall_again(disk)
            venue = await self._live(disk, memory, flow)
            await self._go_on(disk, venue, memory, flow)

    async def _go_on(
        self, disk: FloorDisk, venue: Runtime | None, memory: Memory, flow: Flow
    ) -> None:
        """Continue on a sound disk until the flow is over; then check everything."""
        disk.mend()
        venue = venue or await self._opened(disk, memory)
        if venue is None:
            raise PromiseBrokenError("a venue on a sound disk cannot be opened")
        guests = Guests(venue, memory)
        for _ in range(RECOVERIES_MAX):
            await self._recover(guests, flow)
            if not venue.suspended() and flow.over(guests) and not guests.on_their_way():
                break
            # Commands of devices and the carrier that were put off are retried by the runtime.
            await asyncio.sleep(4 * RETRY_SECONDS)
        else:
            raise PromiseBrokenError(f"the venue does not go on: {guests.standing()}")
        await guests.ask_everything_once_more()
        await self._check_cut(disk, memory)
        await venue.stop()
        await self._check(disk, memory)

    async def _recover(self, guests: Guests, flow: Flow) -> None:
        """Resume suspended streams while people press, and check that this suspends no other."""
        venue = guests.venue
        shut = [*venue.suspended()]
        # Until the journal is reopened, a write may still meet the old trouble.
        await self._resume_soundly(guests, flow, shut[:1])
        others = {stream for stream in venue.suspended() if stream not in shut}
        await self._resume_soundly(guests, flow, shut[1:])
        await flow.play(guests)
        new = {each: why for each, why in venue.suspended().items() if each not in others}
        if shut and new:
            raise PromiseBrokenError(f"suspended while others were resumed: {new}")

    async def _resume_soundly(self, guests: Guests, flow: Flow, streams: Sequence[str]) -> None:
        for stream in streams:
            resuming = asyncio.ensure_future(self._resume(guests.venue, stream))
            while not resuming.done():
                await flow.play(guests)
                await asyncio.sleep(0)
            why = await resuming
            if why is not None:
                raise PromiseBrokenError(f"{stream} cannot be resumed on a sound disk: {why}")
            self.said["resumed"] += 1

    # --- checking ----------------------------------------------------------------------------

    async def _check_cut(self, disk: Disk, memory: Memory) -> None:
        """Cut the power now, when every command is answered, and check what is left."""
        image = self.directory / "cut"
        disk.image(image, self.chance.choice((Loss.EVERYTHING, Loss.SOME)), self.plan.seed)
        self.images += 1
        with Disk(image) as plain:
            await self._check(plain, memory)

    async def _check(self, disk: Disk, memory: Memory) -> None:
        journal = await SqliteJournal.open(disk.directory / FILE, vfs=disk.name)
        try:
            await check(journal, self.begun.keys, memory, at_rest=True, roles=PEOPLE)
            for stream, moments in self._resumed.items():
                if table_of(stream) is not None:
                    read = await read_stream(journal, self.begun.keys, stream)
                    check_interruptions(stream, read.decisions, sorted([*memory.born, *moments]))
        finally:
            await journal.close()


async def moment() -> int:
    """Give a time that is later than everything before, and earlier than everything after."""
    await asyncio.sleep(MOMENT_SECONDS)
    now = time.time_ns() // 1_000_000
    await asyncio.sleep(MOMENT_SECONDS)
    return now


# --- many cases --------------------------------------------------------------------------------


@dataclass
class Report:
    """The outcome of many cases."""

    cases: int = 0
    images: int = 0
    missed: int = 0
    struck: Counter[tuple[str, Trouble, Act, Kind]] = field(default_factory=Counter)
    said: Counter[str] = field(default_factory=Counter)

    def add(self, case: Case) -> None:
        """Add a case that found nothing."""
        self.cases += 1
        self.images += case.images
        self.said += case.said
        self.missed += not case.disk.struck
        flow, trouble, _, _ = case.plan
        if trouble is not None:
            for step in case.disk.struck:
                self.struck[flow, trouble, step.act, step.file] += 1

    def join(self, other: "Report") -> None:
        """Add the cases of another report."""
        self.cases += other.cases
        self.images += other.images
        self.missed += other.missed
        self.struck += other.struck
        self.said += other.said


def count(begun: Begun, flow: str, directory: Path) -> Counted:
    """Play a flow on a sound disk, and count what it asks of it."""
    case = Case(begun, Plan(flow), directory / "count")
    case.play()
    assert not case.said["suspended"], "nothing is wrong with this disk"
    return case.counted


def campaign(
    begun: Begun,
    plans: Iterable[Plan],
    directory: Path,
    losses: Sequence[Loss] = (),
    sabotage: Sabotage = sound,
) -> Report:
    """Play all plans; a finding has its plan in a note."""
    report = Report()
    for plan in plans:
        case = Case(begun, plan, directory / "case", losses, sabotage)
        case.play()
        report.add(case)
    return report

"""Cuts the power of a venue under load, again and again, each time on what the disk had kept.

The people of the killing campaign play against a venue in this process. The disk is simulated:
unsynced data is kept, lost or torn by a cut. Afterwards the journal is compared with the answers to
people, and verified with its anchor; then the venue starts on it.
"""

import asyncio
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

from taisai.core.cage.vouchers import SellVoucher
from taisai.core.errors import SentenceError
from taisai.core.kernel.messages import Order
from taisai.runtime.answers import AGAIN, Registered
from taisai.runtime.journal.anchor import ANCHOR_FILE, Anchor
from taisai.runtime.journal.contract import Journal
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.runtime import Runtime
from taisai.runtime.verification.verifier import Asked as Verified
from taisai.runtime.verification.verifier import verify
from tests.faults.cutting.machine import Machine
from tests.faults.disk import Act, Kind, Step
from tests.faults.flows.campaign import Sabotage, moment, quickened, sound
from tests.faults.killing.checking import NOTHING_CHECKED, Checked, check
from tests.faults.killing.crowd import NOTHING_ASKED, Crowd, PromiseBrokenError, Tally
from tests.faults.killing.lines import Asked, Told
from tests.faults.killing.places import Board
from tests.faults.killing.staff import TABLES, Staff
from tests.faults.platter import Fate, Loss
from tests.kit.floor import keys, until

FILE = "journal"
FOUNDING, STARTING, PLAYING, STOPPING = "being founded", "starting", "at play", "stopping"
#: The most answers a venue gives before the power is cut at play.
ANSWERS_FIRST = 60
#: The most steps of a kind before a cut, by the time it is aimed at.
STEPS_MAX = {FOUNDING: 250, STARTING: 20, PLAYING: 25, STOPPING: 60}
#: The first cuts strike while the venue is being founded.
FOUNDING_CUTS = 2
#: Kinds of steps that are aimed at under load; None is any step.
KINDS: tuple[Step | None, ...] = (
    Step(Act.WRITE, Kind.WAL),
    Step(Act.SYNC, Kind.WAL),
    Step(Act.WRITE, Kind.DATABASE),
    Step(Act.SYNC, Kind.DATABASE),
    Step(Act.WRITE, Kind.ANCHOR),
    Step(Act.SYNC, Kind.ANCHOR),
    Step(Act.RENAME, Kind.ANCHOR),
    None,
)
#: What a cut takes of the unsynced data, in turn.
LOSSES = (Loss.SOME, Loss.EVERYTHING, Loss.SOME, Loss.NOTHING, Loss.SOME)


class Aim(NamedTuple):
    """The time of a power cut, and the kind of step it is aimed at."""

    when: str
    step: Step | None = None


#: All of them in random order, then again.
AIMS = (
    *(Aim(PLAYING, kind) for kind in KINDS),
    *(Aim(when) for when in (STARTING, STARTING, STOPPING, PLAYING)),
)


@dataclass
class Report:
    """The outcome of a run."""

    cuts: Counter[tuple[str, Step]] = field(default_factory=Counter)
    losses: Counter[Loss] = field(default_factory=Counter)
    #: What became of writes that were not synced when the power went.
    fates: Counter[Fate] = field(default_factory=Counter)
    #: How many checkpoints the anchor was behind the journal after a cut.
    behind: Counter[int] = field(default_factory=Counter)
    #: Stops in order, without a cut.
    stops: int = 0
    #: The counts of the check after the last cut.
    checked: Checked = NOTHING_CHECKED
    tally: Tally = NOTHING_ASKED

    def join(self, other: "Report") -> None:
        """Add the outcome of another run."""
        self.cuts += other.cuts
        self.losses += other.losses
        self.fates += other.fates
        self.behind += other.behind
        self.stops += other.stops
        self.checked = Checked(*map(sum, zip(self.checked, other.checked, strict=True)))
        self.tally = Tally(*map(sum, zip(self.tally, other.tally, strict=True)))


class Run:
    """One venue, whose power is cut until enough cuts have struck."""

    def __init__(
        self,
        directory: Path,
        seed: int,
        aims: Sequence[Aim] = AIMS,
        sabotage: Sabotage = sound,
    ) -> None:
        self.report = Report()
        self.crowd = Crowd(seed)
        self._directory = directory
        self._sabotage = sabotage
        self._chance = Random(f"cuts {seed}")
        self._keys = keys()
        self._when = STARTING
        self._all_aims = aims
        self._aims: list[Aim] = []
        self._answering: set[asyncio.Task[None]] = set()
        self._findings: list[BaseException] = []
        #: Called after each cut.
        self.told: Callable[[], None] = lambda: None

    async def cut(self, cuts: int) -> Report:
        """Cut the power this many times, check after each; let it stop in order at the end."""
        place = self._directory / "life-0"
        place.mkdir(parents=True)
        with quickened():
            while self.report.cuts.total() < cuts:
                place = await self._live(place, self._aim())
            await self._live(place, None)
        self.report.tally = self.crowd.memory.tally()
        return self.report

    def _aim(self) -> Aim:
        if self.report.cuts.total() < FOUNDING_CUTS:
            return Aim(FOUNDING)
        if not self._aims:
            self._aims = [*self._all_aims]
            self._chance.shuffle(self._aims)
        return self._aims.pop()

    # --- a life ------------------------------------------------------------------------------

    async def _live(self, place: Path, aim: Aim | None) -> Path:
        """Let the venue live until a cut, or a stop in order; gives the next one's directory."""
        seed = self._chance.getrandbits(32)
        with Machine(place, seed) as disk, disk.followed():
            await self._play(disk, aim)
            if disk.down:
                assert len(disk.struck) == 1, disk.struck
                self.report.cuts[self._when, disk.struck[0]] += 1
            else:
                self.report.stops += 1
            loss = self._chance.choice(LOSSES)
            self.report.losses[loss] += disk.down
            await self._look(disk, loss, seed, at_rest=aim is None)
            following = place.with_name(f"life-{int(place.name[5:]) + 1}")
            disk.image(following, loss, seed)
            self.report.fates += disk.platter.fates
        shutil.rmtree(place)
        if disk.down:
            self.told()
        return following

    async def _play(self, disk: Machine, aim: Aim | None) -> None:
        self._when = FOUNDING if not self.crowd.memory.requests else STARTING
        if aim is not None and aim.when in {FOUNDING, STARTING}:
            self._arm(disk, aim)
        async with AsyncExitStack() as ending:
            try:
                venue = await self._open(disk, ending)
                await self._play_at(disk, venue, aim, ending)
            except (SentenceError, AssertionError) as error:
                # Errors after the power went reach nobody.
                if not disk.down or isinstance(error, PromiseBrokenError):
                    raise
        if self._findings:
            raise self._findings[0]

    def _arm(self, disk: Machine, aim: Aim) -> None:
        act, file = (None, None) if aim.step is None else aim.step
        most = STEPS_MAX[aim.when]
        if file is Kind.ANCHOR or act is Act.SYNC:
            most = 6
        disk.cut_at(self._chance.randint(1, most), act, file)

    async def _open(self, disk: Machine, ending: AsyncExitStack) -> Runtime:
        self.crowd.memory.born.append(await moment())
        journal = await SqliteJournal.open(disk.directory / FILE, vfs=disk.name)
        ending.push_async_callback(journal.close)
        held: Journal = self._sabotage(journal)
        venue = await Runtime.open(held, self._keys, anchor=disk.directory)
        venue.transfers.printed = lambda _, __, order: self._print(venue, order)
        ending.push_async_callback(venue.stop)
        return venue

    async def _play_at(
        self, disk: Machine, venue: Runtime, aim: Aim | None, ending: AsyncExitStack
    ) -> None:
        board = Board.open(self._directory / "board")
        staff = Staff(venue, board, self._chance.getrandbits(32))
        await staff.set_up()
        self._when = PLAYING
        dealing = [asyncio.ensure_future(staff.deal(table)) for table in TABLES]
        ending.push_async_callback(_ended, dealing, disk)
        ending.callback(self.crowd.end)
        self.crowd.begin(
            lambda asked: self._ask(venue, asked), self._chance.randint(0, ANSWERS_FIRST)
        )
        await until(lambda: disk.down or self.crowd.well_under_way.is_set())
        if aim is not None and aim.when == PLAYING:
            self._arm(disk, aim)
        if aim is not None and aim.when != STOPPING:
            await until(lambda: disk.down)
        else:
            await self._stop(disk, aim)

    async def _stop(self, disk: Machine, aim: Aim | None) -> None:
        """Send nothing more and let the venue stop, which may be cut short too."""
        self.crowd.end()
        await until(lambda: disk.down or not self.crowd.memory.on_their_way)
        self._when = STOPPING
        if aim is not None:
            self._arm(disk, aim)

    # --- the people outside ------------------------------------------------------------------

    def _ask(self, venue: Runtime, asked: Asked) -> None:
        task = asyncio.ensure_future(self._answer(venue, asked))
        self._answering.add(task)
        task.add_done_callback(self._answered)

    def _answered(self, task: "asyncio.Task[None]") -> None:
        self._answering.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._findings.append(error)

    async def _answer(self, venue: Runtime, asked: Asked) -> None:
        order = asked.order
        answer = await venue.submit(asked.stream, order)
        if isinstance(answer, Registered):
            sold = isinstance(order.command, SellVoucher)
            number = venue.cage.number_for(order) if sold else None
            told = Told(asked.number, answer.first, answer.last, answer.at)
            if number is not None:
                self.crowd.hold(number)
        elif answer.code in AGAIN:
            return
        else:
            told = Told(asked.number, refused=answer.code)
        self.crowd.receive(told)

    def _print(self, venue: Runtime, order: Order) -> None:
        number = venue.cage.number_for(order)
        if number is not None:
            self.crowd.hold(number)

    # --- checking ----------------------------------------------------------------------------

    async def _look(self, disk: Machine, loss: Loss, seed: int, *, at_rest: bool) -> None:
        """Compare what the cut leaves with the answers, and verify it with its anchor."""
        image = self._directory / "looked-at"
        disk.image(image, loss, seed)
        with Machine(image) as plain:
            journal = await SqliteJournal.open(image / FILE, vfs=plain.name)
            try:
                memory = self.crowd.memory
                self.report.checked = await check(journal, self._keys, memory, at_rest=at_rest)
                if await journal.heads():
                    await self._verify(journal, image, stopped=not disk.down)
            finally:
                await journal.close()

    async def _verify(self, journal: Journal, image: Path, *, stopped: bool) -> None:
        public, sealing = self._keys.public, self._keys.sealing
        report = await verify(journal, Verified(public, None, None, sealing, image / ANCHOR_FILE))
        if report.faults:
            raise PromiseBrokenError(f"what a cut left does not verify: {report.faults}")
        anchored, newest = Anchor(image, sealing).read(), await journal.checkpoints(newest=1)
        assert anchored is not None, "it was verified with its anchor"
        behind = newest[0].number - anchored.number
        if stopped and (behind or not anchored.stopped):
            raise PromiseBrokenError("a stop in order is not remembered by the anchor")
        self.report.behind[behind] += not stopped


async def _ended(dealing: "Sequence[asyncio.Task[None]]", disk: Machine) -> None:
    """Stop the dealers; one that failed before the power went has found a fault."""
    for task in dealing:
        task.cancel()
    for found in await asyncio.gather(*dealing, return_exceptions=True):
        if isinstance(found, Exception) and not disk.down:
            raise found

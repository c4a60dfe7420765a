"""Kills a venue again and again, and checks every time that it kept its promises.

A kill is aimed at a place or at none, exactly or loosely; where it struck is read off the board
afterwards. A kill of an idle venue does not count, and is repeated.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

from taisai.runtime.clock import Clock
from taisai.runtime.journal.backends import open_journal
from taisai.runtime.keys.directory import create_keys, load_keys
from tests.faults.killing.checking import NOTHING_CHECKED, Checked, check
from tests.faults.killing.crowd import NOTHING_ASKED, Crowd, PromiseBrokenError, Tally
from tests.faults.killing.lines import Printed, Ready, Said, Settings, Told
from tests.faults.killing.lives import ERRORS, TIMEOUT_SECONDS, Life
from tests.faults.killing.places import Place
from tests.faults.killing.stalling import Stall

#: An aim is given up after this time, and the kill strikes wherever the venue is.
AIM_SECONDS = 3.0
#: The most visits of a place before a kill aimed at it.
VISITS_MAX = {
    Place.BEFORE_APPEND: 40,
    Place.INSIDE_COMMIT: 40,
    Place.AFTER_DURABLE: 40,
    Place.SETTLEMENT: 8,
    Place.RECOVERY: 18,
}
#: The first kills strike while the venue is being founded.
FOUNDING_KILLS = 2
FOUNDING_VISITS = 30
#: The most answers a venue gives before a kill is aimed at it.
ANSWERS_FIRST = 200
#: Early enough that a venue always gets there.
SURE_VISITS = 6
#: A broken venue may hang for good: it is killed all the same.
BROKEN_SECONDS = 5.0
#: How much later than at its place a kill strikes that is not held, and one without a place.
LOOSE_SECONDS = 0.004
AIMLESS_SECONDS = 0.3
#: The share of kills held at their place, and of batches made to outlive their venue.
HELD = 0.5
STALLED = 0.5
#: A batch that outlives its venue is held up for at most this long while the next one starts.
STALLED_SECONDS = 0.4


class Strike(NamedTuple):
    """How a venue is to be killed: the place, the visit, and whether it is held there."""

    place: Place | None
    visit: int = 1
    held: bool = False
    after_seconds: float = 0.0
    #: The journal's server goes on with the batch after the venue is dead.
    stalled: bool = False


@dataclass
class Report:
    """The outcome of a run."""

    kills: Counter[Place] = field(default_factory=Counter)
    idle: int = 0
    founding: int = 0
    #: Batches that the server committed after the venue was dead.
    outlived: int = 0
    lives: int = 0
    checks: int = 0
    checked: Checked = NOTHING_CHECKED
    tally: Tally = NOTHING_ASKED


class Run:
    """One venue on one journal, killed until enough kills have counted."""

    def __init__(self, where: str, directory: Path, seed: int, broken: str | None = None) -> None:
        self.report = Report()
        self.crowd = Crowd(seed)
        self._where = where
        self._directory = directory
        self._seed = seed
        self._broken = broken
        self._timeout_seconds = TIMEOUT_SECONDS if broken is None else BROKEN_SECONDS
        self._random = Random(seed)
        #: Never behind the venue's own, also when the machine's clock is set back a little.
        self._clock = Clock()
        self._keys = directory / "keys"
        self._ready = asyncio.Event()
        #: The places to aim at, the next one last; whether the last kill missed its place.
        self._aims: list[Place | None] = []
        self._missed = False
        self._spare: asyncio.Task[Life] | None = None
        self._stall = Stall(where)
        #: Called after each kill, with the number of kills counted.
        self.told: Callable[[int], None] = lambda _: None

    async def kill(self, kills: int, check_every: int = 10) -> Report:
        """Kill this many times, check regularly and at the end, and stop the venue in order."""
        create_keys(self._keys)
        self._spare = self._start()
        try:
            while (counted := self.report.kills.total()) < kills:
                await self._live(self._aim())
                if self.report.kills.total() > counted:
                    self.told(counted + 1)
                    if not (counted + 1) % check_every:
                        await self.check()
            await self._stop()
            await self.check(at_rest=True)
            self._check_quiet()
        finally:
            await self._stall.release()
            await (await self._spare).bury()
        self.report.tally = self.crowd.memory.tally()
        return self.report

    async def check(self, *, at_rest: bool = False) -> None:
        """Check the journal that a dead venue has left."""
        await self._stall.release()
        # Not read-only: so it waits for the dead venue's statements on a server.
        journal = await open_journal(self._where)
        try:
            memory, keys = self.crowd.memory, load_keys(self._keys)
            self.report.checked = await check(journal, keys, memory, at_rest=at_rest)
        finally:
            await journal.close()
        self.report.checks += 1

    def _check_quiet(self) -> None:
        """Check that no venue wrote error output."""
        complaints = (self._directory / ERRORS).read_text(encoding="utf-8")
        if complaints:
            raise PromiseBrokenError(f"a venue complained: {complaints[-4_000:]}")

    # --- aiming ------------------------------------------------------------------------------

    def _aim(self) -> Strike:
        """Aim at every place in turn, and at none; after a miss, once more and held."""
        if self.report.kills.total() < FOUNDING_KILLS:
            visit = self._random.randint(1, FOUNDING_VISITS)
            return Strike(Place.INSIDE_COMMIT, visit, held=True)
        if not self._aims:
            self._aims = [*Place, None]
            self._random.shuffle(self._aims)
        place = self._aims[-1]
        if place is None:
            self._aims.pop()
            return Strike(None, after_seconds=self._random.uniform(0, AIMLESS_SECONDS))
        if self._missed:
            return Strike(place, self._random.randint(1, SURE_VISITS), held=True)
        if place is Place.INSIDE_COMMIT and self._stall.can and self._is_stalled():
            return Strike(place, held=True, stalled=True)
        visit = self._random.randint(1, VISITS_MAX[place])
        if self._random.random() < HELD:
            return Strike(place, visit, held=True)
        return Strike(place, visit, after_seconds=self._random.uniform(0, LOOSE_SECONDS))

    def _is_stalled(self) -> bool:
        return not self.report.outlived or self._random.random() < STALLED

    def _count(self, strike: Strike, struck: Place | None) -> None:
        """Count a kill by the place where it struck."""
        if struck is None:
            self.report.idle += 1
        else:
            self.report.kills[struck] += 1
            self.report.founding += not self._ready.is_set() and struck is not Place.RECOVERY
            self.report.outlived += strike.stalled and struck is strike.place
        self._missed = strike.place is not None and struck is not strike.place
        if self._aims and not self._missed and strike.place is self._aims[-1]:
            self._aims.pop()

    # --- lives -------------------------------------------------------------------------------

    def _start(self) -> asyncio.Task[Life]:
        """Start the next process, which waits."""
        return asyncio.get_running_loop().create_task(Life.start(self._directory))

    async def _begin(self, strike: Strike | None = None) -> Life:
        assert self._spare is not None
        life = await self._spare
        self._spare = self._start()
        self.report.lives += 1
        self._ready.clear()
        self.crowd.memory.born.append(self._clock.now())
        if strike is not None and strike.place is not None:
            life.board.aim(strike.place, strike.visit, hold=strike.held)
        settings = Settings(
            journal=self._where,
            keys=str(self._keys),
            board=str(life.board_path),
            seed=self._random.getrandbits(32),
            broken=self._broken,
        )
        life.begin(settings, self._receive)
        return life

    def _receive(self, said: Said) -> None:
        match said:
            case Ready():
                self._ready.set()
            case Told():
                self.crowd.receive(said)
            case Printed(voucher=voucher):
                self.crowd.hold(voucher)

    async def _live(self, strike: Strike) -> None:
        """Let the venue live until a kill, and count where that struck."""
        founding = self.report.kills.total() < FOUNDING_KILLS
        at_once = founding or strike.place is Place.RECOVERY
        life = await self._begin(strike if at_once else None)
        self._stall.release_soon(self._random.uniform(0, STALLED_SECONDS))
        try:
            if not await life.first_of(self._ready, life.rang):
                raise PromiseBrokenError("the venue did not come up")
            if not life.rang.is_set():
                await self._strike(life, strike)
            elif not strike.held:
                await asyncio.sleep(strike.after_seconds)
            self.crowd.end()
            await life.kill()
        finally:
            self.crowd.end()
            await life.bury()
        self._count(strike, life.board.struck(strike.place))

    async def _strike(self, life: Life, strike: Strike) -> None:
        """Put the venue under load, and wait for the moment to strike."""
        self.crowd.begin(life.ask, self._random.randint(0, ANSWERS_FIRST))
        await life.first_of(self.crowd.well_under_way, life.rang, seconds=self._timeout_seconds)
        if life.rang.is_set():
            # Aimed at while the venue was being founded, and only now there.
            return
        if strike.place is Place.RECOVERY:
            # It had recovered before this visit: strike wherever it is then.
            strike = Strike(None, after_seconds=self._random.uniform(0, AIMLESS_SECONDS))
        if strike.place is not None:
            if strike.stalled:
                await self._stall.hold()
            life.board.aim(strike.place, strike.visit, hold=strike.held)
            await life.first_of(life.rang, seconds=AIM_SECONDS)
        if strike.after_seconds:
            await life.first_of(seconds=strike.after_seconds)

    async def _stop(self) -> None:
        """Let the venue live once more, answer all open commands, and stop in order."""
        life = await self._begin()
        self._stall.release_soon(0)
        try:
            if not await life.first_of(self._ready):
                raise PromiseBrokenError("the venue did not come up")
            self.crowd.begin(life.ask)
            self.crowd.end()
            if not await life.first_of(self.crowd.all_answered):
                raise PromiseBrokenError("a venue that was asked did not answer")
            await life.stop()
        finally:
            self.crowd.end()
            await life.bury()

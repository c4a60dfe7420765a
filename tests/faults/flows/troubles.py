"""The troubles of a venue's disk at a step of a flow, and plans of all that can be tried."""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import NamedTuple, Self, assert_never

from tests.faults.disk import Act, Disk, Kind, Step, _Fault

#: How many bytes of a partial write arrive.
PARTS = (1, 24, 500, 512, 3000, 4095)
#: The most syncs in a row that fail: more than a venue reads back without a pause.
SYNCS_MAX = 9
#: How soon the power is cut after a sync that failed.
CUT_SOON = 40
#: One in this many reads fails, where every step is tried.
READS_APART = 7


class Trouble(StrEnum):
    """A trouble of the disk."""

    FAULT = "the step fails"
    PART = "a write arrives in part"
    SYNCS = "syncs fail in a row"
    FULL = "the disk is full"
    READ_ONLY = "the disk can only be read"
    READ = "a read fails"
    POWER = "the power is cut"
    SYNC_POWER = "a sync fails, and the power is cut soon after"


#: These are counted by something else than steps.
_BY_SYNC = (Trouble.SYNCS, Trouble.SYNC_POWER)


class Plan(NamedTuple):
    """A plan: the flow, the trouble, and the number of its step, sync or read."""

    flow: str
    trouble: Trouble | None = None
    nth: int = 0
    seed: int = 0


class Counted(NamedTuple):
    """What a flow asks of a sound disk."""

    steps: Sequence[Step]
    reads: int


class FloorDisk(Disk):
    """A disk that is full, or read-only, from a step on; it counts reads too."""

    def __init__(self, directory: Path, seed: int = 0) -> None:
        super().__init__(directory, seed)
        self.reads = 0
        self._turns_at: int | None = None
        self._turn: Callable[[], None] = lambda: None

    def __enter__(self) -> Self:
        super().__enter__()
        # These bytes were written long ago, whether or not the file has been opened yet.
        for path in self.directory.iterdir():
            self.platter.adopt(path.name, path.read_bytes())
        return self

    @property
    def counted(self) -> Counted:
        """Give the steps and reads so far."""
        return Counted([*self.steps], self.reads)

    def turn_full(self, nth: int) -> None:
        """Have no space from the nth step on."""
        self._turns_at, self._turn = self.count + nth, lambda: setattr(self, "room", 0)

    def turn_read_only(self, nth: int) -> None:
        """Be read-only from the nth step on."""
        self._turns_at, self._turn = self.count + nth, lambda: setattr(self, "read_only", True)

    def mend(self) -> None:
        """Remove every fault, present and planned."""
        super().mend()
        self._turns_at = None

    def meet(self, act: Act, file: Kind, life: int) -> "_Fault | None":
        """Count a step or a read, and turn bad when it is time."""
        self.reads += act is Act.READ
        if self._turns_at == self.count + 1 and act is not Act.READ:
            self._turns_at = None
            self.struck.append(Step(act, file))
            self._turn()
        return super().meet(act, file, life)

    def befall(self, trouble: Trouble, nth: int, chance: Random) -> None:
        """Be in trouble from the nth step, sync or read on."""
        match trouble:
            case Trouble.FAULT:
                self.fail(nth)
            case Trouble.PART:
                self.fail(nth, written=chance.choice(PARTS))
            case Trouble.SYNCS:
                for further in range(chance.randint(2, SYNCS_MAX)):
                    self.fail(nth + further, act=Act.SYNC)
            case Trouble.FULL:
                self.turn_full(nth)
            case Trouble.READ_ONLY:
                self.turn_read_only(nth)
            case Trouble.READ:
                self.fail(nth, act=Act.READ)
            case Trouble.POWER:
                self.crash(nth)
            case Trouble.SYNC_POWER:
                self.fail(nth, act=Act.SYNC, crash_after=chance.randint(1, CUT_SOON))
                self.fail(nth + 1, act=Act.SYNC)
            case _:
                assert_never(trouble)


# --- plans -------------------------------------------------------------------------------------


def every_step(flow: str, counted: Counted, seed: int = 0) -> Iterator[Plan]:
    """Plan every trouble at every step that it can happen at; of reads, at one in several."""
    for trouble in Trouble:
        yield from (Plan(flow, trouble, nth, seed) for nth in _places(trouble, counted))


def some_steps(flow: str, counted: Counted, chance: Random, each: int) -> Iterator[Plan]:
    """Plan every trouble at some steps: one of each kind that there is, and a few more."""
    for trouble in Trouble:
        places = _places(trouble, counted)
        by_step = trouble is not Trouble.READ and trouble not in _BY_SYNC
        kinds: dict[Step, list[int]] = {}
        for nth in places if by_step else ():
            kinds.setdefault(counted.steps[nth - 1], []).append(nth)
        chosen = {chance.choice(found) for found in kinds.values()}
        chosen |= {chance.choice(places) for _ in range(each)}
        yield from (Plan(flow, trouble, nth, chance.randrange(1_000)) for nth in sorted(chosen))


def _places(trouble: Trouble, counted: Counted) -> Sequence[int]:
    if trouble is Trouble.READ:
        return range(1, counted.reads + 1, READS_APART)
    if trouble in _BY_SYNC:
        return range(1, sum(step.act is Act.SYNC for step in counted.steps) + 1)
    writes = (Trouble.PART, Trouble.FULL)
    return [
        nth
        for nth, step in enumerate(counted.steps, 1)
        if step.act is Act.WRITE or trouble not in writes
    ]

"""The venue's own time: milliseconds since the epoch that never go back, and never jump [D35].

Ids of commands, approvals and vouchers are checked by it. The machine's clock is trusted as far as
it agrees with the time passed since the machine started and, if the journal is a database, with
that server's clock. When it is set back, or jumps ahead, the venue's time goes on at the pace of
the passed time: until the machine's clock has caught up, or two persons accept that it is right.
Until then the time is in doubt, and what depends on dates is put off.
"""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from taisai.core.kernel.messages import Instant
from taisai.wording import told

_MS = 1_000_000
_DAY_MS = 24 * 3600 * 1000
#: A smaller step back is the clock being adjusted, and is not announced.
NOTICED_MS = 1_000
#: The machine's clock may be so far ahead of the passed time, …
AHEAD_MS = 1_000
#: … and a thousandth of that time more: a clock that is corrected little by little runs faster.
_SLEWED = 1_000
#: Two machines' clocks, or one's before and after a start, agree if they are no further apart.
APART_MS = 60_000
#: An accepted jump must be the one that people saw, within this much.
_SAME_JUMP_MS = 60_000
#: A venue that was stopped for so long does not trust the machine's clock alone.
STOPPED_MS = 7 * _DAY_MS
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


#: Gives the time since this machine started, its sleep included.
passed_ns: Callable[[], int] = (
    partial(time.clock_gettime_ns, time.CLOCK_BOOTTIME)
    if hasattr(time, "CLOCK_BOOTTIME")
    else time.monotonic_ns
)


def boot_id() -> str:
    """Give the id of this start of the machine; empty if the system has none."""
    try:
        return _BOOT_ID.read_text().strip()
    except OSError:
        return ""


class Agreed(NamedTuple):
    """The venue's time, and the passed time at that moment, in which start of the machine."""

    boot: str
    at: Instant
    passed: int


class Doubt(NamedTuple):
    """How far the machine's clock is ahead of the venue's time, and the database's of that."""

    ahead_ms: int
    database_ms: int

    @property
    def sentence(self) -> str:
        """Say which clocks do not agree."""
        ahead, database = told("CLOCK_AHEAD", ms=self.ahead_ms), abs(self.database_ms)
        if not self.database_ms:
            return ahead
        code = "CLOCK_DATABASE_AHEAD" if self.database_ms > 0 else "CLOCK_DATABASE_BEHIND"
        other = told(code, ms=database)
        return told("CLOCK_BOTH", one=ahead, other=other) if self.ahead_ms else other


class Clock:
    """Gives the time of a venue; `begin` checks the machine's clock against what is known."""

    def __init__(
        self,
        wall: Callable[[], int] = time.time_ns,
        steady: Callable[[], int] = passed_ns,
        boot: str | None = None,
    ) -> None:
        self._wall = wall
        self._steady = steady
        #: Read first, because on some systems the time with its sleep is a call to the kernel.
        self._tick = time.monotonic_ns if steady is passed_ns else steady
        self._told_in = -1
        self._boot = boot_id() if boot is None else boot
        self._told = wall() // _MS
        self._told_at = steady() // _MS
        #: When both last agreed: the machine's clock, and the time passed by then.
        self._agreed = (self._told, self._told_at)
        #: How far the database's clock was ahead of the machine's when that was accepted.
        self._database_agreed = 0
        self._database_ms = 0
        #: The furthest that the machine's clock has been found behind the venue's own.
        self.behind_ms = 0
        #: How far the machine's clock has jumped ahead of the time that has passed; 0: it has not.
        self.ahead_ms = 0

    def begin(
        self, newest: Instant, remembered: Agreed | None = None, database: Instant | None = None
    ) -> None:
        """Go on from where a venue was: `newest` is the newest time in its journal.

        The machine's clock is trusted if it agrees with what is remembered from the same start of
        the machine, and with the database; with neither, for a week after the newest event.
        """
        wall, steady = self._wall() // _MS, self._steady() // _MS
        believed, unknown = wall, database is None
        if remembered is not None and remembered.boot == self._boot != "":
            passed = steady - remembered.passed
            unknown = False
            if wall > remembered.at + passed + APART_MS + passed // _SLEWED:
                believed = remembered.at + passed
        if unknown and newest and wall > newest + STOPPED_MS:
            believed = newest
        if database is not None and wall > database + APART_MS:
            believed = min(believed, database)
        self._agreed = (believed, steady)
        self._told, self._told_at = max(believed, newest), steady
        self.ahead_ms = wall - believed
        if database is not None:
            self.compare(database, wall)

    def not_before(self, at: Instant) -> None:
        """Go on from the time of a journal, which may be ahead of a clock that was set back."""
        # From now on: the time passed since the clock was last read is not added to it.
        self._told = max(self.now(), at)

    def now(self) -> Instant:
        """Give the time."""
        tick = self._tick() // _MS
        if tick == self._told_in:
            # Called for every bet: within a millisecond the answer is the same.
            return self._told
        self._told_in = tick
        steady = self._steady() // _MS
        wall = self._wall() // _MS
        gone_on = self._told + steady - self._told_at
        then, passed = self._agreed
        ahead = wall - then - (steady - passed)
        if ahead > AHEAD_MS + (steady - passed) // _SLEWED:
            self.ahead_ms = ahead
            wall = gone_on
        else:
            self.ahead_ms = 0
        if wall < gone_on - NOTICED_MS:
            self.behind_ms = max(self.behind_ms, gone_on - wall)
        self._told = max(wall, gone_on)
        self._told_at = steady
        return self._told

    def compare(self, database: Instant, asked: Instant | None = None) -> None:
        """Compare the machine's clock with a database's, which answered between `asked` and now."""
        wall = self._wall() // _MS
        latest = database - (wall if asked is None else min(asked, wall)) - self._database_agreed
        earliest = database - wall - self._database_agreed
        apart = earliest > APART_MS or latest < -APART_MS
        self._database_ms = (earliest if earliest > 0 else latest) if apart else 0

    def wall(self) -> Instant:
        """Give the machine's clock, trusted or not."""
        return self._wall() // _MS

    def doubt(self) -> Doubt | None:
        """Say which clocks do not agree; `None` if the time is certain."""
        self.now()
        if not (self.ahead_ms or self._database_ms):
            return None
        return Doubt(self.ahead_ms, self._database_ms)

    def others(self) -> tuple[Instant, ...]:
        """Give the other possible times, while the time is in doubt."""
        doubt = self.doubt()
        if doubt is None:
            return ()
        machine = self._told + doubt.ahead_ms
        database = machine + doubt.database_ms
        return tuple({machine, database} - {self._told})

    def accept(self, ahead_ms: int, database_ms: int = 0) -> bool:
        """Trust the machine's clock again, if the doubt is still as it was accepted."""
        doubt = self.doubt()
        if doubt is None or any(
            abs(now - then) > _SAME_JUMP_MS
            for now, then in zip(doubt, (ahead_ms, database_ms), strict=True)
        ):
            return False
        self._agreed = (self._wall() // _MS, self._steady() // _MS)
        self._database_agreed += doubt.database_ms
        self.ahead_ms = self._database_ms = 0
        return True

    def agreed(self) -> Agreed | None:
        """Give the clock and the passed time to be remembered; `None` while in doubt."""
        if self.doubt() is not None:
            return None
        return Agreed(self._boot, self._told, self._told_at)

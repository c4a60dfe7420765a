"""The venue's own time: milliseconds since the epoch that never go back, and never jump [D35].

Ids of commands, approvals and vouchers are judged by it. The machine's clock is believed as far as
the time that has passed since the machine started agrees with it. When it is set back, or jumps
ahead, the venue's goes on at the pace of the time that passes: until the machine's has caught up,
or until two persons accept that it is right.
"""

import time
from collections.abc import Callable
from functools import partial

from taisai.core.kernel.messages import Instant

_MS = 1_000_000
#: A step back smaller than this is the clock being trimmed, and nothing to tell anyone.
NOTICED_MS = 1_000
#: So far ahead of the time that has passed may the machine's clock be, …
AHEAD_MS = 1_000
#: … and a thousandth of that time besides: a clock that is put right little by little runs faster.
_SLEWED = 1_000
#: What is accepted is the jump that people saw, and not another.
_SAME_JUMP_MS = 60_000


#: Gives the time since this machine started, its sleep included.
passed_ns: Callable[[], int] = (
    partial(time.clock_gettime_ns, time.CLOCK_BOOTTIME)
    if hasattr(time, "CLOCK_BOOTTIME")
    else time.monotonic_ns
)


class Clock:
    """Gives the time of a venue; `not_before` is the newest time that its journal knows."""

    def __init__(
        self, wall: Callable[[], int] = time.time_ns, steady: Callable[[], int] = passed_ns
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._told = wall() // _MS
        self._told_at = steady() // _MS
        #: When both agreed last: what the machine's clock said, and what had passed by then.
        self._agreed = (self._told, self._told_at)
        #: The furthest that the machine's clock has been found behind the venue's own.
        self.behind_ms = 0
        #: How far the machine's clock has jumped ahead of the time that has passed; 0: it has not.
        self.ahead_ms = 0

    def not_before(self, at: Instant) -> None:
        """Take up the time of a journal, which may be ahead of a clock that was set back."""
        self._told = max(self._told, at)

    def now(self) -> Instant:
        """Give the time."""
        steady = self._steady() // _MS
        if steady == self._told_at:
            # Asked for every bet: within a millisecond the answer is the same.
            return self._told
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

    def accept(self, ahead_ms: int) -> bool:
        """Believe the machine's clock again, if it is as far ahead as was accepted."""
        self.now()
        if not self.ahead_ms or abs(self.ahead_ms - ahead_ms) > _SAME_JUMP_MS:
            return False
        self._agreed = (self._wall() // _MS, self._steady() // _MS)
        self.ahead_ms = 0
        return True

"""The venue's own time: milliseconds since the epoch that never go back.

Ids of commands, approvals and vouchers are judged by it. When the machine's clock is set back, the
venue's goes on at the pace of the monotonic one until the machine's has caught up.
"""

import time
from collections.abc import Callable

from taisai.core.kernel.messages import Instant

_MS = 1_000_000
#: A step back smaller than this is the clock being trimmed, and nothing to tell anyone.
NOTICED_MS = 1_000


class Clock:
    """Gives the time of a venue; `not_before` is the newest time that its journal knows."""

    def __init__(
        self,
        wall: Callable[[], int] = time.time_ns,
        steady: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._told = wall() // _MS
        self._told_at = steady() // _MS
        #: The furthest that the machine's clock has been found behind the venue's own.
        self.behind_ms = 0

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
        if wall < gone_on - NOTICED_MS:
            self.behind_ms = max(self.behind_ms, gone_on - wall)
        self._told = max(wall, gone_on)
        self._told_at = steady
        return self._told

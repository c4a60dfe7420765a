"""The time by the database's clock, as a node estimates it between two beats.

No node uses its own machine's clock for the time, so all nodes agree however far apart those clocks
are. The venue's own clock uses this time in place of a machine's; that clock makes sure that time
never goes back, and deals with jumps.
"""

from collections.abc import Callable

from taisai.core.kernel.messages import Instant

_NS = 1_000_000_000
_MS_NS = 1_000_000


class DatabaseTime:
    """Adds the time that has passed here to the database's time at the last beat."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._learnt: tuple[Instant, float] | None = None

    def learn(self, at: Instant, answered: float) -> None:
        """Note the database's time, read no later than it answered."""
        self._learnt = at, answered

    @property
    def is_known(self) -> bool:
        """Say whether a beat has brought the time yet."""
        return self._learnt is not None

    def ns(self) -> int:
        """Give the time in nanoseconds, as `time.time_ns` does."""
        assert self._learnt is not None, "a node beats before it opens anything"
        at, answered = self._learnt
        return at * _MS_NS + int((self._clock() - answered) * _NS)

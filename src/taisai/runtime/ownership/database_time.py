"""The time by the database's clock, as a node that beats knows it between two beats.

No node's own clock is asked what time it is, so that all of them agree, however far apart those
are. That it never goes back, and what a jump means, is looked after by the venue's own clock, to
which this is what a machine's clock is to a venue on one machine.
"""

from collections.abc import Callable

from taisai.core.kernel.messages import Instant

_NS = 1_000_000_000
_MS_NS = 1_000_000


class DatabaseTime:
    """Goes on from what was learnt last by the time that passes here."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._learnt: tuple[Instant, float] | None = None

    def learn(self, at: Instant, answered: float) -> None:
        """Learn what time it was by the database, no later than when it answered."""
        self._learnt = at, answered

    @property
    def is_known(self) -> bool:
        """Say whether anything was learnt yet."""
        return self._learnt is not None

    def ns(self) -> int:
        """Give the time in nanoseconds, as `time.time_ns` does."""
        assert self._learnt is not None, "a node beats before it opens anything"
        at, answered = self._learnt
        return at * _MS_NS + int((self._clock() - answered) * _NS)

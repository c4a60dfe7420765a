"""An event loop with simulated time: it never waits, and runs at once what is due next.

With random choices from a seed, everything in it runs the same way every time.
"""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

_Result = TypeVar("_Result")


class _Passing(selectors.SelectSelector):
    """A selector that advances the time instead of waiting."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        """Advance the time to the next timer; if there is none, nothing can ever happen."""
        assert timeout is not None, "everybody waits, and nothing is going to happen"
        self.now += max(timeout, 0.0)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop with a time of its own."""

    def __init__(self) -> None:
        self._passing = _Passing()
        super().__init__(self._passing)

    def time(self) -> float:
        """Give the simulated time."""
        return self._passing.now


def run(work: Coroutine[Any, Any, _Result]) -> _Result:
    """Run a coroutine to its end in simulated time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)

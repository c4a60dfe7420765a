"""A loop whose time is made up: nothing waits, and whatever is next is done at once.

With chance from a seed, everything that runs in it runs the same way every time.
"""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

_Result = TypeVar("_Result")


class _Passing(selectors.SelectSelector):
    """Lets time pass instead of waiting."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        """Move time on to what is next; with nothing to come there is nothing to wait for."""
        assert timeout is not None, "everybody waits, and nothing is going to happen"
        self.now += max(timeout, 0.0)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop with a time of its own."""

    def __init__(self) -> None:
        self._passing = _Passing()
        super().__init__(self._passing)

    def time(self) -> float:
        """Give the time as it is made up."""
        return self._passing.now


def run(work: Coroutine[Any, Any, _Result]) -> _Result:
    """Run something to its end in made-up time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)

"""A thread that does one piece of work after the other, for the loop or for another thread.

A `ThreadPoolExecutor` of one thread does the same, with locks and a kind of future of its own: with
it a batch of 64 bets takes 50 microseconds longer, a twentieth of its time.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

_T = TypeVar("_T")

_log = logging.getLogger(__name__)


class JournalThread:
    """Ends with `end`, or with the process."""

    def __init__(self, name: str) -> None:
        self._given: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def run(self, work: Callable[..., _T], *given: Any) -> "asyncio.Future[_T]":
        """Have work done; the running loop is told of its outcome."""
        loop = asyncio.get_running_loop()
        outcome: asyncio.Future[_T] = loop.create_future()
        self._given.put(partial(_do, loop, outcome, work, given))
        return outcome

    def submit(self, work: Callable[..., object], *given: Any) -> None:
        """Have work done for which nobody waits."""
        self._given.put(partial(work, *given))

    def end(self) -> None:
        """Do what was given so far, and end."""
        self._given.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (work := self._given.get()) is not None:
            try:
                work()
            except Exception:  # noqa: BLE001 - logged, since nobody waits for it
                _log.exception("%s: a fault of ours", self._thread.name)
            # Not held until there is more to do.
            del work


def _do(
    loop: asyncio.AbstractEventLoop,
    outcome: "asyncio.Future[_T]",
    work: Callable[..., _T],
    given: tuple[Any, ...],
) -> None:
    try:
        found = work(*given)
    except Exception as error:  # noqa: BLE001 - raised where it is waited for
        tell: Callable[[], None] = partial(_fail, outcome, error)
    else:
        tell = partial(_finish, outcome, found)
    try:
        loop.call_soon_threadsafe(tell)
    except RuntimeError:
        # The loop has been closed: nobody waits any more.
        _log.debug("the loop ended before the work that it had given")


def _finish(outcome: "asyncio.Future[_T]", found: _T) -> None:
    if not outcome.done():
        outcome.set_result(found)


def _fail(outcome: "asyncio.Future[_T]", error: Exception) -> None:
    if not outcome.done():
        outcome.set_exception(error)

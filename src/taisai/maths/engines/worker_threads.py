"""Worker threads that wait for work: starting one takes a good part of the time of its work.

They are started when first needed, wait without using the processor, and end with the interpreter.
"""

import ctypes
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from queue import SimpleQueue
from typing import Any, Generic, Protocol, Self, TypeVar

from taisai.maths.errors import check_whole

THREADS_MAX = 256

_Answer = TypeVar("_Answer")


def threads_for(asked: int | None) -> int:
    """Give the number of threads: as requested, or as many as this process may run at once."""
    if asked is None:
        here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        return min(here or 1, THREADS_MAX)
    check_whole("the threads are", asked, 1, THREADS_MAX)
    return asked


class Task(Generic[_Answer]):
    """A piece of work that the first thread to take it does, once.

    It uses only two plain locks: with the standard library's pool and futures, a million bets,
    settled in little more than a millisecond, took nearly a tenth of a millisecond longer.
    """

    __slots__ = ("_answer", "_done", "_failure", "_free", "_work")

    def __init__(self, work: Callable[[], _Answer]) -> None:
        self._work = work
        self._free, self._done = threading.Lock(), threading.Lock()
        self._done.acquire()
        self._failure: BaseException | None = None

    def take(self) -> bool:
        """Claim the work; False if another thread has claimed it."""
        return self._free.acquire(blocking=False)

    def do(self) -> None:
        """Do the work, unless it is claimed."""
        if not self.take():
            return
        try:
            self._answer = self._work()
        except BaseException as failure:  # noqa: BLE001 - raised where the answer is asked for
            self._failure = failure
        finally:
            self._done.release()

    def answer(self) -> _Answer:
        """Wait for the result from another thread."""
        with self._done:
            if self._failure is not None:
                raise self._failure
            return self._answer


class Helpers:
    """The worker threads of one process, which run on other processors than the caller.

    There are as many as were ever needed at once. A caller that finds them busy does the work
    alone, so that it never waits for another caller's work.
    """

    def __init__(self, most: int = THREADS_MAX) -> None:
        self._most = most
        self._tasks: SimpleQueue[Task[Any]] = SimpleQueue()
        self._starting = threading.Lock()
        self._started = 0
        self._threads: list[int] = []
        self._places: set[int] = set()

    def ask(self, work: Callable[[], _Answer], count: int = 1) -> list[Task[_Answer]]:
        """Give some work to so many threads."""
        self._keep_away()
        if self._started < min(count, self._most):
            self._start(min(count, self._most))
        tasks = [Task(work) for _ in range(count)]
        for task in tasks:
            self._tasks.put(task)
        return tasks

    def _start(self, count: int) -> None:
        with self._starting:
            while self._started < count:
                threading.Thread(target=self._help, name="taisai-maths", daemon=True).start()
                self._started += 1

    def _help(self) -> None:
        self._threads.append(threading.get_native_id())
        if self._places:
            os.sched_setaffinity(0, self._places)
        while True:
            self._tasks.get().do()

    def _keep_away(self) -> None:
        """Keep the helpers off the processor that the caller runs on.

        A thread that wakes another often gets it on its own processor, where it waits until the
        work is done: with two processors, the idle one would stay idle.
        """
        if _processor is None:
            return
        others = os.sched_getaffinity(0) - {_processor()}
        if others and others != self._places:
            # Threads that start meanwhile choose their processor themselves.
            self._places = others
            for thread in self._threads:
                os.sched_setaffinity(thread, others)


def _processor_function() -> Callable[[], int] | None:
    """Find the system's function that tells on which processor this thread runs, if any."""
    if not sys.platform.startswith("linux"):
        return None
    # The call is shorter than releasing the interpreter lock and taking it again.
    return getattr(ctypes.PyDLL(None), "sched_getcpu", None)


_processor = _processor_function()


@cache
def _standing() -> Helpers:
    return Helpers()


# A process that forks leaves its threads behind; the child starts its own.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_standing.cache_clear)


def together(work: Callable[[], _Answer], threads: int) -> list[_Answer]:
    """Do the same work in this thread and in helpers, and return all the results.

    The work takes parts of something shared until none is left, so a helper that has not begun when
    this thread is done is not waited for.
    """
    helping = _standing().ask(work, threads - 1) if threads > 1 else []
    try:
        answers = [work()]
    finally:
        begun = [helper for helper in helping if not helper.take()]
    return answers + [helper.answer() for helper in begun]


def beside(work: Callable[[], _Answer], *, helped: bool = True) -> Callable[[], _Answer]:
    """Start some work in a helper, if wanted, and return a function that gives its result.

    Work that has not begun by then is done by the caller of that function.
    """
    if not helped:
        return work
    (helper,) = _standing().ask(work)
    return lambda: work() if helper.take() else helper.answer()


# --- a long run in parts -------------------------------------------------------------------------


class Addable(Protocol):
    """The result of a part of a run: added up in any order, the sum is the same."""

    def __add__(self, other: Self, /) -> Self: ...


_Sum = TypeVar("_Sum", bound=Addable)

#: The parts in progress for each thread: none waits, and a long run needs little memory.
_AHEAD = 2


def in_parts(
    work: Callable[[int, int], _Sum],
    length: int,
    part: int,
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> _Sum:
    """Call `work(start, count)` for every part of a run, and return the sum."""
    bounds = ((start, min(part, length - start)) for start in range(0, length, part))
    done = 0
    total: _Sum | None = None
    for count, answer in _answers(work, bounds, threads):
        total = answer if total is None else total + answer
        done += count
        if progress is not None:
            progress(done)
    assert total is not None, "a run has at least one part"
    return total


def _answers(
    work: Callable[[int, int], _Sum], bounds: Iterator[tuple[int, int]], threads: int
) -> Iterator[tuple[int, _Sum]]:
    if threads == 1:
        yield from ((count, work(start, count)) for start, count in bounds)
        return
    pool = ThreadPoolExecutor(threads)
    waiting: deque[tuple[int, Future[_Sum]]] = deque()
    try:
        for start, count in bounds:
            waiting.append((count, pool.submit(work, start, count)))
            if len(waiting) > threads * _AHEAD:
                oldest, answer = waiting.popleft()
                yield oldest, answer.result()
        for count, answer in waiting:
            yield count, answer.result()
    finally:
        # Stopping a long run waits for the parts in progress, and for no others.
        pool.shutdown(cancel_futures=True)

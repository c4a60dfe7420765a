"""Samples where a venue's processor time goes, every few milliseconds of it.

The system interrupts the process after a fixed processor time. A sample is the function that the
loop's thread is in, weighted by the time that thread used since the last sample; of other threads
only the time that the system reports for each is known.
"""

import signal
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

#: The system interrupts at most once in a tick, 1 to 4 ms.
EVERY_SECONDS = 0.001
#: A function called from outside of Python that is still at its first instruction: the sample
#: belongs to the work before the call, such as reading from a socket.
BEGINNING = 8

Place = tuple[str, str, int]


class Sampler:
    """Samples this process until it is stopped."""

    def __init__(self) -> None:
        #: Nanoseconds of the loop's thread, by its stack of functions from the innermost outwards.
        self.stacks: Counter[tuple[Place, ...]] = Counter()
        self._threads = threads_used()
        self._last = time.thread_time_ns()
        signal.signal(signal.SIGPROF, self._look)
        signal.setitimer(signal.ITIMER_PROF, EVERY_SECONDS, EVERY_SECONDS)

    def _look(self, _: int, frame: FrameType | None) -> None:
        now = time.thread_time_ns()
        self.stacks[stack_of(frame)] += now - self._last
        # The time of sampling itself is not counted.
        self._last = time.thread_time_ns()

    def end(self) -> dict[str, Any]:
        """Stop; return the seconds of each thread, and those of the loop's thread by stack."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, signal.SIG_IGN)
        before = self._threads
        used = {name: taken - before.get(name, 0.0) for name, taken in threads_used().items()}
        stacks = [[[*map(list, stack)], weight / 1e9] for stack, weight in self.stacks.items()]
        return {"threads": used, "stacks": stacks}


def stack_of(frame: FrameType | None) -> tuple[Place, ...]:
    """Name the functions from the innermost outwards, each with its line; 0 at its beginning."""
    places: list[Place] = []
    while frame is not None:
        code = frame.f_code
        line = 0 if frame.f_lasti <= BEGINNING and not places else frame.f_lineno
        places.append((_module(code.co_filename), code.co_qualname, line))
        frame = frame.f_back
    return tuple(places)


def _module(file: str) -> str:
    """Name a module by the end of its path."""
    return file.rpartition("/src/")[2] if "/src/" in file else file.rpartition("/")[2]


def threads_used() -> dict[str, float]:
    """Give the seconds of the processor that each thread has used, by its name."""
    names = {thread.native_id: thread.name for thread in threading.enumerate()}
    used: Counter[str] = Counter()
    for task in Path("/proc/self/task").iterdir():
        nanoseconds = int((task / "schedstat").read_text("ascii").split()[0])
        used[names.get(int(task.name), "others").rstrip("0123456789_-")] += nanoseconds
    return {name: nanoseconds / 1e9 for name, nanoseconds in used.items()}


assert sys.platform == "linux", "the time of threads is read where Linux tells it"

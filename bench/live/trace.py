"""Traces what a venue was doing while an answer took long: named spans of time.

The bench wraps it around parts of the venue, in the venue's process. Times are those of the clock
that all processes of a machine share.
"""

import asyncio
import gc
import time
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

from bench.live.moments import Moment, now

from taisai.runtime.journal.group_commit import Committer
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.writer import Writer

#: Shorter spans do not explain a slow answer.
SHORTEST_SECONDS = 0.002
#: How many spans are kept, the newest.
SPANS_KEPT = 200_000
#: How often the loop is checked for a delay.
BEAT_SECONDS = 0.005

_clock = time.perf_counter


class Span(NamedTuple):
    """A long piece of work: how long its thread worked, and waited for a processor.

    For the rest of the time it waited for something else: the disk, another thread, or a reply.
    """

    what: str
    began: float
    ended: float
    worked: float
    queued: float


#: The traced parts of the venue: the class, its method, and the name of the span.
_WATCHED: tuple[tuple[type, str, str], ...] = (
    (SqliteJournal, "_write", "commit"),
    (SqliteJournal, "_carry", "log carried back"),
    (SqliteJournal, "_answered_among", "ids looked up"),
    (SqliteJournal, "_forget", "old ids forgotten"),
    (Writer, "snapshot", "snapshot"),
    (Writer, "durable", "answers and news of a batch"),
    (Committer, "_sign_if_due", "checkpoint signed"),
)


class Trace:
    """Records what takes long; started once, and never stopped."""

    def __init__(self) -> None:
        self.spans: deque[Span] = deque(maxlen=SPANS_KEPT)
        #: How often each part ran, however short.
        self.times: dict[str, int] = {}
        for owner, name, what in _WATCHED:
            setattr(owner, name, self._watched(what, getattr(owner, name)))
        gc.callbacks.append(self._collected)
        self._collecting: Moment = (0.0, 0.0, 0.0)
        self._beating = asyncio.get_running_loop().create_task(self._beat())

    def _watched(self, what: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*given: Any, **named: Any) -> Any:
            began = now()
            done = work(*given, **named)
            # A call without a due checkpoint does not count.
            if done is not None or what != "checkpoint signed":
                self._note(what, began)
            return done

        return timed

    def _note(self, what: str, began: Moment, late: float = 0.0) -> None:
        ended = now()
        self.times[what] = self.times.get(what, 0) + 1
        if ended[0] - began[0] - late >= SHORTEST_SECONDS:
            worked, queued = ended[1] - began[1], ended[2] - began[2]
            self.spans.append(Span(what, began[0] + late, ended[0], worked, queued))

    def _collected(self, phase: str, told: dict[str, int]) -> None:
        if phase == "start":
            self._collecting = now()
        else:
            self._note(f"garbage of generation {told['generation']}", self._collecting)

    async def _beat(self) -> None:
        """Record when the loop was late: other work, or the machine, held it up."""
        while True:
            began = now()
            await asyncio.sleep(BEAT_SECONDS)
            if _clock() - began[0] - BEAT_SECONDS >= SHORTEST_SECONDS:
                self._note("loop late", began, BEAT_SECONDS)

"""What a venue was doing while an answer took long: spans of time, by what they were.

The bench puts it around the venue's own parts, in the venue's process. Times are those of the clock
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

#: What was shorter explains no answer that took long.
SHORTEST_SECONDS = 0.002
#: The newest are kept.
SPANS_KEPT = 200_000
#: The loop is asked so often whether it is there.
BEAT_SECONDS = 0.005

_clock = time.perf_counter


class Span(NamedTuple):
    """Something that took its time: how long its thread worked, or waited for a processor.

    The rest it waited for something else: the disk, another thread, or what it had asked for.
    """

    what: str
    began: float
    ended: float
    worked: float
    queued: float


#: What is watched: a part of the venue, its method, and what it is called.
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
    """Notes what takes long; begun once, and never ended."""

    def __init__(self) -> None:
        self.spans: deque[Span] = deque(maxlen=SPANS_KEPT)
        #: How often each was done, however short.
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
            # A checkpoint that is not due is none.
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
        """Note when the loop was late: something else had it, or the machine did."""
        while True:
            began = now()
            await asyncio.sleep(BEAT_SECONDS)
            if _clock() - began[0] - BEAT_SECONDS >= SHORTEST_SECONDS:
                self._note("loop late", began, BEAT_SECONDS)

"""Strangers have their turns: what they ask for is done a little at a time, between all else.

The loop reads whatever has arrived on all lines before a bet has its turn again. So what is read
from those who have not proved who they are only waits here, and of that a few things are done at a
time, however many wait. After each turn there is a rest: a loop that is never idle would also keep
the thread that commits from its turn.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable

from taisai.server.door.guests import Guest

#: What is done for strangers in one turn: so many things, or for so long.
TURN_MOST = 4
TURN_SECONDS = 0.001
#: How long strangers wait between two turns.
REST_SECONDS = 0.002
#: What is held of all that waits; more is turned away.
HELD_MAX = 16 * 1024 * 1024

Work = Callable[[], None]

_log = logging.getLogger(__name__)


class Turns:
    """What waits for its turn, in the order in which it came."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: deque[tuple[Guest, Work, int]] = deque()
        self._scheduled = False
        self._next_at = 0.0
        #: How many bytes wait, and the most that ever did.
        self.held = self.most_held = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, guest: Guest, work: Work, size: int) -> bool:
        """Have something done in its turn for somebody, unless too much waits already."""
        if self.held + size > HELD_MAX:
            return False
        self.held += size
        self.most_held = max(self.most_held, self.held)
        self._waiting.append((guest, work, size))
        if not self._scheduled:
            self._schedule()
        return True

    def _schedule(self) -> None:
        self._scheduled = True
        rest = self._next_at - self._loop.time()
        if rest > 0:
            self._loop.call_later(rest, self._run)
        else:
            self._loop.call_soon(self._run)

    def _run(self) -> None:
        """Do some of it; the rest after whatever else there is to do."""
        waiting, time = self._waiting, self._loop.time
        end, left = time() + TURN_SECONDS, TURN_MOST
        while waiting and left:
            guest, work, size = waiting.popleft()
            self.held -= size
            if guest.standing != "gone":
                left -= 1
                try:
                    work()
                except Exception:  # noqa: BLE001 - logged; a fault of ours ends that line alone
                    _log.exception("what was sent from %s could not be looked at", guest.place)
                    guest.cut()
            if time() >= end:
                break
        self._scheduled = False
        self._next_at = time() + REST_SECONDS
        if waiting:
            self._schedule()

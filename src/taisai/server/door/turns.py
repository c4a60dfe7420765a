"""Strangers have their turns: what they ask for is done a little at a time, between all else.

The loop reads whatever has arrived on all lines before a bet has its turn again. So what is read
from those who have not proved who they are only waits here, and of that a few things are done in
each round of the loop, however many wait.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable

from taisai.server.door.guests import Guest

#: What is done for strangers in one round of the loop: so many things, or for so long.
TURN_MOST = 4
TURN_SECONDS = 0.001
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
            self._scheduled = True
            self._loop.call_soon(self._run)
        return True

    def _run(self) -> None:
        """Do some of it; the rest after whatever else there is to do."""
        waiting, time = self._waiting, self._loop.time
        end, left = time() + TURN_SECONDS, TURN_MOST
        while waiting and left:
            guest, work, size = waiting.popleft()
            self.held -= size
            try:
                work()
            except Exception:  # noqa: BLE001 - logged; a fault of ours ends that line and no other
                _log.exception("what was sent from %s could not be looked at", guest.place)
                guest.cut()
            left = left - 1 if time() < end else 0
        self._scheduled = bool(waiting)
        if waiting:
            self._loop.call_soon(self._run)

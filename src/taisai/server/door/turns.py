"""Strangers have their turns: what they ask for is done a little at a time, between all else.

The loop takes and reads whatever has arrived on all lines before a bet has its turn again. So
whoever has not proved who they are is let in here, and what is read from them only waits here; of
that a few things are done at a time, however many wait. After each turn there is a rest, the longer
the more came of the turns before it: a request goes on when its turn is over. A loop that is never
idle would also keep the thread that commits from its turn.
"""

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Callable

from taisai.server.door.guests import Guest

#: What is done for strangers in one turn: so many things, or for so long.
TURN_MOST = 8
TURN_SECONDS = 0.001
#: How long strangers wait between two turns at least, and at most.
REST_SECONDS = 0.002
REST_SECONDS_MAX = 0.05
#: The share of the loop's time that strangers have while more and more of them come, and how much
#: of it they may have saved up while there were few.
SHARE = 1 / 3
SAVED_SECONDS = 0.1
#: Passes of the loop after which what a turn began has run.
PASSES = 3
#: What is held of all that waits; more is turned away.
HELD_MAX = 16 * 1024 * 1024

Work = Callable[[], None]

_log = logging.getLogger(__name__)


class Turns:
    """What waits for its turn: one thing of each guest after another, in the order they came."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: OrderedDict[Guest, deque[tuple[Work, int]]] = OrderedDict()
        self._count = 0
        self._arriving: list[Work] = []
        self._scheduled = False
        self._next_at = 0.0
        #: Time of the loop that strangers may use beyond their share, or have used; as of when.
        self._saved = 0.0
        self._told_at = loop.time()
        #: How many bytes wait, and the most that ever did.
        self.held = self.most_held = 0

    def __len__(self) -> int:
        return self._count

    @property
    def guests(self) -> int:
        """How many have something waiting."""
        return len(self._waiting)

    def add(self, guest: Guest, work: Work, size: int) -> bool:
        """Have something done in its turn for somebody, unless too much waits already."""
        if self.held + size > HELD_MAX:
            return False
        self.held += size
        self.most_held = max(self.most_held, self.held)
        self._count += 1
        self._waiting.setdefault(guest, deque()).append((work, size))
        if not self._scheduled:
            self._schedule()
        return True

    def arrive(self, work: Work) -> None:
        """Have those who have arrived taken in at the next turn, before anybody is heard."""
        self._arriving.append(work)
        if not self._scheduled:
            self._schedule()

    def _schedule(self) -> None:
        self._scheduled = True
        rest = self._next_at - self._loop.time()
        if rest > 0:
            self._loop.call_later(rest, self._run)
        else:
            self._loop.call_soon(self._run)

    def _run(self) -> None:
        """Do some of it; the rest after whatever else there is to do."""
        began = self._loop.time()
        arriving, self._arriving = self._arriving, []
        for work in arriving:
            work()
        self._do(self._loop.time() + TURN_SECONDS)
        self._loop.call_soon(self._pass, began, PASSES)

    def _do(self, end: float) -> None:
        time, left = self._loop.time, TURN_MOST
        while self._waiting and left:
            guest, things = self._waiting.popitem(last=False)
            if guest.standing == "gone":
                self._drop(things)
            else:
                left -= 1
                self._take(guest, things)
            if time() >= end:
                break

    def _drop(self, things: deque[tuple[Work, int]]) -> None:
        """Forget what somebody wanted who has gone."""
        self._count -= len(things)
        self.held -= sum(size for _, size in things)

    def _take(self, guest: Guest, things: deque[tuple[Work, int]]) -> None:
        """Do the next thing of a guest, who waits behind all others for what is left."""
        work, size = things.popleft()
        self._count -= 1
        self.held -= size
        if things:
            self._waiting[guest] = things
        try:
            work()
        except Exception:  # noqa: BLE001 - logged; a fault of ours ends that line alone
            _log.exception("what was sent from %s could not be looked at", guest.place)
            guest.cut()

    def _pass(self, began: float, left: int) -> None:
        """Let what the turn began go on for a few passes of the loop, and then rest."""
        if left:
            self._loop.call_soon(self._pass, began, left - 1)
            return
        now = self._loop.time()
        self._scheduled = False
        self._next_at = now + self._rest(began, now)
        if self._waiting or self._arriving:
            self._schedule()

    def _rest(self, began: float, now: float) -> float:
        """Say how long to rest after a turn: until strangers have had no more than their share."""
        saved = min(self._saved + (now - self._told_at) * SHARE, SAVED_SECONDS) - (now - began)
        self._saved, self._told_at = max(saved, -REST_SECONDS_MAX * SHARE), now
        return max(REST_SECONDS, -self._saved / SHARE)

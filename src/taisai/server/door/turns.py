"""Turns for strangers: their work is done a little at a time, between all other work.

The loop accepts and reads all that has arrived on all connections before a bet has its turn again.
So the connections of strangers, who have not proved who they are, are accepted here, and their data
only waits here; a few things are done at a time, however many wait. After each turn there is a
rest, the longer the more work the turns before it caused: a request goes on after its turn. A loop
that is never idle would also keep the thread that commits from its turn.
"""

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Callable

from taisai.server.door.guests import Guest

#: How much is done for strangers in one turn: so many things, or for so long.
TURN_MOST = 16
TURN_SECONDS = 0.002
#: How long strangers wait between two turns at least, and at most.
REST_SECONDS = 0.002
REST_SECONDS_MAX = 0.05
#: The share of the loop's time that strangers get while many of them come, and how much of it they
#: may save up while there are few.
SHARE = 1 / 2
SAVED_SECONDS = 0.1
#: The first things of a guest come before those of guests served before: saying who one is takes no
#: more than these. One in so many things is another guest's, so that those are served too.
FIRST_THINGS = 4
ANOTHERS_EVERY = 4
#: Passes of the loop after which the work that a turn began has run.
PASSES = 3
#: Bytes that may wait in all; more is refused.
HELD_MAX = 16 * 1024 * 1024

Work = Callable[[], None]
Things = deque[tuple[Work, int]]

_log = logging.getLogger(__name__)


class Turns:
    """The work that waits for its turn: one thing of each guest after another, as they came."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        #: The work of each guest: those who have hardly been served yet, and the others.
        self._new: OrderedDict[Guest, Things] = OrderedDict()
        self._others: OrderedDict[Guest, Things] = OrderedDict()
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
    def unheard(self) -> int:
        """How many guests wait who have hardly been served yet."""
        return len(self._new)

    def add(self, guest: Guest, work: Work, size: int) -> bool:
        """Queue work of a guest for its turn, unless too much waits already."""
        if self.held + size > HELD_MAX:
            return False
        self.held += size
        self.most_held = max(self.most_held, self.held)
        self._count += 1
        things = self._new.get(guest) or self._others.get(guest)
        if things is None:
            things = deque()
            self._put(guest, things)
        things.append((work, size))
        if not self._scheduled:
            self._schedule()
        return True

    def _put(self, guest: Guest, things: Things) -> None:
        where = self._new if guest.heard < FIRST_THINGS else self._others
        where[guest] = things

    def arrive(self, work: Work) -> None:
        """Accept new connections at the next turn, before any work of guests."""
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
        """Do some of the work; the rest is done after all other work of the loop."""
        began = self._loop.time()
        arriving, self._arriving = self._arriving, []
        for work in arriving:
            work()
        self._do(self._loop.time() + TURN_SECONDS)
        self._loop.call_soon(self._pass, began, PASSES)

    def _do(self, end: float) -> None:
        time, done = self._loop.time, 0
        while self._count and done < TURN_MOST:
            anothers = done % ANOTHERS_EVERY == ANOTHERS_EVERY - 1
            where = self._others if anothers or not self._new else self._new
            guest, things = (where or self._new).popitem(last=False)
            if guest.standing == "gone":
                self._drop(things)
            else:
                done += 1
                self._take(guest, things)
            if time() >= end:
                break

    def _drop(self, things: Things) -> None:
        """Drop the work of a guest that has gone."""
        self._count -= len(things)
        self.held -= sum(size for _, size in things)

    def _take(self, guest: Guest, things: Things) -> None:
        """Do the next thing of a guest; the guest's other things wait behind all other guests."""
        work, size = things.popleft()
        self._count -= 1
        self.held -= size
        guest.heard += 1
        if things:
            self._put(guest, things)
        try:
            work()
        except Exception:  # noqa: BLE001 - logged; a fault of ours ends that line alone
            _log.exception("what was sent from %s could not be looked at", guest.place)
            guest.cut()

    def _pass(self, began: float, left: int) -> None:
        """Let the work that the turn began run for a few passes of the loop, and then rest."""
        if left:
            self._loop.call_soon(self._pass, began, left - 1)
            return
        now = self._loop.time()
        self._scheduled = False
        self._next_at = now + self._rest(began, now)
        if self._count or self._arriving:
            self._schedule()

    def _rest(self, began: float, now: float) -> float:
        """Say how long to rest after a turn: until strangers have had no more than their share."""
        saved = min(self._saved + (now - self._told_at) * SHARE, SAVED_SECONDS) - (now - began)
        self._saved, self._told_at = max(saved, -REST_SECONDS_MAX * SHARE), now
        return max(REST_SECONDS, -self._saved / SHARE)

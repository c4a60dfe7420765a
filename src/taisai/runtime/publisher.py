"""Publishing, in this process, what is durable: in order, and never holding a table back.

A subscriber has a bounded queue. One that does not keep up loses what it has not taken, is told so
with a `Missed`, and reads the journal from there: the journal is the record, this is only news.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from taisai.core.kernel.messages import Event, Instant
from taisai.runtime.answers import Registered

#: News that may wait for a subscriber before it has to read the journal instead.
QUEUE_MAX = 1_000
SUBSCRIBERS_MAX = 20_000

_log = logging.getLogger(__name__)


class Published(Struct, frozen=True):
    """The events of one decision of a stream, durable."""

    stream: str
    first: int
    last: int
    at: Instant
    events: tuple[Event, ...]


class Missed(Struct, frozen=True):
    """News that a slow subscriber did not take; the journal has it."""


class Announcement(Struct, frozen=True):
    """Something the pit is told about the venue itself: a recovery, a suspension, a stop."""

    at: Instant
    stream: str
    code: str
    text: str


News = Published | Missed | Announcement


class Follower(Protocol):
    """Somebody who hears of everything in the very moment that it is published."""

    def published(self, stream: str, registered: Registered) -> None:
        """Be notified of a decision that is durable."""

    def announced(self, announcement: Announcement) -> None:
        """Be notified of something about the venue itself."""


class Subscription:
    """One subscriber's queue; an asynchronous iterator over the news."""

    def __init__(self, stream: str | None, leave: Callable[["Subscription"], None]) -> None:
        self.stream = stream
        self._leave = leave
        self._queue: deque[News] = deque()
        self._came = asyncio.Event()
        self._over = False

    def __aiter__(self) -> "Subscription":
        return self

    async def __anext__(self) -> News:
        while not self._queue:
            if self._over:
                raise StopAsyncIteration
            self._came.clear()
            await self._came.wait()
        return self._queue.popleft()

    def put(self, news: News) -> None:
        """Add news, or replace all of it by one notice that some was missed."""
        if len(self._queue) >= QUEUE_MAX:
            self._queue.clear()
            self._queue.append(Missed())
        self._queue.append(news)
        self._came.set()

    def end(self) -> None:
        """Notify the subscriber that there will be no more."""
        self._over = True
        self._came.set()

    def close(self) -> None:
        """Stop listening."""
        self._leave(self)
        self.end()


class Publisher:
    """Everyone in this process who wants to hear of durable events."""

    def __init__(self) -> None:
        self._all: list[Subscription] = []
        self._by_stream: dict[str, list[Subscription]] = {}
        self._count = 0
        #: Called at once with everything durable, in order, and with every notice: for the one part
        #: of the process that passes all of it on, and must not lag behind.
        self.followers: list[Follower] = []

    def subscribe(self, stream: str | None = None) -> Subscription:
        """Listen to one stream, or to all of them."""
        if self._count >= SUBSCRIBERS_MAX:
            raise OverflowError(f"at most {SUBSCRIBERS_MAX} can listen at a time")
        subscription = Subscription(stream, self._remove)
        self._listening(stream).append(subscription)
        self._count += 1
        return subscription

    def _listening(self, stream: str | None) -> list[Subscription]:
        return self._all if stream is None else self._by_stream.setdefault(stream, [])

    def _remove(self, subscription: Subscription) -> None:
        listening = self._listening(subscription.stream)
        if subscription in listening:
            listening.remove(subscription)
            self._count -= 1

    def publish(self, stream: str, registered: Registered) -> None:
        """Publish what has become durable."""
        for follower in self.followers:
            try:
                follower.published(stream, registered)
            except Exception:  # noqa: BLE001 - logged, and nobody else is held up
                _log.exception("news of %s could not be passed on", stream)
        listening = self._by_stream.get(stream, ())
        if not listening and not self._all:
            return
        answer = registered
        news = Published(stream, answer.first, answer.last, answer.at, answer.events)
        for subscription in (*listening, *self._all):
            subscription.put(news)

    def announce(self, announcement: Announcement) -> None:
        """Notify everyone who listens to a stream, and to all, of something about the venue."""
        for follower in self.followers:
            try:
                follower.announced(announcement)
            except Exception:  # noqa: BLE001 - logged, and nobody else is held up
                _log.exception("a notice could not be passed on: %s", announcement)
        for subscription in (*self._by_stream.get(announcement.stream, ()), *self._all):
            subscription.put(announcement)

    def end(self) -> None:
        """Notify every subscriber that the venue has stopped."""
        for subscription in (*self._all, *(s for each in self._by_stream.values() for s in each)):
            subscription.end()

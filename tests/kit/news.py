"""A queue of the events that a venue publishes, for tests to read."""

import asyncio
from collections import deque

from msgspec import Struct

from taisai.core.kernel.messages import Event, Instant
from taisai.runtime.answers import Registered
from taisai.runtime.publisher import Announcement, Follower, Publisher
from taisai.runtime.runtime import Runtime


class Published(Struct, frozen=True):
    """The events of one decision of a stream, durable."""

    stream: str
    first: int
    last: int
    at: Instant
    events: tuple[Event, ...]


class News(Follower):
    """The published events of one stream, or of all: an asynchronous iterator without an end."""

    def __init__(self, publisher: Publisher, stream: str | None) -> None:
        self.queue: deque[Published | Announcement] = deque()
        self._publisher = publisher
        self._stream = stream
        self._came = asyncio.Event()
        publisher.followers.append(self)

    def published(self, stream: str, registered: Registered) -> None:
        """Queue durable events."""
        answer = registered
        self._put(Published(stream, answer.first, answer.last, answer.at, answer.events))

    def announced(self, announcement: Announcement) -> None:
        """Queue an announcement."""
        self._put(announcement)

    def _put(self, news: Published | Announcement) -> None:
        if self._stream in (None, news.stream):
            self.queue.append(news)
            self._came.set()

    def __aiter__(self) -> "News":
        return self

    async def __anext__(self) -> Published | Announcement:
        while not self.queue:
            self._came.clear()
            await self._came.wait()
        return self.queue.popleft()

    def close(self) -> None:
        """Stop following."""
        self._publisher.leave(self)


def news_of(venue: Runtime, stream: str | None = None) -> News:
    """Follow one stream of a venue, or all of them."""
    return News(venue.publisher, stream)

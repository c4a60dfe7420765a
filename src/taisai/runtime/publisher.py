"""Publishing, in this process, what is durable: in order, and never holding a table back."""

import logging
from collections.abc import Callable

from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.runtime.answers import Registered

_log = logging.getLogger(__name__)


class Announcement(Struct, frozen=True):
    """Something the pit is to know about the venue itself: a recovery, a suspension, a stop."""

    at: Instant
    stream: str
    code: str
    text: str


class Follower:
    """Somebody who is notified of everything in the very moment that it is published.

    What a follower does not take in, it takes no notice of.
    """

    def published(self, stream: str, registered: Registered) -> None:
        """Be notified of a decision that is durable."""

    def announced(self, announcement: Announcement) -> None:
        """Be notified of something about the venue itself."""


class Publisher:
    """Every part of this process that is notified of what is durable; none may hold others up."""

    def __init__(self) -> None:
        self.followers: list[Follower] = []

    def leave(self, follower: Follower) -> None:
        """Notify somebody of nothing more."""
        if follower in self.followers:
            self.followers.remove(follower)

    def publish(self, stream: str, registered: Registered) -> None:
        """Publish what has become durable."""
        self._tell(lambda each: each.published(stream, registered), stream)

    def announce(self, announcement: Announcement) -> None:
        """Notify everyone of something about the venue."""
        self._tell(lambda each: each.announced(announcement), announcement.stream)

    def _tell(self, tell: Callable[[Follower], None], stream: str) -> None:
        for follower in self.followers:
            try:
                tell(follower)
            except Exception:  # noqa: BLE001 - logged, and nobody else is held up
                _log.exception("news of %s could not be passed on", stream)

"""Publishing, in this process, what is durable: in order, and never holding a table back."""

import logging
from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.core.table.betting import BetsRegistered
from taisai.runtime.answers import Registered
from taisai.wording import say_again, told

_log = logging.getLogger(__name__)


class Announcement(Struct, frozen=True):
    """Something the pit is to know about the venue itself: a recovery, a suspension, a stop."""

    at: Instant
    stream: str
    code: str
    text: str

    def said(self, language: str) -> str:
        """Say it in a language."""
        return say_again(self.text, language)


def stopping() -> str:
    """Tell that a venue stops."""
    return told("NOTICE_STOPPING")


def resumed(version: int) -> str:
    """Tell that a stream was read back, and goes on."""
    return told("NOTICE_RESUMED", version=version)


class Follower:
    """Somebody who is notified of everything in the very moment that it is published.

    What a follower does not take in, it takes no notice of.
    """

    #: Bets come in thousands a second: who has no use for them is not notified of them.
    follows_bets: ClassVar[bool] = True

    def published(self, stream: str, registered: Registered) -> None:
        """Be notified of a decision that is durable."""

    def published_all(self, stream: str, batch: Sequence[Registered]) -> None:
        """Be notified of what has become durable at once, in order; none holds the next up."""
        for registered in batch:
            try:
                self.published(stream, registered)
            except Exception:  # noqa: BLE001 - logged, and nobody else is held up
                not_passed_on(stream)

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

    def publish(self, stream: str, batch: Sequence[Registered]) -> Sequence[Registered]:
        """Publish what has become durable at once, in order; gives what of it is no bet."""
        others = beside_bets(batch)
        for follower in self.followers:
            concern = batch if follower.follows_bets else others
            if concern:
                follower.published_all(stream, concern)
        return others

    def announce(self, announcement: Announcement) -> None:
        """Notify everyone of something about the venue."""
        for follower in self.followers:
            try:
                follower.announced(announcement)
            except Exception:  # noqa: BLE001 - logged, and nobody else is held up
                not_passed_on(announcement.stream)


def beside_bets(batch: Sequence[Registered]) -> list[Registered]:
    """Pick out what is no bet: seldom anything."""
    return [each for each in batch if type(each.events[0]) is not BetsRegistered]


def not_passed_on(stream: str) -> None:
    """Log what went wrong for a follower."""
    _log.exception("news of %s could not be passed on", stream)

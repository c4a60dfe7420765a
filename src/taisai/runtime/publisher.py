"""Publishing durable events within this process: in order, and without delaying any table."""

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
        """Give its text in a language."""
        return say_again(self.text, language)


def stopping() -> str:
    """Say that a venue stops."""
    return told("NOTICE_STOPPING")


def resumed(version: int) -> str:
    """Say that a stream was read back, and goes on."""
    return told("NOTICE_RESUMED", version=version)


class Follower:
    """A part of this process that is notified of everything at the moment it is published.

    By default a follower ignores all of it.
    """

    #: Bets come in thousands a second: a follower without use for them sets this to false.
    follows_bets: ClassVar[bool] = True

    def published(self, stream: str, registered: Registered) -> None:
        """Be notified of a decision that is durable."""

    def published_all(self, stream: str, batch: Sequence[Registered]) -> None:
        """Be notified, in order, of decisions that became durable together; an error stops none."""
        for registered in batch:
            try:
                self.published(stream, registered)
            except Exception:  # noqa: BLE001 - logged, and nobody else is held up
                not_passed_on(stream)

    def published_bets(self, stream: str, bets: Sequence[Registered]) -> None:
        """Be notified of a batch of bets and nothing else: most batches are."""
        self.published_all(stream, bets)

    def announced(self, announcement: Announcement) -> None:
        """Be notified of something about the venue itself."""


class Publisher:
    """Notifies the followers in this process of what is durable; none may hold others up."""

    def __init__(self) -> None:
        self.followers: list[Follower] = []

    def leave(self, follower: Follower) -> None:
        """Stop notifying a follower."""
        if follower in self.followers:
            self.followers.remove(follower)

    def publish(self, stream: str, batch: Sequence[Registered]) -> Sequence[Registered]:
        """Publish, in order, decisions that became durable together; give those without bets."""
        others = _beside_bets(batch)
        for follower in self.followers:
            try:
                if not follower.follows_bets:
                    if others:
                        follower.published_all(stream, others)
                elif others:
                    follower.published_all(stream, batch)
                elif batch:
                    follower.published_bets(stream, batch)
            except Exception:  # noqa: BLE001 - logged, and nobody else is held up
                not_passed_on(stream)
        return others

    def announce(self, announcement: Announcement) -> None:
        """Notify all followers of something about the venue."""
        for follower in self.followers:
            try:
                follower.announced(announcement)
            except Exception:  # noqa: BLE001 - logged, and nobody else is held up
                not_passed_on(announcement.stream)


def _beside_bets(batch: Sequence[Registered]) -> list[Registered]:
    """Give the decisions that are not bets: usually none."""
    return [each for each in batch if type(each.events[0]) is not BetsRegistered]


def not_passed_on(stream: str) -> None:
    """Log the error of a follower."""
    _log.exception("news of %s could not be passed on", stream)

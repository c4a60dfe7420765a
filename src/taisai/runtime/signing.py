"""Signing for several nodes: how far each chain of seals has come, as far as checked [D44].

The caller decides whether this node signs, and when.
"""

import time
from collections.abc import Collection

from taisai.runtime.journal.checkpoints import (
    CheckpointError,
    OtherKeysError,
    check_checkpoint,
    read_checkpoint,
)
from taisai.runtime.journal.contract import FencedError, Journal, VanishedError
from taisai.runtime.journal.group_commit import CHECKPOINT_EVERY, CHECKPOINT_SECONDS, Committer
from taisai.runtime.keys.signing import PublicKeys
from taisai.runtime.recovery import BrokenChainError


class Signing:
    """The checkpoints of a journal that nodes share, as one of them sees and signs them."""

    def __init__(self, journal: Journal, committer: Committer, public: PublicKeys) -> None:
        self._journal = journal
        self._committer = committer
        self._public = public
        self._signed_at = time.monotonic()

    async def follow(self, only: Collection[int] | None = None) -> None:
        """Follow the chains of others, or some of them; one that has vanished fences this node.

        It is looked for again with new connections and after a barrier: for a moment the reads may
        still have gone to a former primary, which does not count.
        """
        tail = self._committer.tail
        try:
            await tail.follow_others(self._journal, only)
        except VanishedError:
            try:
                await self._committer.reopen()
            except VanishedError as error:
                raise FencedError(str(error)) from error

    async def see(self) -> None:
        """Take up the newest checkpoint, if another node has signed one since.

        A node without the key that signed it must not go on: it can read nothing of the others.
        """
        for newest in await self._journal.checkpoints(newest=1):
            known = self._committer.newest
            if known is None or newest.number > known.number:
                try:
                    check_checkpoint(newest, self._public)
                except OtherKeysError as error:
                    raise FencedError(error.sentence(self._public)) from error
                except CheckpointError as error:
                    raise BrokenChainError(str(error)) from error
                self._committer.newest = newest
                self._signed_at = time.monotonic()

    async def begin(self) -> None:
        """Sign before the first event."""
        if self._committer.newest is None:
            await self.sign()

    async def sign_if_due(self) -> None:
        """Sign new events after so many events or so long."""
        unsigned = self.unsigned()
        old = time.monotonic() - self._signed_at >= CHECKPOINT_SECONDS
        if unsigned >= CHECKPOINT_EVERY or (unsigned and old):
            await self.sign()

    async def end(self) -> None:
        """Sign what is not signed yet."""
        if self.unsigned():
            await self.sign()

    def unsigned(self) -> int:
        """Count the events known here that no checkpoint covers."""
        newest = self._committer.newest
        there = sum(head.version for head in self._committer.tail.heads.values())
        return there - (0 if newest is None else read_checkpoint(newest).events)

    async def sign(self) -> None:
        """Sign how far every chain has come."""
        await self.follow()
        self._committer.at = max(self._committer.at, self._committer.tail.issued)
        await self._committer.checkpoint()
        self._signed_at = time.monotonic()

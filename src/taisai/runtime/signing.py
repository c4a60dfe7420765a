"""Signing for several nodes: how far each chain of seals has come, by what was checked [D44].

Whether it is for this node to sign, and when it is looked, is for whoever asks.
"""

import time
from collections.abc import Collection

from taisai.runtime.journal.checkpoints import CheckpointError, check_checkpoint, read_checkpoint
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

        It is looked for again by new connections and behind a barrier: a server that was the first
        before may be read for a moment yet, and is none that counts.
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
        """Take up the newest checkpoint, if another has signed one since."""
        for newest in await self._journal.checkpoints(newest=1):
            known = self._committer.newest
            if known is None or newest.number > known.number:
                try:
                    check_checkpoint(newest, self._public)
                except CheckpointError as error:
                    raise BrokenChainError(str(error)) from error
                self._committer.newest = newest
                self._signed_at = time.monotonic()

    async def begin(self) -> None:
        """Sign before the first event."""
        if self._committer.newest is None:
            await self.sign()

    async def sign_if_due(self) -> None:
        """Sign what is new, after so many events or so long."""
        unsigned = self.unsigned()
        old = time.monotonic() - self._signed_at >= CHECKPOINT_SECONDS
        if unsigned >= CHECKPOINT_EVERY or (unsigned and old):
            await self.sign()

    async def end(self) -> None:
        """Sign what is not signed yet."""
        if self.unsigned():
            await self.sign()

    def unsigned(self) -> int:
        """Count the events that no checkpoint covers, as far as they are known here."""
        newest = self._committer.newest
        there = sum(head.version for head in self._committer.tail.heads.values())
        return there - (0 if newest is None else read_checkpoint(newest).events)

    async def sign(self) -> None:
        """Sign how far every chain has come."""
        await self.follow()
        self._committer.at = max(self._committer.at, self._committer.tail.issued)
        await self._committer.checkpoint()
        self._signed_at = time.monotonic()

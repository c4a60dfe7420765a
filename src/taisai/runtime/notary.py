"""The notary of a venue: signs what is durable, and stores in the anchor what was signed."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from taisai.core.kernel.messages import Instant
from taisai.protocol.receipts import Receipt, RoundReceipt
from taisai.runtime.answers import IDS_KEPT_MS
from taisai.runtime.clock import Clock
from taisai.runtime.journal.anchor import Anchor, Anchored, AnchorError, check_anchor
from taisai.runtime.journal.checkpoints import make_checkpoint, read_checkpoint, sign_snapshot
from taisai.runtime.journal.contract import Checkpoint, Head, Heads, Journal, Snapshot
from taisai.runtime.journal.group_commit import Committer
from taisai.runtime.journal.receipts import sign_receipt, sign_round
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.new_keys import Venue, take_over_keys
from taisai.runtime.recovery import Started


class Notary:
    """Signs with the keys of a venue; made by `open`, before anything in the journal is trusted."""

    def __init__(self, keys: VenueKeys, anchor: Anchor | None, anchored: Anchored | None) -> None:
        self.committer: Committer
        self._keys = keys
        self._anchor = anchor
        self._anchored = anchored
        #: The newest receipt of each stream, given again as long as its head is the same.
        self._receipts: dict[str, Receipt] = {}

    async def take_over_keys(self, venue: Venue) -> bool:
        """Record replaced keys in the journal; say whether the sealing key is one of them."""
        return await take_over_keys(venue, self._keys)

    @classmethod
    async def open(cls, journal: Journal, keys: VenueKeys, anchor: Path | None) -> "Notary":
        """Refuse a journal that does not agree with its anchor."""
        if anchor is None:
            return cls(keys, None, None)
        held = Anchor(anchor, keys.sealing)
        return cls(keys, held, await check_anchor(held, journal))

    def attend(self, journal: Journal, started: Started, clock: Clock) -> Committer:
        """Make the committer of a journal that was read back; it signs with these keys."""

        def sign(heads: Heads, previous: Checkpoint | None) -> Checkpoint:
            before = {} if previous is None else read_checkpoint(previous).heads
            assert before.keys() <= heads.keys(), "none covers less than the one before"
            at = committer.at - IDS_KEPT_MS
            seals, signer = committer.tail.followed, self._keys.signer
            return make_checkpoint(clock.now(), heads, previous, signer, seals, max(0, at))

        committer = Committer(journal, started.heads, sign, started.tail, started.newest)
        committer.at, committer.unsigned = started.at, started.unsigned
        self.committer = committer
        return committer

    def anchored(self) -> Anchored | None:
        """Read the anchor as it is now; `None` if there is none."""
        return None if self._anchor is None else self._anchor.read()

    def is_newest(self, started: Started) -> bool:
        """Say whether, by the anchor, nothing can have been written after what was read back."""
        anchored, newest = self._anchored, started.newest
        if self._anchor is None or newest is None:
            return True
        there = anchored is not None and anchored.stopped and anchored.number == newest.number
        return there and not started.unsigned

    async def begin(self, started: Started, on_trouble: Callable[[str], None]) -> None:
        """Sign what is not signed yet, and store in the anchor that the venue is at work.

        Before anything else, so that a venue that is killed again and again still signs.
        """
        if started.newest is None or started.unsigned:
            await self.committer.checkpoint()
        anchor, newest = self._anchor, self.committer.newest
        if anchor is not None:
            assert newest is not None, "a venue signs a checkpoint when it starts"
            await asyncio.to_thread(anchor.write, newest)
            anchor.on_trouble = on_trouble
            self.committer.on_signed = anchor.note

    async def end(self) -> str | None:
        """Store in the anchor that nothing was written after the last checkpoint."""
        anchor, newest = self._anchor, self.committer.newest
        if anchor is None or newest is None:
            return None
        await anchor.settled()
        if self.committer.unsigned:
            return None
        try:
            await asyncio.to_thread(anchor.write, newest, stopped=True)
        except AnchorError as error:
            return str(error)
        return None

    def head(self, stream: str) -> Head | None:
        """Give a stream's head in the newest checkpoint."""
        newest = self.committer.newest
        signed = None if newest is None else read_checkpoint(newest)
        return None if signed is None or stream not in signed.heads else signed.head(stream)

    @property
    def forgotten(self) -> Instant:
        """The time before which ids may be forgotten.

        By the newest event's time, so that correcting a clock that was ahead forgets nothing. And
        only as far as signed, so that a verifier knows which ids may be missing.
        """
        newest = self.committer.newest
        return 0 if newest is None else read_checkpoint(newest).forgotten

    def receipt(self, stream: str, now: Instant) -> Receipt | None:
        """Sign a stream's head, once for each head; `None` before its first event."""
        head, kept = self.committer.heads.get(stream), self._receipts.get(stream)
        if head is None or (kept is not None and kept.version == head.version):
            return kept
        self._receipts[stream] = sign_receipt(stream, head, now, self._keys.signer)
        return self._receipts[stream]

    def round_receipt(self, said: RoundReceipt) -> RoundReceipt:
        """Sign a round's outcome for a player; its event is durable."""
        return sign_round(said, self._keys.signer)

    def snapshot(self, stream: str, version: int, head: bytes, data: bytes) -> Snapshot:
        """Sign a stream's state."""
        return sign_snapshot(stream, version, head, data, self._keys.signer)

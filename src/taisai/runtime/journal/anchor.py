"""The anchor: the newest checkpoint a venue has signed, remembered where its journal is not.

Whoever puts an older journal back, or rewrites one and deletes its checkpoints, does not have the
anchor say so: it is authenticated by the venue's key. What rolls back together with its anchor is
found by who saw more: a witness, a terminal, a checkpoint held elsewhere.
"""

import asyncio
import hmac
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from taisai.core.errors import SentenceError
from taisai.core.kernel.messages import Instant
from taisai.runtime.journal.checkpoints import checkpoint_hash, read_checkpoint
from taisai.runtime.journal.contract import Checkpoint, Journal
from taisai.runtime.keys.files import (
    DIRECTORY_MODE,
    SECRET_MODE,
    KeysError,
    derived,
    every,
    read_file,
    write_file,
)
from taisai.wording import told

ANCHOR_DOMAIN = b"taisai anchor\0"
ANCHOR_FILE = "anchor.json"

_Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}\\Z")]


class AnchorError(SentenceError):
    """A journal is not the one that its anchor remembers; the sentence says what to do."""


class Anchored(Struct, frozen=True, forbid_unknown_fields=True):
    """The newest checkpoint that was signed; `stopped` if nothing was written after it."""

    number: int
    hash: _Hash
    at: Instant
    stopped: bool
    mac: _Hash = "0" * 64


_encode = msgspec.json.Encoder(order="sorted").encode
_decoder = msgspec.json.Decoder(Anchored)


def default_anchor(keys: Path) -> Path:
    """Name the directory beside a venue's keys in which its anchor is, unless told otherwise."""
    return keys.with_name(f"{keys.name}.anchor")


class Anchor:
    """The anchor of a venue, in a directory of its own."""

    def __init__(self, directory: Path, sealing: bytes | None) -> None:
        """Take an anchor by the venue's key; without it, who wrote it is not told."""
        self.file = directory / ANCHOR_FILE
        self._key = None if sealing is None else derived(sealing, ANCHOR_DOMAIN)
        #: Two persons set it anew, to what may be older.
        self.renewed = False
        #: Called when the anchor cannot be written, with why.
        self.on_trouble: Callable[[str], None] = lambda _: None
        self._next: Checkpoint | None = None
        self._task: asyncio.Task[None] | None = None

    def read(self) -> Anchored | None:
        """Read what is remembered; none where there is no anchor."""
        if not self.file.exists():
            return None
        try:
            data = read_file(self.file, secret=False)
            anchored = _decoder.decode(data)
        except (KeysError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            said = told("ANCHOR_UNREADABLE", file=str(self.file), why=str(error), mend=_mend())
            raise AnchorError(said) from None
        known = None if self._key is None else every(self._key)
        if known and anchored.mac not in {self._mac(anchored, each) for each in known}:
            raise self._altered()
        if data != _written(anchored):
            raise self._altered()
        return anchored

    def _altered(self) -> AnchorError:
        return AnchorError(told("ANCHOR_ALTERED", file=str(self.file), mend=_mend()))

    def write(self, checkpoint: Checkpoint, *, stopped: bool = False) -> None:
        """Remember a checkpoint, down to the disk; not where a newer one is remembered already.

        A venue that was taken over may write late what its follower has gone beyond.
        """
        assert self._key is not None, "only the venue writes its anchor"
        if not self.renewed and self._is_beyond(checkpoint.number):
            return
        covered = read_checkpoint(checkpoint)
        hash_ = checkpoint_hash(checkpoint.data)
        anchored = Anchored(checkpoint.number, hash_, covered.at, stopped)
        anchored = msgspec.structs.replace(anchored, mac=self._mac(anchored, self._key))
        try:
            self.file.parent.mkdir(DIRECTORY_MODE, parents=True, exist_ok=True)
            write_file(self.file, _written(anchored), SECRET_MODE)
        except (KeysError, OSError) as error:
            raise AnchorError(told("ANCHOR_UNWRITTEN", why=str(error))) from None

    def _is_beyond(self, number: int) -> bool:
        try:
            held = self.read()
        except AnchorError:
            # What cannot be read is written anew by who was let in before it was lost.
            return False
        return held is not None and held.number > number

    def note(self, checkpoint: Checkpoint) -> None:
        """Remember a checkpoint soon; nobody waits for it."""
        self._next = checkpoint
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._keep())

    async def settled(self) -> None:
        """Wait until everything that was noted is remembered, or could not be."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _keep(self) -> None:
        try:
            while self._next is not None:
                checkpoint, self._next = self._next, None
                try:
                    await asyncio.to_thread(self.write, checkpoint)
                except AnchorError as error:
                    self.on_trouble(str(error))
        finally:
            self._task = None

    def _mac(self, anchored: Anchored, key: bytes) -> str:
        data = _encode(msgspec.structs.replace(anchored, mac="0" * 64))
        return hmac.digest(key, ANCHOR_DOMAIN + data, "sha256").hex()


def _written(anchored: Anchored) -> bytes:
    return _encode(anchored) + b"\n"


def _mend() -> str:
    """Say how an anchor is put right."""
    return told("ANCHOR_MEND")


async def fault_by(anchored: Anchored, journal: Journal) -> str | None:
    """Say why a journal is not the one that an anchor remembers, or an older one, if it is not."""
    newest = await journal.checkpoints(newest=1)
    last = newest[0].number if newest else 0
    if last < anchored.number:
        return told("ANCHOR_BEYOND", last=last, number=anchored.number)
    found = await journal.checkpoints_after(anchored.number - 1, 1)
    if not found or checkpoint_hash(found[0].data) != anchored.hash:
        return told("ANCHOR_OTHER", number=anchored.number)
    return None


async def check_anchor(anchor: Anchor, journal: Journal) -> Anchored | None:
    """Refuse a journal that is behind its anchor, or has events and no anchor; give the anchor."""
    anchored = anchor.read()
    if anchored is None:
        if await journal.heads():
            raise AnchorError(told("ANCHOR_MISSING", file=str(anchor.file), mend=_mend()))
        return None
    fault = await fault_by(anchored, journal)
    if fault is not None:
        raise AnchorError(told("ANCHOR_BEHIND", why=fault, file=str(anchor.file)))
    return anchored

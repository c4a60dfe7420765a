"""The anchor: the newest checkpoint a venue has signed, stored apart from its journal.

An attacker who restores an older journal, or rewrites one and deletes its checkpoints, cannot make
the anchor agree: it is authenticated by the venue's key. If the anchor is rolled back with it, that
is found by a witness, a terminal or a checkpoint held elsewhere.
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
    """A journal does not agree with its anchor; the sentence says what to do."""


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
    """Give the default directory of a venue's anchor, beside its keys."""
    return keys.with_name(f"{keys.name}.anchor")


class Anchor:
    """The anchor of a venue, in a directory of its own."""

    def __init__(self, directory: Path, sealing: bytes | None) -> None:
        """Make an anchor with the venue's key; without a key its authentication is not checked."""
        self.file = directory / ANCHOR_FILE
        self._key = None if sealing is None else derived(sealing, ANCHOR_DOMAIN)
        #: Whether two persons set it anew, to what may be older.
        self.renewed = False
        #: Called, with why, if the anchor cannot be written.
        self.on_trouble: Callable[[str], None] = lambda _: None
        self._next: Checkpoint | None = None
        self._task: asyncio.Task[None] | None = None

    def read(self) -> Anchored | None:
        """Read the anchor; `None` if there is none."""
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
        """Store a checkpoint, synced to disk, unless a newer one is already stored.

        A venue that was taken over may write late, when its successor has already signed more.
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
            # An anchor that cannot be read is replaced: this venue was checked when it opened.
            return False
        return held is not None and held.number > number

    def note(self, checkpoint: Checkpoint) -> None:
        """Store a checkpoint soon; nothing waits for it."""
        self._next = checkpoint
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._keep())

    async def settled(self) -> None:
        """Wait until every noted checkpoint is stored, or could not be."""
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
    """Say why a journal is not the one of the anchor, or is older; `None` if it agrees."""
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

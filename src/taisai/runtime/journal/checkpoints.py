"""Checkpoints and snapshots: signing them, and checking them against keys and each other.

A checkpoint names the head of every stream, counts all events and carries the hash of the one
before it. A copy of one, held elsewhere, shows whether a stream, or the end of one, has vanished.
Where the heads come from, and when a checkpoint is due, is not known here.
"""

import hashlib
import struct
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from taisai.core.errors import SentenceError
from taisai.core.kernel.messages import Instant
from taisai.core.rules.reason import printable
from taisai.runtime.journal.contract import LAST_INSTANT, Checkpoint, Head, Heads, Snapshot
from taisai.runtime.journal.seals import NOTHING_SEALED, Followed, beginning, chain_of
from taisai.runtime.keys.files import PUBLIC_MODE, read_file, write_file
from taisai.runtime.keys.signing import PublicKeys, Signer
from taisai.wording import told

#: The kind of a signature is part of what is signed, so that none can pass for another kind.
CHECKPOINT_DOMAIN, SNAPSHOT_DOMAIN = b"taisai checkpoint\0", b"taisai snapshot\0"

STREAMS_MAX = 10_000
HASH_BYTES = 32
#: Room for ten thousand streams with the longest names, as JSON in JSON.
CHECKPOINT_FILE_MAX = 8 * 1024 * 1024
#: A checkpoint a minute for a month, of a hundred streams.
PROOF_FILE_MAX = 1024 * 1024 * 1024

_Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}\\Z")]
_Count = Annotated[int, Meta(ge=1)]
_SNAPSHOT_HEADER = struct.Struct(">QI")


class CheckpointError(SentenceError):
    """A checkpoint is not valid; the sentence says why."""


class OtherKeysError(CheckpointError):
    """A checkpoint is signed by a key that is none of those it is checked with."""

    def sentence(self, public: PublicKeys) -> str:
        """Say for a venue that starts which keys it has."""
        return (
            f"{self}; the keys at work here are those of {public.where}, which are of another venue"
            " or of an earlier time: put the venue's keys there, or name their directory"
        )


class Covered(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The content of a checkpoint: all heads at one moment, and the checkpoint before it."""

    number: _Count
    at: Instant
    events: int
    heads: dict[str, tuple[_Count, _Hash]]
    previous: _Hash | None
    #: The number and hash of the last seal by then; ids older than `forgotten` may be missing.
    seals: tuple[int, _Hash]
    forgotten: Instant
    #: The last seal of each chain but the whole venue's, where nodes have any, in their order.
    chains: tuple[tuple[int, _Hash], ...] = ()

    def head(self, stream: str) -> Head:
        """Give the head of a stream at that moment."""
        version, hash_ = self.heads[stream]
        return Head(version, bytes.fromhex(hash_))

    @property
    def followed(self) -> tuple[Followed, ...]:
        """How far each chain of seals had come, the whole venue's first."""
        return tuple(Followed(*each) for each in (self.seals, *self.chains))


class _Written(Struct, frozen=True, forbid_unknown_fields=True):
    """A checkpoint as a file to be held elsewhere."""

    number: int
    key: str
    signature: Annotated[str, Meta(pattern="^[0-9a-f]{128}\\Z")]
    data: str


_encode = msgspec.json.Encoder(order="sorted").encode
_decoder = msgspec.json.Decoder(Covered)


def make_checkpoint(
    at: Instant,
    heads: Heads,
    previous: Checkpoint | None,
    signer: Signer,
    seals: Iterable[Followed] = (NOTHING_SEALED,),
    forgotten: Instant = 0,
) -> Checkpoint:
    """Sign all heads of a venue as they are now, and the last seals, after the checkpoint before.

    Among the chains of seals, the whole venue's comes first.
    """
    number = 1 if previous is None else previous.number + 1
    assert all(head.version > 0 and len(head.hash) == HASH_BYTES for head in heads.values())
    if len(heads) > STREAMS_MAX:
        raise CheckpointError(
            told("CHECKPOINT_STREAMS", count=f"{len(heads):,}", most=f"{STREAMS_MAX:,}")
        )
    whole, *chains = seals
    covered = Covered(
        number=number,
        at=at,
        events=sum(head.version for head in heads.values()),
        heads={stream: (head.version, head.hash.hex()) for stream, head in heads.items()},
        previous=None if previous is None else checkpoint_hash(previous.data),
        seals=whole,
        forgotten=forgotten,
        chains=tuple(chains),
    )
    data = _encode(covered)
    return Checkpoint(number, data, signer.key_id, signer.sign(CHECKPOINT_DOMAIN + data))


def read_checkpoint(checkpoint: Checkpoint) -> Covered:
    """Read a checkpoint without checking its signature; only the canonical form is accepted."""
    try:
        covered = _decoder.decode(checkpoint.data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        said = told("CHECKPOINT_UNREADABLE", number=checkpoint.number, why=str(error))
        raise CheckpointError(said) from None
    if fault := _fault(checkpoint, covered):
        raise CheckpointError(told("CHECKPOINT_UNSOUND", number=checkpoint.number, why=fault))
    return covered


def check_checkpoint(
    checkpoint: Checkpoint, public: PublicKeys | None, previous: Checkpoint | None = None
) -> Covered:
    """Check a checkpoint's signature, and that it follows on the one before, if that is given.

    The one before must have been checked itself. Without public keys no signature is checked.
    """
    number = checkpoint.number
    if public is not None:
        _check_signature(checkpoint, public)
    covered = read_checkpoint(checkpoint)
    if previous is not None:
        fault = _fault_after(covered, read_checkpoint(previous), previous)
        if public is not None:
            fault = fault or _key_fault(checkpoint, previous, public)
        if fault:
            before = previous.number
            raise CheckpointError(
                told("CHECKPOINT_NOT_NEXT", number=number, before=before, why=fault)
            )
    return covered


def _check_signature(checkpoint: Checkpoint, public: PublicKeys) -> None:
    number = checkpoint.number
    if public.position(checkpoint.key) is None:
        key = repr(printable(checkpoint.key))
        raise OtherKeysError(told("CHECKPOINT_KEY", number=number, key=key))
    signed = CHECKPOINT_DOMAIN + checkpoint.data
    if not public.verify(checkpoint.key, signed, checkpoint.signature):
        raise CheckpointError(told("CHECKPOINT_UNSIGNED", number=number, key=checkpoint.key))


def sign_snapshot(stream: str, version: int, head: bytes, data: bytes, signer: Signer) -> Snapshot:
    """Sign a stream's state together with its head."""
    assert len(head) == HASH_BYTES
    signature = signer.sign(_snapshot_part(stream, version, head, data))
    return Snapshot(stream, version, head, data, signer.key_id, signature)


def check_snapshot(snapshot: Snapshot, public: PublicKeys) -> bool:
    """Say whether a key of this venue has signed the snapshot as it is."""
    stream, version, head, data, key, signature = snapshot
    if len(head) != HASH_BYTES or not 0 <= version < 2**64:
        return False
    return public.verify(key, _snapshot_part(stream, version, head, data), signature)


def write_checkpoint_file(checkpoint: Checkpoint, file: Path) -> None:
    """Write a checkpoint to a file of its own, whole or not at all, to be held elsewhere."""
    written = _Written(
        number=checkpoint.number,
        key=checkpoint.key,
        signature=checkpoint.signature.hex(),
        data=checkpoint.data.decode(),
    )
    write_file(file, msgspec.json.format(msgspec.json.encode(written)) + b"\n", PUBLIC_MODE)


def write_proof_file(between: Sequence[Checkpoint], file: Path) -> None:
    """Write checkpoints that follow on each other to a file, a JSON object a line."""
    lines = (
        _Written(each.number, each.key, each.signature.hex(), each.data.decode())
        for each in between
    )
    write_file(file, b"".join(msgspec.json.encode(line) + b"\n" for line in lines), PUBLIC_MODE)


def read_proof_file(file: Path) -> list[Checkpoint]:
    """Read, and do not check, checkpoints that follow on each other."""
    data = read_file(file, secret=False, most=PROOF_FILE_MAX)
    return [_read(line, f"{file}, line {at}") for at, line in enumerate(data.splitlines(), 1)]


def read_checkpoint_file(file: Path) -> Checkpoint:
    """Read, and do not check, a checkpoint that was held elsewhere."""
    return _read(read_file(file, secret=False, most=CHECKPOINT_FILE_MAX), str(file))


def _read(data: bytes, where: str) -> Checkpoint:
    try:
        written = msgspec.json.decode(data, type=_Written)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise CheckpointError(f"{where} is no checkpoint: {error}") from None
    signature = bytes.fromhex(written.signature)
    return Checkpoint(written.number, written.data.encode(), written.key, signature)


def _fault(checkpoint: Checkpoint, covered: Covered) -> str | None:
    if _encode(covered) != checkpoint.data:
        return told("CHECKPOINT_FORM")
    if covered.number != checkpoint.number:
        return told("CHECKPOINT_NUMBER", number=covered.number)
    if (covered.previous is None) != (covered.number == 1):
        return told("CHECKPOINT_FIRST")
    if not 0 <= covered.at <= LAST_INSTANT:
        return told("CHECKPOINT_TIME", at=covered.at)
    if len(covered.heads) > STREAMS_MAX:
        count = f"{len(covered.heads):,}"
        return told("CHECKPOINT_COVERS", count=count, most=f"{STREAMS_MAX:,}")
    if covered.events != sum(version for version, _ in covered.heads.values()):
        return told("CHECKPOINT_COUNT")
    chains = [chain_of(number) for number, _ in covered.followed]
    if chains[0] or chains != sorted(set(chains)):
        return told("CHECKPOINT_CHAINS")
    return None


def _fault_after(covered: Covered, before: Covered, previous: Checkpoint) -> str | None:
    """Find why a checkpoint does not follow on the one before; signatures are not checked."""
    if covered.number != before.number + 1:
        return told("CHECKPOINT_EXPECTED", number=before.number + 1)
    if covered.previous != checkpoint_hash(previous.data):
        return told("CHECKPOINT_OTHER_BEFORE")
    if covered.at < before.at:
        return told("CHECKPOINT_EARLIER")
    sealed = {chain_of(each.number): each for each in covered.followed}
    shrank = any(
        sealed.get(chain_of(each.number), beginning(0)).number < each.number
        for each in before.followed
    )
    if shrank or covered.forgotten < before.forgotten:
        return told("CHECKPOINT_SEALS_EARLIER")
    return next(_missing(before, covered), None)


def _key_fault(checkpoint: Checkpoint, previous: Checkpoint, public: PublicKeys) -> str | None:
    """Find a key that signs after its successor: it should have been destroyed."""
    position, before = public.position(checkpoint.key), public.position(previous.key)
    if before is None:
        return told("CHECKPOINT_KEY_BEFORE", key=repr(printable(previous.key)))
    if position is None or position < before:
        return told("CHECKPOINT_KEY_ROTATED", key=checkpoint.key)
    return None


def _missing(before: Covered, covered: Covered) -> Iterator[str]:
    """Find what a checkpoint lacks of the one before it: streams, ends of streams, heads.

    Whether a stream that has grown is still the same can only be seen by reading it.
    """
    for stream, (version, hash_) in before.heads.items():
        of = {"stream": stream, "who": told("WHO_CHECKPOINT", number=before.number)}
        if stream not in covered.heads:
            yield told("FAULT_GONE", version=version, **of)
            continue
        now, found = covered.heads[stream]
        if now < version:
            yield told("FAULT_END_VOUCHED", version=now, vouched=version, **of)
        elif now == version and found != hash_:
            yield told("FAULT_ANOTHER", version=version, found=found, expected=hash_, **of)


def _snapshot_part(stream: str, version: int, head: bytes, data: bytes) -> bytes:
    name = stream.encode()
    header = _SNAPSHOT_HEADER.pack(version, len(name))
    return b"".join((SNAPSHOT_DOMAIN, header, name, head, hashlib.sha256(data).digest()))


def checkpoint_hash(data: bytes) -> str:
    """Give the hash by which the next checkpoint, an anchor or a witness names this one."""
    return hashlib.sha256(data).hexdigest()

"""Checking checkpoints and snapshots: signed by the venue, in order, of this journal.

A checkpoint's heads are compared with the streams as they are read, and a snapshot with the state
that its stream has at its version. Only the hashes to compare are kept in memory until then.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from taisai.core.kernel.messages import Instant
from taisai.core.snapshots import SnapshotError
from taisai.runtime.journal.checkpoints import (
    CheckpointError,
    Covered,
    check_checkpoint,
    check_snapshot,
)
from taisai.runtime.journal.contract import Checkpoint, Heads, Journal, Snapshot
from taisai.runtime.keys.signing import PublicKeys
from taisai.runtime.streams import kind_of, table_of
from taisai.runtime.verification.report import Fault
from taisai.wording import told

#: No journal has higher numbers.
_NUMBER_END = 2**62


class Vouched(NamedTuple):
    """A stream's head in a checkpoint: its hash at a version, and the checkpoint's time."""

    version: int
    hash: str
    number: int
    at: Instant
    who: str


class Taken(NamedTuple):
    """A snapshot with a valid signature: where it was taken, and the hash of its content."""

    version: int
    head: bytes
    digest: bytes


class Checkpoints:
    """All checkpoints of a journal, followed from the first to the newest."""

    def __init__(self, public: PublicKeys | None) -> None:
        self._public = public
        self.count = 0
        self.newest: tuple[Checkpoint, Covered] | None = None
        self.vouched: dict[str, list[Vouched]] = {}
        #: The hash of each seal that was the last when a checkpoint was signed.
        self.seals: dict[int, str] = {}

    def follow(self, checkpoints: Sequence[Checkpoint]) -> Iterator[Fault]:
        """Check each checkpoint by its signature and by the one before it."""
        for checkpoint in checkpoints:
            previous = None if self.newest is None else self.newest[0]
            number = 1 if previous is None else previous.number + 1
            if checkpoint.number != number:
                numbers = {"number": number, "next": checkpoint.number}
                yield checkpoint_fault(number, told("FAULT_CHECKPOINT_MISSING", **numbers))
                return
            try:
                covered = check_checkpoint(checkpoint, self._public, previous)
            except CheckpointError as error:
                yield checkpoint_fault(checkpoint.number, str(error))
                return
            self.newest = checkpoint, covered
            self.count += 1
            for sealed in covered.followed:
                self.seals.setdefault(*sealed)
            self.expect(covered, told("WHO_CHECKPOINT", number=number))

    def expect(self, covered: Covered, who: str) -> None:
        """Note the heads of a checkpoint, by stream in order of version."""
        for stream, (version, hash_) in covered.heads.items():
            known = self.vouched.setdefault(stream, [])
            if not known or known[-1].version != version or known[-1].hash != hash_:
                known.append(Vouched(version, hash_, covered.number, covered.at, who))


async def check_held(
    held: Checkpoint, journal: Journal, public: PublicKeys | None
) -> tuple[Covered | None, list[Fault]]:
    """Check a checkpoint that was held elsewhere; the journal must have the same by its number."""
    try:
        covered = check_checkpoint(held, public)
    except CheckpointError as error:
        return None, [checkpoint_fault(held.number, told("FAULT_HELD", why=str(error)))]
    own = await checkpoint_of(journal, held.number)
    if own is None:
        last = sum(newest.number for newest in await journal.checkpoints(newest=1))
        said = told("FAULT_HELD_GONE", number=held.number, last=last)
        return covered, [checkpoint_fault(held.number, said)]
    if own.data != held.data:
        said = told("FAULT_HELD_OTHER", number=held.number)
        return covered, [checkpoint_fault(held.number, said)]
    return covered, []


async def checkpoint_of(journal: Journal, number: int) -> Checkpoint | None:
    """Find a checkpoint by its number in a journal as it is now."""
    if not 0 < number < _NUMBER_END:
        return None
    found = await journal.checkpoints_after(number - 1, 1)
    return found[0] if found and found[0].number == number else None


async def stray_snapshots(journal: Journal, heads: Heads) -> list[Fault]:
    """Find snapshots of streams that do not exist."""
    strays = [each for each in await journal.snapshot_streams() if each not in heads]
    return [
        snapshot_fault(stream, snapshot.version, told("SNAPSHOT_OF_NOTHING"))
        for stream in strays
        for snapshot in await journal.snapshots(stream)
    ]


class Snapshots(NamedTuple):
    """A stream's snapshots: their faults and remarks, and those to be compared."""

    there: int
    taken: list[Taken]
    faults: list[Fault]
    notes: list[str]


async def look_at_snapshots(journal: Journal, stream: str, public: PublicKeys | None) -> Snapshots:
    """Check the signatures of a stream's snapshots; their content is compared in the replay."""
    found = await journal.snapshots(stream)
    looked = Snapshots(len(found), [], [], [])
    for snapshot in found:
        version = snapshot.version
        if public is not None and not check_snapshot(snapshot, public):
            looked.faults.append(snapshot_fault(stream, version, _not_signed(snapshot, public)))
            continue
        try:
            _read_through(snapshot)
        except SnapshotError as error:
            fault = snapshot_fault(stream, version, str(error))
            if public is None:
                looked.faults.append(fault)
            else:
                # It is as signed, so not damaged: made by another program version, and not used.
                looked.notes.append(told("NOTE_NOT_COMPARED", why=fault.sentence))
            continue
        digest = hashlib.sha256(snapshot.data).digest()
        looked.taken.append(Taken(version, snapshot.head, digest))
    return looked


def _read_through(snapshot: Snapshot) -> None:
    """Decode a snapshot as far as possible without the events that it refers to."""
    kind = kind_of(snapshot.stream)
    if table_of(snapshot.stream) is not None:
        kind.needed(snapshot.data)
    else:
        kind.unpack(snapshot.data, {}, b"")


def _not_signed(snapshot: Snapshot, public: PublicKeys) -> str:
    if public.position(snapshot.key) is None:
        return told("SNAPSHOT_KEY", key=repr(snapshot.key))
    return told("SNAPSHOT_UNSIGNED", key=snapshot.key)


def checkpoint_fault(number: int, sentence: str) -> Fault:
    """Give the fault of a checkpoint."""
    return Fault("checkpoint", sentence, checkpoint=number)


def snapshot_fault(stream: str, version: int, said: str) -> Fault:
    """Give the fault of a snapshot."""
    sentence = told("FAULT_SNAPSHOT", stream=stream, version=version, why=said)
    return Fault("snapshot", sentence, stream=stream, version=version)

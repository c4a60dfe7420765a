"""Proof that one checkpoint follows on another: by the checkpoints between, and by the events.

Each checkpoint carries the hash of the one before it. So the ones between two of them prove that
the newer follows on the older, to anyone who has both and the public keys, and nothing else. With
the journal, each stream is also followed from the older head to the newer.
"""

from collections.abc import Sequence

from taisai.runtime.journal.checkpoints import (
    CheckpointError,
    Covered,
    check_checkpoint,
    read_checkpoint,
)
from taisai.runtime.journal.contract import Checkpoint, Head, Journal, genesis, sound_links
from taisai.runtime.keys.signing import PublicKeys


class InconsistentError(CheckpointError):
    """Two checkpoints are not of one history; the sentence says where they diverge."""


def check_between(
    old: Checkpoint, new: Checkpoint, between: Sequence[Checkpoint], public: PublicKeys | None
) -> None:
    """Check that a checkpoint follows on an older one through those between them."""
    check_checkpoint(old, public)
    check_checkpoint(new, public)
    if new.number < old.number:
        raise InconsistentError(
            f"checkpoint {new.number} is older than checkpoint {old.number}, which was seen before"
        )
    if new.number == old.number:
        if new.data != old.data:
            raise InconsistentError(f"there are two checkpoints {new.number}: two histories")
        return
    if between and between[-1] != new:
        raise InconsistentError(f"the proof does not end with checkpoint {new.number}")
    previous = old
    for each in between or (new,):
        check_checkpoint(each, public, previous)
        previous = each


async def checkpoints_between(
    journal: Journal, old: Checkpoint, new: Checkpoint
) -> list[Checkpoint]:
    """Give the checkpoints of a journal after the older, up to and including the newer."""
    found: list[Checkpoint] = []
    number = old.number
    while number < new.number and (page := await journal.checkpoints_after(number)):
        found += [each for each in page if each.number <= new.number]
        number = page[-1].number
    return found


async def check_streams(journal: Journal, old: Checkpoint, new: Checkpoint) -> int:
    """Follow each stream of a journal from the older head to the newer; give how many events."""
    before, after = read_checkpoint(old), read_checkpoint(new)
    followed = 0
    for stream in after.heads:
        followed += await _follow(journal, stream, before, after)
    return followed


async def _follow(journal: Journal, stream: str, before: Covered, after: Covered) -> int:
    first = before.head(stream) if stream in before.heads else genesis(stream)
    last, head = after.head(stream), first
    async for page in journal.read(stream, after=first.version, upto=last.version):
        head, sound = sound_links(head, page)
        if sound < len(page):
            break
    if head != Head(*last):
        raise InconsistentError(
            f"{stream} does not lead from version {first.version} of checkpoint {before.number} to"
            f" version {last.version} of checkpoint {after.number}: it breaks after {head.version}"
        )
    return last.version - first.version

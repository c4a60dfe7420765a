"""Opening a house on what its journal holds: every stream read back, broken ones named, not opened.

The newest checkpoint is trusted once its signature is checked; the chain before it is checked in
the background, and the pit is told how that came out.
"""

import logging
from collections.abc import AsyncIterator
from typing import NamedTuple

from taisai.core.kernel.messages import Instant
from taisai.runtime.journal.checkpoints import (
    CheckpointError,
    Covered,
    check_checkpoint,
)
from taisai.runtime.journal.contract import Checkpoint, Journal, JournalError
from taisai.runtime.journal.record import Head
from taisai.runtime.keys import HouseKeys
from taisai.runtime.recovery import BrokenChainError, Recovered, recover, verify_before
from taisai.runtime.streams import CAGE, HOUSE, kind_of

_log = logging.getLogger(__name__)


class HouseError(Exception):
    """The house cannot be opened; the sentence says why."""


class Started(NamedTuple):
    """What a journal came to: streams read back, streams that break and where, the newest time."""

    streams: dict[str, Recovered]
    broken: dict[str, str]
    newest: Checkpoint | None
    covered: Covered | None
    at: Instant

    @property
    def heads(self) -> dict[str, Head]:
        """The heads to sign from now on: a stream that breaks keeps the one that was signed."""
        signed = () if self.covered is None else self.covered.heads
        heads = {} if self.covered is None else {each: self.covered.head(each) for each in signed}
        read = {name: each.head for name, each in self.streams.items() if each.head.version}
        return heads | read


async def read_back(journal: Journal, keys: HouseKeys) -> Started:
    """Read every stream back; one that does not verify is left out, with where it breaks."""
    newest, covered = await _newest(journal, keys)
    try:
        heads = await journal.heads()
    except (JournalError, UnicodeError) as error:
        raise HouseError(f"the streams of the journal cannot be listed: {error}") from error
    signed = {} if covered is None else {each: covered.head(each) for each in covered.heads}
    streams: dict[str, Recovered] = {}
    broken: dict[str, str] = {}
    for stream in sorted({HOUSE, CAGE, *heads, *signed}):
        try:
            streams[stream] = await recovered(journal, keys, stream, signed.get(stream))
        except BrokenChainError as error:
            _log.error("%s", error)
            broken[stream] = str(error)
        except Exception as error:  # noqa: BLE001 - logged, and its table stays shut
            # Whatever one stream trips over, the others go on.
            _log.exception("%s cannot be read back", stream)
            broken[stream] = f"{stream} cannot be read back: {type(error).__name__}: {error}"
    if HOUSE in broken:
        raise HouseError(f"the house's own stream does not verify: {broken[HOUSE]}")
    at = max((each.at for each in streams.values()), default=0)
    return Started(streams, broken, newest, covered, at if covered is None else max(at, covered.at))


async def recovered(
    journal: Journal, keys: HouseKeys, stream: str, signed: Head | None
) -> Recovered:
    """Read one stream back."""
    return await recover(journal, stream, kind_of(stream), keys.voucher, keys.public, signed)


async def _newest(
    journal: Journal, keys: HouseKeys
) -> tuple[Checkpoint, Covered] | tuple[None, None]:
    """Find the newest checkpoint, and check who signed it."""
    for checkpoint in await journal.checkpoints(newest=1):
        try:
            return checkpoint, check_checkpoint(checkpoint, keys.public)
        except CheckpointError as error:
            raise HouseError(str(error)) from error
    return None, None


class Verified(NamedTuple):
    """How checking a stream from its beginning came out: sound, broken, or not to be said."""

    stream: str
    head: Head
    broken: str | None = None
    unread: str | None = None


async def verify_rest(journal: Journal, covered: Covered) -> AsyncIterator[Verified]:
    """Check each stream's chain from its beginning up to the newest checkpoint."""
    for stream in covered.heads:
        head = covered.head(stream)
        try:
            await verify_before(journal, stream, head)
        except BrokenChainError as error:
            yield Verified(stream, head, broken=str(error))
        except JournalError as error:
            yield Verified(stream, head, unread=str(error))
        else:
            yield Verified(stream, head)

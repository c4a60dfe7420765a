"""Reading a stream back: the newest sound snapshot, then every event since, with the chain checked.

Before the stream is used, its chain is checked from the newest signed checkpoint on, and from the
snapshot on; the chain before that is checked in the background by `verify_before`.
"""

import asyncio
import logging
import struct
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from taisai.core.errors import SentenceError, require_checks
from taisai.core.kernel.messages import Instant
from taisai.core.snapshots import SnapshotError
from taisai.runtime.answers import AHEAD_MS
from taisai.runtime.journal.checkpoints import (
    CheckpointError,
    Covered,
    OtherKeysError,
    check_checkpoint,
    check_snapshot,
)
from taisai.runtime.journal.contract import (
    Checkpoint,
    Head,
    Heads,
    Journal,
    JournalError,
    Record,
    Snapshot,
    genesis,
    link_of,
    sound_links,
)
from taisai.runtime.journal.seals import Tail
from taisai.runtime.keys.signing import PublicKeys, VenueKeys
from taisai.runtime.known_ids import Key, key_of
from taisai.runtime.streams import CAGE, VENUE, Kind, kind_of
from taisai.wording import told


class BrokenChainError(SentenceError):
    """A stream does not verify; the sentence says where it breaks."""


class Recovered(NamedTuple):
    """A stream read back: its state and head, when it last changed, and from which snapshot."""

    state: Any
    head: Head
    at: Instant
    snapshot_at: int
    replayed: int
    notices: tuple[str, ...]


def check_links(before: Head, page: Sequence[Record]) -> Head:
    """Check that records follow on a head, one by one; give the head after them."""
    head, sound = sound_links(before, page)
    if sound < len(page):
        record = page[sound]
        raise BrokenChainError(_fault_at(head, record))
    return head


def _fault_at(head: Head, record: Record) -> str:
    stream, version = record.stream, record.version
    if version != head.version + 1:
        return told("FAULT_MISSING", stream=stream, version=head.version + 1, next=version)
    try:
        expected = link_of(head.hash, record).hex()
    except struct.error as error:
        # A number too large for the hashed header: no record was ever written with it.
        return told("FAULT_BREAKS", stream=stream, version=version, why=str(error))
    hashes = {"found": f"{record.hash.hex()[:16]}…", "expected": f"{expected[:16]}…"}
    return told("FAULT_BREAKS", stream=stream, version=version, why=told("OTHER_HASH", **hashes))


class _Start(NamedTuple):
    state: Any
    head: Head
    notices: tuple[str, ...]


async def recover(
    journal: Journal,
    keys: VenueKeys,
    stream: str,
    signed: Head | None,
    known: Head | None,
    *,
    shared: bool = False,
) -> Recovered:
    """Read a stream back from the newest sound snapshot; `signed` is its head by a checkpoint.

    `known` is its end, by a checkpoint or a seal: no record may follow, even a chained one.
    If the journal is `shared`, other nodes may append meanwhile, so it is read only up to `known`.

    [ts6 5.4, 5.4.1, 5.4.2; etg8 5.1, 5.1.1, 5.1.2]
    """
    kind = kind_of(stream)
    upto = (known or genesis(stream)).version if shared else None
    start = await _start(journal, stream, kind, keys, upto)
    state, head, at, replayed = start.state, start.head, 0, 0
    # If the snapshot is newer than the checkpoint, the events between them are checked too.
    older = None if signed is None or signed.version >= head.version else signed
    if older is not None and not await _leads_to(journal, stream, older, head):
        raise BrokenChainError(told("FAULT_NO_SNAPSHOT_EVENT", stream=stream, version=head.version))
    async for page in journal.read(stream, after=head.version, upto=upto):
        before = head
        head = check_links(before, page)
        if signed is not None and before.version < signed.version <= head.version:
            _check_signed(stream, page[signed.version - before.version - 1], signed)
        for record in page:
            _replay(state, kind, record)
        at, replayed = page[-1].at, replayed + len(page)
    if signed is not None and head.version < signed.version:
        raise BrokenChainError(_short(stream, head, signed))
    if head != (known or genesis(stream)):
        raise BrokenChainError(_not_known(stream, head, known or genesis(stream)))
    if not at and head.version:
        at = (await journal.records(stream, [head.version]))[0].at
    return Recovered(state, head, at, start.head.version, replayed, start.notices)


def _not_known(stream: str, head: Head, known: Head) -> str:
    if head.version < known.version:
        return _short(stream, head, known)
    if head.version > known.version:
        why = told("NOT_SEALED")
        return told("FAULT_BREAKS", stream=stream, version=known.version + 1, why=why)
    why = told("OTHER_SEALED")
    return told("FAULT_BREAKS", stream=stream, version=head.version, why=why)


def _short(stream: str, head: Head, known: Head) -> str:
    return told("FAULT_END_KNOWN", stream=stream, version=head.version, known=known.version)


def _replay(state: Any, kind: Kind[Any], record: Record) -> None:
    try:
        kind.evolve(state, kind.read(record))
    except Exception as error:
        why = told("REPLAY_FAILS", why=f"{type(error).__name__}: {error}")
        said = told("FAULT_WRONG", stream=record.stream, version=record.version, why=why)
        raise BrokenChainError(said) from error


def _check_signed(stream: str, record: Record, signed: Head) -> None:
    if record.hash != signed.hash:
        found, expected = f"{record.hash.hex()[:16]}…", f"{signed.hash.hex()[:16]}…"
        why = told("OTHER_SIGNED", found=found, expected=expected)
        raise BrokenChainError(told("FAULT_BREAKS", stream=stream, version=record.version, why=why))


async def _leads_to(journal: Journal, stream: str, first: Head, last: Head) -> bool:
    """Say whether the chain leads from one head to another; raises if it breaks between them."""
    async for page in journal.read(stream, after=first.version, upto=last.version):
        first = check_links(first, page)
    return first == last


async def _start(
    journal: Journal, stream: str, kind: Kind[Any], keys: VenueKeys, upto: int | None
) -> _Start:
    """Find the newest snapshot that is signed, whole and of this chain, or start from nothing."""
    notices: list[str] = []
    for snapshot in await journal.snapshots(stream):
        if upto is not None and snapshot.version > upto:
            continue
        fault = await _fault_of(journal, snapshot, keys.public)
        if fault is None:
            try:
                rounds = await _rounds(journal, stream, kind, snapshot)
                state = kind.unpack(snapshot.data, rounds, keys.voucher)
                return _Start(state, Head(snapshot.version, snapshot.head), tuple(notices))
            except SnapshotError as error:
                fault = str(error)
        version = snapshot.version
        notices.append(told("FAULT_SNAPSHOT", stream=stream, version=version, why=fault))
    return _Start(kind.fresh(keys.voucher), genesis(stream), tuple(notices))


async def _fault_of(journal: Journal, snapshot: Snapshot, public: PublicKeys) -> str | None:
    if not check_snapshot(snapshot, public):
        return told("SNAPSHOT_SIGNATURE")
    found = await journal.records(snapshot.stream, [snapshot.version])
    if not found or found[0].hash != snapshot.head:
        return told("SNAPSHOT_OTHER_EVENT")
    return None


async def _rounds(
    journal: Journal, stream: str, kind: Kind[Any], snapshot: Snapshot
) -> Mapping[int, Any]:
    """Read the events that a snapshot names, each checked against the hash before it."""
    needed = kind.needed(snapshot.data)
    records = await journal.records(stream, needed)
    before = await journal.records(stream, [version - 1 for version in needed if version > 1])
    hashes = {record.version + 1: record.hash for record in before} | {1: genesis(stream).hash}
    try:
        for record in records:
            check_links(Head(record.version - 1, hashes[record.version]), [record])
        return {record.version: kind.read(record) for record in records}
    except (BrokenChainError, JournalError, LookupError, msgspec.MsgspecError) as error:
        raise SnapshotError(f"an event that it names does not verify: {error}") from error


async def verify_before(journal: Journal, stream: str, upto: Head) -> None:
    """Check the chain from its beginning to a head that is trusted."""
    if not await _leads_to(journal, stream, genesis(stream), upto):
        raise BrokenChainError(
            told("FAULT_BREAKS", stream=stream, version=upto.version, why=told("NOT_AS_SIGNED"))
        )


_log = logging.getLogger(__name__)


class StartupError(SentenceError):
    """The venue cannot be opened; the sentence says why."""


class Ahead(NamedTuple):
    """The answered ids that say a later time than `at`, by stream and key, each with its time."""

    at: Instant
    ids: Mapping[str, Mapping[Key, Instant]]


async def read_ahead(journal: Journal, streams: Collection[str], now: Instant) -> Ahead | None:
    """Read the answered ids of these streams that are ahead of the clock; `None` if it fails.

    There are few: they were made by clocks ahead of the venue's, and shortly before [D15].
    """
    if len(f"{now}") < len(f"{now + AHEAD_MS}"):
        # With a digit more, later ids come earlier as texts, and would not be found.
        return None
    try:
        found = await journal.issued_after(streams, now)
    except (JournalError, UnicodeError) as error:
        # No reason to keep a table shut: its ids are looked up until none can be ahead.
        _log.error("ids that are ahead of the clock cannot be read: %s", error)
        return None
    ids: dict[str, dict[Key, Instant]] = {stream: {} for stream in streams}
    for each in found:
        ids[each.stream][key_of(each.sender, each.id)] = each.issued
    return Ahead(now, ids)


class Started(NamedTuple):
    """A journal read back: its streams, those that break and where, and the newest time."""

    streams: dict[str, Recovered]
    broken: dict[str, str]
    newest: Checkpoint | None
    covered: Covered | None
    at: Instant
    tail: Tail
    #: Read once the venue has its time.
    ahead: Ahead | None = None

    @property
    def unsigned(self) -> int:
        """How many events no checkpoint covers yet."""
        there = sum(each.version for each in self.heads.values())
        return there - (0 if self.covered is None else self.covered.events)

    @property
    def heads(self) -> dict[str, Head]:
        """The heads to sign from now on: a broken stream keeps its last signed head."""
        signed = () if self.covered is None else self.covered.heads
        heads = {} if self.covered is None else {each: self.covered.head(each) for each in signed}
        read = {name: each.head for name, each in self.streams.items() if each.head.version}
        return heads | read


async def read_back(
    journal: Journal,
    keys: VenueKeys,
    *,
    shared: bool = False,
    only: frozenset[str] | None = None,
) -> Started:
    """Read every stream back; for one that does not verify, give where it breaks instead.

    If the journal is `shared`, other nodes may write meanwhile: it is read as far as it is sealed.
    `only` names the streams to read; without it all are read.
    """
    require_checks()
    newest, covered = await _newest(journal, keys)
    try:
        heads = await journal.heads()
    except (JournalError, UnicodeError) as error:
        raise StartupError(f"the streams of the journal cannot be listed: {error}") from error
    if heads and covered is None:
        raise StartupError(
            "the journal holds events and no checkpoint, and a venue signs one before its first"
            " event: put the journal back as it was, or restore a backup by two persons"
            " (taisai restore)"
        )
    signed = {} if covered is None else {each: covered.head(each) for each in covered.heads}
    tail = await _tail(journal, keys, covered, signed, journal.chain)
    streams: dict[str, Recovered] = {}
    broken: dict[str, str] = {}
    found = {VENUE, CAGE, *(() if shared else heads), *tail.heads}
    for stream in sorted(found if only is None else found & only):
        known, was = tail.heads.get(stream), signed.get(stream)
        try:
            streams[stream] = await recover(journal, keys, stream, was, known, shared=shared)
        except BrokenChainError as error:
            _log.error("%s", error)
            broken[stream] = str(error)
        except Exception as error:  # noqa: BLE001 - logged, and its table stays shut
            # A fault in one stream must not stop the others.
            _log.exception("%s cannot be read back", stream)
            why = f"{type(error).__name__}: {error}"
            broken[stream] = told("STREAM_UNREADABLE", stream=stream, why=why)
    if VENUE in broken:
        raise StartupError(f"the venue's own stream does not verify: {broken[VENUE]}")
    at = max((each.at for each in streams.values()), default=0)
    at = at if covered is None else max(at, covered.at)
    return Started(streams, broken, newest, covered, at, tail)


async def _tail(
    journal: Journal, keys: VenueKeys, covered: Covered | None, signed: Heads, chain: int
) -> Tail:
    """Follow the seals from the newest checkpoint on; only the heads that they seal count."""
    followed = () if covered is None else covered.followed
    tail = Tail(keys.sealing, followed, signed, chain)
    try:
        await tail.catch_up(journal)
    except JournalError as error:
        raise StartupError(
            f"what was written since the newest checkpoint does not verify: {error}; put the"
            " journal back as it was, or restore a backup by two persons (taisai restore)"
        ) from error
    return tail


async def _newest(
    journal: Journal, keys: VenueKeys
) -> tuple[Checkpoint, Covered] | tuple[None, None]:
    """Find the newest checkpoint, and check who signed it."""
    for checkpoint in await journal.checkpoints(newest=1):
        try:
            return checkpoint, check_checkpoint(checkpoint, keys.public)
        except OtherKeysError as error:
            raise StartupError(error.sentence(keys.public)) from error
        except CheckpointError as error:
            raise StartupError(str(error)) from error
    return None, None


class ChainCheck:
    """Checks every chain up to the newest checkpoint in the background, and announces the outcome.

    `announce` gets a stream, a code and a sentence; `suspend` gets a broken stream, and why.
    """

    def __init__(
        self,
        journal: Journal,
        announce: Callable[[str, str, str], None],
        suspend: Callable[[str, str], None],
    ) -> None:
        self._journal = journal
        self._announce = announce
        self._suspend = suspend
        self.done = asyncio.Event()
        #: Streams that break before the checkpoint, each with its head by the checkpoint.
        self._unsound: dict[str, Head] = {}

    async def run(self, covered: Covered | None) -> None:
        """Check each stream's chain from its beginning."""
        try:
            if covered is not None:
                for stream in covered.heads:
                    await self._check(stream, covered.head(stream))
                streams = ", ".join(self._unsound)
                code = "NOTICE_UNSOUND" if self._unsound else "NOTICE_SOUND"
                self._announce(VENUE, "verified", told(code, streams=streams))
        except Exception as error:  # noqa: BLE001 - announced, logged
            _log.exception("the journal could not be checked")
            self._announce(VENUE, "unverified", told("NOTICE_UNCHECKED", why=str(error)))
        finally:
            self.done.set()

    async def _check(self, stream: str, head: Head) -> None:
        try:
            await verify_before(self._journal, stream, head)
        except BrokenChainError as error:
            self._unsound[stream] = head
            self._suspend(stream, str(error))
        except JournalError as error:
            self._announce(stream, "unverified", str(error))
        else:
            said = told("NOTICE_CHAIN_SOUND", version=head.version)
            self._announce(stream, "verified", said)

    async def check_again(self, stream: str) -> None:
        """Check again a stream that was found broken, before it is read back."""
        if stream in self._unsound:
            await verify_before(self._journal, stream, self._unsound[stream])
            del self._unsound[stream]

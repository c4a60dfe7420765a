"""The contract of every journal, whatever its backend: append whole, read back, never rewrite.

A backend knows streams, versions and bytes. It knows no game, no clock and no retry: the caller
decides what a failure means for a table.

Each record is chained to the one before by SHA-256. A record's hash covers everything about it: its
stream (through the first link), its version, the shape and time it was written in, its cause, and
the event itself, byte for byte.
"""

import hashlib
import struct
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple, Protocol

from taisai.core.errors import SentenceError
from taisai.core.kernel.messages import Instant

#: The shape in which events are written; no other is read.
SHAPE = 1
#: The last moment of the year 9999, in milliseconds: no later one can be written as a date.
LAST_INSTANT = 253_402_300_799_999
#: The header of a record, hashed before its content: version, time, shape, and two lengths.
HEADER = struct.Struct(">QqHII")
#: Copied for every record: to make a new one takes longer than to hash a record.
_sha256 = hashlib.sha256()


class Record(NamedTuple):
    """An event as the journal stores it; `cause` is set on the first event of a decision."""

    stream: str
    version: int
    shape: int
    at: Instant
    cause: bytes | None
    data: bytes
    hash: bytes


class Head(NamedTuple):
    """The end of a stream: how many events it holds, and the hash of the last."""

    version: int
    hash: bytes


def genesis(stream: str) -> Head:
    """Give the head of an empty stream; its name is the start of the chain."""
    return Head(0, hashlib.sha256(f"taisai stream {stream}".encode()).digest())


def chained(
    before: bytes, version: int, shape: int, at: Instant, cause: bytes | None, data: bytes
) -> bytes:
    """Give the bytes that the hash of a record covers."""
    # Length plus one, so that an empty cause differs from none.
    header = HEADER.pack(version, at, shape, 0 if cause is None else len(cause) + 1, len(data))
    return b"".join((before, header, cause or b"", data))


def link(
    before: bytes, version: int, shape: int, at: Instant, cause: bytes | None, data: bytes
) -> bytes:
    """Chain a record to the hash before it."""
    # The same bytes as `chained` gives, without another call for each record.
    caused = b"" if cause is None else cause
    header = HEADER.pack(version, at, shape, 0 if cause is None else len(cause) + 1, len(data))
    hash_ = _sha256.copy()
    hash_.update(b"".join((before, header, caused, data)))
    return hash_.digest()


def link_of(before: bytes, record: Record) -> bytes:
    """Compute what a record's hash must be, after the hash before it."""
    return link(before, record.version, record.shape, record.at, record.cause, record.data)


def sound_links(before: Head, page: Sequence[Record]) -> tuple[Head, int]:
    """Follow a chain through a page; give the last sound head, and how many records are sound."""
    version, hash_ = before
    sound, pack, begin = 0, HEADER.pack, _sha256.copy
    try:
        for _, found, shape, at, cause, data, kept in page:
            # The same bytes as `chained` gives, without a call for each record.
            caused = b"" if cause is None else cause
            header = pack(found, at, shape, 0 if cause is None else len(cause) + 1, len(data))
            hashed = begin()
            hashed.update(b"".join((hash_, header, caused, data)))
            if found != version + 1 or hashed.digest() != kept:
                break
            version, hash_ = found, kept
            sound += 1
    except struct.error:
        # A shape or a time that does not fit into the header: the record is not sound.
        pass
    return Head(version, hash_), sound


#: The schema of the tables; a journal of another schema is not opened.
SCHEMA = 2
#: Records are read in pages of this many, or of this many bytes if that is less.
PAGE = 1_000
PAGE_BYTES = 4 * 1024 * 1024
#: More versions and checkpoints than any journal has, and the highest number it can store.
NO_LIMIT = 2**62
NUMBER_MAX = 2**63 - 1
#: Each chain of seals has so many numbers; each node has a chain of its own.
CHAIN_SEALS = 2**40
#: Checkpoints are read so many at a time: each names every stream.
CHECKPOINTS_AT_ONCE = 100
#: So many snapshots are kept of a stream: the newest, and one before it in case it is damaged.
SNAPSHOTS_KEPT = 2


class IdempotencyRecord(NamedTuple):
    """A command that was answered: its id is unique to its sender, `input` is a hash.

    `first` and `last` are the versions of its events; a refused command has none, and its refusal
    as `answer` instead.
    """

    stream: str
    sender: str
    id: str
    input: bytes
    issued: Instant
    first: int
    last: int
    answer: bytes | None


def of_those_asked(
    asked: Iterable[tuple[str, str]], rows: Iterable[Iterable[Any]]
) -> dict[tuple[str, str], IdempotencyRecord]:
    """Give the rows of the senders asked for: another may have chosen the same id."""
    wanted, found = set(asked), map(IdempotencyRecord._make, rows)
    return {key: kept for kept in found if (key := (kept.sender, kept.id)) in wanted}


class Snapshot(NamedTuple):
    """A stream's state at a version, with the head it was taken at and the venue's signature."""

    stream: str
    version: int
    head: bytes
    data: bytes
    key: str
    signature: bytes


class Checkpoint(NamedTuple):
    """All heads of the venue at one moment, signed; `data` is what the signature covers."""

    number: int
    data: bytes
    key: str
    signature: bytes


class Seal(NamedTuple):
    """The authentication of a batch; `key`, on a run's first seal, is sealed by the venue's key."""

    number: int
    data: bytes
    key: bytes | None
    mac: bytes


class Append(NamedTuple):
    """What one stream adds: records that follow on `after`, commands answered, a snapshot."""

    stream: str
    after: Head
    records: Sequence[Record]
    commands: Sequence[IdempotencyRecord] = ()
    snapshot: Snapshot | None = None


class Sealing(Protocol):
    """Makes the seal of a batch, once it is known which of its parts can be written."""

    @property
    def number(self) -> int:
        """Give the number that the seal will have; the ids of its batch are stored with it."""

    def over(self, appends: Sequence[Append]) -> Seal:
        """Seal these parts of the batch."""


class Outcome(StrEnum):
    """What became of one stream's part of a batch."""

    DURABLE = "durable"
    #: Another process has written to the stream, or has answered one of the commands.
    CONFLICT = "conflict"
    #: Another node has the stream by now: its lease has passed on.
    FENCED = "fenced"


def to_seal(appends: Sequence[Append], outcomes: Sequence[Outcome]) -> list[Append]:
    """Give the parts of a batch that were written and have records or commands to be sealed."""
    return [
        append
        for append, outcome in zip(appends, outcomes, strict=True)
        if outcome is Outcome.DURABLE and (append.records or append.commands)
    ]


class JournalError(SentenceError):
    """The journal could not do its work; the sentence says what failed."""


class NothingWrittenError(JournalError):
    """The batch was not written, and the journal says so for certain."""


class FencedError(NothingWrittenError):
    """This process may not write any more, now or later.

    Another venue has taken the journal over, another process has the name of this node, it has
    other keys than the venue, or events that it has followed were lost.
    """


class OutcomeUnknownError(JournalError):
    """It is not known whether the batch was written; it must be read back."""


class ReplacedError(JournalError):
    """The journal's files were moved, deleted or replaced since they were opened."""


class VanishedError(JournalError):
    """A followed seal of another chain is gone, as after a failover that lost it.

    A node that followed it has applied events that are not in the journal, and must start anew.
    """


class NotAJournalError(JournalError):
    """The file or database opened is no journal of ours, or has another schema."""


#: Errors that do not pass by themselves: the journal is lost to this venue.
LASTING = (FencedError, ReplacedError, NotAJournalError)


class Journal(Protocol):
    """Stores events for good."""

    #: Whether `probe` also beats, so that others see that its owner is alive; such a journal
    #: reconnects by itself.
    beats: bool = False
    #: Whether another process writes the batches, so that this one can decide meanwhile.
    writes_elsewhere: bool = False
    #: The chain that batches written here are sealed in.
    chain: int = 0

    @property
    def is_open(self) -> bool:
        """Say whether it can be asked at all; false if it could not be reopened."""
        return True

    async def write(
        self,
        appends: Sequence[Append],
        checkpoint: Checkpoint | None = None,
        sealing: Sealing | None = None,
    ) -> list[Outcome]:
        """Make a batch durable: each stream's part whole or not at all, one outcome for each.

        What is written is sealed in the same transaction, if there is anything to seal.
        """

    async def probe(self) -> None:
        """Read, and make a write durable that changes nothing; raises if either fails."""

    async def time(self) -> Instant | None:
        """Give the time by the clock of the database server; `None` without a server."""
        return None

    async def reopen(self) -> None:
        """Start afresh after a failure, from what is really stored."""

    async def heads(self, streams: Iterable[str] | None = None) -> dict[str, Head]:
        """Give the heads of the streams named, or of all; an empty stream is left out."""

    def read(self, stream: str, after: int = 0, upto: int | None = None) -> "Pages":
        """Read records of a stream after a version, in order, page by page."""

    async def records(self, stream: str, versions: Sequence[int]) -> list[Record]:
        """Read single records by their versions, in the order asked for."""

    async def answered(self, stream: str, sender: str, id_: str) -> IdempotencyRecord | None:
        """Find an answered command whose id is still stored."""

    async def answered_among(
        self, stream: str, asked: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], IdempotencyRecord]:
        """Find the answered ones of many commands, each by sender and id."""
        found = [await self.answered(stream, sender, id_) for sender, id_ in asked]
        return {(kept.sender, kept.id): kept for kept in found if kept is not None}

    async def issued_after(self, streams: Collection[str], at: Instant) -> list[IdempotencyRecord]:
        """Find the answered commands of these streams whose ids say a later time.

        They are found by the texts of their ids, so the later times must have as many digits.
        """

    async def forget(self, issued_before: Instant) -> int:
        """Forget the ids of commands issued before a time; give how many."""

    async def snapshots(self, stream: str) -> list[Snapshot]:
        """Give the snapshots of a stream, the newest first."""

    async def snapshot_streams(self) -> list[str]:
        """Name the streams that have snapshots, whether or not they have events."""

    async def checkpoints(self, newest: int | None = None) -> list[Checkpoint]:
        """Give all checkpoints, the oldest first, or only so many of the newest."""

    async def checkpoints_after(
        self, number: int, most: int = CHECKPOINTS_AT_ONCE
    ) -> list[Checkpoint]:
        """Give the checkpoints after a number, the oldest first, so many at most."""

    async def chains(self) -> list[int]:
        """Give the numbers of the chains that have seals."""

    async def seals_after(self, number: int, most: int) -> list[Seal]:
        """Give the seals of a chain after a number, the oldest first, so many at most."""

    async def run_of(self, number: int) -> Seal | None:
        """Find the first seal of the run that a seal is in."""

    def commands(self) -> "Commands":
        """Read the stored ids, each with the number of its seal, in the order of writing."""

    async def integrity(self) -> list[str]:
        """Say what the file's own integrity check finds; a server checks itself."""

    async def close(self) -> None:
        """Close the files or connections."""


#: Called now and then with how much is done, and the total.
Progress = Callable[[int, int], None]
Pages = AsyncGenerator[Sequence[Record], None]
Heads = Mapping[str, Head]
#: Pages of ids, each with the number of its seal.
Commands = AsyncGenerator[Sequence[tuple[int, IdempotencyRecord]], None]


#: Division of SQL integers: the remainder is dropped.
_CHAINS = f"""
WITH RECURSIVE found(number) AS (
  SELECT min(number) FROM {{0}}.seals
  UNION ALL SELECT (SELECT min(number) FROM {{0}}.seals
    WHERE number >= (found.number / {CHAIN_SEALS} + 1) * {CHAIN_SEALS})
  FROM found WHERE found.number IS NOT NULL)
SELECT number / {CHAIN_SEALS} FROM found WHERE number IS NOT NULL
"""  # noqa: S608 - our own words


def chain_end(number: int) -> int:
    """Give the first number that no seal of the same chain has."""
    return min((number // CHAIN_SEALS + 1) * CHAIN_SEALS, NUMBER_MAX)


class RowJournal(Journal):
    """A journal in a database: the reads that are the same on every database."""

    #: The schema that the tables are in.
    NAMESPACE: ClassVar[str]
    #: The condition for ids after a given one, and the order in which they were written.
    AFTER: ClassVar[str]
    ORDER: ClassVar[str]

    async def _rows(self, sql: str, *given: Any) -> Sequence[Any]:
        raise NotImplementedError

    async def _page(self, stream: str, after: int, upto: int) -> Sequence[Record]:
        raise NotImplementedError

    async def read(self, stream: str, after: int = 0, upto: int | None = None) -> "Pages":
        """Read a stream page by page; no connection is held between two pages.

        A caller that gives `upto` knows that it is there: nothing after it is looked for.
        """
        end = NO_LIMIT if upto is None else upto
        while after < end and (page := await self._page(stream, after, end)):
            yield page
            after = page[-1].version

    async def answered(self, stream: str, sender: str, id_: str) -> IdempotencyRecord | None:
        """Look an id up in its unique index."""
        sql = self._select(IdempotencyRecord, "commands")
        where = "WHERE stream = $1 AND sender = $2 AND id = $3"
        rows = await self._rows(f"{sql} {where}", stream, sender, id_)
        return IdempotencyRecord(*rows[0]) if rows else None

    async def issued_after(self, streams: Collection[str], at: Instant) -> list[IdempotencyRecord]:
        """Look at the end of each stream's part of the unique index."""
        if not streams:
            return []
        rows = await self._rows(self._later_than(len(streams)), f"{at}", at, *streams)
        return [IdempotencyRecord(*row) for row in rows]

    def _later_than(self, streams: int) -> str:
        """Write the query for ids of so many streams that say a later time.

        The time has no index, which each bet would have to keep up, but ids begin with it. After
        the digits comes ":", and after that the runtime's own ids.
        """
        named = ", ".join(f"${number}" for number in range(3, 3 + streams))
        where = f"WHERE id > $1 AND id < ':' AND issued > $2 AND stream IN ({named})"
        return f"{self._select(IdempotencyRecord, 'commands')} {where}"

    async def snapshots(self, stream: str) -> list[Snapshot]:
        """Read a stream's snapshots, the newest first."""
        sql = self._select(Snapshot, "snapshots") + " WHERE stream = $1 ORDER BY version DESC"
        return [Snapshot(*row) for row in await self._rows(sql, stream)]

    async def snapshot_streams(self) -> list[str]:
        """Name the streams that have snapshots, whether or not they have events."""
        sql = f"SELECT DISTINCT stream FROM {self.NAMESPACE}.snapshots"  # noqa: S608 - our own name
        rows = await self._rows(sql)
        return [row[0] for row in rows]

    async def checkpoints(self, newest: int | None = None) -> list[Checkpoint]:
        """Read checkpoints, the oldest first."""
        sql = self._select(Checkpoint, "checkpoints") + " ORDER BY number DESC LIMIT $1"
        rows = await self._rows(sql, NO_LIMIT if newest is None else newest)
        return [Checkpoint(*row) for row in reversed(rows)]

    async def checkpoints_after(
        self, number: int, most: int = CHECKPOINTS_AT_ONCE
    ) -> list[Checkpoint]:
        """Read checkpoints along their key."""
        sql = self._select(Checkpoint, "checkpoints")
        rows = await self._rows(f"{sql} WHERE number > $1 ORDER BY number LIMIT $2", number, most)
        return [Checkpoint(*row) for row in rows]

    async def chains(self) -> list[int]:
        """Skip from chain to chain along the key."""
        return [row[0] for row in await self._rows(_CHAINS.format(self.NAMESPACE))]

    async def seals_after(self, number: int, most: int) -> list[Seal]:
        """Read seals along their key."""
        sql = self._select(Seal, "seals")
        where = "WHERE number > $1 AND number < $2 ORDER BY number LIMIT $3"
        rows = await self._rows(f"{sql} {where}", number, chain_end(number), most)
        return [Seal(*row) for row in rows]

    async def run_of(self, number: int) -> Seal | None:
        """Go back along the key."""
        sql = self._select(Seal, "seals")
        where = "WHERE number <= $1 AND number > $2 AND key IS NOT NULL"
        first = chain_end(number) - CHAIN_SEALS
        rows = await self._rows(f"{sql} {where} ORDER BY number DESC LIMIT 1", number, first)
        return Seal(*rows[0]) if rows else None

    async def commands(self) -> "Commands":
        """Read ids page by page, along the order in which they were written."""
        columns = ", ".join(("batch", "place", *IdempotencyRecord._fields))
        sql = f"SELECT {columns} FROM {self.NAMESPACE}.commands"  # noqa: S608 - our own names
        where = f"WHERE {self.AFTER} ORDER BY {self.ORDER} LIMIT {PAGE}"
        batch, place = -1, -1
        while rows := await self._rows(f"{sql} {where}", batch, place):
            yield [(row[0], IdempotencyRecord(*row[2:])) for row in rows]
            batch, place = rows[-1][:2]

    def _select(
        self, kind: type[IdempotencyRecord | Snapshot | Checkpoint | Seal], table: str
    ) -> str:
        columns = ", ".join(kind._fields)
        return f"SELECT {columns} FROM {self.NAMESPACE}.{table}"  # noqa: S608 - our own names

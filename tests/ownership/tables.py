"""Tables as simple as possible, for an owner of streams: a command adds one event with its id.

They commit with the real group commit, and use the database's time.
"""

from collections.abc import Callable, Sequence

from taisai.runtime.clock import Clock
from taisai.runtime.journal.contract import (
    SHAPE,
    Append,
    Checkpoint,
    Head,
    IdempotencyRecord,
    Journal,
    Record,
    genesis,
    link,
)
from taisai.runtime.journal.group_commit import Committer
from taisai.runtime.journal.seals import Tail
from taisai.runtime.ownership.ownership import Ownership, Streams

_KEY = b"k" * 32
#: Called with the version of a command's event, or `None` if it must be sent again.
OnAnswer = Callable[[int | None], None]


class Table:
    """A stream at work: a command adds its id, and is answered when that is durable."""

    def __init__(self, host: "Tables", stream: str, epoch: int, records: Sequence[Record]) -> None:
        self.stream = stream
        self.epoch = epoch
        self.resting = False
        self.ids = {record.data.decode(): record.version for record in records}
        self.read_upto = len(records)
        last = records[-1] if records else None
        self.head = genesis(stream) if last is None else Head(last.version, last.hash)
        self._taken = self.head
        self._host = host
        self._new: list[tuple[Record, IdempotencyRecord, OnAnswer]] = []
        self._in_flight: list[list[tuple[Record, IdempotencyRecord, OnAnswer]]] = []

    def decide(self, id_: str, on_answer: OnAnswer) -> None:
        """Add an event for a command, unless it has a durable one."""
        if id_ in self.ids:
            durable = self.ids[id_] <= self.read_upto
            on_answer(self.ids[id_] if durable else None)
            return
        version, at = self.head.version + 1, self._host.clock.now()
        cause = f"{self.epoch} {self._host.name}".encode()
        data = id_.encode()
        hash_ = link(self.head.hash, version, SHAPE, at, cause, data)
        record = Record(self.stream, version, SHAPE, at, cause, data, hash_)
        kept = IdempotencyRecord(self.stream, "client", id_, b"", at, version, version, None)
        self.head = Head(version, hash_)
        self.ids[id_] = version
        self._new.append((record, kept, on_answer))
        self._host.committer.ready(self)

    def take(self) -> Append:
        """Give all new events."""
        new, after = self._new, self._taken
        self._new, self._taken = [], self.head
        self._in_flight.append(new)
        return Append(self.stream, after, [each[0] for each in new], [each[1] for each in new])

    def durable(self) -> None:
        """Answer the durable commands; a client that was told to send again finds its id here."""
        if not self._in_flight:
            return
        for record, _, on_answer in self._in_flight.pop(0):
            self.read_upto = record.version
            on_answer(record.version)

    def go_on(self, *, in_halves: bool) -> None:
        """Have nothing to decide: each command is decided as it comes."""

    def failed(self, why: str, *, passing: bool) -> None:  # noqa: ARG002 - both are opened again
        """Shut, to be opened again if the lease is still this host's."""
        if self._host.tables.get(self.stream) is self:
            self._host.ownership.note_shut(self.stream)
            self._host.shut(self.stream, why)

    def throw_away(self) -> None:
        """Tell every waiting client to send again."""
        for _, _, on_answer in [*self._new, *(each for batch in self._in_flight for each in batch)]:
            on_answer(None)
        self._new.clear()
        self._in_flight.clear()


class Tables(Streams):
    """The streams that one node decides for."""

    def __init__(
        self, name: str, ownership: Ownership, journal: Journal, passed: Callable[[], float]
    ) -> None:
        self.name = name
        self.ownership = ownership
        # A host's own clock may be wrong: only its elapsed time is used.
        self.clock = Clock(self._wall_ns, lambda: int(passed() * 1e9), boot=name)
        self.tables: dict[str, Table] = {}
        self.committer = Committer(journal, {}, _never_signs, Tail(_KEY, (), {}), None)
        self.committer.signs = lambda: False
        #: Called when a stream is opened, with its epoch and how far it was read; and when shut.
        self.on_open: Callable[[str, int, int], None] = lambda *_: None
        self.on_shut: Callable[[str, str], None] = lambda *_: None
        self._journal = journal

    def _wall_ns(self) -> int:
        return self.ownership.time.ns() if self.ownership.time.is_known else 0

    def holds(self, stream: str) -> bool:
        """Say whether this node decides for a stream now."""
        return stream in self.tables and self.ownership.holds(stream)

    def submit(self, stream: str, id_: str, on_answer: OnAnswer) -> None:
        """Take a command, if this node decides for the stream."""
        if not self.holds(stream) or self.tables[stream].resting:
            on_answer(None)
            return
        self.tables[stream].decide(id_, on_answer)

    async def open(self, stream: str, epoch: int) -> None:
        """Read a stream back."""
        await self.committer.settled()
        if not self._journal.is_open:
            await self.committer.reopen()
        records = [record async for page in self._journal.read(stream) for record in page]
        if records:
            self.clock.not_before(records[-1].at)
        self.tables[stream] = Table(self, stream, epoch, records)
        self.on_open(stream, epoch, len(records))

    def shut(self, stream: str, why: str) -> None:
        """Throw away everything that is not durable."""
        table = self.tables.pop(stream, None)
        if table is not None:
            table.throw_away()
            self.on_shut(stream, why)

    async def finish(self, stream: str) -> None:
        """Take no more commands, and wait until everything is durable."""
        table = self.tables.get(stream)
        if table is not None:
            table.resting = True
            await self.committer.settled()
        self.shut(stream, "it goes elsewhere")


def _never_signs(_: object, __: object) -> Checkpoint:
    raise AssertionError("nothing is signed here")

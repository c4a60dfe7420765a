"""Reading a journal for records: each event with its time, its round and the persons behind it.

Streams are read page by page, and only the events wanted are decoded, so that a long journal takes
little memory and no more time than it must. The chain is checked by `taisai audit verify`, not
here.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from taisai.core.errors import SentenceError
from taisai.core.kernel.approvals import ApprovalRequested, CommandApproved
from taisai.core.kernel.messages import Actor, Event, Instant
from taisai.core.table.betting import RoundVoided
from taisai.core.table.round import RoundSettled, RoundStarted
from taisai.runtime.journal.contract import LAST_INSTANT, Heads, Journal, Record
from taisai.runtime.streams import CAGE, VENUE, data_of, kind_of, table_of, table_stream

_TAG = b'{"type":"'

Names = frozenset[bytes]
#: Says whether a record is wanted, by its type and its cause.
Keeps = Callable[[Record, bytes, bytes | None], bool]


class RecordsError(SentenceError):
    """The records cannot be shown; the sentence says why."""


class Period(NamedTuple):
    """A time from `since` on and before `until`; None leaves it open on that side."""

    since: Instant | None = None
    until: Instant | None = None

    def has_begun(self, at: Instant) -> bool:
        """Say whether a time is not before the period."""
        return self.since is None or at >= self.since

    def is_over(self, at: Instant) -> bool:
        """Say whether a time is after the period."""
        return self.until is not None and at >= self.until


ANY_TIME = Period()


class Who(NamedTuple):
    """The person who gave a command, and its id."""

    role: str
    person: str
    order: str


class Entry(NamedTuple):
    """An event with what the journal says about it.

    `who` gave the command; `second` is the second person, if it took two. `round` is the round
    under way at a table.
    """

    stream: str
    version: int
    at: Instant
    event: Event
    who: Who | None
    second: Actor | None
    round: int | None


def names(*types: type[Event]) -> Names:
    """Name types of event as the journal writes them."""
    return frozenset(each.__name__.encode() for each in types)


_CONTEXT = names(ApprovalRequested, CommandApproved, RoundStarted)
_ENDS = names(RoundSettled, RoundVoided)
NOTHING: Names = frozenset()


def type_of(record: Record) -> bytes:
    """Give a record's type of event, in nearly every case without decoding the event."""
    data = data_of(record)
    if data.startswith(_TAG):
        return data[len(_TAG) : data.find(b'"', len(_TAG))]
    try:
        return str(msgspec.json.decode(data)["type"]).encode()
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError, KeyError) as error:
        raise _unreadable(record, error) from None


def event_of(record: Record) -> Event:
    try:
        return kind_of(record.stream).read(record)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _unreadable(record, error) from None


def _unreadable(record: Record, error: Exception | str) -> RecordsError:
    return RecordsError(
        f"{record.stream} cannot be read at version {record.version}: {error};"
        " 'taisai audit verify' tells what is wrong with the journal"
    )


class _Asked(NamedTuple):
    """A command that waits for a second person: its sender, its order, and if it lasts [D20]."""

    actor: Actor
    order_id: str
    lasts: bool


class Reader:
    """Reads the records of one stream in order, and remembers what later ones refer to."""

    def __init__(
        self,
        period: Period,
        within: Names,
        always: Names = NOTHING,
        keeps: Keeps | None = None,
    ) -> None:
        """Select events by their types, or by `keeps`."""
        self._period = period
        self._within = within
        self._always = always
        self._keeps = keeps
        self._cause: bytes | None = None
        self._asked: dict[str, _Asked] = {}
        self._who: Who | None = None
        self._second: Actor | None = None
        self._round: int | None = None
        self._round_over = False

    def entries(self, page: Iterable[Record]) -> Iterator[Entry]:
        """Give the events wanted within the period, and those wanted always, before it too."""
        for record in page:
            if record.cause is not None:
                self._begin(record.cause)
            name = type_of(record)
            wanted = self._wants(record, name)
            if wanted or name in _CONTEXT:
                event = event_of(record)
                if name in _CONTEXT:
                    self._note(event)
                if wanted:
                    yield self._entry(record, event)
            if name in _ENDS:
                self._round_over = True

    def _wants(self, record: Record, name: bytes) -> bool:
        if self._keeps is not None:
            return self._keeps(record, name, self._cause)
        return name in self._always or (name in self._within and self._period.has_begun(record.at))

    def _begin(self, cause: bytes) -> None:
        """Begin a decision."""
        self._cause, self._who, self._second = cause, None, None
        if self._round_over:
            # A command that lasts is about a round, and ends with it.
            self._asked = {name: each for name, each in self._asked.items() if not each.lasts}
            self._round, self._round_over = None, False

    def _note(self, event: Event) -> None:
        match event:
            case ApprovalRequested(pending=pending, order=order):
                # One command waits at a time, besides those that last until they are answered.
                self._asked = {name: each for name, each in self._asked.items() if each.lasts}
                self._asked[pending] = _Asked(order.actor, order.id, event.expires is None)
            case CommandApproved(pending=pending, by=by):
                self._second = by
                asked = self._asked.pop(pending, None)
                if asked is not None:
                    actor = asked.actor
                    self._who = Who(actor.role, actor.person, asked.order_id)
            case RoundStarted(round=number):
                self._round = number
            case _:
                raise AssertionError(f"{event} refers to nothing")

    def _entry(self, record: Record, event: Event) -> Entry:
        if self._who is None and self._cause is not None:
            self._who = _who_of(record, self._cause)
        if not 0 <= record.at <= LAST_INSTANT:
            raise _unreadable(record, f"its time, {record.at}, is in no year that has a date")
        return Entry(
            record.stream,
            record.version,
            record.at,
            event,
            self._who,
            self._second,
            self._round,
        )


_read_cause: Callable[[bytes], tuple[str, str, str]] = msgspec.json.Decoder(
    tuple[str, str, str]
).decode


def _who_of(record: Record, cause: bytes) -> Who:
    try:
        return Who(*_read_cause(cause))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _unreadable(record, error) from None


class Source:
    """A journal as it was when it was opened here, and the part of it that is requested."""

    def __init__(
        self,
        journal: Journal,
        heads: Heads,
        period: Period = ANY_TIME,
        tables: Sequence[str] = (),
        terminals: Sequence[str] = (),
    ) -> None:
        self.journal = journal
        self.heads = heads
        self.period = period
        self.tables = self._tables(tables)
        self.terminals = frozenset(terminals)
        self._all = not tables
        #: Called with the number of records read since the last call.
        self.progress: Callable[[int], None] = lambda _: None

    @classmethod
    async def of(cls, journal: Journal, **asked: Any) -> "Source":
        """Take a journal up to its end now; later records are left out."""
        return cls(journal, await journal.heads(), **asked)

    def _tables(self, asked: Sequence[str]) -> list[str]:
        found = sorted(table for stream in self.heads if (table := table_of(stream)) is not None)
        for table in asked:
            if table not in found:
                raise no_table(table, found)
        return [table for table in found if not asked or table in asked]

    @property
    def streams(self) -> list[str]:
        """Name the streams requested: all, or those of the tables named."""
        tables = [table_stream(table) for table in self.tables]
        others = [stream for stream in (VENUE, CAGE) if stream in self.heads]
        return others + tables if self._all else tables

    def wants(self, terminal: str | None) -> bool:
        """Say whether a terminal is among those requested."""
        return not self.terminals or terminal in self.terminals

    async def records(self, stream: str) -> AsyncIterator[Sequence[Record]]:
        """Read a stream's records up to the end of the period."""
        async for page in self.journal.read(stream, upto=self.heads[stream].version):
            self.progress(len(page))
            if self.period.is_over(page[-1].at):
                yield [record for record in page if not self.period.is_over(record.at)]
                return
            yield page

    async def entries(
        self, stream: str, within: Names, always: Names = NOTHING
    ) -> AsyncIterator[list[Entry]]:
        """Read the events wanted of a stream, page by page."""
        reader = Reader(self.period, within, always)
        async for page in self.records(stream):
            yield list(reader.entries(page))


def no_table(table: str, found: Sequence[str]) -> RecordsError:
    """Say that there is no such table, and which there are."""
    if not found:
        return RecordsError(f"there is no table {table}; the journal holds no table at all")
    return RecordsError(f"there is no table {table}; the journal holds {', '.join(found)}")

"""A round re-created from the journal alone: rules, events, settlement, money, corrections.

The stream is replayed from its first event to the round, and its chain checked on the way; nothing
is taken from a snapshot, which is only as good as the program that made it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, get_args

from msgspec.structs import astuple

from taisai.core.kernel.ledger import credits_of, postings_of, stakes_of
from taisai.core.kernel.messages import Event
from taisai.core.streams import TableEvent
from taisai.core.table.betting import RoundVoided
from taisai.core.table.chips.recovery import RecoveryRecorded
from taisai.core.table.corrections import RoundResettled, RoundsReversed, RulingRecorded
from taisai.core.table.provably_fair import SecretRevealed, drawn_dice, link_of, secret_from
from taisai.core.table.round import RoundSettled, RoundStarted
from taisai.core.table.state import TableState
from taisai.projections.moved_bets import on_the_layout
from taisai.runtime.journal.contract import Head, Record, genesis
from taisai.runtime.records.entries import (
    ANY_TIME,
    Entry,
    Reader,
    RecordsError,
    Source,
    names,
    no_table,
)
from taisai.runtime.records.money import replay
from taisai.runtime.records.round_story import (
    Balance,
    Began,
    RoundStory,
    StoryMove,
    StoryPosting,
    StorySecret,
    began,
)
from taisai.runtime.recovery import BrokenChainError, check_links
from taisai.runtime.streams import table_stream

_EVERYTHING = names(*get_args(TableEvent))
_MARKS = names(RoundStarted, RoundsReversed, RoundResettled, SecretRevealed)

#: Their postings to a player's credits are corrections, whatever the other account is.
_CORRECTIONS = (RoundsReversed, RoundResettled, RulingRecorded, RecoveryRecorded)
_ENDS = (RoundSettled, RoundVoided)
_STAKES = stakes_of("")


class _Marks(NamedTuple):
    """Where a round begins, and the later events that are about it."""

    first: int
    later: list[Entry]
    revealed: SecretRevealed | None

    @property
    def last(self) -> int:
        """Give the last version that the story needs."""
        return max((entry.version for entry in self.later), default=0)


async def tell_round(source: Source, table: str, number: int) -> RoundStory:
    """Re-create a round of a table."""
    if table not in source.tables:
        raise no_table(table, source.tables)
    marks = await _marks(source, table, number)
    reader = _RoundReader(table, number, marks)
    async for page in source.records(table_stream(table)):
        reader.take(page)
        if reader.done:
            break
    return reader.story()


async def _marks(source: Source, table: str, number: int) -> _Marks:
    first, last, later = 0, 0, []
    revealed = None
    async for entries in source.entries(table_stream(table), _MARKS):
        for entry in entries:
            match entry.event:
                case RoundStarted(round=started):
                    last = started
                    first = entry.version if started == number else first
                case SecretRevealed(round=of) as event if of == number:
                    revealed = event
                    later.append(entry)
                case event if _puts_right(event, number):
                    later.append(entry)
    if not first:
        raise _no_round(table, number, last)
    return _Marks(first, later, revealed)


def _puts_right(event: Event, number: int) -> bool:
    if isinstance(event, RoundsReversed):
        return number in event.rounds
    return isinstance(event, RoundResettled) and event.round == number


def _no_round(table: str, number: int, last: int) -> RecordsError:
    if not last:
        return RecordsError(f"table {table} has no round {number}: none was played yet")
    there = "round 1 alone" if last == 1 else f"rounds 1 to {last}"
    return RecordsError(f"table {table} has no round {number}; it has {there}")


def counted_as(event: type[Event], other: str, amount: int) -> str:
    """Say what a change of a player's credits is counted as, by the other account."""
    if event in _CORRECTIONS:
        return "put_right"
    if event in _ENDS:
        return "back"
    if other.startswith(_STAKES):
        return "staked" if amount < 0 else "taken_back"
    return "received" if amount > 0 else "cashed"


def _seat(name: str) -> tuple[int, str]:
    """Give a key that sorts seats by number."""
    return len(name), name


class _RoundReader:
    """Replays a table, and records the round when it comes."""

    def __init__(self, table: str, number: int, marks: _Marks) -> None:
        self._table = table
        self._number = number
        self._marks = marks
        self._state = TableState()
        self._head: Head = genesis(table_stream(table))
        self._reader = Reader(ANY_TIME, _EVERYTHING)
        self._began: Began | None = None
        self._entries: list[Entry] = []
        self._end: RoundSettled | RoundVoided | None = None
        self._after: dict[str, int] | None = None
        self._moves: list[StoryMove] = []
        self._postings: list[StoryPosting] = []

    @property
    def done(self) -> bool:
        """Say whether the round is over, and all later events about it are checked too."""
        return self._after is not None and self._head.version >= self._marks.last

    def take(self, page: Sequence[Record]) -> None:
        """Read the next records of the stream."""
        try:
            self._head = check_links(self._head, page)
        except BrokenChainError as error:
            raise RecordsError(
                f"{error}; 'taisai audit verify' tells what is wrong with the journal"
            ) from None
        for record in page:
            if self._after is not None:
                return
            self._take(record)

    def _take(self, record: Record) -> None:
        if record.version == self._marks.first:
            self._began = began(self._state)
        if self._end is not None and record.cause is not None:
            # The decision that ended the round is complete.
            self._after = dict(self._state.ledger.balances)
            return
        replay(self._state, record)
        if self._began is not None:
            for entry in self._reader.entries([record]):
                self._note(entry)

    def _note(self, entry: Entry) -> None:
        self._entries.append(entry)
        event = entry.event
        if isinstance(event, RoundSettled | RoundVoided) and event.round == self._number:
            self._end = event
        self._moves += [StoryMove(entry.version, *each) for each in on_the_layout(event)]
        name = type(event).__name__
        for posting in postings_of(event):
            self._postings.append(StoryPosting(entry.version, name, *astuple(posting)))

    def story(self) -> RoundStory:
        """Give what was recorded."""
        began = self._began
        assert began is not None, "the round was found before it was re-created"
        after = dict(self._state.ledger.balances) if self._after is None else self._after
        return RoundStory(
            table=self._table,
            number=self._number,
            began=began,
            entries=self._entries,
            end=self._end,
            moves=self._moves,
            postings=self._postings,
            balances=list(self._balances(began.balances, after)),
            later=self._marks.later,
            secret=self._secret(began),
            checked=self._head.version,
        )

    def _balances(self, before: dict[str, int], after: dict[str, int]) -> Iterator[Balance]:
        found: dict[str, Balance] = {}
        types = {entry.version: type(entry.event) for entry in self._entries}
        for posting in self._postings:
            for account, other, amount in (
                (posting.source, posting.destination, -posting.amount),
                (posting.destination, posting.source, posting.amount),
            ):
                branch, _, terminal = account.partition(":")
                if branch == "terminal":
                    counted = counted_as(types[posting.version], other, amount)
                    if terminal not in found:
                        name = credits_of(terminal)
                        held = (before.get(name, 0), after.get(name, 0))
                        found[terminal] = Balance(terminal, *held)
                    balance = found[terminal]
                    setattr(balance, counted, getattr(balance, counted) + amount)
        terminals = self._state.positions
        yield from (found[terminal] for terminal in terminals if terminal in found)
        yield from (found[seat] for seat in sorted(found, key=_seat) if seat not in terminals)

    def _secret(self, began: Began) -> StorySecret | None:
        if began.chain is None:
            return None
        commitment, before = began.chain
        revealed = self._marks.revealed
        if revealed is None:
            return StorySecret(commitment, before, None, None, None, None)
        secret = secret_from(revealed.secret)
        if secret is None:
            return StorySecret(commitment, before, revealed.secret, None, links=False, agrees=False)
        drawn = drawn_dice(secret, self._table, self._number)
        shown = self._end.faces if isinstance(self._end, RoundSettled) else None
        return StorySecret(
            commitment,
            before,
            revealed.secret,
            drawn,
            links=link_of(secret).hex() == before,
            agrees=None if shown is None else shown == drawn,
        )

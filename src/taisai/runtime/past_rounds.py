"""Finding old rounds in a stream, by nothing but the events themselves [D24].

Rounds are numbered in the order they end in, and versions without a gap: so the end of a round is
found by halving, and those after it by reading on. The search requests stretches of a stream, and
is sent the events of rounds there; these may come from a journal, or from a list.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from taisai.core.errors import SentenceError
from taisai.core.kernel.messages import Event
from taisai.core.rules.dice import Faces
from taisai.core.table.betting import RoundVoided
from taisai.core.table.past import NOTHING_READ, Past
from taisai.core.table.provably_fair import SecretRevealed
from taisai.core.table.round import RoundSettled, RoundStarted
from taisai.runtime.journal.contract import PAGE, Journal, Record
from taisai.runtime.records.entries import event_of, names, type_of

#: The first stretch that is read for the next end of a round has so many events.
GLANCE = 64
#: So many lines of settled rounds are read for one command at most.
LINES_AT_ONCE = 1_000_000

#: Events that show which round it is, and what its dice were.
_ROUND_EVENTS = names(RoundStarted, RoundSettled, RoundVoided, SecretRevealed)
_OF_INTEREST = (RoundStarted, RoundSettled, RoundVoided, SecretRevealed)

Spans = Sequence[tuple[int, int]]
Found = Iterable[tuple[int, Event]]


class Stretch(NamedTuple):
    """A part of a stream, after one version and up to another."""

    after: int
    upto: int


#: A request of the search: the events of rounds in a stretch, or single events by version.
Request = Stretch | tuple[int, ...]
Result = TypeVar("Result")
Search = Generator[Request, Found, Result]


class TooManyLinesError(SentenceError):
    """More lines were requested than may be read at once; `rounds` is how many rounds would do."""

    def __init__(self, rounds: int) -> None:
        super().__init__(f"only {rounds} rounds can be read at once")
        self.rounds = rounds


def search(rounds: Spans, versions: Sequence[int], newest: int) -> Search[Past]:
    """Find runs of rounds, in order, and single events, in a stream of `newest` events.

    Rounds and events that do not exist are left out.
    """
    told = _Told()
    after = 0
    for first, last in rounds:
        after = yield from _before_end(first, after, newest)
        for stretch in _stretches(after, newest, PAGE):
            if told.take((yield stretch), first, last):
                break
    found = (yield tuple(versions)) if versions else ()
    return Past(told.ends, told.drawn, dict(found))


def search_end(number: int, newest: int) -> Search[tuple[int, RoundSettled | RoundVoided] | None]:
    """Find the event that ended a round, and its version; `None` if it has not ended."""
    after = yield from _before_end(number, 0, newest)
    for stretch in _stretches(after, newest, PAGE):
        for version, event in (yield stretch):
            if isinstance(event, RoundSettled | RoundVoided) and event.round >= number:
                return (version, event) if event.round == number else None
    return None


class _Told:
    """What was found of the rounds that are looked for."""

    def __init__(self) -> None:
        self.ends: dict[int, RoundSettled | RoundVoided] = {}
        self.drawn: dict[int, Faces] = {}
        self._lines = 0

    def take(self, events: Found, first: int, last: int) -> bool:
        """Take a stretch's events of a run of rounds; say whether the next round was reached."""
        for _, event in events:
            if not isinstance(event, _OF_INTEREST):
                continue
            if event.round > last:
                return True
            if event.round < first:
                continue
            if isinstance(event, SecretRevealed):
                self.drawn[event.round] = event.drawn
            elif isinstance(event, RoundSettled | RoundVoided):
                self.ends[event.round] = event
                self._count(event)
        return False

    def _count(self, event: RoundSettled | RoundVoided) -> None:
        """Count the lines; one round alone is never too many."""
        self._lines += len(event.lines) if isinstance(event, RoundSettled) else 0
        if self._lines > LINES_AT_ONCE and len(self.ends) > 1:
            raise TooManyLinesError(len(self.ends) - 1)


def _before_end(number: int, after: int, newest: int) -> Search[int]:
    """Find a version shortly before the end of a round."""
    low, high = after, newest
    while high - low > PAGE:
        middle = (low + high) // 2
        found = yield from _next_end(middle, high)
        if found is None or found[1] > number:
            high = middle
        elif found[1] == number:
            return middle
        else:
            low = found[0]
    return low


def _next_end(after: int, newest: int) -> Search[tuple[int, int] | None]:
    """Find the first end of a round after a version: its own version, and the round's number."""
    for stretch in _stretches(after, newest, GLANCE):
        for version, event in (yield stretch):
            if isinstance(event, RoundSettled | RoundVoided):
                return version, event.round
    return None


def _stretches(after: int, newest: int, size: int) -> Iterator[Stretch]:
    while after < newest:
        upto = min(after + size, newest)
        yield Stretch(after, upto)
        after, size = upto, min(2 * size, PAGE)


def with_more(past: Past, more: Past) -> Past:
    """Join what was read before with what was read now."""
    if past is NOTHING_READ:
        return more
    return Past(past.ends | more.ends, past.drawn | more.drawn, past.events | more.events)


# --- who answers ---------------------------------------------------------------------------------


async def read_past(
    journal: Journal, stream: str, rounds: Spans, versions: Sequence[int], newest: int
) -> Past:
    """Find rounds and events of a stream in its journal, up to version `newest`."""
    return await _read(journal, stream, search(rounds, versions, newest))


async def read_end(
    journal: Journal, stream: str, number: int, newest: int
) -> tuple[int, RoundSettled | RoundVoided] | None:
    """Find, in a stream's journal, the event that ended a round, and its version."""
    return await _read(journal, stream, search_end(number, newest))


async def _read(journal: Journal, stream: str, searching: Search[Result]) -> Result:
    """Answer a search's requests from a journal until it is done."""
    found: list[tuple[int, Event]] | None = None
    while True:
        try:
            asked = next(searching) if found is None else searching.send(found)
        except StopIteration as end:
            result: Result = end.value
            return result
        found = []
        if isinstance(asked, Stretch):
            async for page in journal.read(stream, asked.after, asked.upto):
                found.extend(_told(page))
        else:
            records = await journal.records(stream, asked)
            found.extend((record.version, event_of(record)) for record in records)


def _told(page: Iterable[Record]) -> Iterator[tuple[int, Event]]:
    for record in page:
        if type_of(record) in _ROUND_EVENTS:
            yield record.version, event_of(record)


def find_past(
    events: Callable[[int], Event], rounds: Spans, versions: Sequence[int], newest: int
) -> Past:
    """Find rounds and events among events in memory, given by version."""
    searching = search(rounds, versions, newest)
    found: Mapping[int, Event] | None = None
    while True:
        try:
            asked = next(searching) if found is None else searching.send(found.items())
        except StopIteration as end:
            past: Past = end.value
            return past
        if isinstance(asked, Stretch):
            stretch = ((each, events(each)) for each in range(asked.after + 1, asked.upto + 1))
            found = {each: event for each, event in stretch if isinstance(event, _OF_INTEREST)}
        else:
            found = {each: events(each) for each in asked}

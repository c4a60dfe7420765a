"""Significant events: those that a regulator, a pit or an auditor wants to see apart from the play.

Each event declares in the core's registry whether it is significant.
"""

import heapq
from collections.abc import AsyncIterator, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from taisai.core.kernel.approvals import ApprovalRequested
from taisai.core.kernel.messages import Event, Instant
from taisai.core.kernel.registry import EVENTS, is_significant
from taisai.projections.sentences import sentences_of
from taisai.runtime.records.columns import SIGNIFICANT, Row
from taisai.runtime.records.entries import Entry, Names, Source, names
from taisai.wording import say_all

#: Events that are significant, always or in some cases.
_WANTED: Names = names(*(kind for kind, spec in EVENTS.items() if spec.significant is not False))

#: Fields left out of the details: long ones, and those with a column of their own.
_LEFT_OUT = frozenset(
    {
        *("type", "canonical", "lines", "returned", "netted", "gone", "winners", "playing"),
        *("sealed", "note", "clause", "at"),
    }
)


class EventView(Struct, frozen=True):
    """An event: when, where, who was behind it, what it says as a sentence and in parts."""

    at: Instant
    stream: str
    version: int
    event: str
    round: int | None
    terminal: str | None
    role: str | None
    person: str | None
    order: str | None
    second: str | None
    second_role: str | None
    clause: str | None
    note: str | None
    summary: str
    details: dict[str, Any]


class EventPage(Struct, frozen=True):
    """Significant events, the newest first; `before` asks for the ones before them."""

    events: list[EventView]
    before: str | None = None


async def significant_entries(source: Source) -> AsyncIterator[Entry]:
    """Give the significant events of all streams requested, in the order of their times."""
    async for entry in _merged(source):
        if is_significant(entry.event) and source.wants(terminal_of(entry.event)):
            yield entry


async def _merged(source: Source) -> AsyncIterator[Entry]:
    """Merge the streams by time; each is in order already, and holds one page in memory."""
    readings = {stream: _one_by_one(source, stream) for stream in source.streams}
    waiting = []
    for stream, reading in readings.items():
        first = await anext(reading, None)
        if first is not None:
            waiting.append((first.at, stream, first))
    heapq.heapify(waiting)
    while waiting:
        # A stream has one entry here at most, so comparing two ends with the stream's name.
        _, stream, entry = waiting[0]
        yield entry
        following = await anext(readings[stream], None)
        if following is None:
            heapq.heappop(waiting)
        else:
            heapq.heapreplace(waiting, (following.at, stream, following))


async def _one_by_one(source: Source, stream: str) -> AsyncIterator[Entry]:
    async for entries in source.entries(stream, _WANTED):
        for entry in entries:
            yield entry


async def significant_rows(source: Source, language: str) -> AsyncIterator[list[Row]]:
    """Give a row for each significant event."""
    async for entry in significant_entries(source):
        yield [_row(entry, language)]


def _row(entry: Entry, language: str) -> Row:
    view = event_view(entry, language)
    *cells, _ = (getattr(view, column.name) for column in SIGNIFICANT.columns)
    return (*cells, msgspec.json.encode(view.details).decode())


def event_view(entry: Entry, language: str) -> EventView:
    """Describe an event."""
    who, second, event = entry.who, entry.second, entry.event
    return EventView(
        at=entry.at,
        stream=entry.stream,
        version=entry.version,
        event=type(event).__name__,
        round=getattr(event, "round", entry.round),
        terminal=terminal_of(event),
        role=None if who is None else who.role,
        person=None if who is None else who.person,
        order=None if who is None else who.order,
        second=_second_of(entry),
        second_role=None if second is None else second.role,
        clause=getattr(event, "clause", None),
        note=note_of(event),
        summary=summary_of(event, language),
        details=_details_of(event),
    )


def summary_of(event: Event, language: str) -> str:
    """Describe an event in one line."""
    return say_all(sentences_of(event), language)


def _second_of(entry: Entry) -> str | None:
    """Name the second person: the one who approved, or the one that the event names."""
    if entry.second is not None:
        return entry.second.person
    second: str | None = getattr(entry.event, "second", None)
    return second


def terminal_of(event: Event) -> str | None:
    """Name the terminal of an event, also of a command that waits for approval."""
    if isinstance(event, ApprovalRequested):
        return _place_of(event.order.command)
    return _place_of(event)


def _place_of(message: object) -> str | None:
    """Name the terminal of a message, or at a chip table the seat."""
    place: str | None = getattr(message, "terminal", None) or getattr(message, "seat", None)
    return place


def note_of(event: Event) -> str | None:
    """Give the note of an event, if it has one."""
    if isinstance(event, ApprovalRequested):
        return getattr(event.order.command, "note", None) or None
    return getattr(event, "note", None) or None


def _details_of(event: Event) -> dict[str, Any]:
    """Give an event's own fields as plain data, without long ones."""
    details = dict(_short(msgspec.to_builtins(event)))
    if isinstance(event, ApprovalRequested):
        command = event.order.command
        fields = dict(_short(msgspec.to_builtins(command)))
        details["order"]["command"] = {"type": type(command).__name__, **fields}
    return details


def _short(fields: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((name, value) for name, value in fields.items() if name not in _LEFT_OUT)

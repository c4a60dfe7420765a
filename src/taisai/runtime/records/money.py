"""Money as rows: every posting, and the counts of a table's meters in a period."""

from collections.abc import AsyncIterator, Iterator
from copy import copy
from typing import get_args

from msgspec.structs import astuple

from taisai.core.kernel.ledger import credits_of, postings_of, stakes_of
from taisai.core.streams import CageEvent, TableEvent
from taisai.core.table.state import Meter, TableState, every_meter
from taisai.runtime.journal.contract import Record
from taisai.runtime.records.columns import VIEWS, Row
from taisai.runtime.records.entries import Entry, RecordsError, Source, event_of, names
from taisai.runtime.streams import TABLES, VENUE, table_stream

#: Every event that could move money; its postings show whether it does.
_MOVING = names(*get_args(TableEvent), *get_args(CageEvent))


async def posting_rows(source: Source, _: str) -> AsyncIterator[list[Row]]:
    """Give a row for each posting; for a terminal, those of its credits and stakes."""
    for stream in source.streams:
        if stream == VENUE:
            # The venue's own stream has no ledger: tables and the cage have.
            continue
        async for entries in source.entries(stream, _MOVING):
            for entry in entries:
                rows = list(_postings(source, entry))
                if rows:
                    yield rows


def _postings(source: Source, entry: Entry) -> Iterator[Row]:
    event = entry.event
    wanted = {name(each) for each in source.terminals for name in (credits_of, stakes_of)}
    for position, posting in enumerate(postings_of(event), start=1):
        accounts = {posting.source, posting.destination}
        if not wanted or wanted & accounts:
            yield (
                entry.at,
                entry.stream,
                entry.version,
                position,
                type(event).__name__,
                entry.round,
                *astuple(posting),
            )


def replay(state: TableState, record: Record) -> None:
    """Apply a record to a table; if that fails, the journal or the program is at fault."""
    event = event_of(record)
    try:
        TABLES.evolve(state, event)
    except Exception as error:
        raise RecordsError(
            f"{record.stream} cannot be replayed at version {record.version}:"
            f" {type(error).__name__}: {error};"
            " 'taisai audit verify' tells what is wrong with the journal"
        ) from error


async def meter_rows(source: Source, _: str) -> AsyncIterator[list[Row]]:
    """Give a row for each meter of each table: its count from start to end of the period."""
    for table in source.tables:
        state = TableState()
        before: dict[str, Meter] | None = None
        async for page in source.records(table_stream(table)):
            for record in page:
                if before is None and source.period.has_begun(record.at):
                    before = {name: copy(meter) for name, meter in every_meter(state).items()}
                replay(state, record)
        if before is not None:
            yield list(_meters(source, state, before))


def _meters(source: Source, state: TableState, before: dict[str, Meter]) -> Iterator[Row]:
    for full_name, meter in every_meter(state).items():
        kind, _, name = full_name.partition(":")
        counted = Meter(
            *(
                now - then
                for now, then in zip(
                    astuple(meter), astuple(before.get(full_name, Meter())), strict=True
                )
            )
        )
        of_terminal = kind == "terminal" and source.wants(name)
        if any(astuple(counted)) and (of_terminal or not source.terminals):
            yield (
                state.table,
                kind,
                name or None,
                state.currency,
                *(getattr(counted, column.name) for column in VIEWS["meters"].columns[4:]),
            )

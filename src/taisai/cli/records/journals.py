"""Opening a journal to read it: its place, the period, and the progress of reading."""

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from taisai.cli.command import Argument, Refused, Wrong, argument, place, several
from taisai.cli.progress import ProgressLine
from taisai.core.kernel.messages import Instant
from taisai.runtime.journal.backends import opened_journal
from taisai.runtime.journal.contract import Journal
from taisai.runtime.journal.location import JOURNAL_FILE, is_address, shown_place
from taisai.runtime.records.entries import Period, Source

_EPOCH = datetime.fromtimestamp(0, UTC)

T = TypeVar("T")

#: The arguments that name the journal.
WHERE = place(
    "where WHERE", "the journal: its file, the data directory it is in, or a postgresql:// address"
)


def filters(of: str = "") -> tuple[Argument, ...]:
    """Declare the arguments that filter a journal: a period and tables."""
    zone = "" if of else "; without a zone it is UTC"
    return (
        argument(
            "--from TIME",
            f"{of}only from this time on, like 2026-03-01T18:30:00+08:00{zone}",
            dest="since",
        ),
        argument("--until TIME", f"{of}only before this time"),
        several("--table T", f"{of}only these tables", dest="tables", default=[]),
    )


def read_records(
    arguments: argparse.Namespace,
    work: Callable[[Source, ProgressLine], Awaitable[T]],
    *,
    everything: bool = False,
) -> T:
    """Do some work on the records of a journal that the filters choose, and show progress."""
    period = None if everything else period_of(arguments.since, arguments.until)
    progress, read = ProgressLine(), 0

    def count(records: int) -> None:
        nonlocal read
        read += records
        progress.show(lambda seconds: f"{read:,} events read, {read / seconds:,.0f} a second")

    async def chosen(journal: Journal) -> T:
        if period is None:
            source = await Source.of(journal)
        else:
            terminals = getattr(arguments, "terminal", ())
            source = await Source.of(
                journal, period=period, tables=arguments.tables, terminals=terminals
            )
        source.progress = count
        return await work(source, progress)

    with progress:
        return reading(arguments.where, chosen)


def reading(where: str, work: Callable[[Journal], Awaitable[T]]) -> T:
    """Open a journal for reading alone, do some work on it, and close it."""

    async def read() -> T:
        async with opened_journal(journal_at(where), read_only=True) as journal:
            return await work(journal)

    try:
        return asyncio.run(read())
    except UnicodeDecodeError:
        raise Refused(
            f"the journal {shown_place(where)} holds a name that is no text;"
            " 'taisai audit verify' tells where"
        ) from None


def journal_at(where: str) -> str | Path:
    """Find the journal: by its address, its file, or in a data directory."""
    if is_address(where):
        return where
    path = Path(where)
    if path.is_dir():
        if not (path / JOURNAL_FILE).is_file():
            raise Refused(f"there is no journal in {where}: it holds no {JOURNAL_FILE}")
        return path / JOURNAL_FILE
    if not path.is_file():
        raise Refused(
            f"there is no journal {where}; name its file, the data directory it is in,"
            " or a database as postgresql://…"
        )
    return path


def period_of(since: str | None, until: str | None) -> Period:
    """Read a period as a person writes it."""
    period = Period(_instant(since), _instant(until))
    if period.since is not None and period.until is not None and period.since >= period.until:
        raise Wrong(f"nothing lies between {since} and {until}; --from is before --until")
    return period


def _instant(text: str | None) -> Instant | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise Wrong(
            f"{text!r} is no time; write it like 2026-03-01 or 2026-03-01T18:30:00+08:00"
        ) from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(milliseconds=1)

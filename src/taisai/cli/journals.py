"""Opening a journal to read it: where a person says it is, and how far the reading has got."""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from taisai.cli.refused import Refused, Wrong
from taisai.core.messages import Instant
from taisai.runtime.journal.backends import open_journal
from taisai.runtime.journal.contract import Journal, JournalError
from taisai.runtime.journal.location import JOURNAL_FILE, is_address, shown_place
from taisai.runtime.records.entries import Period, RecordsError

_EPOCH = datetime.fromtimestamp(0, UTC)
_EVERY_SECONDS = 0.2

T = TypeVar("T")


def reading(where: str, work: Callable[[Journal], Awaitable[T]]) -> T:
    """Open a journal for reading alone, do some work on it, and close it."""
    return asyncio.run(_reading(journal_at(where), work))


async def _reading(where: str | Path, work: Callable[[Journal], Awaitable[T]]) -> T:
    try:
        journal = await open_journal(where, read_only=True)
        try:
            return await work(journal)
        finally:
            await journal.close()
    except (JournalError, RecordsError) as error:
        raise Refused(str(error)) from None
    except UnicodeDecodeError:
        raise Refused(
            f"the journal {shown_place(where)} holds a name that is no text;"
            " 'taisai audit verify' tells where"
        ) from None


def journal_at(where: str) -> str | Path:
    """Find the journal: an address as it stands, a file, or the one in a data directory."""
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


class ReadingProgress:
    """A line that is written over and over on standard error, if a person watches it."""

    def __init__(self) -> None:
        self._watched = sys.stderr.isatty()
        self._read = 0
        self._began_at = self._shown_at = time.monotonic()
        self._shown = False

    def __call__(self, records: int) -> None:
        """Count records, and tell how many if that was last told a while ago."""
        self._read += records
        if self._watched:
            now = time.monotonic()
            if now - self._shown_at >= _EVERY_SECONDS:
                self._shown_at, self._shown = now, True
                rate = self._read / (now - self._began_at)
                told = f"{self._read:,} events read, {rate:,.0f} a second"
                print(f"\r\x1b[K{told}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Leave the line as if nothing had been there."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

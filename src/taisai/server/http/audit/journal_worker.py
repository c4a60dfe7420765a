"""The journal worker: a process of its own that reads the journal for one job, and ends.

To prove or export a journal takes longer the longer it is, and the venue must not wait for it: so
it is done with a connection of its own that cannot write, at a lower priority. The job is one line
on standard input, since the address of a database is a secret; the result is written to standard
output, and a fault, as one sentence, to standard error.
"""

import asyncio
import os
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable
from io import RawIOBase
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct, structs

from taisai.core.errors import SentenceError
from taisai.core.kernel.messages import Instant
from taisai.projections.figures.days import Dates, GamingDays
from taisai.runtime.journal.backends import opened_journal
from taisai.runtime.journal.contract import Journal
from taisai.runtime.journal.location import is_address, without_passwords
from taisai.runtime.keys.signing import PublicKeys, read_public
from taisai.runtime.records.columns import VIEWS
from taisai.runtime.records.entries import Period, Source
from taisai.runtime.records.export import export
from taisai.runtime.records.round_report import tell_round
from taisai.runtime.records.round_story import story_view
from taisai.runtime.records.search import Position, Sought, find
from taisai.runtime.records.significant_events import EventPage, event_view, significant_entries
from taisai.runtime.verification.report import Report, plain_report
from taisai.runtime.verification.verifier import Asked, verify
from taisai.server.figures.follower import begin_fold, read_fold
from taisai.wording import LANGUAGES, say_again

#: The niceness of a worker: the venue itself comes first.
NICE = 10
#: How often the progress of a verification is shown.
PROGRESS_SECONDS = 0.2
#: Faults that are shown one by one; the rest are counted.
FAULTS_SHOWN = 100

DONE, REFUSED, NOT_FOUND = 0, 3, 4


class Job(Struct, frozen=True, tag=True):
    """Something to do with the journal of a venue."""

    where: str


class Verify(Job, frozen=True):
    """Prove the journal, by the public keys in a file if there is one."""

    keys: str | None = None


class Story(Job, frozen=True):
    """Show a round in full."""

    table: str
    round: int
    language: str = "en"


class Chosen(Job, frozen=True, kw_only=True):
    """Something to do with the records of some tables and terminals, or all, in a period."""

    tables: tuple[str, ...] = ()
    terminals: tuple[str, ...] = ()
    since: Instant | None = None
    until: Instant | None = None
    language: str = "en"


class Events(Chosen, frozen=True, kw_only=True):
    """Show the newest significant events before one that is known."""

    limit: int
    before: tuple[Instant, str, int] | None = None


class Find(Chosen, frozen=True, kw_only=True):
    """Look for events, from the newest back."""

    sought: Sought
    limit: int
    before: Position | None = None


class Export(Chosen, frozen=True, kw_only=True):
    """Write a view out."""

    view: str
    format: str


class Tallying(Job, frozen=True):
    """Fold a stream up to a version, for the figures of the venue; of days only those wanted."""

    stream: str
    upto: int
    day_starts: int
    time_zone: str
    wanted: Dates | None = None


AnyJob = Verify | Story | Events | Find | Export | Tallying


class Progress(Struct, frozen=True, tag=True):
    """How many events of how many have been looked at."""

    seen: int
    total: int


class Outcome(Report, kw_only=True):
    """What a verification looked at, what that adds up to, and what is wrong."""

    verified: bool
    #: All faults; only the first are shown one by one.
    faults_found: int


class Worded(Struct, frozen=True):
    """The sentences of faults and notes in a language, in their order."""

    faults: list[str]
    notes: list[str]


class Proof(Struct, frozen=True, tag=True):
    """What a verification came to, worded in every language: who reads it is not known yet."""

    outcome: Outcome
    worded: dict[str, Worded]


class Tallied(Struct, frozen=True, tag=True):
    """The figures of a table, or the drawer of the cage, written down."""

    tally: msgspec.Raw


class _Counted(RawIOBase):
    """Standard output that counts the bytes written, which some formats need."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._at = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        written = self._file.write(data)
        self._at += written
        return written

    def tell(self) -> int:
        return self._at

    def flush(self) -> None:
        if not self.closed:
            self._file.flush()


def _write(answer: object) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
    sys.stdout.buffer.flush()


def _progress_writer() -> Callable[[int, int], None]:
    """Make a function that writes the progress now and then."""
    written_at = 0.0

    def progress(seen: int, total: int) -> None:
        nonlocal written_at
        if time.monotonic() - written_at >= PROGRESS_SECONDS:
            written_at = time.monotonic()
            _write(Progress(seen, total))

    return progress


async def _tally(journal: Journal, job: Tallying) -> None:
    fold = begin_fold(job.stream, GamingDays(job.day_starts, job.time_zone), job.wanted)
    await read_fold(journal, job.stream, job.upto, _progress_writer(), fold)
    _write(Tallied(msgspec.Raw(fold.pack())))


async def _verify(journal: Journal, job: Verify) -> None:
    public: PublicKeys | None = None if job.keys is None else read_public(Path(job.keys))
    report = await verify(journal, Asked(public), _progress_writer())
    verified, found = report.verified, len(report.faults)
    del report.faults[FAULTS_SHOWN:]
    worded = {each: _worded(report, each) for each in LANGUAGES}
    report = plain_report(report)
    outcome = Outcome(**structs.asdict(report), verified=verified, faults_found=found)
    _write(Proof(outcome, worded))


def _worded(report: Report, language: str) -> Worded:
    faults = [say_again(each.sentence, language) for each in report.faults]
    return Worded(faults, [say_again(each, language) for each in report.notes])


async def _story(journal: Journal, job: Story) -> None:
    story = await tell_round(await Source.of(journal), job.table, job.round)
    _write(story_view(story, job.language))


async def _chosen(journal: Journal, job: Chosen) -> Source:
    period = Period(job.since, job.until)
    return await Source.of(journal, period=period, tables=job.tables, terminals=job.terminals)


async def _events(journal: Journal, job: Events) -> None:
    source = await _chosen(journal, job)
    newest = deque[Any](maxlen=job.limit + 1)
    async for entry in significant_entries(source):
        if job.before is None or (entry.at, entry.stream, entry.version) < job.before:
            newest.append(entry)
    more = len(newest) > job.limit
    if more:
        newest.popleft()
    oldest = newest[0] if more else None
    before = None if oldest is None else f"{oldest.at}.{oldest.version}.{oldest.stream}"
    _write(EventPage([event_view(entry, job.language) for entry in reversed(newest)], before))


async def _find(journal: Journal, job: Find) -> None:
    source = await _chosen(journal, job)
    _write(await find(source, job.sought, job.limit, job.before, job.language))


async def _export(journal: Journal, job: Export) -> None:
    source = await _chosen(journal, job)
    out: Any = _Counted(sys.stdout.buffer)
    await export(source, VIEWS[job.view], out, job.format, language=job.language)
    sys.stdout.buffer.flush()


_WORK: dict[type[Job], Callable[[Journal, Any], Awaitable[None]]] = {
    Verify: _verify,
    Story: _story,
    Events: _events,
    Find: _find,
    Export: _export,
    Tallying: _tally,
}


async def _work(job: AnyJob) -> None:
    where: str | Path = job.where if is_address(job.where) else Path(job.where)
    async with opened_journal(where, read_only=True) as journal:
        await _WORK[type(job)](journal, job)


def main() -> int:
    """Do the one job that standard input names."""
    os.nice(NICE)
    job = msgspec.json.decode(sys.stdin.buffer.readline(), type=AnyJob)
    try:
        asyncio.run(_work(job))
    except SentenceError as error:
        sys.stderr.write(f"{without_passwords(str(error))}\n")
        return NOT_FOUND if isinstance(job, Story) and "has no round" in str(error) else REFUSED
    except BrokenPipeError:
        # The venue no longer reads the answer.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return REFUSED
    return DONE


if __name__ == "__main__":
    raise SystemExit(main())

"""Verifying a journal with several processes at once, each with a share of its streams.

Their findings count only if all of them find everything right. If one does not, the journal is
verified again by one process, which says what is wrong.
"""

import asyncio
import os
import secrets
import sys
import time
from asyncio.subprocess import Process
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct, field

from taisai import child_processes
from taisai.core.cage.state import CageState
from taisai.core.kernel.ledger import UNCLAIMED
from taisai.core.table.state import TableState
from taisai.runtime.auditor import AuditError, Auditor
from taisai.runtime.journal.contract import Journal, JournalError, Progress
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.streams import VENUE
from taisai.runtime.verification.noted_transits import Noted, NotedTransits, brought_together
from taisai.runtime.verification.replay import Expected, Replay
from taisai.runtime.verification.report import Money, Report
from taisai.runtime.verification.signatures import Taken, Vouched, stray_snapshots
from taisai.runtime.verification.verifier import (
    BELOW_ALL,
    Asked,
    Verifier,
    declined_in,
    in_order,
    little_looking_for_garbage,
    verify,
)
from taisai.wording import say_again

#: With fewer events, starting processes takes longer than verifying.
_WORTH_SHARING = 50_000
_PROGRAM = "taisai.runtime.verification.shares"
#: The findings of a process take a few lines for each table, and its transits.
_LINE_BYTES_MAX = 256 * 1024 * 1024


class StreamShare(Struct, frozen=True):
    """A stream to verify up to a version, with its heads in checkpoints and its snapshots."""

    name: str
    upto: int
    vouched: list[Vouched]
    taken: list[Taken]


class Share(Struct, frozen=True):
    """The streams that one process verifies, after the venue's own, which all tables depend on."""

    path: str
    streams: list[StreamShare]


class Found(Struct):
    """The findings of a process that found nothing wrong."""

    events: int = 0
    decisions: int = 0
    #: How many of them are the venue's own, which every process has read.
    of_venue: int = 0
    rounds: int = 0
    in_transit: int = 0
    money: Money = field(default_factory=Money)
    notes: dict[str, list[str]] = {}
    transits: dict[str, list[Noted]] = {}


class Said(Struct, frozen=True):
    """A line of a process's output: how many events it has checked, or at the end its findings."""

    seen: int = 0
    found: Found | None = None


#: Sentences are written as texts.
_write = msgspec.json.Encoder(enc_hook=say_again).encode
_read_said = msgspec.json.Decoder(Said).decode
_read_share = msgspec.json.Decoder(Share).decode


class NotRightError(Exception):
    """Something is wrong, or cannot be checked by shares; one process will say what it is."""


async def verify_shared(
    journal: Journal, asked: Asked, progress: Progress = lambda _, __: None, jobs: int = 1
) -> Report:
    """Verify a journal with several processes, if it is long enough; on any fault, with one."""
    began = time.perf_counter()
    if jobs > 1 and isinstance(journal, SqliteJournal) and asked.copy is None:
        verifier = SharedVerifier(journal, asked, progress, jobs)
        try:
            await verifier.run()
        except (NotRightError, AuditError, JournalError, UnicodeDecodeError):
            pass
        else:
            verifier.report.seconds = time.perf_counter() - began
            return verifier.report
    return await verify(journal, asked, progress)


def processors() -> int:
    """Count the processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


class SharedVerifier(Verifier):
    """A verification by several processes, given up at the first fault."""

    def __init__(self, journal: SqliteJournal, asked: Asked, progress: Progress, jobs: int) -> None:
        super().__init__(journal, asked, progress)
        self._path, self._jobs = journal.path, jobs
        self._seen_by: dict[int, int] = {}

    async def run(self) -> None:
        heads = await self._journal.heads()
        if sum(head.version for head in heads.values()) < _WORTH_SHARING or VENUE not in heads:
            raise NotRightError
        # They start while the signatures are checked; no more of them than tables.
        processes = [
            await child_processes.begin(_PROGRAM, _LINE_BYTES_MAX, complains=False)
            for _ in range(min(self._jobs, len(heads) - 1))
        ]
        try:
            await self._run(processes)
        finally:
            for process in processes:
                await child_processes.end(process)

    async def _run(self, processes: list[Process]) -> None:
        checkpoints = await self._check_checkpoints()
        if self._asked.anchor is not None:
            await self._check_anchor(self._asked.anchor)
        self._heads = await self._journal.heads()
        self._total = sum(head.version for head in self._heads.values())
        streams = [
            StreamShare(
                stream,
                head.version,
                checkpoints.vouched.get(stream, []),
                [*(await self._look_at_snapshots(stream)).values()],
            )
            for stream, head in self._heads.items()
        ]
        self.report.faults += await stray_snapshots(self._journal, self._heads)
        gone = checkpoints.vouched.keys() - self._heads.keys()
        if gone or self.report.faults:
            raise NotRightError
        shares = self._shares(streams, len(processes))
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(self._verify_elsewhere(process, number, share))
                    for number, (process, share) in enumerate(zip(processes, shares, strict=False))
                ]
                if await self._journal.integrity():
                    raise NotRightError
                await self._check_seals(checkpoints)
        except BaseExceptionGroup as failed:
            raise NotRightError from failed
        self._take([task.result() for task in tasks])
        if self.report.faults:
            raise NotRightError
        self._note_uncovered(checkpoints)

    def _shares(self, streams: list[StreamShare], processes: int) -> list[Share]:
        """Divide the streams, the longest first, each to the share with the least work."""
        venue = next(each for each in streams if each.name == VENUE)
        shares: list[list[StreamShare]] = [[] for _ in range(processes)]
        for stream in sorted(streams, key=lambda each: -each.upto):
            if stream is not venue:
                min(shares, key=lambda each: sum(of.upto for of in each)).append(stream)
        return [Share(str(self._path), [venue, *each]) for each in shares if each]

    async def _verify_elsewhere(self, process: Process, number: int, share: Share) -> Found:
        async for line in child_processes.lines_of(process, _write(share)):
            said = _read_said(line)
            if said.found is not None:
                return said.found
            self._seen_by[number] = said.seen
            self._progress(min(sum(self._seen_by.values()), self._total), self._total)
        raise NotRightError

    def _take(self, found: list[Found]) -> None:
        """Add up the findings of the processes, and check their transits together."""
        report, money = self.report, self.report.money
        transits = brought_together(each.transits for each in found)
        for each in found:
            report.events += each.events
            report.decisions += each.decisions
            report.rounds += each.rounds
            for name in Money.__struct_fields__:
                if name != "currency":
                    setattr(money, name, getattr(money, name) + getattr(each.money, name))
        # The venue's own stream was read by each process, and counts once.
        again = len(found) - 1
        report.events -= again * self._heads[VENUE].version
        report.decisions -= again * found[0].of_venue
        notes = {stream: said for each in found for stream, said in each.notes.items()}
        for stream in in_order(notes):
            report.notes += notes[stream]
        report.streams = len(self._heads)
        money.currency = found[0].money.currency
        money.in_transit = transits.on_its_way()
        if sum(each.in_transit for each in found) != money.in_transit:
            raise NotRightError


# --- a share -------------------------------------------------------------------------------------


async def verify_share(share: Share, progress: Callable[[int], None]) -> Found:
    """Verify the streams of a share, one after the other; raise at any fault."""
    transits = NotedTransits()
    auditor, key, found = Auditor(transits), secrets.token_bytes(32), Found()
    journal = await SqliteJournal.open(Path(share.path), read_only=True)
    try:
        for stream in share.streams:
            pages = journal.read(stream.name, after=BELOW_ALL, upto=stream.upto)
            taken = {each.version: each for each in stream.taken}
            expected = Expected(stream.vouched, taken)
            replay = Replay(stream.name, pages, expected, auditor, key, journal)
            await replay.run(progress)
            if replay.fault is not None or not replay.done or replay.events != stream.upto:
                raise NotRightError
            if stream.name == VENUE:
                found.of_venue = auditor.decisions
            _add(found, replay)
    finally:
        await journal.close()
    found.decisions = auditor.decisions
    found.rounds = sum(table.round for table in auditor.tables.values())
    found.money.currency = auditor.venue.currency or ""
    found.money.turnover = sum(table.turnover for table in auditor.tables.values())
    found.money.won = sum(table.won for table in auditor.tables.values())
    found.transits = transits.noted
    return found


def _add(found: Found, replay: Replay) -> None:
    found.events += replay.events
    found.notes[replay.stream] = [*declined_in(replay.stream, replay)]
    if isinstance(replay.state, TableState | CageState):
        ledger, money = replay.state.ledger, found.money
        found.in_transit += ledger.total("transit:")
        money.bank += ledger.total("house:")
        money.credits += ledger.total("terminal:")
        money.stakes += ledger.total("stake:")
        money.vouchers += ledger.total("vouchers:")
        money.unclaimed += ledger.total(UNCLAIMED)


def main() -> int:
    """Run one of the processes: read a share from stdin, write its findings to stdout."""
    share = _read_share(sys.stdin.buffer.read())
    seen = 0

    def say(said: Said) -> None:
        sys.stdout.buffer.write(_write(said) + b"\n")
        sys.stdout.buffer.flush()

    def count(records: int) -> None:
        nonlocal seen
        seen += records
        say(Said(seen))

    try:
        with little_looking_for_garbage():
            say(Said(found=asyncio.run(verify_share(share, count))))
    except (NotRightError, JournalError, UnicodeDecodeError):
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

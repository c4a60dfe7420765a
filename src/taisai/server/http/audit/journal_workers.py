"""Runs journal workers: a few at a time, each a process that reads the journal and ends.

If the caller disconnects before the answer is complete, the worker is killed. A worker's trouble
with the journal is shown as a sentence; a fault of ours is in the log, and shown by its number.
Verifications of the running journal are done by workers too: one at a time, with its result kept.
"""

import asyncio
import contextlib
import logging
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Literal

import msgspec
from litestar import Request
from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.core.rules.reason import Reason, because, printable
from taisai.projections.figures.days import Dates, GamingDays
from taisai.runtime.clock import Clock
from taisai.runtime.journal.location import JOURNAL_FILE
from taisai.runtime.keys.directory import HISTORY
from taisai.runtime.operations.process import KEYS_DIRECTORY
from taisai.server.figures.follower import Figures, Fold, OnProgress, ReadLong, unpack_fold
from taisai.server.http.audit.journal_worker import (
    DONE,
    NOT_FOUND,
    REFUSED,
    AnyJob,
    Outcome,
    Progress,
    Proof,
    Tallied,
    Tallying,
    Verify,
    Worded,
)
from taisai.server.http.frame.problems import RefusedError, busy, not_found
from taisai.server.settings import Settings
from taisai.wording import say

#: How many workers read the journal at the same time, and how many jobs more may wait.
AT_ONCE = 2
WAITING_MAX = 8
#: How long a job waits for its turn, and how long a caller may read nothing of the answer.
TURN_SECONDS = 30.0
STALLED_SECONDS = 60.0
#: How many bytes of a worker's output are read at once, and how many such parts may wait.
CHUNK = 64 * 1024
CHUNKS_WAITING = 8
#: The longest line a worker writes: a table's tally with its last rounds, kind by kind.
LINE_MAX = 8 * 1024 * 1024
#: A request that found no free worker is told to try again after so long.
BUSY_SECONDS = 10
#: How many bytes of a worker's standard error are kept.
_COMPLAINT_MAX = 16 * 1024

_decode = msgspec.json.Decoder(Progress | Proof | Tallied).decode
_log = logging.getLogger(__name__)


class JournalWorkerError(Exception):
    """A worker ended by a fault of ours; its standard error is in the log."""


class JournalWorker:
    """One process that does one job."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        assert process.stdout is not None, "its output is a pipe"
        assert process.stderr is not None, "its complaints come by a pipe"
        self._out = process.stdout
        loop = asyncio.get_running_loop()
        self._complaint = loop.create_task(_last_of(process.stderr))

    async def lines(self) -> AsyncIterator[bytes]:
        """Give its output line by line; raise what it complained of at the end."""
        async for line in self._out:
            yield line
        await self.check()

    async def answer(self, progress: Callable[[int, int], None]) -> Proof | Tallied:
        """Report its progress, then give its one answer, which comes last."""
        found: Proof | Tallied | None = None
        async for line in self.lines():
            read = _decode(line)
            if isinstance(read, Progress):
                progress(read.seen, read.total)
            else:
                found = read
        if found is None:
            raise JournalWorkerError("a worker ended without the answer it was asked for")
        return found

    async def chunks(self) -> AsyncIterator[bytes]:
        """Give its output as it comes; raise what it complained of at the end."""
        while chunk := await self._out.read(CHUNK):
            yield chunk
        await self.check()

    async def check(self) -> None:
        """Wait for its end; raise what it complained of."""
        status = await self._process.wait()
        if status == DONE:
            return
        complaint = (await self._complaint).decode("utf-8", "replace").strip()
        if status == NOT_FOUND:
            raise not_found("UNKNOWN_ROUND")
        if status == REFUSED:
            raise busy("JOURNAL_UNREADABLE", BUSY_SECONDS, detail=printable(complaint))
        _log.error("a worker ended with status %s: %s", status, complaint)
        raise JournalWorkerError(f"a worker ended with status {status}")

    async def end(self) -> None:
        """Kill it, if it has not ended by itself, and close its pipes."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        self._complaint.cancel()
        await asyncio.gather(self._complaint, return_exceptions=True)
        await self._process.wait()
        # The rest of its output is read, so that the pipe is closed.
        while await self._out.read(CHUNK):
            pass


#: A part of an answer, its end (None), or the error that ended it.
_Part = bytes | None | Exception


class JournalWorkers:
    """The workers that read the journal of a venue for its routes."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0
        self._passing_on: set[asyncio.Task[None]] = set()

    @property
    def where(self) -> str:
        """Give the place of the journal."""
        return self._settings.journal or str(self._settings.data / JOURNAL_FILE)

    @property
    def keys(self) -> str | None:
        """Give the file of the venue's public keys, if it has one."""
        history = self._settings.data / KEYS_DIRECTORY / HISTORY
        return str(history) if history.is_file() else None

    @asynccontextmanager
    async def take_on(self, job: AnyJob) -> AsyncIterator[JournalWorker]:
        """Have a worker do a job, once one is free; it is killed if the block ends before it."""
        await self._get_a_turn()
        try:
            worker = await _begin(job)
            try:
                yield worker
            finally:
                await worker.end()
        finally:
            self._turn.release()

    async def _get_a_turn(self) -> None:
        if self._turn.locked() and self._waiting >= WAITING_MAX:
            raise _too_many()
        self._waiting += 1
        try:
            async with asyncio.timeout(TURN_SECONDS):
                await self._turn.acquire()
        except TimeoutError:
            raise _too_many() from None
        finally:
            self._waiting -= 1

    async def answer(self, job: AnyJob) -> AsyncIterator[bytes]:
        """Have a worker do a job, and pass on its output; trouble at its beginning is raised.

        A caller that reads nothing for a while is taken to be gone: the worker is killed.
        """
        parts = asyncio.Queue[_Part](CHUNKS_WAITING)
        passing_on = asyncio.get_running_loop().create_task(self._pass_on(job, parts))
        self._passing_on.add(passing_on)
        passing_on.add_done_callback(self._passing_on.discard)
        try:
            first = await parts.get()
        except BaseException:
            passing_on.cancel()
            raise
        if isinstance(first, Exception):
            raise first
        return _taken(first, parts, passing_on)

    async def _pass_on(self, job: AnyJob, parts: "asyncio.Queue[_Part]") -> None:
        try:
            async with self.take_on(job) as worker:
                async for chunk in worker.chunks():
                    await _give(parts, chunk)
            await _give(parts, None)
        except Exception as error:  # noqa: BLE001 - raised where the answer is taken
            _break_off(parts, error)
        except asyncio.CancelledError:
            _break_off(parts, JournalWorkerError("the worker was ended before it was done"))
            raise

    async def close(self) -> None:
        """End all workers."""
        for passing_on in self._passing_on:
            passing_on.cancel()
        await asyncio.gather(*self._passing_on, return_exceptions=True)


def _too_many() -> RefusedError:
    return busy("WORKERS_BUSY", BUSY_SECONDS)


def _break_off(parts: "asyncio.Queue[_Part]", error: Exception) -> None:
    """End an answer with an error, even if its queue is full."""
    if parts.full():
        parts.get_nowait()
    parts.put_nowait(error)


async def _give(parts: "asyncio.Queue[_Part]", part: _Part) -> None:
    async with asyncio.timeout(STALLED_SECONDS):
        await parts.put(part)


async def _taken(
    first: bytes | None, parts: "asyncio.Queue[_Part]", passing_on: "asyncio.Task[None]"
) -> AsyncIterator[bytes]:
    """Give the parts one by one; one that is an error ends the answer."""
    part: _Part = first
    try:
        while part is not None:
            if isinstance(part, Exception):
                raise part
            yield part
            part = await parts.get()
    finally:
        passing_on.cancel()


async def _last_of(stream: asyncio.StreamReader) -> bytes:
    """Read a stream to its end, and keep its last bytes."""
    last = b""
    while more := await stream.read(_COMPLAINT_MAX):
        last = (last + more)[-_COMPLAINT_MAX:]
    return last


async def _begin(job: AnyJob) -> JournalWorker:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "taisai.server.http.audit.journal_worker",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=LINE_MAX,
    )
    worker = JournalWorker(process)
    assert process.stdin is not None, "its job comes by a pipe"
    process.stdin.write(msgspec.json.encode(job) + b"\n")
    # If the worker has ended already, its status says why.
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        await process.stdin.drain()
    process.stdin.close()
    return worker


def figures_of(request: Request[Any, Any, Any]) -> Figures:
    """Give the figures that all routes share."""
    figures: Figures = request.app.state.figures
    return figures


def reading_by(workers: JournalWorkers, gaming_days: GamingDays | None = None) -> ReadLong:
    """Make a function that has a worker fold a stream."""
    days = gaming_days or GamingDays()

    async def read(
        stream: str, upto: int, progress: OnProgress, wanted: Dates | None = None
    ) -> Fold:
        job = Tallying(workers.where, stream, upto, days.day_starts, days.time_zone, wanted)
        async with workers.take_on(job) as worker:
            tallied = await worker.answer(progress)
        assert isinstance(tallied, Tallied), "a tally was asked for"
        return unpack_fold(stream, tallied.tally, days)

    return read


class Verification(Struct):
    """A verification: under way, done, stopped by somebody, or given up for a reason."""

    number: int
    by: str
    began_at: Instant
    state: Literal["running", "done", "stopped", "failed"]
    seen: int = 0
    total: int = 0
    ended_at: Instant | None = None
    outcome: Outcome | None = None
    failure: str | None = None
    #: Who stopped it.
    stopped_by: str | None = None


class Verifications:
    """The verification under way, or else the last one."""

    def __init__(self, workers: JournalWorkers, clock: Clock) -> None:
        self.current: Verification | None = None
        self._workers = workers
        self._clock = clock
        self._task: asyncio.Task[None] | None = None
        #: Why the last verification was given up.
        self._why: Reason | None = None
        #: The sentences of the last verification, by language.
        self._worded: dict[str, Worded] = {}

    def shown(self, language: str) -> Verification | None:
        """Show the verification under way, or the last one, with its faults in a language."""
        if self.current is None:
            return None
        if self.current.state != "failed":
            outcome = _said_in(self.current.outcome, self._worded.get(language))
            return msgspec.structs.replace(self.current, outcome=outcome)
        why = self._why or because("VERIFICATION_GIVEN_UP")
        return msgspec.structs.replace(self.current, failure=printable(say(why, language)))

    def begin(self, by: str) -> Verification | None:
        """Begin a verification, unless one is under way."""
        if self._task is not None:
            return None
        number = 1 if self.current is None else self.current.number + 1
        self.current = Verification(number, by, self._clock.now(), "running")
        self._why = None
        _log.info("verification %s of the journal, asked for by %s", number, printable(by))
        self._task = asyncio.get_running_loop().create_task(self._run(self.current))
        return self.current

    async def stop(self, by: str) -> Verification | None:
        """Stop the verification under way, if there is one, and end its worker."""
        current, task = self.current, self._task
        if current is None or task is None:
            return None
        current.stopped_by = by
        _log.info("verification %s was stopped by %s", current.number, printable(by))
        task.cancel()
        await asyncio.wait([task])
        return current

    async def ended(self) -> None:
        """Wait until no verification is under way."""
        if self._task is not None:
            await asyncio.wait([self._task])

    async def close(self) -> None:
        """Give up the verification under way."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self, verification: Verification) -> None:
        try:
            await self._prove(verification)
            verification.state = "done"
        except RefusedError as error:
            self._why = error.refusal.reason
        except Exception:  # noqa: BLE001 - logged, and shown as a failure
            _log.exception("a verification failed by a fault of ours")
            self._why = because("VERIFICATION_FAULT")
        finally:
            if verification.state == "running":
                stopped = verification.stopped_by is not None
                verification.state = "stopped" if stopped else "failed"
            verification.ended_at = self._clock.now()
            self._task = None

    async def _prove(self, verification: Verification) -> None:
        def progress(seen: int, total: int) -> None:
            verification.seen, verification.total = seen, total

        job = Verify(self._workers.where, self._workers.keys)
        async with self._workers.take_on(job) as worker:
            proof = await worker.answer(progress)
        assert isinstance(proof, Proof), "a verification ends with a proof"
        verification.outcome, self._worded = proof.outcome, proof.worded
        verification.seen = verification.total = verification.outcome.events


def _said_in(outcome: Outcome | None, worded: Worded | None) -> Outcome | None:
    """Give an outcome, with its sentences in a language."""
    if outcome is None or worded is None:
        return outcome
    pairs = zip(outcome.faults, worded.faults, strict=True)
    faults = [msgspec.structs.replace(each, sentence=sentence) for each, sentence in pairs]
    return msgspec.structs.replace(outcome, faults=faults, notes=worded.notes)

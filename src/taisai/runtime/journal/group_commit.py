"""Group commit without timers: whatever gathered while the last commit ran goes into the next.

All tables share one committer. It asks each stream that has something new for all of it, writes one
batch, and tells each stream what became of its part. What it does not know it reads back before
anyone is told anything.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from taisai.core.kernel.messages import Instant
from taisai.runtime.journal.contract import (
    LASTING,
    Append,
    Checkpoint,
    Head,
    Heads,
    Journal,
    JournalError,
    Outcome,
    OutcomeUnknownError,
    genesis,
)
from taisai.runtime.journal.seals import Tail
from taisai.runtime.journal.watch import Watch
from taisai.wording import told

#: So many events go by between two signed checkpoints.
CHECKPOINT_EVERY = 10_000
#: … or so many seconds, if less.
CHECKPOINT_SECONDS = 60.0
#: How often, and after how long at first, a journal that does not answer is asked again.
READ_BACK_TRIES = 9
READ_BACK_SECONDS = 0.05
READ_BACK_SECONDS_MAX = 0.2

#: What became of one stream's part; where it is not there, why, and whether that may pass.
_Found = tuple[Outcome, str, bool]

_log = logging.getLogger(__name__)


class Source(Protocol):
    """A stream that has something to write."""

    stream: str

    def take(self) -> Append:
        """Give everything that is new, to be written now."""

    def durable(self) -> None:
        """Be notified that what was taken is on disk."""

    def failed(self, why: str, *, passing: bool) -> None:
        """Be notified that what was taken is not, or that nobody can say; it may pass by itself."""


class Committer:
    """Writes batches, one at a time; knows the durable heads of all streams."""

    def __init__(
        self,
        journal: Journal,
        heads: Heads,
        sign: Callable[[Heads, Checkpoint | None], Checkpoint],
        tail: Tail,
        newest: Checkpoint | None = None,
    ) -> None:
        self.heads: dict[str, Head] = dict(heads)
        #: What is signed: where others write too, what seals vouch for.
        self.to_sign: Heads = self.heads
        #: Whether it is for this process to sign.
        self.signs: Callable[[], bool] = lambda: True
        #: Follows the seals; every batch is sealed.
        self.tail = tail
        self.newest = newest
        self.batches = 0
        #: When the newest event was, as far as the journal knows.
        self.at: Instant = 0
        self.watch = Watch(journal, self.reopen)
        self._journal = journal
        self._sign = sign
        self.unsigned = 0
        self._signed_at = time.monotonic()
        #: Called with each checkpoint that is in the journal.
        self.on_signed: Callable[[Checkpoint], None] = lambda _: None
        #: Checkpoints that may or may not be in the journal: nobody could say.
        self._doubtful: list[Checkpoint] = []
        #: A checkpoint signed for itself and one of a batch must not take the same number.
        self._turn = asyncio.Lock()
        self._sources: dict[str, Source] = {}
        self._task: asyncio.Task[None] | None = None
        #: How often what was ready has been taken, and how many of those were told what came of it.
        self._rounds = self._rounds_told = 0
        #: Set, and replaced, whenever more of them were told.
        self._more_told = asyncio.Event()
        #: Called after each batch that made something durable.
        self.after_batch: Callable[[], None] = lambda: None
        #: Called at once when the journal is not the one that was opened, or another's, with why.
        self.on_replaced: Callable[[str], None] = lambda _: None
        #: Called after each batch that was written: how many events, and how long it took.
        self.on_commit: Callable[[int, float], None] | None = None

    def ready(self, source: Source) -> None:
        """Take note that a stream has something to write, and begin if nothing is under way."""
        self._sources[source.stream] = source
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def settled(self) -> None:
        """Wait until what is ready now, or being written, is durable or has failed, and was told.

        What is ready later is not waited for: where much is going on, that never ends.
        """
        upto = self._rounds + bool(self._sources)
        while self._task is not None and self._rounds_told < upto:
            await self._more_told.wait()

    async def idle(self) -> None:
        """Wait until nothing is written any more: for who takes nothing new."""
        while self._task is not None:
            await self.settled()

    async def checkpoint(self) -> Checkpoint:
        """Sign what is durable now, and write the signature down."""
        await self.settled()
        async with self._turn:
            signed = self._sign(self.to_sign, self.newest)
            try:
                await self._put((), signed)
            except OutcomeUnknownError:
                self._doubtful.append(signed)
                await self._reopen()
                if self.newest != signed:
                    raise
                return signed
            self._note_signed(signed)
            return signed

    def _note_signed(self, signed: Checkpoint) -> None:
        self.newest, self.unsigned, self._signed_at = signed, 0, time.monotonic()
        self.on_signed(signed)

    async def reopen(self) -> None:
        """Open the journal afresh between two batches, unless the one before has had to."""
        was_fresh = self.watch.fresh
        async with self._turn:
            if was_fresh or not self.watch.fresh:
                await self._reopen()

    async def _reopen(self) -> None:
        """Open the journal afresh; if its newest checkpoint was in doubt, it is not any more."""
        await self._journal.reopen()
        if self._doubtful:
            found = await self._journal.checkpoints(newest=1)
            if found and found[0] in self._doubtful:
                self._note_signed(found[0])
            self._doubtful.clear()
        await self.tail.catch_up(self._journal)
        self.watch.fresh = True

    async def _run(self) -> None:
        """Write batch after batch; a batch is answered while the next is on its way to disk."""
        untold: Callable[[], None] | None = None
        try:
            while self._sources or untold is not None:
                self._rounds += 1
                sources, appends = self._take()
                if not appends:
                    writing = None
                else:
                    writing = asyncio.get_running_loop().create_task(self._write(appends))
                    # Lets the write begin before the loop is busy with the answers to the last.
                    await asyncio.sleep(0)
                if untold is not None:
                    untold()
                self._note_told(self._rounds - 1)
                untold = None if writing is None else await self._end(sources, writing)
        finally:
            self._task = None
            self._note_told(self._rounds)

    def _note_told(self, rounds: int) -> None:
        """Have those go on who waited for so many rounds."""
        self._rounds_told = rounds
        self._more_told.set()
        self._more_told = asyncio.Event()

    def _take(self) -> tuple[list[Source], list[Append]]:
        """Take what is new; a table suspended since it was ready has nothing left to write."""
        taken = [(source, source.take()) for source in self._sources.values()]
        self._sources.clear()
        taken = [each for each in taken if each[1].records or each[1].commands]
        return [source for source, _ in taken], [append for _, append in taken]

    def _sign_if_due(self) -> Checkpoint | None:
        """Sign what is durable already, now and then: never the very batch it is written with."""
        age = time.monotonic() - self._signed_at
        due = self.unsigned >= CHECKPOINT_EVERY or (self.unsigned and age >= CHECKPOINT_SECONDS)
        return self._sign(self.to_sign, self.newest) if due and self.signs() else None

    async def _end(
        self,
        sources: Sequence[Source],
        writing: "asyncio.Task[list[_Found]]",
    ) -> Callable[[], None] | None:
        """See a batch through: failures are answered at once, the rest by what is returned."""
        try:
            found = await writing
        except JournalError as error:
            _log.error("a commit failed: %s", error)
            _fail(sources, str(error), passing=not isinstance(error, LASTING))
            return None
        except Exception as error:  # noqa: BLE001 - logged, and its tables stop
            # A fault of ours: nobody knows what was written, and it is read back before going on.
            _log.exception("a commit failed by a fault of ours")
            _fail(sources, told("OUR_FAULT", why=f"{type(error).__name__}: {error}"), passing=False)
            return None
        self.batches += 1
        durable = []
        for source, (outcome, why, passing) in zip(sources, found, strict=True):
            if outcome is not Outcome.DURABLE:
                source.failed(why, passing=passing)
            else:
                durable.append(source)
        return lambda: self._tell(durable)

    def _note(self, append: Append) -> None:
        if append.records:
            last = append.records[-1]
            self.heads[append.stream] = Head(last.version, last.hash)
            self.at = max(self.at, last.at)
            self.unsigned += len(append.records)

    def _tell(self, durable: Sequence[Source]) -> None:
        for source in durable:
            source.durable()
        self.after_batch()

    async def _write(self, appends: Sequence[Append]) -> list[_Found]:
        async with self._turn:
            found = await self._write_in_turn(appends)
            # Before anybody else has the turn: who signs then signs as much as is sealed.
            for append, (outcome, *_) in zip(appends, found, strict=True):
                if outcome is Outcome.DURABLE:
                    self._note(append)
        return found

    async def _write_in_turn(self, appends: Sequence[Append]) -> list[_Found]:
        signed = self._sign_if_due()
        began = time.perf_counter()
        try:
            outcomes = await self._put(appends, signed)
        except OutcomeUnknownError as error:
            _log.error("the outcome of a commit is unknown: %s", error)
            return await self._read_back(appends, signed, error)
        if self.on_commit is not None:
            records = sum(len(append.records) for append in appends)
            self.on_commit(records, time.perf_counter() - began)
        if signed is not None and all(each is Outcome.DURABLE for each in outcomes):
            self._note_signed(signed)
        return [
            # Who has it by now goes on with it, and it is followed here.
            (outcome, _why(outcome, append.stream), outcome is Outcome.FENCED)
            for outcome, append in zip(outcomes, appends, strict=True)
        ]

    async def _put(self, appends: Sequence[Append], signed: Checkpoint | None) -> list[Outcome]:
        """Write to the journal; if it is not the one that was opened, nothing goes on."""
        self.tail.drop()
        if signed is not None:
            self.tail.begin_run()
        try:
            outcomes = await self._journal.write(appends, signed, self.tail)
        except JournalError as error:
            self.watch.fresh = False
            if isinstance(error, LASTING):
                self.on_replaced(str(error))
            raise
        self.tail.note()
        return outcomes

    async def _read_back(
        self, appends: Sequence[Append], signed: Checkpoint | None, failure: JournalError
    ) -> list[_Found]:
        """Find out what became of a batch; if nobody can say, the last complaint is raised."""
        complaint = JournalError("the journal was not asked")
        self._doubtful += [] if signed is None else [signed]
        for attempt in range(READ_BACK_TRIES):
            try:
                await self._reopen()
                return [await self._found(append, failure) for append in appends]
            except JournalError as error:
                _log.error("the journal cannot be read back: %s", error)
                complaint = error
                # Nothing tells when a disk or a server is there again; asking is the only way.
                await asyncio.sleep(min(READ_BACK_SECONDS * 2**attempt, READ_BACK_SECONDS_MAX))
        raise complaint

    async def _found(self, append: Append, failure: JournalError) -> _Found:
        """Look whether a stream's part is there, nothing of it, or another's in its place."""
        heads = await self._journal.heads([append.stream])
        head = heads.get(append.stream, genesis(append.stream))
        if append.records:
            written = head == (append.records[-1].version, append.records[-1].hash)
        else:
            first = append.commands[0]
            written = await self._journal.answered(*first[:3]) == first
        if written:
            return Outcome.DURABLE, "", False
        if head == append.after:
            why = told("JOURNAL_INTERRUPTED", why=str(failure))
            return Outcome.CONFLICT, why, True
        # Where nodes share the journal another may have taken the stream over: it is followed, or
        # read back, as far as it is sealed. Whoever has the whole journal is alone in chain 0.
        return Outcome.CONFLICT, _why(Outcome.CONFLICT, append.stream), self.tail.chain > 0


def _fail(sources: Sequence[Source], why: str, *, passing: bool) -> None:
    for source in sources:
        source.failed(why, passing=passing)


def _why(outcome: Outcome, stream: str) -> str:
    if outcome is Outcome.DURABLE:
        return ""
    if outcome is Outcome.FENCED:
        return told("ANOTHER_NODE", stream=stream)
    return told("SOMEBODY_WRITES", stream=stream)

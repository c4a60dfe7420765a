"""Group commit without timers: all that gathered while the last commit ran goes into the next.

All tables share one committer. It takes the new events of each stream, writes one batch, and
notifies each stream of the outcome of its part. If the outcome is unknown, it is read back from the
journal before anything is answered.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
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
    to_seal,
)
from taisai.runtime.journal.seals import Tail
from taisai.runtime.journal.watch import Watch
from taisai.wording import told

#: So many events are written between two signed checkpoints.
CHECKPOINT_EVERY = 10_000
#: … or so many seconds, if less.
CHECKPOINT_SECONDS = 60.0
#: How often a journal that does not answer is read again, and the first pause.
READ_BACK_TRIES = 9
READ_BACK_SECONDS = 0.05
READ_BACK_SECONDS_MAX = 0.2

#: The outcome of one stream's part; if it is not durable, why, and whether that may pass.
_Found = tuple[Outcome, str, bool]

_log = logging.getLogger(__name__)


class Source(Protocol):
    """A stream with events to write."""

    stream: str

    def take(self) -> Append:
        """Give all that is new, to be written now."""

    def durable(self) -> None:
        """Be notified that the oldest part taken is on disk, and hand over its answers."""

    def go_on(self, *, in_halves: bool) -> None:
        """Decide what came while the last batch was answered; its answers may wait to be sent.

        In halves, the second is decided while the first is being written.
        """

    def failed(self, why: str, *, passing: bool) -> None:
        """Be notified that the newest part taken may not be on disk; `passing`: this may pass."""


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
        #: The heads that are signed: if others write too, only the sealed ones.
        self.to_sign: Heads = self.heads
        #: Whether this process signs.
        self.signs: Callable[[], bool] = lambda: True
        #: Follows the seals; every batch is sealed.
        self.tail = tail
        self.newest = newest
        self.batches = 0
        #: The time of the newest event in the journal.
        self.at: Instant = 0
        self.watch = Watch(journal, self.reopen)
        self._journal = journal
        self._sign = sign
        self.unsigned = 0
        self._signed_at = time.monotonic()
        #: Called with each checkpoint once it is in the journal.
        self.on_signed: Callable[[Checkpoint], None] = lambda _: None
        #: Checkpoints that may or may not be in the journal.
        self._doubtful: list[Checkpoint] = []
        #: The newest that was signed alone; a task that nobody holds may vanish.
        self._signing: asyncio.Task[Checkpoint] | None = None
        #: A checkpoint signed alone and one with a batch must not take the same number.
        self._turn = asyncio.Lock()
        self._sources: dict[str, Source] = {}
        self._task: asyncio.Task[None] | None = None
        #: How many rounds of parts were taken, and how many of those were notified.
        self._rounds = self._rounds_told = 0
        #: Set, and replaced, whenever more of them were notified.
        self._more_told = asyncio.Event()
        #: Called after each batch that made something durable.
        self.after_batch: Callable[[], None] = lambda: None
        #: Called at once, with why, when the journal was replaced or belongs to another.
        self.on_replaced: Callable[[str], None] = lambda _: None
        #: Called after each batch that was written, with its events and its duration.
        self.on_commit: Callable[[int, float], None] | None = None

    def ready(self, source: Source) -> None:
        """Note that a stream has events to write, and start writing if no batch is under way."""
        self._sources[source.stream] = source
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def settled(self) -> None:
        """Wait until all that is ready now, or being written, is durable or failed, and notified.

        What is ready later is not waited for: on a busy venue that would never end.
        """
        upto = self._rounds + bool(self._sources)
        while self._task is not None and self._rounds_told < upto:
            await self._more_told.wait()

    async def idle(self) -> None:
        """Wait until nothing is being written, for a caller that accepts nothing new."""
        while self._task is not None:
            await self.settled()

    async def checkpoint(self) -> Checkpoint:
        """Sign what is durable now, and write the checkpoint to the journal.

        A caller may give up: what is being written is then noted all the same, so that no later
        checkpoint takes its number.
        """
        self._signing = asyncio.get_running_loop().create_task(self._checkpoint())
        return await asyncio.shield(self._signing)

    async def _checkpoint(self) -> Checkpoint:
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
        """Reopen the journal between two batches, unless the batch before has just done so."""
        was_fresh = self.watch.fresh
        async with self._turn:
            if was_fresh or not self.watch.fresh:
                await self._reopen()

    async def _reopen(self) -> None:
        """Reopen the journal, and settle whether a doubtful checkpoint is in it."""
        await self._journal.reopen()
        if self._doubtful:
            found = await self._journal.checkpoints(newest=1)
            if found and found[0] in self._doubtful:
                self._note_signed(found[0])
            self._doubtful.clear()
        await self.tail.catch_up(self._journal)
        self.watch.fresh = True

    async def _run(self) -> None:
        """Write batch after batch; a batch is answered while the next is being written."""
        untold: Sequence[Source] = ()
        loop = asyncio.get_running_loop()
        try:
            while self._sources or untold:
                self._rounds += 1
                sources, appends = self._take()
                writing: Awaitable[list[_Found]] | None = None
                if appends and untold:
                    writing = loop.create_task(self._write(appends))
                    # Lets the write start before the loop is busy with answers to the last batch.
                    await asyncio.sleep(0)
                if untold:
                    self._tell(untold)
                    if writing is None:
                        # Now, not in the loop's next turn: nothing is being written.
                        for source in untold:
                            source.go_on(in_halves=self._journal.writes_elsewhere)
                self._note_told(self._rounds - 1)
                untold = ()
                if appends:
                    # With nobody to answer meanwhile, a task of its own would be a detour.
                    untold = await self._end(sources, writing or self._write(appends))
        finally:
            self._task = None
            self._note_told(self._rounds)

    def _note_told(self, rounds: int) -> None:
        """Wake the callers that wait for so many rounds."""
        self._rounds_told = rounds
        self._more_told.set()
        self._more_told = asyncio.Event()

    def _take(self) -> tuple[list[Source], list[Append]]:
        """Take what is new; a table suspended since `ready` has nothing left to write."""
        taken = [(source, source.take()) for source in self._sources.values()]
        self._sources.clear()
        taken = [each for each in taken if each[1].records or each[1].commands]
        return [source for source, _ in taken], [append for _, append in taken]

    def _sign_if_due(self) -> Checkpoint | None:
        """Sign what is already durable, if due: never the batch that the checkpoint goes with."""
        age = time.monotonic() - self._signed_at
        due = self.unsigned >= CHECKPOINT_EVERY or (self.unsigned and age >= CHECKPOINT_SECONDS)
        return self._sign(self.to_sign, self.newest) if due and self.signs() else None

    async def _end(
        self,
        sources: Sequence[Source],
        writing: Awaitable[list[_Found]],
    ) -> Sequence[Source]:
        """Finish a batch: notify failures at once, and give the sources to be notified yet."""
        try:
            found = await writing
        except JournalError as error:
            _log.error("a commit failed: %s", error)
            _fail(sources, str(error), passing=not isinstance(error, LASTING))
            return ()
        except Exception as error:  # noqa: BLE001 - logged, and its tables stop
            # A fault of ours: what was written is unknown, and is read back before going on.
            _log.exception("a commit failed by a fault of ours")
            _fail(sources, told("OUR_FAULT", why=f"{type(error).__name__}: {error}"), passing=False)
            return ()
        self.batches += 1
        durable = []
        for source, (outcome, why, passing) in zip(sources, found, strict=True):
            if outcome is not Outcome.DURABLE:
                source.failed(why, passing=passing)
            else:
                durable.append(source)
        return durable

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
            # Within the turn, so that the next checkpoint covers all that is sealed.
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
            # A fenced stream has a new owner, and is followed here.
            (outcome, _why(outcome, append.stream), outcome is Outcome.FENCED)
            for outcome, append in zip(outcomes, appends, strict=True)
        ]

    async def _put(self, appends: Sequence[Append], signed: Checkpoint | None) -> list[Outcome]:
        """Write to the journal; if it is lost for good, suspend everything."""
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
        if to_seal(appends, outcomes):
            # Of a batch that is all in conflict no seal is written, though one may have been made.
            self.tail.note()
        return outcomes

    async def _read_back(
        self, appends: Sequence[Append], signed: Checkpoint | None, failure: JournalError
    ) -> list[_Found]:
        """Find out whether a batch was written; if that cannot be read, raise the last error."""
        complaint = JournalError("the journal was not asked")
        self._doubtful += [] if signed is None else [signed]
        for attempt in range(READ_BACK_TRIES):
            try:
                await self._reopen()
                return [await self._found(append, failure) for append in appends]
            except JournalError as error:
                _log.error("the journal cannot be read back: %s", error)
                complaint = error
                # Nothing signals that a disk or a server is back; trying is the only way.
                await asyncio.sleep(min(READ_BACK_SECONDS * 2**attempt, READ_BACK_SECONDS_MAX))
        raise complaint

    async def _found(self, append: Append, failure: JournalError) -> _Found:
        """Find whether a stream's part was written, was not, or another's is in its place."""
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
        # If nodes share the journal, another may have taken the stream over: it is followed, or
        # read back, as far as it is sealed. A venue with the whole journal is alone in chain 0.
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

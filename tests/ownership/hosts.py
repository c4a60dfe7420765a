"""Hosts of a simulated cluster: each runs the real leases and the real group commit.

A host can be killed, stopped and continued, and cut off from the database. Its tables are as simple
as possible: a command adds one event that holds its id. The journal has the contract of the real
ones, and is stored in the model database.
"""

import asyncio
import math
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from taisai.runtime.journal.contract import (
    Append,
    Checkpoint,
    Head,
    IdempotencyRecord,
    JournalError,
    NothingWrittenError,
    Outcome,
    OutcomeUnknownError,
    Pages,
    Record,
    RowJournal,
    Seal,
    Sealing,
)
from taisai.runtime.journal.lease import NodeLeases
from taisai.runtime.ownership.ownership import Ownership, Store
from taisai.runtime.ownership.tenure import Duties, Seen, Taking, Tenure, Terms
from tests.ownership.model_database import Database, LostError, Session
from tests.ownership.tables import Tables

#: Seconds that a host waits for the database before it takes the connection for lost.
ANSWER_SECONDS = 3.0
_Result = TypeVar("_Result")


class Without(NamedTuple):
    """The safeguards left out of a simulated cluster, to show that the checks notice."""

    epoch: bool = False
    barrier: bool = False
    self_suspension: bool = False
    fencing: bool = False
    lane_order: bool = False
    lane_resend: bool = False


class Line:
    """The path from a host to the database, and whether the host itself is running."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.killed = False
        self.cut = False
        self._running = asyncio.Event()
        self._running.set()
        self._mended = asyncio.Event()
        self._mended.set()

    @property
    def is_running(self) -> bool:
        """Say whether the host is running."""
        return self._running.is_set() and not self.killed

    def stop(self) -> None:
        """Stop the host, whatever it is doing."""
        self._running.clear()

    def go_on(self) -> None:
        """Continue the host."""
        self._running.set()

    def set_cut(self, *, cut: bool) -> None:
        """Cut the path, or mend it."""
        self.cut = cut
        (self._mended.clear if cut else self._mended.set)()

    async def awake(self) -> None:
        """Wait until the host is running; a killed one never is again."""
        if self.killed:
            await asyncio.get_running_loop().create_future()
        await self._running.wait()
        if self.killed:
            await asyncio.get_running_loop().create_future()

    async def sleep(self, seconds: float) -> None:
        """Sleep on this host."""
        await asyncio.sleep(seconds)
        await self.awake()

    async def ask(
        self, work: Callable[[], Coroutine[Any, Any, _Result]], seconds: float = ANSWER_SECONDS
    ) -> _Result:
        """Send the database a request; it may be carried out and its answer be lost."""
        await self.awake()
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        await self._across(until)
        if not self.database.up:
            raise LostError("the server is away")
        doing = loop.create_task(work())
        doing.add_done_callback(lambda done: done.cancelled() or done.exception())
        await asyncio.wait([doing], timeout=until - loop.time())
        await self.awake()
        if not doing.done():
            raise LostError("the server does not answer")
        await self._across(until)
        await self.awake()
        return doing.result()

    async def _across(self, until: float) -> None:
        """Cross the path; on a cut path, arrive when it is mended, if that is in time."""
        await asyncio.sleep(self.database.chance.uniform(0.0002, 0.002))
        if self.cut:
            left = until - asyncio.get_running_loop().time()
            try:
                await asyncio.wait_for(self._mended.wait(), left)
            except TimeoutError:
                raise LostError("the path is cut") from None


class ModelStore(Store):
    """Leases in the model database."""

    def __init__(self, line: Line, leases: NodeLeases, without: Without, terms: Terms) -> None:
        self._line = line
        self._leases = leases
        self._without = without
        self._beat_seconds = terms.suspend

    async def beat(self) -> Seen:
        """Beat; stop waiting as soon as an answer would come too late."""
        database, leases = self._line.database, self._leases
        return await self._ask(lambda: database.beat(leases.node, leases.fence), self._beat_seconds)

    async def take(self, takings: Sequence[Taking]) -> Mapping[str, int]:
        """Take the streams whose rows are unchanged."""
        database = self._line.database
        return await self._ask(lambda: database.take(self._leases.node, takings))

    async def settle(self, fences: Collection[int]) -> None:
        """End sessions, wait, and write a barrier, except for what is left out."""
        database, without = self._line.database, self._without
        await self._ask(
            lambda: database.settle(
                fences, fencing=not without.fencing, barrier=not without.barrier
            )
        )

    async def release(self, stream: str, epoch: int) -> None:
        """Release a stream."""
        await self._ask(lambda: self._line.database.release(stream, epoch))

    async def want(self, stream: str, node: str) -> bool:
        """Set the node where a stream is wanted."""
        await self._ask(lambda: self._line.database.want(stream, node))
        return True

    async def _ask(
        self, work: Callable[[], Coroutine[Any, Any, _Result]], seconds: float = ANSWER_SECONDS
    ) -> _Result:
        try:
            return await self._line.ask(work, seconds)
        except LostError as error:
            raise JournalError(str(error)) from error


class ModelJournal(RowJournal):
    """A journal in the model database, with the methods that an owner of streams needs."""

    def __init__(self, line: Line, leases: NodeLeases, without: Without) -> None:
        self._line = line
        self._leases = leases
        self._without = without
        #: The streams of a batch that is decided and not sent yet.
        self.about_to_write: list[str] = []
        #: Whether this host can read no stream, though it beats.
        self.cannot_read = False
        self._session: Session | None = None

    def hang_up(self) -> None:
        """Disconnect silently, as when the process is killed."""
        if self._session is not None:
            self._line.database.hang_up(self._session)

    async def write(
        self,
        appends: Sequence[Append],
        checkpoint: Checkpoint | None = None,
        sealing: Sealing | None = None,
    ) -> list[Outcome]:
        """Write a batch in one statement, or stream by stream."""
        assert checkpoint is None
        assert sealing is not None
        self.about_to_write = [append.stream for append in appends]
        await self._line.sleep(self._line.database.chance.uniform(0.0, 0.002))
        self.about_to_write = []
        outcomes = await self._write(appends)
        if Outcome.DURABLE in outcomes or len(appends) == 1:
            return outcomes
        return [(await self._write([append]))[0] for append in appends]

    async def _write(self, appends: Sequence[Append]) -> list[Outcome]:
        if self._session is None or self._session.ended:
            # Lost between two batches, with no statement under way: a new session will do.
            try:
                await self._connect()
            except JournalError as error:
                raise NothingWrittenError(str(error)) from error
        session, database = self._session, self._line.database
        assert session is not None
        held = self._leases.held([append.stream for append in appends])[1]
        epochs = None if self._without.epoch else held
        try:
            return await self._line.ask(lambda: database.append(session, appends, epochs))
        except LostError as error:
            self._session = None
            raise OutcomeUnknownError(str(error)) from error

    async def reopen(self) -> None:
        """Reconnect, once no statement of the former connection can be under way."""
        self._session = None
        await self._connect()

    async def _connect(self) -> None:
        database, fence = self._line.database, self._leases.fence
        self._session = await self._ask(lambda: database.connect(fence))
        barrier = not self._without.barrier
        await self._ask(lambda: database.settle((), barrier=barrier))

    async def heads(self, streams: Iterable[str] | None = None) -> dict[str, Head]:
        """Give the heads of the named streams."""
        assert streams is not None
        database, wanted = self._line.database, [*streams]
        heads = await self._ask(
            lambda: _soon(lambda: {each: database.state.head(each) for each in wanted})
        )
        return {stream: head for stream, head in heads.items() if head.version}

    async def read(self, stream: str, after: int = 0, upto: int | None = None) -> Pages:
        """Read a stream, in a single page."""
        database = self._line.database
        if self.cannot_read:
            raise JournalError("nothing can be read from here")
        yield await self._ask(
            lambda: _soon(lambda: database.state.records.get(stream, [])[after:upto])
        )

    async def answered(self, stream: str, sender: str, id_: str) -> IdempotencyRecord | None:
        """Find the answer to a command."""
        database = self._line.database
        return await self._ask(
            lambda: _soon(lambda: database.state.commands.get((stream, sender, id_)))
        )

    async def records(self, stream: str, versions: Sequence[int]) -> list[Record]:
        """Read single records."""
        there = [record async for page in self.read(stream) for record in page]
        return [there[version - 1] for version in versions if version <= len(there)]

    async def forget(self, issued_before: int) -> int:  # noqa: ARG002 - nothing is
        """Forget nothing."""
        return 0

    async def probe(self) -> None:
        """Do nothing: the beats find out whether the journal works."""

    async def close(self) -> None:
        """Close nothing."""

    async def integrity(self) -> list[str]:
        """Find nothing wrong."""
        return []

    async def chains(self) -> list[int]:
        """Give no chains: seals are not tested here."""
        return []

    async def seals_after(self, number: int, most: int) -> list[Seal]:  # noqa: ARG002 - none
        """Give no seals: they are not tested here."""
        return []

    async def _ask(self, work: Callable[[], Coroutine[Any, Any, _Result]]) -> _Result:
        try:
            return await self._line.ask(work)
        except LostError as error:
            raise JournalError(str(error)) from error


async def _soon(look: Callable[[], _Result]) -> _Result:
    return look()


class _Unguarded(Tenure):
    """A tenure without the deadline after which a node may not decide."""

    def note(self, seen: Seen, asked: float, answered: float) -> Duties:
        """Note the answer to a beat, and set no deadline."""
        duties = super().note(seen, asked, answered)
        self.deadline = math.inf
        return duties


class Host(Tables):
    """A host with its process."""

    def __init__(
        self, name: str, fence: int, database: Database, terms: Terms, without: Without
    ) -> None:
        loop = asyncio.get_running_loop()
        self.line = Line(database)
        self.leases = NodeLeases(name, ["owner"])
        self.leases.fence = fence
        self.journal = ModelJournal(self.line, self.leases, without)
        store = ModelStore(self.line, self.leases, without, terms)
        tenure = (_Unguarded if without.self_suspension else Tenure)(
            name, terms, self.leases.epochs
        )
        ownership = Ownership(tenure, store, self, terms, loop.time, self.line.sleep)
        super().__init__(name, ownership, self.journal, loop.time)

    async def start(self) -> None:
        """Take the name of the node, then beat."""
        database = self.line.database
        while True:
            try:
                await self.line.ask(lambda: database.name(self.name, self.leases.fence))
                break
            except LostError:
                await self.line.sleep(0.1)
        await self.ownership.run()

    def kill(self) -> None:
        """End the process silently."""
        self.line.killed = True
        self.journal.hang_up()

    def holds(self, stream: str) -> bool:
        """Say whether this host decides for a stream at this moment."""
        return self.line.is_running and super().holds(stream)

"""A journal that shows on the board the place of each batch, and broken journals.

The venue does not notice it. What happens to a batch inside the real journal is unchanged: the hook
that SQLite calls at the start of a commit, and the moment after a statement has left for
PostgreSQL, are where a batch can be killed inside its commit.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress

from taisai.core.kernel.messages import Instant
from taisai.runtime.journal.contract import (
    CHECKPOINTS_AT_ONCE,
    Append,
    Checkpoint,
    Commands,
    Head,
    IdempotencyRecord,
    Journal,
    JournalError,
    Outcome,
    Pages,
    Record,
    Seal,
    Sealing,
    Snapshot,
)
from taisai.runtime.journal.sqlite import SqliteJournal
from tests.faults.killing.places import Place

_SETTLED = b'{"type":"RoundSettled"'
#: How much later than it answers a hasty journal writes.
HASTY_SECONDS = 0.02


class PassedOn(Journal):
    """A journal that passes everything on to another."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.writes_elsewhere = journal.writes_elsewhere

    async def write(
        self,
        appends: Sequence[Append],
        checkpoint: Checkpoint | None = None,
        sealing: Sealing | None = None,
    ) -> list[Outcome]:
        """Pass a batch on."""
        return await self.journal.write(appends, checkpoint, sealing)

    async def probe(self) -> None:
        """Pass it on."""
        await self.journal.probe()

    async def reopen(self) -> None:
        """Pass it on."""
        await self.journal.reopen()

    async def heads(self, streams: Iterable[str] | None = None) -> dict[str, Head]:
        """Pass it on."""
        return await self.journal.heads(streams)

    def read(self, stream: str, after: int = 0, upto: int | None = None) -> Pages:
        """Pass it on."""
        return self.journal.read(stream, after, upto)

    async def records(self, stream: str, versions: Sequence[int]) -> list[Record]:
        """Pass it on."""
        return await self.journal.records(stream, versions)

    async def answered(self, stream: str, sender: str, id_: str) -> IdempotencyRecord | None:
        """Pass it on."""
        return await self.journal.answered(stream, sender, id_)

    async def issued_after(self, streams: Collection[str], at: Instant) -> list[IdempotencyRecord]:
        """Pass it on."""
        return await self.journal.issued_after(streams, at)

    async def forget(self, issued_before: Instant) -> int:
        """Pass it on."""
        return await self.journal.forget(issued_before)

    async def snapshots(self, stream: str) -> list[Snapshot]:
        """Pass it on."""
        return await self.journal.snapshots(stream)

    async def snapshot_streams(self) -> list[str]:
        """Pass it on."""
        return await self.journal.snapshot_streams()

    async def checkpoints(self, newest: int | None = None) -> list[Checkpoint]:
        """Pass it on."""
        return await self.journal.checkpoints(newest)

    async def checkpoints_after(
        self, number: int, most: int = CHECKPOINTS_AT_ONCE
    ) -> list[Checkpoint]:
        """Pass it on."""
        return await self.journal.checkpoints_after(number, most)

    async def chains(self) -> list[int]:
        """Pass it on."""
        return await self.journal.chains()

    async def seals_after(self, number: int, most: int) -> list[Seal]:
        """Pass it on."""
        return await self.journal.seals_after(number, most)

    async def run_of(self, number: int) -> Seal | None:
        """Pass it on."""
        return await self.journal.run_of(number)

    def commands(self) -> Commands:
        """Pass it on."""
        return self.journal.commands()

    async def integrity(self) -> list[str]:
        """Pass it on."""
        return await self.journal.integrity()

    async def close(self) -> None:
        """Pass it on."""
        await self.journal.close()


class WatchedJournal(PassedOn):
    """Calls `visit` at each place of a batch, and reports what has become durable."""

    def __init__(
        self,
        journal: Journal,
        visit: Callable[[Place], None],
        committing: Callable[[bool], None],
        durable: Callable[[Sequence[Append]], None],
    ) -> None:
        super().__init__(journal)
        self._visit = visit
        self._committing = committing
        self._durable = durable
        self._settles = False
        self._hooked: object = None

    async def write(
        self,
        appends: Sequence[Append],
        checkpoint: Checkpoint | None = None,
        sealing: Sealing | None = None,
    ) -> list[Outcome]:
        """Write a batch, and show each of its places."""
        self._settles = any(
            record.data.startswith(_SETTLED) for append in appends for record in append.records
        )
        self._come_to(Place.BEFORE_APPEND)
        self._committing(True)
        try:
            outcomes = await self._commit(appends, checkpoint, sealing)
        finally:
            self._committing(False)
        self._durable(appends)
        self._come_to(Place.AFTER_DURABLE)
        return outcomes

    async def _commit(
        self,
        appends: Sequence[Append],
        checkpoint: Checkpoint | None,
        sealing: Sealing | None,
    ) -> list[Outcome]:
        if isinstance(self.journal, SqliteJournal):
            self._hook(self.journal)
            return await self.journal.write(appends, checkpoint, sealing)
        writing = asyncio.ensure_future(self.journal.write(appends, checkpoint, sealing))
        # After one turn of the loop the statement is on its way to the server.
        await asyncio.sleep(0)
        self._come_to(Place.INSIDE_COMMIT)
        return await writing

    def _hook(self, journal: SqliteJournal) -> None:
        connection = journal._writer
        if connection is not None and connection is not self._hooked:
            connection.set_commit_hook(self._committed_soon)
            self._hooked = connection

    def _committed_soon(self) -> bool:
        """Visit the place inside a commit, on the thread that writes, and let the commit go on."""
        self._come_to(Place.INSIDE_COMMIT)
        return False

    def _come_to(self, place: Place) -> None:
        self._visit(place)
        if self._settles:
            self._visit(Place.SETTLEMENT)

    async def heads(self, streams: Iterable[str] | None = None) -> dict[str, Head]:
        """Show recovery on the board."""
        self._visit(Place.RECOVERY)
        return await super().heads(streams)

    async def read(self, stream: str, after: int = 0, upto: int | None = None) -> Pages:
        """Show recovery on the board, at every page."""
        async for page in super().read(stream, after, upto):
            self._visit(Place.RECOVERY)
            yield page

    async def snapshots(self, stream: str) -> list[Snapshot]:
        """Show recovery on the board."""
        self._visit(Place.RECOVERY)
        return await super().snapshots(stream)


class SealedNow(Sealing):
    """The seal of a batch that is written later."""

    def __init__(self, sealing: Sealing, appends: Sequence[Append]) -> None:
        self._number = sealing.number
        self._seal = sealing.over(appends) if appends else None

    @property
    def number(self) -> int:
        """Give the seal's number."""
        return self._number

    def over(self, appends: Sequence[Append]) -> Seal:
        """Give the seal made before."""
        assert self._seal is not None, appends
        return self._seal


class HastyJournal(PassedOn):
    """Broken: reports a batch as durable, and writes it a little later."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal)
        self._later: asyncio.Queue[tuple[Sequence[Append], Checkpoint | None, Sealing | None]] = (
            asyncio.Queue()
        )
        self._task = asyncio.get_running_loop().create_task(self._write_later())

    async def write(
        self,
        appends: Sequence[Append],
        checkpoint: Checkpoint | None = None,
        sealing: Sealing | None = None,
    ) -> list[Outcome]:
        """Report a batch as durable, and write it later."""
        now = None if sealing is None else SealedNow(sealing, appends)
        self._later.put_nowait((appends, checkpoint, now))
        # As long as a commit takes, so that batches gather as in other journals.
        await asyncio.sleep(0.001)
        return [Outcome.DURABLE] * len(appends)

    async def _write_later(self) -> None:
        while True:
            batch = await self._later.get()
            await asyncio.sleep(HASTY_SECONDS)
            await self.journal.write(*batch)


class SilentJournal(PassedOn):
    """Broken: writes each batch one batch late, and hides failures."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal)
        self._owed: tuple[Sequence[Append], Checkpoint | None, Sealing | None] | None = None

    async def write(
        self,
        appends: Sequence[Append],
        checkpoint: Checkpoint | None = None,
        sealing: Sealing | None = None,
    ) -> list[Outcome]:
        """Write the batch before, and report this one as durable."""
        now = None if sealing is None else SealedNow(sealing, appends)
        owed, self._owed = self._owed, (appends, checkpoint, now)
        if owed is not None:
            with suppress(JournalError):
                await self.journal.write(*owed)
        return [Outcome.DURABLE] * len(appends)


class ForgetfulJournal(PassedOn):
    """Broken: stores no command ids, so that a command sent again is carried out again."""

    async def write(
        self,
        appends: Sequence[Append],
        checkpoint: Checkpoint | None = None,
        sealing: Sealing | None = None,
    ) -> list[Outcome]:
        """Write the events, without the ids."""
        forgotten = [append._replace(commands=()) for append in appends]
        return await self.journal.write(forgotten, checkpoint, sealing)

    async def answered(self, stream: str, sender: str, id_: str) -> IdempotencyRecord | None:
        """Find nothing."""
        del stream, sender, id_
        return None


BROKEN: dict[str, Callable[[Journal], Journal]] = {
    "hasty": HastyJournal,
    "forgetful": ForgetfulJournal,
}

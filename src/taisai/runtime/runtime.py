"""The runtime of a venue: one journal, one committer, a writer for each stream, all connected.

At the start it reads the journal back, applies the documents' rule for a technical interruption
to every round that was under way [D9], sends again what was in transit, and announces to the pit
what it did. To stop it closes the bets, finishes the rounds that need no person, and makes
everything durable.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Coroutine, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self

from taisai.core.cage.state import CageState
from taisai.core.kernel.messages import Order
from taisai.core.table.state import TableState
from taisai.core.venue.state import VenueState
from taisai.protocol.receipts import Receipt, RoundReceipt
from taisai.runtime.answers import Answer, Registered, UnknownStreamError
from taisai.runtime.clock import Clock
from taisai.runtime.interruption import finish_round, rule_on_interruption
from taisai.runtime.journal.contract import Append, Journal, JournalError
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.notary import Notary
from taisai.runtime.operations.log_copier import Copier
from taisai.runtime.publisher import Announcement, Publisher, resumed, stopping
from taisai.runtime.recovery import (
    BrokenChainError,
    ChainCheck,
    Recovered,
    Started,
    read_ahead,
    read_back,
    recover,
)
from taisai.runtime.streams import CAGE, VENUE, kind_of, table_of, table_stream
from taisai.runtime.timekeeper import Memory, Timekeeper
from taisai.runtime.transfers import ChipChecks, Transfers
from taisai.runtime.tumblers import Tumbler
from taisai.runtime.tumblers.device import Device, Devices
from taisai.runtime.writer import OnAnswer, Writer

#: Announcements kept to be shown again.
ANNOUNCEMENTS_KEPT = 1_000
#: How often old ids are forgotten and new events signed, if nothing else causes it.
CHORES_SECONDS = 60.0
#: How soon a device or a transfer that was put off is tried again.
RETRY_SECONDS = 1.0

_log = logging.getLogger(__name__)


class Runtime:
    """A running venue; made by `open`, ended by `stop`."""

    def __init__(
        self,
        journal: Journal,
        keys: VenueKeys,
        timekeeper: Timekeeper,
        started: Started,
        readers: Mapping[str, Tumbler],
        notary: Notary,
    ) -> None:
        self.journal = journal
        self.timekeeper = timekeeper
        self.clock = clock = timekeeper.clock
        self.announcements: deque[Announcement] = deque(maxlen=ANNOUNCEMENTS_KEPT)
        self.publisher = Publisher()
        self.transfers = Transfers(self.submit, self._has_received)
        self._chip_checks = ChipChecks(self.transfers.chips, self._at_work, lambda: self.state)
        self._keys = keys
        self._devices = Devices(readers, keys.sealing, self.table, self._submit_here)
        self._notary = notary
        self.committer = notary.attend(journal, started, clock)
        self.committer.on_replaced = self._suspend_all
        self._writers: dict[str, Writer] = {}
        self._background: list[asyncio.Task[None]] = []
        self._chain_check = ChainCheck(journal, self.announce, self._suspend)
        self._resuming = asyncio.Lock()
        timekeeper.announce = partial(self.announce, VENUE, "clock")
        #: Checks whether the journal works, and resumes streams that only waited for it.
        self.watch = self.committer.watch
        self.watch.waiting = self._passing
        self.watch.resume = partial(self.resume, reopened=True)
        self.watch.on_lasting = self._suspend_all
        self._copier: Copier | None = None
        #: Whether the sealing key was replaced since the venue was last open.
        self.has_new_sealing_key = False

    @classmethod
    async def open(
        cls,
        journal: Journal,
        keys: VenueKeys,
        *,
        clock: Clock | None = None,
        readers: Mapping[str, Tumbler] | None = None,
        copy_to: Path | None = None,
        anchor: Path | None = None,
    ) -> Self:
        """Open a venue on its journal, or begin one; `copy_to` is where its log is copied to.

        `anchor` is the directory of the anchor: what the journal must hold at least, renewed by
        every checkpoint.
        """
        notary = await Notary.open(journal, keys, anchor)
        started = await read_back(journal, keys)
        memory = None if anchor is None else Memory(anchor, keys.sealing)
        timekeeper = Timekeeper(clock or Clock(), journal, memory)
        await timekeeper.begin(started.at)
        ahead = await read_ahead(journal, started.streams, timekeeper.clock.now())
        started = started._replace(ahead=ahead)
        runtime = cls(journal, keys, timekeeper, started, readers or {}, notary)
        await notary.begin(started, lambda why: runtime.announce(VENUE, "anchor", why))
        runtime._add_writers(started)
        timekeeper.watch(demo=runtime.state.demo)
        await timekeeper.remember()
        runtime.has_new_sealing_key = await notary.take_over_keys(runtime)
        distrusted = runtime.has_new_sealing_key or not notary.is_newest(started)
        for stream in runtime.tables():
            await runtime._resume_table(stream, distrusted=distrusted)
        for stream in runtime._writers:
            runtime._resend(stream)
        runtime.transfers.again()
        runtime._start_background(started)
        if copy_to is not None:
            runtime._copy(copy_to)
        return runtime

    # --- what there is -----------------------------------------------------------------------

    @property
    def state(self) -> VenueState:
        """The venue's own state."""
        state: VenueState = self._writers[VENUE].state
        return state

    @property
    def cage(self) -> CageState:
        """The cage's newest state."""
        state: CageState = self._writers[CAGE].state
        return state

    def table(self, table: str) -> TableState:
        """Give a table's newest state."""
        state: TableState = self.writer(table_stream(table)).state
        return state

    def _at_work(self, stream: str) -> TableState | CageState | None:
        """Find the newest state of a table or the cage, if it takes commands."""
        writer = self._writers.get(stream)
        return None if writer is None or writer.suspended is not None else writer.state

    def device(self, table: str) -> Device | None:
        """Find the device that drives a table's tumbler, if it has one."""
        return self._devices.by_table.get(table)

    def tables(self) -> list[str]:
        """Name the streams of all tables."""
        return [stream for stream in self._writers if table_of(stream) is not None]

    def table_names(self) -> list[str]:
        return [table for stream in self._writers if (table := table_of(stream)) is not None]

    def writer(self, stream: str) -> Writer:
        if stream not in self._writers:
            raise UnknownStreamError(f"this venue has no {stream}")
        return self._writers[stream]

    def suspended(self) -> dict[str, str]:
        """Name the streams that are suspended, each with why."""
        found = {stream: writer.suspended for stream, writer in self._writers.items()}
        return {stream: why for stream, why in found.items() if why is not None}

    def receipt(self, stream: str) -> Receipt | None:
        """Sign a receipt for the durable head of a stream."""
        return self._notary.receipt(stream, self.clock.now())

    def round_receipt(self, said: RoundReceipt) -> RoundReceipt:
        """Sign a round's receipt for a player."""
        return self._notary.round_receipt(said)

    @property
    def notary(self) -> Notary:
        """The notary, which signs what is durable."""
        return self._notary

    @property
    def sealing(self) -> bytes:
        """The key that authenticates the files beside the journal."""
        return self._keys.sealing

    # --- commands ----------------------------------------------------------------------------

    def submit(self, stream: str, order: Order) -> Coroutine[Any, Any, Answer]:
        """Send a command to a stream; the answer comes when it is durable."""
        return self.writer(stream).submit(order)

    def _submit_here(self, stream: str, order: Order) -> Coroutine[Any, Any, Answer]:
        """Send the command of a device of this process."""
        return self.submit(stream, order)

    def owns(self, stream: str) -> bool:
        """Say whether this process decides for a stream."""
        return stream in self._writers

    def is_followed(self, stream: str) -> bool:  # noqa: ARG002 - a node of several may
        """Say whether another node decides for a stream, so that its state here is durable."""
        return False

    def is_leaving(self, stream: str) -> bool:  # noqa: ARG002 - a node of several may
        """Say whether a table moves to another node after its round: no new round starts here."""
        return False

    async def admit(self, stream: str, *, chips: bool) -> None:
        """Take in a new stream; a chip table is on the node that has the cage."""
        del chips  # All of them are here.
        self.add_stream(stream)

    def submit_then(self, stream: str, order: Order, on_answer: OnAnswer) -> None:
        """Send a command to a stream; `on_answer` is called with the answer when it is durable."""
        writer = self._writers.get(stream) or self.writer(stream)
        writer.submit_then(order, on_answer)

    # --- starting and resuming ---------------------------------------------------------------

    def _add_writers(self, started: Started) -> None:
        """Make a writer for each stream; the writer of a broken stream is suspended."""
        for stream in sorted({*started.streams, *started.broken}):
            self._add_writer(stream, started)
        for stream in self.state.streams:
            self.add_stream(stream)
        for stream, each in started.streams.items():
            for text in each.notices:
                self.announce(stream, "snapshot-refused", text)

    def add_stream(self, stream: str) -> None:
        """Make a writer for a stream that has none yet."""
        if stream not in self._writers:
            self._add_writer(stream, None)

    def _add_writer(self, stream: str, started: Started | None) -> None:
        writer = Writer(stream, kind_of(stream), self.journal, self.committer, self.clock.now)
        writer.publish = self._published
        writer.on_suspended = lambda name, why: self.announce(name, "suspended", why)
        writer.fills_refusal = self._chip_checks.refusal
        writer.others = self.clock.others
        writer.sign_snapshot = self._notary.snapshot
        self._writers[stream] = writer
        if started is not None and stream in started.broken:
            writer.suspended = started.broken[stream]
            self.announce(stream, "broken", started.broken[stream])
            return
        if started is None:
            writer.resume_from(None, self._keys.voucher)
        else:
            writer.resume_from(started.streams[stream], self._keys.voucher, started.ahead)

    def equip(self, stream: str, *, distrusted: bool = False) -> None:
        """Start a table's tumbler, if it has one."""
        table = table_of(stream)
        if table is not None and self._writers[stream].suspended is None:
            self._devices.equip(table, distrusted=distrusted)

    async def _resume_table(self, stream: str, *, distrusted: bool = False) -> None:
        """Rule on a round that was cut short, then start the tumbler.

        Where the journal may not be the newest, no secret in it is used for another round.
        """
        writer = self._writers[stream]
        try:
            ruled = await rule_on_interruption(writer)
        except Exception as error:  # noqa: BLE001 - a round not ruled on does not go on
            writer.stop_for(error)
            return
        if ruled is not None:
            self.announce(stream, "interrupted", ruled)
        # Not before: dice drawn now would give that round an outcome that it did not have.
        self.equip(stream, distrusted=distrusted)
        device = self.device(table_of(stream) or "")
        if distrusted and device is not None:
            await device.settled()

    def _resend(self, stream: str) -> None:
        """Send again what was in transit from a stream that was just read back."""
        writer = self._writers[stream]
        if writer.suspended is None and stream != VENUE:
            self.transfers.take_up(stream, writer.state)

    def _has_received(self, stream: str, transit: str) -> bool:
        """Say whether a stream has received a transit, durably."""
        writer = self._writers.get(stream)
        there = writer is not None and writer.is_durable
        return there and transit in self._writers[stream].state.transits_received

    def _start_background(self, started: Started) -> None:
        check = self._chain_check.run(started.covered)
        works = (self._chores(), self._retry(), self.watch.run(), check, self.timekeeper.run())
        self._run_beside(*works)

    def _run_beside(self, *works: Coroutine[Any, Any, None]) -> None:
        """Run work beside the tables until the end; nobody waits for it, so a fault is logged."""
        for work in works:
            task = asyncio.get_running_loop().create_task(work)
            task.add_done_callback(_log_fault)
            self._background.append(task)

    def _copy(self, target: Path) -> None:
        """Copy the log elsewhere as it grows; a failure is announced to the pit."""
        self._copier = Copier(self.journal, target)
        self._copier.on_news = partial(self.announce, VENUE, "copy")
        self.committer.after_batch = self._copier.wake
        self._copier.start()

    async def checked(self) -> None:
        """Wait until the whole journal has been checked; `announcements` give the outcome."""
        await self._chain_check.done.wait()

    def _passing(self) -> list[str]:
        """Name the streams that are suspended only because the journal is out of reach."""
        writers = self._writers.items()
        return [stream for stream, each in writers if each.suspended is not None and each.passing]

    async def resume(self, stream: str, *, reopened: bool = False) -> str | None:
        """Read a suspended stream back and resume it; if it cannot, say why."""
        async with self._resuming:
            writer = self.writer(stream)
            if writer.suspended is not None:
                try:
                    await self._go_on(writer, reopened=reopened)
                except Exception as error:  # noqa: BLE001 - logged; it must not go on half resumed
                    writer.stop_for(error)
            return writer.suspended

    async def _go_on(self, writer: Writer, *, reopened: bool) -> None:
        stream = writer.stream
        await self.committer.settled()
        try:
            if not reopened:
                await self.committer.reopen()
            read = await self._read_again(stream)
            ahead = await read_ahead(self.journal, [stream], self.clock.now())
        except (BrokenChainError, JournalError) as error:
            writer.suspended = str(error)
            writer.passing &= isinstance(error, JournalError)
            return
        self.committer.heads.update({stream: read.head} if read.head.version else {})
        # If it was not read at the start, it may be ahead of a clock that was set back.
        self.clock.not_before(read.at)
        writer.resume_from(read, self._keys.voucher, ahead)
        self._resend(stream)
        self.announce(stream, "resumed", resumed(read.head.version))
        if table_of(stream) is not None:
            await self._resume_table(stream)
        self.transfers.again()

    async def _read_again(self, stream: str) -> Recovered:
        """Read a stream back, checked against the newest checkpoint and any break found before."""
        await self._chain_check.check_again(stream)
        # All that was answered as durable must be there, signed since or not.
        known = self.committer.tail.heads.get(stream)
        return await recover(self.journal, self._keys, stream, self._notary.head(stream), known)

    # --- what happens ------------------------------------------------------------------------

    def _published(self, stream: str, batch: Sequence[Registered]) -> None:
        for registered in self.publisher.publish(stream, batch):
            try:
                if stream == VENUE:
                    self.timekeeper.note(registered.events)
                self.transfers.note(stream, registered)
                self._devices.attend(stream, registered.events)
            except Exception:  # noqa: BLE001 - logged; the rest of the batch is followed
                _log.exception("%s could not be followed", stream)

    def _suspend(self, stream: str, why: str) -> None:
        self._writers[stream].suspend(why)

    def _suspend_all(self, why: str) -> None:
        for writer in self._writers.values():
            writer.suspend(why)

    def announce(self, stream: str, code: str, text: str) -> None:
        """Announce a notice to the pit and to every follower."""
        announcement = Announcement(self.clock.now(), stream, code, text)
        _log.info("%s %s: %s", stream, code, text)
        self.announcements.append(announcement)
        self.publisher.announce(announcement)

    async def _chores(self) -> None:
        """Forget old ids and sign new events now and then, if nothing else causes it."""
        while True:
            await asyncio.sleep(CHORES_SECONDS)
            try:
                await self._do_chores()
            except JournalError as error:
                self.announce(VENUE, "journal", str(error))
            except Exception:  # noqa: BLE001 - logged: else nothing would be signed any more
                _log.exception("chores cannot be done: a fault of ours")

    async def _do_chores(self) -> None:
        self.timekeeper.tell_of_step_back()
        await self.timekeeper.remember()
        await self._forget()
        if self.committer.unsigned:
            await self.committer.checkpoint()

    async def _retry(self) -> None:
        """Try again what devices and transfers had to put off; people try again themselves."""
        while True:
            await asyncio.sleep(RETRY_SECONDS)
            try:
                self._try_again()
            except Exception:  # noqa: BLE001 - logged: else money on its way would stay there
                _log.exception("what was put off cannot be tried again: a fault of ours")

    def _try_again(self) -> None:
        self.timekeeper.watch(demo=self.state.demo)
        self._devices.attend_where(self._is_ready)
        self.transfers.again()

    def _is_ready(self, stream: str) -> bool:
        writer = self._writers[stream]
        return writer.is_durable and writer.only is None

    async def _forget(self) -> None:
        """Forget ids that are too old to be accepted again, a few at a time between commits."""
        forgotten = 1
        while forgotten:
            forgotten = await self.journal.forget(self._notary.forgotten)

    # --- stopping ----------------------------------------------------------------------------

    async def stop(self) -> None:
        """Stop: take no new commands, finish rounds where possible, make everything durable."""
        self.announce(VENUE, "stopping", stopping())
        for writer in self._writers.values():
            writer.stopping = True
        for table in self.table_names():
            await finish_round(self._writers[table_stream(table)], self.device(table))
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await self.transfers.settled()
        await self.committer.idle()
        await self.timekeeper.remember()
        written = False
        try:
            await self._write_last()
            written = True
        except JournalError as error:
            # What was registered is durable; only the next start will take longer.
            self.announce(VENUE, "journal", str(error))
        if self._copier is not None:
            await self._copier.stop()
        await self.journal.close()
        if written and (trouble := await self._notary.end()):
            self.announce(VENUE, "anchor", trouble)

    async def _write_last(self) -> None:
        """Write a last snapshot of every stream, sign the heads, and check who has the journal."""
        appends = [
            Append(stream, writer.head, (), (), writer.snapshot())
            for stream, writer in self._writers.items()
            if writer.suspended is None and writer.head.version > writer.snapshot_at
        ]
        if appends:
            await self.journal.write(appends)
        if self.committer.unsigned:
            await self.committer.checkpoint()
        # Raises if another venue took over: then the anchor must not record an orderly stop.
        await self.journal.probe()


def _log_fault(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("work beside the tables has ended: a fault of ours", exc_info=error)

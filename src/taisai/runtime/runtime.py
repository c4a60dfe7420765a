"""The house: one journal, one committer, a writer for each stream, and everything wired together.

It opens by reading back what the journal holds, applies the documents' rule for a technical
interruption to every round that was under way [D9], sends on what was in transit, and tells the pit
what it did. It stops politely: bets closed, rounds finished where no person is needed, all durable.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Coroutine, Mapping
from pathlib import Path
from typing import Any, Self

from taisai.core import commands as c
from taisai.core.cage import CageState
from taisai.core.commands import Command, Order
from taisai.core.events import BetsRegistered
from taisai.core.felt_messages import ChipSet
from taisai.core.house import HouseState
from taisai.core.messages import Equipment
from taisai.core.rules.reason import Refusal
from taisai.core.table_state import IN_ROUND, Phase, TableState
from taisai.runtime.answers import IDS_KEPT_MS, Answer, Registered, UnknownStreamError
from taisai.runtime.clock import Clock
from taisai.runtime.journal.checkpoints import make_checkpoint, read_checkpoint, sign_snapshot
from taisai.runtime.journal.contract import (
    Append,
    Checkpoint,
    Heads,
    Journal,
    JournalError,
    Snapshot,
)
from taisai.runtime.journal.group_commit import Committer
from taisai.runtime.journal.record import Head
from taisai.runtime.keys import VenueKeys
from taisai.runtime.operations.log_copier import Copier
from taisai.runtime.publisher import Announcement, Publisher, Subscription
from taisai.runtime.recovery import (
    BrokenChainError,
    Recovered,
    Started,
    Verified,
    read_back,
    recovered,
    verify_before,
    verify_rest,
)
from taisai.runtime.streams import CAGE, HOUSE, kind_of, table_of, table_stream
from taisai.runtime.transfers import Carrier, Fills, chips_sent
from taisai.runtime.tumblers import Sealer, SimulatedTumbler, Tumbler, VerifiableTumbler
from taisai.runtime.tumblers.device import HOST, Device
from taisai.runtime.writer import Tell, Writer

#: What the pit was told, kept to be shown again.
ANNOUNCEMENTS_KEPT = 1_000
#: How often old ids are forgotten and what is new is signed, with nothing else to cause it.
CHORES_SECONDS = 60.0
#: How soon a device or a transit that was put off is taken up again.
AGAIN_SECONDS = 1.0

_log = logging.getLogger(__name__)


class Runtime:
    """A house at work; made by `open`, ended by `stop`."""

    def __init__(
        self,
        journal: Journal,
        keys: VenueKeys,
        clock: Clock,
        started: Started,
        readers: Mapping[str, Tumbler],
    ) -> None:
        self.journal = journal
        self.clock = clock
        self.announcements: deque[Announcement] = deque(maxlen=ANNOUNCEMENTS_KEPT)
        self.publisher = Publisher()
        self.carrier = Carrier(self.submit, self._has_received)
        self._fills = Fills(self.carrier.chips, self._at_work)
        self._keys = keys
        self._readers = readers
        self.committer = Committer(journal, started.heads, self._sign, started.newest)
        self.committer.at = started.at
        self._writers: dict[str, Writer] = {}
        self._devices: dict[str, Device] = {}
        self._background: list[asyncio.Task[None]] = []
        self._checked = asyncio.Event()
        #: Streams that break before the checkpoint they were found by, with the head it has.
        self._unsound: dict[str, Head] = {}
        self._resuming = asyncio.Lock()
        self._copier: Copier | None = None

    @classmethod
    async def open(
        cls,
        journal: Journal,
        keys: VenueKeys,
        *,
        clock: Clock | None = None,
        readers: Mapping[str, Tumbler] | None = None,
        copy_to: Path | None = None,
    ) -> Self:
        """Open a house on a journal, or begin one; `copy_to` is where its log is copied to."""
        started = await read_back(journal, keys)
        clock = clock or Clock()
        clock.not_before(started.at)
        house = cls(journal, keys, clock, started, readers or {})
        house._take_up(started)
        for stream in house.tables():
            await house._go_on(stream)
            # Not before: dice drawn now would give a round an outcome that it did not have.
            house._equip(stream)
        house._resend_all()
        house._begin(started)
        if copy_to is not None:
            house._copy(copy_to)
        return house

    # --- what there is -----------------------------------------------------------------------

    @property
    def state(self) -> HouseState:
        """The house's own state."""
        state: HouseState = self._writers[HOUSE].state
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
        """Find the newest state of a table, or of the cage, that takes commands."""
        writer = self._writers.get(stream)
        return None if writer is None or writer.suspended is not None else writer.state

    def device(self, table: str) -> Device | None:
        """Find what drives a table's tumbler, where it has one."""
        return self._devices.get(table_stream(table))

    def tables(self) -> list[str]:
        """Name the streams of all tables."""
        return [stream for stream in self._writers if table_of(stream) is not None]

    def writer(self, stream: str) -> Writer:
        """Find the writer of a stream."""
        if stream not in self._writers:
            raise UnknownStreamError(f"this house has no {stream}")
        return self._writers[stream]

    def suspended(self) -> dict[str, str]:
        """Name the streams that are suspended, each with why."""
        found = {stream: writer.suspended for stream, writer in self._writers.items()}
        return {stream: why for stream, why in found.items() if why is not None}

    def listen(self, stream: str | None = None) -> Subscription:
        """Hear of everything durable in a stream, or in all, and of what the pit is told."""
        return self.publisher.subscribe(stream)

    # --- asking ------------------------------------------------------------------------------

    def submit(self, stream: str, order: Order) -> Coroutine[Any, Any, Answer]:
        """Send a command to a stream; the answer comes when it is durable."""
        return self.writer(stream).submit(order)

    def ask(self, stream: str, order: Order, tell: Tell) -> None:
        """Send a command to a stream; `tell` is called with the answer when it is durable."""
        self.writer(stream).ask(order, tell)

    async def _order(self, stream: str, id_: str, command: Command) -> Answer:
        return await self.submit(stream, Order(id_, HOST, command))  # type: ignore[arg-type]

    async def found(
        self,
        name: str,
        currency: str,
        voucher_days: int = 30,
        approve_above: int | None = None,
        *,
        demo: bool = False,
    ) -> Answer:
        """Found a house: its currency is pinned for good, and its cage opened."""
        answer = await self._order(HOUSE, "found", c.OpenHouse(name, currency, demo))
        if isinstance(answer, Refusal):
            return answer
        await self._order(HOUSE, "admit-cage", c.AdmitTable(CAGE, currency))
        opening = c.OpenCage(currency, voucher_days, approve_above)
        return await self._order(CAGE, "open-cage", opening)

    async def add_table(
        self,
        table: str,
        equipment: Equipment,
        lock_above: int | None = None,
        chips: ChipSet | None = None,
    ) -> Answer:
        """Take a new table into the house, a felt one if it has chips; done again, it goes on."""
        stream, currency = table_stream(table), self.state.currency
        if stream not in self.state.streams:
            admitted = await self._order(HOUSE, f"admit-{stream}", c.AdmitTable(stream, currency))
            if isinstance(admitted, Refusal):
                return admitted
        if stream not in self._writers:
            self._add_writer(stream, None)
        command = c.CreateTable(
            table, currency, equipment, lock_above, "electronic" if chips is None else "felt", chips
        )
        answer = await self._order(stream, "create", command)
        self._equip(stream)
        return answer

    # --- starting and going on ---------------------------------------------------------------

    def _take_up(self, started: Started) -> None:
        """Make a writer for each stream; one that breaks is there, and suspended."""
        for stream in sorted({*started.streams, *started.broken}):
            self._add_writer(stream, started)
        for stream in sorted(self.state.streams - self._writers.keys()):
            self._add_writer(stream, None)
        for stream, each in started.streams.items():
            for text in each.notices:
                self.announce(stream, "snapshot-refused", text)

    def _add_writer(self, stream: str, started: Started | None) -> None:
        writer = Writer(stream, kind_of(stream), self.journal, self.committer, self.clock.now)
        writer.publish = self._published
        writer.on_suspended = self._was_suspended
        writer.fills_refusal = self._fills.refusal
        writer.sign_snapshot = self._sign_snapshot
        self._writers[stream] = writer
        if started is not None and stream in started.broken:
            writer.suspended = started.broken[stream]
            self.announce(stream, "broken", started.broken[stream])
            return
        writer.resume_from(None if started is None else started.streams[stream], self._keys.voucher)

    def _equip(self, stream: str) -> None:
        """Put a table's tumbler to work, where it has one."""
        table, writer = table_of(stream), self._writers[stream]
        if table is None or writer.suspended is not None:
            return
        if stream in self._devices:
            self._devices[stream].attend()
            return
        tumbler = self._tumbler(table, writer.state)
        if tumbler is not None:
            device = Device(
                table, tumbler, lambda: self.table(table), lambda order: self.submit(stream, order)
            )
            self._devices[stream] = device
            device.attend()

    def _tumbler(self, table: str, state: TableState) -> Tumbler | None:
        match state.equipment.tumbler:
            case "simulated":
                return SimulatedTumbler()
            case "verifiable":
                return VerifiableTumbler(Sealer(self._keys.sealing))
            case "reader":
                return self._readers.get(table)
            case _:
                return None

    async def _go_on(self, stream: str) -> None:
        """Apply the rule for an interruption to a round that was under way [D9]."""
        writer = self._writers[stream]
        if writer.suspended is not None or writer.state.phase not in IN_ROUND:
            return
        version = writer.head.version
        writer.only = f"interruption-{version}"
        note = f"the house was stopped at version {version}"
        try:
            answer = await self._order(stream, writer.only, c.RecordInterruption(note))
        finally:
            writer.only = None
        if isinstance(answer, Registered):
            ruling = getattr(answer.events[0], "ruling", "none")
            number = writer.state.round
            self.announce(stream, "interrupted", f"round {number} was under way: {ruling}")
        elif writer.suspended is None:
            # Nothing goes on in a round that was cut short before it has been ruled on.
            writer.suspend(f"the interruption could not be recorded: {answer.code}")

    def _resend_all(self) -> None:
        for stream in self._writers:
            self._resend(stream)
        self.carrier.again()

    def _resend(self, stream: str) -> None:
        """Send on what was in transit from a stream that was read back just now."""
        writer = self._writers[stream]
        if writer.suspended is None and stream != HOUSE:
            for transit, delivery in [*writer.state.transits_open.items()]:
                self.carrier.carry(stream, transit, delivery)
            for transit, delivery in chips_sent(writer.state).items():
                self.carrier.chips[transit] = (stream, delivery)

    def _has_received(self, stream: str, transit: str) -> bool:
        """Say whether a stream has received a transit, durably."""
        writer = self._writers.get(stream)
        there = writer is not None and writer.is_durable
        return there and transit in self._writers[stream].state.transits_received

    def _begin(self, started: Started) -> None:
        loop = asyncio.get_running_loop()
        self._background.append(loop.create_task(self._chores()))
        self._background.append(loop.create_task(self._take_up_again()))
        self._background.append(loop.create_task(self._verify(started)))

    def _copy(self, target: Path) -> None:
        """Have the log copied elsewhere as it grows; the pit is told when it cannot be."""

        def tell(trouble: str | None) -> None:
            self.announce(HOUSE, "copy", trouble or f"the log is copied to {target} again")

        self._copier = Copier(self.journal, target)
        self._copier.on_trouble = tell
        self.committer.after_batch = self._copier.wake
        self._copier.start()

    async def _verify(self, started: Started) -> None:
        """Check in the background what lies before the newest checkpoint, and tell the pit."""
        try:
            if started.covered is not None:
                async for verified in verify_rest(self.journal, started.covered):
                    self._note_verified(verified)
                sound = "sound" if not self._unsound else f"broken: {', '.join(self._unsound)}"
                self.announce(HOUSE, "verified", f"every chain has been checked, and is {sound}")
        except Exception as error:  # noqa: BLE001 - told, logged
            _log.exception("the journal could not be checked")
            self.announce(HOUSE, "unverified", f"the journal could not be checked: {error}")
        finally:
            self._checked.set()

    def _note_verified(self, verified: Verified) -> None:
        stream, head = verified.stream, verified.head
        if verified.unread is not None:
            self.announce(stream, "unverified", verified.unread)
        elif verified.broken is None:
            self.announce(stream, "verified", f"the chain is sound up to version {head.version}")
        else:
            self._unsound[stream] = head
            self._writers[stream].suspend(verified.broken)

    async def checked(self) -> None:
        """Wait until the whole journal has been checked; `announcements` say how that came out."""
        await self._checked.wait()

    async def resume(self, stream: str) -> str | None:
        """Read a suspended stream back and go on; tells why it cannot."""
        async with self._resuming:
            writer = self.writer(stream)
            if writer.suspended is None:
                return None
            await self.committer.settled()
            try:
                read = await self._read_again(stream)
            except (BrokenChainError, JournalError) as error:
                writer.suspended = str(error)
                return str(error)
            self.committer.heads.update({stream: read.head} if read.head.version else {})
            # Not read at the start, it may be ahead of a clock that was set back.
            self.clock.not_before(read.at)
            writer.resume_from(read, self._keys.voucher)
            self._resend(stream)
            self.announce(stream, "resumed", f"read back up to version {read.head.version}")
            if table_of(stream) is not None:
                await self._go_on(stream)
                self._equip(stream)
            self.carrier.again()
            return writer.suspended

    async def _read_again(self, stream: str) -> Recovered:
        """Read a stream back, held against the newest checkpoint and what was found unsound."""
        await self.committer.reopen()
        signed = None if self.committer.newest is None else read_checkpoint(self.committer.newest)
        head = None if signed is None or stream not in signed.heads else signed.head(stream)
        if stream in self._unsound:
            await verify_before(self.journal, stream, self._unsound[stream])
            del self._unsound[stream]
        return await recovered(self.journal, self._keys, stream, head)

    # --- what happens ------------------------------------------------------------------------

    def _published(self, stream: str, registered: Registered) -> None:
        self.publisher.publish(stream, registered)
        if type(registered.events[0]) is BetsRegistered:
            return
        self.carrier.note(stream, registered)
        if stream in self._devices:
            self._devices[stream].attend(registered.events)

    def _was_suspended(self, stream: str, why: str) -> None:
        self.announce(stream, "suspended", why)

    def announce(self, stream: str, code: str, text: str) -> None:
        """Tell the pit, and whoever listens."""
        announcement = Announcement(self.clock.now(), stream, code, text)
        _log.info("%s %s: %s", stream, code, text)
        self.announcements.append(announcement)
        self.publisher.announce(announcement)

    def _sign(self, heads: Heads, previous: Checkpoint | None) -> Checkpoint:
        number = 1 if previous is None else previous.number + 1
        before = {} if previous is None else read_checkpoint(previous).heads
        assert before.keys() <= heads.keys(), "a checkpoint never covers less than the one before"
        return make_checkpoint(number, self.clock.now(), heads, previous, self._keys.signer)

    def _sign_snapshot(self, stream: str, version: int, head: bytes, data: bytes) -> Snapshot:
        return sign_snapshot(stream, version, head, data, self._keys.signer)

    async def _chores(self) -> None:
        """Forget old ids and sign what is new, now and then, while nothing else causes it."""
        while True:
            await asyncio.sleep(CHORES_SECONDS)
            try:
                await self._forget()
                if self.committer.unsigned:
                    await self.committer.checkpoint()
            except JournalError as error:
                self.announce(HOUSE, "journal", str(error))
            if self.clock.behind_ms:
                self.announce(HOUSE, "clock", f"the clock was set back {self.clock.behind_ms} ms")
                self.clock.behind_ms = 0

    async def _take_up_again(self) -> None:
        """Take up what devices and transits were put off with: people ask again, these do not."""
        while True:
            await asyncio.sleep(AGAIN_SECONDS)
            for stream, device in self._devices.items():
                writer = self._writers[stream]
                if writer.is_durable and writer.only is None:
                    device.attend()
            self.carrier.again()

    async def _forget(self) -> None:
        """Forget ids that are too old to come again, a few at a time between commits."""
        forgotten = 1
        while forgotten:
            # By the newest event's time: a clock that was ahead and is put right forgets nothing.
            forgotten = await self.journal.forget(self.committer.at - IDS_KEPT_MS)

    # --- stopping ----------------------------------------------------------------------------

    async def stop(self) -> None:
        """Stop politely: nothing new is taken, rounds finish where they can, all is durable."""
        self.announce(HOUSE, "stopping", "the house is stopping; no more commands are taken")
        for writer in self._writers.values():
            writer.stopping = True
        for stream in self.tables():
            await self._finish(stream)
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await self.carrier.settled()
        await self.committer.settled()
        try:
            await self._write_last()
        except JournalError as error:
            # What was registered is durable; only the next start will take longer.
            self.announce(HOUSE, "journal", str(error))
        if self._copier is not None:
            await self._copier.stop()
        self.publisher.end()
        await self.journal.close()

    async def _finish(self, stream: str) -> None:
        """Close the bets, and finish the round as far as it takes no person [D9]."""
        writer, device = self._writers[stream], self._devices.get(stream)
        if writer.suspended is not None:
            return
        steps: list[tuple[Phase, Command]] = [(Phase.BETTING, c.CloseBets(bell=True))]
        if device is not None:
            steps.append((Phase.RESULT, c.ConfirmResult()))
        steps.append((Phase.CONFIRMED, c.Settle()))
        for phase, command in steps:
            if writer.state.phase is phase:
                id_ = f"{type(command).__name__}-{writer.head.version}"
                await self._order(stream, id_, command)
            if device is not None:
                await device.settled()

    async def _write_last(self) -> None:
        """Take a last snapshot of every stream, and sign the heads."""
        appends = [
            Append(stream, writer.head, (), (), writer.snapshot())
            for stream, writer in self._writers.items()
            if writer.suspended is None and writer.head.version > writer.snapshot_at
        ]
        if appends:
            await self.journal.write(appends)
        if self.committer.unsigned:
            await self.committer.checkpoint()

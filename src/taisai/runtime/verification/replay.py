"""Verifying one stream: its chain is checked, its events replayed, its decisions audited.

Events are read once, for both the replay and the auditor. A decision that receives money, or closes
a transit, waits until the auditor has seen the other stream send or receive it; so the streams are
audited in a possible order, and nothing needs to be sorted.
"""

import hashlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Any, NamedTuple

import msgspec

from taisai.core.kernel.ledger import Ledger
from taisai.core.kernel.messages import CAGE_STREAM, Event, Instant
from taisai.core.kernel.registry import EVENTS
from taisai.core.kernel.transits import sender_of
from taisai.core.table.betting import BetsRegistered
from taisai.core.table.irregularities import ReportDeclined
from taisai.core.table.state import Meter, TableState
from taisai.runtime.answers import role_in
from taisai.runtime.auditor import Asked, AuditError, Auditor
from taisai.runtime.journal.contract import (
    LAST_INSTANT,
    Head,
    Journal,
    JournalError,
    Record,
    genesis,
    sound_links,
)
from taisai.runtime.past_rounds import read_past
from taisai.runtime.streams import VENUE, kind_of, table_of
from taisai.runtime.verification.chains import broken_link
from taisai.runtime.verification.report import Fault, FaultError, In, told_by_auditor
from taisai.runtime.verification.signatures import Taken, Vouched, snapshot_fault
from taisai.wording import told

#: Books are compared after so many events, or as many as there are accounts to compare.
COMPARE_EVERY = 2_000
#: Of each stream so many declined reports are listed, the newest.
DECLINED_MAX = 100

#: Events that receive a transit, or close one that has arrived in another stream.
_AWAITS = {kind: spec.transit for kind, spec in EVENTS.items() if spec.transit is not None}

Page = Sequence[Record]
#: What a stream needs before it can go on: another stream further on, or old rounds.
Steps = Iterator[str | Asked]


class Expected(NamedTuple):
    """The heads in checkpoints and the snapshots of a stream, by version; its copied records."""

    vouched: Sequence[Vouched] = ()
    taken: Mapping[int, Taken] = {}


class Replay:
    """A stream under verification; `run` goes on to its end, or until it waits for another."""

    def __init__(
        self,
        stream: str,
        pages: AsyncIterator[Page],
        expected: Expected,
        auditor: Auditor,
        key: bytes,
        journal: Journal,
    ) -> None:
        self.stream = stream
        self._journal = journal
        self.kind = kind_of(stream)
        self.state: Any = self.kind.fresh(key)
        self.head = genesis(stream)
        self.events = 0
        self.done = False
        self.fault: Fault | None = None
        #: The stream that must get further first, while this one waits, and whether it waits for
        #: something to arrive there.
        self.awaits: str | None = None
        self.awaits_arrival = False
        #: Set to have the auditor judge a decision although it waits in vain.
        self.insists = False
        #: Where auditing stopped, because another stream is not reliable.
        self.unaudited_from: int | None = None
        #: The first record that is not sound, to be explained with the copy.
        self.broken: Record | None = None
        #: Reports of the dice that a supervisor found not to have happened, the newest [D20].
        self.declined: deque[ReportDeclined] = deque(maxlen=DECLINED_MAX)
        self.declined_count = 0
        self._name = table_of(stream) or stream
        self._pages = pages
        self._vouched = deque(sorted(expected.vouched))
        self._taken = dict(expected.taken)
        self._auditor = auditor
        self._decision: list[Event] = []
        self._first = 1
        self._at: Instant = 0
        self._role: str | None = None
        #: The beginning of the cause of a decision by the same role as the last.
        self._same_role = b"none yet"
        self._last: Instant = 0
        self._uncompared = 0
        self._steps: Steps = iter(())
        self._ended = False

    # --- going on ----------------------------------------------------------------------------

    async def run(self, progress: Callable[[int], None]) -> None:
        """Go on until the stream is at its end, breaks, or waits for another."""
        self.awaits = None
        try:
            while not self.done:
                for awaited in self._steps:
                    if isinstance(awaited, str):
                        self.awaits = awaited
                        return
                    await self._recall(awaited)
                await self._turn_page(progress)
        except FaultError as error:
            self.fault = error.fault
        except JournalError as error:
            version = self.head.version + 1
            said = told("FAULT_UNREADABLE", stream=self.stream, version=version, why=str(error))
            self.fault = Fault("journal", said, self.stream, version)
        self.done = True

    async def _recall(self, asked: Asked) -> None:
        """Give the auditor the old rounds that it asks for, from what was read before [D24]."""
        rounds, versions = asked
        past = await read_past(self._journal, self.stream, rounds, versions, self._first - 1)
        self._auditor.recall(self._name, past.ends, past.drawn, past.events)

    async def _turn_page(self, progress: Callable[[int], None]) -> None:
        if self._ended:
            self.done = True
            return
        page = await anext(self._pages, None)
        if page is None:
            self._ended, self._steps = True, self._ends()
        else:
            self._steps = self._follow(page)
            progress(len(page))

    @property
    def at(self) -> Instant:
        """The time of the decision that waits, or was judged last."""
        return self._at

    def stop_auditing(self) -> None:
        """Only follow the chain and replay from here on: the auditor lacks what it needs."""
        if self.unaudited_from is None:
            self.unaudited_from = self._first

    def _follow(self, page: Page) -> Steps:
        """Check the chain through a page, then apply and judge the sound records."""
        before = self.head
        self.head, sound = sound_links(before, page)
        self._check_vouched(before, page)
        yield from self._apply(page[:sound] if sound < len(page) else page)
        if sound < len(page):
            self.broken = page[sound]
            raise FaultError(broken_link(self.head, page[sound], None))

    def _apply(self, page: Page) -> Steps:
        """Replay a page and judge its decisions; the last may go on in the next page.

        Faults are reported in order: decisions before an event that fails the replay are judged
        before that is reported.
        """
        events, fault = self._read(page)
        untimely = self._check_times(page)
        if untimely is not None and untimely[0] <= len(events):
            events, fault = events[: untimely[0]], untimely[1]
        starts = [at for at, record in enumerate(page[: len(events)]) if record.cause is not None]
        end = starts[-1] if starts else 0
        applied, fault = self._evolve(page, events, 0, end, fault)
        if starts:
            yield from self._judge_all(page, events, [at for at in starts if at <= applied])
            if fault is None and self._is_comparing_due():
                self._compare()
        if fault is None:
            _, fault = self._evolve(page, events, end, len(events), None)
        if fault is not None:
            raise FaultError(fault)
        self._decision += events[end:]
        self.events += len(page)
        self._uncompared += len(page)

    def _read(self, page: Page) -> tuple[list[Event], Fault | None]:
        """Decode the events of a page, as far as they can be decoded."""
        events: list[Event] = []
        try:
            events.extend(map(self.kind.read, page))
        except Exception as error:  # noqa: BLE001 - whatever cannot be read is reported
            return events, self._replay_fault(page[len(events)].version, error)
        return events, None

    def _evolve(
        self, page: Page, events: Sequence[Event], begin: int, end: int, fault: Fault | None
    ) -> tuple[int, Fault | None]:
        """Apply events, and check snapshots among them; give how far, and the fault there."""
        evolve, state, taken = self.kind.evolve, self.state, self._taken
        at = begin
        try:
            for at, event in enumerate(islice(events, begin, end), begin):
                evolve(state, event)
                if taken and page[at].version in taken:
                    self._check_snapshot(page[at], taken.pop(page[at].version))
        except FaultError as error:
            return at + 1, error.fault
        except Exception as error:  # noqa: BLE001 - whatever fails a replay is reported
            return at, self._replay_fault(page[at].version, error)
        return end, fault

    def _judge_all(self, page: Page, events: Sequence[Event], starts: Sequence[int]) -> Steps:
        """Judge, in turn, the decisions that are complete by the last start."""
        begin = starts[0] if starts else 0
        self._decision += events[:begin]
        if self._decision and starts:
            yield from self._judge(self._decision)
        place, last = 0, len(starts) - 1
        while place < last:
            begin = starts[place]
            self._begin(page[begin])
            bets = self._count_bets(page, events, starts, place)
            place += bets or 1
            if bets:
                self._observe_bets(page[begin : begin + bets], events[begin : begin + bets])
            elif starts[place] - begin > 1 or type(events[begin]) in _AWAITS:
                yield from self._judge(events[begin : starts[place]])
            elif self.unaudited_from is None:
                self._observe((events[begin],))
        if starts:
            self._decision = []
            self._begin(page[starts[-1]])

    def _count_bets(
        self, page: Page, events: Sequence[Event], starts: Sequence[int], place: int
    ) -> int:
        """Count the decisions from here on that are only bets, by the same role."""
        first, same_role = place, self._same_role
        for begin, end in pairwise(islice(starts, place, None)):
            cause = page[begin].cause
            if (
                end - begin > 1
                or type(events[begin]) is not BetsRegistered
                or cause is None
                or not cause.startswith(same_role)
            ):
                break
            place += 1
        return place - first

    def _observe_bets(self, page: Page, bets: Sequence[Any]) -> None:
        """Judge bets in a row, with nothing else between; a fault is at one of them."""
        if self.unaudited_from is not None:
            return
        times = [record.at for record in page]
        try:
            self._auditor.observe_bets(self._name, bets, times, self._role)
        except Exception as error:  # noqa: BLE001 - it may fail the auditor in any way
            failed = self._auditor.under_audit(self._name)
            self._first = next(
                record.version for record, bet in zip(page, bets, strict=True) if bet is failed
            )
            raise self._judged_wrong((failed,), error) from None
        self._first, self._at = page[-1].version, times[-1]

    def _begin(self, record: Record) -> None:
        """Begin a decision: its first event has the sender and the time."""
        _, self._first, _, self._at, cause, _, _ = record
        assert cause is not None, "a decision begins with who caused it"
        if not cause.startswith(self._same_role):
            # Almost always the role is a terminal again.
            self._role = role = role_in(cause)
            self._same_role = cause[: len(role.encode()) + 3]

    def _ends(self) -> Steps:
        """Report missing heads and snapshots, judge the last decision, compare the books."""
        for left in self._vouched:
            end = self.head.version
            ends: dict[str, int | str] = {"version": end, "who": left.who, "vouched": left.version}
            said = told("FAULT_END_VOUCHED", stream=self.stream, **ends)
            raise self._wrong("stream", said, end + 1)
        for missing in self._taken.values():
            said = told("SNAPSHOT_NO_EVENT", version=missing.version)
            raise FaultError(snapshot_fault(self.stream, missing.version, said))
        if self._decision:
            yield from self._judge(self._decision)
        self._compare()

    # --- the chain ---------------------------------------------------------------------------

    def _check_vouched(self, before: Head, page: Page) -> None:
        """Compare the heads in checkpoints with the records, as far as the chain is sound."""
        while self._vouched and self._vouched[0].version <= self.head.version:
            vouched = self._vouched.popleft()
            record = page[vouched.version - before.version - 1]
            if record.hash.hex() != vouched.hash:
                hashes = {"expected": vouched.hash, "found": record.hash.hex()}
                of = {"stream": self.stream, "who": vouched.who}
                said = told("FAULT_ANOTHER", version=record.version, **of, **hashes)
                raise self._wrong("stream", said, record.version, field="hash", **hashes)
            if record.at > vouched.at:
                of = {"stream": self.stream, "who": vouched.who}
                said = told("FAULT_LATER", version=record.version, **of)
                raise self._wrong("event", said, record.version, field="at")

    def _check_times(self, page: Page) -> tuple[int, Fault] | None:
        """Check that time never goes back, is one within a decision, and how the stream begins."""
        if page and page[0].version == 1 and page[0].cause is None:
            said = told("FAULT_UNCAUSED", stream=self.stream)
            return 0, Fault("event", said, self.stream, 1, field="cause")
        last = self._last
        for place, record in enumerate(page):
            at = record.at
            if at != last:
                if at < last or at > LAST_INSTANT or record.cause is None:
                    return place, self._time_fault(record, last)
                last = at
        self._last = last
        return None

    def _check_snapshot(self, record: Record, taken: Taken) -> None:
        """Check that a snapshot is of this chain, and equals the state that the events give."""
        if taken.head != record.hash:
            said = told("SNAPSHOT_OTHER_HASH", found=taken.head.hex())
            raise FaultError(snapshot_fault(self.stream, taken.version, said))
        if hashlib.sha256(self.kind.pack(self.state)).digest() != taken.digest:
            said = told("SNAPSHOT_OTHER_STATE")
            raise FaultError(snapshot_fault(self.stream, taken.version, said))

    # --- the auditor -------------------------------------------------------------------------

    def _judge(self, events: Sequence[Event]) -> Steps:
        """Judge a decision, once the auditor has seen what it needs of other streams."""
        while not self.insists and self.unaudited_from is None:
            awaited = self._awaited(events)
            if awaited is None:
                break
            yield awaited
        if self.unaudited_from is None:
            asked = self._auditor.asks(self._name, events)
            if asked:
                yield asked
            self._observe(events)

    def _observe(self, events: Sequence[Event]) -> None:
        try:
            self._auditor.observe(self._name, events, self._at, self._role)
        except Exception as error:  # noqa: BLE001 - a forged event may fail the auditor in any way
            raise self._judged_wrong(events, error) from None
        found = events[-1]
        if isinstance(found, ReportDeclined):
            self.declined_count += 1
            self.declined.append(found)

    def _awaited(self, events: Sequence[Any]) -> str | None:
        """Name the stream that must be read further before the auditor can judge a decision."""
        transits = self._auditor.transits
        self.awaits_arrival = False
        arrived = set()
        for event in events:
            transit = _AWAITS.get(type(event))
            if transit == "arrives" and event.transit is not None:
                arrived.add(event.transit)
                if transits.awaits_sending(event.transit):
                    return sender_of(event.transit)
            elif transit == "closes":
                where = transits.on_its_way_to(event.transit)
                if where is not None and event.transit not in arrived:
                    self.awaits_arrival = True
                    return where
        return None

    def _is_comparing_due(self) -> bool:
        """Say whether to compare the books now: not so often that it would cost too much."""
        if self.stream == VENUE:
            return False
        return self._uncompared >= max(COMPARE_EVERY, len(self.state.ledger.balances))

    def _compare(self) -> None:
        """Compare the ledger with the auditor's own books, to the cent."""
        self._uncompared = 0
        if self.stream == VENUE or self.unaudited_from is not None:
            return
        ledger: Ledger = self.state.ledger
        try:
            if sum(ledger.balances.values()):
                raise AuditError("{name}: the ledger does not sum to zero", name=self._name)
            if self._name == CAGE_STREAM or self._name in self._auditor.tables:
                self._auditor.compare(self._name, ledger.balances)
            if isinstance(self.state, TableState) and self._name in self._auditor.tables:
                meter = self.state.meters.get("table", Meter())
                self._auditor.compare_meter(self._name, meter.turnover, meter.collected, meter.won)
        except AuditError as error:
            version = self.head.version
            why = told_by_auditor(error)
            said = told("FAULT_WRONG_BY", stream=self.stream, version=version, why=why)
            raise self._wrong("audit", said, version) from None

    # --- saying what is wrong ----------------------------------------------------------------

    def _replay_fault(self, version: int, error: Exception) -> Fault:
        if isinstance(error, msgspec.DecodeError | UnicodeDecodeError):
            what: str = told("UNREADABLE_EVENT", why=str(error))
        elif isinstance(error, JournalError):
            what = str(error)
        else:
            what = told("REPLAY_FAILS", why=f"{type(error).__name__}: {error}")
        said = told("FAULT_WRONG", stream=self.stream, version=version, why=what)
        return Fault("replay", said, self.stream, version)

    def _time_fault(self, record: Record, last: Instant) -> Fault:
        times = {"version": record.version, "at": record.at, "last": last}
        said = told("FAULT_TIME", stream=self.stream, **times)
        return Fault("event", said, self.stream, record.version, field="at")

    def _judged_wrong(self, events: Sequence[Event], error: Exception) -> FaultError:
        last = self._first + len(events) - 1
        if isinstance(error, AuditError):
            why: str = told_by_auditor(error)
        else:
            why = f"{type(error).__name__}: {error}"
        code = "FAULT_JUDGED" if len(events) == 1 else "FAULT_JUDGED_SEVERAL"
        said = told(code, stream=self.stream, version=self._first, last=last, why=why)
        return self._wrong("audit", said, self._first)

    def _wrong(self, in_: In, said: str, version: int, **parts: Any) -> FaultError:
        return FaultError(Fault(in_, said, self.stream, version, **parts))

"""Verifying a whole journal: every stream, checkpoint and snapshot, in one pass.

The streams take turns: one is read to its end, or until it needs to know what another has sent or
received. In memory are a page of each, their states, and the auditor's books.
"""

import gc
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from taisai.core.cage.state import CageState
from taisai.core.kernel.ledger import UNCLAIMED
from taisai.core.table.state import TableState
from taisai.runtime.auditor import Auditor
from taisai.runtime.journal.anchor import Anchor, AnchorError, fault_by
from taisai.runtime.journal.checkpoints import Covered
from taisai.runtime.journal.contract import Checkpoint, Heads, Journal, JournalError, Progress
from taisai.runtime.journal.sqlite import SqliteJournal, read_connection
from taisai.runtime.keys.signing import PublicKeys
from taisai.runtime.operations.log_copier import Copy
from taisai.runtime.streams import CAGE, VENUE, table_of
from taisai.runtime.verification.copy_comparison import compare_copy, explain_by_copy
from taisai.runtime.verification.replay import Expected, Replay
from taisai.runtime.verification.report import Fault, In, NewestCheckpoint, Report
from taisai.runtime.verification.sealed import Seals
from taisai.runtime.verification.signatures import (
    Checkpoints,
    Taken,
    check_held,
    look_at_snapshots,
    stray_snapshots,
)
from taisai.wording import told

#: Allocations between two garbage collections.
GARBAGE_THRESHOLD = 50_000
#: Versions begin with one; a record with a lower one was moved there.
BELOW_ALL = -(2**63)


class Asked(NamedTuple):
    """What a verification may use: public keys, a checkpoint held elsewhere, a copy."""

    public: PublicKeys | None = None
    held: Checkpoint | None = None
    copy: Copy | None = None
    #: The venue's own key, to check seals that no checkpoint covers yet.
    sealing: bytes | None = None
    #: The file of the anchor, wherever it is.
    anchor: Path | None = None


async def verify(
    journal: Journal,
    asked: Asked,
    progress: Progress = lambda _, __: None,
) -> Report:
    """Verify a journal; `progress` is called with how many events have been checked."""
    began = time.perf_counter()
    verifier = Verifier(journal, asked, progress)
    try:
        with little_looking_for_garbage():
            await verifier.run()
    except JournalError as error:
        verifier.report.faults.append(Fault("journal", str(error)))
    except UnicodeDecodeError as error:
        verifier.report.faults += names_that_are_no_text(journal, error)
    verifier.report.seconds = time.perf_counter() - began
    return verifier.report


def in_order(streams: Iterable[str]) -> list[str]:
    """Put streams in the order in which they are verified."""
    return sorted(streams, key=lambda each: (each != VENUE, each != CAGE, each))


@contextmanager
def little_looking_for_garbage() -> Iterator[None]:
    """Collect garbage less often for a while: a million bets make no reference cycles."""
    before = gc.get_threshold()
    gc.set_threshold(GARBAGE_THRESHOLD, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


class Verifier:
    """One verification under way."""

    def __init__(self, journal: Journal, asked: Asked, progress: Progress) -> None:
        self.report = Report()
        self._journal = journal
        self._asked = asked
        self._progress = progress
        self._auditor = Auditor()
        self._heads: Heads = {}
        self._replays: dict[str, Replay] = {}
        #: The streams that a checkpoint names and the journal does not have.
        self._gone: set[str] = set()
        self._seen = self._total = 0

    async def run(self) -> None:
        """Check the checkpoints, then every stream as it is now, then the copy."""
        # Checkpoints first: the heads, read after them, then include all that they cover.
        checkpoints = await self._check_checkpoints()
        if self._asked.anchor is not None:
            await self._check_anchor(self._asked.anchor)
        self._heads = await self._journal.heads()
        self._total = sum(head.version for head in self._heads.values())
        self.report.faults += [
            Fault("journal", told("FAULT_FILE", why=each))
            for each in await self._journal.integrity()
        ]
        await self._begin(checkpoints)
        await self._take_turns()
        await self._gather()
        await self._check_seals(checkpoints)
        if self._asked.copy is not None:
            await compare_copy(self._journal, self._asked.copy, self._heads, self.report)
        self._note_uncovered(checkpoints)

    # --- checkpoints and snapshots -----------------------------------------------------------

    async def _check_checkpoints(self) -> Checkpoints:
        public, held = self._asked.public, self._asked.held
        report = self.report
        checkpoints = Checkpoints(public)
        after = BELOW_ALL
        while not report.faults and (page := await self._journal.checkpoints_after(after)):
            report.faults += checkpoints.follow(page)
            after = page[-1].number
        report.checkpoints = checkpoints.count
        if checkpoints.newest is not None:
            newest, covered = checkpoints.newest
            report.newest_checkpoint = NewestCheckpoint(newest.number, covered.at, newest.key)
        if public is None:
            report.notes.append(told("NOTE_NO_KEYS"))
        if held is not None:
            covered_elsewhere, faults = await check_held(held, self._journal, public)
            report.faults += faults
            if covered_elsewhere is not None:
                checkpoints.expect(covered_elsewhere, told("WHO_HELD", number=held.number))
                events = f"{covered_elsewhere.events:,}"
                report.notes.append(told("NOTE_HELD", number=held.number, events=events))
        return checkpoints

    async def _check_anchor(self, file: Path) -> None:
        """Compare the journal with its anchor; the venue's own key shows who wrote that."""
        try:
            anchored = Anchor(file.parent, self._asked.sealing).read()
        except AnchorError as error:
            self.report.faults.append(Fault("anchor", str(error)))
            return
        if anchored is None:
            self.report.faults.append(Fault("anchor", told("FAULT_NO_ANCHOR", file=str(file))))
            return
        fault = await fault_by(anchored, self._journal)
        if fault is not None:
            self.report.faults.append(
                Fault("anchor", told("FAULT_ANCHOR", why=fault, file=str(file)))
            )
            return
        code = "NOTE_ANCHOR" if self._asked.sealing is not None else "NOTE_ANCHOR_UNPROVED"
        self.report.notes.append(told(code, file=str(file), number=anchored.number))

    async def _check_seals(self, checkpoints: Checkpoints) -> None:
        seals = Seals(self._journal, checkpoints, self._asked.sealing)
        # The fault of a damaged stream is reported already.
        damaged = {fault.stream for fault in self.report.faults}
        sound = {each: head for each, head in self._heads.items() if each not in damaged}
        await seals.check(sound)
        self.report.seals = seals.count
        self.report.faults += seals.faults

    def _note_uncovered(self, checkpoints: Checkpoints) -> None:
        covered: Covered | None = None if checkpoints.newest is None else checkpoints.newest[1]
        signed = 0 if covered is None else covered.events
        if self._total > signed and not self.report.faults:
            code = "NOTE_SEALED" if self._asked.sealing is not None else "NOTE_SEALED_UNPROVED"
            counts = {"newer": f"{self._total - signed:,}", "events": f"{self._total:,}"}
            self.report.notes.append(told(code, **counts))

    # --- the streams -------------------------------------------------------------------------

    async def _begin(self, checkpoints: Checkpoints) -> None:
        """Prepare every stream, and report those that are missing."""
        # Voucher numbers are computed with a key that no auditor has; any key replays the cage.
        key = secrets.token_bytes(32)
        # First the venue, whose currency applies to all, then the cage.
        for stream in in_order(self._heads):
            taken = await self._look_at_snapshots(stream)
            expected = Expected(checkpoints.vouched.get(stream, ()), taken)
            head = self._heads[stream]
            pages = self._journal.read(stream, after=BELOW_ALL, upto=head.version)
            self._replays[stream] = Replay(
                stream, pages, expected, self._auditor, key, self._journal
            )
        for stream, vouched in checkpoints.vouched.items():
            if stream not in self._heads:
                last = vouched[-1]
                said = told("FAULT_GONE", stream=stream, who=last.who, version=last.version)
                self.report.faults.append(Fault("stream", said, stream, 1))
                self._gone.add(table_of(stream) or stream)
        self.report.faults += await stray_snapshots(self._journal, self._heads)

    async def _look_at_snapshots(self, stream: str) -> dict[int, Taken]:
        looked = await look_at_snapshots(self._journal, stream, self._asked.public)
        self.report.snapshots += looked.there
        self.report.faults += looked.faults
        self.report.notes += looked.notes
        return {
            each.version: each for each in looked.taken if await self._is_due(stream, each.version)
        }

    async def _is_due(self, stream: str, version: int) -> bool:
        """Say whether to check a snapshot: not one of events written since this began."""
        if version <= self._heads[stream].version:
            return True
        heads = await self._journal.heads([stream])
        return heads[stream].version < version

    async def _take_turns(self) -> None:
        """Run each stream to its end; if one waits for another, that one runs first."""
        names = {table_of(stream) or stream: replay for stream, replay in self._replays.items()}
        for replay in self._replays.values():
            current, stuck = replay, list[Replay]()
            while not replay.done:
                judged = self._auditor.decisions
                await current.run(self._count)
                if self._auditor.decisions > judged:
                    stuck.clear()
                if current.done:
                    current = replay
                    continue
                other = names.get(current.awaits or "")
                stuck.append(current)
                if other is not None and not other.done and other not in stuck:
                    current = other
                elif other is None or other.done:
                    self._let_go_on(current, other)
                else:
                    # They wait for each other: the earliest one should not have had to wait.
                    current = min(stuck, key=lambda each: (each.at, each.awaits_arrival))
                    current.insists = True
                    stuck.clear()

    def _let_go_on(self, current: Replay, other: Replay | None) -> None:
        """Let a stream that waits in vain go on: without the auditor, if it is not at fault."""
        damaged = other is not None and (other.fault or other.unaudited_from is not None)
        if damaged or current.awaits in self._gone:
            current.stop_auditing()
        else:
            current.insists = True

    def _count(self, records: int) -> None:
        self._seen += records
        self._progress(self._seen, self._total)

    # --- what it comes to --------------------------------------------------------------------

    async def _gather(self) -> None:
        """Collect the faults of all streams, and add up what is sound."""
        report = self.report
        for stream, replay in self._replays.items():
            report.events += replay.events
            if replay.fault is not None:
                report.faults.append(await self._explained(replay, replay.fault))
            elif replay.unaudited_from is not None:
                since = replay.unaudited_from
                report.notes.append(told("NOTE_UNAUDITED", stream=stream, version=since))
            report.notes += declined_in(stream, replay)
        report.streams = len(self._replays)
        report.decisions = self._auditor.decisions
        report.rounds = sum(table.round for table in self._auditor.tables.values())
        self._add_up()

    async def _explained(self, replay: Replay, fault: Fault) -> Fault:
        """Say which byte is wrong, by the copy, if there is one."""
        if replay.broken is None or self._asked.copy is None:
            return fault
        return await explain_by_copy(self._asked.copy, replay.head, replay.broken, fault)

    def _add_up(self) -> None:
        money, on_its_way = self.report.money, self._auditor.transits.on_its_way()
        money.currency = self._auditor.venue.currency or ""
        in_transit = 0
        for replay in self._replays.values():
            if not isinstance(replay.state, TableState | CageState):
                continue
            ledger = replay.state.ledger
            in_transit += ledger.total("transit:")
            money.bank += ledger.total("house:")
            money.credits += ledger.total("terminal:")
            money.stakes += ledger.total("stake:")
            money.vouchers += ledger.total("vouchers:")
            money.unclaimed += ledger.total(UNCLAIMED)
        for table in self._auditor.tables.values():
            money.turnover += table.turnover
            money.won += table.won
        money.in_transit = on_its_way
        audited = all(replay.unaudited_from is None for replay in self._replays.values())
        if audited and not self.report.faults and in_transit != on_its_way:
            said = told("FAULT_TRANSIT", ledgers=in_transit, books=on_its_way)
            self.report.faults.append(Fault("audit", said))


# --- names that are no text any more -------------------------------------------------------------
#
# SQLite stores any bytes it is given as text. A server that checks its text does not need this.


class _Kept(NamedTuple):
    """A table of a journal with names: the fields that hold them, and the key of a row."""

    in_: In
    query: str
    fields: tuple[str, ...]
    code: str


_KEPT = (
    _Kept(
        "event",
        "SELECT min(version), CAST(stream AS BLOB) FROM events GROUP BY stream",
        ("stream",),
        "FAULT_NO_TEXT_EVENT",
    ),
    _Kept(
        "snapshot",
        "SELECT version, CAST(stream AS BLOB), CAST(key AS BLOB) FROM snapshots",
        ("stream", "key"),
        "FAULT_NO_TEXT_SNAPSHOT",
    ),
    _Kept(
        "checkpoint",
        "SELECT number, CAST(key AS BLOB) FROM checkpoints ORDER BY number",
        ("key",),
        "FAULT_NO_TEXT_CHECKPOINT",
    ),
)


def declined_in(stream: str, replay: Replay) -> Iterator[str]:
    """List the reports of the dice that were found not to have happened, and why [D20]."""
    for each in replay.declined:
        yield told(
            "NOTE_DECLINED",
            stream=stream,
            round=each.round,
            what=each.code,
            reported_by=each.reported_by,
            person=each.by.person,
            role=each.by.role,
            note=each.note,
        )
    more = replay.declined_count - len(replay.declined)
    if more:
        yield told("NOTE_DECLINED_BEFORE", stream=stream, more=f"{more:,}")


def names_that_are_no_text(journal: Journal, error: UnicodeDecodeError) -> list[Fault]:
    """Name the events, snapshots and checkpoints whose stream or key is no text."""
    if not isinstance(journal, SqliteJournal):
        return [Fault("journal", told("FAULT_NO_TEXT", why=str(error)))]
    try:
        connection = read_connection(journal.path)
        try:
            found = [fault for kept in _KEPT for fault in _no_texts(connection, kept)]
        finally:
            connection.close()
    except apsw.Error as failure:
        raise JournalError(f"the journal {journal.path} cannot be read: {failure}") from failure
    return found or [Fault("journal", told("FAULT_NO_TEXT", why=str(error)))]


def _no_texts(connection: apsw.Connection, kept: _Kept) -> Iterator[Fault]:
    rows: list[tuple[Any, ...]] = connection.execute(kept.query).fetchall()
    for number, *values in rows:
        names = dict(zip(kept.fields, values, strict=True))
        stream = _shown(names["stream"]) if "stream" in names else None
        for field, value in names.items():
            byte = _no_text_from(value)
            if byte is not None:
                of = {"stream": stream or "", "field": field, "name": _shown(value)}
                said = told(kept.code, number=number, byte=byte, **of)
                where = {"checkpoint" if stream is None else "version": number}
                yield Fault(kept.in_, said, stream, field=field, byte=byte, **where)


def _no_text_from(name: bytes) -> int | None:
    try:
        name.decode()
    except UnicodeDecodeError as error:
        return error.start
    return None


def _shown(name: bytes) -> str:
    return name.decode("utf-8", "backslashreplace")

"""Comparing a journal with the copy of its log: no record missing, none different.

The copy is read once, and its own chains are followed. If a stream's chain is sound on both sides
and ends in the same hash, every record up to there is the same; if not, the first one that differs
is looked for. A running venue goes on copying: a record that the copy has and the journal lacked is
looked for again before it counts as missing.
"""

from collections.abc import Iterator

from taisai.runtime.journal.contract import (
    Checkpoint,
    Head,
    Heads,
    Journal,
    Record,
    genesis,
    sound_links,
)
from taisai.runtime.operations.log_copier import Begun, Copy, CopyError, Placed
from taisai.runtime.verification.chains import broken_link, compared
from taisai.runtime.verification.report import Fault, Report
from taisai.runtime.verification.signatures import checkpoint_fault, checkpoint_of
from taisai.wording import told


async def compare_copy(journal: Journal, copy: Copy, heads: Heads, report: Report) -> None:
    """Compare everything in a copy with a journal whose heads were read before the copy."""
    reading = _Reading(journal)
    try:
        for placed in copy.lines():
            fault = await reading.take(placed)
            report.faults += [] if fault is None else [fault]
        report.copied_events = sum(head.version for head in reading.heads.values())
        for stream, head in reading.heads.items():
            fault = await _compare(journal, copy, stream, head, heads)
            if fault is not None and not _is_told(report, fault):
                report.faults.append(fault)
    except CopyError as error:
        report.faults.append(Fault("copy", told("FAULT_COPY", why=str(error))))
        return
    behind = sum(head.version for head in heads.values()) - report.copied_events
    if behind > 0 and not report.faults:
        report.notes.append(told("NOTE_COPY_BEHIND", behind=f"{behind:,}"))


def _is_told(report: Report, fault: Fault) -> bool:
    """Say whether a fault at this place is already in the report."""
    where = (fault.stream, fault.version)
    return any((each.stream, each.version) == where for each in report.faults)


class _Reading:
    """A copy while it is read: the head of each of its chains so far."""

    def __init__(self, journal: Journal) -> None:
        self.heads: dict[str, Head] = {}
        self._journal = journal

    async def take(self, placed: Placed) -> Fault | None:
        """Check the next line, and give its fault, if any."""
        match placed.content:
            case Record() as record:
                self._follow(placed, record)
            case Checkpoint() as checkpoint:
                return await self._compare_checkpoint(checkpoint)
            case Begun() as begun:
                if begun.heads != self.heads:
                    raise CopyError(told("COPY_GAP", file=str(placed.file)))
        return None

    def _follow(self, placed: Placed, record: Record) -> None:
        before = self.heads.get(record.stream, genesis(record.stream))
        after, sound = sound_links(before, [record])
        if not sound:
            fault = broken_link(before, record, None)
            file, line = str(placed.file), placed.number
            raise CopyError(told("COPY_LINE", file=file, line=line, why=fault.sentence))
        self.heads[record.stream] = after

    async def _compare_checkpoint(self, copied: Checkpoint) -> Fault | None:
        number = copied.number
        # Read after the copy's line: a newer one may have been written meanwhile.
        own = await checkpoint_of(self._journal, number)
        if own is None:
            return checkpoint_fault(number, told("FAULT_CHECKPOINT_COPIED", number=number))
        if own != copied:
            return checkpoint_fault(number, told("FAULT_CHECKPOINT_NOT_COPIED", number=number))
        return None


async def _compare(
    journal: Journal, copy: Copy, stream: str, copied: Head, heads: Heads
) -> Fault | None:
    held = heads.get(stream)
    if held is None or held.version < copied.version:
        # The stream may have grown, and been copied, since its head was read.
        held = (await journal.heads([stream])).get(stream)
    if held is None:
        said = told("FAULT_STREAM_COPIED", stream=stream, copied=copied.version)
        return Fault("stream", said, stream, 1)
    if held.version < copied.version:
        ends = {"version": held.version, "copied": copied.version}
        said = told("FAULT_END_COPIED", stream=stream, **ends)
        return Fault("stream", said, stream, held.version + 1)
    found = await journal.records(stream, [copied.version])
    if found and found[0].hash == copied.hash:
        return None
    return await _first_difference(journal, copy, stream)


async def _first_difference(journal: Journal, copy: Copy, stream: str) -> Fault | None:
    """Go through both, record by record, until they differ."""
    theirs = _records_of(copy, stream)
    async for page in journal.read(stream):
        for record in page:
            other = next(theirs, None)
            if other is None:
                return None
            if record.version != other.version:
                said = told("FAULT_MISSING_HERE", stream=stream, version=other.version)
                return Fault("event", said, stream, other.version)
            for fault in compared(record, other):
                return fault
    return None


async def explain_by_copy(copy: Copy, before: Head, broken: Record, fault: Fault) -> Fault:
    """Say which byte of a damaged record is wrong, by its copy."""
    try:
        for record in _records_of(copy, broken.stream):
            if record.version == broken.version:
                return broken_link(before, broken, record)
    except CopyError:
        # A fault of the copy itself is reported when it is compared.
        return fault
    return fault


def _records_of(copy: Copy, stream: str) -> Iterator[Record]:
    for placed in copy.lines():
        if isinstance(placed.content, Record) and placed.content.stream == stream:
            yield placed.content

"""`taisai audit events`: the significant events of a journal, in the order they happened."""

import argparse

import msgspec

from taisai.cli.command import LANGUAGE, command
from taisai.cli.progress import ProgressLine
from taisai.cli.records.journals import WHERE, filters, read_records
from taisai.core.rules.reason import printable
from taisai.runtime.records.entries import Entry, Source
from taisai.runtime.records.export import write_time
from taisai.runtime.records.significant_events import (
    event_view,
    note_of,
    significant_entries,
    summary_of,
)
from taisai.wording import label


@command(
    "taisai audit events data --table T1 --from 2026-03-01",
    WHERE,
    *filters(),
    LANGUAGE,
    detail="Faults, interruptions, amendments, voids, changes of limits and rulebooks, approvals,\n"
    "terminals lost, barred or locked, rulings, corrections, opening and closing.\n"
    "With --json, one object a line. The chain of hashes is not checked here: run\n"
    "'taisai audit verify' first.",
)
def audit_events(arguments: argparse.Namespace) -> int:
    """Answer `taisai audit events`, a line or two for each as they are read."""

    async def work(source: Source, progress: ProgressLine) -> int:
        shown = 0
        async for entry in significant_entries(source):
            progress.clear()
            if arguments.json:
                print(msgspec.json.encode(event_view(entry, arguments.lang)).decode())
            else:
                print(_text(entry, arguments.lang))
            shown += 1
        return shown

    if not read_records(arguments, work) and not arguments.json:
        print(label("no-events", arguments.lang))
    return 0


def who_text(entry: Entry, language: str) -> str:
    """Say who was behind an event, and who was the second person."""
    if entry.who is None:
        return "-"
    first = f"{entry.who.person} ({entry.who.role})"
    if entry.second is None:
        return printable(first)
    second = f"{entry.second.person} ({entry.second.role})"
    return printable(label("and", language, first=first, second=second))


def grounds_text(entry: Entry) -> str:
    """Give the clause an event cites and what was noted with it, if anything."""
    clause, note = getattr(entry.event, "clause", None), note_of(entry.event)
    cited = f" [{clause}]" if clause else ""
    return cited if note is None else f"{cited} “{printable(note)}”"


def _text(entry: Entry, language: str) -> str:
    where = printable(f"{entry.stream} {entry.version}")
    said = printable(summary_of(entry.event, language)) + grounds_text(entry)
    return f"{write_time(entry.at)}  {where}  {who_text(entry, language)}\n    {said}"

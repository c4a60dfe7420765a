"""`taisai audit events`: the significant events of a journal, in the order they happened."""

import argparse

import msgspec

from taisai.cli.journals import ReadingProgress, period_of, reading
from taisai.core.rules.reason import printable
from taisai.runtime.journal.contract import Journal
from taisai.runtime.records.answers import event_view
from taisai.runtime.records.entries import Entry, Source
from taisai.runtime.records.row_writers import write_time
from taisai.runtime.records.significant_events import note_of, significant_entries, summary_of
from taisai.wording import label


def run(arguments: argparse.Namespace) -> int:
    """Answer `taisai audit events`."""
    period = period_of(arguments.since, arguments.until)
    progress = ReadingProgress()

    async def work(journal: Journal) -> int:
        source = await Source.of(journal, period=period, tables=arguments.tables)
        source.told = progress
        told = 0
        async for entry in significant_entries(source):
            progress.clear()
            if arguments.json:
                print(msgspec.json.encode(event_view(entry, arguments.lang)).decode())
            else:
                print(_text(entry, arguments.lang))
            told += 1
        return told

    try:
        told = reading(arguments.where, work)
    finally:
        progress.clear()
    if not told and not arguments.json:
        print(label("no-events", arguments.lang))
    return 0


def tell_who(entry: Entry, language: str) -> str:
    """Say who was behind an event, and who was the second person."""
    if entry.who is None:
        return "-"
    first = f"{entry.who.person} ({entry.who.role})"
    if entry.second is None:
        return printable(first)
    second = f"{entry.second.person} ({entry.second.role})"
    return printable(label("and", language, first=first, second=second))


def tell_grounds(entry: Entry) -> str:
    """Give the clause an event cites and what was noted with it, if anything."""
    clause, note = getattr(entry.event, "clause", None), note_of(entry.event)
    cited = f" [{clause}]" if clause else ""
    return cited if note is None else f"{cited} “{printable(note)}”"


def _text(entry: Entry, language: str) -> str:
    where = printable(f"{entry.stream} {entry.version}")
    told = printable(summary_of(entry.event, language)) + tell_grounds(entry)
    return f"{write_time(entry.at)}  {where}  {tell_who(entry, language)}\n    {told}"

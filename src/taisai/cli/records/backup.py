"""`taisai backup` and `taisai restore`: a journal copied while the venue runs, and put back.

The copy is verified when it is made and before it is restored; a restore is recorded.
"""

import argparse
import asyncio
import time
from contextlib import ExitStack
from pathlib import Path

from taisai.cli.command import PASSPHRASE, SECOND, Output, Refused, argument, command, place
from taisai.cli.progress import ProgressLine
from taisai.cli.records.journals import WHERE, journal_at
from taisai.cli.records.verify import KEYS, Proved, newest_text, proof_output, prove
from taisai.cli.venue.environment import passphrase_of
from taisai.core.rules.reason import printable
from taisai.runtime.journal.anchor import default_anchor
from taisai.runtime.journal.location import JOURNAL_FILE, is_address, shown_place
from taisai.runtime.keys.directory import load_keys
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.operations.backup import (
    Persons,
    back_up,
    refuse_taken,
    restore_by,
    two_persons,
)
from taisai.runtime.operations.process import KEYS_DIRECTORY, held
from taisai.runtime.verification.report import Report

_ENDING = ".sqlite"


@command(
    "taisai backup data monday.sqlite --keys published.keys",
    WHERE,
    place("file", "the file to make"),
    KEYS,
    detail="The copy is a journal file by itself, also of a journal in PostgreSQL. Nothing is\n"
    "written over. The keys are not in it: keep those elsewhere.",
)
def backup(arguments: argparse.Namespace) -> Output:
    file, proved = arguments.file, Proved(arguments, arguments.where)
    with ProgressLine() as line:
        progress = line.share_of("copying")
        asyncio.run(back_up(journal_at(arguments.where), Path(file), progress))
    report = prove(file, proved)
    made = f"The backup {printable(file)} is made and sound: {report.events:,} events"
    text = f"{made} of {report.streams} streams.\n{newest_text(report)}"
    return proof_output({"file": file}, report, f"the backup {file} was made, and", text)


@command(
    "taisai restore monday.sqlite data --by 'Ann Lee' --second 'Bob Tan' --keys venue-keys",
    place("file", "the backup"),
    place(
        "where WHERE",
        "a data directory, a file ending in .sqlite, or an empty postgresql:// database",
    ),
    argument("--by NAME", "who restores it", required=True),
    SECOND,
    place("--keys DIRECTORY", "the venue's keys; otherwise those in the data directory"),
    place(
        "--anchor DIR",
        "the anchor to set anew; otherwise the one beside the keys of the data directory",
    ),
    PASSPHRASE,
    detail="The backup is verified first. What came after it was made is not in it: the newest\n"
    "checkpoint and its time are shown, and the journal says who restored it.",
)
def restore(arguments: argparse.Namespace) -> Output:
    file = Path(arguments.file)
    if not file.is_file():
        raise Refused(f"there is no backup {arguments.file}")
    persons = two_persons(arguments.by, arguments.second)
    where = _target(arguments.where)
    report = prove(arguments.file, Proved(arguments, str(arguments.where)))
    if not report.verified:
        nothing = f"nothing was restored: {arguments.file}"
        return proof_output({"restored": None}, report, nothing, "")
    keys = _keys(arguments)
    about = {
        "restored": shown_place(arguments.where),
        "by": persons.by,
        "second": persons.second,
        "venue_version": _restore(file, where, persons, keys, _anchor(arguments, where)),
    }
    return proof_output(about, report, "", _restored(arguments, persons, report))


def _keys(arguments: argparse.Namespace) -> VenueKeys:
    """Open the venue's keys: their holder seals and signs the restored journal."""
    if arguments.keys is None and is_address(arguments.where):
        raise Refused("restoring to a database takes the venue's keys: name them with --keys")
    beside = Path(arguments.where) / KEYS_DIRECTORY
    return load_keys(Path(arguments.keys or beside), passphrase_of(arguments))


def _anchor(arguments: argparse.Namespace, where: str | Path) -> Path | None:
    """Find the anchor of the restored journal: the one named, or that of its data directory."""
    if arguments.anchor is not None:
        return Path(arguments.anchor)
    if isinstance(where, Path) and where.name == JOURNAL_FILE:
        return default_anchor(where.parent / KEYS_DIRECTORY)
    return None


def _restore(
    file: Path, where: str | Path, persons: Persons, keys: VenueKeys, anchor: Path | None
) -> int:
    with ExitStack() as holding:
        progress = holding.enter_context(ProgressLine()).share_of("restoring")
        if isinstance(where, Path) and where.name == JOURNAL_FILE:
            # No venue may be running where the journal will be written.
            holding.enter_context(held(where.parent))
        now = time.time_ns() // 1_000_000
        return asyncio.run(
            restore_by(file, where, persons, now, keys, progress=progress, anchor=anchor)
        )


def _target(where: str) -> str | Path:
    """Find where the journal goes: an address, a file by its ending, or into a data directory."""
    if is_address(where):
        return where
    path = Path(where)
    if path.suffix != _ENDING or path.is_dir():
        path = path / JOURNAL_FILE
        if not path.parent.exists() and path.parent.parent.is_dir():
            return path
    refuse_taken(path)
    return path


def _restored(arguments: argparse.Namespace, persons: Persons, report: Report) -> str:
    where = printable(shown_place(arguments.where))
    return (
        f"{printable(arguments.file)} is restored to {where}, by {printable(persons.by)} and"
        f" {printable(persons.second)}: {report.events:,} events of {report.streams} streams.\n"
        f"{newest_text(report)}\n\n"
        "Next:\n"
        "- whatever came after the backup was made is not in it: look for it in the copy of the\n"
        "  log, and keep that copy as it is;\n"
        "- name a new place for the copy of the log that is written from now on;\n"
        "- put the keys back where the venue looks for them;\n"
        "- nobody has a password there: have codes made with 'taisai staff code', then start it."
    )

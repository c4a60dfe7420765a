"""`taisai restore`: a backup verified, put where no journal is yet, and that put on record."""

import argparse
import asyncio
import json
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from taisai.cli.backup import verified
from taisai.cli.proofs import Proved, ShareProgress, refuse_unsound, report_answer, tell_newest
from taisai.cli.refused import Refused
from taisai.core.rules.reason import printable
from taisai.runtime.journal.contract import JournalError
from taisai.runtime.journal.location import JOURNAL_FILE, is_address, shown_place
from taisai.runtime.operations.backup import BackupError, refuse_taken
from taisai.runtime.operations.process import held
from taisai.runtime.operations.restore import Persons, restore_by, two_persons
from taisai.runtime.recovery import StartupError
from taisai.runtime.verification import Report

_ENDING = ".sqlite"


def run(arguments: argparse.Namespace) -> int:
    """Answer `taisai restore`."""
    file = Path(arguments.file)
    if not file.is_file():
        raise Refused(f"there is no backup {arguments.file}")
    try:
        persons = two_persons(arguments.by, arguments.second)
        where = _target(arguments.where)
        proved = Proved(arguments, str(arguments.where))
        report = verified(arguments.file, proved)
        if not report.verified:
            return _refuse(arguments, report)
        version = _restore(file, where, persons)
    except (BackupError, JournalError, StartupError) as error:
        raise Refused(str(error)) from None
    if arguments.json:
        answer: dict[str, Any] = {
            "restored": shown_place(arguments.where),
            "by": persons.by,
            "second": persons.second,
        }
        answer |= {"house_version": version, **report_answer(report)}
        print(json.dumps(answer, indent=1))
    else:
        print(_told(arguments, persons, report))
    return 0


def _restore(file: Path, where: str | Path, persons: Persons) -> int:
    progress = ShareProgress("restoring")
    try:
        with ExitStack() as holding:
            if isinstance(where, Path) and where.name == JOURNAL_FILE:
                # No house may be running where its journal is about to appear.
                holding.enter_context(held(where.parent))
            now = time.time_ns() // 1_000_000
            return asyncio.run(restore_by(file, where, persons, now, progress))
    finally:
        progress.clear()


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


def _refuse(arguments: argparse.Namespace, report: Report) -> int:
    if not arguments.json:
        raise refuse_unsound(f"nothing was restored: {arguments.file}", report)
    print(json.dumps({"restored": None, **report_answer(report)}, indent=1))
    return 1


def _told(arguments: argparse.Namespace, persons: Persons, report: Report) -> str:
    where = printable(shown_place(arguments.where))
    return (
        f"{printable(arguments.file)} is restored to {where}, by {printable(persons.by)} and"
        f" {printable(persons.second)}: {report.events:,} events of {report.streams} streams.\n"
        f"{tell_newest(report)}\n\n"
        "Next:\n"
        "- whatever came after the backup was made is not in it: look for it in the copy of the\n"
        "  log, and keep that copy as it is;\n"
        "- name a new place for the copy of the log that is written from now on;\n"
        "- put the keys back where the house looks for them, and start it."
    )

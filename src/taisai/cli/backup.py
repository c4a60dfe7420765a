"""`taisai backup`: a journal copied while the house runs, and the copy verified."""

import argparse
import asyncio
import json
from pathlib import Path

from taisai.cli.journals import journal_at, reading
from taisai.cli.proofs import Proved, ShareProgress, refuse_unsound, report_answer, tell_newest
from taisai.cli.refused import Refused
from taisai.core.rules.reason import printable
from taisai.runtime.journal.contract import Journal, JournalError
from taisai.runtime.operations.backup import BackupError, back_up
from taisai.runtime.verification import Asked, Report, verify


def run(arguments: argparse.Namespace) -> int:
    """Answer `taisai backup`."""
    proved = Proved(arguments, arguments.where)
    progress = ShareProgress("copying")
    try:
        asyncio.run(back_up(journal_at(arguments.where), Path(arguments.file), progress))
    except (BackupError, JournalError) as error:
        raise Refused(str(error)) from None
    finally:
        progress.clear()
    report = verified(arguments.file, proved)
    if arguments.json:
        print(json.dumps({"file": arguments.file, **report_answer(report)}, indent=1))
        return 0 if report.verified else 1
    if not report.verified:
        raise refuse_unsound(f"the backup {arguments.file} was made, and", report)
    told = f"The backup {printable(arguments.file)} is made and sound: {report.events:,} events"
    print(f"{told} of {report.streams} streams.\n{tell_newest(report)}")
    return 0


def verified(file: str, proved: Proved) -> Report:
    """Verify a journal file, with progress."""
    progress = ShareProgress("verifying, events")

    async def work(journal: Journal) -> Report:
        return await verify(journal, Asked(proved.public), progress)

    try:
        report = reading(file, work)
    finally:
        progress.clear()
    report.notes[:0] = proved.notes
    return report

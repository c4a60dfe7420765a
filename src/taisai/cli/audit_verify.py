"""`taisai audit verify`: a journal proved, or the first thing named that is wrong with it."""

import argparse
import json
from pathlib import Path

from taisai.cli.journals import reading
from taisai.cli.proofs import Proved, ShareProgress, refuse_unsound, report_answer, tell_sound
from taisai.cli.refused import Refused
from taisai.core.rules.reason import printable
from taisai.runtime.journal.checkpoints import (
    CheckpointError,
    read_checkpoint_file,
    write_checkpoint_file,
)
from taisai.runtime.journal.contract import Checkpoint, Journal
from taisai.runtime.journal.location import shown_place
from taisai.runtime.operations.log_copy import Copy
from taisai.runtime.verification import Asked, Report, verify


def run(arguments: argparse.Namespace) -> int:
    """Answer `taisai audit verify`."""
    proved = Proved(arguments, arguments.where)
    asked = Asked(proved.public, _held(arguments.checkpoint), _copy(arguments.copy))
    progress = ShareProgress("verifying, events")

    async def work(journal: Journal) -> tuple[Report, list[Checkpoint]]:
        report = await verify(journal, asked, progress)
        return report, await journal.checkpoints(newest=1) if report.verified else []

    try:
        report, newest = reading(arguments.where, work)
    finally:
        progress.clear()
    report.notes[:0] = proved.notes
    if newest and arguments.save_checkpoint is not None:
        report.notes.append(_save(newest[0], Path(arguments.save_checkpoint)))
    return _tell(arguments, report)


def _tell(arguments: argparse.Namespace, report: Report) -> int:
    where = shown_place(arguments.where)
    if arguments.json:
        print(json.dumps({"where": where, **report_answer(report)}, indent=1))
        return 0 if report.verified else 1
    if not report.verified:
        raise refuse_unsound(f"the journal {where}", report)
    print(f"The journal {printable(where)} is sound.\n\n{tell_sound(report)}")
    return 0


def _held(file: str | None) -> Checkpoint | None:
    try:
        return None if file is None else read_checkpoint_file(Path(file))
    except CheckpointError as error:
        raise Refused(str(error)) from None


def _copy(place: str | None) -> Copy | None:
    if place is None:
        return None
    copy = Copy(Path(place))
    if not copy.parts():
        # What was named wrongly is no fault of the journal.
        raise Refused(f"there is no copy of a log at {copy.first}")
    return copy


def _save(newest: Checkpoint, file: Path) -> str:
    if file.exists():
        raise Refused(f"{file} is there already, and nothing is written over; name another")
    try:
        write_checkpoint_file(newest, file)
    except CheckpointError as error:
        raise Refused(str(error)) from None
    return f"checkpoint {newest.number} is in {file}; hold it where the house cannot reach it"

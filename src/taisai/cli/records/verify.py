"""`taisai audit verify`: a journal proved, or the first thing named that is wrong with it."""

import argparse
from pathlib import Path

from taisai.cli.command import Output, command, place
from taisai.cli.errors import Refused
from taisai.cli.records.journals import WHERE, reading
from taisai.cli.records.proof import KEYS, Proved, proof_output, prove, sound_text
from taisai.core.rules.reason import printable
from taisai.runtime.journal.checkpoints import (
    CheckpointError,
    read_checkpoint_file,
    write_checkpoint_file,
)
from taisai.runtime.journal.contract import Checkpoint
from taisai.runtime.journal.location import shown_place
from taisai.runtime.operations.log_copier import Copy
from taisai.runtime.verification import Asked


@command(
    "taisai audit verify data --keys published.keys --checkpoint held.json",
    WHERE,
    KEYS,
    place("--checkpoint", help="a checkpoint that was held elsewhere"),
    place(
        "--copy",
        metavar="PLACE",
        help="the copy of the log that was written elsewhere: its file or directory",
    ),
    place(
        "--save-checkpoint",
        help="write the newest checkpoint to a file, to be held elsewhere, if all is sound",
    ),
    detail="Follows the chain of every stream, checks the signatures of checkpoints and "
    "snapshots,\n"
    "replays every event, and has the auditor judge every decision and settlement a second\n"
    "way. The first thing that is wrong is named: stream, version, field, byte. docs/audit.md\n"
    "tells what this proves, and what to hold elsewhere so that it proves more.",
    refuses=(CheckpointError,),
)
def verify_journal(arguments: argparse.Namespace) -> Output:
    """Answer `taisai audit verify`."""
    proved = Proved(arguments, arguments.where)
    held = (
        None if arguments.checkpoint is None else read_checkpoint_file(Path(arguments.checkpoint))
    )
    report = prove(arguments.where, proved, Asked(proved.public, held, _copy(arguments.copy)))
    if report.verified and arguments.save_checkpoint is not None:
        newest = reading(arguments.where, lambda journal: journal.checkpoints(newest=1))
        report.notes += [_save(each, Path(arguments.save_checkpoint)) for each in newest]
    where = shown_place(arguments.where)
    text = f"The journal {printable(where)} is sound.\n\n{sound_text(report)}"
    return proof_output({"where": where}, report, f"the journal {where}", text)


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
    write_checkpoint_file(newest, file)
    return f"checkpoint {newest.number} is in {file}; hold it where the venue cannot reach it"

"""`taisai audit verify`: prove a journal, or name the first fault in it.

The parts shared with backup and restore are here too: keys, progress, and the report.
"""

import argparse
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from taisai.cli.command import JOBS_MAX, Output, Refused, command, jobs, place
from taisai.cli.progress import ProgressLine
from taisai.cli.records.journals import WHERE, reading
from taisai.cli.text import align
from taisai.cli.venue.environment import passphrase_set
from taisai.core.rules.reason import printable
from taisai.runtime.journal.anchor import ANCHOR_FILE, default_anchor
from taisai.runtime.journal.checkpoints import read_checkpoint_file, write_checkpoint_file
from taisai.runtime.journal.contract import Checkpoint, Journal
from taisai.runtime.journal.location import is_address, shown_place
from taisai.runtime.keys.directory import HISTORY, SEALING, load_keys
from taisai.runtime.keys.files import KeysError
from taisai.runtime.keys.signing import PublicKeys, read_public, spell_fingerprint
from taisai.runtime.operations.log_copier import Copy
from taisai.runtime.operations.process import KEYS_DIRECTORY
from taisai.runtime.records.export import write_time
from taisai.runtime.verification.report import Report, plain_report
from taisai.runtime.verification.shares import processors, verify_shared
from taisai.runtime.verification.verifier import Asked
from taisai.wording import write_amount

#: The most faults shown to a person; a program gets them all.
FAULTS_SHOWN = 20

KEYS = place(
    "--keys PUBLIC",
    "the public keys: a published file, or a directory of keys; otherwise those in the"
    " data directory",
)


class Proved:
    """The public keys that a journal is proved by, and a remark on where they are from."""

    def __init__(self, arguments: argparse.Namespace, where: str) -> None:
        self.public: PublicKeys | None = None
        self.sealing: bytes | None = None
        self.notes: list[str] = []
        beside = Path(where) / KEYS_DIRECTORY
        if arguments.keys is not None:
            self.public = _read(Path(arguments.keys))
            self.sealing = _sealing(Path(arguments.keys))
        elif not is_address(where) and (beside / HISTORY).is_file():
            self.public = _read(beside)
            self.sealing = _sealing(beside)
            self.notes.append(
                f"the keys are those in {beside}, beside the journal; keys that were held"
                " elsewhere (--keys) prove more"
            )


def _read(place: Path) -> PublicKeys:
    return read_public(place / HISTORY if place.is_dir() else place)


def _sealing(place: Path) -> bytes | None:
    """Open the venue's own key, if it is there and needs no passphrase."""
    if not place.is_dir() or not (place / SEALING).is_file():
        return None
    try:
        return load_keys(place, passphrase_set()).sealing
    except KeysError:
        # The user may have the directory without the passphrase, or without the right to read.
        return None


def prove(where: str, proved: Proved, asked: Asked | None = None, jobs: int = 1) -> Report:
    """Verify a journal, with progress, in so many processes."""

    async def work(journal: Journal) -> Report:
        by = asked or Asked(proved.public, sealing=proved.sealing)
        return await verify_shared(journal, by, progress, jobs)

    with ProgressLine() as line:
        progress = line.share_of("verifying, events")
        report = reading(where, work)
    report.notes[:0] = proved.notes
    return report


def proof_output(about: dict[str, Any], report: Report, name: str, text: str) -> Output:
    """Answer with a report: a fault is a refusal for a person, and plain data for a program."""
    return Output(
        lambda: {**about, **report_answer(report)},
        lambda: text if report.verified else _refuse(name, report),
        status=0 if report.verified else 1,
    )


def _refuse(name: str, report: Report) -> NoReturn:
    """Refuse with the faults of a journal, the first one first."""
    sentences = [fault.sentence for fault in report.faults[:FAULTS_SHOWN]]
    if len(report.faults) > FAULTS_SHOWN:
        sentences.append(f"and {len(report.faults) - FAULTS_SHOWN:,} more; --json lists them all")
    lines = [f"{name} does not verify", *sentences, *report.notes]
    raise Refused("\n".join(printable(line) for line in lines))


def report_answer(report: Report) -> dict[str, Any]:
    """Give a report as JSON."""
    answer: dict[str, Any] = {
        "verified": report.verified,
        **msgspec.to_builtins(plain_report(report)),
    }
    if report.newest_checkpoint is not None:
        answer["newest_checkpoint"]["at"] = write_time(report.newest_checkpoint.at)
    return answer


def sound_text(report: Report) -> str:
    """Write for a person what was verified, and its totals."""
    money = report.money
    rows = [
        ("streams", f"{report.streams:,}"),
        ("events", f"{report.events:,}"),
        ("decisions judged a second way", f"{report.decisions:,}"),
        ("rounds", f"{report.rounds:,}"),
        ("checkpoints", f"{report.checkpoints:,}"),
        ("snapshots", f"{report.snapshots:,}"),
        ("seals of batches", f"{report.seals:,}"),
        *([("events in the copy", f"{report.copied_events:,}")] if report.copied_events else []),
        (f"turnover, {money.currency or 'no currency'}", write_amount(money.turnover)),
        ("won by players", write_amount(money.won)),
        ("the house's bank", write_amount(money.bank)),
        ("credits on terminals", write_amount(money.credits)),
        ("stakes on tables", write_amount(money.stakes)),
        ("vouchers out", write_amount(money.vouchers)),
        ("set aside for ended sessions", write_amount(money.unclaimed)),
        ("on its way", write_amount(money.in_transit)),
        ("seconds", f"{report.seconds:.1f}"),
    ]
    parts = [align(("", "checked"), rows, right=" r"), newest_text(report)]
    if report.notes:
        parts.append("\n".join(f"Note: {printable(note)}." for note in report.notes))
    return "\n\n".join(parts)


def newest_text(report: Report) -> str:
    """Give the newest checkpoint, and when it was signed."""
    newest = report.newest_checkpoint
    if newest is None:
        return "No checkpoint has been signed."
    signed = f"The newest checkpoint is {newest.number}, of {write_time(newest.at)}"
    return f"{signed}, by the key {spell_fingerprint(newest.key)}."


@command(
    "taisai audit verify data --keys published.keys --checkpoint held.json",
    WHERE,
    KEYS,
    place("--checkpoint", "a checkpoint that was held elsewhere"),
    place("--anchor DIR", "the anchor of the venue; otherwise that in the data directory, if any"),
    place("--copy PLACE", "the copy of the log that was written elsewhere: its file or directory"),
    place(
        "--save-checkpoint",
        "write the newest checkpoint to a file, to be held elsewhere, if all is sound",
    ),
    jobs("verify by so many processes; otherwise as many as there are processors"),
    detail="Follows the chain of every stream, checks the signatures of checkpoints and "
    "snapshots,\n"
    "replays every event, and has the auditor judge every decision and settlement a second\n"
    "way. The first thing that is wrong is named: stream, version, field, byte. docs/audit.md\n"
    "tells what this proves, and what to hold elsewhere so that it proves more.",
)
def verify_journal(arguments: argparse.Namespace) -> Output:
    proved = Proved(arguments, arguments.where)
    held = (
        None if arguments.checkpoint is None else read_checkpoint_file(Path(arguments.checkpoint))
    )
    asked = Asked(proved.public, held, _copy(arguments.copy), proved.sealing, _anchor(arguments))
    report = prove(arguments.where, proved, asked, arguments.jobs or min(processors(), JOBS_MAX))
    if report.verified and arguments.save_checkpoint is not None:
        newest = reading(arguments.where, lambda journal: journal.checkpoints(newest=1))
        report.notes += [_save(each, Path(arguments.save_checkpoint)) for each in newest]
    where = shown_place(arguments.where)
    text = f"The journal {printable(where)} is sound.\n\n{sound_text(report)}"
    return proof_output({"where": where}, report, f"the journal {where}", text)


def _anchor(arguments: argparse.Namespace) -> Path | None:
    """Find the anchor: the one named, or that of the data directory if there is one."""
    if arguments.anchor is not None:
        return Path(arguments.anchor) / ANCHOR_FILE
    file = default_anchor(Path(arguments.where) / KEYS_DIRECTORY) / ANCHOR_FILE
    return file if not is_address(arguments.where) and file.is_file() else None


def _copy(place: str | None) -> Copy | None:
    if place is None:
        return None
    copy = Copy(Path(place))
    if not copy.parts():
        # A wrong name on the command line is no fault of the journal.
        raise Refused(f"there is no copy of a log at {copy.first}")
    return copy


def _save(newest: Checkpoint, file: Path) -> str:
    if file.exists():
        raise Refused(f"{file} is there already, and nothing is written over; name another")
    write_checkpoint_file(newest, file)
    return f"checkpoint {newest.number} is in {file}; hold it where the venue cannot reach it"

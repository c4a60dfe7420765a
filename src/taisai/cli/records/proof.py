"""What the commands that prove a journal share: the keys to prove by, progress, and the report."""

import argparse
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from taisai.cli.command import Output, place
from taisai.cli.errors import Refused
from taisai.cli.progress import ProgressLine
from taisai.cli.records.journals import reading
from taisai.cli.text import align
from taisai.core.rules.reason import printable
from taisai.runtime.journal.contract import Journal
from taisai.runtime.journal.location import is_address
from taisai.runtime.keys import KeysError, PublicKeys, read_public, spell_fingerprint
from taisai.runtime.keys.directory import HISTORY
from taisai.runtime.operations.process import KEYS_DIRECTORY
from taisai.runtime.records.export import write_time
from taisai.runtime.verification import Asked, Report, verify
from taisai.wording import write_amount

#: So many faults are told to a person; a program gets them all.
FAULTS_TOLD = 20

KEYS = place(
    "--keys",
    metavar="PUBLIC",
    help="the public keys: a published file, or a directory of keys; otherwise those in the"
    " data directory",
)


class Proved:
    """The public keys that a journal is proved by, and what to say of where they are from."""

    def __init__(self, arguments: argparse.Namespace, where: str) -> None:
        self.public: PublicKeys | None = None
        self.notes: list[str] = []
        beside = Path(where) / KEYS_DIRECTORY
        try:
            if arguments.keys is not None:
                self.public = _read(Path(arguments.keys))
            elif not is_address(where) and (beside / HISTORY).is_file():
                self.public = _read(beside)
                self.notes.append(
                    f"the keys are those in {beside}, beside the journal; keys that were held"
                    " elsewhere (--keys) prove more"
                )
        except KeysError as error:
            raise Refused(str(error)) from None


def _read(place: Path) -> PublicKeys:
    return read_public(place / HISTORY if place.is_dir() else place)


def prove(where: str, proved: Proved, asked: Asked | None = None) -> Report:
    """Verify a journal, with progress."""

    async def work(journal: Journal) -> Report:
        return await verify(journal, asked or Asked(proved.public), progress)

    with ProgressLine() as line:
        progress = line.share_of("verifying, events")
        report = reading(where, work)
    report.notes[:0] = proved.notes
    return report


def proof_output(about: dict[str, Any], report: Report, name: str, text: str) -> Output:
    """Answer with a report: refuse to a person what does not verify, tell a program either way."""
    return Output(
        lambda: {**about, **report_answer(report)},
        lambda: text if report.verified else _refuse(name, report),
        status=0 if report.verified else 1,
    )


def _refuse(name: str, report: Report) -> NoReturn:
    """Say what is wrong with a journal, the first thing first."""
    sentences = [fault.sentence for fault in report.faults[:FAULTS_TOLD]]
    if len(report.faults) > FAULTS_TOLD:
        sentences.append(f"and {len(report.faults) - FAULTS_TOLD:,} more; --json lists them all")
    lines = [f"{name} does not verify", *sentences, *report.notes]
    raise Refused("\n".join(printable(line) for line in lines))


def report_answer(report: Report) -> dict[str, Any]:
    """Give a report as JSON."""
    answer: dict[str, Any] = {"verified": report.verified, **msgspec.to_builtins(report)}
    if report.newest_checkpoint is not None:
        answer["newest_checkpoint"]["at"] = write_time(report.newest_checkpoint.at)
    return answer


def sound_text(report: Report) -> str:
    """Tell a person what was found sound, and what it adds up to."""
    money = report.money
    rows = [
        ("streams", f"{report.streams:,}"),
        ("events", f"{report.events:,}"),
        ("decisions judged a second way", f"{report.decisions:,}"),
        ("rounds", f"{report.rounds:,}"),
        ("checkpoints", f"{report.checkpoints:,}"),
        ("snapshots", f"{report.snapshots:,}"),
        *([("events in the copy", f"{report.copied_events:,}")] if report.copied_events else []),
        (f"turnover, {money.currency or 'no currency'}", write_amount(money.turnover)),
        ("won by players", write_amount(money.won)),
        ("the house's bank", write_amount(money.bank)),
        ("credits on terminals", write_amount(money.credits)),
        ("stakes on tables", write_amount(money.stakes)),
        ("vouchers out", write_amount(money.vouchers)),
        ("on its way", write_amount(money.in_transit)),
        ("seconds", f"{report.seconds:.1f}"),
    ]
    parts = [align(("", "checked"), rows, right=" r"), newest_text(report)]
    return "\n\n".join([*parts, *_notes(report)])


def newest_text(report: Report) -> str:
    """Tell of the newest checkpoint, and when it was signed."""
    newest = report.newest_checkpoint
    if newest is None:
        return "No checkpoint has been signed."
    signed = f"The newest checkpoint is {newest.number}, of {write_time(newest.at)}"
    return f"{signed}, by the key {spell_fingerprint(newest.key)}."


def _notes(report: Report) -> list[str]:
    return ["\n".join(f"Note: {printable(note)}." for note in report.notes)] if report.notes else []

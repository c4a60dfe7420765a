"""The work behind `taisai fairness`: throws found in a file or a journal, tested and told."""

import argparse
import io
import sys
import time
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from taisai.cli.fairness_answers import report_answer, report_text
from taisai.cli.journal_throws import Gathered, gathered_throws, groups_of
from taisai.cli.journals import ReadingProgress, period_of, reading
from taisai.cli.refused import Refused, Wrong
from taisai.core.rules.reason import printable
from taisai.maths.failures import MathsError
from taisai.maths.fairness.examining import Group, examine_groups
from taisai.maths.fairness.picturing import plot_fairness
from taisai.maths.fairness.reading import read_throws
from taisai.maths.plots import check_place
from taisai.maths.watching import checked_confidence
from taisai.runtime.journal.contract import Journal
from taisai.runtime.journal.location import is_address
from taisai.runtime.records.entries import Source

_STANDARD_INPUT = "-"
_JOURNAL_MARK = b"SQLite format 3\0"
_DICE_KNOWN = {"auto": None, "kept": True, "lost": False}
_EVERY_SECONDS = 0.2


class Found(NamedTuple):
    """Groups of throws, and what must be said about where they come from."""

    groups: list[Group]
    notes: list[str]


def answer(arguments: argparse.Namespace) -> int:
    """Find the throws, test them, and tell the report."""
    checked_confidence(arguments.confidence)
    if arguments.plot is not None:
        check_place(arguments.plot)
    groups, notes = _found(arguments)
    with _Telling() as telling:
        report = examine_groups(
            groups,
            arguments.confidence,
            lags=arguments.lags,
            seed=arguments.seed,
            progress=telling.test,
        )
    if arguments.plot is not None:
        plot_fairness(groups, report, arguments.plot)
    if arguments.json:
        told = msgspec.json.encode(report_answer(report, groups, notes))
        print(msgspec.json.format(told, indent=1).decode())
    else:
        print(report_text(report, notes))
    return 0


def _found(arguments: argparse.Namespace) -> Found:
    if _is_journal(arguments.where):
        return _in_journal(arguments)
    if arguments.by or arguments.tables or arguments.since or arguments.until:
        raise Wrong("--by, --table, --from and --until choose from a journal, and FILE is none")
    if arguments.where == _STANDARD_INPUT:
        if sys.stdin is None:
            raise Wrong("standard input is closed; name a file of throws")
        with open(sys.stdin.fileno(), "rb", closefd=False) as file:
            return _in_file(file, "standard input", arguments.order)
    with Path(arguments.where).open("rb") as file:
        return _in_file(file, arguments.where, arguments.order)


def _is_journal(where: str) -> bool:
    if where == _STANDARD_INPUT:
        return False
    path = Path(where)
    if is_address(where) or path.is_dir():
        return True
    if not path.exists():
        raise Refused(
            f"there is no file {where}; name a file of throws, or a journal: its file,"
            " the data directory it is in, or a database as postgresql://…"
        )
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_JOURNAL_MARK)) == _JOURNAL_MARK


def _in_file(file: io.BufferedReader, name: str, order: str) -> Found:
    with _Telling() as telling:
        try:
            throws, passed_over = read_throws(
                file, dice_known=_DICE_KNOWN[order], progress=telling.throws
            )
        except MathsError as error:
            raise Refused(f"{name}: {error}") from None
    notes = []
    if passed_over:
        rows = "1 row tells" if passed_over == 1 else f"{passed_over:,} rows tell"
        notes.append(f"{rows} of no throw, or of one put right later, and are passed over.")
    return Found([Group("", throws)], notes)


def _in_journal(arguments: argparse.Namespace) -> Found:
    if arguments.order == "kept":
        raise Refused("a journal keeps faces from low to high; which die showed which is not known")
    period = period_of(arguments.since, arguments.until)
    progress = ReadingProgress()

    async def work(journal: Journal) -> list[Gathered]:
        source = await Source.of(journal, period=period, tables=arguments.tables)
        source.told = progress
        return await gathered_throws(source)

    try:
        gathered = reading(arguments.where, work)
    finally:
        progress.clear()
    if not gathered:
        raise Refused("no settled round is recorded there, and so no throw")
    note = "A journal keeps faces from low to high, so that no die can be tested by itself."
    return Found(groups_of(gathered, arguments.by or "dice"), [note])


class _Telling:
    """A line that is written over and over on standard error, if a person watches it."""

    def __init__(self) -> None:
        self._watched = sys.stderr.isatty()
        self._shown_at = time.monotonic()
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def throws(self, count: int) -> None:
        """Tell how many throws were read."""
        self._tell(f"{count:,} throws read")

    def test(self, key: str, done: int, of: int) -> None:
        """Tell which test is made."""
        if done < of:
            self._tell(f"test {done + 1} of {of}: {key}")

    def _tell(self, text: str) -> None:
        now = time.monotonic()
        if self._watched and now - self._shown_at >= _EVERY_SECONDS:
            self._shown_at, self._shown = now, True
            print(f"\r\x1b[K{printable(text)}", end="", file=sys.stderr, flush=True)

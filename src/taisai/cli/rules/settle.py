"""`taisai settle`: settle rounds, one line in and one line out, in order, any number of them."""

import argparse
import os
import stat
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import msgspec

from taisai.cli.catalogue import catalogue_of
from taisai.cli.command import LANGUAGE, RULEBOOK, Wrong, command, jobs, place, unreadable
from taisai.cli.progress import ProgressLine
from taisai.cli.rules.quick_answers import QuickAnswers
from taisai.cli.rules.round_input import LineError, read_lines, read_round, settle_round
from taisai.cli.rules.settlements import error_answer, settlement_answer, settlement_text
from taisai.core.rules.reason import because
from taisai.rulebooks import Catalogue
from taisai.wording import say

_encode = msgspec.json.Encoder().encode
#: Reading the clock costs as much as a small round, so it is read at every sixteenth only.
_EVERY_LINES = 16

#: An answer, the number of its lines, and how many of them were refused.
Answered = tuple[bytes, int, int]


@command(
    """echo '{"pay_table": "ts6/2", "dice": [2, 2, 6],"""
    """ "bets": [{"player": "a", "box": "double-2", "stake": 5000}]}' | taisai settle --json""",
    RULEBOOK,
    place("file", "the rounds; - or nothing: standard input", nargs="?", default="-"),
    jobs("settle in so many processes; the answers stay in order", default=1),
    LANGUAGE,
    detail="Each line holds pay_table, dice, bets and, if wanted, limits. A line that cannot be\n"
    "settled is answered with an error, and the next one is read.",
)
def settle_rounds(arguments: argparse.Namespace) -> int:
    settling = Settling(catalogue_of(arguments), arguments.lang, as_json=arguments.json)
    wrong = 0
    with _opened(arguments.file) as file:
        details = os.fstat(file.fileno())
        is_file = stat.S_ISREG(details.st_mode)
        with _Progress(file, details.st_size if is_file else 0) as progress:
            for answer, lines, refused in _answers(file, settling, arguments.jobs):
                sys.stdout.buffer.write(answer)
                if not is_file:
                    # A program that feeds a pipe may wait for this answer before its next line.
                    sys.stdout.buffer.flush()
                wrong += refused
                progress.step(lines, wrong)
    return 1 if wrong else 0


class Settling:
    """Answers lines, for programs or for people, and counts lines and refusals."""

    def __init__(self, catalogue: Catalogue, language: str, *, as_json: bool) -> None:
        self._catalogue, self._language, self._as_json = catalogue, language, as_json
        self._quick = QuickAnswers(catalogue, language).answer

    def answer(self, number: int, line: bytes | None) -> Answered:
        """Answer one line, by its number."""
        if self._as_json and line is not None:
            quick = self._quick(line)
            if quick is not None:
                return quick, 1, 0
        try:
            settled = settle_round(read_round(line, self._catalogue))
        except LineError as error:
            return self._refused(number, error), 1, 1
        if self._as_json:
            return _encode(settlement_answer(settled, self._language)) + b"\n", 1, 0
        return f"{self._at(number, settlement_text(settled, self._language))}\n\n".encode(), 1, 0

    def answer_block(self, first: int, block: bytes) -> Answered:
        """Answer a block of whole lines, by the number of the first."""
        answered = [
            self.answer(first + number - 1, line) for number, line in read_lines(BytesIO(block))
        ]
        answers, lines, refused = zip(*answered, strict=True) if answered else ((), (), ())
        return b"".join(answers), sum(lines), sum(refused)

    def _at(self, number: int, said: str) -> str:
        return say(because("AT_LINE", number=number, said=said), self._language)

    def _refused(self, number: int, error: LineError) -> bytes:
        message = self._at(number, error.sentence(self._language))
        if self._as_json:
            return _encode(error_answer(error.code, message)) + b"\n"
        refused = say(because("LINE_REFUSED", condition=error.code, said=message), self._language)
        return f"{refused}\n\n".encode()


def _answers(file: BinaryIO, settling: Settling, jobs: int) -> Iterable[Answered]:
    if jobs == 1:
        return (settling.answer(number, line) for number, line in read_lines(file))
    # Not at the top: it imports modules that most users never need.
    from taisai.cli.rules.jobs import answers_of_processes  # noqa: PLC0415

    return answers_of_processes(file, settling.answer_block, jobs)


class _Progress(ProgressLine):
    """Rounds settled, refused, the share of the file read; the last line stays."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        super().__init__()
        self._watched = self._watched and not sys.stdout.isatty()
        self._file, self._size = file, size
        self._rounds = self._refused = self._unshown = 0

    def __exit__(self, *_: object) -> None:
        if self._watched:
            self._shown_at = 0.0
            self.show(self._text)
            print(file=sys.stderr)

    def step(self, rounds: int, refused: int) -> None:
        """Count rounds, and of all of them the refused ones."""
        self._rounds += rounds
        self._unshown += rounds
        self._refused = refused
        if self._unshown >= _EVERY_LINES:
            self._unshown = 0
            self.show(self._text)

    def _text(self, seconds: float) -> str:
        share = f", {100 * self._file.tell() // self._size} % of the file" if self._size else ""
        counts = f"{self._rounds:,} rounds, {self._refused:,} refused"
        return f"{counts}{share}, {self._rounds / seconds:,.0f} a second"


def _opened(name: str) -> AbstractContextManager[BinaryIO]:
    if name == "-":
        if sys.stdin is None:
            raise Wrong("standard input is closed; there is nothing to settle")
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise unreadable("file", name, error) from None

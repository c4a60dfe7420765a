"""`taisai settle`: rounds in, answers out, a line each, in order, whatever their number."""

import argparse
import os
import stat
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO

import msgspec

from taisai.cli.catalogue import catalogue_of
from taisai.cli.command import LANGUAGE, RULEBOOK, argument, command
from taisai.cli.errors import Wrong
from taisai.cli.progress import ProgressLine
from taisai.cli.rules.round_input import LineError, read_lines, read_round, settle_round
from taisai.cli.rules.settlements import error_answer, settlement_answer, settlement_text
from taisai.core.rules.settlement import Settlement
from taisai.rulebooks import Catalogue

_encode = msgspec.json.Encoder().encode
#: Looking at the clock costs as much as a small round; so look at every sixteenth only.
_EVERY_LINES = 16


@command(
    """echo '{"pay_table": "ts6/2", "dice": [2, 2, 6],"""
    """ "bets": [{"player": "a", "box": "double-2", "stake": 5000}]}' | taisai settle --json""",
    RULEBOOK,
    argument(
        "file",
        metavar="FILE",
        nargs="?",
        default="-",
        help="the rounds; - or nothing: standard input",
    ),
    LANGUAGE,
    detail="Each line holds pay_table, dice, bets and, if wanted, limits. A line that cannot be\n"
    "settled is answered with an error, and the next one is read.",
)
def settle_rounds(arguments: argparse.Namespace) -> int:
    """Answer `taisai settle`."""
    catalogue = catalogue_of(arguments)
    answer = _answer_json if arguments.json else _answer_text
    wrong = 0
    with _opened(arguments.file) as file:
        details = os.fstat(file.fileno())
        size = details.st_size if stat.S_ISREG(details.st_mode) else 0
        with _Progress(file, size) as progress:
            for number, line in read_lines(file):
                settled = _settle_line(number, line, catalogue, arguments.lang)
                wrong += isinstance(settled, LineError)
                sys.stdout.buffer.write(answer(number, settled, arguments.lang))
                if not stat.S_ISREG(details.st_mode):
                    # Whoever feeds a pipe may wait for this answer before asking again.
                    sys.stdout.buffer.flush()
                progress.step(wrong)
    return 1 if wrong else 0


class _Progress(ProgressLine):
    """Rounds settled, refused, the share of the file read; the last line stays."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        super().__init__()
        self._watched = self._watched and not sys.stdout.isatty()
        self._file, self._size = file, size
        self._rounds = self._refused = 0

    def __exit__(self, *_: object) -> None:
        if self._watched:
            self._shown_at = 0.0
            self.show(self._text)
            print(file=sys.stderr)

    def step(self, refused: int) -> None:
        """Count a round."""
        self._rounds += 1
        self._refused = refused
        if self._rounds % _EVERY_LINES == 0:
            self.show(self._text)

    def _text(self, seconds: float) -> str:
        share = f", {100 * self._file.tell() // self._size} % of the file" if self._size else ""
        counts = f"{self._rounds:,} rounds, {self._refused:,} refused"
        return f"{counts}{share}, {self._rounds / seconds:,.0f} a second"


def _settle_line(
    number: int, line: bytes | None, catalogue: Catalogue, language: str
) -> Settlement | LineError:
    try:
        return settle_round(read_round(line, catalogue, language), language)
    except LineError as error:
        return LineError(error.code, f"line {number}: {error}")


def _answer_json(_number: int, settled: Settlement | LineError, language: str) -> bytes:
    if isinstance(settled, LineError):
        return _encode(error_answer(settled.code, str(settled))) + b"\n"
    return _encode(settlement_answer(settled, language)) + b"\n"


def _answer_text(number: int, settled: Settlement | LineError, language: str) -> bytes:
    if isinstance(settled, LineError):
        return f"refused, {settled.code}: {settled}\n\n".encode()
    return f"line {number}: {settlement_text(settled, language)}\n\n".encode()


def _opened(name: str) -> AbstractContextManager[BinaryIO]:
    if name == "-":
        if sys.stdin is None:
            raise Wrong("standard input is closed; there is nothing to settle")
        return nullcontext(sys.stdin.buffer)
    if Path(name).is_dir() or not name:
        raise Wrong(f"{name or 'a blank name'} is no file of rounds")
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise Wrong(f"the file {name} cannot be read: {error.strerror}") from None

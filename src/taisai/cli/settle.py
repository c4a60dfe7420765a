"""`taisai settle`: rounds in, answers out, a line each, in order, whatever their number."""

import argparse
import stat
import sys
from contextlib import AbstractContextManager, nullcontext
from os import fstat
from pathlib import Path
from typing import BinaryIO

import msgspec

from taisai.cli.answers import error_answer, settlement_answer
from taisai.cli.lines import LineError, read_lines, read_round, refused
from taisai.cli.progress import Progress
from taisai.cli.refused import Wrong
from taisai.cli.shelves import shelf_of
from taisai.cli.stories import tell_round
from taisai.core.rules.reason import Refusal
from taisai.core.rules.settlement import Settlement, settle
from taisai.rulebooks import Shelf

_encode = msgspec.json.Encoder().encode


def run(arguments: argparse.Namespace) -> int:
    """Answer `taisai settle`."""
    shelf = shelf_of(arguments)
    answer = _answer_json if arguments.json else _answer_text
    wrong = 0
    with _opened(arguments.file) as file:
        piped = not stat.S_ISREG(fstat(file.fileno()).st_mode)
        with Progress(file) as progress:
            for number, line in read_lines(file):
                settled = _settle_line(number, line, shelf, arguments.lang)
                wrong += isinstance(settled, LineError)
                sys.stdout.buffer.write(answer(number, settled, arguments.lang))
                if piped:
                    # Whoever feeds a pipe may wait for this answer before asking again.
                    sys.stdout.buffer.flush()
                progress.step(wrong)
    return 1 if wrong else 0


def _settle_line(
    number: int, line: bytes | None, shelf: Shelf, language: str
) -> Settlement | LineError:
    try:
        asked = read_round(line, shelf, language)
        settled = settle(asked.table, asked.result, asked.bets, asked.limits)
        if isinstance(settled, Refusal):
            raise refused(settled, language)
    except LineError as error:
        return LineError(error.code, f"line {number}: {error}")
    return settled


def _answer_json(_number: int, settled: Settlement | LineError, language: str) -> bytes:
    if isinstance(settled, LineError):
        return _encode(error_answer(settled.code, str(settled))) + b"\n"
    return _encode(settlement_answer(settled, language)) + b"\n"


def _answer_text(number: int, settled: Settlement | LineError, language: str) -> bytes:
    if isinstance(settled, LineError):
        return f"refused, {settled.code}: {settled}\n\n".encode()
    return f"line {number}: {tell_round(settled, language)}\n\n".encode()


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

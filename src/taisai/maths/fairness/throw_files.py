"""Throws read from a file: CSV, a JSON array, or JSON Lines, recognized by its beginning.

- CSV: three columns, or a column `dice`, with a header or without; commas, semicolons, tabs, or a
  throw a line like `2 2 6`. A first line with letters is a header, except one that has faces too.
- JSON: an array of throws, or one throw a line; a throw is `[2, 2, 6]` or an object with `dice`.

Exports of rounds are read as they are: a round without dice is skipped, and so is one that was
settled again, whose right dice come later. Nothing else is skipped: any other line that is no throw
is refused, with its number.

A plain array, `[[2,2,6],[1,3,4]]` with blanks anywhere, is read at once: without the blanks each
throw takes eight bytes, so that ten million are checked as columns of bytes and no list is made.
"""

import csv
import io
import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from taisai.core.rules.dice import are_dice
from taisai.core.rules.reason import shown
from taisai.maths.errors import MathsError
from taisai.maths.fairness.throws import THROWS_MAX, Throws, code_of, too_many

LINE_MAX: Final = 64 * 1024
ARRAY_BYTES_MAX: Final = 200_000_000
#: The largest array with anything but faces in it, which takes much memory to read.
MIXED_BYTES_MAX: Final = 32_000_000

_BLANKS: Final = b" \t\r\n"
#: A row of a plain array with faces of 0, and the differences allowed in a row with digits.
_ROW: Final = np.frombuffer(b"[0,0,0],", dtype=np.uint8)
_ROW_APART: Final = np.array([0, 9, 0, 9, 0, 9, 0, 0], dtype=np.uint8)
_THROWS_BETWEEN_NEWS: Final = 50_000
#: Lines remembered with their throw: most files repeat the same 216 lines.
_REMEMBERED_MAX: Final = 4_096
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"

_ARRAY: Final = re.compile(rb"\s*\[\s*[\[{\"\]]")
_CELL: Final = re.compile(r"\[?\s*([1-6])[\s,;/-]*([1-6])[\s,;/-]*([1-6])\s*\]?")
_WORD: Final = re.compile(r"[^\W_]+")
_DIE_NAMES: Final = (("die1", "die2", "die3"), ("dice1", "dice2", "dice3"), ("d1", "d2", "d3"))
_RIGHT: Final = "three whole numbers from 1 to 6 are right"
#: A round that was settled again by other dice.
_SUPERSEDED: Final = "resettled"


class Found(NamedTuple):
    """Throws read, and how many rows had no dice, or dice that were corrected later."""

    throws: Throws
    passed_over: int


#: Reads a line as a throw's code, or as None if it has no throw.
_Rows = Callable[[bytes], int | None]


def read_throws(
    file: io.BufferedReader,
    *,
    dice_known: bool | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Found:
    """Read throws; find from them whether the order of the dice was kept, unless it is given."""
    if _ARRAY.match(file.peek(LINE_MAX).removeprefix(_BYTE_ORDER_MARK)):
        codes, passed_over = _read_array(file)
    else:
        codes, passed_over = _read_lines(file, progress)
    return Found(
        Throws.coded(np.frombuffer(codes, dtype=np.uint8), dice_known=dice_known), passed_over
    )


def _read_lines(file: io.BufferedReader, progress: Callable[[int], None]) -> tuple[bytes, int]:
    codes, passed_over = bytearray(), 0
    reader = _LineReader()
    while line := file.readline(LINE_MAX + 1):
        code = reader.code_of(line)
        if code is None:
            passed_over += reader.tells_nothing
            continue
        codes.append(code)
        if not len(codes) % _THROWS_BETWEEN_NEWS:
            progress(len(codes))
            if len(codes) > THROWS_MAX:
                raise too_many()
    return bytes(codes), passed_over


class _LineReader:
    """Reads lines one by one; the first decides how the others are read."""

    def __init__(self) -> None:
        self._number = 0
        self._rows: _Rows | None = None
        self._remembered: dict[bytes, int] = {}
        #: Whether the last line was a row without a throw.
        self.tells_nothing = False

    def code_of(self, line: bytes) -> int | None:
        """Give the code of a line's throw; a blank line or a header has none."""
        self._number += 1
        code = self._remembered.get(line)
        if code is None:
            try:
                code = self._read(line)
            except MathsError as error:
                raise MathsError(f"line {self._number}: {error}") from None
            if code is not None and len(self._remembered) < _REMEMBERED_MAX:
                self._remembered[line] = code
        return code

    def _read(self, line: bytes) -> int | None:
        if len(line) > LINE_MAX:
            raise MathsError(f"it is over {LINE_MAX:,} bytes; a throw takes a few")
        first = self._number == 1
        stripped = (line.removeprefix(_BYTE_ORDER_MARK) if first else line).strip(b" \r\n")
        self.tells_nothing = False
        if not stripped:
            return None
        if self._rows is None:
            self._rows, is_header = _rows_of(stripped)
            if is_header:
                return None
        code = self._rows(stripped)
        self.tells_nothing = code is None
        return code


def _rows_of(line: bytes) -> tuple[_Rows, bool]:
    """Find from the first line how to read the others, and whether it is a header itself."""
    if line[:1] in (b"{", b"["):
        return lambda line: _code_in(_json_of(line, "is not JSON")), False
    text = _text_of(line)
    delimiter = next((mark for mark in ",;\t" if mark in text), None)
    is_header = any(map(str.isalpha, text))
    if delimiter is None or ('"' in text and _CELL.fullmatch(text.strip('"'))):
        if is_header:
            _refuse_mistyped(text)
        return lambda line: _code_in(_text_of(line).strip('"')), is_header
    cells = _cells_of(text, delimiter)
    if is_header:
        return _headed(cells, delimiter, text).code_of, True
    if len(cells) != 3:
        raise MathsError(
            f"it has {len(cells)} columns and no header; three columns of faces are right,"
            " or a header that names a column dice"
        )
    return _Columns(delimiter, 3, (0, 1, 2)).code_of, False


class _Columns(NamedTuple):
    """The position of the faces in a row of cells: three columns, or one column `dice`."""

    delimiter: str
    width: int
    places: tuple[int, ...]
    correction: int | None = None

    def code_of(self, line: bytes) -> int | None:
        """Read a row."""
        cells = _cells_of(_text_of(line), self.delimiter)
        if len(cells) != self.width:
            raise MathsError(f"it has {len(cells)} columns; {self.width} are right")
        if self.correction is not None and cells[self.correction] == _SUPERSEDED:
            return None
        if len(self.places) == 1:
            return _code_in(cells[self.places[0]] or None)
        faces = [cells[place].strip() for place in self.places]
        if not all(len(face) == 1 and face in "123456" for face in faces):
            raise _no_throw(faces)
        return code_of([int(face) for face in faces])


def _headed(cells: list[str], delimiter: str, text: str) -> _Columns:
    """Find the faces by the names of the columns."""
    names = [re.sub(r"[^a-z0-9]", "", cell.lower()) for cell in cells]
    correction = names.index("correction") if "correction" in names else None
    if "dice" in names:
        if "box" in names:
            raise _bets()
        return _Columns(delimiter, len(cells), (names.index("dice"),), correction)
    for dice in _DIE_NAMES:
        if set(dice) <= set(names):
            return _Columns(delimiter, len(cells), tuple(map(names.index, dice)), correction)
    if len(cells) == 3:
        _refuse_mistyped(text)
        return _Columns(delimiter, 3, (0, 1, 2))
    raise MathsError(
        f"the header names {', '.join(map(shown, cells[:8]))};"
        " a column dice, or columns die1, die2 and die3, are needed"
    )


def _refuse_mistyped(text: str) -> None:
    """Refuse a first line that looks like a throw with a letter in it: no header, and none to lose.

    A header of other names, `Table 1` or `1st,2nd,3rd`, does not.
    """
    words = _WORD.findall(text)
    three_faces = len("".join(words)) == 3 and any(map(str.isdigit, text))
    if three_faces or (len(words) == 3 and any(map(str.isdigit, words))):
        raise MathsError(
            f"it has both faces and letters, {shown(text)}, and is neither a throw nor a header;"
            f" {_RIGHT}, and a header has names alone"
        )


def _code_in(value: Any) -> int | None:
    """Find a throw's code in the value of a line or of an array's entry."""
    if isinstance(value, dict):
        if "box" in value:
            raise _bets()
        if "dice" not in value:
            raise MathsError("the object has no key 'dice'")
        value = None if value.get("correction") == _SUPERSEDED else value["dice"]
    if value is None:
        return None
    if isinstance(value, str):
        found = _CELL.fullmatch(value.strip())
        if found is not None:
            return code_of([int(face) for face in found.groups()])
    elif are_dice(value):
        return code_of(value)
    raise _no_throw(value)


def _no_throw(value: Any) -> MathsError:
    """Make the error that shows what is in the place of a throw."""
    if isinstance(value, list) and len(value) <= 6:
        written = f"[{', '.join(map(shown, value))}]"
    else:
        written = shown(value)
    return MathsError(f"the dice are {written}; {_RIGHT}")


def _bets() -> MathsError:
    return MathsError("each row is a bet and not a throw; export rounds, or name the journal")


def _text_of(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise MathsError("it is not UTF-8 text") from None


def _cells_of(text: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([text], delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise MathsError(f"it is no row of CSV: {error}") from None


# --- arrays --------------------------------------------------------------------------------------


def _read_array(file: io.BufferedReader) -> tuple[bytes, int]:
    data = file.read(ARRAY_BYTES_MAX + 1)
    if len(data) > ARRAY_BYTES_MAX:
        raise too_many()
    data = data.removeprefix(_BYTE_ORDER_MARK)
    plain = _plain_codes(data.translate(None, _BLANKS))
    if plain is not None:
        return plain, 0
    if len(data) > MIXED_BYTES_MAX:
        raise MathsError(
            f"an array of over {MIXED_BYTES_MAX // 1_000_000} MB must hold throws like [2, 2, 6]"
            " alone; write one throw a line, of which there may be more"
        )
    codes, passed_over = bytearray(), 0
    for number, value in enumerate(_json_of(data, "begins as a JSON array and is none"), start=1):
        try:
            code = _code_in(value)
        except MathsError as error:
            raise MathsError(f"throw {number} of the array: {error}") from None
        if code is None:
            passed_over += 1
        else:
            codes.append(code)
    return bytes(codes), passed_over


def _plain_codes(compact: bytes) -> bytes | None:
    """Give the codes of an array without blanks, if it has only lists of three digits."""
    if len(compact) % 8 != 1 or not compact.endswith(b"]]"):
        return None
    rows = np.frombuffer(compact[1:-1] + b",", dtype=np.uint8).reshape(-1, 8) ^ _ROW
    if not (rows <= _ROW_APART).all():
        return None
    digits = rows[:, 1:6:2]
    faces = digits - np.uint8(1)
    wrong = np.flatnonzero((faces > 5).any(axis=1))
    if len(wrong):
        row = ",".join(map(str, digits[wrong[0]]))
        raise MathsError(f"throw {wrong[0] + 1} of the array: the dice are [{row}]; {_RIGHT}")
    return (faces @ np.array([36, 6, 1], dtype=np.uint8)).tobytes()


def _json_of(data: bytes, fault: str) -> Any:
    try:
        return msgspec.json.decode(data)
    except msgspec.ValidationError:
        # What holds no number so large is JSON all the same.
        raise MathsError(f"it has a number that is too large; {_RIGHT}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MathsError(f"it {fault}: {error}") from None

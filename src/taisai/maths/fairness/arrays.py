"""A JSON array of throws: read in one go where it is plain, and value by value where it is not.

Plain is `[[2,2,6],[1,3,4]]`, with blanks anywhere. Without them each throw takes eight bytes, so
that ten million are checked as columns of bytes, and no list is ever made of them.
"""

import io
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from taisai.maths.failures import MathsError
from taisai.maths.fairness.throws import too_many

ARRAY_BYTES_MAX: Final = 200_000_000
#: An array with anything but faces in it takes much memory to read.
MIXED_BYTES_MAX: Final = 32_000_000

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_BLANKS: Final = b" \t\r\n"
_FRAME: Final = np.frombuffer(b"[,,],", dtype=np.uint8)
_FRAME_PLACES: Final = (0, 2, 4, 6, 7)
_FACE_PLACES: Final = (1, 3, 5)


def decoded_array(file: io.BufferedReader) -> bytes | list[Any]:
    """Read an array: as bytes without blanks where it is plain, else as values."""
    data = file.read(ARRAY_BYTES_MAX + 1)
    if len(data) > ARRAY_BYTES_MAX:
        raise too_many()
    compact = data.removeprefix(_BYTE_ORDER_MARK).translate(None, _BLANKS)
    if _is_plain(compact):
        return compact
    if len(data) > MIXED_BYTES_MAX:
        raise MathsError(
            f"an array of over {MIXED_BYTES_MAX // 1_000_000} MB must hold throws like [2, 2, 6]"
            " alone; write one throw a line, of which there may be more"
        )
    return _values(data)


def quick_codes(compact: bytes) -> bytes:
    """Give the codes of a plain array's throws."""
    faces = _rows(compact)[:, _FACE_PLACES] - np.uint8(ord("1"))
    wrong = np.flatnonzero((faces > 5).any(axis=1))
    if len(wrong):
        row = _rows(compact)[wrong[0], :7].tobytes().decode()
        raise MathsError(
            f"throw {wrong[0] + 1} of the array: the dice are {row};"
            " three whole numbers from 1 to 6 are right"
        )
    return (faces @ np.array([36, 6, 1], dtype=np.uint8)).tobytes()


def _is_plain(compact: bytes) -> bool:
    """Say whether an array without blanks holds nothing but lists of three digits."""
    if len(compact) < 9 or len(compact) % 8 != 1 or not compact.endswith(b"]]"):
        return False
    rows = _rows(compact)
    framed = all(
        bool((rows[:, place] == mark).all())
        for place, mark in zip(_FRAME_PLACES[:-1], _FRAME[:-1], strict=True)
    )
    digits = rows[:, _FACE_PLACES]
    return (
        framed
        and bool((rows[:-1, 7] == _FRAME[-1]).all())
        and bool(((digits >= ord("0")) & (digits <= ord("9"))).all())
    )


def _rows(compact: bytes) -> npt.NDArray[np.uint8]:
    return np.frombuffer(compact, dtype=np.uint8)[1:].reshape(-1, 8)


def _values(data: bytes) -> list[Any]:
    try:
        values = msgspec.json.decode(data.removeprefix(_BYTE_ORDER_MARK))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MathsError(f"it begins as a JSON array and is none: {error}") from None
    assert isinstance(values, list), "what begins with a bracket and is JSON is an array"
    return values

"""Three dice: the 216 throws, their 56 distinct results, and the dealer's call."""

from collections.abc import Sequence
from itertools import combinations_with_replacement

from msgspec import Struct

from taisai.core.rules.reason import Reason, because

FACES = (1, 2, 3, 4, 5, 6)
THROWS = 216

Faces = tuple[int, int, int]


class Result(Struct, frozen=True):
    """One of the 56 distinct results: its faces from low to high and how many throws show it."""

    index: int
    faces: Faces
    throws: int
    total: int

    @property
    def is_triple(self) -> bool:
        return self.faces[0] == self.faces[2]

    def count(self, face: int) -> int:
        return self.faces.count(face)


def _throws(faces: Faces) -> int:
    return {1: 1, 2: 3, 3: 6}[len(set(faces))]


RESULTS: tuple[Result, ...] = tuple(
    Result(index=index, faces=faces, throws=_throws(faces), total=sum(faces))
    for index, faces in enumerate(combinations_with_replacement(FACES, 3))
)

_BY_FACES = {result.faces: result for result in RESULTS}


def are_dice(value: object) -> bool:
    """Say whether a value is three faces of a die, each a whole number from 1 to 6.

    [ts6 2.2.1; etg8 2.2.1]
    """
    return (
        isinstance(value, list | tuple)
        and len(value) == 3
        and all(type(face) is int and face in FACES for face in value)
    )


def result_of(dice: Sequence[int]) -> Result:
    """Find the distinct result that three dice show, in any order.

    [ts6 1.8, 2.2.1, 3.8; etg8 1.9, 2.2.1, 3.7; div9 1.0, 4.2]
    """
    if not are_dice(dice):
        raise ValueError(f"{dice!r} is no throw; three faces from 1 to 6 are")
    low, middle, high = sorted(dice)
    return _BY_FACES[low, middle, high]


def call_of(result: Result) -> Reason:
    """Word the dealer's announcement: faces from low to high, then the total [div9 6.3]."""
    low, middle, high = result.faces
    if low == high:
        return because("CALL_TRIPLE", face=low, total=result.total)
    if low == middle:
        return because("CALL_DOUBLE_LOW", face=low, other=high, total=result.total)
    if middle == high:
        return because("CALL_DOUBLE_HIGH", face=high, other=low, total=result.total)
    return because("CALL_DIFFERENT", low=low, middle=middle, high=high, total=result.total)

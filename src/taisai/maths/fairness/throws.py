"""Observed throws, one byte for each: its code among the 216, in the order of throwing.

A throw (a, b, c) has the code 36(a-1) + 6(b-1) + (c-1). Tests look up everything they count by this
code.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from taisai.core.rules.dice import FACES, RESULTS, THROWS, are_dice, result_of
from taisai.core.rules.reason import shown
from taisai.maths.errors import MathsError

THROWS_MAX: Final = 10_000_000

Codes = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_ALL = [(a, b, c) for a in FACES for b in FACES for c in FACES]

#: By code: the face of each die from 0 to 5, the result of 56, the total from 0 (3) to 15 (18).
FACE_OF: Final = np.array(_ALL, dtype=np.uint8).T - np.uint8(1)
RESULT_OF: Final = np.array([result_of(dice).index for dice in _ALL], dtype=np.uint8)
TOTAL_OF: Final = np.array([sum(dice) - 3 for dice in _ALL], dtype=np.uint8)
#: By code: 0 if three faces differ, 1 for a pair, 2 for a triple.
PATTERN_OF: Final = np.array([3 - len(set(dice)) for dice in _ALL], dtype=np.uint8)
IS_SORTED: Final = np.array([list(dice) == sorted(dice) for dice in _ALL])

RESULT_WEIGHTS: Final = tuple(result.throws for result in RESULTS)
TOTAL_WEIGHTS: Final = tuple(int(count) for count in np.bincount(TOTAL_OF))
PATTERN_WEIGHTS: Final = tuple(int(count) for count in np.bincount(PATTERN_OF))
FACE_WEIGHTS: Final = (1,) * len(FACES)


class Throws:
    """Throws in the order they were thrown.

    With `dice_known`, the first face of every throw is of the same die, likewise the others.
    """

    def __init__(self, codes: Codes, *, dice_known: bool) -> None:
        if not len(codes):
            raise MathsError("there is no throw to test")
        if len(codes) > THROWS_MAX:
            raise too_many()
        self.codes = codes
        self.dice_known = dice_known

    @classmethod
    def of(cls, dice: Iterable[Sequence[int]], *, dice_known: bool | None = None) -> "Throws":
        """Take throws as faces; find from them whether their order was kept, unless it is given."""
        codes = bytearray()
        for number, faces in enumerate(dice, start=1):
            if not are_dice(faces):
                raise MathsError(
                    f"throw {number} is {shown(faces)}; three whole numbers from 1 to 6 are right"
                )
            if number > THROWS_MAX:
                raise too_many()
            codes.append(code_of(faces))
        return cls.coded(np.frombuffer(bytes(codes), dtype=np.uint8), dice_known=dice_known)

    @classmethod
    def coded(cls, codes: Codes, *, dice_known: bool | None = None) -> "Throws":
        """Take throws by their codes; find from them whether their order was kept, unless given.

        If every throw is sorted from low to high, the dice cannot be distinguished.
        """
        if dice_known is None:
            dice_known = not bool(IS_SORTED[codes].all())
        return cls(codes, dice_known=dice_known)

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def counts(self) -> Counts:
        """Count each of the 216."""
        return np.bincount(self.codes, minlength=THROWS)

    @property
    def result_counts(self) -> Counts:
        """Count each of the 56 results."""
        return self._gathered(RESULT_OF, len(RESULTS))

    @property
    def total_counts(self) -> Counts:
        """Count each total, from 3 to 18."""
        return self._gathered(TOTAL_OF, len(TOTAL_WEIGHTS))

    @property
    def pattern_counts(self) -> Counts:
        """Count throws with three faces, with a pair, and triples."""
        return self._gathered(PATTERN_OF, len(PATTERN_WEIGHTS))

    @property
    def face_counts(self) -> Counts:
        """Count each face, over all dice."""
        return self.die_counts(0) + self.die_counts(1) + self.die_counts(2)

    def die_counts(self, die: int) -> Counts:
        """Count each face of one die."""
        return self._gathered(FACE_OF[die], len(FACES))

    def pair_counts(self, first: int, second: int) -> Counts:
        """Count faces of two dice together, as a table of six by six."""
        return self._gathered(FACE_OF[first] * 6 + FACE_OF[second], 36).reshape(6, 6)

    def _gathered(self, cells: Codes, length: int) -> Counts:
        return np.bincount(cells, weights=self.counts, minlength=length).astype(np.int64)


def code_of(faces: Sequence[int]) -> int:
    """Give the code of a throw."""
    return 36 * faces[0] + 6 * faces[1] + faces[2] - 43


def too_many() -> MathsError:
    """Make the error for more throws than are tested at once."""
    return MathsError(
        f"there are more than {THROWS_MAX:,} throws, which is the most that is tested at once"
    )

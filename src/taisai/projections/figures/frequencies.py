"""How often each total, face and box came up, compared with the expectation for fair dice.

Information only: dice have no memory. Expectations are exact fractions of the 216 throws.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from taisai.core.rules.dice import FACES, RESULTS, THROWS, Faces, Result, result_of
from taisai.core.rules.paytable import BettingBox, PayTable
from taisai.protocol.roads import mark_of

#: Every sum of three dice.
TOTALS = range(3, 19)


class Frequency(NamedTuple):
    """How often something was seen, and how often it is expected."""

    name: str
    seen: int
    expected: Fraction


class BoxFrequency(NamedTuple):
    """How often a box won, how far that is from the expectation, and how long ago it last won.

    `errors` is in standard errors; `since` is None if the box has not won in these rounds, and
    `longest` is the longest run of rounds without a win.
    """

    box: str
    seen: int
    expected: Fraction
    errors: float
    since: int | None
    longest: int


class Frequencies:
    """The frequencies in the results of some rounds, the oldest first."""

    def __init__(self, throws: Sequence[Faces], table: PayTable | None) -> None:
        self.results = [result_of(faces) for faces in throws]
        self._table = table

    @property
    def rounds(self) -> int:
        return len(self.results)

    def totals(self) -> list[Frequency]:
        """Count the sums of the dice."""
        return self._of_results(TOTALS, lambda result: result.total)

    def faces(self) -> list[Frequency]:
        """Count the faces, of which each round shows three."""
        seen = Counter(face for result in self.results for face in result.faces)
        return [Frequency(str(face), seen[face], Fraction(self.rounds, 2)) for face in FACES]

    def sizes(self) -> list[Frequency]:
        """Count Small, Big and triples."""
        return self._of_results(("small", "big", "triple"), lambda each: mark_of(each.faces)[1])

    def parities(self) -> list[Frequency]:
        """Count Odd, Even and triples."""
        return self._of_results(("odd", "even", "triple"), lambda each: mark_of(each.faces)[2])

    def _of_results(
        self, names: Iterable[object], part: Callable[[Result], object]
    ) -> list[Frequency]:
        """Count one property of each result, with the number of throws that show it."""
        seen = Counter(map(part, self.results))
        ways = Counter[object]()
        for result in RESULTS:
            ways[part(result)] += result.throws
        return [Frequency(str(name), seen[name], self._expected(ways[name])) for name in names]

    def boxes(self) -> list[BoxFrequency]:
        """Count the wins of each box of the pay table, in its order."""
        if self._table is None:
            return []
        return [self._box(box) for box in self._table.boxes.values()]

    def _box(self, box: BettingBox) -> BoxFrequency:
        gaps = [*_gaps(box, self.results)]
        seen = len(gaps) - 1
        expected = self._expected(box.ways)
        spread = float(expected * (1 - box.probability))
        errors = float(seen - expected) / sqrt(spread) if spread else 0.0
        return BoxFrequency(
            box.key, seen, expected, errors, gaps[-1] if seen else None, max(gaps, default=0)
        )

    def _expected(self, ways: int) -> Fraction:
        return Fraction(self.rounds * ways, THROWS)


def hot(boxes: Sequence[BoxFrequency], count: int) -> list[BoxFrequency]:
    """Find the boxes that won most beyond expectation."""
    above = (each for each in boxes if each.errors > 0)
    return sorted(above, key=lambda each: -each.errors)[:count]


def cold(boxes: Sequence[BoxFrequency], count: int) -> list[BoxFrequency]:
    """Find the boxes that fell furthest short of expectation."""
    below = (each for each in boxes if each.errors < 0)
    return sorted(below, key=lambda each: each.errors)[:count]


def _gaps(box: BettingBox, results: Sequence[Result]) -> Iterator[int]:
    """Count the rounds before each win of a box, and at the end those since the last."""
    gap = 0
    for result in results:
        if box.met[result.index]:
            yield gap
            gap = 0
        else:
            gap += 1
    yield gap

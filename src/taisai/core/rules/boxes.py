"""The names of betting boxes: what a key like `domino-12` or `three-221` stands for.

Which boxes a layout has, the rulebooks list; this module knows only how a box is named.
"""

from collections.abc import Iterable
from enum import StrEnum
from itertools import combinations, permutations

from msgspec import Struct

from taisai.core.rules.dice import FACES


class Kind(StrEnum):
    """The kinds of bet, by the names that outside programs use."""

    SMALL = "small"
    BIG = "big"
    ODD = "odd"
    EVEN = "even"
    SINGLE = "single"
    TOTAL = "total"
    DOMINO = "domino"
    DOUBLE = "double"
    ANY_TRIPLE = "any-triple"
    TRIPLE = "triple"
    FOUR = "four"
    THREE = "three"
    PAIR = "pair"


class BoxName(Struct, frozen=True):
    """A betting box by name: its key, its kind and the numbers printed in it."""

    key: str
    kind: Kind
    numbers: tuple[int, ...] = ()

    @property
    def code(self) -> str:
        """The code that a dealer keys for it: its printed numbers, or a letter if it has none."""
        match self.kind:
            case Kind.TOTAL:
                return f"t{self.numbers[0]}"
            case Kind.DOUBLE | Kind.TRIPLE:
                return str(self.numbers[0]) * (2 if self.kind is Kind.DOUBLE else 3)
            case _:
                return "".join(map(str, self.numbers)) or self.kind.value[0]


#: Small, Big, Odd and Even: the kinds that win on a list of totals.
EVEN_CHANCES = (Kind.SMALL, Kind.BIG, Kind.ODD, Kind.EVEN)

#: The sums that a Total box can have: 3 and 18 are triples with boxes of their own.
TOTALS = range(4, 18)


def _numbered(kind: Kind, word: str, labels: Iterable[tuple[int, ...]]) -> list[BoxName]:
    return [BoxName(f"{word}-{''.join(map(str, label))}", kind, label) for label in labels]


def _all_names() -> list[BoxName]:
    faces = [(face,) for face in FACES]
    pairs = [(pair, pair, single) for pair, single in permutations(FACES, 2)]
    return [
        *(BoxName(kind.value, kind) for kind in (*EVEN_CHANCES, Kind.ANY_TRIPLE)),
        *_numbered(Kind.SINGLE, "single", faces),
        *_numbered(Kind.TOTAL, "total", [(total,) for total in TOTALS]),
        *_numbered(Kind.DOMINO, "domino", combinations(FACES, 2)),
        *_numbered(Kind.DOUBLE, "double", faces),
        *_numbered(Kind.TRIPLE, "triple", faces),
        *_numbered(Kind.FOUR, "four", combinations(reversed(FACES), 4)),
        *_numbered(Kind.THREE, "three", combinations(FACES, 3)),
        *_numbered(Kind.PAIR, "three", sorted(pairs)),
    ]


#: Every box a layout could print, by key.
BOX_NAMES: dict[str, BoxName] = {name.key: name for name in _all_names()}


def nearest_key(key: str) -> str | None:
    """Guess the box meant by a key with its numbers in another order, `domino-21`."""
    if len(key) > 20:
        return None
    word, _, label = key.lower().replace("_", "-").replace(" ", "-").rpartition("-")
    for known in BOX_NAMES:
        known_word, _, known_label = known.rpartition("-")
        if word == known_word and sorted(label) == sorted(known_label):
            return known
    return None

"""What every box pays on every throw, computed a second way: from all 216 throws one by one.

The condition by which each kind of bet wins is written here again, from the documents' own words.
Odds, clauses, limits and procedure are read from the rulebook's content in the event that adopted
it.
"""

import hashlib
import json
import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from msgspec import Struct

Throw = tuple[int, int, int]

_ODDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9}|/[1-9][0-9]{0,8})?")


def _alike(throw: Throw) -> bool:
    return throw[0] == throw[1] == throw[2]


def _faces(label: str) -> list[int]:
    return [int(digit) for digit in label]


def _single(label: str, throw: Throw) -> int:
    return sum(die == int(label) for die in throw)


def _domino(label: str, throw: Throw) -> int:
    first, second = _faces(label)
    return int(first in throw and second in throw)


def _double(label: str, throw: Throw) -> int:
    """Win once on two dice and once on three, never more [div9 4.1(d)(ii)]."""
    return int(_single(label, throw) in (2, 3))


def _four(label: str, throw: Throw) -> int:
    """Win on three different faces that are all among the four [D1]."""
    different = len({*throw}) == 3
    return int(different and all(die in _faces(label) for die in throw))


def _exactly(label: str, throw: Throw) -> int:
    left = _faces(label)
    for die in throw:
        if die in left:
            left.remove(die)
    return int(not left)


#: For each kind of bet, how often a throw wins it: 0 is a loss; only a Single counts its dice.
_WINS: dict[str, Callable[[str, Throw], int]] = {
    "small": lambda _, throw: int(4 <= sum(throw) <= 10 and not _alike(throw)),
    "big": lambda _, throw: int(11 <= sum(throw) <= 17 and not _alike(throw)),
    "odd": lambda _, throw: int(sum(throw) % 2 == 1 and not _alike(throw)),
    "even": lambda _, throw: int(sum(throw) % 2 == 0 and not _alike(throw)),
    "single": _single,
    "total": lambda label, throw: int(sum(throw) == int(label)),
    "domino": _domino,
    "double": _double,
    "any-triple": lambda _, throw: int(_alike(throw)),
    "triple": lambda label, throw: int(throw == (int(label),) * 3),
    "four": _four,
    "three": _exactly,
    "pair": _exactly,
}


class Rules(Struct, frozen=True):
    """A rulebook and one of its pay tables, as the auditor reads them."""

    key: str
    name: str
    boxes: tuple[str, ...]
    #: What a box pays on a throw, faces from low to high; a missing throw loses.
    pays: dict[str, dict[Throw, Fraction]]
    #: The clause of a win, and of each box's loss: in general, and on a triple.
    wins_by: str
    loses_by: dict[str, tuple[str, str]]
    procedure: dict[str, Any]
    limits: dict[str, Any]
    #: The boxes that a Differential compares.
    paired: frozenset[str]
    irregularities: dict[str, dict[str, Any]]
    #: What it is approved for, and since when.
    approval: dict[str, Any]
    effective: str | None

    def clause_on(self, box: str, throw: Throw) -> str:
        """Name the clause that decides a box [D13]."""
        if throw in self.pays[box]:
            return self.wins_by
        return self.loses_by[box][_alike(throw)]

    def ground_of(self, code: str) -> str:
        """Give the clause that rules an irregularity, or the decision if none does."""
        found = self.irregularities.get(code) or self.irregularities.get("not-covered", {})
        return str(found.get("clause") or found.get("decision") or "D6")

    def ruling_on(self, code: str) -> str:
        """Give the ruling on an irregularity; without a clause, the shift manager rules."""
        return str(self.irregularities.get(code, {}).get("ruling", "shift-manager-rules"))


@lru_cache(maxsize=32)
def read_rules(canonical: str, number: int) -> Rules:
    """Read the rulebook that a table adopted, and compute all 216 throws for every box."""
    content = json.loads(canonical)
    table = next(each for each in content["pay_tables"] if each["number"] == number)
    pays: dict[str, dict[Throw, Fraction]] = {}
    loses: dict[str, tuple[str, str]] = {}
    for bets in table["bets"]:
        kind = content["kinds"][bets["kind"]]
        for box in bets["boxes"]:
            pays[box] = _paying(bets["kind"], box, _prices(bets, box))
            loses[box] = (kind["loses"], kind.get("loses_to_triple", kind["loses"]))
    return Rules(
        key=content["key"],
        name=f"{hashlib.sha256(canonical.encode()).hexdigest()}/{number}",
        boxes=tuple(pays),
        pays=pays,
        wins_by=table["clause"],
        loses_by=loses,
        procedure=content["procedure"],
        limits=content["limits"],
        paired=frozenset(
            box for pair in content["limits"].get("differential_pairs", ()) for box in pair
        ),
        irregularities={each["code"]: each for each in content["irregularities"]},
        approval=content["approval"],
        effective=content.get("effective"),
    )


def _prices(bets: dict[str, Any], box: str) -> list[Fraction]:
    """Find what a box pays: one price, or one for each number of dice."""
    (row,) = (row for row in bets["rows"] if not row.get("boxes") or box in row["boxes"])
    pays = row["pays"]
    texts = [pays[times] for times in ("1", "2", "3")] if isinstance(pays, dict) else [pays]
    return [read_odds(str(text)) for text in texts]


def read_odds(text: str) -> Fraction:
    """Read odds as a document prints them, or as a fraction.

    A journal may hold any text, also a short one of a number that takes minutes to write out.
    """
    if not _ODDS.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is no odds")
    return Fraction(text)


def _paying(kind: str, box: str, prices: list[Fraction]) -> dict[Throw, Fraction]:
    label = box.rpartition("-")[2]
    paying: dict[Throw, Fraction] = {}
    for first, second, third in product(range(1, 7), repeat=3):
        times = _WINS[kind](label, (first, second, third))
        if times:
            low, middle, high = sorted((first, second, third))
            paying[low, middle, high] = prices[times - 1] if len(prices) > 1 else prices[0]
    return paying

"""Throws taken from a journal's rounds: by table and set of dice, by table, or all together.

A journal keeps faces from low to high. Reversed rounds count, since their dice were thrown; of a
round settled again the right dice count; a void round has none.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from typing import Literal, NamedTuple

import numpy as np

from taisai.core.rules.dice import Faces
from taisai.core.table.corrections import RoundResettled
from taisai.core.table.round import RoundSettled
from taisai.core.table.setup import DiceRegistered
from taisai.maths.fairness.examination import Group
from taisai.maths.fairness.throws import THROWS_MAX, Throws, code_of, too_many
from taisai.runtime.records.entries import Entry, Source, names
from taisai.runtime.streams import table_stream

By = Literal["dice", "table", "all"]

_ROUNDS = names(RoundSettled, RoundResettled)
_DICE = names(DiceRegistered)


class Gathered(NamedTuple):
    """Throws of one table and set of dice: the numbers of the rounds, and their codes."""

    table: str
    dice_set: str | None
    rounds: "array[int]"
    codes: bytearray

    def add(self, number: int, faces: Faces) -> None:
        """Add the throw of a round."""
        self.rounds.append(number)
        self.codes.append(code_of(faces))

    def put_right(self, number: int, faces: Faces) -> None:
        """Replace the throw of a round, if it is one of these."""
        place = bisect_left(self.rounds, number)
        if place < len(self.rounds) and self.rounds[place] == number:
            self.codes[place] = code_of(faces)


async def gathered_throws(source: Source) -> list[Gathered]:
    """Read the throws of all requested rounds."""
    found: list[Gathered] = []
    for table in source.tables:
        following = _Following(table)
        async for entries in source.entries(table_stream(table), _ROUNDS, _DICE):
            following.take(entries)
            if sum(len(each.codes) for each in [*found, *following.found]) > THROWS_MAX:
                raise too_many()
        found += [each for each in following.found if each.codes]
    return found


class _Following:
    """Follows a table: which dice are in use, and what they showed."""

    def __init__(self, table: str) -> None:
        self._table = table
        self.found = [Gathered(table, None, array("q"), bytearray())]

    def take(self, entries: Iterable[Entry]) -> None:
        """Apply the events of a page."""
        for entry in entries:
            match entry.event:
                case DiceRegistered(dice_set=dice_set):
                    self._use(dice_set)
                case RoundSettled(round=number, faces=faces):
                    self.found[-1].add(number, faces)
                case RoundResettled(round=number, faces=faces):
                    for each in self.found:
                        each.put_right(number, faces)
                case other:
                    raise AssertionError(f"{other} tells of no dice")

    def _use(self, dice_set: str) -> None:
        """Switch to a set of dice; all its periods of use are counted together."""
        known = [each for each in self.found if each.dice_set == dice_set]
        for each in known:
            self.found.remove(each)
        self.found += known or [Gathered(self._table, dice_set, array("q"), bytearray())]


def groups_of(gathered: Iterable[Gathered], by: By) -> list[Group]:
    """Group throws by set of dice, by table, or all together."""
    codes: dict[str, bytearray] = {}
    for each in gathered:
        codes.setdefault(_name_of(each, by), bytearray()).extend(each.codes)
    return [
        Group(name, Throws(np.frombuffer(bytes(one), dtype=np.uint8), dice_known=False))
        for name, one in codes.items()
    ]


def _name_of(each: Gathered, by: By) -> str:
    match by:
        case "all":
            return ""
        case "table":
            return f"table {each.table}"
        case "dice":
            dice = "" if each.dice_set is None else f", dice {each.dice_set}"
            return f"table {each.table}{dice}"

"""Commands that no simulated person gives yet, given at any time by actors who may give them.

So every command of a table is given in some world, and its events happen, as soon as it is
declared, without a change here. Their contents are made up from their types.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import inspect

from taisai.core.kernel.registry import commands_of
from taisai.runtime.simulator import (
    anything,
    chip_floor,
    chip_mistakes,
    chip_payment,
    chip_pit,
    incidents,
    pit,
    players,
    staff,
    testimony,
    transfers,
)
from taisai.runtime.simulator.crowd import Chance
from taisai.runtime.simulator.pit import Pit

#: The share of a world's steps that try one of these, if there are any.
_SHARE = 0.15
#: The modules of the people who act at a table.
_PEOPLE = (
    *(anything, chip_floor, chip_mistakes, chip_payment, chip_pit, incidents, pit, players),
    *(staff, testimony, transfers),
)
_NUMBERS = (0, 1, 2, 3, 6, 100, 5_000)


class Newcomers:
    """Gives commands that nobody else gives, by a chance apart, so that others play as before."""

    def __init__(self, chance: Chance) -> None:
        known = {each for module in _PEOPLE for each in vars(module).values() if callable(each)}
        self._kinds = [kind for kind in commands_of("table") if kind not in known]
        self._chance = chance

    def act(self, pits: Sequence[Pit]) -> None:
        """Perhaps give a command at one of the tables."""
        chance = self._chance
        if not self._kinds or not chance.happens(_SHARE):
            return
        table, kind = chance.pick(pits), chance.pick(self._kinds)
        positions = [*table.state.positions] or ["1"]
        made = _made_up(chance, inspect.type_info(kind), (*positions, "as said", " "))
        table.send(chance.who_may(kind, positions), msgspec.convert(made, kind))


def _made_up(chance: Chance, info: inspect.Type, texts: Sequence[str]) -> Any:
    """Make up a value of a type, as plain data."""
    match info:
        case inspect.StructType():
            given = [field for field in info.fields if field.required or chance.happens(0.5)]
            made = {each.encode_name: _made_up(chance, each.type, texts) for each in given}
            return [*made.values()] if info.array_like else {info.tag_field: info.tag, **made}
        case inspect.UnionType():
            return _made_up(chance, chance.pick(info.types), texts)
        case inspect.LiteralType():
            return chance.pick(info.values)
        case inspect.TupleType():
            return [_made_up(chance, each, texts) for each in info.item_types]
        case inspect.CollectionType():
            return [_made_up(chance, info.item_type, texts)]
        case inspect.DictType():
            return {}
        case inspect.BoolType():
            return chance.happens(0.5)
        case inspect.IntType():
            return chance.pick(_NUMBERS)
        case inspect.NoneType():
            return None
        case _:
            return chance.pick(texts)

"""Commands that none of the simulated people knows yet, given at any time by whoever may.

So every command of a table is given in some world, and its events happen, as soon as it is
declared; nobody here has to be told of it. Their contents are made up from their types.
"""

from collections.abc import Sequence

from taisai.core.kernel.registry import commands_of
from taisai.runtime.simulator import chip_floor, chip_mistakes, chip_pit, incidents, pit, players
from taisai.runtime.simulator.crowd import Chance
from taisai.runtime.simulator.pit import Pit

#: How many steps of a world see one of these tried, where there are any.
_SHARE = 0.15
#: Where the people are who know what to do at a table.
_PEOPLE = (chip_floor, chip_mistakes, chip_pit, incidents, pit, players)


class Newcomers:
    """Whoever gives what nobody else gives; their moods are their own, so others play as before."""

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
        made = chance.made_up(kind, {"terminal": positions, "seat": positions})
        table.send(chance.who_may(kind, positions), made)

"""Dice by chance alone: the operating system's randomness, every face as likely as the other."""

import os
from collections.abc import Callable, Iterator
from itertools import islice

from taisai.core.rules.dice import Faces
from taisai.core.table.provably_fair import fair_faces
from taisai.runtime.tumblers.contract import Tumble

#: So many bytes are asked for at a time; three dice rarely need more than three.
_AT_A_TIME = 16


class SimulatedTumbler:
    """Draws each round anew and forgets it: only the journal knows what was drawn."""

    def __init__(self, chance: Callable[[int], bytes] = os.urandom) -> None:
        self._chance = chance

    async def tumble(self, table: str, round: int, at_least: int) -> Tumble:
        """Count as a tumble what no dice do: as often as asked, flat and unseen."""
        del table, round
        return Tumble(at_least)

    async def draw(self, table: str, round: int) -> Faces:
        """Draw three faces; bytes that six does not divide evenly are thrown away."""
        del table, round
        low, middle, high = sorted(islice(fair_faces(self._bytes()), 3))
        return low, middle, high

    def _bytes(self) -> Iterator[int]:
        while True:
            yield from self._chance(_AT_A_TIME)

"""A reader of real dice, as its maker would write it: it sees the dice under it, and no more."""

import asyncio

from taisai.core.rules.dice import Faces
from taisai.runtime.tumblers import Tumble, TumblerFault


class TrayReader:
    """A camera over a tray; a test puts dice on the tray, or blinds the camera."""

    def __init__(self) -> None:
        self.tumbled = Tumble(3)
        self.blind = False
        self._lying: Faces | None = None
        self._settled = asyncio.Event()

    def put(self, *faces: int) -> None:
        """Put three dice on the tray."""
        first, second, third = faces
        self._lying = first, second, third
        self._settled.set()

    async def tumble(self, table: str, round: int, at_least: int) -> Tumble:
        """Give the number of tumbles, whatever it should have been."""
        del table, round, at_least
        return self.tumbled

    async def draw(self, table: str, round: int) -> Faces:
        """Wait until the dice lie still, and read them: the same faces at each call."""
        del table
        await self._settled.wait()
        if self.blind or self._lying is None:
            raise TumblerFault(f"the camera sees no dice in round {round}")
        if 0 in self._lying:
            raise TumblerFault("one die leans against the wall", "die-not-flat")
        return self._lying

"""Every place a plan can come to: its states with the banks that they are come to with.

A cell is a state and a bank from which another bet is made. Each leads, by the way a round goes, to
another cell or to an end with what the bank then is.
"""

from typing import NamedTuple

from taisai.maths.plans.sitting import Ending, Machine, Play

#: More cells than this are not looked at one by one: the plan is simulated instead.
CELLS_MAX = 250_000


class End(NamedTuple):
    """How a plan ended, and with what bank."""

    ending: Ending
    bank: int


class Cells:
    """The cells of a plan that so many rounds can come to, from the first; and the ends.

    `leads[way][cell]` is the next cell, or where it is below zero the end `ends[~number]`. Cells
    that only the last round comes to lead nowhere, and have no bet.
    """

    def __init__(self, play: Play) -> None:
        self.play = play
        self.ways = play.ways
        self.machine = Machine(play)
        self.places: list[tuple[int, int]] = [(0, play.bank)]
        self.stakes: list[int] = []
        self.held: list[bool] = []
        self.ends: list[End] = []
        self.leads: list[list[int]] = [[] for _ in self.ways]
        self._cell_of = {self.places[0]: 0}
        self._end_of: dict[End, int] = {}

    @property
    def total(self) -> int:
        """Give the sum of the weights of a round."""
        return sum(way.weight for way in self.ways)

    def _explore(self, cell: int) -> None:
        state, bank = self.places[cell]
        bet = self.machine.bet(state, bank)
        assert bet is not None, "a cell is a place from which a bet is made"
        won, lost = self.machine.after(bet.state)
        self.stakes.append(bet.stake)
        self.held.append(self.machine.held[state])
        for way, leads in zip(self.ways, self.leads, strict=True):
            leads.append(self._place(lost if way.odds is None else won, bank + way.net(bet.stake)))

    def _place(self, state: int, bank: int) -> int:
        found = self._cell_of.get((state, bank))
        if found is not None:
            return found
        ending = self.machine.ending(state, bank)
        if ending is not Ending.PLAYING:
            number = self._end_of.setdefault(End(ending, bank), len(self.ends))
            if number == len(self.ends):
                self.ends.append(End(ending, bank))
            return ~number
        self._cell_of[state, bank] = len(self.places)
        self.places.append((state, bank))
        return len(self.places) - 1

    def explore(self) -> bool:
        """Follow the plan for all its rounds; False where there are too many places."""
        for _ in range(self.play.rounds):
            first, last = len(self.stakes), len(self.places)
            if first == last:
                return True
            for cell in range(first, last):
                self._explore(cell)
                if len(self.places) > CELLS_MAX:
                    return False
        return True


def cells_of(play: Play) -> Cells | None:
    """Find all cells of a plan, or nothing where they are too many."""
    cells = Cells(play)
    return cells if cells.explore() else None

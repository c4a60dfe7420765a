"""One side of a lane, for tests: the entries it received, and why the lane was lost."""

from taisai.server.lanes.lane import Entry, Lane


class Side:
    """One side of a lane: the entries it received, and why the lane was lost."""

    def __init__(self, **limits: int) -> None:
        self.turns: list[list[Entry]] = []
        self.lost: list[str] = []
        self.lane = Lane(self.turns.append, self.lost.append, **limits)

    @property
    def taken(self) -> list[Entry]:
        return [entry for turn in self.turns for entry in turn]

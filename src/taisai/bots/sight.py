"""What a player sees of a table before a bet: which boxes there are, and how much each takes.

Everything here was sent by the venue: boxes over HTTP, limits and totals on the public channel,
credits and bets on the private one. Whose bets a maximum counts is not known; a player who keeps to
what is left of it for everybody is within it either way.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from taisai.core.kernel.messages import LimitsAsked

#: Of each pair, neither side may lie further ahead of the other than the Differential.
_SIDES = {"small": "big", "big": "small", "odd": "even", "even": "odd"}

EVEN_CHANCES = tuple(_SIDES)


@dataclass(frozen=True, slots=True)
class Layout:
    """The boxes of a pay table, by their kind, as its odds list them."""

    kinds: Mapping[str, str]

    def of_kind(self, *kinds: str) -> list[str]:
        """Name the boxes of some kinds."""
        return [box for box, kind in self.kinds.items() if kind in kinds]

    def among(self, boxes: Sequence[str]) -> list[str]:
        """Keep those of some boxes that this layout has."""
        return [box for box in boxes if box in self.kinds]


@dataclass(slots=True)
class Sight:
    """A table at the moment of a bet, as one player sees it; what is planned is taken off."""

    layout: Layout
    limits: LimitsAsked
    credits: int
    bets: Mapping[str, int]
    totals: Mapping[str, int]
    #: What came back of the last round one bet in, less what was staked; None before any.
    last_result: int | None = None
    planned: dict[str, int] = field(default_factory=dict)

    @property
    def step(self) -> int:
        """Say what every stake is a multiple of; the minimum is one in any case."""
        return self.limits.step or self.limits.minimum or 1

    def minimum(self, box: str) -> int:
        """Give the least that may be bet on a box."""
        return self._bounds(box)[0]

    def maximum(self, box: str) -> int:
        """Give the most that may be on a box."""
        return self._bounds(box)[1]

    def plan(self, box: str, wished: int) -> int:
        """Plan a bet as near to what is wished as limits and credits allow; zero if they do not."""
        minimum, maximum = self._bounds(box)
        own = self.bets.get(box, 0) + self.planned.get(box, 0)
        on_box = max(own, self.totals.get(box, 0) + self.planned.get(box, 0))
        left = self.credits - sum(self.planned.values())
        most = min(left, maximum - on_box, self._lead_left(box))
        stake = min(max(wished, minimum - own, self.step), most) // self.step * self.step
        if stake <= 0 or own + stake < minimum:
            return 0
        self.planned[box] = self.planned.get(box, 0) + stake
        return stake

    def _bounds(self, box: str) -> tuple[int, int]:
        minimum, maximum = self.limits.minimum, self.limits.maximum
        for name in (self.layout.kinds.get(box, ""), box):
            own = self.limits.boxes.get(name)
            if own is not None:
                minimum = minimum if own[0] is None else own[0]
                maximum = maximum if own[1] is None else own[1]
        return minimum, maximum

    def _lead_left(self, box: str) -> int:
        """Say by how much a side may still get ahead of the other."""
        other = _SIDES.get(box)
        if other is None or self.limits.differential is None:
            return self.limits.maximum
        lead = sum(
            sign * (self.totals.get(side, 0) + self.planned.get(side, 0))
            for side, sign in ((box, 1), (other, -1))
        )
        return self.limits.differential - lead

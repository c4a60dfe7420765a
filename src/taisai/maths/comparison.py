"""Two pay tables compared box by box, and the cheapest bets on each.

The expected loss of a slate is the sum of the expected losses of its bets. So no mixture of boxes
is cheaper per unit staked than its cheapest box, and none is cheaper for the same standard
deviation, which is never more than the sum of those of its parts. Both questions are answered by
single boxes; a slate of several is needed only if every result has to win something.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import lcm

from msgspec import Struct

from taisai.core.rules.boxes import Kind
from taisai.core.rules.dice import RESULTS
from taisai.core.rules.money import AMOUNT_MAX
from taisai.core.rules.paytable import BettingBox, PayTable
from taisai.maths.errors import check_whole
from taisai.maths.slates import THROWS_BY_RESULT, Slate, nets_of_boxes

#: The most branches searched for the cheapest cover; the known tables need some hundreds.
BRANCHES_MAX = 50_000


class BoxComparison(Struct, frozen=True):
    """A box on two pay tables; None for a table without it."""

    box: str
    kind: Kind
    first: BettingBox | None
    second: BettingBox | None

    @property
    def difference(self) -> Fraction | None:
        """The second table's edge less the first one's, if both have the box."""
        if self.first is None or self.second is None:
            return None
        return self.second.house_edge - self.first.house_edge


class Cheapest(Struct, frozen=True):
    """The cheapest bets on a pay table, by four measures.

    - `per_unit`: the boxes with the least house edge; a mixture of them costs the same per unit.
    - `at_minimum`: the boxes that cost least in a round at their minimum stake.
    - `for_swing`: the boxes with the least expected loss for a unit of standard deviation;
      `swing_squared` is the square of that ratio with its sign, which is rational.
    - `covering`: the slate at the least stakes that costs least among those that win something
      on every result; None if there is none, or if it was not found in time.
    """

    per_unit: tuple[str, ...]
    house_edge: Fraction
    at_minimum: tuple[Slate, ...]
    for_swing: tuple[str, ...]
    swing_squared: Fraction
    covering: Slate | None


class Comparison(Struct, frozen=True):
    """Two pay tables compared: every box of either, and what is cheapest on each."""

    first: PayTable
    second: PayTable
    boxes: tuple[BoxComparison, ...]
    cheapest: tuple[Cheapest, Cheapest]

    def cheaper_on(self, table: PayTable) -> tuple[str, ...]:
        """List the boxes on both tables that have the smaller edge on this one."""
        sign = 1 if table is self.first else -1
        return tuple(each.box for each in self.boxes if sign * (each.difference or 0) > 0)


def compare(first: PayTable, second: PayTable, minimum: int = 1) -> Comparison:
    """Compare two pay tables; `minimum` is the least that may be staked on a box of either."""
    check_whole("the least stake is", minimum, 1, AMOUNT_MAX // 1000)
    keys = dict.fromkeys((*first.boxes, *second.boxes))
    return Comparison(
        first=first,
        second=second,
        boxes=tuple(_compared(first.boxes.get(key), second.boxes.get(key)) for key in keys),
        cheapest=(cheapest(first, minimum), cheapest(second, minimum)),
    )


def cheapest(pay_table: PayTable, minimum: int = 1) -> Cheapest:
    """Find the cheapest bets on a pay table, with at least this minimum on every box."""
    boxes = pay_table.boxes
    edges = {key: box.house_edge for key, box in boxes.items()}
    # Rounded up to the box's step, so that its win is a whole amount.
    least = {key: -(-minimum // box.step) * box.step for key, box in boxes.items()}
    losses = {key: edges[key] * least[key] for key in boxes}
    swings = {
        key: -net.mean * abs(net.mean) / net.variance
        for key, net in nets_of_boxes(pay_table).items()
        if net.variance
    }
    at_minimum = [Slate.of(pay_table, {key: least[key]}) for key in _lowest(losses)]
    covering = _cheapest_cover(pay_table, losses)
    return Cheapest(
        per_unit=_lowest(edges),
        house_edge=min(edges.values()),
        at_minimum=tuple(at_minimum),
        for_swing=_lowest(swings),
        swing_squared=min(swings.values()),
        covering=None
        if covering is None
        else Slate.of(pay_table, {key: least[key] for key in boxes if key in covering}),
    )


def _compared(first: BettingBox | None, second: BettingBox | None) -> BoxComparison:
    box = first or second
    assert box is not None, "a box compared is on one of the tables"
    return BoxComparison(box.key, box.kind, first, second)


def _lowest(measured: Mapping[str, Fraction]) -> tuple[str, ...]:
    low = min(measured.values())
    return tuple(key for key, each in measured.items() if each == low)


def _cheapest_cover(pay_table: PayTable, costs: Mapping[str, Fraction]) -> frozenset[str] | None:
    """Find the boxes that together win on every result for the least expected loss, exactly.

    None if some result wins on no box, or if the search takes too long.
    """
    wins = {
        key: frozenset(index for index, times in enumerate(box.met) if times)
        for key, box in pay_table.boxes.items()
    }
    # A box that costs nothing, or less, improves every cover.
    free = frozenset(key for key, cost in costs.items() if cost <= 0)
    bare = frozenset(range(len(RESULTS))).difference(*(wins[key] for key in free))
    search = _CoverSearch(pay_table, costs, {key: wins[key] for key in wins if key not in free})
    found = search.cover(bare)
    return None if found is None else found | free


class _CoverSearch:
    """Branch and bound for the cheapest cover, in whole numbers.

    A box's cost divided among its throws bounds from below what any cover pays for a throw. The
    branches are the boxes that win on the result that the fewest win on.
    """

    def __init__(
        self,
        pay_table: PayTable,
        costs: Mapping[str, Fraction],
        wins: Mapping[str, frozenset[int]],
    ) -> None:
        share = {key: costs[key] / pay_table.boxes[key].ways for key in wins if wins[key]}
        scale = lcm(*(each.denominator for each in share.values()))
        self._wins = wins
        self._costs = {key: int(costs[key] * scale) for key in share}
        self._by_result = [
            sorted((key for key in share if r in wins[key]), key=self._costs.__getitem__)
            for r in range(len(RESULTS))
        ]
        self._floor = [
            int(min((share[key] for key in keys), default=Fraction(0)) * scale) * throws
            for keys, throws in zip(self._by_result, THROWS_BY_RESULT, strict=True)
        ]

    def cover(self, bare: frozenset[int]) -> frozenset[str] | None:
        """Find the cheapest boxes that win on all of these results."""
        best: tuple[int, frozenset[str] | None] = (sum(self._costs.values()) + 1, None)
        waiting = [(0, frozenset[str](), bare)]
        for _ in range(BRANCHES_MAX):
            if not waiting:
                return best[1]
            spent, chosen, bare = waiting.pop()
            if spent + sum(self._floor[r] for r in bare) >= best[0]:
                continue
            if not bare:
                best = spent, chosen
                continue
            hardest = min(bare, key=lambda r: len(self._by_result[r]))
            # Popped from the end: the cheapest box is tried first, and sets the bound for others.
            waiting += [
                (spent + self._costs[key], chosen | {key}, bare - self._wins[key])
                for key in reversed(self._by_result[hardest])
            ]
        return None

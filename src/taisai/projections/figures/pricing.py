"""What stakes on boxes bring the house, on each of the 56 results: exactly, and box by box.

A pay table is priced once. After that a round costs a few additions for each box that was bet on.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from taisai.core.rules.dice import RESULTS, THROWS, Result
from taisai.core.rules.paytable import BettingBox, PayTable
from taisai.core.rules.rulebook import Rulebook

#: Pay tables that are kept priced.
PRICED_MAX = 64

_THROWS_OF = tuple(result.throws for result in RESULTS)


class BoxPrice(NamedTuple):
    """What one stake step on a box gives back, stake included, on each result it wins on."""

    kind: str
    step: int
    returns: Mapping[int, int]
    #: The sum of what it gives back over all 216 throws.
    over_all: int


class KindPlayed(NamedTuple):
    """What played on a kind of bet in a round, what the house won of it, and was to expect."""

    turnover: int
    win: int
    theory_216ths: int
    variance: Fraction


class Pricing:
    """A pay table, priced."""

    def __init__(self, table: PayTable) -> None:
        self.boxes = {key: _price(box) for key, box in table.boxes.items()}

    def wins(self, stakes: Mapping[str, int]) -> list[int]:
        """Say what the house wins on each of the 56 results; below zero it loses."""
        wins = [sum(stakes.values())] * len(RESULTS)
        for key, stake in stakes.items():
            price = self.boxes[key]
            steps = stake // price.step
            for index, returned in price.returns.items():
                wins[index] -= returned * steps
        return wins

    def kinds(self, stakes: Mapping[str, int], result: Result) -> dict[str, KindPlayed]:
        """Say what each kind of bet brought on a result, as if nothing else had been bet on."""
        by_kind: dict[str, dict[str, int]] = {}
        for key, stake in stakes.items():
            by_kind.setdefault(self.boxes[key].kind, {})[key] = stake
        return {kind: self._kind(part, result) for kind, part in by_kind.items()}

    def _kind(self, stakes: Mapping[str, int], result: Result) -> KindPlayed:
        wins = self.wins(stakes)
        return KindPlayed(
            turnover=sum(stakes.values()),
            win=wins[result.index],
            theory_216ths=theory_216ths(wins),
            variance=variance(wins),
        )


def theory_216ths(wins: list[int]) -> int:
    """Add up what the house wins over all 216 throws: that many times its average win."""
    return sum(map(int.__mul__, _THROWS_OF, wins))


def variance(wins: list[int]) -> Fraction:
    """Give the variance of what the house wins over all throws."""
    squares = sum(throws * win * win for throws, win in zip(_THROWS_OF, wins, strict=True))
    return Fraction(THROWS * squares - theory_216ths(wins) ** 2, THROWS**2)


def _price(box: BettingBox) -> BoxPrice:
    step = box.step
    returns = {
        result.index: int((odds + 1) * step)
        for result in RESULTS
        if (odds := box.odds_on(result)) is not None
    }
    over_all = sum(_THROWS_OF[index] * returned for index, returned in returns.items())
    return BoxPrice(box.kind.value, step, returns, over_all)


_PRICED: dict[tuple[str, int], Pricing] = {}


def pricing_of(book: Rulebook, number: int) -> Pricing:
    """Give a pay table of a rulebook, priced once for all tables that play by it."""
    known = book.sha256, number
    if known not in _PRICED:
        if len(_PRICED) >= PRICED_MAX:
            del _PRICED[next(iter(_PRICED))]
        _PRICED[known] = Pricing(book.pay_tables[number])
    return _PRICED[known]

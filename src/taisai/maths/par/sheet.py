"""A PAR sheet: the figures of a pay table that a laboratory checks, each computed twice.

This module owns the figures; `par.writers` writes a sheet. Nothing depends on the time or the
machine: the same rulebook gives the same sheet.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from math import sqrt
from statistics import NormalDist

from msgspec import Struct

from taisai.core.rules.bets import Bet
from taisai.core.rules.boxes import EVEN_CHANCES
from taisai.core.rules.dice import FACES, RESULTS, THROWS, Result, result_of
from taisai.core.rules.paytable import BettingBox, PayTable
from taisai.core.rules.rulebook import Rulebook
from taisai.core.rules.settlement import Outcome, Settlement, settle
from taisai.maths.distribution import Distribution
from taisai.maths.errors import MathsError
from taisai.maths.sessions.quantile_bands import LongSum
from taisai.maths.slates import net_of_box

#: The numbers of rounds of the bands of return.
ROUNDS = (10**3, 10**4, 10**5, 10**6, 10**7)
#: The share of all sessions in a band, with equal shares below and above it.
CONFIDENCE = Fraction(9, 10)
#: The standard deviations on each side of the mean that hold this share of a normal distribution.
DEVIATIONS = NormalDist().inv_cdf(float((1 + CONFIDENCE) / 2))


class Band(Struct, frozen=True):
    """The band of returns of sessions of so many rounds, exactly and by the usual formula.

    `low` and `high` are of the distribution itself, `near_low` and `near_high` of the normal
    approximation; `exact` says whether the former are certain to the last unit.
    """

    rounds: int
    low: Fraction
    high: Fraction
    exact: bool
    near_low: float
    near_high: float


class BoxFigures:
    """A box of a pay table with all its figures in a PAR sheet, per unit staked."""

    def __init__(self, box: BettingBox) -> None:
        self.box = box
        #: The stake is the box's own step, so that every payment is a whole amount.
        self.net: Distribution = net_of_box(box, box.step)

    @property
    def return_to_player(self) -> Fraction:
        """Give what comes back of one unit staked, stake included, on average and exactly."""
        return 1 + self.net.mean / self.box.step

    @cached_property
    def variance(self) -> Fraction:
        """Give the variance of the net of one unit staked for one round, exactly."""
        return self.net.variance / self.box.step**2

    @property
    def standard_deviation(self) -> float:
        """Give the standard deviation of the net of one unit staked for one round."""
        return self.net.standard_deviation / self.box.step

    @property
    def volatility_index(self) -> float:
        """The standard deviation times the factor that holds 90 % of a normal distribution."""
        return DEVIATIONS * self.standard_deviation

    @property
    def pays_on(self) -> list[tuple[Fraction, int]]:
        """List the box's odds, each with the number of throws on which it pays them."""
        met = [(times, result.throws) for times, result in zip(self.box.met, RESULTS, strict=True)]
        return [
            (odds, sum(throws for when, throws in met if when == times))
            for times, odds in enumerate(self.box.odds, start=1)
        ]

    @property
    def triples_won(self) -> list[Result]:
        """List the triples on which the box wins."""
        return [result for result in RESULTS if result.is_triple and self.box.met[result.index] > 0]

    @property
    def bands(self) -> tuple[Band, ...]:
        """Compute the bands of return after 10³ to 10⁷ rounds."""
        return tuple(_band(self.net, self.box.step, rounds) for rounds in ROUNDS)


class Check(Struct, frozen=True):
    """A figure that was computed a second way while the sheet was made."""

    said: str
    held: bool


class ParSheet(Struct, frozen=True):
    """A PAR sheet: the pay table, its figures box by box, and the checks made of them."""

    rulebook: Rulebook
    table: PayTable
    boxes: tuple[BoxFigures, ...]
    checks: tuple[Check, ...]
    #: The text for the date, given by the user; no clock is read.
    dated: str | None = None

    @property
    def families(self) -> list[list[BoxFigures]]:
        """Group boxes of one kind with the same chances and odds, in their order.

        Small, Big, Odd and Even count as one kind.
        """
        found: dict[tuple[object, ...], list[BoxFigures]] = {}
        for figures in self.boxes:
            net, kind = figures.net, figures.box.kind
            alike = None if kind in EVEN_CHANCES else kind
            same = (alike, figures.box.step, net.values, net.weights)
            found.setdefault(same, []).append(figures)
        return list(found.values())


def par_sheet(rulebook: Rulebook, table: PayTable, dated: str | None = None) -> ParSheet:
    """Make the PAR sheet of a pay table, every figure counted twice."""
    if table.rulebook_key != rulebook.key or rulebook.pay_tables.get(table.number) != table:
        raise MathsError(f"{table.address} is no pay table of the rulebook {rulebook.key}")
    boxes = tuple(map(BoxFigures, table.boxes.values()))
    return ParSheet(rulebook, table, boxes, tuple(_checks(table, boxes)), dated)


@lru_cache(maxsize=256)
def _band(net: Distribution, step: int, rounds: int) -> Band:
    """Compute a band once for all boxes that have the same chances and odds."""
    ends = ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)
    total = LongSum(net, rounds)
    low, high = (total.quantile(share) for share in ends)
    near = float(1 + net.mean / step)
    spread = DEVIATIONS * (net.standard_deviation / step) / sqrt(rounds)
    return Band(
        rounds=rounds,
        low=1 + Fraction(low.value, rounds * step),
        high=1 + Fraction(high.value, rounds * step),
        exact=low.exact and high.exact,
        near_low=near - spread,
        near_high=near + spread,
    )


def _checks(table: PayTable, boxes: Sequence[BoxFigures]) -> Iterator[Check]:
    """Compute the figures again in another way, and compare."""
    counted = _settled_by_throw(table)
    yield Check(
        "The 56 results come of 216 throws, counted one by one.",
        sum(result.throws for result in RESULTS) == THROWS == len(_all_throws()),
    )
    yield Check(
        "Ways: each box, settled on each of the 216 throws in turn, wins as often as listed.",
        all(counted[each.box.key][0] == each.box.ways for each in boxes),
    )
    yield Check(
        "Return: what those 216 settlements give back over what they staked is the return listed.",
        all(
            Fraction(counted[each.box.key][1], THROWS * each.box.step) == each.return_to_player
            for each in boxes
        ),
    )
    yield Check(
        "Variance: the same settlements have the variance listed.",
        all(_variance(counted[each.box.key], each.box.step) == each.variance for each in boxes),
    )
    yield Check(
        "Return and house edge of every box add up to 1.",
        all(each.return_to_player + each.box.house_edge == 1 for each in boxes),
    )
    yield Check(
        "Every box has a house edge above zero.", all(each.box.house_edge > 0 for each in boxes)
    )
    yield Check(
        "Every end of a band is certain to the last unit.",
        all(band.exact for each in boxes for band in each.bands),
    )


#: How often a box won, the sum of what came back, and the sum of its squares.
_Counted = tuple[int, int, int]


def _settled_by_throw(table: PayTable) -> dict[str, _Counted]:
    """Settle one step on every box on each of the 216 throws, as a round would be."""
    bets = [Bet("", box.key, box.step) for box in table.boxes.values()]
    counted: dict[str, _Counted] = dict.fromkeys(table.boxes, (0, 0, 0))
    settled: dict[int, Settlement] = {}
    for throw in _all_throws():
        result = result_of(throw)
        if result.index not in settled:
            made = settle(table, result, bets)
            assert isinstance(made, Settlement), "a step on every box can always be settled"
            settled[result.index] = made
        for bet in settled[result.index].bets:
            wins, back, squares = counted[bet.box]
            won = bet.outcome is Outcome.WIN
            counted[bet.box] = (wins + won, back + bet.back, squares + bet.back**2)
    return counted


def _all_throws() -> list[tuple[int, ...]]:
    return list(product(FACES, repeat=3))


def _variance(counted: _Counted, step: int) -> Fraction:
    _, back, squares = counted
    return (Fraction(squares, THROWS) - Fraction(back, THROWS) ** 2) / step**2

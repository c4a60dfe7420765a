"""A pay table compiled: for each betting box, what it pays on each of the 56 distinct results.

That one table serves settlement, illumination, exact odds and exposure.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, compress
from typing import assert_never

from msgspec import Struct

from taisai.core.rules.boxes import BOX_NAMES, BoxName, Kind
from taisai.core.rules.dice import RESULTS, THROWS, Result
from taisai.core.rules.money import parse_odds, smallest_step
from taisai.core.rules.schema import (
    AreaContent,
    BetsContent,
    KindContent,
    LayoutContent,
    LimitsContent,
    Pays,
    PayTableContent,
    RowContent,
    RulebookContent,
)

# When a box wins: on how many dice a result meets it. The totals that win Small, Big, Odd and Even
# are lists in the rulebook; everything else follows from the numbers printed in the box.


@cache
def met_by_results(box: BoxName, totals: tuple[int, ...]) -> tuple[int, ...]:
    """Count how often each result meets a box: 0 loses; only a Single can be met twice or thrice.

    [ts6 3.10…, 4.1…; etg8 3.9…, 4.1…; div9 4.1…]
    """
    return tuple(int(times) for times in map(_meeting(box, totals), RESULTS))


def _meeting(box: BoxName, totals: tuple[int, ...]) -> Callable[[Result], int]:
    """Give the function that counts how often a result meets a box."""
    numbers = box.numbers
    match box.kind:
        case Kind.SMALL | Kind.BIG | Kind.ODD | Kind.EVEN:
            return lambda result: result.total in totals and not result.is_triple
        case Kind.SINGLE:
            return lambda result: result.faces.count(numbers[0])
        case Kind.TOTAL:
            return lambda result: result.total == numbers[0]
        case Kind.DOMINO:
            return lambda result: numbers[0] in result.faces and numbers[1] in result.faces
        case Kind.DOUBLE:
            # A triple holds the double and wins once only [div9 4.1(d)(ii)].
            return lambda result: result.faces.count(numbers[0]) >= 2
        case Kind.ANY_TRIPLE:
            return lambda result: result.is_triple
        case Kind.TRIPLE:
            return lambda result: result.faces.count(numbers[0]) == 3
        case Kind.FOUR:
            # Three different faces, all of them among the four [D1].
            threes = {*combinations(sorted(numbers), 3)}
            return lambda result: result.faces in threes
        case Kind.THREE | Kind.PAIR:
            faces = tuple(sorted(numbers))
            return lambda result: result.faces == faces
        case _:
            assert_never(box.kind)


@cache
def _throws_by_times(met: tuple[int, ...]) -> tuple[int, ...]:
    """Count the throws, of 216, that meet a box once, twice and thrice."""
    counted = [0, 0, 0, 0]
    for times, result in zip(met, RESULTS, strict=True):
        counted[times] += result.throws
    return tuple(counted[1:])


@cache
def _house_edge(odds: tuple[Fraction, ...], throws: tuple[int, ...]) -> Fraction:
    """Compute what the house keeps of one unit, from each of the odds and its number of throws."""
    returned = sum((each + 1) * ways for each, ways in zip(odds, throws, strict=True))
    return 1 - Fraction(returned) / THROWS


class BettingBox(Struct, frozen=True):
    """A box of a pay table: the document's name for the bet, its odds, and when it wins.

    `met[r]` says how often result `r` meets the box: 0 loses, 1 to 3 choose among `odds`.
    """

    name: BoxName
    bet_name: str
    odds: tuple[Fraction, ...]
    met: tuple[int, ...]
    wins_clause: str
    loses_clause: str
    triple_clause: str
    #: On how many throws, of 216, it wins at each of its odds.
    throws: tuple[int, ...]
    #: The totals on which Small, Big, Odd or Even wins; empty for boxes of other kinds.
    totals: tuple[int, ...] = ()

    @property
    def key(self) -> str:
        return self.name.key

    @property
    def kind(self) -> Kind:
        return self.name.kind

    def odds_on(self, result: Result) -> Fraction | None:
        """Give the odds at which the box wins on a result, or None when it loses."""
        times = self.met[result.index]
        return self.odds[times - 1] if times else None

    def clause_on(self, result: Result) -> str:
        """Name the clause that decides the box on a result [D13] [ts6 3.10; etg8 3.9]."""
        if self.met[result.index]:
            return self.wins_clause
        return self.triple_clause if result.is_triple else self.loses_clause

    @property
    def step(self) -> int:
        """Give the smallest stake on which every win of this box is a whole amount."""
        return smallest_step(self.odds)

    @property
    def ways(self) -> int:
        """Count the throws, of 216, on which the box wins."""
        return sum(self.throws)

    @property
    def probability(self) -> Fraction:
        """Give the exact chance that the box wins."""
        return Fraction(self.ways, THROWS)

    @property
    def house_edge(self) -> Fraction:
        """Give what the house keeps of one unit staked, on average and exactly."""
        return _house_edge(self.odds, self.throws)


class PayTable(Struct, frozen=True):
    """A pay table with its layout: the boxes by key, in the document's order."""

    address: str
    number: int
    clause: str
    boxes: Mapping[str, BettingBox]
    layout: LayoutContent
    limit_rules: LimitsContent
    #: The boxes that are a side of a Differential.
    sides: frozenset[str]
    step: int
    winning: tuple[tuple[str, ...], ...]

    @property
    def rulebook_key(self) -> str:
        """Name the rulebook the table belongs to."""
        return self.address.partition("/")[0]

    def winners(self, result: Result) -> tuple[str, ...]:
        """List the boxes that win on a result, in the document's order."""
        return self.winning[result.index]

    def lit_areas(self, result: Result) -> list[AreaContent]:
        """Find every area of every winning box, as the equipment lights them [div9 3.3(b)].

        [ts6 5.10, Appendix A, Appendix C, Appendix E; etg8 Appendix A, Appendix B, Appendix C; div9
        5.0(b), 7.3, Appendix 1, Appendix 2]
        """
        return [area for area in self.layout.areas if self.boxes[area.box].met[result.index]]

    @property
    def kinds(self) -> set[Kind]:
        """Say which kinds of bet the table takes."""
        return {box.kind for box in self.boxes.values()}


def compile_pay_table(rulebook: RulebookContent, table: PayTableContent) -> PayTable:
    """Compile a pay table whose content has been found without fault.

    [ts6 2.1.1, 4.1…; etg8 2.1.1, 4.1…; div9 4.10]
    """
    boxes = {
        box.key: box
        for bets in table.bets
        for box in _compile_bets(bets, rulebook.kinds[bets.kind], table.clause)
    }
    return PayTable(
        address=f"{rulebook.key}/{table.number}",
        number=table.number,
        clause=table.clause,
        boxes=boxes,
        layout=table.layout,
        limit_rules=rulebook.limits,
        sides=frozenset(chain.from_iterable(rulebook.limits.differential_pairs)),
        step=smallest_step(odds for box in boxes.values() for odds in box.odds),
        winning=_winning(boxes),
    )


def _winning(boxes: Mapping[str, BettingBox]) -> tuple[tuple[str, ...], ...]:
    """List the boxes that win on each result."""
    by_result = zip(*(box.met for box in boxes.values()), strict=True)
    return tuple(tuple(compress(boxes, met)) for met in by_result)


def row_of(bets: BetsContent, box: str) -> list[RowContent]:
    """Find the rows that give a box's odds; a row without boxes is for its whole kind."""
    return [row for row in bets.rows if box in (row.boxes or bets.boxes)]


def read_pays(pays: Pays) -> tuple[Fraction, ...]:
    """Read a row's odds: one, or one for each number of dice that show the face."""
    if isinstance(pays, dict):
        return tuple(parse_odds(str(pays[times])) for times in sorted(pays))
    return (parse_odds(str(pays)),)


def _compile_bets(bets: BetsContent, kind: KindContent, clause: str) -> Iterator[BettingBox]:
    prices = {id(row): read_pays(row.pays) for row in bets.rows}
    for key in bets.boxes:
        name = BOX_NAMES[key]
        (row,) = row_of(bets, key)
        odds, met = prices[id(row)], met_by_results(name, kind.totals)
        yield BettingBox(
            name=name,
            bet_name=row.name,
            odds=odds,
            met=met,
            throws=_throws_by_times(met)[: len(odds)],
            wins_clause=clause,
            loses_clause=kind.loses,
            triple_clause=kind.loses_to_triple or kind.loses,
            totals=kind.totals,
        )

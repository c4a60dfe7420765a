"""Chips: value chips by denomination, non-value chips by colour, and amounts broken into them.

A set of chips is data of a table. The value of a coloured chip is marked on the display rack for
one player at a time; here it is a piece with a value like any other.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import gcd
from typing import Literal

from msgspec import Struct

from taisai.core.rules.money import is_amount

#: Whether bets come through terminals, or a dealer records chips on a layout.
Form = Literal["terminals", "chips"]
#: A float has at most a dozen denominations, and a table has one colour for each seat.
DENOMINATIONS_MAX = 24
COLOURS_MAX = 64
SEATS_MAX = 64
#: No rack and no stack holds more of one kind.
PIECES_MAX = 1_000_000
#: A stack has at most so many kinds of chips.
KINDS_MAX = DENOMINATIONS_MAX + 1
#: Breaking an amount gives up after so many tries: no set of chips in use comes near.
TRIES_MAX = 200_000


class Pieces(Struct, frozen=True, array_like=True, gc=False):
    """So many pieces of one chip: a value chip by its denomination, another by its colour."""

    chip: int | str
    count: int


Chips = tuple[Pieces, ...]


class ChipSet(Struct, frozen=True, forbid_unknown_fields=True):
    """The chips of a chip table: denominations, colours with the pieces of each, and its seats."""

    values: tuple[int, ...]
    seats: int
    colours: tuple[str, ...] = ()
    pieces: int = 0

    @property
    def smallest(self) -> int:
        """Give the smallest denomination; every amount paid is a multiple of it."""
        return self.values[0]


class BoxChips(Struct, frozen=True, array_like=True, gc=False):
    """Chips on a box."""

    box: str
    chips: Chips


class RecordedBet(Struct, frozen=True, array_like=True, gc=False):
    """Chips on a box, and what they are worth at the values marked."""

    box: str
    amount: int
    chips: Chips


class CollectedChips(Struct, frozen=True, array_like=True, gc=False):
    """Chips taken off a box; where a stack cannot be split, what goes back out of the rack."""

    box: str
    seat: str
    amount: int
    chips: Chips
    change: Chips = ()

    @property
    def lost(self) -> "CollectedChips":
        """The amount that is collected, less the change given for it."""
        return CollectedChips(self.box, self.seat, self.amount, self.chips)


class _Search:
    """The search for the fewest pieces: the largest chips first, as many of each as possible."""

    def __init__(self, chips: Sequence[tuple[int, int]]) -> None:
        self.chips = chips
        self.best: tuple[int, ...] | None = None
        self.fewest = 0
        self.tries = 0
        self.failed: set[tuple[int, int]] = set()
        self.gcds = [0] * (len(chips) + 1)
        self.left = [0] * (len(chips) + 1)
        for position in reversed(range(len(chips))):
            worth_, count = chips[position]
            self.gcds[position] = gcd(self.gcds[position + 1], worth_)
            self.left[position] = self.left[position + 1] + worth_ * count

    def look(self, position: int, rest: int, counts: tuple[int, ...], used: int) -> bool:
        """Break the rest into the chips from a position on; return whether that is possible."""
        if rest == 0:
            # A branch that is no better than the best so far is not searched further.
            self.best, self.fewest = counts, used
            return True
        self.tries += 1
        if self._is_hopeless(position, rest):
            return False
        value, held = self.chips[position]
        # With fewer of this chip, more would be left than all the smaller ones are worth.
        least = max(0, -(-(rest - self.left[position + 1]) // value))
        found = cut = False
        for count in range(min(held, rest // value), least - 1, -1):
            left = rest - count * value
            if self.tries > TRIES_MAX or self._is_no_better(position + 1, left, used + count):
                # With fewer of this chip it only takes more of the smaller ones.
                cut = True
                break
            found |= self.look(position + 1, left, (*counts, count), used + count)
        if not (found or cut):
            self.failed.add((position, rest))
        return found

    def _is_hopeless(self, position: int, rest: int) -> bool:
        return (
            self.tries > TRIES_MAX
            or rest > self.left[position]
            or rest % self.gcds[position] != 0
            or (position, rest) in self.failed
        )

    def _is_no_better(self, position: int, left: int, used: int) -> bool:
        if self.best is None:
            return False
        # Nothing is left where there is no smaller chip.
        more = left and -(-left // self.chips[position][0])
        return used + more >= self.fewest


def is_chip_set(chips: ChipSet) -> bool:
    """Say whether a chip set is possible: denominations ascending, multiples of the smallest."""
    values = chips.values
    return (
        0 < len(values) <= DENOMINATIONS_MAX
        and all(is_amount(value) and value > 0 for value in values)
        and all(low < high for low, high in pairwise(values))
        and all(value % values[0] == 0 for value in values)
        and 0 < chips.seats <= SEATS_MAX
        and len(chips.colours) <= COLOURS_MAX
        and len(set(chips.colours)) == len(chips.colours)
        and 0 <= chips.pieces <= PIECES_MAX
    )


def are_pieces(chips: Chips) -> bool:
    """Say whether a stack is possible: a positive count of each chip, each chip named once."""
    return (
        len(chips) <= KINDS_MAX
        and all(type(each.count) is int and 0 < each.count <= PIECES_MAX for each in chips)
        and len({each.chip for each in chips}) == len(chips)
    )


def value_of(chips: Iterable[Pieces], marked: Mapping[str, int]) -> int:
    """Add up a stack; `marked` gives the value of a piece of each colour."""
    return sum(worth(each.chip, marked) * each.count for each in chips)


def worth(chip: int | str, marked: Mapping[str, int]) -> int:
    """Give what one chip is worth."""
    return chip if isinstance(chip, int) else marked[chip]


def value_chips(chips: Chips) -> int:
    """Add up the value chips of a stack alone."""
    return sum(each.chip * each.count for each in chips if isinstance(each.chip, int))


def coloured(chips: Chips) -> dict[str, int]:
    """Count the pieces of each colour in a stack."""
    return {each.chip: each.count for each in chips if isinstance(each.chip, str)}


def is_mixed(chips: Iterable[Pieces]) -> bool:
    """Say whether value chips and coloured ones are together in a stack [div9 4.3]."""
    return len({isinstance(each.chip, int) for each in chips}) > 1


def counted(chips: Iterable[Pieces]) -> dict[int | str, int]:
    """Count the pieces of each chip over several stacks."""
    counts: dict[int | str, int] = {}
    for each in chips:
        counts[each.chip] = counts.get(each.chip, 0) + each.count
    return counts


def stacked(counts: Mapping[int | str, int], marked: Mapping[str, int]) -> Chips:
    """Write chips as stacked, from the bottom up: smaller denominations on top [div9 4.3]."""
    pieces = [Pieces(chip, count) for chip, count in counts.items() if count]
    return tuple(sorted(pieces, key=lambda each: _from_below(each.chip, marked)))


def _from_below(chip: int | str, marked: Mapping[str, int]) -> tuple[int, bool, str]:
    return -worth(chip, marked), isinstance(chip, int), str(chip)


def taken_from(chips: Chips, taken: Chips) -> dict[int | str, int] | None:
    """Take pieces out of a stack; None where it does not hold them."""
    left = counted(chips)
    for each in taken:
        left[each.chip] = left.get(each.chip, 0) - each.count
    return None if any(count < 0 for count in left.values()) else left


def fewest_chips(
    amount: int, held: Mapping[int | str, int], marked: Mapping[str, int]
) -> Chips | None:
    """Break an amount into the fewest of the chips that are held, or None if that is impossible.

    A player's own colour is taken before a value chip of the same worth.
    """
    kinds = sorted(
        (chip for chip, count in held.items() if count > 0),
        key=lambda chip: _from_below(chip, marked),
    )
    counts = _fewest_of([(worth(chip, marked), held[chip]) for chip in kinds], amount)
    if counts is None:
        return None
    return tuple(Pieces(chip, count) for chip, count in zip(kinds, counts, strict=False) if count)


def _fewest_of(chips: Sequence[tuple[int, int]], amount: int) -> Sequence[int] | None:
    """Count the fewest pieces, of the largest chips first.

    Where each chip is a multiple of the next smaller one, as almost always, smaller chips can be
    changed exactly for a larger one: taking the largest first gives the fewest, or no, pieces.
    """
    if all(high % low == 0 for (high, _), (low, _) in pairwise(chips)):
        counts = []
        for value, held in chips:
            counts.append(min(held, amount // value))
            amount -= counts[-1] * value
        return None if amount else counts
    search = _Search(chips)
    search.look(0, amount, (), 0)
    return search.best


def plain_chips(amount: int, values: Sequence[int]) -> Chips:
    """Break a multiple of the smallest denomination into the fewest value chips there could be."""
    found = fewest_chips(amount, {value: amount // value for value in values}, {})
    assert found is not None, "the smallest denomination makes up every amount"
    return found

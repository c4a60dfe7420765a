"""The state that only a chip table has: seats, chips, rack and gaming day."""

from collections.abc import Iterable

from msgspec import Struct

from taisai.core.kernel.messages import Delivery
from taisai.core.table.chips.pieces import (
    Chips,
    ChipSet,
    CollectedChips,
    coloured,
    fewest_chips,
    plain_chips,
)


class Stack(Struct, array_like=True):
    """A stack on the layout, as it was recorded; the oldest comes first."""

    seat: str
    box: str
    amount: int
    chips: Chips
    oral: bool = False
    on_behalf: bool = False

    @property
    def called(self) -> bool:
        """Say whether the dealer placed it at the player's call [div9 4.5, 4.6]."""
        return self.oral or self.on_behalf


class RuledBet(Struct, frozen=True, array_like=True, gc=False):
    """A bet on the layout that was ruled on, and how much of it plays [D22]."""

    seat: str
    box: str
    plays: int


class Coloured(Struct, array_like=True):
    """A colour in use: its seat, the value of a piece, and how many pieces are out of the rack."""

    seat: str
    value: int
    out: int = 0


class Day(Struct, array_like=True):
    """An open gaming day: what went in and out, and the win by the books."""

    date: str
    opening: int
    fills: int = 0
    credits: int = 0
    drop: int = 0
    collected: int = 0
    paid: int = 0
    #: Given to players by corrections, less what corrections took.
    corrections: int = 0
    #: Counted beyond the books, in the drop box and at the close.
    difference: int = 0
    #: Whether the table has been open on this day.
    played: bool = False
    #: Whether the drop box has been counted on this day.
    counted: bool = False

    @property
    def book_win(self) -> int:
        """The win by the books so far, with the differences that were counted."""
        return self.collected - self.paid - self.corrections + self.difference

    def win(self, closing: int) -> int:
        """Give the table's win by what was counted."""
        return self.drop + closing - self.opening - self.fills + self.credits


class ChipTable(Struct):
    """Seats, chips and the gaming day of a chip table."""

    chip_set: ChipSet
    #: The value chips in the rack, by denomination.
    rack: dict[int, int] = {}
    colours: dict[str, Coloured] = {}
    #: The seats that are taken, and whether the player has walked away from bets.
    seated: dict[str, bool] = {}
    stacks: list[Stack] = []
    #: Bets by seat and box: advised of the minimum [D28]; of value and colour chips mixed [D22].
    advised: tuple[tuple[str, str], ...] = ()
    mixed: tuple[tuple[str, str], ...] = ()
    #: Rulings on bets that the rules leave to a ruling, as long as their chips are unchanged.
    ruled: tuple[RuledBet, ...] = ()
    #: Whether collecting has begun, and the round is not paid.
    paying: bool = False
    #: The losing bets that are already collected into the rack, and what went back out of it when
    #: the last round was voided.
    collected: tuple[CollectedChips, ...] = ()
    put_back: tuple[CollectedChips, ...] = ()
    #: What reversals took from each seat, and staff have not yet said to be recovered.
    recovering: dict[str, int] = {}
    day: Day | None = None
    last_date: str = ""
    credits_open: dict[str, Delivery] = {}
    #: The pieces of their own colour among what reversals took from each seat.
    pieces_taken: dict[str, int] = {}
    #: Whether the system was away, and staff have not yet said what happened meanwhile [D27].
    interrupted: bool = False

    @property
    def marked(self) -> dict[str, int]:
        """The value of a piece of each colour in use: the display rack [div9 3.4(a)]."""
        return {colour: each.value for colour, each in self.colours.items()}

    def colour_of(self, seat: str) -> str | None:
        """Find a player's own colour."""
        return next((name for name, each in self.colours.items() if each.seat == seat), None)

    def in_front(self, colour: str) -> int:
        """Count the pieces of a colour that are out and not on the layout."""
        staked = sum(coloured(stack.chips).get(colour, 0) for stack in self.stacks)
        for line in self.collected:
            staked -= coloured(line.chips).get(colour, 0) - coloured(line.change).get(colour, 0)
        return self.colours[colour].out - staked

    def coloured_in_front(self, seat: str) -> int:
        """Give what the coloured chips in front of a player are worth."""
        colour = self.colour_of(seat)
        return 0 if colour is None else self.in_front(colour) * self.colours[colour].value

    @property
    def walked_away(self) -> list[str]:
        """List the seats whose players walked away from bets."""
        return [seat for seat, walked in self.seated.items() if walked]

    @property
    def coloured_out(self) -> int:
        """Give what all the coloured chips that are out are worth."""
        return sum(each.value * each.out for each in self.colours.values())

    @property
    def value_chips(self) -> dict[int | str, int]:
        """Give the value chips that the rack has, none of them less than nothing."""
        return {chip: max(0, count) for chip, count in self.rack.items()}

    @property
    def rack_value(self) -> int:
        """Give what the value chips in the rack are worth."""
        return sum(chip * count for chip, count in self.rack.items())


def nothing_owed(chip_table: ChipTable, seat: str) -> None:
    """Forget what was still to be recovered from a seat."""
    chip_table.recovering.pop(seat, None)
    chip_table.pieces_taken.pop(seat, None)


def corrected(chip_table: ChipTable, given: int) -> None:
    """Count what a correction gave to players."""
    if chip_table.day is not None:
        chip_table.day.corrections += given


def put_in(chip_table: ChipTable, chips: Chips, sign: int = 1) -> None:
    """Put chips into the rack, pieces of a colour where they belong."""
    for each in chips:
        if isinstance(each.chip, int):
            chip_table.rack[each.chip] = chip_table.rack.get(each.chip, 0) + sign * each.count
        else:
            chip_table.colours[each.chip].out -= sign * each.count


def take_out(chip_table: ChipTable, chips: Chips) -> None:
    """Take chips out of the rack."""
    put_in(chip_table, chips, sign=-1)


def collect(chip_table: ChipTable, lines: Iterable[CollectedChips]) -> None:
    """Take chips off the layout into the rack, and give change out of it."""
    for line in lines:
        put_in(chip_table, line.chips)
        take_out(chip_table, line.change)


def uncollect(chip_table: ChipTable, lines: Iterable[CollectedChips]) -> None:
    """Put collected chips back on the layout, and take their change back."""
    for line in lines:
        take_out(chip_table, line.chips)
        put_in(chip_table, line.change)


def layout_cleared(chip_table: ChipTable, *, void: bool) -> None:
    """End a round: nothing is on the layout; of a void one, what was collected goes back."""
    chip_table.put_back = chip_table.collected if void else ()
    uncollect(chip_table, chip_table.put_back)
    chip_table.paying = False
    chip_table.collected = ()
    chip_table.stacks = []
    chip_table.advised = chip_table.mixed = ()
    chip_table.ruled = ()


def move(chip_table: ChipTable, amount: int) -> None:
    """Move an amount in or out of the rack in unrecorded chips; a count corrects them."""
    if amount >= 0:
        put_in(chip_table, plain_chips(amount, chip_table.chip_set.values))
        return
    chips = fewest_chips(-amount, chip_table.value_chips, {})
    take_out(
        chip_table, plain_chips(-amount, chip_table.chip_set.values) if chips is None else chips
    )


def day_of(chip_table: ChipTable) -> Day:
    """Give the gaming day that is open."""
    assert chip_table.day is not None, "a gaming day is open"
    return chip_table.day

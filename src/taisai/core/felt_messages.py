"""The words that the commands and events of a felt table share."""

from typing import Literal

from msgspec import Struct

#: Whether bets come through terminals, or a dealer records chips on a felt.
Form = Literal["electronic", "felt"]


class Pieces(Struct, frozen=True, array_like=True, gc=False):
    """So many pieces of one chip: a value chip by its denomination, another by its colour."""

    chip: int | str
    count: int


Chips = tuple[Pieces, ...]


class ChipSet(Struct, frozen=True):
    """The chips of a felt table: denominations, colours with the pieces of each, and its seats."""

    values: tuple[int, ...]
    seats: int
    colours: tuple[str, ...] = ()
    pieces: int = 0

    @property
    def smallest(self) -> int:
        """Tell the smallest denomination; every amount paid is a multiple of it."""
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

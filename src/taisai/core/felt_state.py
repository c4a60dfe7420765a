"""What a felt table keeps beside everything that all tables keep: seats, chips, the gaming day."""

from bisect import bisect_left

from msgspec import Struct

from taisai.core.chips import Chips, ChipSet, coloured
from taisai.core.messages import Delivery


class Lying(Struct, array_like=True):
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


class Coloured(Struct, array_like=True):
    """A colour in use: whose it is, what a piece is worth, and how many are out of the rack."""

    seat: str
    value: int
    out: int = 0


class Day(Struct, array_like=True):
    """A gaming day under way: what went in and out, and what the books say was won."""

    date: str
    opening: int
    fills: int = 0
    credits: int = 0
    drop: int = 0
    collected: int = 0
    paid: int = 0
    #: Given to players to put something right, less what was taken for it.
    corrections: int = 0
    #: Counted beyond what the books said, in the drop box and at the close.
    difference: int = 0
    #: Whether the table has been open on this day.
    played: bool = False
    #: Whether the drop box has been counted on this day.
    counted: bool = False

    def win(self, closing: int) -> int:
        """Tell the table's win by what was counted."""
        return self.drop + closing - self.opening - self.fills + self.credits


class Felt(Struct):
    """Seats, chips and the gaming day of a felt table."""

    chips: ChipSet
    #: The value chips in the rack, by denomination.
    rack: dict[int, int] = {}
    colours: dict[str, Coloured] = {}
    #: The seats that are taken, and whether the player has walked away from bets.
    seated: dict[str, bool] = {}
    #: Of each seat, the last round of everybody who has left it, as far back as rounds are kept.
    left: dict[str, list[int]] = {}
    lying: list[Lying] = []
    #: Whether losing bets are still to be collected and winning ones to be paid.
    paying: bool = False
    #: What is still to be paid out of the rack, less what is to be collected.
    due: int = 0
    kept: dict[str, int] = {}
    #: What reversals took from each seat, and nobody has said yet whether it was had.
    recovering: dict[str, int] = {}
    day: Day | None = None
    last_date: str = ""
    credits_open: dict[str, Delivery] = {}
    #: The pieces of their own colour among what reversals took from each seat.
    pieces_taken: dict[str, int] = {}

    @property
    def marked(self) -> dict[str, int]:
        """Tell what a piece of each colour in use is worth: the display rack [div9 3.4(a)]."""
        return {colour: each.value for colour, each in self.colours.items()}

    def colour_of(self, seat: str) -> str | None:
        """Find a player's own colour."""
        return next((name for name, each in self.colours.items() if each.seat == seat), None)

    def last_round_of(self, seat: str, number: int) -> int | None:
        """Tell the last round of who sat there in a round, if they have left since."""
        ends = self.left.get(seat, [])
        later = bisect_left(ends, number)
        return ends[later] if later < len(ends) else None

    def in_front(self, colour: str) -> int:
        """Count the pieces of a colour that are out and do not lie on the layout."""
        lying = sum(coloured(stack.chips).get(colour, 0) for stack in self.lying)
        return self.colours[colour].out - lying

    def coloured_in_front(self, seat: str) -> int:
        """Tell what the coloured chips in front of a player are worth."""
        colour = self.colour_of(seat)
        return 0 if colour is None else self.in_front(colour) * self.colours[colour].value

    @property
    def coloured_out(self) -> int:
        """Tell what all the coloured chips that are out are worth."""
        return sum(each.value * each.out for each in self.colours.values())

    @property
    def value_chips(self) -> dict[int | str, int]:
        """Tell the value chips that the rack has, none of them less than nothing."""
        return {chip: max(0, count) for chip, count in self.rack.items()}

    @property
    def rack_value(self) -> int:
        """Tell what the value chips in the rack are worth."""
        return sum(chip * count for chip, count in self.rack.items())

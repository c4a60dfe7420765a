"""A chip table as its staff see it: seats and colours, stacks, rack, lists, the gaming day."""

from typing import Literal

from msgspec import Struct

from taisai.core.table.chips.payout import PaidChips
from taisai.core.table.chips.pieces import Chips, CollectedChips
from taisai.core.table.chips.rulings import ToBeRuled

#: Which limit a bet is outside of.
Outside = Literal["maximum", "differential", "minimum"]


class ChipSeat(Struct, frozen=True, gc=False):
    """A seat that is taken: the player's colour, what is known to be in front of them, and bet."""

    seat: str
    away: bool
    colour: str | None
    value: int | None
    pieces: int
    credits: int
    staked: int
    #: The code of the player's session, to be given to them; empty before the cage was read.
    session: str = ""


class ChipStack(Struct, frozen=True, array_like=True, gc=False):
    """All that one player has on one box, as it is stacked."""

    seat: str
    box: str
    amount: int
    chips: Chips
    oral: bool


class LimitNotice(Struct, frozen=True, gc=False):
    """A box outside the limits: by how much, whose, and what the dealer may do about it."""

    box: str
    seat: str | None
    outside: Outside
    amount: int
    sentence: str
    clause: str | None


class BetToRule(Struct, frozen=True, gc=False):
    """A bet that awaits a ruling, with why, and in which steps a part of it may play."""

    seat: str
    box: str
    amount: int
    why: ToBeRuled
    sentence: str
    step: int
    clause: str


class PartPlayed(Struct, frozen=True, gc=False):
    """A bet that was outside the limits when the bets closed: how much of it played, and why."""

    seat: str
    box: str
    stake: int
    playing: int
    sentence: str
    clause: str | None


class PayoutGuide(Struct, frozen=True, gc=False):
    """What goes back on the layout, what to collect, what to pay, in its order; and the fill.

    Something goes back that was collected and is not lost after all: the result was amended, a bet
    was put right, or the round is void.
    """

    round: int
    put_back: tuple[CollectedChips, ...]
    collect: tuple[CollectedChips, ...]
    collected: int
    pay: tuple[PaidChips, ...]
    paid: int
    wanted: Chips
    parts: tuple[PartPlayed, ...]
    more_collect: int = 0
    more_pay: int = 0
    more_parts: int = 0


class SeatMoney(Struct, frozen=True, gc=False):
    """An amount under a name: set aside for a player, to be recovered, or on its way."""

    name: str
    amount: int


class ChipDay(Struct, frozen=True, gc=False):
    """The gaming day under way: what was counted in, what came and went.

    What should be in the drop box is in no message: it is counted by who sees this.
    """

    date: str
    opening: int
    fills: int
    credits: int
    drop: int

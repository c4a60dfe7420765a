"""The words that the commands and events of a felt table share."""

from msgspec import Struct

from taisai.core.chips import Chips


class BoxChips(Struct, frozen=True, array_like=True, gc=False):
    """Chips on a box."""

    box: str
    chips: Chips


class RecordedBet(Struct, frozen=True, array_like=True, gc=False):
    """Chips on a box, and what they are worth at the values marked."""

    box: str
    amount: int
    chips: Chips

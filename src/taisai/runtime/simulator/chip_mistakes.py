"""What people ask of a chip table by mistake: wrong seats, wrong amounts, the wrong time."""

from collections.abc import Iterable

from taisai.core.kernel.messages import Command, LimitsAsked
from taisai.core.table.betting import PlaceBets
from taisai.core.table.chips.collecting import CollectLosers
from taisai.core.table.chips.colours import AssignColour, BuyColour
from taisai.core.table.chips.gaming_day import (
    CloseDay,
    CountDrop,
    OpenDay,
)
from taisai.core.table.chips.layout_bets import (
    AdvisePlayer,
    RecordBets,
    RejectExcess,
)
from taisai.core.table.chips.pieces import BoxChips, Pieces
from taisai.core.table.chips.recovery import RecordRecovery
from taisai.core.table.chips.seats import BuyChips, ExchangeChips
from taisai.core.table.setup import EnrolTerminal, OpenTable, SetLimits


def dealers_mistakes(seat: str, seated: Iterable[str]) -> list[Command]:
    """List what a dealer could ask for that is refused, or comes to nothing."""
    return [
        *(CollectLosers(), PlaceBets(seat, ()), EnrolTerminal(seat, "nowhere")),
        *(RecordBets(seat, ()), ExchangeChips(seat, (), ()), BuyColour(seat, -1)),
        ExchangeChips(seat, (Pieces(10_000, 1),), (Pieces(50, 3),)),
        BuyChips(seat, (Pieces(50_000, 900_000),), 50_000 * 900_000),
        RecordBets(seat, (BoxChips("small", ()),), oral=True),
        *(AdvisePlayer(seat, "small"), AssignColour(seat, "gold", 10_000)),
        *(AssignColour(other, "gold", 10_000) for other in seated),
        RejectExcess(seat, "small", (Pieces(50, 999),)),
        CountDrop(-1, 0),
        CloseDay(()),
    ]


def pits_mistakes(seat: str) -> list[Command]:
    """List what a supervisor could ask for that is refused."""
    return [
        *(OpenDay("2026-13-01", ()), OpenDay("2099-01-01", ()), CountDrop(0, 0)),
        *(CloseDay(()), RecordRecovery(seat, 50, "x")),
        *(SetLimits(LimitsAsked(1_000, 9_000, 10)), OpenTable()),
    ]

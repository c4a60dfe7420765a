"""Mistaken commands at a chip table: wrong seats, wrong amounts, the wrong time."""

from collections.abc import Iterable
from itertools import permutations

from taisai.core.cage.drawer import CloseShift
from taisai.core.kernel.approvals import Approve
from taisai.core.kernel.messages import Actor, Command, LimitsAsked
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
from taisai.core.table.chips.rulings import RefuseLateBet
from taisai.core.table.chips.seats import BuyChips, ExchangeChips
from taisai.core.table.setup import EnrolTerminal, OpenTable, SetLimits
from taisai.runtime.simulator.crowd import STAFF
from taisai.runtime.simulator.venue import SimulatedVenue
from taisai.runtime.streams import CAGE


def dealers_mistakes(seat: str, seated: Iterable[str]) -> list[Command]:
    """List commands of a dealer that are refused, or have no effect."""
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
        RefuseLateBet(seat, "small", (Pieces(50, 1),)),
    ]


def close_anothers_shift(venue: SimulatedVenue) -> None:
    """Have the cashiers close another's shift by themselves, which they may not."""
    cashiers = [Actor(person, "cage") for person in STAFF["cage"]]
    for first, second in permutations(cashiers, 2):
        venue.send(CAGE, first, CloseShift(0))
        pending = venue.cage.pending
        if pending is not None:
            venue.send(CAGE, second, Approve(pending.hash, pending.version))


def pits_mistakes(seat: str) -> list[Command]:
    """List commands of a supervisor that are refused."""
    return [
        *(OpenDay("2026-13-01", ()), OpenDay("2099-01-01", ()), CountDrop(0, 0)),
        *(CloseDay(()), RecordRecovery(seat, 50, "x")),
        *(SetLimits(LimitsAsked(1_000, 9_000, 10)), OpenTable()),
    ]

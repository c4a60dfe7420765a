"""Chip tables in any situation, brought there by people's commands."""

from collections.abc import Callable
from functools import cache
from typing import TypeVar

from taisai.core.cage.drawer import CloseShift, OpenShift
from taisai.core.cage.fills import ReceiveCredit, ReturnFill, SendFill
from taisai.core.kernel.approvals import ApprovalRequested
from taisai.core.kernel.transits import CloseTransit
from taisai.core.table.chips.by_hand import EnterRoundByHand
from taisai.core.table.chips.collecting import CollectLosers
from taisai.core.table.chips.colours import AssignColour, BuyColour, ConvertColour, ReleaseColour
from taisai.core.table.chips.gaming_day import (
    CloseDay,
    CountDrop,
    OpenDay,
    ReceiveFill,
    ReturnCredit,
    SendCredit,
)
from taisai.core.table.chips.layout_bets import (
    AdvisePlayer,
    CorrectRecord,
    PutBetRight,
    RecordBets,
    RejectExcess,
    TakeBackBets,
)
from taisai.core.table.chips.leaving import LeaveSeat
from taisai.core.table.chips.pieces import BoxChips, Chips, ChipSet, Pieces
from taisai.core.table.chips.recovery import RecordRecovery
from taisai.core.table.chips.rulings import RefuseLateBet, RuleOnBet, SeparateStack
from taisai.core.table.chips.seats import BuyChips, ExchangeChips, TakeSeat
from taisai.core.table.corrections import Rule, VoidSettledRounds
from taisai.core.table.interruption import DeclareOutcome, RecordInterruption, ResumePlay
from taisai.core.table.positions import ReleaseUnclaimed
from taisai.core.table.round import ConfirmResult, Settle
from taisai.core.table.setup import (
    CloseTable,
    CreateTable,
    GiveNotice,
    OpenTable,
    RegisterDice,
)
from taisai.core.table.tumble import LiftCover
from tests.kit.tables import Cage, Table, open_cage

AnyTable = TypeVar("AnyTable", bound=Table)

CHIPS = ChipSet((50, 100, 500, 2_500, 10_000), 7, ("pink", "blue"), 100)
FLOAT: Chips = (
    *(Pieces(10_000, 40), Pieces(2_500, 40), Pieces(500, 100)),
    *(Pieces(100, 100), Pieces(50, 100)),
)
HUNDRED: Chips = (Pieces(10_000, 1),)


def bets(**stacks: Chips) -> tuple[BoxChips, ...]:
    """Give stacks by box: `total_9=…`."""
    return tuple(BoxChips(box.replace("_", "-"), chips) for box, chips in stacks.items())


def created(table: AnyTable, chips: ChipSet = CHIPS, name: str = "T1") -> AnyTable:
    """Make a new chip table of a given class, with rules and limits."""
    table.does("system", CreateTable(name, "SGD", chips=chips))
    table.adopted()
    return table


def opened(table: AnyTable, rack: Chips = FLOAT) -> AnyTable:
    """Open a gaming day and the table, without players."""
    table.agrees("supervisor", OpenDay("2026-11-16", rack))
    table.does("supervisor", RegisterDice("D1", "S1"))
    table.prepared().does("supervisor", OpenTable())
    return table


@cache
def _set_up(address: str) -> Table:
    return created(Table(address))


def closed_chip_table(address: str = "ts6/2") -> Table:
    """Make a chip table with rules and limits, without a gaming day."""
    return _set_up(address).copy()


def open_chip_table(address: str = "ts6/2") -> Table:
    """Open a chip table with a float and two players: one with value chips, one with a colour."""
    table = opened(closed_chip_table(address))
    for seat in ("1", "2"):
        table.does("dealer", TakeSeat(seat))
    table.does("dealer", BuyChips("1", (Pieces(10_000, 3), Pieces(2_500, 4)), 40_000))
    table.does("dealer", AssignColour("2", "pink", 500))
    table.does("dealer", BuyColour("2", 40, 20_000))
    return table


def chips_betting(address: str = "ts6/2") -> Table:
    """Put chips of both players on the layout, some outside the limits."""
    table = open_chip_table(address).betting()
    stacks = bets(small=HUNDRED, total_9=(Pieces(2_500, 2),))
    table.does("dealer", RecordBets("1", stacks))
    stacks = bets(
        small=(Pieces("pink", 4),), odd=(Pieces("pink", 1),), triple_2=(Pieces("pink", 2),)
    )
    table.does("dealer", RecordBets("2", stacks))
    return table


def chips_closed(address: str = "ts6/2") -> Table:
    """Close the bets, a spoken one among them if the document allows it."""
    table = chips_betting(address)
    assert table.state.rulebook is not None
    if table.state.rulebook.content.procedure.betting.oral_clause is not None:
        table.does("dealer", RecordBets("1", bets(big=HUNDRED), oral=True))
    return table.closed()


def chips_uncovered(address: str = "ts6/2") -> Table:
    """Lift the cover without an entered result: the reading of the layout is over."""
    table = chips_closed(address).tumbled()
    if not table.state.uncovered:
        table.does("dealer", LiftCover())
    return table


def chips_confirmed(address: str = "ts6/2") -> Table:
    """Confirm a result at a chip table."""
    return chips_betting(address).confirmed(1, 2, 6)


def chips_paying(address: str = "ts6/2") -> Table:
    """Collect a layout that is not yet paid, and from which one player has walked away."""
    table = chips_betting(address)
    table.does("dealer", LeaveSeat("2"))
    table.confirmed(1, 2, 6).ruled().does("dealer", CollectLosers())
    return table


def chips_paid(address: str = "ts6/2") -> Table:
    """Pay the winners, and set aside the money of the player who walked away."""
    table = chips_paying(address)
    table.does("dealer", Settle())
    return table


def chips_walked_from_void(address: str = "ts6/2") -> Table:
    """Void a round from whose bets a player walked away."""
    table = chips_betting(address)
    table.does("dealer", LeaveSeat("2"))
    table.agrees("shift-manager", Rule("a fire alarm", voids_round=True))
    return table


def chips_reversed(address: str = "ts6/2") -> Table:
    """Make an amount to recover by a reversal, if the document has reversals."""
    table = chips_betting(address)
    table.settled(1, 2, 6)
    asked = table.ask("supervisor", VoidSettledRounds(1, "a chipped die"))
    if isinstance(asked, tuple) and isinstance(asked[0], ApprovalRequested):
        table.agrees("supervisor", VoidSettledRounds(1, "a chipped die"))
    return table


def chips_credited(address: str = "ts6/2") -> Table:
    """Send a credit to the cage, and receive a fill."""
    table = open_chip_table(address)
    table.agrees("dealer", ReceiveFill("cage-T1-1", HUNDRED))
    table.agrees("dealer", SendCredit(HUNDRED))
    return table


def chips_emptied(address: str = "ts6/2") -> Table:
    """Let everybody leave and close the table, with drop box and rack still to count."""
    table = chips_paid(address)
    table.does("dealer", GiveNotice())
    table.does("supervisor", CloseTable())
    table.does("dealer", LeaveSeat("1"))
    return table


def chips_counted(address: str = "ts6/2") -> Table:
    """Count the drop box too."""
    table = chips_emptied(address)
    table.agrees("supervisor", CountDrop(60_000, 500))
    return table


def chips_pending(address: str = "ts6/2") -> Table:
    """Make a fill wait for its second person."""
    table = open_chip_table(address)
    table.does("dealer", ReceiveFill("cage-T1-1", HUNDRED))
    return table


def _interrupted(situation: Callable[[str], Table]) -> Callable[[str], Table]:
    def after(address: str) -> Table:
        table = situation(address)
        table.does("system", RecordInterruption("power"))
        return table

    return after


#: Chip tables after an interruption of the system, by the situation at that time.
CHIPS_INTERRUPTED = {
    "ready": _interrupted(open_chip_table),
    "betting": _interrupted(chips_betting),
    "shut": _interrupted(chips_closed),
    "confirmed": _interrupted(chips_confirmed),
    "paying": _interrupted(chips_paying),
}


def everything_at_a_chip_table() -> Table:
    """Produce every event that can happen at chip tables."""
    table = chips_betting("div9/2")
    table.does("dealer", CorrectRecord("1", "total-9", (Pieces(2_500, 1),), "one chip"))
    table.does("dealer", AdvisePlayer("2", "odd"))
    table.does("dealer", TakeBackBets("2", bets(odd=(Pieces("pink", 1),))))
    together = (Pieces("pink", 1), Pieces(500, 1))
    table.does("dealer", RecordBets("2", bets(even=together, total_4=(Pieces("pink", 1),))))
    table.does("dealer", SeparateStack("2", "even"))
    table.does("dealer", AdvisePlayer("2", "total-4"))
    table.does("dealer", RecordBets("1", bets(big=(Pieces(10_000, 11),))))
    table.does("dealer", RejectExcess("1", "big", HUNDRED))
    table.does("dealer", RecordBets("2", bets(total_5=together[:1], total_6=together)))
    table.does("dealer", RecordBets("2", bets(total_7=together)))
    table.closed()
    table.agrees("shift-manager", RuleOnBet("2", "total-5", "returned", "unseen"))
    table.agrees("shift-manager", RuleOnBet("2", "total-6", "plays", "half", 500))
    table.does("shift-manager", RuleOnBet("2", "total-7", "stands", "no doubt whose"))
    putting = PutBetRight("1", "big", "odd", HUNDRED, "moved-by-dealer", "the rake")
    table.agrees("supervisor", putting)
    table.does("dealer", RefuseLateBet("1", "small", HUNDRED, "after the bell"))
    table.entered(1, 2, 6)
    table.does("dealer", ConfirmResult())
    table.does("dealer", CollectLosers())
    table.does("dealer", Settle())
    table.does("dealer", ExchangeChips("1", HUNDRED, (Pieces(2_500, 4),)))
    table.does("dealer", ConvertColour("2", 1))
    table.does("dealer", TakeSeat("3"))
    table.does("dealer", AssignColour("3", "blue", 500))
    table.does("dealer", ReleaseColour("3"))
    told = table.told
    counted = chips_counted()
    counted.agrees("supervisor", CloseDay(()))
    kept = chips_paid()
    kept.does("system", ReleaseUnclaimed("cage-T1-9", "2@1", kept.state.unclaimed["2@1"]))
    missed = chips_reversed()
    missed.agrees("dealer", RecordRecovery("1", 100, "gone"))
    returned = chips_credited()
    assert returned.state.chips is not None
    returned.agrees("dealer", ReturnCredit(next(iter(returned.state.chips.credits_open)), ()))
    by_hand = CHIPS_INTERRUPTED["betting"]("ts6/2")
    by_hand.agrees("supervisor", EnterRoundByHand((1, 2, 6), ()))
    by_hand.agrees("supervisor", ResumePlay("as it was"))
    testified = CHIPS_INTERRUPTED["betting"]("ts6/2")
    testified.agrees("supervisor", DeclareOutcome((1, 2, 6), ("closed", "tumbled")))
    for other in (counted, kept, missed, returned, by_hand, testified):
        told += other.told
    return table


def cage_with_fills() -> Cage:
    """Make a cage with a fill in transit, a received credit, and an open shift."""
    cage = open_cage(shift=False)
    for role_command in (
        SendFill("T1", HUNDRED),
        ReceiveCredit("T1-9", "T1", HUNDRED),
        OpenShift(100_000),
    ):
        cage.does("cage", role_command)
        cage.does("supervisor", cage.approval())
    return cage


def cage_with_shifts_closed() -> Cage:
    """Close two shifts, the second by another person; receive one fill, and return one."""
    cage = cage_with_fills()
    cage.does("system", CloseTransit(next(iter(cage.state.fills_open))))
    cage.does("cage", SendFill("T1", HUNDRED))
    cage.does("supervisor", cage.approval())
    cage.does("cage", ReturnFill(next(iter(cage.state.fills_open)), ()))
    cage.does("supervisor", cage.approval())
    for command, person in (
        (CloseShift(99_000), None),
        (OpenShift(99_000), None),
        (CloseShift(99_000), "Cora"),
    ):
        cage.does("cage", command, person)
        cage.does("supervisor", cage.approval())
    return cage

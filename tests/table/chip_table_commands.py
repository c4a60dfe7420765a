"""Commands at a chip table, and at the cage for one: in their right form, and in strange ones."""

from taisai.core.cage.drawer import CloseShift, OpenShift
from taisai.core.cage.fills import ReceiveCredit, ReturnFill, SendFill
from taisai.core.kernel.transits import CloseTransit
from taisai.core.streams import CageCommand, TableCommand
from taisai.core.table.chips.by_hand import EnterRoundByHand, SeatPaid, SeatStack
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
from taisai.core.table.chips.seats import BuyChips, ExchangeChips, TakeSeat
from taisai.core.table.positions import ReleaseUnclaimed
from taisai.core.table.setup import CreateTable

HUGE = 10**30
STRANGE = ("", " ", "\x00", "terminal:7", "骰寶", "x" * 5_000)
SEATS = ("1", "2", "3", "8", "01", *STRANGE)
COUNTS = (1, 0, -1, 17, HUGE, -HUGE)
AMOUNTS = (10_000, 500, 50, 0, 1, -1_000, 10**24, HUGE)
STACKS: tuple[Chips, ...] = (
    (Pieces(10_000, 1),),
    (Pieces(2_500, 2), Pieces(500, 1)),
    (Pieces("pink", 1),),
    (Pieces("pink", 4), Pieces(100, 1)),
    (Pieces("pink", 90),),
    (Pieces("blue", 1),),
    (Pieces(50, 1),),
    (),
    (Pieces(10_000, 1), Pieces(10_000, 1)),
    *((Pieces(10_000, count),) for count in COUNTS[1:]),
    *((Pieces(chip, 1),) for chip in (0, -100, 300, HUGE, *STRANGE)),
    tuple(Pieces(number, 1) for number in range(1, 60)),
)
BOXES = ("small", "odd", "big", "total-9", "triple-2", "domino-21", *STRANGE)


def _on(box: str, chips: Chips) -> tuple[BoxChips, ...]:
    return (BoxChips(box, chips),)


_DICE = (1, 2, 6)
BY_HAND = (
    EnterRoundByHand(_DICE, ()),
    *(EnterRoundByHand(faces, ()) for faces in ((), (1, 2), (0, 1, 2), (HUGE, 1, 1))),
    *(EnterRoundByHand(_DICE, (SeatPaid("1", amount),)) for amount in AMOUNTS),
    *(EnterRoundByHand(_DICE, (SeatPaid(seat, 500),) * 2) for seat in SEATS),
    *(EnterRoundByHand(_DICE, (), (SeatStack("1", "small", chips),)) for chips in STACKS),
    *(EnterRoundByHand(_DICE, (), (SeatStack(seat, "big", STACKS[0]),)) for seat in SEATS),
    *(EnterRoundByHand(_DICE, (), (SeatStack("2", box, STACKS[2]),)) for box in BOXES),
    EnterRoundByHand(_DICE, (), (SeatStack("1", "small", STACKS[0]),) * 300),
    EnterRoundByHand(_DICE, (), (), "x" * 5_000),
)

CHIP_SETS = (
    ChipSet((100, 500), 7, ("pink",), 100),
    ChipSet((), 7),
    ChipSet((100, 250), 7),
    ChipSet((HUGE,), 7),
    ChipSet((100,), HUGE),
    *(ChipSet((100,), 7, (name,), 100) for name in STRANGE),
)

AT_CHIP_TABLE: tuple[TableCommand, ...] = (
    *BY_HAND,
    *(CreateTable("T2", "SGD", chips=chips) for chips in CHIP_SETS),
    CreateTable("T2", "SGD", handpay_threshold=5, chips=CHIP_SETS[0]),
    *(TakeSeat(seat) for seat in SEATS),
    *(LeaveSeat(seat, converts) for seat in SEATS for converts in (False, True)),
    *(BuyChips(seat, STACKS[0], 10_000) for seat in SEATS),
    *(BuyChips("1", chips, 10_000) for chips in STACKS),
    *(BuyChips("1", STACKS[0], amount, 10_000 - amount) for amount in AMOUNTS),
    *(ExchangeChips(seat, STACKS[0], (Pieces(2_500, 4),)) for seat in SEATS),
    *(ExchangeChips("1", chips, STACKS[0]) for chips in STACKS),
    *(ExchangeChips("1", STACKS[0], chips) for chips in STACKS),
    *(AssignColour(seat, "blue", 500) for seat in SEATS),
    *(AssignColour("1", colour, 500) for colour in ("pink", *STRANGE)),
    *(AssignColour("1", "blue", amount) for amount in AMOUNTS),
    *(BuyColour(seat, 2, 1_000) for seat in SEATS),
    *(BuyColour("2", count, max(0, count) * 500) for count in (*COUNTS, 61)),
    *(BuyColour("2", 2, amount) for amount in AMOUNTS),
    *(BuyColour("2", 20, 0, chips) for chips in STACKS),
    *(ConvertColour(seat, 1) for seat in SEATS),
    *(ConvertColour("2", count) for count in COUNTS),
    *(ReleaseColour(seat) for seat in SEATS),
    *(RecordBets(seat, _on("small", STACKS[0])) for seat in SEATS),
    *(RecordBets("2", _on("small", chips)) for chips in STACKS),
    *(RecordBets("1", _on(box, STACKS[0])) for box in BOXES),
    RecordBets("1", _on("small", STACKS[0]), oral=True),
    RecordBets("1", _on("small", ()), oral=True),
    RecordBets("1", _on("small", STACKS[0]), on_behalf=True),
    RecordBets("1", _on("small", STACKS[0]), oral=True, on_behalf=True),
    RecordBets("1", ()),
    RecordBets("1", _on("small", STACKS[0]) * 201),
    *(CorrectRecord("2", "small", chips, "again") for chips in STACKS),
    *(CorrectRecord("1", box, STACKS[0], "again") for box in BOXES),
    *(CorrectRecord("1", "small", STACKS[0], note) for note in STRANGE),
    *(TakeBackBets(seat, _on("small", STACKS[0])) for seat in SEATS),
    *(TakeBackBets("2", _on("small", chips)) for chips in STACKS),
    TakeBackBets("1", _on("small", STACKS[0]) * 2),
    TakeBackBets("1", ()),
    *(RejectExcess(seat, "small", STACKS[0]) for seat in SEATS),
    *(RejectExcess("2", "small", chips) for chips in STACKS),
    *(RejectExcess("1", box, STACKS[0]) for box in BOXES),
    *(AdvisePlayer(seat, "odd") for seat in SEATS),
    *(AdvisePlayer("2", box) for box in BOXES),
    *(PutBetRight("1", "small", box, STACKS[0], "moved-by-patron", "x") for box in BOXES),
    *(PutBetRight("1", box, "odd", STACKS[0], "touching-line", "x") for box in BOXES),
    *(PutBetRight(seat, "small", "odd", STACKS[0], "moved-by-dealer", "x") for seat in SEATS),
    *(PutBetRight("2", "small", "odd", chips, "moved-by-dealer", "x") for chips in STACKS),
    *(PutBetRight("1", "small", "odd", STACKS[0], "touching-line", n) for n in STRANGE),
    CollectLosers(),
    *(ReleaseUnclaimed("cage-T1-9", kept, 100) for kept in ("2@1", *STRANGE)),
    *(ReleaseUnclaimed("cage-T1-9", "2@1", amount) for amount in AMOUNTS),
    *(RecordRecovery(seat, 100, "x") for seat in SEATS),
    *(RecordRecovery("1", amount, "x") for amount in AMOUNTS),
    *(RecordRecovery("1", 100, note) for note in STRANGE),
    *(
        OpenDay(date, STACKS[0])
        for date in ("2026-11-17", "2026-11-16", "20261117", "2062-11-16", *STRANGE)
    ),
    *(OpenDay("2026-11-17", chips) for chips in STACKS),
    *(ReceiveFill(transit, STACKS[0]) for transit in ("cage-T1-1", "cage-T1-9", *STRANGE)),
    *(ReceiveFill("cage-T1-9", chips) for chips in STACKS),
    *(SendCredit(chips) for chips in STACKS),
    *(ReturnCredit(transit, STACKS[0]) for transit in ("T1-9", *STRANGE)),
    *(ReturnCredit("T1-9", chips) for chips in STACKS),
    *(CountDrop(amount, 0) for amount in AMOUNTS),
    *(CountDrop(0, amount) for amount in AMOUNTS),
    *(CloseDay(chips) for chips in STACKS),
)

FOR_CHIP_TABLE: tuple[CageCommand, ...] = (
    *(SendFill("T1", chips) for chips in STACKS),
    *(SendFill(table, STACKS[0]) for table in STRANGE),
    *(ReceiveCredit("T1-77", "T1", chips) for chips in STACKS),
    *(ReceiveCredit(name, name, STACKS[0]) for name in ("T1-9", "cage-T1-1", *STRANGE)),
    *(ReturnFill("cage-T1-2", chips) for chips in STACKS),
    *(ReturnFill(name, STACKS[0]) for name in ("T1-9", *STRANGE)),
    *(OpenShift(amount) for amount in AMOUNTS),
    *(CloseShift(amount) for amount in AMOUNTS),
    CloseTransit("cage-T1-2"),
    CloseTransit("cage-T1-1"),
)

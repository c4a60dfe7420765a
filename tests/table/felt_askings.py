"""What can be asked at a felt table and of the cage for one, as it should be and as it may come."""

from taisai.core import commands as c
from taisai.core.chips import Chips, ChipSet, Pieces
from taisai.core.felt_messages import BoxChips

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


CHIP_SETS = (
    ChipSet((100, 500), 7, ("pink",), 100),
    ChipSet((), 7),
    ChipSet((100, 250), 7),
    ChipSet((HUGE,), 7),
    ChipSet((100,), HUGE),
    *(ChipSet((100,), 7, (name,), 100) for name in STRANGE),
)

AT_FELT: tuple[c.TableCommand, ...] = (
    *(c.CreateTable("T2", "SGD", form="felt", chips=chips) for chips in CHIP_SETS),
    c.CreateTable("T2", "SGD", form="felt"),
    c.CreateTable("T2", "SGD", chips=CHIP_SETS[0]),
    c.CreateTable("T2", "SGD", lock_above=5, form="felt", chips=CHIP_SETS[0]),
    *(c.TakeSeat(seat) for seat in SEATS),
    *(c.LeaveSeat(seat) for seat in SEATS),
    *(c.BuyChips(seat, STACKS[0], 10_000) for seat in SEATS),
    *(c.BuyChips("1", chips, 10_000) for chips in STACKS),
    *(c.BuyChips("1", STACKS[0], amount, 10_000 - amount) for amount in AMOUNTS),
    *(c.ExchangeChips(seat, STACKS[0], (Pieces(2_500, 4),)) for seat in SEATS),
    *(c.ExchangeChips("1", chips, STACKS[0]) for chips in STACKS),
    *(c.ExchangeChips("1", STACKS[0], chips) for chips in STACKS),
    *(c.AssignColour(seat, "blue", 500) for seat in SEATS),
    *(c.AssignColour("1", colour, 500) for colour in ("pink", *STRANGE)),
    *(c.AssignColour("1", "blue", amount) for amount in AMOUNTS),
    *(c.BuyColour(seat, 2, 1_000) for seat in SEATS),
    *(c.BuyColour("2", count, max(0, count) * 500) for count in (*COUNTS, 61)),
    *(c.BuyColour("2", 2, amount) for amount in AMOUNTS),
    *(c.BuyColour("2", 20, 0, chips) for chips in STACKS),
    *(c.ConvertColour(seat, 1) for seat in SEATS),
    *(c.ConvertColour("2", count) for count in COUNTS),
    *(c.ReleaseColour(seat) for seat in SEATS),
    *(c.RecordBets(seat, _on("small", STACKS[0])) for seat in SEATS),
    *(c.RecordBets("2", _on("small", chips)) for chips in STACKS),
    *(c.RecordBets("1", _on(box, STACKS[0])) for box in BOXES),
    c.RecordBets("1", _on("small", STACKS[0]), oral=True),
    c.RecordBets("1", _on("small", ()), oral=True),
    c.RecordBets("1", _on("small", STACKS[0]), on_behalf=True),
    c.RecordBets("1", _on("small", STACKS[0]), oral=True, on_behalf=True),
    c.RecordBets("1", ()),
    c.RecordBets("1", _on("small", STACKS[0]) * 201),
    *(c.CorrectRecord("2", "small", chips, "again") for chips in STACKS),
    *(c.CorrectRecord("1", box, STACKS[0], "again") for box in BOXES),
    *(c.CorrectRecord("1", "small", STACKS[0], note) for note in STRANGE),
    *(c.TakeBackBets(seat, _on("small", STACKS[0])) for seat in SEATS),
    *(c.TakeBackBets("2", _on("small", chips)) for chips in STACKS),
    c.TakeBackBets("1", _on("small", STACKS[0]) * 2),
    c.TakeBackBets("1", ()),
    *(c.RejectExcess(seat, "small", STACKS[0]) for seat in SEATS),
    *(c.RejectExcess("2", "small", chips) for chips in STACKS),
    *(c.RejectExcess("1", box, STACKS[0]) for box in BOXES),
    *(c.AdvisePlayer(seat, "odd") for seat in SEATS),
    *(c.AdvisePlayer("2", box) for box in BOXES),
    *(c.PutBetRight("1", "small", box, STACKS[0], "moved-by-patron", "x") for box in BOXES),
    *(c.PutBetRight("1", box, "odd", STACKS[0], "touching-line", "x") for box in BOXES),
    *(c.PutBetRight(seat, "small", "odd", STACKS[0], "moved-by-dealer", "x") for seat in SEATS),
    *(c.PutBetRight("2", "small", "odd", chips, "moved-by-dealer", "x") for chips in STACKS),
    *(c.PutBetRight("1", "small", "odd", STACKS[0], "touching-line", n) for n in STRANGE),
    c.PayWinners(),
    *(c.PayKept(kept) for kept in ("2@1", *STRANGE)),
    *(c.RecordRecovery(seat, 100, "x") for seat in SEATS),
    *(c.RecordRecovery("1", amount, "x") for amount in AMOUNTS),
    *(c.RecordRecovery("1", 100, note) for note in STRANGE),
    *(
        c.OpenDay(date, STACKS[0])
        for date in ("2026-11-17", "2026-11-16", "20261117", "2062-11-16", *STRANGE)
    ),
    *(c.OpenDay("2026-11-17", chips) for chips in STACKS),
    *(c.ReceiveFill(transit, STACKS[0]) for transit in ("cage-F1", "cage-F9", *STRANGE)),
    *(c.ReceiveFill("cage-F9", chips) for chips in STACKS),
    *(c.SendCredit(chips) for chips in STACKS),
    *(c.ReturnCredit(transit, STACKS[0]) for transit in ("T1-9", *STRANGE)),
    *(c.ReturnCredit("T1-9", chips) for chips in STACKS),
    *(c.CountDrop(amount, 0) for amount in AMOUNTS),
    *(c.CountDrop(0, amount) for amount in AMOUNTS),
    *(c.CloseDay(chips) for chips in STACKS),
)

FOR_FELT: tuple[c.CageCommand, ...] = (
    *(c.SendFill("T1", chips) for chips in STACKS),
    *(c.SendFill(table, STACKS[0]) for table in STRANGE),
    *(c.ReceiveCredit("T1-77", "T1", chips) for chips in STACKS),
    *(c.ReceiveCredit(name, name, STACKS[0]) for name in ("T1-9", "cage-F1", *STRANGE)),
    *(c.ReturnFill("cage-F2", chips) for chips in STACKS),
    *(c.ReturnFill(name, STACKS[0]) for name in ("T1-9", *STRANGE)),
    *(c.OpenShift(amount) for amount in AMOUNTS),
    *(c.CloseShift(amount) for amount in AMOUNTS),
    c.CloseTransit("cage-F2"),
    c.CloseTransit("cage-F1"),
)

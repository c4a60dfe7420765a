"""A layout forged, or dealt by a broken core: bets put right, late, separated, ruled on."""

from typing import Any

import pytest

from taisai.core.kernel import decider
from taisai.core.streams import TableEvent
from taisai.core.table.chips import layout_bets
from taisai.core.table.chips.colours import AssignColour, BuyColour
from taisai.core.table.chips.layout_bets import PutBetRight, RecordBets
from taisai.core.table.chips.pieces import Pieces, RecordedBet
from taisai.core.table.chips.rulings import (
    BetRuled,
    LateBetRefused,
    RefuseLateBet,
    RuleOnBet,
    SeparateStack,
    StackSeparated,
)
from taisai.core.table.chips.seats import TakeSeat
from taisai.core.table.round import BetsClosed, ConfirmResult
from taisai.runtime.auditor import AuditError
from tests.kit.chip_tables import HUNDRED, bets, created, opened
from tests.simulated.forging import edit
from tests.simulated.recorded import Decided, RecordedTable
from tests.simulated.test_forged_chip_table import AuditedChipTable


class AuditedDivision9(AuditedChipTable):
    """The same by Division 9, where a bet may be put right."""

    def __init__(self) -> None:
        RecordedTable.__init__(self, "div9/2")
        opened(created(self)).does("dealer", TakeSeat("1"))


def moved(reason: str) -> PutBetRight:
    """Give the command that moves 100.00 from Small to Odd."""
    return PutBetRight("1", "small", "odd", HUNDRED, reason, "the rake")  # type: ignore[arg-type]


@pytest.mark.parametrize("how", [{"oral": True}, {"on_behalf": True}])
def test_a_call_bet_that_is_put_right_is_caught(
    how: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout_bets, "_is_call_bet", lambda *_: False)
    table = AuditedDivision9()
    table.betting()
    table.does("dealer", RecordBets("1", bets(small=HUNDRED), **how))
    table.closed()
    table.agrees("supervisor", moved("moved-by-dealer"))
    with pytest.raises(AuditError, match="a call bet was put right"):
        table.audit()


def test_a_players_own_bet_and_a_call_bet_on_a_line_are_put_right() -> None:
    table = AuditedDivision9()
    table.betting()
    table.does("dealer", RecordBets("1", bets(small=HUNDRED)))
    table.does("dealer", RecordBets("1", bets(small=HUNDRED), oral=True))
    table.closed()
    table.agrees("supervisor", moved("moved-by-dealer"))
    table.agrees("supervisor", moved("touching-line"))
    table.audit()


class Layout(AuditedDivision9):
    """A layout with a mixed stack, a bet over the maximum, and chips that came late."""

    def __init__(self) -> None:
        super().__init__()
        self.does("dealer", AssignColour("1", "pink", 500))
        self.does("dealer", BuyColour("1", 10, 5_000))
        self.betting()
        both = (Pieces("pink", 1), Pieces(500, 1))
        self.does("dealer", RecordBets("1", bets(small=both, odd=both, big=(Pieces(10_000, 11),))))
        self.does("dealer", SeparateStack("1", "odd"))
        self.closed()
        self.does("dealer", RefuseLateBet("1", "even", HUNDRED, "thrown in"))
        self.does("shift-manager", RuleOnBet("1", "small", "stands", "no doubt whose"))
        self.entered(1, 2, 6)
        half = RuleOnBet("1", "big", "plays", "as on the sign", 100_000)
        self.agrees("shift-manager", half)
        self.does("dealer", ConfirmResult())


def test_a_layout_with_bets_that_were_ruled_on_is_in_order() -> None:
    table = Layout()
    table.paid()
    table.audit()


@pytest.mark.parametrize(
    ("kind", "changed", "sentence"),
    [
        (LateBetRefused, {"irregularity": "over-limit"}, "a late bet was refused by"),
        (LateBetRefused, {"clause": "4.9"}, "a late bet was refused by 4.9"),
        (LateBetRefused, {"seat": "6"}, "nobody sits at 6"),
        (
            LateBetRefused,
            {"bet": RecordedBet("even", 9_000, HUNDRED)},
            "was refused as late",
        ),
        (StackSeparated, {"box": "big"}, "a stack of seat 1 on big was separated"),
        (StackSeparated, {"clause": "4.9"}, "a stack was separated by 4.9"),
        (BetRuled, {"why": "mixed-stack"}, "of seat 1, which awaits none .mixed-stack."),
        (BetRuled, {"clause": "4.3"}, "a bet was ruled on by 4.3"),
        (BetRuled, {"note": " "}, "a bet was ruled on by D6"),
        (BetRuled, {"plays": 110_000}, "110000 plays, as it plays"),
        (BetRuled, {"plays": 0}, "0 plays, as it plays"),
        (BetRuled, {"plays": 90_000}, "100000. was collected, and .* 90000. is lost"),
        (BetRuled, {"verdict": "returned"}, "100000 plays, as it returned"),
        (BetRuled, {"verdict": "returned", "plays": 0}, "was collected, and {} lay there"),
        (
            BetRuled,
            {"bet": RecordedBet("big", 10_000, HUNDRED)},
            "of 110000 on big 100000 plays",
        ),
    ],
)
def test_a_forged_late_bet_separation_or_ruling_is_caught(
    kind: type[TableEvent], changed: dict[str, Any], sentence: str
) -> None:
    table = Layout()
    table.paid()
    table.forges(kind, lambda event: edit(event, **changed))
    with pytest.raises(AuditError, match=sentence):
        table.audit()


def test_a_late_bet_before_the_close_is_caught() -> None:
    table = Layout()
    late = next(each for each in table.seen if isinstance(each.events[0], LateBetRefused))
    table.seen.remove(late)
    closes = next(
        place for place, each in enumerate(table.seen) if isinstance(each.events[0], BetsClosed)
    )
    table.seen.insert(closes, late)
    with pytest.raises(AuditError, match="LateBetRefused while the table is betting"):
        table.audit()


@pytest.mark.parametrize("left_out", [0, 1])
def test_a_payment_before_the_ruling_is_caught(left_out: int) -> None:
    table = Layout()
    table.seen.remove(
        [each for each in table.seen if isinstance(each.events[-1], BetRuled)][left_out]
    )
    table.paid()
    with pytest.raises(AuditError, match="LosersCollected before a ruling on"):
        table.audit()


def test_a_ruling_by_one_person_once_dice_are_seen_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = AuditedDivision9()
    table.betting()
    table.does("dealer", RecordBets("1", bets(small=(Pieces(10_000, 11),))))
    table.closed().entered(1, 2, 6)
    monkeypatch.setattr(decider, "_waits", lambda *_: False)
    table.does("shift-manager", RuleOnBet("1", "small", "stands", "unseen"))
    with pytest.raises(AuditError, match="a bet was ruled on without a second person"):
        table.audit()


def test_a_ruling_by_somebody_else_is_caught() -> None:
    table = AuditedDivision9()
    table.betting()
    table.does("dealer", RecordBets("1", bets(small=(Pieces(10_000, 11),))))
    table.closed().does("shift-manager", RuleOnBet("1", "small", "stands", "unseen"))
    stream, events, at, _ = table.seen[-1]
    table.seen[-1] = Decided(stream, events, at, "supervisor")
    with pytest.raises(AuditError, match="a bet was ruled on by a supervisor"):
        table.audit()

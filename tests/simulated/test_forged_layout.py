"""A layout played by a broken core: call bets put right, limits changed before the payment."""

from typing import Any

import pytest

from taisai.core.table.chips import layout_bets
from taisai.core.table.chips.gaming_day import OpenDay
from taisai.core.table.chips.layout_bets import PutBetRight, RecordBets
from taisai.core.table.chips.seats import TakeSeat
from taisai.core.table.setup import CreateTable, OpenTable, RegisterDice
from taisai.runtime.auditor import AuditError
from tests.kit.chip_tables import CHIPS, FLOAT, HUNDRED, bets
from tests.kit.tables import Table
from tests.simulated.recorded import Decided
from tests.simulated.test_forged_chip_table import AuditedChipTable


class AuditedDivision9(AuditedChipTable):
    """The same by Division 9, where a bet may be put right."""

    def __init__(self) -> None:
        Table.__init__(self, "div9/2")
        self.seen: list[Decided] = []
        self.does("system", CreateTable("T1", "SGD", form="chips", chips=CHIPS))
        self.adopted()
        self.agrees("supervisor", OpenDay("2026-11-16", FLOAT))
        self.does("supervisor", RegisterDice("D1", "S1"))
        self.prepared()
        self.does("supervisor", OpenTable())
        self.does("dealer", TakeSeat("1"))


def moved(reason: str) -> PutBetRight:
    """Ask for 100.00 on Small to be put on Odd."""
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

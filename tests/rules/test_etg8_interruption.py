"""Sic Bo (Electronic Table Game) interrupted: an outcome concludes the round, none voids it.

Amounts are minor units.
"""

from taisai.core.kernel.messages import Equipment
from taisai.core.table.betting import RoundVoided
from taisai.core.table.interruption import DeclareOutcome, InterruptionRecorded, RecordInterruption
from taisai.core.table.round import ConfirmResult, Settle
from tests.kit.tables import open_table

ETG8 = "etg8/2"


def test_5_1_1_an_outcome_is_declared_only_of_dice_that_were_tumbled() -> None:
    table = open_table(ETG8).betting(t7={"small": 3_000}).closed()
    table.does("system", RecordInterruption())
    refused = ("TUMBLE_NOT_TESTIFIED", "3.6")
    assert table.refuses("supervisor", DeclareOutcome((1, 2, 6))) == refused
    table.agrees("supervisor", DeclareOutcome((1, 2, 6), ("tumbled",)), "dealer")
    table.does("dealer", ConfirmResult())
    table.does("dealer", Settle())
    assert table.credits() == 103_000


def test_5_1_1_nobody_testifies_to_what_a_device_would_have_recorded() -> None:
    table = open_table(ETG8, equipment=Equipment("reader")).betting(t7={"small": 3_000}).closed()
    table.does("system", RecordInterruption())
    for declared in (DeclareOutcome((1, 2, 6)), DeclareOutcome((1, 2, 6), ("tumbled",))):
        assert table.refuses("supervisor", declared) == ("NOT_TUMBLED", "3.6")


def test_5_1_2_bets_still_open_at_the_stop_are_void_at_once() -> None:
    table = open_table(ETG8).betting(t7={"small": 3_000})
    ruled, void = table.does("system", RecordInterruption("power"))
    assert ruled == InterruptionRecorded("void-round", "5.1.2", "power")
    assert isinstance(void, RoundVoided)
    assert (void.clause, table.credits()) == ("5.1.2", 100_000)

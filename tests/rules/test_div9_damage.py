"""Damaged dice by Division 9: a malfunction, which stops the game and voids nothing by itself.

Amounts are minor units; terminals 7 and 8 have 100000 each.
"""

from taisai.core.table.betting import RoundVoided
from taisai.core.table.corrections import Rule, VoidSettledRounds
from taisai.core.table.damage import DiceQuarantined, ReportDamage
from taisai.core.table.opening import ReadSeal
from taisai.core.table.round import CloseBets, ConfirmResult
from taisai.core.table.setup import (
    DeclareSafeProcedure,
    Rectify,
    RegisterDice,
    TableStopped,
)
from taisai.core.table.tumble import RecordTumble
from tests.kit.chip_tables import chips_betting
from tests.kit.tables import Table, open_table

DIV9 = "div9/2"
CHIPPED = ReportDamage("a chipped die")


def another_set(table: Table) -> None:
    """Bring a new set of dice to the table, and read its seal."""
    table.does("supervisor", RegisterDice("D2", "S2"))
    table.does("supervisor", ReadSeal("S2", intact=True))


def test_7_4_damage_is_a_malfunction_that_stops_the_game_and_voids_nothing_by_itself() -> None:
    table = open_table(DIV9).betting(t7={"small": 5_000})
    quarantined, stopped = table.does("dealer", CHIPPED)
    assert isinstance(quarantined, DiceQuarantined)
    assert isinstance(stopped, TableStopped)
    assert (stopped.clause, table.live("7")) == ("7.4", 5_000)
    # The spin under way is finished by its dice, or ruled on: the document has no void for it [D6].
    table.does("dealer", CloseBets(bell=True))
    table.entered(1, 2, 6).does("dealer", ConfirmResult())
    table.paid()
    assert table.credits("7") == 105_000


def test_7_4_no_further_game_begins_with_damaged_dice_until_it_is_rectified() -> None:
    table = open_table(DIV9)
    table.does("dealer", CHIPPED)
    assert table.refuses("dealer", RecordTumble(3)) == ("TABLE_STOPPED", "7.4")
    table.does("supervisor", Rectify("another set"))
    # Mended or not, the damaged set is out of play.
    assert table.refuses("dealer", RecordTumble(3))[0] == "NO_DICE"
    another_set(table)
    table.betting()


def test_7_4_procedures_that_are_safe_let_the_game_go_on_with_another_set() -> None:
    table = open_table(DIV9)
    table.does("dealer", CHIPPED)
    another_set(table)
    assert table.refuses("dealer", RecordTumble(3)) == ("TABLE_STOPPED", "7.4")
    table.agrees("supervisor", DeclareSafeProcedure("each die is shown before the spin"))
    table.betting()


def test_7_4_rounds_that_damaged_dice_touched_are_a_ruling() -> None:
    table = chips_betting(DIV9)
    table.does("dealer", CHIPPED)
    void = VoidSettledRounds(1, "a chipped die")
    assert table.refuses("supervisor", void) == ("SHIFT_MANAGER_RULES", "D6")
    *_, voided = table.agrees("shift-manager", Rule("a chipped die", voids_round=True))
    assert isinstance(voided, RoundVoided)
    assert (table.live("1"), table.live("2")) == (0, 0)


def test_7_4_damage_is_reported_with_what_was_seen() -> None:
    table = open_table(DIV9)
    assert table.refuses("dealer", ReportDamage(" "))[0] == "NOTE_MISSING"
    table.does("dealer", CHIPPED)
    assert table.refuses("dealer", CHIPPED)[0] == "NO_DICE"
    assert table.refuses("dealer", ReportDamage("again", "D1"))[0] == "DICE_QUARANTINED"

"""Damaged dice by the electronic document: out of play, and every round they touched is void.

Amounts are minor units; terminals 7 and 8 have 100000 each.
"""

from taisai.core.kernel.approvals import ApprovalRequested
from taisai.core.table.betting import RoundVoided
from taisai.core.table.corrections import RoundsReversed, VoidSettledRounds
from taisai.core.table.damage import DiceQuarantined, FindUndamaged, ReportDamage
from taisai.core.table.irregularities import IrregularityReported
from taisai.core.table.round import OpenBets
from taisai.core.table.setup import RegisterDice
from taisai.core.table.tumble import RecordTumble
from tests.kit.tables import open_table

ETG8 = "etg8/2"
CHIPPED = ReportDamage("a chipped die")


def test_5_4_damaged_dice_are_quarantined_and_the_round_under_way_is_void() -> None:
    table = open_table(ETG8).betting(t7={"small": 5_000})
    quarantined, *_, voided = table.does("dealer", CHIPPED)
    assert isinstance(quarantined, DiceQuarantined)
    assert (quarantined.dice_set, quarantined.clause) == ("D1", "5.4")
    assert isinstance(voided, RoundVoided)
    assert (voided.code, voided.clause, table.credits("7")) == ("damaged-dice", "5.4", 100_000)
    assert table.refuses("dealer", OpenBets()) == ("NO_DICE", "5.4")
    for name, seal in (("D1", "S2"), ("D2", "S1")):
        assert table.refuses("supervisor", RegisterDice(name, seal))[0] == "DICE_QUARANTINED"
    table.does("supervisor", RegisterDice("D2", "S2"))
    table.betting()


def test_5_4_all_rounds_that_the_dice_touched_are_void() -> None:
    table = open_table(ETG8)
    # Twice 50.00 on Small, at 1 to 1: won on 1, 2, 6, lost on 6, 5, 5.
    for faces in ((1, 2, 6), (6, 5, 5)):
        table.betting(t7={"small": 5_000})
        table.settled(*faces)
    table.betting(t8={"big": 7_000})
    table.does("dealer", CHIPPED)
    *_, reversed_ = table.agrees("supervisor", VoidSettledRounds(1, "a chipped die"))
    assert isinstance(reversed_, RoundsReversed)
    assert (reversed_.rounds, reversed_.clause) == ((1, 2), "5.4")
    assert (table.credits("7"), table.credits("8")) == (100_000, 100_000)


def test_5_4_a_set_that_came_back_has_its_earlier_rounds_void_too() -> None:
    table = open_table(ETG8)
    for dice in ("D1", "D2", "D1"):
        if table.state.dice_set != dice:
            table.does("supervisor", RegisterDice(dice, f"S{dice[1]}"))
        table.betting(t7={"small": 5_000}).settled(6, 5, 5)
    *_, reversed_ = table.agrees("supervisor", VoidSettledRounds(1, "a chipped die"))
    assert isinstance(reversed_, RoundsReversed)
    # Round 2 was played with other dice: its 50.00 stay lost.
    assert (reversed_.rounds, table.credits("7")) == ((1, 3), 95_000)


def test_5_4_a_round_of_this_document_is_void_whatever_is_in_force_now() -> None:
    table = open_table(ETG8).betting(t7={"small": 5_000})
    table.settled(6, 5, 5)
    # Division 9 would leave its own rounds to a ruling.
    table.reopened_by("div9/2")
    *_, reversed_ = table.agrees("supervisor", VoidSettledRounds(1, "a chipped die"))
    assert isinstance(reversed_, RoundsReversed)
    assert (reversed_.rounds, reversed_.clause) == ((1,), "5.4")
    assert table.credits("7") == 100_000


def test_5_4_once_the_dice_were_seen_a_supervisor_agrees_to_the_void() -> None:
    table = open_table(ETG8).betting(t7={"small": 5_000}).closed()
    table.does("dealer", RecordTumble(3))
    events = table.does("dealer", CHIPPED)
    kinds = [DiceQuarantined, IrregularityReported, ApprovalRequested]
    assert [type(each) for each in events] == kinds
    *_, voided = table.does("supervisor", table.approval())
    assert isinstance(voided, RoundVoided)
    assert table.credits("7") == 100_000


def test_5_4_the_set_is_back_only_when_two_persons_find_it_whole() -> None:
    table = open_table(ETG8)
    table.does("dealer", CHIPPED)
    assert table.refuses("supervisor", FindUndamaged("D2", "a hair"))[0] == "NOT_QUARANTINED"
    table.agrees("supervisor", FindUndamaged("D1", "a hair, no chip"))
    table.does("supervisor", RegisterDice("D1", "S1"))
    table.betting()


def test_5_4_damage_is_reported_with_what_was_seen() -> None:
    table = open_table(ETG8)
    assert table.refuses("dealer", ReportDamage(" "))[0] == "NOTE_MISSING"
    table.does("dealer", CHIPPED)
    assert table.refuses("dealer", CHIPPED)[0] == "NO_DICE"
    assert table.refuses("dealer", ReportDamage("again", "D1"))[0] == "DICE_QUARANTINED"

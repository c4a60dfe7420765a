"""Division 9: who does each part of the game, and what the entry terminal enters [D29].

Tables are played here: the persons named by the rulebook are read where a command is decided.
"""

import pytest

from taisai.core.kernel.messages import Command, Equipment, Role
from taisai.core.table.chips.collecting import CollectLosers
from taisai.core.table.opening import ReadSeal, RunTest, SwitchOn, TryTumbler, VerifyTest
from taisai.core.table.round import (
    AmendResult,
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    PressFace,
    ResultAmended,
    ResultEntered,
    ResultReported,
    Settle,
)
from taisai.core.table.setup import RegisterDice
from taisai.core.table.tumble import RecordTumble, TumbleRecorded
from tests.kit.chip_tables import chips_confirmed
from tests.kit.tables import Table, open_table

DIV9 = "div9/2"


def entering() -> Table:
    """Close the bets on dice that were spun: the result is next."""
    return open_table(DIV9).betting().closed()


def test_3_3_a_iii_what_the_led_shows_is_what_is_entered() -> None:
    table = entering()
    for face in (5, 6, 1, 2):
        table.does("dealer", PressFace(face))
    # The LED shows 6, 1 and 2: the last three pressed.
    other = EnterResult((5, 6, 1))
    assert table.refuses("dealer", other) == ("NOT_ON_THE_LED", "3.3(a)(iii)")
    (event,) = table.does("dealer", EnterResult((2, 1, 6)))
    assert event == ResultEntered((1, 2, 6), "keyed", "dan")


def test_3_3_a_iii_nothing_is_entered_that_was_not_pressed() -> None:
    table = entering()
    assert table.refuses("dealer", EnterResult((5, 5, 5))) == ("NOT_ON_THE_LED", "3.3(a)(iii)")
    table.does("dealer", PressFace(5))
    assert table.refuses("dealer", EnterResult((5, 5, 5))) == ("NOT_ON_THE_LED", "3.3(a)(iii)")


def test_3_3_a_iii_a_reader_has_no_buttons_and_the_dealer_beside_it_has() -> None:
    both = Equipment("reader", read_by_dealer_too=True)
    table = open_table(DIV9, equipment=both).betting().closed().tumbled()
    assert table.does("device", EnterResult((1, 3, 6))) == (ResultReported("device", (1, 3, 6)),)
    assert table.refuses("dealer", EnterResult((1, 3, 6))) == ("NOT_ON_THE_LED", "3.3(a)(iii)")


def test_5_0_a_supervisor_makes_the_checks_and_nobody_else() -> None:
    table = Table(DIV9).created().adopted()
    table.does("supervisor", RegisterDice("D1", "S1"))
    acts = (SwitchOn("mains"), RunTest((1, 3, 6)), TryTumbler(3), ReadSeal("S1"))
    for act in acts:
        for role in ("pit-manager", "shift-manager"):
            assert table.refuses(role, act) == ("NOT_NAMED", "5.0")
        table.does("supervisor", act)
    assert table.refuses("pit-manager", VerifyTest(right=True)) == ("NOT_NAMED", "5.0")


def test_6_1_dealer_or_game_supervisor_spins_and_no_pit_manager() -> None:
    table = open_table(DIV9)
    assert table.refuses("pit-manager", RecordTumble(3)) == ("NOT_NAMED", "6.1")
    assert TumbleRecorded(3, True, True, "sue") in table.copy().does("supervisor", RecordTumble(3))
    assert TumbleRecorded(3, True, True, "dan") in table.does("dealer", RecordTumble(3))


@pytest.mark.parametrize("role", ["supervisor", "pit-manager"])
def test_6_1_the_dealer_calls_for_bets(role: Role) -> None:
    table = open_table(DIV9)
    table.does("dealer", RecordTumble(3))
    assert table.refuses(role, OpenBets()) == ("NOT_NAMED", "6.1")
    table.does("dealer", OpenBets())


@pytest.mark.parametrize("role", ["supervisor", "pit-manager"])
def test_6_2_the_dealer_calls_the_bets_closed(role: Role) -> None:
    table = open_table(DIV9).betting()
    assert table.refuses(role, CloseBets(bell=True)) == ("NOT_NAMED", "6.2")
    table.does("dealer", CloseBets(bell=True))


@pytest.mark.parametrize("command", [PressFace(1), EnterResult((1, 2, 3))])
def test_6_4_dealer_or_game_supervisor_enters_and_no_pit_manager(command: Command) -> None:
    table = entering()
    assert table.refuses("pit-manager", command) == ("NOT_NAMED", "6.4")
    for face in (1, 2, 3):
        table.does("supervisor", PressFace(face))
    table.does("supervisor", EnterResult())


def test_6_3_dealer_or_game_supervisor_announces_and_no_pit_manager() -> None:
    table = entering().entered(1, 2, 3)
    assert table.refuses("pit-manager", ConfirmResult()) == ("NOT_NAMED", "6.4")
    table.does("supervisor", ConfirmResult())


@pytest.mark.parametrize("role", ["supervisor", "pit-manager"])
def test_6_5_the_dealer_collects_and_pays(role: Role) -> None:
    table = chips_confirmed(DIV9)
    assert table.refuses(role, CollectLosers()) == ("NOT_NAMED", "6.5")
    table.ruled().does("dealer", CollectLosers())
    assert table.refuses(role, Settle()) == ("NOT_NAMED", "6.5")
    table.does("dealer", Settle())


def test_7_2_a_result_is_amended_under_the_game_supervisor() -> None:
    table = entering().entered(1, 2, 3)
    table.does("dealer", AmendResult((1, 2, 4)))
    for role in ("pit-manager", "shift-manager"):
        assert table.refuses(role, table.approval()) == ("NOT_NAMED", "7.2")
    events = table.does("supervisor", table.approval())
    assert ResultAmended((1, 2, 4), (1, 2, 3), "7.2") in events


def test_7_2_a_game_supervisor_who_asks_is_one_of_the_two() -> None:
    table = entering().entered(1, 2, 3)
    events = table.agrees("supervisor", AmendResult((1, 2, 4)), "pit-manager")
    assert ResultAmended((1, 2, 4), (1, 2, 3), "7.2") in events

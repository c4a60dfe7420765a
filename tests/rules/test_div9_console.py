"""Division 9: the rules by which the dealer's console acts."""

from taisai.core.table.round import BetsClosed, CloseBets
from taisai.core.table.tumble import CoverLifted, LiftCover
from tests.kit.tables import Table, open_table
from tests.rules.consoles import cited_for, cited_for_return


def closed() -> Table:
    """Close the bets of a game, with the dice under the dome."""
    return open_table("div9/2").betting().closed()


def test_3_3_b_the_winning_areas_light_when_the_result_is_confirmed() -> None:
    assert cited_for(closed().entered(1, 2, 6), "ConfirmResult") == "3.3(b)"


def test_6_2_the_dealer_calls_and_no_terminal_gives_notice() -> None:
    (event,) = open_table("div9/2").betting().does("dealer", CloseBets(bell=True))
    assert isinstance(event, BetsClosed)
    assert not event.displayed


def test_6_3_the_dome_is_lifted_by_this_rule() -> None:
    (event,) = closed().does("dealer", LiftCover())
    assert isinstance(event, CoverLifted)
    assert event.clause == "6.3"


def test_6_4_the_console_enters_the_result_by_this_rule() -> None:
    assert cited_for(closed(), "EnterResult") == "6.4"


def test_6_5_the_console_settles_by_this_rule() -> None:
    table = open_table("div9/2").betting().confirmed(1, 2, 6)
    assert cited_for(table, "Settle") == "6.5"


def test_7_1_the_console_foretells_that_bets_go_back() -> None:
    table = open_table("div9/2").betting(t7={"big": 2_000})
    assert cited_for_return(table) == "7.1"

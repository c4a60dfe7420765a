"""The Electronic Table Game: the clauses by which the Game Console acts, and a table with chips."""

import pytest

from taisai.core.table.chips.layout_bets import BetsRecorded, RecordBets
from taisai.core.table.round import RoundSettled, Settle
from tests.kit.chip_tables import HUNDRED, bets, chips_closed, open_chip_table
from tests.kit.tables import open_table
from tests.rules.consoles import cited_for, cited_for_return
from tests.rules.rounds import settled_bet


def test_1_3_the_game_console_enters_the_result() -> None:
    table = open_table("etg8/2").betting().closed().tumbled()
    assert cited_for(table, "EnterResult") == "1.3"


def test_3_7_the_game_console_confirms_the_top_faces() -> None:
    table = open_table("etg8/2").betting().closed().tumbled().entered(1, 2, 6)
    assert cited_for(table, "ConfirmResult") == "3.7"


def test_3_8_the_game_console_settles_by_this_clause() -> None:
    table = open_table("etg8/2").betting().confirmed(1, 2, 6)
    assert cited_for(table, "Settle") == "3.8"


def test_3_8_collecting_and_paying_have_no_order() -> None:
    table = open_chip_table("etg8/2").betting()
    table.does("dealer", RecordBets("1", bets(small=HUNDRED)))
    table.confirmed(4, 5, 6)
    assert any(isinstance(event, RoundSettled) for event in table.does("dealer", Settle()))


@pytest.mark.parametrize(
    ("box", "wins", "loses"),
    [
        ("odd", [(1, 1, 3), (5, 6, 6)], [(1, 1, 2), (4, 6, 6)]),  # 5 and 17; 4 and 16
        ("even", [(1, 1, 2), (4, 6, 6)], [(1, 1, 3), (5, 6, 6)]),
        ("small", [(1, 1, 2), (1, 3, 6)], [(1, 4, 6)]),  # 4 and 10; 11
        ("big", [(1, 4, 6), (5, 6, 6)], [(1, 3, 6)]),  # 11 and 17; 10
    ],
)
def test_4_1_2_even_chances_win_from_their_lowest_total_to_their_highest(
    box: str, wins: list[tuple[int, ...]], loses: list[tuple[int, ...]]
) -> None:
    found = [settled_bet("etg8/2", dice, box).outcome.value for dice in (*wins, *loses)]
    assert found == ["win"] * len(wins) + ["lose"] * len(loses)


def test_5_7_a_layout_read_after_the_close_is_read_as_it_lay_then() -> None:
    (event,) = chips_closed("etg8/2").does("dealer", RecordBets("1", bets(big=HUNDRED)))
    assert isinstance(event, BetsRecorded)
    assert event.lay_at == "close"


def test_5_9_the_game_console_foretells_that_bets_go_back() -> None:
    table = open_table("etg8/2").betting(t7={"big": 2_000})
    assert cited_for_return(table) == "5.9"

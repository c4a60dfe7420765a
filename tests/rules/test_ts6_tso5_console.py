"""Tai Sai, version 6, and Tai Sai (Open Cover), version 5: the clauses that the console cites."""

import pytest

from taisai.core.table.round import BetsClosed, CloseBets
from tests.kit.tables import open_table
from tests.rules.consoles import cited_for, cited_for_differential, cited_for_return, ruled_at
from tests.rules.rounds import settled_bet

BOTH = pytest.mark.parametrize("key", ["ts6", "tso5"])


@BOTH
def test_1_3_the_console_measures_how_far_big_and_small_lie_apart(key: str) -> None:
    table = open_table(f"{key}/2").betting(t7={"big": 2_000}, t8={"small": 2_000})
    assert cited_for_differential(table) == "1.3"


@BOTH
def test_3_6_the_dealer_calls_and_no_terminal_gives_notice(key: str) -> None:
    (event,) = open_table(f"{key}/2").betting().does("dealer", CloseBets())
    assert isinstance(event, BetsClosed)
    assert not event.displayed


@BOTH
def test_3_8_the_console_enters_the_top_faces(key: str) -> None:
    table = open_table(f"{key}/2").betting().closed().tumbled()
    assert cited_for(table, "EnterResult") == "3.8"


@BOTH
def test_3_9_the_console_settles_by_this_clause(key: str) -> None:
    table = open_table(f"{key}/2").betting().confirmed(1, 2, 6)
    assert cited_for(table, "Settle") == "3.9"


@BOTH
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
    key: str, box: str, wins: list[tuple[int, ...]], loses: list[tuple[int, ...]]
) -> None:
    found = [settled_bet(f"{key}/2", dice, box).outcome.value for dice in (*wins, *loses)]
    assert found == ["win"] * len(wins) + ["lose"] * len(loses)


@BOTH
def test_5_1_an_excess_that_is_reported_is_rejected_or_plays_pro_rata(key: str) -> None:
    assert ruled_at(open_table(f"{key}/2").betting(), "over-limit") == (
        *("reject-then-pro-rata", "5.1"),
    )


@BOTH
def test_5_2_a_bet_reported_as_under_the_minimum_is_advised_or_stands(key: str) -> None:
    assert ruled_at(open_table(f"{key}/2").betting(), "below-minimum") == (
        *("advise-then-stands", "5.2"),
    )


@BOTH
def test_5_12_the_console_foretells_that_bets_go_back(key: str) -> None:
    table = open_table(f"{key}/2").betting(t7={"big": 2_000})
    assert cited_for_return(table) == "5.12"

"""New Zealand, Division 9: the bets of rule 4.1, item by item, and the odds of rule 4.10.

Each item says when its bet wins and when it loses. A win cites 4.10, a loss the bet's own item.
"""

from collections.abc import Iterable

import pytest

import taisai
from tests.rules.rounds import in_force, outcome, priced, refused, settled_bet

Throw = tuple[int, int, int]
Settled = tuple[str, str | None, str, str]

#: A throw that is no triple for each total.
THROW_OF_TOTAL: dict[int, Throw] = {
    4: (1, 1, 2),
    5: (1, 1, 3),
    6: (1, 2, 3),
    7: (1, 2, 4),
    8: (1, 2, 5),
    9: (1, 2, 6),
    10: (1, 3, 6),
    11: (1, 4, 6),
    12: (1, 5, 6),
    13: (1, 6, 6),
    14: (2, 6, 6),
    15: (3, 6, 6),
    16: (4, 6, 6),
    17: (5, 6, 6),
}
TRIPLES: list[Throw] = [(1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4), (5, 5, 5), (6, 6, 6)]


def all_settled(box: str, throws: Iterable[Throw], table: str = "div9/2") -> set[Settled]:
    """Settle a bet on several throws, and give the answers that differ."""
    return {outcome(table, throw, box) for throw in throws}


def on_totals(box: str, totals: Iterable[int]) -> set[Settled]:
    """Settle a bet on a throw of each total, none of them a triple."""
    return all_settled(box, (THROW_OF_TOTAL[total] for total in totals))


def labels(table: str, kind: str) -> str:
    """List the labels of a kind of box, in the document's order."""
    boxes = taisai.pay_table(table).boxes.values()
    return " ".join(box.key.rpartition("-")[2] for box in boxes if box.kind == kind)


# --- (a) Small, (b) Big --------------------------------------------------------------------------


def test_4_1_a_small_is_a_bet_of_both_layouts() -> None:
    tables = [taisai.pay_table(address) for address in ("div9/1", "div9/2")]
    assert [table.boxes["small"].bet_name for table in tables] == ["Small", "Small"]
    assert [table.boxes["small"].loses_clause for table in tables] == ["4.1(a)", "4.1(a)"]


def test_4_1_a_i_small_wins_on_totals_4_to_10() -> None:
    won = ("win", "1", "4.10", "SMALL_WINS")
    assert on_totals("small", [4, 5, 6, 7, 8, 9, 10]) == {won}


def test_4_1_a_ii_small_loses_on_any_other_total_and_on_every_triple() -> None:
    lost = ("lose", None, "4.1(a)", "SMALL_LOSES")
    assert on_totals("small", [11, 12, 13, 14, 15, 16, 17]) == {lost}
    to_triple = ("lose", None, "4.1(a)", "TRIPLE_TAKES_SMALL_BIG")
    assert all_settled("small", TRIPLES) == {to_triple}


def test_4_1_b_big_is_a_bet_of_both_layouts() -> None:
    tables = [taisai.pay_table(address) for address in ("div9/1", "div9/2")]
    assert [table.boxes["big"].bet_name for table in tables] == ["Big", "Big"]
    assert [table.boxes["big"].loses_clause for table in tables] == ["4.1(b)", "4.1(b)"]


def test_4_1_b_i_big_wins_on_totals_11_to_17() -> None:
    won = ("win", "1", "4.10", "BIG_WINS")
    assert on_totals("big", [11, 12, 13, 14, 15, 16, 17]) == {won}


def test_4_1_b_ii_big_loses_on_any_other_total_and_on_every_triple() -> None:
    lost = ("lose", None, "4.1(b)", "BIG_LOSES")
    assert on_totals("big", [4, 5, 6, 7, 8, 9, 10]) == {lost}
    to_triple = ("lose", None, "4.1(b)", "TRIPLE_TAKES_SMALL_BIG")
    assert all_settled("big", TRIPLES) == {to_triple}


# --- (c) Triples, (d) Doubles, (e) Any Triple ----------------------------------------------------


def test_4_1_c_triples_is_a_bet_on_one_of_six() -> None:
    assert labels("div9/1", "triple") == "1 2 3 4 5 6"
    assert taisai.pay_table("div9/1").boxes["triple-1"].bet_name == "Triples"


@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_4_1_c_i_a_triple_bet_wins_on_its_triple(face: int) -> None:
    won = ("win", "180", "4.10", "TRIPLE_WINS")
    assert all_settled(f"triple-{face}", [(face, face, face)]) == {won}


def test_4_1_c_ii_a_triple_bet_loses_on_anything_else() -> None:
    others: list[Throw] = [(3, 3, 2), (3, 3, 4), (2, 2, 2), (1, 3, 5), (4, 5, 6)]
    lost = ("lose", None, "4.1(c)", "TRIPLE_LOSES")
    assert all_settled("triple-3", others) == {lost}


def test_4_1_d_doubles_is_a_bet_on_one_of_six() -> None:
    assert labels("div9/1", "double") == "1 2 3 4 5 6"
    assert taisai.pay_table("div9/1").boxes["double-1"].bet_name == "Doubles"


def test_4_1_d_i_a_double_wins_with_any_third_die() -> None:
    throws: list[Throw] = [(2, 2, 1), (2, 3, 2), (4, 2, 2), (2, 2, 5), (2, 6, 2)]
    assert all_settled("double-2", throws) == {("win", "11", "4.10", "DOUBLE_WINS")}


def test_4_1_d_ii_triple_wins_a_double_once_only() -> None:
    bet = settled_bet("div9/1", (2, 2, 2), "double-2", 1000)
    # Once at 11 to 1, although three pairs of twos can be picked from three dice.
    assert (bet.won, bet.back) == (11000, 12000)
    assert (bet.clause, bet.reason.code) == ("4.10", "DOUBLE_WINS_ON_TRIPLE")


def test_4_1_d_iii_a_double_loses_on_anything_else() -> None:
    assert outcome("div9/1", (2, 5, 6), "double-2") == (
        *("lose", None, "4.1(d)"),
        "DOUBLE_LOSES_ON_ONE",
    )
    assert outcome("div9/1", (3, 3, 6), "double-2") == ("lose", None, "4.1(d)", "DOUBLE_LOSES")


def test_4_1_e_any_triple_is_one_bet_on_all_six() -> None:
    kinds = [box.key for box in taisai.pay_table("div9/1").boxes.values() if "any" in box.key]
    assert kinds == ["any-triple"]
    assert taisai.pay_table("div9/1").boxes["any-triple"].ways == 6


def test_4_1_e_i_any_triple_wins_on_each_of_the_six() -> None:
    assert all_settled("any-triple", TRIPLES) == {("win", "31", "4.10", "ANY_TRIPLE_WINS")}


def test_4_1_e_ii_any_triple_loses_on_anything_else() -> None:
    lost = ("lose", None, "4.1(e)", "ANY_TRIPLE_LOSES")
    assert on_totals("any-triple", range(4, 18)) == {lost}


# --- (f) 3 Dice Totals, (g) Dice Combinations, (h) Individual Die Face Values --------------------


def test_4_1_f_totals_from_4_to_17_each_have_a_bet() -> None:
    assert labels("div9/1", "total") == "4 5 6 7 8 9 10 11 12 13 14 15 16 17"
    assert taisai.pay_table("div9/1").boxes["total-4"].bet_name == "3 Dice Totals"


def test_4_1_f_i_a_total_wins_however_the_dice_make_it() -> None:
    nines: list[Throw] = [(1, 2, 6), (1, 3, 5), (1, 4, 4), (2, 2, 5), (2, 3, 4), (3, 3, 3)]
    assert all_settled("total-9", nines) == {("win", "7", "4.10", "TOTAL_WINS")}


def test_4_1_f_ii_a_total_loses_on_any_other() -> None:
    others = [total for total in range(4, 18) if total != 9]
    assert on_totals("total-9", others) == {("lose", None, "4.1(f)", "TOTAL_LOSES")}


def test_4_1_g_dice_combinations_are_the_fifteen_pairs_of_faces() -> None:
    pairs = "12 13 14 15 16 23 24 25 26 34 35 36 45 46 56"
    assert labels("div9/1", "domino") == pairs
    assert taisai.pay_table("div9/1").boxes["domino-12"].bet_name == "Dice Combinations"


def test_4_1_g_i_a_combination_wins_once_when_both_faces_show() -> None:
    throws: list[Throw] = [(1, 4, 6), (4, 4, 1), (1, 1, 4), (2, 4, 1)]
    assert all_settled("domino-14", throws) == {("win", "6", "4.10", "DOMINO_WINS")}


def test_4_1_g_ii_a_combination_loses_when_a_face_is_missing() -> None:
    with_one: list[Throw] = [(1, 1, 1), (4, 4, 5), (1, 2, 3)]
    lost = ("lose", None, "4.1(g)", "DOMINO_LOSES_ON_ONE")
    assert all_settled("domino-14", with_one) == {lost}
    assert all_settled("domino-14", [(2, 3, 5)]) == {("lose", None, "4.1(g)", "DOMINO_LOSES")}


def test_4_1_h_each_face_from_1_to_6_has_a_bet() -> None:
    assert labels("div9/1", "single") == "1 2 3 4 5 6"
    single = taisai.pay_table("div9/1").boxes["single-1"]
    assert single.bet_name == "Individual Die Face Values"


@pytest.mark.parametrize(
    ("throw", "odds", "code"),
    [
        ((5, 1, 2), "1", "SINGLE_WINS_ON_ONE"),
        ((5, 5, 2), "2", "SINGLE_WINS_ON_TWO"),
        ((5, 5, 5), "12", "SINGLE_WINS_ON_THREE"),
    ],
)
def test_4_1_h_i_a_face_wins_on_one_die_or_more(throw: Throw, odds: str, code: str) -> None:
    assert outcome("div9/1", throw, "single-5") == ("win", odds, "4.10", code)


def test_4_1_h_ii_a_face_loses_when_no_die_shows_it() -> None:
    lost = ("lose", None, "4.1(h)", "SINGLE_LOSES")
    assert all_settled("single-5", [(1, 2, 3), (6, 6, 6), (4, 4, 6)]) == {lost}


# --- the alternative layout: (i) three dice, (j) four numbers, (k) Odd, (l) Even -----------------


@pytest.mark.parametrize("box", ["three-126", "three-112", "four-6543", "odd", "even"])
def test_4_1_items_i_to_l_are_bets_of_the_alternative_layout_alone(box: str) -> None:
    assert refused("div9/1", (1, 2, 6), [("ann", box, 1000)]).code == "BOX_NOT_ON_TABLE"
    assert box in taisai.pay_table("div9/2").boxes


def test_4_1_i_three_dice_combinations_are_30_with_a_pair_and_20_without() -> None:
    assert labels("div9/2", "pair") == (
        "112 113 114 115 116 221 223 224 225 226 331 332 334 335 336 "
        "441 442 443 445 446 551 552 553 554 556 661 662 663 664 665"
    )
    assert labels("div9/2", "three") == (
        "123 124 125 126 134 135 136 145 146 156 234 235 236 245 246 256 345 346 356 456"
    )


def test_4_1_i_i_three_dice_win_when_they_are_what_shows() -> None:
    assert all_settled("three-126", [(1, 2, 6), (6, 2, 1)]) == {("win", "30", "4.10", "THREE_WINS")}
    assert all_settled("three-665", [(6, 6, 5), (5, 6, 6)]) == {("win", "60", "4.10", "PAIR_WINS")}


def test_4_1_i_ii_three_dice_lose_on_anything_else() -> None:
    others: list[Throw] = [(1, 1, 2), (1, 2, 5), (6, 6, 6)]
    assert all_settled("three-126", others) == {("lose", None, "4.1(i)", "THREE_LOSES")}
    others = [(6, 5, 5), (6, 6, 6), (1, 5, 6)]
    assert all_settled("three-665", others) == {("lose", None, "4.1(i)", "PAIR_LOSES")}


def test_4_1_j_four_number_combinations_are_four() -> None:
    assert labels("div9/2", "four") == "6543 6532 5432 4321"
    assert taisai.pay_table("div9/2").boxes["four-6543"].bet_name == "Four Number Combinations"


def test_4_1_j_i_four_numbers_win_on_three_of_them() -> None:
    throws: list[Throw] = [(6, 5, 3), (6, 5, 2), (6, 3, 2), (5, 3, 2)]
    assert all_settled("four-6532", throws) == {("win", "7", "4.10", "FOUR_WINS")}


def test_4_1_j_ii_four_numbers_lose_on_anything_else() -> None:
    assert all_settled("four-6532", [(6, 5, 4), (1, 2, 3)]) == {
        ("lose", None, "4.1(j)", "FOUR_LOSES")
    }
    repeated: list[Throw] = [(6, 6, 5), (5, 5, 5)]
    lost = ("lose", None, "4.1(j)", "FOUR_LOSES_ON_REPEAT")
    assert all_settled("four-6532", repeated) == {lost}


def test_4_1_k_odd_loses_by_its_own_item() -> None:
    odd = taisai.pay_table("div9/2").boxes["odd"]
    assert (odd.bet_name, odd.loses_clause) == ("Odd", "4.1(k)")


def test_4_1_k_i_odd_wins_on_odd_totals_from_5_to_17() -> None:
    won = ("win", "1", "4.10", "ODD_WINS")
    assert on_totals("odd", [5, 7, 9, 11, 13, 15, 17]) == {won}


def test_4_1_k_ii_odd_loses_on_any_other_total_and_on_every_triple() -> None:
    lost = ("lose", None, "4.1(k)", "ODD_LOSES")
    assert on_totals("odd", [4, 6, 8, 10, 12, 14, 16]) == {lost}
    to_triple = ("lose", None, "4.1(k)", "TRIPLE_TAKES_ODD_EVEN")
    assert all_settled("odd", TRIPLES) == {to_triple}


def test_4_1_l_even_loses_by_its_own_item() -> None:
    even = taisai.pay_table("div9/2").boxes["even"]
    assert (even.bet_name, even.loses_clause) == ("Even", "4.1(l)")


def test_4_1_l_i_even_wins_on_even_totals_from_4_to_16() -> None:
    won = ("win", "1", "4.10", "EVEN_WINS")
    assert on_totals("even", [4, 6, 8, 10, 12, 14, 16]) == {won}


def test_4_1_l_ii_even_loses_on_any_other_total_and_on_every_triple() -> None:
    lost = ("lose", None, "4.1(l)", "EVEN_LOSES")
    assert on_totals("even", [5, 7, 9, 11, 13, 15, 17]) == {lost}
    to_triple = ("lose", None, "4.1(l)", "TRIPLE_TAKES_ODD_EVEN")
    assert all_settled("even", TRIPLES) == {to_triple}


# --- 4.10 the odds -------------------------------------------------------------------------------

COMMON_ROWS = """
Small | 1 | small
Big | 1 | big
Triples | 180 | triple: 1 2 3 4 5 6
Doubles | 11 | double: 1 2 3 4 5 6
Any Triple | 31 | any-triple
3 Dice Totals | 62 | total: 4 17
3 Dice Totals | 31 | total: 5 16
3 Dice Totals | 18 | total: 6 15
3 Dice Totals | 12 | total: 7 14
3 Dice Totals | 8 | total: 8 13
3 Dice Totals | 7 | total: 9 12
3 Dice Totals | 6 | total: 10 11
Dice Combinations | 6 | domino: 12 13 14 15 16 23 24 25 26 34 35 36 45 46 56
Individual Die Face Values | 1 2 12 | single: 1 2 3 4 5 6
"""
ALTERNATIVE_ROWS = """
Three Dice Combinations | 60 | three: 112 113 114 115 116 221 223 224 225 226
Three Dice Combinations | 60 | three: 331 332 334 335 336 441 442 443 445 446
Three Dice Combinations | 60 | three: 551 552 553 554 556 661 662 663 664 665
Three Dice Combinations | 30 | three: 123 124 125 126 134 135 136 145 146 156
Three Dice Combinations | 30 | three: 234 235 236 245 246 256 345 346 356 456
Four Number Combinations | 7 | four: 6543 6532 5432 4321
Odd | 1 | odd
Even | 1 | even
"""


def test_4_10_the_50_boxes_of_the_first_layout_pay_as_listed() -> None:
    assert in_force("div9/1") == priced(COMMON_ROWS)
    assert len(taisai.pay_table("div9/1").boxes) == 50


def test_4_10_the_106_boxes_of_the_alternative_layout_pay_as_listed() -> None:
    assert in_force("div9/2") == priced(COMMON_ROWS + ALTERNATIVE_ROWS)
    assert len(taisai.pay_table("div9/2").boxes) == 106


def test_4_10_both_tables_cite_it_and_n_to_1_leaves_the_stake() -> None:
    assert [taisai.pay_table(table).clause for table in ("div9/1", "div9/2")] == ["4.10", "4.10"]
    bet = settled_bet("div9/2", (5, 6, 6), "three-665", 200)
    assert (bet.won, bet.back, bet.clause) == (12000, 12200, "4.10")

"""Tai Sai, version 6, and Tai Sai (Open Cover), version 5: sections 1 to 4.

The two documents are alike but for 3.7 and 5.5.3; section 5 and the appendices are in the files
beside this one. Figures are the documents' own, or worked out in the comment above them. Amounts
are minor units.
"""

import pytest

import taisai
from taisai.core.rules.dice import RESULTS
from taisai.core.rules.limit_checks import change_refusal
from taisai.core.rules.limits import BoxLimits, above_differential
from taisai.core.rules.schema import PersonContent
from tests.rules.rounds import (
    in_force,
    limits_on,
    outcome,
    priced,
    ruling,
    settled,
    settled_bet,
)

BOTH = pytest.mark.parametrize("key", ["ts6", "tso5"])
BOTH_ON_TABLE_1 = pytest.mark.parametrize("table", ["ts6/1", "tso5/1"])
BOTH_ON_TABLE_2 = pytest.mark.parametrize("table", ["ts6/2", "tso5/2"])
BOTH_ON_TABLE_3 = pytest.mark.parametrize("table", ["ts6/3", "tso5/3"])

#: The rows that all three pay tables share.
COMMON_ROWS = """
Small | 1 | small
Big | 1 | big
Single Dice Bet | 1 2 12 | single: 1 2 3 4 5 6
Total Sum Combination (4 or 17) Bet | 62 | total: 4 17
Total Sum Combination (5 or 16) Bet | 31 | total: 5 16
Total Sum Combination (6 or 15) Bet | 18 | total: 6 15
Total Sum Combination (7 or 14) Bet | 12 | total: 7 14
Total Sum Combination (8 or 13) Bet | 8 | total: 8 13
Total Sum Combination (9 or 12) Bet | 7 | total: 9 12
Total Sum Combination (10 or 11) Bet | 6 | total: 10 11
Domino Combination Bet | 6 | domino: 14 12 24 13 23 34 25 26 35 45 36 15 16 46 56
Any Triple Bet | 31 | any-triple
Specific Straight Triple Bet | 180 | triple: 1 2 3 4 5 6
"""
DOUBLE_ROW = "Double Dice Bet | 11 | double: 1 2 3 4 5 6\n"
THREES = "126 135 234 256 346 123 136 145 235 356 124 146 236 245 456 125 134 156 246 345"
PAIRS = (
    "113 114 115 116 221 223 224 225 226 331 332 334 335 336 "
    "441 442 443 445 446 551 552 553 554 556 661 662 663 664"
)
THREE_DICE_ROWS = f"""
Three Single Dice Combination Bet | 30 | three: {THREES}
Double Numbers With Single Dice Combination Bet | 50 | three: {PAIRS}
"""
FOURS = "6543 6542 6532 6432 5432 6541 6531 6431 5431 6521 6421 5421 6321 5321 4321"

#: A bet of each kind that loses on 2 2 6, a total of 10 and no triple.
LOSERS = ["big", "odd", "single-1", "total-9", "domino-12", "double-6", "any-triple", "triple-2"]
LOSERS += ["four-6532", "three-126", "three-221"]


# --- 1 Definitions -------------------------------------------------------------------------------


@BOTH
def test_1_2_the_dealer_is_a_role_under_the_documents_title(key: str) -> None:
    dealer = PersonContent(role="dealer", title="Dealer", clause="1.2")
    assert dealer in taisai.rulebook(key).content.people


@BOTH
def test_1_3_the_differential_is_between_big_and_small_and_between_odd_and_even(key: str) -> None:
    rules = taisai.rulebook(key).content.limits
    assert rules.differential_clause == "1.3"
    assert rules.differential_pairs == (("big", "small"), ("odd", "even"))
    # Big 9000 and Small 2000 are 7000 apart, 2000 more than a Differential of 5000.
    table, limits = f"{key}/2", limits_on(f"{key}/2", 100, 100000, differential=5000)
    found = above_differential(
        taisai.pay_table(table), limits, ("big", "small"), {"big": 9000, "small": 2000}
    )
    assert found is not None
    assert found[:2] == ("big", 2000)


@BOTH
def test_1_3_a_difference_equal_to_the_differential_is_within_it(key: str) -> None:
    limits = limits_on(f"{key}/2", 100, 100000, differential=5000)
    totals = {"odd": 1000, "even": 6000}
    pair = ("odd", "even")
    assert above_differential(taisai.pay_table(f"{key}/2"), limits, pair, totals) is None


@BOTH
def test_1_5_pit_employees_are_dealer_pit_supervisor_and_pit_manager(key: str) -> None:
    people = {person.role: person for person in taisai.rulebook(key).content.people}
    assert people["dealer"].title == "Dealer"
    assert (people["supervisor"].title, people["supervisor"].clause) == ("Pit Supervisor", "1.5")
    assert (people["pit-manager"].title, people["pit-manager"].clause) == ("Pit Manager", "1.5")


@BOTH
def test_1_6_whoever_has_a_bet_in_the_round_is_settled_as_a_player(key: str) -> None:
    placed = [("ann", "small", 1000), ("bob", "small", 2000), ("ann", "big", 500)]
    lines = settled(f"{key}/1", (1, 2, 4), placed).bets
    assert [(line.player, line.box) for line in lines] == [
        ("ann", "small"),
        ("bob", "small"),
        ("ann", "big"),
    ]


@pytest.mark.parametrize(
    ("dice", "total"), [((1, 1, 1), 3), ((2, 2, 6), 10), ((6, 2, 3), 11), ((6, 6, 6), 18)]
)
def test_1_8_the_total_sum_is_the_points_of_the_three_dice(
    dice: tuple[int, int, int], total: int
) -> None:
    assert taisai.result_of(dice).total == total


# --- 2 Mode of play ------------------------------------------------------------------------------


@BOTH
def test_2_1_1_layouts_are_appendices_a_c_and_e_with_examples_in_b_d_and_f(key: str) -> None:
    tables = taisai.rulebook(key).pay_tables
    layouts = {number: table.layout for number, table in tables.items()}
    assert {number: layout.name for number, layout in layouts.items()} == {
        1: "Appendix A",
        2: "Appendix C",
        3: "Appendix E",
    }
    assert [layout.examples_clause for layout in layouts.values()] == [
        "Appendix B",
        "Appendix D",
        "Appendix F",
    ]


def test_2_2_1_three_dice_of_six_faces_make_216_throws_of_56_results() -> None:
    # 20 results of three different faces (6 throws each), 30 with a pair (3), 6 triples (1).
    assert sorted(result.throws for result in RESULTS) == [1] * 6 + [3] * 30 + [6] * 20
    assert 20 * 6 + 30 * 3 + 6 * 1 == 216


@pytest.mark.parametrize("dice", [(1, 2), (1, 2, 3, 4), (0, 1, 2), (1, 2, 7)])
def test_2_2_1_anything_but_three_six_faced_dice_is_no_throw(dice: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="is no throw"):
        taisai.result_of(dice)


# --- 3 How to play -------------------------------------------------------------------------------


@BOTH
def test_3_2_the_dealers_announcement_opens_the_bets(key: str) -> None:
    betting = taisai.rulebook(key).content.procedure.betting
    assert (betting.opens, betting.opens_words) == ("announcement", "Place your Bets, please")
    assert betting.opens_clause == "3.2"


@BOTH
def test_3_3_minimum_maximum_and_differential_are_what_a_table_displays(key: str) -> None:
    assert taisai.rulebook(key).content.limits.displayed_clause == "3.3"
    own = {"any-triple": (500, 20000)}
    limits = limits_on(f"{key}/1", 1000, 100000, differential=50000, boxes=own)
    assert limits.of("small") == BoxLimits(1000, 100000)
    # A limit can differ from box to box.
    assert limits.of("any-triple") == BoxLimits(500, 20000)
    assert limits.differential == 50000


@BOTH
def test_3_5_the_balance_of_a_box_may_be_taken_up_by_another_player(key: str) -> None:
    table, limits = taisai.pay_table(f"{key}/1"), limits_on(f"{key}/1", 1000, 10000)
    assert table.limit_rules.balance_clause == "3.5"
    # Ann holds 6000 of a maximum of 10000: 4000 is left to Bob, and not a step more.
    totals = {"total-9": 6000}
    assert change_refusal(table, limits, totals, {}, {"total-9": 4000}) is None
    refusal = change_refusal(table, limits, totals, {}, {"total-9": 4100})
    assert refusal is not None
    assert (refusal.code, refusal.clause) == ("ABOVE_MAXIMUM", "5.1")
    assert refusal.reason.params == {
        "box": "total-9",
        "total_cents": 10100,
        "maximum_cents": 10000,
    }


@BOTH
def test_3_6_the_dealers_announcement_closes_the_bets(key: str) -> None:
    betting = taisai.rulebook(key).content.procedure.betting
    assert (betting.closes_words, betting.closes_clause) == ("No more Bets", "3.6")
    assert betting.closes == "announcement"
    assert betting.bell is False


@pytest.mark.parametrize(("key", "cover"), [("ts6", "covered"), ("tso5", "open")])
def test_3_7_the_tumbler_covered_or_open_tumbles_at_least_three_times(key: str, cover: str) -> None:
    tumble = taisai.rulebook(key).content.procedure.tumble
    assert (tumble.cover, tumble.at_least, tumble.clause) == (cover, 3, "3.7")
    assert tumble.by[0] == "dealer"


@BOTH
def test_3_8_the_faces_on_top_decide_in_whatever_order_the_dice_lie(key: str) -> None:
    assert taisai.rulebook(key).content.procedure.entry.dice_clause == "3.8"
    for dice in [(2, 5, 6), (6, 2, 5), (5, 6, 2)]:
        assert taisai.result_of(dice).faces == (2, 5, 6)
        assert settled_bet(f"{key}/2", dice, "three-256").won == 30000


@BOTH
def test_3_8_a_wrong_result_found_after_settlement_gives_way_to_the_dice(key: str) -> None:
    rule = ruling(key, "wrong-result-settled")
    assert (rule.ruling, rule.clause) == ("reverse-and-settle-again", "3.8")


@BOTH
def test_3_9_losing_bets_are_collected_and_winning_bets_paid(key: str) -> None:
    order = taisai.rulebook(key).content.procedure.settlement
    # The document has both, and no order of the two.
    assert (order.order, order.clause) == (None, "3.9")
    # 1 2 4, total 7: Small wins 1000 at 1 to 1, Total 7 wins 500 at 12 to 1; Big loses 3000.
    placed = [("ann", "small", 1000), ("bob", "big", 3000), ("cat", "total-7", 500)]
    round_ = settled(f"{key}/1", (1, 2, 4), placed)
    assert [line.back for line in round_.bets] == [2000, 0, 6500]
    assert (round_.collected, round_.paid) == (3000, 1000 + 6000)
    assert round_.bets[1].clause == "3.9"


@BOTH_ON_TABLE_2
@pytest.mark.parametrize("box", LOSERS)
def test_3_9_a_bet_of_whatever_kind_that_loses_is_collected_by_this_clause(
    table: str, box: str
) -> None:
    assert outcome(table, (2, 2, 6), box)[:3] == ("lose", None, "3.9")


@BOTH_ON_TABLE_2
@pytest.mark.parametrize(("dice", "box"), [((5, 6, 6), "small"), ((5, 6, 6), "even")])
def test_3_9_small_and_even_that_lose_to_a_total_are_collected_by_this_clause(
    table: str, dice: tuple[int, int, int], box: str
) -> None:
    assert outcome(table, dice, box)[:3] == ("lose", None, "3.9")


@BOTH
@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize(
    ("box", "code"),
    [
        ("small", "TRIPLE_TAKES_SMALL_BIG"),
        ("big", "TRIPLE_TAKES_SMALL_BIG"),
        ("odd", "TRIPLE_TAKES_ODD_EVEN"),
        ("even", "TRIPLE_TAKES_ODD_EVEN"),
    ],
)
def test_3_10_a_triple_takes_small_big_odd_and_even(
    key: str, face: int, box: str, code: str
) -> None:
    assert outcome(f"{key}/2", (face, face, face), box) == ("lose", None, "3.10", code)


@BOTH_ON_TABLE_2
def test_3_10_nothing_wins_on_a_triple_but_what_the_list_names(table: str) -> None:
    # Triple 4 adds up to 12; no domino, four-number or three-dice bet is in the list.
    winners = taisai.pay_table(table).winners(taisai.result_of((4, 4, 4)))
    assert set(winners) == {"triple-4", "any-triple", "double-4", "single-4", "total-12"}


@BOTH_ON_TABLE_1
def test_3_10_1_the_specific_triple_wins_on_its_triple(table: str) -> None:
    assert outcome(table, (5, 5, 5), "triple-5") == ("win", "180", "4.1.1", "TRIPLE_WINS")
    assert outcome(table, (5, 5, 5), "triple-4") == ("lose", None, "3.9", "TRIPLE_LOSES")


@BOTH_ON_TABLE_1
@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_3_10_2_any_triple_wins_on_every_triple(table: str, face: int) -> None:
    won = outcome(table, (face, face, face), "any-triple")
    assert won == ("win", "31", "4.1.1", "ANY_TRIPLE_WINS")


@BOTH_ON_TABLE_1
def test_3_10_3_double_dice_wins_on_the_triple_of_its_face(table: str) -> None:
    won = outcome(table, (6, 6, 6), "double-6")
    assert won == ("win", "11", "4.1.1", "DOUBLE_WINS_ON_TRIPLE")
    assert outcome(table, (6, 6, 6), "double-1")[:3] == ("lose", None, "3.9")


@BOTH_ON_TABLE_1
def test_3_10_4_single_dice_wins_twelvefold_on_the_triple_of_its_face(table: str) -> None:
    won = outcome(table, (1, 1, 1), "single-1")
    assert won == ("win", "12", "4.1.1", "SINGLE_WINS_ON_THREE")
    assert outcome(table, (1, 1, 1), "single-5")[:3] == ("lose", None, "3.9")


@BOTH_ON_TABLE_1
@pytest.mark.parametrize(
    ("face", "box", "odds"),
    [(2, "total-6", "18"), (3, "total-9", "7"), (4, "total-12", "7"), (5, "total-15", "18")],
)
def test_3_10_5_totals_6_9_12_and_15_win_on_the_triple_that_makes_them(
    table: str, face: int, box: str, odds: str
) -> None:
    won = outcome(table, (face, face, face), box)
    assert won == ("win", odds, "4.1.1", "TOTAL_WINS")


@BOTH
def test_3_10_5_the_documents_list_of_triple_winners_is_held_whole(key: str) -> None:
    listed = taisai.rulebook(key).content.triple_winners
    assert [(entry.clause, entry.kind) for entry in listed] == [
        ("3.10.1", "triple"),
        ("3.10.2", "any-triple"),
        ("3.10.3", "double"),
        ("3.10.4", "single"),
        ("3.10.5", "total"),
    ]
    assert listed[-1].boxes == ("total-6", "total-9", "total-12", "total-15")


# --- 4 Settlement --------------------------------------------------------------------------------


@BOTH_ON_TABLE_1
def test_4_1_1_pay_table_1_prices_its_50_boxes_as_printed(table: str) -> None:
    assert in_force(table) == priced(COMMON_ROWS + DOUBLE_ROW)
    assert len(taisai.pay_table(table).boxes) == 50
    assert taisai.pay_table(table).clause == "4.1.1"


@BOTH_ON_TABLE_2
def test_4_1_2_pay_table_2_prices_its_104_boxes_as_printed(table: str) -> None:
    odd_even = "Odd (except Triple) | 1 | odd\nEven (Except Triple) | 1 | even\n"
    four = "Four Number Combination Bet | 7 | four: 6543 6532 5432 4321"
    rows = COMMON_ROWS + DOUBLE_ROW + odd_even + four + THREE_DICE_ROWS
    assert in_force(table) == priced(rows)
    assert len(taisai.pay_table(table).boxes) == 104


@BOTH_ON_TABLE_3
def test_4_1_3_pay_table_3_prices_its_107_boxes_as_printed(table: str) -> None:
    four = f"Four Number Combination Bet | 7 | four: {FOURS}"
    assert in_force(table) == priced(COMMON_ROWS + four + THREE_DICE_ROWS)
    assert len(taisai.pay_table(table).boxes) == 107
    assert taisai.pay_table(table).clause == "4.1.3"


@BOTH
@pytest.mark.parametrize("box", ["odd", "even", "double-1"])
def test_4_1_3_pay_table_3_takes_no_double_dice_odd_or_even(key: str, box: str) -> None:
    table = taisai.pay_table(f"{key}/3")
    refusal = taisai.settle(table, taisai.result_of((1, 1, 2)), [taisai.Bet("ann", box, 1000)])
    assert isinstance(refusal, taisai.Refusal)
    assert refusal.code == "BOX_NOT_ON_TABLE"


@BOTH
@pytest.mark.parametrize(
    ("dice", "box", "won"),
    [
        ((1, 1, 2), "total-4", 62000),
        ((2, 2, 6), "double-2", 11000),
        ((2, 2, 6), "single-2", 2000),
        ((2, 2, 6), "single-6", 1000),
        ((2, 2, 6), "domino-26", 6000),  # the pair of twos pays once, not twice
        ((2, 2, 6), "even", 1000),
        ((3, 4, 6), "odd", 1000),
        ((3, 4, 6), "four-6543", 7000),
        ((3, 4, 6), "three-346", 30000),
        ((2, 2, 6), "three-226", 50000),
        ((6, 6, 6), "triple-6", 180000),
    ],
)
def test_4_1_2_n_to_1_pays_n_times_the_stake_and_gives_the_stake_back(
    key: str, dice: tuple[int, int, int], box: str, won: int
) -> None:
    bet = settled_bet(f"{key}/2", dice, box, 1000)
    assert (bet.outcome.value, bet.won, bet.back) == ("win", won, won + 1000)
    assert bet.clause == "4.1.2"


@BOTH_ON_TABLE_1
@pytest.mark.parametrize(
    ("box", "lowest", "highest", "below", "above"),
    [
        ("small", (1, 1, 2), (1, 3, 6), (1, 1, 1), (1, 4, 6)),  # 4 and 10; 3 and 11
        ("big", (1, 4, 6), (5, 6, 6), (1, 3, 6), (6, 6, 6)),  # 11 and 17; 10 and 18
    ],
)
def test_4_1_1_small_is_4_to_10_and_big_11_to_17(
    table: str,
    box: str,
    lowest: tuple[int, int, int],
    highest: tuple[int, int, int],
    below: tuple[int, int, int],
    above: tuple[int, int, int],
) -> None:
    results = [settled_bet(table, dice, box).outcome.value for dice in (lowest, highest)]
    assert results == ["win", "win"]
    results = [settled_bet(table, dice, box).outcome.value for dice in (below, above)]
    assert results == ["lose", "lose"]

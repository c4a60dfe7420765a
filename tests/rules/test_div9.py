"""New Zealand, Division 9: everything but the bets and odds, which are in the file beside this one.

Where a clause's behaviour is still to come, its datum is asserted: the clause ledger says what
brings the rest. Amounts are minor units.
"""

import pytest

import taisai
from taisai.core.rules.dice import call_of
from taisai.core.rules.schema import OpeningCheckContent
from tests.rules.rounds import (
    printed_rows,
    printed_times,
    printed_words,
    ruling,
    settled,
    settled_bet,
)

PROCEDURE = taisai.rulebook("div9").content.procedure


# --- 1 to 3 interpretation, layout and equipment -------------------------------------------------


def test_1_0_the_total_is_the_sum_of_the_faces_on_top() -> None:
    throws = [(1, 1, 1), (6, 1, 3), (6, 6, 5)]
    assert [taisai.result_of(dice).total for dice in throws] == [3, 10, 17]


@pytest.mark.parametrize(("table", "boxes"), [("div9/1", 50), ("div9/2", 106)])
def test_3_2_the_table_is_marked_with_an_area_for_every_bet(table: str, boxes: int) -> None:
    chip_table = taisai.pay_table(table)
    assert [printed_times(chip_table.layout, box) for box in chip_table.boxes] == [1] * boxes


@pytest.mark.parametrize("table", ["div9/1", "div9/2"])
def test_3_2_odds_are_marked_where_boxes_of_a_kind_stand_together(table: str) -> None:
    captions = {each.code: each.pays_of for each in taisai.pay_table(table).layout.captions}
    assert captions["each-double"] in {"double-1", "double-4"}
    assert captions["each-domino"] == "domino-12"
    assert captions["each-single"] == "single-1"


def test_3_3_a_iii_the_entry_is_echoed_before_it_counts() -> None:
    assert PROCEDURE.entry.echo is True


@pytest.mark.parametrize(
    ("table", "dice", "lit"),
    [
        (
            "div9/1",
            (2, 2, 6),
            {"small", "double-2", "total-10", "domino-26", "single-2", "single-6"},
        ),
        ("div9/1", (3, 3, 3), {"triple-3", "double-3", "any-triple", "total-9", "single-3"}),
        (
            "div9/2",
            (3, 4, 6),
            {"big", "odd", "total-13", "domino-34", "domino-36", "domino-46"}
            | {"single-3", "single-4", "single-6", "three-346", "four-6543"},
        ),
    ],
)
def test_3_3_b_every_winning_area_lights_and_no_other(
    table: str, dice: tuple[int, int, int], lit: set[str]
) -> None:
    areas = taisai.pay_table(table).lit_areas(taisai.result_of(dice))
    assert {area.box for area in areas} == lit
    assert len(areas) == len(lit)
    assert PROCEDURE.entry.lights_clause == "3.3(b)"


# --- 4.2 to 4.9 how bets are placed and handled --------------------------------------------------


def test_4_2_the_faces_on_top_decide_in_whatever_order_the_dice_lie() -> None:
    assert PROCEDURE.entry.dice_clause == "4.2"
    throws = [(4, 1, 6), (6, 4, 1), (1, 6, 4)]
    assert [settled_bet("div9/2", dice, "three-146").won for dice in throws] == [30000] * 3


def test_4_3_a_bet_that_touches_the_line_may_be_paid() -> None:
    rule = ruling("div9", "touching-line")
    assert (rule.ruling, rule.clause) == ("operator-may-pay", "4.3")


def test_4_4_bets_wait_until_the_last_winners_are_paid() -> None:
    assert PROCEDURE.betting.after_payment_clause == "4.4"


def test_4_5_spoken_bets_are_taken_under_this_rule() -> None:
    assert PROCEDURE.betting.oral_clause == "4.5"


def test_4_6_players_answer_for_where_their_bets_lie() -> None:
    assert PROCEDURE.betting.on_behalf_clause == "4.6"
    rule = ruling("div9", "bet-in-error")
    assert (rule.ruling, rule.clause) == ("player-answers", "4.6")


def test_4_7_late_bets_are_told_this_rule() -> None:
    assert PROCEDURE.betting.late_clause == "4.7"


def test_4_9_bets_count_as_they_lie_at_the_result() -> None:
    assert (PROCEDURE.settlement.basis, PROCEDURE.settlement.basis_clause) == ("result", "4.9")


def test_4_9_the_operator_may_put_right_a_bet_that_was_moved() -> None:
    assert PROCEDURE.settlement.corrections_clause == "4.9"
    rule = ruling("div9", "bet-moved")
    assert (rule.ruling, rule.clause) == ("operator-may-correct", "4.9")


# --- 5 opening the table -------------------------------------------------------------------------


def test_5_0_four_checks_come_before_the_table_opens() -> None:
    clauses = [check.clause for check in PROCEDURE.opening_checks]
    assert clauses == ["5.0(a)", "5.0(b)", "5.0(c)", "5.0(d)"]
    assert PROCEDURE.opening is not None
    assert (PROCEDURE.opening.title, PROCEDURE.opening.by) == ("Casino Supervisor", ("supervisor",))


def test_5_0_a_the_equipment_is_on() -> None:
    assert OpeningCheckContent(code="equipment-on", clause="5.0(a)") in PROCEDURE.opening_checks


def test_5_0_b_test_runs_light_the_right_areas() -> None:
    assert OpeningCheckContent(code="test-runs-light", clause="5.0(b)") in PROCEDURE.opening_checks


def test_5_0_c_the_tumbler_works() -> None:
    assert OpeningCheckContent(code="tumbler-works", clause="5.0(c)") in PROCEDURE.opening_checks


def test_5_0_d_the_dice_are_under_seal() -> None:
    assert OpeningCheckContent(code="dice-sealed", clause="5.0(d)") in PROCEDURE.opening_checks


# --- 6 the course of the game --------------------------------------------------------------------


def test_6_1_covered_dice_are_spun_three_times_before_the_bets_are_called() -> None:
    tumble = PROCEDURE.tumble
    assert (tumble.cover, tumble.at_least, tumble.clause) == ("covered", 3, "6.1")
    assert (tumble.order, tumble.order_clause) == ("before-bets", "6.1")
    assert tumble.by == ("dealer", "supervisor")
    betting = PROCEDURE.betting
    assert (betting.opens, betting.opens_words) == ("announcement", "Place your bets")
    assert betting.opens_clause == "6.1"


def test_6_1_the_people_are_dealer_and_game_supervisor() -> None:
    people = taisai.rulebook("div9").content.people
    assert [(each.role, each.title, each.clause) for each in people if each.clause] == [
        ("dealer", "Dealer", "6.1"),
        ("supervisor", "Game Supervisor", "6.1"),
    ]


def test_6_2_the_call_that_closes_the_bets_comes_with_the_bell() -> None:
    betting = PROCEDURE.betting
    assert (betting.closes_words, betting.closes_clause) == ("No more bets", "6.2")
    assert betting.closes == "announcement"
    assert betting.bell is True


@pytest.mark.parametrize(
    ("dice", "call"),
    [
        ((6, 1, 3), "1, 3, 6, total 10"),
        ((3, 4, 3), "double 3, 4, total 10"),
        ((4, 1, 4), "1, double 4, total 9"),
        ((5, 5, 5), "triple 5, total 15"),
    ],
)
def test_6_3_the_result_is_called_from_low_to_high_with_its_total(
    dice: tuple[int, int, int], call: str
) -> None:
    assert PROCEDURE.entry.call_clause == "6.3"
    assert taisai.say(call_of(taisai.result_of(dice))) == call


def test_6_4_dealer_or_game_supervisor_enters_the_result() -> None:
    assert (PROCEDURE.entry.clause, PROCEDURE.entry.by) == ("6.4", ("dealer", "supervisor"))


def test_6_5_losers_are_collected_first_and_winners_paid_then() -> None:
    order = PROCEDURE.settlement
    assert (order.order, order.clause) == ("collect-then-pay", "6.5")


# 1 2 4, total 7: Big loses 3000; Small wins 1000 at 1 to 1 and Total 7 wins 500 at 12 to 1.
PLACED = [("ann", "small", 1000), ("bob", "big", 3000), ("cat", "total-7", 500)]


def test_6_5_a_what_the_losers_staked_is_collected() -> None:
    round_ = settled("div9/1", (1, 2, 4), PLACED)
    assert round_.collected == 3000
    assert [bet.player for bet in round_.bets if bet.back == 0] == ["bob"]


def test_6_5_b_the_winners_are_paid_and_keep_their_stake() -> None:
    round_ = settled("div9/1", (1, 2, 4), PLACED)
    assert round_.paid == 7000
    assert [(bet.won, bet.back) for bet in round_.bets if bet.won] == [(1000, 2000), (6000, 6500)]


# --- 7 irregularities ----------------------------------------------------------------------------


def test_7_1_no_spin_returns_every_bet_by_this_rule() -> None:
    assert PROCEDURE.settlement.void_clause == "7.1"


def test_7_1_a_die_that_is_not_flat_makes_no_spin() -> None:
    rule = ruling("div9", "die-not-flat")
    assert (rule.ruling, rule.clause) == ("void-round", "7.1(a)")


def test_7_1_b_tumbler_that_fails_makes_no_spin() -> None:
    rule = ruling("div9", "bad-tumble")
    assert (rule.ruling, rule.clause) == ("void-round", "7.1(b)")


def test_7_1_c_dice_seen_before_the_close_make_no_spin() -> None:
    rule = ruling("div9", "dice-exposed")
    assert (rule.ruling, rule.clause) == ("void-round", "7.1(c)")


def test_7_1_d_tumbler_never_set_off_makes_no_spin() -> None:
    rule = ruling("div9", "no-tumble")
    assert (rule.ruling, rule.clause) == ("void-round", "7.1(d)")


def test_7_2_a_wrong_entry_is_amended_before_settlement() -> None:
    rule = ruling("div9", "wrong-entry")
    assert (rule.ruling, rule.clause) == ("amend-before-settlement", "7.2")
    amendment = PROCEDURE.amendment
    assert (amendment.by, amendment.until) == (("supervisor",), "settlement")
    assert amendment.clause == "7.2"
    # Once settled, only a ruling is left.
    assert ruling("div9", "wrong-result-settled").ruling == "shift-manager-rules"


def test_7_3_where_the_lights_fail_the_dice_decide() -> None:
    rule = ruling("div9", "lights-fail")
    assert (rule.ruling, rule.clause) == ("dice-prevail", "7.3")
    assert (rule.stops_table, rule.stops_clause) == (True, "7.4")


def test_7_4_a_malfunction_stops_the_game_until_rectified() -> None:
    rule = ruling("div9", "malfunction")
    assert (rule.ruling, rule.clause) == ("stop-until-rectified", "7.4")
    assert rule.stops_table is True


# --- the appendices ------------------------------------------------------------------------------


def test_appendix_1_is_followed_cell_by_cell() -> None:
    layout = taisai.pay_table("div9/1").layout
    assert (layout.name, layout.clause, layout.decision) == ("Appendix 1", "Appendix 1", None)
    assert printed_rows(layout, "double") == ["1 2 3 4 5 6"]
    assert printed_rows(layout, "triple") == ["1 4", "2 5", "3 6"]
    assert printed_rows(layout, "total") == ["4 5 6 7 8 9 10 11 12 13 14 15 16 17"]
    assert printed_rows(layout, "domino") == ["12 13 14 15 16 23 24 25 26 34 35 36 45 46 56"]
    assert printed_rows(layout, "single") == ["1 2 3 4 5 6"]
    sides = {area.box: area for area in layout.areas if area.box in ("small", "big")}
    assert sides["small"].x == 0
    assert sides["big"].x + sides["big"].w == layout.columns


def test_appendix_1_prints_the_totals_of_small_and_big_and_that_a_triple_beats_them() -> None:
    loses = "loses on any triple"
    assert printed_words("div9/1") == [("small", "4 to 10", loses), ("big", "11 to 17", loses)]


def test_appendix_2_prints_that_a_triple_beats_odd_and_even_too() -> None:
    """Odd and Small survived; Big and Even, which are lost, print the like [D10]."""
    loses = "loses on any triple"
    odd, small, big, even = printed_words("div9/2")
    assert (odd, small) == (("odd", loses), ("small", "4 to 10", loses))
    assert (big, even) == (("big", "11 to 17", loses), ("even", loses))


def test_appendix_2_keeps_odd_and_small_in_their_corner() -> None:
    layout = taisai.pay_table("div9/2").layout
    assert (layout.name, layout.clause, layout.decision) == ("Appendix 2", "Appendix 2", "D10")
    first, second = sorted(layout.areas, key=lambda area: (area.y, area.x))[:2]
    assert (first.box, second.box) == ("odd", "small")

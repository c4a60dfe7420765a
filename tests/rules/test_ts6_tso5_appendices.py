"""Tai Sai, version 6, and Tai Sai (Open Cover), version 5: the appendices, alike in both.

The surviving parts of an appendix are followed; the lost parts are our own [D10].
"""

import pytest

import taisai
from tests.rules.rounds import printed_rows, printed_times, printed_words

BOTH_ON_TABLE_1 = pytest.mark.parametrize("table", ["ts6/1", "tso5/1"])
BOTH_ON_TABLE_2 = pytest.mark.parametrize("table", ["ts6/2", "tso5/2"])
BOTH_ON_TABLE_3 = pytest.mark.parametrize("table", ["ts6/3", "tso5/3"])

FOURS = "6543 6542 6532 6432 5432 6541 6531 6431 5431 6521 6421 5421 6321 5321 4321"


@BOTH_ON_TABLE_1
def test_appendix_a_is_followed_cell_by_cell(table: str) -> None:
    layout = taisai.pay_table(table).layout
    assert (layout.clause, layout.decision) == ("Appendix A", None)
    assert printed_rows(layout, "double") == ["6 5 4 3 2 1"]
    assert printed_rows(layout, "triple") == ["4 1", "5 2", "6 3"]
    assert printed_rows(layout, "total") == ["17 16 15 14 13 12 11 10 9 8 7 6 5 4"]
    assert printed_rows(layout, "domino") == ["56 46 45 36 35 34 26 25 24 23 16 15 14 13 12"]
    assert printed_rows(layout, "single") == ["6 5 4 3 2 1"]
    sides = {area.box: area for area in layout.areas if area.box in ("big", "small")}
    assert sides["big"].x == 0
    assert sides["small"].x + sides["small"].w == layout.columns


@BOTH_ON_TABLE_1
def test_appendix_a_prints_the_totals_of_big_and_small_and_that_a_triple_beats_them(
    table: str,
) -> None:
    loses = "loses on any triple"
    assert printed_words(table) == [("big", "11 to 17", loses), ("small", "4 to 10", loses)]
    chinese = [("big", "11 點至 17 點", "圍骰通吃"), ("small", "4 點至 10 點", "圍骰通吃")]
    assert printed_words(table, "zh-Hant") == chinese
    simplified = [("big", "11 点至 17 点", "围骰通吃"), ("small", "4 点至 10 点", "围骰通吃")]
    assert printed_words(table, "zh-Hans") == simplified


@BOTH_ON_TABLE_1
def test_appendix_b_shows_bets_on_the_layout_of_appendix_a(table: str) -> None:
    layout = taisai.pay_table(table).layout
    assert layout.examples_clause == "Appendix B"
    # Every kind of bet its arrows point at has an area.
    pointed_at = ["big", "double-6", "triple-4", "any-triple", "small", "total-17", "domino-56"]
    assert [printed_times(layout, box) for box in [*pointed_at, "single-6"]] == [1] * 8


@BOTH_ON_TABLE_2
def test_appendix_c_keeps_every_cell_that_survived(table: str) -> None:
    layout = taisai.pay_table(table).layout
    assert (layout.clause, layout.decision) == ("Appendix C", "D10")
    assert printed_rows(layout, "three") == [
        "113 114 115 116",
        "221 223 224 225 226",
        "331 332 334 335 336",
        "441 442 443 445 446",
        "551 552 553 554 556",
        "661 662 663 664",
        "126 135 234 256 346",
        "123 136 145 235 356",
        "124 146 236 245 456",
        "125 134 156 246 345",
    ]
    assert printed_rows(layout, "total") == ["17 16 15 14 13 12 11 10 9 8 7 6 5 4"]
    assert printed_rows(layout, "four") == ["6543 6532 5432 4321"]
    x = {area.box: area.x for area in layout.areas}
    assert x["even"] < x["any-triple"] < x["odd"]
    assert x["big"] < x["any-triple"] < x["small"]


@BOTH_ON_TABLE_2
def test_appendix_c_prints_that_a_triple_beats_odd_and_even_too(table: str) -> None:
    loses = "loses on any triple"
    assert printed_words(table) == [
        ("even", loses),
        ("odd", loses),
        ("big", "11 to 17", loses),
        ("small", "4 to 10", loses),
    ]


@BOTH_ON_TABLE_2
def test_appendix_d_shows_bets_on_the_layout_of_appendix_c(table: str) -> None:
    layout = taisai.pay_table(table).layout
    assert layout.examples_clause == "Appendix D"
    pointed_at = ["three-113", "three-126", "even", "big", "double-6", "triple-6", "any-triple"]
    pointed_at += ["odd", "small", "total-17", "domino-56", "four-6543", "single-6"]
    assert [printed_times(layout, box) for box in pointed_at] == [1] * 13


@BOTH_ON_TABLE_3
def test_appendix_e_prints_its_outer_boxes_on_both_sides(table: str) -> None:
    layout = taisai.pay_table(table).layout
    assert (layout.clause, layout.decision) == ("Appendix E", "D10")
    top = sorted((area.x, area.box) for area in layout.areas if area.y == 0)
    assert [box for _, box in top] == [
        *("big", "small", "any-triple"),
        *("three-126", "three-135", "three-234", "three-256", "three-346"),
        *("any-triple", "small", "big"),
    ]
    assert printed_rows(layout, "total") == [
        "10 9 8 7 6 5 4 4 5 6 7 8 9 10",
        "11 12 13 14 15 16 17 17 16 15 14 13 12 11",
    ]
    assert printed_rows(layout, "four") == [FOURS]
    assert printed_rows(layout, "three")[3:] == [
        "125 134 156 246 345",
        "113 114 115 116",
        "221 223 224 225 226",
        "331 332 334 335 336",
        "441 442 443 445 446",
        "551 552 553 554 556",
        "661 662 663 664",
    ]


@BOTH_ON_TABLE_3
def test_appendix_e_prints_totals_and_triple_on_both_sides(table: str) -> None:
    """ "8 to 17" in the scan of its example is a misreading: those totals are Big's [D10]."""
    big = ("big", "11 to 17", "loses on any triple")
    small = ("small", "4 to 10", "loses on any triple")
    assert printed_words(table) == [big, small, small, big]


@BOTH_ON_TABLE_3
def test_appendix_e_lights_both_areas_of_a_winning_box(table: str) -> None:
    chip_table = taisai.pay_table(table)
    lit = [area.box for area in chip_table.lit_areas(taisai.result_of((2, 2, 6)))]
    # 2 2 6, total 10: five boxes printed twice, the pair with its single face once.
    twice = ["small", "total-10", "domino-26", "single-2", "single-6"]
    assert sorted(lit) == sorted([*twice, *twice, "three-226"])


@BOTH_ON_TABLE_3
def test_appendix_f_shows_bets_on_the_layout_of_appendix_e(table: str) -> None:
    layout = taisai.pay_table(table).layout
    assert layout.examples_clause == "Appendix F"
    on_both_sides = ["big", "small", "any-triple", "triple-1", "domino-12", "total-4", "single-1"]
    assert [printed_times(layout, box) for box in on_both_sides] == [2] * 7
    in_the_middle = ["three-126", "three-113", "four-6543"]
    assert [printed_times(layout, box) for box in in_the_middle] == [1] * 3

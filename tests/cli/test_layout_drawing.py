"""The layout in the terminal: lines that join, words that fit, lit areas shown without colour."""

import unicodedata
from collections import Counter
from itertools import product

import pytest

from taisai.cli.rules.layout import _character, draw_layout, short_label
from taisai.cli.text import align, display_width
from taisai.core.rules.boxes import BOX_NAMES
from taisai.core.rules.schema import AreaContent, CaptionContent, LayoutContent
from tests.cli.command import taisai

FOUR_CHANCES = LayoutContent(
    name="Four chances",
    clause="none",
    columns=2,
    rows=2,
    areas=(
        AreaContent(box="small", x=0, y=0, w=1, h=1),
        AreaContent(box="big", x=1, y=0, w=1, h=1),
        AreaContent(box="odd", x=0, y=1, w=1, h=1),
        AreaContent(box="even", x=1, y=1, w=1, h=1),
    ),
)
FOUR_LABELS = {box: (box.capitalize(), "1 to 1") for box in ("small", "big", "odd", "even")}

UNLIT = """\
┌─────────┬─────────┐
│  Small  │   Big   │
│ 1 to 1  │ 1 to 1  │
├─────────┼─────────┤
│   Odd   │  Even   │
│ 1 to 1  │ 1 to 1  │
└─────────┴─────────┘"""

SMALL_LIT = """\
┏━━━━━━━━━┱─────────┐
┃ ◆ Small ┃   Big   │
┃ 1 to 1  ┃ 1 to 1  │
┡━━━━━━━━━╃─────────┤
│   Odd   │  Even   │
│ 1 to 1  │ 1 to 1  │
└─────────┴─────────┘"""

SMALL_AND_EVEN_LIT = """\
┏━━━━━━━━━┱─────────┐
┃ ◆ Small ┃   Big   │
┃ 1 to 1  ┃ 1 to 1  │
┡━━━━━━━━━╋━━━━━━━━━┪
│   Odd   ┃ ◆ Even  ┃
│ 1 to 1  ┃ 1 to 1  ┃
└─────────┺━━━━━━━━━┛"""

ARMS = ("UP", "RIGHT", "DOWN", "LEFT")

# Left three rows, right two: borders that meet a neighbour's side, and a caption between.
STACKED = LayoutContent(
    name="Stacked",
    clause="none",
    columns=4,
    rows=6,
    areas=(
        AreaContent(box="triple-4", x=0, y=0, w=2, h=2),
        AreaContent(box="triple-5", x=0, y=2, w=2, h=2),
        AreaContent(box="triple-6", x=0, y=4, w=2, h=2),
        AreaContent(box="any-triple", x=2, y=3, w=2, h=3),
    ),
    captions=(CaptionContent(code="each-triple", pays_of="triple-4", x=2, y=0, w=2, h=3),),
)

STACKED_DRAWN = """\
┌───────┬───────┐
│Triple │       │
│   4   │  180  │
├───────┤ to 1  │
│Triple │       │
│   5   ├───────┤
├───────┤  Any  │
│Triple │triple │
│   6   │       │
└───────┴───────┘"""


def _bands() -> LayoutContent:
    """Lay out every box there is in rows of twelve."""
    areas = tuple(
        AreaContent(box=key, x=place % 12, y=place // 12, w=1, h=1)
        for place, key in enumerate(BOX_NAMES)
    )
    return LayoutContent(name="Bands", clause="none", columns=12, rows=areas[-1].y + 1, areas=areas)


def _widths(drawing: str) -> set[int]:
    return {display_width(line) for line in drawing.splitlines()}


def _words(drawing: str) -> Counter[str]:
    """Count the words between the lines."""
    return Counter(drawing.translate(dict.fromkeys(map(ord, "│┃◆"), " ")).split())


def _arms_by_name(character: str) -> dict[str, int]:
    """Read the weight of each arm from the character's Unicode name."""
    name = unicodedata.name(character).removeprefix("BOX DRAWINGS ")
    name = name.replace("VERTICAL", "UP DOWN").replace("HORIZONTAL", "LEFT RIGHT")
    arms: dict[str, int] = {}
    weight = 0
    for part in (words.split() for words in name.split(" AND ")):
        weight = next(
            ({"LIGHT": 1, "HEAVY": 2}[w] for w in part if w in ("LIGHT", "HEAVY")), weight
        )
        arms |= {word: weight for word in part if word in ARMS}
    return arms


@pytest.mark.parametrize(
    ("lit", "expected"),
    [((), UNLIT), (("small",), SMALL_LIT), (("small", "even"), SMALL_AND_EVEN_LIT)],
)
def test_corners_join_and_heavy_borders_meet_light_ones(
    lit: tuple[str, ...], expected: str
) -> None:
    assert draw_layout(FOUR_CHANCES, FOUR_LABELS, {}, lit, 21) == expected


def test_borders_meet_the_sides_of_taller_neighbours() -> None:
    labels = {f"triple-{face}": (f"Triple {face}",) for face in (4, 5, 6)}
    labels["any-triple"] = ("Any triple",)
    drawing = draw_layout(STACKED, labels, {"each-triple": "180 to 1"}, (), 17)
    assert drawing == STACKED_DRAWN


def test_every_line_character_has_the_arms_its_name_says() -> None:
    for arms in product(range(3), repeat=4):
        if any(arms):
            drawn = {arm: weight for arm, weight in zip(ARMS, arms, strict=True) if weight}
            assert _arms_by_name(_character(arms)) == drawn


@pytest.mark.parametrize("width", [1, 60, 73, 80, 120, 137, 160, 240])
def test_every_line_is_equally_wide_and_every_box_shows_its_short_label(width: int) -> None:
    drawing = draw_layout(_bands(), {}, {}, {"small", "total-10", "three-221"}, width)
    (drawn_width,) = _widths(drawing)
    assert drawn_width == max(width, 73)
    assert Counter(map(short_label, BOX_NAMES)) <= _words(drawing)


def test_with_room_enough_every_label_is_shown_in_full() -> None:
    drawing = draw_layout(_bands(), {key: (key, "pays") for key in BOX_NAMES}, {}, (), 160)
    assert Counter(list(BOX_NAMES)) <= _words(drawing)
    assert _words(drawing)["pays"] == len(BOX_NAMES)


def test_a_name_that_does_not_fit_gives_way_to_the_short_label() -> None:
    labels = {"domino-56": ("Combination", "6 to 1"), "triple-4": ("Quadruple", "Unforgettable")}
    layout = LayoutContent(
        name="Two",
        clause="none",
        columns=2,
        rows=1,
        areas=(
            AreaContent(box="domino-56", x=0, y=0, w=1, h=1),
            AreaContent(box="triple-4", x=1, y=0, w=1, h=1),
        ),
    )
    assert draw_layout(layout, labels, {}, (), 15) == (
        "┌──────┬──────┐\n"
        "│ 5·6  │  T4  │\n"
        "│6 to 1│      │\n"
        "└──────┴──────┘"
    )  # fmt: skip


def test_where_no_mark_fits_beside_the_label_the_border_carries_it() -> None:
    assert draw_layout(FOUR_CHANCES, FOUR_LABELS, {}, ("small",), 13) == (
        "┏━━◆━━┱─────┐\n"
        "┃Small┃ Big │\n"
        "┃  1  ┃  1  │\n"
        "┃to 1 ┃to 1 │\n"
        "┡━━━━━╃─────┤\n"
        "│ Odd │Even │\n"
        "│  1  │  1  │\n"
        "│to 1 │to 1 │\n"
        "└─────┴─────┘"
    )


def test_a_border_met_by_other_lines_is_marked_beside_them() -> None:
    layout = LayoutContent(
        name="Two over one",
        clause="none",
        columns=4,
        rows=2,
        areas=(
            AreaContent(box="single-1", x=0, y=0, w=2, h=1),
            AreaContent(box="single-2", x=2, y=0, w=2, h=1),
            AreaContent(box="total-17", x=1, y=1, w=2, h=1),
        ),
    )
    assert draw_layout(layout, {}, {}, {"total-17"}, 7) == (
        "┌──┬──┐\n"
        "│1 │2 │\n"
        "└─┲┷◆┱┘\n"
        "  ┃17┃ \n"
        "  ┗━━┛ "
    )  # fmt: skip


@pytest.mark.parametrize("width", [40, 73, 120])
def test_lit_areas_are_marked_once_each_and_no_others(width: int) -> None:
    lit = {"small", "even", "single-2", "total-10", "double-2", "domino-26", "three-226"}
    drawing = draw_layout(_bands(), {}, {}, lit, width)
    assert drawing.count("◆") == len(lit)
    assert "◆" not in draw_layout(_bands(), {}, {}, (), width)


def test_a_box_printed_twice_is_lit_twice() -> None:
    areas = tuple(AreaContent(box="small", x=x, y=0, w=1, h=1) for x in (0, 2))
    layout = LayoutContent(name="Twice", clause="none", columns=3, rows=1, areas=areas)
    drawing = draw_layout(layout, {"small": ("Small",)}, {}, {"small"}, 31)
    assert drawing.count("◆ Small") == 2
    assert drawing.count("┏") == 2


def test_chinese_characters_are_two_columns_wide_and_break_anywhere() -> None:
    labels = {"small": ("小", "1比1"), "big": ("大",), "odd": ("单",), "even": ("双数很长",)}
    drawing = draw_layout(FOUR_CHANCES, labels, {}, ("odd",), 13)
    assert (
        drawing
        == (
            "┌─────┬─────┐\n"
            "│ 小  │ 大  │\n"
            "│1比1 │     │\n"
            "┢━━━━━╅─────┤\n"
            "┃◆ 单 ┃双数 │\n"
            "┃     ┃很长 │\n"
            "┡━━━━━╃─────┘\n"
        ).removesuffix("┡━━━━━╃─────┘\n")
        + "┗━━━━━┹─────┘"
    )
    assert _widths(drawing) == {13}


def _columns(line: str) -> int:
    """Count a line's columns in a terminal, by the Unicode names of its characters."""
    names = [unicodedata.name(character) for character in line]
    wide = [name for name in names if name.startswith(("CJK", "FULLWIDTH", "IDEOGRAPHIC"))]
    return len(names) + len(wide) - names.count("ZERO WIDTH SPACE")


@pytest.mark.parametrize("pay_table", ["ts6/1", "ts6/2", "etg8/2", "div9/2"])
@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant"])
def test_borders_are_straight_in_chinese(pay_table: str, language: str) -> None:
    """Captions have spaces of no width, where words may be broken: none of them is printed."""
    answer = taisai("layout", pay_table, "--lang", language, "--width", "120")
    rows = [row for row in answer.out.splitlines() if row[:1] in tuple("┌│├└")]
    assert len(rows) > 10
    assert {_columns(row) for row in rows} == {120}
    assert "\u200b" not in answer.out


def test_a_character_of_no_width_takes_no_column() -> None:
    assert align(["a", "b"], [["对\u200b子", "1"], ["ab\u0301c", "2"]]).splitlines() == [
        "a     b",
        "----  -",
        "对\u200b子  1",
        "ab\u0301c   2",
    ]
    labels = {"small": ("ab\u0301c",), "big": ("Big",), "odd": ("Odd",), "even": ("Even",)}
    assert "│ ab\u0301c │ Big │" in draw_layout(FOUR_CHANCES, labels, {}, (), 11)


def test_a_caption_keeps_the_words_that_fit() -> None:
    layout = LayoutContent(
        name="Caption",
        clause="none",
        columns=2,
        rows=1,
        areas=(AreaContent(box="single-6", x=0, y=0, w=1, h=1),),
        captions=(CaptionContent(code="each-triple", pays_of="triple-1", x=1, y=0, w=1, h=1),),
    )
    drawing = draw_layout(layout, {}, {"each-triple": "Combinations pay 30 to 1"}, (), 11)
    assert "Comb" not in drawing
    assert all(word in drawing for word in ("pay", "30", "to 1"))
    assert _widths(drawing) == {11}


@pytest.mark.parametrize(
    ("key", "label"),
    [
        ("small", "Small"),
        ("even", "Even"),
        ("any-triple", "Any"),
        ("single-6", "6"),
        ("total-17", "17"),
        ("domino-56", "5·6"),
        ("double-6", "D6"),
        ("triple-4", "T4"),
        ("four-6543", "6543"),
        ("three-113", "113"),
    ],
)
def test_short_labels(key: str, label: str) -> None:
    assert short_label(key) == label

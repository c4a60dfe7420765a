"""`taisai layout`: a layout drawn in the terminal, the winning areas of a throw marked."""

import argparse
import shutil

from taisai.cli.catalogue import find_result, pay_table_of
from taisai.cli.command import DICE, LANGUAGE, PAY_TABLE, RULEBOOK, Output, argument, command
from taisai.cli.rules.layout_drawing import MARK, draw_layout, short_label
from taisai.cli.text import title_of
from taisai.core.rules.boxes import Kind
from taisai.core.rules.dice import Result, call_of
from taisai.core.rules.money import write_odds
from taisai.core.rules.paytable import BettingBox, PayTable
from taisai.wording import caption, name_box, say, word_caption

#: Kinds whose boxes a layout prints as their numbers alone.
_BARE = (Kind.TOTAL, Kind.DOMINO, Kind.FOUR, Kind.THREE, Kind.PAIR)

WIDTH_MIN, WIDTH_MAX = 100, 400


@command(
    "taisai layout ts6/1 --dice 2 2 6",
    RULEBOOK,
    PAY_TABLE,
    argument("--dice", **DICE),
    argument("--width", type=int, metavar="COLUMNS", help="how wide to draw it"),
    LANGUAGE,
)
def layout(arguments: argparse.Namespace) -> Output:
    """Answer `taisai layout`."""
    rulebook, table = pay_table_of(arguments)
    result = None if arguments.dice is None else find_result(arguments.dice)

    def text() -> str:
        drawn = _draw(table, result, _width(arguments.width), arguments.lang)
        return "\n".join([title_of(rulebook, table), "", drawn, *_lit(table, result, arguments)])

    return Output(lambda: _answer(table, result), text)


def _lit(table: PayTable, result: Result | None, arguments: argparse.Namespace) -> list[str]:
    if result is None:
        return []
    areas, boxes = len(table.lit_areas(result)), len(table.winners(result))
    return [f"{say(call_of(result), arguments.lang)}: {boxes} boxes win, {areas} areas lit {MARK}"]


def _width(asked: int | None) -> int:
    width = shutil.get_terminal_size((132, 40)).columns if asked is None else asked
    return min(max(width, WIDTH_MIN), WIDTH_MAX)


def _answer(table: PayTable, result: Result | None) -> dict[str, object]:
    return {
        "pay_table": table.address,
        "layout": table.layout,
        "call": None if result is None else say(call_of(result)),
        "lit": [] if result is None else table.lit_areas(result),
    }


def _draw(table: PayTable, result: Result | None, width: int, language: str) -> str:
    priced = {table.boxes[each.pays_of].kind for each in table.layout.captions}
    labels = {
        key: _label(box, language, odds=box.kind not in priced) for key, box in table.boxes.items()
    }
    captions: dict[str, str] = {
        each.code: word_caption(table, each, language) for each in table.layout.captions
    }
    lit = set() if result is None else set(table.winners(result))
    return draw_layout(table.layout, labels, captions, lit, width)


def _label(box: BettingBox, language: str, *, odds: bool) -> tuple[str, ...]:
    """Label a box as a layout prints it: numbers bare, and no odds where a caption prints them."""
    name = short_label(box.key) if box.kind in _BARE else name_box(box.key, language)
    return (name, caption("pays", language, odds=write_odds(box.odds[0]))) if odds else (name,)

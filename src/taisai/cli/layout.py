"""`taisai layout`: the felt drawn in the terminal, the winning areas of a throw marked."""

import argparse
import shutil

import msgspec

from taisai.cli.felt import MARK, draw_felt, short_label
from taisai.cli.shelves import find_pay_table, find_result, find_rulebook, shelf_of
from taisai.cli.titles import title_of
from taisai.core.rules.boxes import Kind
from taisai.core.rules.dice import Result, call_of
from taisai.core.rules.money import write_odds
from taisai.core.rules.paytable import BettingBox, PayTable
from taisai.wording import caption, name_box, say, word_caption

#: Kinds whose boxes a felt prints as their numbers alone.
_BARE = (Kind.TOTAL, Kind.DOMINO, Kind.FOUR, Kind.THREE, Kind.PAIR)

WIDTH_MIN, WIDTH_MAX = 100, 400


def run(arguments: argparse.Namespace) -> int:
    """Answer `taisai layout`."""
    shelf = shelf_of(arguments)
    table = find_pay_table(shelf, arguments.pay_table)
    result = None if arguments.dice is None else find_result(arguments.dice)
    if arguments.json:
        answer = msgspec.json.encode(_answer(table, result))
        print(msgspec.json.format(answer, indent=1).decode())
        return 0
    print(title_of(find_rulebook(shelf, table.rulebook_key), table))
    print(_draw(table, result, _width(arguments.width), arguments.lang))
    if result is not None:
        areas, boxes = len(table.lit_areas(result)), len(table.winners(result))
        print(
            f"{say(call_of(result), arguments.lang)}: {boxes} boxes win, {areas} areas lit {MARK}"
        )
    return 0


def _width(asked: int | None) -> int:
    width = shutil.get_terminal_size((132, 40)).columns if asked is None else asked
    return min(max(width, WIDTH_MIN), WIDTH_MAX)


def _answer(table: PayTable, result: Result | None) -> dict[str, object]:
    lit = [] if result is None else table.lit_areas(result)
    return {
        "pay_table": table.address,
        "layout": msgspec.to_builtins(table.layout),
        "call": None if result is None else say(call_of(result)),
        "lit": [msgspec.to_builtins(area) for area in lit],
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
    return draw_felt(table.layout, labels, captions, lit, width)


def _label(box: BettingBox, language: str, *, odds: bool) -> tuple[str, ...]:
    """Label a box as a felt prints it: numbers bare, and no odds where a caption prints them."""
    name = short_label(box.key) if box.kind in _BARE else name_box(box.key, language)
    return (name, caption("pays", language, odds=write_odds(box.odds[0]))) if odds else (name,)

"""`taisai layout`: a layout drawn in the terminal, the winning areas of a throw marked.

A lit area has a heavy border and a mark, so that it differs from the others without colour.
Ambiguous-width characters, the lines themselves among them, are taken to be one column wide, as
most terminals draw them.
"""

import argparse
import shutil
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import count, pairwise, product
from typing import NamedTuple

from taisai.cli.catalogue import find_result, pay_table_of
from taisai.cli.command import LANGUAGE, PAY_TABLE, RULEBOOK, Output, command, dice, whole
from taisai.cli.text import character_width, display_width, title_of
from taisai.core.rules.boxes import Kind
from taisai.core.rules.dice import Result, call_of
from taisai.core.rules.money import write_odds
from taisai.core.rules.paytable import BettingBox, PayTable
from taisai.core.rules.schema import LayoutContent
from taisai.wording import name, name_box, say, word_area, word_caption

MARK = "◆"

#: Marks where a word may be broken, and is never printed: some terminals give it a column.
_BREAK = "\u200b"

_LIGHT, _HEAVY = 1, 2

#: A line's character by the weight of its four arms: up and right choose the row, down and left the
#: column, each pair counted as 00, 01, 02, 10 … 22.
_CHARACTERS = (
    " ╴╸╷┐┑╻┒┓",
    "╶─╾┌┬┭┎┰┱",
    "╺╼━┍┮┯┏┲┳",
    "╵┘┙│┤┥╽┧┪",
    "└┴┵├┼┽┟╁╅",
    "┕┶┷┝┾┿┢╆╈",
    "╹┚┛╿┦┩┃┨┫",
    "┖┸┹┞╀╃┠╂╉",
    "┗┺┻┡╄╇┣╊╋",
)

#: The short form of a numbered box's name, for a narrow cell.
_SHORT_FORMS = {"double": "D{}", "triple": "T{}"}


def short_label(key: str) -> str:
    """Give the shortest label that distinguishes a box from its neighbours: 17, 5·6, D6, 113."""
    word, _, digits = key.rpartition("-")
    if word == "domino":
        return "·".join(digits)
    if digits.isdigit():
        return _SHORT_FORMS.get(word, "{}").format(digits)
    return key.partition("-")[0].capitalize()


def draw_layout(
    layout: LayoutContent,
    labels: Mapping[str, tuple[str, ...]],
    captions: Mapping[str, str],
    lit: Container[str],
    width: int,
) -> str:
    """Draw a layout `width` columns wide, or wider if the short labels would not fit in that.

    `labels` gives each box its lines, the most wanted first: a name that does not fit gives way to
    the short label, any other line that does not is left out. A no-break space keeps words on one
    line. `captions` words each code.
    """
    panels = [*_panels(layout, labels, captions, lit)]
    columns = _column_edges(panels, layout.columns, width)
    # Areas of one size on the grid share one room, although rounding gives some a column more.
    rooms = {panel.w: panel.w * columns[layout.columns] // layout.columns - 1 for panel in panels}
    texts = [_fit(panel, rooms[panel.w]) for panel in panels]
    rows = _row_edges(panels, texts, layout.rows)
    canvas = _Canvas(columns[layout.columns] + 1, rows[layout.rows] + 1)
    frames = [panel.frame(columns, rows) for panel in panels]
    for panel, frame in zip(panels, frames, strict=True):
        canvas.outline(frame, _HEAVY if panel.lit else _LIGHT)
    # Words come after all the lines: a mark on a border needs a place that no other line meets.
    for panel, frame, text in zip(panels, frames, texts, strict=True):
        _write(canvas, frame, text, panel.lit, rooms[panel.w])
    return canvas.render()


class _Frame(NamedTuple):
    """The border of a panel on the canvas."""

    left: int
    top: int
    right: int
    bottom: int


class _Panel(NamedTuple):
    """An area or a caption, with its text."""

    x: int
    y: int
    w: int
    h: int
    lines: tuple[str, ...]
    short: str
    lit: bool

    def frame(self, columns: Mapping[int, int], rows: Mapping[int, int]) -> _Frame:
        return _Frame(
            columns[self.x], rows[self.y], columns[self.x + self.w], rows[self.y + self.h]
        )


def _panels(
    layout: LayoutContent,
    labels: Mapping[str, tuple[str, ...]],
    captions: Mapping[str, str],
    lit: Container[str],
) -> Iterator[_Panel]:
    for area in layout.areas:
        short = short_label(area.box)
        lines = labels.get(area.box) or (short,)
        yield _Panel(area.x, area.y, area.w, area.h, lines, short, area.box in lit)
    for each in layout.captions:
        yield _Panel(each.x, each.y, each.w, each.h, (captions[each.code],), "", lit=False)


# Where the lines run.


def _column_edges(panels: Sequence[_Panel], columns: int, width: int) -> dict[int, int]:
    """Place each vertical line of the grid on a whole column of the terminal."""
    edges = {0, columns, *(x for panel in panels for x in (panel.x, panel.x + panel.w))}
    needs = {(panel.w, max(1, display_width(panel.short))) for panel in panels}
    wide_enough = (
        last
        for last in count(max(width, 1) - 1)
        if all(w * last // columns > need for w, need in needs)
    )
    last = next(wide_enough)
    # Rounded to the nearest: cells of one size then differ by a column at most.
    return {x: (2 * x * last + columns) // (2 * columns) for x in edges}


def _row_edges(
    panels: Sequence[_Panel], texts: Sequence[Sequence[str]], rows: int
) -> dict[int, int]:
    """Place each horizontal line so that every text has room, with no line more than that takes.

    Where lines of neighbouring blocks lie close, a band between two of them may be left with no row
    of its own: a panel across it writes on the row of the other block's border.
    """
    edges = sorted({0, rows, *(y for panel in panels for y in (panel.y, panel.y + panel.h))})
    index = {y: place for place, y in enumerate(edges)}
    sizes = [lower - upper for upper, lower in pairwise(edges)]
    heights = [0] * len(sizes)
    spans = [range(index[panel.y], index[panel.y + panel.h]) for panel in panels]
    for span, text in sorted(zip(spans, texts, strict=True), key=lambda item: len(item[0])):
        # The borders of others that run into the panel from the side are rows it can write on.
        while sum(heights[band] for band in span) + len(span) - 1 < max(1, len(text)):
            heights[max(span, key=lambda band: sizes[band] / (heights[band] + 1))] += 1
    return {y: sum(heights[:place]) + place for y, place in index.items()}


# How words fit.


def _fit(panel: _Panel, room: int) -> list[str]:
    """Choose and wrap the text of a panel for a width in columns."""
    if not panel.short:
        # A caption keeps at least the words that fit, the odds among them.
        words = [word for word in panel.lines[0].split(" ") if _wrap(word, room)]
        return _wrap(" ".join(words), room) if words else []
    name, *others = panel.lines
    return [
        *(_wrap(name, room) or [panel.short]),
        *(row for line in others for row in _wrap(line, room)),
    ]


def _wrap(line: str, room: int) -> list[str]:
    """Break a line into rows of even length, as few as possible; no rows if it cannot fit."""
    words = [part for word in line.split(" ") for part in _cut(word, room)]
    if max(map(display_width, words)) > room:
        return []
    rows = _fill(words, room, " ")
    narrower = (_fill(words, narrow, " ") for narrow in range(1, room))
    return next((even for even in narrower if len(even) == len(rows)), rows)


def _fill(words: Sequence[str], room: int, space: str) -> list[str]:
    """Fill rows from the last to the first: "8 / to 1" reads better than "8 to / 1"."""
    rows: list[str] = []
    for word in reversed(words):
        longer = f"{word}{space}{rows[-1]}" if rows else ""
        if rows and display_width(longer) <= room:
            rows[-1] = longer
        else:
            rows.append(word)
    return rows[::-1]


def _cut(word: str, room: int) -> list[str]:
    """Cut a word that is too wide, where it can be cut: beside Chinese characters."""
    if display_width(word) <= room:
        return [word]
    atoms = [""]
    for before, character in pairwise(f" {word}"):
        if 2 in (character_width(before), character_width(character)):
            atoms.append("")
        atoms[-1] += character
    return _fill([atom for atom in atoms if atom], room, "")


# Ink.


class _Canvas:
    """Rows of characters; each cell has the weight of the four line arms that meet in it."""

    def __init__(self, width: int, height: int) -> None:
        self._arms = [[[0, 0, 0, 0] for _ in range(width)] for _ in range(height)]
        self._words: dict[tuple[int, int], str] = {}

    def outline(self, frame: _Frame, weight: int) -> None:
        """Draw a border; of a shared border the heavier one shows."""
        left, top, right, bottom = frame
        for row in (top, bottom):
            for here, there in pairwise(range(left, right + 1)):
                self._thicken(row, here, 1, weight)
                self._thicken(row, there, 3, weight)
        for column in (left, right):
            for here, there in pairwise(range(top, bottom + 1)):
                self._thicken(here, column, 2, weight)
                self._thicken(there, column, 0, weight)

    def write(self, row: int, column: int, text: str) -> None:
        for character in text.replace(_BREAK, ""):
            width = character_width(character)
            if width == 0:
                # A character without a column of its own is printed with the one before it.
                self._words[row, column - 1] = self._words.get((row, column - 1), "") + character
                continue
            self._words[row, column] = character
            if width == 2:
                # The second half of a wide character: nothing is printed there.
                self._words[row, column + 1] = ""
            column += width

    def is_plain_edge(self, row: int, column: int) -> bool:
        """Say whether a horizontal line passes here and no vertical one meets it."""
        up, right, down, left = self._arms[row][column]
        return bool(right and left) and not (up or down)

    def render(self) -> str:
        return "\n".join(
            "".join(
                self._words.get((row, column), _character(arms)) for column, arms in enumerate(line)
            )
            for row, line in enumerate(self._arms)
        )

    def _thicken(self, row: int, column: int, arm: int, weight: int) -> None:
        arms = self._arms[row][column]
        arms[arm] = max(arms[arm], weight)


def _character(arms: Sequence[int]) -> str:
    up, right, down, left = arms
    return _CHARACTERS[3 * up + right][3 * down + left]


def _write(canvas: _Canvas, frame: _Frame, text: list[str], lit: bool, room: int) -> None:
    """Centre a text in its frame, the mark of a lit area beside its first row."""
    rows = list(text)
    if lit:
        marked = [f"{MARK} {rows[0]}", f"{MARK}{rows[0]}"]
        fitting = [row for row in marked if display_width(row) <= room]
        if fitting:
            rows[0] = fitting[0]
        else:
            _mark_border(canvas, frame)
    top = frame.top + 1 + (frame.bottom - frame.top - 1 - len(rows)) // 2
    for place, row in enumerate(rows):
        spare = frame.right - frame.left - 1 - display_width(row)
        canvas.write(top + place, frame.left + 1 + spare // 2, row)


def _mark_border(canvas: _Canvas, frame: _Frame) -> None:
    """Put the mark on the upper border or the lower, near the middle, where no other line meets."""
    middle = (frame.left + frame.right) // 2
    nearest = sorted(range(frame.left + 1, frame.right), key=lambda column: abs(column - middle))
    places = list(product((frame.top, frame.bottom), nearest))
    row, column = next((place for place in places if canvas.is_plain_edge(*place)), places[0])
    canvas.write(row, column, MARK)


#: Kinds whose boxes a layout prints as their numbers alone.
_BARE = (Kind.TOTAL, Kind.DOMINO, Kind.FOUR, Kind.THREE, Kind.PAIR)

WIDTH_MIN, WIDTH_MAX = 100, 400


@command(
    "taisai layout ts6/1 --dice 2 2 6",
    RULEBOOK,
    PAY_TABLE,
    dice(),
    whole("--width COLUMNS", "how wide to draw it"),
    LANGUAGE,
)
def layout(arguments: argparse.Namespace) -> Output:
    rulebook, table = pay_table_of(arguments)
    result = None if arguments.dice is None else find_result(arguments.dice)

    def text() -> str:
        asked = arguments.width
        width = shutil.get_terminal_size((132, 40)).columns if asked is None else asked
        width = min(max(width, WIDTH_MIN), WIDTH_MAX)
        drawn = _draw(table, result, width, arguments.lang)
        return "\n".join([title_of(rulebook, table), "", drawn, *_lit(table, result, arguments)])

    return Output(lambda: _answer(table, result), text)


def _lit(table: PayTable, result: Result | None, arguments: argparse.Namespace) -> list[str]:
    if result is None:
        return []
    areas, boxes = len(table.lit_areas(result)), len(table.winners(result))
    return [f"{say(call_of(result), arguments.lang)}: {boxes} boxes win, {areas} areas lit {MARK}"]


def _answer(table: PayTable, result: Result | None) -> dict[str, object]:
    return {
        "pay_table": table.address,
        "layout": table.layout,
        "call": None if result is None else say(call_of(result)),
        "lit": [] if result is None else table.lit_areas(result),
    }


def _draw(table: PayTable, result: Result | None, width: int, language: str) -> str:
    priced = {table.boxes[each.pays_of].kind for each in table.layout.captions}
    prints = {each.box: word_area(table, each, language) for each in table.layout.areas}
    labels = {
        key: (*_label(box, language, odds=box.kind not in priced), *prints[key])
        for key, box in table.boxes.items()
    }
    captions: dict[str, str] = {
        each.code: word_caption(table, each, language) for each in table.layout.captions
    }
    lit = set() if result is None else set(table.winners(result))
    return draw_layout(table.layout, labels, captions, lit, width)


def _label(box: BettingBox, language: str, *, odds: bool) -> tuple[str, ...]:
    """Label a box as a layout prints it: numbers bare, and no odds where a caption prints them."""
    called = short_label(box.key) if box.kind in _BARE else name_box(box.key, language)
    pays = name("captions", "pays", language, odds=write_odds(box.odds[0]))
    return (called, pays) if odds else (called,)

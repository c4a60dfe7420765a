"""A PAR sheet as Markdown: tables that read well as text and render anywhere."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from taisai.maths.par.method import METHOD
from taisai.maths.par.sheet import ROUNDS, Band, ParSheet
from taisai.maths.par.words import (
    BOX_HEADINGS,
    band_text,
    box_cells,
    family_name,
    identity_of,
    near_text,
    rounds_text,
    summary_of,
    title_of,
    triple_rule_of,
)

#: What would be read as markup, a cell's end or a tag.
_MARKUP = re.compile(r"([\\`*_{}\[\]<>|#])")


def write_markdown(sheet: ParSheet) -> str:
    """Write a sheet as Markdown."""
    return "\n".join(_lines(sheet)) + "\n"


def _lines(sheet: ParSheet) -> Iterator[str]:
    yield f"# {_plain(title_of(sheet))}"
    yield ""
    yield from _table([("", False), ("", False)], identity_of(sheet))
    yield from _table([("Extremes", False), ("", False)], summary_of(sheet))
    yield "## Boxes: chance, return, volatility"
    yield ""
    yield from _table(BOX_HEADINGS, map(box_cells, sheet.boxes))
    yield "## Bands of return, 90 % of sessions"
    yield ""
    yield from _bands(sheet, "Boxes", band_text)
    yield "The same by the usual formula, return ± volatility index / √N:"
    yield ""
    yield from _bands(sheet, "Boxes", near_text)
    yield "## What wins on a triple, by the document"
    yield ""
    yield from (f"- {_plain(line)}" for line in triple_rule_of(sheet))
    yield ""
    yield "## Method"
    yield ""
    yield from (f"- **{name}.** {_plain(said)}" for name, said in METHOD)
    yield ""
    yield "## Checks made"
    yield ""
    for check in sheet.checks:
        yield f"- {'held' if check.held else '**not held**'}: {check.said}"


def _bands(sheet: ParSheet, corner: str, told: Callable[[Band], str]) -> Iterator[str]:
    headings = [(corner, False), *((rounds_text(rounds), True) for rounds in ROUNDS)]
    rows = [[family_name(family), *map(told, family[0].bands)] for family in sheet.families]
    yield from _table(headings, rows)


def _table(headings: Iterable[tuple[str, bool]], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    columns = list(headings)
    yield _row([name for name, _ in columns])
    yield "|" + "|".join("---:" if number else "---" for _, number in columns) + "|"
    for cells in rows:
        yield _row(cells)
    yield ""


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(_plain, cells)) + " |"


def _plain(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text)

"""PAR sheets as files: Markdown to read, HTML to print, JSON to check; no figure is computed here.

The JSON has everything, with the data of `taisai odds --json` for each box. Odds and fractions are
exact texts. Floats are also texts, with a fixed number of digits, so that the bytes do not depend
on the machine.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from taisai.core.rules.dice import RESULTS, THROWS
from taisai.core.rules.money import write_fraction, write_odds
from taisai.maths.errors import MathsError
from taisai.maths.par.page import write_html
from taisai.maths.par.sheet import CONFIDENCE, DEVIATIONS, Band, BoxFigures, ParSheet
from taisai.maths.par.words import (
    BAND_HEADINGS,
    BOX_HEADINGS,
    METHOD,
    band_text,
    box_cells,
    family_name,
    identity_rows,
    near_text,
    summary_of,
    title_of,
    triple_rule_of,
)
from taisai.rulebooks import is_approved
from taisai.rulebooks.answers import identity_of, pays_of

# --- Markdown ------------------------------------------------------------------------------------


#: Characters that would be read as markup, a cell's end or a tag.
_MARKUP = re.compile(r"([\\`*_{}\[\]<>|#])")


def write_markdown(sheet: ParSheet) -> str:
    return "\n".join(_lines(sheet)) + "\n"


def _lines(sheet: ParSheet) -> Iterator[str]:
    yield f"# {_plain(title_of(sheet))}"
    yield ""
    yield from _table([("", False), ("", False)], identity_rows(sheet))
    yield from _table([("Extremes", False), ("", False)], summary_of(sheet))
    yield "## Boxes: chance, return, volatility"
    yield ""
    yield from _table(BOX_HEADINGS, map(box_cells, sheet.boxes))
    yield "## Bands of return, 90 % of sessions"
    yield ""
    yield from _bands(sheet, band_text)
    yield "The same by the usual formula, return ± volatility index / √N:"
    yield ""
    yield from _bands(sheet, near_text)
    if listed := triple_rule_of(sheet):
        yield "## What wins on a triple, by the document"
        yield ""
        yield from (f"- {_plain(line)}" for line in listed)
        yield ""
    yield "## Method"
    yield ""
    yield from (f"- **{name}.** {_plain(said)}" for name, said in METHOD)
    yield ""
    yield "## Checks made"
    yield ""
    for check in sheet.checks:
        yield f"- {'held' if check.held else '**not held**'}: {check.said}"


def _bands(sheet: ParSheet, written: Callable[[Band], str]) -> Iterator[str]:
    rows = [[family_name(family), *map(written, family[0].bands)] for family in sheet.families]
    yield from _table(BAND_HEADINGS, rows)


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


# --- JSON ----------------------------------------------------------------------------------------


#: The format's version, raised when a key changes its meaning.
FORMAT = 1


def write_json(sheet: ParSheet) -> str:
    return json.dumps(data_of(sheet), ensure_ascii=False, indent=1) + "\n"


def data_of(sheet: ParSheet) -> dict[str, Any]:
    """Give a sheet as plain data."""
    content, table = sheet.rulebook.content, sheet.table
    data: dict[str, Any] = {
        "par_sheet": FORMAT,
        "pay_table": table.address,
        "rulebook": msgspec.structs.asdict(identity_of(sheet.rulebook)),
        "publisher": content.publisher,
        "approved": is_approved(sheet.rulebook),
        "layout": table.layout.name,
        "clause": table.clause,
        "step": table.step,
        "throws": THROWS,
        "results": len(RESULTS),
        "confidence": write_fraction(CONFIDENCE),
        "volatility_z": f"{DEVIATIONS:.12f}",
        "boxes": [_box(figures) for figures in sheet.boxes],
        "triple_rule": triple_rule_of(sheet),
        "method": [{"of": name, "is": said} for name, said in METHOD],
        "checks": [{"said": check.said, "held": check.held} for check in sheet.checks],
    }
    if sheet.dated is not None:
        data["dated"] = sheet.dated
    return data


def _box(figures: BoxFigures) -> dict[str, Any]:
    box = figures.box
    return {
        "box": box.key,
        "kind": box.kind.value,
        "name": box.bet_name,
        "pays": pays_of(box),
        "ways": box.ways,
        "ways_by_price": {write_odds(odds): ways for odds, ways in figures.pays_on},
        "probability": write_fraction(box.probability),
        "return": write_fraction(figures.return_to_player),
        "house_edge": write_fraction(box.house_edge),
        "variance": write_fraction(figures.variance),
        "standard_deviation": f"{figures.standard_deviation:.12f}",
        "volatility_index": f"{figures.volatility_index:.12f}",
        "step": box.step,
        "clause": box.wins_clause,
        "loses_clause": box.loses_clause,
        "triple_clause": box.triple_clause,
        "wins_on_triples": [list(result.faces) for result in figures.triples_won],
        "bands": [_band(band) for band in figures.bands],
    }


def _band(band: Band) -> dict[str, Any]:
    return {
        "rounds": band.rounds,
        "low": write_fraction(band.low),
        "high": write_fraction(band.high),
        "exact": band.exact,
        "normal_low": f"{band.near_low:.9f}",
        "normal_high": f"{band.near_high:.9f}",
    }


# --- by the name of the file ---------------------------------------------------------------------


WRITERS: dict[str, Callable[[ParSheet], str]] = {
    ".html": write_html,
    ".json": write_json,
    ".md": write_markdown,
}


def writer_for(name: str) -> Callable[[ParSheet], str]:
    """Find the writer of a sheet by the ending of its file's name."""
    writer = WRITERS.get(Path(name).suffix.lower())
    if writer is None:
        raise MathsError(f"{Path(name).name} is no PAR sheet; name a .md, .html or .json file")
    return writer

"""A PAR sheet as one HTML page that needs nothing else: style and drawings are in it, no script is.

Printed, it is A4 across: headings of tables are repeated, and no row is cut.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape
from importlib import resources

from taisai.maths.par.drawings import bands_drawing, edges_drawing
from taisai.maths.par.method import METHOD
from taisai.maths.par.sheet import ROUNDS, BoxFigures, ParSheet
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

_ONLY_ITSELF = "default-src 'none'; style-src 'unsafe-inline'"


def write_html(sheet: ParSheet) -> str:
    """Write a sheet as a page."""
    title = escape(title_of(sheet))
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(_ONLY_ITSELF)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>\n{_style()}</style>",
            "</head>",
            "<body>",
            *_body(sheet, title),
            "</body>",
            "</html>",
            "",
        ]
    )


@cache
def _style() -> str:
    return (resources.files(__package__) / "sheet.css").read_text("utf-8")


def _body(sheet: ParSheet, title: str) -> Iterator[str]:
    yield f"<header><h1>{title}</h1><p>Probability accounting report of one pay table</p></header>"
    yield f'<main><div class="facts">{_facts(identity_of(sheet))}{_facts(summary_of(sheet))}</div>'
    yield "<figure><figcaption><strong>House edge by box.</strong></figcaption>"
    yield f"{edges_drawing(sheet)}</figure>"
    yield '<h2 class="page">Boxes: chance, return, volatility</h2>'
    yield from _table(BOX_HEADINGS, _box_rows(sheet))
    yield "<h2>Bands of return</h2>"
    yield from _bands(sheet)
    yield "<figure><figcaption><strong>How the band narrows.</strong> Hatched: 90 % of sessions. "
    yield "Dashed: the usual formula. Dotted: the return. The least volatile boxes, some in the "
    yield f"middle, and the most volatile.</figcaption>{bands_drawing(sheet)}</figure>"
    yield "<h2>What wins on a triple, by the document</h2>"
    yield f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in triple_rule_of(sheet))}</ul>"
    yield f"<h2>Method</h2>{_facts(METHOD, 'method')}"
    yield f"<h2>Checks made</h2><ul>{''.join(_checked(sheet))}</ul></main>"


def _facts(rows: Iterable[tuple[str, str]], kind: str = "") -> str:
    cells = "".join(
        f"<dt>{escape(name)}</dt><dd{_looks(name)}>{escape(said)}</dd>" for name, said in rows
    )
    return f'<dl class="{kind}">{cells}</dl>' if kind else f"<dl>{cells}</dl>"


def _looks(name: str) -> str:
    return ' class="hash"' if name.startswith("SHA-256") else ""


def _checked(sheet: ParSheet) -> Iterator[str]:
    for check in sheet.checks:
        kind, word = ("held", "Held") if check.held else ("failed", "Not held")
        yield f'<li class="{kind}">{word}: {escape(check.said)}</li>'


def _box_rows(sheet: ParSheet) -> Iterator[str]:
    """Give a row for each box, a rule over the first of each kind."""
    before: BoxFigures | None = None
    numbers = [number for _, number in BOX_HEADINGS]
    for figures in sheet.boxes:
        first = before is not None and before.box.kind != figures.box.kind
        yield _row(box_cells(figures), numbers, "first" * first)
        before = figures


def _bands(sheet: ParSheet) -> Iterator[str]:
    headings = [("Boxes", False), *((rounds_text(rounds), True) for rounds in ROUNDS)]
    numbers = [number for _, number in headings]
    rows = []
    for family in sheet.families:
        bands = family[0].bands
        rows.append(_row([family_name(family), *map(band_text, bands)], numbers, "first"))
        rows.append(_row(["by return ± index / √N", *map(near_text, bands)], numbers, "near"))
    yield from _table(
        headings,
        rows,
        "The return of at least 90 % of all sessions of so many rounds, one equal stake a round; "
        "below it, in italics, the normal approximation.",
    )


def _table(
    headings: Sequence[tuple[str, bool]], rows: Iterable[str], caption: str = ""
) -> Iterator[str]:
    said = f"<caption>{escape(caption)}</caption>" if caption else ""
    yield f'<div class="wide"><table>{said}<thead><tr>{_heading_cells(headings)}</tr></thead>'
    yield "<tbody>"
    yield from rows
    yield "</tbody></table></div>"


def _heading_cells(headings: Sequence[tuple[str, bool]]) -> str:
    """Let a heading without words belong to the one before it."""
    cells = []
    for place, (name, number) in enumerate(headings):
        if not name:
            continue
        spans = place + 1 < len(headings) and not headings[place + 1][0]
        across = ' colspan="2"' if spans else ""
        looks = ' class="number"' if number else ""
        cells.append(f'<th scope="col"{across}{looks}>{escape(name)}</th>')
    return "".join(cells)


def _row(cells: Sequence[str], numbers: Sequence[bool], kind: str = "") -> str:
    first, *others = cells
    written = "".join(
        f"<td{_looks_of(cell, number)}>{escape(cell)}</td>"
        for cell, number in zip(others, numbers[1:], strict=True)
    )
    looks = f' class="{kind}"' if kind else ""
    return f'<tr{looks}><th scope="row">{escape(first)}</th>{written}</tr>'


def _looks_of(cell: str, number: bool) -> str:
    if number:
        return ' class="number"'
    # Results and clauses would be broken at their hyphens and dots.
    return ' class="whole"' if "-" in cell or "·" in cell else ""

"""A PAR sheet as one self-contained HTML page: with style and drawings, without scripts.

It prints on A4 landscape: headings of tables are repeated, and no row is cut.

The drawings are SVG, in lines, dots and hatching, never by colour alone. They are simple enough to
be written directly, so that a sheet needs no extra.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from importlib import resources
from math import log10

from taisai.maths.par.sheet import ROUNDS, Band, BoxFigures, ParSheet
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
from taisai.wording import per_cent

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
            f"<style>\n{(resources.files(__package__) / 'sheet.css').read_text('utf-8')}</style>",
            "</head>",
            "<body>",
            *_body(sheet, title),
            "</body>",
            "</html>",
            "",
        ]
    )


def _body(sheet: ParSheet, title: str) -> Iterator[str]:
    yield f"<header><h1>{title}</h1><p>Probability accounting report of one pay table</p></header>"
    yield f'<main><div class="facts">{_facts(identity_rows(sheet))}'
    yield f"{_facts(summary_of(sheet))}</div>"
    yield "<figure><figcaption><strong>House edge by box.</strong></figcaption>"
    yield f"{edges_drawing(sheet)}</figure>"
    yield '<h2 class="page">Boxes: chance, return, volatility</h2>'
    yield from _table(BOX_HEADINGS, _box_rows(sheet))
    yield "<h2>Bands of return</h2>"
    yield from _bands(sheet)
    yield "<figure><figcaption><strong>How the band narrows.</strong> Hatched: 90 % of sessions. "
    yield "Dashed: the usual formula. Dotted: the return. The least volatile boxes, some in the "
    yield f"middle, and the most volatile.</figcaption>{bands_drawing(sheet)}</figure>"
    if listed := triple_rule_of(sheet):
        yield "<h2>What wins on a triple, by the document</h2>"
        yield f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in listed)}</ul>"
    yield f"<h2>Method</h2>{_facts(METHOD, 'method')}"
    yield f"<h2>Checks made</h2><ul>{''.join(_checked(sheet))}</ul></main>"


_HASHED = ' class="hash"'


def _facts(rows: Iterable[tuple[str, str]], kind: str = "") -> str:
    cells = "".join(
        f"<dt>{escape(name)}</dt><dd{_HASHED * name.startswith('SHA-256')}>{escape(said)}</dd>"
        for name, said in rows
    )
    return f'<dl class="{kind}">{cells}</dl>' if kind else f"<dl>{cells}</dl>"


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
    numbers = [number for _, number in BAND_HEADINGS]
    rows = []
    for family in sheet.families:
        bands = family[0].bands
        rows.append(_row([family_name(family), *map(band_text, bands)], numbers, "first"))
        rows.append(_row(["by return ± index / √N", *map(near_text, bands)], numbers, "near"))
    yield from _table(
        BAND_HEADINGS,
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
    """Join a heading without words to the one before it."""
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
    # Otherwise results and clauses would be broken at their hyphens and dots.
    return ' class="whole"' if "-" in cell or "·" in cell else ""


# --- drawings ------------------------------------------------------------------------------------


_ROW = 19
_LABELS = 235
_WIDE = 960
_PANEL_WIDE, _PANEL_HIGH = 310, 215
#: The margins of a panel for its labels: left, top, right, bottom.
_LEFT, _TOP, _RIGHT, _BOTTOM = 52, 34, 10, 34

Scale = Callable[[float], float]


def edges_drawing(sheet: ParSheet) -> str:
    """Draw the house edge of each family of boxes as a dot on a line, with its figure beside it."""
    families = sheet.families
    edges = [100 * float(family[0].box.house_edge) for family in families]
    low, high = min(0.0, *edges), max(1.0, *edges)
    ticks = _ticks(low, high)
    across = _scale((min(low, ticks[0]), max(high, ticks[-1])), (_LABELS, _WIDE - 80))
    height = _ROW * len(families) + 44
    parts = [
        f'<line class="grid" x1="{_n(across(tick))}" x2="{_n(across(tick))}" y1="8" '
        f'y2="{height - 34}"/>'
        f'<text class="middle" x="{_n(across(tick))}" y="{height - 20}">{_tick(tick)} %</text>'
        for tick in ticks
    ]
    for row, (family, edge) in enumerate(zip(families, edges, strict=True)):
        y = 8 + _ROW * (row + 0.5)
        parts.append(
            f'<text class="end" x="{_LABELS - 10}" y="{_n(y + 4)}">{escape(family_name(family))}'
            f'</text><line class="stem" x1="{_n(across(0))}" x2="{_n(across(edge))}" '
            f'y1="{_n(y)}" y2="{_n(y)}"/>'
            f'<circle class="dot" cx="{_n(across(edge))}" cy="{_n(y)}" r="4"/>'
            f'<text x="{_n(max(across(edge), across(0)) + 9)}" y="{_n(y + 4)}">'
            f"{per_cent(family[0].box.house_edge, 2)}</text>"
        )
    parts.append(
        f'<text class="middle" x="{_n((_LABELS + _WIDE - 80) / 2)}" y="{height - 4}">'
        "what the house keeps of a unit staked, on average</text>"
    )
    return _drawing("House edge by box", _WIDE, height, parts)


def bands_drawing(sheet: ParSheet) -> str:
    """Draw how the band of return narrows, for a calm, a middling and a wild box of the table."""
    ordered = sorted(sheet.families, key=lambda family: family[0].volatility_index)
    chosen = {0: ordered[0], 1: ordered[len(ordered) // 2], 2: ordered[-1]}
    gap = (_WIDE - 3 * _PANEL_WIDE) / 2
    parts = [_HATCHING]
    for place, family in chosen.items():
        x = place * (_PANEL_WIDE + gap)
        parts.append(f'<g transform="translate({_n(x)} 0)">{"".join(_panel(family))}</g>')
    return _drawing("Return after so many rounds", _WIDE, _PANEL_HIGH, parts)


_HATCHING = (
    '<defs><pattern id="hatching" width="6" height="6" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><line class="hatch" x1="0" x2="0" y1="0" y2="6"/>'
    "</pattern></defs>"
)


def _panel(family: list[BoxFigures]) -> Iterator[str]:
    figures = family[0]
    bands = figures.bands
    low = min(min(float(band.low), band.near_low) for band in bands) * 100
    high = max(max(float(band.high), band.near_high) for band in bands) * 100
    ticks = _ticks(low, high)
    along = _scale((log10(ROUNDS[0]), log10(ROUNDS[-1])), (_LEFT, _PANEL_WIDE - _RIGHT))
    up = _scale((min(low, ticks[0]), max(high, ticks[-1])), (_PANEL_HIGH - _BOTTOM, _TOP))
    yield f'<text class="head" x="0" y="12">{escape(family_name(family))}</text>'
    yield (
        f'<text x="0" y="26">return {per_cent(figures.return_to_player, 2)}, '
        f"index {figures.volatility_index:.2f}</text>"
    )
    for tick in ticks:
        yield (
            f'<line class="grid" x1="{_LEFT}" x2="{_PANEL_WIDE - _RIGHT}" '
            f'y1="{_n(up(tick))}" y2="{_n(up(tick))}"/>'
            f'<text class="end" x="{_LEFT - 5}" y="{_n(up(tick) + 4)}">{_tick(tick)} %</text>'
        )
    for rounds in ROUNDS:
        power = round(log10(rounds))
        yield (
            f'<text class="middle" x="{_n(along(power))}" y="{_PANEL_HIGH - _BOTTOM + 15}">'
            f'10<tspan class="power" dy="-4">{power}</tspan></text>'
        )
    yield (
        f'<text class="middle" x="{_n((_LEFT + _PANEL_WIDE - _RIGHT) / 2)}" y="{_PANEL_HIGH - 4}">'
        "rounds</text>"
    )
    yield from _band_shapes(bands, along, up)
    mean = _n(up(100 * float(figures.return_to_player)))
    yield f'<line class="mean" x1="{_LEFT}" x2="{_PANEL_WIDE - _RIGHT}" y1="{mean}" y2="{mean}"/>'


def _band_shapes(bands: tuple[Band, ...], along: Scale, up: Scale) -> Iterator[str]:
    """Draw a band hatched between its ends, and the usual formula's ends dashed."""

    def path(ends: list[float]) -> str:
        points = zip(bands, ends, strict=True)
        return " ".join(
            f"{_n(along(log10(band.rounds)))},{_n(up(100 * end))}" for band, end in points
        )

    lows, highs = [float(band.low) for band in bands], [float(band.high) for band in bands]
    back = " ".join(reversed(path(lows).split(" ")))
    yield f'<polygon class="band" points="{path(highs)} {back}"/>'
    for ends in (lows, highs):
        yield f'<polyline class="curve" points="{path(ends)}"/>'
    for ends in ([band.near_low for band in bands], [band.near_high for band in bands]):
        yield f'<polyline class="near" points="{path(ends)}"/>'


def _drawing(name: str, width: int, height: int, parts: list[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(name)}">'
        f"<title>{escape(name)}</title>{''.join(parts)}</svg>"
    )


def _scale(values: tuple[float, float], places: tuple[float, float]) -> Scale:
    (low, high), (begin, end) = values, places
    return lambda value: begin + (value - low) / (high - low) * (end - begin)


def _ticks(low: float, high: float) -> list[float]:
    """Choose about five round figures from just below the lowest to just above the highest."""
    rough = (high - low) / 5
    size = 10.0 ** (len(f"{int(rough)}") - 1) if rough >= 1 else 0.1
    step = next(size * each for each in (1, 2, 5, 10, 20, 50) if size * each >= rough)
    first = int(low // step)
    last = max(int(-(-high // step)), first + 1)
    return [number * step for number in range(first, last + 1)]


def _tick(value: float) -> str:
    return f"{value:.10g}"


def _n(value: float) -> str:
    """Write a coordinate with no more digits than a printer can use."""
    return f"{value:.2f}".rstrip("0").rstrip(".")

"""Aligned tables of text, readable without colour and in scripts of any width."""

from collections.abc import Sequence

from taisai.cli.widths import display_width


def align(headings: Sequence[str], rows: Sequence[Sequence[str]], right: str = "") -> str:
    """Lay out rows in columns; `right` marks with an `r` each column that is set to the right."""
    lines = [list(headings), *map(list, rows)]
    widths = [max(map(display_width, column)) for column in zip(*lines, strict=True)]
    ruled = [lines[0], ["-" * width for width in widths], *lines[1:]]
    return "\n".join(_line(cells, widths, right) for cells in ruled)


def _line(cells: Sequence[str], widths: Sequence[int], right: str) -> str:
    sides = right.ljust(len(cells))
    padded = (
        _pad(cell, width, to_right=side == "r")
        for cell, width, side in zip(cells, widths, sides, strict=True)
    )
    return "  ".join(padded).rstrip()


def _pad(text: str, width: int, *, to_right: bool) -> str:
    blanks = " " * (width - display_width(text))
    return blanks + text if to_right else text + blanks

"""Text for people: aligned tables, headings of answers, readable figures.

Readable without colour, and in scripts of any width.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from taisai.core.rules.money import write_fraction
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import printable
from taisai.core.rules.rulebook import Rulebook
from taisai.rulebooks import is_approved
from taisai.wording import per_cent

# --- tables --------------------------------------------------------------------------------------


def character_width(character: str) -> int:
    """Count the columns of one character: two for Chinese ones, none for those without a width."""
    if character.isascii():
        return 1
    # Not at the top: most answers are in English.
    from unicodedata import category, east_asian_width  # noqa: PLC0415

    if category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(character) in ("W", "F") else 1


def display_width(text: str) -> int:
    """Count the columns a text takes in a terminal."""
    return len(text) if text.isascii() else sum(map(character_width, text))


def align(headings: Sequence[str], rows: Sequence[Sequence[str]], right: str = "") -> str:
    """Lay out rows in columns; `right` has an `r` for each column that is aligned right."""
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


def align_rows(rows: Sequence[Sequence[str]]) -> str:
    """Lay out rows in columns without a heading: names, and a text for each."""
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    return "\n".join(_line(cells, widths, "") for cells in rows)


def printable_lines(lines: Iterable[str]) -> str:
    """Write lines without characters that move a terminal's cursor."""
    return "\n".join(map(printable, lines))


# --- headings ------------------------------------------------------------------------------------


def version_of(rulebook: Rulebook) -> str:
    """Give a rulebook's version and the date it is in force from, if its document has them."""
    content = rulebook.content
    parts = [] if content.version is None else [f"version {content.version}"]
    if content.effective is not None:
        parts.append(f"in effect since {effective_since(rulebook)}")
    return ", ".join(parts) or "no version given"


def effective_since(rulebook: Rulebook) -> str:
    """Give the date a rulebook is in force from, or a dash if its document has none."""
    content = rulebook.content
    if content.effective is None:
        return "-"
    zone = content.zone or content.effective.tzname()
    return f"{content.effective:%Y-%m-%d %H:%M} {zone}"


def title_of(rulebook: Rulebook, table: PayTable) -> str:
    """Write the heading of an answer about a pay table: its document, its content, its number."""
    title = f"{printable(rulebook.content.title)}, {version_of(rulebook)}"
    boxes = f"{len(table.boxes)} boxes"
    return (
        f"{title}\n{standing_of(rulebook)}\n"
        f"Pay table {table.address}, {table.layout.name}, clause {table.clause}, {boxes}"
    )


def standing_of(rulebook: Rulebook) -> str:
    """Say whether a rulebook is approved, with the fingerprint of its content."""
    approved = "approved" if is_approved(rulebook) else "not an approved rulebook"
    return f"sha256 {rulebook.sha256}, {approved}"


# --- figures -------------------------------------------------------------------------------------


def edge_text(edge: Fraction) -> str:
    """Write a house edge in per cent and exactly."""
    return f"{per_cent(edge)} ({write_fraction(edge)})"


def stakes_text(stakes: Mapping[str, int]) -> str:
    """Write the stake on each box."""
    return ", ".join(f"{stake:,} on {box}" for box, stake in stakes.items())

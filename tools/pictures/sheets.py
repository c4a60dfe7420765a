"""Contact sheets: the pictures of a scene side by side, each with its size."""

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw

#: The width of a sheet, and the height of each of its rows.
WIDTH_PX = 1_900
ROW_PX = 330
GAP_PX = 8


def write_sheet(pictures: Sequence[Path], into: Path) -> None:
    """Put pictures in rows of one height."""
    rows: list[list[tuple[Path, Image.Image]]] = [[]]
    room = WIDTH_PX
    for path in pictures:
        with Image.open(path) as opened:
            wide = min(round(opened.width * ROW_PX / opened.height), WIDTH_PX)
            small = opened.convert("RGB").resize((wide, ROW_PX), Image.Resampling.LANCZOS)
        if rows[-1] and wide > room:
            rows.append([])
            room = WIDTH_PX
        rows[-1].append((path, small))
        room -= wide + GAP_PX
    high = 20 + ROW_PX + GAP_PX
    sheet = Image.new("RGB", (WIDTH_PX, high * len(rows)), "#777777")
    draw = ImageDraw.Draw(sheet)
    for place, row in enumerate(rows):
        x = 0
        for path, small in row:
            draw.text((x + 4, place * high + 4), path.stem, fill="#ffffff")
            sheet.paste(small, (x, place * high + 20))
            x += small.width + GAP_PX
    sheet.save(into)

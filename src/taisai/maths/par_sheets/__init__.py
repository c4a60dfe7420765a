"""PAR sheets as files: Markdown to read, HTML to print, JSON to check; nothing is counted here."""

from collections.abc import Callable
from pathlib import Path

from taisai.maths.failures import MathsError
from taisai.maths.par import ParSheet
from taisai.maths.par_sheets.data import data_of, write_json
from taisai.maths.par_sheets.markdown import write_markdown
from taisai.maths.par_sheets.page import write_html

WRITERS: dict[str, Callable[[ParSheet], str]] = {
    ".html": write_html,
    ".json": write_json,
    ".md": write_markdown,
}

__all__ = ["WRITERS", "data_of", "write_html", "write_json", "write_markdown", "writer_for"]


def writer_for(name: str) -> Callable[[ParSheet], str]:
    """Find how a sheet is written from the ending of its file's name."""
    writer = WRITERS.get(Path(name).suffix.lower())
    if writer is None:
        raise MathsError(f"{Path(name).name} is no PAR sheet; name a .md, .html or .json file")
    return writer

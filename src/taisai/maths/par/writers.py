"""PAR sheets as files: Markdown to read, HTML to print, JSON to check; nothing is counted here."""

from collections.abc import Callable
from pathlib import Path

from taisai.maths.errors import MathsError
from taisai.maths.par.data import data_of, write_json
from taisai.maths.par.markdown import write_markdown
from taisai.maths.par.page import write_html
from taisai.maths.par.sheet import ParSheet

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

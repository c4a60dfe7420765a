"""`taisai export`: views of a journal written to files that other programs open."""

import argparse
import sys
from pathlib import Path
from typing import Any

from taisai.cli.command import (
    LANGUAGE,
    OVERWRITE,
    Output,
    Refused,
    Wrong,
    argument,
    command,
    flag,
    place,
    several,
)
from taisai.cli.progress import ProgressLine
from taisai.cli.records.journals import WHERE, filters, read_records
from taisai.core.rules.reason import printable
from taisai.runtime.records.columns import VIEWS, View
from taisai.runtime.records.entries import Source
from taisai.runtime.records.export import FORMATS, export, new_file, refuse_existing

_ALL = "all"
_STANDARD_OUTPUT = "-"

_Written = tuple[View, Path, int]


@command(
    "taisai export data rounds --to rounds.csv --from 2026-03-01 --until 2026-04-01",
    WHERE,
    argument(
        "what WHAT", "rounds, bets, placements, postings, meters, significant, or all of them"
    ),
    place("--to", "the file to write; - is standard output; for all, a directory", required=True),
    argument(
        "--format",
        "the format; otherwise the ending of the file's name tells",
        choices=("csv", "jsonl", "parquet"),
    ),
    *filters(),
    several("--terminal T", "only what concerns these terminals", default=[]),
    OVERWRITE,
    flag(
        "--decimal-amounts", "in Parquet, write amounts as decimals of 38 digits instead of 64 bits"
    ),
    LANGUAGE,
    detail="docs/records.md tells what each column means, and how to open the files in pandas,\n"
    "polars and DuckDB. A file appears under its name only once it is complete. The chain of\n"
    "hashes is not checked here: run 'taisai audit verify' first.",
)
def export_records(arguments: argparse.Namespace) -> Output | int:
    views, format_ = _views(arguments.what), _format(arguments)
    files = [] if arguments.to == _STANDARD_OUTPUT else _files(arguments, views, format_)

    async def write(source: Source, view: View, file: Any) -> int:
        language, decimal = arguments.lang, arguments.decimal_amounts
        return await export(source, view, file, format_, language=language, decimal=decimal)

    async def work(source: Source, _: ProgressLine) -> list[_Written]:
        if not files:
            await write(source, views[0], sys.stdout.buffer)
        written = []
        for view, path in files:
            with new_file(path, overwrite=arguments.overwrite) as file:
                written.append((view, path, await write(source, view, file)))
        return written

    written = read_records(arguments, work)
    return Output(lambda: _answer(written), lambda: _text(written)) if files else 0


def _views(what: str) -> list[View]:
    if what == _ALL:
        return list(VIEWS.values())
    if what not in VIEWS:
        raise Wrong(f"there is nothing called {what} to export; {', '.join(VIEWS)} are, and all")
    return [VIEWS[what]]


def _format(arguments: argparse.Namespace) -> str:
    given: str | None = arguments.format
    if given is None and arguments.what != _ALL:
        ending = Path(arguments.to).suffix.removeprefix(".")
        given = ending if ending in FORMATS else None
    if given is None:
        raise Wrong(f"say which --format to write: {', '.join(FORMATS)}")
    if arguments.to == _STANDARD_OUTPUT and (given == "parquet" or arguments.what == _ALL):
        raise Wrong("standard output takes one view, as csv or jsonl; name a file with --to")
    return given


def _files(
    arguments: argparse.Namespace, views: list[View], format_: str
) -> list[tuple[View, Path]]:
    """Name the file of each view, and refuse to overwrite one before anything is read."""
    to = Path(arguments.to)
    if arguments.what == _ALL:
        if to.exists() and not to.is_dir():
            raise Refused(f"{to} is no directory; all views are written into one")
        try:
            to.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Refused(f"{to} cannot be made: {error.strerror or error}") from None
        files = [(view, to / f"{view.name}.{format_}") for view in views]
    else:
        files = [(views[0], to)]
    for _, path in files:
        refuse_existing(path, overwrite=arguments.overwrite)
    return files


def _answer(written: list[_Written]) -> dict[str, Any]:
    rows = [{"view": view.name, "file": str(path), "rows": count} for view, path, count in written]
    return {"written": rows}


def _text(written: list[_Written]) -> str:
    return "\n".join(
        f"{printable(str(path))}: {rows:,} {'row' if rows == 1 else 'rows'}, each {view.row}"
        for view, path, rows in written
    )

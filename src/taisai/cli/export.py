"""`taisai export`: views of a journal written to files that other programs open."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from taisai.cli.journals import ReadingProgress, period_of, reading
from taisai.cli.refused import Refused, Wrong
from taisai.core.rules.reason import printable
from taisai.runtime.journal.contract import Journal
from taisai.runtime.records.columns import VIEWS, View
from taisai.runtime.records.entries import RecordsError, Source
from taisai.runtime.records.export import export, new_file, refuse_existing
from taisai.runtime.records.row_writers import FORMATS

_ALL = "all"
_STANDARD_OUTPUT = "-"

_Written = tuple[View, Path, int]


def run(arguments: argparse.Namespace) -> int:
    """Answer `taisai export`."""
    views = _views(arguments.what)
    period = period_of(arguments.since, arguments.until)
    format_ = _format(arguments)
    files = [] if arguments.to == _STANDARD_OUTPUT else _files(arguments, views, format_)
    progress = ReadingProgress()

    async def work(journal: Journal) -> list[_Written]:
        source = await Source.of(
            journal, period=period, tables=arguments.tables, terminals=arguments.terminal
        )
        source.told = progress
        if not files:
            await _export(arguments, source, views[0], format_, sys.stdout.buffer)
            return []
        return [
            (view, path, await _to_file(arguments, source, view, format_, path))
            for view, path in files
        ]

    try:
        written = reading(arguments.where, work)
    finally:
        progress.clear()
    if files:
        print(_json(written) if arguments.json else _text(written))
    return 0


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
    """Name the file of each view, and refuse before anything is read to write over one."""
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
    try:
        for _, path in files:
            refuse_existing(path, overwrite=arguments.overwrite)
    except RecordsError as error:
        raise Refused(str(error)) from None
    return files


async def _to_file(
    arguments: argparse.Namespace, source: Source, view: View, format_: str, path: Path
) -> int:
    with new_file(path, overwrite=arguments.overwrite) as file:
        return await _export(arguments, source, view, format_, file)


async def _export(
    arguments: argparse.Namespace, source: Source, view: View, format_: str, file: Any
) -> int:
    return await export(
        source,
        view,
        file,
        format_,
        language=arguments.lang,
        decimal=arguments.decimal_amounts,
    )


def _json(written: list[_Written]) -> str:
    return json.dumps(
        {
            "written": [
                {"view": view.name, "file": str(path), "rows": rows} for view, path, rows in written
            ]
        }
    )


def _text(written: list[_Written]) -> str:
    return "\n".join(
        f"{printable(str(path))}: {rows:,} {'row' if rows == 1 else 'rows'}, each {view.row}"
        for view, path, rows in written
    )

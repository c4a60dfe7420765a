"""Exporting a view of the journal: written beside its file first, put in place when complete."""

import os
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from taisai.runtime.records.columns import Row, View
from taisai.runtime.records.entries import RecordsError, Source
from taisai.runtime.records.money import meter_rows, posting_rows
from taisai.runtime.records.rounds import bet_rows, placement_rows, round_rows
from taisai.runtime.records.row_writers import writer_for
from taisai.runtime.records.significant_events import significant_rows

Rows = Callable[[Source, str], AsyncIterator[list[Row]]]

ROWS: dict[str, Rows] = {
    "rounds": round_rows,
    "bets": bet_rows,
    "placements": placement_rows,
    "postings": posting_rows,
    "meters": meter_rows,
    "significant": significant_rows,
}


async def export(
    source: Source,
    view: View,
    file: BinaryIO,
    format_: str,
    *,
    language: str = "en",
    decimal: bool = False,
) -> int:
    """Write a view to a file that is open; tell how many rows."""
    writer = writer_for(format_, file, view, decimal=decimal)
    written = 0
    async for rows in ROWS[view.name](source, language):
        writer.write(rows)
        written += len(rows)
    writer.finish()
    return written


@contextmanager
def new_file(path: Path, *, overwrite: bool) -> Iterator[BinaryIO]:
    """Open a file that appears under its name only once it is complete and on the disk."""
    refuse_existing(path, overwrite=overwrite)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.partial")
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _put_in_place(beside, path, overwrite=overwrite)
    except OSError as error:
        raise RecordsError(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        # What could not be made cannot be taken away either, and the first trouble is the one told.
        with suppress(OSError):
            beside.unlink()


def refuse_existing(path: Path, *, overwrite: bool) -> None:
    """Refuse to write over what is there, unless that was asked for and it is a file."""
    if path.is_dir():
        raise RecordsError(f"{path} is a directory; name a file in it")
    if path.exists() and not path.is_file():
        raise RecordsError(f"{path} is no regular file, and is never replaced; name another")
    if path.exists() and not overwrite:
        raise _exists(path)


def _exists(path: Path) -> RecordsError:
    return RecordsError(
        f"{path} exists, and is left as it is; --overwrite replaces it when the new one is done"
    )


def _put_in_place(beside: Path, path: Path, *, overwrite: bool) -> None:
    if overwrite:
        refuse_existing(path, overwrite=True)
        beside.replace(path)
        return
    try:
        # Unlike a rename, this never replaces what somebody wrote in the meantime.
        path.hardlink_to(beside)
    except FileExistsError:
        raise _exists(path) from None
    except OSError:
        # There are file systems without links.
        refuse_existing(path, overwrite=False)
        beside.replace(path)

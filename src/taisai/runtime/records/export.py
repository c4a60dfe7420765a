"""Exporting a view of the journal: written beside its file first, put in place when complete.

Rows are written as CSV, JSON Lines or Parquet, as they come. In CSV a cell that a spreadsheet would
read as a formula gets an apostrophe before it, and so does one that begins with an apostrophe: to
remove one gives every text back as it was.
"""

import csv
import os
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from taisai.core.kernel.messages import Instant
from taisai.extras import require
from taisai.runtime.keys.files import put_new
from taisai.runtime.records.columns import Cell, Column, Row, Type, View
from taisai.runtime.records.entries import RecordsError, Source
from taisai.runtime.records.money import meter_rows, posting_rows
from taisai.runtime.records.rounds import bet_rows, placement_rows, round_rows
from taisai.runtime.records.significant_events import significant_rows

FORMATS = ("csv", "jsonl", "parquet")
#: Rows in a row group of a Parquet file: no more are held in memory.
ROW_GROUP = 50_000
INT64_MAX = 2**63 - 1
DECIMAL_DIGITS = 38

#: The characters that begin a formula in spreadsheets, in full width too; and the apostrophe.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'")


@lru_cache(maxsize=4096)
def _second(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}"


def write_time(at: Instant) -> str:
    """Write a time in UTC by ISO 8601, to the millisecond."""
    seconds, thousandths = divmod(at, 1000)
    return f"{_second(seconds)}.{thousandths:03d}Z"


def guarded(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would read as a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


_Convert = Callable[[Any], Cell]


def _converted(row: Row, converters: Sequence[tuple[int, _Convert]]) -> list[Cell]:
    cells = list(row)
    for index, convert in converters:
        cell = cells[index]
        if cell is not None:
            cells[index] = convert(cell)
    return cells


def _converters(
    columns: Sequence[Column], by_type: dict[Type, _Convert]
) -> list[tuple[int, _Convert]]:
    found = ((index, by_type.get(column.type)) for index, column in enumerate(columns))
    return [(index, convert) for index, convert in found if convert is not None]


class CsvWriter:
    """Comma-separated values as RFC 4180 has them, in UTF-8."""

    def __init__(self, file: BinaryIO, view: View) -> None:
        self._text = TextIOWrapper(file, encoding="utf-8", newline="", write_through=False)
        self._csv = csv.writer(self._text, lineterminator="\r\n")
        self._csv.writerow(column.name for column in view.columns)
        self._converters = _converters(
            view.columns,
            {
                Type.TIME: write_time,
                Type.TEXT: guarded,
                Type.FLAG: lambda flag: "true" if flag else "false",
            },
        )

    def write(self, rows: Iterable[Row]) -> None:
        self._csv.writerows(_converted(row, self._converters) for row in rows)

    def finish(self) -> None:
        """Detach from the file, which the caller closes."""
        self._text.flush()
        self._text.detach()


class JsonLinesWriter:
    """One JSON object a line, with every column in it."""

    def __init__(self, file: BinaryIO, view: View) -> None:
        self._file = file
        self._names = [column.name for column in view.columns]
        self._converters = _converters(view.columns, {Type.TIME: write_time})
        self._encode = msgspec.json.Encoder().encode

    def write(self, rows: Iterable[Row]) -> None:
        for row in rows:
            cells = _converted(row, self._converters)
            self._file.write(self._encode(dict(zip(self._names, cells, strict=True))))
            self._file.write(b"\n")

    def finish(self) -> None:
        """Do nothing: every line is whole."""


class ParquetWriter:
    """A Parquet file in row groups, compressed."""

    def __init__(self, file: BinaryIO, view: View, *, decimal: bool) -> None:
        require("writing Parquet, and not csv or jsonl,", "parquet")
        # Not at the top: it is an extra, and its import takes longer than most exports.
        import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415
        from pyarrow import parquet  # noqa: PLC0415

        self._pa = pa
        self._view = view
        self._decimal = decimal
        types = {
            Type.TEXT: pa.string(),
            Type.WHOLE: pa.int64(),
            Type.AMOUNT: pa.decimal128(DECIMAL_DIGITS, 0) if decimal else pa.int64(),
            Type.TIME: pa.timestamp("ms", "UTC"),
            Type.FLAG: pa.bool_(),
        }
        self._schema = pa.schema(
            pa.field(column.name, types[column.type], nullable=column.may_be_empty)
            for column in view.columns
        )
        self._writer = parquet.ParquetWriter(file, self._schema, compression="zstd")
        self._rows: list[Row] = []

    def write(self, rows: Iterable[Row]) -> None:
        """Add rows, and write a row group when there are enough."""
        self._rows.extend(rows)
        if len(self._rows) >= ROW_GROUP:
            self._write_group()

    def finish(self) -> None:
        """Write the last row group and the footer."""
        if self._rows:
            self._write_group()
        self._writer.close()

    def _write_group(self) -> None:
        columns = zip(*self._rows, strict=True)
        arrays = [
            self._pa.array(self._cells(column, cells), field.type)
            for column, cells, field in zip(self._view.columns, columns, self._schema, strict=True)
        ]
        self._writer.write_batch(self._pa.record_batch(arrays, schema=self._schema))
        self._rows = []

    def _cells(self, column: Column, cells: Sequence[Cell]) -> Sequence[object]:
        if column.type is not Type.AMOUNT:
            return cells
        largest = max((abs(int(cell)) for cell in cells if cell is not None), default=0)
        if self._decimal:
            if largest >= 10**DECIMAL_DIGITS:
                raise RecordsError(
                    f"{column.name} is {largest} in a row of {self._view.name}, more than a Parquet"
                    " decimal holds: choose csv or jsonl"
                )
            return [None if cell is None else Decimal(cell) for cell in cells]
        if largest > INT64_MAX:
            raise RecordsError(
                f"{column.name} is {largest} in a row of {self._view.name}, more than 64 bits hold:"
                " ask for --decimal-amounts, or choose csv or jsonl"
            )
        return cells


def writer_for(
    format_: str, file: BinaryIO, view: View, *, decimal: bool
) -> CsvWriter | JsonLinesWriter | ParquetWriter:
    """Begin to write the rows of a view to a file that the caller opens and closes."""
    if format_ not in FORMATS:
        raise RecordsError(f"there is no format {format_}; {', '.join(FORMATS)} are")
    if format_ == "parquet":
        return ParquetWriter(file, view, decimal=decimal)
    return CsvWriter(file, view) if format_ == "csv" else JsonLinesWriter(file, view)


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
    """Write a view to an open file; give how many rows."""
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
        # A file that could not be made cannot be removed either; the first error is shown.
        with suppress(OSError):
            beside.unlink()


def refuse_existing(path: Path, *, overwrite: bool) -> None:
    """Refuse to overwrite what is there, unless that was requested and it is a file."""
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
        put_new(beside, path)
    except FileExistsError:
        raise _exists(path) from None

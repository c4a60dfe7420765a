"""The three formats have the same rows, whatever the names and however large the bets."""

import csv
import io
import json
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from pyarrow import parquet

from taisai.core.kernel.messages import BoxStake, LimitsAsked
from taisai.core.table import setup
from taisai.core.table.betting import PlaceBets
from taisai.core.table.positions import BarTerminal, ReceiveCredits
from taisai.core.table.round import OpenBets
from taisai.core.table.setup import SetLimits
from taisai.extras import MissingExtraError
from taisai.runtime.records import export as writing
from taisai.runtime.records.columns import VIEWS, Row, Type, View
from taisai.runtime.records.entries import RecordsError, Source
from taisai.runtime.records.export import export, guarded, new_file, write_time, writer_for
from tests.records.recorded import RecordedTable, evening, looking, rows_of, written

HOSTILE = (
    '=HYPERLINK("x","y")',
    "+1, +2",
    "-7",
    "@SUM(A1)",
    "＝１",
    "'quoted'",
    'say "hi"',
    "two\nlines\r\nand a, comma",
    "\ttab",
    "骰子 🎲",
    "Zoë\u202e",
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a journal with names that a careless program would stumble over.

    No venue gives such names; but a reader does not know which venue wrote the journal.
    """
    table = RecordedTable()
    table.created().adopted().opened()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(setup, "machine_refusal", lambda _: None)
        for name in HOSTILE:
            table.enrols(name)
    table.does("dealer", OpenBets())
    for name in HOSTILE:
        table.places(name, {"small": 1_000})
    table.settled(1, 2, 4)
    for name in HOSTILE:
        table.does("supervisor", BarTerminal(name, f"{name} it said"))
    return written(tmp_path_factory.mktemp("hostile"), table.decided)


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("hand"), evening().decided)


def exported(path: Path, view: str, format_: str, *, decimal: bool = False) -> bytes:
    file = io.BytesIO()

    async def look(source: Source) -> int:
        return await export(source, VIEWS[view], file, format_, decimal=decimal)

    rows = looking(path, look)
    assert rows == len(rows_of(path, view))
    return file.getvalue()


def from_csv(data: bytes, view: View) -> list[dict[str, Any]]:
    """Read CSV by its documentation: undo apostrophes, read each column by its type."""
    readers: dict[Type, Callable[[str], Any]] = {
        Type.TEXT: lambda cell: cell.removeprefix("'"),
        Type.WHOLE: int,
        Type.AMOUNT: int,
        Type.TIME: from_time,
        Type.FLAG: {"true": True, "false": False}.__getitem__,
    }
    types = {column.name: column.type for column in view.columns}
    lines = csv.DictReader(io.StringIO(data.decode(), newline=""), strict=True)
    return [
        {name: readers[types[name]](cell) if cell else None for name, cell in line.items()}
        for line in lines
    ]


def from_time(text: str) -> int:
    moment = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)


def from_json(data: bytes, view: View) -> list[dict[str, Any]]:
    times = [column.name for column in view.columns if column.type is Type.TIME]
    rows = [json.loads(line) for line in data.splitlines()]
    for row in rows:
        row.update({name: from_time(row[name]) for name in times if row[name] is not None})
    return rows


def from_parquet(data: bytes, view: View) -> list[dict[str, Any]]:
    times = [column.name for column in view.columns if column.type is Type.TIME]
    rows: list[dict[str, Any]] = parquet.read_table(io.BytesIO(data)).to_pylist()
    for row in rows:
        for name in times:
            if row[name] is not None:
                row[name] = round(row[name].timestamp() * 1000)
    return rows


READERS = {"csv": from_csv, "jsonl": from_json, "parquet": from_parquet}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("format_", READERS)
def test_every_format_holds_every_row_of_every_view(
    hand: Path, hostile: Path, view: str, format_: str
) -> None:
    for path in (hand, hostile):
        rows = rows_of(path, view)
        assert rows
        # No value is an empty text, which CSV could not tell from a missing one.
        assert not any(cell == "" for row in rows for cell in row.values())
        assert READERS[format_](exported(path, view, format_), VIEWS[view]) == rows


def test_no_cell_of_a_csv_file_begins_a_formula(hostile: Path) -> None:
    for view in VIEWS:
        lines = csv.reader(io.StringIO(exported(hostile, view, "csv").decode(), newline=""))
        for line in lines:
            for cell in line:
                number = cell.lstrip("-").isdigit()
                assert number or not cell.startswith(("=", "+", "-", "@", "\t", "\r", "＝"))


@pytest.mark.parametrize("text", [*HOSTILE, "", "'", "''=1", "plain"])
def test_one_apostrophe_off_gives_the_text_back(text: str) -> None:
    assert guarded(text).removeprefix("'") == text


def test_the_types_of_a_parquet_file_are_those_that_are_documented(hand: Path) -> None:
    for view in VIEWS.values():
        schema = parquet.read_schema(io.BytesIO(exported(hand, view.name, "parquet")))
        for column, field in zip(view.columns, schema, strict=True):
            assert field.name == column.name
            assert field.nullable is column.may_be_empty
            assert (
                field.type
                == {
                    Type.TEXT: pa.string(),
                    Type.WHOLE: pa.int64(),
                    Type.AMOUNT: pa.int64(),
                    Type.TIME: pa.timestamp("ms", "UTC"),
                    Type.FLAG: pa.bool_(),
                }[column.type]
            )


def test_cells_are_empty_only_where_that_is_documented(hand: Path, hostile: Path) -> None:
    for view in VIEWS.values():
        never = [column.name for column in view.columns if not column.may_be_empty]
        for path in (hand, hostile):
            for row in rows_of(path, view.name):
                assert [name for name in never if row[name] is None] == []


def test_an_empty_view_has_its_columns_all_the_same(tmp_path: Path) -> None:
    path = written(tmp_path, [])
    names = [column.name for column in VIEWS["bets"].columns]
    assert exported(path, "bets", "csv").decode() == ",".join(names) + "\r\n"
    assert exported(path, "bets", "jsonl") == b""
    assert parquet.read_schema(io.BytesIO(exported(path, "bets", "parquet"))).names == names


# --- large ---------------------------------------------------------------------------------------

HUGE = 10**24


@pytest.fixture(scope="module")
def huge(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a journal with the largest possible bet."""
    table = RecordedTable()
    table.created().adopted()
    table.agrees("supervisor", SetLimits(LimitsAsked(100, HUGE, 100, HUGE)))
    table.opened()
    table.does("system", ReceiveCredits("cage-T1-99", "7", HUGE))
    table.does("dealer", OpenBets())
    table.does("terminal", PlaceBets("7", (BoxStake("triple-1", HUGE),)), "7")
    table.settled(1, 1, 1)
    return written(tmp_path_factory.mktemp("huge"), table.decided)


@pytest.mark.parametrize("format_", ["csv", "jsonl"])
def test_text_holds_any_amount(huge: Path, format_: str) -> None:
    (bet,) = READERS[format_](exported(huge, "bets", format_), VIEWS["bets"])
    assert bet["stake"] == HUGE
    # A specific triple pays 180 to 1 on this pay table.
    assert bet["won"] == 180 * HUGE


def test_parquet_refuses_what_64_bits_do_not_hold(huge: Path) -> None:
    with pytest.raises(RecordsError, match=r"stake is 1000000000000000000000000 .*decimal-amounts"):
        exported(huge, "bets", "parquet")


def test_parquet_holds_it_as_decimals(huge: Path) -> None:
    data = exported(huge, "bets", "parquet", decimal=True)
    table = parquet.read_table(io.BytesIO(data))
    assert table.schema.field("stake").type == pa.decimal128(38, 0)
    assert table["won"].to_pylist() == [Decimal(180 * HUGE)]
    assert table["won"].to_pylist() == [180 * HUGE]


@pytest.mark.parametrize(("amount", "decimal"), [(2**63, False), (10**38, True)])
def test_the_first_amount_that_does_not_fit(amount: int, decimal: bool) -> None:
    view = View("one", "a row", tuple(each for each in VIEWS["bets"].columns if each.name == "won"))
    for cell in (amount, -amount):
        writer = writer_for("parquet", io.BytesIO(), view, decimal=decimal)
        writer.write([(cell,)])
        with pytest.raises(RecordsError, match=f"won is {amount}"):
            writer.finish()
    file = io.BytesIO()
    writer = writer_for("parquet", file, view, decimal=decimal)
    writer.write([(amount - 1,), (1 - amount,)])
    writer.finish()
    assert parquet.read_table(file)["won"].to_pylist() == [amount - 1, 1 - amount]


def test_parquet_is_written_group_by_group(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "ROW_GROUP", 100)
    view = View("one", "a row", tuple(each for each in VIEWS["bets"].columns if each.name == "won"))
    file = io.BytesIO()
    writer = writer_for("parquet", file, view, decimal=False)
    rows: list[Row] = [(number,) for number in range(250)]
    for start in range(0, 250, 50):
        writer.write(rows[start : start + 50])
    writer.finish()
    read = parquet.ParquetFile(file)
    assert [read.metadata.row_group(n).num_rows for n in range(3)] == [100, 100, 50]
    assert read.read()["won"].to_pylist() == list(range(250))


def test_without_the_extra_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taisai.extras.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r'csv or jsonl,.*pip install "taisai\[parquet\]"$'):
        writer_for("parquet", io.BytesIO(), VIEWS["bets"], decimal=False)


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1_700_000_000_007, "2023-11-14T22:13:20.007Z"),
        (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
    ],
)
def test_times_are_utc_to_the_millisecond(at: int, text: str) -> None:
    assert write_time(at) == text


# --- files ---------------------------------------------------------------------------------------


def put(path: Path, data: bytes, *, overwrite: bool = False, then: Callable[[], None]) -> None:
    """Write a file, and do something before it is complete."""
    with new_file(path, overwrite=overwrite) as file:
        file.write(data)
        then()


def nothing() -> None:
    """Do nothing."""


def test_a_file_appears_only_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "bets.csv"

    def fail() -> None:
        assert not path.exists()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        put(path, b"half of it", then=fail)
    assert list(tmp_path.iterdir()) == []
    put(path, b"all of it", then=nothing)
    assert [each.name for each in tmp_path.iterdir()] == ["bets.csv"]
    assert path.read_bytes() == b"all of it"


def test_a_file_is_never_written_over_unless_asked(tmp_path: Path) -> None:
    path = tmp_path / "bets.csv"
    path.write_bytes(b"mine")
    with pytest.raises(RecordsError, match="exists, and is left as it is; --overwrite"):
        put(path, b"new", then=nothing)
    assert path.read_bytes() == b"mine"

    def look() -> None:
        assert path.read_bytes() == b"mine"

    put(path, b"new", overwrite=True, then=look)
    assert path.read_bytes() == b"new"


def test_a_file_that_somebody_wrote_in_the_meantime_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "bets.csv"

    def meanwhile() -> None:
        path.write_bytes(b"theirs")

    with pytest.raises(RecordsError, match="exists, and is left as it is"):
        put(path, b"ours", then=meanwhile)
    assert [each.name for each in tmp_path.iterdir()] == ["bets.csv"]
    assert path.read_bytes() == b"theirs"


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match=r"nowhere/bets\.csv cannot be written: No such file"):
        put(tmp_path / "nowhere" / "bets.csv", b"", then=nothing)
    with pytest.raises(RecordsError, match="is a directory; name a file in it"):
        put(tmp_path, b"", overwrite=True, then=nothing)

"""`docs/records.md` is right: the columns are the program's own, and the examples run."""

import re
from pathlib import Path
from typing import Any

import pytest

from taisai.core.rules.boxes import BOX_NAMES
from taisai.core.table.state import TableState
from taisai.runtime.records.columns import VIEWS
from taisai.runtime.streams import TABLES
from tests.kit.journals import played
from tests.records.recorded import answered, written

PAGE = (Path(__file__).parents[2] / "docs" / "records.md").read_text("utf-8")
EXAMPLES = re.findall(r"^## In (\w+)\n+```python\n(.*?)```", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = re.findall(r"^    taisai export (.+)$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("view", VIEWS)
def test_the_columns_are_those_of_the_program(view: str) -> None:
    found = re.search(rf"^### `{view}`\n\nA row is (.+)\.\n\n((?:\|.+\n)+)", PAGE, re.MULTILINE)
    assert found is not None
    assert found[1] == VIEWS[view].row
    _, _, *lines = found[2].splitlines()
    documented = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert documented == [
        [
            f"`{column.name}`",
            column.type.value,
            "may be" if column.may_be_empty else "never",
            column.meaning,
        ]
        for column in VIEWS[view].columns
    ]


def test_no_other_view_is_documented() -> None:
    assert re.findall(r"^### `(\w+)`$", PAGE, re.MULTILINE) == list(VIEWS)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Export the bets of a simulated world in every format."""
    folder = tmp_path_factory.mktemp("examples")
    journal = written(folder, played(35, 80))
    for format_ in ("csv", "jsonl", "parquet"):
        done = answered("export", str(journal), "bets", "--to", str(folder / f"bets.{format_}"))
        assert done.status == 0
    return folder


def test_there_is_an_example_for_each_program() -> None:
    assert [name for name, _ in EXAMPLES] == ["pandas", "polars", "DuckDB"]


@pytest.mark.parametrize(("name", "code"), EXAMPLES)
def test_an_example_runs_and_adds_up(
    files: Path, monkeypatch: pytest.MonkeyPatch, name: str, code: str
) -> None:
    monkeypatch.chdir(files)
    found: dict[str, Any] = {}
    exec(code, found)  # noqa: S102 - the examples are what is tested
    by_kind: Any = found["by_kind"]
    if name == "pandas":
        by_kind = by_kind.itertuples(name=None)
    elif name == "polars":
        by_kind = by_kind.rows()
    assert list(by_kind) == [(kind, *sums) for kind, sums in sorted(standing().items())]


def standing() -> dict[str, list[int]]:
    """Add up stakes and payments by kind, as the tables themselves hold their rounds."""
    tables: dict[str, TableState] = {}
    for decided in played(35, 80):
        if decided.stream.startswith("table/"):
            state = tables.setdefault(decided.stream, TableState())
            for event in decided.events:
                TABLES.evolve(state, event)
    sums: dict[str, list[int]] = {}
    for table in tables.values():
        for record in table.history.values():
            for line in () if record.void else record.lines:
                kind = sums.setdefault(BOX_NAMES[line.box].kind.value, [0, 0])
                kind[0] += line.stake
                kind[1] += line.won
    return sums


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page_is_carried_out(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    (tmp_path / "data").symlink_to(files, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    done = answered("export", *command.split())
    assert (done.status, done.err) == (0, "")


def test_there_are_commands() -> None:
    assert len(COMMANDS) == 3

"""`make check` finds the tests of the changed files."""

from pathlib import Path

import pytest

from tools import check_change

FILES = {
    "src/taisai/core/dice.py": "",
    "src/taisai/core/money.py": "",
    "tests/kit/tables.py": "from taisai.core.dice import throw",
    "tests/table/situations.py": "from tests.kit import tables",
    "tests/table/test_dice.py": "import os, sys\nfrom taisai.core import dice",
    "tests/table/test_money.py": "from taisai.core.money import cents",
    "tests/table/test_both.py": "import os, sys, re\nfrom taisai.core import dice, money",
    "tests/table/test_situations.py": "from tests.table.situations import open_table",
    "tests/browser/test_dice.py": "from taisai.core import dice",
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a small project."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(check_change, "ROOT", tmp_path)
    monkeypatch.setattr(check_change, "TESTS", tmp_path / "tests")
    return tmp_path


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        # By name, with the fewest imports first, and no browser tests.
        (["src/taisai/core/dice.py"], ["table/test_dice.py", "table/test_both.py"]),
        (["src/taisai/core/money.py"], ["table/test_money.py", "table/test_both.py"]),
        # Through other helpers.
        (["tests/kit/tables.py"], ["table/test_situations.py"]),
        # A changed test comes first, whatever it imports.
        (
            ["tests/table/test_both.py", "src/taisai/core/money.py"],
            ["table/test_both.py", "table/test_money.py"],
        ),
        (["README.md", "tests/browser/test_dice.py"], []),
    ],
)
def test_the_tests_of_a_change(tree: Path, changed: list[str], expected: list[str]) -> None:
    found = check_change.tests_of(tree / each for each in changed)
    assert [str(path.relative_to(tree / "tests")) for path in found] == expected

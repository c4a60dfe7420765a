"""`taisai par`: the sheet as a file of each kind, printed, and misused."""

import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest

import taisai as library
from taisai.cli import main
from taisai.maths.par.sheet import par_sheet
from taisai.maths.par.writers import WRITERS
from tests.cli.command import Answer, taisai

Ask = Callable[..., Answer]


@pytest.fixture
def ask(capfd: pytest.CaptureFixture[str]) -> Ask:
    """Run the command in this process, which is faster than a new one for every question."""

    def run(*arguments: str) -> Answer:
        status = main(arguments)
        printed = capfd.readouterr()
        return Answer(status, printed.out, printed.err)

    return run


@pytest.mark.parametrize("suffix", WRITERS)
def test_a_file_holds_the_sheet_byte_for_byte(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"sheet{suffix}"
    asked = taisai("par", "etg8/1", "--out", str(file))
    assert asked.out == f"{file}: PAR sheet of etg8/1, 56 boxes; 7 of 7 checks held\n"
    sheet = par_sheet(library.rulebook("etg8"), library.pay_table("etg8/1"))
    assert file.read_text("utf-8") == WRITERS[suffix](sheet)


def test_without_a_file_it_is_printed() -> None:
    assert taisai("par", "ts6/1").out.startswith("# PAR sheet ts6/1: Tai Sai\n")
    answer = taisai("par", "ts6/1", "--json", "--dated", "1 June 2026").json
    assert (answer["pay_table"], answer["dated"], len(answer["boxes"])) == (
        *("ts6/1", "1 June 2026", 50),
    )
    odds = taisai("odds", "ts6/1", "--json").json
    assert answer["rulebook"] == odds["rulebook"]
    told = [{key: box[key] for key in odds["boxes"][0]} for box in answer["boxes"]]
    assert told == odds["boxes"]


def test_programs_are_told_what_was_written(tmp_path: Path, ask: Ask) -> None:
    file = tmp_path / "sheet.json"
    answer = ask("par", "div9/1", "--out", str(file), "--json").json
    assert answer["written"] == str(file)
    assert (answer["checks"], answer["held"]) == (7, 7)
    assert answer["sha256"] == json.loads(file.read_text("utf-8"))["rulebook"]["sha256"]


def test_a_file_that_is_there_is_left_alone(tmp_path: Path, ask: Ask) -> None:
    file = tmp_path / "sheet.md"
    file.write_text("mine", "utf-8")
    asked = ask("par", "ts6/1", "--out", str(file))
    assert asked.status == 1
    assert "--overwrite" in asked.err
    assert file.read_text("utf-8") == "mine"
    assert ask("par", "ts6/1", "--out", str(file), "--overwrite").status == 0
    assert file.read_text("utf-8").startswith("# PAR sheet")


def test_a_rulebook_of_ones_own_has_a_sheet_of_its_own(tmp_path: Path, ask: Ask) -> None:
    text = (resources.files("taisai.rulebooks") / "etg8.toml").read_text("utf-8")
    own = tmp_path / "mine.toml"
    changed = text.replace('key = "etg8"', 'key = "mine"').replace('"8.5"', '"9.5"', 1)
    own.write_text(changed, "utf-8")
    arguments = ("par", "mine/1", "--rulebook", str(own))
    assert ask(*arguments).status == 1
    answer = ask(*arguments, "--allow-player-edge", "--json").json
    assert [check["said"] for check in answer["checks"] if not check["held"]] == [
        "Every box has a house edge above zero."
    ]


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("etg8/1", "--out", "sheet.pdf"), 1, "name a .md, .html or .json file"),
        (("etg8/1", "--out", "nowhere/sheet.md"), 1, "cannot be written"),
        (("etg8/9",), 1, "there is no pay table 'etg8/9'"),
        (("etg8",), 1, "is no pay table"),
        (("etg8/1", "--out", ""), 2, "blank"),
        (("etg8/1", "--dated", "x" * 101), 1, "up to 100 characters"),
        ((), 2, "PAYTABLE"),
    ],
)
def test_misuse_is_answered_in_a_sentence(
    arguments: tuple[str, ...],
    status: int,
    said: str,
    tmp_path: Path,
    ask: Ask,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = ask("par", *arguments)
    assert (asked.status, asked.out) == (status, "")
    assert said in asked.err
    assert asked.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []

"""`taisai fairness` as people and programs use it, on files and journals, and misuse it."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from taisai.cli.maths.journal_throws import Gathered, groups_of
from taisai.core.table.setup import RegisterDice
from tests.cli.command import taisai
from tests.records.recorded import RecordedTable, answered, evening, opened, written


def file_of(path: Path, dice: "np.ndarray[tuple[int, int], np.dtype[np.int64]]") -> Path:
    path.write_text("".join(f"{a},{b},{c}\n" for a, b, c in dice.tolist()), "utf-8")
    return path


@pytest.fixture(scope="module")
def fair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    dice = np.random.default_rng(2).integers(1, 7, (1_200, 3))
    return file_of(tmp_path_factory.mktemp("throws") / "fair.csv", dice)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    generator = np.random.default_rng(3)
    dice = generator.integers(1, 7, (1_200, 3))
    dice[:, 1] = generator.choice(6, 1_200, p=[0.14, 0.14, 0.14, 0.14, 0.14, 0.3]) + 1
    return file_of(tmp_path_factory.mktemp("throws") / "loaded.csv", dice)


def thrown(table: RecordedTable, *throws: tuple[int, int, int]) -> None:
    for dice in throws:
        table.betting(t7={"small": 1_000})
        table.settled(*dice)


def test_fair_dice_for_people(fair: Path) -> None:
    told = answered("fairness", str(fair)).out
    lines = told.split("\n")
    assert lines[0] == "Nothing speaks against fair dice at 99 % confidence."
    assert lines[1].startswith("The smallest of 17 p-values is ")
    assert "1,200 throws, each die known from the others" in told
    assert "found with a chance of 90 % from" in told
    assert "REJECTED" not in told
    assert max(map(len, lines)) <= 110


def test_a_loaded_die_for_people(loaded: Path) -> None:
    told = answered("fairness", str(loaded)).out
    assert told.startswith("These are not the throws of fair dice, at 99 % confidence: ")
    (row,) = [line for line in told.split("\n") if line.startswith("faces of die 2 ")]
    assert "REJECTED" in row
    assert "furthest off, face 6 came" in told
    assert "The alarm would have been raised after throw" in told


def test_a_report_for_programs(loaded: Path) -> None:
    told = answered("fairness", str(loaded), "--json", "--confidence", "0.995").json
    assert (told["verdict"], told["alpha"], told["throws"]) == ("rejected", 0.005, 1_200)
    (group,) = told["groups"]
    die = {test["test"]: test for test in group["tests"]}["die-2"]
    assert die["rejected"]
    assert die["adjusted"] >= die["p"]
    assert sum(group["counts"]["results"].values()) == 1_200
    assert sum(group["counts"]["dice"][1].values()) == 1_200
    face = group["detectable"][0]
    assert (face["what"], face["power"]) == ("face-of-one-die", 0.8)
    assert 0.03 < face["excess"] < 0.09


def test_standard_input_of_a_real_process(fair: Path) -> None:
    done = taisai("fairness", "-", "--json", stdin=fair.read_bytes())
    assert (done.status, done.json["verdict"], done.err) == (0, "not rejected", "")
    lines = "\n".join(json.dumps({"dice": [1, 2, 3]}) for _ in range(40))
    assert taisai("fairness", "-", "--json", stdin=lines).json["verdict"] == "rejected"


def test_the_order_of_dice_can_be_told(fair: Path) -> None:
    told = answered("fairness", str(fair), "--order", "lost", "--json").json
    assert (told["tests"], told["groups"][0]["dice_known"]) == (9, False)


def test_a_picture_beside_the_report(fair: Path, tmp_path: Path) -> None:
    place = tmp_path / "throws.svg"
    answered("fairness", str(fair), "--plot", str(place))
    assert place.read_bytes().startswith(b"<?xml")


def test_an_exported_file_of_rounds_says_what_the_journal_says(tmp_path: Path) -> None:
    written(tmp_path, evening().decided)
    answered("export", str(tmp_path), "rounds", "--to", str(tmp_path / "rounds.csv"))
    of_file = answered("fairness", str(tmp_path / "rounds.csv"), "--json").json
    of_journal = answered("fairness", str(tmp_path), "--by", "all", "--json").json
    counts = of_file["groups"][0]["counts"]["results"]
    assert counts == of_journal["groups"][0]["counts"]["results"]
    assert {key: n for key, n in counts.items() if n} == {"236": 1, "234": 1, "566": 1}
    assert of_file["notes"] == [
        "2 rows tell of no throw, or of one put right later, and are passed over."
    ]


def test_a_journal_by_dice_by_table_and_together(tmp_path: Path) -> None:
    """The evening's dice: round 1 settled again as 2 3 6, 2 void, 3 and 4 by another set."""
    written(tmp_path, evening().decided)
    told = answered("fairness", str(tmp_path), "--json").json
    named = {group["name"]: group["throws"] for group in told["groups"]}
    assert named == {"table T1, dice D1": 1, "table T1, dice D2": 2}
    assert "from low to high, so that no die can be tested by itself" in told["notes"][0]
    (group,) = answered("fairness", str(tmp_path), "--by", "table", "--json").json["groups"]
    assert (group["name"], group["throws"], group["dice_known"]) == ("table T1", 3, False)
    people = answered("fairness", str(tmp_path)).out
    assert "table T1, dice D2: 2 throws, faces from low to high" in people


def test_a_set_of_dice_that_comes_back_is_one_group(tmp_path: Path) -> None:
    table = opened()
    thrown(table, (1, 2, 3), (4, 4, 1))
    table.does("supervisor", RegisterDice("D2", "S2"))
    thrown(table, (5, 5, 5))
    table.does("supervisor", RegisterDice("D1", "S1"))
    thrown(table, (2, 2, 6))
    written(tmp_path, table.decided)
    told = answered("fairness", str(tmp_path), "--json").json
    found = {
        group["name"]: [key for key, count in group["counts"]["results"].items() if count]
        for group in told["groups"]
    }
    assert found == {"table T1, dice D2": ["555"], "table T1, dice D1": ["123", "144", "226"]}


def test_groups_are_named_for_what_is_known() -> None:
    from array import array  # noqa: PLC0415 - of use here alone

    gathered = [
        Gathered("T1", None, array("q", [1]), bytearray([0])),
        Gathered("T2", "D1", array("q", [1, 2]), bytearray([8, 8])),
    ]
    assert [group.name for group in groups_of(gathered, "dice")] == [
        "table T1",
        "table T2, dice D1",
    ]
    (together,) = groups_of(gathered, "all")
    assert (together.name, together.throws.codes.tolist()) == ("", [0, 8, 8])


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (("nowhere.csv",), 1, "there is no file nowhere.csv; name a file of throws, or a journal"),
        (("{bad}",), 1, "line 2: the dice are"),
        (("{fair}", "--confidence", "1.5"), 1, "a confidence of 1.5 cannot be asked for"),
        (("{fair}", "--confidence", "much"), 2, "argument --confidence: invalid float value"),
        (("{fair}", "--lags", "0"), 1, "the lags of echoes are a whole number from 1 to 50, not 0"),
        (("{fair}", "--seed", "-5"), 1, "a seed is a whole number from 0"),
        (("{fair}", "--plot", "a.gif"), 1, "a.gif is no picture; name a .png or .svg file"),
        (("{fair}", "--by", "table"), 2, "choose from a journal, and FILE is none"),
        (("{empty}",), 1, "there is no journal in"),
        (("{journal}", "--order", "kept"), 1, "a journal keeps faces from low to high"),
        (("{journal}", "--from", "2030-01-01"), 1, "no settled round is recorded there"),
        (("{journal}", "--table", "T9"), 1, "there is no table T9; the journal holds T1"),
        ((), 2, "the following arguments are required: FILE"),
    ],
)
def test_misuse_is_answered_in_a_sentence(
    arguments: tuple[str, ...], status: int, sentence: str, fair: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad.csv").write_text("1,2,3\n1,2,8\n", "utf-8")
    if "{journal}" in arguments:
        written(tmp_path, evening().decided)
    places = {
        "fair": fair,
        "bad": tmp_path / "bad.csv",
        "empty": tmp_path / "empty",
        "journal": tmp_path,
    }
    answer = answered("fairness", *(text.format(**places) for text in arguments))
    assert (answer.status, answer.out) == (status, "")
    assert sentence in answer.err
    assert answer.err.count("\n") == 1


def test_without_numpy_the_extra_is_named(fair: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.startswith("taisai.cli.maths.fairness_")]:
        monkeypatch.delitem(sys.modules, module)
    for module in [name for name in sys.modules if name.startswith("taisai.maths.fairness.")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "numpy", None)
    answer = answered("fairness", str(fair))
    assert answer.status == 1
    assert 'needs an extra: pip install "taisai[maths]"' in answer.err

"""`taisai simulate-venue`: for people, for programs, with findings, and misused."""

import json
import re
from importlib import resources
from pathlib import Path

import pytest

from taisai.cli import main, progress
from taisai.cli.venue import simulate_venue
from taisai.runtime.simulator import Finding
from tests.cli.command import taisai


def test_a_world_is_summed_up_for_people_and_programs_alike() -> None:
    arguments = ("simulate-venue", "--seed", "7", "--rounds", "30")
    told, answer = taisai(*arguments), taisai(*arguments, "--json").json
    assert told.status == 0
    assert told.err == ""
    assert told.out.startswith("The world of seed 7: ")
    assert "by ts6, tso5, etg8, div9. Nothing found." in told.out
    assert answer["fingerprint"] in told.out
    assert answer["rounds"]["settled"] + answer["rounds"]["void"] >= 30
    assert answer["seed"] == 7
    assert answer["finding"] is None
    settled = answer["rounds"]["settled"]
    assert re.search(rf"^rounds settled +{settled}$", told.out, re.MULTILINE)
    assert (
        sum(answer["refused"].values()) + answer["checks"]["decisions audited"]
        == (answer["commands"])
    )
    assert len([line for line in told.out.splitlines() if line.startswith("  ")]) <= 11


def test_a_world_plays_by_the_rulebooks_named() -> None:
    arguments = ("simulate-venue", "--seed", "7", "--rounds", "10", "--json")
    answer = taisai(*arguments, "--rulebook-keys", "div9", "etg8").json
    assert answer["rulebooks"] == ["div9", "etg8"]


def test_a_world_plays_by_a_rulebook_of_ones_own(tmp_path: Path) -> None:
    text = (resources.files("taisai.rulebooks") / "etg8.toml").read_text("utf-8")
    file = tmp_path / "mine.toml"
    file.write_text(text.replace('key = "etg8"', 'key = "mine"'), "utf-8")
    arguments = ("simulate-venue", "--seed", "7", "--rounds", "10", "--json")
    assert taisai(*arguments, "--rulebook", str(file)).json["rulebooks"] == ["mine"]


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (("--seed", "1", "--rulebook-keys", "ts7"), 1, "there is no rulebook 'ts7'"),
        (("--seed", "1", "--rounds", "0"), 1, "--rounds is 0; a number from 1 to 1,000,000 is"),
        (("--seed", "-1"), 1, "--seed is -1; 0 or more is right"),
        (("--seed", "one"), 2, 'argument --seed: "one" is no whole number'),
        ((), 2, "the following arguments are required: --seed"),
    ],
)
def test_a_mistake_is_answered_with_a_sentence(
    arguments: tuple[str, ...], status: int, sentence: str
) -> None:
    answer = taisai("simulate-venue", *arguments)
    assert (answer.status, answer.out) == (status, "")
    assert sentence in answer.err


@pytest.fixture
def _finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def simulate(*_: object) -> None:
        raise Finding("T1, round 3: 5 vanished")

    monkeypatch.setattr(simulate_venue, "simulate", simulate)


_AGAIN = "taisai simulate-venue --seed 9 --rounds 50 --rulebook-keys ts6 div9"


@pytest.mark.usefixtures("_finding")
def test_a_finding_is_told_with_the_command_that_shows_it_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(_AGAIN.split()[1:]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "taisai: in the world of seed 9: T1, round 3: 5 vanished",
        f"taisai: again with: {_AGAIN}",
    ]


@pytest.mark.usefixtures("_finding")
def test_a_finding_is_told_to_programs_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*_AGAIN.split()[1:], "--json", "--rulebook", "ours.toml"]) == 1
    assert main([*_AGAIN.split()[1:], "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "seed": 9,
        "finding": "T1, round 3: 5 vanished",
        "command": _AGAIN,
    }


def test_progress_is_shown_to_a_person_who_watches(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr(progress, "_EVERY_SECONDS", 0)
    assert main(["simulate-venue", "--seed", "2", "--rounds", "5", "--rulebook-keys", "ts6"]) == 0
    shown = capsys.readouterr().err
    assert "5 of 5 rounds" in shown
    assert shown.endswith("\r\x1b[K")

"""`taisai slate`, `session` and `compare`: for people, for programs, and when misused."""

from fractions import Fraction
from importlib import resources
from pathlib import Path

import pytest

from tests.cli.command import taisai


def test_a_slate_for_programs() -> None:
    answer = taisai("slate", "ts6/2", "--bet", "small=1000", "single-3=500", "--json").json
    assert answer["pay_table"] == "ts6/2"
    assert answer["rulebook"]["key"] == "ts6"
    assert answer["bets"] == [{"box": "small", "stake": 1000}, {"box": "single-3", "stake": 500}]
    assert answer["staked"] == 1500
    # By hand: a thirty-sixth of 1,000 and a twenty-seventh of 500.
    assert Fraction(answer["expected_loss"]) == Fraction(1000, 36) + Fraction(500, 27)
    assert answer["house_edge"] == answer["edge_per_unit"] == "5/162"
    assert sum(each["ways"] for each in answer["distribution"]) == 216
    mean = sum(each["net"] * Fraction(each["probability"]) for each in answer["distribution"])
    assert Fraction(answer["mean"]) == mean
    assert answer["skewness"] ** 2 == pytest.approx(float(Fraction(answer["skewness_squared"])))
    assert answer["standard_deviation"] ** 2 == pytest.approx(float(Fraction(answer["variance"])))


def test_a_slate_for_people() -> None:
    told = taisai("slate", "etg8/2", "--bet", "total-8=100").out
    assert "Pay table etg8/2, Appendix B" in told
    assert "expected loss       7.64 a round (275/36 exactly)" in told
    assert "house edge          7.64 % (11/144 exactly) of each unit staked" in told
    assert "+850    21    7/72   9.72 %" in told


def test_a_session_in_whole_numbers() -> None:
    asked = ("session", "ts6/2", "--bet", "small=100", "--rounds", "1000")
    answer = taisai(*asked, "--json", "--distribution", "--at-least", "0", "-100000").json
    assert answer["method"] == "exact"
    assert answer["ahead"]["probability"].startswith("0.18130006")
    assert answer["expected_loss"] == "25000/9"
    assert [each["share"] for each in answer["quantiles"]][3] == "0.5"
    exact = answer["exact"]
    assert exact["nets"][0] == -100_000
    weights = [int(weight) for weight in exact["weights"]]
    assert sum(weights) == int(exact["total"])
    ahead = sum(w for net, w in zip(exact["nets"], weights, strict=True) if net > 0)
    assert ahead / int(exact["total"]) == pytest.approx(float(answer["ahead"]["probability"]))
    assert answer["at_least"][1] == {"net": -100_000, "probability": "1", "relative_error": "0"}
    told = taisai(*asked, "--quantile", "0.5").out
    assert "1,000 rounds of 100 on small; in whole numbers, exactly" in told
    assert "ahead               18.13001 %" in told
    assert "0.5  -2,800" in told


def test_a_session_in_floats_says_so() -> None:
    asked = ("session", "ts6/2", "--bet", "small=100", "--rounds", "1000")
    exact = taisai(*asked, "--json").json
    floats = taisai(*asked, "--method", "float", "--json").json
    assert floats["method"] == "float"
    for name in ("ahead", "even", "behind"):
        one, other = (float(each[name]["probability"]) for each in (exact, floats))
        assert one == pytest.approx(other, rel=1e-12)
        assert 0 < float(floats[name]["relative_error"]) < 1e-9
    long = taisai("session", "ts6/2", "--bet", "small=100", "--rounds", "100000000")
    assert "in floats, each chance to within" in long.out
    assert "e-16765" in long.out


def test_a_comparison() -> None:
    answer = taisai("compare", "ts6/2", "etg8/2", "--min", "100", "--json").json
    first, second = answer["pay_tables"]
    assert (first["pay_table"], second["pay_table"]) == ("ts6/2", "etg8/2")
    assert first["cheaper"] == []
    assert first["cheapest"]["per_unit"]["house_edge"] == "1/36"
    assert second["cheapest"]["for_swing"]["boxes"] == [f"triple-{face}" for face in range(1, 7)]
    assert second["cheapest"]["covering"]["bets"] == [
        {"box": box, "stake": 100} for box in ("small", "big", "any-triple")
    ]
    boxes = {box["box"]: box for box in answer["boxes"]}
    assert len(boxes) == 104
    assert boxes["total-8"]["on"][1] == {"pays": "8.5", "ways": 21, "house_edge": "11/144"}
    assert boxes["total-8"]["difference"] == "-7/144"
    told = taisai("compare", "ts6/2", "etg8/2").out
    assert "Of 104 boxes on both, 0 are cheaper on ts6/2, 27 on etg8/2, 77 cost the same." in told
    assert "total-10, 11" in told
    assert "Cheapest to play on etg8/2" in told


def test_a_rulebook_of_ones_own(tmp_path: Path) -> None:
    text = (resources.files("taisai.rulebooks") / "ts6.toml").read_text("utf-8")
    file = tmp_path / "mine.toml"
    file.write_text(
        text.replace('key = "ts6"', 'key = "mine"').replace('pays = "62"', 'pays = "75"'), "utf-8"
    )
    asked = ("compare", "ts6/1", "mine/1", "--rulebook", str(file))
    assert taisai(*asked).status == 1
    told = taisai(*asked, "--allow-player-edge").out
    assert "per unit staked     -5.56 % (-1/18): total-4, 17" in told
    slate = ("slate", "mine/1", "--rulebook", str(file), "--allow-player-edge")
    assert taisai(*slate, "--bet", "total-4=1", "--json").json["house_edge"] == "-1/18"


def test_pictures_are_written(tmp_path: Path) -> None:
    shape, spread = tmp_path / "shape.svg", tmp_path / "spread.png"
    asked = ("session", "ts6/2", "--bet", "small=100", "--rounds", "50")
    assert taisai(*asked, "--plot", str(shape), "--fan", str(spread)).status == 0
    assert "<svg" in shape.read_text("utf-8")
    assert spread.read_bytes().startswith(b"\x89PNG")
    long = tmp_path / "long.svg"
    assert taisai(*asked, "--method", "float", "--plot", str(long)).status == 0
    assert "<svg" in long.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        ("slate ts6/2 --bet small=0", 1, "the stake on Small is 0"),
        ("slate etg8/2 --bet total-8=5", 1, "a multiple of 2 is right"),
        ("slate ts6/1 --bet odd=5", 1, "ts6/1 has no betting box Odd"),
        ("slate ts6/2 --bet small", 2, "'small' is no bet"),
        ("slate ts6/2 --bet ann:small=5", 2, "a slate is one player's"),
        ("slate ts6/2", 2, "--bet"),
        ("slate ts6/2 --bet small=5 --plot a.gif", 1, "name a .png or .svg file"),
        ("session ts6/2 --bet small=5 --rounds 0", 1, "10,000,000,000, not 0"),
        (
            "session ts6/2 --bet small=5 --rounds 1000000000000000000",
            1,
            "from 1 to 10,000,000,000, not",
        ),
        ("session ts6/2 --bet small=5 --rounds 1000000 --method exact", 1, "over 1024 MB"),
        ("session ts6/2 --bet small=5 --rounds 9 --quantile 2", 1, "between 0 and 1"),
        ("session ts6/2 --bet small=5 --rounds 9 --quantile 1e99999999", 1, "too long for a share"),
        ("session ts6/2 --bet small=5 --rounds 9 --distribution", 2, "needs --json"),
        ("compare ts6/2 ts6/9", 1, "there is no pay table 'ts6/9'"),
        ("compare ts6/2 ts6/1 --min 0", 1, "the least stake is a whole number"),
    ],
)
def test_misuse_is_answered_in_one_sentence(arguments: str, status: int, sentence: str) -> None:
    answer = taisai(*arguments.split())
    assert answer.status == status
    assert sentence in answer.err
    assert len(answer.err.splitlines()) == 1

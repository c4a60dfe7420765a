"""`taisai ruin` and `taisai plan`: for people, for programs, as plots, and misused."""

from decimal import Decimal, localcontext
from fractions import Fraction
from importlib import resources
from pathlib import Path

import pytest

from taisai.cli import main
from tests.cli.command import taisai

RUIN = ("ruin", "ts6/1", "--bet", "small=100", "--bank", "5000")
PLAN = ("plan", "ts6/1", "--box", "small", "--unit", "100", "--bank", "10000", "--rounds", "20")


def written(value: Fraction) -> str:
    """Write a fraction to fifteen digits, by another way than the command's."""
    with localcontext(prec=15):
        return f"{Decimal(value.numerator) / Decimal(value.denominator):.15g}"


def test_ruin_for_people_says_what_ruin_is_and_how_it_was_found() -> None:
    told = taisai(*RUIN, "--rounds", "1000", "--quantile", "0.25").out
    assert "Pay table ts6/1, Appendix A" in told
    assert "it is ruined when it falls below 100, and cannot pay the next one" in told
    assert "ruined within 1,000 rounds  35.33671 %    exactly" in told
    assert "ruined, a share of 0.25     by round 802" in told
    assert "ruined ever                 100.00000 %   exactly" in told
    assert "expected rounds until ruin  1,800.00      exactly" in told


def test_ruin_for_programs_with_a_target() -> None:
    answer = taisai(*RUIN, "--target", "10000", "--rounds", "50", "--json").json
    ratio = Fraction(37, 35)
    first = answer["target_first"]
    assert first["exact"] is True
    assert Fraction(first["fraction"]) == (ratio**50 - 1) / (ratio**100 - 1)
    assert float(first["low"]) <= float(first["value"]) <= float(first["high"])
    within = answer["within"]
    assert within["method"] == "exact"
    assert within["ruined"]["value"] == written(Fraction(37, 72) ** 50)
    assert within["target_reached"]["value"] == written(Fraction(35, 72) ** 50)
    assert answer["bank"] == 5000
    assert answer["ruin_ever"]["fraction"] == "1"
    assert answer["rulebook"]["key"] == "ts6"


def test_ruin_with_an_edge_for_the_player(tmp_path: Path) -> None:
    ours = (resources.files("taisai.rulebooks") / "ts6.toml").read_text("utf-8")
    own = tmp_path / "own.toml"
    ours = ours.replace('key = "ts6"', 'key = "own"')
    own.write_text(ours.replace('"62"', '"72"'), "utf-8")
    asked = ("ruin", "own/1", "--bet", "total-4=100", "--bank", "5000", "--rulebook", str(own))
    assert taisai(*asked).status == 1
    answer = taisai(*asked, "--allow-player-edge", "--json").json
    ever = answer["ruin_ever"]
    assert ever["exact"] is False
    assert 0 < float(ever["low"]) <= float(ever["high"]) < 1
    assert answer["expected_rounds"] is None
    # A loss is a level: the chance is a power of the root, whose mean of powers is one.
    root = float(ever["value"]) ** (1 / 50)
    assert (71 / root + root**72) / 72 == pytest.approx(1, abs=1e-9)


def test_a_plan_for_people_says_how_it_was_found() -> None:
    told = taisai(*PLAN, "--plan", "martingale", "--min", "100", "--max", "5000").out
    assert "martingale on small, a unit of 100 and a bank of 10,000, 20 rounds" in told
    assert "Exact: every way the rounds can go was counted" in told
    assert "(the edge of 1/36 of what is bet)" in told
    assert "The bank that a share of all players does not pass in the end" in told


def test_a_plan_for_programs() -> None:
    asked = (*PLAN, "--plan", "labouchere", "--line", "1", "2", "--max", "5000", "--json")
    answer = taisai(*asked, "--at-maximum", "stop", "--cannot-pay", "rest").json
    assert answer["method"] == "exact"
    loss, turnover = answer["expected_loss"], answer["expected_turnover"]
    assert float(loss["value"]) == pytest.approx(float(turnover["value"]) / 36)
    endings = answer["endings"].values()
    assert sum(float(each["value"]) for each in endings) == pytest.approx(1)
    simulated = taisai(*asked, "--method", "simulated", "--seed", "5").json
    assert simulated["seed"] == 5
    assert simulated["confidence"] == 0.99
    assert simulated["why"] == "a simulation was asked for"
    assert float(simulated["ahead"]["low"]) < float(simulated["ahead"]["high"])


def test_a_plan_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('first = "a"\n[states.a]\nstake = 1\nwin = "a"\nloss = "a"\n')
    own = taisai(*PLAN, "--plan", str(path), "--json").json
    flat = taisai(*PLAN, "--plan", "flat", "--json").json
    assert own["plan"] == "mine.toml"
    assert own["ahead"] == flat["ahead"]


def test_pictures_are_drawn(tmp_path: Path) -> None:
    for name in ("ruin.svg", "plan.png"):
        asked = RUIN if name.startswith("ruin") else (*PLAN, "--plan", "flat")
        more = ("--rounds", "100", "--target", "7000") if name.startswith("ruin") else ()
        assert taisai(*asked, *more, "--plot", str(tmp_path / name)).status == 0
        assert (tmp_path / name).stat().st_size > 5_000


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        ((*RUIN, "--rounds", "0"), 1, "rounds are a whole number from 1"),
        ((*RUIN, "--rounds", "1000000000000000000"), 1, "rounds are a whole number from 1"),
        ((*RUIN, "--target", "5000"), 1, "reached already"),
        ((*RUIN, "--quantile", "0.5"), 2, "--quantile needs --rounds"),
        ((*RUIN, "--rounds", "10", "--quantile", "2"), 1, "a share lies between 0 and 1"),
        ((*RUIN, "--rounds", "10", "--quantile", "1e-99999999"), 1, "is too long for a share"),
        ((*RUIN, "--plot", "ruin.png"), 1, "needs a number of rounds or a target"),
        ((*RUIN, "--rounds", "9", "--plot", "ruin.doc"), 1, "name a .png or .svg file"),
        (("ruin", "ts6/1", "--bet", "small=100", "--bank", "50"), 1, "cannot pay the first"),
        (("ruin", "ts6/1", "--bet", "a:small=100", "--bank", "500"), 2, "one player's"),
        (("ruin", "etg8/1", "--bet", "total-8=1", "--bank", "50"), 1, "off the step"),
        ((*PLAN, "--plan", "oscar"), 1, "there are flat, martingale"),
        ((*PLAN, "--plan", "none.toml"), 1, "cannot be read"),
        ((*PLAN, "--plan", "flat", "--line", "1"), 2, "--line is for"),
        ((*PLAN, "--plan", "flat", "--max", "50"), 1, "passes the maximum"),
        ((*PLAN, "--plan", "flat", "--min", "500"), 1, "below the minimum"),
        ((*PLAN, "--plan", "flat", "--step", "0"), 1, "step"),
        ((*PLAN, "--plan", "flat", "--step", "60"), 1, "multiples of 60"),
        ((*PLAN, "--plan", "flat", "--seed", "-1"), 1, "a seed is"),
    ],
)
def test_misuse_is_answered_in_a_sentence(
    arguments: tuple[str, ...], status: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == status
    told = capsys.readouterr()
    assert told.out == ""
    assert sentence in told.err
    assert told.err.count("\n") == 1

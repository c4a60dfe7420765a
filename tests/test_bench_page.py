"""The page of figures: it has every goal, and a missed goal cannot go unnoticed."""

from pathlib import Path

import pytest
from bench.goals import FIGURES_FILE, GOALS, Goal, note, read_noted, tell
from bench.page import BENCHES, ROOT, goals_of, left_of, page_of

REACHED = {goal.key: goal.bound for goal in GOALS}


def test_every_goal_that_is_just_reached_is_reached() -> None:
    page, reached = page_of(REACHED)
    assert reached
    assert len(page.splitlines()) == len(GOALS) + 3
    assert page.endswith("every goal is reached")
    assert "MISSED" not in page


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.key)
def test_each_goal_is_missed_by_a_little_and_by_no_figure(goal: Goal) -> None:
    worse = goal.bound * (1.01 if goal.at_most else 0.99) or 1.0
    page, reached = page_of({**REACHED, goal.key: worse})
    assert not reached
    (line,) = [line for line in page.splitlines() if "MISSED" in line]
    assert line.startswith(goal.work)
    assert f"{worse:.2f}{goal.unit}" in line
    page, reached = page_of({key: each for key, each in REACHED.items() if key != goal.key})
    assert not reached
    assert page.count("NOT MEASURED") == 1
    assert page.endswith(f"{len(GOALS)} figures, 1 missed")


def test_a_page_as_it_is_printed() -> None:
    goals = [goal for goal in GOALS if goal.key in ("settle", "payouts 64", "recovery")]
    page, reached = page_of({"settle": 40.0, "payouts 64": 3.1, "recovery": 0.494}, goals)
    assert not reached
    assert [" ".join(line.split()) for line in page.splitlines()] == [
        "measured to reach",
        "taisai settle, against decoding and encoding alone 40.00 x <= 12 x MISSED",
        "payouts of 64 bits, against take with every array in place 3.10 x >= 4 x MISSED",
        "ready after recovery at 1,000,000 events 0.49 s <= 0.5 s reached",
        "3 figures, 2 missed",
    ]


def test_what_has_all_its_figures_is_not_measured_again() -> None:
    assert left_of(BENCHES, {}) == [*BENCHES]
    assert left_of(BENCHES, REACHED) == []
    some = {"verify": 1.2, "cold odds": 6.0, "cold rules": 7.0}
    assert left_of(["cold_start", "verify"], some) == ["verify"]
    assert left_of(["verify"], {**some, "verify memory": 1.0}) == []


@pytest.mark.parametrize(("share", "expected"), [(86.0, True), (66.0, False)])
def test_payouts_at_the_speed_of_a_copy_are_at_their_limit(share: float, *, expected: bool) -> None:
    noted = {**REACHED, "payouts 64": 3.1, "payouts 64 of the copy": share}
    page, reached = page_of(noted)
    assert reached is expected
    assert ("at 86 % of the speed of a copy, which is the limit" in page) is expected


def test_a_bench_prints_its_figure_beside_the_goal(capsys: pytest.CaptureFixture[str]) -> None:
    assert not tell("settle", 12.01)
    assert tell("held lost", 0)
    assert [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()] == [
        "taisai settle, against decoding and encoding alone 12.01 x to reach <= 12 x MISSED",
        "connections lost 0.00 to reach <= 0",
    ]


def test_no_bench_has_a_goal_of_its_own() -> None:
    for file in (ROOT / "bench").rglob("*.py"):
        if file.stem not in ("goals", "page"):
            source = file.read_text("utf-8")
            assert "TO_REACH" not in source, file
            assert "MISSED" not in source or file.stem == "flood", file


def test_what_benches_note_is_read_and_the_last_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "figures"
    assert read_noted(file) == {}
    monkeypatch.delenv(FIGURES_FILE, raising=False)
    note("settle", 1.0)
    monkeypatch.setenv(FIGURES_FILE, str(file))
    note("settle", 2.5)
    note("cold odds", 6.0)
    note("settle", 3.25)
    assert read_noted(file) == {"settle": 3.25, "cold odds": 6.0}


def test_every_goal_has_a_bench_that_notes_it() -> None:
    """Keys are written in full, but for the last word where a bench has several alike."""
    for goal in goals_of(BENCHES):
        source = (ROOT / "bench" / f"{goal.bench}.py").read_text("utf-8")
        several = goal.key.rpartition(" ")[0]
        assert f'"{goal.key}"' in source or (several and f'tell(f"{several} {{' in source), goal
    assert set(GOALS) == set(goals_of(BENCHES))
    assert {each.stem for each in (ROOT / "bench").glob("*.py")} - set(BENCHES) == {
        *("compare", "drive", "goals", "lanes", "layers", "long_journal", "page"),
    }

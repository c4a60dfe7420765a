"""Every scenario is played; together they reach every clause that applies at a table."""

import re
from collections import Counter
from pathlib import Path

import pytest

import taisai
from taisai.rulebooks import KEYS
from tests.scenarios.reading import Scenario
from tests.scenarios.runner import all_scenarios, play

HERE = Path(__file__).parent
UNMET = HERE / "unmet.txt"
SCENARIOS = all_scenarios()
SCENARIOS_MIN = 80
PER_RULEBOOK_MIN = 22
#: The number of chip tables' scenarios, and of whole days with colours, conversion and pro rata.
CHIP_TABLE_MIN = 40
DAYS_MIN = 10

#: Besides clauses a title may cite decisions, where the document leaves a choice.
DECISION = re.compile(r"D\d+")


def of(key: str) -> list[Scenario]:
    """List the scenarios of a rulebook."""
    return [scenario for scenario in SCENARIOS if scenario.table.key == key]


def unmet(key: str) -> dict[str, str]:
    """Read the clauses of a document that no scenario reaches, with the reasons."""
    reasons: dict[str, str] = {}
    for line in UNMET.read_text("utf-8").splitlines():
        if not line or line.startswith(("#", "documents")):
            continue
        documents, clauses, why = re.split(r"  +", line)
        if key in documents.split(", "):
            assert not reasons.keys() & set(clauses.split(", ")), f"{clauses}: said twice"
            reasons |= dict.fromkeys(clauses.split(", "), why)
    return reasons


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_scenario(scenario: Scenario) -> None:
    play(scenario)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_the_amounts_at_the_end_add_up_before_anything_is_played(scenario: Scenario) -> None:
    held = {name: amount for name, amount in scenario.end.items() if name != "cash"}
    assert sum(held.values()) == scenario.end.get("cash", sum(scenario.credits.values()))


def test_there_are_enough_scenarios_of_each_rulebook() -> None:
    assert len(SCENARIOS) >= SCENARIOS_MIN
    count = Counter(scenario.table.key for scenario in SCENARIOS)
    assert {key for key in KEYS if count[key] < PER_RULEBOOK_MIN} == set()


def test_there_are_enough_scenarios_of_chip_tables_and_of_whole_days() -> None:
    chip_table = [scenario for scenario in SCENARIOS if scenario.table.chips is not None]
    assert len(chip_table) >= CHIP_TABLE_MIN
    assert {scenario.table.key for scenario in chip_table} == set(KEYS)
    assert len([scenario for scenario in chip_table if is_whole_day(scenario)]) >= DAYS_MIN


def is_whole_day(scenario: Scenario) -> bool:
    """Say whether a day opens and closes, with colours bought and converted, and pro rata."""
    said = "\n".join(f"{row.does} {row.expected}" for row in scenario.rows)
    needed = ("open day", "close day", "coloured for", "convert", " plays ")
    return all(word in said for word in needed)


def test_every_text_is_a_file_of_scenarios_under_its_rulebooks_name() -> None:
    played = {scenario.path.name for scenario in SCENARIOS}
    assert {path.name for path in HERE.glob("*.txt")} == played | {UNMET.name}
    assert all(
        scenario.path.name.startswith(f"{scenario.table.key}_") and scenario.table.key in KEYS
        for scenario in SCENARIOS
    )


def test_no_two_scenarios_have_the_same_title() -> None:
    count = Counter((scenario.table.key, scenario.title) for scenario in SCENARIOS)
    assert [title for title, times in count.items() if times > 1] == []


@pytest.mark.parametrize("key", KEYS)
def test_every_clause_is_met_by_a_scenario_or_says_why_not(key: str) -> None:
    clauses = {clause.number for clause in taisai.rulebook(key).content.clauses}
    cited = {clause for scenario in of(key) for clause in scenario.clauses}
    decisions = {clause for clause in cited if DECISION.fullmatch(clause)}
    assert cited - decisions == clauses - unmet(key).keys()
    assert unmet(key).keys() <= clauses


def test_every_decision_cited_is_on_record() -> None:
    records = (HERE.parent.parent / "docs" / "decisions").glob("D*.md")
    known = {f"D{int(path.name[1:3])}" for path in records}
    cited = {clause for scenario in SCENARIOS for clause in scenario.clauses}
    assert {clause for clause in cited if DECISION.fullmatch(clause)} <= known


@pytest.mark.parametrize("key", KEYS)
def test_every_irregularity_of_the_rulebook_has_a_scenario(key: str) -> None:
    codes = {irregularity.code for irregularity in taisai.rulebook(key).content.irregularities}
    assert {code for scenario in of(key) for code in scenario.irregularities} == codes


@pytest.mark.parametrize(
    "scenario",
    [each for each in SCENARIOS if each.irregularities],
    ids=lambda scenario: scenario.name,
)
def test_an_irregularity_is_answered_with_its_clause_or_decision(scenario: Scenario) -> None:
    rulings = taisai.rulebook(scenario.table.key).content.irregularities
    for ruling in rulings:
        if ruling.code in scenario.irregularities:
            ground = ruling.clause or ruling.decision
            answers = [row.expected for row in scenario.rows]
            assert any(cites(answer, ground) for answer in answers), f"{ruling.code}: {ground}"


def cites(answer: str, ground: str | None) -> bool:
    """Say whether an expected answer names a clause: as a status's last word, or in brackets."""
    status, *particulars = re.split(r"  +", answer)
    return status.split()[-1] == ground or f"[{ground}]" in particulars

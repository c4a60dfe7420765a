"""A thousand simulated rounds per rulebook, and more: no faults, and every kind of event."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import taisai.core
from taisai.core.streams import CageEvent, TableEvent, VenueEvent
from taisai.core.table import state as table_state
from taisai.rulebooks import KEYS, rulebook
from taisai.runtime.auditor import table as auditor_table
from taisai.runtime.simulator import simulate
from tests.simulated.recorded import MIXED, ROUNDS, SEEDS, everything, mixed_reports, reports_of

#: Refusals that no simulated world has, each with the reason.
NEVER_REFUSED = {
    "TOO_MANY_TERMINALS": "it takes 20,000 terminals at one table",
    "TOO_MANY_STACKS": "it takes every player on every box, twice over",
    "NO_MORE_ROOM": "it takes 10,000 people, or 200,000 keys",
    "TOO_MANY_ROUNDS": "it takes 20,000 rounds by one set of dice",
    "TOO_MANY_DICE": "it takes 10,000 sets of dice at one table",
    "DICE_TOO_OFTEN": "it takes a set that came back 1,000 times",
    "ROUND_UNREADABLE": "it takes a journal that lacks what it had",
    "CLOCK_IN_DOUBT": "a simulated venue has one clock",
    "ASKER_IS_OUT": "who acts at a simulated table is on no staff",
    "NO_WIN_LEFT": "it takes a correction of the very win that a terminal is still locked for",
    "OTHER_ROUND": "nothing simulated is on its way for longer than a round",
}


@pytest.mark.parametrize("key", KEYS)
def test_a_thousand_rounds_by_each_rulebook_find_nothing(key: str) -> None:
    reports = reports_of(key)
    assert sum(report.tally.rounds for report in reports) >= len(SEEDS) * ROUNDS == 1000
    for report in reports:
        tally = report.tally
        assert tally.glances == tally.commands > 2000
        assert tally.audited == tally.commands - tally.refusals.total()
        assert tally.deep > 30
        assert tally.replays >= 4
        assert tally.settled > tally.void > 0
        assert tally.bets > 2 * ROUNDS


def test_tables_that_change_their_rulebook_find_nothing() -> None:
    reports = mixed_reports()
    for report, (_, rounds) in zip(reports, MIXED, strict=True):
        assert report.tally.rounds >= rounds
    # The rulebook was adopted again, on a closed table, in at least one of them.
    assert any(report.tally.events["TableClosed"] for report in reports)
    assert any(report.tally.events["RulebookAdopted"] > report.tables for report in reports)


def test_d24_rounds_that_a_table_holds_no_more_were_put_right_and_audited() -> None:
    reports = [report for key in KEYS for report in reports_of(key)] + mixed_reports()
    assert sum(report.tally.read_back for report in reports) > 100


def test_d24_what_a_table_decides_does_not_hang_on_how_much_it_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """People look back forty rounds at most; beyond that, holding fewer changes nothing."""
    books = [rulebook(key) for key in KEYS]
    holding = simulate(5, 200, books[:1])
    monkeypatch.setattr(table_state, "HISTORY_ROUNDS", 41)
    monkeypatch.setattr(auditor_table, "ROUNDS_KEPT", 10)
    reading = simulate(5, 200, books[:1])
    assert reading.fingerprint == holding.fingerprint
    assert reading.tally.read_back > holding.tally.read_back


def test_every_event_happened() -> None:
    happened, _ = everything()
    streams = (TableEvent, CageEvent, VenueEvent)
    known = {kind.__name__ for stream in streams for kind in get_args(stream)}
    assert known == set(happened)


def test_nearly_every_refusal_was_given() -> None:
    _, refused = everything()
    known = set(refusal_codes())
    assert len(known) > 70, "the core's refusals are not found any more"
    assert known - set(refused) == set(NEVER_REFUSED)


def refusal_codes() -> Iterator[str]:
    """Find every code that the core refuses a command with, by reading its source."""
    (folder,) = taisai.core.__path__
    for path in sorted(Path(folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="refuse" | "Refusal"), args=[first, *_]):
                    yield from (text for text in texts_of(first) if text.isupper())


def texts_of(node: ast.expr) -> Iterator[str]:
    """Find the texts an argument can be: a literal, or one of two."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=body, orelse=orelse):
            yield from texts_of(body)
            yield from texts_of(orelse)


def test_the_same_seed_gives_the_same_world() -> None:
    books = [rulebook(key) for key in KEYS]
    first, again = (simulate(5, 40, books) for _ in range(2))
    assert first.fingerprint == again.fingerprint
    assert first.tally == again.tally
    assert simulate(6, 40, books).fingerprint != first.fingerprint


def test_a_world_does_not_hang_on_the_process_it_is_played_in() -> None:
    script = (
        "from taisai.rulebooks import KEYS, rulebook\n"
        "from taisai.runtime.simulator import simulate\n"
        "print(simulate(5, 40, [rulebook(key) for key in KEYS]).fingerprint)\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "42")
    }
    assert len(told) == 1


def test_progress_is_told_round_by_round() -> None:
    told: list[int] = []
    simulate(3, 20, [rulebook("etg8")], told.append)
    assert told == sorted(set(told))
    assert told[-1] >= 20

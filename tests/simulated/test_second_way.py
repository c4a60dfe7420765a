"""The auditor knows the rules a second way, and both ways agree on every box and every throw."""

import subprocess
import sys
from itertools import product

import pytest

from taisai.core.rules.dice import RESULTS
from taisai.rulebooks import KEYS, rulebook
from taisai.runtime.auditor.pay_tables import read_rules

PAY_TABLES = [(key, number) for key in KEYS for number in rulebook(key).pay_tables]

#: Throws of 216 that win, counted by hand from what the documents say of each kind.
WAYS = {
    "small": 105,
    "big": 105,
    "odd": 105,
    "even": 105,
    "single-3": 91,
    "total-4": 3,
    "total-9": 25,
    "total-10": 27,
    "domino-12": 30,
    "double-5": 16,
    "any-triple": 6,
    "triple-6": 1,
    "four-6543": 24,
    "three-126": 6,
    "three-221": 3,
}


@pytest.mark.parametrize(("key", "number"), PAY_TABLES)
def test_both_ways_pay_alike(key: str, number: int) -> None:
    book = rulebook(key)
    rules = read_rules(book.canonical.decode(), number)
    table = book.pay_tables[number]
    assert rules.boxes == tuple(table.boxes)
    assert rules.name == f"{book.sha256}/{number}"
    for box in table.boxes.values():
        for result in RESULTS:
            assert rules.pays[box.key].get(result.faces) == box.odds_on(result)
            assert rules.clause_on(box.key, result.faces) == box.clause_on(result)


@pytest.mark.parametrize(("key", "number"), PAY_TABLES)
def test_the_second_way_wins_on_as_many_throws_as_counted_by_hand(key: str, number: int) -> None:
    pays = read_rules(rulebook(key).canonical.decode(), number).pays
    throws = [tuple(sorted(throw)) for throw in product(range(1, 7), repeat=3)]
    for box, ways in WAYS.items():
        if box in pays:
            assert sum(throw in pays[box] for throw in throws) == ways, box


def test_the_auditor_loads_nothing_that_settles_pays_or_decides() -> None:
    script = "import sys, taisai.runtime.auditor; print('\\n'.join(sys.modules))"
    told = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True
    ).stdout.split()
    core = {name.removeprefix("taisai.core.") for name in told if name.startswith("taisai.core.")}
    messages = {"cage_events", "felt_commands", "felt_events", "felt_messages", "house_events"}
    rules = {"rules", "rules.dice", "rules.reason", "rules.schema"}
    assert core == {"commands", "events", "messages"} | messages | rules

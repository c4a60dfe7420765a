"""The auditor's second implementation agrees with the core on every box and every throw."""

import ast
from importlib import import_module
from itertools import product
from pathlib import Path

import pytest
from msgspec import Struct

from taisai.core.rules.dice import RESULTS
from taisai.rulebooks import KEYS, rulebook
from taisai.runtime import auditor
from taisai.runtime.auditor.pay_tables import read_rules

PAY_TABLES = [(key, number) for key in KEYS for number in rulebook(key).pay_tables]

#: Throws of 216 that win, counted by hand from the documents' text for each kind.
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


#: Names that are no messages, and decide nothing: types of fields, and a rulebook's reader.
PLAIN = {"CAGE_STREAM", "Instant", "Chips", "Irregularity", "RulebookContent", "Event", "Command"}


def test_the_auditor_imports_messages_and_nothing_that_settles_pays_or_decides() -> None:
    found = set()
    for path in Path(auditor.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("taisai.core"):
                module = import_module(str(node.module))
                found |= {(each.name, getattr(module, each.name)) for each in node.names}
            assert not isinstance(node, ast.Import) or "taisai" not in node.names[0].name
    assert len(found) > 100
    strange = {
        name
        for name, each in found
        if not (isinstance(each, type) and issubclass(each, Struct)) and name not in PLAIN
    }
    assert strange == set()

"""Tries every change without a verdict, and stores each verdict with the state it is valid for.

A verdict is valid for the source and the tests of that time: when one of them changes, the test is
repeated.
"""

import hashlib
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct, structs

from taisai import rulebooks
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.rulebook import Rulebook, rulebook_from_canonical
from taisai.core.table import setup
from taisai.rulebooks import KEYS, Catalogue, rulebook
from tools.clause_ledger import ROOT, SOURCE, keys_of
from tools.mutants.by_hand import Change, Edit, Edits, Unnoticed
from tools.mutants.citing_tests import Answer, answers_of, ask, in_a_child, with_tests
from tools.mutants.keys import Changed, Place, changed, places_of

RULES = ROOT / "tests" / "rules"
SCENARIOS = ROOT / "tests" / "scenarios" / "test_scenarios.py"
_WHAT_MATTERS = (
    *("src/taisai/core", "src/taisai/rulebooks", "src/taisai/server/console", "src/taisai/wording"),
    *("tests/rules", "tests/scenarios", "tests/kit"),
)


class Verdict(Struct, frozen=True, omit_defaults=True):
    """The outcome of a change: the test that noticed it, or the fault for which it is refused."""

    asked: int
    noticed: str | None = None
    fault: str | None = None
    #: The fingerprint of the source, the tests and the change.
    of: str = ""


class Verdicts:
    """The verdicts so far, stored in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._now = _fingerprint()
        self._found: dict[str, Verdict] = {}
        if path.exists():
            self._found = msgspec.json.decode(path.read_bytes(), type=dict[str, Verdict])

    def get(self, name: str, change: str) -> Verdict | None:
        """Give the verdict on a change, if it is valid for the current state."""
        found = self._found.get(name)
        return found if found is not None and found.of == self._of(change) else None

    def noticed_before(self, *names: str) -> set[str]:
        """Name the tests that noticed changes of these names before, in any state."""
        found = (self._found.get(name) for name in names)
        return {each.noticed for each in found if each is not None and each.noticed}

    def put(self, name: str, change: str, verdict: Verdict) -> None:
        """Store a verdict."""
        self._found[name] = structs.replace(verdict, of=self._of(change))
        self._path.write_bytes(msgspec.json.format(msgspec.json.encode(self._found), indent=1))

    def _of(self, change: str) -> str:
        return hashlib.sha256(f"{self._now}{change}".encode()).hexdigest()[:16]


def _fingerprint() -> str:
    found = hashlib.sha256()
    for folder in _WHAT_MATTERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".py", ".toml", ".txt"} and "built" not in path.parts:
                found.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return found.hexdigest()


Tell = Callable[[str, Verdict], None]


# --- edits ---------------------------------------------------------------------------------------


def try_edits(edits: Edits, verdicts: Verdicts, tell: Tell, only: list[str]) -> None:
    """Take each behaviour out of a copy of the source, and run the tests of its clauses."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "taisai"
        shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("built"))
        for edit in edits.edit:
            change = repr((edit, edits.unproved))
            open_ = [
                each
                for each in edit.citations
                if any(some in edit_name(edit, each) for some in only)
                and verdicts.get(edit_name(edit, each), change) is None
            ]
            first = verdicts.noticed_before(*(edit_name(edit, each) for each in open_))
            for citation, answer in _try_edit(edits.changes(edit), open_, copy, first):
                verdict = Verdict(answer.asked, answer.noticed)
                verdicts.put(edit_name(edit, citation), change, verdict)
                tell(edit_name(edit, citation), verdict)


def edit_name(edit: Edit, citation: str) -> str:
    """Make the name of an edit."""
    return f"{citation}: {edit.takes_out}"


def _try_edit(
    changes: tuple[Change, ...], citations: list[str], copy: Path, first: set[str]
) -> Iterator[tuple[str, Answer]]:
    if not citations:
        return
    questions = {each: frozenset({each}) for each in citations}
    try:
        for change in changes:
            text = change.applied((SOURCE / change.file).read_text("utf-8"))
            (copy / change.file).write_text(text, "utf-8")
        found = in_a_child(lambda: _ask_about_source(copy.parent, questions, first))
        left = {name: questions[name] for name, (_, by) in (found or {}).items() if by is None}
        if first and left:
            # The tests that noticed it before no longer do: run all of them.
            found |= in_a_child(lambda: _ask_about_source(copy.parent, left, set()))
    finally:
        for change in changes:
            shutil.copy2(SOURCE / change.file, copy / change.file)
    yield from answers_of(found, questions)


def _ask_about_source(folder: Path, questions: dict[str, frozenset[str]], first: set[str]) -> Any:
    """Import everything again from a copy of the source, and run these tests first, or all."""
    for name in [each for each in sys.modules if each.partition(".")[0] in {"taisai", "tests"}]:
        del sys.modules[name]
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    answers: dict[str, Any] = {name: [0, None] for name in questions}
    keys = {each.partition(" ")[0] for each in questions}
    before = {ROOT / each.partition("::")[0] for each in first}
    files = {each for each in before if each.exists()} or {SCENARIOS, *_rules_of(keys)}
    faults = with_tests(sorted(files), lambda items: answers.update(ask(items, questions, first)))
    if faults:
        raise RuntimeError(faults[0])
    return answers


def _rules_of(keys: set[str]) -> list[Path]:
    files = sorted(RULES.glob("test_*.py"))
    return [each for each in files if keys & set(keys_of(each.name)) or "decisions" in each.name]


# --- keys ----------------------------------------------------------------------------------------


def places(unnoticed: Unnoticed) -> Iterator[Place]:
    """Give every place to change: of a key that is only printed, the first of a rulebook."""
    for document in KEYS:
        printed: set[str] = set()
        for place in places_of(document):
            if place.key in unnoticed.printed and place.key in printed:
                continue
            printed.add(place.key)
            yield place


def try_keys(unnoticed: Unnoticed, verdicts: Verdicts, tell: Tell, only: list[str]) -> None:
    """Change the rulebooks place by place, and run the tests of the clauses cited there."""
    open_ = [
        each
        for each in places(unnoticed)
        if any(some in str(each) for some in only) and verdicts.get(str(each), "") is None
    ]
    if not open_:
        return

    def run(items: list[tuple[pytest.Item, frozenset[str]]]) -> None:
        for place in open_:
            verdict = _try_key(place, items, verdicts.noticed_before(str(place)))
            verdicts.put(str(place), "", verdict)
            tell(str(place), verdict)

    faults = with_tests([SCENARIOS, *_rules_of(set(KEYS))], run)
    if faults:
        raise RuntimeError(faults[0])


def _try_key(
    place: Place, items: list[tuple[pytest.Item, frozenset[str]]], first: set[str]
) -> Verdict:
    other = changed(place)
    if other.rulebook is None:
        return Verdict(0, None, other.fault)
    questions = {str(place): frozenset(f"{place.document} {each}" for each in place.beside)}

    def work() -> Any:
        _play_by(place.document, other)
        return ask(items, questions, first)

    ((_, answer),) = answers_of(in_a_child(work), questions)
    return Verdict(answer.asked, answer.noticed, other.fault)


def _play_by(document: str, other: Changed) -> None:
    """Make every game under a rulebook use another one, under the same hash.

    The rulebook that tests read is unchanged: reading a value is not noticing its effect.
    """
    ours = rulebook(document)
    assert other.rulebook is not None, "it can be played by"
    changed_ = structs.replace(other.rulebook, canonical=ours.canonical, sha256=ours.sha256)
    find = Catalogue.pay_table
    ours_ = {table.address for table in ours.pay_tables.values()}

    def instead(canonical: bytes, source: str) -> Rulebook:
        same = canonical == ours.canonical
        return changed_ if same else rulebook_from_canonical(canonical, source)

    def table(catalogue: Catalogue, address: str) -> PayTable:
        found = find(catalogue, address)
        return changed_.pay_tables[found.number] if found.address in ours_ else found

    vars(setup)["rulebook_from_canonical"] = instead
    setup.journaled_rulebook.cache_clear()
    setattr(rulebooks.Catalogue, "pay_table", table)  # noqa: B010 - a method put in its place

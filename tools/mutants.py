"""Shows that tests notice: each key of the rulebook schema changed once per rulebook, and edits.

A changed key is put into the rulebook that tables adopt, and nowhere else: a test that only reads
the datum does not notice it. An edit takes a clause's behaviour out of the source, in a copy of the
project. Each runs only the tests of its rulebook or clauses. Verdicts are kept, so that a run goes
on where it was broken off. Knows nothing of the game.

Beside the ledger stand `mutants.toml`, the edits and the keys whose change nobody need notice, each
with why.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
from msgspec import Struct

from taisai.core.rules import schema
from taisai.core.rules.proof import RulebookError
from taisai.core.rules.rulebook import Rulebook, prove, rulebook_from_canonical
from taisai.core.table import setup
from taisai.rulebooks import KEYS, rulebook

ROOT = Path(__file__).resolve().parent.parent
BY_HAND = ROOT / "tools" / "ledger" / "mutants.toml"
VERDICTS = ROOT / ".mutants.json"
#: Where a layout lies is drawn, not played.
_GEOMETRY = ("pay_tables.layout",)

Verdict = Literal["noticed", "refused", "survived"]
Path_ = tuple[str, ...]


class Edit(Struct, frozen=True, forbid_unknown_fields=True):
    """A behaviour taken out of the source: which clauses it carries out, and by which tests."""

    clauses: tuple[str, ...]
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


class ByHand(Struct, frozen=True, forbid_unknown_fields=True):
    """What is written by hand: edits, and keys whose change nobody need notice, with why."""

    edits: tuple[Edit, ...] = ()
    unnoticed: dict[str, str] = {}


def read_by_hand() -> ByHand:
    """Read what stands beside the ledger."""
    return msgspec.convert(tomllib.loads(BY_HAND.read_text("utf-8")), ByHand)


# --- the keys of the schema ----------------------------------------------------------------------


def keys_of(kind: type[Struct] = schema.RulebookContent, above: Path_ = ()) -> Iterator[Path_]:
    """Give every key of the schema that holds a value, by its path, geometry apart."""
    for name, hint in get_type_hints(kind, include_extras=False).items():
        path = (*above, name)
        if ".".join(path).startswith(_GEOMETRY):
            continue
        inner = next((each for each in _parts(hint) if _is_struct(each)), None)
        if inner is None:
            yield path
        else:
            yield from keys_of(inner, path)


def _parts(hint: Any) -> Iterator[Any]:
    yield hint
    for part in get_args(hint):
        yield from _parts(part)


def _is_struct(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Struct)


def _choices(path: Path_) -> list[Any]:
    """List what a key may be, where the schema lists it."""
    kind: Any = schema.RulebookContent
    hint: Any = None
    for name in path:
        hint = get_type_hints(kind)[name]
        kind = next((each for each in _parts(hint) if _is_struct(each)), kind)
    return [
        value for part in _parts(hint) if get_origin(part) is Literal for value in get_args(part)
    ]


# --- a key changed -------------------------------------------------------------------------------


def changed(key: str, path: Path_) -> Iterator[dict[str, Any]]:
    """Give a rulebook's content with one key changed, each way that there is to change it."""
    content = msgspec.to_builtins(rulebook(key).content)
    clauses = [each["number"] for each in content["clauses"]]
    place, found = _find(content, path)
    if place is None:
        return
    for other in _others(path, found, clauses):
        place[path[-1]] = other
        yield json.loads(json.dumps(content))
    place[path[-1]] = found


def _find(part: Any, path: Path_) -> tuple[Any, Any]:
    """Find the first place that has a key, and what it says there."""
    if isinstance(part, list):
        places = (_find(each, path) for each in part)
        return next((each for each in places if each[0] is not None), (None, None))
    if not isinstance(part, dict):
        return None, None
    if path[0] not in part:
        # A table whose entries have names of their own.
        inner = (_find(each, path) for each in part.values() if isinstance(each, dict))
        return next((each for each in inner if each[0] is not None), (None, None))
    if len(path) == 1:
        return part, part[path[0]]
    return _find(part[path[0]], path[1:])


def _others(path: Path_, found: Any, clauses: list[str]) -> Iterator[Any]:
    choices = _choices(path)
    match found:
        case bool():
            yield not found
        case int():
            yield found + 1
        case str() if choices:
            yield from (each for each in choices if each != found)
        case str() if found in clauses:
            yield from (each for each in reversed(clauses) if each != found)
        case str():
            yield f"{found}x"
        case list():
            yield found[1:]
            yield from ([each] for each in choices if each not in found)
            yield found[::-1]
        case dict():
            yield {name: f"{value}x" for name, value in found.items()}


def mutant(key: str, path: Path_) -> Rulebook | None:
    """Give the first changed rulebook that can be proved; none where the proof refuses them all."""
    for content in changed(key, path):
        try:
            return prove(msgspec.convert(content, schema.RulebookContent), "a mutant")
        except (RulebookError, msgspec.ValidationError):
            continue
    return None


# --- running -------------------------------------------------------------------------------------


def tests_of(key: str) -> list[str]:
    """Name the tests that play by a rulebook."""
    files = sorted((ROOT / "tests" / "rules").glob("test_*.py"))
    named = [str(each) for each in files if key in each.name or "decisions" in each.name]
    return [str(ROOT / "tests" / "scenarios" / "test_scenarios.py"), *named]


def judge_key(key: str, path: Path_) -> Verdict:
    """Run a rulebook's tests with one key changed, in a process of their own."""
    if not any(True for _ in changed(key, path)):
        return "noticed"
    other = mutant(key, path)
    if other is None:
        return "refused"
    child = os.fork()
    if child == 0:
        _play_by(key, other)
        with Path(os.devnull).open("w") as nothing:
            os.dup2(nothing.fileno(), 1)
            os.dup2(nothing.fileno(), 2)
        scenarios, *rules = tests_of(key)
        quiet = ["-x", "-q", "-p", "no:cacheprovider"]
        failed = int(pytest.main([*quiet, "-k", f"{key}_", scenarios]))
        os._exit(failed or int(pytest.main([*quiet, *rules])))
    _, status = os.waitpid(child, 0)
    return "survived" if os.waitstatus_to_exitcode(status) == 0 else "noticed"


def _play_by(key: str, other: Rulebook) -> None:
    """Have every table that adopts a rulebook adopt another in its place."""
    ours = rulebook(key).canonical

    def instead(canonical: bytes, source: str) -> Rulebook:
        return other if canonical == ours else rulebook_from_canonical(canonical, source)

    vars(setup)["rulebook_from_canonical"] = instead
    setup.journaled_rulebook.cache_clear()


def judge_edit(edit: Edit) -> Verdict:
    """Run the tests of an edit, in a copy of the project that has it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in ("src", "tests", "tools", "docs"):
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("built"))
        shutil.copy(ROOT / "pyproject.toml", copy)
        file = copy / edit.file
        file.write_text(file.read_text("utf-8").replace(edit.old, edit.new), "utf-8")
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        environment = {**os.environ, "PYTHONPATH": f"{copy / 'src'}:{copy}"}
        ran = subprocess.run(  # noqa: S603 - our own tests, on a copy of our own
            [*command, *edit.tests], cwd=copy, env=environment, capture_output=True, check=False
        )
    return "survived" if ran.returncode == 0 else "noticed"


def edit_faults(by_hand: ByHand) -> Iterator[str]:
    """Find edits that no longer apply: their text must be there exactly once."""
    for edit in by_hand.edits:
        times = (ROOT / edit.file).read_text("utf-8").count(edit.old)
        if times != 1:
            yield f"{edit.file}: {edit.old!r} is there {times} times; once is right"


def name_of(key: str, path: Path_) -> str:
    """Name a changed key."""
    return f"{key} {'.'.join(path)}"


def main() -> int:
    """Judge what has no verdict yet, and tell what survived."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--again", action="store_true", help="forget the verdicts there are")
    parser.add_argument("--only", default="", help="only what has this in its name")
    asked = parser.parse_args()
    by_hand = read_by_hand()
    verdicts: dict[str, str] = {}
    if VERDICTS.exists() and not asked.again:
        verdicts = json.loads(VERDICTS.read_text("utf-8"))
    work: list[tuple[str, Any]] = [
        (name_of(key, path), (key, path)) for key in KEYS for path in keys_of()
    ]
    work += [(f"edit {', '.join(edit.clauses)}", edit) for edit in by_hand.edits]
    for name, what in work:
        if name in verdicts or asked.only not in name:
            continue
        verdicts[name] = judge_edit(what) if isinstance(what, Edit) else judge_key(*what)
        VERDICTS.write_text(json.dumps(verdicts, indent=1), "utf-8")
        print(f"{verdicts[name]:9} {name}", flush=True)
    left = [
        name
        for name, verdict in verdicts.items()
        if verdict == "survived" and name.partition(" ")[2] not in by_hand.unnoticed
    ]
    print(f"{len(verdicts)} changed, {len(left)} that no test notices")
    print(*left, sep="\n")
    return bool(left)


if __name__ == "__main__":
    sys.exit(main())

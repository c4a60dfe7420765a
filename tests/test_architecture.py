"""The shape of the program as tests: no import cycles, few imports, every folder on the map.

The import linter checks the layers. Here are the other rules: no two modules need each other, none
needs too many, the auditor imports only messages from the core, and ARCHITECTURE.md lists every
folder and draws its diagrams.
"""

import graphlib
import importlib
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType

import grimp
import pytest
from msgspec import Struct

from tests.test_tidy import ROOT, SOURCE, project_files

IMPORTS_MAX = 20
ARCHITECTURE = ROOT / "ARCHITECTURE.md"
AUDITOR = "taisai.runtime.auditor"
#: What the auditor may use of the rules: how results and amounts are written, no more.
AUDITORS_OWN_GROUND = ("taisai.core.rules.dice", "taisai.core.rules.reason")
#: Folders whose content is not listed: data, pictures, fixtures.
OPAQUE = ("docs/screens",)
#: The folder of the built screens, which are not committed.
BUILT = "src/taisai/server/pages"


@cache
def import_graph() -> dict[str, frozenset[str]]:
    """Give every module with its imports, including those for types alone."""
    graph = grimp.build_graph("taisai", cache_dir=None)
    return {
        module: frozenset(graph.find_modules_directly_imported_by(module))
        for module in graph.modules
    }


def cycle_in(graph: Mapping[str, frozenset[str]]) -> list[str]:
    """Find a cycle of imports, with its first module named again at the end."""
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def test_no_two_modules_need_each_other() -> None:
    assert cycle_in(import_graph()) == []


def test_a_cycle_is_found() -> None:
    graph = {"a": frozenset("b"), "b": frozenset("c"), "c": frozenset("a"), "d": frozenset("a")}
    assert set(cycle_in(graph)) == {"a", "b", "c"}


def test_no_module_needs_more_than_a_score_of_others() -> None:
    counts = {module: len(imported) for module, imported in import_graph().items()}
    assert len(counts) > 200, "the program has moved"
    assert {module: count for module, count in counts.items() if count > IMPORTS_MAX} == {}


# --- the auditor ---------------------------------------------------------------------------------


def core_names_of(source: str) -> Iterator[tuple[str, str]]:
    """Give the names that a module imports from the core, by module and name."""
    for module, names in re.findall(
        r"^from (taisai\.core[\w.]*) import (\([^)]*\)|[^\n]*)", source, re.MULTILINE
    ):
        for name in re.sub(r"[()]|#[^\n]*", "", names).replace("\n", " ").split(","):
            if name.strip():
                yield module, name.split(" as ")[0].strip()


def is_message(module: str, name: str) -> bool:
    """Say whether a name is a type or a constant of messages: no function, no state, no module."""
    found = getattr(importlib.import_module(module), name, None)
    if isinstance(found, type):
        state = issubclass(found, Struct) and not found.__struct_config__.frozen
        return not state
    return found is not None and not isinstance(found, FunctionType | ModuleType)


def test_the_auditor_takes_nothing_but_messages_from_the_core() -> None:
    """It computes everything else a second way: in shared code it could not find a fault."""
    complaints = [
        f"{path.relative_to(ROOT)}: {module}.{name}"
        for path in sorted((SOURCE / "runtime" / "auditor").glob("*.py"))
        for module, name in core_names_of(path.read_text("utf-8"))
        if module not in AUDITORS_OWN_GROUND and not is_message(module, name)
    ]
    assert complaints == []


def test_a_function_of_the_core_is_no_message() -> None:
    assert not is_message("taisai.core.rules.settlement", "settle")
    source = "from taisai.core.rules.settlement import (\n    settle,\n    Settlement,\n)\n"
    assert list(core_names_of(source)) == [
        ("taisai.core.rules.settlement", "settle"),
        ("taisai.core.rules.settlement", "Settlement"),
    ]


# --- the map -------------------------------------------------------------------------------------


def folders() -> list[str]:
    """List every folder of the project that a reader should find on the map."""
    found = {
        folder.relative_to(ROOT).as_posix()
        for path in project_files()
        for folder in path.relative_to(ROOT).parents
        if folder != Path()
        for folder in [ROOT / folder]
    }
    hidden = [each for each in found if each.startswith(".")]
    inside = [each for each in found if each.startswith(tuple(f"{each}/" for each in OPAQUE))]
    return sorted(found - {*hidden, *inside})


def listed_in(text: str) -> set[str]:
    """Read the folders that a map lists: a tree by indentation, each folder's name with a slash."""
    listed: set[str] = set()
    stack: list[tuple[int, str]] = []
    for line in text.splitlines():
        found = re.match(r"^( *)((?:[\w.-]+/)+)(?:\s|$)", line)
        if found is None:
            continue
        depth, name = len(found[1]), found[2].rstrip("/")
        while stack and stack[-1][0] >= depth:
            stack.pop()
        path = f"{stack[-1][1]}/{name}" if stack else name
        stack.append((depth, path))
        parts = path.split("/")
        listed |= {"/".join(parts[: count + 1]) for count in range(len(parts))}
    return listed


def test_every_folder_is_on_the_map_and_nothing_else() -> None:
    listed = listed_in(ARCHITECTURE.read_text("utf-8"))
    there = {*folders(), BUILT}
    assert sorted(there - listed) == [], "not listed in ARCHITECTURE.md"
    assert sorted(listed - there) == [], "listed in ARCHITECTURE.md, and not there"


def test_the_layers_a_bet_and_a_result_are_drawn() -> None:
    parts = re.split(r"^## ", ARCHITECTURE.read_text("utf-8"), flags=re.MULTILINE)
    drawn = {each.partition("\n")[0] for each in parts if "```mermaid\n" in each}
    assert {"The layers", "A bet", "A result"} <= drawn


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "src/taisai/  all\n  core/  pure\n    rules/  x\n  cli/\n",
            "core core/rules cli",
        ),
        ("no folder/ here, and `x/` neither\nsrc/taisai/\n", ""),
    ],
)
def test_a_map_is_read_by_its_indentation(text: str, expected: str) -> None:
    below = {f"src/taisai/{name}" for name in expected.split()}
    assert listed_in(text) == {"src", "src/taisai", *below}

"""The house rules as tests: what the core may not do, what no file may say, limits on size.

Each rule is a function from a source to its complaints, tested first on a sample that breaks it.
The import layers are not here: the import linter proves them in the same `make test`.
"""

import ast
import re
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "taisai"
CORE = SOURCE / "core"
DECISIONS = ROOT / "docs" / "decisions"
DECISIONS_MIN = 14

LINE_CHARACTERS_MAX = 100
MODULE_LINES_MAX = 800
FUNCTION_LINES_MAX = 60

# Written in parts, so that this file keeps the rules it states.
REGISTRY_HOSTS = ["py" + "pi.org", "files.python" + "hosted.org", "registry.npm" + "js.org"]
REGISTRY_HOSTS += ["deb.deb" + "ian.org", "registry.yarn" + "pkg.com"]
UNFINISHED_MARKERS = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
FORBIDDEN_TEXT = {
    "the folder beside the project": re.compile(r"\.\./sha" + "red"),
    "a package registry": re.compile("|".join(map(re.escape, REGISTRY_HOSTS)), re.IGNORECASE),
    "a download address": re.compile(r"https?://[^\s\"'<>)]+\.(?:whl|tar\.gz|tgz)\b"),
    "a path of one machine": re.compile(r"(?<![\w.\-])/(?:root|work|home)" + "/"),
    "unfinished work": re.compile(r"\b(?:" + "|".join(UNFINISHED_MARKERS) + r")\b"),
}
#: The package index of a lock is the reader's own choice.
LOCKED_ADDRESS = re.compile(r"\b\w+://|\"(?:resolved|funding)\"")
LEFT_OUT_TESTS = re.compile(
    r"\bmark\.(?:skip|xfail)|\bpytest\.(?:skip|xfail|importorskip)|\bunittest\.skip"
)

RULEBOOK_KEY = re.compile(r"(?<![a-z])(?:ts6|tso5|etg8|div9)(?!\d)", re.IGNORECASE)
BANNED_CALLS = {"open", "print", "input", "eval", "exec", "float", "__import__", "breakpoint"}
CLOCK_CALLS = {"now", "utcnow", "today"}
BANNED_MODULES = {
    *("asyncio", "threading", "multiprocessing", "concurrent", "subprocess", "socket"),
    *("time", "random", "secrets", "uuid", "os", "sys", "io", "pathlib", "tempfile", "shutil"),
    *("logging", "sqlite3", "importlib", "builtins"),
}
BANNED_CLASS_ENDINGS = ("Manager", "Helper", "Service", "Base")
#: Old names for things that the field has a word for; readers did not understand them.
OLD_WORDS = {
    *("hear", "hearing", "telling", "asking", "askings", "trying", "foretelling", "foretold"),
    *("premises", "carrying", "patience", "shelf", "felt", "cloth", "wish", "wishes", "lying"),
    *("noticing", "after_hours", "lock_above"),
}
#: A function, a class, a type or a constant, in Python and in TypeScript.
DEFINED = re.compile(
    r"^\s*(?:export )?(?:default )?(?:async )?"
    r"(?:def|class|function|interface|type|enum|const|let) (\w+)"
    r"|^([A-Za-z_]\w*)(?:: [^=\n]+)? = ",
    re.MULTILINE,
)
#: How a module re-exports an imported name, where types are checked strictly.
GIVEN_OUT = re.compile(r"^__all__\b|\b(\w+) as \1\b", re.MULTILINE)
NAME_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
BANNED_FILE_NAMES = {"utils.py", "util.py", "helpers.py", "helper.py"}
STAFF_ROLES = {
    *("dealer", "supervisor", "pit-manager", "shift-manager", "cage", "technician", "auditor")
}
UNLISTED_FOLDERS = {"__pycache__", "build", "dist", "htmlcov", "node_modules"}
ASYNC_NODES = (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await)


@cache
def project_files() -> list[Path]:
    """List the files a commit could hold: tracked, or new and not ignored."""
    try:
        listing = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
            cwd=ROOT,
            capture_output=True,
            check=True,
            text=True,
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        listing = ""
    listed = [ROOT / name for name in listing.split("\0") if name]
    return sorted(path for path in listed or walk(ROOT) if path.is_file())


def walk(folder: Path) -> Iterator[Path]:
    """List a tree that is not in git, leaving out environments and caches."""
    for path in folder.iterdir():
        hidden = path.name.startswith(".") and path.name != ".ci"
        if path.is_file():
            yield path
        elif not hidden and path.name not in UNLISTED_FOLDERS:
            yield from walk(path)


@cache
def text_of(path: Path) -> str | None:
    """Read a file, or give an empty text for one that is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def python_files(folder: Path) -> list[Path]:
    """List the Python files of the project under a folder."""
    return [path for path in project_files() if path.suffix == ".py" and folder in path.parents]


@cache
def tree_of(source: str) -> ast.Module:
    """Parse a module of the core, once for all tests that look at every word of it."""
    return ast.parse(source)


class Outline(NamedTuple):
    """A module's docstring, and the functions and classes in it."""

    docstring: str | None
    functions: list[tuple[str, int, int]]
    classes: list[tuple[str, int]]


@cache
def outline_of(source: str) -> Outline:
    """Read a module's outline alone: all modules together are large."""
    tree = ast.parse(source)
    outline = Outline(ast.get_docstring(tree), [], [])
    for node in statements_of(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            outline.functions.append((node.name, node.lineno, lines))
        elif isinstance(node, ast.ClassDef):
            outline.classes.append((node.name, node.lineno))
    return outline


def statements_of(node: ast.AST) -> Iterator[ast.AST]:
    """Give every statement below a node; no expression holds a function or a class with a name."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for each in getattr(node, part, ()):
            yield each
            yield from statements_of(each)


def rulebook_keys_in_code(source: str) -> Iterator[str]:
    """Find rulebook keys in names and strings; comments and docstrings may cite clauses."""
    tree = tree_of(source)
    documentation = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if id(node) in documentation:
            continue
        for word in words_of(node):
            if RULEBOOK_KEY.search(word):
                yield f"{line_of(node)}: {word!r} names a rulebook; make the difference data"


def words_of(node: ast.AST) -> Iterator[str]:
    """Give every name and string that a node itself holds."""
    for _, value in ast.iter_fields(node):
        for word in value if isinstance(value, list) else [value]:
            if isinstance(word, str):
                yield word


def line_of(node: ast.AST) -> int:
    """Give a node's line; a few kinds of node have none."""
    return getattr(node, "lineno", 0)


def impurities(source: str) -> Iterator[str]:
    """Find what the pure core may not do: I/O, clock, chance, floats, concurrency."""
    for node in ast.walk(tree_of(source)):
        for complaint in impurities_of(node):
            yield f"{line_of(node)}: {complaint}"


def impurities_of(node: ast.AST) -> Iterator[str]:
    """Find what one node does that the core may not."""
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in BANNED_CALLS:
            yield f"calls {name}(); the core does no I/O and has no floats"
        case ast.Call(func=ast.Attribute(attr=name)) if name in CLOCK_CALLS:
            yield f"calls .{name}(); time arrives in the command"
        case ast.Constant(value=float() | complex() as number):
            yield f"holds {number!r}; write an int or a Fraction"
        case ast.Import(names=names):
            yield from banned_imports(alias.name for alias in names)
        case ast.ImportFrom(module=str(module)):
            yield from banned_imports([module])
        case _ if isinstance(node, ASYNC_NODES):
            yield "is async; the shell waits, the core decides"
        case _:
            pass


def banned_imports(modules: Iterator[str] | list[str]) -> Iterator[str]:
    """Find modules that bring the outside world in."""
    for module in modules:
        if module.partition(".")[0] in BANNED_MODULES:
            yield f"imports {module}; that belongs to the shell"


def forbidden_text(source: str) -> Iterator[str]:
    """Find what no file of the project may say."""
    for what, pattern in FORBIDDEN_TEXT.items():
        for found in pattern.finditer(source):
            number = source.count("\n", 0, found.start()) + 1
            yield f"{number}: mentions {what}: {found.group()!r}"


def locked_addresses(source: str) -> Iterator[str]:
    """Find addresses in a lock: a locked package is known by its hash, wherever it comes from."""
    for number, line in enumerate(source.splitlines(), 1):
        if found := LOCKED_ADDRESS.search(line):
            yield f"{number}: has {found.group()!r}; a lock holds versions and hashes"


def long_lines(source: str) -> Iterator[str]:
    """Find lines that are too long."""
    for number, line in enumerate(source.splitlines(), 1):
        if len(line) > LINE_CHARACTERS_MAX:
            yield f"{number}: {len(line)} characters; at most {LINE_CHARACTERS_MAX}"


def long_modules(source: str) -> Iterator[str]:
    """Find modules that are too long for one person to understand."""
    if (lines := len(source.splitlines())) > MODULE_LINES_MAX:
        yield f"1: {lines} lines; split it, at most {MODULE_LINES_MAX}"


def long_functions(source: str) -> Iterator[str]:
    """Find functions that do not fit on a screen."""
    for name, number, lines in outline_of(source).functions:
        if lines > FUNCTION_LINES_MAX:
            yield f"{number}: {name} has {lines} lines; at most {FUNCTION_LINES_MAX}"


def missing_docstring(source: str) -> Iterator[str]:
    """Find a module without a docstring."""
    if not outline_of(source).docstring:
        yield "1: no module docstring; say what it owns and what it refuses to know"


def vague_classes(source: str) -> Iterator[str]:
    """Find classes named for no noun of the documents."""
    for name, number in outline_of(source).classes:
        if name.endswith(BANNED_CLASS_ENDINGS):
            yield f"{number}: class {name}; use the document's noun"


def old_words(source: str) -> Iterator[str]:
    """Find definitions with names that the field does not use; a test's name is a sentence."""
    for found in DEFINED.finditer(source):
        name = found[1] or found[2]
        for word in () if name.startswith("test_") else old_words_in(name):
            yield f"{source.count(chr(10), 0, found.end()) + 1}: {name} has {word!r} in its name"


def old_words_in(name: str) -> list[str]:
    """Give the old words in a name, however its words are joined."""
    parts = [part.lower() for part in NAME_PARTS.findall(name)]
    pairs = [f"{one}_{other}" for one, other in pairwise(parts)]
    return [word for word in (*parts, *pairs) if word in OLD_WORDS]


def names_of_others(source: str) -> Iterator[str]:
    """Find names that a module exports and another defines: they are imported from there."""
    if not GIVEN_OUT.search(source):
        return
    imported, given = set[str](), set[str]()
    for node in ast.parse(source).body:
        match node:
            case ast.ImportFrom(names=names):
                imported.update(each.asname or each.name for each in names)
                given.update(each.name for each in names if each.name == each.asname)
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                given.update(ast.literal_eval(value))
            case _:
                pass
    for name in sorted(imported & given):
        yield f"1: {name} is another module's; import it from there"


def groups_of_roles(source: str) -> Iterator[str]:
    """Find groups of roles that are put together in place, instead of named where groups are."""
    tree = ast.parse(source)
    types = {id(node.slice) for node in ast.walk(tree) if isinstance(node, ast.Subscript)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple | ast.List | ast.Set) and id(node) not in types:
            named = {each.value for each in node.elts if isinstance(each, ast.Constant)}
            if len(named & STAFF_ROLES) > 1:
                yield f"{node.lineno}: name this group of roles in taisai/server/roles.py"


def left_out_tests(source: str) -> Iterator[str]:
    """Find tests that are skipped or allowed to fail."""
    for number, line in enumerate(source.splitlines(), 1):
        if LEFT_OUT_TESTS.search(line):
            yield f"{number}: a test is left out: {line.strip()!r}"


def decisions_without_record(source: str) -> Iterator[str]:
    """Find citations of decisions that were never written down."""
    for number, line in enumerate(source.splitlines(), 1):
        for cited in re.findall(r"\[D(\d+)\]", line):
            if int(cited) not in recorded_decisions():
                yield f"{number}: [D{cited}] has no record in docs/decisions"


@cache
def recorded_decisions() -> dict[int, str]:
    """Give the file name of each decision record by its number."""
    return {int(path.name[1:3]): path.name for path in DECISIONS.glob("D[0-9][0-9]-*.md")}


Rule = Callable[[str], Iterator[str]]


def assert_kept(rule: Rule, paths: list[Path]) -> None:
    """Check files by a rule; complain as `path:line: what is wrong`, one a line."""
    assert paths, "no files to try the rule on: has the tree moved?"
    complaints = [
        f"{path.relative_to(ROOT)}:{complaint}"
        for path in paths
        if (source := text_of(path)) is not None
        for complaint in rule(source)
    ]
    assert not complaints, "\n" + "\n".join(complaints)


BROKEN_SAMPLES: list[tuple[Rule, str]] = [
    (rulebook_keys_in_code, "TS6_LIMITS = 1"),
    (rulebook_keys_in_code, "def settle(): return table.is_etg8"),
    (rulebook_keys_in_code, "match key:\n    case 'div9': pass"),
    (rulebook_keys_in_code, "address = f'tso5/{number}'"),
    (impurities, "open('journal')"),
    (impurities, "stake = float(text)"),
    (impurities, "edge = 0.5"),
    (impurities, "at = datetime.now()"),
    (impurities, "import os.path"),
    (impurities, "def f():\n    from random import randint"),
    (impurities, "async def decide(): ..."),
    (forbidden_text, "see ../sha" + "red/notes"),
    (forbidden_text, "index = https://py" + "pi.org/simple"),
    (forbidden_text, "wheel = https://example.test/a" + ".whl"),
    (forbidden_text, "cd /ho" + "me/somebody"),
    (forbidden_text, "# TO" + "DO: later"),
    (locked_addresses, '      "resolved": "somewhere",'),
    (locked_addresses, '      "funding": {'),
    (locked_addresses, "--index-url ht" + "tps://example.test/simple"),
    (long_lines, "#" * 101),
    (long_modules, "pass\n" * 801),
    (long_functions, "def f():\n" + "    pass\n" * 60),
    (
        long_functions,
        "match a:\n case _:\n  try: ...\n  except:\n   def f():\n" + "    g()\n" * 60,
    ),
    (missing_docstring, "import ast"),
    (vague_classes, "class TableManager: ..."),
    (old_words, "class Hearing(asyncio.Protocol): ..."),
    (old_words, "    async def _hear(self) -> None: ..."),
    (old_words, "PATIENCE_SECONDS: float = 30.0"),
    (old_words, "_TELLING = names(RoundStarted)"),
    (old_words, "export function useAsking(floor: Floor): AskingOf {"),
    (old_words, "def lock_above(amount): ..."),
    (names_of_others, "from a.b import c, d\n__all__ = ['c', 'e']\ndef e(): ..."),
    (names_of_others, "from a.b import c as c"),
    (groups_of_roles, 'PIT = ("supervisor", "pit-manager")'),
    (groups_of_roles, 'if role in {*PIT, "cage", "auditor"}: ...'),
    (left_out_tests, "@pytest.mark.sk" + "ipif(True)"),
    (left_out_tests, "pytest.importor" + "skip('numpy')"),
    (decisions_without_record, "Share it [D99]."),
]

SOUND_SAMPLES: list[tuple[Rule, str]] = [
    (rulebook_keys_in_code, '"""Share pro rata [ts6 5.1.1]."""\nbets6 = limits = "5.1.1"  # ts6'),
    (impurities, "from datetime import datetime\nhalf = Fraction(1, 2)\nround = book.open_round()"),
    (forbidden_text, "docs/home/index.md, https://example.test/work/"),
    (locked_addresses, "msgspec==0.22.0 \\\n    --hash=sha256:abc"),
    (long_lines, "#" * 100),
    (long_modules, "pass\n" * 800),
    (long_functions, "def f():\n" + "    pass\n" * 59),
    (missing_docstring, '"""Owns the sample."""'),
    (vague_classes, "class Cage: ..."),
    (old_words, "def test_a_command_tells_what_it_is_asking_for(): ..."),
    (old_words, "class SharedLayout: ...\nwhat = hear(self.asking)"),
    (names_of_others, "from a.b import c\n__all__ = ['e']\ndef e(): return c"),
    (groups_of_roles, 'SEE = (*PIT, "auditor", "for good")\nRole = Literal["dealer", "cage"]'),
    (left_out_tests, "def test_the_reader_skips_blank_lines(): ..."),
    (decisions_without_record, "Share it [D2]."),
]


@pytest.mark.parametrize(("rule", "sample"), BROKEN_SAMPLES)
def test_a_rule_finds_a_sample_that_breaks_it(rule: Rule, sample: str) -> None:
    assert list(rule(sample))


@pytest.mark.parametrize(("rule", "sample"), SOUND_SAMPLES)
def test_a_rule_leaves_a_sound_sample_alone(rule: Rule, sample: str) -> None:
    assert list(rule(sample)) == []


def test_the_core_knows_no_rulebook_by_name() -> None:
    assert_kept(rulebook_keys_in_code, python_files(CORE))


def test_the_core_is_pure() -> None:
    assert_kept(impurities, python_files(CORE))


def test_no_file_says_what_it_may_not() -> None:
    assert_kept(forbidden_text, project_files())


def test_no_lock_says_where_packages_come_from() -> None:
    locks = [ROOT / "web" / "package-lock.json", *sorted((ROOT / "requirements").glob("*.txt"))]
    assert_kept(locked_addresses, locks)


def test_lines_fit() -> None:
    assert_kept(long_lines, python_files(ROOT))


def test_modules_can_be_held_in_mind() -> None:
    assert_kept(long_modules, python_files(SOURCE))


def test_functions_fit_on_a_screen() -> None:
    assert_kept(long_functions, python_files(ROOT))


def test_every_module_says_what_it_owns() -> None:
    assert_kept(missing_docstring, python_files(SOURCE))


def test_classes_are_named_for_the_documents_nouns() -> None:
    assert_kept(vague_classes, python_files(ROOT))


def test_names_are_in_words_of_the_field() -> None:
    tops = ("src", "tests", "tools", "bench", "examples", "web")
    named = [path for path in project_files() if path.relative_to(ROOT).parts[0] in tops]
    files = [str(path.relative_to(ROOT)) for path in named if old_words_in(path.stem)]
    assert files == [], "name a file in a word of the field"
    assert_kept(old_words, [path for path in named if path.suffix in {".py", ".ts", ".tsx"}])


def test_a_module_gives_out_what_is_its_own() -> None:
    # A package exports its modules' names; these two import modules, to register them.
    faces = {"core/streams.py", "core/table/chips/subjects.py"}
    modules = {path.relative_to(SOURCE).as_posix(): path for path in python_files(SOURCE)}
    assert faces <= modules.keys()
    assert_kept(
        names_of_others,
        [
            path
            for name, path in modules.items()
            if name not in faces and path.name != "__init__.py"
        ],
    )


def test_no_module_is_a_drawer_for_leftovers() -> None:
    drawers = [str(path) for path in project_files() if path.name in BANNED_FILE_NAMES]
    assert drawers == [], "name a module for what it owns"


def test_groups_of_roles_are_named_once() -> None:
    server = SOURCE / "server"
    assert_kept(
        groups_of_roles, [path for path in python_files(server) if path != server / "roles.py"]
    )


def test_no_test_is_left_out() -> None:
    # Only browser tests may be, on a machine without a browser, and not in CI.
    files = [path for path in python_files(ROOT / "tests") if path != ROOT / "tests/chromium.py"]
    assert_kept(left_out_tests, files)


def test_every_decision_is_recorded_and_listed() -> None:
    records = recorded_decisions()
    assert len(records) >= DECISIONS_MIN, "a decision is replaced by a new one, never removed"
    # Decisions are numbered when they are taken; one that is not carried out yet has no record.
    assert set(range(1, 20)) <= set(records), "a record that was there is gone"
    index = (DECISIONS / "README.md").read_text(encoding="utf-8")
    unlisted = [name for name in records.values() if f"({name})" not in index]
    assert unlisted == [], "list these records in docs/decisions/README.md"


def test_decision_records_have_the_three_headings() -> None:
    for name in recorded_decisions().values():
        text = (DECISIONS / name).read_text(encoding="utf-8")
        headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
        assert headings == ["Context", "Decision", "Consequences"], f"in docs/decisions/{name}"


def test_every_decision_cited_is_recorded() -> None:
    sources = [path for path in project_files() if SOURCE in path.parents]
    assert_kept(decisions_without_record, sources)

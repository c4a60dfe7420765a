"""Makes the clause ledger, docs/clauses.md: every clause of every document, and its standing.

It joins the transcribed clause numbers, the rulebooks, the citations in docstrings and in comments
of the screens, the tests named by clause, and the edits and results of `make mutants`. Only the
reasons why a clause is not software or has no behaviour of its own are written by hand, in
tools/ledger. It reports all that is missing or does not exist, and knows nothing of the game.
"""

import argparse
import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from taisai.rulebooks import KEYS

ROOT = Path(__file__).resolve().parent.parent
LEDGER = ROOT / "docs" / "clauses.md"
SOURCE = ROOT / "src" / "taisai"
WEB = ROOT / "web" / "src"
BY_HAND = ROOT / "tools" / "ledger"
RULEBOOKS = ROOT / "src" / "taisai" / "rulebooks"
TESTS = ROOT / "tests" / "rules"
SCENARIOS = ROOT / "tests" / "scenarios"

_CITING = re.compile(r"clause|.*_clause|loses|loses_to_triple")
_OF_KIND = re.compile(r"kinds\.(?P<kind>[a-z-]+)\.(?P<field>\w+)")
_SCENARIO = re.compile(
    r"^scenario: (?P<title>.+) \[(?P<cited>[^\]]+)\](?P<more>(?:\nclauses: .+)*)$", re.MULTILINE
)
_DECISION = re.compile(r"D[0-9]+")
#: A citation as docstrings have it: [ts6 5.1.1], [ts6 3.2, 3.6; div9 4.4], [div9 4.1…].
_CITATION = re.compile(rf"\[((?:{'|'.join(KEYS)}) [^\]]+)\]")
_BELOW = "…"
_LABELS = ("code", "role", "kind", "number")


_Shape = TypeVar("_Shape")


class LedgerError(ValueError):
    """A file written by hand that cannot be read; the sentence says where."""


class Standing(StrEnum):
    """How a clause is carried out, or why it is not."""

    CARRIED_OUT = "carried out"
    HELD = "held as data or begun, the rest comes with an issue"
    COMING = "comes with an issue"
    SHOWN = "shown"
    NOT_SOFTWARE = "not software"
    UNACCOUNTED = "unaccounted for"


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """What is written by hand about a clause."""

    issue: dict[str, str] = {}
    shown: str | None = None
    not_software: str | None = None


class ByHand(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of entries; a key may name several clauses, with commas between them.

    A document that inherits from another has the same clauses and numbers unless it has its own.
    """

    clauses: dict[str, Entry]
    headings: tuple[str, ...] = ()
    inherits: str | None = None


class Found(Struct, frozen=True, forbid_unknown_fields=True):
    """The results of `make mutants` for one document: behaviours taken out, and keys changed."""

    taken_out: int
    noticed: int
    changed: int
    key_noticed: int
    refused: int
    unnoticed: int


class Results(Struct, frozen=True, forbid_unknown_fields=True):
    """The results of the last complete run of `make mutants`; the survivors by name."""

    survived: tuple[str, ...] = ()
    documents: dict[str, Found] = {}


class Document(Struct, frozen=True, kw_only=True):
    """The sources of the ledger for one document.

    `code` is what cites each clause; `tests` are the names in each file; `scenarios` pairs each
    title with the clauses it cites; `taken_out` has the clauses that an edit takes out.
    """

    key: str
    transcribed: Sequence[str]
    rulebook: Mapping[str, Any]
    entries: Mapping[str, Entry]
    code: Mapping[str, Sequence[str]]
    tests: Mapping[str, Sequence[str]]
    scenarios: Sequence[tuple[str, Sequence[str]]] = ()
    taken_out: frozenset[str] = frozenset()

    @property
    def gists(self) -> dict[str, str]:
        """The gist of each clause that the rulebook lists."""
        return {clause["number"]: clause["gist"] for clause in self.rulebook["clauses"]}


class Row(Struct, frozen=True, kw_only=True):
    """A clause in the ledger."""

    number: str
    gist: str
    data: Sequence[str]
    code: Sequence[str]
    tests: Sequence[str]
    entry: Entry
    taken_out: bool

    @property
    def is_held(self) -> bool:
        """Whether data or code carry it out, and a test is named by it."""
        return bool((self.data or self.code) and self.tests)

    @property
    def standing(self) -> Standing:
        """The standing of the clause."""
        if self.entry.not_software is not None:
            return Standing.NOT_SOFTWARE
        if self.entry.issue:
            return Standing.HELD if self.is_held else Standing.COMING
        if self.is_held and self.entry.shown is not None:
            return Standing.SHOWN
        done = self.is_held and self.taken_out
        return Standing.CARRIED_OUT if done else Standing.UNACCOUNTED


# --- reading -------------------------------------------------------------------------------------


def read_documents() -> list[Document]:
    """Read all sources of the ledger, in the order in which rulebooks are shown."""
    tests = {path.name: named_tests(path.read_text("utf-8")) for path in TESTS.glob("test_*.py")}
    cited = read_citations()
    return [
        Document(
            key=key,
            transcribed=transcribed_in((TESTS / "transcribed" / f"{key}.txt").read_text("utf-8")),
            rulebook=tomllib.loads((RULEBOOKS / f"{key}.toml").read_text("utf-8")),
            entries=read_entries(key),
            code=cited[key],
            tests={name: tests[name] for name in sorted(tests) if key in keys_of(name)},
            scenarios=[
                scenario
                for path in sorted(SCENARIOS.glob(f"{key}_*.txt"))
                for scenario in scenarios_in(path.read_text("utf-8"))
            ],
            taken_out=frozenset(number for name, number in read_taken_out() if name == key),
        )
        for key in KEYS
    ]


def read_issues() -> dict[str, str]:
    """Read the open issues: number and title."""
    return _read_by_hand("issues", dict[str, str])


def read_taken_out() -> frozenset[tuple[str, str]]:
    """Read the clauses of each document that an edit takes out."""
    edits = _read_by_hand("edits", dict[str, Any])["edit"]
    return frozenset(cited for edit in edits for each in edit["clauses"] for cited in clauses(each))


def read_results() -> Results:
    """Read the results of taking behaviour out and changing keys."""
    return _read_by_hand("results", Results)


def read_entries(key: str) -> dict[str, Entry]:
    """Read the entries written for a document, after those of the document it inherits from."""
    by_hand = _read_by_hand(key, ByHand)
    inherited = {} if by_hand.inherits is None else read_entries(by_hand.inherits)
    return inherited | entries_of(key, by_hand)


def entries_of(key: str, by_hand: ByHand) -> dict[str, Entry]:
    """Give each clause an entry of its own, from headings and from keys with several clauses."""
    entries = dict.fromkeys(by_hand.headings, Entry(not_software="it is a heading"))
    for numbers, entry in by_hand.clauses.items():
        for number in numbers.split(", "):
            if number in entries:
                raise LedgerError(f"tools/ledger/{key}.toml, {number}: it has two entries.")
            entries[number] = entry
    return entries


def _read_by_hand(name: str, shape: type[_Shape]) -> _Shape:
    text = (BY_HAND / f"{name}.toml").read_text("utf-8")
    try:
        return msgspec.convert(tomllib.loads(text), shape)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise LedgerError(f"tools/ledger/{name}.toml cannot be read: {error}.") from None


@cache
def read_citations() -> dict[str, dict[str, list[str]]]:
    """Find the citations of each clause of each document: code by dotted name, screens by path."""
    found: dict[str, dict[str, list[str]]] = {key: {} for key in KEYS}
    for name, text in [*_docstrings(), *_screens()]:
        for key, number in citations_in(text):
            names = found[key].setdefault(number, [])
            if name not in names:
                names.append(name)
    for key in KEYS:
        inherits = _read_by_hand(key, ByHand).inherits
        if inherits is not None:
            found[key] = found[inherits] | found[key]
    return found


def citations_in(text: str) -> Iterator[tuple[str, str]]:
    """Give each clause that a text cites, by document; a number that ends in … means all below."""
    for citation in _CITATION.findall(text):
        for part in " ".join(citation.split()).split("; "):
            yield from clauses(part)


def clauses(text: str) -> Iterator[tuple[str, str]]:
    """Give each clause of a document: ts6 5.1.1, 5.1.2."""
    key, _, numbers = text.partition(" ")
    for number in numbers.split(", "):
        yield key, number


def _docstrings() -> Iterator[tuple[str, str]]:
    """Give every docstring of the program with the dotted name of its object."""
    for path in sorted(SOURCE.rglob("*.py")):
        module = ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
        yield from docstrings_in(ast.parse(path.read_text("utf-8")), module)


def docstrings_in(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, name: str
) -> Iterator[tuple[str, str]]:
    """Give the docstring of a module, a class or a function, and those of its members."""
    yield name, ast.get_docstring(node) or ""
    for inner in node.body:
        if isinstance(inner, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from docstrings_in(inner, f"{name}.{inner.name}")


def _screens() -> Iterator[tuple[str, str]]:
    """Give every source file of the screens; a citation in brackets can only be in a comment."""
    for path in sorted(WEB.rglob("*.ts*")):
        yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")


def transcribed_in(text: str) -> list[str]:
    """List the clause numbers of a transcription, one a line; lines with # are remarks."""
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def named_tests(source: str) -> list[str]:
    """List the tests of a file, in their order."""
    return [
        node.name
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


def scenarios_in(text: str) -> list[tuple[str, list[str]]]:
    """List the scenarios of a file with the clauses each cites; decisions are not clauses."""
    return [
        (found["title"], [each for each in _cited(found) if not _DECISION.fullmatch(each)])
        for found in _SCENARIO.finditer(text)
    ]


def _cited(scenario: re.Match[str]) -> list[str]:
    more = scenario["more"].replace("\nclauses: ", ", ").removeprefix(", ")
    return ", ".join(filter(None, [scenario["cited"], more])).split(", ")


def keys_of(file_name: str) -> list[str]:
    """Give the rulebooks that a test file belongs to: those its name starts with."""
    words = file_name.removeprefix("test_").removesuffix(".py").split("_")
    return list(takewhile(lambda word: word in KEYS, words))


# --- joining -------------------------------------------------------------------------------------


def rows_of(document: Document) -> list[Row]:
    """Make the rows of a document, in its own order."""
    data = data_by_clause(document.rulebook)
    tests = tests_by_clause(document)
    gists = document.gists
    return [
        Row(
            number=number,
            gist=gists.get(number, ""),
            data=data.get(number, ()),
            code=code_of(document, number),
            tests=tests.get(number, ()),
            entry=document.entries.get(number, Entry()),
            taken_out=number in document.taken_out,
        )
        for number in document.transcribed
    ]


def code_of(document: Document, number: str) -> list[str]:
    """Find the code that cites a clause, directly or with everything below another clause."""
    return [
        name
        for cited, names in document.code.items()
        for name in names
        if number == cited or is_below(number, cited)
    ]


def is_below(number: str, cited: str) -> bool:
    """Say whether a clause is below another one: 4.1(a) is below 4.1, and 4.10 is not."""
    above = cited.removesuffix(_BELOW)
    return above != cited and re.match(re.escape(above) + r"[.(]", number) is not None


def tests_by_clause(document: Document) -> dict[str, list[str]]:
    """Find the tests of each clause."""
    found: dict[str, list[str]] = {}
    for names in document.tests.values():
        for name in names:
            number = clause_of(name, document.transcribed)
            if number is not None:
                found.setdefault(number, []).append(name)
    for title, cited in document.scenarios:
        for number in cited:
            found.setdefault(number, []).append(f"scenario: {title}")
    return found


def clause_of(test: str, numbers: Iterable[str]) -> str | None:
    """Find the clause that a test is named by: the longest number at the start of its name."""
    name = f"{test.removeprefix('test_')}_"
    fitting = [number for number in numbers if name.startswith(f"{in_a_name(number)}_")]
    return max(fitting, key=len, default=None)


def in_a_name(number: str) -> str:
    """Write a clause number in the form of test names: 4.1(d)(ii) is 4_1_d_ii."""
    return "_".join(re.findall(r"[0-9a-z]+", number.lower()))


def data_by_clause(rulebook: Mapping[str, Any]) -> dict[str, list[str]]:
    """Find the places of a rulebook file that cite each clause."""
    found: dict[str, list[str]] = {}
    for number, place in [*_citations(rulebook, ""), *_pay_rows(rulebook)]:
        found.setdefault(number, []).append(place)
    kinds = set(rulebook.get("kinds", {}))
    return {number: _shorten(places, kinds) for number, places in found.items()}


def _citations(part: object, where: str) -> Iterator[tuple[str, str]]:
    """Walk a rulebook file for the clauses it cites, each with its place."""
    if isinstance(part, list):
        for item in part:
            yield from _citations(item, f"{where} {_label(item)}".rstrip())
    elif isinstance(part, dict):
        for field, value in part.items():
            place = f"{where}.{field}".removeprefix(".")
            if isinstance(value, str) and _CITING.fullmatch(field):
                # An entry of a list is named by its label; the field name "clause" adds nothing.
                yield value, where if field == "clause" and _label(part) else place
            else:
                yield from _citations(value, place)


def _label(item: object) -> str:
    """Give the label of an entry of a list; a table that is not in a list has none."""
    fields = item if isinstance(item, dict) else {}
    return next((str(fields[name]) for name in _LABELS if name in fields), "")


def _pay_rows(rulebook: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Count the rows of each pay table and their boxes, under the clause that sets it."""
    for table in rulebook.get("pay_tables", []):
        rows = sum(len(bets["rows"]) for bets in table["bets"])
        boxes = sum(len(bets["boxes"]) for bets in table["bets"])
        yield table["clause"], f"pay_tables {table['number']}.bets (rows: {rows}, boxes: {boxes})"


def _shorten(places: Sequence[str], kinds: set[str]) -> list[str]:
    """Write the same field of several kinds in one."""
    named: dict[str, list[str]] = {}
    for place in places:
        if found := _OF_KIND.fullmatch(place):
            named.setdefault(found["field"], []).append(found["kind"])
    short = [
        f"kinds.{'*' if set(members) == kinds else '{' + ', '.join(members) + '}'}.{field}"
        if len(members) > 1
        else f"kinds.{members[0]}.{field}"
        for field, members in named.items()
    ]
    return [*(place for place in places if not _OF_KIND.fullmatch(place)), *short]


# --- checking ------------------------------------------------------------------------------------


def complaints(documents: Iterable[Document], issues: Mapping[str, str]) -> Iterator[str]:
    """List as sentences everything that is incomplete or wrong in the ledger."""
    for document in documents:
        yield from _list_complaints(document)
        yield from _entry_complaints(document, issues)
        yield from _test_complaints(document)
        yield from _standing_complaints(document)


def _list_complaints(document: Document) -> Iterator[str]:
    key, listed = document.key, document.gists
    for number, times in Counter(document.transcribed).items():
        if times > 1:
            yield f"{key} {number} is transcribed {times} times; once is right."
        if number not in listed:
            yield f"{key} {number} is transcribed, but the rulebook does not list it."
    for number in listed:
        if number not in document.transcribed:
            yield f"{key} {number} is in the rulebook's list, but was not transcribed."


def _entry_complaints(document: Document, issues: Mapping[str, str]) -> Iterator[str]:
    for number, entry in document.entries.items():
        where = f"tools/ledger/{document.key}.toml, {number}"
        if number not in document.transcribed:
            yield f"{where}: {document.key} has no such clause."
        for issue in entry.issue:
            if issue not in issues:
                yield f"{where}: issue {issue} is not open; say what carries the clause out now."
        if entry.not_software is not None and entry.issue:
            yield f"{where}: it is not software, and yet has an issue; one is right."
    for number in sorted(document.taken_out - set(document.transcribed)):
        yield f"tools/ledger/edits.toml: {document.key} has no clause {number}."
    for cited, names in document.code.items():
        if not any(map(cited.removesuffix(_BELOW).__eq__, document.transcribed)):
            yield f"{names[0]} cites {document.key} {cited}, which does not exist."


def _test_complaints(document: Document) -> Iterator[str]:
    for file_name, names in document.tests.items():
        for name in names:
            if clause_of(name, document.transcribed) is None:
                yield f"tests/rules/{file_name}: {name} is named by no clause of {document.key}."
    for title, cited in document.scenarios:
        for number in cited:
            if number not in document.transcribed:
                yield f"scenario '{title}' cites {document.key} {number}, which does not exist."


def _standing_complaints(document: Document) -> Iterator[str]:
    for row in rows_of(document):
        where = f"{document.key} {row.number}"
        if row.standing is Standing.NOT_SOFTWARE and (row.data or row.code or row.tests):
            yield f"{where} is called not software, but the rulebook, code or a test holds it."
        if row.standing is not Standing.CARRIED_OUT and row.taken_out:
            yield f"{where} is {row.standing.value}, but tools/ledger/edits.toml takes it out."
        if row.standing is Standing.UNACCOUNTED and row.is_held:
            yield (
                f"{where} is not carried out: nothing shows that a test fails without it. Take its "
                f"behaviour out in tools/ledger/edits.toml, or say in "
                f"tools/ledger/{document.key}.toml that it is only shown, and why."
            )
        elif row.standing is Standing.UNACCOUNTED:
            has = "it has no test" if row.data or row.code else "it has neither data nor code"
            yield (
                f"{where} is unaccounted for: {has}. Name a test test_{in_a_name(row.number)}_…, "
                f"cite it in the docstring of what carries it out, or say in "
                f"tools/ledger/{document.key}.toml which issue brings it or why it is not software."
            )


# --- writing -------------------------------------------------------------------------------------

_PREFACE = """\
# The clause ledger

Every clause of the four rule documents, and what became of it. `make ledger` writes this page; it
is not edited by hand, and `make test` fails when it is stale or a clause is unaccounted for.

| column | what it tells | where it comes from |
|---|---|---|
| clause | each numbered or lettered item, in the document's order | `tests/rules/transcribed/` |
| gist | what the clause says, in our own words | the rulebook, `src/taisai/rulebooks/` |
| data | where the rulebook cites the clause | the rulebook |
| code | what carries it out, without the leading `taisai.` | who cites it: docstrings, `web/src/` |
| tests | tests named by the clause; scenarios that cite it | `tests/rules/`, `tests/scenarios/` |
| standing | carried out, still to come, or not software, and why | by hand, `tools/ledger/` |

A clause is *carried out* when data or code hold it, a test is named by it, and that test fails when
the behaviour is taken out: `tools/ledger/edits.toml` says how, and `make mutants` does it. It is
*shown* when there is nothing of it to take out but what is printed.
"""


def render(documents: Sequence[Document], issues: Mapping[str, str]) -> str:
    """Write the whole ledger as Markdown."""
    ledgers = {document.key: rows_of(document) for document in documents}
    parts = [_PREFACE, _totals(ledgers), _issue_totals(ledgers, issues), _found(read_results())]
    parts += [_section(document, ledgers[document.key]) for document in documents]
    return "\n".join(parts)


def _totals(ledgers: Mapping[str, Sequence[Row]]) -> str:
    standings = [each for each in Standing if each is not Standing.UNACCOUNTED]
    lines = ["## Totals", "", _line(["document", "clauses", *standings]), "|---|" + "---:|" * 6]
    for key, rows in ledgers.items():
        counts = Counter(row.standing for row in rows)
        lines.append(
            _line([f"`{key}`", str(len(rows)), *(str(counts[each]) for each in standings)])
        )
    return "\n".join([*lines, ""])


def _issue_totals(ledgers: Mapping[str, Sequence[Row]], issues: Mapping[str, str]) -> str:
    if not issues:
        return "No clause waits for an issue.\n"
    lines = ["Clauses that wait for an issue, some of them for two:", ""]
    lines += [_line(["issue", "", *(f"`{key}`" for key in ledgers)])]
    lines += ["|---:|---|" + "---:|" * len(ledgers)]
    for issue, title in issues.items():
        counts = [sum(issue in row.entry.issue for row in rows) for rows in ledgers.values()]
        lines.append(_line([issue, title, *map(str, counts)]))
    return "\n".join([*lines, ""])


_FOUND = """\
## What tests notice

`make mutants` takes the behaviour of each clause that is carried out from a copy of the source, and
changes each key of each rulebook in every place, where the layout lies apart: one thing at a time,
and only the tests that cite the clause are asked. A changed key is put into what tables play by,
under the same hash; to read a datum is not to notice it. A change for which no rulebook can be read
counts as *refused* only where a test cites that refusal. What no test need notice stands, with why,
in `tools/ledger/unnoticed.toml`. When it was last run whole:

"""


def _found(results: Results) -> str:
    columns = ["document", "taken out", "noticed", "keys changed", "noticed", "refused"]
    lines = [_line([*columns, "nothing to notice"]), "|---|" + "---:|" * 6]
    for key, each in results.documents.items():
        counts = [each.taken_out, each.noticed, each.changed, each.key_noticed, each.refused]
        lines.append(_line([f"`{key}`", *map(str, [*counts, each.unnoticed])]))
    survived = [f"- {name}" for name in results.survived]
    said = "Noticed by no test:" if survived else "0 survived."
    return _FOUND + "\n".join([*lines, "", said, *([""] if survived else []), *survived, ""])


def _section(document: Document, rows: Sequence[Row]) -> str:
    version = document.rulebook.get("version")
    title = document.rulebook["title"] + (f", version {version}" if version else "")
    files = ", ".join(f"[{name}](../tests/rules/{name})" for name in document.tests)
    head = [f"## `{document.key}`: {title}", "", document.rulebook["publisher"] + ".", ""]
    head += [f"Tests: {files}.", ""]
    columns = ["clause", "gist", "data", "code", "tests", "standing"]
    return "\n".join([*head, _line(columns), "|---" * 6 + "|", *map(_row_line, rows), ""])


def _row_line(row: Row) -> str:
    cells = [row.number, row.gist, _names(row.data), _names(row.code), _names(row.tests)]
    return _line([*cells, _standing_text(row)])


def _standing_text(row: Row) -> str:
    if row.standing is Standing.NOT_SOFTWARE:
        return f"not software: {row.entry.not_software}"
    if row.standing is Standing.SHOWN:
        return f"shown: {row.entry.shown}"
    if row.entry.issue:
        coming = row.entry.issue.items()
        return "<br>".join(f"comes with issue {issue}: {text}" for issue, text in coming)
    return row.standing.value


def _names(names: Iterable[str]) -> str:
    return "<br>".join(f"`{name}`" for name in names)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def stale(path: Path, text: str) -> Iterator[str]:
    """Report a ledger on disk that differs from the one that would be written now."""
    if not path.is_file() or path.read_text("utf-8") != text:
        yield f"docs/{path.name} is stale: run 'make ledger' and commit what it writes."


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the ledger, or check that it is complete and fresh."""
    parser = argparse.ArgumentParser(description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", action="store_true", help="write docs/clauses.md")
    what.add_argument("--check", action="store_true", help="fail where it is stale or incomplete")
    try:
        found = _write_or_check(write=parser.parse_args(arguments).write)
    except LedgerError as error:
        found = [str(error)]
    for sentence in found:
        print(sentence, file=sys.stderr)
    return 1 if found else 0


def _write_or_check(*, write: bool) -> list[str]:
    """Write a complete ledger, or report what is wrong."""
    documents, issues = read_documents(), read_issues()
    found = list(complaints(documents, issues))
    text = render(documents, issues)
    if write and not found:
        LEDGER.write_text(text, "utf-8")
    return [*found, *stale(LEDGER, text)]


if __name__ == "__main__":
    sys.exit(main())

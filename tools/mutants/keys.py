"""Every place of a rulebook with a key, and the rulebook with that place changed.

Positions on the layout are drawn, not played, and are left alone. A key that a document leaves out
is no place, except one that chooses among words: choosing none of them is also a choice.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from fractions import Fraction
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct, structs

from taisai.core.rules import schema
from taisai.core.rules.paytable import compile_pay_table
from taisai.core.rules.proof import RulebookError
from taisai.core.rules.rulebook import Rulebook, prove
from taisai.rulebooks import rulebook
from tools.clause_ledger import is_below

_GEOMETRY = "pay_tables.layout"
_DECISION = re.compile(r"\[(D[0-9]+)\]")
_LABELS = ("code", "role", "kind", "number", "name")

Step = str | int


class Place(Struct, frozen=True, kw_only=True):
    """A value of a rulebook: its position, its key in the schema, and the citations beside it.

    `steps` lead to it in the content; `name` is how people find it.
    """

    document: str
    name: str
    key: str
    steps: tuple[Step, ...]
    hint: Any
    beside: frozenset[str]

    def __str__(self) -> str:
        return f"{self.document} {self.name}"


class Changed(Struct, frozen=True):
    """A rulebook with one place changed; the fault, if it would be refused for it.

    Without a rulebook it cannot be played at all.
    """

    rulebook: Rulebook | None
    fault: str | None = None


# --- places --------------------------------------------------------------------------------------


def places_of(document: str) -> Iterator[Place]:
    """Give every place of a rulebook."""
    content = _written(document)
    clauses = frozenset(each["number"] for each in content["clauses"])
    people = {each["role"]: each.get("clause") for each in content["people"]}
    tables = content["pay_tables"]
    prices = {
        kind: frozenset(
            table["clause"]
            for table in tables
            if any(bets["kind"] == kind for bets in table["bets"])
        )
        for kind in content["kinds"]
    }
    walk = _Walk(document, clauses, people, prices)
    yield from walk.struct(schema.RulebookContent, content, _At())


class _At(Struct, frozen=True):
    """The current position of a walk."""

    key: str = ""
    name: str = ""
    steps: tuple[Step, ...] = ()
    beside: frozenset[str] = frozenset()

    def below(self, field: str) -> "_At":
        """Go to a field."""
        key, name = (f"{each}.{field}".removeprefix(".") for each in (self.key, self.name))
        return _At(key, name, (*self.steps, field), self.beside)

    def entry(self, step: Step, label: str) -> "_At":
        """Go to an entry of a list, or of a table whose names are not in the schema."""
        return _At(self.key, f"{self.name} {label}", (*self.steps, step), self.beside)


class _Walk(Struct, frozen=True):
    """Walks a rulebook's content beside its schema.

    The people that a part names are cited with it, and so are the odds of a kind of bet.
    """

    document: str
    clauses: frozenset[str]
    people: Mapping[str, str | None]
    prices: Mapping[str, frozenset[str]]

    def struct(self, kind: type[Struct], part: Mapping[str, Any], at: _At) -> Iterator[Place]:
        """Give the places of a part, with its citations."""
        beside = at.beside | self._cited(kind, part)
        at = structs.replace(at, beside=beside)
        for field, hint in get_type_hints(kind).items():
            below = at.below(field)
            if below.key.startswith(_GEOMETRY) or not _is_there(field, hint, part):
                continue
            yield from self.value(hint, part.get(field), below)

    def value(self, hint: Any, value: Any, at: _At) -> Iterator[Place]:
        """Give the places of a value: its own, or those inside it."""
        inner = next((each for each in _parts(hint) if _is_struct(each)), None)
        if inner is not None and isinstance(value, list):
            for index, (each, label) in enumerate(zip(value, _labels(value), strict=True)):
                yield from self.struct(inner, each, at.entry(index, label))
        elif inner is not None and get_origin(hint) is dict:
            for name, each in value.items():
                below = at.entry(name, name)
                priced = below.beside | self.prices.get(name, frozenset())
                yield from self.struct(inner, each, structs.replace(below, beside=priced))
        elif inner is not None:
            yield from self.struct(inner, value, at)
        elif at.key.endswith(".pays") and isinstance(value, dict):
            for name in value:
                yield self.place(str, at.entry(name, name))
        else:
            yield self.place(hint, at)

    def place(self, hint: Any, at: _At) -> Place:
        """Give one place."""
        return Place(
            document=self.document,
            name=at.name,
            key=at.key,
            steps=at.steps,
            hint=hint,
            beside=at.beside,
        )

    def _cited(self, kind: type[Struct], part: Mapping[str, Any]) -> frozenset[str]:
        """Name the clauses and decisions that a part cites, and its schema."""
        own = {value for value in part.values() if isinstance(value, str)}
        own |= {str(self.people.get(role)) for role in part.get("by", ())}
        clauses = {each for one in own & self.clauses for each in self.clauses if _akin(one, each)}
        decisions = {*_DECISION.findall(kind.__doc__ or ""), *map(str, [part.get("decision")])}
        # A report of an irregularity cites its code.
        codes = {f"#{part['code']}"} if "code" in part else set()
        return frozenset(clauses | (decisions - {"None"}) | codes)


def _is_there(field: str, hint: Any, part: Mapping[str, Any]) -> bool:
    """Say whether a part has a key; a key that chooses among words counts as always there."""
    return field in part or bool(_choices(hint) and type(None) in get_args(hint))


def _akin(one: str, other: str) -> bool:
    """Say whether two clauses are the same, or one is an item of the other."""
    return one == other or is_below(one, f"{other}…") or is_below(other, f"{one}…")


def _labels(entries: list[dict[str, Any]]) -> list[str]:
    """Label the entries of a list by their names, and by number if two are alike."""
    labels = [
        next((str(entry[name]) for name in _LABELS if name in entry), "") for entry in entries
    ]
    return [
        label if label and labels.count(label) == 1 else f"{label} {number}".lstrip()
        for number, label in enumerate(labels, 1)
    ]


def _parts(hint: Any) -> Iterator[Any]:
    yield hint
    for part in get_args(hint):
        yield from _parts(part)


def _is_struct(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Struct)


def _choices(hint: Any) -> list[Any]:
    """List the possible values of a key, if the schema lists them."""
    return [
        value for part in _parts(hint) if get_origin(part) is Literal for value in get_args(part)
    ]


def _written(document: str) -> Any:
    """Give a rulebook's content as lists and tables."""
    return msgspec.json.decode(rulebook(document).canonical)


# --- changes -------------------------------------------------------------------------------------


def changed(place: Place) -> Changed:
    """Change a rulebook at one place: to a value that can be proved, else to a refused one."""
    refused: Changed | None = None
    for content in _contents(place):
        try:
            return Changed(prove(content, "a change"))
        except RulebookError as error:
            refused = refused or Changed(_unproved(content), error.faults[0])
    assert refused is not None, f"{place}: there is no other way to write it"
    return refused


def _contents(place: Place) -> Iterator[schema.RulebookContent]:
    """Give a rulebook's content with one place changed, in every way that can be written."""
    content = _written(place.document)
    clauses = [each["number"] for each in content["clauses"]]
    part: Any = content
    for step in place.steps[:-1]:
        part = part[step]
    last = place.steps[-1]
    found = part[last] if not isinstance(part, dict) else part.get(last)
    for other in _others(place, found, clauses):
        part[last] = other
        try:
            yield msgspec.json.decode(msgspec.json.encode(content), type=schema.RulebookContent)
        except msgspec.ValidationError:
            continue


def _others(place: Place, found: Any, clauses: list[str]) -> Iterator[Any]:
    """Give other values for a place, the nearest first."""
    choices = _choices(place.hint)
    match found:
        case bool():
            yield not found
        case int():
            yield from (found + 1, found - 1)
        case list():
            yield from _other_lists(found, choices)
        case str() | None if choices:
            yield from (each for each in choices if each != found)
            yield None
        case dict():
            yield {name: f"{value}x" for name, value in found.items()}
        case _:
            yield from _other_texts(place, found, clauses)


def _other_texts(place: Place, found: str, clauses: list[str]) -> Iterator[str]:
    if place.key.endswith(".pays"):
        yield from _other_pays(found)
    elif found in clauses:
        yield from (each for each in reversed(clauses) if each != found)
    elif datetime in _parts(place.hint):
        yield f"2199{found[4:]}"
    elif re.fullmatch(r"D[0-9]+", found):
        yield "D1" if found != "D1" else "D2"
    else:
        yield f"{found}x"


def _other_lists(found: list[Any], choices: list[Any]) -> Iterator[list[Any]]:
    if len(found) > 1:
        yield found[:-1]
    yield from ([each] for each in choices if each not in found)
    yield []


def _other_pays(found: str) -> Iterator[str]:
    odds = Fraction(found)
    yield from (str(each) for each in (odds + 1, odds - 1, odds / 2))


def _unproved(content: schema.RulebookContent) -> Rulebook | None:
    """Compile a rulebook that the proof refuses, as far as possible."""
    try:
        tables = [compile_pay_table(content, table) for table in content.pay_tables]
    except (LookupError, ValueError):
        return None
    return Rulebook(content, b"", "", {table.number: table for table in tables}, ())

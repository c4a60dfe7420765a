"""What is written by hand beside the ledger: edits of the source, and what nobody need notice."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

ROOT = Path(__file__).resolve().parent.parent.parent
LEDGER = ROOT / "tools" / "ledger"
SOURCE = ROOT / "src" / "taisai"

_Shape = TypeVar("_Shape")


class Edit(Struct, frozen=True, forbid_unknown_fields=True):
    """A behaviour taken out of the source: what goes, and the clauses that it carried out."""

    takes_out: str
    clauses: tuple[str, ...]
    file: str
    find: str
    replace: str

    @property
    def citations(self) -> tuple[str, ...]:
        """Give each clause with its document; after the first, numbers alone may follow."""
        return tuple(_citations(self.clauses))

    def applied(self, text: str) -> str:
        """Give the source without the behaviour."""
        return text.replace(self.find, self.replace)


class Edits(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of edits."""

    edit: tuple[Edit, ...]


class Refusal(Struct, frozen=True, forbid_unknown_fields=True):
    """A fault for which no rulebook can be read, as a pattern, and the test that cites it."""

    says: str
    test: str


class Unnoticed(Struct, frozen=True, forbid_unknown_fields=True):
    """Keys whose change no table notices, with why: those that are printed, and other places."""

    printed: dict[str, str] = {}
    equivalent: dict[str, str] = {}
    refused: tuple[Refusal, ...] = ()

    def why(self, place: str, key: str) -> str | None:
        """Say why a change need not be noticed, if it need not."""
        return self.printed.get(key) or self.equivalent.get(place) or self.equivalent.get(key)

    def cited(self, fault: str) -> str | None:
        """Name the test that cites a refusal, if one does."""
        found = (each.test for each in self.refused if re.search(each.says, fault))
        return next(found, None)


def read_edits() -> tuple[Edit, ...]:
    """Read the edits of all documents."""
    return _read("edits", Edits).edit


def read_unnoticed() -> Unnoticed:
    """Read what nobody need notice."""
    return _read("unnoticed", Unnoticed)


def _read(name: str, shape: type[_Shape]) -> _Shape:
    return msgspec.convert(tomllib.loads((LEDGER / f"{name}.toml").read_text("utf-8")), shape)


def _citations(clauses: tuple[str, ...]) -> Iterator[str]:
    for clause in clauses:
        key, _, numbers = clause.partition(" ")
        yield from (f"{key} {number}" for number in numbers.split(", "))


def edit_faults(edits: tuple[Edit, ...]) -> Iterator[str]:
    """Find edits that do not apply: their text must be there once, and change."""
    for edit in edits:
        times = (SOURCE / edit.file).read_text("utf-8").count(edit.find)
        if times != 1:
            yield f"{edit.file}: {edit.find!r} is there {times} times; once is right"
        if edit.find == edit.replace:
            yield f"{edit.file}: {edit.find!r} is replaced by itself"

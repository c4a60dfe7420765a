"""Files written by hand beside the ledger: edits of the source, and changes no test need notice."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from typing import TypeVar

import msgspec
from msgspec import Struct

from tools.clause_ledger import BY_HAND, SOURCE, clauses

_Shape = TypeVar("_Shape")


class Edit(Struct, frozen=True, forbid_unknown_fields=True):
    """A behaviour taken out of the source: the change, and the clauses that it carried out."""

    takes_out: str
    clauses: tuple[str, ...]
    file: str
    find: str
    replace: str
    unproved: bool = False

    @property
    def citations(self) -> tuple[str, ...]:
        """Give each clause with its document."""
        return tuple(f"{key} {number}" for each in self.clauses for key, number in clauses(each))


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """A text that occurs once in the source, and its replacement."""

    file: str
    find: str
    replace: str

    def applied(self, text: str) -> str:
        """Give the source with the replacement."""
        return text.replace(self.find, self.replace)


class Edits(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of edits; `unproved` is the change that reads rulebooks without a proof."""

    unproved: Change
    edit: tuple[Edit, ...]

    def changes(self, edit: Edit) -> tuple[Change, ...]:
        """Give all changes of an edit."""
        own = Change(edit.file, edit.find, edit.replace)
        return (own, self.unproved) if edit.unproved else (own,)


class Refusal(Struct, frozen=True, forbid_unknown_fields=True):
    """A fault for which a rulebook is refused, as a pattern, and the test that cites it."""

    says: str
    test: str


class Unnoticed(Struct, frozen=True, forbid_unknown_fields=True):
    """Keys whose change no table can notice, with the reason: printed ones, and other places."""

    printed: dict[str, str] = {}
    equivalent: dict[str, str] = {}
    refused: tuple[Refusal, ...] = ()

    def why(self, place: str, key: str) -> str | None:
        """Give the reason why a change need not be noticed, if there is one."""
        return self.printed.get(key) or self.equivalent.get(place) or self.equivalent.get(key)

    def cited(self, fault: str) -> str | None:
        """Name the test that cites a refusal, if there is one."""
        found = (each.test for each in self.refused if re.search(each.says, fault))
        return next(found, None)


def read_edits() -> Edits:
    """Read the edits of all documents."""
    return _read("edits", Edits)


def read_unnoticed() -> Unnoticed:
    """Read the changes that no test need notice."""
    return _read("unnoticed", Unnoticed)


def _read(name: str, shape: type[_Shape]) -> _Shape:
    return msgspec.convert(tomllib.loads((BY_HAND / f"{name}.toml").read_text("utf-8")), shape)


def edit_faults(edits: Edits) -> Iterator[str]:
    """Find edits that do not apply: their text must occur exactly once, and change."""
    for change in {change: None for edit in edits.edit for change in edits.changes(edit)}:
        times = (SOURCE / change.file).read_text("utf-8").count(change.find)
        if times != 1:
            yield f"{change.file}: {change.find!r} is there {times} times; once is right"
        if change.find == change.replace:
            yield f"{change.file}: {change.find!r} is replaced by itself"
    for name, times in Counter(edit.takes_out for edit in edits.edit).items():
        if times > 1:
            yield f"{name!r} is taken out {times} times; once is right"

"""A rulebook: one approved document version, read from its file, proved and compiled.

There is no other way to get one: a file that fails the proof is refused with its faults.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from taisai.core.rules.paytable import PayTable, compile_pay_table
from taisai.core.rules.proof import RulebookError, content_faults, pay_table_faults
from taisai.core.rules.reason import printable
from taisai.core.rules.schema import RulebookContent
from taisai.core.rules.shape import STEP, plainly

# Not compiled here: they are seldom needed, and take longer to compile than a pay table.
_PATH = r"(?P<what>.*?)(?: - at `(?P<key>key in )?\$(?P<path>.*?)`)?"

#: The keys that may identify an entry of a list, and the word for an entry of each list.
_NAMED_BY = ("number", "kind", "box", "code", "role", "name")
_WORDS = {"pay_tables": "pay table", "bets": "kind", "rows": "row", "areas": "box"}


def shape_fault(error: str, data: Any) -> str:
    """Word the decoder's error, with the pay table and the box instead of positions."""
    found = re.fullmatch(_PATH, error, re.DOTALL)
    assert found is not None, "the pattern takes any text"
    path = found["path"] or ""
    where = printable(", ".join(_places(path, data)))
    what = plainly(found["what"], path, RulebookContent)
    return f"{where}: {what}" if where else f"not a rulebook: {what}"


def _places(path: str, data: Any) -> list[str]:
    places: list[str] = []
    name = ""
    for step in re.finditer(STEP, path):
        if step["name"] is not None:
            name = step["name"]
            data = data.get(name) if isinstance(data, dict) else None
            places.append(name)
        elif step["index"] and step["index"] != "...":
            data = data[int(step["index"])] if isinstance(data, list) else None
            places[-1] = f"{_WORDS.get(name, name)} {_called(data, int(step['index']))}"
    return places


def _called(entry: Any, index: int) -> str:
    """Name an entry of a list by its identifying key, or by its position counted from one."""
    if isinstance(entry, dict):
        for key in _NAMED_BY:
            if isinstance(entry.get(key), str | int):
                return str(entry[key])[:60]
    return str(index + 1)


class Rulebook(Struct, frozen=True):
    """An approved document version, proved: content, fingerprint and compiled pay tables.

    `player_edges` names the boxes without a house edge: empty, except where a mathematician asked
    for such a rulebook. A table never opens on one.
    """

    content: RulebookContent
    canonical: bytes
    sha256: str
    pay_tables: Mapping[int, PayTable]
    player_edges: tuple[str, ...]

    @property
    def key(self) -> str:
        return self.content.key


def read_rulebook(text: str, source: str, *, allow_player_edge: bool = False) -> Rulebook:
    """Read a rulebook file and prove it; `source` is how a fault names the file."""
    # Not at the top: a rulebook read from its canonical form does not need it.
    import tomllib  # noqa: PLC0415

    try:
        data = tomllib.loads(text, parse_float=str)
    except ValueError as error:
        raise RulebookError(source, [f"not TOML: {error}"]) from None
    except RecursionError:
        raise RulebookError(source, ["not a rulebook: it is nested too deeply"]) from None
    try:
        content = msgspec.convert(data, RulebookContent)
    except msgspec.ValidationError as error:
        raise RulebookError(source, [shape_fault(str(error), data)]) from None
    return prove(content, source, allow_player_edge=allow_player_edge)


def rulebook_from_canonical(canonical: bytes, source: str) -> Rulebook:
    """Read a rulebook back from its canonical form, as a journal carries it, and prove it again."""
    try:
        content = msgspec.json.decode(canonical, type=RulebookContent)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RulebookError(source, [f"not a canonical rulebook: {error}"]) from None
    return prove(content, source)


def prove(content: RulebookContent, source: str, *, allow_player_edge: bool = False) -> Rulebook:
    """Compile a rulebook's content, or refuse it with every fault found."""
    _refuse_any(source, content_faults(content))
    tables = [compile_pay_table(content, table) for table in content.pay_tables]
    _refuse_any(
        source,
        (
            fault
            for table in tables
            for fault in pay_table_faults(content, table, allow_player_edge=allow_player_edge)
        ),
    )
    canonical = msgspec.json.encode(content, order="sorted")
    return Rulebook(
        content=content,
        canonical=canonical,
        sha256=hashlib.sha256(canonical).hexdigest(),
        pay_tables={table.number: table for table in tables},
        player_edges=tuple(
            f"{table.address} {box.key}"
            for table in tables
            for box in table.boxes.values()
            if box.house_edge <= 0
        ),
    )


def _refuse_any(source: str, faults: Iterable[str]) -> None:
    found = list(faults)
    if found:
        raise RulebookError(source, found)

"""The TypeScript types of HTTP: every body that is sent, and every answer.

They are read from the routes, like the OpenAPI document. Types that the socket has too are taken
from `protocol.ts`, so that a table has the same type both ways.
"""

import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import get_origin

from msgspec import Struct
from msgspec.inspect import Field, StructType, multi_type_info

from taisai.server.http.routes import read_and_written
from tools.protocol.typescript import HEAD, comment, spelled
from tools.protocol.vocabulary import (
    ALIASES,
    VocabularyError,
    name_of,
    own_sentence,
    reached,
    vocabulary,
)

#: The comment before a field that explains it.
_REMARK = re.compile(r"^\s*#: ?(?P<text>.*)$")
_FIELD = re.compile(r"^\s*(?P<name>\w+):")


def answers_page() -> str:
    """Write an interface for each type of a body or an answer."""
    shared = {cls for cls in _structs() if cls in vocabulary()}
    own = {cls: info for cls, info in _structs().items() if cls not in shared}
    declared = [_declaration(info) for info in own.values()]
    _check_names(own)
    names = sorted({name_of(cls) for cls in shared} | _aliases(declared))
    imported = "".join(f"  {name},\n" for name in names)
    parts = [
        HEAD,
        f'import type {{\n{imported}}} from "./protocol.ts";\n',
        f"export type {{\n{imported}}};\n",
        *declared,
    ]
    return "\n".join(parts)


@cache
def _structs() -> dict[type, StructType]:
    found: dict[type, StructType] = {}
    for info in multi_type_info(_read()) + multi_type_info(_written()):
        reached(info, found)
    return found


@cache
def _asked() -> frozenset[type]:
    """Find the types that a client sends: it may leave out fields with a default."""
    found: dict[type, StructType] = {}
    for info in multi_type_info(_read()):
        reached(info, found)
    return frozenset(found)


def _read() -> list[object]:
    return read_and_written(demo=True)[0]


def _written() -> list[object]:
    return read_and_written(demo=True)[1]


def _check_names(own: Iterable[type]) -> None:
    names = [name_of(cls) for cls in own]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise VocabularyError(f"Two types are called {', '.join(twice)}: tell them apart.")


def _aliases(declared: Iterable[str]) -> set[str]:
    """Find the named rows and literals of the socket that the declarations use."""
    words = {word for text in declared for word in re.findall(r"\w+", _without_comments(text))}
    return words & ALIASES.keys()


def _without_comments(text: str) -> str:
    return re.sub(r"/\*\*.*?\*/", "", text, flags=re.DOTALL)


def _declaration(info: StructType) -> str:
    cls = get_origin(info.cls) or info.cls
    meaning = own_sentence(cls)
    if meaning is None:
        raise VocabularyError(f"Nothing says what {name_of(cls)} means: give it a docstring.")
    tag = "" if info.tag is None else f'  readonly type: "{info.tag}";\n'
    remarks = _remarks(cls)
    fields = "".join(_field(info, field, remarks.get(field.name)) for field in info.fields)
    return f"{comment(meaning)}export interface {name_of(cls)} {{\n{tag}{fields}}}\n"


def _field(info: StructType, field: Field, remark: str | None) -> str:
    cls = info.cls
    asked = cls in _asked() or cls.__struct_config__.omit_defaults
    mark = "?" if asked and not field.required else ""
    said = "" if remark is None else comment(remark, "  ")
    return f"{said}  readonly {field.encode_name}{mark}: {spelled(field.type)};\n"


def _remarks(cls: type[Struct]) -> dict[str, str]:
    """Read the comment before each field in the type's source."""
    found: dict[str, str] = {}
    for each in reversed(cls.__mro__):
        if each.__module__.startswith("taisai."):
            found.update(_said_before(inspect.getsource(each).splitlines()))
    return found


def _said_before(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    said: list[str] = []
    for line in lines:
        if remark := _REMARK.match(line):
            said.append(remark["text"])
        else:
            if said and (field := _FIELD.match(line)):
                text = " ".join(said)
                yield field["name"], text[0].upper() + text[1:]
            said = []

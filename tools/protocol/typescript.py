"""The TypeScript types of every message, and a file of examples that the compiler checks."""

import json
from collections.abc import Iterator
from textwrap import wrap

import msgspec
from msgspec.inspect import (
    AnyType,
    BoolType,
    DateTimeType,
    DictType,
    FloatType,
    IntType,
    ListType,
    LiteralType,
    NoneType,
    StrType,
    StructType,
    TupleType,
    Type,
    TypedDictType,
    UnionType,
    VarTupleType,
    type_info,
)

from taisai.protocol import FRAME_MAX, MESSAGES_MAX, PROTOCOL
from taisai.protocol.views import PositionView, TableView, maps_of
from tools.protocol.examples import example_of
from tools.protocol.vocabulary import (
    ALIASES,
    VocabularyError,
    Word,
    alias_of,
    field_meaning,
    literal_parts,
    members,
    name_of,
    normal,
    vocabulary,
)

_WIDTH = 100


def _names(view: type[msgspec.Struct]) -> str:
    """Write the names of a view's maps."""
    return f"{json.dumps(sorted(maps_of(view)))} as const"


#: The first lines of a generated file.
HEAD = "// Written by `python -m tools.protocol_pages --write`; not edited by hand.\n"
_CONSTANTS = (
    ("PROTOCOL", PROTOCOL, "The version of the protocol that these types are of."),
    ("FRAME_MAX", FRAME_MAX, "Bytes that a frame may have, from either side."),
    ("MESSAGES_MAX", MESSAGES_MAX, "Messages that a frame may hold, one a line."),
    ("TABLE_MAPS", _names(TableView), "The fields of a `TableView` that are maps."),
    ("POSITION_MAPS", _names(PositionView), "The fields of a `PositionView` that are maps."),
)
#: Unions that hold every example of a kind, for the file of examples.
_EXEMPLIFIED = (
    "ClientMessage",
    "ServerMessage",
    "AnyCommand",
    "AnyPublicEvent",
    "AnyPrivateEvent",
    "AnyEvent",
)


_ONE_OF_EACH = """\
/** One of each member of a union, by its `type`. */
export type OneOfEach<Union extends { readonly type: string }> = {
  readonly [Tag in Union["type"]]: Extract<Union, { readonly type: Tag }>;
};
"""


def types_page() -> str:
    """Write the types: an interface for each object, a tuple for each row, unions by `type`."""
    parts = [
        HEAD,
        *(f"{comment(text)}export const {name} = {value};\n" for name, value, text in _CONSTANTS),
        *(_alias(name) for name in ALIASES),
        *(_declaration(word) for word in vocabulary().values()),
    ]
    return "\n".join(parts)


def examples_page() -> str:
    """Write an example of everything with a `type`, each checked by the compiler."""
    imported = "".join(f"  {name},\n" for name in _EXEMPLIFIED)
    parts = [
        HEAD,
        f'import type {{\n{imported}}} from "./protocol.ts";\n',
        _ONE_OF_EACH,
        *(_examples(name) for name in _EXEMPLIFIED),
    ]
    return "\n".join(parts)


def _examples(alias: str) -> str:
    lines = []
    for word in members(alias):
        text = json.dumps(json.loads(msgspec.json.encode(example_of(word.cls))), ensure_ascii=False)
        lines.append(f"  {word.tag}: {text},\n")
    name = f"one{alias.removeprefix('Any').removesuffix('Message')}"
    return f"export const {name}OfEach: OneOfEach<{alias}> = {{\n{''.join(lines)}}};\n"


def _alias(name: str) -> str:
    kind, meaning = ALIASES[name]
    info = normal(type_info(kind))
    if isinstance(info, UnionType):
        text = "".join(f"\n  | {word.name}" for word in members(name))
    elif isinstance(info, LiteralType):
        text = "".join(f"\n  | {json.dumps(each)}" for each in info.values)
    else:
        text = " " + _spelled(info)
    return f"{comment(meaning)}export type {name} ={text};\n"


def _declaration(word: Word) -> str:
    if word.array_like:
        items = "".join(_item(word, number) for number in range(len(word.info.fields)))
        return f"{comment(word.meaning)}export type {word.name} = readonly [\n{items}];\n"
    tag = "" if word.tag is None else f"  readonly type: {json.dumps(word.tag)};\n"
    fields = "".join(_field(word, number) for number in range(len(word.info.fields)))
    return f"{comment(word.meaning)}export interface {word.name} {{\n{tag}{fields}}}\n"


def _item(word: Word, number: int) -> str:
    field = word.info.fields[number]
    said = comment(field_meaning(word, field), "  ")
    return f"{said}  {field.encode_name}: {spelled(field.type)},\n"


def _field(word: Word, number: int) -> str:
    field = word.info.fields[number]
    mark = "?" if word.may_lack(field) else ""
    said = comment(field_meaning(word, field), "  ")
    return f"{said}  readonly {field.encode_name}{mark}: {spelled(field.type)};\n"


def spelled(info: Type) -> str:
    """Write a type in TypeScript, by its own name if it has one."""
    return alias_of(info) or _spelled(info)


_PLAIN = {
    StrType: "string",
    IntType: "number",
    FloatType: "number",
    BoolType: "boolean",
    NoneType: "null",
    AnyType: "unknown",
    DateTimeType: "string",
}


def _spelled(info: Type) -> str:
    info = normal(info)
    match info:
        case _ if type(info) in _PLAIN:
            return _PLAIN[type(info)]
        case StructType() | TypedDictType():
            return name_of(info.cls)
        case VarTupleType() | ListType():
            return f"readonly {_in_a_list(spelled(info.item_type))}[]"
        case TupleType():
            return f"readonly [{', '.join(map(spelled, info.item_types))}]"
        case DictType():
            return f"{{ readonly [name: string]: {spelled(info.value_type)} }}"
        case LiteralType():
            alias, rest = literal_parts(info)
            return " | ".join([*filter(None, [alias]), *map(json.dumps, rest)])
        case UnionType():
            return " | ".join(_union_parts(info))
        case _:
            raise VocabularyError(f"The TypeScript of {info} is not known: teach _spelled.")


def _union_parts(info: UnionType) -> Iterator[str]:
    """Write a union; a nullable one with a name of its own by that name."""
    rest = tuple(each for each in info.types if not isinstance(each, NoneType))
    alias = alias_of(UnionType(rest)) if len(rest) > 1 else None
    yield from [alias] if alias else map(spelled, rest)
    if len(rest) < len(info.types):
        yield "null"


def _in_a_list(text: str) -> str:
    return f"({text})" if " " in text else text


def comment(text: str, indent: str = "") -> str:
    """Write a doc comment, on one line if it fits."""
    one = f"{indent}/** {text} */\n"
    if "\n" not in text and len(one) <= _WIDTH:
        return one
    lines = [line for part in text.split("\n") for line in (wrap(part, 94 - len(indent)) or [""])]
    body = "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines)
    return f"{indent}/**\n{body}{indent} */\n"

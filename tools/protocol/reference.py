"""The reference part of docs/protocol.md: every message, command and event with its fields."""

import msgspec
from msgspec.inspect import (
    BoolType,
    DictType,
    Field,
    IntType,
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

from taisai.core.kernel.messages import Command
from taisai.core.kernel.registry import COMMANDS, WAITS
from tools.protocol.examples import example_of
from tools.protocol.vocabulary import (
    ALIASES,
    VocabularyError,
    Word,
    alias_of,
    field_meaning,
    kind_of,
    literal_parts,
    members,
    name_of,
    normal,
    vocabulary,
)

#: The parts of the reference, each with the text before its entries.
_SECTIONS = (
    ("ClientMessage", "What a client sends", ""),
    ("ServerMessage", "What the server sends", ""),
    (
        "WireCommand",
        "Commands",
        """\
What an `Ask` may hold. *By* are the roles that may give a command; *second* are those that may
approve it where it takes two persons. A terminal acts for itself alone.""",
    ),
    (
        "AnyPublicEvent",
        "Events for everybody",
        "In `Public`. Nobody's name and nobody's money is in them.",
    ),
    ("AnyPrivateEvent", "Events for one terminal", "In `Private`."),
    (
        "AnyEvent",
        "Events for staff",
        """\
In `Staff`: the journal's own events. `BetsRegistered` and `BetsWithdrawn` are not sent, and what is
long or sealed is sent empty: `lines`, `returned`, `netted`, `canonical`, `sealed`.""",
    ),
)


def reference() -> str:
    """Write the whole reference."""
    told: set[type] = set()
    parts = [_names()]
    for alias, title, preface in _SECTIONS:
        words = members(alias)
        told |= {word.cls for word in words}
        parts += [f"### {title}", *([preface] if preface else []), *map(_entry, words)]
    rest = [word for word in vocabulary().values() if word.cls not in told]
    parts += ["### Parts", "What messages, commands and events are made of."]
    parts += [_entry(word) for word in rest if kind_of(word.cls) == "part"]
    parts += [
        "### Commands that are not asked for over the socket",
        "Staff who watch a table meet those that take two persons inside `ApprovalRequested`.",
    ]
    parts += [_entry(word) for word in rest if kind_of(word.cls) == "command"]
    return "\n\n".join(parts) + "\n"


def _names() -> str:
    """List the named literals and rows that the tables below use."""
    rows = []
    for name in ("Faces", "Role", "Language"):
        kind, meaning = ALIASES[name]
        rows.append(
            f'| <a id="{name.lower()}"></a>`{name}` | {_shape(type_info(kind))} | {meaning} |'
        )
    return "\n".join(["| name | is | meaning |", "|---|---|---|", *rows])


def _entry(word: Word) -> str:
    parts = [f"#### {word.name}", word.meaning]
    if word.tag is not None and word.tag != word.name:
        parts[1] += f" On the wire its `type` is `{word.tag}`."
    if kind_of(word.cls) == "command":
        parts.append(_roles(word))
    if word.array_like:
        parts.append("A JSON array of these, in this order:")
    if word.info.fields:
        parts.append(_fields(word))
    if (example := example_of(word.cls)) is not None:
        parts.append(f"```json\n{msgspec.json.encode(example).decode()}\n```")
    return "\n\n".join(parts)


def _roles(word: Word) -> str:
    assert issubclass(word.cls, Command), word.name
    text = f"*By:* {', '.join(sorted(COMMANDS[word.cls].by))}."
    if COMMANDS[word.cls].second:
        when = "in some cases " if word.cls in WAITS else ""
        text += f" *Second, {when}needed:* {', '.join(sorted(COMMANDS[word.cls].second))}."
    return text


def _fields(word: Word) -> str:
    rows = [
        f"| `{field.encode_name}` | {_presence(word, field)}{_written(field.type)} "
        f"| {field_meaning(word, field)} |"
        for field in word.info.fields
    ]
    return "\n".join(["| field | type | meaning |", "|---|---|---|", *rows])


def _presence(word: Word, field: Field) -> str:
    """Give the value of a missing field."""
    if not word.may_lack(field) or isinstance(word.info, TypedDictType):
        return ""
    if field.default_factory is not msgspec.NODEFAULT:
        return "optional (`{}`), "
    return f"optional (`{msgspec.json.encode(field.default).decode()}`), "


def _written(info: Type) -> str:
    """Write a type in JSON's words, with a link if the page explains it elsewhere."""
    alias = alias_of(info)
    if alias is None:
        return _shape(info)
    return (
        f"one of [{alias}](#{_ANCHORS[alias]})"
        if alias in _ANCHORS
        else f"[{alias}](#{alias.lower()})"
    )


_ANCHORS = {
    "WireCommand": "commands",
    "AnyCommand": "commands",
    "AnyPublicEvent": "events-for-everybody",
    "AnyPrivateEvent": "events-for-one-terminal",
    "AnyEvent": "events-for-staff",
}


_PLAIN = {StrType: "string", IntType: "integer", BoolType: "boolean", NoneType: "null"}


def _shape(info: Type) -> str:
    info = normal(info)
    match info:
        case StrType() | IntType() | BoolType() | NoneType():
            return _PLAIN[type(info)]
        case StructType() | TypedDictType():
            name = name_of(info.cls)
            return f"[{name}](#{name.lower()})"
        case VarTupleType():
            return f"array of {_written(info.item_type)}"
        case TupleType():
            return f"array: {', '.join(map(_written, info.item_types))}"
        case DictType():
            return f"object: name → {_written(info.value_type)}"
        case LiteralType():
            alias, rest = literal_parts(info)
            named = [] if alias is None or not _is_part(info) else [f"[{alias}](#{alias.lower()})"]
            values = rest if named else [str(each) for each in info.values]
            return " or ".join([*named, *(f'`"{each}"`' for each in values)])
        case UnionType():
            return " or ".join(_union_parts(info))
        case _:
            raise VocabularyError(f"How to write {info} is not known: teach _shape.")


def _union_parts(info: UnionType) -> list[str]:
    """Write a union, by its own name if it has one, and whether it may be null."""
    rest = tuple(each for each in info.types if not isinstance(each, NoneType))
    named = len(rest) > 1 and alias_of(UnionType(rest)) is not None
    parts = [_written(UnionType(rest))] if named else [*map(_written, rest)]
    return parts if len(rest) == len(info.types) else [*parts, "null"]


def _is_part(info: LiteralType) -> bool:
    """Say whether a literal has more than the named one that it holds."""
    return bool(literal_parts(info)[1])

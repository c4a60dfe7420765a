"""The vocabulary of the protocol: every type in a message, its name, and its meaning.

It is read from the types. An event for everybody, for one terminal and in the journal may have the
same `type` on the wire; here each has a name of its own. Meanings are the types' own docstrings, or
if they have none, those of `meanings.toml`.
"""

import inspect
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.inspect import (
    DictType,
    Field,
    ListType,
    LiteralType,
    Metadata,
    StructType,
    TupleType,
    Type,
    TypedDictType,
    UnionType,
    VarTupleType,
    multi_type_info,
    type_info,
)

from taisai.core.kernel.messages import Command, Event, Role
from taisai.core.rules.dice import Faces
from taisai.core.streams import (
    CageCommand,
    CageEvent,
    TableCommand,
    TableEvent,
    VenueCommand,
    VenueEvent,
)
from taisai.protocol.client_messages import ClientMessage, Language, WireCommand
from taisai.protocol.private import AnyPrivateEvent, PrivateEvent
from taisai.protocol.public import AnyPublicEvent, PublicEvent
from taisai.protocol.server_messages import ServerMessage

#: The types that have fields.
Described = StructType | TypedDictType

MEANINGS = Path(__file__).with_name("meanings.toml")

#: The unions that have a name of their own, with the meaning of each.
ALIASES: dict[str, tuple[Any, str]] = {
    "ClientMessage": (ClientMessage, "What a client sends."),
    "ServerMessage": (ServerMessage, "What the server sends."),
    "WireCommand": (WireCommand, "What can be asked over the socket."),
    "AnyCommand": (
        TableCommand | CageCommand | VenueCommand,
        "What can be asked at all; over the socket one meets it where it waits for approval.",
    ),
    "AnyPublicEvent": (AnyPublicEvent, "What everybody who watches a table is sent."),
    "AnyPrivateEvent": (AnyPrivateEvent, "What one terminal alone is sent."),
    "AnyEvent": (
        TableEvent | CageEvent | VenueEvent,
        "What staff are sent, as the journal has it.",
    ),
    "Faces": (Faces, "Three dice."),
    "Role": (Role, "Who somebody is in the venue."),
    "Language": (Language, "A language that sentences are made in."),
}

#: Events of these families have a distinguishing word before their name.
FAMILIES = {PublicEvent: "Public", PrivateEvent: "Private"}


class VocabularyError(ValueError):
    """A type or a field without a meaning, or a meaning without a type or field."""


@dataclass(frozen=True, slots=True)
class Word:
    """A type of the protocol: its name, its `type` on the wire if it has one, and its meaning."""

    name: str
    cls: type
    info: StructType | TypedDictType
    meaning: str
    #: Whether a client may send it, and may then leave out fields with a default.
    asked: bool

    @property
    def tag(self) -> str | None:
        """The value of `type`."""
        tag = self.info.tag if isinstance(self.info, StructType) else None
        return None if tag is None else str(tag)

    @property
    def array_like(self) -> bool:
        """Say whether it is written as a row."""
        return isinstance(self.info, StructType) and self.info.array_like

    def may_lack(self, field: Field) -> bool:
        """Say whether the sender may leave out a field with its default value."""
        if isinstance(self.info, TypedDictType):
            return True
        omits = self.info.cls.__struct_config__.omit_defaults
        return not field.required and (self.asked or omits)


def name_of(cls: type) -> str:
    """Name a type, so that no two have the same name."""
    prefix = next((word for kind, word in FAMILIES.items() if issubclass(cls, kind)), "")
    return prefix + cls.__name__


@cache
def vocabulary() -> dict[type, Word]:
    """Find every type in a message, in the order of appearance."""
    asking, telling = multi_type_info([ClientMessage, ServerMessage])
    asked = dict(reached(asking, {}))
    meanings = read_meanings()
    words = {
        cls: Word(name_of(cls), cls, info, _meaning(cls, meanings), cls in asked)
        for cls, info in {**asked, **dict(reached(telling, {}))}.items()
    }
    names = [word.name for word in words.values()]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise VocabularyError(f"Two types are called {', '.join(sorted(twice))}: tell them apart.")
    return words


def members(alias: str) -> list[Word]:
    """List the types that a named union is made of."""
    info = _aliased(alias)
    assert isinstance(info, UnionType), alias
    return [vocabulary()[each.cls] for each in info.types if isinstance(each, StructType)]


@cache
def _aliased(alias: str) -> Type:
    """Resolve a named type, cached for all words."""
    return type_info(ALIASES[alias][0])


def reached(info: Type, seen: dict[type, Any]) -> dict[type, Any]:
    """Add the types that a type is made of to those seen before."""
    if isinstance(info, Described):
        if info.cls in seen:
            return seen
        seen[info.cls] = info
    for inner in _inner(info):
        reached(inner, seen)
    return seen


def _inner(info: Type) -> Iterator[Type]:
    match info:
        case StructType() | TypedDictType():
            yield from (field.type for field in info.fields)
        case UnionType():
            yield from info.types
        case TupleType():
            yield from info.item_types
        case VarTupleType() | ListType():
            yield info.item_type
        case DictType():
            yield from (info.key_type, info.value_type)
        case Metadata():
            yield info.type
        case _:
            return


# --- meanings ------------------------------------------------------------------------------------


class Meanings(Struct, frozen=True, forbid_unknown_fields=True):
    """Meanings written by hand: types by `type` or name; fields by name, or as `Type.field`."""

    types: dict[str, str]
    fields: dict[str, str]


@cache
def read_meanings() -> Meanings:
    """Read the meanings written by hand."""
    try:
        return msgspec.convert(tomllib.loads(MEANINGS.read_text("utf-8")), Meanings)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise VocabularyError(f"tools/protocol/meanings.toml cannot be read: {error}.") from None


def own_sentence(cls: type) -> str | None:
    """Give a type's own docstring."""
    own = cls.__dict__.get("__doc__")
    return _flowing(inspect.cleandoc(own)) if own else None


def _meaning(cls: type, meanings: Meanings) -> str:
    if (own := own_sentence(cls)) is not None:
        return own
    for key in (name_of(cls), cls.__name__):
        if key in meanings.types:
            return meanings.types[key]
    raise VocabularyError(
        f"Nothing says what {name_of(cls)} means: give it a docstring, or a sentence in "
        "tools/protocol/meanings.toml."
    )


def _flowing(text: str) -> str:
    """Join the lines of each paragraph into one."""
    return "\n\n".join(re.sub(r"\s*\n\s*", " ", part) for part in text.split("\n\n"))


def field_meaning(word: Word, field: Field) -> str:
    """Give the meaning of a field."""
    meanings = read_meanings().fields
    for key in field_keys(word, field):
        if key in meanings:
            return meanings[key]
    raise VocabularyError(
        f"Nothing says what {word.name}.{field.encode_name} holds: "
        "write it in tools/protocol/meanings.toml."
    )


def field_keys(word: Word, field: Field) -> tuple[str, ...]:
    """List the keys under which a field's meaning is looked for, the most exact first."""
    name = field.encode_name
    # A field of changes has the same meaning as in the view.
    own = (word.name, word.cls.__name__, word.name.replace("Changes", "View"))
    return (*(f"{each}.{name}" for each in own), name)


def unused_meanings() -> list[str]:
    """List meanings written by hand that are no longer used."""
    words = vocabulary().values()
    undocumented = {
        key
        for word in words
        if not word.cls.__dict__.get("__doc__")
        for key in (word.name, word.cls.__name__)
    }
    fields = read_meanings().fields
    used = {
        next((key for key in field_keys(word, field) if key in fields), None)
        for word in words
        for field in word.info.fields
    }
    return sorted({*read_meanings().types} - undocumented) + sorted({*fields} - used)


# --- identifying types ---------------------------------------------------------------------------


def alias_of(info: Type) -> str | None:
    """Name a union or tuple that has a name of its own."""
    return _named().get(_key(info))


def normal(info: Type) -> Type:
    """Join the literals of a union into one, and remove annotations of a type."""
    if isinstance(info, Metadata):
        return normal(info.type)
    if not isinstance(info, UnionType):
        return info
    values = [
        value for each in info.types if isinstance(each, LiteralType) for value in each.values
    ]
    others = tuple(each for each in info.types if not isinstance(each, LiteralType))
    if not values:
        return info
    return (
        UnionType((LiteralType(tuple(values)), *others)) if others else LiteralType(tuple(values))
    )


@cache
def _named() -> Mapping[object, str]:
    return {_key(type_info(kind)): name for name, (kind, _) in ALIASES.items()}


def _key(info: Type) -> object:
    """Make a key of a type from its parts, whatever their order."""
    info = normal(info)
    match info:
        case UnionType():
            return ("union", frozenset(map(_key, info.types)))
        case TupleType():
            return ("tuple", tuple(map(_key, info.item_types)))
        case LiteralType():
            return ("literal", frozenset(info.values))
        case StructType() | TypedDictType():
            return info.cls
        case _:
            return repr(info)


def literal_parts(info: LiteralType) -> tuple[str | None, list[str]]:
    """Split the values of a literal into a named one and the rest."""
    for name in ("Role", "Language"):
        known = normal(_aliased(name))
        assert isinstance(known, LiteralType), name
        if set(known.values) <= set(info.values):
            return name, [str(each) for each in info.values if each not in known.values]
    return None, [str(each) for each in info.values]


def kind_of(cls: type) -> str:
    """Say whether a type is a message, a command, an event, or a part of those."""
    if issubclass(cls, Command):
        return "command"
    if issubclass(cls, PublicEvent | PrivateEvent | Event):
        return "event"
    aliased = {word.cls for name in ("ClientMessage", "ServerMessage") for word in members(name)}
    return "message" if cls in aliased else "part"

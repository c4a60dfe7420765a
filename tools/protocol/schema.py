"""The JSON Schema of every message, with names that a reader of another language can use."""

import json
from typing import Any

import msgspec

from taisai.protocol import PROTOCOL
from taisai.protocol.client_messages import ClientMessage
from taisai.protocol.server_messages import ServerMessage
from tools.protocol.examples import example_of
from tools.protocol.vocabulary import ALIASES, Word, field_meaning, vocabulary

_DEFS = "#/$defs/"


def schema_page() -> str:
    """Write the schema; a client's messages are `ClientMessage`, the server's the other one."""
    unions, found = msgspec.json.schema_components(
        [ClientMessage, ServerMessage], ref_template=_DEFS + "{name}"
    )
    names = {_found_name(word.cls, found): word.name for word in vocabulary().values()}
    definitions: dict[str, Any] = {}
    for name, union in zip(("ClientMessage", "ServerMessage"), unions, strict=True):
        definitions[name] = {"description": ALIASES[name][1], **_renamed(union, names)}
    for word in vocabulary().values():
        definitions[word.name] = _definition(word, found[_found_name(word.cls, found)], names)
    page = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:taisai:protocol:{PROTOCOL}",
        "title": "The live venue: what goes over the socket",
        "description": "Written by `python -m tools.protocol_pages --write` from the types of "
        "taisai.protocol; not edited by hand.",
        "anyOf": [{"$ref": f"{_DEFS}ClientMessage"}, {"$ref": f"{_DEFS}ServerMessage"}],
        "$defs": definitions,
    }
    return json.dumps(page, indent=1, ensure_ascii=False) + "\n"


def _found_name(cls: type, found: dict[str, Any]) -> str:
    """Give the name that the schema was first made with."""
    return cls.__name__ if cls.__name__ in found else f"{cls.__module__}.{cls.__qualname__}"


def _definition(word: Word, raw: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    definition: dict[str, Any] = _renamed(raw, names)
    definition["title"] = word.name
    definition["description"] = word.meaning
    fields = word.info.fields
    if word.array_like:
        for field, item in zip(fields, definition["prefixItems"], strict=True):
            item |= {"title": field.encode_name, "description": field_meaning(word, field)}
    else:
        for field in fields:
            definition["properties"][field.encode_name]["description"] = field_meaning(word, field)
        always = [each.encode_name for each in fields if not word.may_lack(each)]
        if word.tag is not None:
            always.insert(0, "type")
        definition["required"] = always
    example = example_of(word.cls)
    if example is not None:
        definition["examples"] = [msgspec.to_builtins(example)]
    return definition


def _renamed(part: Any, names: dict[str, str]) -> Any:
    """Put the page's names where the schema refers to a type."""
    if isinstance(part, list):
        return [_renamed(each, names) for each in part]
    if not isinstance(part, dict):
        return part
    changed = {key: _renamed(value, names) for key, value in part.items()}
    if isinstance(reference := changed.get("$ref"), str):
        changed["$ref"] = _DEFS + names[reference.removeprefix(_DEFS)]
    # This key is OpenAPI's, with references of its own; `type` distinguishes messages anyway.
    changed.pop("discriminator", None)
    return changed

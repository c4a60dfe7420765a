"""Examples for the OpenAPI document, made from the types.

A field shows what `examples.toml` has for its name, else what its own type gives as an example,
else something that its type allows. Sums do not add up: an example shows the form alone.
"""

import tomllib
from importlib import resources
from typing import Any

from msgspec import inspect

_FOUND = resources.files(__package__).joinpath("examples.toml").read_text(encoding="utf-8")
_TEXTS: dict[str, str] = tomllib.loads(_FOUND)["texts"]
_NUMBERS: dict[str, int] = tomllib.loads(_FOUND)["numbers"]
_FACES = [2, 2, 5]
_AMOUNT = 10_000


def example_of(type_: Any) -> Any:
    """Give an example of a type, as plain data."""
    return _example(inspect.type_info(type_), "")


def _example(info: inspect.Type, name: str) -> Any:
    match info:
        case inspect.Metadata(extra_json_schema={"examples": [first, *_]}):
            return first
        case inspect.Metadata():
            return _example(info.type, name)
        case inspect.StructType():
            return _struct(info)
        case inspect.UnionType():
            # What may be null is shown as it is where it is not.
            there = (each for each in info.types if not isinstance(each, inspect.NoneType))
            return _example(next(there), name)
        case inspect.TupleType():
            faces = len(info.item_types) == len(_FACES)
            return _FACES if faces else [_example(each, name) for each in info.item_types]
        case inspect.DictType():
            key = "118" if isinstance(info.key_type, inspect.IntType) else _TEXTS["box"]
            return {key: _example(info.value_type, name)}
        case inspect.CollectionType():
            return [_example(info.item_type, name)]
        case _:
            return _plain(info, name)


def _struct(info: inspect.StructType) -> dict[str, Any] | list[Any]:
    fields = {field.encode_name: _example(field.type, field.name) for field in info.fields}
    if info.array_like:
        return [*fields.values()]
    return fields if info.tag is None else {str(info.tag_field): info.tag, **fields}


def _plain(info: inspect.Type, name: str) -> Any:
    match info:
        case inspect.StrType() | inspect.AnyType():
            return _TEXTS.get(name, name.replace("_", " "))
        case inspect.IntType():
            usual = _NUMBERS["at"] if name.endswith("_at") else _AMOUNT
            return min(_NUMBERS.get(name, usual), info.le or _NUMBERS["expires"])
        case inspect.LiteralType():
            return _TEXTS[name] if _TEXTS.get(name) in info.values else info.values[0]
        case inspect.EnumType():
            return next(iter(info.cls)).value
        case inspect.FloatType():
            return 0.25
        case inspect.BoolType():
            return False
        case inspect.DateTimeType():
            return "2026-11-16T06:00:00+08:00"
        case _:
            raise TypeError(f"no example is known for {info}")

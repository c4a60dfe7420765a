"""What is wrong with the shape of a file that a person wrote: the decoder's words, put plainly."""

import re
from collections.abc import Iterator
from typing import Any

from taisai.core.rules.reason import printable

#: A step on the way to a value, as the decoder writes it: a key, or a place in a list.
STEP = r"\.?(?P<name>[^.\[\]]+)|\[(?P<index>\d*|\.\.\.)\]"

_MOMENT = "a date and a time with its zone, like 2023-10-06T08:00:00+08:00,"
_KINDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a section",
    "datetime": _MOMENT,
    "date": "a date",
    "time": "a time of day",
}
_BOUNDS = {">=": "at least", "<=": "at most", ">": "above", "<": "below", "": "exactly"}

_EXPECTED = (
    r"Expected `(?P<kinds>[^`]*)`"
    r"(?P<length> of length)?(?: (?P<bound>[<>]=?))?(?: (?P<size>-?[\d.]+))?"
    r"(?:, got (?:`(?P<kind>\w+)`|(?P<count>\d+)))?"
)
_MISSING = r"Object missing required field `(?P<key>.*)`"
_UNKNOWN = r"Object contains unknown field `(?P<key>.*)`"
_NO_CHOICE = r"Invalid enum value (?P<value>.*)"


def plainly(complaint: str, path: str, root: type) -> str:
    """Say what the decoder of a type complains of at a path, and what would be right there."""
    for pattern, words in (
        (_EXPECTED, _wrong_kind),
        (_MISSING, lambda found: f"the key {_cut(found['key'])} is missing"),
        (_UNKNOWN, lambda found: _unknown_key(found["key"], path, root)),
        (_NO_CHOICE, lambda found: _no_choice(found["value"], path, root)),
        (r"Invalid RFC3339 encoded datetime", lambda _: f"{_MOMENT} is right"),
    ):
        found = re.fullmatch(pattern, complaint, re.DOTALL)
        if found is not None:
            return words(found)
    return printable(complaint.replace("`", "'"))


def _wrong_kind(found: re.Match[str]) -> str:
    *others, last = [
        _KINDS.get(kind, kind) for kind in found["kinds"].split(" | ") if kind != "null"
    ]
    right = f"{', '.join(others)} or {last}" if others else last
    if found["size"] is not None:
        long = " long" if found["length"] else ""
        right += f", {_BOUNDS[found['bound'] or '']} {found['size']}{long},"
    given = found["count"] or _KINDS.get(found["kind"], found["kind"])
    return f"{right} is right" + (f", not {given.rstrip(',')}" if given else "")


def _unknown_key(key: str, path: str, root: type) -> str:
    keys = [
        field.encode_name for each in _types_at(path, root) for field in getattr(each, "fields", ())
    ]
    return f"there is no key {_cut(key)}; the keys are {', '.join(keys)}"


def _no_choice(value: str, path: str, root: type) -> str:
    choices = [choice for each in _types_at(path, root) for choice in getattr(each, "values", ())]
    return f"{_cut(value.strip(chr(39)))} is none of {', '.join(choices)}"


def _cut(name: str) -> str:
    return f"'{printable(name[:40])}'"


def _types_at(path: str, root: type) -> list[Any]:
    """Find what may be at a path, as the types say."""
    # Not at the top: only a file with a fault in it asks for it.
    from msgspec import inspect  # noqa: PLC0415

    found = [inspect.type_info(root)]
    for step in re.finditer(STEP, path):
        found = [inner for each in found for inner in _inside(each, step["name"])]
    return [choice for each in found for choice in _choices(each)]


def _inside(kind: Any, name: str | None) -> Iterator[Any]:
    """Give the types of a key of a section, or without a name those of what a list has in it."""
    for choice in _choices(kind):
        if name is None:
            yield from getattr(choice, "item_types", ())
            yield from (
                getattr(choice, which)
                for which in ("item_type", "value_type")
                if hasattr(choice, which)
            )
        else:
            fields = getattr(choice, "fields", ())
            yield from (field.type for field in fields if field.encode_name == name)


def _choices(kind: Any) -> tuple[Any, ...]:
    """Give the types of a union, or the one that it is."""
    return getattr(kind, "types", (kind,))

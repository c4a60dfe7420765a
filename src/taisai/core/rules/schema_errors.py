"""Where a rulebook file has not the shape it should have, said in the file's own words."""

import re
from typing import Any

_PATH = re.compile(r"(?P<what>.*?)(?: - at `(?P<key>key in )?\$(?P<path>.*?)`)?", re.DOTALL)
_STEP = re.compile(r"\.?(?P<name>[^.\[\]]+)|\[(?P<index>\d*|\.\.\.)\]")

#: What tells the entries of a list apart, and what an entry is called.
_NAMED_BY = ("number", "kind", "box", "code", "role", "name")
_WORDS = {"pay_tables": "pay table", "bets": "kind", "rows": "row", "areas": "box"}


def shape_fault(error: str, data: Any) -> str:
    """Word the decoder's complaint, with the pay table and the box instead of positions."""
    found = _PATH.fullmatch(error)
    assert found is not None, "the pattern takes any text"
    where = ", ".join(_places(found["path"] or "", data))
    what = found["what"].replace("`", "'")
    return f"{where}: {what}" if where else f"not a rulebook: {what}"


def _places(path: str, data: Any) -> list[str]:
    places: list[str] = []
    name = ""
    for step in _STEP.finditer(path):
        if step["name"] is not None:
            name = step["name"]
            data = data.get(name) if isinstance(data, dict) else None
            places.append(name)
        elif step["index"] and step["index"] != "...":
            data = data[int(step["index"])] if isinstance(data, list) else None
            places[-1] = f"{_WORDS.get(name, name)} {_called(data, int(step['index']))}"
    return places


def _called(entry: Any, index: int) -> str:
    """Call an entry of a list by what names it, or by its position counted from one."""
    if isinstance(entry, dict):
        for key in _NAMED_BY:
            if isinstance(entry.get(key), str | int):
                return str(entry[key])[:60]
    return str(index + 1)

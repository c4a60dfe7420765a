"""JSON read strictly: an object that has a key twice says two things, and is not understood."""

import json
from typing import Any


class TwiceError(ValueError):
    """A key that an object has twice."""


def _once_each(pairs: list[tuple[str, Any]]) -> None:
    seen = set()
    for key, _ in pairs:
        if key in seen:
            raise TwiceError(key)
        seen.add(key)


def twice_in(data: bytes) -> str | None:
    """Find a key that an object has twice, in JSON that is right otherwise."""
    try:
        # Numbers stay as they are written: only keys are looked at.
        json.loads(data.decode(), object_pairs_hook=_once_each, parse_int=str, parse_float=str)
    except TwiceError as error:
        return str(error)
    return None

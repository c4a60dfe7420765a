"""JSON read strictly: an object with a key twice is ambiguous, and is refused."""

import json
from typing import Any


class TwiceError(ValueError):
    """An object has this key twice."""


def _once_each(pairs: list[tuple[str, Any]]) -> None:
    seen = set()
    for key, _ in pairs:
        if key in seen:
            raise TwiceError(key)
        seen.add(key)


def twice_in(data: bytes) -> str | None:
    """Find a key that an object has twice, in otherwise valid JSON."""
    try:
        # Numbers stay as they are written: only keys are checked.
        json.loads(data.decode(), object_pairs_hook=_once_each, parse_int=str, parse_float=str)
    except TwiceError as error:
        return str(error)
    return None

"""Values that thousands of positions hold and every bet reads: equal ones are one object.

A bet comes with a number and a name of its own. Held by each position, they lie all over the
memory, and the next bet of that position waits for each of them.
"""

from collections.abc import Callable
from typing import TypeVar

_K = TypeVar("_K")
_V = TypeVar("_V")

#: So many are held; then all are forgotten, and made again when they are asked for.
HELD_MAX = 50_000


class _Once(dict[_K, _V]):
    def __init__(self, make: Callable[[_K], _V]) -> None:
        self._make = make

    def __missing__(self, key: _K) -> _V:
        if len(self) >= HELD_MAX:
            self.clear()
        made = self[key] = self._make(key)
        return made


def once(make: Callable[[_K], _V]) -> Callable[[_K], _V]:
    """Make each value once: what was made for a key is given again to whoever asks for it."""
    return _Once(make).__getitem__


#: The one object for an amount, or for the key of a box.
same_amount: Callable[[int], int] = once(int)
same_box: Callable[[str], str] = once(str)

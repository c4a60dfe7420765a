"""Whoever is at the other end of a line, known or not."""

from typing import Literal, Protocol

#: Where the scope of a request has who is at the other end.
GUEST = "taisai.guest"

Standing = Literal["newcomer", "visitor", "known", "gone"]


class Way(Protocol):
    """What leads to somebody."""

    def abort(self) -> None:
        """End it at once."""


class Guest:
    """Whoever is at the other end of a line."""

    __slots__ = ("_way", "heard", "place", "standing", "who")

    def __init__(self, place: str, way: Way) -> None:
        self.place = place
        self._way = way
        self.standing: Standing = "gone"
        #: How many things were done for them in turn.
        self.heard = 0
        #: Under which name one that is known is counted.
        self.who = ""

    def cut(self) -> None:
        """End the line at once."""
        self._way.abort()

"""Guests: the clients at the other ends of connections, known or not."""

from typing import Literal, Protocol

#: The key of the guest in the scope of a request.
GUEST = "taisai.guest"

Standing = Literal["newcomer", "visitor", "known", "gone"]


class Way(Protocol):
    """The connection to a guest."""

    def abort(self) -> None:
        """End it at once."""


class Guest:
    """A client at the other end of a connection: its place, and how well it is known."""

    __slots__ = ("_way", "heard", "place", "standing", "who")

    def __init__(self, place: str, way: Way) -> None:
        self.place = place
        self._way = way
        self.standing: Standing = "gone"
        #: How many things were done for it in turn.
        self.heard = 0
        #: The name under which a known guest is counted.
        self.who = ""

    def cut(self) -> None:
        """Close the connection at once."""
        self._way.abort()

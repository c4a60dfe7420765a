"""What a gateway and the venue put on their lane: kinds of entries, the longer of them as types.

An entry has a kind, a number and bytes. The number is that of a connection, as its gateway counts
them, or that of a crowd: all who watch a table through one gateway in one language.
"""

from typing import Literal

from msgspec import Struct, msgpack

from taisai.core.kernel.messages import Role
from taisai.protocol.client_messages import Language

# --- from a gateway to the venue ---------------------------------------------------------------

#: Somebody has said hello (`Opened`); said something else, as they said it; has gone; reads again
#: after having missed something; was replaced, and is still there. What was counted (`Counts`).
OPENED, SAID, GONE, BEHIND, STILL_THERE, COUNTED = range(1, 7)
#: Somebody whom the office knows has to do with a table of this owner (`Admitted`); somebody of the
#: staff is not idle.
ADMITTED, TOUCHED = range(7, 9)

# --- from the venue to a gateway ---------------------------------------------------------------

#: How to serve (`Terms`), which comes first, and that the venue stops.
TERMS, STOPS = range(11, 13)
#: For one connection: a message that is waited for, and one that many are sent at once; who it is
#: (`Known`); that what follows has all that it missed; its end (`Ended`), that it is replaced, its
#: end at once.
NOW, LATER, KNOWN, CAUGHT_UP, ENDED, REPLACED, CUT = range(21, 28)
#: For a crowd: who is in it from here on, who is not any more, a message for all of it, and one
#: that has time.
JOINS, LEAVES, NEWS, ALONG = range(31, 35)
#: For one connection, among nodes: what lets it in at owners (`Granted`), that it needs another.
GRANTED, UNGRANTED = range(35, 37)

# --- requests over HTTP, both ways: the number is that of a request ----------------------------

#: A piece of a request or of its answer, that so many bytes of it were passed on, and its end.
PIECE, PASSED_ON, OVER = range(41, 44)


class Opened(Struct, array_like=True, frozen=True):
    """Somebody at a gateway who says hello: from where, by which session, and their hello."""

    place: str
    cookie: str | None
    hello: bytes
    #: Whether it was welcomed before, by an office that has gone since.
    again: bool = False


class Admitted(Struct, array_like=True, frozen=True):
    """Somebody whom the office knows: by which grant, from where, and what they have already."""

    grant: bytes
    place: str
    language: Language
    after: int | None


class Granted(Struct, array_like=True, frozen=True):
    """What lets somebody in at owners, and the table that a terminal is bound to."""

    grant: bytes
    table: str | None


class Known(Struct, array_like=True, frozen=True):
    """Who somebody is: a visitor, or a person or terminal that is counted under a name."""

    person: str
    role: Role | Literal["visitor"]
    who: str


class Ended(Struct, array_like=True, frozen=True):
    """Why a connection ends."""

    close_code: int
    code: str
    sentence: str


class Counts(Struct, array_like=True, frozen=True):
    """What a gateway counted since it last said so, and how many wait to say who they are."""

    frames_in: int
    frames_out: int
    slow: int
    faults: int
    refusals: dict[str, int]
    turned_away: dict[str, int]
    newcomers: int


class Terms(Struct, array_like=True, frozen=True):
    """How a gateway is to serve: its name, settings as JSON, where pages are asked for, its log."""

    name: str
    settings: bytes
    pages: str
    log: Literal["text", "json"]


write = msgpack.Encoder().encode
read_opened = msgpack.Decoder(Opened).decode
read_known = msgpack.Decoder(Known).decode
read_ended = msgpack.Decoder(Ended).decode
read_admitted = msgpack.Decoder(Admitted).decode
read_granted = msgpack.Decoder(Granted).decode
read_counts = msgpack.Decoder(Counts).decode
read_terms = msgpack.Decoder(Terms).decode


def write_number(number: int) -> bytes:
    """Write the number of a crowd."""
    return number.to_bytes(4, "big")


def read_number(data: bytes) -> int:
    """Read the number of a crowd."""
    return int.from_bytes(data, "big")

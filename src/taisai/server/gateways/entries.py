"""The kinds of entries on the lane between a gateway and the venue; types for the longer ones.

An entry has a kind, a number and bytes. The number is that of a connection, which its gateway gives
it, or of a crowd: all connections that watch a table through one gateway in one language.
"""

from typing import Literal

from msgspec import Struct, msgpack

from taisai.core.kernel.messages import Role
from taisai.protocol.client_messages import Language

# --- from a gateway to the venue ---------------------------------------------------------------

#: A client has said hello (`Opened`); sent another message, as it is; disconnected; reads again
#: after it missed messages; was replaced, and is still alive. The gateway's counts (`Counts`).
OPENED, SAID, GONE, BEHIND, STILL_THERE, COUNTED = range(1, 7)
#: A client that the office has admitted uses a table of this owner (`Admitted`); a person of the
#: staff is not idle.
ADMITTED, TOUCHED = range(7, 9)

# --- from the venue to a gateway ---------------------------------------------------------------

#: How to serve (`Terms`), always the first; the venue stops.
TERMS, STOPS = range(11, 13)
#: For one connection: a message that the client waits for; a broadcast; who it is (`Known`); all
#: that it missed follows; it is closed (`Ended`); it is replaced; it is closed at once.
NOW, LATER, KNOWN, CAUGHT_UP, ENDED, REPLACED, CUT = range(21, 28)
#: For a crowd: a connection joins; a connection leaves; a message for all of it; one that may wait.
JOINS, LEAVES, NEWS, ALONG = range(31, 35)
#: For one connection, in a cluster: its grant for owners (`Granted`); it needs another grant.
GRANTED, UNGRANTED = range(35, 37)

# --- requests over HTTP, both ways: the number is that of a request ----------------------------

#: A piece of a request or of its answer; so many bytes of it were passed on; its end.
PIECE, PASSED_ON, OVER = range(41, 44)


class Opened(Struct, array_like=True, frozen=True):
    """A client at a gateway says hello: its place, the cookie of its session, and its Hello."""

    place: str
    cookie: str | None
    hello: bytes
    #: Whether it has had its Welcome from an earlier office.
    again: bool = False


class Admitted(Struct, array_like=True, frozen=True):
    """A client that the office has admitted: its grant, its place, and the sequence it has."""

    grant: bytes
    place: str
    language: Language
    after: int | None


class Granted(Struct, array_like=True, frozen=True):
    """The grant that lets a client in at owners, and the table that a terminal is bound to."""

    grant: bytes
    table: str | None


class Known(Struct, array_like=True, frozen=True):
    """Who a client is: a visitor, or a person or terminal that is counted under a name."""

    person: str
    role: Role | Literal["visitor"]
    who: str


class Ended(Struct, array_like=True, frozen=True):
    """Why a connection ends."""

    close_code: int
    code: str
    sentence: str


class Counts(Struct, array_like=True, frozen=True):
    """What a gateway has counted since its last counts, and how many have not said hello."""

    frames_in: int
    frames_out: int
    slow: int
    faults: int
    refusals: dict[str, int]
    turned_away: dict[str, int]
    newcomers: int


class Terms(Struct, array_like=True, frozen=True):
    """How a gateway is to serve: its name, settings as JSON, the address of the pages, its log."""

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

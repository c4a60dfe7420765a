"""The messages between a venue's process and those outside: lines of JSON on one socket."""

from msgspec import Struct, json

from taisai.core.kernel.messages import Instant, Order


class Settings(Struct, tag=True):
    """The first line: the paths of journal, keys and board, and what is to be broken."""

    journal: str
    keys: str
    board: str
    seed: int
    broken: str | None = None


class Asked(Struct, tag=True):
    """A command for a stream; `number` is the request's own, not the command's id."""

    number: int
    stream: str
    order: Order


class Stop(Struct, tag=True):
    """The request that the venue stop in order."""


class Ready(Struct, tag=True):
    """The venue is open, its tables too."""


class Told(Struct, tag=True):
    """The answer to a command: its versions, or why it was refused."""

    number: int
    first: int = 0
    last: int = 0
    at: Instant = 0
    refused: str | None = None
    voucher: str | None = None


class Printed(Struct, tag=True):
    """The number of a voucher that a terminal cashed out."""

    voucher: str


Said = Ready | Told | Printed

_encode = json.Encoder().encode
read_settings = json.Decoder(Settings).decode
read_asked = json.Decoder(Asked | Stop).decode
read_said = json.Decoder(Said).decode


def line(message: Settings | Asked | Stop | Said) -> bytes:
    """Encode a message as a line."""
    return _encode(message) + b"\n"

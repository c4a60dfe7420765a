"""What a client sends: who it is, what it wants to watch, and what it asks for."""

from typing import TYPE_CHECKING, Literal, get_args

from msgspec import Struct

from taisai.core.kernel.messages import Command
from taisai.core.kernel.registry import COMMANDS
from taisai.core.streams import AnyCommand, union

Language = Literal["en", "zh-Hans", "zh-Hant"]

#: What terminals and staff may ask for over the socket. Selling and paying vouchers goes over HTTP,
#: since the answer is a number that is written down nowhere; an approval comes with a PIN.
if TYPE_CHECKING:
    WireCommand = Command
else:
    WireCommand = union(tuple(kind for kind in get_args(AnyCommand) if COMMANDS[kind].wire))


class SentByClient(Struct, frozen=True, tag=True, forbid_unknown_fields=True, gc=False):
    """Something a client sends."""


class TerminalKey(Struct, frozen=True, forbid_unknown_fields=True):
    """A Player Terminal, and the key it was given when it was enrolled."""

    table: str
    terminal: str
    key: str

    def __repr__(self) -> str:
        """Name the terminal; a key is never shown."""
        return f"TerminalKey({self.table!r}, {self.terminal!r}, key=…)"


class Hello(SentByClient, frozen=True):
    """Say who this is: a terminal with its key, staff with a session, or a visitor with neither.

    In a browser the session comes as a cookie instead. `after` is the last sequence that a terminal
    has of its private channel: what it missed is sent, or a snapshot. `checkpoint` is the newest
    that one was ever told of: where a venue ends before it, its pit is told. `client` is which
    program this is, so that the house sees which machine has an old page.
    """

    protocol: int
    terminal: TerminalKey | None = None
    session: str | None = None
    language: Language = "en"
    after: int | None = None
    checkpoint: int | None = None
    client: str = ""

    def __repr__(self) -> str:
        """Say who it is; a session is never shown."""
        return f"Hello({self.protocol}, {self.terminal!r}, session=…, {self.language})"


class Watch(SentByClient, frozen=True):
    """Watch a table's public channel, and its staff channel where one may.

    `after` is the last sequence one has of the channel.
    """

    table: str
    after: int | None = None


class Unwatch(SentByClient, frozen=True):
    """Watch a table no longer."""

    table: str


class Ask(SentByClient, frozen=True):
    """Ask a table, or `cage`, to do something; the id is the sender's own and begins with the time.

    The same id with the same content gets the same answer, whenever and however often it is sent.
    """

    to: str
    id: str
    command: WireCommand


class Grant(SentByClient, frozen=True):
    """Approve what waits for a second person, with one's own PIN; `to` may be `venue` too."""

    to: str
    id: str
    pending: str
    version: int
    pin: str

    def __repr__(self) -> str:
        """Say what is approved; a PIN is never shown."""
        return f"Grant({self.to!r}, {self.id!r}, {self.pending!r}, {self.version}, pin=…)"


class Deal(SentByClient, frozen=True):
    """Hand a table over to the automatic dealer, or take it back as the person who asks."""

    table: str
    id: str
    automatic: bool


class Ping(SentByClient, frozen=True):
    """Ask for a `Pong`."""

    number: int = 0


ClientMessage = Hello | Watch | Unwatch | Ask | Grant | Deal | Ping

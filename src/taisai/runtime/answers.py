"""Answers to commands: registered, durable and with its versions, or refused with a reason.

Some refusals are the shell's own and are not about the game: the venue is busy, or stopping, or a
table is suspended. After those the same command may be sent again, with the same id.
"""

import hashlib
import re

import msgspec
from msgspec import Struct

from taisai.core.kernel.messages import Actor, Balances, Event, Instant, Order
from taisai.core.rules.reason import Refusal

#: Ids of commands are kept for an hour; a command made longer ago is refused as stale.
IDS_KEPT_MS = 3_600_000
#: A sender's clock may be this far ahead of the venue's time, which is sent when it connects.
AHEAD_MS = 5_000
ID_MAX = 80
#: Roles of the runtime's own commands: their ids say what they do, and need not say when.
OWN = ("system", "device")
#: The actor of the runtime's own commands.
HOST = Actor("host", "system")

#: Refusals after which the same command, with the same id, may be sent again.
AGAIN = frozenset({"BUSY", "RETRY", "TABLE_SUSPENDED", "VENUE_STOPPING"})


class Registered(Struct, frozen=True, gc=False):
    """A command that was carried out and is on disk, with its versions and events."""

    first: int
    last: int
    at: Instant
    events: tuple[Event, ...]
    #: For followers: the balances of the accounts that each event touched, after it.
    balances: tuple[Balances, ...] = ()
    #: The id of the command; empty if another node has decided it.
    id: str = ""


Answer = Registered | Refusal


class UnknownStreamError(LookupError):
    """A command for a stream that the venue does not have."""


_encode = msgspec.json.Encoder().encode
#: The time it was made, a dash, and any other printable characters. No zero comes first, so that
#: later ids come later as texts too: by those the journal finds ids that are ahead of a clock.
_read_id = re.compile("([1-9][0-9]*)-[ -~]+").fullmatch
#: Copied for every command: to make a new one takes longer than to hash a command.
_sha256 = hashlib.sha256()


def issued_of(order: Order) -> Instant | None:
    """Read when a command was made, from the first part of its id: `1794803228232-…`.

    So the same id always says the same time, and one that is too old shows it.
    """
    read = _read_id(order.id)
    # An id must be printable, and a person's name too.
    if read is None or len(order.id) > ID_MAX or not order.actor.person.isprintable():
        return None
    return int(read[1])


def sender_of(order: Order) -> str:
    """Name the sender of an order: an id is unique only to its sender."""
    return f"{order.actor.role}/{order.actor.person}"


def cause_of(order: Order) -> bytes:
    """Write the sender and the id of an order, as the journal stores them with the first event."""
    return _encode((order.actor.role, order.actor.person, order.id))


def role_in(cause: bytes) -> str:
    """Read the sender's role from a cause that `cause_of` wrote; another gives no known role."""
    return cause[2 : cause.find(b'"', 2)].decode(errors="replace")


def input_of(order: Order) -> bytes:
    """Hash the content of an order, so that an id used for another one is noticed."""
    hash_ = _sha256.copy()
    hash_.update(_encode(order.command))
    return hash_.digest()


def write_refusal(refusal: Refusal) -> bytes:
    """Write a refusal as the journal stores it."""
    return _encode(refusal)


read_refusal = msgspec.json.Decoder(Refusal).decode

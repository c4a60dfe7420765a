"""Answers to what was asked: registered, durable and with its versions, or refused with a reason.

Some refusals are the shell's own and say nothing of the game: the venue is busy, or stopping, or a
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
#: A sender's clock may be this far ahead of the venue's, which it is told when it connects.
AHEAD_MS = 5_000
ID_MAX = 80
#: The runtime's own commands are named by what they do, and need not say when.
OWN = ("system", "device")
#: Who gives the runtime's own commands.
HOST = Actor("host", "system")

#: Refusals after which the same command, with the same id, may be sent again.
AGAIN = frozenset({"BUSY", "RETRY", "TABLE_SUSPENDED", "VENUE_STOPPING"})


class Registered(Struct, frozen=True, gc=False):
    """A command carried out and on disk: the versions and the events it came to."""

    first: int
    last: int
    at: Instant
    events: tuple[Event, ...]
    #: For those who follow what happens: what the accounts that each of them touched held after it.
    balances: tuple[Balances, ...] = ()
    #: The id of the command; nothing where another node has decided it.
    id: str = ""


Answer = Registered | Refusal


class UnknownStreamError(LookupError):
    """A command for a stream that the venue does not have."""


_encode = msgspec.json.Encoder().encode
#: When it was made, a dash, and whatever else is printable.
_read_id = re.compile("([0-9]+)-[ -~]+").fullmatch
#: Copied for every command: beginning anew takes longer than to hash one.
_sha256 = hashlib.sha256()


def issued_of(order: Order) -> Instant | None:
    """Read when a command was made, which the first part of its id tells: `1794803228232-…`.

    The same id then always says the same time, and one too old to be known shows it itself.
    """
    read = _read_id(order.id)
    # What is not printable is no id, and no name of a person either.
    if read is None or len(order.id) > ID_MAX or not order.actor.person.isprintable():
        return None
    return int(read[1])


def sender_of(order: Order) -> str:
    """Name the sender of an order: ids are the sender's own."""
    return f"{order.actor.role}/{order.actor.person}"


def cause_of(order: Order) -> bytes:
    """Write who asked, and by which id, as the journal keeps it with the first event."""
    return _encode((order.actor.role, order.actor.person, order.id))


def role_in(cause: bytes) -> str:
    """Read the role of who asked, as `cause_of` writes it; nothing that is no role of anybody's."""
    return cause[2 : cause.find(b'"', 2)].decode(errors="replace")


def input_of(order: Order) -> bytes:
    """Fingerprint what was asked, so that an id used for something else is noticed."""
    hash_ = _sha256.copy()
    hash_.update(_encode(order.command))
    return hash_.digest()


def write_refusal(refusal: Refusal) -> bytes:
    """Write a refusal as the journal keeps it."""
    return _encode(refusal)


read_refusal = msgspec.json.Decoder(Refusal).decode

"""What the journal holds: records in streams, each chained to the one before by SHA-256.

A record's hash covers everything about it: its stream (through the first link), its version, the
shape and time it was written in, what caused it and the event itself, byte for byte.
"""

import hashlib
import struct
from typing import NamedTuple

from taisai.core.kernel.messages import Instant

#: The shape in which events are written; no other is read.
SHAPE = 1
#: The last moment of the year 9999, in milliseconds: no date can be written of a later one.
LAST_INSTANT = 253_402_300_799_999

_HEADER = struct.Struct(">QqHII")


class Record(NamedTuple):
    """An event as the journal holds it; `cause` is there on the first event of a decision."""

    stream: str
    version: int
    shape: int
    at: Instant
    cause: bytes | None
    data: bytes
    hash: bytes


class Head(NamedTuple):
    """The end of a stream: how many events it holds, and the hash of the last."""

    version: int
    hash: bytes


def genesis(stream: str) -> Head:
    """Give the head of a stream that holds nothing; its name is the first thing chained."""
    return Head(0, hashlib.sha256(f"taisai stream {stream}".encode()).digest())


def link(
    before: bytes, version: int, shape: int, at: Instant, cause: bytes | None, data: bytes
) -> bytes:
    """Chain a record to the hash before it."""
    caused = b"" if cause is None else cause
    # One more than the length tells an empty cause from none at all.
    header = _HEADER.pack(version, at, shape, 0 if cause is None else len(caused) + 1, len(data))
    return hashlib.sha256(b"".join((before, header, caused, data))).digest()


def link_of(before: bytes, record: Record) -> bytes:
    """Compute what a record's hash must be, after the hash before it."""
    return link(before, record.version, record.shape, record.at, record.cause, record.data)

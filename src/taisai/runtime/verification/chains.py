"""Breaks in a stream's chain: which byte of which field of a record is wrong.

A damaged record is compared with its copy, if one is held elsewhere. Without a copy, one byte that
would make the hash right again is looked for; if there is none, that is reported.
"""

import hashlib
from collections.abc import Iterator

import msgspec

from taisai.runtime.journal.contract import HEADER, Head, Record, chained, link_of
from taisai.runtime.streams import kind_of
from taisai.runtime.verification.report import Fault
from taisai.wording import told

#: A hash wrong in so few bytes was altered itself: altered content would change nearly all bytes.
_ALTERED_HASH = 8
#: One wrong bit is looked for in records up to this many bytes, any one wrong byte up to this many.
_BITS_WITHIN, _BYTES_WITHIN = 4_096, 1_024
#: Offsets in the hashed bytes, which are: hash before, version, time, shape, two lengths.
_TIME, _SHAPE, _CAUSE = 40, 48, 58


def broken_link(before: Head, record: Record, copied: Record | None) -> Fault:
    """Say what is wrong with the first record that does not follow on a head."""
    expected = before.version + 1
    if record.version < 1:
        said = told("FAULT_BELOW_ONE", stream=record.stream, version=record.version)
        return Fault("event", said, record.stream, record.version, field="version")
    if record.version != expected:
        return Fault(
            "event",
            told("FAULT_MISSING", stream=record.stream, version=expected, next=record.version),
            stream=record.stream,
            version=expected,
            field="version",
            expected=str(expected),
            found=str(record.version),
        )
    for found in _explanations(before, record, copied):
        return found
    right, kept = link_of(before.hash, record).hex(), record.hash.hex()
    said = told("ALTERED_SOMEWHERE", found=kept, expected=right)
    return _fault(record, said, None, None, right, kept)


def _explanations(before: Head, record: Record, copied: Record | None) -> Iterator[Fault]:
    if copied is not None:
        yield from compared(record, copied)
    if not 0 <= record.shape < 2**16:
        said = told("ALTERED_SHAPE", found=record.shape)
        yield _fault(record, said, "shape", None, None, str(record.shape))
        return
    yield from _altered_hash(before, record)
    yield from _altered_content(before, record)
    yield from _unreadable(record)


def compared(record: Record, other: Record) -> Iterator[Fault]:
    """Find the fields in which a record differs from its copy."""
    for field in ("shape", "at", "cause", "data", "hash"):
        ours, theirs = getattr(record, field), getattr(other, field)
        if ours == theirs:
            continue
        if isinstance(ours, bytes) and isinstance(theirs, bytes):
            byte = _first_difference(ours, theirs)
            yield _byte_fault(record, field, byte, theirs[byte : byte + 1], "BYTE_NOT_AS_COPIED")
        else:
            expected, found = _written(theirs), _written(ours)
            said = told("FIELD_NOT_AS_COPIED", field=field, found=found, expected=expected)
            yield _fault(record, said, field, None, expected, found)


def _first_difference(ours: bytes, theirs: bytes) -> int:
    pairs = enumerate(zip(ours, theirs, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(ours), len(theirs)))


def _altered_hash(before: Head, record: Record) -> Iterator[Fault]:
    computed, kept = link_of(before.hash, record), record.hash
    if len(kept) != len(computed):
        said = told("ALTERED_HASH_LENGTH", found=len(kept), expected=len(computed))
        yield _fault(record, said, "hash", None, computed.hex(), kept.hex())
        return
    differ = [at for at in range(len(computed)) if computed[at] != kept[at]]
    if len(differ) <= _ALTERED_HASH:
        byte = differ[0]
        yield _byte_fault(record, "hash", byte, computed[byte : byte + 1], "BYTE_NOT_AS_HELD")


def _altered_content(before: Head, record: Record) -> Iterator[Fault]:
    """Look for one byte whose change would make the record match its hash."""
    content = chained(before.hash, *record[1:6])
    if len(content) <= _BITS_WITHIN:
        for place, right in _repairs(content, record.hash, all_bytes=len(content) <= _BYTES_WITHIN):
            field, start = _field_at(record, place)
            if field in ("at", "shape"):
                ours = getattr(record, field)
                mended = content[:place] + bytes([right]) + content[place + 1 :]
                _, at, shape, _, _ = HEADER.unpack_from(mended, len(before.hash))
                theirs = at if field == "at" else shape
                said = told("FIELD_NOT_AS_HASHED", field=field, found=ours, expected=theirs)
                yield _fault(record, said, field, None, str(theirs), str(ours))
            else:
                yield _byte_fault(
                    record, field, place - start, bytes([right]), "BYTE_NOT_AS_HASHED"
                )


def _repairs(content: bytes, kept: bytes, *, all_bytes: bool) -> Iterator[tuple[int, int]]:
    """Try every bit, then every byte, from the time on; give those that make the hash right."""
    places = range(_TIME, len(content))
    for flips in ([1 << bit for bit in range(8)], range(1, 256)):
        before = hashlib.sha256(content[:_TIME])
        for place in places:
            after = content[place + 1 :]
            for flip in flips:
                tried = before.copy()
                tried.update(bytes([content[place] ^ flip]) + after)
                if tried.digest() == kept:
                    yield place, content[place] ^ flip
                    return
            before.update(content[place : place + 1])
        if not all_bytes:
            return


def _field_at(record: Record, place: int) -> tuple[str, int]:
    """Say which field a hashed byte belongs to, and where that field begins."""
    data_begins = _CAUSE + (0 if record.cause is None else len(record.cause))
    if place < _SHAPE:
        return "at", _TIME
    if place < _CAUSE:
        return "shape", _SHAPE
    return ("cause", _CAUSE) if place < data_begins else ("data", data_begins)


def _unreadable(record: Record) -> Iterator[Fault]:
    """Find where the event cannot be decoded, which may be where it was altered."""
    try:
        kind_of(record.stream).read(record)
    except UnicodeDecodeError as error:
        said = told("ALTERED_TEXT", byte=error.start)
        yield _fault(record, said, "data", error.start, None, None)
    except msgspec.DecodeError as error:
        byte = _byte_told(str(error))
        said = told("ALTERED_DATA", why=str(error))
        yield _fault(record, said, "data", byte, None, None)
    except Exception:  # noqa: BLE001 - an altered shape may fail in any way; the hash says enough
        return


def _byte_told(message: str) -> int | None:
    """Read the place from a decoder's message, if it gives one."""
    digits = message.rpartition("(byte ")[2].removesuffix(")")
    return int(digits) if digits.isdecimal() else None


def _byte_fault(record: Record, field: str, byte: int, right: bytes, code: str) -> Fault:
    ours: bytes = getattr(record, field)
    found, expected = _shown(ours[byte : byte + 1]), _shown(right)
    said = told(code, byte=byte, field=field, found=found, expected=expected)
    return _fault(record, said, field, byte, expected, found)


def _shown(byte: bytes) -> str:
    if not byte:
        return "nothing"
    printed = f" ({byte.decode()!r})" if 0x20 < byte[0] < 0x7F else ""
    return f"0x{byte.hex()}{printed}"


def _written(value: object) -> str:
    if isinstance(value, bytes):
        return repr(value.decode("utf-8", "backslashreplace"))
    return "nothing" if value is None else str(value)


def _fault(
    record: Record,
    said: str,
    field: str | None,
    byte: int | None = None,
    expected: str | None = None,
    found: str | None = None,
) -> Fault:
    return Fault(
        "event",
        told("FAULT_BREAKS", stream=record.stream, version=record.version, why=said),
        stream=record.stream,
        version=record.version,
        field=field,
        byte=byte,
        expected=expected,
        found=found,
    )

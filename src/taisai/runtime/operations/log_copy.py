"""How a copy of the log is written down: JSON Lines, a record or a checkpoint a line, in parts.

    {"part":1,"format":1,"checkpoint":0,"heads":{}}
    {"stream":"cage","version":1,"shape":1,"at":…,"cause":[…],"data":{…},"hash":"…"}
    {"checkpoint":1,"key":"…","signature":"…","data":{…}}

Events stand there byte for byte as the journal has them, and can be read by eye. Each part begins
with how far the parts before it came, so that the newest alone tells where to go on.
"""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Raw, Struct

from taisai.core.kernel.messages import Instant
from taisai.runtime.journal.contract import Checkpoint, Heads
from taisai.runtime.journal.record import Head, Record

FORMAT = 1
#: The name of the first part in a directory; the next have a number behind it.
FIRST = "journal.jsonl"
#: A part is ended once it has this many bytes, and the next begun.
PART_BYTES = 64 * 1024 * 1024


class CopyError(Exception):
    """A copy cannot be read or gone on with; the sentence says where and why."""


class _Line(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Any line of a copy; which fields it has tells what it is."""

    part: int | None = None
    format: int | None = None
    heads: dict[str, tuple[int, str]] | None = None
    stream: str | None = None
    version: int = 0
    shape: int = 0
    at: Instant = 0
    cause: Raw = Raw()
    cause64: str | None = None
    data: Raw = Raw()
    data64: str | None = None
    hash: str = ""
    checkpoint: int | None = None
    key: str = ""
    signature: str = ""


_read = msgspec.json.Decoder(_Line).decode
_encode = msgspec.json.Encoder().encode


class Begun(NamedTuple):
    """The first line of a part: its number, and how far the parts before it came."""

    part: int
    heads: dict[str, Head]
    checkpoint: int


class Placed(NamedTuple):
    """A line of a copy with where it stands."""

    file: Path
    number: int
    content: Begun | Record | Checkpoint


def begin_line(part: int, heads: Heads, checkpoint: int) -> bytes:
    """Write the first line of a part."""
    told = {stream: (head.version, head.hash.hex()) for stream, head in heads.items()}
    return (
        _encode({"part": part, "format": FORMAT, "checkpoint": checkpoint, "heads": told}) + b"\n"
    )


def record_line(record: Record) -> bytes:
    """Write a record, its event as it is wherever that is JSON."""
    line = b'{"stream":%s,"version":%d,"shape":%d,"at":%d,%s"data":%s,"hash":"%s"}\n' % (
        _encode(record.stream),
        record.version,
        record.shape,
        record.at,
        b"" if record.cause is None else b'"cause":%s,' % record.cause,
        record.data,
        record.hash.hex().encode(),
    )
    return line if _reads_as(line, record) else _record_in_base64(record)


def _reads_as(line: bytes, content: Record | Checkpoint) -> bool:
    try:
        return line.count(b"\n") == 1 and read_line(line) == content
    except (msgspec.MsgspecError, ValueError):
        return False


def _record_in_base64(record: Record) -> bytes:
    """Write what is no JSON, or has a line break in it, so that it still fits on a line."""
    written = _Line(
        stream=record.stream,
        version=record.version,
        shape=record.shape,
        at=record.at,
        cause64=None if record.cause is None else base64.b64encode(record.cause).decode(),
        data64=base64.b64encode(record.data).decode(),
        hash=record.hash.hex(),
    )
    return _encode(written) + b"\n"


def checkpoint_line(checkpoint: Checkpoint) -> bytes:
    """Write a checkpoint, what it covers as it was signed."""
    number, data, key, signature = checkpoint
    head = b'{"checkpoint":%d,"key":%s,"signature":"%s",' % (
        number,
        _encode(key),
        signature.hex().encode(),
    )
    line = head + b'"data":%s}\n' % data
    if _reads_as(line, checkpoint):
        return line
    return head + b'"data64":"%s"}\n' % base64.b64encode(data)


def read_line(line: bytes) -> Begun | Record | Checkpoint:
    """Read a line back; one that is none raises a ValueError."""
    read = _read(line)
    if read.part is not None:
        if read.format != FORMAT or read.heads is None or read.checkpoint is None:
            raise ValueError("it does not begin a part in a format that this program reads")
        heads = {name: Head(at, bytes.fromhex(hash_)) for name, (at, hash_) in read.heads.items()}
        return Begun(read.part, heads, read.checkpoint)
    data = bytes(read.data) if read.data64 is None else base64.b64decode(read.data64)
    if read.checkpoint is not None:
        return Checkpoint(read.checkpoint, data, read.key, bytes.fromhex(read.signature))
    if read.stream is None:
        raise ValueError("it is neither a record nor a checkpoint")
    cause: bytes | None = bytes(read.cause) or None
    if read.cause64 is not None:
        cause = base64.b64decode(read.cause64)
    hash_ = bytes.fromhex(read.hash)
    return Record(read.stream, read.version, read.shape, read.at, cause, data, hash_)


class Copy:
    """A copy of the log: a file, or the files in a directory, and the parts that follow on."""

    def __init__(self, path: Path) -> None:
        self.first = path / FIRST if path.is_dir() else path

    def part(self, number: int) -> Path:
        """Name the file of a part."""
        name = self.first.name
        return self.first if number == 1 else self.first.with_name(f"{name}.{number}")

    def parts(self) -> list[Path]:
        """Name the files that are there, from the first on."""
        found: list[Path] = []
        while (file := self.part(len(found) + 1)).exists():
            found.append(file)
        return found

    def lines(self) -> Iterator[Placed]:
        """Read every line of every part in turn; the last may still be being written."""
        files = self.parts()
        if not files:
            raise CopyError(f"there is no copy of a log at {self.first}")
        for number, file in enumerate(files, 1):
            for placed in _lines_of(file, last=number == len(files)):
                if placed.number == 1:
                    _check_begun(placed, number)
                yield placed


def _check_begun(placed: Placed, number: int) -> None:
    if not isinstance(placed.content, Begun) or placed.content.part != number:
        raise CopyError(f"{placed.file} does not begin as part {number} of a copy does")


def _lines_of(file: Path, *, last: bool) -> Iterator[Placed]:
    try:
        with file.open("rb") as opened:
            for number, line in enumerate(opened, 1):
                if not line.endswith(b"\n"):
                    if last:
                        return
                    raise CopyError(f"{file}, line {number}: it was cut short")
                try:
                    yield Placed(file, number, read_line(line))
                except (msgspec.MsgspecError, ValueError) as error:
                    raise CopyError(f"{file}, line {number}: it cannot be read: {error}") from None
    except OSError as error:
        raise CopyError(f"{file} cannot be read: {error.strerror or error}") from None

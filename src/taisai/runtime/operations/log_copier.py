"""A copy of the log, written elsewhere as it grows, so that nobody can quietly alter both.

The copier follows the journal in a task of its own and writes in a thread: no commit ever waits for
it. When the other disk fails it reports that and tries again; the venue plays on.

A copy is JSON Lines, a record or a checkpoint a line, in parts:

    {"part":1,"format":1,"checkpoint":0,"heads":{}}
    {"stream":"cage","version":1,"shape":1,"at":…,"cause":[…],"data":{…},"hash":"…"}
    {"checkpoint":1,"key":"…","signature":"…","data":{…}}

Events are copied byte for byte as the journal has them, and can be read by eye. Each part begins
with the heads reached by the part before, so that the newest alone says where to go on.
"""

import asyncio
import base64
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec
from msgspec import Raw, Struct

from taisai.core.errors import SentenceError
from taisai.core.kernel.messages import Instant
from taisai.runtime.journal.contract import (
    Checkpoint,
    Head,
    Heads,
    Journal,
    Record,
    genesis,
)
from taisai.runtime.keys.files import sync_path
from taisai.runtime.recovery import check_links
from taisai.wording import told

# --- how a copy is written down ------------------------------------------------------------------


FORMAT = 1
#: The name of the first part in a directory; the next have a number behind it.
FIRST = "journal.jsonl"
#: A part with this many bytes is closed, and the next one begun.
PART_BYTES = 64 * 1024 * 1024


class CopyError(SentenceError):
    """A copy cannot be read or continued; the sentence says where and why."""


class _Line(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Any line of a copy; its fields show its kind."""

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
    """The first line of a part: its number, and the heads at the end of the part before."""

    part: int
    heads: dict[str, Head]
    checkpoint: int


class Placed(NamedTuple):
    """A line of a copy, with its place."""

    file: Path
    number: int
    content: Begun | Record | Checkpoint
    #: How many bytes this line and those before it take.
    end: int


def begin_line(part: int, heads: Heads, checkpoint: int) -> bytes:
    """Write the first line of a part."""
    written = {stream: (head.version, head.hash.hex()) for stream, head in heads.items()}
    return (
        _encode({"part": part, "format": FORMAT, "checkpoint": checkpoint, "heads": written})
        + b"\n"
    )


def record_line(record: Record) -> bytes:
    """Write a record; its event stays as it is if it is JSON."""
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
    """Write a record that is no JSON, or has a line break, in base64 on one line."""
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
    """Write a checkpoint, with its data as it was signed."""
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
    """Read a line back; one that is not valid raises a ValueError."""
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
            end = 0
            for number, line in enumerate(opened, 1):
                end += len(line)
                if not line.endswith(b"\n"):
                    if last:
                        return
                    raise CopyError(f"{file}, line {number}: it was cut short")
                try:
                    yield Placed(file, number, read_line(line), end)
                except (msgspec.MsgspecError, ValueError) as error:
                    raise CopyError(f"{file}, line {number}: it cannot be read: {error}") from None
    except OSError as error:
        raise CopyError(f"{file} cannot be read: {error.strerror or error}") from None


#: Seconds before a try after a failure, at first and at most.
RETRY_SECONDS, RETRY_SECONDS_MAX = 1.0, 60.0

_MODE = 0o600

_log = logging.getLogger(__name__)


class Copier:
    """Follows a journal and copies new records; `wake` notifies it that there are some."""

    def __init__(self, journal: Journal, target: Path, part_bytes: int = PART_BYTES) -> None:
        self.target = target
        #: How many records the copy lacked at the last look.
        self.lag = 0
        self.trouble: str | None = None
        #: Called once for each failure, and when it is over.
        self.on_news: Callable[[str], None] = lambda _: None
        self._journal = journal
        self._written = _Written(Copy(target), part_bytes)
        self._new = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._stopping = False
        self._retry_seconds = RETRY_SECONDS

    def start(self) -> None:
        """Begin to follow the journal, from where the copy ends."""
        self._task = asyncio.get_running_loop().create_task(self._run())
        self.wake()

    def wake(self) -> None:
        """Be notified that the journal has grown; returns at once."""
        self._new.set()

    async def stop(self) -> None:
        """Copy what is still missing, if possible, and close the file."""
        self._stopping = True
        self.wake()
        if self._task is not None:
            await self._task
        await asyncio.to_thread(self._written.close)

    async def _run(self) -> None:
        while True:
            await self._new.wait()
            self._new.clear()
            try:
                await self._catch_up()
            except (OSError, SentenceError) as error:
                await self._fail(error)
            else:
                self._recover()
            if self._stopping and not self._new.is_set():
                return

    async def _catch_up(self) -> None:
        """Copy everything that the journal has now, and sync it to the other disk."""
        await asyncio.to_thread(self._written.open)
        heads = await self._journal.heads()
        copied = self._written.heads
        self._check_not_ahead(heads)
        self.lag = sum(head.version - _at(copied, name) for name, head in heads.items())
        for stream, head in heads.items():
            async for page in self._journal.read(stream, _at(copied, stream), head.version):
                await asyncio.to_thread(self._written.add, stream, page)
                self.lag -= len(page)
        await self._copy_checkpoints()
        await asyncio.to_thread(self._written.sync)

    def _check_not_ahead(self, heads: dict[str, Head]) -> None:
        for stream, copied in self._written.heads.items():
            if _at(heads, stream) < copied.version:
                raise CopyError(
                    f"the copy at {self.target} has {stream} up to version {copied.version}, and"
                    f" the journal only up to {_at(heads, stream)}; keep that copy, and name"
                    " another place for a new one"
                )

    async def _copy_checkpoints(self) -> None:
        while checkpoints := await self._journal.checkpoints_after(self._written.checkpoint):
            await asyncio.to_thread(self._written.add_checkpoints, checkpoints)

    async def _fail(self, error: Exception) -> None:
        """Report a failure once, and try again later; nothing waits for it."""
        said = told("NOTICE_NOT_COPIED", target=str(self.target), why=_why(error))
        if said != self.trouble:
            self.trouble = said
            _log.error("%s", said)
            self.on_news(said)
        # A half-written line is cut off when the file is opened again.
        await asyncio.to_thread(self._written.close)
        if not self._stopping:
            asyncio.get_running_loop().call_later(self._retry_seconds, self.wake)
            self._retry_seconds = min(2 * self._retry_seconds, RETRY_SECONDS_MAX)

    def _recover(self) -> None:
        self._retry_seconds = RETRY_SECONDS
        if self.trouble is not None:
            self.trouble = None
            _log.info("the log is being copied to %s again", self.target)
            self.on_news(told("NOTICE_COPIED", target=str(self.target)))


class _Written:
    """The files of the copy, as they are written; used by one thread at a time."""

    def __init__(self, copy: Copy, part_bytes: int) -> None:
        self.heads: dict[str, Head] = {}
        self.checkpoint = 0
        self._copy = copy
        self._part_bytes = part_bytes
        self._part = 0
        self._size = 0
        self._file: BinaryIO | None = None

    def open(self) -> None:
        """Go on at the end of the newest part, without a half-written line; or begin the first."""
        if self._file is not None:
            return
        self.heads, self.checkpoint = {}, 0
        parts = self._copy.parts()
        if parts and not _holds_a_line(parts[-1]):
            # A part begun just when the disk failed is empty.
            parts.pop().unlink()
        self._part = len(parts)
        if not parts:
            self._begin_part()
            return
        end = self._read_part(parts[-1])
        self._file = _appending(parts[-1])
        self._file.truncate(end)
        self._file.seek(end)
        self._size = end

    def _read_part(self, file: Path) -> int:
        """Find the heads at the end of a part, and where its last whole line ends."""
        end = 0
        try:
            for placed in _lines_of(file, last=True):
                self._note(placed.content)
                end = placed.end
        except CopyError as error:
            another = "keep that copy, and name another place for a new one"
            raise CopyError(f"{error}; {another}") from None
        return end

    def _note(self, content: Begun | Record | Checkpoint) -> None:
        match content:
            case Begun(heads=heads, checkpoint=checkpoint):
                self.heads, self.checkpoint = dict(heads), checkpoint
            case Record(stream=stream, version=version, hash=hash_):
                self.heads[stream] = Head(version, hash_)
            case Checkpoint(number=number):
                self.checkpoint = number

    def _begin_part(self) -> None:
        self._part += 1
        line = begin_line(self._part, self.heads, self.checkpoint)
        file = self._copy.part(self._part)
        self._file = _appending(file)
        self._size = 0
        self._write(line)
        self.sync()
        sync_path(file.parent)

    def add(self, stream: str, page: Sequence[Record]) -> None:
        """Add records, after checking that they follow on the copy."""
        after = check_links(self.heads.get(stream, genesis(stream)), page)
        self._write(b"".join(map(record_line, page)))
        self.heads[stream] = after
        self._end_part_if_full()

    def add_checkpoints(self, checkpoints: Sequence[Checkpoint]) -> None:
        self._write(b"".join(map(checkpoint_line, checkpoints)))
        self.checkpoint = checkpoints[-1].number
        self._end_part_if_full()

    def _write(self, lines: bytes) -> None:
        assert self._file is not None, "a copy is opened before it is written to"
        self._file.write(lines)
        self._size += len(lines)

    def _end_part_if_full(self) -> None:
        if self._size >= self._part_bytes:
            self.sync()
            self.close()
            self._begin_part()

    def sync(self) -> None:
        """Sync everything to the other disk."""
        assert self._file is not None, "a copy is opened before it is synced"
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file, whatever state it is in."""
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except OSError as error:
                _log.warning("the copy could not be closed: %s", error)


def _appending(file: Path) -> BinaryIO:
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _MODE)
    return os.fdopen(descriptor, "r+b")


def _holds_a_line(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.readline().endswith(b"\n")


def _at(heads: dict[str, Head], stream: str) -> int:
    return heads[stream].version if stream in heads else 0


def _why(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)

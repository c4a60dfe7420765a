"""A disk that fails when it is told to: a file layer of SQLite over one real directory.

What SQLite reads, locks and shares goes to the real files. What it changes is counted step by
step, may be made to fail, and is written down beside, so that `image` can give the files as a
power cut would leave them. Run once to count the steps, then once for each step with a fault there:

    with Disk(directory) as disk:
        disk.fail(3, act=Act.SYNC, file=Kind.WAL)       # the third sync of the log from now
        disk.fail(act=Act.WRITE, answer=Answer.FULL, written=100, lasting=True)
        disk.crash(disk.count // 2)                     # from that step on nothing works
        connection = apsw.Connection(str(directory / "a.db"), vfs=disk.name)
        …
        disk.image(elsewhere, Loss.SOME, seed=7)        # to be opened like any files

Temporary files of SQLite are left alone: nothing durable is in them.
"""

import itertools
import shutil
import sys
import threading
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, NoReturn, Self

import apsw

from tests.faults.platter import Content, Loss, Platter

_NUMBERS = itertools.count(1)


class Act(StrEnum):
    """An operation of SQLite on a file; all but a read are steps."""

    OPEN = "open"
    READ = "read"
    WRITE = "write"
    SYNC = "sync"
    TRUNCATE = "truncate"
    DELETE = "delete"
    #: Not an operation of SQLite: a file is renamed.
    RENAME = "rename"


class Kind(StrEnum):
    """The kind of a file: one of SQLite's, or one beside them."""

    DATABASE = "database"
    WAL = "wal"
    JOURNAL = "journal"
    ANCHOR = "anchor"


#: The files of SQLite.
SQLITE_FILES: Final = (Kind.DATABASE, Kind.WAL, Kind.JOURNAL)


class Answer(IntEnum):
    """The answers of a failing disk, in SQLite's codes."""

    FULL = apsw.SQLITE_FULL
    READ_ONLY = apsw.SQLITE_READONLY
    CANNOT_OPEN = apsw.SQLITE_CANTOPEN
    READ_FAILED = apsw.SQLITE_IOERR_READ
    WRITE_FAILED = apsw.SQLITE_IOERR_WRITE
    SYNC_FAILED = apsw.SQLITE_IOERR_FSYNC
    TRUNCATE_FAILED = apsw.SQLITE_IOERR_TRUNCATE
    DELETE_FAILED = apsw.SQLITE_IOERR_DELETE
    #: There is no answer at all.
    DOWN = apsw.SQLITE_IOERR


#: SQLite's text for each; it gives its own only where it meets the failure itself.
_WORDS: Final = {
    Answer.FULL: "database or disk is full",
    Answer.READ_ONLY: "attempt to write a readonly database",
    Answer.CANNOT_OPEN: "unable to open database file",
}

#: What a file system reports of itself, unless a test chooses otherwise.
USUAL: Final = {
    Act.OPEN: Answer.CANNOT_OPEN,
    Act.READ: Answer.READ_FAILED,
    Act.WRITE: Answer.WRITE_FAILED,
    Act.SYNC: Answer.SYNC_FAILED,
    Act.TRUNCATE: Answer.TRUNCATE_FAILED,
    Act.DELETE: Answer.DELETE_FAILED,
}


class Step(NamedTuple):
    """A recorded step."""

    act: Act
    file: Kind


@dataclass
class _Fault:
    """A fault waiting for its step; `left` matching steps come before it."""

    left: int
    act: Act | None
    file: Kind | None
    answer: Answer | None
    written: int = 0
    lasting: bool = False
    crash_after: int = 0

    def strikes(self, act: Act, file: Kind) -> bool:
        if self.act not in {None, act} or self.file not in {None, file}:
            return False
        if act is Act.READ and self.act is None:
            return False
        self.left -= 1
        return self.left == 0 or (self.lasting and self.left < 0)


class Disk(apsw.VFS):
    """A file layer over one directory; every fault and every loss follows from the seed."""

    def __init__(self, directory: Path, seed: int = 0) -> None:
        self.directory = directory
        self.name = f"disk-{next(_NUMBERS)}"
        self.chance = Random(f"disk {seed}")
        self.lock = threading.RLock()
        self.platter = Platter()
        #: Every step so far, in order.
        self.steps: list[Step] = []
        #: Every step struck by a fault, in order.
        self.struck: list[Step] = []
        #: How many bytes files may still grow by; None is as much as the real disk has.
        self.room: int | None = None
        #: Files can only be opened for reading, and open ones cannot be written.
        self.read_only = False
        self.down = False
        #: Files opened before a restart stay dead, as their process is.
        self.life = 0
        self._left = False
        self._faults: list[_Fault] = []
        self._unraisable = sys.unraisablehook
        super().__init__(self.name, "")

    def __enter__(self) -> Self:
        self._unraisable = sys.unraisablehook
        sys.unraisablehook = self._pass_over
        return self

    def __exit__(self, *_: object) -> None:
        sys.unraisablehook = self._unraisable
        self.unregister()
        # A program that still has a file open may close it without an error.
        self.mend()
        self._left = True

    def _pass_over(self, unraisable: "sys.UnraisableHookArgs") -> None:
        """Ignore an error of ours that SQLite did not pass on: that is its choice."""
        if not isinstance(unraisable.exc_value, apsw.Error):
            self._unraisable(unraisable)

    # --- for tests ---------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """Give how many steps there were."""
        return len(self.steps)

    def fail(
        self,
        nth: int = 1,
        *,
        act: Act | None = None,
        file: Kind | None = None,
        answer: Answer | None = None,
        written: int = 0,
        lasting: bool = False,
        crash_after: int = 0,
    ) -> None:
        """Fail at the nth matching step from now, or from then on; `written` bytes of it arrive.

        With `crash_after` the disk stops that many steps later.
        """
        fault = _Fault(nth, act, file, answer, written, lasting, crash_after)
        self._faults.append(fault)

    def crash(self, nth: int = 1) -> None:
        """Stop at the nth step from now: it may or may not take effect, and nothing works after."""
        self.fail(nth, answer=Answer.DOWN)

    def mend(self) -> None:
        """Remove every fault that was set, and give space."""
        self._faults.clear()
        self.room = None
        self.read_only = False

    def restart(self) -> None:
        """Serve a new process, on the old one's writes; unsynced data is still not safe."""
        self.mend()
        self.life += 1
        self.down = False

    def image(self, into: Path, loss: Loss = Loss.SOME, seed: int = 0) -> None:
        """Write the files as a power cut now leaves them, into a directory of their own."""
        if into.exists():
            shutil.rmtree(into)
        into.mkdir(parents=True)
        with self.lock:
            files = self.platter.after(loss, Random(f"image {seed}"))
        for name, data in files.items():
            (into / name).write_bytes(data)

    # --- for the files -----------------------------------------------------------------------

    def alive(self, life: int) -> None:
        """Refuse every operation on a disk that is down, or by a dead process."""
        if (self.down or life != self.life) and not self._left:
            refuse(Answer.DOWN)

    def meet(self, act: Act, file: Kind, life: int) -> "_Fault | None":
        """Count a step, and give the fault that strikes it."""
        self.alive(life)
        if act is not Act.READ:
            self.steps.append(Step(act, file))
        struck = [fault for fault in self._faults if fault.strikes(act, file)]
        if not struck:
            return None
        self.struck.append(Step(act, file))
        self.down = struck[0].answer is Answer.DOWN
        if struck[0].crash_after:
            self.crash(struck[0].crash_after)
        return struck[0]

    def takes_effect(self, act: Act, file: Kind, life: int) -> Answer | None:
        """Count a step that is done or not done; a crash leaves that to chance, and then raises."""
        fault = self.meet(act, file, life)
        if fault is None:
            return None
        answer = fault.answer or USUAL[act]
        if answer is not Answer.DOWN or self.chance.random() < 0.5:
            refuse(answer)
        return answer

    def fits(self, content: Content, offset: int, size: int) -> int:
        """Give how much of a write there is space for, and take that space."""
        if self.room is None:
            return size
        growth = max(0, offset + size - content.size)
        lacking = max(0, growth - self.room)
        self.room -= growth - lacking
        return size - lacking

    # --- what SQLite calls -------------------------------------------------------------------

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        """Open one of the three files under faults, and any other unchanged."""
        file = _kind(flags[0])
        if name is None or file is None:
            return apsw.VFSFile("", name, flags)
        path = Path(name.filename() if isinstance(name, apsw.URIFilename) else name)
        assert path.parent == self.directory, f"{path} is not in {self.directory}"
        with self.lock:
            after = self.takes_effect(Act.OPEN, file, self.life)
            if self.read_only:
                flags[0] &= ~(apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
                flags[0] |= apsw.SQLITE_OPEN_READONLY
            content = self.platter.find(path.name)
            if content is None and path.exists():
                content = self.platter.adopt(path.name, path.read_bytes())
            opened = FaultyFile(self, file, name, flags)
            opened.content = content or self.platter.create(path.name)
            if after is not None:
                opened.xClose()
                refuse(after)
            return opened

    def xDelete(self, filename: str, syncdir: bool) -> None:
        """Delete a file."""
        path = Path(filename)
        suffix = path.name.rpartition("-")[2]
        file = Kind(suffix) if suffix in {Kind.WAL, Kind.JOURNAL} else Kind.DATABASE
        with self.lock:
            after = self.takes_effect(Act.DELETE, file, self.life)
            if self.read_only:
                refuse(Answer.DELETE_FAILED)
            super().xDelete(filename, False)
            self.platter.delete(path.name)
            if after is not None:
                refuse(after)
            if syncdir:
                self.platter.sync_directory()

    def xAccess(self, pathname: str, flags: int) -> bool:
        """Say whether a file is there."""
        self.alive(self.life)
        return super().xAccess(pathname, flags)


class FaultyFile(apsw.VFSFile):
    """A database, its write-ahead log or its rollback journal, on a disk that may fail."""

    def __init__(
        self, disk: Disk, file: Kind, name: str | apsw.URIFilename, flags: list[int]
    ) -> None:
        self.disk = disk
        self.file = file
        self.life = disk.life
        self.content = Content()
        creates = bool(flags[0] & apsw.SQLITE_OPEN_CREATE)
        #: SQLite's own layer syncs the directory with the first sync of a journal or log.
        self.syncs_directory = creates and file is not Kind.DATABASE
        super().__init__("", name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:
        """Read written bytes, synced or not."""
        with self.disk.lock:
            self.disk.takes_effect(Act.READ, self.file, self.life)
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:
        """Write whole, in part or not at all."""
        whole = bytes(data)
        with self.disk.lock:
            fault = self.disk.meet(Act.WRITE, self.file, self.life)
            if self.disk.read_only:
                refuse(Answer.WRITE_FAILED)
            if fault is None:
                answer, wanted = Answer.FULL, len(whole)
            elif fault.answer is Answer.DOWN:
                answer, wanted = Answer.DOWN, self.disk.chance.randint(0, len(whole))
            else:
                answer = fault.answer or Answer.WRITE_FAILED
                wanted = min(fault.written, len(whole))
            size = self.disk.fits(self.content, offset, wanted)
            if size:
                super().xWrite(whole[:size], offset)
                self.content.write(offset, whole[:size])
            if fault is not None or size < len(whole):
                refuse(answer)

    def xTruncate(self, newsize: int) -> None:
        """Set the length."""
        with self.disk.lock:
            after = self.disk.takes_effect(Act.TRUNCATE, self.file, self.life)
            if self.disk.read_only:
                refuse(Answer.TRUNCATE_FAILED)
            super().xTruncate(newsize)
            self.content.cut(newsize)
            if after is not None:
                refuse(after)

    def xSync(self, flags: int) -> None:  # noqa: ARG002 - how to sync is all one here
        """Make the writes safe; the real disk need not, since no test cuts its power."""
        with self.disk.lock:
            fault = self.disk.meet(Act.SYNC, self.file, self.life)
            if fault is None:
                self.content.sync()
                if self.syncs_directory:
                    self.disk.platter.sync_directory()
                    self.syncs_directory = False
                return
            if fault.answer is not Answer.DOWN:
                self.content.fail_to_sync(self.disk.chance)
            refuse(fault.answer or Answer.SYNC_FAILED)

    def xFileSize(self) -> int:
        """Give the length."""
        self.disk.alive(self.life)
        return super().xFileSize()

    def xLock(self, level: int) -> None:
        """Lock; a dead process can only unlock."""
        self.disk.alive(self.life)
        super().xLock(level)


def refuse(answer: Answer) -> NoReturn:
    """Raise a code of SQLite, with its text."""
    error = apsw.exception_for(answer)
    error.args = (_WORDS.get(answer, "disk I/O error"),)
    raise error


def _kind(flags: int) -> Kind | None:
    kinds = {
        apsw.SQLITE_OPEN_MAIN_DB: Kind.DATABASE,
        apsw.SQLITE_OPEN_WAL: Kind.WAL,
        apsw.SQLITE_OPEN_MAIN_JOURNAL: Kind.JOURNAL,
    }
    return next((kind for flag, kind in kinds.items() if flags & flag), None)

"""A machine whose power can be cut, with journal and anchor on one disk.

Unsynced data is lost, torn or kept. SQLite's writes are followed by its file layer. A file put in
place beside it, such as an anchor, is followed by the calls that make it safe: its sync, its
rename, its directory's sync.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn
from unittest.mock import patch

from tests.faults.disk import Act, Answer, Kind
from tests.faults.flows.troubles import FloorDisk
from tests.faults.platter import Content

_sync, _replace = os.fsync, os.replace


class Machine(FloorDisk):
    """A disk that also follows files that are put in place whole."""

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Follow syncs and renames in the directory, for the duration of a block."""
        with patch.object(os, "fsync", self.fsync), patch.object(os, "replace", self.rename):
            yield

    def cut_at(self, nth: int, act: Act | None, file: Kind | None) -> None:
        """Cut the power at the nth step of this kind from now."""
        self.fail(nth, act=act, file=file, answer=Answer.DOWN)

    def fsync(self, descriptor: int) -> None:
        """Make a file safe, or the names of a directory."""
        status = os.fstat(descriptor)
        if os.path.samestat(status, self.directory.stat()):
            with self.lock:
                self._step(Act.SYNC)
                self.platter.sync_directory()
            return
        path = self._named(status)
        if path is None:
            _sync(descriptor)
            return
        with self.lock:
            self._step(Act.WRITE)
            self._written(path)
            self._step(Act.SYNC)
            self._written(path).sync()

    def rename(self, old: Path, new: Path) -> None:
        """Rename a file; its unsynced content is not safe."""
        old, new = Path(old), Path(new)
        if old.parent != self.directory:
            _replace(old, new)
            return
        with self.lock:
            self._written(old)
            struck = self._meets(Act.RENAME)
            if not struck or self.chance.random() < 0.5:
                _replace(old, new)
                self.platter.rename(old.name, new.name)
            if struck:
                _gone()

    def _written(self, path: Path) -> Content:
        """Find a file's content on the disk, with its unsynced writes."""
        content = self.platter.find(path.name)
        if content is None:
            content = self.platter.create(path.name)
            content.write(0, path.read_bytes())
        return content

    def _named(self, status: os.stat_result) -> Path | None:
        for path in self.directory.iterdir():
            if path.name.startswith(".") and os.path.samestat(status, path.stat()):
                return path
        return None

    def _step(self, act: Act) -> None:
        """Count a step; a cut leaves it undone, and every later step fails."""
        if self._meets(act):
            _gone()

    def _meets(self, act: Act) -> bool:
        if self.down:
            _gone()
        return self.meet(act, Kind.ANCHOR, self.life) is not None


def _gone() -> NoReturn:
    raise OSError(errno.EIO, os.strerror(errno.EIO))

"""A machine whose power can be cut: journal and anchor on one disk, either lost, torn or kept.

What SQLite writes is followed by its file layer. What is put in place beside it, as an anchor is,
is followed by the calls that make such a file safe: its sync, its new name, its directory's sync.
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
    """A disk that also knows the files which are put in place whole."""

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Follow what is synced and renamed in the directory, for as long as this lasts."""
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
        """Give a file the name of another; what of it was not synced is not safe."""
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
        """Find what a file holds on the disk, with what was written to it and not synced."""
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
        """Count a step; a cut leaves it undone, and nothing answers after."""
        if self._meets(act):
            _gone()

    def _meets(self, act: Act) -> bool:
        if self.down:
            _gone()
        return self.meet(act, Kind.ANCHOR, self.life) is not None


def _gone() -> NoReturn:
    raise OSError(errno.EIO, os.strerror(errno.EIO))

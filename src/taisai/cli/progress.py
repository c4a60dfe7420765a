"""How far a long run is, told on standard error while a person is watching and not otherwise."""

import os
import stat
import sys
import time
from types import TracebackType
from typing import BinaryIO, Self

_EVERY_SECONDS = 0.2
#: Looking at the clock costs as much as a small round; so look at every sixteenth only.
_EVERY_LINES = 16


class Progress:
    """A line that is written over and over: rounds settled, refused, the share of the file read."""

    def __init__(self, file: BinaryIO) -> None:
        self._watched = sys.stderr.isatty() and not sys.stdout.isatty()
        self._file = file
        details = os.fstat(file.fileno())
        self._size = details.st_size if stat.S_ISREG(details.st_mode) else 0
        self._rounds = 0
        self._refused = 0
        self._shown_at = self._began_at = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._watched:
            self._show(end="\n")

    def step(self, refused: int) -> None:
        """Count a round, and tell how far it is if that was last told a while ago."""
        self._rounds += 1
        self._refused = refused
        if self._watched and self._rounds % _EVERY_LINES == 0:
            now = time.monotonic()
            if now - self._shown_at >= _EVERY_SECONDS:
                self._shown_at = now
                self._show(end="")

    def _show(self, end: str) -> None:
        seconds = max(time.monotonic() - self._began_at, 0.001)
        share = f", {100 * self._file.tell() // self._size} % of the file" if self._size else ""
        rate = f"{self._rounds / seconds:,.0f} a second"
        counts = f"{self._rounds:,} rounds, {self._refused:,} refused"
        print(f"\r\x1b[K{counts}{share}, {rate}", end=end, file=sys.stderr, flush=True)

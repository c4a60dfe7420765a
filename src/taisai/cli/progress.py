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


class Bar:
    """A bar that fills as rounds are played, with the rate and the time left; gone in the end."""

    WIDTH = 30

    def __init__(self, rounds: int) -> None:
        self._watched = sys.stderr.isatty()
        self._rounds = rounds
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
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def step(self, done: int) -> None:
        """Show how many rounds are done, if that was last shown a while ago."""
        now = time.monotonic()
        if self._watched and now - self._shown_at >= _EVERY_SECONDS:
            self._shown_at = now
            print(f"\r\x1b[K{self._line(done, now)}", end="", file=sys.stderr, flush=True)

    def _line(self, done: int, now: float) -> str:
        full = self.WIDTH * done // self._rounds
        rate = done / max(now - self._began_at, 0.001)
        left = (self._rounds - done) / max(rate, 0.001)
        bar = "#" * full + "." * (self.WIDTH - full)
        counts = f"{done:,} of {self._rounds:,} rounds"
        return f"[{bar}] {counts}, {rate:,.0f} a second, {left:,.0f} s left"

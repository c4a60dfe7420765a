"""The progress of a long run: a line on standard error, only if that is a terminal."""

import sys
import time
from collections.abc import Callable
from typing import Self

_EVERY_SECONDS = 0.2


class ProgressLine:
    """A line that is overwritten again and again, and removed at the end."""

    def __init__(self) -> None:
        self._watched = sys.stderr.isatty()
        self._began_at = self._shown_at = time.monotonic()
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def show(self, text: Callable[[float], str]) -> None:
        """Show a text, made from the seconds since the start, unless one was shown just before."""
        now = time.monotonic()
        if self._watched and now - self._shown_at >= _EVERY_SECONDS:
            self._shown_at, self._shown = now, True
            line = text(max(now - self._began_at, 0.001))
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Clear the line."""
        if self._shown:
            self._shown = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def share_of(self, doing: str) -> Callable[[int, int], None]:
        """Make the function that shows how much of a whole is done."""
        return lambda done, total: self.show(
            lambda _: f"{doing}: {done:,} of {total:,}, {100 * done // max(total, 1)} %"
        )

"""Which Player Terminals are connected: since when, from where, and by which program.

Kept in memory while the venue runs; the journal records which terminals were lost.
"""

from collections.abc import Callable

from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.core.kernel.name_profile import NAME_MAX


class Attended(Struct):
    """A terminal's last connection, and when it disconnected, if it has."""

    client: str
    place: str
    since: Instant
    left: Instant | None = None


class Attendance:
    """Remembers the last connection of each terminal; its key has been checked before that."""

    def __init__(self, now: Callable[[], Instant]) -> None:
        self._now = now
        self._known: dict[tuple[str, str], Attended] = {}

    def came(self, table: str, terminal: str, client: str, place: str) -> None:
        """Note that a terminal has connected with its key."""
        shown = "".join(each for each in client[:NAME_MAX] if each.isprintable())
        self._known[table, terminal] = Attended(shown.strip(), place, self._now())

    def left(self, table: str, terminal: str) -> None:
        """Note that a terminal has disconnected."""
        known = self._known.get((table, terminal))
        if known is not None:
            known.left = self._now()

    def find(self, table: str, terminal: str) -> Attended | None:
        """Give a terminal's last connection; None if it has not connected since this start."""
        return self._known.get((table, terminal))

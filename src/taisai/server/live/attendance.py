"""Which Player Terminals are there: since when, from where, by which program, and when last heard.

Known since this start of the venue and for as long as it runs; that one was lost, the journal says.
"""

from collections.abc import Callable

from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.core.kernel.name_profile import NAME_MAX


class Attended(Struct):
    """A terminal as it came last, and when it left, if it has."""

    client: str
    place: str
    since: Instant
    left: Instant | None = None


class Attendance:
    """Remembers of each terminal how it came last; a terminal is known by its key before that."""

    def __init__(self, now: Callable[[], Instant]) -> None:
        self._now = now
        self._known: dict[tuple[str, str], Attended] = {}

    def came(self, table: str, terminal: str, client: str, place: str) -> None:
        """Note that a terminal has come, with its key."""
        shown = "".join(each for each in client[:NAME_MAX] if each.isprintable())
        self._known[table, terminal] = Attended(shown.strip(), place, self._now())

    def left(self, table: str, terminal: str) -> None:
        """Note that nobody is connected as a terminal any more."""
        known = self._known.get((table, terminal))
        if known is not None:
            known.left = self._now()

    def find(self, table: str, terminal: str) -> Attended | None:
        """Give how a terminal came last; none where it has not come since this start."""
        return self._known.get((table, terminal))

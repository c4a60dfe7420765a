"""The fills on their way from the cage to each table, as far as they are durable."""

from taisai.core.cage.state import CageState
from taisai.core.kernel.messages import Instant
from taisai.projections.figures.days import GamingDays
from taisai.server.console.chip_table import Surroundings


class FillsUnderWay:
    """The fills that left the cage for each chip table and are still open in its books."""

    def __init__(self, gaming_days: GamingDays) -> None:
        self._gaming_days = gaming_days
        self._by_table: dict[str, dict[str, int]] = {}
        self._key: bytes | None = None

    def take_up(self, cage: CageState | None) -> set[str]:
        """Read the open fills from the cage's books, and name the tables whose fills changed.

        All of the cage's state must be durable; while it is suspended (None) no fills are known.
        """
        before, self._by_table = self._by_table, {}
        self._key = self._key if cage is None else cage.key
        for transit, sent in {} if cage is None else cage.fills_open.items():
            self._by_table.setdefault(sent.table, {})[transit] = sent.amount
        tables = before.keys() | self._by_table.keys()
        return {table for table in tables if before.get(table) != self._by_table.get(table)}

    def around(self, table: str, at: Instant) -> Surroundings:
        """Give what a chip table's console shows of the venue around the table."""
        date = self._gaming_days.gaming_date_at(at)
        return Surroundings(date, self._by_table.get(table, {}), self._key)

"""The fills on their way from the cage to each table, as far as they are durable."""

from taisai.core.cage.fills import FillReturned, FillSent
from taisai.core.cage.state import CageState
from taisai.core.kernel.messages import Instant
from taisai.core.kernel.transits import TransitClosed
from taisai.projections.figures.days import GamingDays
from taisai.runtime.answers import Registered
from taisai.server.console.chip_table import Surroundings


class FillsUnderWay:
    """What left the cage for each chip table and has not been closed there."""

    def __init__(self, gaming_days: GamingDays) -> None:
        self._gaming_days = gaming_days
        self._by_table: dict[str, dict[str, int]] = {}
        self._key: bytes | None = None

    def begin(self, cage: CageState | None) -> None:
        """Take up what is on its way by the books; of a cage that is suspended nothing is known."""
        self._by_table.clear()
        self._key = None if cage is None else cage.key
        for transit, sent in {} if cage is None else cage.fills_open.items():
            self._by_table.setdefault(sent.table, {})[transit] = sent.amount

    def around(self, table: str, at: Instant) -> Surroundings:
        """Give what a chip table's console shows of the venue around the table."""
        date = self._gaming_days.gaming_date_at(at)
        return Surroundings(date, self._by_table.get(table, {}), self._key)

    def tables(self) -> set[str]:
        """Name the tables that something is on its way to, or was."""
        return {*self._by_table}

    def published(self, registered: Registered) -> set[str]:
        """Follow what is durable in the cage; name the tables that it concerns."""
        concerned = set()
        for event in registered.events:
            match event:
                case FillSent(transit=transit, table=table, amount=amount):
                    self._by_table.setdefault(table, {})[transit] = amount
                    concerned.add(table)
                case TransitClosed(transit=transit) | FillReturned(transit=transit):
                    concerned |= self._close(transit)
                case _:
                    pass
        return concerned

    def _close(self, transit: str) -> set[str]:
        tables = {table for table, fills in self._by_table.items() if transit in fills}
        for table in tables:
            del self._by_table[table][transit]
        return tables

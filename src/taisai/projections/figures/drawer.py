"""The drawer of the cage: cashiers' shifts with their counts, and fills in transit to tables.

It is folded from few of the cage's events; it does not follow vouchers.
"""

from collections.abc import Callable
from typing import Any, ClassVar

import msgspec
from msgspec import Struct

from taisai.core.cage.drawer import ShiftClosed, ShiftOpened
from taisai.core.cage.fills import FillReturned, FillSent
from taisai.core.kernel.messages import Instant
from taisai.core.kernel.transits import TransitClosed
from taisai.projections.figures.digests import Noted
from taisai.projections.figures.tally import Sent

#: The newest shifts that are kept: two months of three a day.
SHIFTS_KEPT = 200


class OpenedShift(Struct, array_like=True, frozen=True):
    """An open shift: the cashier, when it began, and what was counted in the drawer then."""

    cashier: str
    at: Instant
    count: int


class ClosedShift(Struct, array_like=True, frozen=True):
    """A closed shift: what was counted at its end, and what should have been there."""

    cashier: str
    opened_at: Instant
    opening: int
    closed_at: Instant
    count: int
    expected: int

    @property
    def difference(self) -> int:
        """What was in the drawer beyond the books."""
        return self.count - self.expected


class DrawerState(Struct):
    """A drawer as one process sends it to another."""

    shift: OpenedShift | None = None
    #: The newest is the last.
    shifts: list[ClosedShift] = []
    fills_sent: dict[str, Sent] = {}


class Drawer:
    """Shifts and fills in transit, folded from the cage's events."""

    def __init__(self, state: DrawerState | None = None) -> None:
        self.state = DrawerState() if state is None else state

    def note(self, event: Noted, at: Instant) -> None:
        """Fold an event."""
        self.APPLY[type(event)](self, event, at)

    def pack(self) -> bytes:
        """Pack everything for another process."""
        return msgspec.json.encode(self.state)

    @classmethod
    def unpack(cls, data: bytes | msgspec.Raw) -> "Drawer":
        """Make a drawer from the packed state of another process."""
        return cls(msgspec.json.decode(data, type=DrawerState))

    def _sent(self, event: FillSent, at: Instant) -> None:
        sent = Sent(event.table, event.chips, event.amount, event.by, at)
        self.state.fills_sent[event.transit] = sent

    def _arrived(self, event: TransitClosed | FillReturned, _: Instant) -> None:
        self.state.fills_sent.pop(event.transit, None)

    def _opened(self, event: ShiftOpened, at: Instant) -> None:
        self.state.shift = OpenedShift(event.cashier, at, event.count)

    def _closed(self, event: ShiftClosed, at: Instant) -> None:
        shift, self.state.shift = self.state.shift, None
        assert shift is not None, "a shift that is closed was opened"
        closed = ClosedShift(shift.cashier, shift.at, shift.count, at, event.count, event.expected)
        self.state.shifts.append(closed)
        del self.state.shifts[:-SHIFTS_KEPT]

    #: The function for each event.
    APPLY: ClassVar[dict[type, Callable[[Any, Any, Instant], None]]] = {
        FillSent: _sent,
        TransitClosed: _arrived,
        FillReturned: _arrived,
        ShiftOpened: _opened,
        ShiftClosed: _closed,
    }

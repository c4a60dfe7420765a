"""The drawer of the cage: cashiers' shifts with what was counted, and fills on their way to tables.

It is folded from the cage's events, of which it needs few: vouchers are none of its business.
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

#: Shifts that are kept, the newest: two months of three a day.
SHIFTS_KEPT = 200


class OpenedShift(Struct, array_like=True, frozen=True):
    """A shift under way: who has the drawer, since when, and what was counted in it then."""

    cashier: str
    at: Instant
    count: int


class ClosedShift(Struct, array_like=True, frozen=True):
    """A shift that is over: what was counted at its end, beside what should have been there."""

    cashier: str
    opened_at: Instant
    opening: int
    closed_at: Instant
    count: int
    expected: int

    @property
    def difference(self) -> int:
        """Say what was in the drawer beyond what the books said."""
        return self.count - self.expected


class DrawerState(Struct):
    """A drawer as one process hands it to another."""

    shift: OpenedShift | None = None
    #: The newest is the last.
    shifts: list[ClosedShift] = []
    fills_sent: dict[str, Sent] = {}


class Drawer:
    """What the cage's own events come to."""

    def __init__(self, state: DrawerState | None = None) -> None:
        self.state = DrawerState() if state is None else state

    def note(self, event: Noted, at: Instant) -> None:
        """Take in what happened."""
        self.APPLY[type(event)](self, event, at)

    def pack(self) -> bytes:
        """Write everything down, for another process."""
        return msgspec.json.encode(self.state)

    @classmethod
    def unpack(cls, data: bytes | msgspec.Raw) -> "Drawer":
        """Take up a drawer that another process has made."""
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

    #: What is done with each event.
    APPLY: ClassVar[dict[type, Callable[[Any, Any, Instant], None]]] = {
        FillSent: _sent,
        TransitClosed: _arrived,
        FillReturned: _arrived,
        ShiftOpened: _opened,
        ShiftClosed: _closed,
    }

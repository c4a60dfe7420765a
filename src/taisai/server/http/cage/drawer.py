"""The cage's drawer: who has it, chips between cage and tables, and the results of past shifts.

Commands for it are sent over the socket, by two persons; these routes only show it.
"""

from typing import Annotated, Any, NamedTuple

import msgspec
from litestar import Request, get
from msgspec import Struct

from taisai.core.cage.state import CageState
from taisai.core.kernel.ledger import CASH
from taisai.core.kernel.messages import Delivery, Instant
from taisai.core.kernel.transits import Received
from taisai.core.table.chips.pieces import Chips
from taisai.core.table.positions import locked_win
from taisai.projections.figures.drawer import SHIFTS_KEPT, ClosedShift, Drawer
from taisai.projections.figures.tally import Sent
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, table_stream
from taisai.server.figures.follower import Figures
from taisai.server.http.audit.journal_workers import figures_of
from taisai.server.http.frame.access import TheCaller, route
from taisai.server.http.frame.dependencies import (
    TheApplication,
    check_open,
    durably,
    open_tables,
    whole,
)
from taisai.server.roles import SEE_CAGE, counts

#: Chips are carried across a floor in a few minutes; after so long they count as late.
LATE_MS = 15 * 60 * 1_000


class OnItsWay(Struct, frozen=True):
    """Chips that left the cage or a table and have not come to the other yet, as counted out."""

    transit: str
    table: str
    amount: int
    #: Empty, and the rest null, while older events of the journal are still being read.
    chips: Chips
    by: str | None
    sent_at: Instant | None
    #: Whether they have been on their way for more than a quarter of an hour.
    late: bool


class OnTheWay(NamedTuple):
    """All chips between the cage and the tables, and the streams of the tables that were read."""

    fills: list[OnItsWay]
    credits: list[OnItsWay]
    streams: list[str]


def on_the_way(runtime: Runtime, figures: Figures) -> OnTheWay:
    """Find the chips sent and not received; a suspended table is left out."""
    credits_: list[OnItsWay] = []
    streams: list[str] = []
    received: set[str] = set()
    for table, state in open_tables(runtime).items():
        if state.chips is None:
            continue
        stream, chip_table = table_stream(table), state.chips
        tally = figures.of(stream)
        sent = {} if tally is None else tally.state.credits_sent
        credits_ += _moving(runtime, chip_table.credits_open, sent, runtime.cage.transits_received)
        received |= {each for each in runtime.cage.fills_open if each in state.transits_received}
        streams.append(stream)
    drawer = figures.drawer
    sent = {} if drawer is None else drawer.state.fills_sent
    return OnTheWay(_moving(runtime, runtime.cage.fills_open, sent, received), credits_, streams)


def _moving(
    runtime: Runtime,
    open_: dict[str, Delivery],
    sent: dict[str, Sent],
    received: Received | set[str],
) -> list[OnItsWay]:
    """Give the chips sent and not received; the ones received are closed in a moment."""
    now = runtime.clock.now()
    return [
        OnItsWay(
            transit=transit,
            table=delivery.table,
            amount=delivery.amount,
            chips=() if left is None else left.chips,
            by=None if left is None else left.by,
            sent_at=None if left is None else left.at,
            late=is_late(left, now),
        )
        for transit, delivery in open_.items()
        if transit not in received
        for left in (sent.get(transit),)
    ]


def is_late(sent: Sent | None, now: Instant) -> bool:
    """Say whether chips sent at that time have been on their way for too long."""
    return sent is not None and now - sent.at > LATE_MS


class FilledTable(Struct, frozen=True):
    """A chip table that the cage sends fills to: its denominations, and its gaming day."""

    table: str
    #: The chips that it plays with, ascending.
    values: tuple[int, ...]
    #: Null where no day is open: nobody would receive a fill.
    date: str | None


class LockedWin(Struct, frozen=True):
    """A terminal that a large win has locked: the win may be paid by hand."""

    table: str
    terminal: str
    amount: int


class DrawerShift(Struct, frozen=True):
    """The shift of the cashier who has the drawer."""

    cashier: str
    opened_at: Instant | None
    #: What was counted at the beginning.
    count: int
    #: What should be in the drawer now; for auditors alone, since all others may count it.
    expected: int | None


class PastShift(ClosedShift, array_like=False, frozen=True):
    """A shift that is over: counted at its end, what should have been there, and the difference."""

    difference: int


class DrawerView(Struct, frozen=True):
    """The cage's drawer: the shift under way, chips between cage and tables, and past shifts."""

    currency: str
    at: Instant
    shift: DrawerShift | None
    #: Sent to tables by the cage, and to the cage by tables.
    fills: list[OnItsWay]
    credits: list[OnItsWay]
    #: The chip tables; of one that is suspended nothing is shown.
    tables: list[FilledTable]
    #: Wins that wait to be paid by hand, or for their lock to be cleared.
    locked: list[LockedWin]
    #: The newest first; null while older events are still being read.
    shifts: list[PastShift] | None


@get("/api/cage/drawer", **route("cage", "The drawer", SEE_CAGE, (503,)))
async def the_drawer(
    application: TheApplication,
    request: Request[Any, Any, Any],
    caller: TheCaller,
    limit: Annotated[int, whole("so many past shifts at most", 1, SHIFTS_KEPT)] = 50,
) -> DrawerView:
    """Say who has the drawer, which chips are on their way, and how past shifts came out.

    What should be in the drawer is shown to auditors alone until the shift is closed: whoever
    counts, or agrees to a count, and knows what to find, finds it. The difference is shown to
    everybody once it is counted.
    """
    runtime, figures = application.runtime, figures_of(request)
    drawer = figures.drawer
    check_open(runtime, CAGE)
    moving = on_the_way(runtime, figures)
    async with durably(runtime, CAGE, *map(table_stream, open_tables(runtime))):
        return DrawerView(
            currency=runtime.state.currency,
            at=runtime.clock.now(),
            shift=_shift(runtime.cage, drawer, blind=counts(caller.role)),
            fills=moving.fills,
            credits=moving.credits,
            tables=_filled_tables(runtime),
            locked=locked_wins(runtime),
            shifts=None if drawer is None else _newest(drawer, limit),
        )


def locked_wins(runtime: Runtime) -> list[LockedWin]:
    """List the terminals that a large win has locked, with the part of it still there."""
    return [
        LockedWin(table, name, amount)
        for table, state in open_tables(runtime).items()
        for name, seat in state.positions.items()
        if seat.locked and (amount := locked_win(state, name))
    ]


def _filled_tables(runtime: Runtime) -> list[FilledTable]:
    found = {name: state.chips for name, state in open_tables(runtime).items() if state.chips}
    return [
        FilledTable(name, each.chip_set.values, None if each.day is None else each.day.date)
        for name, each in found.items()
    ]


def _shift(cage: CageState, drawer: Drawer | None, *, blind: bool) -> DrawerShift | None:
    shift = cage.shift
    if shift is None:
        return None
    opened = None if drawer is None else drawer.state.shift
    expected = shift.count - cage.ledger.balance(CASH) - shift.began_with
    return DrawerShift(
        cashier=shift.cashier,
        opened_at=None if opened is None else opened.at,
        count=shift.count,
        expected=None if blind else expected,
    )


def _newest(drawer: Drawer, limit: int) -> list[PastShift]:
    newest = drawer.state.shifts[: -limit - 1 : -1]
    return msgspec.convert(newest, list[PastShift], from_attributes=True)

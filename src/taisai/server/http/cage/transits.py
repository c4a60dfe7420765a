"""Chips on their way between chip tables and the cage: which, since when, and whether too long."""

from collections.abc import Collection
from typing import NamedTuple

from msgspec import Struct

from taisai.core.kernel.messages import Delivery, Instant
from taisai.core.table.chips.pieces import Chips
from taisai.projections.figures.tally import Sent
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import table_stream
from taisai.server.figures.follower import Figures
from taisai.server.http.frame.dependencies import tables_of

#: Chips are carried across a floor in a few minutes; after so long somebody asks where they are.
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
    """Everything between the cage and the tables, and the streams of tables that were read."""

    fills: list[OnItsWay]
    credits: list[OnItsWay]
    streams: list[str]


def on_the_way(runtime: Runtime, figures: Figures) -> OnTheWay:
    """Find what left one side and has not come to the other; of a suspended table nothing."""
    credits_: list[OnItsWay] = []
    streams: list[str] = []
    received: set[str] = set()
    for table in tables_of(runtime):
        writer = runtime.writer(table_stream(table))
        felt = None if writer.suspended is not None else runtime.table(table).chips
        if felt is None:
            continue
        tally = figures.of(writer.stream)
        sent = {} if tally is None else tally.kept.credits_sent
        credits_ += _moving(runtime, felt.credits_open, sent, runtime.cage.transits_received.keys())
        received |= runtime.table(table).transits_received.keys() & runtime.cage.fills_open.keys()
        streams.append(writer.stream)
    drawer = figures.drawer
    sent = {} if drawer is None else drawer.kept.fills_sent
    return OnTheWay(_moving(runtime, runtime.cage.fills_open, sent, received), credits_, streams)


def _moving(
    runtime: Runtime,
    open_: dict[str, Delivery],
    sent: dict[str, Sent],
    received: Collection[str],
) -> list[OnItsWay]:
    """Say what was sent and not received; what was is closed in a moment."""
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
    """Say whether chips that left then have been on their way for too long."""
    return sent is not None and now - sent.at > LATE_MS

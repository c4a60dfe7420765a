"""The kinds of stream in a journal: a table, the cage, the venue.

A stream's name says its kind: `table/…`, `cage` or `venue`. The shell handles a stream's events
only through its kind, so that a table and the cage are written and recovered alike.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from taisai.core import snapshots
from taisai.core.cage.state import CageState
from taisai.core.kernel.decider import decide, evolve
from taisai.core.kernel.messages import Balances, Event, Order
from taisai.core.rules.reason import Refusal
from taisai.core.snapshots import pack_table, rounds_needed, unpack_cage, unpack_table
from taisai.core.streams import CageEvent, TableEvent, VenueEvent
from taisai.core.table.past import NOTHING_WANTED, Past, Wanted, wanted
from taisai.core.table.state import Phase, TableState
from taisai.core.venue.state import VenueState
from taisai.runtime.journal.contract import SHAPE, NotAJournalError, Record
from taisai.runtime.keys.files import every

VENUE, CAGE = "venue", "cage"
_TABLE = "table/"

State = TypeVar("State", TableState, CageState, VenueState)


@dataclass(frozen=True, slots=True)
class Kind(Generic[State]):
    """How the events of a stream are decided, applied, read, and packed into a snapshot."""

    fresh: Callable[[bytes], State]
    decode: Callable[[bytes], Event]
    pack: Callable[[State], bytes]
    unpack: Callable[[bytes, Mapping[int, Any], bytes], State]
    needed: Callable[[bytes], Sequence[int]] = lambda _: ()
    at_rest: Callable[[State], bool] = lambda _: True
    #: Says whether a snapshot is short, and nobody waits for a result written with it.
    snapshot_is_cheap: Callable[[State], bool] = lambda _: True
    #: Says what an order needs from the journal beyond the state, and has not got [D24].
    wanted: Callable[[State, Order, Past], Wanted] = lambda _, __, ___: NOTHING_WANTED
    decide: Callable[..., tuple[Event, ...] | Refusal] = decide
    evolve: Callable[[State, Any], Balances] = evolve

    def read(self, record: Record) -> Event:
        return self.decode(data_of(record))


TABLES: Kind[TableState] = Kind(
    fresh=lambda _: TableState(),
    decode=msgspec.json.Decoder(TableEvent).decode,
    pack=pack_table,
    unpack=lambda data, rounds, _: unpack_table(data, rounds),
    needed=rounds_needed,
    at_rest=lambda state: state.phase in (Phase.CLOSED, Phase.READY),
    snapshot_is_cheap=lambda state: state.phase in (Phase.CLOSED, Phase.BETTING) and not state.live,
    wanted=wanted,
)
THE_CAGE: Kind[CageState] = Kind(
    fresh=lambda key: CageState(*in_order(key)),
    decode=msgspec.json.Decoder(CageEvent).decode,
    pack=snapshots.CAGE.sealed,
    unpack=lambda data, _, key: unpack_cage(data, *in_order(key)),
)
THE_VENUE: Kind[VenueState] = Kind(
    fresh=lambda _: VenueState(),
    decode=msgspec.json.Decoder(VenueEvent).decode,
    pack=snapshots.VENUE.sealed,
    unpack=lambda data, _, __: VenueState(**snapshots.VENUE.opened(data)),
)


def in_order(key: bytes) -> tuple[bytes, tuple[bytes, ...]]:
    """Give the first voucher key, and the later ones in order."""
    newest, *earlier = every(key)
    first, *later = (*reversed(earlier), newest)
    return first, tuple(later)


def data_of(record: Record) -> bytes:
    """Give an event as it is written; refuse a shape that this program does not know."""
    if record.shape != SHAPE:
        raise NotAJournalError(
            f"{record.stream} {record.version} is written in shape {record.shape},"
            f" and this program reads shape {SHAPE}; another program wrote it"
        )
    return record.data


def table_stream(table: str) -> str:
    return _TABLE + table


def stream_of(name: str) -> str:
    """Find the stream that people mean by a name: the cage, the venue, or a table."""
    return name if name in (CAGE, VENUE) else table_stream(name)


def table_of(stream: str) -> str | None:
    """Give the table of a stream, if it is a table's."""
    return stream.removeprefix(_TABLE) if stream.startswith(_TABLE) else None


def kind_of(stream: str) -> Kind[Any]:
    """Give the kind of stream that a name stands for."""
    if stream == VENUE:
        return THE_VENUE
    return THE_CAGE if stream == CAGE else TABLES

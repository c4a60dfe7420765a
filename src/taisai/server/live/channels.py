"""The channels of a stream: what is durable goes out in order, encoded once for all who watch.

A state may be ahead of the disk. What is shown of it in a snapshot is therefore taken now and held
back until the journal has it; by then nothing later has been told, so nothing falls between.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from taisai.core.kernel.messages import Event, Instant
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn
from taisai.core.table.betting import RoundVoided as RoundVoidedEvent
from taisai.core.table.chips.pieces import SEATS_MAX
from taisai.core.table.corrections import RoundResettled, RoundsReversed
from taisai.core.table.provably_fair import ChainPublished
from taisai.core.table.round import BetsClosed
from taisai.core.table.round import RoundSettled as RoundSettledEvent
from taisai.core.table.setup import RulebookAdopted
from taisai.core.table.state import TableState
from taisai.protocol.private import RoundSettled, RoundVoided
from taisai.protocol.server_messages import (
    Public,
    SentByServer,
    Staff,
    Suspended,
    TableSnapshot,
    TerminalSnapshot,
    Totals,
)
from taisai.runtime.answers import Registered
from taisai.server.live.announcements import is_public, public_of
from taisai.server.live.felt_totals import moved_on_felt
from taisai.server.live.private_showing import Sharing, Shown, part_of, registered
from taisai.server.live.seats import Seat
from taisai.server.live.views import table_view, terminal_view

if TYPE_CHECKING:
    from taisai.server.console.feed import ConsoleFeed
    from taisai.server.live.connection import Connection

#: Box totals go out ten times a second at the most, and less often the more there are to be told.
TOTALS_SECONDS = 0.1
TOTALS_FRAMES_PER_SECOND = 2_500
#: Messages of the public channel that are kept for those who come back.
RECENT_KEPT = 256
#: Settled rounds whose division among the terminals is kept.
SHARED_KEPT = 4
#: What is held back for a connection: what it watches, and its seat.
WATCH, SEAT = "watch", "seat"
#: What of these is long, and not for everybody on the staff, is left out.
_LONG: dict[type[Event], dict[str, Any]] = {
    BetsClosed: {"rejected": ()},
    RoundSettledEvent: {"lines": ()},
    RoundVoidedEvent: {"returned": ()},
    RoundsReversed: {},
    RoundResettled: {"lines": ()},
    RulebookAdopted: {"canonical": ""},
    ChainPublished: {"sealed": ""},
}
#: Told as long as there is no more of it than a felt has seats.
_BY_SEAT = ("netted", "gone", "playing")

_encode = msgspec.json.Encoder().encode
Later = Callable[[], None]
#: Whose something is, and what of theirs it is: the newest of each alone is held back.
Whose = tuple[object, str]
#: A message of the public channel, from the sequence it follows and the language it is read in.
Told = Callable[[int, str], SentByServer]


class Channel:
    """What the staff who watch a stream are told; a table's has more."""

    def __init__(self, name: str, version: int) -> None:
        self.name = name
        #: The newest version that has been told.
        self.version = version
        self.staff: dict[Connection, None] = {}
        self.suspended = False
        self._staff_sequence = version
        self._waiting: dict[Whose, tuple[int, Later, Later]] = {}
        #: What was asked of a stream that is suspended, to be asked again when it goes on.
        self._put_off: dict[Whose, Later] = {}

    @property
    def held_back(self) -> int:
        """Count what waits: for a version to be durable, or for the stream to go on."""
        return len(self._waiting) + len(self._put_off)

    def when_told(self, whose: Whose, version: int, then: Later, again: Later) -> None:
        """Do something once a version is durable and told; `again` if it never comes to that."""
        if self.version >= version:
            then()
        else:
            self._waiting[whose] = (version, then, again)

    def put_off(self, whose: Whose, again: Later) -> None:
        """Have something asked again when the stream goes on."""
        self._put_off[whose] = again

    def suspend(self) -> None:
        """Take it that nothing which is held back will become durable."""
        self.suspended = True
        self._put_off |= {whose: again for whose, (_, _, again) in self._waiting.items()}
        self._waiting.clear()

    def go_on(self, version: int) -> None:
        """Go on from what was read back."""
        self.suspended = False
        self.version = self._staff_sequence = version
        waiting, self._put_off = self._put_off, {}
        for again in waiting.values():
            again()

    def published(self, decided: Registered) -> None:
        """Tell whoever watches what is durable now."""
        self.version = decided.last
        if self.staff:
            self._tell_staff(decided)
        if self._waiting:
            self._wake()

    def _wake(self) -> None:
        due = [whose for whose, each in self._waiting.items() if each[0] <= self.version]
        for then in [self._waiting.pop(whose)[1] for whose in due]:
            then()

    def _tell_staff(self, decided: Registered) -> None:
        events: tuple[Any, ...] = tuple(_for_staff(each) for each in decided.events)
        after, self._staff_sequence = self._staff_sequence, decided.last
        data = _encode(Staff(self.name, decided.last, after, decided.at, events))
        for connection in self.staff:
            connection.hear(data)

    def forget(self, connection: "Connection") -> None:
        """Tell a connection nothing more."""
        self.staff.pop(connection, None)
        self.let_go((connection, WATCH))

    def let_go(self, whose: Whose) -> None:
        """Hold nothing back any more for whoever does not want it."""
        self._waiting.pop(whose, None)
        self._put_off.pop(whose, None)


class TableChannel(Channel):
    """A table: the public channel, the staff's, and the private ones of its seats."""

    def __init__(self, name: str, state: TableState, version: int) -> None:
        super().__init__(name, version)
        self.watchers: dict[Connection, None] = {}
        self.seats: dict[str, Seat] = {}
        self.closes_at: Instant | None = None
        self.automatic = False
        #: What the staff are told beside events; the hub sets it.
        self.console: ConsoleFeed | None = None
        #: Called when something changed that no message tells: whoever watches needs a snapshot.
        self.begin_anew: Later = lambda: None
        self._public_sequence = self._floor = version
        self._recent: deque[tuple[int, int, Told]] = deque()
        self._totals = dict(state.box_totals)
        self._changed: set[str] = set()
        self._ticking: asyncio.TimerHandle | None = None
        self._shared: OrderedDict[int, Sharing] = OrderedDict()
        self._snapshots: dict[str, tuple[int, bytes]] = {}

    # --- what happens ------------------------------------------------------------------------

    def published(self, decided: Registered) -> None:
        """Tell whoever it concerns what is durable now; almost always that is a bet."""
        first = decided.events[0]
        if type(first) is not BetsRegistered:
            self._happened(decided)
            return
        self.version = decided.last
        totals, changed = self._totals, self._changed
        for bet in first.bets:
            box = bet.box
            totals[box] = totals.get(box, 0) + bet.stake
            changed.add(box)
        if self._ticking is None:
            self._begin_tick()
        if self.staff and self.console is not None:
            self.console.stakes_changed()
        seat = self.seats.get(first.terminal)
        if seat is not None:
            data = seat.show(decided.last, decided.at, registered(first))
            if data is not None and seat.connection is not None and not seat.waits:
                seat.connection.say(data)
        if self._waiting:
            self._wake()

    def _happened(self, decided: Registered) -> None:
        self._snapshots.clear()
        public = any(is_public(event) for event in decided.events)
        if public:
            # What lay on the boxes before is told before: nothing is told out of its order.
            self._tick()
        for event in decided.events:
            self._count(event)
        self.version = decided.last
        if public:
            self._tell_public(decided)
        self._tell_terminals(decided)
        if self.staff:
            self._tell_console(decided)
        if self._waiting:
            self._wake()

    def _tell_console(self, decided: Registered) -> None:
        """Tell the staff what happened, and have their console look at the table again."""
        withdrawn = type(decided.events[0]) is BetsWithdrawn
        if not withdrawn:
            self._tell_staff(decided)
        if self.console is not None:
            if withdrawn:
                self.console.stakes_changed()
            else:
                self.console.happened()

    @property
    def totals(self) -> dict[str, int]:
        """Give what lies on each box, as far as it is told."""
        return self._totals

    def _count(self, event: Event) -> None:
        """Keep the sums on the boxes, as the journal has them."""
        match event:
            case BetsWithdrawn(bets=bets):
                self._take_off((bet.box, bet.stake) for bet in bets)
            case BetsClosed(rejected=rejected):
                self._take_off((box, amount) for _, box, amount in rejected)
            case RoundSettledEvent() | RoundVoidedEvent():
                self._changed.clear()
                self._totals.clear()
            case _:
                moved = moved_on_felt(event)
                if moved:
                    self._take_off(moved)

    def _take_off(self, stakes: Iterable[tuple[str, int]]) -> None:
        for box, stake in stakes:
            self._totals[box] = self._totals.get(box, 0) - stake
            self._changed.add(box)
        if self._ticking is None:
            self._begin_tick()

    def _begin_tick(self) -> None:
        if self.watchers:
            pause = max(TOTALS_SECONDS, len(self.watchers) / TOTALS_FRAMES_PER_SECOND)
            self._ticking = asyncio.get_running_loop().call_later(pause, self._tick)

    def _tick(self) -> None:
        """Tell everybody what changed on the boxes."""
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None
        if self._changed:
            boxes = {box: self._totals.get(box, 0) for box in self._changed}
            self._changed.clear()
            version = self.version
            self._broadcast(lambda after, _: Totals(self.name, version, after, boxes))

    def _tell_public(self, decided: Registered) -> None:
        def told(after: int, language: str) -> Public:
            shown = (public_of(event, language) for event in decided.events)
            events = tuple(each for each in shown if each is not None)
            return Public(self.name, decided.last, after, decided.at, events)

        self._broadcast(told)
        if self._changed:
            # One version is one message: what it took off the boxes is told by a snapshot.
            self._changed.clear()
            self._recent.clear()
            self._floor = decided.last
            self.begin_anew()

    def _broadcast(self, told: Told) -> None:
        """Encode a message once for each language, and let everybody hear it."""
        after, self._public_sequence = self._public_sequence, self.version
        if len(self._recent) == RECENT_KEPT:
            self._floor = self._recent.popleft()[0]
        self._recent.append((self.version, after, told))
        by_language: dict[str, bytes] = {}
        for connection in self.watchers:
            data = by_language.get(connection.language)
            if data is None:
                data = _encode(told(after, connection.language))
                by_language[connection.language] = data
            connection.hear(data)

    def join(self, connection: "Connection") -> None:
        """Let a connection hear the public channel from here on."""
        self.watchers[connection] = None
        if self._changed and self._ticking is None:
            self._begin_tick()

    def since(self, sequence: int, language: str) -> list[bytes] | None:
        """Give what everybody heard after a sequence, or nothing where it is not kept any more."""
        if not self._floor <= sequence <= self.version:
            return None
        return [
            _encode(told(after, language)) for each, after, told in self._recent if each > sequence
        ]

    def _tell_terminals(self, decided: Registered) -> None:
        """Tell each terminal its part of everything that a decision came to."""
        parts = [self._part(decided, event) for event in decided.events]
        found = [part for part in parts if part]
        if len(found) == 1:
            # Almost always: a settled round, or what happened to one terminal.
            for terminal, shown in found[0].items():
                seat = self.seats.get(terminal)
                if seat is not None:
                    self._tell_seat(seat, seat.show(decided.last, decided.at, shown))
            return
        for terminal in dict.fromkeys(chain.from_iterable(found)):
            seat = self.seats.get(terminal)
            if seat is not None:
                mine = [part[terminal] for part in found if terminal in part]
                self._tell_seat(seat, seat.show_all(decided.last, decided.at, mine))

    def _tell_seat(self, seat: Seat, data: bytes | None) -> None:
        if data is not None and seat.connection is not None and not seat.waits:
            seat.connection.hear(data)

    def _part(self, decided: Registered, event: Event) -> dict[str, Shown]:
        """Divide an event among the terminals that it concerns."""
        match part_of(event):
            case None:
                return {}
            case Sharing(shown=shown) as sharing:
                self._keep_shared(decided, event, sharing)
                return shown
            case terminal, shown:
                return {terminal: shown}

    def _keep_shared(self, decided: Registered, event: Event, sharing: Sharing) -> None:
        if isinstance(event, RoundSettledEvent | RoundVoidedEvent):
            self._shared[decided.last] = sharing
            if len(self._shared) > SHARED_KEPT:
                self._shared.popitem(last=False)

    # --- snapshots ---------------------------------------------------------------------------

    def snapshot(self, state: TableState, version: int, at: Instant, language: str) -> bytes:
        """Write a snapshot for everybody; whoever comes at the same version gets the same."""
        kept = self._snapshots.get(language)
        if kept is not None and kept[0] == version:
            return kept[1]
        view = table_view(state, language)
        dealer: Literal["automatic", "person"] = "automatic" if self.automatic else "person"
        message = TableSnapshot(
            self.name, version, at, view, self.closes_at, dealer, self.suspended
        )
        data = _encode(message)
        self._snapshots[language] = (version, data)
        return data

    def terminal_snapshot(
        self, state: TableState, version: int, at: Instant, terminal: str
    ) -> tuple[bytes, int, int]:
        """Write a terminal's snapshot; give it with its credits and stakes."""
        view = terminal_view(state, terminal, self._last(terminal))
        return _encode(TerminalSnapshot(version, at, view)), view.credits, view.staked

    def _last(self, terminal: str) -> RoundSettled | RoundVoided | None:
        for sharing in reversed(self._shared.values()):
            shown = sharing.shown.get(terminal)
            if shown is not None and isinstance(shown.event, RoundSettled | RoundVoided):
                return shown.event
        return None

    # --- suspension, dealer, countdown -------------------------------------------------------

    def suspend(self) -> None:
        """Show the table as suspended; what was held back for it will not become durable."""
        super().suspend()
        self._snapshots.clear()
        self.tell_all(Suspended(self.name, suspended=True))

    def resume(self, state: TableState, version: int) -> None:
        """Go on from the state as it was read back; whoever watches needs a new snapshot."""
        self._public_sequence = self._floor = version
        self._recent.clear()
        self._totals = dict(state.box_totals)
        self._changed.clear()
        self._snapshots.clear()
        self.tell_all(Suspended(self.name, suspended=False))
        self.go_on(version)

    def tell_all(self, message: SentByServer) -> None:
        """Let everybody who watches hear something that has no sequence."""
        self._snapshots.clear()
        data = _encode(message)
        for connection in self.watchers:
            connection.hear(data)

    def forget(self, connection: "Connection") -> None:
        """Tell a connection nothing more."""
        super().forget(connection)
        self.watchers.pop(connection, None)
        if self.console is not None:
            self.console.left(connection)


def _for_staff(event: Event) -> Event:
    """Leave out what is too long for a message, or sealed.

    What a reversal takes from each player is collected by hand at a felt, and is told there; so is
    what it gives to those who have left, and whose bets played in part.
    """
    left_out = _LONG.get(type(event))
    if left_out is not None:
        long = [name for name in _BY_SEAT if len(getattr(event, name, ())) > SEATS_MAX]
        left_out = {**left_out, **dict.fromkeys(long, ())}
    return event if left_out is None else msgspec.structs.replace(event, **left_out)

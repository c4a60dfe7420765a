"""The channels of a stream: they send durable events in order, encoded once for all who watch.

A table's channels hold its durable views. A snapshot is the views as they are, and each message has
the changes since, so nothing is lost between a snapshot and the next message. If another node owns
the table and no connection here watches it, its views are built when they are needed.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, Literal, Protocol

import msgspec
from msgspec import structs

from taisai.core.kernel.messages import Event, Instant
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn, RoundVoided
from taisai.core.table.chips.pieces import SEATS_MAX
from taisai.core.table.corrections import RoundResettled, RoundsReversed
from taisai.core.table.provably_fair import ChainPublished
from taisai.core.table.round import BetsClosed, RoundSettled
from taisai.core.table.setup import RulebookAdopted
from taisai.core.table.state import TableState
from taisai.projections.calls import call_in, worded
from taisai.projections.log import line_of
from taisai.projections.position_view import PositionProjection, Shown
from taisai.projections.table_view import TableProjection
from taisai.protocol.server_messages import (
    Countdown,
    Dealer,
    Public,
    SentByServer,
    Staff,
    Suspended,
    TableSnapshot,
    TerminalSnapshot,
)
from taisai.protocol.views import Changes, PositionView, TableView, merge_changes
from taisai.runtime.answers import Registered
from taisai.runtime.streams import CAGE
from taisai.server.live.announcements import is_public, public_of
from taisai.server.live.connection import Connection, Crowd, is_too_long
from taisai.server.live.seats import Seat
from taisai.server.roles import SEE_CAGE, SEE_VENUE, WATCH_TABLES

#: Box totals are sent at most ten times a second, and less often the more connections there are.
TOTALS_SECONDS = 0.1
TOTALS_FRAMES_PER_SECOND = 2_500
#: Messages of the public channel that are stored for clients that reconnect.
RECENT_STORED = 256
#: Fields left out of what the staff are sent, since they are too long or sealed.
_LONG: dict[type[Event], dict[str, Any]] = {
    BetsClosed: {"rejected": ()},
    RoundSettled: {"lines": (), "sessions": {}},
    RoundVoided: {"returned": ()},
    RoundsReversed: {},
    RoundResettled: {"lines": (), "sessions": {}},
    RulebookAdopted: {"canonical": ""},
    ChainPublished: {"sealed": ""},
}
#: Fields that are shown if they have no more items than a chip table has seats.
_BY_SEAT = ("netted", "gone", "playing")

_encode = msgspec.json.Encoder().encode
#: Makes a message of the public channel, given the sequence it follows and the language.
Message = Callable[[int, str], SentByServer]


class Console(Protocol):
    """Sends the staff who watch a table what they need beside its events."""

    def stakes_changed(self) -> None:
        """Update after a bet was placed or withdrawn."""

    def happened(self) -> None:
        """Update after any other event."""

    def joined(self, connection: Connection) -> None:
        """Send everything to a connection that has begun to watch."""

    def left(self, connection: Connection) -> None:
        """Forget a connection."""

    def suspend(self) -> None:
        """Drop updates that will not become durable."""

    def stop(self) -> None:
        """Send nothing more."""


class Channel:
    """The staff's channel of a stream; a table has more channels."""

    def __init__(self, name: str, version: int) -> None:
        self.name = name
        #: The newest version that is durable.
        self.version = version
        self.staff: dict[Connection, None] = {}
        self.suspended = False
        self._staff_sequence = version

    def is_for(self, role: str) -> bool:
        """Say whether a role may receive the staff's channel; anybody may watch a table."""
        return role in (SEE_CAGE if self.name == CAGE else SEE_VENUE)

    def suspend(self) -> None:
        """Send nothing until the stream has been read back."""
        self.suspended = True

    def go_on(self, version: int) -> None:
        """Resume at the version that was read back."""
        self.suspended = False
        self.version = self._staff_sequence = version

    def published(self, decided: Registered) -> None:
        """Send a durable decision to the staff who watch."""
        self.version = decided.last
        if self.staff:
            self._send_staff(decided)

    def _send_staff(self, decided: Registered) -> None:
        """Encode the events once for each language, and send them to the staff who watch."""
        events: tuple[Any, ...] = tuple(_for_staff(each) for each in decided.events)
        after, self._staff_sequence = self._staff_sequence, decided.last
        written: dict[str, bytes] = {}
        for connection in self.staff:
            language = connection.language
            data = written.get(language)
            if data is None:
                log = tuple(line_of(event, language) for event in events)
                message = Staff(self.name, decided.last, after, decided.at, events, log)
                data = _encode(message)
                if is_too_long(data):
                    data = _encode(structs.replace(message, log=()))
                written[language] = data
            connection.send_later(data)

    def forget(self, connection: Connection) -> None:
        """Send a connection nothing more."""
        self.staff.pop(connection, None)


class TableChannel(Channel):
    """A table: the public channel, the staff's, and the private ones of its seats."""

    def __init__(self, name: str, state: TableState, version: int) -> None:
        super().__init__(name, version)
        #: The connections of this process that watch, and the crowds that watch through gateways.
        self.watchers: dict[Connection, None] = {}
        self.crowds: dict[Crowd, None] = {}
        self.seats: dict[str, Seat] = {}
        self.closes_at: Instant | None = None
        self.automatic = False
        #: Sends the staff what they need beside events; the hub sets it.
        self.console: Console | None = None
        #: Gives the state as followed from another node, and its version; the hub sets it.
        self.followed: Callable[[], tuple[TableState, int]] = lambda: (state, version)
        self._ticking: asyncio.TimerHandle | None = None
        self._begin(state, version)

    def is_for(self, role: str) -> bool:
        """Say whether a role may receive the staff's channel."""
        return role in WATCH_TABLES

    def _begin(self, state: TableState, version: int) -> None:
        """Begin with a state that is durable."""
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None
        self._is_behind = False
        self._table = TableProjection(state)
        self._positions = PositionProjection(state)
        self._at: Instant = 0
        self._public_sequence = self._floor = version
        self._recent: deque[tuple[int, int, Message]] = deque()
        self._snapshots: dict[str, tuple[int, bytes]] = {}

    @property
    def is_watched(self) -> bool:
        """Say whether any connection here is sent this table's messages."""
        return bool(self.staff or self.watchers or self.crowds or self.seats)

    def pass_by(self, version: int) -> None:
        """Note the version of a table that another node owns and no connection here watches.

        Its views are rebuilt when they are needed: until then its bets cost nothing here.
        """
        self.version, self._is_behind = version, True

    def catch_up(self) -> None:
        """Rebuild the views if the table was passed by."""
        if self._is_behind:
            state, version = self.followed()
            self._begin(state, version)
            self.version = version

    @property
    def totals(self) -> dict[str, int]:
        """Give what is bet on each box."""
        self.catch_up()
        return self._table.view.totals

    @property
    def dealer(self) -> Literal["automatic", "person"]:
        """Say who deals."""
        return "automatic" if self.automatic else "person"

    @property
    def terminals(self) -> Mapping[str, PositionView]:
        """Give the view of each terminal."""
        self.catch_up()
        return self._positions

    # --- what happens ------------------------------------------------------------------------

    def published(self, decided: Registered) -> None:
        """Send a durable decision to the connections it concerns."""
        if type(decided.events[0]) is BetsRegistered and len(decided.events) == 1:
            self.publish_bet(decided)
            self.bets_published()
        else:
            self.version, self._at = decided.last, decided.at
            self._happened(decided)

    def bets_published(self) -> None:
        """Have the totals of published bets sent soon, to all who watch and to the console."""
        if self._ticking is None:
            self._begin_tick()
        if self.staff and self.console is not None:
            self.console.stakes_changed()

    def publish_bet(self, decided: Registered) -> None:
        """Send a durable bet to the terminal that placed it; most decisions are bets."""
        bet, last, at = decided.events[0], decided.last, decided.at
        assert type(bet) is BetsRegistered, "of all events this is for bets alone"
        self.version, self._at = last, at
        self._table.bets_registered(bet)
        event, changes = self._positions.bets_registered(bet, decided.balances[0])
        seat = self.seats.get(bet.terminal)
        if seat is None:
            return
        connection = seat.connection
        if bet.on_behalf_by is None and decided.id:
            data = seat.show(last, at, (event,), changes, decided.id)
            if connection is not None:
                connection.answered = last
                connection.send_at_once(data)
        else:
            # Staff who bet for a player are answered apart from the terminal's own message.
            data = seat.show(last, at, (event,), changes)
            if connection is not None:
                connection.send_now(data)

    def _happened(self, decided: Registered) -> None:
        changes: Changes = {}
        for event in decided.events:
            merge_changes(TableView, changes, self._table.fold(event))
        public = [event for event in decided.events if is_public(event)]
        if public or changes:
            self._send_public(public, changes)
        else:
            self._begin_tick()
        self._send_terminals(decided)
        if self.staff:
            self._send_console(decided)

    def _send_console(self, decided: Registered) -> None:
        """Send the staff the events, and update their console."""
        withdrawn = type(decided.events[0]) is BetsWithdrawn
        if not withdrawn:
            self._send_staff(decided)
        if self.console is not None:
            if withdrawn:
                self.console.stakes_changed()
            else:
                self.console.happened()

    def look_again(self) -> None:
        """Update the staff's console, if any of them watch."""
        if self.staff and self.console is not None:
            self.console.happened()

    def _begin_tick(self) -> None:
        """Schedule the changed totals to be sent soon, if anybody watches."""
        if self._ticking is None and self._table.touched and (self.watchers or self.crowds):
            # Gateways send at the same time: the one with most connections takes longest.
            most = max(map(len, (self.watchers, *(each.members for each in self.crowds))))
            pause = max(TOTALS_SECONDS, most / TOTALS_FRAMES_PER_SECOND)
            self._ticking = asyncio.get_running_loop().call_later(pause, self.tick)

    def tick(self) -> None:
        """Send everybody the totals that have changed."""
        if self._table.touched:
            self._send_public([], {}, hurry=False)

    def _send_public(self, public: list[Event], changes: Changes, *, hurry: bool = True) -> None:
        """Send public events, their changes, and the totals that were still to be sent."""
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None
        if self._table.touched:
            merge_changes(TableView, changes, {"totals": self._table.take_totals()})
        version, at = self.version, self._at

        def message(after: int, language: str) -> Public:
            events = tuple(public_of(event, language) for event in public)
            return Public(self.name, version, after, at, events, worded(changes, language))

        self._broadcast(message, hurry=hurry)

    def _broadcast(self, message: Message, *, hurry: bool) -> None:
        """Encode a message once for each language, and send it to everybody."""
        after, self._public_sequence = self._public_sequence, self.version
        if len(self._recent) == RECENT_STORED:
            self._floor = self._recent.popleft()[0]
        self._recent.append((self.version, after, message))
        written: dict[str, bytes] = {}
        # Thousands of them: each is looked at once.
        for each in self._audience():
            language = each.language
            data = written.get(language)
            if data is None:
                data = written[language] = _encode(message(after, language))
            if hurry:
                each.send_later(data)
            else:
                each.send_along(data)

    def join(self, connection: Connection) -> None:
        """Add a connection to the public channel."""
        self.catch_up()
        crowd = connection.crowd(self.name)
        if crowd is None:
            self.watchers[connection] = None
        else:
            crowd.add(connection)
            self.crowds[crowd] = None
        self._begin_tick()

    def _audience(self) -> Iterator[Connection | Crowd]:
        return chain[Connection | Crowd](self.watchers, self.crowds)

    def everyone(self) -> list[Connection]:
        """List all who watch, here and through gateways."""
        return [*self.watchers, *chain.from_iterable(each.members for each in self.crowds)]

    def since(self, sequence: int, language: str) -> list[bytes] | None:
        """Give the public messages after a sequence, or None if they are not stored."""
        self.catch_up()
        if not self._floor <= sequence <= self.version:
            return None
        return [
            _encode(message(after, language))
            for each, after, message in self._recent
            if each > sequence
        ]

    def _send_terminals(self, decided: Registered) -> None:
        """Send each terminal its part of a decision's events."""
        every = map(self._positions.fold, decided.events, decided.balances)
        if len(decided.events) == 1:
            # Almost always: a settled round, or what happened to one terminal.
            seats, last, at = self.seats, decided.last, decided.at
            for terminal, event, changes in next(every):
                seat = seats.get(terminal)
                if seat is not None:
                    data = seat.show(last, at, (event,), changes)
                    if seat.connection is not None:
                        seat.connection.send_later(data)
            return
        by_terminal: dict[str, list[Shown]] = {}
        for shown in chain.from_iterable(every):
            by_terminal.setdefault(shown[0], []).append(shown)
        for terminal, mine in by_terminal.items():
            self._send_seat(terminal, decided, mine)

    def _send_seat(self, terminal: str, decided: Registered, shown: list[Shown]) -> None:
        seat = self.seats.get(terminal)
        if seat is None:
            return
        _, events, (changes, *more) = zip(*shown, strict=True)
        for each in more:
            merge_changes(PositionView, changes, each)
        seat.send_later(seat.show(decided.last, decided.at, events, changes))

    # --- snapshots ---------------------------------------------------------------------------

    def view_in(self, language: str) -> TableView:
        """Give a copy of the view, with the call worded in a language."""
        self.catch_up()
        view = self._table.view
        call, totals, rounds = call_in(view.faces, language), dict(view.totals), dict(view.rounds)
        return structs.replace(view, call=call, totals=totals, rounds=rounds)

    def snapshot(self, at: Instant, language: str) -> bytes:
        """Write a public snapshot, once for each version and language."""
        self.catch_up()
        stored = self._snapshots.get(language)
        if stored is not None and stored[0] == self.version:
            return stored[1]
        view = self.view_in(language)
        message = TableSnapshot(
            self.name, self.version, at, view, self.closes_at, self.dealer, self.suspended
        )
        data = _encode(message)
        self._snapshots[language] = (self.version, data)
        return data

    def standing(self) -> list[bytes]:
        """Write the messages without a sequence, for a client that was away when they were sent."""
        told = (
            Countdown(self.name, self.closes_at),
            Dealer(self.name, self.dealer),
            Suspended(self.name, suspended=self.suspended),
        )
        return [*map(_encode, told)]

    def terminal_snapshot(self, at: Instant, terminal: str) -> bytes:
        """Write a terminal's snapshot."""
        return _encode(TerminalSnapshot(self.version, at, self.terminals[terminal]))

    # --- suspension, dealer, countdown -------------------------------------------------------

    def suspend(self) -> None:
        """Show the table as suspended."""
        super().suspend()
        if self.console is not None:
            self.console.suspend()
        self.send_all(Suspended(self.name, suspended=True))

    def resume(self, state: TableState, version: int) -> None:
        """Resume from the state as read back; connections that watch need a new snapshot."""
        unseen = version != self.version
        self._begin(state, version)
        for seat in self.seats.values():
            seat.begin(version, unseen=unseen)
        self.send_all(Suspended(self.name, suspended=False))
        self.go_on(version)

    def send_all(self, message: SentByServer) -> None:
        """Send a message without a sequence to everybody who watches."""
        self._snapshots.clear()
        data = _encode(message)
        for each in self._audience():
            each.send_later(data)

    def forget(self, connection: Connection) -> None:
        """Send a connection nothing more."""
        super().forget(connection)
        crowd = connection.crowd(self.name)
        if crowd is None:
            self.watchers.pop(connection, None)
        else:
            crowd.remove(connection)
            if not crowd.members:
                self.crowds.pop(crowd, None)
        if self.console is not None:
            self.console.left(connection)


def is_settled(decided: Registered) -> bool:
    """Say whether a decision is the end of a round, after which nothing follows at once."""
    return type(decided.events[0]) is RoundSettled


def _for_staff(event: Event) -> Event:
    """Leave out fields that are too long for a message, or sealed.

    At a chip table the amounts that a reversal takes from each player are collected by hand, and
    are shown; so are those it gives to players who have left, and whose bets played in part.
    """
    left_out = _LONG.get(type(event))
    if left_out is not None:
        long = [name for name in _BY_SEAT if len(getattr(event, name, ())) > SEATS_MAX]
        left_out = {**left_out, **dict.fromkeys(long, ())}
    return event if left_out is None else structs.replace(event, **left_out)

"""The feed for the staff who watch a table, beside its events: steps, exposure, and its chips.

All are snapshots without a sequence: the newest counts, and one that has not changed is not sent
again. Steps and chips are computed from the state, which may be ahead of the disk, and held back
until all of it is durable; exposure is computed from the totals that are durable already. If no
staff watch, nothing is done.
"""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

import msgspec

from taisai.core.kernel.approvals import EXPIRES_AFTER_MS
from taisai.core.kernel.messages import Actor, Instant, Role
from taisai.core.table.chips.payout import Guide, payout_guide
from taisai.core.table.state import TableState
from taisai.projections.exposure import exposure_message, exposure_on, playing_on
from taisai.runtime.clock import Clock
from taisai.runtime.writer import Writer
from taisai.server.console.chip_table import Surroundings, chip_table_views
from taisai.server.console.steps import steps_for
from taisai.server.live.channels import TableChannel
from taisai.server.live.connection import Connection

#: Steps are sent at most ten times a second, exposure twice.
STEPS_SECONDS = 0.1
EXPOSURE_SECONDS = 0.5

_encode = msgspec.json.Encoder().encode
#: A role and a language: steps are computed once for all connections that share both.
Reader = tuple[Role, str]


class ConsoleFeed:
    """The steps, the exposure and the chips of one table, for its staff."""

    def __init__(
        self,
        channel: TableChannel,
        writer: Writer,
        clock: Clock,
        surroundings: Callable[[Instant], Surroundings],
    ) -> None:
        self._channel = channel
        self._writer = writer
        self._clock = clock
        self._surroundings = surroundings
        self._loop = asyncio.get_running_loop()
        self._steps_due: asyncio.TimerHandle | None = None
        self._exposure_due: asyncio.TimerHandle | None = None
        self._expiry: asyncio.TimerHandle | None = None
        self._steps_from = self._exposure_from = 0.0
        #: The version that steps wait for, since it is not durable yet, and what sends them then.
        self._held: tuple[int, Callable[[], None]] | None = None
        #: What each connection was sent last, so that nothing is sent twice.
        self._steps_sent: dict[Connection, bytes] = {}
        self._exposure_sent: dict[Connection, bytes] = {}
        self._chip_table_sent: dict[Connection, bytes] = {}

    # --- what happens ------------------------------------------------------------------------

    def stakes_changed(self) -> None:
        """Have the exposure sent soon: bets were placed, withdrawn, settled or returned."""
        if self._held is not None:
            self._send_held()
        if self._exposure_due is None:
            pause = max(0.0, self._exposure_from - self._loop.time())
            self._exposure_due = self._loop.call_later(pause, self._expose)

    def happened(self) -> None:
        """Have the steps computed soon: an event other than a bet has happened."""
        self.stakes_changed()
        self._look_soon()

    def joined(self, connection: Connection) -> None:
        """Send a connection everything: it has just begun to watch, or missed messages."""
        self.left(connection)
        self.happened()

    def left(self, connection: Connection) -> None:
        """Forget what a connection was sent."""
        for sent in (self._steps_sent, self._exposure_sent, self._chip_table_sent):
            sent.pop(connection, None)

    def suspend(self) -> None:
        """Drop steps from decisions that will not become durable."""
        self._held = None

    def stop(self) -> None:
        """Send nothing more."""
        for due in (self._steps_due, self._exposure_due, self._expiry):
            if due is not None:
                due.cancel()

    # --- steps -------------------------------------------------------------------------------

    def _look_soon(self) -> None:
        if self._steps_due is None:
            pause = max(0.0, self._steps_from - self._loop.time())
            self._steps_due = self._loop.call_later(pause, self._look)

    def _look(self) -> None:
        """Compute the steps, and send them once their version is published."""
        self._steps_due = None
        self._steps_from = self._loop.time() + STEPS_SECONDS
        state, readers = self._state(), {_reader(each) for each in self._channel.staff}
        if state is None or not readers:
            return
        now, automatic = self._clock.now(), self._channel.automatic
        # The lists of a chip table are computed once, for all readers.
        guide = None if state.chips is None else payout_guide(state)
        made = {
            (role, language): _encode(
                steps_for(state, role, language, now, automatic=automatic, guide=guide)
            )
            for role, language in readers
        }
        chip_tables = self._chip_tables(state, {language for _, language in readers}, now, guide)
        self._look_when_expired(state, now)
        self._held = self._writer.head.version, partial(self._send_steps, made, chip_tables)
        self._send_held()

    def _send_held(self) -> None:
        """Send the steps once their version is durable."""
        assert self._held is not None, "there are steps to send"
        version, send = self._held
        if self._channel.version >= version:
            self._held = None
            send()

    def _chip_tables(
        self, state: TableState, languages: set[str], now: Instant, guide: Guide | None
    ) -> dict[str, bytes]:
        """Write a chip table in each language; a terminal table has nothing to show."""
        chip_table = state.chips
        if chip_table is None or guide is None:
            return {}
        sent = chip_table_views(state, chip_table, languages, self._surroundings(now), guide)
        return {language: _encode(each) for language, each in sent.items()}

    def _send_steps(self, made: dict[Reader, bytes], chip_tables: dict[str, bytes]) -> None:
        for connection in self._channel.staff:
            # A connection that has joined since has its own update scheduled.
            _send_if_new(connection, made.get(_reader(connection)), self._steps_sent)
            _send_if_new(connection, chip_tables.get(connection.language), self._chip_table_sent)

    def _look_when_expired(self, state: TableState, now: Instant) -> None:
        """Look again when the minute of a waiting command is over: a round may go on then."""
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None
        if state.pending is not None:
            left = state.pending.at + EXPIRES_AFTER_MS - now
            if left >= 0:
                self._expiry = self._loop.call_later((left + 1) / 1_000, self._look_soon)

    # --- exposure ----------------------------------------------------------------------------

    def _expose(self) -> None:
        """Send what the house would pay on each result, if that has changed."""
        self._exposure_due = None
        self._exposure_from = self._loop.time() + EXPOSURE_SECONDS
        state = self._state() if self._channel.staff else None
        stakes = None if state is None else self._durable_stakes(state)
        found = None if state is None or stakes is None else exposure_on(state, stakes)
        if found is None:
            return
        data = _encode(exposure_message(self._channel.name, found))
        for connection in self._channel.staff:
            _send_if_new(connection, data, self._exposure_sent)

    def _durable_stakes(self, state: TableState) -> Mapping[str, int] | None:
        """Give the stakes that would play on each box; None while that is not durable.

        At an over-full chip table they depend on whose the bets are [D2]: they are computed from
        the state, once all of it is durable.
        """
        if state.chips is not None:
            durable = self._channel.version >= self._writer.head.version
            return playing_on(state) if durable else None
        totals = self._channel.totals
        boxes = {} if state.pay_table is None else state.pay_table.boxes
        # The table has other boxes by now; the totals will follow in a moment.
        return totals if totals.keys() <= boxes.keys() else None

    def _state(self) -> TableState | None:
        """Give the state of the table, if it can be shown at all."""
        if self._channel.suspended or self._writer.suspended is not None:
            return None
        state: TableState = self._writer.state
        return state


def _send_if_new(connection: Connection, data: bytes | None, sent: dict[Connection, bytes]) -> None:
    """Send data to a connection, unless it was the last that it was sent."""
    if data is not None and sent.get(connection) != data:
        sent[connection] = data
        connection.send_later(data)


def _reader(connection: Connection) -> Reader:
    actor = connection.actor
    assert isinstance(actor, Actor), "staff are known by name"
    return actor.role, connection.language

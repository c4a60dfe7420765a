"""The automatic dealers of a venue, one for each table, and handing over to persons and back."""

import asyncio
import contextlib
import itertools
import logging
import secrets
from collections.abc import Iterable
from typing import Literal, Protocol, assert_never

from msgspec import Struct
from msgspec.structs import replace

from taisai.core.kernel.approvals import EXPIRES_AFTER_MS
from taisai.core.kernel.messages import Actor, Command, Instant, Order
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn
from taisai.core.table.irregularities import AnnounceVoid
from taisai.core.table.round import CloseBets, ConfirmResult, OpenBets, Settle
from taisai.core.table.state import NOT_OPEN, Phase, TableState, in_force
from taisai.core.venue.setup import DealerChanged, RecordDealer
from taisai.runtime.answers import Registered, UnknownStreamError
from taisai.runtime.publisher import Announcement, Follower
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import VENUE, table_stream
from taisai.server.floor_plan import COUNTDOWN_MIN_SECONDS, Pace, TablePlan
from taisai.wording import told

# --- what comes next -----------------------------------------------------------------------------
#
# The next step is decided from the table's state and the time. Only the time since when the table
# has been in its phase is remembered: a person may do any step first, a round may be void, a venue
# may start again, and the next step still follows from the state.


class Wait(Struct, frozen=True):
    """Wait until a moment, or until something happens; without a moment, only for the latter."""

    until: Instant | None = None


class Give(Struct, frozen=True):
    """Give a command now."""

    command: Command


class Tumble(Struct, frozen=True):
    """Have the device tumble for a new round, if its document has the tumble before the bets."""


Step = Wait | Give | Tumble


class Turn(Struct, frozen=True):
    """The phase of a table in a round, and since when the dealer has known it."""

    round: int
    phase: Phase
    since: Instant


def turn_at(before: Turn | None, state: TableState, now: Instant) -> Turn:
    """Give the turn of a table; it stays the same while round and phase do."""
    if before is not None and (before.round, before.phase) == (state.round, state.phase):
        return before
    return Turn(state.round, state.phase, now)


def is_fit(state: TableState) -> bool:
    """Say whether a table can be dealt at: it is open, and nothing waits for people.

    Chips on a chip table are read, collected and paid by people. Where a malfunction stops further
    games, the one under way still ends by its dice [div9 7.3, 7.4].
    """
    return (
        state.phase not in NOT_OPEN
        and state.chips is None
        and (state.stopped is None or state.phase in _UNDER_WAY)
        and state.in_doubt is None
        and not state.waiting
    )


def closes_at(turn: Turn, pace: Pace) -> Instant:
    """Say when the bets that opened with this turn will be closed."""
    return turn.since + _ms(pace.countdown_seconds)


def next_step(
    state: TableState, turn: Turn, pace: Pace, now: Instant, *, device: bool = True
) -> Step:
    """Give the next step at a table that is fit; `device` says whether a device reads its dice.

    If a person reads the dice, that person also confirms the entry: only then are the winners
    lit and, a moment later, paid.
    """
    match state.phase:
        case Phase.READY:
            return _begin(state, turn, pace, now, device=device)
        case Phase.TUMBLED if not state.tumbled:
            # Nobody bets on dice that somebody has seen: they are tumbled again [D20].
            return _when(turn.since, Tumble(), state, now) if device else Wait()
        case Phase.TUMBLED:
            return _when(turn.since, Give(OpenBets()), state, now)
        case Phase.BETTING:
            return _when(closes_at(turn, pace), Give(CloseBets(bell=True)), state, now)
        case Phase.RESULT if device:
            return _when(turn.since, Give(ConfirmResult()), state, now)
        case Phase.CONFIRMED:
            due = turn.since + _ms(pace.result_seconds)
            return _when(due, Give(Settle()), state, now)
        case Phase.NEW | Phase.CLOSED | Phase.NO_MORE_BETS | Phase.RESULT:
            return Wait()
        case phase:
            assert_never(phase)


def _begin(state: TableState, turn: Turn, pace: Pace, now: Instant, *, device: bool) -> Step:
    """Begin a round after the pause; with notice given, the pit closes the table instead."""
    due = turn.since + _ms(pace.pause_seconds)
    if state.to_announce is not None:
        return _when(turn.since, Give(AnnounceVoid()), state, now)
    if state.notice_given:
        return Wait()
    if in_force(state).content.procedure.tumble.order != "before-bets":
        return _when(due, Give(OpenBets()), state, now)
    return _when(due, Tumble(), state, now) if device else Wait()


def _when(due: Instant, step: Step, state: TableState, now: Instant) -> Step:
    """Take a step when it is due, and not while a command waits for its second person.

    Any event at a table ends such a wait [D14]; so the wait is given its minute, but no more:
    nobody can delay a table by asking again and again.
    """
    if now < due:
        return Wait(due)
    if state.pending is not None:
        until = min(state.pending.at, due) + EXPIRES_AFTER_MS
        if now <= until:
            return Wait(until + 1)
    return step


def _ms(seconds: float) -> int:
    return round(seconds * 1_000)


DEALER = Actor("automatic-dealer", "system")
#: Named as the person when the plan of the floor says who deals.
PLAN = "floor plan"
#: How soon a step that was refused is tried again, if nothing happens at the table before.
AGAIN_MS = 1_000
#: These are frequent while bets are open, and change nothing for a dealer.
_BETS = (BetsRegistered, BetsWithdrawn)

#: The announcement when a table is handed over: to the automatic dealer or not, asked for or not.
_HANDED_OVER = {
    (True, False): "NOTICE_DEALER",
    (True, True): "NOTICE_DEALER_ASKED",
    (False, False): "NOTICE_PERSON_DEALS",
    (False, True): "NOTICE_PERSON_DEALS_ASKED",
}
_log = logging.getLogger(__name__)


class Board(Protocol):
    """Shows players and staff who deals, and when the bets will be closed."""

    def countdown(self, table: str, closes_at: Instant | None) -> None:
        """Show when the bets of a table will be closed, or that nobody counts down."""

    def dealer(self, table: str, dealer: Literal["automatic", "person"]) -> None:
        """Show who deals at a table."""


#: A game is under way once bets were called for on it.
_UNDER_WAY = (Phase.BETTING, Phase.NO_MORE_BETS, Phase.RESULT, Phase.CONFIRMED)


class _TableDealer:
    """The automatic dealer of one table; while a person deals, it watches and does nothing."""

    def __init__(self, table: str, pace: Pace, runtime: Runtime, board: Board) -> None:
        self.automatic = False
        self.task: asyncio.Task[None] | None = None
        self._table = table
        self._stream = table_stream(table)
        self._pace = pace
        self._runtime = runtime
        self._board = board
        self._turn: Turn | None = None
        self._closes_at: Instant | None = None
        self._changed = asyncio.Event()
        self._handing = asyncio.Lock()
        #: Held while a command is on its way: a hand-over waits for its answer.
        self._giving = asyncio.Lock()
        self._ids = itertools.count(1)

    def wake(self) -> None:
        """Look at the table again: something has happened there."""
        self._changed.set()

    def begin(self) -> None:
        """Begin to watch the table, or begin again after a failure."""
        if self.task is None or self.task.done():
            self.task = asyncio.get_running_loop().create_task(self.run())

    async def hand_over(self, *, automatic: bool, by: str) -> None:
        """Deal from now on, or give no more commands, once the last one is answered."""
        async with self._handing:
            if automatic == self.automatic:
                return
            self.automatic = automatic
            self.begin()
            if not automatic:
                await self._leave_off()
            self._board.dealer(self._table, "automatic" if automatic else "person")
            self._tell(told(_HANDED_OVER[automatic, bool(by)], by=by))
            self.wake()

    async def leave(self) -> None:
        """Stop for good, once the last command is answered."""
        self.automatic = False
        await self._leave_off()
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)

    async def _leave_off(self) -> None:
        self._forget()
        async with self._giving:
            pass

    def _forget(self) -> None:
        """Forget the round: the next look at the table begins again."""
        self._turn = None
        self._show(None)

    def _show(self, closes: Instant | None) -> None:
        if closes != self._closes_at:
            self._closes_at = closes
            self._board.countdown(self._table, closes)

    def _tell(self, text: str) -> None:
        if not self._runtime.owns(self._stream):
            # The owner of the table announces it.
            return
        self._runtime.announce(self._stream, "dealer", text)

    async def run(self) -> None:
        """Deal as long as the venue is open."""
        try:
            while True:
                self._changed.clear()
                await self._take(self._look())
        except Exception:  # noqa: BLE001 - logged and announced; the table is left to persons
            _log.exception("the automatic dealer of table %s has failed", self._table)
            self.automatic = False
            self._forget()
            self._board.dealer(self._table, "person")
            self._tell(told("NOTICE_DEALER_FAILED"))

    def _look(self) -> Step:
        """Look at the table, show the countdown if there is one, and give the next step."""
        writer = self._runtime.writer(self._stream)
        # At another node's table, that node's dealer deals.
        suspended = writer.suspended is not None or writer.elsewhere is not None
        if not self.automatic or suspended or not is_fit(self._runtime.table(self._table)):
            self._forget()
            return Wait()
        state, now = self._runtime.table(self._table), self._runtime.clock.now()
        self._turn = turn = turn_at(self._turn, state, now)
        betting = state.phase is Phase.BETTING
        self._show(closes_at(turn, self._pace) if betting else None)
        if state.phase is Phase.READY and self._runtime.is_leaving(self._stream):
            # The next owner begins the next round; if no node takes the table, this one does.
            return Wait(now + AGAIN_MS)
        device = self._runtime.device(self._table) is not None
        return next_step(state, turn, self._pace, now, device=device)

    async def _take(self, step: Step) -> None:
        match step:
            case Wait(until=until):
                await self._wait(until)
            case Give(command=command):
                await self._give(command)
            case Tumble():
                await self._tumble()
            case _:
                assert_never(step)

    async def _wait(self, until: Instant | None) -> None:
        now = self._runtime.clock.now()
        seconds = None if until is None else max(until - now, 0) / 1_000
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()

    async def _give(self, command: Command) -> None:
        """Give a command; after a refusal, wait before the table is looked at again."""
        async with self._giving:
            if not self.automatic:
                return
            now = self._runtime.clock.now()
            # A new id each time: a command that was refused may be accepted a moment later.
            id_ = f"{now}-{type(command).__name__}-{next(self._ids)}"
            order = Order(id_, DEALER, command)
            answer = await self._runtime.submit(self._stream, order)
        if isinstance(answer, Refusal):
            name = type(command).__name__
            _log.info("table %s refused the automatic %s: %s", self._table, name, answer.code)
            await self._wait(self._runtime.clock.now() + AGAIN_MS)

    async def _tumble(self) -> None:
        """Have the device tumble; one that fails has told the pit, and waits for people."""
        device = self._runtime.device(self._table)
        if device is None or not await device.begin():
            await self._wait(self._runtime.clock.now() + AGAIN_MS)


class Dealers(Follower):
    """The automatic dealers of all tables; they follow the events that the venue publishes."""

    follows_bets = False

    def __init__(
        self, runtime: Runtime, board: Board, minimum_seconds: float = COUNTDOWN_MIN_SECONDS
    ) -> None:
        self._runtime = runtime
        self._board = board
        self._minimum_seconds = minimum_seconds
        #: Whether the journal says who deals, as in a cluster, where all nodes follow it.
        self.by_journal = False
        self._handing: set[asyncio.Task[None]] = set()
        self._dealers: dict[str, _TableDealer] = {}
        runtime.publisher.followers.append(self)

    def add(self, table: str, plan: TablePlan) -> None:
        """Put a dealer at a table, to deal at once or when a person hands over."""
        stream = table_stream(table)
        if stream in self._dealers:
            return
        self._runtime.writer(stream)
        seconds = max(plan.countdown_seconds, self._minimum_seconds)
        pace = replace(plan, countdown_seconds=seconds)
        dealer = _TableDealer(table, pace, self._runtime, self._board)
        automatic = plan.dealer == "automatic"
        if self.by_journal:
            automatic = stream in self._runtime.state.automatic
        dealer.automatic = automatic and not self._is_chip_table(table)
        self._dealers[stream] = dealer
        self._board.dealer(table, "automatic" if dealer.automatic else "person")
        dealer.begin()

    def automatic(self, table: str) -> bool:
        """Say whether the automatic dealer deals at a table."""
        dealer = self._dealers.get(table_stream(table))
        return dealer is not None and dealer.automatic

    async def hand_over(self, table: str, automatic: bool, by: str = "") -> Refusal | None:
        """Hand a table over to the automatic dealer, or to a person; a chip table is a person's.

        A person's request is recorded in the journal first: it also holds after the next start,
        unless a plan says who deals there.
        """
        stream = table_stream(table)
        if stream not in self._dealers:
            raise UnknownStreamError(f"this venue has no {stream}")
        if automatic and self._is_chip_table(table):
            return refuse("ONLY_AT_TERMINALS")
        dealer = self._dealers[stream]
        if by and automatic != dealer.automatic:
            refusal = await self._record(RecordDealer(stream, automatic, by))
            if refusal is not None or self.by_journal:
                return refusal
        await dealer.hand_over(automatic=automatic, by=by)
        return None

    async def journal_plan(self, plans: Iterable[TablePlan]) -> None:
        """Record in the journal who deals by the plan, if the journal says otherwise."""
        for plan in plans:
            stream, automatic = table_stream(plan.name), plan.dealer == "automatic"
            if plan.chips is None and automatic != (stream in self._runtime.state.automatic):
                refusal = await self._record(RecordDealer(stream, automatic, PLAN))
                if refusal is not None:
                    _log.warning("who deals at %s is not journaled: %s", stream, refusal.code)

    async def _record(self, command: RecordDealer) -> Refusal | None:
        id_ = f"{self._runtime.clock.now()}-{secrets.token_hex(8)}"
        answer = await self._runtime.submit(VENUE, Order(id_, DEALER, command))
        return answer if isinstance(answer, Refusal) else None

    def _is_chip_table(self, table: str) -> bool:
        state: TableState | None = self._runtime.writer(table_stream(table)).state
        return state is not None and state.chips is not None

    def published(self, stream: str, registered: Registered) -> None:
        """Have the dealer of a table look at it again after an event."""
        if type(registered.events[0]) not in _BETS and stream in self._dealers:
            self._dealers[stream].wake()
        elif stream == VENUE and self.by_journal:
            for event in registered.events:
                if isinstance(event, DealerChanged) and event.stream in self._dealers:
                    self._follow(self._dealers[event.stream], event)

    def _follow(self, dealer: _TableDealer, event: DealerChanged) -> None:
        """Deal as the journal says."""
        task = asyncio.get_running_loop().create_task(
            dealer.hand_over(automatic=event.automatic, by=event.by)
        )
        self._handing.add(task)
        task.add_done_callback(self._handing.discard)

    def announced(self, announcement: Announcement) -> None:
        """Have the dealer of a table check whether it can still deal."""
        if announcement.stream in self._dealers:
            self._dealers[announcement.stream].wake()

    async def stop(self) -> None:
        """Give no more commands at any table; a round under way is left to the venue."""
        await asyncio.gather(*(dealer.leave() for dealer in self._dealers.values()))
        self._runtime.publisher.leave(self)

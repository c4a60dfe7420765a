"""A live connection for bots and terminals: views of watched tables, and answers to commands."""

import asyncio
import itertools
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from ssl import SSLContext
from typing import Any, Literal, TypeVar

from msgspec import Struct

from taisai import __version__
from taisai.client.failures import Backoff, ClientError, NotAllowed, NotAnswered, NotReceived
from taisai.client.link import Link
from taisai.client.unanswered import Answer, Question
from taisai.core.cage.vouchers import TakeVoucher
from taisai.core.kernel.messages import CAGE_STREAM, BoxStake, Instant
from taisai.core.table.betting import ClearBets, PlaceBets, WithdrawBets
from taisai.core.table.positions import CashOut
from taisai.protocol import PROTOCOL
from taisai.protocol import server_messages as t
from taisai.protocol.client_messages import (
    Ask,
    Deal,
    Grant,
    Hello,
    Language,
    Ping,
    TerminalKey,
    WireCommand,
)
from taisai.protocol.views import PositionView, RoundSummary, TableView, apply_changes


class LiveTable(TableView):
    """The current view of a table: the fields of `TableView`, and who deals."""

    closes_at: Instant | None = None
    dealer: Literal["automatic", "person"] = "person"
    suspended: bool = False

    @property
    def taking_bets(self) -> bool:
        """Whether a bet sent now would be in time."""
        return self.phase == "betting" and not (self.suspended or self.waiting or self.doubts)

    @property
    def minimum(self) -> int:
        """The minimum of boxes that have no minimum of their own."""
        return 0 if self.limits is None else self.limits.minimum

    @property
    def last_round(self) -> RoundSummary | None:
        """The last finished round, if there was one."""
        return self.rounds[max(self.rounds)] if self.rounds else None

    def begin(self, snapshot: t.TableSnapshot) -> None:
        """Replace everything by a snapshot."""
        replace_fields(self, snapshot.view)
        self.closes_at = snapshot.closes_at
        self.dealer = snapshot.dealer
        self.suspended = snapshot.suspended

    def take(self, message: t.Public | t.Countdown | t.Dealer | t.Suspended) -> None:
        """Apply changes to the view."""
        match message:
            case t.Public():
                apply_changes(self, message.changes)
            case t.Countdown():
                self.closes_at = message.closes_at
            case t.Dealer():
                self.dealer = message.dealer
            case t.Suspended():
                self.suspended = message.suspended


def replace_fields(held: Struct, view: Struct) -> None:
    """Copy a newer view into one that the caller already holds."""
    for name in view.__struct_fields__:
        setattr(held, name, getattr(view, name))


#: How long to wait for an answer by default.
ANSWER_SECONDS = 10.0
#: The default of `messages_max`: how many unread messages are stored.
MESSAGES_MAX = 1_000

Bets = Mapping[str, int] | Iterable[BoxStake]
#: The answer to a command.
Outcome = t.Registered | t.Refused
_T = TypeVar("_T")


class Missed(Struct, frozen=True):
    """So many of the oldest messages were dropped, because they were not read in time."""

    count: int


@asynccontextmanager
async def connect(  # noqa: PLR0913 - who one is, and how to come back
    address: str | Sequence[str],
    *,
    terminal: TerminalKey | None = None,
    session: str | None = None,
    language: Language = "en",
    backoff: Backoff | None = None,
    trust: SSLContext | None = None,
    checkpoint: int | None = None,
) -> AsyncIterator["Live"]:
    """Connect as a terminal, as staff, or as a visitor with neither; close at the end.

    Any of several addresses will do; the venue may send more, and a client that loses one
    reconnects to another.
    `checkpoint` is the newest that the venue sent before, as `Live.checkpoint` had it.
    """
    hello = Hello(
        PROTOCOL, terminal, session, language, checkpoint=checkpoint, client=f"taisai {__version__}"
    )
    live = Live(Link(address, hello, backoff=backoff, trust=trust), terminal)
    try:
        await live.link.open()
        if terminal is not None:
            await live.sit()
        yield live
    finally:
        await live.link.close()


class Live:
    """A connection to a venue, with up-to-date views of the watched tables."""

    def __init__(self, link: Link, key: TerminalKey | None) -> None:
        self.link = link
        self.tables: dict[str, LiveTable] = {}
        #: The newest voucher that the terminal printed.
        self.voucher: t.VoucherPrinted | None = None
        #: How many unread messages are stored; none at 0.
        self.messages_max = MESSAGES_MAX
        self._key = key
        self._terminal: PositionView | None = None
        #: Whether the terminal's table is suspended: the venue then sends nothing about it.
        self._suspended = False
        self._unread: deque[t.ServerMessage | Missed] = deque()
        self._waiting: dict[asyncio.Future[None], Callable[[], bool]] = {}
        self._watching: dict[asyncio.Future[None], str] = {}
        self._pings: dict[int, asyncio.Future[t.Pong]] = {}
        self._numbers = itertools.count(1)
        self._over: ClientError | None = None
        link.received = self._receive
        link.given_up = self._give_up

    @property
    def welcome(self) -> t.Welcome:
        """The venue's welcome: who the client is, the tables and the time."""
        assert self.link.welcome is not None, "a connection is opened before it is used"
        return self.link.welcome

    @property
    def checkpoint(self) -> int | None:
        """The newest checkpoint that the venue ever sent, to be kept for the next connection."""
        return self.link.checkpoint

    @property
    def behind(self) -> bool:
        """Whether the venue's journal ends before that: later events are missing from it."""
        return self.link.behind

    @property
    def terminal(self) -> PositionView:
        """The view of this terminal: credits, stakes, bets, the last round."""
        if self._terminal is None:
            raise ClientError(
                "the venue has not sent a view of this terminal yet"
                if self._key
                else "only a terminal has credits; connect with terminal=TerminalKey(…)"
            )
        return self._terminal

    async def sit(self) -> None:
        """Wait for the view of this terminal, unless its table is suspended."""
        await self.until(lambda: self._terminal is not None or self._suspended, ANSWER_SECONDS)

    # --- watching --------------------------------------------------------------------------------

    async def watch(self, table: str, seconds: float = ANSWER_SECONDS) -> LiveTable:
        """Watch a table; its view is in `tables`, and is kept up to date."""
        if table not in self.welcome.tables:
            names = ", ".join(self.welcome.tables) or "none"
            raise ClientError(f"there is no table {table!r} in this venue; there are: {names}")
        if table not in self.tables:
            answered = asyncio.get_running_loop().create_future()
            self._watching[answered] = table
            self.link.watch(table)
            try:
                await _within(answered, seconds, f"the view of table {table}")
            finally:
                self._watching.pop(answered, None)
        return self.tables[table]

    def listen(self, to: Literal["cage", "venue"]) -> None:
        """Receive, as staff, the events of the cage or the venue, as `Staff` messages."""
        self.link.listen(to)

    def unwatch(self, table: str) -> None:
        """Stop watching a table."""
        self.tables.pop(table, None)
        self.link.unwatch(table)

    async def until(self, condition: Callable[[], bool], seconds: float | None = None) -> None:
        """Wait until a condition on the views holds; it is checked after every message."""
        if condition():
            return
        self._raise_if_over()
        answered = asyncio.get_running_loop().create_future()
        self._waiting[answered] = condition
        try:
            await _within(answered, seconds, "what was waited for")
        finally:
            self._waiting.pop(answered, None)

    async def messages(self) -> AsyncIterator[t.ServerMessage | Missed]:
        """Yield every message as it comes, the stored ones first."""
        while True:
            while self._unread:
                yield self._unread.popleft()
            self._raise_if_over()
            await self.until(lambda: bool(self._unread))

    # --- asking ----------------------------------------------------------------------------------

    async def ask(
        self,
        to: str,
        command: WireCommand,
        id: str | None = None,  # noqa: A002 - it is called so in the protocol
        seconds: float = ANSWER_SECONDS,
    ) -> Outcome:
        """Send a command to a table or the cage; with an id, the command that was sent before."""
        answer = await self._answer_to(Ask(to, id or self.link.new_id(), command), seconds)
        assert not isinstance(answer, t.Done), "a command is stored in the journal"
        return answer

    async def grant(self, to: str, pending: str, version: int, pin: str) -> Outcome:
        """Approve, as the second person, a pending command."""
        answer = await self._answer_to(Grant(to, self.link.new_id(), pending, version, pin))
        assert not isinstance(answer, t.Done), "an approval is stored in the journal"
        return answer

    async def deal(self, table: str, *, automatic: bool) -> Answer:
        """Hand a table over to the automatic dealer, or take it back."""
        return await self._answer_to(Deal(table, self.link.new_id(), automatic))

    async def place(self, bets: Bets, seconds: float = ANSWER_SECONDS) -> Outcome:
        """Place bets from this terminal: all of them are registered, or none."""
        key = self._own()
        command = PlaceBets(key.terminal, _stakes(bets), self._round())
        return await self.ask(key.table, command, seconds=seconds)

    async def withdraw(self, bets: Bets) -> Outcome:
        """Take back bets of this terminal, or parts of them."""
        key = self._own()
        return await self.ask(key.table, WithdrawBets(key.terminal, _stakes(bets), self._round()))

    async def clear(self) -> Outcome:
        """Take back all bets of this terminal."""
        key = self._own()
        return await self.ask(key.table, ClearBets(key.terminal, self._round()))

    async def cash_out(self) -> Outcome:
        """Cash out; the voucher follows as `VoucherPrinted`, and is then in `voucher`."""
        key = self._own()
        return await self.ask(key.table, CashOut(key.terminal))

    async def take_voucher(self, number: str) -> Outcome:
        """Put a voucher in; its value follows on the private channel."""
        key = self._own()
        return await self.ask(CAGE_STREAM, TakeVoucher(number, key.table, key.terminal))

    async def ping(self, seconds: float = ANSWER_SECONDS) -> t.Pong:
        """Check that the venue answers, and get the time of its clock."""
        self._raise_if_over()
        number = next(self._numbers)
        answered: asyncio.Future[t.Pong] = asyncio.get_running_loop().create_future()
        self._pings[number] = answered
        self.link.send(Ping(number))
        try:
            return await _within(answered, seconds, "a pong")
        finally:
            del self._pings[number]

    def new_id(self) -> str:
        """Make a command id, with which the command can also be sent again."""
        return self.link.new_id()

    def _own(self) -> TerminalKey:
        if self._key is None:
            raise ClientError("only a terminal can do this; connect with terminal=TerminalKey(…)")
        return self._key

    def _round(self) -> int | None:
        """The round that the client sees: a delayed bet is not taken into another round."""
        table = self.tables.get(self._own().table)
        return table.round if table is not None and table.taking_bets else None

    async def _answer_to(self, question: Question, seconds: float = ANSWER_SECONDS) -> Answer:
        self._raise_if_over()
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def reply(answer: Answer | ClientError) -> None:
            if answered.done():
                return
            if isinstance(answer, ClientError):
                answered.set_exception(answer)
            else:
                answered.set_result(answer)

        self.link.ask(question, reply)
        try:
            async with asyncio.timeout(seconds):
                return await answered
        except TimeoutError:
            raise NotAnswered(question.id, seconds) from None
        finally:
            self.link.forget(question.id)

    # --- receiving -------------------------------------------------------------------------------

    def _receive(self, message: t.ServerMessage) -> None:
        self._take(message)
        if self.messages_max:
            self._keep(message)
        for answered, condition in list(self._waiting.items()):
            _try(answered, condition)

    def _take(self, message: t.ServerMessage) -> None:
        match message:
            case t.TableSnapshot():
                self._begin(message)
            case t.Public() | t.Countdown() | t.Dealer() | t.Suspended():
                self._go_on(message)
            case t.TerminalSnapshot() | t.Private():
                self._look_at_self(message)
            case t.VoucherPrinted():
                self.voucher = message
            case t.Pong() if message.number in self._pings:
                _settle(self._pings[message.number], message)
            case t.Fault():
                self._fault(message)
            case _:
                pass

    def _look_at_self(self, message: t.TerminalSnapshot | t.Private) -> None:
        if isinstance(message, t.TerminalSnapshot):
            if self._terminal is None:
                self._terminal = message.view
            replace_fields(self._terminal, message.view)
        elif self._terminal is not None:
            apply_changes(self._terminal, message.changes)

    def _go_on(self, message: t.Public | t.Countdown | t.Dealer | t.Suspended) -> None:
        if isinstance(message, t.Suspended) and self._key and message.table == self._key.table:
            self._suspended = message.suspended
        table = self.tables.get(message.table)
        if table is not None:
            table.take(message)

    def _begin(self, snapshot: t.TableSnapshot) -> None:
        """Begin a view, or begin it again in place, so that the caller's reference stays valid."""
        view = snapshot.view
        fresh = LiveTable(view.table, view.currency, view.phase, view.round, view.tumbler)
        self.tables.setdefault(snapshot.table, fresh).begin(snapshot)
        for answered, table in self._watching.items():
            if table == snapshot.table:
                _settle(answered, None)

    def _fault(self, fault: t.Fault) -> None:
        """Take a fault as the answer to the oldest request to watch that has none yet."""
        for answered, table in self._watching.items():
            if not answered.done():
                self.link.unwatch(table)
                answered.set_exception(NotAllowed(fault.code, fault.sentence))
                return

    def _keep(self, message: t.ServerMessage) -> None:
        """Store a message until it is read; the oldest are dropped to make room, and counted."""
        if len(self._unread) >= self.messages_max:
            dropped = self._unread.popleft()
            count = dropped.count if isinstance(dropped, Missed) else 1
            if isinstance(dropped, Missed) and self._unread:
                self._unread.popleft()
                count += 1
            self._unread.appendleft(Missed(count))
        self._unread.append(message)

    def _give_up(self, error: ClientError) -> None:
        self._over = error
        answers: list[asyncio.Future[Any]] = [*self._waiting, *self._watching]
        for answered in (*answers, *self._pings.values()):
            if not answered.done():
                answered.set_exception(error)

    def _raise_if_over(self) -> None:
        if self._over is not None:
            raise self._over


def _stakes(bets: Bets) -> tuple[BoxStake, ...]:
    if isinstance(bets, Mapping):
        return tuple(BoxStake(box, stake) for box, stake in bets.items())
    return tuple(bets)


def _settle(answered: "asyncio.Future[_T]", result: _T) -> None:
    if not answered.done():
        answered.set_result(result)


def _try(answered: "asyncio.Future[None]", condition: Callable[[], bool]) -> None:
    """Check the condition that a caller waits for; an exception in it is raised at the caller."""
    if answered.done():
        return
    try:
        if condition():
            answered.set_result(None)
    except Exception as error:  # noqa: BLE001 - it is raised where the condition was given
        answered.set_exception(error)


async def _within(answered: "asyncio.Future[_T]", seconds: float | None, what: str) -> _T:
    try:
        async with asyncio.timeout(seconds):
            return await answered
    except TimeoutError:
        raise NotReceived(what, seconds or 0) from None

"""A load on a venue: many terminals in one process, each betting at a rate, everything counted."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from random import Random
from typing import Literal

from msgspec import Struct

from taisai.bots import layout_of
from taisai.bots.books import Books
from taisai.bots.sight import Layout, Sight
from taisai.bots.tally import Tally
from taisai.client import Backoff, ClientError, Link, Live, LiveTable, connect
from taisai.client.unanswered import Answer
from taisai.core.kernel.messages import BoxStake
from taisai.core.table.betting import ClearBets, PlaceBets
from taisai.protocol import PROTOCOL
from taisai.protocol import server_messages as t
from taisai.protocol.client_messages import Ask, Hello, TerminalKey

#: Terminals that are being connected at a time.
CONNECTING_AT_ONCE = 50
TICK_SECONDS = 0.02
REPORT_SECONDS = 0.5
#: How long the last answers are waited for.
LAST_SECONDS = 20.0
BACKOFF = Backoff(first_seconds=0.2, most_seconds=5.0, attempts=12)

#: It watches its table as every terminal does, and leaves the looking to one for all.
_NOT_READ = (t.Public, t.Countdown, t.Dealer, t.Suspended, t.TableSnapshot)
#: Faults after which one comes back and goes on.
_COMES_BACK = frozenset({"VENUE_STOPPING", "SILENT", "TOO_SLOW"})
#: One move in so many takes everything back.
CLEAR_ONE_IN = 25

Stage = Literal["connecting", "betting", "ending"]
#: Called with what there is so far, the stage, and how many seconds of betting there were.
Report = Callable[[Tally, Stage, float], None]


class Share(Struct, frozen=True):
    """What one process does of a load."""

    address: str
    keys: list[TerminalKey]
    seconds: float
    #: Bets a second of each terminal, while bets are open.
    rate: float


class LoadSeat:
    """A terminal that bets when it is its turn."""

    __slots__ = ("_asked_at", "_books", "_owed", "_run", "_stake", "_version", "key", "link")

    def __init__(self, run: "LoadRun", address: str, key: TerminalKey, backoff: Backoff) -> None:
        self.key = key
        self.link = Link(
            address, Hello(PROTOCOL, key), backoff=backoff, lean=True, skipping=_NOT_READ
        )
        self.link.received = self._receive
        self.link.given_up = self._give_up
        self._run = run
        self._books = Books()
        self._asked_at: float | None = None
        #: Whether an answer, or what it names, is still to come.
        self._owed = False
        #: What is staked by the question under way.
        self._stake = 0
        #: The table's version in the last answer; the private channel is to come as far.
        self._version = 0

    async def open(self) -> None:
        """Connect, and watch the table."""
        await self.link.open()
        self.link.watch(self.key.table)

    @property
    def settled(self) -> bool:
        """Say whether all that was asked is answered, and sent on the private channel too."""
        return self._asked_at is None and (self.link.sequence or 0) >= self._version

    def act(self, table: LiveTable, layout: Layout) -> bool:
        """Bet, or take everything back; False when it cannot now."""
        if not (self.settled and self.link.connected and self._books.whole is not None):
            return False
        if self._books.bets and not self._run.chance.randrange(CLEAR_ONE_IN):
            self._ask(ClearBets(self.key.terminal), 0)
            return True
        assert table.limits is not None, "bets are open within limits"
        books, chance = self._books, self._run.chance
        sight = Sight(layout, table.limits, books.credits, books.bets, table.totals)
        box = chance.choice(tuple(layout.kinds))
        stake = sight.plan(box, sight.minimum(box))
        if not stake:
            return False
        self._ask(PlaceBets(self.key.terminal, (BoxStake(box, stake),)), stake)
        return True

    def close_books(self) -> None:
        """Compare, at the end, what was answered with what was announced."""
        tally = self._run.tally
        if self._asked_at is not None:
            tally.unanswered += 1
        elif self.settled:
            for wrong in self._books.close(self.key.terminal):
                tally.complain(wrong)
        else:
            tally.complain(
                f"{self.key.terminal} was sent up to version {self.link.sequence}, and answered"
                f" up to {self._version}"
            )
        tally.reconnections += self.link.reconnections

    def _ask(self, command: PlaceBets | ClearBets, stake: int) -> None:
        self._stake = stake
        self._asked_at = time.perf_counter()
        self._owed = True
        self._run.asked()
        self.link.ask(Ask(self.key.table, self.link.new_id(), command), self._answered)

    def _answered(self, answer: Answer | ClientError) -> None:
        assert self._asked_at is not None, "an answer is to a question"
        seconds, self._asked_at = time.perf_counter() - self._asked_at, None
        tally = self._run.tally
        match answer:
            case t.Registered():
                tally.registered += 1
                tally.latencies.add(int(seconds * 1_000_000))
                self._version = answer.last
                self._books.registered(self._stake)
            case t.Refused():
                tally.refuse(answer.code)
                tally.latencies.add(int(seconds * 1_000_000))
            case _:
                tally.unanswered += 1
        if self.settled:
            self._settle()

    def _receive(self, message: t.ServerMessage) -> None:
        match message:
            case t.Private():
                self._take(message)
            case t.TerminalSnapshot():
                for wrong in self._books.begin(message):
                    self._run.tally.complain(wrong)
            case t.Fault() if message.code not in _COMES_BACK:
                self._run.tally.complain(f"{self.key.terminal}: {message.sentence}")
            case _:
                return
        if self._owed and self.settled:
            self._settle()

    def _take(self, message: t.Private) -> None:
        books, tally = self._books, self._run.tally
        lines, rounds = books.lines, books.rounds
        for wrong in books.take(message):
            tally.complain(f"{self.key.terminal}: {wrong}")
        tally.lines += books.lines - lines
        tally.rounds += books.rounds - rounds

    def _settle(self) -> None:
        self._owed = False
        self._run.settled()

    def _give_up(self, error: ClientError) -> None:
        self._run.tally.lost += 1
        self._run.tally.complain(f"{self.key.terminal}: {error}")


class _Table:
    """The terminals of a table, taking turns."""

    def __init__(self, layout: Layout, seats: list[LoadSeat]) -> None:
        self.layout = layout
        self.seats = seats
        self._due = 0.0
        self._turns = cycle(seats)

    def due(self, rate: float) -> Iterator[LoadSeat]:
        """Give those whose turn it is after another tick."""
        self._due = min(self._due + len(self.seats) * rate * TICK_SECONDS, float(len(self.seats)))
        while self._due >= 1:
            self._due -= 1
            yield next(self._turns)


class LoadRun:
    """Connects terminals gradually, has them bet for some seconds, and counts."""

    def __init__(
        self, share: Share, report: Report = lambda *_: None, seed: int | None = None
    ) -> None:
        self.tally = Tally(terminals=len(share.keys))
        self.chance = Random(seed)  # noqa: S311 - a bot's whims are no secret
        self._share = share
        self._report = report
        self._seats: list[LoadSeat] = []
        #: Terminals that wait for an answer, and whether there are none.
        self._owed = 0
        self._quiet = asyncio.Event()
        self._quiet.set()

    async def run(self) -> Tally:
        """Do it all, and give the tally."""
        async with connect(self._share.address) as watcher:
            watcher.messages_max = 0
            tables = await self._look_around(watcher)
            try:
                await self._connect()
                await self._bet(watcher, tables)
                await self._end()
            finally:
                await asyncio.gather(*(seat.link.close() for seat in self._seats))
        return self.tally

    def asked(self) -> None:
        """Note that a seat has asked something."""
        self.tally.asked += 1
        self._owed += 1
        self._quiet.clear()

    def settled(self) -> None:
        """Note that a seat has its answer."""
        self._owed -= 1
        if not self._owed:
            self._quiet.set()

    async def _look_around(self, watcher: Live) -> dict[str, _Table]:
        """Watch every table that has terminals, and learn which boxes it has."""
        address = self._share.address
        at_table: dict[str, list[LoadSeat]] = {}
        for key in self._share.keys:
            seat = LoadSeat(self, address, key, BACKOFF)
            self._seats.append(seat)
            at_table.setdefault(key.table, []).append(seat)
        tables = {}
        for name, seats in at_table.items():
            picture = await watcher.watch(name)
            if picture.rulebook is None:
                raise ClientError(f"table {name} plays by no rulebook yet; nobody can bet there")
            tables[name] = _Table(await layout_of(address, picture.rulebook.pay_table), seats)
        return tables

    async def _connect(self) -> None:
        """Connect all, some at a time; whoever cannot is left out and counted."""
        waiting = iter(self._seats)

        async def connect_some() -> None:
            for seat in waiting:
                try:
                    await seat.open()
                    self.tally.connected += 1
                except ClientError as error:
                    self.tally.complain(f"{seat.key.terminal}: {error}")

        async def keep_reporting() -> None:
            while True:
                self._report(self.tally, "connecting", 0.0)
                await asyncio.sleep(REPORT_SECONDS)

        reporting = asyncio.ensure_future(keep_reporting())
        try:
            await asyncio.gather(*(connect_some() for _ in range(CONNECTING_AT_ONCE)))
        finally:
            reporting.cancel()

    async def _bet(self, watcher: Live, tables: dict[str, _Table]) -> None:
        clock = asyncio.get_running_loop().time
        began = tick = reported = clock()
        while (now := clock()) - began < self._share.seconds:
            for name, table in tables.items():
                if watcher.tables[name].taking_bets:
                    for seat in table.due(self._share.rate):
                        seat.act(watcher.tables[name], table.layout)
            if now - reported >= REPORT_SECONDS:
                reported = now
                self._report(self.tally, "betting", now - began)
            tick = max(tick + TICK_SECONDS, now)
            await asyncio.sleep(tick - now)

    async def _end(self) -> None:
        """Wait for the last answers, and for what they name on each private channel."""
        self._report(self.tally, "ending", self._share.seconds)
        with contextlib.suppress(TimeoutError):
            # Whoever still waits then is counted as not answered.
            async with asyncio.timeout(LAST_SECONDS):
                await self._quiet.wait()
        for seat in self._seats:
            seat.close_books()

"""One terminal among thousands: a lean link, its books, and one question at a time."""

import time
from random import Random
from typing import Protocol

from taisai.bots.books import Books
from taisai.bots.seeing import Layout, Sight
from taisai.bots.tally import Tally
from taisai.client import Backoff, ClientError, Link, LiveTable
from taisai.client.unanswered import Answer
from taisai.core.kernel.messages import BoxStake
from taisai.core.table.betting import ClearBets, PlaceBets
from taisai.protocol import PROTOCOL
from taisai.protocol.client_messages import Ask, Hello, TerminalKey
from taisai.protocol.server_messages import (
    Countdown,
    Dealer,
    Fault,
    Private,
    Public,
    Refused,
    Registered,
    ServerMessage,
    Suspended,
    TableSnapshot,
    TerminalSnapshot,
)

#: It watches its table as every terminal does, and leaves the looking to one for all.
_NOT_READ = (Public, Countdown, Dealer, Suspended, TableSnapshot)
#: Faults after which one comes back and goes on.
_COMES_BACK = frozenset({"VENUE_STOPPING", "SILENT", "TOO_SLOW"})
#: One move in so many takes everything back.
CLEAR_ONE_IN = 25


class Run(Protocol):
    """What a seat needs of the run it is in."""

    tally: Tally
    chance: Random

    def asked(self) -> None:
        """Hear that a terminal has asked something."""

    def settled(self) -> None:
        """Hear that it has its answer, and has been told what came of it."""


class LoadSeat:
    """A terminal that bets when it is its turn."""

    __slots__ = ("_asked_at", "_books", "_owed", "_run", "_stake", "_version", "key", "link")

    def __init__(self, run: Run, address: str, key: TerminalKey, backoff: Backoff) -> None:
        self.key = key
        self.link = Link(
            address, Hello(PROTOCOL, key), backoff=backoff, lean=True, skipping=_NOT_READ
        )
        self.link.received = self._receive
        self.link.given_up = self._give_up
        self._run = run
        self._books = Books()
        self._asked_at: float | None = None
        #: Whether an answer, or what it tells of, is still to come.
        self._owed = False
        #: What is staked by the question under way.
        self._stake = 0
        #: The version of the table that the last answer told; one waits to be told as much.
        self._version = 0

    async def open(self) -> None:
        """Connect, and watch the table."""
        await self.link.open()
        self.link.watch(self.key.table)

    @property
    def settled(self) -> bool:
        """Say whether all that was asked is answered, and told on the private channel too."""
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
        """Compare, at the end, what was answered with what was told."""
        tally = self._run.tally
        if self._asked_at is not None:
            tally.unanswered += 1
        elif self.settled:
            for wrong in self._books.close(self.key.terminal):
                tally.complain(wrong)
        else:
            tally.complain(
                f"{self.key.terminal} was told up to version {self.link.sequence}, and answered"
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
            case Registered():
                tally.registered += 1
                tally.latencies.add(int(seconds * 1_000_000))
                self._version = answer.last
                self._books.registered(self._stake)
            case Refused():
                tally.refuse(answer.code)
                tally.latencies.add(int(seconds * 1_000_000))
            case _:
                tally.unanswered += 1
        if self.settled:
            self._settle()

    def _receive(self, message: ServerMessage) -> None:
        match message:
            case Private():
                self._take(message)
            case TerminalSnapshot():
                for wrong in self._books.begin(message):
                    self._run.tally.complain(wrong)
            case Fault() if message.code not in _COMES_BACK:
                self._run.tally.complain(f"{self.key.terminal}: {message.sentence}")
            case _:
                return
        if self._owed and self.settled:
            self._settle()

    def _take(self, message: Private) -> None:
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

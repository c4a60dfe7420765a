"""The players and the cashier, outside the venue that is killed: their commands and the answers.

They bet, withdraw bets, cash out, buy vouchers and insert them, many at a time. They remember every
answer, and it must stay true: a command once answered always gets the same answer.
"""

import asyncio
import itertools
import time
from collections import Counter, deque
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import taisai
from taisai.core.cage.vouchers import PayVoucher, SellVoucher, TakeVoucher
from taisai.core.kernel.messages import Actor, BoxStake, Command, Instant, Order
from taisai.core.table.betting import ClearBets, PlaceBets, WithdrawBets
from taisai.core.table.positions import CashOut
from taisai.runtime.answers import AGAIN, sender_of
from taisai.runtime.streams import CAGE, table_stream
from tests.faults.killing.lines import Asked, Told
from tests.faults.killing.staff import TABLES, terminals_of

#: The number of commands under way at any time.
IN_FLIGHT = 64
#: The share of unanswered commands sent again once the venue is back; the others never are.
SENT_AGAIN = 0.8
#: Commands answered long ago that are sent again, in each life of the venue.
ASKED_ONCE_MORE = 12
CASHIER = Actor("cat", "cage")
VOUCHERS_KEPT = 40


class PromiseBrokenError(Exception):
    """The venue did not keep a promise; the sentence says which."""


class Request:
    """A command: its stream, and the first final answer."""

    __slots__ = ("answer", "number", "order", "sent", "stream")

    def __init__(self, number: int, stream: str, order: Order) -> None:
        self.number = number
        self.stream = stream
        self.order = order
        self.sent = 0
        self.answer: Told | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """Give the command's key in the journal."""
        return self.stream, sender_of(self.order), self.order.id

    @property
    def sentence(self) -> str:
        """Describe the command."""
        return f"{type(self.order.command).__name__} {self.order.id} for {self.stream}"


class Tally(NamedTuple):
    """The counts of a crowd."""

    asked: int
    registered: int
    refused: int
    unanswered: int
    sent_again: int
    found_durable: int


NOTHING_ASKED = Tally(0, 0, 0, 0, 0, 0)


class Memory:
    """Every command ever sent, with its answer."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.on_their_way: dict[int, Request] = {}
        self.refusals: Counter[str] = Counter()
        self.sent_again = 0
        #: Answers that a venue could only take from an earlier venue's durable events.
        self.found_durable = 0
        #: When each venue was started, the newest last.
        self.born: list[Instant] = [0]

    def ask(self, stream: str, order: Order) -> Request:
        """Remember a new command."""
        request = Request(len(self.requests), stream, order)
        self.requests.append(request)
        return request

    def note(self, told: Told) -> Request:
        """Compare an answer with an earlier one, and remember it."""
        request = self.requests[told.number]
        self.on_their_way.pop(told.number, None)
        if told.refused in AGAIN:
            raise PromiseBrokenError(f"{request.sentence} was put off: {told.refused}")
        if request.answer is None:
            request.answer = told
            if told.refused is not None:
                self.refusals[told.refused] += 1
            elif told.at < self.born[-1]:
                self.found_durable += 1
        elif request.answer != told:
            raise PromiseBrokenError(
                f"{request.sentence} was answered {request.answer}, and later {told}"
            )
        return request

    def tally(self) -> Tally:
        """Count everything."""
        answers = [request.answer for request in self.requests]
        return Tally(
            asked=len(answers),
            registered=sum(each is not None and each.refused is None for each in answers),
            refused=sum(each is not None and each.refused is not None for each in answers),
            unanswered=answers.count(None),
            sent_again=self.sent_again,
            found_durable=self.found_durable,
        )


class Crowd:
    """Everybody outside: keeps a number of commands under way for as long as there is a venue."""

    def __init__(self, seed: int) -> None:
        self.memory = Memory()
        self._random = Random(seed)
        self._ids = itertools.count(1)
        #: Set while no command is under way, and once a venue has given a number of answers.
        self.all_answered = asyncio.Event()
        self.well_under_way = asyncio.Event()
        self._answers_first = 0
        self._send: Callable[[Asked], None] | None = None
        #: Numbers of vouchers that people hold; some may be used by now.
        self._vouchers: deque[str] = deque(maxlen=VOUCHERS_KEPT)
        self._boxes = {
            table: list(taisai.rulebook(key).pay_tables[number].boxes)
            for table, (_, key, number) in TABLES.items()
        }

    # --- sending to a venue ------------------------------------------------------------------

    def begin(self, send: Callable[[Asked], None], answers_first: int = 0) -> None:
        """Begin sending to a venue; unanswered commands are sent again first, or never."""
        memory = self.memory
        self._send, self._answers_first = send, answers_first
        self.well_under_way.clear()
        unanswered = [*memory.on_their_way.values()]
        memory.on_their_way.clear()
        for request in unanswered:
            if request.answer is None and self._random.random() < SENT_AGAIN:
                self._ask(request)
        answered = memory.requests[-2_000:]
        for request in self._random.sample(answered, min(ASKED_ONCE_MORE, len(answered))):
            if request.answer is not None:
                self._ask(request)
        while len(memory.on_their_way) < IN_FLIGHT:
            self._ask_new()

    def end(self) -> None:
        """Send nothing more; commands under way may still be answered."""
        self._send = None

    def receive(self, told: Told) -> None:
        """Note an answer, and send the next command."""
        request = self.memory.note(told)
        self._answers_first -= 1
        if self._answers_first <= 0:
            self.well_under_way.set()
        if not self.memory.on_their_way:
            self.all_answered.set()
        if told.voucher is not None:
            self.hold(told.voucher)
        if self._send is not None and len(self.memory.on_their_way) < IN_FLIGHT:
            if self._random.random() < 0.01:
                self._ask(request)
            self._ask_new()

    def hold(self, voucher: str) -> None:
        """Keep a voucher's number."""
        self._vouchers.append(voucher)

    def _ask_new(self) -> None:
        stream, actor, command = self._next()
        id_ = f"{time.time_ns() // 1_000_000}-{next(self._ids)}"
        self._ask(self.memory.ask(stream, Order(id_, actor, command)))

    def _ask(self, request: Request) -> None:
        assert self._send is not None
        self.memory.sent_again += bool(request.sent)
        request.sent += 1
        self.memory.on_their_way[request.number] = request
        self.all_answered.clear()
        self._send(Asked(request.number, request.stream, request.order))

    # --- commands ----------------------------------------------------------------------------

    def _next(self) -> tuple[str, Actor, Command]:
        table = self._random.choice([*TABLES])
        terminal = self._random.choice(terminals_of(table))
        player = Actor(terminal, "terminal")
        drawn = self._random.random()
        if drawn < 0.06 or len(self._vouchers) < 3:
            value = self._random.randrange(100_000, 1_000_000, 100)
            return CAGE, CASHIER, SellVoucher(value, "the counter")
        if drawn < 0.12:
            return CAGE, player, TakeVoucher(self._any_voucher(), table, terminal)
        if drawn < 0.13:
            return CAGE, CASHIER, PayVoucher(self._any_voucher())
        return table_stream(table), player, self._play(drawn, table, terminal)

    def _any_voucher(self) -> str:
        """Take a voucher's number; sometimes a copy of it is kept."""
        number = self._vouchers.popleft()
        if self._random.random() < 0.2:
            self._vouchers.append(number)
        return number

    def _play(self, drawn: float, table: str, terminal: str) -> Command:
        if drawn < 0.15:
            return CashOut(terminal)
        if drawn < 0.17:
            return ClearBets(terminal)
        stakes = [
            BoxStake(box, self._random.randrange(100, 1_500, 100))
            for box in self._random.sample(self._boxes[table], self._random.choice((1, 1, 1, 2)))
        ]
        if drawn < 0.20:
            return WithdrawBets(terminal, (stakes[0],))
        if drawn < 0.21:
            return PlaceBets(terminal, (stakes[0], BoxStake(stakes[0].box, 50)))
        return PlaceBets(terminal, tuple(stakes))

"""The two flows of a venue, as scripts that continue wherever a failing disk stopped them.

*A press becomes a registered bet*: terminals bet, send again, withdraw, cash out and take vouchers,
all at once. *Dice become money*: rounds are closed, drawn or entered, confirmed and settled, and
two are corrected afterwards.
"""

import asyncio
from dataclasses import dataclass, field
from typing import Protocol

from taisai.core.cage.vouchers import SellVoucher, TakeVoucher
from taisai.core.kernel.approvals import Approve
from taisai.core.kernel.messages import Actor, BoxStake, Command
from taisai.core.table.betting import PlaceBets, WithdrawBets
from taisai.core.table.corrections import CorrectSettledRound, VoidSettledRounds
from taisai.core.table.interruption import DeclareOutcome
from taisai.core.table.positions import CashOut, ClearLock
from taisai.core.table.round import (
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    Settle,
)
from taisai.core.table.state import Phase, TableState
from taisai.core.table.tumble import RecordTumble
from taisai.runtime.answers import Registered
from taisai.runtime.streams import CAGE, table_stream
from tests.faults.flows.guests import TABLES, Guests, terminals_of
from tests.faults.killing.crowd import PromiseBrokenError
from tests.kit.people import CASHIER, DEALER, PIT, SUPERVISOR

#: The tables with bets while presses become bets.
PRESSED = ("keyed", "simulated")
#: Rounds settled at each table before some are corrected.
ROUNDS = 2
#: The real dice of the round that is corrected.
CORRECTED = (4, 5, 6)
#: More steps than a dealer needs, whatever happens.
STEPS_MAX = 120


class Flow(Protocol):
    """A script; what it must remember between two lives of a venue can be copied with it."""

    async def play(self, guests: Guests) -> None:
        """Play it as far as the venue allows."""

    def over(self, guests: Guests) -> bool:
        """Say whether there is nothing left to do."""


# --- a press becomes a registered bet ----------------------------------------------------------


@dataclass
class Errand:
    """One command to be carried out; it is sent `times` at once, always with one id."""

    stream: str
    actor: Actor
    command: Command
    sent: int = 1
    #: Its number among the remembered commands, once it was sent.
    number: int | None = None


def _bet(table: str, terminal: str, box: str, stake: int, sent: int = 1) -> Errand:
    command = PlaceBets(terminal, (BoxStake(box, stake),))
    return Errand(table_stream(table), Actor(terminal, "terminal"), command, sent)


def _errands_at(table: str, voucher: str) -> list[list[Errand]]:
    """Make the commands of three terminals of a table, each in its own order."""
    first, second, third = terminals_of(table)
    stream = table_stream(table)
    player, leaving = Actor(first, "terminal"), Actor(third, "terminal")
    back = WithdrawBets(first, (BoxStake("small", 200),))
    return [
        [
            _bet(table, first, "small", 500, sent=2),
            Errand(stream, player, back),
            _bet(table, first, "big", 300),
        ],
        [_bet(table, second, box, 100, sent=2) for box in ("big", "total-9")],
        [
            Errand(stream, leaving, CashOut(third), sent=2),
            Errand(CAGE, leaving, TakeVoucher(voucher, table, third)),
        ],
    ]


@dataclass
class Press:
    """Terminals of two tables and the cashier, each with commands to be sent in order."""

    errands: list[list[Errand]]

    @classmethod
    def made(cls, vouchers: tuple[str, ...]) -> "Press":
        """Make the script; the leaving players hold the vouchers."""
        people = [[Errand(CAGE, CASHIER, SellVoucher(7_000, "counter"), sent=2)]]
        for table, voucher in zip(PRESSED, vouchers, strict=True):
            people += _errands_at(table, voucher)
        return cls(people)

    async def play(self, guests: Guests) -> None:
        """Send everybody's commands, as far as they are answered."""
        await asyncio.gather(*(guests.open_bets(table) for table in PRESSED))
        await asyncio.gather(*(self._do(guests, errands) for errands in self.errands))
        await guests.venue.transfers.settled()

    async def _do(self, guests: Guests, errands: list[Errand]) -> None:
        for errand in errands:
            if errand.number is None:
                errand.number = guests.ask(errand.stream, errand.actor, errand.command).number
            if guests.memory.requests[errand.number].answer is None:
                await asyncio.gather(*(_send(guests, errand) for _ in range(errand.sent)))

    def over(self, guests: Guests) -> bool:
        """Say whether everything is answered; commands that are always allowed must be taken."""
        numbers = [errand.number for errands in self.errands for errand in errands]
        asked = [guests.memory.requests[number] for number in numbers if number is not None]
        for request in asked:
            refused = request.answer is not None and request.answer.refused
            if refused and not isinstance(request.order.command, WithdrawBets):
                raise PromiseBrokenError(f"{request.sentence} was refused: {refused}")
        return len(asked) == len(numbers) and all(request.answer for request in asked)


async def _send(guests: Guests, errand: Errand) -> None:
    assert errand.number is not None
    if _can_be_sent(guests, errand):
        await guests.give(guests.memory.requests[errand.number])


def _can_be_sent(guests: Guests, errand: Errand) -> bool:
    """Hold a bet back between two rounds, where it would be refused for good."""
    stream = errand.stream
    if not isinstance(errand.command, PlaceBets) or stream in guests.venue.suspended():
        return True
    return guests.state(stream.removeprefix(table_stream(""))).phase is Phase.BETTING


# --- dice become money -------------------------------------------------------------------------


@dataclass
class Dice:
    """A dealer at each table, who takes its next step."""

    #: Rounds with a bet, by table.
    bet_in: dict[str, set[int]] = field(default_factory=lambda: {table: set() for table in TABLES})
    #: The corrected rounds of the keyed table: one settled again, one void.
    to_correct: int | None = None
    to_void: int | None = None
    dealt: set[str] = field(default_factory=set)

    async def play(self, guests: Guests) -> None:
        """Deal at all tables at once, each as far as it goes."""
        await asyncio.gather(*(self._deal(guests, table) for table in TABLES))

    def over(self, guests: Guests) -> bool:
        """Say whether every table has had its rounds, and the keyed one its corrections."""
        return all(self._done(guests, table) for table in TABLES)

    def _done(self, guests: Guests, table: str) -> bool:
        state = guests.state(table)
        return not guests.shut(table) and _at_rest(state) and self._rest(state, table) is None

    async def _deal(self, guests: Guests, table: str) -> None:
        for _ in range(STEPS_MAX):
            await guests.device(table)
            if guests.shut(table) or self._done(guests, table):
                return
            if not await guests.give_again(table_stream(table), bets=False):
                return
            if not await self._go_on(guests, table):
                return
        raise PromiseBrokenError(f"table {table} comes to no end: {guests.state(table).phase}")

    async def _go_on(self, guests: Guests, table: str) -> bool:
        """Take the next step at a table; says whether that was done."""
        state, stream = guests.state(table), table_stream(table)
        if state.phase is Phase.BETTING and not await self._bets(guests, table, state.round):
            return False
        step = self._rest(state, table) if _at_rest(state) else _step(state)
        if step is None:
            # Only a device could go on, and its command was put off.
            return False
        return isinstance(await guests.send(stream, *step), Registered)

    async def _bets(self, guests: Guests, table: str, number: int) -> bool:
        """Bet once in a round; says whether everything is answered."""
        stream, terminals = table_stream(table), terminals_of(table)
        again = await guests.give_again(stream, bets=True)
        if not again or number in self.bet_in[table]:
            return again
        self.bet_in[table].add(number)
        bets = [(terminal, box) for terminal in terminals for box in ("small", "total-9")]
        await asyncio.gather(*(guests.bet(table, *bet, 500) for bet in bets))
        return not guests.waiting(stream, bets=True)

    def _rest(self, state: TableState, table: str) -> tuple[Actor, Command] | None:
        """Find the next step of a table between two rounds."""
        locked = [name for name, seat in state.positions.items() if seat.locked]
        if locked:
            return SUPERVISOR, ClearLock(locked[0])
        settled = [number for number, each in state.history.items() if not each.void]
        if table not in self.dealt and len(settled) < ROUNDS:
            return DEALER, OpenBets()
        self.dealt.add(table)
        return self._put_right(state, settled) if table == "keyed" else None

    def _put_right(self, state: TableState, settled: list[int]) -> tuple[Actor, Command] | None:
        if self.to_correct is None or self.to_void is None:
            self.to_correct, self.to_void = settled[0], settled[-1]
        if state.history[self.to_correct].faces != CORRECTED:
            return PIT, CorrectSettledRound(self.to_correct, CORRECTED, "misread")
        if not state.history[self.to_void].void:
            return PIT, VoidSettledRounds(self.to_void, "a die is chipped")
        return None


def _at_rest(state: TableState) -> bool:
    return state.phase is Phase.READY and state.pending is None


def _step(state: TableState) -> tuple[Actor, Command] | None:
    """Find the step that is due in a round, or waits for a second person."""
    if state.pending is not None:
        return SUPERVISOR, Approve(state.pending.hash, state.pending.version)
    if state.waiting:
        return PIT, DeclareOutcome((1, 2, 4), () if state.tumbled else ("tumbled",))
    match state.phase:
        case Phase.BETTING:
            return DEALER, CloseBets(bell=True)
        case Phase.NO_MORE_BETS if state.equipment.tumbler == "keyed":
            return DEALER, EnterResult((1, 2, 3)) if state.tumbled else RecordTumble(3)
        case Phase.RESULT:
            return DEALER, ConfirmResult()
        case Phase.CONFIRMED:
            return DEALER, Settle()
        case _:
            return None

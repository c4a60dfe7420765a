"""A floor for tests: a house on a real journal, its staff, and short words for what they do."""

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import taisai
from taisai.core import commands as c
from taisai.core.commands import Command, Order
from taisai.core.events import ApprovalRequested
from taisai.core.messages import Actor, BoxStake, Equipment, LimitsAsked
from taisai.runtime.answers import Answer, Registered
from taisai.runtime.clock import Clock
from taisai.runtime.journal.contract import Journal
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.keys import VenueKeys, fresh_keys
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, table_stream

_T = TypeVar("_T")

DEALER = Actor("dan", "dealer")
SUPERVISOR = Actor("sue", "supervisor")
PIT = Actor("pat", "pit-manager")
TECHNICIAN = Actor("tom", "technician")
CASHIER = Actor("cat", "cage")
LIMITS = LimitsAsked(minimum=100, maximum=1_000_000, step=100)


def run(work: Coroutine[Any, Any, _T]) -> _T:
    """Run a test's coroutine; what it leaves pending is a fault of the test."""
    return asyncio.run(work)


async def until(condition: Callable[[], bool]) -> None:
    """Let the loop go round until something is so; ten seconds are long enough for anything."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - a state in memory has no event to wait for
            await asyncio.sleep(0.001)


def keys() -> VenueKeys:
    """Make keys that live as long as the test."""
    return fresh_keys(1_760_000_000_000)


class Floor:
    """A house and its people; every order gets an id of its own."""

    def __init__(self, house: Runtime) -> None:
        self.house = house
        self._ids = itertools.count(1)

    @classmethod
    async def open(
        cls,
        where: Path | Journal,
        house_keys: VenueKeys,
        clock: Clock | None = None,
        **more: Any,
    ) -> "Floor":
        """Open a house on a file, or on a journal that is open."""
        journal = await SqliteJournal.open(where) if isinstance(where, Path) else where
        return cls(await Runtime.open(journal, house_keys, clock=clock, **more))

    async def send(
        self, stream: str, actor: Actor, command: Command, id_: str | None = None
    ) -> Answer:
        """Send a command and give the answer."""
        order = Order(id_ or self.new_id(), actor, command)  # type: ignore[arg-type]
        return await self.house.submit(stream, order)

    def new_id(self) -> str:
        """Make an id: the time, and a number of its own."""
        return f"{self.house.clock.now()}-{next(self._ids)}"

    async def do(self, stream: str, actor: Actor, command: Command) -> Registered:
        """Send a command that must be registered."""
        answer = await self.send(stream, actor, command)
        assert isinstance(answer, Registered), answer
        return answer

    async def both(self, stream: str, first: Actor, command: Command, second: Actor) -> Registered:
        """Send a command that takes two persons, and have the second approve."""
        asked = await self.do(stream, first, command)
        requested = asked.events[-1]
        assert isinstance(requested, ApprovalRequested)
        return await self.do(stream, second, c.Approve(requested.pending, asked.last))

    async def found(self) -> None:
        """Found the house."""
        answer = await self.house.found("the house", "SGD")
        assert isinstance(answer, Registered), answer

    async def add_table(
        self,
        table: str = "T1",
        pay_table: str = "ts6/2",
        terminals: int = 3,
        equipment: Equipment | None = None,
        credit: int = 100_000,
    ) -> str:
        """Set a table up and open it, with terminals that have credits."""
        await self.house.add_table(table, equipment or Equipment())
        stream = table_stream(table)
        key, number = pay_table.split("/")
        rulebook = taisai.rulebook(key)
        adopt = c.AdoptRulebook(rulebook.canonical.decode(), int(number))
        await self.both(stream, PIT, adopt, SUPERVISOR)
        await self.both(stream, PIT, c.SetLimits(LIMITS), SUPERVISOR)
        await self.do(stream, SUPERVISOR, c.RegisterDice("D1", "S1"))
        checks = tuple(each.code for each in rulebook.content.procedure.opening_checks)
        await self.do(stream, SUPERVISOR, c.RecordChecks(checks))
        for number_ in range(1, terminals + 1):
            await self.seat(table, f"{table}-{number_}", credit)
        await self.do(stream, SUPERVISOR, c.OpenTable())
        return stream

    async def seat(self, table: str, terminal: str, credit: int) -> None:
        """Enrol a terminal, and put money on it through the cage."""
        stream = table_stream(table)
        await self.both(stream, TECHNICIAN, c.EnrolTerminal(terminal, "a place"), SUPERVISOR)
        if credit:
            await self.buy_in(table, terminal, credit)

    async def buy_in(self, table: str, terminal: str, credit: int) -> None:
        """Sell a voucher over the counter, and put it into a terminal."""
        sell = Order(self.new_id(), CASHIER, c.SellVoucher(credit, "counter"))
        await self.send(CAGE, CASHIER, sell.command, sell.id)
        number = self.house.cage.number_for(sell)
        assert number is not None
        take = c.TakeVoucher(number, table, terminal)
        await self.do(CAGE, Actor(terminal, "terminal"), take)
        await self.house.carrier.settled()

    async def bet(
        self, table: str, terminal: str, box: str, stake: int, id_: str | None = None
    ) -> Answer:
        """Place a bet from a terminal."""
        command = c.PlaceBets(terminal, (BoxStake(box, stake),))
        return await self.send(table_stream(table), Actor(terminal, "terminal"), command, id_)

    async def close_and_enter(self, table: str, faces: tuple[int, int, int]) -> None:
        """Close the bets, tumble and enter a result by hand."""
        stream = table_stream(table)
        await self.do(stream, DEALER, c.CloseBets(bell=True))
        await self.do(stream, DEALER, c.RecordTumble(3))
        await self.do(stream, DEALER, c.EnterResult(faces))

    async def settle(self, table: str) -> Registered:
        """Confirm the result and settle the round."""
        stream = table_stream(table)
        await self.do(stream, DEALER, c.ConfirmResult())
        return await self.do(stream, DEALER, c.Settle())

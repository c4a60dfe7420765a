"""Terminals of the demo venue: each enrolled by two persons, with a key and credits on it."""

import asyncio
import itertools
import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence

from taisai.core.cage.vouchers import SellVoucher, TakeVoucher, VoucherTaken
from taisai.core.kernel.messages import Actor, Order
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.positions import ReceiveCredits
from taisai.core.table.setup import EnrolTerminal
from taisai.core.table.state import IN_ROUND, Phase
from taisai.core.venue.terminal_keys import IssueTerminalKey
from taisai.protocol.client_messages import TerminalKey
from taisai.runtime.answers import Registered
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, VENUE, table_stream
from taisai.runtime.transfers import CARRIER
from taisai.server.accounts.accounts import Accounts
from taisai.server.accounts.credentials import CredentialsError
from taisai.server.demo.staff import DemoStaff, staff

#: The credits that a terminal of the demo begins with, in minor units: 1,000.00.
CREDITS = 100_000
#: Terminals that may wait to be made, and how many are given money at a time.
MAKING_MAX = 25_000
AT_ONCE = 64
#: Keys that are asked for within this are written to the disk together.
GATHER_SECONDS = 0.002

_log = logging.getLogger(__name__)


class DemoTerminals:
    """Makes terminals for visitors, as many as are asked for."""

    def __init__(self, runtime: Runtime, accounts: Accounts, people: DemoStaff) -> None:
        self._runtime = runtime
        self._accounts = accounts
        self._people = people
        #: One enrolment waits for its second person at a time, at each table.
        self._enrolling: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._numbers: dict[str, Iterator[int]] = {}
        self._serving = asyncio.Semaphore(AT_ONCE)
        self._making = 0
        #: Terminals that wait for their key, each with the venue's version that records it.
        self._keyless: list[tuple[tuple[str, str, int], asyncio.Future[str | Refusal]]] = []

    async def new_terminals(
        self, count: int, table: str | None = None
    ) -> list[TerminalKey] | Refusal:
        """Make many terminals, at one table or all in turn; refused if none could be made."""
        if self._making + count > MAKING_MAX:
            return refuse("BUSY", stream="demo")
        tables = self._tables(count, table)
        if not tables:
            return refuse("NO_TABLE")
        self._making += count
        try:
            made = await asyncio.gather(*map(self._make, tables))
        finally:
            self._making -= count
        seated = [each for each in made if isinstance(each, TerminalKey)]
        refused = [each for each in made if isinstance(each, Refusal)]
        return seated or refused[0]

    def _tables(self, count: int, table: str | None) -> list[str]:
        """Choose a table for each: the one that is asked for, or the emptiest in turn.

        A single visitor gets no table at which perhaps nobody deals. A chip table has no terminals.
        """
        runtime = self._runtime
        if table is not None:
            runtime.writer(table_stream(table))
            return [table] * count
        there = [name for name in runtime.table_names() if self._is_open(name)]
        taken = {name: len(runtime.table(name).positions) for name in there}
        by_itself = [name for name in taken if runtime.table(name).equipment.tumbler != "keyed"]
        if count == 1 and by_itself:
            taken = {name: taken[name] for name in by_itself}
        chosen = []
        for _ in range(count if taken else 0):
            emptiest = min(taken, key=lambda name: taken[name])
            taken[emptiest] += 1
            chosen.append(emptiest)
        return chosen

    def _is_open(self, table: str) -> bool:
        if self._runtime.writer(table_stream(table)).suspended is not None:
            return False
        state = self._runtime.table(table)
        return state.chips is None and state.phase in (Phase.READY, *IN_ROUND)

    async def _make(self, table: str) -> TerminalKey | Refusal:
        terminal = await self._enrol(table)
        if isinstance(terminal, Refusal):
            return terminal
        async with self._serving:
            key = await self._key(table, terminal)
            if isinstance(key, Refusal):
                return key
            refusal = await self._credit(table, terminal)
        return TerminalKey(table, terminal, key) if refusal is None else refusal

    async def _enrol(self, table: str) -> str | Refusal:
        stream = table_stream(table)
        async with self._enrolling[table]:
            if table not in self._numbers:
                self._numbers[table] = itertools.count(
                    len(self._runtime.table(table).positions) + 1
                )
            while True:
                terminal = f"{table}-{next(self._numbers[table])}"
                enrol = EnrolTerminal(terminal, "demo")
                technician, supervisor = staff("technician"), staff("supervisor")
                answer = await self._people.two(stream, technician, enrol, supervisor)
                if isinstance(answer, Registered):
                    return terminal
                if answer.code != "TERMINAL_EXISTS":
                    return answer

    async def _key(self, table: str, terminal: str) -> str | Refusal:
        issue = IssueTerminalKey(table, terminal)
        answer = await self._people.ask(VENUE, staff("technician"), issue)
        if isinstance(answer, Refusal):
            return answer
        return await self._issue(table, terminal, answer.last)

    def _issue(self, table: str, terminal: str, version: int) -> "asyncio.Future[str | Refusal]":
        """Have a key made, together with all others that are asked for now: disks are slow."""
        loop = asyncio.get_running_loop()
        if not self._keyless:
            loop.call_later(GATHER_SECONDS, self._issue_all)
        made = loop.create_future()
        self._keyless.append(((table, terminal, version), made))
        return made

    def _issue_all(self) -> None:
        asked, self._keyless = self._keyless, []
        keys: Sequence[str | Refusal]
        try:
            keys = self._accounts.issue_keys([terminal for terminal, _ in asked])
        except CredentialsError:
            _log.exception("keys of demo terminals could not be kept")
            keys = [refuse("RETRY")] * len(asked)
        for (_, made), key in zip(asked, keys, strict=True):
            if not made.done():
                made.set_result(key)

    async def _credit(self, table: str, terminal: str) -> Refusal | None:
        """Sell a voucher at the cage, take it at the terminal, and wait for the money."""
        above = self._runtime.cage.approve_above
        sell = SellVoucher(CREDITS if above is None else min(CREDITS, above), "demo")
        order = self._people.order(staff("cage"), sell)
        refusal = await self._people.open_shift()
        sold = await self._people.send(CAGE, order) if refusal is None else refusal
        if isinstance(sold, Refusal):
            return sold
        number = self._runtime.cage.number_for(order)
        assert number is not None, "a voucher that was sold has a number"
        take = TakeVoucher(number, table, terminal)
        taken = await self._people.ask(CAGE, Actor(terminal, "terminal"), take)
        if isinstance(taken, Refusal):
            return taken
        return await self._arrived(table, taken)

    async def _arrived(self, table: str, taken: Registered) -> Refusal | None:
        """Wait until the money is on the terminal: the carrier's own order is answered once."""
        event = taken.events[0]
        assert isinstance(event, VoucherTaken), "a voucher taken goes into transit"
        receive = ReceiveCredits(event.transit, event.terminal, event.value)
        order = Order(f"receive-{event.transit}", CARRIER, receive)
        answer = await self._people.send(table_stream(table), order)
        return answer if isinstance(answer, Refusal) else None

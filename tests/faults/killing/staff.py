"""The staff of a venue that is killed again and again: they set it up, and deal at its tables.

They remember nothing: after a restart each looks at the table and takes the next step, whether the
venue was killed while it was founded, in the middle of a round or between two.
"""

import asyncio
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import taisai
from taisai.core.kernel.approvals import Approve
from taisai.core.kernel.messages import Actor, Command, Equipment, LimitsAsked, Order
from taisai.core.rules.reason import Refusal
from taisai.core.table.interruption import DeclareOutcome, Fact
from taisai.core.table.round import (
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    Settle,
)
from taisai.core.table.setup import AdoptRulebook, EnrolTerminal, OpenTable, RegisterDice, SetLimits
from taisai.core.table.state import Phase, TableState
from taisai.core.table.tumble import RecordTumble
from taisai.runtime.answers import Answer, Registered
from taisai.runtime.installation import add_table, open_venue
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import table_stream
from tests.faults.killing.places import Board
from tests.kit.floor import Floor
from tests.kit.news import news_of
from tests.kit.people import DEALER, OPENER, PIT, SUPERVISOR, TECHNICIAN
from tests.kit.tables import displayed

#: Each table with its tumbler, its rulebook and its pay table.
TABLES = {
    "keyed": ("keyed", "ts6", 2),
    "simulated": ("simulated", "tso5", 1),
    "verifiable": ("verifiable", "etg8", 2),
}
TERMINALS = 3
LIMITS = LimitsAsked(minimum=100, maximum=100_000_000, step=100)
#: How long bets are open, at least and at most.
BETTING_SECONDS = (0.02, 0.15)
#: A table is looked at again after this time, even if its device reports nothing.
LOOK_SECONDS = 0.05


def terminals_of(table: str) -> list[str]:
    """Give the terminals of a table."""
    return [f"{table}-{number}" for number in range(1, TERMINALS + 1)]


class Staff:
    """Everybody who works in the venue."""

    def __init__(self, venue: Runtime, board: Board, seed: int) -> None:
        self._venue = venue
        self._board = board
        self._random = Random(seed)
        self._ids = itertools.count(1)

    async def set_up(self) -> None:
        """Found the venue and open its tables, or continue where that was cut off."""
        if not self._venue.cage.currency:
            _registered(await open_venue(self._venue, "the venue", "SGD"))
        await Floor(self._venue).open_shift(cashier=OPENER)
        for table, (tumbler, _, _) in TABLES.items():
            stream = table_stream(table)
            if stream not in self._venue.tables() or self._state(table).phase is Phase.NEW:
                equipment = Equipment(tumbler)  # type: ignore[arg-type]
                _registered(await add_table(self._venue, table, equipment))
            while (step := self._next_step(table)) is not None:
                await self._give(table, *step)

    def _next_step(self, table: str) -> tuple[Actor, Command] | None:
        """Find the next step to set up a table."""
        state = self._state(table)
        _, key, pay_table = TABLES[table]
        missing = [each for each in terminals_of(table) if each not in state.positions]
        if state.pending is not None and state.phase is Phase.CLOSED:
            return SUPERVISOR, Approve(state.pending.hash, state.pending.version)
        if state.rulebook is None:
            return PIT, AdoptRulebook(taisai.rulebook(key).canonical.decode(), pay_table)
        if state.limits is None:
            return PIT, SetLimits(displayed(f"{key}/{pay_table}", LIMITS))
        if state.dice_set is None:
            return SUPERVISOR, RegisterDice("D1", "S1")
        if missing:
            return TECHNICIAN, EnrolTerminal(missing[0], "a place")
        return (SUPERVISOR, OpenTable()) if state.phase is Phase.CLOSED else None

    def _state(self, table: str) -> TableState:
        return self._venue.table(table)

    async def _send(self, table: str, actor: Actor, command: Command) -> Answer:
        id_ = f"{self._venue.clock.now()}-{next(self._ids)}"
        order = Order(id_, actor, command)
        return await self._venue.submit(table_stream(table), order)

    async def _give(self, table: str, actor: Actor, command: Command) -> Answer:
        return _registered(await self._send(table, actor, command))

    # --- dealing -----------------------------------------------------------------------------

    async def deal(self, table: str) -> None:
        """Deal round after round at a table, for as long as the venue lives."""
        news = news_of(self._venue, table_stream(table))
        while True:
            if not await self._go_on(table):
                # A device draws, or a secret is owed: both are published.
                try:
                    async with asyncio.timeout(LOOK_SECONDS):
                        await anext(news)
                except TimeoutError:
                    pass

    async def _go_on(self, table: str) -> bool:
        """Take the next step at a table, unless it is its device's."""
        state = self._state(table)
        if state.waiting:
            await self._declare(table, state)
            return True
        match state.phase:
            case Phase.READY:
                return isinstance(await self._send(table, DEALER, OpenBets()), Registered)
            case Phase.BETTING:
                await asyncio.sleep(self._random.uniform(*BETTING_SECONDS))
                await self._give(table, DEALER, CloseBets(bell=True))
            case Phase.NO_MORE_BETS if state.equipment.tumbler != "keyed":
                return False
            case Phase.NO_MORE_BETS:
                enter = EnterResult(self._faces()) if state.tumbled else RecordTumble(3)
                await self._give(table, DEALER, enter)
            case Phase.RESULT:
                await self._give(table, DEALER, ConfirmResult())
            case Phase.CONFIRMED:
                with self._settling():
                    await self._give(table, DEALER, Settle())
            case phase:
                raise AssertionError(f"table {table} is {phase}, which no dealer brought about")
        return True

    async def _declare(self, table: str, state: TableState) -> None:
        """Declare, by two persons, the dice that lay there when the venue was killed."""
        if state.pending is None:
            faces = self._faces() if self._random.random() < 0.7 else None
            lacking: tuple[Fact, ...] = () if faces is None or state.tumbled else ("tumbled",)
            await self._give(table, SUPERVISOR, DeclareOutcome(faces, lacking))
            return
        await self._give(table, DEALER, Approve(state.pending.hash, state.pending.version))

    def _faces(self) -> tuple[int, int, int]:
        first, second, third = (self._random.randint(1, 6) for _ in range(3))
        return first, second, third

    @contextmanager
    def _settling(self) -> Iterator[None]:
        self._board.settling += 1
        try:
            yield
        finally:
            self._board.settling -= 1


def _registered(answer: Answer) -> Registered:
    assert not isinstance(answer, Refusal), f"the staff was refused: {answer.code}"
    return answer

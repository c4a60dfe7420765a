"""A floor for tests: a venue on a real journal, its staff, and short methods for what they do."""

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import taisai
from taisai.core.cage.drawer import OpenShift
from taisai.core.cage.fills import FillSent, ReceiveCredit, SendFill
from taisai.core.cage.vouchers import SellVoucher, TakeVoucher
from taisai.core.kernel.approvals import ApprovalRequested, Approve
from taisai.core.kernel.messages import Actor, BoxStake, Command, Equipment, LimitsAsked, Order
from taisai.core.table.betting import PlaceBets
from taisai.core.table.chips.collecting import CollectLosers
from taisai.core.table.chips.gaming_day import FloatCredited, OpenDay, ReceiveFill, SendCredit
from taisai.core.table.chips.payout import payout_guide
from taisai.core.table.chips.pieces import Chips, ChipSet, Pieces
from taisai.core.table.round import (
    CloseBets,
    ConfirmResult,
    EnterResult,
    PressFace,
    Settle,
)
from taisai.core.table.setup import (
    AdoptRulebook,
    EnrolTerminal,
    OpenTable,
    RegisterDice,
    SetLimits,
)
from taisai.core.table.tumble import LiftCover, RecordTumble
from taisai.runtime.answers import Answer, Registered
from taisai.runtime.clock import Clock
from taisai.runtime.installation import add_table, open_venue
from taisai.runtime.journal.anchor import default_anchor
from taisai.runtime.journal.contract import Journal
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.keys.signing import VenueKeys, fresh_keys
from taisai.runtime.opening import acts_wanted
from taisai.runtime.operations.process import KEYS_DIRECTORY
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, table_stream
from tests.kit.people import CASHIER, DEALER, PIT, SUPERVISOR, TECHNICIAN
from tests.kit.tables import displayed
from tests.kit.timeouts import TIMEOUT_SECONDS

_T = TypeVar("_T")

LIMITS = LimitsAsked(minimum=100, maximum=1_000_000, step=100)
CHIPS = ChipSet((100, 500, 2_500, 10_000), 7, ("pink", "blue"), 100)
CHIP_LIMITS = LimitsAsked(minimum=1_000, maximum=50_000, step=500)
#: Ten of 100.00, twenty of 25.00, eighty of 5.00 and a hundred of 1.00: 2,000.00.
FLOAT: Chips = (Pieces(10_000, 10), Pieces(2_500, 20), Pieces(500, 80), Pieces(100, 100))


def hundreds(count: int) -> Chips:
    """Make so many chips of 100.00."""
    return (Pieces(10_000, count),)


def run(work: Coroutine[Any, Any, _T]) -> _T:
    """Run a test's coroutine; tasks still pending at its end are a fault of the test."""
    return asyncio.run(work)


async def until(condition: Callable[[], bool]) -> None:
    """Let the loop run until a condition holds; the time limit allows for a busy machine."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while not condition():  # noqa: ASYNC110 - a state in memory has no event to wait for
            await asyncio.sleep(0.001)


def keys() -> VenueKeys:
    """Make keys for the duration of the test."""
    return fresh_keys(1_760_000_000_000)


class Floor:
    """A venue and its people; every order gets an id of its own."""

    def __init__(self, venue: Runtime) -> None:
        self.venue = venue
        self._ids = itertools.count(1)

    @classmethod
    async def open(
        cls,
        where: Path | Journal,
        venue_keys: VenueKeys,
        clock: Clock | None = None,
        **more: Any,
    ) -> "Floor":
        """Open a venue on a file or an open journal; in a data directory, with its anchor."""
        if isinstance(where, Path) and (where.parent / KEYS_DIRECTORY).is_dir():
            more.setdefault("anchor", default_anchor(where.parent / KEYS_DIRECTORY))
        journal = await SqliteJournal.open(where) if isinstance(where, Path) else where
        return cls(await Runtime.open(journal, venue_keys, clock=clock, **more))

    async def send(
        self, stream: str, actor: Actor, command: Command, id_: str | None = None
    ) -> Answer:
        """Send a command and give the answer."""
        order = Order(id_ or self.new_id(), actor, command)
        return await self.venue.submit(stream, order)

    def new_id(self) -> str:
        """Make an id: the time and a serial number."""
        return f"{self.venue.clock.now()}-{next(self._ids)}"

    async def do(
        self, stream: str, actor: Actor, command: Command, id_: str | None = None
    ) -> Registered:
        """Send a command, and check that it is registered."""
        answer = await self.send(stream, actor, command, id_)
        assert isinstance(answer, Registered), answer
        return answer

    async def both(self, stream: str, first: Actor, command: Command, second: Actor) -> Registered:
        """Send a command that takes two persons, and approve it as the second."""
        asked = await self.do(stream, first, command)
        requested = asked.events[-1]
        assert isinstance(requested, ApprovalRequested)
        return await self.do(stream, second, Approve(requested.pending, asked.last))

    async def found(self) -> None:
        """Found the venue."""
        answer = await open_venue(self.venue, "the venue", "SGD")
        assert isinstance(answer, Registered), answer

    async def set_up_table(
        self,
        table: str,
        pay_table: str = "ts6/2",
        *,
        equipment: Equipment | None = None,
        limits: LimitsAsked = LIMITS,
        handpay_threshold: int | None = None,
        chips: ChipSet | None = None,
    ) -> str:
        """Make a table with rules, limits, dice and recorded checks, ready to be opened."""
        await add_table(self.venue, table, equipment or Equipment(), handpay_threshold, chips=chips)
        stream = table_stream(table)
        key, number = pay_table.split("/")
        rulebook = taisai.rulebook(key)
        adopt = AdoptRulebook(rulebook.canonical.decode(), int(number))
        await self.both(stream, PIT, adopt, SUPERVISOR)
        await self.both(stream, PIT, SetLimits(displayed(pay_table, limits)), SUPERVISOR)
        await self.do(stream, SUPERVISOR, RegisterDice("D1", "S1"))
        for act in acts_wanted(self.venue.table(table)):
            await self.do(stream, SUPERVISOR, act)
        return stream

    async def add_table(
        self,
        table: str = "T1",
        pay_table: str = "ts6/2",
        terminals: int = 3,
        equipment: Equipment | None = None,
        credit: int = 100_000,
        handpay_threshold: int | None = None,
    ) -> str:
        """Set a table up and open it, with terminals that have credits."""
        stream = await self.set_up_table(
            table, pay_table, equipment=equipment, handpay_threshold=handpay_threshold
        )
        for number in range(1, terminals + 1):
            await self.seat(table, f"{table}-{number}", credit)
        await self.do(stream, SUPERVISOR, OpenTable())
        return stream

    async def seat(self, table: str, terminal: str, credit: int) -> None:
        """Enrol a terminal, and put credits on it through the cage."""
        stream = table_stream(table)
        await self.both(stream, TECHNICIAN, EnrolTerminal(terminal, "a place"), SUPERVISOR)
        if credit:
            await self.buy_in(table, terminal, credit)

    async def buy_in(self, table: str, terminal: str, credit: int) -> None:
        """Sell a voucher at the counter, and put it into a terminal."""
        take = TakeVoucher(await self.sell(credit), table, terminal)
        await self.do(CAGE, Actor(terminal, "terminal"), take)
        await self.venue.transfers.settled()

    async def sell(self, value: int) -> str:
        """Sell a voucher over the counter, opening a shift if needed, and return its number."""
        await self.open_shift()
        sell = Order(self.new_id(), CASHIER, SellVoucher(value, "counter"))
        await self.do(CAGE, CASHIER, sell.command, sell.id)
        number = self.venue.cage.number_for(sell)
        assert number is not None
        return number

    async def open_shift(self, count: int = 0, cashier: Actor = CASHIER) -> None:
        """Open a cashier's shift, unless one is open."""
        if self.venue.cage.shift is None:
            await self.both(CAGE, cashier, OpenShift(count), SUPERVISOR)

    async def bet(
        self, table: str, terminal: str, box: str, stake: int, id_: str | None = None
    ) -> Answer:
        """Place a bet from a terminal."""
        command = PlaceBets(terminal, (BoxStake(box, stake),))
        return await self.send(table_stream(table), Actor(terminal, "terminal"), command, id_)

    async def close_and_enter(self, table: str, faces: tuple[int, int, int]) -> None:
        """Close the bets, tumble and enter a result by hand."""
        stream = table_stream(table)
        await self.do(stream, DEALER, CloseBets(bell=True))
        await self.do(stream, DEALER, RecordTumble(3))
        state = self.venue.table(table)
        if state.chips is not None and not state.uncovered:
            await self.do(stream, DEALER, LiftCover())
        await self.enter(table, faces)

    async def enter(self, table: str, faces: tuple[int, int, int]) -> None:
        """Enter a result by hand; press the faces first if there is an LED."""
        stream, rulebook = table_stream(table), self.venue.table(table).rulebook
        for face in faces if rulebook and rulebook.content.procedure.entry.echo else ():
            await self.do(stream, DEALER, PressFace(face))
        await self.do(stream, DEALER, EnterResult(faces))

    async def settle(self, table: str) -> Registered:
        """Confirm the result and settle the round; at a chip table collect first."""
        stream, state = table_stream(table), self.venue.table(table)
        await self.do(stream, DEALER, ConfirmResult())
        if state.chips is not None and payout_guide(state).collect:
            await self.do(stream, DEALER, CollectLosers())
        return await self.do(stream, DEALER, Settle())

    # --- chip tables -----------------------------------------------------------------------------

    async def add_chip_table(
        self,
        table: str = "F1",
        date: str | None = "2025-11-16",
        limits: LimitsAsked = CHIP_LIMITS,
    ) -> str:
        """Set up a chip table, with its gaming day open unless there is no date."""
        stream = await self.set_up_table(table, limits=limits, chips=CHIPS)
        if date is not None:
            await self.both(stream, SUPERVISOR, OpenDay(date, FLOAT), DEALER)
        return stream

    async def send_fill(self, chips: Chips, table: str = "F1") -> str:
        """Send a fill from the cage, and return its transit."""
        sent = await self.both(CAGE, CASHIER, SendFill(table, chips), SUPERVISOR)
        event = sent.events[-1]
        assert isinstance(event, FillSent)
        return event.transit

    async def receive_fill(self, transit: str, chips: Chips, table: str = "F1") -> Registered:
        """Receive a fill into the rack by two persons."""
        receive = ReceiveFill(transit, chips)
        return await self.both(table_stream(table), DEALER, receive, SUPERVISOR)

    async def send_credit(self, chips: Chips, table: str = "F1") -> str:
        """Send a credit from the rack by two persons, and return its transit."""
        sent = await self.both(table_stream(table), DEALER, SendCredit(chips), SUPERVISOR)
        event = sent.events[-1]
        assert isinstance(event, FloatCredited)
        return event.transit

    async def receive_credit(self, transit: str, chips: Chips, table: str = "F1") -> Registered:
        """Receive a credit into the cage by two persons."""
        return await self.both(CAGE, CASHIER, ReceiveCredit(transit, table, chips), SUPERVISOR)


async def killed(floor: Floor) -> None:
    """Leave a venue as if it were killed: nothing more is signed or written."""
    for task in floor.venue._background:
        task.cancel()
    await asyncio.gather(*floor.venue._background, return_exceptions=True)
    await floor.venue.journal.close()

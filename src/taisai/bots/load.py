"""A load on a house: many terminals in one process, each betting at a rate, everything counted."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from random import Random
from typing import Literal

from msgspec import Struct

from taisai.bots import layout_of
from taisai.bots.load_seat import LoadSeat
from taisai.bots.seeing import Layout
from taisai.bots.tally import Tally
from taisai.client import Backoff, ClientError, Live, connect
from taisai.protocol.client_messages import TerminalKey

#: Terminals that are being connected at a time.
CONNECTING_AT_ONCE = 50
TICK_SECONDS = 0.02
TELL_SECONDS = 0.5
#: How long the last answers are waited for.
LAST_SECONDS = 20.0
BACKOFF = Backoff(first_seconds=0.2, most_seconds=5.0, attempts=12)

Stage = Literal["connecting", "betting", "ending"]
#: Told what there is so far, the stage, and how many seconds of betting there were.
Told = Callable[[Tally, Stage, float], None]


class Share(Struct, frozen=True):
    """What one process does of a load."""

    address: str
    keys: list[TerminalKey]
    seconds: float
    #: Bets a second of each terminal, while bets are open.
    rate: float


class _Table:
    """The terminals of a table, taking turns."""

    def __init__(self, layout: Layout, seats: list[LoadSeat]) -> None:
        self.layout = layout
        self.seats = seats
        self._due = 0.0
        self._turns = _round_and_round(seats)

    def due(self, rate: float) -> Iterator[LoadSeat]:
        """Give those whose turn it is after another tick."""
        self._due = min(self._due + len(self.seats) * rate * TICK_SECONDS, float(len(self.seats)))
        while self._due >= 1:
            self._due -= 1
            yield next(self._turns)


class LoadRun:
    """Connects terminals gradually, has them bet for some seconds, and counts."""

    def __init__(self, share: Share, told: Told = lambda *_: None, seed: int | None = None) -> None:
        self.tally = Tally(terminals=len(share.keys))
        self.chance = Random(seed)  # noqa: S311 - a bot's whims are no secret
        self._share = share
        self._told = told
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
        """Hear from a seat that it has asked something."""
        self.tally.asked += 1
        self._owed += 1
        self._quiet.clear()

    def settled(self) -> None:
        """Hear from a seat that it has its answer."""
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

        async def tell() -> None:
            while True:
                self._told(self.tally, "connecting", 0.0)
                await asyncio.sleep(TELL_SECONDS)

        telling = asyncio.ensure_future(tell())
        try:
            await asyncio.gather(*(connect_some() for _ in range(CONNECTING_AT_ONCE)))
        finally:
            telling.cancel()

    async def _bet(self, watcher: Live, tables: dict[str, _Table]) -> None:
        clock = asyncio.get_running_loop().time
        began = tick = told = clock()
        while (now := clock()) - began < self._share.seconds:
            for name, table in tables.items():
                if watcher.tables[name].taking_bets:
                    for seat in table.due(self._share.rate):
                        seat.act(watcher.tables[name], table.layout)
            if now - told >= TELL_SECONDS:
                told = now
                self._told(self.tally, "betting", now - began)
            tick = max(tick + TICK_SECONDS, now)
            await asyncio.sleep(tick - now)

    async def _end(self) -> None:
        """Wait for the last answers, and for what they tell of on each private channel."""
        self._told(self.tally, "ending", self._share.seconds)
        with contextlib.suppress(TimeoutError):
            # Whoever still waits then is counted as not answered.
            async with asyncio.timeout(LAST_SECONDS):
                await self._quiet.wait()
        for seat in self._seats:
            seat.close_books()


def _round_and_round(seats: list[LoadSeat]) -> Iterator[LoadSeat]:
    while True:
        yield from seats

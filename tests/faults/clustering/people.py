"""People at terminals who bet whatever happens, and remember their commands and the answers."""

import asyncio
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from taisai.client import Backoff, ClientError, Live, NotAnswered, TerminalKey, connect
from taisai.core.kernel.messages import BoxStake
from taisai.core.table.betting import PlaceBets
from taisai.protocol.server_messages import Refused, Registered

#: They reconnect soon, and never give up.
BACKOFF = Backoff(first_seconds=0.05, most_seconds=0.5, attempts=1_000_000)
#: How long a person waits for an answer before sending again, and rests between two bets.
ANSWER_SECONDS = 5.0
REST_SECONDS = 0.05
BOXES = ("small", "big", "odd", "even")


class Told(NamedTuple):
    """A bet that was answered as registered, at which versions of its table."""

    table: str
    terminal: str
    id: str
    first: int
    last: int
    stake: int


class Shown(NamedTuple):
    """The credits a terminal was shown, at a version of the table."""

    table: str
    terminal: str
    sequence: int
    credits: int


@dataclass
class Memory:
    """Commands sent, answers, and credits shown."""

    #: The id of every command sent, with its table and terminal.
    asked: set[tuple[str, str, str]] = field(default_factory=set)
    told: list[Told] = field(default_factory=list)
    #: Ids that were refused for good.
    refused: set[tuple[str, str, str]] = field(default_factory=set)
    shown: dict[tuple[str, str], Shown] = field(default_factory=dict)
    put_off: int = 0


class Terminal:
    """One person at a terminal."""

    def __init__(self, key: TerminalKey, memory: Memory, chance: Random) -> None:
        self.key = key
        self.registered = 0
        self.reconnections = 0
        #: What they wait for, and the connection with their views.
        self.waits_for = ""
        self._live: Live | None = None
        self._memory = memory
        self._chance = chance

    async def play(self, addresses: list[str]) -> None:
        """Bet until cancelled."""
        while True:
            self.waits_for, self._live = "a connection", None
            try:
                async with connect(addresses, terminal=self.key, backoff=BACKOFF) as live:
                    live.messages_max = 0
                    await self._play(live)
            except ClientError:
                # The server was away, or its answer made no sense: connect again.
                await asyncio.sleep(REST_SECONDS)

    async def _play(self, live: Live) -> None:
        self._live = live
        self.waits_for = "the view of the table"
        table = await live.watch(self.key.table)
        while True:
            self.waits_for = "bets to be open"
            await live.until(lambda: table.taking_bets)
            self.waits_for = "an answer"
            stake = self._chance.randint(1, 3) * 100
            command = PlaceBets(
                self.key.terminal, (BoxStake(self._chance.choice(BOXES), stake),), table.round
            )
            await self._ask(live, live.link.new_id(), command, stake)
            self._note(live)
            self.reconnections = live.link.reconnections
            await asyncio.sleep(self._chance.uniform(0, 2 * REST_SECONDS))

    async def _ask(self, live: Live, id_: str, command: PlaceBets, stake: int) -> None:
        """Send a command with one id until there is a final answer."""
        table, terminal = self.key.table, self.key.terminal
        mark = (table, terminal, id_)
        self._memory.asked.add(mark)
        while True:
            try:
                answer = await live.ask(table, command, id_, ANSWER_SECONDS)
            except NotAnswered:
                continue
            match answer:
                case Registered():
                    told = Told(table, terminal, id_, answer.first, answer.last, stake)
                    self._memory.told.append(told)
                    self.registered += 1
                    return
                case Refused() if answer.again:
                    self._memory.put_off += 1
                    await asyncio.sleep(REST_SECONDS)
                case _:
                    self._memory.refused.add(mark)
                    return

    def __str__(self) -> str:
        """Describe the person: what they wait for, and their view of the table."""
        who = f"{self.key.table}/{self.key.terminal} waits for {self.waits_for}"
        if self._live is None:
            return who
        link, table = self._live.link, self._live.tables.get(self.key.table)
        shown = "no view" if table is None else f"{table.phase}, suspended {table.suspended}"
        there = "connected" if link.connected else "not connected"
        return f"{who} ({shown}; {there} to {link.url}, at {link.sequence})"

    def _note(self, live: Live) -> None:
        """Remember the credits shown, with their version."""
        if live.link.sequence is not None:
            shown = Shown(
                self.key.table, self.key.terminal, live.link.sequence, live.terminal.credits
            )
            self._memory.shown[shown.table, shown.terminal] = shown

"""The people in a venue on a failing disk: their commands, the answers, and what was put off.

A command that is put off is sent again later, with the same id. Answers are remembered as in the
killing campaign, so that the same checks compare them with the journal.
"""

import asyncio
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from taisai.core.kernel.messages import Actor, Command, Equipment, Order
from taisai.core.table.betting import PlaceBets
from taisai.core.table.round import OpenBets
from taisai.core.table.setup import OpenTable
from taisai.core.table.state import TableState
from taisai.runtime.answers import AGAIN, Answer, Registered
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import table_stream
from tests.faults.disk import Disk
from tests.faults.killing.crowd import Memory, PromiseBrokenError, Request
from tests.faults.killing.lines import Told
from tests.kit.floor import Floor, keys
from tests.kit.people import DEALER, SUPERVISOR

FILE = "venue.journal"
#: Each table with its tumbler, its rulebook and its pay table.
TABLES = {
    "keyed": ("keyed", "ts6", 2),
    "simulated": ("simulated", "tso5", 1),
    "verifiable": ("verifiable", "etg8", 2),
}
TERMINALS = 3
CREDIT = 100_000
#: A terminal with a larger win is locked until staff clear it.
HANDPAY_THRESHOLD = 400
#: The roles of people: not the venue itself, and not its devices.
PEOPLE = ("terminal", "cage", "dealer", "supervisor", "pit-manager", "technician")


def terminals_of(table: str) -> list[str]:
    """Give the terminals of a table."""
    return [f"{table}-{number}" for number in range(1, TERMINALS + 1)]


class Guests(Floor):
    """A floor whose people remember all their commands and answers."""

    def __init__(self, venue: Runtime, memory: Memory) -> None:
        super().__init__(venue)
        self.memory = memory
        #: How often commands were put off, by code and stream.
        self.put_off: Counter[tuple[str, str]] = Counter()

    def new_id(self) -> str:
        """Make an id that is new in every life of the venue."""
        return f"{self.venue.clock.now()}-{len(self.memory.requests) + 1}"

    def ask(self, stream: str, actor: Actor, command: Command, id_: str | None = None) -> Request:
        """Record a command, to be sent as often as it takes."""
        order = Order(id_ or self.new_id(), actor, command)
        return self.memory.ask(stream, order)

    async def send(
        self, stream: str, actor: Actor, command: Command, id_: str | None = None
    ) -> Answer:
        """Send a new command, and remember the answer."""
        return await self.give(self.ask(stream, actor, command, id_))

    async def give(self, request: Request) -> Answer:
        """Send a command, for the first time or again; compare the answer with earlier ones."""
        request.sent += 1
        answer = await self.venue.submit(request.stream, request.order)
        if isinstance(answer, Registered):
            told = Told(request.number, answer.first, answer.last, answer.at)
        elif answer.code in AGAIN:
            self.put_off[answer.code, request.stream] += 1
            return answer
        else:
            told = Told(request.number, refused=answer.code)
        self.memory.note(told)
        return answer

    def waiting(self, stream: str, *, bets: bool) -> list[Request]:
        """Find a stream's commands that were sent and not answered: bets, or all others."""
        return [
            request
            for request in self.memory.requests
            if request.answer is None
            and request.sent
            and request.stream == stream
            and isinstance(request.order.command, PlaceBets) is bets
        ]

    async def give_again(self, stream: str, *, bets: bool) -> bool:
        """Send a stream's unanswered commands again; says whether all are answered now."""
        for request in self.waiting(stream, bets=bets):
            await self.give(request)
        return not self.waiting(stream, bets=bets)

    async def ask_everything_once_more(self) -> None:
        """Send every answered command again: the answers must be the same."""
        for request in self.memory.requests:
            answer = await self.give(request)
            if not isinstance(answer, Registered) and answer.code in AGAIN:
                raise PromiseBrokenError(f"{request.sentence} is still put off: {answer.code}")

    def state(self, table: str) -> TableState:
        """Give a table as it is now."""
        return self.venue.table(table)

    def on_their_way(self) -> list[str]:
        """Give the transits that are not closed."""
        found = [*self.venue.cage.transits_open]
        return found + [each for table in TABLES for each in self.state(table).transits_open]

    def standing(self) -> str:
        """Describe every table's phase, and the commands that still wait for an answer."""
        phases = {table: str(self.state(table).phase) for table in TABLES}
        waiting = [each.sentence for each in self.memory.requests if each.answer is None]
        on_their_way, suspended = self.on_their_way(), self.venue.suspended()
        return f"{phases}, {suspended}, put off: {waiting}, on their way: {on_their_way}"

    def shut(self, table: str) -> bool:
        """Say whether a table is suspended."""
        return table_stream(table) in self.venue.suspended()

    async def device(self, table: str) -> None:
        """Wait until a table's device, if it has one, has nothing left to do."""
        device = self.venue.device(table)
        if device is not None:
            await device.settled()

    async def open_bets(self, table: str) -> bool:
        """Open a table's bets if they are not open; says whether they are."""
        stream = table_stream(table)
        await self.device(table)
        if self.shut(table) or not await self.give_again(stream, bets=False):
            return False
        if self.state(table).phase == "betting":
            return True
        return isinstance(await self.send(stream, DEALER, OpenBets()), Registered)

    # --- before the flows --------------------------------------------------------------------

    async def set_up(self) -> list[str]:
        """Found a venue with all its tables open; gives vouchers that people hold."""
        await self.found()
        for table in TABLES:
            await self._set_up(table)
        return [await self.sell(20_000) for _ in range(2)]

    async def _set_up(self, table: str) -> None:
        tumbler, key, number = TABLES[table]
        equipment = Equipment(tumbler)  # type: ignore[arg-type]
        pay_table = f"{key}/{number}"
        stream = await self.set_up_table(
            table, pay_table, equipment=equipment, handpay_threshold=HANDPAY_THRESHOLD
        )
        for terminal in terminals_of(table):
            await self.seat(table, terminal, CREDIT)
        await self.do(stream, SUPERVISOR, OpenTable())
        await self.device(table)


class Begun(NamedTuple):
    """A venue that is set up and stopped: its files, its keys, and its people's memory."""

    files: dict[str, bytes]
    keys: VenueKeys
    memory: Memory
    vouchers: tuple[str, ...]

    def lay(self, directory: Path) -> None:
        """Write its files into a directory."""
        directory.mkdir(parents=True)
        for name, data in self.files.items():
            (directory / name).write_bytes(data)


def begin(directory: Path) -> Begun:
    """Set a venue up on a sound disk."""
    directory.mkdir(parents=True)
    venue_keys, memory = keys(), Memory()
    with Disk(directory) as disk:
        vouchers = asyncio.run(_set_up(disk, venue_keys, memory))
    files = {path.name: path.read_bytes() for path in directory.iterdir()}
    return Begun(files, venue_keys, memory, tuple(vouchers))


async def _set_up(disk: Disk, venue_keys: VenueKeys, memory: Memory) -> list[str]:
    journal = await SqliteJournal.open(disk.directory / FILE, vfs=disk.name)
    guests = Guests(await Runtime.open(journal, venue_keys), memory)
    vouchers = await guests.set_up()
    await guests.venue.stop()
    return vouchers


def copy_of(memory: Memory) -> Memory:
    """Copy a memory, so that each of several lives continues with its own."""
    copied = Memory()
    copied.born = [*memory.born]
    for request in memory.requests:
        made = copied.ask(request.stream, request.order)
        made.sent, made.answer = request.sent, request.answer
    return copied

"""The demo house: its tables opened by its staff, terminals with credits in one click.

Everything goes the way it goes in a real house, through the same commands and with two persons
where that takes two; only that nobody has to be asked. A demo is on a loopback address alone, its
journal says so with its first event, and no other mode opens it.
"""

import asyncio
import itertools
import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from taisai.core import commands as c
from taisai.core.commands import Order
from taisai.core.events import HouseOpened, VoucherTaken
from taisai.core.messages import Actor, Role
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table_state import IN_ROUND, Phase
from taisai.projections.figures.gaming_days import GamingDays
from taisai.protocol.client_messages import TerminalKey
from taisai.rulebooks import rulebook
from taisai.runtime.answers import Registered
from taisai.runtime.journal.contract import Journal
from taisai.runtime.keys import VenueKeys, create_keys, load_keys
from taisai.runtime.recovery import StartupError
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, HOUSE, kind_of, table_of, table_stream
from taisai.runtime.transfers import CARRIER
from taisai.runtime.tumblers.device import HOST
from taisai.server.accounts import Accounts, CredentialsError
from taisai.server.demo.chip_table import DemoFelt, felt_table
from taisai.server.demo.staff import STAFF, DemoStaff, staff
from taisai.server.floor_plan import Floorplan, HousePlan, TablePlan
from taisai.server.settings import Settings, is_loopback

#: What a terminal of the demo begins with, in minor units: 1,000.00.
CREDITS = 100_000
#: Terminals that may be asked for and not made yet, and how many are given money at a time.
MAKING_MAX = 25_000
AT_ONCE = 64
#: Keys that are asked for within this are written to the disk together.
GATHER_SECONDS = 0.002

_log = logging.getLogger(__name__)


async def check_journal(journal: Journal, settings: Settings) -> None:
    """Refuse a demo on the network, a demo journal without a demo, and a real one with it.

    The first event of the house's own stream says which it is; nothing is written before that.
    """
    if settings.demo and not is_loopback(settings.host):
        raise StartupError(
            "a demo house lets anybody in, so it is on a loopback address alone, like 127.0.0.1;"
            f" {settings.host} is none"
        )
    for record in await journal.records(HOUSE, range(1, 2)):
        opened = kind_of(HOUSE).read(record)
        demo = isinstance(opened, HouseOpened) and opened.demo
        if demo and not settings.demo:
            raise StartupError(
                f"the journal of {settings.data} is of a demo house, and opens with --demo alone;"
                " name another directory for a real house"
            )
        if settings.demo and not demo:
            raise StartupError(
                f"the journal of {settings.data} is of a real house, and never opens with --demo;"
                " name another directory for a demo"
            )


def check_mode(house: Runtime, settings: Settings) -> None:
    """Refuse a real house in which nobody could log in; it is founded by now, and waits for them.

    The journal was checked before it was opened.
    """
    assert house.state.demo == settings.demo, "the first event says which kind of house it is"
    if not settings.demo and not house.state.staff:
        raise StartupError(
            f"the house in {settings.data} has nobody on its staff yet, so nobody could log in;"
            f" engage the first by two persons: taisai staff add {settings.data} --person NAME"
            " --role shift-manager --by NAME --second NAME"
        )


def demo_keys(directory: Path) -> VenueKeys:
    """Load the keys of a demo house, or make them where there are none."""
    if not directory.exists():
        directory.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        create_keys(directory)
    return load_keys(directory)


def demo_plan() -> Floorplan:
    """Plan a table for each rulebook, one that a person deals with dice of their own, and a felt.

    Where a maximum counts everybody's bets, it is a high one.
    """
    return Floorplan(
        house=HousePlan(name="Tai Sai demo"),
        tables=(
            _table("tai-sai", "ts6/2", 100_000_000),
            _table("tai-sai-open", "tso5/3", 100_000_000),
            _table("sic-bo", "etg8/2", 500_000),
            _table("division-9", "div9/2", 500_000),
            msgspec.structs.replace(
                _table("salon", "ts6/1", 100_000_000), tumbler="keyed", dealer="person"
            ),
            felt_table(),
        ),
    )


def _table(name: str, pay_table: str, maximum: int) -> TablePlan:
    return TablePlan(
        name=name,
        pay_table=pay_table,
        minimum=100,
        maximum=maximum,
        step=100,
        tumbler="simulated",
        dealer="automatic",
        countdown_seconds=15.0,
        pause_seconds=3.0,
    )


class Demo:
    """The demo's staff at work: they open the tables, and seat whoever comes."""

    def __init__(
        self, house: Runtime, accounts: Accounts, gaming_days: GamingDays | None = None
    ) -> None:
        assert house.state.demo, "only a demo house lets anybody in"
        self._house = house
        self._accounts = accounts
        self._gaming_days = gaming_days or GamingDays()
        self._people = DemoStaff(house)
        #: One enrolment waits for its second person at a time, at each table.
        self._enrolling: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._numbers: dict[str, Iterator[int]] = {}
        self._serving = asyncio.Semaphore(AT_ONCE)
        self._making = 0
        #: Terminals that wait for their key, each with the version of the house that says so.
        self._keyless: list[tuple[tuple[str, str, int], asyncio.Future[str | Refusal]]] = []

    # --- setting up --------------------------------------------------------------------------

    async def set_up(self, plan: Floorplan) -> None:
        """Engage the staff, and open each table of the plan that is not open."""
        for role, person in STAFF.items():
            if person not in self._house.state.staff:
                engage = c.EngageStaff(person, (role,), "the demo house", "its visitors")
                await self._people.must(HOUSE, HOST, engage)
        for table in plan.tables:
            if self._house.writer(table_stream(table.name)).suspended is None:
                await self._open(table)

    async def _open(self, plan: TablePlan) -> None:
        """Bring a table to where bets can be called for, whatever it was left in."""
        stream, state = table_stream(plan.name), self._house.table(plan.name)
        supervisor, pit = staff("supervisor"), staff("pit-manager")
        if state.waiting:
            await self._people.both(stream, supervisor, c.DeclareOutcome(), pit)
        if state.stopped is not None:
            await self._people.must(stream, supervisor, c.Rectify("the demo was started again"))
        felt = None if state.felt is None else self._felt(plan.name)
        if state.phase is Phase.READY and state.notice_given:
            if felt is not None:
                await felt.pay()
            await self._people.must(stream, supervisor, c.CloseTable())
        if state.phase is Phase.CLOSED:
            await self._open_closed(plan, felt)
        elif felt is None or not felt.is_empty:
            return
        if felt is not None and state.phase is not Phase.CLOSED:
            await felt.seat_guests()

    async def _open_closed(self, plan: TablePlan, felt: DemoFelt | None) -> None:
        """Give a closed table everything that it lacks, and open it; a day too many stays shut."""
        stream, state = table_stream(plan.name), self._house.table(plan.name)
        supervisor, pit = staff("supervisor"), staff("pit-manager")
        key, _, number = plan.pay_table.partition("/")
        book = rulebook(key)
        if state.pay_table is None:
            adopt = c.AdoptRulebook(book.canonical.decode(), int(number))
            await self._people.both(stream, pit, adopt, supervisor)
        if state.limits is None:
            await self._people.both(stream, pit, c.SetLimits(plan.limits), supervisor)
        if state.dice_set is None:
            await self._people.must(stream, supervisor, c.RegisterDice("demo dice", "demo seal"))
        checks = tuple(check.code for check in book.content.procedure.opening_checks)
        await self._people.must(stream, supervisor, c.RecordChecks(checks))
        if felt is not None and not await felt.open_day():
            return
        await self._people.must(stream, supervisor, c.OpenTable())

    def _felt(self, table: str) -> DemoFelt:
        return DemoFelt(table, self._house, self._people, self._gaming_days)

    # --- whoever comes -----------------------------------------------------------------------

    def person(self, role: Role) -> str:
        """Name who has a role in the demo."""
        return STAFF[role]

    async def new_terminal(self, table: str | None = None) -> TerminalKey | Refusal:
        """Seat somebody: a terminal enrolled by two persons, its key, and credits on it."""
        made = await self.new_terminals(1, table)
        return made if isinstance(made, Refusal) else made[0]

    async def new_terminals(
        self, count: int, table: str | None = None
    ) -> list[TerminalKey] | Refusal:
        """Seat many, at one table or at all of them in turn; refused where none could be seated."""
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

        Whoever comes alone is not left at a table where nobody may be dealing. A felt has no
        terminals.
        """
        house = self._house
        if table is not None:
            house.writer(table_stream(table))
            return [table] * count
        there = [name for stream in house.tables() if (name := table_of(stream)) is not None]
        taken = {name: len(house.table(name).terminals) for name in there if self._is_open(name)}
        by_itself = [name for name in taken if house.table(name).equipment.tumbler != "keyed"]
        if count == 1 and by_itself:
            taken = {name: taken[name] for name in by_itself}
        chosen = []
        for _ in range(count if taken else 0):
            emptiest = min(taken, key=lambda name: taken[name])
            taken[emptiest] += 1
            chosen.append(emptiest)
        return chosen

    def _is_open(self, table: str) -> bool:
        if self._house.writer(table_stream(table)).suspended is not None:
            return False
        state = self._house.table(table)
        return state.felt is None and state.phase in (Phase.READY, *IN_ROUND)

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
                self._numbers[table] = itertools.count(len(self._house.table(table).terminals) + 1)
            while True:
                terminal = f"{table}-{next(self._numbers[table])}"
                enrol = c.EnrolTerminal(terminal, "demo")
                technician, supervisor = staff("technician"), staff("supervisor")
                answer = await self._people.two(stream, technician, enrol, supervisor)
                if isinstance(answer, Registered):
                    return terminal
                if answer.code != "TERMINAL_EXISTS":
                    return answer

    async def _key(self, table: str, terminal: str) -> str | Refusal:
        issue = c.IssueTerminalKey(table, terminal)
        answer = await self._people.ask(HOUSE, staff("technician"), issue)
        if isinstance(answer, Refusal):
            return answer
        return await self._issue(table, terminal, answer.last)

    def _issue(self, table: str, terminal: str, version: int) -> "asyncio.Future[str | Refusal]":
        """Have a key made, together with all others that are asked for now: a disk is slow."""
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
        """Sell a voucher over the counter, take it at the terminal, and wait for the money."""
        above = self._house.cage.approve_above
        sell = c.SellVoucher(CREDITS if above is None else min(CREDITS, above), "demo")
        order = self._people.order(staff("cage"), sell)
        sold = await self._people.send(CAGE, order)
        if isinstance(sold, Refusal):
            return sold
        number = self._house.cage.number_for(order)
        assert number is not None, "a voucher that was sold has a number"
        take = c.TakeVoucher(number, table, terminal)
        taken = await self._people.ask(CAGE, Actor(terminal, "terminal"), take)
        if isinstance(taken, Refusal):
            return taken
        return await self._arrived(table, taken)

    async def _arrived(self, table: str, taken: Registered) -> Refusal | None:
        """Wait until the money is on the terminal: the carrier's own order is answered once."""
        event = taken.events[0]
        assert isinstance(event, VoucherTaken), "a voucher taken goes into transit"
        receive = c.ReceiveCredits(event.transit, event.terminal, event.value)
        order = Order(f"receive-{event.transit}", CARRIER, receive)
        answer = await self._people.send(table_stream(table), order)
        return answer if isinstance(answer, Refusal) else None

"""The application: a venue with its people, sockets and dealers, opened and closed in order."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Self

from taisai.projections.figures.days import GamingDays
from taisai.runtime.journal.location import JOURNAL_FILE
from taisai.runtime.operations.process import CREDENTIALS_FILE, held
from taisai.runtime.ownership.stand import Nodes
from taisai.runtime.recovery import StartupError
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import table_stream
from taisai.server.accounts.accounts import Accounts
from taisai.server.dealing.dealers import Dealers
from taisai.server.demo.venue import Demo, demo_plan
from taisai.server.floor import add_missing, found, plans_of, unplanned
from taisai.server.floor_plan import FloorPlan, read_floor_plan
from taisai.server.founding import Founding, awaits_founders
from taisai.server.live.fills import FillsUnderWay
from taisai.server.live.hub import Hub
from taisai.server.settings import Settings
from taisai.server.venue_data import keys_of, open_runtime

#: Waits until the first two persons of a house have founded it.
Founders = Callable[[Founding], Awaitable[None]]


class Application:
    """All parts of a live venue; made by `open`, ended by `stop`."""

    def __init__(
        self, settings: Settings, runtime: Runtime, accounts: Accounts, gaming_days: GamingDays
    ) -> None:
        self.settings = settings
        self.runtime = runtime
        self.accounts = accounts
        self.gaming_days = gaming_days
        self.hub = Hub(runtime, accounts, settings, FillsUnderWay(gaming_days))
        self.dealers = Dealers(runtime, self.hub, settings.countdown_min_seconds)
        self.hub.questions.dealers = self.dealers
        self.demo: Demo | None = None
        #: Where tables are on the map of the floor, as far as the plan says so.
        self._planned: dict[str, tuple[int, int]] = {}
        #: The nodes of the venue's cluster; None if the venue is one process.
        self.nodes: Nodes | None = None
        #: Set when the application is to be closed.
        self.closing = asyncio.Event()
        #: Called at the end, after the runtime has stopped.
        self.at_end: Callable[[], Awaitable[None]] = _nothing
        self._held = ExitStack()
        accounts.sessions.ended.append(self.hub.close_session)

    @classmethod
    def of_node(
        cls, settings: Settings, runtime: Runtime, accounts: Accounts, plan: FloorPlan
    ) -> Self:
        """Make the application of a node of several, which shares journal and credentials."""
        return cls(settings, runtime, accounts, gaming_days_of(runtime, settings, plan))

    async def set_up_node(self, plan: FloorPlan, *, office: bool) -> None:
        """Set up what this node shows; only the office sets up tables, and records who deals."""
        self.dealers.by_journal = True
        if office:
            await self._set_up(plan)
            await self.dealers.journal_plan(plan.tables)
            return
        self._planned = {each.name: each.place for each in plan.tables if each.place is not None}
        if self.settings.demo:
            self.demo = Demo(self.runtime, self.accounts, self.gaming_days)
        for stream in self.runtime.tables():
            self.hub.add(stream)
        for table in plans_of(self.runtime, plan):
            self.dealers.add(table.name, table)

    @classmethod
    async def open(cls, settings: Settings, founders: Founders | None = None) -> Self:
        """Open a venue, or begin one; it is refused if another process has its data open.

        If a real house has nobody on its staff, `founders` waits until it has.
        """
        with ExitStack() as held_:
            held_.enter_context(held(settings.data))
            plan = plan_of(settings)
            is_begun = settings.journal is None and (settings.data / JOURNAL_FILE).exists()
            keys = held_.enter_context(keys_of(settings, is_begun=is_begun))
            runtime = await open_runtime(settings, keys)
            try:
                accounts = Accounts.open(settings.data / CREDENTIALS_FILE, runtime, settings)
                held_.callback(accounts.close)
                await _begin(runtime, accounts, settings, plan, founders)
            except BaseException:
                await runtime.stop()
                raise
            application = cls(settings, runtime, accounts, gaming_days_of(runtime, settings, plan))
            application._held = held_.pop_all()
        try:
            await application._set_up(plan)
        except BaseException:
            await application.stop()
            raise
        return application

    async def _set_up(self, plan: FloorPlan) -> None:
        """Add the tables of the plan, open those of a demo, and put a dealer at each."""
        await add_missing(self.runtime, plan)
        self._planned = {each.name: each.place for each in plan.tables if each.place is not None}
        for stream in self.runtime.tables():
            self.hub.add(stream)
        if self.settings.demo:
            self.demo = Demo(self.runtime, self.accounts, self.gaming_days)
            await self.demo.set_up(plan)
        for table in plans_of(self.runtime, plan):
            self.dealers.add(table.name, table)

    def add_table(self, table: str) -> None:
        """Show a table that is in no plan, and put a dealer there."""
        self.hub.add(table_stream(table))
        self.dealers.add(table, unplanned(self.runtime, table))

    def place_of(self, table: str) -> tuple[int, int] | None:
        """Find a table's place on the map: where a person put it, or else as in the plan."""
        put = self.runtime.state.on_map
        own = put.get(table_stream(table))
        planned = self._planned.get(table)
        return planned if own is None and planned not in put.values() else own

    async def stop(self) -> None:
        """Finish, and close."""
        await self.finish()
        self.close()

    async def finish(self) -> None:
        """Stop the dealers, finish the rounds, and then close the connections."""
        self.closing.set()
        await self.dealers.stop()
        # All log-outs until now are recorded before the runtime takes no more commands.
        await self.accounts.settled()
        await self.runtime.stop()
        await self.at_end()
        await self.hub.stop()

    def close(self) -> None:
        """Close what requests under way may still read, and release the data directory."""
        self._held.close()


async def _nothing() -> None:
    pass


async def _begin(
    runtime: Runtime,
    accounts: Accounts,
    settings: Settings,
    plan: FloorPlan,
    founders: Founders | None,
) -> None:
    """Found a venue if it is not founded yet: by its plan, or by its first two persons."""
    waits = founders is not None and not settings.demo and awaits_founders(runtime, accounts)
    if not waits or settings.tables is not None:
        # If there is a plan, it has the data of the house, and the founders are not asked.
        await found(runtime, plan.venue, demo=settings.demo)
    if waits and founders is not None:
        await founders(Founding(runtime, accounts))
    check_mode(runtime, settings)


def gaming_days_of(runtime: Runtime, settings: Settings, plan: FloorPlan) -> GamingDays:
    """Say when gaming days start: by the plan as it is now, or as the house was founded."""
    if settings.tables is not None or settings.demo:
        return plan.venue.gaming_days
    return GamingDays(runtime.state.day_starts, runtime.state.time_zone)


def plan_of(settings: Settings) -> FloorPlan:
    """Read the plan of the floor; without one, give that of a demo, or an empty one."""
    if settings.tables is not None:
        return read_floor_plan(settings.tables, settings.countdown_min_seconds)
    return demo_plan() if settings.demo else FloorPlan()


def check_mode(runtime: Runtime, settings: Settings) -> None:
    """Refuse a real venue in which nobody could log in; it is founded, but has no staff.

    The journal was checked before it was opened.
    """
    assert runtime.state.demo == settings.demo, "the first event says which kind of venue it is"
    if not settings.demo and not runtime.state.staff:
        raise StartupError(
            f"the venue in {settings.data} has nobody on its staff yet, so nobody could log in;"
            f" engage the first by two persons: taisai staff add {settings.data} --person NAME"
            " --role shift-manager --by NAME --second NAME"
        )

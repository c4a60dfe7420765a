"""The application: a venue with its people, sockets and dealers, opened and closed in order."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Self

from taisai.projections.figures.days import GamingDays
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
    """Everything of a live venue; made by `open`, ended by `stop`."""

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
        #: The nodes that the venue runs as, of which this is one; none: it is one process.
        self.nodes: Nodes | None = None
        #: Set when the application are to be closed.
        self.closing = asyncio.Event()
        #: What is ended with the runtime.
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
        """Have what is shown here; the office alone sets tables up, and says who deals there."""
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
        """Open a venue and everything around it, or begin one; a second on its data is refused.

        Where nobody is on the staff of a real house, `founders` waits until somebody is.
        """
        with ExitStack() as held_:
            held_.enter_context(held(settings.data))
            plan = plan_of(settings)
            keys = held_.enter_context(keys_of(settings))
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
        """Have the tables of the plan, open those of a demo, and put a dealer at each."""
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
        """Show a table that is in no plan, and have somebody deal there."""
        self.hub.add(table_stream(table))
        self.dealers.add(table, unplanned(self.runtime, table))

    def place_of(self, table: str) -> tuple[int, int] | None:
        """Find where a table is on the map: where a person put it, else as the plan has it."""
        put = self.runtime.state.on_map
        own = put.get(table_stream(table))
        planned = self._planned.get(table)
        return planned if own is None and planned not in put.values() else own

    async def stop(self) -> None:
        """Stop politely, and close."""
        await self.finish()
        self.close()

    async def finish(self) -> None:
        """Stop politely: dealers first, then the rounds are finished, then everybody is let go."""
        self.closing.set()
        await self.dealers.stop()
        # Who logged out until now is on record before nothing more is taken.
        await self.accounts.settled()
        await self.runtime.stop()
        await self.at_end()
        await self.hub.stop()

    def close(self) -> None:
        """Close what requests under way may still look into, and leave the data to others."""
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
    """Found a venue that is not there yet: by its plan, or by the two persons who come first."""
    waits = founders is not None and not settings.demo and awaits_founders(runtime, accounts)
    if not waits or settings.tables is not None:
        # What a plan says of the house nobody is asked for.
        await found(runtime, plan.venue, demo=settings.demo)
    if waits and founders is not None:
        await founders(Founding(runtime, accounts))
    check_mode(runtime, settings)


def gaming_days_of(runtime: Runtime, settings: Settings, plan: FloorPlan) -> GamingDays:
    """Say when gaming days start: as the plan has it now, or as the house was founded."""
    if settings.tables is not None or settings.demo:
        return plan.venue.gaming_days
    return GamingDays(runtime.state.day_starts, runtime.state.time_zone)


def plan_of(settings: Settings) -> FloorPlan:
    """Read the plan of the floor, or have that of a demo, or none."""
    if settings.tables is not None:
        return read_floor_plan(settings.tables, settings.countdown_min_seconds)
    return demo_plan() if settings.demo else FloorPlan()


def check_mode(runtime: Runtime, settings: Settings) -> None:
    """Refuse a real venue in which nobody could log in; it is founded by now, and waits for them.

    The journal was checked before it was opened.
    """
    assert runtime.state.demo == settings.demo, "the first event says which kind of venue it is"
    if not settings.demo and not runtime.state.staff:
        raise StartupError(
            f"the venue in {settings.data} has nobody on its staff yet, so nobody could log in;"
            f" engage the first by two persons: taisai staff add {settings.data} --person NAME"
            " --role shift-manager --by NAME --second NAME"
        )

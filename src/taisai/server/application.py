"""The application: a venue with its people, sockets and dealers, opened and closed in order."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Self

from taisai.core.venue.setup import VenueOpened
from taisai.projections.figures.days import GamingDays
from taisai.runtime.journal.anchor import default_anchor
from taisai.runtime.journal.backends import open_journal
from taisai.runtime.journal.contract import Journal
from taisai.runtime.journal.location import JOURNAL_FILE
from taisai.runtime.keys.directory import create_keys, opened_keys
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.operations.process import CREDENTIALS_FILE, KEYS_DIRECTORY, held
from taisai.runtime.ownership.stand import Nodes
from taisai.runtime.recovery import StartupError
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import VENUE, kind_of
from taisai.server.accounts.accounts import Accounts
from taisai.server.dealing.dealers import Dealers
from taisai.server.demo.venue import Demo, demo_plan
from taisai.server.floor_plan import FloorPlan, add_missing, found, plans_of, read_floor_plan
from taisai.server.founding import Founding, awaits_founders
from taisai.server.live.fills import FillsUnderWay
from taisai.server.live.hub import Hub
from taisai.server.settings import Settings, is_loopback

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
        self.places: dict[str, tuple[int, int]] = {}
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
        self.places = {each.name: each.place for each in plan.tables if each.place is not None}
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
            keys = held_.enter_context(_keys(settings))
            runtime = await _open_runtime(settings, keys)
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
        self.places = {each.name: each.place for each in plan.tables if each.place is not None}
        for stream in self.runtime.tables():
            self.hub.add(stream)
        if self.settings.demo:
            self.demo = Demo(self.runtime, self.accounts, self.gaming_days)
            await self.demo.set_up(plan)
        for table in plans_of(self.runtime, plan):
            self.dealers.add(table.name, table)

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


async def _open_runtime(settings: Settings, keys: VenueKeys) -> Runtime:
    where = settings.journal or settings.data / JOURNAL_FILE
    journal: Journal = await open_journal(where, data=settings.data)
    try:
        await check_journal(journal, settings)
        directory = settings.anchor or default_anchor(settings.data / KEYS_DIRECTORY)
        return await Runtime.open(journal, keys, copy_to=settings.copy_to, anchor=directory)
    except BaseException:
        await journal.close()
        raise


def _keys(settings: Settings) -> AbstractContextManager[VenueKeys]:
    directory = settings.data / KEYS_DIRECTORY
    if settings.demo:
        make_demo_keys(directory)
        return opened_keys(directory)
    return opened_keys(directory, settings.passphrase)


def plan_of(settings: Settings) -> FloorPlan:
    if settings.tables is not None:
        return read_floor_plan(settings.tables, settings.countdown_min_seconds)
    return demo_plan() if settings.demo else FloorPlan()


async def check_journal(journal: Journal, settings: Settings) -> None:
    """Refuse a demo on the network, a demo journal without a demo, and a real one with it.

    The first event of the venue's own stream says which it is; nothing is written before that.
    """
    if settings.demo and not is_loopback(settings.host):
        raise StartupError(
            "a demo venue lets anybody in, so it is on a loopback address alone, like 127.0.0.1;"
            f" {settings.host} is none"
        )
    for record in await journal.records(VENUE, range(1, 2)):
        opened = kind_of(VENUE).read(record)
        demo = isinstance(opened, VenueOpened) and opened.demo
        if demo and not settings.demo:
            raise StartupError(
                f"the journal of {settings.data} is of a demo venue, and opens with --demo alone;"
                " name another directory for a real venue"
            )
        if settings.demo and not demo:
            raise StartupError(
                f"the journal of {settings.data} is of a real venue, and never opens with --demo;"
                " name another directory for a demo"
            )


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


def make_demo_keys(directory: Path) -> None:
    """Make the keys of a demo venue where there are none."""
    if not directory.exists():
        directory.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        create_keys(directory)

"""The demo venue: its tables opened by its staff, terminals with credits in one click.

All is done as in a real venue, by the same commands and with two persons where it takes two; only
that no person is needed. A demo is on a loopback address only, the first event of its journal says
that it is a demo, and no other mode opens it.
"""

from functools import cache
from importlib import resources

from taisai.core.kernel.approvals import Approve
from taisai.core.kernel.messages import Role
from taisai.core.table.corrections import Rule
from taisai.core.table.interruption import ResumePlay
from taisai.core.table.setup import (
    AdoptRulebook,
    CloseTable,
    OpenTable,
    Rectify,
    RegisterDice,
    SetLimits,
)
from taisai.core.table.state import Phase, TableState
from taisai.core.venue.staff import EngageStaff
from taisai.projections.figures.days import GamingDays
from taisai.rulebooks import rulebook
from taisai.runtime.answers import HOST
from taisai.runtime.opening import acts_wanted
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, VENUE, table_stream
from taisai.server.accounts.accounts import Accounts
from taisai.server.demo.chip_table import DemoChipTable
from taisai.server.demo.staff import STAFF, DemoStaff, staff
from taisai.server.demo.terminals import DemoTerminals
from taisai.server.floor_plan import FloorPlan, TablePlan, floor_plan_from


@cache
def demo_plan() -> FloorPlan:
    """Read the plan of the demo's floor, like that of any venue."""
    file = resources.files(__package__) / "floor.toml"
    return floor_plan_from(file.read_bytes(), "floor.toml")


class Demo:
    """The demo's staff at work: they open the tables, and make terminals for visitors."""

    def __init__(
        self, runtime: Runtime, accounts: Accounts, gaming_days: GamingDays | None = None
    ) -> None:
        assert runtime.state.demo, "only a demo venue lets anybody in"
        self._runtime = runtime
        self._gaming_days = gaming_days or GamingDays()
        self._people = DemoStaff(runtime)
        self.terminals = DemoTerminals(runtime, accounts, self._people)

    async def set_up(self, plan: FloorPlan) -> None:
        """Engage the staff, and open each table of the plan that is not open."""
        for role, person in STAFF.items():
            if person not in self._runtime.state.staff:
                engage = EngageStaff(person, (role,), "the demo venue", "its visitors")
                await self._people.must(VENUE, HOST, engage)
        if self._runtime.writer(CAGE).suspended is None:
            await self._people.open_shift()
        for table in plan.tables:
            if self._runtime.writer(table_stream(table.name)).suspended is None:
                await self._open(table)

    async def _open(self, plan: TablePlan) -> None:
        """Open a table for betting, in whatever state it was left."""
        stream, state = table_stream(plan.name), self._runtime.table(plan.name)
        supervisor = staff("supervisor")
        await self._go_on(stream, state)
        if state.stopped is not None:
            await self._people.must(stream, supervisor, Rectify("the demo was started again"))
        chip_table = None
        if state.chips is not None:
            chip_table = DemoChipTable(plan.name, self._runtime, self._people, self._gaming_days)
        if state.waiting:
            # Only the people at a chip table can say how its round ended.
            return
        if state.phase is Phase.READY and state.notice_given:
            await self._people.must(stream, supervisor, CloseTable())
        if state.phase is Phase.CLOSED:
            await self._open_closed(plan, chip_table)
        elif chip_table is None or not chip_table.is_empty:
            return
        if chip_table is not None and state.phase is not Phase.CLOSED:
            await chip_table.seat_guests()

    async def _go_on(self, stream: str, state: TableState) -> None:
        """Void a round that waits for people; at a chip table, declare that none was dealt."""
        supervisor, pit = staff("supervisor"), staff("pit-manager")
        for report in [*state.lasting.values()][:1]:
            # A visitor's report on the dice is accepted, and the round is void.
            second = pit if report.order.actor.person == supervisor.person else supervisor
            await self._people.must(stream, second, Approve(report.hash, report.version))
        if state.waiting and state.chips is None:
            void = Rule("the demo was started again", voids_round=True)
            await self._people.both(stream, staff("shift-manager"), void, pit)
        elif state.waiting and state.phase is Phase.READY:
            await self._people.both(stream, supervisor, ResumePlay(), pit)

    async def _open_closed(self, plan: TablePlan, chip_table: DemoChipTable | None) -> None:
        """Give a closed table what it lacks, and open it, unless no gaming day can be opened."""
        stream, state = table_stream(plan.name), self._runtime.table(plan.name)
        supervisor, pit = staff("supervisor"), staff("pit-manager")
        key, _, number = plan.pay_table.partition("/")
        book = rulebook(key)
        if state.pay_table is None:
            adopt = AdoptRulebook(book.canonical.decode(), int(number))
            await self._people.both(stream, pit, adopt, supervisor)
        if state.limits is None:
            await self._people.both(stream, pit, SetLimits(plan.limits), supervisor)
        if state.dice_set is None:
            await self._people.must(stream, supervisor, RegisterDice("demo dice", "demo seal"))
        for act in acts_wanted(state):
            await self._people.must(stream, supervisor, act)
        if chip_table is not None and not await chip_table.open_day():
            return
        await self._people.must(stream, supervisor, OpenTable())

    def person(self, role: Role) -> str:
        """Give the name of the person who has a role in the demo."""
        return STAFF[role]

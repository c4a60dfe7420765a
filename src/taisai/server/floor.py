"""A plan of the floor, carried out: the venue founded by it, and missing tables added.

The journal has the rules that a table plays by; if they differ from the plan, the pit is told.
"""

from collections.abc import Iterator

from taisai.core.kernel.messages import Order
from taisai.core.rules.reason import Refusal
from taisai.core.table.approval import SetDepartures
from taisai.core.table.state import Phase
from taisai.protocol.views import Dealer
from taisai.runtime.answers import HOST
from taisai.runtime.installation import add_table, open_venue
from taisai.runtime.recovery import StartupError
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import table_stream
from taisai.server.floor_plan import FloorPlan, FloorPlanError, TablePlan, VenuePlan
from taisai.wording import say, told


async def found(runtime: Runtime, plan: VenuePlan, *, demo: bool = False) -> None:
    """Found a venue if it is not founded yet; otherwise it keeps its name and its currency."""
    if runtime.state.currency and runtime.cage.currency:
        return
    answer = await open_venue(
        runtime,
        plan.name,
        runtime.state.currency or plan.currency,
        plan.voucher_days,
        plan.approve_above,
        demo=demo,
        operator=plan.operator,
        gaming_day=(plan.day_starts, plan.time_zone),
    )
    if isinstance(answer, Refusal):
        raise StartupError(f"the venue could not be founded: {say(answer.reason)}")


async def add_missing(runtime: Runtime, plan: FloorPlan) -> None:
    """Create each table that the venue does not have yet, and announce differences to the plan.

    In a demo nothing is announced: its staff are about to correct it.
    """
    for table in plan.tables:
        stream = table_stream(table.name)
        known = stream in runtime.state.streams
        if known and runtime.writer(stream).suspended is not None:
            continue
        if not known or runtime.table(table.name).phase is Phase.NEW:
            answer = await add_table(
                runtime,
                table.name,
                table.equipment,
                table.handpay_threshold,
                table.chips,
                None if runtime.state.demo else runtime.state.operator,
            )
            if isinstance(answer, Refusal):
                raise FloorPlanError(
                    f"table {table.name} could not be created: {say(answer.reason)}"
                )
        await _write_departures(runtime, table)
        if not runtime.state.demo:
            for difference in _differences(runtime, table):
                runtime.announce(stream, "plan", difference)


async def _write_departures(runtime: Runtime, plan: TablePlan) -> None:
    """Record the written departures of the plan in the journal, if they have changed [D30]."""
    state = runtime.table(plan.name)
    if state.planned_departures == plan.written:
        return
    order = Order(f"depart-{state.version}", HOST, SetDepartures(plan.written))
    answer = await runtime.submit(table_stream(plan.name), order)
    if isinstance(answer, Refusal):
        fault = say(answer.reason)
        raise FloorPlanError(f"table {plan.name}: its departures could not be recorded: {fault}")


def _differences(runtime: Runtime, plan: TablePlan) -> Iterator[str]:
    """Word each difference between a table and its plan; only people can change that."""
    state = runtime.table(plan.name)
    if state.equipment != plan.equipment:
        yield told("PLAN_TUMBLER", source=state.equipment.tumbler, planned=plan.tumbler)
    chips = None if state.chips is None else state.chips.chip_set
    if state.form != plan.form:
        yield told("PLAN_FORM", form=state.form, planned=plan.form)
    elif chips != plan.chips:
        yield told("PLAN_CHIPS")
    address = None if state.pay_table is None else state.pay_table.address
    if address != plan.pay_table:
        code = "PLAN_NO_RULEBOOK" if address is None else "PLAN_RULEBOOK"
        yield told(code, rulebook=address or "", planned=plan.pay_table)
    elif state.limits is None:
        yield told("PLAN_LIMITS")


def plans_of(runtime: Runtime, plan: FloorPlan) -> Iterator[TablePlan]:
    """Give the plan of every table of a venue; one in no plan has the dealer it had last."""
    planned = {each.name: each for each in plan.tables}
    for name in runtime.table_names():
        yield planned.get(name) or unplanned(runtime, name)


def unplanned(runtime: Runtime, name: str) -> TablePlan:
    """Make the plan of a table that is in none: a person deals, unless one handed it over."""
    dealer: Dealer = "automatic" if table_stream(name) in runtime.state.automatic else "person"
    return TablePlan(name=name, pay_table="", minimum=0, maximum=0, dealer=dealer)

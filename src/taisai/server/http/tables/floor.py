"""The floor of a house over HTTP: how it is set up, its tables and machines, and new tables.

A new table's rules are not set here: two persons adopt its rulebook and set its limits, as at any
table.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

from litestar import Response, get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from taisai.core.kernel.messages import Equipment, Instant, LimitsAsked
from taisai.core.kernel.name_profile import NAME_MAX
from taisai.core.kernel.registry import COMMANDS
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.approval import unlike
from taisai.core.table.chips.pieces import COLOURS_MAX, DENOMINATIONS_MAX, ChipSet
from taisai.core.table.setup import CreateTable, create_table
from taisai.core.table.state import Aspect, Departure, TableState
from taisai.projections.signs import limits_shown
from taisai.rulebooks import KEYS
from taisai.rulebooks import rulebook as rulebook_of
from taisai.runtime.answers import HOST
from taisai.runtime.installation import create
from taisai.runtime.streams import CAGE, VENUE, table_stream
from taisai.server.application import Application
from taisai.server.floor_plan import TABLES_MAX
from taisai.server.http.frame.access import TheCaller, route
from taisai.server.http.frame.dependencies import (
    PROBLEMS,
    WHOLE_MAX,
    Carried,
    CommandId,
    TheApplication,
    answered,
    durably,
    open_tables,
)
from taisai.server.http.frame.problems import RefusedError
from taisai.server.http.tables.machines import Machine, machine_of
from taisai.server.roles import SEE_VENUE

CREATING = tuple(sorted(COMMANDS[CreateTable].by - {"system"}))
#: Dice that a program draws are a demo's; a house may have them by a written departure [D30].
Tumbler = Literal["keyed", "reader", "simulated", "verifiable"]


class ChipsAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The chips of a chip table: values from the smallest up, seats, and colours of players."""

    values: Annotated[tuple[int, ...], Meta(max_length=DENOMINATIONS_MAX)]
    seats: int
    colours: Annotated[
        tuple[Annotated[str, Meta(max_length=NAME_MAX)], ...], Meta(max_length=COLOURS_MAX)
    ] = ()
    pieces: int = 0


class TableAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A new table: what it is called, where its dice come from, and its chips if it has any."""

    id: CommandId
    table: Annotated[str, Meta(max_length=NAME_MAX, examples=["TS-1"])]
    tumbler: Tumbler = "keyed"
    read_by_dealer_too: bool = False
    #: A win above this locks the terminal until an attendant comes.
    handpay_threshold: Annotated[int, Meta(ge=0, le=WHOLE_MAX)] | None = None
    #: Without it the table has terminals.
    chips: ChipsAsked | None = None


class Outside(Struct, frozen=True):
    """In which way a table is not what a rulebook is approved for [D30]."""

    rulebook: str
    aspect: Aspect
    #: What the rulebook is approved for, and what is here.
    approved: str
    here: str


class FloorTable(Struct, frozen=True):
    """A table as it is set up: what it plays by, its dice and devices, its machines."""

    table: str
    form: Literal["terminals", "chips"]
    phase: str
    equipment: Equipment
    title: str | None
    pay_table: str | None
    dice_set: str | None
    handpay_threshold: int | None
    #: The limits in force; none before two persons have set some.
    limits: LimitsAsked | None
    #: Column and row on the map of the floor, where it has a place there.
    place: tuple[int, int] | None
    #: Equipment that is registered there, by what it is: its number or name.
    registered: dict[str, str]
    #: Written departures: those of the plan, and those that two persons adopted.
    planned_departures: tuple[Departure, ...]
    adopted_departures: tuple[Departure, ...]
    #: Which rulebooks it could be played by with a written departure alone, and from what.
    outside: list[Outside]
    terminals: list[Machine]


class HouseFloor(Struct, frozen=True):
    """A house as it is set up: what it was founded with, its tables and their machines."""

    name: str
    operator: str
    currency: str
    demo: bool
    voucher_days: int
    approve_above: int | None
    day_starts: int
    time_zone: str
    tables: list[FloorTable]


@get("/api/floor", **route("tables", "The floor", SEE_VENUE, (503,)))
async def the_floor(application: TheApplication) -> HouseFloor:
    """Show how the house is set up: its settings, its tables, their dice and their terminals."""
    runtime = application.runtime
    tables = open_tables(runtime)
    async with durably(runtime, VENUE, CAGE, *map(table_stream, tables)):
        venue, cage, days = runtime.state, runtime.cage, application.gaming_days
        return HouseFloor(
            venue.name,
            venue.operator,
            venue.currency,
            venue.demo,
            cage.voucher_days,
            cage.approve_above,
            days.day_starts,
            days.time_zone,
            [_table(application, state) for state in tables.values()],
        )


def _table(application: Application, state: TableState) -> FloorTable:
    content = None if state.rulebook is None else state.rulebook.content
    return FloorTable(
        table=state.table,
        form=state.form,
        phase=state.phase.value,
        equipment=state.equipment,
        title=None if content is None else content.title,
        pay_table=None if state.pay_table is None else state.pay_table.address,
        dice_set=state.dice_set,
        handpay_threshold=state.handpay_threshold,
        limits=None if state.limits is None else limits_shown(state.limits),
        place=application.place_of(state.table),
        registered=state.registered,
        planned_departures=state.planned_departures,
        adopted_departures=state.adopted_departures,
        outside=[*_outside(state, application.runtime.clock.now())],
        terminals=[machine_of(application, state, name) for name in state.terminals],
    )


def _outside(state: TableState, now: Instant) -> Iterator[Outside]:
    """Find in which ways a table is not what each rulebook is approved for."""
    for rulebook in map(rulebook_of, KEYS):
        for each in unlike(state, rulebook, now):
            yield Outside(rulebook.key, each.aspect, each.approved, each.here)


@post("/api/tables", **route("tables", "Create a table", CREATING, PROBLEMS, status=200))
async def new_table(
    application: TheApplication, caller: TheCaller, data: JSONBody[TableAsked]
) -> Response[Carried]:
    """Create a table; two persons then adopt its rulebook and set its limits, and it is opened."""
    runtime = application.runtime
    venue = runtime.state
    chips = _chips(data.chips)
    command = CreateTable(
        data.table,
        venue.currency,
        Equipment(data.tumbler, data.read_by_dealer_too),
        data.handpay_threshold,
        chips,
        None if venue.demo else venue.operator,
    )
    # Every fault of the table is found before the venue adds it.
    stream = table_stream(data.table)
    refusal = _refusal(application, command)
    if stream not in runtime.state.streams and refusal is not None:
        raise RefusedError(refusal)
    answer = await create(runtime, command, data.id, caller.actor)
    if isinstance(answer, Refusal):
        raise RefusedError(answer)
    application.add_table(data.table)
    return answered(answer)


def _chips(asked: ChipsAsked | None) -> ChipSet | None:
    if asked is None:
        return None
    return ChipSet(asked.values, asked.seats, asked.colours, asked.pieces)


def _refusal(application: Application, command: CreateTable) -> Refusal | None:
    """Find by a dry run whether a table could be created."""
    if len(application.runtime.tables()) >= TABLES_MAX:
        return refuse("NO_MORE_ROOM", most=TABLES_MAX)
    if "/" in command.table:
        return refuse("NAME_CHARACTER", code="/")
    if command.table == VENUE:
        return refuse("CAGES_NAME", table=VENUE)
    now = application.runtime.clock.now()
    decided = create_table(TableState(), command, HOST, now)
    return decided if isinstance(decided, Refusal) else None

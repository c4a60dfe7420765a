"""The floor of a house over HTTP: how it is set up, its tables and machines, and new tables.

What a new table plays by is not here: two persons adopt its rulebook and set its limits, as at any
table.
"""

from typing import Annotated, Literal

from litestar import Response, get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from taisai.core.kernel.messages import Equipment, Instant
from taisai.core.kernel.names import NAME_MAX
from taisai.core.kernel.registry import COMMANDS
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.chips.pieces import COLOURS_MAX, DENOMINATIONS_MAX, ChipSet
from taisai.core.table.setup import CreateTable, create_table
from taisai.core.table.state import Departure, TableState
from taisai.runtime.answers import HOST
from taisai.runtime.installation import create
from taisai.runtime.streams import CAGE, VENUE, table_stream
from taisai.server.application import Application
from taisai.server.floor_plan import TABLES_MAX, TablePlan
from taisai.server.http.accounts.staff import SEE_STAFF
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


class Machine(Struct, frozen=True):
    """A Player Terminal as a machine: where it stands, whether it is there, and what is wrong."""

    terminal: str
    place: str
    #: Whether it was ever given a key.
    keyed: bool
    connected: bool
    #: Whether staff have taken it out of service.
    failed: bool
    barred: bool
    locked: bool
    #: When its key was last seen in two hands at once [D38].
    doubled: Instant | None


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
    departures: tuple[Departure, ...]
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


@get("/api/floor", **route("tables", "The floor", SEE_STAFF, (503,)))
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
    terminals = () if state.chips is not None else state.positions
    return FloorTable(
        table=state.table,
        form="terminals" if state.chips is None else "chips",
        phase=state.phase.value,
        equipment=state.equipment,
        title=None if content is None else content.title,
        pay_table=None if state.pay_table is None else state.pay_table.address,
        dice_set=state.dice_set,
        handpay_threshold=state.handpay_threshold,
        departures=state.departures,
        terminals=[_machine(application, state, name) for name in terminals],
    )


def _machine(application: Application, state: TableState, name: str) -> Machine:
    terminal, venue = state.positions[name], application.runtime.state
    known = f"{state.table}/{name}"
    return Machine(
        terminal=name,
        place=terminal.place,
        keyed=known in venue.keyed,
        connected=terminal.connected and known in venue.keyed,
        failed=terminal.failed,
        barred=terminal.barred,
        locked=terminal.locked,
        doubled=venue.doubled.get(known),
    )


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
        "terminals" if chips is None else "chips",
        chips,
        None if venue.demo else venue.operator,
    )
    # All that could be wrong with it is found before the venue has it.
    stream = table_stream(data.table)
    refusal = _refusal(application, command)
    if stream not in runtime.state.streams and refusal is not None:
        raise RefusedError(refusal)
    answer = await create(runtime, command, data.id, caller.actor)
    if isinstance(answer, Refusal):
        raise RefusedError(answer)
    application.hub.add(stream)
    plan = TablePlan(name=data.table, pay_table="", minimum=0, maximum=0)
    application.dealers.add(data.table, plan)
    return answered(answer)


def _chips(asked: ChipsAsked | None) -> ChipSet | None:
    if asked is None:
        return None
    return ChipSet(asked.values, asked.seats, asked.colours, asked.pieces)


def _refusal(application: Application, command: CreateTable) -> Refusal | None:
    """Try what would come of a table, at one that is not there yet."""
    if len(application.runtime.tables()) >= TABLES_MAX:
        return refuse("NO_MORE_ROOM", most=TABLES_MAX)
    if "/" in command.table:
        return refuse("NAME_CHARACTER", code="/")
    if command.table == VENUE:
        return refuse("CAGES_NAME", table=VENUE)
    now = application.runtime.clock.now()
    decided = create_table(TableState(), command, HOST, now)
    return decided if isinstance(decided, Refusal) else None

"""Reports: what tables, dealers, kinds of bet and terminals have turned over, and what was kept."""

from typing import Any, Literal

from litestar import get
from msgspec import Struct

from taisai.core.ledger import credits_of
from taisai.core.table_state import Meter, TableState
from taisai.server.http.frame.dependencies import (
    TableName,
    TheApplication,
    durable,
    find_open,
    find_table,
    tables_of,
)

PIT = ("supervisor", "pit-manager", "shift-manager", "auditor")


class MeterView(Struct, frozen=True):
    """Running sums since the table was created, in minor units; `hold` is collected less won."""

    table: str
    meter: Literal["table", "dealer", "kind"]
    name: str | None
    turnover: int
    collected: int
    won: int
    hold: int
    drop: int
    out: int
    voided: int
    corrections: int


class MeterReport(Struct, frozen=True):
    """The meters of the house, table by table."""

    currency: str
    meters: list[MeterView]


class TerminalMeters(Struct, frozen=True):
    """A terminal: its place, what it holds, and what went through it since it was enrolled."""

    terminal: str
    place: str
    connected: bool
    barred: bool
    locked: bool
    credits: int
    staked: int
    bought: int
    cashed: int
    back: int
    corrections: int
    turnover: int
    won: int
    hold: int


class TerminalReport(Struct, frozen=True):
    """The terminals of a table."""

    table: str
    currency: str
    terminals: list[TerminalMeters]


@get(
    "/api/reports/meters",
    tags=["reports"],
    summary="Meters",
    opt={"roles": PIT, "problems": (503,)},
)
async def meter_report(application: TheApplication) -> MeterReport:
    """Tell turnover, collected, won, hold and drop by table, by dealer and by kind of bet."""
    house = application.house
    meters: list[MeterView] = []
    for table in tables_of(house):
        stream = find_table(house, table)
        if house.writer(stream).suspended is None:
            version = house.writer(stream).head.version
            meters += _meters(house.table(table))
            await durable(house, stream, version)
    return MeterReport(house.state.currency, meters)


def _meters(state: TableState) -> list[MeterView]:
    found = []
    for full_name, meter in state.meters.items():
        kind, _, name = full_name.partition(":")
        if kind in ("table", "dealer", "kind"):
            found.append(_meter(state.table, kind, name or None, meter))
    return found


def _meter(table: str, kind: Any, name: str | None, meter: Meter) -> MeterView:
    return MeterView(
        table=table,
        meter=kind,
        name=name,
        turnover=meter.turnover,
        collected=meter.collected,
        won=meter.won,
        hold=meter.hold,
        drop=meter.drop,
        out=meter.out,
        voided=meter.voided,
        corrections=meter.corrections,
    )


@get(
    "/api/reports/terminals/{table:str}",
    tags=["reports"],
    summary="Terminals of a table",
    opt={"roles": (*PIT, "technician"), "problems": (503,)},
)
async def terminal_report(application: TheApplication, table: TableName) -> TerminalReport:
    """Tell what each terminal of a table holds, and what went through it."""
    house, stream = application.house, find_open(application.house, table)
    version, state = house.writer(stream).head.version, house.table(table)
    report = TerminalReport(
        table, state.currency, [_terminal(state, name) for name in state.terminals]
    )
    await durable(house, stream, version)
    return report


def _terminal(state: TableState, name: str) -> TerminalMeters:
    seat = state.terminals[name]
    meter = state.meters.get(f"terminal:{name}", Meter())
    return TerminalMeters(
        terminal=name,
        place=seat.place,
        connected=seat.connected,
        barred=seat.barred,
        locked=seat.locked,
        credits=state.ledger.balance(credits_of(name)),
        staked=seat.staked,
        bought=seat.bought,
        cashed=seat.cashed,
        back=seat.back,
        corrections=seat.corrections,
        turnover=meter.turnover,
        won=meter.won,
        hold=meter.hold,
    )


handlers = [meter_report, terminal_report]

#: An example of each body and answer.
examples: dict[Any, Any] = {
    MeterReport: MeterReport(
        "SGD", [_meter("T1", "table", None, Meter(500_000, 270_000, 214_000, 600_000, 40_000))]
    ),
    TerminalReport: TerminalReport(
        "T1",
        "SGD",
        [
            TerminalMeters(
                terminal="T1-7",
                place="seat 7",
                connected=True,
                barred=False,
                locked=False,
                credits=99_500,
                staked=500,
                bought=100_000,
                cashed=0,
                back=0,
                corrections=0,
                turnover=0,
                won=0,
                hold=0,
            )
        ],
    ),
}

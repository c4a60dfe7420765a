"""Reports of meters: turnover and hold of tables, dealers, kinds of bet and terminals."""

from typing import Literal

from litestar import get
from msgspec import Struct

from taisai.core.kernel.ledger import credits_of
from taisai.core.kernel.messages import Instant
from taisai.core.table.positions import shown_session
from taisai.core.table.state import TableState
from taisai.protocol.views import view_from
from taisai.runtime.streams import table_stream
from taisai.server.http.frame.access import TheCaller, route
from taisai.server.http.frame.dependencies import (
    TableName,
    TheApplication,
    durably,
    open_tables,
    read_table,
)
from taisai.server.roles import SEE_MACHINES, SEE_PIT, counts


class MeterView(Struct, frozen=True):
    """Running sums since the table was created, in minor units; `hold` is collected less won."""

    table: str
    meter: Literal["table", "dealer", "kind"]
    name: str | None
    turnover: int
    collected: int
    won: int
    hold: int
    #: Null at a chip table whose drop box is still to be counted by whoever asks.
    drop: int | None
    out: int
    voided: int
    corrections: int


class MeterReport(Struct, frozen=True):
    """The meters of the venue, table by table, and when they were read."""

    at: Instant
    currency: str
    meters: list[MeterView]


class TerminalMeters(Struct, frozen=True):
    """A terminal: its place, what it holds, and what went through it since it was enrolled."""

    terminal: str
    place: str
    connected: bool
    barred: bool
    #: Whether staff have taken it out of service.
    failed: bool
    locked: bool
    #: Whether limits hold there that a player has set for themself.
    bound: bool
    #: Whether a player's session is there, which staff could end.
    session: bool
    credits: int
    staked: int
    #: Null in a seat, as long as the drop box is still to be counted by whoever asks.
    bought: int | None
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


@get("/api/reports/meters", **route("reports", "Meters", SEE_PIT, (503,)))
async def meter_report(application: TheApplication, caller: TheCaller) -> MeterReport:
    """Show turnover, collected, won, hold and drop by table, by dealer and by kind of bet."""
    runtime = application.runtime
    meters: list[MeterView] = []
    for table, state in open_tables(runtime).items():
        async with durably(runtime, table_stream(table)):
            meters += _meters(state, blind=counts(caller.role) and is_dropping(state))
    return MeterReport(runtime.clock.now(), runtime.state.currency, meters)


def is_dropping(state: TableState) -> bool:
    """Say whether a gaming day is under way, whose drop box is still to be counted."""
    return state.chips is not None and state.chips.day is not None


def _meters(state: TableState, *, blind: bool) -> list[MeterView]:
    named = ((*full_name.partition(":"), meter) for full_name, meter in state.meters.items())
    return [
        view_from(
            MeterView,
            meter,
            table=state.table,
            meter=kind,
            name=name or None,
            drop=None if blind else meter.drop,
        )
        for kind, _, name, meter in named
    ]


@get(
    "/api/reports/terminals/{table:str}",
    **route("reports", "Terminals of a table", SEE_MACHINES, (503,)),
)
async def terminal_report(
    application: TheApplication, caller: TheCaller, table: TableName
) -> TerminalReport:
    """Say what each terminal of a table holds, and what went through it."""
    at = application.runtime.clock.now()
    async with read_table(application.runtime, table) as state:
        blind = counts(caller.role) and is_dropping(state)
        return TerminalReport(
            table,
            state.currency,
            [_terminal(state, name, at, blind=blind) for name in state.positions],
        )


def _terminal(state: TableState, name: str, at: Instant, *, blind: bool) -> TerminalMeters:
    terminal = state.positions[name]
    live = sum(terminal.bets.values())
    return view_from(
        TerminalMeters,
        terminal,
        terminal=name,
        bound=terminal.is_bound,
        session=shown_session(state, name, at) is not None,
        credits=state.ledger.balance(credits_of(name)),
        bought=None if blind else terminal.drop,
        cashed=terminal.out,
        staked=terminal.turnover + live,
        back=terminal.turnover - terminal.hold,
    )

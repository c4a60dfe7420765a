"""Unclaimed money: amounts that a table has set aside for the session of a code, and locked wins.

It is paid by commands over the socket, by two persons; these routes only show it, or set a win
aside that is to be paid by hand. Nobody is shown a code.
"""

from typing import Annotated

from litestar import post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from taisai.core.cage.state import is_session_code
from taisai.core.kernel.name_profile import NAME_MAX
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.positions import newest_session
from taisai.core.table.service import SetWinAside, WinSetAside
from taisai.runtime.streams import CAGE, table_stream
from taisai.runtime.unclaimed import find_unclaimed
from taisai.server.http.frame.access import TheCaller, route
from taisai.server.http.frame.dependencies import (
    PROBLEMS,
    CommandId,
    TheApplication,
    check_open,
    durably,
    find_open,
    open_tables,
    order,
    tables_of,
)
from taisai.server.http.frame.problems import RefusedError
from taisai.server.http.frame.requests import Secret

SessionCode = Annotated[
    str, Meta(max_length=64, description="all sixteen digits", examples=["1234567890123452"])
]


class Claim(Secret, frozen=True, forbid_unknown_fields=True):
    """The code of a session, as its player has it on a voucher or read it on the screen."""

    code: SessionCode


class SetAside(Struct, frozen=True):
    """What is set aside for a session, and would be paid."""

    table: str
    session: str
    amount: int
    #: Whether the chips are handed over that a chip table set aside; else it is paid in cash.
    in_chips: bool


class HandPay(Secret, frozen=True, forbid_unknown_fields=True):
    """A win that locked a terminal, to be paid by hand to who has the code of its session."""

    id: CommandId
    table: Annotated[str, Meta(max_length=NAME_MAX)]
    terminal: Annotated[str, Meta(max_length=NAME_MAX)]
    code: SessionCode


@post(
    "/api/cage/hand-pays",
    **route("cage", "Pay a win by hand", ("cage",), (*PROBLEMS, 404), status=200),
)
async def set_win_aside(
    application: TheApplication, caller: TheCaller, data: JSONBody[HandPay]
) -> SetAside:
    """Set a locked win aside for who has the code of its session; it is then paid by two [D42]."""
    runtime, stream = application.runtime, find_open(application.runtime, data.table)
    check_open(runtime, CAGE)
    if not is_session_code(data.code):
        raise RefusedError(refuse("NO_SESSION_CODE"))
    command = SetWinAside(data.terminal)
    position = runtime.table(data.table).positions.get(data.terminal)
    if position is not None and position.sessions:
        session = newest_session(position, data.terminal)
        if not runtime.cage.is_code_of(data.code, data.table, session, runtime.clock.now()):
            raise RefusedError(refuse("UNKNOWN_UNCLAIMED"))
    registered = await order(runtime, stream, caller.actor, data.id, command)
    (aside,) = (each for each in registered.events if isinstance(each, WinSetAside))
    held = runtime.table(data.table).unclaimed.get(aside.session, 0)
    return SetAside(data.table, aside.session, held, in_chips=False)


@post(
    "/api/cage/unclaimed",
    **route("cage", "What a session is owed", ("cage",), PROBLEMS, status=200),
)
async def unclaimed_of_code(application: TheApplication, data: JSONBody[Claim]) -> SetAside:
    """Say what is set aside for the session of a code; where nothing is, why not.

    A table that is suspended cannot be looked at: what it has set aside is found when it is back.
    """
    runtime = application.runtime
    check_open(runtime, CAGE)
    tables = open_tables(runtime)
    async with durably(runtime, CAGE, *map(table_stream, tables)):
        found = find_unclaimed(data.code, runtime.cage, tables, runtime.clock.now())
    away = [name for name in tables_of(runtime) if name not in tables]
    if isinstance(found, Refusal):
        unseen = found.code == "UNKNOWN_UNCLAIMED" and away
        raise RefusedError(
            refuse("TABLE_SUSPENDED", stream=table_stream(away[0])) if unseen else found
        )
    return SetAside(found.table, found.session, found.amount, found.in_chips)

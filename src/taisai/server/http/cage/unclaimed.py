"""Unclaimed money: what a table has set aside for the session of a code.

It is paid over the socket, by two persons; here it is only looked at. Nobody is shown a code.
"""

from typing import Annotated

from litestar import post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from taisai.core.rules.reason import Refusal, refuse
from taisai.runtime.streams import CAGE, table_stream
from taisai.runtime.unclaimed import find_unclaimed
from taisai.server.http.frame.access import route
from taisai.server.http.frame.dependencies import (
    PROBLEMS,
    TheApplication,
    check_open,
    durably,
    open_tables,
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

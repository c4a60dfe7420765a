"""Sessions that staff end at a terminal.

The code of such a session is shown only to the person who ended it, for the player; the journal has
only the session's name [D21].
"""

from typing import Annotated

from litestar import post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from taisai.core.cage.state import session_code
from taisai.core.kernel.messages import Instant
from taisai.core.kernel.name_profile import NAME_MAX
from taisai.core.kernel.names import NOTE_MAX
from taisai.core.kernel.registry import COMMANDS
from taisai.core.table.service import EndSession, SessionEndedByStaff
from taisai.server.http.frame.access import TheCaller, route
from taisai.server.http.frame.dependencies import (
    PROBLEMS,
    CommandId,
    TableName,
    TheApplication,
    find_open,
    order,
)
from taisai.server.http.frame.requests import Secret

#: The roles that may end a player's session.
ENDING = tuple(sorted(COMMANDS[EndSession].by))


class EndAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A session to be ended, and why."""

    id: CommandId
    terminal: Annotated[str, Meta(max_length=NAME_MAX)]
    note: Annotated[str, Meta(max_length=NOTE_MAX, examples=["The player has gone."])]


class EndedSession(Secret, frozen=True):
    """A session that staff ended, with its code: the cage pays what is set aside against it."""

    id: str
    terminal: str
    #: The code, to be handed to the player; it is written down nowhere else.
    session: str
    amount: int
    at: Instant


@post(
    "/api/tables/{table:str}/sessions/end",
    **route("tables", "End a player's session", ENDING, PROBLEMS, status=200),
)
async def end_session(
    application: TheApplication, caller: TheCaller, table: TableName, data: JSONBody[EndAsked]
) -> EndedSession:
    """End a session; asked again with the same id, it is answered with the same code."""
    runtime = application.runtime
    command = EndSession(data.terminal, data.note)
    registered = await order(runtime, find_open(runtime, table), caller.actor, data.id, command)
    (ended,) = (each for each in registered.events if isinstance(each, SessionEndedByStaff))
    code = session_code(runtime.cage.key, table, ended.session)
    return EndedSession(data.id, ended.terminal, code, ended.amount, registered.at)

"""A machine that becomes a Player Terminal: it shows a code, and gets its key by it.

The machine has no key yet, so over HTTP it is a visitor; a technician, who has read the code off
its screen, has the key sent to this machine only.
"""

from http import HTTPStatus
from typing import Annotated

from litestar import Response, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from taisai.core.rules.reason import refuse
from taisai.protocol.client_messages import TerminalKey
from taisai.runtime.answers import Registered
from taisai.server.http.accounts.terminals import ISSUING, TerminalName, issue
from taisai.server.http.frame.access import EVERYBODY, TheCaller, route
from taisai.server.http.frame.dependencies import (
    PROBLEMS,
    WAITS,
    Carried,
    CommandId,
    TableName,
    TheApplication,
)
from taisai.server.http.frame.problems import RefusedError
from taisai.server.http.frame.requests import Secret

Code = Annotated[
    str, Meta(max_length=16, description="the code that a machine shows", examples=["K7Q-PM2"])
]


class EnrolmentBegun(Secret, frozen=True):
    """A machine waits to become a terminal: it shows the code, and asks by the secret."""

    code: str
    secret: str


class EnrolmentAsked(Secret, frozen=True, forbid_unknown_fields=True):
    """A machine that waits asks whether it has been given its key."""

    code: Code
    secret: Annotated[str, Meta(max_length=64)]


class EnrolmentGiven(Secret, frozen=True):
    """The key of the terminal that the machine has become; none as long as it waits."""

    terminal: TerminalKey | None


class KeyToCode(Struct, frozen=True, forbid_unknown_fields=True):
    """A terminal's key for the machine that shows a code; asked again with the same id."""

    id: CommandId
    code: Code


@post("/api/enrolments", **route("people", "Wait for a key", EVERYBODY, status=201))
async def begin_enrolment(application: TheApplication) -> EnrolmentBegun:
    """Have a machine wait for the key of a terminal, and give it a code to show meanwhile."""
    accounts = application.accounts
    return EnrolmentBegun(*accounts.enrolments.begin(application.runtime.clock.now()))


@post("/api/enrolments/key", **route("people", "Ask for one's key", EVERYBODY, (409,), status=200))
async def ask_enrolment(
    application: TheApplication, data: JSONBody[EnrolmentAsked]
) -> EnrolmentGiven:
    """Give a machine that waits its key, once a technician has; one unknown here begins anew."""
    now = application.runtime.clock.now()
    waits, key = application.accounts.enrolments.ask(data.code, data.secret, now)
    if not waits:
        raise RefusedError(refuse("NO_SUCH_TERMINAL_CODE", code=data.code))
    return EnrolmentGiven(key)


@post(
    "/api/tables/{table:str}/terminals/{terminal:str}/machine",
    responses=WAITS,
    **route("people", "Give a machine its key", ISSUING, PROBLEMS, status=200),
)
async def key_to_machine(
    application: TheApplication,
    caller: TheCaller,
    table: TableName,
    terminal: TerminalName,
    data: JSONBody[KeyToCode],
) -> Response[Carried]:
    """Make a terminal's key and give it to the machine that shows a code; nobody is shown it.

    An earlier key is good for nothing from then on, and takes a second person: this answers 202,
    and the same request, sent again after the approval, gives the key.
    """
    enrolments, now = application.accounts.enrolments, application.runtime.clock.now()
    if not enrolments.waits(data.code, now):
        raise RefusedError(refuse("NO_SUCH_TERMINAL_CODE", code=data.code))
    issued = await issue(application, caller, table, terminal, data.id)
    if isinstance(issued, Response):
        return issued
    key, asked = issued
    if not enrolments.give(data.code, key):
        # The machine left while its key was made: nobody has that key, and the next replaces it.
        raise RefusedError(refuse("NO_SUCH_TERMINAL_CODE", code=data.code))
    return _carried(asked)


def _carried(asked: Registered) -> Response[Carried]:
    return Response(Carried(asked.first, asked.last, asked.at), status_code=HTTPStatus.OK)

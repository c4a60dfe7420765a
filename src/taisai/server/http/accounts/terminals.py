"""Player Terminals over HTTP: enrolled by two persons, and each given a key that is shown once."""

from contextlib import aclosing
from http import HTTPStatus
from typing import Annotated, Any

from litestar import Response, post
from litestar.params import JSONBody, Parameter
from msgspec import Meta, Struct

from taisai.core.kernel.approvals import EXPIRES_AFTER_MS, ApprovalRequested, CommandApproved
from taisai.core.kernel.name_profile import NAME_MAX
from taisai.core.kernel.registry import COMMANDS
from taisai.core.rules.reason import refuse
from taisai.core.table.setup import EnrolTerminal
from taisai.core.venue.terminal_keys import IssueTerminalKey, WithdrawTerminal
from taisai.protocol.client_messages import TerminalKey
from taisai.runtime.answers import Registered
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import VENUE, kind_of
from taisai.server.application import Application
from taisai.server.http.frame.access import Caller, TheCaller, route
from taisai.server.http.frame.dependencies import (
    PROBLEMS,
    WAITS,
    Carried,
    CommandId,
    TableName,
    TheApplication,
    Waiting,
    answered,
    find_open,
    find_table,
    order,
    waits,
)
from taisai.server.http.frame.problems import RefusedError

ENROLLING = tuple(sorted(COMMANDS[EnrolTerminal].by))
ISSUING = tuple(sorted(COMMANDS[IssueTerminalKey].by))
WITHDRAWING = tuple(sorted(COMMANDS[WithdrawTerminal].by))

TerminalName = Annotated[
    str, Parameter(max_length=NAME_MAX, description="a terminal of the table, by its name")
]


class Enrolment(Struct, frozen=True, forbid_unknown_fields=True):
    """A new Player Terminal of a table, and where it stands."""

    id: CommandId
    terminal: Annotated[str, Meta(max_length=NAME_MAX, examples=["T1-7"])]
    place: Annotated[str, Meta(max_length=NAME_MAX, examples=["seat 7"])]


class KeyAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A key is asked for; after a second person's approval it is asked for with the same id."""

    id: CommandId


@post(
    "/api/tables/{table:str}/terminals",
    **route("people", "Enrol a terminal", ENROLLING, PROBLEMS, status=202),
)
async def enrol(
    application: TheApplication, caller: TheCaller, table: TableName, data: JSONBody[Enrolment]
) -> Response[Waiting]:
    """Ask for a terminal to be enrolled at a table; a second person has a minute to approve it."""
    stream = find_table(application.runtime, table)
    command = EnrolTerminal(data.terminal, data.place)
    return answered(await order(application.runtime, stream, caller.actor, data.id, command))


@post(
    "/api/tables/{table:str}/terminals/{terminal:str}/key",
    responses=WAITS,
    **route("people", "Give a terminal a key", ISSUING, PROBLEMS, status=201),
)
async def issue_key(
    application: TheApplication,
    caller: TheCaller,
    table: TableName,
    terminal: TerminalName,
    data: JSONBody[KeyAsked],
) -> Response[TerminalKey]:
    """Make a terminal's key and show it, once; an earlier key is good for nothing from then on.

    The first key takes one person, since two enrolled the terminal. Any other takes a second: this
    answers 202, and the same request, sent again after the approval, answers with the key.
    """
    issued = await issue(application, caller, table, terminal, data.id)
    if isinstance(issued, Response):
        return issued
    return Response(issued[0], status_code=HTTPStatus.CREATED)


@post(
    "/api/tables/{table:str}/terminals/{terminal:str}/withdrawal",
    **route("people", "Withdraw a terminal", WITHDRAWING, PROBLEMS, status=200),
)
async def withdraw(
    application: TheApplication,
    caller: TheCaller,
    table: TableName,
    terminal: TerminalName,
    data: JSONBody[KeyAsked],
) -> Response[Carried]:
    """Withdraw a terminal: its key is good for nothing, and it is cut off at once.

    Its credits and bets are at the table: attendants end its session there. Two persons give it
    another key.
    """
    runtime = application.runtime
    _find_terminal(runtime, table, terminal)
    command = WithdrawTerminal(table, terminal)
    answer = answered(await order(runtime, VENUE, caller.actor, data.id, command))
    application.hub.close_terminal(table, terminal, "WITHDRAWN")
    return answer


async def issue(
    application: Application, caller: Caller, table: str, terminal: str, id_: str
) -> tuple[TerminalKey, Registered] | Response[Any]:
    """Issue a key to a terminal, once; while that waits for a second person, say so."""
    runtime, accounts = application.runtime, application.accounts
    _find_terminal(runtime, table, terminal)
    asked = await order(runtime, VENUE, caller.actor, id_, IssueTerminalKey(table, terminal))
    if _is_awaited(runtime, asked):
        return answered(asked)
    # The newest state may be ahead of the journal: an event that is not there yet is read later.
    newest = runtime.writer(VENUE).head.version
    version, read = await _issued_at(runtime, asked)
    if version is None:
        if read < newest:
            return answered(asked)
        raise RefusedError(
            refuse("APPROVAL_EXPIRED" if _is_over(runtime, asked) else "NOTHING_PENDING")
        )
    if version <= accounts.key_version(table, terminal) <= runtime.writer(VENUE).head.version:
        raise RefusedError(refuse("KEY_SHOWN", terminal=terminal))
    key = accounts.issue_key(table, terminal, version)
    application.hub.close_terminal(table, terminal)
    return TerminalKey(table, terminal, key), asked


def _find_terminal(runtime: Runtime, table: str, terminal: str) -> None:
    """Check that a terminal is enrolled, which a suspended table cannot say."""
    find_open(runtime, table)
    if runtime.table(table).chips is not None:
        raise RefusedError(refuse("ONLY_AT_TERMINALS"))
    if terminal not in runtime.table(table).positions:
        raise RefusedError(refuse("UNKNOWN_TERMINAL", terminal=terminal))


def _is_awaited(runtime: Runtime, asked: Registered) -> bool:
    """Say whether a second person may still approve a request."""
    waiting, pending = waits(asked), runtime.state.pending
    if waiting is None or pending is None or pending.hash != waiting.pending:
        return False
    return not pending.is_over(runtime.clock.now())


def _is_over(runtime: Runtime, asked: Registered) -> bool:
    """Say whether a request was not approved in time, or was declined or made again."""
    waiting, pending = waits(asked), runtime.state.pending
    return waiting is not None and pending is not None and pending.hash == waiting.pending


async def _issued_at(runtime: Runtime, asked: Registered) -> tuple[int | None, int]:
    """Find the version at which a key was issued, if any, and how far the journal was read."""
    request, read = asked.events[-1], asked.last
    if not isinstance(request, ApprovalRequested):
        return asked.last, read
    async with aclosing(runtime.journal.read(VENUE, asked.last)) as pages:
        async for page in pages:
            for record in page:
                read, event = record.version, kind_of(VENUE).read(record)
                if isinstance(event, CommandApproved) and event.pending == request.pending:
                    # The event that records the key follows the approval.
                    return read + 1, read
                if record.at > request.at + EXPIRES_AFTER_MS:
                    return None, runtime.writer(VENUE).head.version
    return None, read

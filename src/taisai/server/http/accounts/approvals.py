"""Approvals over HTTP: commands that wait for a second person, who grants or declines [D14]."""

import hashlib
from collections.abc import Iterator
from http import HTTPStatus
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from taisai.core.kernel.approvals import Approve, Decline, Pending
from taisai.core.kernel.messages import Instant, Role
from taisai.core.kernel.name_profile import NAME_MAX
from taisai.core.kernel.names import NOTE_MAX
from taisai.core.kernel.people import seconds_for
from taisai.core.kernel.registry import COMMANDS
from taisai.projections.requests import requests_of
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, VENUE, table_of
from taisai.server.accounts.credentials import PIN_MAX
from taisai.server.http.frame.access import STAFF, TheCaller, route
from taisai.server.http.frame.dependencies import (
    PROBLEMS,
    Carried,
    CommandId,
    InLanguage,
    TheApplication,
    answered,
    find_stream,
    order,
)
from taisai.server.http.frame.problems import RefusedError
from taisai.server.http.frame.requests import Secret
from taisai.wording import say_all

APPROVING = tuple(sorted(COMMANDS[Approve].by))
#: A text longer than this is shown by its hash: a whole rulebook is such a text.
TEXT_MAX = 400

Where = Annotated[
    str,
    Meta(max_length=NAME_MAX, description=f"`{VENUE}`, `{CAGE}` or a table", examples=[VENUE]),
]
Hash = Annotated[str, Meta(max_length=64, description="the hash of what waits")]


class Awaited(Struct, frozen=True):
    """A command that waits for a second person: who asked for what, and until when.

    What lasts waits until somebody answers it: it has no end, and is declined with a reason [D20].
    """

    to: str
    pending: str
    version: int
    person: str
    role: Role
    #: What was asked for, as the second person reads it.
    sentence: str
    command: dict[str, Any]
    at: Instant
    expires: Instant | None
    #: The roles that the second person may have.
    approved_by: tuple[str, ...]


class GrantAsked(Secret, frozen=True, forbid_unknown_fields=True):
    """The second person's approval of exactly this, with their own PIN."""

    to: Where
    id: CommandId
    pending: Hash
    version: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    pin: Annotated[str, Meta(max_length=PIN_MAX, examples=["271845"])]


class DeclineAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The second person does not agree; what lasts is declined with a reason."""

    to: Where
    id: CommandId
    pending: Hash
    note: Annotated[str, Meta(max_length=NOTE_MAX, examples=["The cover was on."])] = ""


@get("/api/approvals", **route("people", "What waits", STAFF))
async def approvals(application: TheApplication, language: InLanguage = "en") -> list[Awaited]:
    """List everything that waits for a second person, at the tables, in the cage, in the venue."""
    runtime = application.runtime
    return [_awaited(runtime, stream, pending, language) for stream, pending in waiting(runtime)]


@post(
    "/api/approvals",
    **route("people", "Grant what waits", APPROVING, (*PROBLEMS, HTTPStatus.NOT_FOUND), status=200),
)
async def grant(
    application: TheApplication, caller: TheCaller, data: JSONBody[GrantAsked]
) -> Response[Carried]:
    """Approve what somebody else asked for, as the second person, with one's own PIN."""
    stream = find_stream(application.runtime, data.to)
    refusal = await application.accounts.check_pin(caller.logged_in, data.pin)
    if refusal is not None:
        raise RefusedError(refusal)
    command = Approve(data.pending, data.version)
    return answered(await order(application.runtime, stream, caller.actor, data.id, command))


@post(
    "/api/approvals/decline",
    **route(
        "people", "Decline what waits", APPROVING, (*PROBLEMS, HTTPStatus.NOT_FOUND), status=200
    ),
)
async def decline(
    application: TheApplication, caller: TheCaller, data: JSONBody[DeclineAsked]
) -> Response[Carried]:
    """Decline what somebody asked for: it is not carried out."""
    stream = find_stream(application.runtime, data.to)
    command = Decline(data.pending, data.note)
    return answered(await order(application.runtime, stream, caller.actor, data.id, command))


def waiting(runtime: Runtime) -> Iterator[tuple[str, Pending]]:
    """Find the commands that wait in each stream, are durable and have not expired."""
    now = runtime.clock.now()
    for stream in (VENUE, CAGE, *runtime.tables()):
        writer, head = runtime.writer(stream), runtime.committer.heads.get(stream)
        if writer.suspended is not None or head is None:
            continue
        short: Pending | None = writer.state.pending
        for pending in (*writer.state.lasting.values(), *(() if short is None else (short,))):
            if pending.version <= head.version and not pending.is_over(now):
                yield stream, pending


def _awaited(runtime: Runtime, stream: str, pending: Pending, language: str) -> Awaited:
    asked, state = pending.order, runtime.writer(stream).state
    return Awaited(
        to=table_of(stream) or stream,
        pending=pending.hash,
        version=pending.version,
        person=asked.actor.person,
        role=asked.actor.role,
        sentence=say_all(requests_of(asked.command, pending.at), language),
        command={
            name: f"sha256:{hashlib.sha256(value.encode()).hexdigest()}"
            if isinstance(value, str) and len(value) > TEXT_MAX
            else value
            for name, value in msgspec.to_builtins(asked.command).items()
        },
        at=pending.at,
        expires=pending.expires,
        approved_by=tuple(sorted(seconds_for(state.place, state, asked))),
    )

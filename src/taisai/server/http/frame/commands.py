"""Commands over HTTP: sent with the sender's own id, answered when durable or when one waits."""

from http import HTTPStatus
from typing import Annotated, Any

from litestar import Response
from litestar.params import QueryParameter
from msgspec import Meta, Struct

from taisai.core.kernel.approvals import EXPIRES_AFTER_MS, ApprovalRequested
from taisai.core.kernel.messages import Actor, Instant, Order
from taisai.core.rules.reason import Refusal
from taisai.core.streams import CageCommand, TableCommand, VenueCommand
from taisai.runtime.answers import ID_MAX, Registered
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, VENUE
from taisai.server.http.frame.dependencies import find_table
from taisai.server.http.frame.problems import RefusedError

#: Problems that every command can come to.
PROBLEMS = (HTTPStatus.CONFLICT, HTTPStatus.SERVICE_UNAVAILABLE)

_ABOUT_IDS = "the sender's own, beginning with the venue's time: the same id is answered once"
CommandId = Annotated[
    str, Meta(max_length=ID_MAX, description=_ABOUT_IDS, examples=["1794803228232-1"])
]
QueryId = Annotated[str, QueryParameter(name="id", max_length=ID_MAX, description=_ABOUT_IDS)]


class Carried(Struct, frozen=True):
    """A command carried out and durable, as these versions of the journal."""

    first: int
    last: int
    at: Instant


class Waiting(Struct, frozen=True):
    """A command that waits for a second person, who names its hash and this version."""

    pending: str
    version: int
    expires: Instant


async def order(
    runtime: Runtime,
    stream: str,
    actor: Actor,
    id_: str,
    command: TableCommand | CageCommand | VenueCommand,
) -> Registered:
    """Send a command and wait until it is durable; a refusal goes to whoever asked."""
    answer = await runtime.submit(stream, Order(id_, actor, command))
    if isinstance(answer, Refusal):
        raise RefusedError(answer)
    return answer


def waits(answer: Registered) -> Waiting | None:
    """Say what waits for a second person, if a command came to that."""
    asked = answer.events[-1]
    if not isinstance(asked, ApprovalRequested):
        return None
    return Waiting(asked.pending, answer.last, asked.at + EXPIRES_AFTER_MS)


def answered(answer: Registered) -> Response[Any]:
    """Answer a command: 202 while it waits for a second person, 200 once it is carried out."""
    waiting = waits(answer)
    if waiting is not None:
        return Response(waiting, status_code=HTTPStatus.ACCEPTED)
    return Response(Carried(answer.first, answer.last, answer.at), status_code=HTTPStatus.OK)


def find_stream(runtime: Runtime, to: str) -> str:
    """Find the stream of the venue, of the cage, or of a table by its name."""
    return to if to in (VENUE, CAGE) else find_table(runtime, to)

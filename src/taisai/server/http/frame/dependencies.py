"""What routes share: the application, parameters, durable reading, and commands.

A state may be ahead of the disk. None of it is shown before it is durable.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Annotated, Any

from litestar import Response
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import PathParameter, QueryParameter, SkipValidation
from msgspec import Meta, Struct

from taisai.core.kernel.approvals import ApprovalRequested
from taisai.core.kernel.messages import Actor, Instant, Order
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.streams import CageCommand, TableCommand, VenueCommand
from taisai.core.table.state import TableState
from taisai.protocol.client_messages import Language
from taisai.runtime.answers import ID_MAX, Registered
from taisai.runtime.publisher import Follower
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, VENUE, table_stream
from taisai.server.application import Application
from taisai.server.http.frame.problems import RefusedError, busy, not_found

#: The type of a route's parameter `application`, which is made once and shared.
TheApplication = NamedDependency[SkipValidation[Application]]

#: How long an answer waits until the state it shows is on disk.
DURABLE_SECONDS = 5.0
#: The largest whole number that every reader of JSON reads exactly.
WHOLE_MAX = 2**53 - 1


def whole(description: str, least: int = 0, most: int = WHOLE_MAX) -> Any:
    """Declare a whole number in the query of an address."""
    return QueryParameter(ge=least, le=most, description=description)


def text(description: str, **more: Any) -> Any:
    """Declare a text in the query of an address; a name or a date, unless said."""
    return QueryParameter(description=description, **({"max_length": 64} | more))


InLanguage = Annotated[Language, QueryParameter(description="the language of sentences and names")]
TableName = Annotated[str, PathParameter(max_length=64, description="a table, by its name")]
OneTable = Annotated[str, text("one table alone")]


def tables_of(runtime: Runtime) -> list[str]:
    return sorted(runtime.table_names())


def open_tables(runtime: Runtime) -> dict[str, TableState]:
    """Give the tables of a venue that are not suspended, by name."""
    return {
        name: runtime.table(name) for name in tables_of(runtime) if not is_suspended(runtime, name)
    }


def find_table(runtime: Runtime, table: str) -> str:
    """Find the stream of a table, or refuse with the names of the tables."""
    stream = table_stream(table)
    if stream not in runtime.tables():
        raise not_found("UNKNOWN_TABLE", there=", ".join(tables_of(runtime)) or "–")
    return stream


def find_open(runtime: Runtime, table: str) -> str:
    """Find the stream of a table that is not suspended: a suspended one cannot be shown."""
    stream = find_table(runtime, table)
    check_open(runtime, stream)
    return stream


def is_suspended(runtime: Runtime, table: str) -> bool:
    return runtime.writer(table_stream(table)).suspended is not None


def check_open(runtime: Runtime, stream: str) -> None:
    """Refuse to show a stream that has to be read back first."""
    if runtime.writer(stream).suspended is not None:
        raise RefusedError(refuse("TABLE_SUSPENDED", stream=stream))


@asynccontextmanager
async def durably(runtime: Runtime, *streams: str) -> AsyncIterator[None]:
    """Read streams in this block; it ends when all that could be read is on disk."""
    versions = [(stream, runtime.writer(stream).head.version) for stream in streams]
    yield
    for stream, version in versions:
        await wait_until_durable(runtime, stream, version)


@asynccontextmanager
async def read_table(runtime: Runtime, table: str) -> AsyncIterator[TableState]:
    """Give the state of a table that is not suspended; the block ends when it is on disk."""
    stream = find_open(runtime, table)
    async with durably(runtime, stream):
        yield runtime.table(table)


async def wait_until_durable(runtime: Runtime, stream: str, version: int) -> None:
    if durable_version(runtime, stream) >= version:
        return
    awaited = _Awaited(stream, version)
    runtime.publisher.followers.append(awaited)
    try:
        async with asyncio.timeout(DURABLE_SECONDS):
            await awaited.durable.wait()
    except TimeoutError:
        raise busy("NOT_ON_DISK_YET", stream=stream) from None
    finally:
        runtime.publisher.leave(awaited)


class _Awaited(Follower):
    """A version of a stream that an answer waits for."""

    def __init__(self, stream: str, version: int) -> None:
        self.durable = asyncio.Event()
        self._stream = stream
        self._version = version

    def published(self, stream: str, registered: Registered) -> None:
        if stream == self._stream and registered.last >= self._version:
            self.durable.set()


def durable_version(runtime: Runtime, stream: str) -> int:
    head = runtime.committer.heads.get(stream)
    return 0 if head is None else head.version


#: Problems with which every command can be answered.
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
    #: The last moment to answer it; null where it waits until somebody does.
    expires: Instant | None


#: The other answer to a command that can take two persons.
WAITS = {
    202: ResponseSpec(Waiting, description="Waits for a second person.", generate_examples=False)
}


async def order(
    runtime: Runtime,
    stream: str,
    actor: Actor,
    id_: str,
    command: TableCommand | CageCommand | VenueCommand,
) -> Registered:
    """Send a command and wait until it is durable; a refusal is raised for the caller."""
    answer = await runtime.submit(stream, Order(id_, actor, command))
    if isinstance(answer, Refusal):
        raise RefusedError(answer)
    return answer


def waits(answer: Registered) -> Waiting | None:
    """Give the command that waits for a second person, if it does."""
    asked = answer.events[-1]
    if not isinstance(asked, ApprovalRequested):
        return None
    return Waiting(asked.pending, answer.last, asked.expires)


def answered(answer: Registered) -> Response[Any]:
    """Answer a command: 202 while it waits for a second person, 200 once it is carried out."""
    waiting = waits(answer)
    if waiting is not None:
        return Response(waiting, status_code=HTTPStatus.ACCEPTED)
    return Response(Carried(answer.first, answer.last, answer.at), status_code=HTTPStatus.OK)


def find_stream(runtime: Runtime, to: str) -> str:
    """Find the stream of the venue, of the cage, or of a table by its name."""
    return to if to in (VENUE, CAGE) else find_table(runtime, to)

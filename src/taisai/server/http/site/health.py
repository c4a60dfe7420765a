"""Whether the venue is alive and ready, its metrics, and resuming suspended streams."""

from functools import partial
from typing import Any

from litestar import Request, Response, get, post
from litestar.openapi import ResponseSpec
from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.core.rules.reason import printable, refuse
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, VENUE
from taisai.server.http.frame.access import EVERYBODY, TheCaller, route
from taisai.server.http.frame.dependencies import TableName, TheApplication, find_table
from taisai.server.http.frame.problems import RefusedError, busy
from taisai.server.metrics import CONTENT_TYPE
from taisai.server.readiness import Ready, readiness
from taisai.server.roles import RESUME, SEE_METRICS
from taisai.server.settings import is_loopback

#: The headers that a proxy adds to a request.
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


class Alive(Struct, frozen=True):
    """The process answers."""

    alive: bool
    at: Instant


@get("/healthz", **route("venue", "Alive", EVERYBODY))
async def alive(application: TheApplication) -> Alive:
    """Say that the process answers; whether it can do its work is for `/readyz` to say."""
    return Alive(alive=True, at=application.runtime.clock.now())


@get(
    "/readyz",
    responses={
        503: ResponseSpec(
            Ready, description="Not ready: what stands in the way.", generate_examples=False
        )
    },
    **route("venue", "Ready", EVERYBODY),
)
async def ready(application: TheApplication) -> Response[Ready]:
    """Say whether every stream is open and the journal can be read and written: it is tried."""
    answer = await readiness(application)
    return Response(answer, status_code=200 if answer.ready else 503)


@get(
    "/metrics",
    media_type=CONTENT_TYPE,
    **route("venue", "Figures for Prometheus", EVERYBODY, (403,), media=("text/plain",)),
)
async def figures(request: Request[Any, Any, Any], caller: TheCaller) -> Response[bytes]:
    """Show the figures of the venue: to technician and auditor, or on the machine itself."""
    if caller.role not in SEE_METRICS and not on_this_machine(request):
        raise RefusedError(refuse("NOT_ALLOWED", role=caller.role, command="GET /metrics"))
    return Response(request.app.state.metrics.write(), media_type=CONTENT_TYPE)


def on_this_machine(request: Request[Any, Any, Any]) -> bool:
    """Say whether the caller is a program on this machine, and not a proxy."""
    forwarded = any(name in request.headers for name in _FORWARDED)
    host = "" if request.client is None else request.client.host
    return is_loopback(host) and not forwarded


#: When to try again: a person needs some time to remove the cause.
AGAIN_SECONDS = 10


class Resumed(Struct, frozen=True):
    """A stream that takes commands."""

    stream: str
    version: int


_resume_route = partial(route, "tables", roles=RESUME, problems=(503,), status=200)


@post("/api/tables/{table:str}/resume", **_resume_route("Resume a table"))
async def resume_table(application: TheApplication, table: TableName) -> Resumed:
    """Read a suspended table back and go on; one that is not suspended goes on as it is."""
    return await _resume(application.runtime, find_table(application.runtime, table))


@post("/api/cage/resume", **_resume_route("Resume the cage"))
async def resume_cage(application: TheApplication) -> Resumed:
    """Read the suspended cage back and go on."""
    return await _resume(application.runtime, CAGE)


@post("/api/venue/resume", **_resume_route("Resume the venue's own stream"))
async def resume_venue(application: TheApplication) -> Resumed:
    """Read the venue's own suspended stream back and go on."""
    return await _resume(application.runtime, VENUE)


async def _resume(runtime: Runtime, stream: str) -> Resumed:
    why = await runtime.resume(stream)
    if why is not None:
        raise busy("STILL_SUSPENDED", AGAIN_SECONDS, stream=stream, detail=printable(why))
    return Resumed(stream, runtime.writer(stream).head.version)

"""Whether the venue is alive and ready, its figures, and resuming what was suspended."""

import shutil
from functools import partial
from typing import Any

from litestar import Request, Response, get, post
from litestar.openapi import ResponseSpec
from msgspec import Struct
from msgspec.structs import replace

from taisai.core.kernel.messages import Instant
from taisai.core.rules.reason import printable, refuse
from taisai.runtime.ownership.stand import Nodes
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, VENUE
from taisai.server.http.frame.access import EVERYBODY, TheCaller, route
from taisai.server.http.frame.dependencies import TableName, TheApplication, find_table
from taisai.server.http.frame.problems import RefusedError, busy
from taisai.server.metrics import CONTENT_TYPE
from taisai.server.settings import is_loopback

#: With less room than this on the disk of its data a venue is not ready for more.
ROOM_MIN = 64 * 1024 * 1024
FIGURES_FOR = ("technician", "auditor")
#: What a proxy adds to what it passes on.
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


class Alive(Struct, frozen=True):
    """The process answers."""

    alive: bool
    at: Instant


class Ready(Struct, frozen=True):
    """Whether every stream takes commands, and what stands in the way where not."""

    ready: bool
    stopping: bool
    #: Streams that are suspended, by name; why is shown to the pit.
    suspended: list[str]
    journal: bool
    room: bool
    #: Of a node: its name and roles, whether it is heard of, and who has streams and is out of its
    #: reach; a gateway needs all of these, an owner only to be heard of.
    node: str | None = None
    roles: tuple[str, ...] = ()
    heard: bool = True
    unreached: list[str] = []


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
    """Say whether every stream is open and the journal can be read and written: it is tried.

    A node is ready for what it does: where it has none but the role of a gateway, for passing on.
    """
    runtime = application.runtime
    suspended = sorted(runtime.suspended())
    stopping = application.closing.is_set()
    journal = await runtime.watch.look() is None and journal_works(runtime)
    room = shutil.disk_usage(application.settings.data).free >= ROOM_MIN
    answer = Ready(True, stopping, suspended, journal, room)
    if application.nodes is not None:
        answer = _of_node(answer, application.nodes)
    is_ready = journal and room and answer.heard
    is_ready = is_ready and not (suspended or stopping or answer.unreached)
    return Response(replace(answer, ready=is_ready), status_code=200 if is_ready else 503)


def _of_node(answer: Ready, nodes: Nodes) -> Ready:
    """Say how a node is; who decides itself is ready though it reaches nobody else."""
    beating = nodes.beating()
    passes_on = {*nodes.roles} <= {"gateway"}
    return replace(
        answer,
        node=nodes.name,
        roles=nodes.roles,
        heard=beating.is_heard,
        unreached=beating.unreached if passes_on else [],
    )


def journal_works(runtime: Runtime) -> bool:
    """Say whether the journal did its last work: a complaint counts until something is durable."""
    complaint = next(
        (each for each in reversed(runtime.announcements) if each.code == "journal"), None
    )
    return complaint is None or complaint.at <= runtime.committer.at


@get(
    "/metrics",
    media_type=CONTENT_TYPE,
    **route("venue", "Figures for Prometheus", EVERYBODY, (403,), media=("text/plain",)),
)
async def figures(request: Request[Any, Any, Any], caller: TheCaller) -> Response[bytes]:
    """Show the figures of the venue: to technician and auditor, or on the machine itself."""
    if caller.role not in FIGURES_FOR and not on_this_machine(request):
        raise RefusedError(refuse("NOT_ALLOWED", role=caller.role, command="GET /metrics"))
    return Response(request.app.state.metrics.write(), media_type=CONTENT_TYPE)


def on_this_machine(request: Request[Any, Any, Any]) -> bool:
    """Say whether a program on this machine asks; one that asks for others is none."""
    forwarded = any(name in request.headers for name in _FORWARDED)
    host = "" if request.client is None else request.client.host
    return is_loopback(host) and not forwarded


ROLES = ("technician", "pit-manager")
#: Whatever was in the way takes a person some time to put right.
AGAIN_SECONDS = 10


class Resumed(Struct, frozen=True):
    """A stream that takes commands."""

    stream: str
    version: int


_resume_route = partial(route, "tables", roles=ROLES, problems=(503,), status=200)


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

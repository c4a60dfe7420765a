"""Whether the venue is alive and ready, and its figures: for those who look after the machine."""

import shutil
from typing import Any

from litestar import Request, Response, get
from litestar.openapi import ResponseSpec
from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.core.rules.reason import refuse
from taisai.runtime.runtime import Runtime
from taisai.server.http.frame.access import EVERYBODY, TheCaller, route
from taisai.server.http.frame.dependencies import TheApplication
from taisai.server.http.frame.problems import RefusedError
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


@get("/healthz", summary="Alive", **route("venue", EVERYBODY))
async def alive(application: TheApplication) -> Alive:
    """Say that the process answers; whether it can do its work is for `/readyz` to say."""
    return Alive(alive=True, at=application.runtime.clock.now())


@get(
    "/readyz",
    summary="Ready",
    responses={
        503: ResponseSpec(
            Ready, description="Not ready: what stands in the way.", generate_examples=False
        )
    },
    **route("venue", EVERYBODY),
)
async def ready(application: TheApplication) -> Response[Ready]:
    """Say whether every stream is open and the journal can be written to."""
    runtime = application.runtime
    suspended = sorted(runtime.suspended())
    stopping = application.closing.is_set()
    journal, room = journal_works(runtime), has_room(application)
    is_ready = journal and room and not (suspended or stopping)
    answer = Ready(is_ready, stopping, suspended, journal, room)
    return Response(answer, status_code=200 if is_ready else 503)


def journal_works(runtime: Runtime) -> bool:
    """Say whether the journal did its last work: a complaint counts until something is durable."""
    complaint = next(
        (each for each in reversed(runtime.announcements) if each.code == "journal"), None
    )
    return complaint is None or complaint.at <= runtime.committer.at


def has_room(application: TheApplication) -> bool:
    """Say whether there is room on the disk that the data lie on."""
    return shutil.disk_usage(application.settings.data).free >= ROOM_MIN


@get(
    "/metrics",
    summary="Figures for Prometheus",
    media_type=CONTENT_TYPE,
    **route("venue", EVERYBODY, (403,), media=("text/plain",)),
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


handlers = [alive, ready, figures]

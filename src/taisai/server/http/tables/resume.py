"""Taking up again what was suspended: a stream is read back from what the journal really holds."""

from typing import Any

from litestar import post
from msgspec import Struct

from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, HOUSE
from taisai.server.http.frame.dependencies import TableName, TheApplication, find_table
from taisai.server.http.frame.problems import busy

ROLES = ("technician", "pit-manager")
#: Whatever was in the way takes a person some time to put right.
AGAIN_SECONDS = 10


class Resumed(Struct, frozen=True):
    """A stream that takes commands."""

    stream: str
    version: int


_RESUME: dict[str, Any] = {
    "tags": ["tables"],
    "status_code": 200,
    "opt": {"roles": ROLES, "problems": (503,)},
}


@post("/api/tables/{table:str}/resume", summary="Resume a table", **_RESUME)
async def resume_table(application: TheApplication, table: TableName) -> Resumed:
    """Read a suspended table back and go on; one that is not suspended goes on as it is."""
    return await _resume(application.runtime, find_table(application.runtime, table))


@post("/api/cage/resume", summary="Resume the cage", **_RESUME)
async def resume_cage(application: TheApplication) -> Resumed:
    """Read the suspended cage back and go on."""
    return await _resume(application.runtime, CAGE)


@post("/api/venue/resume", summary="Resume the venue's own stream", **_RESUME)
async def resume_venue(application: TheApplication) -> Resumed:
    """Read the venue's own suspended stream back and go on."""
    return await _resume(application.runtime, HOUSE)


async def _resume(runtime: Runtime, stream: str) -> Resumed:
    why = await runtime.resume(stream)
    if why is not None:
        detail = f"{stream} is still suspended: {why}"
        raise busy("TABLE_SUSPENDED", detail, AGAIN_SECONDS)
    return Resumed(stream, runtime.writer(stream).head.version)


handlers = [resume_table, resume_cage, resume_venue]

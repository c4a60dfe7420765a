"""Whether a venue, or a node of one, is ready for what it does, and what stands in the way."""

import asyncio
import shutil
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from taisai.runtime.ownership.stand import Nodes
from taisai.runtime.runtime import Runtime
from taisai.server.settings import Settings

#: With less room than this on the disk of its data a venue is not ready for more.
ROOM_MIN = 64 * 1024 * 1024


class Ready(Struct, frozen=True):
    """Whether every stream takes commands, and what stands in the way where not."""

    ready: bool
    stopping: bool
    #: Streams that are suspended, by name; why is shown to the pit.
    suspended: list[str]
    journal: bool
    room: bool
    #: Of a node: its name and roles, whether it is heard of, so that it may decide, and which
    #: nodes have streams and are out of its reach.
    node: str | None = None
    roles: tuple[str, ...] = ()
    heard: bool = True
    unreached: list[str] = []


class Serving(Protocol):
    """What is asked whether it is ready: a venue, or a node of one."""

    settings: Settings
    closing: asyncio.Event

    @property
    def runtime(self) -> Runtime:
        """The streams."""

    @property
    def nodes(self) -> Nodes | None:
        """The nodes that it is one of, where it is."""


async def readiness(serving: Serving) -> Ready:
    """Look whether every stream is open, and the journal can be read and written: it is tried."""
    runtime = serving.runtime
    suspended = sorted(runtime.suspended())
    stopping = serving.closing.is_set()
    journal = await runtime.watch.look() is None and _journal_works(runtime)
    room = shutil.disk_usage(serving.settings.data).free >= ROOM_MIN
    answer = Ready(True, stopping, suspended, journal, room)
    if serving.nodes is not None:
        beating = serving.nodes.beating()
        answer = replace(
            answer,
            node=serving.nodes.name,
            roles=serving.nodes.roles,
            heard=beating.is_heard,
            unreached=beating.unreached,
        )
    # Whoever decides is ready though others are out of its reach: its own tables are not.
    ready = journal and room and answer.heard and not (suspended or stopping)
    return replace(answer, ready=ready)


def _journal_works(runtime: Runtime) -> bool:
    """Say whether the journal did its last work: a complaint counts until something is durable."""
    complaint = next(
        (each for each in reversed(runtime.announcements) if each.code == "journal"), None
    )
    return complaint is None or complaint.at <= runtime.committer.at

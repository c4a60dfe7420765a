"""Whether a venue, or a node of one, is ready, and if not, why."""

import asyncio
import shutil
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from taisai.runtime.ownership.stand import Nodes
from taisai.runtime.runtime import Runtime
from taisai.server.settings import Settings

#: With less room than this on the disk of its data a venue is not ready.
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
    """A venue, or a node of one, whose readiness is checked."""

    settings: Settings
    closing: asyncio.Event

    @property
    def runtime(self) -> Runtime:
        """The streams."""

    @property
    def nodes(self) -> Nodes | None:
        """The nodes of its cluster, if it is a node."""


async def readiness(serving: Serving) -> Ready:
    """Check that every stream is open, and try whether the journal can be read and written."""
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
    # A node is ready though it cannot reach others: its own tables still work.
    ready = journal and room and answer.heard and not (suspended or stopping)
    return replace(answer, ready=ready)


def _journal_works(runtime: Runtime) -> bool:
    """Say whether the journal works: after a complaint it does not until an event is durable."""
    complaint = next(
        (each for each in reversed(runtime.announcements) if each.code == "journal"), None
    )
    return complaint is None or complaint.at <= runtime.committer.at

"""The founding of a venue of nodes: a demo's office founds it, and a real one is there before."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from taisai.runtime.journal.location import shown_place
from taisai.runtime.node import NodeRuntime
from taisai.runtime.operations.process import KEYS_DIRECTORY
from taisai.runtime.recovery import StartupError
from taisai.runtime.streams import CAGE, VENUE
from taisai.server.floor import found
from taisai.server.floor_plan import FloorPlan
from taisai.server.nodes.cluster import Cluster
from taisai.server.nodes.stopping import waiting_for
from taisai.server.settings import Settings
from taisai.server.venue_data import look_at_journal

#: How often it is checked whether the venue has been founded.
LOOK_SECONDS = 0.05


async def check_begun(cluster: Cluster, settings: Settings) -> bool:
    """Say whether the venue has begun; refuse a journal in which this node has nothing to do."""
    is_begun = await look_at_journal(settings)
    if not is_begun and not settings.demo:
        raise StartupError(_unfounded(cluster, "there is no venue yet"))
    return is_begun


def check_staff(cluster: Cluster, runtime: NodeRuntime) -> None:
    """Refuse a real venue in which nobody could log in."""
    if not cluster.demo and not runtime.state.staff:
        raise StartupError(_unfounded(cluster, "there is nobody on the staff yet"))


def _unfounded(cluster: Cluster, why: str) -> str:
    """Say how a real venue is founded: nodes do not do that."""
    office = next(each for each in cluster.node if "office" in each.roles)
    return (
        f"{why} in {shown_place(cluster.journal)}, and nodes found no real venue. Stop all nodes;"
        f" where the node {office.name} is, found it with 'taisai serve --data {office.data}', with"
        " the address of the database in TAISAI_JOURNAL and the venue's keys in"
        f" {Path(office.data, KEYS_DIRECTORY)}; stop that, and start the nodes"
        " (docs/cluster.md, A real house)"
    )


async def begin(
    node: NodeRuntime, floor: FloorPlan, settings: Settings, *, is_office: bool
) -> None:
    """Found a demo if this node owns the venue's stream; the others wait until it is founded.

    An office waits until it is known whose the stream is: its owner sets up the tables of the plan.
    """
    with waiting_for("a node with the role office that has the venue's stream"):
        if is_office:
            await _until(lambda: _is_known(node, VENUE) and _is_known(node, CAGE))
        else:
            await _until(lambda: bool(node.state.currency))
    if node.owns(VENUE):
        await found(node, floor.venue, demo=settings.demo)
    with waiting_for("the office to found the venue"):
        await _until(lambda: bool(node.cage.currency and node.state.currency))


def _is_known(node: NodeRuntime, stream: str) -> bool:
    """Say whether a stream is another node's, or this one decides for it by now."""
    owner = node.owner_of(stream)
    return node.owns(stream) if owner == node.name else owner is not None


async def _until(is_so: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    while not is_so():  # noqa: ASYNC110 - what a node follows has no event
        await asyncio.sleep(LOOK_SECONDS)

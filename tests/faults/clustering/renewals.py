"""Nodes of a cluster replaced one by one while people play, as for a new version.

The nodes may start with another version of the project, from a tree of its own; each renewed node
continues with this one.
"""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from enum import StrEnum
from itertools import cycle
from typing import Any, ClassVar

from taisai.runtime.streams import table_stream
from tests.faults.clustering.members import Member
from tests.faults.clustering.nodes import GATES, OFFICES, OWNERS, NodesCluster
from tests.faults.clustering.nodes_campaign import NodesCampaign

LOOK_SECONDS = 0.05
#: How long a table takes to move at most: it goes between two rounds.
PASSED_ON_SECONDS = 90.0


class Renewal(StrEnum):
    """The kinds of renewal; the next node of the kind is renewed."""

    OWNER = "an owner drained, stopped, started anew, and given a table"
    GATE = "a gateway stopped, and started anew"
    OFFICE = "the office stopped, and started anew"


#: As docs/cluster.md says: owners first, then gateways, the office last.
IN_ORDER = [
    *(Renewal.OWNER for _ in OWNERS),
    *(Renewal.GATE for _ in GATES),
    *(Renewal.OFFICE for _ in OFFICES),
]


class RenewalCampaign(NodesCampaign):
    """Renews the nodes of a cluster while people play."""

    def __init__(self, cluster: NodesCluster, seed: int) -> None:
        super().__init__(cluster, seed)
        self._owners, self._gates = cycle(OWNERS), cycle(GATES)

    async def _renew_owner(self) -> None:
        """Drain an owner with the command, renew it once it owns nothing, and move a table back."""
        name = next(self._owners)
        (member,) = self._nodes.of((name,))
        command = [sys.executable, "-m", "taisai", "cluster", "drain", name]
        command += ["--cluster", str(self._nodes.file)]
        await asyncio.to_thread(subprocess.run, command, check=True, stdout=subprocess.DEVNULL)
        await self._until(lambda streams: not {name, None} & {*streams.values()})
        await self._renew(member)
        stream = table_stream(self._nodes.tables[OWNERS.index(name)])
        await self._standing().move(stream, name)
        await self._until(lambda streams: streams[stream] == name)

    async def _until(self, is_so: Callable[[dict[str, str | None]], bool]) -> None:
        """Wait until the streams' owners meet a condition."""
        async with asyncio.timeout(PASSED_ON_SECONDS):
            while not is_so(await self._streams()):  # noqa: ASYNC110 - others have no event
                await asyncio.sleep(LOOK_SECONDS)

    async def _streams(self) -> dict[str, str | None]:
        stand = await self._standing().look()
        return {each.stream: each.node for each in stand.streams}

    async def _renew(self, member: Member) -> None:
        """Stop a node in order, and start it again as this version."""
        await asyncio.to_thread(member.stop)
        member.tree = None
        await self._nodes.start(member)

    async def _renew_gate(self) -> None:
        (member,) = self._nodes.of((next(self._gates),))
        await self._renew(member)

    async def _renew_office(self) -> None:
        (member,) = self._nodes.of(OFFICES)
        await self._renew(member)

    _do: ClassVar[dict[StrEnum, Callable[[Any], Awaitable[None]]]] = {
        **NodesCampaign._do,
        Renewal.OWNER: _renew_owner,
        Renewal.GATE: _renew_gate,
        Renewal.OFFICE: _renew_office,
    }

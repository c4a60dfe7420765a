"""Faults of a cluster of nodes: offices, owners and gateways lost, NATS lost, tables moved."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from enum import StrEnum
from functools import partial
from typing import Any, ClassVar

from taisai.runtime.ownership.standing import Standing
from taisai.runtime.streams import table_stream
from tests.faults.clustering.campaign import Campaign, Fault
from tests.faults.clustering.members import Member
from tests.faults.clustering.nodes import GATES, OFFICES, OWNERS, NodesCluster

#: A node that must be taken over is stopped for longer than that takes.
STOPPED_SECONDS = (1.5, 4.0)


class NodeFault(StrEnum):
    """A fault of a cluster of nodes."""

    OWNER_KILLED = "an owner killed, and started again later"
    OWNER_STOPPED = "an owner stopped for a moment, and woken"
    OWNER_TAKEN = "an owner stopped until it is taken over, and woken beside others"
    OWNER_CABLE = "the cable of an owner pulled until it is taken over, and put back"
    OFFICE_KILLED = "the office killed, and started again later"
    OFFICE_STOPPED = "the office stopped, and woken"
    GATE_KILLED = "a gateway killed, and started again later"
    GATE_STOPPED = "a gateway stopped, and woken"
    GATE_CABLE = "the cable of a gateway pulled, and put back"
    NATS_KILLED = "NATS killed, and started again"
    NATS_CUT = "the path to NATS cut, and mended"
    NATS_BROKEN = "every connection to NATS broken off"
    NATS_SLOW = "the path to NATS slow and lossy for a while"
    MOVED = "a table wanted at another owner"
    DRAINED = "an owner drained, and started again"


class NodesCampaign(Campaign):
    """A cluster of nodes, people who play, and faults."""

    def __init__(self, cluster: NodesCluster, seed: int) -> None:
        super().__init__(cluster, seed)
        self._nodes = cluster

    def possible(self) -> list[StrEnum]:
        """Give the faults that are possible here."""
        cables = {NodeFault.OWNER_CABLE, NodeFault.GATE_CABLE}
        without = set() if self._nodes.namespaces else cables
        return [each for each in super().possible() if each not in without]

    def _one_of(self, names: tuple[str, ...]) -> Member:
        return self._random.choice(self._nodes.of(names))

    def _standing(self) -> Standing:
        return Standing(self._nodes.databases.first.url)

    async def _lose(self, names: tuple[str, ...]) -> None:
        """Kill a node; it is started again once everybody plays without it."""
        member = self._one_of(names)
        await asyncio.to_thread(member.kill)
        again = partial(self._nodes.start, member)
        if names == OFFICES:
            # No other node grants people their roles, or has the cage.
            await again()
        else:
            self._afterwards.append(again)

    async def _stop_awhile(self, names: tuple[str, ...]) -> None:
        await self._stopped(self._one_of(names).pid)

    async def _stop_until_taken(self) -> None:
        member = self._one_of(OWNERS)
        member.signal(signal.SIGSTOP)
        await self._pause(*STOPPED_SECONDS)
        member.signal(signal.SIGCONT)

    async def _pull(self, names: tuple[str, ...]) -> None:
        self._one_of(names).host.pull()
        await self._pause(*STOPPED_SECONDS)

    async def _kill_nats(self) -> None:
        await asyncio.to_thread(self._nodes.nats.kill)
        await self._pause(0, 1.0)
        await asyncio.to_thread(self._nodes.nats.start)

    async def _cut_nats(self) -> None:
        self._nodes.to_nats.cut()
        await self._lasts()

    async def _break_nats(self) -> None:
        self._nodes.to_nats.break_off()

    async def _slow_nats(self) -> None:
        path = self._nodes.to_nats
        path.delay_seconds, path.lost_percent = self._random.uniform(0.01, 0.1), 5.0
        await self._lasts()

    async def _move(self) -> None:
        table, owner = self._random.choice(self._nodes.tables), self._random.choice(OWNERS)
        await self._standing().move(table_stream(table), owner)
        await self._lasts()

    async def _drain(self) -> None:
        """Drain an owner, stop it in order and start it again, as in an upgrade."""
        name = self._random.choice(OWNERS)
        await self._standing().drain(name)
        await self._lasts()
        (member,) = self._nodes.of((name,))
        await asyncio.to_thread(member.stop)
        self._afterwards.append(partial(self._nodes.start, member))

    _do: ClassVar[dict[StrEnum, Callable[[Any], Awaitable[None]]]] = {
        NodeFault.OWNER_KILLED: lambda self: self._lose(OWNERS),
        NodeFault.OWNER_STOPPED: lambda self: self._stop_awhile(OWNERS),
        NodeFault.OWNER_TAKEN: _stop_until_taken,
        NodeFault.OWNER_CABLE: lambda self: self._pull(OWNERS),
        NodeFault.OFFICE_KILLED: lambda self: self._lose(OFFICES),
        NodeFault.OFFICE_STOPPED: lambda self: self._stop_awhile(OFFICES),
        NodeFault.GATE_KILLED: lambda self: self._lose(GATES),
        NodeFault.GATE_STOPPED: lambda self: self._stop_awhile(GATES),
        NodeFault.GATE_CABLE: lambda self: self._pull(GATES),
        NodeFault.NATS_KILLED: _kill_nats,
        NodeFault.NATS_CUT: _cut_nats,
        NodeFault.NATS_BROKEN: _break_nats,
        NodeFault.NATS_SLOW: _slow_nats,
        NodeFault.MOVED: _move,
        NodeFault.DRAINED: _drain,
        **{
            each: Campaign._do[each]
            for each in (
                *(Fault.PEOPLE_CUT, Fault.PEOPLE_BROKEN, Fault.PEOPLE_SLOW, Fault.SKEW),
                *(Fault.DATABASE_CUT, Fault.DATABASE_BROKEN, Fault.DATABASE_SLOW),
                *(Fault.DATABASE_CRASHED, Fault.STANDBY_CUT, Fault.FAILOVER, Fault.FAILOVER_CUT),
            )
        },
    }

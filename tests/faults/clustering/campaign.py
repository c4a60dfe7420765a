"""Faults, one after the other, drawn from a seed, while people play; each is followed by checks.

The faults of members happen to any member. A cluster of nodes has faults of its own, which are in
`nodes_campaign`.
"""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Any, ClassVar

from taisai.client import ClientError, TerminalKey
from taisai.client.http import demo_terminal
from tests.faults.clustering.checker import look
from tests.faults.clustering.cluster import Cluster
from tests.faults.clustering.hosts import Host
from tests.faults.clustering.members import Member, clock_library
from tests.faults.clustering.people import Memory, Terminal

TERMINALS = 6
#: How long people play before each fault at most; and how long a fault lasts.
LOAD_SECONDS = 1.0
TROUBLE_SECONDS = (0.2, 2.0)
#: How far clocks are shifted; and for how long: a member reads its own once a second.
SKEW_SECONDS = (-45, 60)
SKEWED_SECONDS = 2.5
#: A person who does not play again after so many looks hangs: some 90 s, and longer on a machine
#: that is too busy for this very loop, as it then is for the nodes.
LOOK_SECONDS = 0.02
LOOKS_MAX = 4_500
#: After so many looks, people who do not play are reported, with what they wait for.
TOLD_LOOKS = 500
SEAT_SECONDS = 90.0

Say = Callable[[str], None]


class Fault(StrEnum):
    """A fault of a cluster."""

    GATEWAY_KILLED = "a gateway killed"
    GATEWAY_STOPPED = "a gateway stopped, and woken"
    MEMBER_KILLED = "a member killed with all its processes, and started again"
    MEMBER_STOPPED = "a member stopped, and woken"
    PEOPLE_CUT = "one way of the people cut, and mended"
    PEOPLE_BROKEN = "every connection of the people broken off"
    PEOPLE_SLOW = "the ways of the people slow and lossy for a while"
    CABLE = "the cable of a member pulled, and put back"
    DATABASE_CUT = "the path to the database cut, and mended"
    DATABASE_BROKEN = "connections to the database broken off"
    DATABASE_SLOW = "the path to the database slow and lossy for a while"
    DATABASE_CRASHED = "the database crashed, and started again"
    STANDBY_CUT = "the path to the standby cut, and mended"
    FAILOVER = "the database lost, its standby promoted"
    FAILOVER_CUT = "the standby cut off, then the database lost, its standby promoted"
    SKEW = "a member's clock set apart, and set right"


@dataclass
class Report:
    """The outcome of a campaign."""

    faults: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    told: int = 0
    refused: int = 0
    put_off: int = 0
    reconnections: int = 0
    #: How long after the end of each fault everybody had a bet registered again.
    back_seconds: dict[str, list[float]] = field(default_factory=dict)
    verified: int = 0
    #: The people who took long to play again, and what they waited for.
    long_away: list[str] = field(default_factory=list)
    #: The time spent on each activity.
    spent_seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def spend(self, on: str) -> Iterator[None]:
        """Measure the time spent on an activity."""
        began = time.monotonic()
        try:
            yield
        finally:
            seconds = time.monotonic() - began
            self.spent_seconds[on] = self.spent_seconds.get(on, 0.0) + seconds


async def _seat(address: str, table: str) -> TerminalKey:
    """Take a seat, as soon as the cluster gives one."""
    async with asyncio.timeout(SEAT_SECONDS):
        while True:
            try:
                return await demo_terminal(address, table)
            except ClientError:
                # A cluster that has just started, on a busy machine, may not answer yet.
                await asyncio.sleep(0.2)


class Campaign:
    """A cluster, people who play, and faults."""

    def __init__(self, cluster: Cluster, seed: int) -> None:
        self.report = Report()
        self.memory = Memory()
        self._cluster = cluster
        self._random = Random(seed)
        self._people: list[Terminal] = []
        self._seed = seed
        #: Repairs that wait until everybody plays again.
        self._afterwards: list[Callable[[], Awaitable[None]]] = []

    @property
    def members(self) -> list[Member]:
        """Give the members that have faults."""
        return self._cluster.members

    def possible(self) -> list[StrEnum]:
        """Give the faults possible here: cables need namespaces, clocks a library."""
        without = {Fault.CABLE} if not self._cluster.namespaces else set()
        if clock_library() is None:
            without.add(Fault.SKEW)
        return [each for each in self._do if each not in without]

    def draw(self, count: int) -> list[StrEnum]:
        """Draw this many faults: each in turn, in random order."""
        drawn: list[StrEnum] = []
        while len(drawn) < count:
            drawn += self._random.sample(self.possible(), len(self.possible()))
        return drawn[:count]

    async def run(self, faults: Sequence[StrEnum], said: Say = lambda _: None) -> Report:
        """Run these faults while people play; check after each, and at last verify the journal."""
        addresses = self._cluster.addresses
        with self.report.spend("seats"):
            await self._seat_all(addresses[0])
        playing = [asyncio.ensure_future(each.play(addresses)) for each in self._people]
        try:
            with self.report.spend("first bets"):
                await self._back()
            for fault in faults:
                seconds = await self._trouble(fault)
                if seconds is None:
                    break
                said(f"{fault}: back after {seconds:.2f} s, {len(self.memory.told)} told")
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
        with self.report.spend("proof"):
            await self._prove()
        return self._counted()

    async def _seat_all(self, address: str) -> None:
        tables = self._cluster.tables
        for number in range(TERMINALS):
            key = await _seat(address, tables[number % len(tables)])
            self._people.append(Terminal(key, self.memory, Random(self._seed * 100 + number)))

    async def _trouble(self, fault: StrEnum) -> float | None:
        """Run a fault; gives the time until everybody played again, or None if somebody did not."""
        spend = self.report.spend
        with spend("play before a trouble"):
            await self._pause(0, LOAD_SECONDS)
        with spend("troubles"):
            await self._do[fault](self)
            self._cluster.mend()
        began = time.monotonic()
        with spend("until everybody was back"):
            away = await self._away()
        if away:
            said = f"not back within {time.monotonic() - began:.0f} s: {', '.join(away)}"
            self.report.wrong.append(f"after {fault}: {said}")
            return None
        seconds = time.monotonic() - began
        self.report.faults[fault] = self.report.faults.get(fault, 0) + 1
        self.report.back_seconds.setdefault(fault, []).append(seconds)
        with spend("nodes and servers started again"):
            for afterwards in self._afterwards:
                await afterwards()
            self._afterwards.clear()
            if fault in (Fault.FAILOVER, Fault.FAILOVER_CUT):
                await self._cluster.databases.join()
        with spend("checks"):
            found = await look(self._cluster.databases.first.url, self.memory)
        self.report.wrong += [f"after {fault}: {each}" for each in found]
        return seconds

    async def _back(self) -> None:
        away = await self._away()
        assert not away, f"nobody troubled them, and they do not play: {away}"

    async def _away(self) -> list[str]:
        """Wait until everybody has had one more bet registered; give those who have not in time."""
        before = {each: each.registered for each in self._people}
        away = self._people
        for looked in range(LOOKS_MAX):
            away = [each for each, had in before.items() if each.registered <= had]
            if not away:
                return []
            if looked == TOLD_LOOKS:
                self.report.long_away += [str(each) for each in away]
            # The people's answers give no event to wait for.
            await asyncio.sleep(LOOK_SECONDS)
        return [str(each) for each in away]

    async def _pause(self, least: float, most: float) -> None:
        await asyncio.sleep(self._random.uniform(least, most))

    async def _lasts(self) -> None:
        await self._pause(*TROUBLE_SECONDS)

    def _member(self) -> Member:
        return self._random.choice(self._cluster.members)

    def _gateway(self) -> int:
        """Give the process id of a random gateway of any member."""
        return self._random.choice(
            [each for member in self._cluster.members for each in member.children()]
        )

    # --- faults ----------------------------------------------------------------------------------

    async def _kill_gateway(self) -> None:
        os.kill(self._gateway(), signal.SIGKILL)

    async def _stop_gateway(self) -> None:
        await self._stopped(self._gateway())

    async def _kill_member(self) -> None:
        member = self._member()
        await asyncio.to_thread(member.kill)
        await self._cluster.start(member)

    async def _stop_member(self) -> None:
        await self._stopped(self._member().pid)

    async def _stopped(self, pid: int) -> None:
        os.kill(pid, signal.SIGSTOP)
        await self._lasts()
        os.kill(pid, signal.SIGCONT)

    async def _cut_people(self) -> None:
        self._random.choice(self._cluster.ways).cut()
        await self._lasts()

    async def _break_people(self) -> None:
        for way in self._cluster.ways:
            way.break_off()

    async def _slow_people(self) -> None:
        for way in self._cluster.ways:
            way.delay_seconds, way.lost_percent = self._random.uniform(0.01, 0.2), 10.0
        await self._lasts()

    async def _pull_cable(self) -> None:
        host: Host = self._member().host
        host.pull()
        await self._lasts()

    async def _cut_database(self) -> None:
        self._cluster.databases.venue.cut()
        await self._lasts()

    async def _break_database(self) -> None:
        self._cluster.databases.venue.break_off()

    async def _slow_database(self) -> None:
        path = self._cluster.databases.venue
        path.delay_seconds, path.lost_percent = self._random.uniform(0.01, 0.1), 5.0
        await self._lasts()

    async def _crash_database(self) -> None:
        first = self._cluster.databases.first
        await asyncio.to_thread(first.crash)
        await asyncio.to_thread(first.start)

    async def _cut_standby(self) -> None:
        self._cluster.cut_standby()
        await self._lasts()

    async def _fail_over(self) -> None:
        await self._cluster.databases.fail_over()

    async def _fail_over_cut(self) -> None:
        await self._cut_standby()
        await self._cluster.databases.fail_over()

    async def _skew(self) -> None:
        member = self._member()
        member.set_clock(self._random.randint(*SKEW_SECONDS))
        await asyncio.sleep(SKEWED_SECONDS)
        member.set_clock(0)

    _do: ClassVar[dict[StrEnum, Callable[[Any], Awaitable[None]]]] = {
        Fault.GATEWAY_KILLED: _kill_gateway,
        Fault.GATEWAY_STOPPED: _stop_gateway,
        Fault.MEMBER_KILLED: _kill_member,
        Fault.MEMBER_STOPPED: _stop_member,
        Fault.PEOPLE_CUT: _cut_people,
        Fault.PEOPLE_BROKEN: _break_people,
        Fault.PEOPLE_SLOW: _slow_people,
        Fault.CABLE: _pull_cable,
        Fault.DATABASE_CUT: _cut_database,
        Fault.DATABASE_BROKEN: _break_database,
        Fault.DATABASE_SLOW: _slow_database,
        Fault.DATABASE_CRASHED: _crash_database,
        Fault.STANDBY_CUT: _cut_standby,
        Fault.FAILOVER: _fail_over,
        Fault.FAILOVER_CUT: _fail_over_cut,
        Fault.SKEW: _skew,
    }

    # --- afterwards ------------------------------------------------------------------------------

    async def _prove(self) -> None:
        """Stop the members, check once more, and verify the journal with the command."""
        await asyncio.to_thread(self._cluster.stop_all)
        url = self._cluster.databases.first.url
        self.report.wrong += [f"at the end: {each}" for each in await look(url, self.memory)]
        for keys in self._cluster.proved_by():
            command = [sys.executable, "-m", "taisai", "audit", "verify", url, "--keys"]
            done = await asyncio.to_thread(
                subprocess.run, [*command, str(keys)], capture_output=True, text=True
            )
            if done.returncode:
                self.report.wrong.append(f"verify: {done.stdout}{done.stderr}")
            else:
                self.report.verified += 1

    def _counted(self) -> Report:
        memory, report = self.memory, self.report
        report.told, report.refused = len(memory.told), len(memory.refused)
        report.put_off = memory.put_off
        report.reconnections = sum(each.reconnections for each in self._people)
        return report

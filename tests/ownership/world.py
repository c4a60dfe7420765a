"""A simulated cluster: hosts, clients and failures, all from one seed, in simulated time.

It records every answer to a client and every opening of a stream, and at the end compares them with
the journal. All the time it checks that no two hosts decide for one stream.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Coroutine
from contextlib import suppress
from functools import partial
from itertools import count, pairwise
from typing import Any, NamedTuple

from taisai.runtime.ownership.tenure import Terms
from tests.ownership.hosts import Host, Without
from tests.ownership.lanes import Gate
from tests.ownership.model_database import Database, LostError
from tests.ownership.virtual_time import run

STREAMS = ("table/A", "table/B", "table/C", "table/D")
HOSTS = ("one", "two", "three")
CLIENTS = 4
#: How often the deciding hosts are checked.
LOOK_SECONDS = 0.01
#: This long after everything is mended, every stream has an owner.
OPEN_SECONDS = 4.0
#: The failures; those named more often happen more often.
TROUBLES = (
    *("kill", "kill", "stop", "stop writing", "stop writing", "cut", "cut", "hold up"),
    *(
        "cut lane",
        "crash",
        "fail over",
        "unlink",
        "break off",
        "stall",
        "jump",
        "move",
        "move",
        "drain",
    ),
)


class Told(NamedTuple):
    """An answer to a client: its command is in the journal, at a version."""

    stream: str
    id: str
    version: int


class Opened(NamedTuple):
    """An opening of a stream: its epoch, how much of it had been read, and by which process."""

    stream: str
    epoch: int
    read_upto: int
    fence: int


class Report(NamedTuple):
    """The outcome of a simulated cluster; `faults` are sentences, and empty if all is well."""

    faults: list[str]
    told: int
    opened: int
    troubles: Counter[str]
    #: The longest time that no host decided for a stream, while failures happen.
    longest_shut: float
    #: How often a stream was opened at another host than at first.
    taken_over: int
    #: How often a host took a stream back that it had just left, with no other host in between.
    went_back: int


class World:
    """A simulated cluster."""

    def __init__(self, seed: int, without: Without, terms: Terms) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - a seeded simulation, nothing secret
        self.database = Database(self.chance, STREAMS)
        self.hosts: dict[str, Host] = {}
        self.gate = Gate(self.chance, without, self.note_fault)
        self.faults: list[str] = []
        self.told: list[Told] = []
        self.opened: list[Opened] = []
        self.troubles: Counter[str] = Counter()
        self.longest_shut = 0.0
        self.taken_over = 0
        self._without = without
        self._terms = terms
        self._fences = count(1)
        self._tasks: list[asyncio.Task[Any]] = []
        self._clients: list[asyncio.Task[Any]] = []
        self._shut_since = dict.fromkeys(STREAMS, 0.0)
        self._watched = False

    def note_fault(self, what: str) -> None:
        """Record a fault."""
        self.faults.append(what)

    def start(self, name: str) -> None:
        """Start a host, or restart it under its name."""
        host = Host(name, next(self._fences), self.database, self._terms, self._without)
        host.on_open = partial(self._note_opened, host.leases.fence)
        self.hosts[name] = host
        self.gate.greet(host)
        self.spawn(host.start())

    def _note_opened(self, fence: int, stream: str, epoch: int, read_upto: int) -> None:
        self.opened.append(Opened(stream, epoch, read_upto, fence))

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run a task until the end of the simulation."""
        self._tasks.append(asyncio.get_running_loop().create_task(work))

    async def live(self, seconds: float, troubles: tuple[str, ...], *, apart: bool) -> None:
        """Start the hosts and clients, let failures happen, mend them all, and check."""
        self.spawn(self.database.replicate())
        for name in HOSTS:
            self.start(name)
        for number in range(CLIENTS):
            self.spawn(self._client(number))
        self._clients = self._tasks[-CLIENTS:]
        self.spawn(self._look())
        await asyncio.sleep(OPEN_SECONDS)
        self._watched = True
        if troubles:
            await self._trouble(seconds, troubles, apart=apart)
            await self._mend()
        await asyncio.sleep(OPEN_SECONDS)
        self._watched = False
        firsts = {each.stream: each.epoch for each in self.opened[: len(STREAMS)]}
        self.taken_over = len({each[:2] for each in self.opened} - {*firsts.items()})
        for stream in STREAMS:
            if self._holders(stream) != 1:
                self.faults.append(f"{stream} is not open {OPEN_SECONDS} s after the last fault")
        for task in self._tasks:
            if task.done() and not task.cancelled() and task.exception() is not None:
                self.faults.append(f"a task ended: {task.exception()!r}")
        self._check_journal()
        await self._check_lanes()
        await self._end()

    async def _end(self) -> None:
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    # --- clients -----------------------------------------------------------------------------

    async def _client(self, number: int) -> None:
        """Send a command until it is answered, then the next, each with an id of its own."""
        for each in count():
            stream, id_ = self.chance.choice(STREAMS), f"{number}-{each}"
            answered = False
            while not answered:
                await asyncio.sleep(0.05)
                answered = await self._send(stream, id_)
            await asyncio.sleep(self.chance.uniform(0.0, 0.15))

    async def _send(self, stream: str, id_: str) -> bool:
        holding = [host for host in self.hosts.values() if host.holds(stream)]
        if not holding:
            return False
        answered: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def on_answer(version: int | None) -> None:
            if version is not None:
                self.told.append(Told(stream, id_, version))
            if not answered.done():
                answered.set_result(version is not None)

        await asyncio.sleep(self.chance.uniform(0.0, 0.01))
        self.gate.ask(self.chance.choice(holding), stream, id_, on_answer)
        done, _ = await asyncio.wait([answered], timeout=1.0)
        return bool(done) and answered.result()

    # --- failures ----------------------------------------------------------------------------

    async def _trouble(self, seconds: float, troubles: tuple[str, ...], *, apart: bool) -> None:
        """Let failures happen; with `apart` each one passes before the next."""
        until = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < until:
            await asyncio.sleep(self.chance.uniform(0.1, 2.0))
            trouble = self.chance.choice(troubles)
            self.troubles[trouble] += 1
            going_wrong = getattr(self, f"_{trouble.replace(' ', '_')}")()
            if apart:
                await going_wrong
                await asyncio.sleep(OPEN_SECONDS)
            else:
                self.spawn(going_wrong)

    async def _kill(self) -> None:
        host = self._some_host()
        if host.line.killed:
            return
        host.kill()
        await asyncio.sleep(self.chance.uniform(0.2, 3.0))
        self.start(host.name)

    async def _stop(self) -> None:
        host = self._some_host()
        host.line.stop()
        await asyncio.sleep(self.chance.uniform(0.1, 4.0))
        host.line.go_on()

    async def _stop_writing(self) -> None:
        """Stop a host with a batch that it has not sent, until another takes one of its streams."""
        host = self._some_host()
        while not host.journal.about_to_write:
            await asyncio.sleep(0.001)
            if host.line.killed:
                return
        host.line.stop()
        await self._taken_from(host)
        host.line.go_on()

    async def _hold_up(self) -> None:
        """Stop a host with a batch the server works on, until another takes one of its streams."""
        self.database.hold_up(held=True)
        adding: list[int] = []
        for _ in range(1_000):
            await asyncio.sleep(0.001)
            adding = self.database.adding()
            if adding:
                break
        held = [host for host in self.hosts.values() if host.leases.fence in adding[:1]]
        for host in held:
            host.line.stop()
            await self._taken_from(host)
        self.database.hold_up(held=False)
        await asyncio.sleep(0.1)
        for host in held:
            host.line.go_on()

    async def _break_off(self) -> None:
        """Break off the waits for the standby, and then fail over to it."""
        self.database.link(linked=False)
        await asyncio.sleep(self.chance.uniform(0.1, 0.3))
        self.database.end_waiting()
        await asyncio.sleep(0.5)
        self.database.fail_over()

    async def _taken_from(self, host: Host) -> None:
        """Wait until another host has a stream of a stopped one, or for too long."""
        for _ in range(5_000):
            if any(self._holders(stream) for stream in host.leases.epochs):
                return
            await asyncio.sleep(0.001)

    async def _cut(self) -> None:
        host = self._some_host()
        host.line.set_cut(cut=True)
        await asyncio.sleep(self.chance.uniform(0.1, 4.0))
        host.line.set_cut(cut=False)

    async def _cut_lane(self) -> None:
        """Cut the lane to a host, which goes on running."""
        line = self.gate.lines[self.chance.choice(HOSTS)]
        line.set_cut(cut=True)
        await asyncio.sleep(self.chance.uniform(0.1, 3.0))
        line.set_cut(cut=False)

    async def _crash(self) -> None:
        self.database.crash()
        await asyncio.sleep(self.chance.uniform(0.05, 2.0))
        self.database.come_back()

    async def _fail_over(self) -> None:
        self.database.link(linked=False)
        await asyncio.sleep(self.chance.uniform(0.0, 0.5))
        self.database.fail_over()

    async def _unlink(self) -> None:
        self.database.link(linked=False)
        await asyncio.sleep(self.chance.uniform(0.05, 3.0))
        self.database.link(linked=True)

    async def _stall(self) -> None:
        self.database.stalls = (0.3, 3.0)
        await asyncio.sleep(self.chance.uniform(0.5, 2.0))
        self.database.stalls = (0.0, 0.0)

    async def _jump(self) -> None:
        self.database.clock_ms += self.chance.choice((-60_000, -500, 700, 60_000))

    async def _move(self) -> None:
        stream, name = self.chance.choice(STREAMS), self.chance.choice(HOSTS)
        with suppress(LostError):
            await self.database.want(stream, name)

    async def _move_slowly(self) -> None:
        """Move a stream while writes take longer than some beats."""
        self.database.stalls = (1.0, 0.4)
        await self._move()
        await asyncio.sleep(2.0)
        self.database.stalls = (0.0, 0.0)

    async def _read_nothing(self) -> None:
        """Let a host beat and open no stream: other hosts must take its streams."""
        host = self.chance.choice([host for host in self.hosts.values() if host.tables])
        held = [*host.tables]
        host.journal.cannot_read = True
        for stream in held:
            host.ownership.note_shut(stream)
            host.shut(stream, "its journal was away")
        await asyncio.sleep(self._terms.give_up + OPEN_SECONDS)
        for stream in held:
            if self._holders(stream) != 1:
                self.faults.append(f"{stream} stays with {host.name}, which cannot open it")
        host.journal.cannot_read = False

    async def _drain(self) -> None:
        name = self.chance.choice(HOSTS)
        with suppress(LostError):
            await self.database.drain(name, draining=True)
        await asyncio.sleep(self.chance.uniform(0.5, 3.0))
        await self._no_drain(name)

    async def _no_drain(self, name: str) -> None:
        with suppress(LostError, KeyError):
            await self.database.drain(name, draining=False)

    def _some_host(self) -> Host:
        return self.hosts[self.chance.choice(HOSTS)]

    async def _mend(self) -> None:
        """Wait until all failures have passed by themselves."""
        await asyncio.sleep(4.0)
        self.database.come_back()
        self.database.link(linked=True)
        self.database.stalls = (0.0, 0.0)
        for name in HOSTS:
            await self._no_drain(name)

    # --- checks ------------------------------------------------------------------------------

    def _holders(self, stream: str) -> int:
        return sum(host.holds(stream) for host in self.hosts.values())

    async def _look(self) -> None:
        """Check all the time that no two hosts decide for one stream."""
        clock = asyncio.get_running_loop().time
        while True:
            for stream in STREAMS:
                holders = [name for name, host in self.hosts.items() if host.holds(stream)]
                if len(holders) > 1:
                    self.faults.append(f"{' and '.join(holders)} decide for {stream}")
                if holders or not self._watched:
                    self._shut_since[stream] = clock()
                shut = clock() - self._shut_since[stream]
                self.longest_shut = max(self.longest_shut, shut)
            await asyncio.sleep(LOOK_SECONDS)

    async def _check_lanes(self) -> None:
        """Stop the clients, and check that everything sent over a lane has arrived."""
        for client in self._clients:
            client.cancel()
        await asyncio.sleep(OPEN_SECONDS)
        for name, line in self.gate.lines.items():
            if line.untaken:
                self.faults.append(f"what went over the lane to {name} has not come")

    def went_back(self) -> int:
        """Count how often a process took a stream again that it had at the epoch before."""
        times = 0
        for stream in STREAMS:
            opened = [each for each in self.opened if each.stream == stream]
            times += sum(
                before.fence == after.fence and before.epoch < after.epoch
                for before, after in pairwise(opened)
            )
        return times

    def _check_journal(self) -> None:
        self._check_told()
        for stream in STREAMS:
            records = self.database.state.records.get(stream, [])
            ids = Counter(record.data for record in records)
            self.faults += [f"{id_!r} is there twice" for id_, times in ids.items() if times > 1]
            if [record.version for record in records] != [*range(1, len(records) + 1)]:
                self.faults.append(f"the versions of {stream} have a gap")
            for before, after in pairwise(records):
                if after.at < before.at:
                    self.faults.append(f"the time goes back in {stream} at {after.version}")
            epochs = [int((record.cause or b"").split()[0]) for record in records]
            for _, epoch, read_upto, _ in (each for each in self.opened if each.stream == stream):
                if any(later < epoch for later in epochs[read_upto:]):
                    self.faults.append(f"a former wrote to {stream} when {epoch} had opened it")

    def _check_told(self) -> None:
        places: dict[tuple[str, int], str] = {}
        for stream, id_, version in self.told:
            if places.setdefault((stream, version), id_) != id_:
                self.faults.append(f"{stream} {version} was told of two commands")
            records = self.database.state.records.get(stream, [])
            if len(records) < version or records[version - 1].data != id_.encode():
                self.faults.append(f"{id_} was told to be at {stream} {version}, and is not")


def simulate(
    seed: int,
    *,
    seconds: float = 20.0,
    troubles: tuple[str, ...] = TROUBLES,
    one_at_a_time: bool = False,
    without: Without = Without(),  # noqa: B008 - it cannot be changed
    terms: Terms = Terms(),  # noqa: B008 - it cannot be changed
) -> Report:
    """Simulate a cluster from a seed."""

    async def live() -> World:
        world = World(seed, without, terms)
        await world.live(seconds, troubles, apart=one_at_a_time)
        return world

    world = run(live())
    return Report(
        [*dict.fromkeys(world.faults)],
        len(world.told),
        len(world.opened),
        world.troubles,
        world.longest_shut,
        world.taken_over,
        world.went_back(),
    )

"""What a message on a lane costs over a Unix socket and over NATS: processor time, in one run.

One process puts entries on a lane, some in each turn of its loop, and another sends each back: in
turn over a Unix socket and over a real NATS server, with few and with many in flight. The figure is
processor time per entry, there and back, of both processes together; the NATS server's own time is
shown beside it.
"""

import argparse
import asyncio
import os
import socket
import statistics
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Literal

import uvloop

from taisai.server.lanes.lane import Entry, Lane
from taisai.server.lanes.nats import Nats, NatsOptions
from taisai.server.lanes.unix import connect
from tests.kit.nats_server import NatsServer, nats_server

RUNS = 5
ENTRIES = 200_000
IN_FLIGHT = (1, 20, 200)
#: About the size of a bet as a terminal sends it.
DATA = b"b" * 150
HERE, THERE = "bench.here", "bench.there"
By = Literal["Unix", "NATS"]


def of_process(pid: int) -> float:
    """Give the processor seconds that a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Caller:
    """Keeps so many entries in flight until enough have come back."""

    def __init__(self) -> None:
        self.lane = Lane(self._take, self._lost)
        self._left = self._back = 0
        self._done: asyncio.Future[None]

    async def call(self, entries: int, in_flight: int) -> None:
        """Send so many entries there and back."""
        self._done = asyncio.get_running_loop().create_future()
        self._left, self._back = entries - in_flight, entries
        for number in range(in_flight):
            self.lane.put(1, number, DATA)
        await self._done

    def _take(self, entries: list[Entry]) -> None:
        for entry in entries:
            if self._left > 0:
                self._left -= 1
                self.lane.put(*entry)
        self._back -= len(entries)
        if self._back == 0:
            self._done.set_result(None)

    def _lost(self, why: str) -> None:
        self._done.set_exception(RuntimeError(why))


class Bench:
    """Both lanes, the processes at their other ends, and the figures."""

    def __init__(self, server: NatsServer, pid: int) -> None:
        self.callers: dict[By, Caller] = {"Unix": Caller(), "NATS": Caller()}
        self.used: dict[tuple[By, int], list[float]] = {}
        self.by_server: dict[int, list[float]] = {}
        self._server = server
        self._pid = pid

    async def run(self, entries: int) -> None:
        """Measure each once, with each number in flight."""
        for in_flight in IN_FLIGHT:
            for by, caller in self.callers.items():
                count = entries if in_flight > 1 else entries // 10
                server = of_process(self._server.pid)
                before = of_process(os.getpid()) + of_process(self._pid)
                await caller.call(count, in_flight)
                used = of_process(os.getpid()) + of_process(self._pid) - before
                self.used.setdefault((by, in_flight), []).append(used / count * 1e6)
                if by == "NATS":
                    taken = (of_process(self._server.pid) - server) / count * 1e6
                    self.by_server.setdefault(in_flight, []).append(taken)

    def report(self) -> None:
        """Print the figures."""
        for in_flight in IN_FLIGHT:
            unix, by_nats = (statistics.median(self.used[by, in_flight]) for by in ("Unix", "NATS"))
            server = statistics.median(self.by_server[in_flight])
            print(
                f"{in_flight:>4} in flight: {unix:5.1f} µs an entry there and back by Unix,"
                f" {by_nats:5.1f} by NATS and {server:4.1f} in its server,"
                f" {by_nats / unix:.2f} and {(by_nats + server) / unix:.2f} of that"
            )


@asynccontextmanager
async def echo(url: str) -> AsyncIterator[tuple[socket.socket, int]]:
    """Start the process that sends everything back."""
    here, there = socket.socketpair()
    with here, there:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bench.lanes", "--echo", url, "--socket", str(there.fileno())),
            pass_fds=[there.fileno()],
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        await process.stdout.readline()
        try:
            yield here, process.pid
        finally:
            process.terminate()
            await process.wait()


async def measure(runs: int, entries: int) -> None:
    """Measure both in turn."""
    async with AsyncExitStack() as stack:
        server = stack.enter_context(nats_server())
        end, pid = await stack.enter_async_context(echo(server.url))
        bench = Bench(server, pid)
        await connect(end, bench.callers["Unix"].lane)
        nats = await Nats.connect(NatsOptions((server.url,)), "bench")
        stack.push_async_callback(nats.close)
        await nats.carry(bench.callers["NATS"].lane, HERE, THERE)
        for _ in range(runs):
            await bench.run(entries)
        for caller in bench.callers.values():
            caller.lane.close()
        bench.report()


def _sending_back() -> Lane:
    def take(entries: list[Entry]) -> None:
        for each in entries:
            lane.put(*each)

    lane = Lane(take, print)
    return lane


async def send_back(url: str, end: int) -> None:
    """Send every entry back on its own lane, until the process is ended."""
    await connect(socket.socket(fileno=end), _sending_back())
    nats = await Nats.connect(NatsOptions((url,)), "echo")
    await nats.carry(_sending_back(), THERE, HERE)
    print("ready", flush=True)
    await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=RUNS)
    options.add_argument("--entries", type=int, default=ENTRIES, help="in each run")
    options.add_argument("--echo", help=argparse.SUPPRESS)
    options.add_argument("--socket", type=int, help=argparse.SUPPRESS)
    asked = options.parse_args()
    if asked.echo:
        uvloop.run(send_back(asked.echo, asked.socket))
    else:
        uvloop.run(measure(asked.runs, asked.entries))

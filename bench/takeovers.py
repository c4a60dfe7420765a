"""How soon the tables of a lost owner are open elsewhere, and whether anybody is lost who is not.

A cluster on this machine: PostgreSQL, NATS, an office, two owners, a gateway, and twenty tables,
each with at least a thousand events that no snapshot covers: newer ones are taken away. The owner
that has all tables is killed or stopped, in turn, again and again, while bots play; each time it is
counted from then until the other has opened every table, by that one's own log, and the rate of the
first five seconds after is compared with the five before. With `--calm SECONDS`, nobody is lost:
whoever writes to the database is stopped for half a second now and then, as by a disk that stalls,
and no table may pass on.
"""

import argparse
import asyncio
import os
import random
import signal
import statistics
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import asyncpg
from bench.goals import tell

from taisai.runtime.keys.directory import create_keys
from taisai.runtime.ownership.standing import Standing
from taisai.runtime.streams import table_stream
from tests.kit.nats_server import nats_server
from tests.kit.patience import PATIENCE_SECONDS
from tests.postgres import own_server
from tools.cluster import write_cluster

NODES: dict[str, tuple[str, ...]] = {
    "office": ("office",),
    "east": ("owner",),
    "west": ("owner",),
    "gate": ("gateway",),
}
TABLES = 20
#: Events that each table has since its last snapshot, at least.
TAIL = 1_000
WITHIN_SECONDS = 2.0
RATE_SECONDS = 5.0
STALL_SECONDS = 0.5
STALLED_EVERY = (2.0, 8.0)
FLOOR = """
[[tables]]
name = "T{number}"
pay_table = "etg8/2"
minimum = 100
maximum = 1_000_000
tumbler = "simulated"
dealer = "automatic"
countdown_seconds = 10
result_seconds = 0
pause_seconds = 0
"""
SHORTEST = """
SELECT min(head) FROM (
  SELECT max(version) AS head FROM taisai.events WHERE stream LIKE 'table/%' GROUP BY stream) AS h
"""
LEAVE_TAILS = """
DELETE FROM taisai.snapshots USING (
  SELECT stream, max(version) AS head FROM taisai.events WHERE stream LIKE 'table/%' GROUP BY 1
) AS heads WHERE snapshots.stream = heads.stream AND snapshots.version > heads.head - $1
"""
BETS = "SELECT count(*) FROM taisai.events WHERE stream LIKE 'table/%'"
WRITERS = "SELECT pid FROM pg_stat_activity WHERE application_name = 'taisai'"
EPOCHS = "SELECT sum(epoch) FROM taisai.owners"


class Nodes:
    """The nodes, each a process with a log."""

    def __init__(self, file: Path, url: str) -> None:
        self._file = file
        self.standing = Standing(url)
        self.processes: dict[str, Process] = {}
        self.address = ""

    async def start(self, name: str) -> None:
        """Start a node, and wait until it serves."""
        with self._log(name).open("ab") as log:
            process = self.processes[name] = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "taisai", "node", "--cluster", str(self._file)),
                *("--name", name, "--log", "text"),
                stdin=DEVNULL,
                stdout=PIPE,
                stderr=log,
            )
        assert process.stdout is not None
        line = (await process.stdout.readline()).decode().strip()
        assert line, self._log(name).read_text()
        if name == "gate":
            self.address = line

    def _log(self, name: str) -> Path:
        return self._file.with_name(f"{name}.log")

    def read_to(self, name: str) -> int:
        """Say how long a node's log is."""
        return self._log(name).stat().st_size

    async def until_opened(self, name: str, after: int) -> None:
        """Wait until a node says that it has opened every table, after a place in its log."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                with self._log(name).open("rb") as log:
                    log.seek(after)
                    said = log.read()
                opened = {
                    line.split(b" resumed: this node has it")[0].rsplit(b" ", 1)[-1]
                    for line in said.splitlines()
                    if b" resumed: this node has it" in line
                }
                if len([each for each in opened if each.startswith(b"table/")]) >= TABLES:
                    return
                await asyncio.sleep(0.005)

    async def gather(self, name: str) -> None:
        """Have every table at one owner."""
        for number in range(TABLES):
            await self.standing.move(table_stream(f"T{number}"), name)
        async with asyncio.timeout(PATIENCE_SECONDS * 4):
            while True:
                stand = await self.standing.look()
                held = [each for each in stand.streams if each.stream.startswith("table/")]
                if all(each.node == name for each in held) and len(held) == TABLES:
                    return
                await asyncio.sleep(0.1)

    async def end(self) -> None:
        """Leave no process behind."""
        for process in self.processes.values():
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


class Bench:
    """Nodes, their database, and what was measured."""

    def __init__(self, nodes: Nodes, database: "asyncpg.Connection[asyncpg.Record]") -> None:
        self.nodes = nodes
        self.database = database
        self.seconds: list[float] = []
        self.rates: list[float] = []

    async def bots(self, terminals: int, seconds: float, rate: float) -> Process:
        """Have bots play."""
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "taisai", "bots", "--address", self.nodes.address),
            *("--terminals", str(terminals), "--seconds", str(seconds), "--rate", str(rate)),
            stdout=DEVNULL,
            stderr=DEVNULL,
        )

    async def lengthen(self) -> None:
        """Have bots play until every table has events enough."""
        while (await self.database.fetchval(SHORTEST) or 0) < TAIL:
            playing = await self.bots(10 * TABLES, 20, 20)
            await playing.wait()
            print(f"the shortest table has {await self.database.fetchval(SHORTEST)} events")

    async def rate(self, seconds: float) -> float:
        """Count the events a second, for so long."""
        before, began = await self.database.fetchval(BETS), time.monotonic()
        await asyncio.sleep(seconds)
        there = await self.database.fetchval(BETS)
        return float(there - before) / (time.monotonic() - began)

    async def lose(self, owner: str, heir: str, *, kill: bool) -> None:
        """Lose the owner of all tables, and time how long it takes the other to open them."""
        steady = await self.rate(RATE_SECONDS)
        await self.database.execute(LEAVE_TAILS, TAIL)
        after, process = self.nodes.read_to(heir), self.nodes.processes[owner]
        began = time.monotonic()
        process.send_signal(signal.SIGKILL if kill else signal.SIGSTOP)
        await self.nodes.until_opened(heir, after)
        self.seconds.append(time.monotonic() - began)
        self.rates.append(await self.rate(RATE_SECONDS) / steady)
        if kill:
            await process.wait()
            await self.nodes.start(owner)
        else:
            process.send_signal(signal.SIGCONT)
            await asyncio.sleep(1.0)

    async def stall(self, seconds: float, chance: random.Random) -> tuple[int, int]:
        """Stop whoever writes for half a second, again and again; count what passed on."""
        before, until, stalls = await self.database.fetchval(EPOCHS), time.monotonic() + seconds, 0
        while time.monotonic() < until:
            await asyncio.sleep(chance.uniform(*STALLED_EVERY))
            writers = [row[0] for row in await self.database.fetch(WRITERS)]
            for number in (signal.SIGSTOP, signal.SIGCONT):
                for pid in writers:
                    with suppress(ProcessLookupError):
                        os.kill(pid, number)
                await asyncio.sleep(STALL_SECONDS if number == signal.SIGSTOP else 0)
            stalls += 1
        return stalls, int(await self.database.fetchval(EPOCHS) - before)


async def run(asked: argparse.Namespace) -> int:
    """Run what was asked for, and print what was counted."""
    async with AsyncExitStack() as stack:
        server = stack.enter_context(own_server())
        nats = stack.enter_context(nats_server())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="taisai-takeovers-")))
        create_keys(folder / "keys")
        floor = "".join(FLOOR.format(number=number) for number in range(TABLES))
        nodes = Nodes(write_cluster(folder, server.url, nats.url, NODES, floor), server.url)
        stack.push_async_callback(nodes.end)
        await asyncio.gather(*map(nodes.start, NODES))
        database = await asyncpg.connect(server.url)
        stack.push_async_callback(database.close)
        bench = Bench(nodes, database)
        if asked.calm:
            playing = await bench.bots(10 * TABLES, asked.calm + 30, asked.rate)
            stalls, passed = await bench.stall(asked.calm, random.Random(asked.seed))  # noqa: S311
            playing.terminate()
            await playing.wait()
            print(f"{asked.calm:,.0f} s, {stalls} stalls of {STALL_SECONDS} s: {passed} passed on")
            return 1 if passed else 0
        await bench.lengthen()
        await nodes.gather("east")
        load = await bench.bots(10 * TABLES, asked.times * 60.0, asked.rate)
        await asyncio.sleep(RATE_SECONDS)
        owner, heir = "east", "west"
        for number in range(asked.times):
            await bench.lose(owner, heir, kill=number % 2 == 0)
            owner, heir = heir, owner
            print(f"{number + 1}: {bench.seconds[-1]:.2f} s, {bench.rates[-1]:.2f}", flush=True)
        load.terminate()
        await load.wait()
        return _show(bench)


def _show(bench: Bench) -> int:
    late = sum(each >= WITHIN_SECONDS for each in bench.seconds)
    print(
        f"{len(bench.seconds)} owners with {TABLES} tables lost: open elsewhere after"
        f" {statistics.median(bench.seconds):.2f} s, {max(bench.seconds):.2f} s at the most;"
        f" {late} took {WITHIN_SECONDS:.0f} s or longer"
    )
    tell("take-overs in time", 1 - late / len(bench.seconds))
    tell("rate after a take-over", statistics.median(bench.rates))
    return 0


def main() -> int:
    """Read what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10, help="owners to lose (10)")
    parser.add_argument("--rate", type=float, default=5.0, help="bets a second of a bot (5)")
    parser.add_argument("--calm", type=float, default=0.0, metavar="SECONDS", help="lose nobody")
    parser.add_argument("--seed", type=int, default=1)
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())

"""What a bet costs a cluster's owner, gateway and NATS, compared with a venue of one process.

The same bets go in turn, in one run, to a venue of one process on PostgreSQL, to two such venues at
once, through a gateway to one owner, and to two owners with a table each at once. The figure is
processor time per bet.

All owners and venues run on the first core, where each takes longer beside another: they share its
caches. The two venues have servers of their own, and share nothing but this core; how much longer
they take is divided out of what two owners take.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import urllib.request
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from bench.goals import tell
from bench.live.bets import IN_FLIGHT, play_round
from bench.live.children import Child, generator_core, processor_seconds, server_core, started
from bench.live.figures import Figures
from bench.live.preparing import prepare_tables

from taisai.runtime.operations.process import KEYS_DIRECTORY
from tests.kit.nats_server import NatsServer, nats_server
from tests.postgres import own_database, own_server
from tools.cluster import write_cluster

RUNS = 5
BETS = 40_000
TERMINALS = 1_000
ONE, BOTH, OWNER, TWO = "one process", "two processes", "an owner", "two owners"
NODES: dict[str, tuple[str, ...]] = {
    "office": ("office",),
    "east": ("owner",),
    "west": ("owner",),
    "gate": ("gateway",),
}
#: The owner of each table.
OWNERS = {"T1": "east", "T2": "west"}
TABLES = tuple(OWNERS)
COMMITS = "taisai_commits_total "


@asynccontextmanager
async def node(file: Path, name: str, core: int) -> AsyncIterator[tuple[Process, str]]:
    """Run a node of the cluster on a core; yields its address."""
    log = file.with_name(f"{name}.log")
    with log.open("ab") as opened:
        process = await asyncio.create_subprocess_exec(
            *("taskset", "-c", str(core), sys.executable, "-m", "taisai", "node"),
            *("--cluster", str(file), "--name", name, "--log", "json"),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=opened,
        )
    assert process.stdout is not None
    try:
        address = (await process.stdout.readline()).decode().strip()
        assert address, log.read_text("utf-8")
        yield process, address
    finally:
        if process.returncode is None:
            process.terminate()
        else:
            print(f"{name} ended before the bench was done:", log.read_text("utf-8"))
        await process.wait()


class Bench:
    """Two venues of one process and a cluster, with the terminals of each, and the figures."""

    def __init__(self, venues: list[Child], office: Child, generators: list[Child]) -> None:
        self.figures = Figures()
        self.pids: dict[str, int] = {}
        #: The addresses of the owners' figures.
        self.owners: list[str] = []
        self._venues = venues
        self._office = office
        self._generators = generators

    async def connect(self, crowd: str, generator: int, address: str, keys: Path) -> None:
        """Connect every terminal of a table."""
        await self._generators[generator].ask(
            *("connect",),
            crowd=crowd,
            address=address,
            keys=str(keys),
            boxes_a_bet=1,
            greeting=True,
        )

    async def run(self, bets: int) -> None:
        """Measure each once."""
        one = await play_round(ONE, self._venues[0], self._generators[0], bets)
        self.figures.add(ONE, used=one["used"], whole=one["used"], batch=one["batch"])
        playing = [
            play_round(ONE, *each, bets)
            for each in zip(self._venues, self._generators, strict=True)
        ]
        both = await asyncio.gather(*playing)
        self.figures.add(BOTH, used=statistics.mean(each["used"] for each in both))
        for name, tables in ((OWNER, TABLES[:1]), (TWO, TABLES)):
            self.figures.add(name, **await self._play(tables, bets))

    async def _play(self, tables: tuple[str, ...], bets: int) -> dict[str, float]:
        """Let tables of the cluster bet at once; return each process's processor time per bet."""
        await self._office.ask("open_bets", tables=tables)
        commits = await self._commits()
        before = {name: processor_seconds(pid) for name, pid in self.pids.items()}
        betting = [
            self._generators[number].ask("bet", crowd=table, bets=bets, in_flight=IN_FLIGHT)
            for number, table in enumerate(tables)
        ]
        said = await asyncio.gather(*betting)
        used = {name: processor_seconds(pid) - before[name] for name, pid in self.pids.items()}
        await self._office.ask("finish_round", tables=tables)
        assert not any(each["refused"] for each in said), said
        count = bets * len(tables)
        commits = await self._commits() - commits
        # An owner without a table in play still beats and follows, which is no cost of a bet.
        owners = sum(used[OWNERS[table]] for table in tables) / count
        return {
            "used": owners,
            "together": owners + used["gate"] / count,
            "whole": owners + (used["gate"] + used["nats"]) / count,
            "office": used["office"] / count,
            "batch": count / commits,
        }

    async def _commits(self) -> float:
        """Count the batches that the owners have written."""
        lines = [line for each in self.owners for line in await asyncio.to_thread(figures_of, each)]
        return sum(float(each.split()[1]) for each in lines if each.startswith(COMMITS))


def figures_of(address: str) -> list[str]:
    """Read the figures of a node."""
    with urllib.request.urlopen(f"{address}metrics") as answer:  # noqa: S310 - our own
        return bytes(answer.read()).decode().splitlines()


def report(figures: Figures) -> None:
    """Print the figures, and the missed goals."""
    batch = figures.median(ONE, "batch")
    print(f"{ONE:13} {figures.median(ONE, 'used') * 1e6:.1f} µs a bet, {batch:.0f} a commit")
    print(f"{BOTH:13} {figures.median(BOTH, 'used') * 1e6:.1f} µs a bet")
    for name in (OWNER, TWO):
        print(
            f"{name:13} {figures.median(name, 'used') * 1e6:.1f} µs a bet,"
            f" {figures.median(name, 'together') * 1e6:.1f} with the gateway,"
            f" {figures.median(name, 'whole') * 1e6:.1f} with NATS too;"
            f" {figures.median(name, 'office') * 1e6:.1f} in the office, which follows;"
            f" {figures.median(name, 'batch'):.0f} a commit"
        )
    print()
    tell("owner own", figures.ratio("used", OWNER, ONE))
    tell("owner together", figures.ratio("whole", OWNER, ONE))
    owners, venues = figures.ratio("used", TWO, OWNER), figures.ratio("used", BOTH, ONE)
    print(f"on one core two owners take {owners:.2f} of one's time, two venues {venues:.2f}")
    tell("two owners by two venues", owners / venues)


def plan(folder: Path, url: str, nats: NatsServer) -> Path:
    """Write the plan of the cluster, which has the keys of the prepared venue."""
    file = write_cluster(folder, url, nats.url, NODES)
    text = file.read_text("utf-8").replace("demo = true\n", "")
    file.write_text(text.replace(str(folder / "keys"), str(folder / "office" / KEYS_DIRECTORY)))
    return file


async def main(
    folder: Path, urls: dict[str, str], keys: dict[str, list[Path]], asked: argparse.Namespace
) -> None:
    """Measure all in turn; `urls` are the databases of the two venues."""
    core, other, file = server_core(), generator_core(), folder / "cluster.toml"
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        venues = [
            await enter(started("venue_server", core, str(folder / name), "0", "0", url))
            for name, url in urls.items()
        ]
        office = await enter(started("office", other, str(file)))
        generators = [await enter(started("generator", other)) for _ in TABLES]
        bench = Bench(venues, office, generators)
        bench.pids = {"office": office.pid, "nats": asked.nats}
        address = ""
        for name, on in (("east", core), ("west", core), ("gate", other)):
            process, address = await enter(node(file, name, on))
            bench.pids[name] = process.pid
            bench.owners += [address] if name != "gate" else []
        await office.ask("place", tables=OWNERS)
        for number, (name, venue) in enumerate(zip(urls, venues, strict=True)):
            await bench.connect(ONE, number, (await venue.ask("address"))["address"], keys[name][0])
        gate = address.replace("http", "ws", 1).rstrip("/") + "/api/live"
        for number, table in enumerate(TABLES):
            await bench.connect(table, number, gate, keys["office"][number])
        for _ in range(asked.runs):
            await bench.run(asked.bets)
    report(bench.figures)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=RUNS)
    options.add_argument("--bets", type=int, default=BETS, help="at each table, in each run")
    given = options.parse_args()
    with (
        own_server() as server,
        own_server() as other_server,
        own_database(server.url) as one_url,
        own_database(other_server.url) as other_url,
        own_database(server.url) as nodes_url,
        nats_server() as nats_,
        tempfile.TemporaryDirectory() as scratch,
    ):
        folder_ = Path(scratch)
        prepared = {
            name: prepare_tables(folder_ / name, url_, len(TABLES), TERMINALS)
            for name, url_ in (("one", one_url), ("other", other_url), ("office", nodes_url))
        }
        plan(folder_, nodes_url, nats_)
        given.nats = nats_.pid
        asyncio.run(main(folder_, {"one": one_url, "other": other_url}, prepared, given))

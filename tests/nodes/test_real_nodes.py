"""Real nodes in processes of their own: played at while they are moved from, stopped and killed."""

import asyncio
import signal
import sys
import urllib.request
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import msgspec

from taisai.runtime.keys.directory import create_keys
from taisai.runtime.ownership.standing import NodeStanding, Standing
from tests.kit.nats_server import NatsServer, nats_server
from tests.kit.patience import PATIENCE_SECONDS
from tools.cluster import write_cluster

NODES: dict[str, tuple[str, ...]] = {
    "office": ("office",),
    "east": ("owner",),
    "west": ("owner",),
    "gate-a": ("gateway",),
    "gate-b": ("gateway",),
}


async def taisai(*given: str, log: Path | None = None) -> Process:
    """Start the program; what it logs goes to a file, where one is given."""
    with ExitStack() as opened:
        error = PIPE if log is None else opened.enter_context(log.open("ab"))
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "taisai", *given, stdout=PIPE, stderr=error
        )


async def done(*given: str) -> bytes:
    """Run the program to its end, which must be well."""
    process = await taisai(*given)
    out, error = await process.communicate()
    assert process.returncode == 0, (out, error)
    return out


async def fetched(address: str) -> bytes:
    """Fetch a page."""

    def fetch() -> bytes:
        with urllib.request.urlopen(address) as answer:  # noqa: S310 - our own node's
            body: bytes = answer.read()
            return body

    return await asyncio.to_thread(fetch)


class Nodes:
    """The nodes of one cluster, each a process."""

    def __init__(self, file: Path, url: str, nats: NatsServer) -> None:
        self.file = file
        self.nats = nats
        self.standing = Standing(url)
        self.processes: dict[str, Process] = {}
        self.addresses: dict[str, str] = {}

    async def start(self, name: str) -> None:
        """Start a node, and wait until it serves."""
        given = ("node", "--cluster", str(self.file), "--name", name, "--json", "--log", "json")
        log = self.file.with_name(f"{name}.log")
        process = self.processes[name] = await taisai(*given, log=log)
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE_SECONDS):
            line = await process.stdout.readline()
        assert line, log.read_text()
        self.addresses[name] = msgspec.json.decode(line)["address"]

    async def stand(self) -> dict[str | None, NodeStanding]:
        """Say how every node stands."""
        return {each.node: each for each in await self.standing.read()}

    async def until_left(self, name: str) -> None:
        """Wait until a node has nothing any more, and somebody has all of it."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (found := await self.stand())[name].streams or None in found:  # noqa: ASYNC110
                await asyncio.sleep(0.05)


@asynccontextmanager
async def running(url: str, directory: Path) -> AsyncIterator[Nodes]:
    """Have three nodes at work, and stop those in order that are still there."""
    create_keys(directory / "keys")
    with nats_server() as nats:
        nodes = Nodes(write_cluster(directory, url, nats.url, NODES), url, nats)
        try:
            await asyncio.gather(*map(nodes.start, NODES))
            yield nodes
        finally:
            for process in nodes.processes.values():
                if process.returncode is None:
                    process.terminate()
            await asyncio.gather(*(each.communicate() for each in nodes.processes.values()))


async def bets(address: str) -> float:
    """Count the bets that an owner has registered."""
    lines = (await fetched(address + "metrics")).decode().splitlines()
    (found,) = [line for line in lines if line.startswith("taisai_bets_total ")]
    return float(found.split()[1])


async def more_bets(*addresses: str) -> None:
    """Wait until some of these owners have registered more bets than now."""
    before = sum([await bets(each) for each in addresses])
    async with asyncio.timeout(PATIENCE_SECONDS):
        while sum([await bets(each) for each in addresses]) <= before:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def check_trouble(url: str, directory: Path) -> None:
    async with running(url, directory) as nodes:
        at_work = await nodes.stand()
        assert {*at_work["office"].streams} == {"cage", "venue", "table/chips"}
        figures = (await fetched(nodes.addresses["east"] + "metrics")).decode()
        for stream in (*at_work["east"].streams, "cage", "venue"):
            its = float(stream in at_work["east"].streams)
            assert f'taisai_owned{{stream="{stream}"}} {its}' in figures
        # A table of others is not even followed.
        for stream in at_work["west"].streams:
            assert f'taisai_events_total{{stream="{stream}"}}' not in figures
        owners = (nodes.addresses["east"], nodes.addresses["west"])
        load = ("--terminals", "8", "--seconds", "12", "--rate", "4", "--json")
        playing = asyncio.create_task(done("bots", "--address", nodes.addresses["gate-a"], *load))
        await more_bets(*owners)
        # A gateway that is killed is nothing to those at another.
        nodes.processes["gate-b"].kill()
        # What NATS loses is sent again.
        nodes.nats.kill()
        nodes.nats.start()
        await more_bets(*owners)
        # A node that is stopped loses its tables, and has none when it wakes.
        nodes.processes["east"].send_signal(signal.SIGSTOP)
        await nodes.until_left("east")
        await more_bets(nodes.addresses["west"])
        nodes.processes["east"].send_signal(signal.SIGCONT)
        # What is asked for is done between two rounds.
        await done("cluster", "move", "tai-sai", "east", "--cluster", str(nodes.file))
        async with asyncio.timeout(PATIENCE_SECONDS):
            while "table/tai-sai" not in (await nodes.stand())["east"].streams:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        nodes.processes["west"].kill()
        await nodes.until_left("west")
        said = msgspec.json.decode(await playing)
        assert said["registered"] > 0
        # Nobody was cut off by any of it, and everything was answered.
        assert (said["reconnections"], said["unanswered"]) == (0, 0)
        status = await done("cluster", "status", "--cluster", str(nodes.file))
        assert b"west: silent" in status
    ended = [each.returncode for each in nodes.processes.values()]
    assert ended == [0, 0, -signal.SIGKILL, 0, -signal.SIGKILL]
    keys = directory / "keys"
    out = await done("audit", "verify", url, "--keys", str(keys), "--json")
    assert msgspec.json.decode(out)["verified"] is True


def test_nodes_are_stopped_moved_from_and_killed_while_people_play(
    postgres_url: str, tmp_path: Path
) -> None:
    asyncio.run(check_trouble(postgres_url, tmp_path))

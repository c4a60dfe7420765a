"""Real nodes, each a process: tables are moved, nodes stopped and killed, while people play."""

import asyncio
import secrets
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Self

import httpx
import msgspec

from taisai.core.kernel.messages import Role
from taisai.runtime.keys.directory import create_keys
from taisai.runtime.ownership.stand import NodeStanding
from taisai.runtime.ownership.standing import Standing
from tests.kit.nats_server import NatsServer, nats_server
from tests.kit.timeouts import TIMEOUT_SECONDS
from tools.cluster import write_cluster

NODES: dict[str, tuple[str, ...]] = {
    "office": ("office",),
    "east": ("owner",),
    "west": ("owner",),
    "gate-a": ("gateway",),
    "gate-b": ("gateway",),
}
#: One table is played, with the shortest possible rounds; one waits for its dealer, at rest.
TABLES = {"T1": "automatic", "T2": "person"}
FLOOR = """
[[tables]]
name = "{name}"
pay_table = "etg8/2"
minimum = 100
maximum = 100_000
tumbler = "simulated"
dealer = "{dealer}"
countdown_seconds = 5
result_seconds = 0
pause_seconds = 0
"""
CHIPS = """
[[tables]]
name = "chips"
pay_table = "ts6/2"
minimum = 1_000
maximum = 50_000
step = 500
differential = 30_000
form = "chips"
[tables.chips]
values = [100, 500, 2_500, 10_000, 50_000]
seats = 1
colours = ["red"]
pieces = 10
"""


async def taisai(*given: str, log: Path | None = None) -> Process:
    """Start the program; its log goes to a file, if one is given."""
    with ExitStack() as opened:
        error = PIPE if log is None else opened.enter_context(log.open("ab"))
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "taisai", *given, stdout=PIPE, stderr=error
        )


async def done(*given: str) -> bytes:
    """Run the program to its end, which must be a success."""
    process = await taisai(*given)
    out, error = await process.communicate()
    assert process.returncode == 0, (out, error)
    return out


def new_id() -> str:
    """Make an id that begins with the time."""
    return f"{time.time_ns() // 1_000_000}-{secrets.token_hex(8)}"


class Person:
    """A member of the staff at one node, over HTTP."""

    def __init__(self, nodes: "Nodes", node: str, role: Role) -> None:
        self._role = role
        self._http = httpx.AsyncClient(base_url=nodes.addresses[node], timeout=TIMEOUT_SECONDS)
        self._pin = ""

    async def __aenter__(self) -> Self:
        told = (await self._http.post("/api/demo/staff", json={"role": self._role})).json()
        self._http.headers["authorization"] = f"Bearer {told['token']}"
        self._pin = told["pin"]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def see(self, path: str) -> Any:
        """Send a GET request, and give the content."""
        answer = await self._http.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def ask(self, path: str, **asked: str) -> tuple[int, Any]:
        """Send a POST request; gives the status and the content."""
        answer = await self._http.post(path, json={"id": new_id(), **asked})
        return answer.status_code, answer.json()

    async def grant(self, waits: Mapping[str, Any]) -> None:
        """Approve a pending command, once this node knows it."""
        asked = {"to": "venue", "pin": self._pin}
        asked |= {key: waits[key] for key in ("pending", "version")}
        await until_so(lambda: self._granted(asked))

    async def _granted(self, asked: Mapping[str, Any]) -> bool:
        answer = await self._http.post("/api/approvals", json={"id": new_id(), **asked})
        assert answer.status_code in (200, 404), answer.text
        return answer.status_code == 200


async def fetched(address: str) -> bytes:
    """Fetch a page, whatever its status."""
    async with httpx.AsyncClient(timeout=TIMEOUT_SECONDS) as http:
        return (await http.get(address)).content


async def until_so(look: Callable[[], Awaitable[bool]]) -> None:
    """Poll until a condition is true."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while not await look():  # noqa: ASYNC110 - others have no event
            await asyncio.sleep(0.05)


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
        async with asyncio.timeout(TIMEOUT_SECONDS):
            line = await process.stdout.readline()
        assert line, log.read_text()
        self.addresses[name] = msgspec.json.decode(line)["address"]

    async def start_again(self, name: str) -> int | None:
        """Start a node again once it has ended; gives its exit status."""
        former = self.processes[name]
        await former.communicate()
        await self.start(name)
        return former.returncode

    async def stand(self) -> dict[str | None, NodeStanding]:
        """Give the standing of every node."""
        return {each.node: each for each in await self.standing.read()}

    async def until_left(self, name: str) -> None:
        """Wait until a node owns nothing any more, and other nodes own all of it."""

        async def is_left() -> bool:
            return not ((found := await self.stand())[name].streams or None in found)

        await until_so(is_left)


@asynccontextmanager
async def running(url: str, directory: Path) -> AsyncIterator[Nodes]:
    """Run three nodes, and stop in order those that still run at the end."""
    create_keys(directory / "keys")
    floor = "".join(FLOOR.format(name=name, dealer=by) for name, by in TABLES.items()) + CHIPS
    with nats_server() as nats:
        nodes = Nodes(write_cluster(directory, url, nats.url, NODES, floor), url, nats)
        try:
            async with asyncio.TaskGroup() as starting:
                for name in NODES:
                    starting.create_task(nodes.start(name))
            yield nodes
        finally:
            for process in nodes.processes.values():
                if process.returncode is None:
                    process.terminate()
            await asyncio.gather(*(each.communicate() for each in nodes.processes.values()))


async def figure(address: str, name: str) -> float:
    """Read one figure of a node."""
    lines = (await fetched(address + "metrics")).decode().splitlines()
    (found,) = [line for line in lines if line.startswith(f"{name} ")]
    return float(found.split()[1])


async def bets(address: str) -> float:
    """Count the bets that an owner has registered."""
    return await figure(address, "taisai_bets_total")


async def more_bets(*addresses: str) -> None:
    """Wait until some of these owners have registered more bets than now."""
    before = sum([await bets(each) for each in addresses])

    async def are_more() -> bool:
        return sum([await bets(each) for each in addresses]) > before

    await until_so(are_more)


async def check_figures(nodes: Nodes) -> None:
    """Check that each node reports its roles and streams, and that it is ready for them."""
    at_work = await nodes.stand()
    assert {*at_work["office"].streams} == {"cage", "venue", "table/chips"}
    for name, roles in NODES.items():
        address = nodes.addresses[name]

        async def is_ready(address: str = address) -> bool:
            return bool(msgspec.json.decode(await fetched(address + "readyz"))["ready"])

        await until_so(is_ready)
        ready = msgspec.json.decode(await fetched(address + "readyz"))
        assert (ready["node"], ready["roles"]) == (name, [*roles])
        if "gateway" in roles:
            continue
        figures = (await fetched(address + "metrics")).decode()
        for role in ("office", "owner", "gateway"):
            assert f'taisai_node_role{{role="{role}"}} {float(role in roles)}' in figures
        for stream in (*at_work[name].streams, "cage", "venue"):
            its = float(stream in at_work[name].streams)
            assert f'taisai_owned{{stream="{stream}"}} {its}' in figures
        assert "taisai_heard 1.0" in figures
        assert "taisai_taken_over_total 0.0" in figures
        for age in ("beat", "followed"):
            assert await figure(address, f"taisai_{age}_age_seconds") >= 0
        before = await figure(address, "taisai_beats_total")

        async def has_beaten(address: str = address, before: float = before) -> bool:
            return await figure(address, "taisai_beats_total") > before

        await until_so(has_beaten)
    office = (await fetched(nodes.addresses["office"] + "metrics")).decode()
    assert all(f'taisai_links{{node="{name}"}} 1.0' in office for name in ("east", "west"))
    # An owner does not even follow a table of another.
    east = (await fetched(nodes.addresses["east"] + "metrics")).decode()
    for stream in at_work["west"].streams:
        assert f'taisai_events_total{{stream="{stream}"}}' not in east


async def check_node_requests(nodes: Nodes, table: str) -> None:
    """Have two persons move a table, and see through a gateway how the nodes stand."""
    async with (
        Person(nodes, "gate-a", "pit-manager") as pat,
        Person(nodes, "office", "supervisor") as sue,
    ):
        stand = await sue.see("/api/pit/nodes")
        here = {each["node"]: each["here"] for each in stand["nodes"]}
        assert here == {"office": True, "east": False, "west": False}
        gateways = {each["gateway"]: each["connected"] for each in stand["gateways"]}
        assert gateways["gate-a"] > 0
        (row,) = [each for each in stand["streams"] if each["table"] == table]
        assert (row["node"], row["could"]) == ("west", ["east"])
        for path, asked, code in (
            ("nowhere/drain", {}, "NO_SUCH_NODE"),
            ("east/move", {"stream": "table/chips"}, "NOT_ITS_ROLE"),
            ("east/move", {"stream": "table/none"}, "NO_SUCH_STREAM"),
        ):
            status, said = await pat.ask(f"/api/pit/nodes/{path}", **asked)
            assert (status, said["code"]) == (409, code)
        assert (await sue.ask("/api/pit/nodes/east/drain"))[0] == 403
        status, waits = await pat.ask("/api/pit/nodes/east/move", stream=f"table/{table}")
        assert status == 202
        await sue.grant(waits)

    async def is_there() -> bool:
        return f"table/{table}" in (await nodes.stand())["east"].streams

    await until_so(is_there)


async def check_drain(nodes: Nodes, node: str) -> None:
    """Have two persons drain a node: it leaves all its streams, and takes no more."""
    async with (
        Person(nodes, "gate-a", "pit-manager") as pat,
        Person(nodes, "office", "supervisor") as sue,
    ):
        assert (await nodes.stand())[node].streams
        status, waits = await pat.ask(f"/api/pit/nodes/{node}/drain")
        assert status == 202
        await sue.grant(waits)
        await nodes.until_left(node)
        assert (await nodes.stand())[node].draining


async def check_trouble(url: str, directory: Path) -> None:
    async with running(url, directory) as nodes:
        await check_figures(nodes)
        owners = (nodes.addresses["east"], nodes.addresses["west"])
        load = ("--terminals", "8", "--seconds", "8", "--rate", "4", "--json")
        playing = asyncio.create_task(done("bots", "--address", nodes.addresses["gate-a"], *load))
        await more_bets(*owners)
        # A gateway that is killed does not disturb people at another.
        nodes.processes["gate-b"].kill()
        # What NATS loses is sent again.
        nodes.nats.kill()
        nodes.nats.start()
        # A node that is stopped loses its tables, and owns none when it continues.
        nodes.processes["east"].send_signal(signal.SIGSTOP)
        await nodes.until_left("east")
        await more_bets(nodes.addresses["west"])
        nodes.processes["east"].send_signal(signal.SIGCONT)
        # The table is moved between two rounds.
        await check_node_requests(nodes, "T2")
        of_cluster = ("--cluster", str(nodes.file))
        await done("cluster", "drain", "east", *of_cluster)
        await nodes.until_left("east")
        assert b"east: draining" in await done("cluster", "status", *of_cluster)
        # Started again the node is no longer drained, and takes its share.
        nodes.processes["east"].terminate()
        assert await nodes.start_again("east") == 0
        nodes.processes["west"].kill()
        await nodes.until_left("west")
        assert await figure(nodes.addresses["east"], "taisai_taken_over_total") == len(TABLES)
        said = msgspec.json.decode(await playing)
        assert said["registered"] > 0
        # Nobody was disconnected by any of this, and every command was answered.
        assert (said["reconnections"], said["unanswered"]) == (0, 0)
        await done("cluster", "move", "T1", "east", *of_cluster)
        assert b"west: silent" in await done("cluster", "status", *of_cluster)
        assert await nodes.start_again("west") == -signal.SIGKILL
        await check_drain(nodes, "east")
    ended = [each.returncode for each in nodes.processes.values()]
    assert [*filter(None, ended)] == [-signal.SIGKILL]
    assert ended.count(0) == len(ended) - 1
    keys = directory / "keys"
    out = await done("audit", "verify", url, "--keys", str(keys), "--json")
    assert msgspec.json.decode(out)["verified"] is True


def test_nodes_are_stopped_moved_from_and_killed_while_people_play(
    postgres_url: str, tmp_path: Path
) -> None:
    asyncio.run(check_trouble(postgres_url, tmp_path))

"""The parts of a node: its plan, its lanes to others, its figures, and the shared credentials."""

import asyncio
from collections import Counter
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import asyncpg
import msgspec
import pytest
from msgspec.structs import replace

from taisai.core.kernel.messages import Actor, Order
from taisai.core.rules.reason import refuse
from taisai.core.table.round import OpenBets
from taisai.runtime.answers import Answer, read_refusal
from taisai.runtime.journal.postgres_schema import BEGIN_ALONE
from taisai.runtime.ownership.standing import Standing
from taisai.runtime.ownership.tenure import Tenure, Terms
from taisai.runtime.recovery import StartupError
from taisai.server.accounts.credentials import (
    Code,
    Credentials,
    CredentialsError,
    Verifiers,
    credentials_key,
)
from taisai.server.accounts.shared_credentials import _MAKE, SharedCredentials
from taisai.server.lanes.nats import Nats
from taisai.server.lanes.transport import Receiver, Transport
from taisai.server.metrics import _Figures
from taisai.server.nodes import seen, switchboard
from taisai.server.nodes.cluster import read_cluster
from taisai.server.nodes.links import ANSWER, ORDER, Link, Links
from taisai.server.nodes.switchboard import Authentic, Call, Switchboard, options_of
from tests.kit.carriers import Carrier
from tests.kit.floor import run, until
from tests.kit.lanes import Side

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "cluster.toml"
PAGE = (EXAMPLE.parents[1] / "docs" / "cluster.md").read_text("utf-8")
KEY = credentials_key(bytes(range(32)))


# --- the plan -----------------------------------------------------------------------------------


def test_the_example_is_a_cluster_of_three() -> None:
    cluster = read_cluster(EXAMPLE)
    assert [each.name for each in cluster.node] == ["office", "east", "west"]
    assert cluster.gateways == 4
    assert cluster.addresses == ("https://one.house", "https://two.house", "https://three.house")
    assert cluster.with_roles("west", ["gateway"]).of("west").roles == ("gateway",)


def test_every_key_is_explained() -> None:
    cluster = read_cluster(EXAMPLE)
    for kind in (cluster, cluster.node[0], cluster.nats):
        for key in kind.__struct_fields__:
            assert f"`{key}`" in PAGE or f"`[[{key}]]`" in PAGE


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "east"', 'name = "west"', "two nodes are named west; each has a name of its own"),
        ('name = "east"', 'name = "*"', r"'\*' is no name of a node"),
        ('name = "east"', 'name = "ea.st"', r"'ea\.st' is no name of a node"),
        ("user =", 'prefix = ""\nuser =', "nats.prefix is ''; one is like taisai"),
        ("user =", 'prefix = "a b"\nuser =', "nats.prefix is 'a b'"),
        ("user =", 'prefix = "a.>"\nuser =', "nats.prefix is 'a.>'"),
        ("user =", 'prefix = "a\\r\\nPUB b"\nuser =', "nats.prefix is "),
        ('roles = ["owner", "gateway"]', 'roles = ["owner", "owner"]', "west has a role twice"),
        ("gateways = 2", "gateways = 0", r"Expected `int` >= 1 - at `\$\.node\[1\]\.gateways`"),
        ("gateways = 2", "gateways = 100", "Expected `int` <= 64"),
        ('servers = ["tls://nats.house:4222"]', "servers = []", "names no server"),
        ('roles = ["owner", "gateway"]', "roles = []", "has no role"),
        ('roles = ["owner", "gateway"]', 'roles = ["king"]', "Invalid enum value 'king'"),
        ('"owner"', '"gateway"', 'no node has the role "owner"'),
        ('"gateway"', '"owner"', 'no node has the role "gateway"'),
        ("gateways = 2", "gateway = 2", "unknown field"),
        ("journal =", "journal", "Expected '='"),
    ],
)
def test_a_plan_that_cannot_be_used_says_why(tmp_path: Path, old: str, new: str, said: str) -> None:
    file = tmp_path / "cluster.toml"
    file.write_text(EXAMPLE.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(StartupError, match=said):
        read_cluster(file)


def test_what_is_not_there_is_said() -> None:
    cluster = read_cluster(EXAMPLE)
    with pytest.raises(StartupError, match="there are office, east, west"):
        cluster.of("north")
    with pytest.raises(StartupError, match="roles are gateway, owner and office"):
        cluster.with_roles("west", ["king"])
    with pytest.raises(StartupError, match="cannot be read"):
        read_cluster(Path("nowhere.toml"))
    with pytest.raises(StartupError, match=r"nats: /etc/taisai/nats\.password cannot"):
        options_of(cluster.nats)


def test_secrets_of_nats_are_read_from_files(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("secret\n", "utf-8")
    plan = replace(read_cluster(EXAMPLE).nats, password_file=str(file))
    options = options_of(plan)
    assert (options.user, options.password, options.token) == ("taisai", "secret", None)
    assert options.authority == Path("/etc/taisai/authority.crt")


# --- lanes between nodes --------------------------------------------------------------------------


class Heard(Receiver):
    """Records the messages it receives."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []
        self.transport: Transport | None = None

    def connected(self, transport: Transport) -> None:
        self.transport = transport

    def received(self, message: bytes) -> None:
        self.messages.append(message)

    def lost(self) -> None:
        self.transport = None


class Wire(Transport):
    """Records the messages that one end sends; the test delivers them, changed or not."""

    lossy = False

    def __init__(self) -> None:
        self.to: Receiver | None = None
        self.sent: list[bytes] = []
        self.closed = False

    def send(self, message: bytes) -> None:
        self.sent.append(message)

    def close(self) -> None:
        self.closed = True


def joined(
    one: bytes, other: bytes, name: str = "lane"
) -> tuple[Authentic, Heard, Wire, Authentic, Heard, Wire]:
    """Connect two ends that have a key each."""
    heard, heard_there, wire, wire_there = Heard(), Heard(), Wire(), Wire()
    here = Authentic(one, name, heard, calls=True)
    there = Authentic(other, name, heard_there, calls=False)
    here.connected(wire)
    there.connected(wire_there)
    return here, heard, wire, there, heard_there, wire_there


def test_messages_are_those_of_somebody_with_the_key() -> None:
    here, heard, wire, there, heard_there, wire_there = joined(KEY, KEY)
    here.send(b"one")
    here.send(b"two")
    for message in wire.sent:
        there.received(message)
    there.send(b"three")
    here.received(wire_there.sent[0])
    assert (heard_there.messages, heard.messages) == ([b"one", b"two"], [b"three"])
    there.lost()
    assert heard_there.transport is None


def test_what_is_of_another_lane_or_side_or_without_the_key_is_not_heard() -> None:
    here, heard, wire, there, heard_there, _ = joined(KEY, KEY)
    here.send(b"one")
    (message,) = wire.sent
    # Back to its sender, with another key, and by a lane of another name.
    here.received(message)
    assert heard.messages == []
    for receiver in (joined(KEY, bytes(32))[3:5], joined(KEY, KEY, "other")[3:5]):
        receiver[0].received(message)
        assert receiver[1].messages == []
    there.received(message)
    assert heard_there.messages == [b"one"]


def test_a_lane_that_cannot_be_looked_after_keeps_no_other_from_signs_of_life(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(switchboard, "LOOK_SECONDS", 0.0)

    async def story() -> None:
        nats = SimpleNamespace(connected=True)
        board = Switchboard(cast("Nats", nats), "taisai", "gate", None)
        bad, good = Side().lane, Side().lane
        monkeypatch.setattr(bad, "sign_of_life", lambda: 1 / 0)
        carrier = Carrier()
        good.connected(carrier)
        for lane in (bad, good):
            board._lanes[lane] = asyncio.get_running_loop().time()
        await until(lambda: len(carrier.sent) > 1)
        # A repeated task goes on too, even if it fails once.
        times: list[int] = []

        def trip_at_first() -> None:
            times.append(len(times))
            assert len(times) > 1

        board.repeat(trip_at_first, 0.0)
        await until(lambda: len(times) > 2)
        # A background task that ends with an error is logged.
        board.spawn(trip())
        await until(lambda: "what was done beside has ended" in caplog.text)
        for task in [*board._tasks]:
            task.cancel()

    async def trip() -> None:
        raise ValueError("a fault of ours")

    run(story())


def test_what_another_node_asks_for_and_cannot_be_done_is_answered() -> None:
    async def story() -> None:
        def trip(*_: object) -> None:
            raise ValueError("a fault of ours")

        node: Any = SimpleNamespace(name="east", owns=lambda _: True, submit_then=trip)
        links = Links(node, cast(Any, None), [])
        side, there = Side(), Carrier()
        lane = links.takes(Call("office", "first", is_node=True, half=""))
        there.to, back = lane, Carrier()
        back.to = side.lane
        side.lane.connected(there)
        lane.connected(back)
        order = msgspec.json.encode(Order("1", Actor("Ann", "dealer"), OpenBets()))
        side.lane.put(ORDER, 1, msgspec.msgpack.encode(("table/T1", order)))
        side.lane.put(ORDER, 2, msgspec.msgpack.encode(("table/T1", b"{}")))
        await until(lambda: len(side.taken) == 2)
        assert [(kind, number) for kind, number, _ in side.taken] == [(ANSWER, 1), (ANSWER, 2)]
        for _, _, data in side.taken:
            refusal, *_ = msgspec.msgpack.decode(data)
            assert read_refusal(refusal).code == "RETRY"
        assert not lane.broken

    run(story())


def test_callers_that_wait_over_a_lane_are_all_answered_when_it_is_lost() -> None:
    async def story() -> None:
        def trip(_: Answer) -> None:
            raise ValueError("a fault of ours")

        link, answers = Link(asyncio.Event()), list[Answer]()
        link.waiting = {1: ("table/T1", trip), 2: ("table/T1", answers.append)}
        link.lane.give_up("the node was started again")
        assert answers == [refuse("RETRY")]
        assert not link.waiting

    run(story())


# --- figures ------------------------------------------------------------------------------------


def test_how_a_node_is_goes_by_its_last_beat_and_by_what_it_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(seen, "time", SimpleNamespace(monotonic=lambda: 100.0))
    tenure = Tenure("east", Terms(), {})
    tenure.deadline = 100.5
    beaten = SimpleNamespace(tenure=tenure, beats=7, beaten_at=99.75, taken_over=2, seen=None)
    node: Any = SimpleNamespace(name="east", ownership=beaten, followed_at=96.0)
    links: Any = SimpleNamespace(peers=["office"], reached=lambda: ["office"])
    nodes = seen.NodesSeen(node, ("owner",), links, Standing("nowhere"))
    figures = _Figures(cast(Any, SimpleNamespace(nodes=nodes)), Counter(), Counter())

    def shown() -> dict[str, float]:
        samples = [each for metric in figures._nodes() for each in metric.samples]
        return {each.name: each.value for each in samples if "role" not in each.labels}

    assert shown() == {
        "taisai_heard": 1.0,
        "taisai_beat_age_seconds": 0.25,
        "taisai_beats_total": 7.0,
        "taisai_followed_age_seconds": 4.0,
        "taisai_taken_over_total": 2.0,
        "taisai_links": 1.0,
    }
    # No beat was answered for so long that the node may not decide.
    tenure.deadline = 100.0
    assert shown()["taisai_heard"] == 0.0


# --- credentials ----------------------------------------------------------------------------------


def shared(url: str, file: Path) -> None:
    with closing(Credentials.open(file, KEY)) as before:
        before.set_keys([("T1", "T1-1", b"h" * 32, 4)])
    one, other = SharedCredentials.join(url, KEY, file), SharedCredentials.join(url, KEY)
    with closing(one), closing(other):
        assert other.keys() == {("T1", "T1-1"): (b"h" * 32, 4)}
        one.set_code("ann", Code(b"c" * 32, 9, 2))
        one.set_verifiers("ann", Verifiers("p", "q", 3))
        assert other.verifiers("ann") is None
        asyncio.run(other.read_again())
        assert other.verifiers("ann") == Verifiers("p", "q", 3)
        assert other.code("ann") is None
        one.forget("ann")
        asyncio.run(other.read_again())
        assert other.persons() == []


def test_credentials_are_shared_and_begin_with_those_of_a_file(
    postgres_url: str, tmp_path: Path
) -> None:
    asyncio.run(_namespace(postgres_url))
    shared(postgres_url, tmp_path / "credentials")
    # Rows that the venue has not written itself are rejected.
    asyncio.run(_alter(postgres_url))
    with pytest.raises(CredentialsError, match="was not written by this venue"):
        SharedCredentials.join(postgres_url, KEY)
    with pytest.raises(CredentialsError, match="cannot be used"):
        SharedCredentials.join("postgresql://nobody@127.0.0.1:1/none", KEY)


def test_nodes_that_begin_at_once_make_the_credentials_once(postgres_url: str) -> None:
    async def begin() -> None:
        connection = await asyncpg.connect(postgres_url)
        async with connection.transaction():
            await connection.execute(BEGIN_ALONE)
            await connection.execute(_MAKE)
            joining = asyncio.create_task(
                asyncio.to_thread(SharedCredentials.join, postgres_url, KEY)
            )
            while not await connection.fetchval(WAITS):
                assert not joining.done()
                await asyncio.sleep(0)
        (await joining).close()
        await connection.close()

    asyncio.run(_namespace(postgres_url))
    asyncio.run(begin())


#: Whether another connection waits for a lock.
WAITS = "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid())"


async def _namespace(url: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute("CREATE SCHEMA IF NOT EXISTS taisai")
    await connection.close()


async def _alter(url: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(
        "UPDATE taisai.credentials SET row = set_byte(row, 4, get_byte(row, 4) # 1)"
    )
    await connection.close()

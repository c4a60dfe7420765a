"""What a node refuses to start with: settings, a journal that is not for it, other keys."""

import asyncio
import logging
from pathlib import Path

import asyncpg
import pytest

from taisai.core.errors import SentenceError
from taisai.core.venue.staff import EngageStaff
from taisai.runtime import node as runtime_node
from taisai.runtime.answers import HOST
from taisai.runtime.journal.postgres import PostgresJournal
from taisai.runtime.keys.directory import create_keys, load_keys
from taisai.runtime.ownership.standing import Standing
from taisai.runtime.recovery import StartupError
from taisai.runtime.streams import VENUE
from taisai.server.floor import found
from taisai.server.floor_plan import VenuePlan
from taisai.server.nodes import stopping
from taisai.server.nodes.checks import check_node
from taisai.server.nodes.cluster import read_cluster, settings_of
from taisai.server.nodes.process import serve_node
from tests.kit.floor import Floor, run, until
from tests.kit.nats_server import NatsServer, nats_server
from tests.kit.servers import demo_settings
from tests.kit.timeouts import TIMEOUT_SECONDS
from tests.nodes.cluster import PATIENT
from tests.nodes.plans import NODES, plan_at, refused

EVERYWHERE = ".".join("0000")


def checked(file: Path, name: str) -> None:
    """Check the settings of a node as it does at its start."""
    cluster = read_cluster(file)
    plan = cluster.of(name)
    check_node(cluster, plan, settings_of(cluster, plan, None))


@pytest.mark.parametrize(
    ("added", "told"),
    [
        ({"gate": 'proxies = ["bla"]'}, "node gate: the proxy 'bla' is no address"),
        ({"gate": 'address = "junk"'}, "node gate: 'junk' is no address of a venue"),
        ({"gate": 'hosts = ["a b/c"]'}, "node gate: 'a b/c' is no name under which"),
        ({"gate": 'private_key = "k"'}, "node gate: a certificate and its private key go together"),
        ({"gate": 'certificate = "c"\nprivate_key = "k"'}, "gate: there is no certificate c"),
        ({"gate": 'certificate = "junk"\nprivate_key = "junk"'}, "gate: .*junk cannot be used"),
        ({"to_nats": 'authority = "none"'}, "the authority none cannot be used"),
        ({"to_nats": 'password_file = "none"'}, "nats: none cannot be read: No such file"),
    ],
)
def test_settings_that_cannot_be_used_are_refused_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, added: dict[str, str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("junk").write_text("junk", "utf-8")
    with pytest.raises(SentenceError, match=told):
        checked(plan_at(tmp_path, added=added), "gate")
    with pytest.raises(SentenceError, match="'nats://h:abc' is no address of a NATS server"):
        checked(plan_at(tmp_path, nats="nats://h:abc"), "gate")


@pytest.mark.parametrize("url", ["", "mysql://u@h/x", "venue.sqlite"])
def test_owners_and_offices_need_the_database_that_they_share(tmp_path: Path, url: str) -> None:
    file = plan_at(tmp_path, url)
    checked(file, "gate")
    for name in ("office", "east"):
        with pytest.raises(StartupError, match=r"journal .* is the database that the nodes share"):
            checked(file, name)


@pytest.mark.parametrize("name", NODES)
def test_no_node_of_a_demo_starts_while_one_of_them_is_on_the_network(
    tmp_path: Path, name: str
) -> None:
    text = plan_at(tmp_path, added={"gate": f'host = "{EVERYWHERE}"'})
    with pytest.raises(
        StartupError, match=r"node gate: a demo lets anybody in.*0\.0\.0\.0 is none"
    ):
        checked(text, name)
    checked(plan_at(tmp_path, added={"gate": f'host = "{EVERYWHERE}"'}, demo=False), name)


# --- a journal that is not for these nodes --------------------------------------------------------


async def fetched(url: str, sql: str) -> object:
    """Ask the database something."""
    database = await asyncpg.connect(url)
    try:
        return await database.fetchval(sql)
    finally:
        await database.close()


async def begun(url: str, keys: Path, *, demo: bool, person: str = "") -> None:
    """Found a venue in a database, with one person on its staff or nobody, and stop it."""
    journal = await PostgresJournal.open(url, node="before")
    floor = await Floor.open(journal, load_keys(keys))
    await found(floor.venue, VenuePlan(), demo=demo)
    if person:
        await floor.do(VENUE, HOST, EngageStaff(person, ("shift-manager",), person, "Bob Tan"))
    await floor.venue.stop()


@pytest.mark.parametrize("name", ["office", "east"])
def test_nodes_found_no_real_venue(postgres_url: str, tmp_path: Path, name: str) -> None:
    async def story(nats: NatsServer) -> None:
        create_keys(tmp_path / "keys")
        file = plan_at(tmp_path, postgres_url, nats.url, demo=False)
        told = await refused(file, name)
        assert told.startswith("there is no venue yet in postgresql://")
        assert f"'taisai serve --data {tmp_path / 'office'}'" in told
        # Nothing was written.
        assert await fetched(postgres_url, "SELECT to_regnamespace('taisai') IS NULL")
        await begun(postgres_url, tmp_path / "keys", demo=False)
        told = await refused(file, name)
        assert told.startswith("there is nobody on the staff yet in postgresql://")

    with nats_server() as nats:
        run(story(nats))


@pytest.mark.parametrize("demo", [True, False])
def test_nodes_open_no_journal_of_the_other_kind(
    postgres_url: str, tmp_path: Path, demo: bool
) -> None:
    async def story() -> None:
        create_keys(tmp_path / "keys")
        await begun(postgres_url, tmp_path / "keys", demo=demo)
        file = plan_at(tmp_path, postgres_url, demo=not demo)
        sentence = "is of a demo venue, and opens with --demo alone" if demo else "never opens with"
        for name in ("office", "east"):
            assert sentence in await refused(file, name)
        nodes = "SELECT count(*) FROM taisai.nodes WHERE roles <> '{}'"
        assert await fetched(postgres_url, nodes) == 0

    run(story())


def test_a_demo_that_has_begun_is_given_no_second_keys(postgres_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        create_keys(tmp_path / "keys")
        await begun(postgres_url, tmp_path / "keys", demo=True)
        file = plan_at(tmp_path, postgres_url)
        (tmp_path / "keys").rename(tmp_path / "moved")
        told = await refused(file, "east")
        assert told.startswith(
            f"there are no keys in {tmp_path / 'keys'}, and the journal was begun"
        )
        assert not (tmp_path / "keys").exists()

    run(story())


def test_a_node_with_other_keys_is_told_where_it_has_them_from(
    postgres_url: str, tmp_path: Path
) -> None:
    async def story(nats: NatsServer) -> None:
        create_keys(tmp_path / "right")
        create_keys(tmp_path / "keys")
        await begun(postgres_url, tmp_path / "right", demo=True)
        told = await refused(plan_at(tmp_path, postgres_url, nats.url), "east")
        assert "which is none of this venue's" in told
        assert f"are those of {tmp_path / 'keys' / 'signing.history'}" in told

    with nats_server() as nats:
        run(story(nats))


def test_a_node_with_other_keys_ends_once_another_has_signed(
    postgres_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(runtime_node, "Terms", lambda: PATIENT)
    monkeypatch.setattr(stopping, "WAIT_SECONDS", 0.0)
    caplog.set_level(logging.INFO)

    async def story(nats: NatsServer) -> None:
        for name in ("keys", "others"):
            create_keys(tmp_path / name)
        file, wrong = plan_at(tmp_path, postgres_url, nats.url), tmp_path / "wrong.toml"
        own = f'data = "{tmp_path / "east"}"\nkeys = "{tmp_path / "keys"}"'
        other = own.replace(str(tmp_path / "keys"), str(tmp_path / "others"))
        wrong.write_text(file.read_text("utf-8").replace(own, other), "utf-8")
        # It joins before the office signs.
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        owner = loop.create_task(refused(wrong, "east"))
        await until(lambda: "this node waits for a node with the role office" in caplog.text)
        office = loop.create_task(serve_node(read_cluster(file), "office", lambda _: None, stop))
        assert f"are those of {tmp_path / 'others' / 'signing.history'}" in await owner
        stop.set()
        await office

    with nats_server() as nats:
        run(story(nats))


def test_the_office_of_a_venue_founded_before_adds_the_tables_of_the_plan(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime_node, "Terms", lambda: PATIENT)

    async def story(nats: NatsServer) -> None:
        create_keys(tmp_path / "keys")
        await begun(postgres_url, tmp_path / "keys", demo=False, person="Ann Lee")
        tables = demo_settings(tmp_path / "floor", "etg8/1", seconds=5, dealer="person").tables
        file = plan_at(tmp_path, postgres_url, nats.url, demo=False)
        file.write_text(f'tables = "{tables}"\n{file.read_text("utf-8")}', "utf-8")
        stop, ready = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()
        nodes = [
            loop.create_task(serve_node(read_cluster(file), name, lambda _: None, stop))
            for name in ("east", "gate")
        ]
        nodes.append(
            loop.create_task(serve_node(read_cluster(file), "office", lambda _: ready.set(), stop))
        )
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await ready.wait()
        streams = [each.stream for each in (await Standing(postgres_url).look()).streams]
        assert streams == ["cage", "table/T1", "venue"]
        stop.set()
        await asyncio.gather(*nodes)

    with nats_server() as nats:
        run(story(nats))

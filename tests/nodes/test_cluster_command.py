"""`taisai cluster`: nodes that are draining or silent, and streams that nobody could take."""

import asyncio
from pathlib import Path

import asyncpg
import pytest

from taisai.cli import main
from taisai.runtime.journal.lease import NodeLeases
from taisai.runtime.journal.postgres import PostgresJournal
from tools.cluster import write_cluster

NODES: dict[str, tuple[str, ...]] = {
    "office": ("office",),
    "east": ("owner",),
    "west": ("owner",),
    "gate": ("gateway",),
}
#: All nodes are heard of just now; the office has the venue's stream, east has a table.
BEGUN = """
UPDATE taisai.nodes SET heard = now() + interval '1 hour', draining = false;
INSERT INTO taisai.owners (stream, role, node)
VALUES ('venue', 'office', 'office'), ('table/T1', 'owner', 'east')
"""
WANTED = "SELECT wanted FROM taisai.owners WHERE stream = 'table/T1'"
SILENT = "UPDATE taisai.nodes SET heard = now() - interval '1 hour' WHERE node = 'west'"
DRAINING = "UPDATE taisai.nodes SET draining = true WHERE node = 'west'"


async def told(url: str, sql: str) -> object:
    """Change the database, or ask it."""
    database = await asyncpg.connect(url)
    try:
        if sql.startswith("SELECT"):
            return await database.fetchval(sql)
        return await database.execute(sql)
    finally:
        await database.close()


@pytest.fixture
def plan(postgres_url: str, tmp_path: Path) -> str:
    """Give the plan of a cluster whose nodes are in its database."""

    async def begin() -> None:
        for name, roles in NODES.items():
            if roles != ("gateway",):
                leases = NodeLeases(name, roles, signs_by="venue")
                await (await PostgresJournal.open(postgres_url, node=leases)).close()
        await told(postgres_url, BEGUN)

    asyncio.run(begin())
    return str(write_cluster(tmp_path, postgres_url, "nats://127.0.0.1:1", NODES))


def cluster(*given: str) -> int:
    """Run the command."""
    return main(["cluster", *given])


def test_a_node_that_is_not_heard_of_is_silent_draining_or_not(
    postgres_url: str, plan: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(told(postgres_url, DRAINING))
    assert cluster("status", "--cluster", plan) == 0
    assert "west: draining; roles: owner; 0 streams" in capsys.readouterr().out
    asyncio.run(told(postgres_url, SILENT))
    assert cluster("status", "--cluster", plan) == 0
    out = capsys.readouterr().out
    assert "west: silent; roles: owner; 0 streams" in out
    assert "east: at work; roles: owner; 1 streams" in out


@pytest.mark.parametrize(
    ("change", "said"),
    [(SILENT, "the node west is not heard of"), (DRAINING, "the node west is draining")],
)
def test_nothing_is_moved_to_a_node_that_would_not_take_it(
    postgres_url: str, plan: str, capsys: pytest.CaptureFixture[str], change: str, said: str
) -> None:
    assert cluster("move", "T1", "west", "--cluster", plan) == 0
    assert asyncio.run(told(postgres_url, WANTED)) == "west"
    assert cluster("move", "T1", "east", "--cluster", plan) == 0
    asyncio.run(told(postgres_url, change))
    capsys.readouterr()
    assert cluster("move", "T1", "west", "--cluster", plan) == 1
    assert said in capsys.readouterr().err
    assert asyncio.run(told(postgres_url, WANTED)) is None


def test_a_node_that_nobody_can_follow_keeps_what_it_has(
    postgres_url: str, plan: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cluster("drain", "east", "--cluster", plan) == 0
    assert "east leaves its streams to the others" in capsys.readouterr().out
    asyncio.run(told(postgres_url, SILENT))
    assert cluster("drain", "east", "--cluster", plan) == 0
    out = capsys.readouterr().out
    assert "no other node that is at work can take table/T1, so it keeps that until one can" in out
    assert cluster("drain", "office", "--cluster", plan, "--json") == 0
    assert '"kept": [\n  "venue"\n ]' in capsys.readouterr().out


def test_a_plan_without_a_database_and_a_server_that_hangs_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write_cluster(tmp_path, "", "nats://127.0.0.1:1", NODES)
    assert cluster("status", "--cluster", str(file)) == 1
    assert "journal in cluster.toml is the database" in capsys.readouterr().err

    async def hangs(*_: object, **__: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(asyncpg, "connect", hangs)
    file = write_cluster(tmp_path, "postgresql://h/x", "nats://127.0.0.1:1", NODES)
    assert cluster("status", "--cluster", str(file)) == 1
    assert "the nodes cannot be asked: TimeoutError" in capsys.readouterr().err

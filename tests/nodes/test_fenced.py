"""A node whose name another process has taken: it ends, and leaves the other process alone."""

import asyncio
from pathlib import Path

import asyncpg
import pytest

from taisai.core.errors import SentenceError
from taisai.runtime import node as runtime_node
from taisai.runtime.keys.directory import create_keys
from taisai.server.nodes.cluster import read_cluster
from taisai.server.nodes.process import serve_node
from tests.kit.floor import run
from tests.kit.nats_server import nats_server
from tests.kit.servers import demo_settings
from tests.kit.timeouts import TIMEOUT_SECONDS
from tests.nodes.cluster import PATIENT
from tools.cluster import write_cluster


def test_a_node_whose_name_another_has_ends_with_a_sentence(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime_node, "Terms", lambda: PATIENT)
    create_keys(tmp_path / "keys")

    async def story(nats: str) -> None:
        tables = demo_settings(tmp_path / "floor", "etg8/1", seconds=5, dealer="automatic").tables
        roles = {"alone": ("office", "owner", "gateway")}
        file = write_cluster(tmp_path, postgres_url, nats, roles)
        file.write_text(f'tables = "{tables}"\n{file.read_text("utf-8")}', "utf-8")
        ready = asyncio.Event()
        work = serve_node(read_cluster(file), "alone", lambda _: ready.set(), asyncio.Event())
        node = asyncio.get_running_loop().create_task(work)
        waiting = asyncio.get_running_loop().create_task(ready.wait())
        await asyncio.wait([node, waiting], return_when=asyncio.FIRST_COMPLETED)
        database = await asyncpg.connect(postgres_url)
        # As another process does that joins by the same name.
        await database.execute("UPDATE taisai.nodes SET fence = fence + 1, draining = FALSE")
        with pytest.raises(SentenceError, match="another process has the name of the node alone"):
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await node
        # It neither drains the other process nor leaves streams that are the other's by now.
        assert await database.fetchval("SELECT draining FROM taisai.nodes") is False
        left = "SELECT count(*) FROM taisai.owners WHERE node IS NULL AND stream <> '*'"
        assert await database.fetchval(left) == 0
        await database.close()

    with nats_server() as nats:
        run(story(nats.url))

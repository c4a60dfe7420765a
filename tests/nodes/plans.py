"""Plans of small clusters for tests, and nodes that do not open."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from taisai.core.errors import SentenceError
from taisai.server.nodes.cluster import read_cluster
from taisai.server.nodes.process import serve_node
from tests.kit.timeouts import TIMEOUT_SECONDS
from tools.cluster import write_cluster

NODES: dict[str, tuple[str, ...]] = {
    "office": ("office",),
    "east": ("owner",),
    "gate": ("gateway",),
}
NOBODY = "nats://127.0.0.1:1"


def plan_at(
    directory: Path,
    url: str = "postgresql://nobody@127.0.0.1:1/none",
    nats: str = NOBODY,
    *,
    demo: bool = True,
    added: Mapping[str, str] = MappingProxyType({}),
) -> Path:
    """Write the plan of a cluster, with lines added to the part of NATS or of a node."""
    file = write_cluster(directory, url, nats, NODES)
    text = file.read_text("utf-8").replace("demo = true", f"demo = {str(demo).lower()}")
    for name, lines in added.items():
        first = "[nats]" if name == "to_nats" else f'name = "{name}"'
        text = text.replace(first, f"{first}\n{lines}")
    file.write_text(text, "utf-8")
    return file


async def refused(file: Path, name: str) -> str:
    """Start a node that does not open; give the sentence."""
    ready: list[str] = []
    with pytest.raises(SentenceError) as told:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await serve_node(read_cluster(file), name, ready.append, asyncio.Event())
    assert ready == []
    return str(told.value)

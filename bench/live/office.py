"""The office of a bench's cluster as a process, with the dealer of its tables."""

import asyncio
from pathlib import Path
from typing import Any

from bench.live.children import answer_lines, run_child

from taisai.core.kernel.messages import Actor, Command, Order
from taisai.core.table.round import CloseBets, ConfirmResult, EnterResult, OpenBets, Settle
from taisai.core.table.tumble import RecordTumble
from taisai.runtime.answers import AHEAD_MS, Registered
from taisai.runtime.operations.process import prepare
from taisai.runtime.streams import table_stream
from taisai.server.listening import listen, raise_files
from taisai.server.nodes.cluster import read_cluster, settings_of
from taisai.server.nodes.node import Node
from taisai.server.nodes.process import serve


class DealingOffice:
    """A running office, which moves tables and deals at them."""

    def __init__(self, node: Node) -> None:
        self._node = node

    async def place(self, tables: dict[str, str]) -> dict[str, Any]:
        """Move each table to its node, and wait until ids are known there."""
        runtime = self._node.runtime
        for table, node in tables.items():
            await runtime.rows.want(table_stream(table), node)
        for table, node in tables.items():
            while runtime.owner_of(table_stream(table)) != node:  # noqa: ASYNC110 - by beats
                await asyncio.sleep(0.05)
        # It has the lease by then; it still has to read the table back.
        await asyncio.sleep(AHEAD_MS / 1_000 + 1)
        return {}

    async def open_bets(self, tables: list[str]) -> dict[str, Any]:
        """Open a round at each table."""
        return await self._deal(tables, OpenBets())

    async def finish_round(self, tables: list[str]) -> dict[str, Any]:
        """Close the bets and settle the round at each table."""
        closing = CloseBets(bell=True), RecordTumble(3), EnterResult((1, 2, 3))
        return await self._deal(tables, *closing, ConfirmResult(), Settle())

    async def _deal(self, tables: list[str], *commands: Command) -> dict[str, Any]:
        runtime = self._node.runtime
        for table in tables:
            for command in commands:
                id_ = f"{runtime.clock.now()}-{type(command).__name__}"
                order = Order(id_, Actor("dan", "dealer"), command)
                answer = await runtime.submit(table_stream(table), order)
                assert isinstance(answer, Registered), answer
        return {}


async def main(arguments: list[str]) -> None:
    """Run the office of the cluster of a plan file until the bench closes the pipe."""
    raise_files()
    told, answering = asyncio.Event(), []
    cluster = read_cluster(Path(arguments[0]))
    plan = cluster.of("office")
    settings = settings_of(cluster, plan, None)
    node = Node(cluster, plan, settings)
    office = DealingOffice(node)

    def ready() -> None:
        prepare()
        names = ("place", "open_bets", "finish_round")
        questions = answer_lines({name: getattr(office, name) for name in names})
        answering.append(asyncio.create_task(questions))
        answering[0].add_done_callback(lambda _: told.set())

    try:
        await node.open(told)
        with listen(settings.host, settings.port) as listening:
            await serve(node, listening, ready, told)
    finally:
        await node.close()
    if node.fenced is not None:
        raise node.fenced
    await answering[0]


if __name__ == "__main__":
    run_child(main)

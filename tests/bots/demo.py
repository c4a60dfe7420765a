"""A demo house for bots: a real server on a free port, and tables whose rounds are short."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from taisai.server.application import Application
from taisai.server.process import serve
from taisai.server.settings import Settings

_TABLE = """
[[tables]]
name = "{name}"
pay_table = "{pay_table}"
minimum = 100
maximum = {maximum}
tumbler = "simulated"
dealer = "{dealer}"
countdown_seconds = {seconds}
result_seconds = 0
pause_seconds = 0
"""


@asynccontextmanager
async def served(settings: Settings) -> AsyncIterator[tuple[str, Application]]:
    """Serve a house as the program does, and stop it politely in the end."""
    ready: asyncio.Future[tuple[str, Application]] = asyncio.get_running_loop().create_future()
    told = asyncio.Event()
    opened = serve(settings, lambda *found: ready.set_result(found), told)
    serving = asyncio.ensure_future(opened)
    either: list[asyncio.Future[Any]] = [serving, ready]
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    if serving.done():
        serving.result()
    try:
        yield ready.result()
    finally:
        told.set()
        await serving


def demo_settings(
    data: Path, *pay_tables: str, seconds: float = 0.5, maximum: int = 1_000_000, dealer: str = ""
) -> Settings:
    """Set a demo house up with a table T1, T2, … for each pay table."""
    tables = data.with_suffix(".toml")
    tables.write_text(
        "".join(
            _TABLE.format(
                name=f"T{number}",
                pay_table=each,
                seconds=seconds,
                maximum=maximum,
                dealer=dealer or "automatic",
            )
            for number, each in enumerate(pay_tables, 1)
        )
    )
    return Settings(data, port=0, demo=True, tables=tables, countdown_min_seconds=0.1)

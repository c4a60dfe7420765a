"""What routes are given: the venue they stand in, and what they share in asking it.

A state may be ahead of the disk. Nothing of it is shown before it is durable.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

from litestar.di import NamedDependency
from litestar.params import PathParameter, QueryParameter, SkipValidation

from taisai.core.rules.reason import refuse
from taisai.core.table.state import TableState
from taisai.protocol.client_messages import Language
from taisai.runtime.publisher import Published
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import table_of, table_stream
from taisai.server.application import Application
from taisai.server.http.frame.problems import RefusedError, busy, not_found

#: What a route writes for its parameter `application`: they are made once, and given as they are.
TheApplication = NamedDependency[SkipValidation[Application]]

#: How long an answer waits for what it shows to be on disk.
DURABLE_SECONDS = 5.0
#: The largest whole number that every reader of JSON takes as it stands.
WHOLE_MAX = 2**53 - 1

InLanguage = Annotated[Language, QueryParameter(description="the language of sentences and names")]
TableName = Annotated[str, PathParameter(max_length=64, description="a table, by its name")]


def tables_of(runtime: Runtime) -> list[str]:
    """Name the tables of a venue."""
    return sorted(table for stream in runtime.tables() if (table := table_of(stream)) is not None)


def find_table(runtime: Runtime, table: str) -> str:
    """Find the stream of a table, or say which tables there are."""
    stream = table_stream(table)
    if stream not in runtime.tables():
        there = ", ".join(tables_of(runtime)) or "none yet"
        raise not_found("UNKNOWN_TABLE", f"there is no such table; there are: {there}")
    return stream


def find_open(runtime: Runtime, table: str) -> str:
    """Find the stream of a table that is not suspended: of one that is, nothing can be shown."""
    stream = find_table(runtime, table)
    check_open(runtime, stream)
    return stream


def is_suspended(runtime: Runtime, table: str) -> bool:
    """Say whether a table is suspended."""
    return runtime.writer(table_stream(table)).suspended is not None


def check_open(runtime: Runtime, stream: str) -> None:
    """Refuse to show anything of a stream that is to be read back first."""
    if runtime.writer(stream).suspended is not None:
        raise RefusedError(refuse("TABLE_SUSPENDED", stream=stream))


@asynccontextmanager
async def durably(runtime: Runtime, *streams: str) -> AsyncIterator[None]:
    """Read streams in this block; it ends when everything that could be read is on disk."""
    versions = [(stream, runtime.writer(stream).head.version) for stream in streams]
    yield
    for stream, version in versions:
        await wait_until_durable(runtime, stream, version)


@asynccontextmanager
async def read_table(runtime: Runtime, table: str) -> AsyncIterator[TableState]:
    """Give the state of a table that is not suspended; the block ends when it is on disk."""
    stream = find_open(runtime, table)
    async with durably(runtime, stream):
        yield runtime.table(table)


async def wait_until_durable(runtime: Runtime, stream: str, version: int) -> None:
    """Wait until a version of a stream is on disk."""
    if durable_version(runtime, stream) >= version:
        return
    news = runtime.subscribe(stream)
    try:
        async with asyncio.timeout(DURABLE_SECONDS):
            # What became durable while nobody listened yet is no news.
            if durable_version(runtime, stream) >= version:
                return
            async for each in news:
                if isinstance(each, Published) and each.last >= version:
                    return
    except TimeoutError:
        raise busy("RETRY", f"{stream} is not on disk yet; ask again in a moment") from None
    finally:
        news.close()


def durable_version(runtime: Runtime, stream: str) -> int:
    """Give the version of a stream that is on disk."""
    head = runtime.committer.heads.get(stream)
    return 0 if head is None else head.version

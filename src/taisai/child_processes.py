"""A process of our own beside this one: it is given its work at once, and says lines.

What the work is, and what the lines say, is of whoever begins it.
"""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator


async def begin(module: str, line_bytes_max: int, *, complains: bool = True) -> Process:
    """Begin a process that runs a module; what it complains of is shown, or not wanted."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module),
        stdin=PIPE,
        stdout=PIPE,
        stderr=None if complains else DEVNULL,
        limit=line_bytes_max,
    )


async def lines_of(process: Process, work: bytes) -> AsyncIterator[bytes]:
    """Give a process its work, where nobody else reads it; give the lines that it says of it."""
    assert process.stdin is not None, "it was asked for"
    assert process.stdout is not None, "it was asked for"
    process.stdin.write(work)
    process.stdin.close()
    async for line in process.stdout:
        yield line


async def end(process: Process) -> None:
    """Leave nothing of a process behind, whatever it was at."""
    if process.returncode is None:
        process.kill()
    await process.wait()

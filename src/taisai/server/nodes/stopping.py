"""The start of a node, which may be told to stop before it has started."""

import asyncio
import logging
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

#: What is waited for is logged after so long.
WAIT_SECONDS = 2.0

_T = TypeVar("_T")
_log = logging.getLogger(__name__)


class StoppedError(Exception):
    """The node was told to stop before it had started."""


async def unless_stopped(work: Coroutine[Any, Any, _T], stop: asyncio.Event) -> _T:
    """Do a part of the start; if the node is told to stop meanwhile, the work is cancelled."""
    loop = asyncio.get_running_loop()
    doing, stopping = loop.create_task(work), loop.create_task(stop.wait())
    try:
        await asyncio.wait([doing, stopping], return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            return doing.result()
        raise StoppedError
    finally:
        stopping.cancel()
        doing.cancel()
        await asyncio.gather(doing, stopping, return_exceptions=True)


@contextmanager
def waiting_for(what: str) -> Iterator[None]:
    """Log what is waited for, if that takes long."""
    loop = asyncio.get_running_loop()
    saying = loop.call_later(WAIT_SECONDS, _log.info, "this node waits for %s", what)
    try:
        yield
    finally:
        saying.cancel()

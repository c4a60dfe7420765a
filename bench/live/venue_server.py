"""The venue as a process of a bench: the whole server, with its dealer."""

import asyncio
import gc
import os
import time
from collections import Counter
from pathlib import Path
from typing import Any

from bench.live.children import answer_lines, memory_bytes, processor_seconds, run_child, used
from bench.live.preparing import TABLE
from bench.live.sampler import Sampler
from bench.live.trace import Trace

from taisai.core.kernel.messages import Actor, Command, Order
from taisai.core.table.round import (
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    Settle,
)
from taisai.core.table.tumble import RecordTumble
from taisai.runtime.answers import AHEAD_MS, Registered
from taisai.runtime.operations.memory import look_after_memory
from taisai.runtime.operations.process import prepare
from taisai.runtime.streams import table_stream
from taisai.server.application import Application
from taisai.server.process import serve
from taisai.server.settings import Settings

PATH = "/api/live"
#: The longest wait until closed connections are gone, which takes less.
GONE_SECONDS = 20.0
#: Garbage is collected once bets have begun.
COLLECT_AFTER_SECONDS = 1.0


class DealtVenue:
    """A running venue, and the dealer at its table, who acts as fast as the answers come."""

    def __init__(self, address: str, application: Application) -> None:
        self._address = address
        self._application = application
        self._opened = time.monotonic()
        self._turned_away: Counter[str] = Counter()
        self._trace: Trace | None = None
        self._sampler: Sampler | None = None

    async def address(self) -> dict[str, Any]:
        """Return the address of its sockets, once ids are no longer looked up in the journal."""
        # In a stream that is new, every id that may be ahead of the clock is looked up.
        await asyncio.sleep(max(0.0, self._opened + AHEAD_MS / 1_000 - time.monotonic()))
        return {"address": self._address.replace("http", "ws", 1).rstrip("/") + PATH}

    async def usage(self) -> dict[str, Any]:
        """Give the resources that the venue has used so far."""
        gateways = self._application.hub.gateways.values()
        beside = sum(processor_seconds(each.pid) for each in gateways)
        return {**used(self._application.runtime.committer.batches), "gateways_cpu": beside}

    async def crowd(self) -> dict[str, Any]:
        """Report the connections, those turned away since the last call, and the memory in use."""
        door = self._application.hub.door
        turned_away = door.turned_away - self._turned_away
        self._turned_away = Counter(door.turned_away)
        return {
            "memory": memory_bytes(),
            "newcomers": len(door.newcomers),
            "visitors": door.visitors,
            "most_held": door.turns.most_held,
            "turned_away": turned_away,
        }

    async def alone(self) -> dict[str, Any]:
        """Wait until all hostile connections are gone; return how many are not."""
        door, loop = self._application.hub.door, asyncio.get_running_loop()
        end = loop.time() + GONE_SECONDS
        strangers = True
        while strangers and loop.time() < end:
            await asyncio.sleep(0.05)
            strangers = bool(door.newcomers or door.visitors or len(door.turns))
        left = len(door.newcomers) + door.visitors
        return {"strangers": left, "memory": memory_bytes()}

    async def trace(self) -> dict[str, Any]:
        """Trace from now on what takes long."""
        self._trace = Trace()
        return {}

    async def traced(self) -> dict[str, Any]:
        """Give what took long, and how often each part ran."""
        assert self._trace is not None, "it was asked for"
        return {"spans": [*self._trace.spans], "times": self._trace.times}

    async def sample(self) -> dict[str, Any]:
        """Sample from now on what the processor is used for."""
        self._sampler = Sampler()
        return {}

    async def sampled(self) -> dict[str, Any]:
        """Stop sampling, and return the samples."""
        assert self._sampler is not None, "it was asked for"
        return self._sampler.end()

    async def collect_soon(self) -> dict[str, Any]:
        """Run a full garbage collection in a moment, as a venue does once an hour."""
        asyncio.get_running_loop().call_later(COLLECT_AFTER_SECONDS, gc.collect)
        return {}

    async def open_bets(self) -> dict[str, Any]:
        """Open a round."""
        return await self._deal(OpenBets())

    async def close_bets(self) -> dict[str, Any]:
        """Close the bets and tumble the dice."""
        return await self._deal(CloseBets(bell=True), RecordTumble(3))

    async def settle(self) -> dict[str, Any]:
        """Enter the result, confirm it and settle; return when the first of these was sent."""
        return await self._deal(EnterResult((1, 2, 3)), ConfirmResult(), Settle())

    async def finish_round(self) -> dict[str, Any]:
        """Close the bets and settle the round."""
        await self.close_bets()
        return await self.settle()

    async def _deal(self, *commands: Command) -> dict[str, Any]:
        venue, began = self._application.runtime, time.perf_counter()
        for command in commands:
            id_ = f"{venue.clock.now()}-{type(command).__name__}"
            order = Order(id_, Actor("dan", "dealer"), command)
            answer = await venue.submit(table_stream(TABLE), order)
            assert isinstance(answer, Registered), answer
        return {"began": began}


async def main(arguments: list[str]) -> None:
    """Run the venue on the network until the bench closes the pipe.

    The first argument is its directory; how many gateways it has, on which core, and the database
    that its journal is in may follow.
    """
    told = asyncio.Event()
    answering: list[asyncio.Task[None]] = []
    beside: list[asyncio.Task[None]] = []

    def ready(address: str, application: Application) -> None:
        prepare()
        beside.append(asyncio.create_task(look_after_memory()))
        venue = DealtVenue(address, application)
        for gateway in application.hub.gateways.values():
            # On another core than the venue, so as not to slow it: that is their purpose.
            os.sched_setaffinity(gateway.pid, {int(arguments[2])})
        names = (
            "address",
            "usage",
            "crowd",
            "alone",
            "trace",
            "traced",
            "sample",
            "sampled",
            "collect_soon",
            "open_bets",
            "close_bets",
            "settle",
            "finish_round",
        )
        questions = answer_lines({name: getattr(venue, name) for name in names})
        answering.append(asyncio.create_task(questions))
        answering[0].add_done_callback(lambda _: told.set())

    journal = arguments[3] if arguments[3:] else None
    settings = Settings(Path(arguments[0]), journal=journal, port=0, gateways=int(*arguments[1:2]))
    await serve(settings, ready, told)
    beside[0].cancel()
    await answering[0]


if __name__ == "__main__":
    run_child(main)

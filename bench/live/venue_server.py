"""The venue itself as a process of a bench: the whole server, and its dealer beside it."""

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
#: Whoever has hung up is gone sooner.
GONE_SECONDS = 20.0
#: Garbage is looked for when bets have begun to come.
COLLECT_AFTER_SECONDS = 1.0


class DealtVenue:
    """A venue at work, and the person who deals at its table as fast as the answers come."""

    def __init__(self, address: str, application: Application) -> None:
        self._address = address
        self._application = application
        self._opened = time.monotonic()
        self._turned_away: Counter[str] = Counter()
        self._trace: Trace | None = None
        self._sampler: Sampler | None = None

    async def address(self) -> dict[str, Any]:
        """Tell where its sockets are, once ids need not be looked up in the journal any more."""
        # Right after a start every id is looked up, in case it was answered before it.
        await asyncio.sleep(max(0.0, self._opened + AHEAD_MS / 1_000 - time.monotonic()))
        return {"address": self._address.replace("http", "ws", 1).rstrip("/") + PATH}

    async def usage(self) -> dict[str, Any]:
        """Give what the venue has used up so far."""
        gateways = self._application.hub.gateways.values()
        beside = sum(processor_seconds(each.pid) for each in gateways)
        return {**used(self._application.runtime.committer.batches), "gateways_cpu": beside}

    async def crowd(self) -> dict[str, Any]:
        """Tell who is there, who was turned away since it was last asked, and what is held."""
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
        """Wait until all strangers have gone; tells how many have not."""
        door, loop = self._application.hub.door, asyncio.get_running_loop()
        end = loop.time() + GONE_SECONDS
        strangers = True
        while strangers and loop.time() < end:
            await asyncio.sleep(0.05)
            strangers = bool(door.newcomers or door.visitors or len(door.turns))
        left = len(door.newcomers) + door.visitors
        return {"strangers": left, "memory": memory_bytes()}

    async def trace(self) -> dict[str, Any]:
        """Note from now on what takes long."""
        self._trace = Trace()
        return {}

    async def traced(self) -> dict[str, Any]:
        """Give what took long, and how often each thing was done."""
        assert self._trace is not None, "it was asked for"
        return {"spans": [*self._trace.spans], "times": self._trace.times}

    async def sample(self) -> dict[str, Any]:
        """Look from now on at what the processor is used for."""
        self._sampler = Sampler()
        return {}

    async def sampled(self) -> dict[str, Any]:
        """Stop looking, and give what was found."""
        assert self._sampler is not None, "it was asked for"
        return self._sampler.end()

    async def collect_soon(self) -> dict[str, Any]:
        """Look for all garbage in a moment, as a venue does once an hour."""
        asyncio.get_running_loop().call_later(COLLECT_AFTER_SECONDS, gc.collect)
        return {}

    async def open_bets(self) -> dict[str, Any]:
        """Open a round."""
        return await self._deal(OpenBets())

    async def close_bets(self) -> dict[str, Any]:
        """Close the bets and tumble the dice."""
        return await self._deal(CloseBets(bell=True), RecordTumble(3))

    async def settle(self) -> dict[str, Any]:
        """Enter the result, confirm it and settle; tells when the first of these was sent."""
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
    """Open the venue to the network until the bench hangs up.

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
            # Beside the venue, and not in its way: that is what they are for.
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

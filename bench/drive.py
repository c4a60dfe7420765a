"""Runs one bench of its own checkout, once for every line that it reads.

`bench.compare` starts it in two checkouts, by its path and with the Python of each, so it may only
use parts that the benches of both have. The slow set-up is done once. Every line of standard input
is answered with a line of JSON: seconds by the name of the figure.
"""

# ruff: noqa: PLC0415 - each bench is imported only where it is asked for
import asyncio
import itertools
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec

Seconds = dict[str, float]

#: On a busy machine, connecting thousands of terminals takes long.
TIMEOUT_SECONDS = 600


async def table(_: Path) -> AsyncIterator[Seconds]:
    """A bet, a bet among many and a settlement in memory."""
    from bench import table as bench

    # One run says little on a busy machine.
    bench.RUNS = 3
    while True:
        yield {
            "a bet": bench.measure_bet()[0],
            "a bet among 100,000": bench.measure_flat()[0],
            "settling 100,000 bets": bench.measure_settlement()[0],
        }


async def durable_bets(folder: Path) -> AsyncIterator[Seconds]:
    """A durable bet on SQLite, with few and with many in flight."""
    from bench import durable_bets as bench

    async with bench.venue_at(folder / "journal.sqlite") as venue:
        for run in itertools.count():
            taken: Seconds = {}
            for in_flight in (64, 1_000):
                orders = bench.orders(bench.BETS, seed=run * 10_000 + in_flight)
                rate, _ = await bench.round_of(venue, orders, in_flight)
                taken[f"a durable bet, {in_flight:,} in flight"] = 1 / rate
            yield taken


async def live_bets(folder: Path) -> AsyncIterator[Seconds]:
    """A bet over WebSocket: how long, and how much of the server's core."""
    from bench import live_bets as bench
    from bench.live import children
    from bench.live.figures import Figures
    from bench.live.preparing import prepare_venue

    children.TIMEOUT_SECONDS = TIMEOUT_SECONDS
    keys = await asyncio.to_thread(prepare_venue, folder / "venue", bench.TERMINALS)
    async with AsyncExitStack() as stack:
        venue = children.started("venue_server", children.server_core(), str(folder / "venue"))
        generator = children.started("generator", children.generator_core())
        servers = {bench.VENUE: await stack.enter_async_context(venue)}
        made = bench.Bench(servers, await stack.enter_async_context(generator))
        await made.connect(keys)
        while True:
            made.figures = Figures()
            await made.run({bench.VENUE: bench.BETS})
            yield {
                "a live bet": 1 / made.figures.median(bench.VENUE, "rate"),
                "a live bet, the server's core": made.figures.median(bench.VENUE, "used"),
                "99 of 100 live bets answered": made.figures.median(bench.VENUE, "p99"),
            }


async def live_fanout(folder: Path) -> AsyncIterator[Seconds]:
    """A result to 5,000 terminals: how long, and how much of the server's core."""
    from bench import live_fanout as bench
    from bench.live import children
    from bench.live.figures import Figures
    from bench.live.preparing import prepare_venue

    children.TIMEOUT_SECONDS = TIMEOUT_SECONDS
    keys = await asyncio.to_thread(prepare_venue, folder / "venue", bench.TERMINALS)
    async with AsyncExitStack() as stack:
        core = children.server_core()
        venue = children.started("venue_server", core, str(folder / "venue"))
        bare = children.started("bare_server", core, str(folder / "bare.sqlite"))
        generator = children.started("generator", children.generator_core())
        processes = (venue, bare, generator)
        started = [await stack.enter_async_context(each) for each in processes]
        made = bench.Bench(started[0], started[1], started[2])
        await made.connect(keys)
        while True:
            made.figures = Figures()
            await made.run()
            yield {
                "a result to 5,000": made.figures.median(bench.VENUE, "seconds"),
                "a result, the server's core": made.figures.median(bench.VENUE, "used"),
            }


BENCHES: dict[str, Callable[[Path], AsyncIterator[Seconds]]] = {
    each.__name__: each for each in (table, durable_bets, live_bets, live_fanout)
}


async def drive(name: str, folder: Path) -> None:
    """Measure once for every line, until there are no more."""
    runs = BENCHES[name](folder)
    while await asyncio.to_thread(sys.stdin.readline):
        sys.stdout.write(msgspec.json.encode(await anext(runs)).decode() + "\n")
        sys.stdout.flush()
    await runs.aclose()  # type: ignore[attr-defined]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        asyncio.run(drive(sys.argv[1], Path(scratch)))

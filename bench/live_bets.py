"""Registered bets over WebSocket on the full venue, compared with two references in one run.

1,000 terminals are connected, and 200 of them have a bet in flight at any time, in rotation. The
first reference is a bare picows server with the same durable append and no game; the second is what
a team would write first, Starlette with one SQLAlchemy transaction per bet. Servers run on the
first core, the generator on the second.
"""

import argparse
import asyncio
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from bench.goals import tell
from bench.live.bets import play_round, take_bets
from bench.live.children import Child, generator_core, server_core, started
from bench.live.figures import Figures
from bench.live.preparing import prepare_venue

RUNS = 5
BETS = 40_000
DRAFT_BETS = 1_500
TERMINALS = 1_000
VENUE, BARE, DRAFT = "the venue", "bare picows", "first draft"


class Bench:
    """The servers, the generator, and the figures."""

    def __init__(self, servers: dict[str, Child], generator: Child) -> None:
        self.figures = Figures()
        self._servers = servers
        self._generator = generator

    async def connect(self, keys: Path) -> None:
        """Connect every terminal to every server."""
        for name, server in self._servers.items():
            address = (await server.ask("address"))["address"]
            await self._generator.ask(
                "connect",
                crowd=name,
                address=address,
                keys=str(keys),
                boxes_a_bet=1,
                greeting=name == VENUE,
            )

    async def run(self, bets: dict[str, int]) -> None:
        """Measure each server once."""
        for name, server in self._servers.items():
            take = play_round if name == VENUE else take_bets
            taken = await take(name, server, self._generator, bets[name])
            self.figures.add(name, **taken)


def report(figures: Figures) -> None:
    """Print the figures, and the missed goals."""
    for name in figures.servers():
        print(_described(name, figures))
    print()
    tell("live bets", figures.ratio("rate", VENUE, BARE))
    tell("live p99", figures.ratio("p99", VENUE, BARE))
    tell("live draft", figures.ratio("rate", VENUE, DRAFT))
    # Without spare time of the generator, the generator would be measured.
    busiest = max(figures.most(name, "cpu") for name in figures.servers())
    tell("generator", busiest * 100)


def _described(name: str, figures: Figures) -> str:
    milliseconds = {each: figures.median(name, each) * 1_000 for each in ("p50", "p99")}
    return (
        f"{name:12} {figures.median(name, 'rate'):>8,.0f} bets a second, answered in"
        f" {milliseconds['p50']:.1f} ms (99 of 100: {milliseconds['p99']:.1f},"
        f" longest {figures.most(name, 'most') * 1_000:.0f}),"
        f" {figures.median(name, 'batch'):.0f} a commit,"
        f" server {figures.median(name, 'used') * 1e6:.0f} µs a bet,"
        f" generator {figures.median(name, 'cpu'):.0%} of its core"
    )


async def main(folder: Path, keys: Path, runs: int, bets: int) -> None:
    """Measure the venue and the references in turn."""
    async with AsyncExitStack() as stack:

        async def start(module: str, core: int, *arguments: Any) -> Child:
            child = started(module, core, *(str(each) for each in arguments))
            return await stack.enter_async_context(child)

        first = server_core()
        servers = {
            VENUE: await start("venue_server", first, folder / "venue"),
            BARE: await start("bare_server", first, folder / "bare.sqlite"),
            DRAFT: await start("first_draft", first, folder / "draft.sqlite", TERMINALS),
        }
        bench = Bench(servers, await start("generator", generator_core()))
        await bench.connect(keys)
        for run in range(runs):
            print(f"\rrun {run + 1} of {runs}", end="", file=sys.stderr, flush=True)
            await bench.run({VENUE: bets, BARE: bets, DRAFT: min(bets, DRAFT_BETS)})
    print("\r\x1b[K", end="", file=sys.stderr)
    report(bench.figures)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=RUNS)
    options.add_argument("--bets", type=int, default=BETS, help="in each run")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        prepared = prepare_venue(Path(scratch) / "venue", TERMINALS)
        asyncio.run(main(Path(scratch), prepared, asked.runs, asked.bets))

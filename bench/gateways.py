"""What a bet costs a venue whose gateways hold the sockets, compared with a venue of one process.

The same bets as in `live_bets` go to both in turn, in one run: 1,000 terminals, 200 in flight. The
figure is processor time per bet: of the venue's own process, and of it and its gateway together.
The gateway is on another core than the venue, as in production; the generator shares that core.
"""

import argparse
import asyncio
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

from bench.goals import tell
from bench.live.bets import play_round
from bench.live.children import Child, generator_core, server_core, started
from bench.live.figures import Figures
from bench.live.preparing import prepare_venue

RUNS = 5
BETS = 40_000
TERMINALS = 1_000
ONE, BESIDE = "one process", "a gateway beside"


class Bench:
    """Both venues, the generator, and the figures."""

    def __init__(self, venues: dict[str, Child], generator: Child) -> None:
        self.figures = Figures()
        self._venues = venues
        self._generator = generator

    async def connect(self, keys: dict[str, Path]) -> None:
        """Connect every terminal of each venue to it."""
        for name, venue in self._venues.items():
            address = (await venue.ask("address"))["address"]
            await self._generator.ask(
                "connect",
                crowd=name,
                address=address,
                keys=str(keys[name]),
                boxes_a_bet=1,
                greeting=True,
            )

    async def run(self, bets: int) -> None:
        """Measure each venue once."""
        for name, venue in self._venues.items():
            self.figures.add(name, **await play_round(name, venue, self._generator, bets))


def report(figures: Figures) -> None:
    """Print the figures, and the missed goals."""
    for name in figures.servers():
        print(
            f"{name:16} {figures.median(name, 'rate'):>8,.0f} bets a second,"
            f" {figures.median(name, 'used') * 1e6:.1f} µs a bet in the venue,"
            f" {figures.median(name, 'together') * 1e6:.1f} with its gateway,"
            f" {figures.median(name, 'batch'):.0f} a commit"
        )
    print()
    tell("gateways own", figures.ratio("used", BESIDE, ONE))
    tell("gateways together", figures.ratio("together", BESIDE, ONE))


async def main(folder: Path, keys: dict[str, Path], runs: int, bets: int) -> None:
    """Measure both in turn."""
    async with AsyncExitStack() as stack:

        async def start(module: str, core: int, *arguments: str) -> Child:
            return await stack.enter_async_context(started(module, core, *arguments))

        core, other = server_core(), generator_core()
        venues = {
            ONE: await start("venue_server", core, str(folder / "one")),
            BESIDE: await start("venue_server", core, str(folder / "beside"), "1", str(other)),
        }
        bench = Bench(venues, await start("generator", other))
        await bench.connect(keys)
        for _ in range(runs):
            await bench.run(bets)
    report(bench.figures)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=RUNS)
    options.add_argument("--bets", type=int, default=BETS, help="in each run")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        places = {ONE: Path(scratch) / "one", BESIDE: Path(scratch) / "beside"}
        prepared = {name: prepare_venue(place, TERMINALS) for name, place in places.items()}
        asyncio.run(main(Path(scratch), prepared, asked.runs, asked.bets))

"""The fan-out of a result to 5,000 terminals at one table, each with bets of its own.

The figure is the time from the dealer's entry of the result, confirmed and settled as fast as the
answers come, until the last terminal has its own settled lines. The reference is one message of
500 bytes that a bare picows server sends to 5,000 sockets, from the command to the last receipt.
Both are measured in turn, servers on the first core, the terminals of both on the second.
"""

import argparse
import asyncio
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from bench.goals import tell
from bench.live.children import Child, generator_core, server_core, started
from bench.live.figures import Figures
from bench.live.generator import BROADCAST, OWN_LINES
from bench.live.preparing import prepare_venue

RUNS = 9
TERMINALS = 5_000
BOXES_A_BET = 2
IN_FLIGHT = 200
VENUE, BARE = "the venue", "bare broadcast"


class Bench:
    """The two servers, the generator, and the figures."""

    def __init__(
        self, venue: Child, bare: Child, generator: Child, terminals: int = TERMINALS
    ) -> None:
        self.figures = Figures()
        self._terminals = terminals
        self._venue = venue
        self._bare = bare
        self._generator = generator

    async def connect(self, keys: Path) -> None:
        """Connect every terminal to both servers."""
        for name, server in ((VENUE, self._venue), (BARE, self._bare)):
            address = (await server.ask("address"))["address"]
            more = {"boxes_a_bet": BOXES_A_BET, "greeting": name == VENUE}
            await self._generator.ask(
                "connect", crowd=name, address=address, keys=str(keys), **more
            )

    async def run(self) -> None:
        """Play a round to its end, and broadcast once."""
        await self._play()
        seconds, used = await self._reach(VENUE, self._venue, "settle", OWN_LINES)
        self.figures.add(VENUE, seconds=seconds, used=used)
        await self._end()
        seconds, used = await self._reach(BARE, self._bare, "broadcast", BROADCAST)
        self.figures.add(BARE, seconds=seconds, used=used)

    async def _play(self) -> None:
        """Let every terminal bet, close the bets, and wait until no message is on its way."""
        venue, generator = self._venue, self._generator
        await venue.ask("open_bets")
        said = await generator.ask("bet", crowd=VENUE, bets=self._terminals, in_flight=IN_FLIGHT)
        assert not said["refused"], said["refused"]
        await venue.ask("close_bets")
        await generator.ask("ping", crowd=VENUE)

    async def _reach(self, crowd: str, server: Child, what: str, words: str) -> tuple[float, float]:
        """Let a server send to every terminal; return the time, and its processor time."""
        before = await server.ask("usage")
        await self._generator.ask("expect", crowd=crowd, words=words)
        began = (await server.ask(what))["began"]
        last = (await self._generator.ask("heard", crowd=crowd))["last"]
        after = await server.ask("usage")
        return last - began, after["cpu"] - before["cpu"]

    async def _end(self) -> None:
        """Check what every terminal holds, and let everything else arrive."""
        wrong = (await self._generator.ask("check", crowd=VENUE))["wrong"]
        assert not wrong, f"{wrong} terminals hold lines that are not those of their bets"
        await self._generator.ask("ping", crowd=VENUE)


def report(figures: Figures, terminals: int) -> None:
    """Print the figures, and whether they are too high."""
    for name in figures.servers():
        seconds, slowest = figures.median(name, "seconds"), figures.most(name, "seconds")
        print(
            f"{name:16} {seconds * 1_000:>7.1f} ms to the last of {terminals:,},"
            f" the slowest run {slowest * 1_000:.0f};"
            f" server {figures.median(name, 'used') * 1_000:.0f} ms of its core"
        )
    print()
    tell("fan-out", figures.ratio("seconds", VENUE, BARE))


async def main(folder: Path, keys: Path, runs: int, terminals: int) -> None:
    """Measure the venue and the reference in turn."""
    async with AsyncExitStack() as stack:

        async def start(module: str, core: int, *arguments: Any) -> Child:
            child = started(module, core, *(str(each) for each in arguments))
            return await stack.enter_async_context(child)

        first = server_core()
        venue = await start("venue_server", first, folder / "venue")
        bare = await start("bare_server", first, folder / "bare.sqlite")
        bench = Bench(venue, bare, await start("generator", generator_core()), terminals)
        await bench.connect(keys)
        for run in range(runs):
            print(f"\rrun {run + 1} of {runs}", end="", file=sys.stderr, flush=True)
            await bench.run()
    print("\r\x1b[K", end="", file=sys.stderr)
    report(bench.figures, terminals)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=RUNS)
    options.add_argument("--terminals", type=int, default=TERMINALS)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        prepared = prepare_venue(Path(scratch) / "venue", asked.terminals)
        asyncio.run(main(Path(scratch), prepared, asked.runs, asked.terminals))

"""What one terminal costs the server: 10,000 of them connected for a whole round, each with a bet.

Resident memory is read with all terminals enrolled and none connected, and again with all of them
connected and the round over. A process may have 20,000 files open, so there are no more terminals.
"""

import argparse
import asyncio
import tempfile
from pathlib import Path

from bench.goals import tell
from bench.live.children import Child, generator_core, server_core, started
from bench.live.generator import OWN_LINES
from bench.live.preparing import prepare_venue

TERMINALS = 10_000
IN_FLIGHT = 200
CROWD = "the venue"


async def hold(venue: Child, generator: Child, keys: Path, terminals: int) -> float:
    """Connect every terminal, play a round, and return the bytes of each connection."""
    address = (await venue.ask("address"))["address"]
    before = (await venue.ask("usage"))["memory"]
    said = await generator.ask(
        "connect", crowd=CROWD, address=address, keys=str(keys), boxes_a_bet=1, greeting=True
    )
    connected = (await venue.ask("usage"))["memory"]
    print(f"{terminals:,} terminals connected in {said['seconds']:.1f} s")
    await play(venue, generator, terminals)
    after = (await venue.ask("usage"))["memory"]
    print(f"memory before {before / 1e6:.0f} MB, connected {connected / 1e6:.0f} MB,", end=" ")
    print(f"after the round {after / 1e6:.0f} MB")
    return float(after - before) / terminals


async def play(venue: Child, generator: Child, terminals: int) -> None:
    """Play a whole round with a bet by each terminal; nobody is refused, dropped or left out."""
    await venue.ask("open_bets")
    said = await generator.ask("bet", crowd=CROWD, bets=terminals, in_flight=IN_FLIGHT)
    print(f"each had a bet registered, {said['rate']:,.0f} a second; refused: {said['refused']}")
    await venue.ask("close_bets")
    await generator.ask("expect", crowd=CROWD, words=OWN_LINES)
    began = (await venue.ask("settle"))["began"]
    last = (await generator.ask("heard", crowd=CROWD))["last"]
    print(f"each holds its settled lines, {(last - began) * 1_000:.0f} ms after the result")
    wrong = (await generator.ask("check", crowd=CROWD))["wrong"]
    await generator.ask("ping", crowd=CROWD)
    lost = (await generator.ask("lost", crowd=CROWD))["lost"]
    print()
    tell("held refused", sum(said["refused"].values()))
    tell("held lost", sum(lost.values()))
    tell("held wrong", wrong)


async def main(folder: Path, keys: Path, terminals: int) -> None:
    """Run a venue full of terminals for a round."""
    async with (
        started("venue_server", server_core(), str(folder / "venue")) as venue,
        started("generator", generator_core()) as generator,
    ):
        each = await hold(venue, generator, keys, terminals)
    tell("connection", each / 1_000)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--terminals", type=int, default=TERMINALS)
    asked = options.parse_args().terminals
    with tempfile.TemporaryDirectory() as scratch:
        prepared = prepare_venue(Path(scratch) / "venue", asked)
        asyncio.run(main(Path(scratch), prepared, asked))

"""10,000 terminals held for a whole round, each with a bet: what one of them costs the server.

Resident memory is read with all terminals enrolled and none connected, and again with all of them
connected and the round over. A process may have 20,000 files open, so there are no more terminals.
"""

import asyncio
import tempfile
from pathlib import Path

from bench.goals import note
from bench.live.children import Child, generator_core, server_core, started
from bench.live.figures import at_most
from bench.live.generator import OWN_LINES
from bench.live.preparing import prepare_venue

TERMINALS = 10_000
IN_FLIGHT = 200
CROWD = "the venue"


async def hold(venue: Child, generator: Child, keys: Path) -> float:
    """Connect everybody, play a round, and give the bytes that each connection takes."""
    address = (await venue.ask("address"))["address"]
    before = (await venue.ask("usage"))["memory"]
    said = await generator.ask(
        "connect", crowd=CROWD, address=address, keys=str(keys), boxes_a_bet=1, greeting=True
    )
    connected = (await venue.ask("usage"))["memory"]
    print(f"{TERMINALS:,} terminals connected in {said['seconds']:.1f} s")
    await play(venue, generator)
    after = (await venue.ask("usage"))["memory"]
    print(f"memory before {before / 1e6:.0f} MB, connected {connected / 1e6:.0f} MB,", end=" ")
    print(f"after the round {after / 1e6:.0f} MB")
    return float(after - before) / TERMINALS


async def play(venue: Child, generator: Child) -> None:
    """Play a whole round with a bet by each terminal; nobody is refused, dropped or left out."""
    await venue.ask("open_bets")
    said = await generator.ask("bet", crowd=CROWD, bets=TERMINALS, in_flight=IN_FLIGHT)
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
    at_most("refused without having earned it", sum(said["refused"].values()), 0)
    at_most("connections lost", sum(lost.values()), 0)
    at_most("terminals with other lines than their bets", wrong, 0)


async def main(folder: Path, keys: Path) -> None:
    """Hold a venue full of terminals for a round."""
    async with (
        started("venue_server", server_core(), str(folder / "venue")) as venue,
        started("generator", generator_core()) as generator,
    ):
        each = await hold(venue, generator, keys)
    at_most("memory for each connection, KB", each / 1_000, 40)
    note("connection", each / 1_000)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        prepared = prepare_venue(Path(scratch) / "venue", TERMINALS)
        asyncio.run(main(Path(scratch), prepared))

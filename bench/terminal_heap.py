"""What a Player Terminal keeps in memory over many rounds with a bet in each, garbage excluded.

    python -m bench.terminal_heap [--rounds 200]

The layout with the most areas, 151, is played. The first rounds fill the roads, and the list of the
last hundred rounds; after that memory must hardly grow, or this ends with status 1.
"""

import argparse
import sys
import tempfile
from itertools import islice
from pathlib import Path

from bench.goals import tell
from playwright.sync_api import sync_playwright

from tests.browser.floors import Floor, Table
from tests.browser.heaps import playing
from tests.browser.windows import Player
from tests.chromium import launch
from tests.kit.processes import running

WARMING = 120
EVERY = 20


def main(rounds: int) -> bool:
    """Play, and report what was kept and whether it is little enough."""
    floor = Floor((Table("heap", "ts6/3"),))
    with (
        tempfile.TemporaryDirectory() as scratch,
        running(Path(scratch), floor) as venue,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        player = Player(browser, venue)
        with playing(venue.address, "heap", player) as played:
            kept: dict[int, int] = {}
            for number, heap in enumerate(islice(played, WARMING + rounds), start=1):
                if number % EVERY == 0:
                    kept[number] = heap.kept()
                    print(f"after {number:4} rounds {kept[number] / 1e6:6.2f} MB", flush=True)
        player.close()
        browser.close()
    last = max(kept)
    return tell("heap", (kept[last] - kept[WARMING]) / (last - WARMING) / 1_000)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=200)
    sys.exit(0 if main(options.parse_args().rounds) else 1)

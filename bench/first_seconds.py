"""How many bets a venue takes right after a start, compared with the same venue a little later.

Ids made before the start are looked up in the journal, in case they were answered then; those made
since are not, though a clock may be ahead. Both are measured in one run, on the loop that a venue
runs on, on SQLite and on PostgreSQL, each several times.
"""

import argparse
import asyncio
import gc
import statistics
import sys
import tempfile
import time
from itertools import count
from pathlib import Path

import uvloop
from bench.durable_bets import STREAM, TERMINALS, deal, orders
from bench.goals import tell
from bench.long_journal import write_long

from taisai.core.table.round import CloseBets, ConfirmResult, EnterResult, OpenBets, Settle
from taisai.core.table.tumble import RecordTumble
from taisai.runtime.answers import AHEAD_MS, Answer, Registered
from taisai.runtime.journal.backends import open_journal
from taisai.runtime.keys.signing import VenueKeys, fresh_keys
from taisai.runtime.operations.process import prepare
from taisai.runtime.runtime import Runtime
from tests.postgres import any_server, own_database

RUNS = 3
IN_FLIGHT = 1_000
#: Shorter than a clock may be ahead, the time to begin included.
SECONDS = AHEAD_MS / 1_000 - 0.5
AT_ONCE = 2_000

_seeds = count(1)


async def bets_for(venue: Runtime, seconds: float) -> float:
    """Bet for so long, so many at a time; return bets per second."""
    end, done, left = time.perf_counter() + seconds, 0, IN_FLIGHT
    over = asyncio.Event()
    waiting = iter(orders(AT_ONCE, next(_seeds)))

    def next_bet(answer: Answer | None) -> None:
        nonlocal done, left, waiting
        if answer is not None:
            assert type(answer) is Registered, answer
            done += 1
        if time.perf_counter() >= end:
            left -= 1
            if not left:
                over.set()
            return
        order = next(waiting, None)
        if order is None:
            # Made when needed, since an id has the time when it was made.
            waiting = iter(orders(AT_ONCE, next(_seeds)))
            order = next(waiting)
        venue.submit_then(STREAM, order, next_bet)

    began = time.perf_counter()
    for _ in range(IN_FLIGHT):
        next_bet(None)
    await over.wait()
    return done / (time.perf_counter() - began)


async def measure(where: str | Path, keys: VenueKeys) -> tuple[float, float]:
    """Start a venue; return bets per second in its first seconds, and after them."""
    journal = await open_journal(where)
    began = time.perf_counter()
    venue = await Runtime.open(journal, keys)
    # The prepared journal has old times; the bets use the machine's clock [D35].
    venue.timekeeper.watch(demo=True)
    prepare()
    await deal(venue, OpenBets())
    first = await bets_for(venue, SECONDS - (time.perf_counter() - began))
    await asyncio.sleep(max(0.0, AHEAD_MS / 1_000 + 0.5 - (time.perf_counter() - began)))
    gc.collect()
    later = await bets_for(venue, SECONDS)
    await deal(venue, CloseBets(bell=True), RecordTumble(3), EnterResult((1, 2, 3)))
    await deal(venue, ConfirmResult(), Settle())
    await venue.stop()
    return first, later


async def main(places: dict[str, str | Path], runs: int) -> None:
    """Measure each journal in turn, several times."""
    keys = fresh_keys(0)
    for where in places.values():
        journal = await open_journal(where)
        await write_long(journal, keys, 1, tables=1, terminals=TERMINALS)
        await journal.close()
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in places}
    for run in range(runs):
        print(f"\rrun {run + 1} of {runs}", end="", file=sys.stderr, flush=True)
        for name, where in places.items():
            found[name].append(await measure(where, keys))
    print("\r\x1b[K", end="", file=sys.stderr)
    for name, pairs in found.items():
        first, later = (statistics.median(each) for each in zip(*pairs, strict=True))
        print(f"{name:12} {first:>10,.0f} bets a second right after a start, {later:,.0f} later")
        tell(f"start {name}", statistics.median(one / other for one, other in pairs))


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=RUNS)
    asked = options.parse_args().runs
    with (
        tempfile.TemporaryDirectory() as scratch,
        any_server() as server,
        own_database(server) as address,
    ):
        files: dict[str, str | Path] = {
            "SQLite": Path(scratch) / "journal.sqlite",
            "PostgreSQL": address,
        }
        uvloop.run(main(files, asked))

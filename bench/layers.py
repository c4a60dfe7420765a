"""Where the processor's time of a live bet goes, layer by layer.

1,000 terminals are connected and 200 of them have a bet in flight at any time, as in
`bench.live_bets`. The venue is sampled every few milliseconds of processor time
(`bench.live.sampler`); each sample belongs to the innermost function with a known layer.
"""

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.live.children import Child, generator_core, server_core, started
from bench.live.preparing import prepare_venue

RUNS = 9
BETS = 40_000
TERMINALS = 1_000
IN_FLIGHT = 200
CROWD = "the venue"
OTHERS = "others"

#: The layers in the order in which a bet goes through them.
LAYERS: Mapping[str, str] = {
    "socket": "reading, sending, and waiting for more",
    "decode": "the message read, and whether it is written as it should be",
    "order": "whose it is, how fast they ask, its id and its place in the inbox",
    "limits": "the table's limits, Differential and the player's own",
    "decide": "rights, phase, credits, and what it comes to",
    "post": "the bet applied, money moved, the books checked",
    "chain": "the event encoded and chained, the id kept",
    "commit": "the batch handed over, sealed, written and synced; the log carried back",
    "answer": "the answer written and handed to its socket",
    "private news": "the position's view, and what its terminal is told",
    "public totals": "what everybody bets, ten times a second",
    OTHERS: "the loop's other work",
}
#: The layer of a function, or of all functions of a module that are not listed.
PLACES: Mapping[str, Mapping[str, str]] = {
    "runners.py": {"": "socket"},
    "taisai/server/live/connection.py": {
        "": "answer",
        "flush": "socket",
        "answer": "socket",
        "on_ws_frame": "decode",
        "_receive": "decode",
        "_received": "decode",
        "send_later": "public totals",
    },
    "taisai/server/live/hub.py": {
        "": OTHERS,
        "_flush": "socket",
        "next": "socket",
        "later": "public totals",
        "_schedule": "socket",
        "_release": "public totals",
        "ask": "order",
        "published_all": "private news",
        "published_bets": "private news",
    },
    "taisai/server/live/questions.py": {"": "order", "_answer": "answer"},
    "taisai/server/live/answers.py": {"": "answer"},
    "taisai/server/live/seats.py": {"": "private news"},
    "taisai/server/live/channels.py": {
        "": "public totals",
        "TableChannel.published": "private news",
        "TableChannel.publish_bet": "private news",
    },
    "taisai/server/accounts/limiting.py": {"": "order"},
    "taisai/projections/position_view.py": {"": "private news"},
    "taisai/projections/moved_bets.py": {"": "public totals"},
    "taisai/projections/table_view.py": {"": "public totals"},
    "taisai/runtime/answers.py": {"": "order", "cause_of": "chain"},
    "taisai/runtime/known_ids.py": {"": "order"},
    "taisai/runtime/publisher.py": {"": "private news"},
    "taisai/runtime/runtime.py": {"": OTHERS, "_published": "private news", "submit_then": "order"},
    "taisai/runtime/writer.py": {
        "": OTHERS,
        "submit_then": "order",
        "_ask_again": "order",
        "_schedule": "order",
        "_drain": "decide",
        "_decide_turn": "decide",
        "_decide_with_more": "decide",
        "_second_look": "decide",
        "_by_the_past": "decide",
        "go_on": "decide",
        "_write_down": "chain",
        "take": "commit",
        "durable": "answer",
        "finish": "answer",
    },
    "taisai/runtime/journal/contract.py": {"": "chain"},
    "taisai/runtime/journal/journal_thread.py": {"": "commit"},
    "taisai/runtime/journal/group_commit.py": {"": "commit", "_tell": "answer"},
    "taisai/runtime/journal/sqlite.py": {"": "commit"},
    "taisai/runtime/journal/seals.py": {"": "commit"},
    "taisai/core/rules/limit_checks.py": {"": "limits"},
    "taisai/core/rules/limits.py": {"": "limits"},
    "taisai/core/rules/bets.py": {"": "limits"},
    "taisai/core/table/state.py": {"": "decide", "limits_in_force": "limits"},
    "taisai/core/table/betting.py": {
        "": "decide",
        "bets_registered": "post",
        "_post_registered": "post",
    },
    "taisai/core/table/positions.py": {"": "post"},
    "taisai/core/kernel/ledger.py": {"": "post"},
    "taisai/core/kernel/decider.py": {"": "decide", "evolve": "post"},
}
#: Threads besides that of the event loop.
THREADS: Mapping[str, str] = {"journal-write": "commit", "journal-carry": "commit"}
LOOP = "MainThread"


def layer_of(stack: Iterable[Sequence[Any]]) -> str:
    """Give the layer of a sample, from the innermost function outwards."""
    for depth, (module, function, line) in enumerate(stack):
        if not depth and not line and function.endswith(".on_ws_frame"):
            # The function had not begun yet: the interrupted work is the reading before it.
            return "socket"
        places = PLACES.get(module)
        if places is not None:
            found = places.get(function) or places.get(function.rpartition(".")[2]) or places[""]
            if found != OTHERS:
                return found
    return OTHERS


def by_layer(sampled: Mapping[str, Any]) -> Counter[str]:
    """Divide a venue's processor seconds among the layers."""
    found: Counter[str] = Counter()
    for stack, seconds in sampled["stacks"]:
        found[layer_of(stack)] += seconds
    looked_at, used = sum(found.values()), sampled["threads"]
    if looked_at:
        # The time after the last sample is divided like the rest.
        found = Counter({name: each * used[LOOP] / looked_at for name, each in found.items()})
    for thread, seconds in used.items():
        if thread != LOOP:
            found[THREADS.get(thread, OTHERS)] += seconds
    return found


async def bet(venue: Child, generator: Child, bets: int) -> tuple[Counter[str], float]:
    """Play a round; return the time of its bets by layer, and the bets per second."""
    await venue.ask("open_bets")
    await generator.ask("ping", crowd=CROWD)
    await venue.ask("sample")
    said = await generator.ask("bet", crowd=CROWD, bets=bets, in_flight=IN_FLIGHT)
    found = by_layer(await venue.ask("sampled"))
    assert not said["refused"], said["refused"]
    await venue.ask("finish_round")
    await generator.ask("ping", crowd=CROWD)
    return found, said["rate"]


def report(found: Mapping[str, float], bets: int) -> None:
    """Print the layers."""
    whole = sum(found.values())
    print(f"{'':14} {'µs a bet':>9} {'share':>6}")
    for layer, what in LAYERS.items():
        seconds = found.get(layer, 0.0)
        print(f"{layer:14} {seconds / bets * 1e6:>9.1f} {seconds / whole:>6.0%}   {what}")
    print(f"{'all of it':14} {whole / bets * 1e6:>9.1f}")


async def main(folder: Path, keys: Path, runs: int, bets: int) -> None:
    """Sample a venue while it takes bets."""
    found: Counter[str] = Counter()
    async with (
        started("venue_server", server_core(), str(folder / "venue")) as venue,
        started("generator", generator_core()) as generator,
    ):
        address = (await venue.ask("address"))["address"]
        named = {"crowd": CROWD, "address": address, "keys": str(keys)}
        await generator.ask("connect", boxes_a_bet=1, greeting=True, **named)
        # The first round is not counted: it runs with cold caches.
        for run in range(runs + 1):
            print(f"\rround {run} of {runs}", end="", file=sys.stderr, flush=True)
            layers, _ = await bet(venue, generator, bets)
            found.update(layers if run else {})
    print("\r\x1b[K", end="", file=sys.stderr)
    report(found, runs * bets)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=RUNS)
    options.add_argument("--bets", type=int, default=BETS, help="in each run")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        prepared = prepare_venue(Path(scratch) / "venue", TERMINALS)
        asyncio.run(main(Path(scratch), prepared, asked.runs, asked.bets))

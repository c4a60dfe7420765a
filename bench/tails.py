"""The slowest answers at four fifths of the highest rate, and what the venue was doing meanwhile.

1,000 terminals bet at a steady rate, whether earlier bets are answered or not; a bet that could not
be sent in time has waited since it was due. The highest rate is found first, in the same run, with
200 in flight. Rounds are played one after the other: checkpoints, snapshots and the write-back of
the log happen by themselves, and a full garbage collection is run now and then, as in a venue once
an hour. Servers run on the first core, the generator on the second. The slowest answers are printed
with the long work of that time: how long its thread worked, and how long it queued for a processor;
for the rest it waited for the disk or another thread.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.goals import tell
from bench.live.children import Child, generator_core, server_core, started
from bench.live.preparing import prepare_venue

TERMINALS = 1_000
IN_FLIGHT = 200
HIGHEST_BETS = 40_000
HIGHEST_RUNS = 3
SHARE = 0.8
SECONDS = 600.0
ROUND_SECONDS = 20.0
#: A full garbage collection is run once in so many rounds.
COLLECT_ROUNDS = 6
CROWD = "the venue"
#: Slow answers within so much time of each other have one cause.
TOGETHER_SECONDS = 0.1
SHOWN = 12


class Slow(NamedTuple):
    """Slow answers at the same time: the beginning, the end, the longest, their number."""

    began: float
    ended: float
    longest: float
    bets: int


class Bench:
    """A venue, the betting terminals, and their waits."""

    def __init__(self, venue: Child, generator: Child) -> None:
        self.waits: dict[str, list[float]] = {"p50": [], "p99": []}
        self.slow: list[tuple[float, float]] = []
        self.bets = 0
        self.most = 0.0
        self._venue = venue
        self._generator = generator

    async def connect(self, keys: Path) -> None:
        """Connect every terminal."""
        address = (await self._venue.ask("address"))["address"]
        named = {"crowd": CROWD, "address": address, "keys": str(keys)}
        await self._generator.ask("connect", boxes_a_bet=1, greeting=True, **named)

    async def highest(self, runs: int, bets: int) -> float:
        """Find the highest rate of bets per second."""
        rates: list[float] = []
        for _ in range(runs):
            await self._venue.ask("open_bets")
            said = await self._generator.ask("bet", crowd=CROWD, bets=bets, in_flight=IN_FLIGHT)
            assert not said["refused"], said["refused"]
            rates.append(said["rate"])
            await self._end_round()
        return statistics.median(rates)

    async def round(self, pace: float, seconds: float) -> None:
        """Play a round with bets at a steady pace."""
        await self._venue.ask("open_bets")
        said = await self._generator.ask("paced", crowd=CROWD, pace=pace, seconds=seconds)
        assert not said["refused"], said["refused"]
        for name, waits in self.waits.items():
            waits.append(said[name])
        self.bets += said["bets"]
        self.most = max(self.most, said["most"])
        self.slow += [(sent, wait) for sent, wait in said["slow"]]
        await self._end_round()

    async def collect(self) -> None:
        """Let the venue collect garbage during the next bets."""
        await self._venue.ask("collect_soon")

    async def _end_round(self) -> None:
        await self._venue.ask("finish_round")
        await self._generator.ask("ping", crowd=CROWD)


def gathered(slow: Sequence[tuple[float, float]]) -> Iterator[Slow]:
    """Group the slow answers of the same time."""
    found: list[Slow] = []
    for sent, wait in sorted(slow):
        if found and sent <= found[-1].ended + TOGETHER_SECONDS:
            last = found.pop()
            found.append(
                Slow(
                    last.began, max(last.ended, sent + wait), max(last.longest, wait), last.bets + 1
                )
            )
        else:
            found.append(Slow(sent, sent + wait, wait, 1))
    return iter(sorted(found, key=lambda each: -each.longest))


def meanwhile(slow: Slow, spans: Sequence[Sequence[Any]]) -> str:
    """List what the venue and the generator were doing, the longest first."""
    doing: dict[str, list[tuple[float, float, float]]] = {}
    for what, began, ended, worked, queued in spans:
        if began < slow.ended and ended > slow.began:
            doing.setdefault(what, []).append((ended - began, worked, queued))
    told = []
    for what, spent in sorted(doing.items(), key=lambda each: max(each[1]), reverse=True):
        took, worked, queued = (1_000 * each for each in max(spent))
        times = f", {len(spent)} times" if len(spent) > 1 else ""
        told.append(f"{what} {took:.0f} ms (at work {worked:.0f}, queued {queued:.0f}){times}")
    return "; ".join(told) or "nothing that took long"


def report(bench: Bench, pace: float, traced: dict[str, Any], spans: list[Any]) -> None:
    """Print the slowest answers with the work at that time, and the figure."""
    p50, p99 = (statistics.median(each) for each in bench.waits.values())
    print(
        f"{bench.bets:,} bets, {pace:,.0f} a second, answered in {p50 * 1_000:.1f} ms"
        f" (99 of 100: {p99 * 1_000:.1f}, longest {bench.most * 1_000:.0f})"
    )
    print(f"\n{'meanwhile':30} {'times':>9} {'longest':>11} {'at work':>11} {'elsewhere':>11}")
    for what, count in Counter(traced["times"]).most_common():
        took = [each for each in spans if each[0] == what]
        figures = (
            [ended - began for _, began, ended, _, _ in took],
            [worked for *_, worked, _ in took],
            [ended - began - worked - queued for _, began, ended, worked, queued in took],
        )
        columns = " ".join(f"{max(each, default=0.0) * 1_000:>8.1f} ms" for each in figures)
        print(f"{what:30} {count:>9,} {columns}")
    print("\nthe longest answers")
    for slow in [*gathered(bench.slow)][:SHOWN]:
        shown = f"{slow.longest * 1_000:7.1f} ms, the longest of {slow.bets:,}"
        print(f"{shown:40} {meanwhile(slow, spans)}")
    print()
    tell("tail", bench.most / p99)


async def main(folder: Path, keys: Path, asked: argparse.Namespace) -> None:
    """Find the highest rate, and bet at four fifths of it."""
    async with (
        started("venue_server", server_core(), str(folder / "venue")) as venue,
        started("generator", generator_core()) as generator,
    ):
        bench = Bench(venue, generator)
        await bench.connect(keys)
        await venue.ask("trace")
        await generator.ask("trace")
        pace = asked.pace or SHARE * await bench.highest(HIGHEST_RUNS, asked.bets)
        rounds = max(1, round(asked.seconds / asked.round_seconds))
        for number in range(rounds):
            print(f"\rround {number + 1} of {rounds}", end="", file=sys.stderr, flush=True)
            if number % COLLECT_ROUNDS == COLLECT_ROUNDS - 1:
                await bench.collect()
            await bench.round(pace, asked.round_seconds)
        print("\r\x1b[K", end="", file=sys.stderr)
        traced = await venue.ask("traced")
        late = (await generator.ask("traced"))["late"]
    spans = traced["spans"] + [["the generator late", *each] for each in late]
    report(bench, pace, traced, spans)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=SECONDS, help="of bets, all together")
    options.add_argument("--round-seconds", type=float, default=ROUND_SECONDS)
    options.add_argument("--bets", type=int, default=HIGHEST_BETS, help="to find the highest rate")
    options.add_argument("--pace", type=float, help="bets a second, in place of four fifths")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        prepared = prepare_venue(Path(scratch) / "venue", TERMINALS)
        asyncio.run(main(Path(scratch), prepared, given))

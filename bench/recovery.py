"""How soon a venue is ready on a long journal, compared with an empty one.

Each start is a process of its own: keys are loaded, the journal is opened, every stream is restored
from its newest snapshot and checked from its newest checkpoint. The rest of the chain is checked in
the background, and its time is printed too.
"""

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.goals import tell
from bench.long_journal import write_long

from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.keys.directory import create_keys, load_keys
from taisai.runtime.runtime import Runtime

EVENTS = 1_000_000
RUNS = 5


async def write(folder: Path, events: int) -> int:
    """Write the long journal."""
    journal = await SqliteJournal.open(folder / "long")
    written = await write_long(journal, load_keys(folder / "keys"), events)
    await journal.close()
    return written


async def start(file: Path, keys: Path) -> None:
    """Start a venue and print when it was ready, and when everything had been checked."""
    began = time.perf_counter()
    venue = await Runtime.open(await SqliteJournal.open(file), load_keys(keys))
    ready = time.perf_counter() - began
    await venue.checked()
    checked = time.perf_counter() - began
    events = sum(head.version for head in venue.committer.heads.values())
    print(f"{ready} {checked} {events}")
    await venue.stop()


def started(file: Path, keys: Path) -> tuple[float, float, int]:
    """Start a venue in a process of its own; return its output, and the wall time to ready."""
    command = [sys.executable, "-m", "bench.recovery", "--start", str(file), str(keys)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return float(answer[0]), float(answer[1]), int(answer[2])


def main(events: int) -> None:
    """Measure both in turn, and print the figures."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        create_keys(folder / "keys")
        print(f"writing {events:,} events", file=sys.stderr, flush=True)
        written = asyncio.run(write(folder, events))
        long, empty = [], []
        for run in range(RUNS):
            print(f"\rrun {run + 1} of {RUNS}", end="", file=sys.stderr, flush=True)
            empty.append(started(folder / f"empty-{run}", folder / "keys")[0])
            long.append(started(folder / "long", folder / "keys"))
        print("\r\x1b[K", end="", file=sys.stderr)
        assert all(each[2] >= written for each in long)
    ready = statistics.median(each[0] for each in long)
    checked = statistics.median(each[1] for each in long)
    none = statistics.median(empty)
    print(f"an empty journal          ready after {none:6.3f} s")
    print(
        f"{written:,} events        ready after {ready:6.3f} s, all checked after {checked:.1f} s"
    )
    tell("recovery", ready)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--start", nargs=2, type=Path)
    given = parser.parse_args()
    if given.start:
        asyncio.run(start(*given.start))
    else:
        main(given.events)

"""What proving a journal costs in time and memory, compared with replaying it without any check.

Both read the same journal, each in a process of its own, in turn. The reference reads, decodes and
evolves; verifying also follows the chain, checks every signature and lets the auditor judge every
decision a second way. Both are measured again with twice the events: by then each table holds all
the rounds that it keeps, and the peak of memory no longer grows with the journal.
"""

import argparse
import asyncio
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.goals import tell
from bench.long_journal import write_long

from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.keys.directory import HISTORY, create_keys, load_keys
from taisai.runtime.keys.signing import read_public
from taisai.runtime.streams import kind_of
from taisai.runtime.verification.shares import processors, verify_shared
from taisai.runtime.verification.verifier import Asked

EVENTS = 1_000_000
RUNS = 5
ROOT = Path(__file__).parent.parent


async def make(file: Path, keys: Path, events: int) -> int:
    """Write the journal to measure."""
    journal = await SqliteJournal.open(file)
    try:
        return await write_long(journal, load_keys(keys), events)
    finally:
        await journal.close()


async def replayed(file: Path) -> int:
    """Replay every stream, and check nothing."""
    journal = await SqliteJournal.open(file, read_only=True)
    try:
        events = 0
        for stream in await journal.heads():
            kind = kind_of(stream)
            state, read, evolve = kind.fresh(bytes(32)), kind.read, kind.evolve
            async for page in journal.read(stream):
                for record in page:
                    evolve(state, read(record))
                events += len(page)
        return events
    finally:
        await journal.close()


async def verified(file: Path, keys: Path) -> int:
    """Verify everything."""
    journal = await SqliteJournal.open(file, read_only=True)
    try:
        asked = Asked(read_public(keys / HISTORY))
        report = await verify_shared(journal, asked, jobs=processors())
    finally:
        await journal.close()
    assert report.verified, report.faults
    return report.events


def measure(what: str, file: Path, keys: Path, events: int) -> None:
    """Run one of the two in this process, and print its seconds and its peak of memory."""
    began = time.perf_counter()
    work = replayed(file) if what == "replay" else verified(file, keys)
    assert asyncio.run(work) == events
    seconds = time.perf_counter() - began
    # Of several processes only the largest peak is known: none of them takes more.
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    shared = largest * processors() if what == "verify" else 0
    peak_mb = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss + shared) / 1024
    print(f"{seconds} {peak_mb}")


def in_turn(file: Path, keys: Path, events: int, runs: int) -> dict[str, list[tuple[float, float]]]:
    """Measure both in turn, each in a process of its own; return the times and the peaks."""
    found: dict[str, list[tuple[float, float]]] = {"replay": [], "verify": []}
    for run in range(runs):
        for what, measured in found.items():
            said = f"\r{events:,} events, {what}: run {run + 1} of {runs}\x1b[K"
            print(said, end="", file=sys.stderr, flush=True)
            words = ["--measure", what, str(file), str(keys), "--events", str(events)]
            done = subprocess.run(
                [sys.executable, "-m", "bench.verify", *words],
                cwd=ROOT,
                capture_output=True,
                check=True,
                text=True,
            )
            seconds, peak = map(float, done.stdout.split())
            measured.append((seconds, peak))
    print("\r\x1b[K", end="", file=sys.stderr)
    return found


def main() -> None:
    """Measure at a quarter of the size and at the whole of it, and print both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=EVENTS, help="how many events")
    parser.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        what, file, keys = arguments.measure
        measure(what, Path(file), Path(keys), arguments.events)
        return
    peaks: list[float] = []
    ratios: list[float] = []
    print(f"{'events':>10} {'replay':>16} {'verify':>16} {'ratio':>8}")
    for wanted, runs in ((arguments.events, RUNS), (2 * arguments.events, 1)):
        with tempfile.TemporaryDirectory() as folder:
            file, keys = Path(folder) / "journal.sqlite", Path(folder) / "keys"
            create_keys(keys)
            print(f"writing {wanted:,} events", file=sys.stderr, flush=True)
            events = asyncio.run(make(file, keys, wanted))
            found = in_turn(file, keys, events, runs)
        columns = " ".join(
            f"{middle(each):>6.2f} s {peak(each):>4.0f} MB" for each in found.values()
        )
        pairs = zip(found["verify"], found["replay"], strict=True)
        ratios.append(statistics.median(one[0] / other[0] for one, other in pairs))
        peaks.append(peak(found["verify"]))
        print(f"{events:>10,} {columns:>33} {ratios[-1]:>6.2f} x", flush=True)
    tell("verify", ratios[0])
    tell("verify memory", peaks[-1] / peaks[0])


def middle(measured: list[tuple[float, float]]) -> float:
    """Give the median of the times."""
    return statistics.median(seconds for seconds, _ in measured)


def peak(measured: list[tuple[float, float]]) -> float:
    """Give the greatest peak of memory."""
    return max(mb for _, mb in measured)


if __name__ == "__main__":
    main()

"""Settling a long file of rounds: lines per second and memory, compared with only reading the JSON.

The reference decodes and encodes each line in the same process with the same library and settles
nothing; both and a run with two processes are measured in turn, and medians compared. Memory is the
process's peak after a tenth of the lines and after all of them.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec
from bench.goals import tell

LINES = 200_000
RUNS = 5
BETS = 5


def write_rounds(path: Path, lines: int) -> None:
    """Write rounds on one pay table with a few players and limits, some of them wrong."""
    source = random.Random(2026)  # noqa: S311 - a seeded workload, nothing secret
    boxes = ["small", "big", "odd", "total-8", "domino-12", "single-3", "three-126", "three-221"]
    with path.open("w") as file:
        for number in range(lines):
            asked = {
                "pay_table": "ts6/2",
                "dice": [source.randint(1, 6) for _ in range(3)],
                "limits": {"min": 1000, "max": 100000, "differential": 50000, "step": 100},
                "bets": [
                    {
                        "player": source.choice("abcdef"),
                        "box": source.choice(boxes),
                        "stake": 100 * source.randint(1, 900) + (number % 1000 == 0),
                    }
                    for _ in range(BETS)
                ],
            }
            file.write(json.dumps(asked) + "\n")


def settle_file(path: Path, jobs: int = 1) -> tuple[float, int]:
    """Settle a file in one process or several; return seconds and peak kilobytes."""
    began = time.perf_counter()
    arguments = [sys.executable, "-m", "taisai", "settle", "--json", "--jobs", str(jobs), str(path)]
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    return time.perf_counter() - began, usage.ru_maxrss


def read_only(path: Path) -> float:
    """Decode and encode each line and settle nothing."""
    began = time.perf_counter()
    with path.open("rb") as file:
        for line in file:
            msgspec.json.encode(msgspec.json.decode(line))
    return time.perf_counter() - began


def main(lines: int, runs: int) -> None:
    """Time the whole file by one process and by two, in turn with the reference."""
    references, ones, twos, peaks = [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        tenth, whole = Path(folder, "tenth.jsonl"), Path(folder, "whole.jsonl")
        write_rounds(tenth, lines // 10)
        write_rounds(whole, lines)
        _, small = settle_file(tenth)
        for run in range(runs):
            print(f"\rround {run + 1} of {runs}", end="", file=sys.stderr, flush=True)
            references.append(read_only(whole))
            seconds, peak = settle_file(whole)
            ones.append(seconds)
            peaks.append(peak)
            twos.append(settle_file(whole, jobs=2)[0])
    print("\r\x1b[K", end="", file=sys.stderr)
    reference, one, two = map(statistics.median, (references, ones, twos))
    print(f"{lines:,} lines of {BETS} bets: {one:.2f} s, {lines / one:,.0f} lines a second")
    print(f"with --jobs 2: {two:.2f} s; decoding and encoding alone: {reference:.2f} s")
    tell("settle", _ratio(ones, references))
    tell("settle jobs", _ratio(ones, twos))
    print(f"peak memory: {small:,} KB after a tenth, {max(peaks):,} KB after all")


def _ratio(those: list[float], these: list[float]) -> float:
    return statistics.median(one / other for one, other in zip(those, these, strict=True))


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--lines", type=int, default=LINES)
    options.add_argument("--runs", type=int, default=RUNS)
    asked = options.parse_args()
    main(asked.lines, asked.runs)

"""Settling a long file of rounds: lines a second and memory, beside reading the same JSON.

The reference decodes and encodes each line in the same process with the same library and settles
nothing. Memory is the process's peak after a tenth of the lines and after all of them.
"""

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

LINES = 100_000
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


def settle_file(path: Path) -> tuple[float, int]:
    """Settle a file in a process of its own; gives seconds and peak kilobytes."""
    began = time.perf_counter()
    arguments = [sys.executable, "-m", "taisai", "settle", "--json", str(path)]
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


def main() -> None:
    """Time the whole file and a tenth of it."""
    with tempfile.TemporaryDirectory() as folder:
        tenth, whole = Path(folder, "tenth.jsonl"), Path(folder, "whole.jsonl")
        write_rounds(tenth, LINES // 10)
        write_rounds(whole, LINES)
        reference = read_only(whole)
        _, small = settle_file(tenth)
        seconds, large = settle_file(whole)
    print(f"{LINES:,} lines of {BETS} bets: {seconds:.2f} s, {LINES / seconds:,.0f} lines a second")
    print(f"against decoding and encoding alone: {seconds / reference:.1f} x")
    print(f"peak memory: {small:,} KB after a tenth, {large:,} KB after all")
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"(this process: {own:,} KB)")


if __name__ == "__main__":
    main()

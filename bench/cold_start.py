"""How long the command line takes from a cold start, compared with an idle interpreter.

Runs the commands in turn, so that a busy machine slows all of them, and prints medians and ratios.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time

from bench.goals import tell

RUNS = 15
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "taisai odds etg8/2": ["-m", "taisai", "odds", "etg8/2"],
    "taisai odds etg8/2 --json": ["-m", "taisai", "odds", "etg8/2", "--json"],
    "taisai explain ts6/2": [
        *("-m", "taisai", "explain", "ts6/2"),
        *("--dice", "2", "2", "2", "--bet", "small=1000"),
    ],
    "taisai rules": ["-m", "taisai", "rules"],
}


#: Modules are compiled once whatever the machine's setting, as in an installed program.
_COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def seconds(arguments: list[str]) -> float:
    """Time one process from start to exit."""
    began = time.perf_counter()
    command = [sys.executable, *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=_COMPILED)
    return time.perf_counter() - began


def main(runs: int) -> None:
    """Time every command in turn, and print the medians."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for arguments in COMMANDS.values():
        seconds(arguments)
    for run in range(runs):
        print(f"\rround {run + 1} of {runs}", end="", file=sys.stderr, flush=True)
        for name, arguments in COMMANDS.items():
            times[name].append(seconds(arguments))
    print("\r\x1b[K", end="", file=sys.stderr)
    reference = statistics.median(times["python -c pass"])
    print(f"{'command':<28} {'median':>9} {'against pass':>13}")
    for name, taken in times.items():
        median = statistics.median(taken)
        print(f"{name:<28} {median * 1000:>6.0f} ms {median / reference:>11.1f} x")
    print()
    for key, command in (("cold odds", "taisai odds etg8/2"), ("cold rules", "taisai rules")):
        pairs = zip(times[command], times["python -c pass"], strict=True)
        tell(key, statistics.median(taken / nothing for taken, nothing in pairs))


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=RUNS)
    main(options.parse_args().runs)

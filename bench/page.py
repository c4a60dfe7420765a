"""Runs every bench in turn, and prints one page at the end: each figure beside its goal.

Ends with status 1 when a goal is missed or its figure was not measured. `--only` runs the named
benches; then only their goals are on the page. `--short` takes minutes and shows that every bench
runs from start to end; its figures say little. With `--keep` figures are stored in a file, and a
bench with all its figures there is not run again: an interrupted run continues where it was, and
some benches may be run today and the rest tomorrow.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from bench.goals import FIGURES_FILE, GOALS, KEPT, Goal, read_noted

ROOT = Path(__file__).parent.parent
#: Every bench in the order of running, with the arguments for a short run that only tries it.
BENCHES: Mapping[str, str] = {
    "cold_start": "--runs 2",
    "settle_lines": "--lines 5000 --runs 2",
    "table": "--runs 1",
    "durable_bets": "--runs 1 --bets 2000",
    "epoch": "--batches 50",
    "first_seconds": "--runs 1",
    "recovery": "--events 20000",
    "verify": "--events 60000",
    "past_rounds": "--affected 20 --since 600",
    "live_bets": "--runs 1 --bets 4000",
    "gateways": "--runs 1 --bets 4000",
    "nodes": "--runs 1 --bets 4000",
    "takeovers": "--times 2",
    "nats_restarts": "--times 2",
    "stalls": "--minutes 0.2",
    "live_fanout": "--runs 2 --terminals 500",
    "live_held": "--terminals 500",
    "tails": "--seconds 8 --round-seconds 2 --bets 4000",
    "flood": "--connections 200 --seconds 0.5 --terminals 50",
    "maths_exact": "--only boxes",
    "maths_engines": "--runs 2",
    "maths_exposure": "--runs 2",
    "layout_trace": "--seconds 5",
    "terminal_heap": "--rounds 20",
}


def page_of(noted: Mapping[str, float], goals: Iterable[Goal] = GOALS) -> tuple[str, bool]:
    """Make the page of figures, and return whether every goal is reached."""
    goals = list(goals)
    rows = [row_of(goal, noted) for goal in goals]
    missed = sum(not reached for _, reached, _ in rows)
    width = max((len(goal.work) for goal in goals), default=0)
    lines = [f"{'':{width}}  {'measured':>12}  {'to reach':>12}"]
    for goal, (measured, _, verdict) in zip(goals, rows, strict=True):
        if goal is KEPT[0]:
            lines.append("reached before, and to stay so")
        lines.append(f"{goal.work:{width}}  {measured:>12}  {goal.to_reach:>12}  {verdict}")
    lines.append(f"{len(goals)} figures, {missed} missed" if missed else "every goal is reached")
    return "\n".join(lines), not missed


def row_of(goal: Goal, noted: Mapping[str, float]) -> tuple[str, bool, str]:
    """Give a figure, whether it reaches its goal, and the words for that."""
    figure = noted.get(goal.key)
    if figure is None:
        return "-", False, "NOT MEASURED"
    measured = f"{figure:.2f}{goal.unit}"
    if goal.is_reached(figure):
        return measured, True, "reached"
    if goal.unless is not None:
        key, least = goal.unless
        share = noted.get(key, 0.0)
        if share >= least:
            return measured, True, f"at {share:.0f} % of the speed of a copy, which is the limit"
    return measured, False, "MISSED"


def run(bench: str, figures: Path, *, short: bool) -> None:
    """Run one bench; if it fails, its figures are missing on the page."""
    words = BENCHES[bench].split() if short else []
    print(f"==> {' '.join([bench, *words])}", flush=True)
    command = [sys.executable, "-m", f"bench.{bench}", *words]
    began = time.monotonic()
    status = subprocess.run(
        command, cwd=ROOT, env={**os.environ, FIGURES_FILE: str(figures)}, check=False
    ).returncode
    ended = f", ended with status {status}" if status else ""
    print(f"    {time.monotonic() - began:.0f} s{ended}", flush=True)


def left_of(benches: Iterable[str], noted: Mapping[str, float]) -> list[str]:
    """Give the benches that have a figure left to measure."""
    return [bench for bench in benches if any(goal.key not in noted for goal in goals_of([bench]))]


def goals_of(benches: Iterable[str]) -> Iterator[Goal]:
    """Give the goals that some benches measure."""
    wanted = set(benches)
    return (goal for goal in GOALS if goal.bench in wanted)


def main() -> int:
    """Run the benches, and print the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=BENCHES, default=[*BENCHES], metavar="BENCH")
    parser.add_argument("--short", action="store_true", help="only see that each of them runs")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep figures, and go on later")
    asked = parser.parse_args()
    benches, began = asked.only, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        figures = (asked.keep or Path(folder, "figures")).absolute()
        for bench in left_of(benches, read_noted(figures)):
            run(bench, figures, short=asked.short)
        page, reached = page_of(read_noted(figures), goals_of(benches))
    print(f"\n{page}\nmeasured in {(time.monotonic() - began) / 60:.0f} minutes")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())

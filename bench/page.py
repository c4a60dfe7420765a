"""Every bench in turn, and in the end one page: each figure beside its goal.

Ends with status 1 when a goal is missed or its figure was not measured. `--only` takes the benches
that are wanted, by their names; then only their goals are on the page.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from bench.goals import FIGURES_FILE, GOALS, Goal, read_noted

ROOT = Path(__file__).parent.parent
#: Every bench, in the order in which they are run, with what each needs to be told.
BENCHES: Mapping[str, tuple[str, ...]] = {
    "cold_start": (),
    "settle_lines": (),
    "table": (),
    "durable_bets": (),
    "first_seconds": (),
    "recovery": (),
    "verify": ("--events", "1000000"),
    "past_rounds": (),
    "live_bets": (),
    "live_fanout": (),
    "live_held": (),
    "flood": (),
    "maths_exact": (),
    "maths_engines": (),
    "maths_exposure": (),
    "layout_trace": (),
    "terminal_heap": (),
}


def page_of(noted: Mapping[str, float], goals: Iterable[Goal] = GOALS) -> tuple[str, bool]:
    """Set the figures on a page, and say whether every goal is reached."""
    goals = list(goals)
    rows = [row_of(goal, noted) for goal in goals]
    missed = sum(not reached for _, reached, _ in rows)
    width = max((len(goal.work) for goal in goals), default=0)
    lines = [f"{'':{width}}  {'measured':>12}  {'to reach':>12}"]
    lines += [
        f"{goal.work:{width}}  {measured:>12}  {to_reach_of(goal):>12}  {verdict}"
        for goal, (measured, _, verdict) in zip(goals, rows, strict=True)
    ]
    lines.append(f"{len(goals)} figures, {missed} missed" if missed else "every goal is reached")
    return "\n".join(lines), not missed


def row_of(goal: Goal, noted: Mapping[str, float]) -> tuple[str, bool, str]:
    """Give what was measured, whether that is what was to be reached, and how that is put."""
    figure = noted.get(goal.key)
    if figure is None:
        return "-", False, "NOT MEASURED"
    measured = f"{figure:.2f}{goal.unit}"
    if figure <= goal.bound if goal.at_most else figure >= goal.bound:
        return measured, True, "reached"
    if goal.unless is not None:
        key, least = goal.unless
        share = noted.get(key, 0.0)
        if share >= least:
            return measured, True, f"at {share:.0f} % of the speed of a copy, which is the limit"
    return measured, False, "MISSED"


def to_reach_of(goal: Goal) -> str:
    """Write a goal."""
    return f"{'<=' if goal.at_most else '>='} {goal.bound:g}{goal.unit}"


def run(bench: str, figures: Path) -> None:
    """Run one bench; whatever becomes of it, the page tells by its figures."""
    print(f"==> {bench}", flush=True)
    command = [sys.executable, "-m", f"bench.{bench}", *BENCHES[bench]]
    status = subprocess.run(
        command, cwd=ROOT, env={**os.environ, FIGURES_FILE: str(figures)}, check=False
    ).returncode
    if status:
        print(f"{bench} ended with status {status}", flush=True)


def goals_of(benches: Iterable[str]) -> Iterator[Goal]:
    """Give the goals that some benches measure."""
    wanted = set(benches)
    return (goal for goal in GOALS if goal.bench in wanted)


def main() -> int:
    """Run the benches, and print the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=BENCHES, default=[*BENCHES], metavar="BENCH")
    benches = parser.parse_args().only
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder, "figures")
        for bench in benches:
            run(bench, figures)
        page, reached = page_of(read_noted(figures), goals_of(benches))
    print(f"\n{page}")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())

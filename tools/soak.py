"""Plays simulated venues for a long time: many seeds, every rulebook, on all processors.

Stops at the first finding with the command that reproduces it. `make soak` runs it.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from typing import NamedTuple

from taisai.rulebooks import KEYS, rulebook
from taisai.runtime.simulator import Finding, Report, simulate

#: Long enough for a table to forget its oldest rounds, short enough to share the work.
ROUNDS_OF_A_WORLD = 1_200


class Task(NamedTuple):
    """One world to play."""

    keys: tuple[str, ...]
    seed: int
    rounds: int

    @property
    def command(self) -> str:
        """Make the command that plays it again."""
        keys = " ".join(self.keys)
        return (
            f"taisai simulate-venue --seed {self.seed} --rounds {self.rounds}"
            f" --rulebook-keys {keys}"
        )


class Total:
    """The totals of all worlds of one choice of rulebooks."""

    def __init__(self) -> None:
        self.worlds = self.rounds = self.void = self.bets = 0
        self.refused = self.decisions = self.corrections = 0
        self.seconds = 0.0

    def add(self, report: Report, seconds: float) -> None:
        """Add a world, and its processor time."""
        tally = report.tally
        self.seconds += seconds
        self.worlds += 1
        self.rounds += tally.rounds
        self.void += tally.void
        self.bets += tally.bets
        self.refused += tally.refusals.total()
        self.decisions += tally.audited
        self.corrections += report.corrections


def play(task: Task) -> tuple[Report | str, float]:
    """Play one world; return its report, or the finding, and the processor time."""
    began = time.process_time()
    try:
        result = simulate(task.seed, task.rounds, [rulebook(key) for key in task.keys])
    except Finding as finding:
        return str(finding), 0.0
    return result, time.process_time() - began


def tasks(rounds: int, seed: int, choices: Sequence[tuple[str, ...]]) -> Iterator[Task]:
    """List the worlds: those of each choice of rulebooks, in turn."""
    for world in range(-(-rounds // ROUNDS_OF_A_WORLD)):
        for keys in choices:
            yield Task(keys, seed + world, min(ROUNDS_OF_A_WORLD, rounds))


def results(work: Iterable[Task], jobs: int) -> Iterator[tuple[Task, Report | str, float]]:
    """Play worlds on several processors, without starting more than are needed."""
    work = iter(work)
    with ProcessPoolExecutor(jobs) as pool:
        running: dict[Future[tuple[Report | str, float]], Task] = {
            pool.submit(play, task): task for task in islice(work, 2 * jobs)
        }
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield running.pop(future), *future.result()
                for task in islice(work, 1):
                    running[pool.submit(play, task)] = task


def main() -> int:
    """Run the soak, and print its outcome."""
    parser = argparse.ArgumentParser(description="Play simulated venues for a long time.")
    parser.add_argument("--rounds", type=int, default=100_000, help="rounds for each rulebook")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first world")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument(
        "--rulebook-keys",
        nargs="+",
        choices=(*KEYS, "all"),
        default=(*KEYS, "all"),
        help="only worlds by these, to run several soaks side by side; all: by all together",
    )
    parser.add_argument("--minutes", type=float, help="stop after so long, found or not")
    asked = parser.parse_args()
    totals: dict[tuple[str, ...], Total] = {}
    began = shown = time.monotonic()
    status = 0
    choices = [KEYS if key == "all" else (key,) for key in asked.rulebook_keys]
    work = tasks(asked.rounds, asked.seed, choices)
    for task, result, seconds in results(work, asked.jobs):
        if isinstance(result, str):
            print(f"\nfound: {result}\nagain with: {task.command}", flush=True)
            status = 1
            break
        totals.setdefault(task.keys, Total()).add(result, seconds)
        now = time.monotonic()
        if now - shown > 1:
            shown = now
            _show_progress(totals, now - began)
        if asked.minutes is not None and now - began > asked.minutes * 60:
            break
    _show(totals, time.monotonic() - began)
    return status


def _show_progress(totals: dict[tuple[str, ...], Total], seconds: float) -> None:
    rounds = sum(total.rounds for total in totals.values())
    start, end = ("\r\x1b[K", "") if sys.stderr.isatty() else ("", "\n")
    if end and int(seconds) % 30:
        return
    line = f"{start}{rounds:,} rounds in {seconds:,.0f} s, {rounds / seconds:,.0f} a second"
    print(line, end=end, file=sys.stderr, flush=True)


def _show(totals: dict[tuple[str, ...], Total], seconds: float) -> None:
    print(f"\n{'rulebooks':<20} {'worlds':>7} {'rounds':>9} {'void':>8} {'bets':>10}", end="")
    print(f" {'refused':>9} {'audited':>10} {'corrections':>11} {'rounds a core-second':>21}")
    for keys, total in totals.items():
        name = "all of them" if keys == KEYS else ", ".join(keys)
        print(f"{name:<20} {total.worlds:>7,} {total.rounds:>9,} {total.void:>8,}", end="")
        print(f" {total.bets:>10,} {total.refused:>9,} {total.decisions:>10,}", end="")
        pace = total.rounds / max(total.seconds, 0.001)
        print(f" {total.corrections:>11,} {pace:>21,.0f}")
    rounds = sum(total.rounds for total in totals.values())
    print(f"{rounds:,} rounds in {seconds:,.0f} s, {rounds / max(seconds, 0.001):,.0f} a second")


if __name__ == "__main__":
    sys.exit(main())

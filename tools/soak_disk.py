"""Tests the journal, or a whole venue, on failing disks for a long time, on all processors.

The journal is tested with cases of many seeds. A venue is tested with every trouble at every step
of both flows: from a press to a registered bet, and from dice to money. Stops at the first finding
with the command that reproduces it. Run it from the project's root as
`python -m tools.soak_disk`, with `--venue` for a venue.
"""

import argparse
import logging
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import TypeVar

from tests.faults import campaign as journals
from tests.faults.flows import campaign as venues
from tests.faults.flows.guests import Begun, begin
from tests.faults.flows.troubles import Plan, Trouble, every_step
from tests.faults.platter import Loss

#: Cases given to a process at once.
SHARE = 25
#: The writes that a power cut takes from a venue.
LOSSES = (Loss.EVERYTHING, Loss.SOME, Loss.NOTHING)

Report = journals.Report | venues.Report
_T = TypeVar("_T")


def _told(finding: Exception, again: str) -> str:
    notes = "\n".join(getattr(finding, "__notes__", []))
    name = type(finding).__name__
    return f"{name}: {finding}\n{notes}\nagain with: python -m tools.soak_disk {again}"


def play_journal(seeds: Sequence[int]) -> Report | str:
    """Play a share of the journal's cases; return its report, or the finding."""
    total = journals.Report()
    with tempfile.TemporaryDirectory() as directory:
        for seed in seeds:
            try:
                total.join(journals.campaign([seed], Path(directory)))
            except Exception as finding:  # noqa: BLE001 - whatever stops a case is a finding
                return _told(finding, f"--cases 1 --seed {seed}")
    return total


@cache
def begun() -> Begun:
    """Set up a venue, once in each process."""
    with tempfile.TemporaryDirectory() as directory:
        return begin(Path(directory) / "disk")


def play_venue(plans: Sequence[Plan]) -> Report | str:
    """Play a share of a venue's plans; return its report, or the finding."""
    logging.disable(logging.CRITICAL)
    total = venues.Report()
    with tempfile.TemporaryDirectory() as directory:
        for plan in plans:
            try:
                total.join(venues.campaign(begun(), [plan], Path(directory), LOSSES))
            except Exception as finding:  # noqa: BLE001 - whatever stops a case is a finding
                name = "" if plan.trouble is None else plan.trouble.name
                place = f"{plan.flow},{name},{plan.nth}"
                return _told(finding, f"--venue --seed {plan.seed} --only {place}")
    return total


def plans_of(seed: int, only: str | None) -> list[Plan]:
    """Plan every trouble at every step of both flows, in random order; or only one of them."""
    if only is not None:
        flow, trouble, nth = only.split(",")
        return [Plan(flow, Trouble[trouble], int(nth), seed)]
    with tempfile.TemporaryDirectory() as directory:
        counts = {flow: venues.count(begun(), flow, Path(directory)) for flow in venues.FLOWS}
    plans = [plan for flow in venues.FLOWS for plan in every_step(flow, counts[flow], seed)]
    Random(seed).shuffle(plans)  # noqa: S311 - only an order to play in
    return plans


def shares(cases: Sequence[_T]) -> Iterator[Sequence[_T]]:
    """Divide cases into shares."""
    return (cases[start : start + SHARE] for start in range(0, len(cases), SHARE))


def results(
    play: Callable[[Sequence[_T]], Report | str], cases: Sequence[_T], jobs: int
) -> Iterator[Report | str]:
    """Play shares on several processors, without starting more than are needed."""
    work = shares(cases)
    with ProcessPoolExecutor(jobs) as pool:
        running = [pool.submit(play, share) for share in islice(work, 2 * jobs)]
        while running:
            yield running.pop(0).result()
            running += [pool.submit(play, share) for share in islice(work, 1)]


def asked_for() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description="Try the journal, or a whole venue, on failing disks.",
        epilog="example: python -m tools.soak_disk --venue --minutes 10",
    )
    parser.add_argument("--venue", action="store_true", help="try a venue, at every step")
    parser.add_argument("--cases", type=int, help="play so many (journal 10,000; venue all)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first case")
    parser.add_argument("--only", help="play one plan of a venue: FLOW,TROUBLE,NTH")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--minutes", type=float, help="stop after so long, found or not")
    return parser.parse_args()


def begin_work(asked: argparse.Namespace) -> Iterator[Report | str]:
    """Start the requested work."""
    if asked.venue:
        plans = plans_of(asked.seed, asked.only)[: asked.cases]
        return results(play_venue, plans, asked.jobs)
    cases = 10_000 if asked.cases is None else asked.cases
    return results(play_journal, range(asked.seed, asked.seed + cases), asked.jobs)


def main() -> int:
    """Run the soak, and print its outcome."""
    asked = asked_for()
    total: Report = venues.Report() if asked.venue else journals.Report()
    began = shown = time.monotonic()
    for result in begin_work(asked):
        if isinstance(result, str):
            print(f"\nfound: {result}", flush=True)
            return 1
        total.join(result)  # type: ignore[arg-type]
        now = time.monotonic()
        if now - shown > 1 and sys.stderr.isatty():
            shown = now
            print(f"\r\x1b[K{total.cases:,} cases", end="", file=sys.stderr, flush=True)
        if asked.minutes is not None and now - began > asked.minutes * 60:
            break
    _show(total, time.monotonic() - began)
    return 0


def _show(total: Report, seconds: float) -> None:
    struck: Counter[str] = Counter()
    for (*where, trouble, act, file), times in total.struck.items():
        struck[": ".join([*where, str(trouble), f"{act} {file}"])] += times
    for what, times in sorted(struck.items()):
        print(f"{times:>8,}  {what}")
    for what, times in sorted(total.said.items()):
        print(f"{times:>8,}  said: {what}")
    print(
        f"{total.cases:,} cases and {total.images:,} images of cut disks in {seconds:,.0f} s;"
        f" {total.missed:,} cases met no fault; nothing found"
    )


if __name__ == "__main__":
    sys.exit(main())

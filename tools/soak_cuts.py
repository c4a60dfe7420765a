"""Cuts the power of venues under load many times, on a simulated disk that loses and tears writes.

Stops at the first broken promise, with the command that tries it again. The aim of a cut and the
writes it takes are determined by the seed; the state it hits depends on the machine. `make soak`
runs it, as `python -m tools.soak_cuts`.
"""

import argparse
import asyncio
import logging
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.faults.cutting.run import FOUNDING, PLAYING, STARTING, STOPPING, Report, Run
from tests.faults.platter import Fate

#: How many cuts a venue takes before a new one is founded: each check reads all of its journal.
CUTS_OF_A_VENUE = 20
WHEN = (FOUNDING, STARTING, PLAYING, STOPPING)


def main() -> int:
    """Run the soak, and print its outcome."""
    parser = argparse.ArgumentParser(description="Cut the power of venues under load.")
    parser.add_argument("--cuts", type=int, default=200, help="how many")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first venue")
    asked = parser.parse_args()
    logging.disable(logging.CRITICAL)
    total, began = Report(), time.monotonic()
    for number, start in enumerate(range(0, asked.cuts, CUTS_OF_A_VENUE)):
        directory, seed = Path(tempfile.mkdtemp(prefix="taisai-cuts-")), asked.seed + number
        cuts = min(CUTS_OF_A_VENUE, asked.cuts - start)
        try:
            total.join(asyncio.run(Run(directory, seed).cut(cuts)))
        except Exception as finding:  # noqa: BLE001 - whatever stops a run is a finding
            print(f"\nfound: {type(finding).__name__}: {finding}\nin {directory}; again with:")
            print(f"python -m tools.soak_cuts --cuts {CUTS_OF_A_VENUE} --seed {seed}", flush=True)
            return 1
        shutil.rmtree(directory)
        print(f"{total.cuts.total():,} of {asked.cuts:,} cuts", file=sys.stderr, flush=True)
    _show(total)
    print(f"{total.cuts.total():,} cuts in {time.monotonic() - began:,.0f} s; nothing found")
    return 0


def _show(total: Report) -> None:
    """Print where the cuts hit, what they took, and what was checked."""
    print(f"{'':<28}" + "".join(f"{when:>16}" for when in WHEN))
    rows: dict[str, Counter[str]] = {}
    for (when, step), times in total.cuts.items():
        rows.setdefault(f"{step.file}: {step.act}", Counter())[when] += times
    for row, counts in sorted(rows.items()):
        print(f"{row:<28}" + "".join(f"{counts[when]:>16,}" for when in WHEN))
    for loss, times in total.losses.items():
        print(f"{times:>8,}  cuts took {loss} of what was not synced")
    for fate in Fate:
        print(f"{total.fates[fate]:>8,}  writes not synced: {fate}")
    for behind, times in sorted(total.behind.items()):
        print(f"{times:>8,}  the anchor was {behind} behind the journal")
    print(f"{total.stops:>8,}  stops in order between")
    for name, count in {**total.tally._asdict(), **total.checked._asdict()}.items():
        print(f"{count:>8,}  {name.replace('_', ' ')}")


if __name__ == "__main__":
    sys.exit(main())

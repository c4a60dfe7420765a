"""Simulates clusters from many seeds: owners killed, paused, cut off, their database failed over.

The leases and the group commit are the real ones, time and database are models. A seed determines
everything; one that fails is printed, and fails again on any machine. `make soak` runs it.
"""

import argparse
import logging
import sys
import time
from collections import Counter

from tests.ownership.world import simulate


def main() -> int:
    """Run the campaign, and print its outcome."""
    parser = argparse.ArgumentParser(description="Simulate clusters, one from each seed.")
    parser.add_argument("--seeds", type=int, default=1_000, help="how many")
    parser.add_argument("--first", type=int, default=1, help="the first of them")
    asked = parser.parse_args()
    # Nodes log a warning for every fault, as they should.
    logging.disable(logging.CRITICAL)
    began = time.monotonic()
    troubles: Counter[str] = Counter()
    told = taken_over = failed = 0
    for seed in range(asked.first, asked.first + asked.seeds):
        report = simulate(seed)
        troubles += report.troubles
        told += report.told
        taken_over += report.taken_over
        if report.faults:
            failed += 1
            print(f"seed {seed}: {'; '.join(report.faults[:5])}", flush=True)
    print(
        f"{asked.seeds:,} clusters in {time.monotonic() - began:,.0f} s: {told:,} commands told"
        f" registered, {taken_over:,} leases passed on, {failed} clusters with a fault"
    )
    print(", ".join(f"{name} {count:,}" for name, count in sorted(troubles.items())))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

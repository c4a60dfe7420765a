"""Fails a venue over to a synchronous standby a hundred times, with the path cut at random.

There are two real PostgreSQL servers, a venue under load in this process, and paths that are cut.
Afterwards every command that was reported as registered must be found at the promoted server. The
times are drawn from the seed, but the state they hit depends on the machine. `make soak` runs it.
"""

import argparse
import asyncio
import logging
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.faults.failing_over.pair import pair
from tests.faults.failing_over.run import Found, Report, Run, Strike

#: How many failovers a journal takes before a new venue is founded: a check reads all of it.
OF_A_JOURNAL = 25


async def fail_over(times: int, seed: int) -> Report:
    """Fail one venue over so many times, on servers of its own."""
    with tempfile.TemporaryDirectory() as directory:
        async with pair() as servers:
            run = Run(servers, Path(directory), seed)
            run.told = lambda done: print(f"{done} of {times}", file=sys.stderr, flush=True)
            return await run.fail_over(run.aims(times))


def main() -> int:
    """Run the campaign, and print its outcome."""
    parser = argparse.ArgumentParser(description="Fail over to a synchronous standby, many times.")
    parser.add_argument("--failovers", type=int, default=100, help="how many")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first venue")
    asked = parser.parse_args()
    # Venues log a warning for every lost server, as they should.
    logging.disable(logging.CRITICAL)
    began = time.monotonic()
    reports = []
    for number, start in enumerate(range(0, asked.failovers, OF_A_JOURNAL)):
        times = min(OF_A_JOURNAL, asked.failovers - start)
        reports.append(asyncio.run(fail_over(times, asked.seed + number)))
        # The progress after each venue: a hundred failovers take a while.
        _show(reports)
    lost = [each for report in reports for each in report.lost]
    print(f"{asked.failovers} failovers in {time.monotonic() - began:,.0f} s; lost: {len(lost)}")
    for each in lost[:20]:
        print(f"  {each}")
    return 1 if lost else 0


def _show(reports: list[Report]) -> None:
    """Print the counts: by the event and the state of the venue, then the others."""
    struck: Counter[tuple[Strike, Found]] = Counter()
    over: Counter[Found] = Counter()
    for report in reports:
        struck += report.struck
        over += report.over
    print(f"{'':<52}" + "".join(f"{found:>34}" for found in Found))
    for strike in Strike:
        counts = "".join(f"{struck[strike, found]:>34}" for found in Found)
        print(f"{strike:<52}{counts}")
    print(
        f"{'the first server lost for good':<52}" + "".join(f"{over[each]:>34}" for each in Found)
    )
    back = sorted(seconds for report in reports for seconds in report.back_seconds)
    lines = [
        ("commands asked", sum(each.tally.asked for each in reports)),
        ("  told registered, and looked for", sum(each.looked_for for each in reports)),
        ("  put off, and asked again", sum(each.put_off for each in reports)),
        ("events checked at the end", sum(each.checked.events for each in reports)),
        ("rounds ended, once each", sum(each.checked.rounds for each in reports)),
        ("interruptions ruled on", sum(each.checked.interruptions for each in reports)),
    ]
    for name, count in lines:
        print(f"{name:<52}{count:>12,}")
    median, most = statistics.median(back), back[-1]
    print(f"back after a promotion, seconds: median {median:.2f}, most {most:.2f}")


if __name__ == "__main__":
    sys.exit(main())

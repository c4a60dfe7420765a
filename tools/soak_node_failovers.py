"""Fails the database of a cluster of nodes over to its synchronous standby, again and again.

It uses the cluster of the campaign (`soak_cluster --nodes`) and its players, with only one trouble:
the first server is lost, in every other case after its standby was cut off for a while, and the
standby is promoted. Measured is the time from the promotion until every player has one more bet
registered; after each failover everything that players were told must be in the journal.
"""

import argparse
import asyncio
import logging
import statistics
import sys
import time
from itertools import cycle, islice

from tests.faults.clustering.campaign import Fault, Report
from tests.faults.clustering.nodes import nodes_cluster
from tests.faults.clustering.nodes_campaign import NodesCampaign

#: How many failovers a journal takes before a new venue is founded: a check reads all of it.
OF_A_CLUSTER = 25


async def fail_over(seed: int, times: int) -> Report:
    """Fail one cluster over so many times."""
    async with nodes_cluster(seed, namespaces=False) as nodes:
        faults = [*islice(cycle((Fault.FAILOVER, Fault.FAILOVER_CUT)), times)]
        return await NodesCampaign(nodes, seed).run(faults, _say)


def _say(what: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


def main() -> int:
    """Run it, and print its outcome."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--failovers", type=int, default=100, help="how many (100)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first cluster (1)")
    asked = parser.parse_args()
    # Clients log a warning for every lost connection, as they should.
    logging.disable(logging.CRITICAL)
    reports = []
    for number, start in enumerate(range(0, asked.failovers, OF_A_CLUSTER)):
        times = min(OF_A_CLUSTER, asked.failovers - start)
        reports.append(asyncio.run(fail_over(asked.seed * 1_000 + number, times)))
        _show(reports)
    return 1 if any(each.wrong for each in reports) else 0


def _show(reports: list[Report]) -> None:
    """Print the counts so far: a hundred failovers take a while."""
    back = [each for report in reports for many in report.back_seconds.values() for each in many]
    wrong = [each for report in reports for each in report.wrong]
    print(
        f"{len(back)} failovers of nodes: everybody back after {statistics.median(back):.2f} s,"
        f" {max(back):.2f} s at the most; bets told registered, and looked for:"
        f" {sum(each.told for each in reports):,}; wrong: {len(wrong)}",
        flush=True,
    )
    for each in wrong[:20]:
        print(f"  {each}")


if __name__ == "__main__":
    sys.exit(main())

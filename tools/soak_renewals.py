"""Renews a running cluster node by node, as for a new version, while people play.

It uses the cluster of the campaign (`soak_cluster --nodes`): NATS, a PostgreSQL server with a
synchronous standby, an office, three owners, two gateways. Each owner is drained with `taisai
cluster drain`, stopped, started and given a table; then each gateway, then the office is stopped
and started. After each of them every player must have one more bet registered, and everything that
players were told so far is compared with the journal, which is proved at the end. With `--from
TREE` all nodes first run the version of the project in another directory, with its screens built.
"""

import argparse
import asyncio
import logging
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from tests.faults.clustering.campaign import Report
from tests.faults.clustering.members import tree_environment
from tests.faults.clustering.nodes import nodes_cluster
from tests.faults.clustering.renewals import IN_ORDER, Renewal, RenewalCampaign

WHERE = "import taisai; print(taisai.__file__)"


async def renew(seed: int, tree: Path | None) -> Report:
    """Renew every node of one cluster."""
    async with nodes_cluster(seed, namespaces=False, tree=tree) as nodes:
        return await RenewalCampaign(nodes, seed).run(IN_ORDER, _say)


def _say(what: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


def check_tree(tree: Path) -> None:
    """Refuse a tree from which nodes could not be started."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", WHERE],
        env=os.environ | tree_environment(tree),
        capture_output=True,
        text=True,
        check=True,
    )
    if not Path(done.stdout.strip()).is_relative_to(tree):
        raise SystemExit(f"nodes would be started from {done.stdout.strip()}, not from {tree}")


def main() -> int:
    """Renew clusters, and print the outcome."""
    parser = argparse.ArgumentParser(description="Renew a running cluster, node by node.")
    parser.add_argument("--times", type=int, default=3, help="how many clusters (3)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first cluster (1)")
    parser.add_argument(
        "--from", dest="tree", type=Path, metavar="TREE", help="where the nodes' first version is"
    )
    asked = parser.parse_args()
    tree = None if asked.tree is None else asked.tree.resolve()
    if tree is not None:
        check_tree(tree)
    # Clients log a warning for every lost connection, as they should.
    logging.disable(logging.CRITICAL)
    reports = [asyncio.run(renew(asked.seed + number, tree)) for number in range(asked.times)]
    return 1 if show(reports) else 0


def show(reports: list[Report]) -> list[str]:
    """Print the counts; return the faults."""
    for step in Renewal:
        seconds = [each for report in reports for each in report.back_seconds.get(step, [])]
        if seconds:
            median, most = statistics.median(seconds), max(seconds)
            times = f"{len(seconds)} times, everybody back after {median:.2f} s"
            print(f"{step}: {times} (median), {most:.2f} s (most)")
    for name, count in (
        ("clusters, each journal proved at its end", sum(each.verified for each in reports)),
        ("bets told registered, and looked for", sum(each.told for each in reports)),
        ("bets refused for good", sum(each.refused for each in reports)),
        ("connections found again", sum(each.reconnections for each in reports)),
    ):
        print(f"{name:<62}{count:>7,}")
    wrong = [each for report in reports for each in report.wrong]
    print(f"wrong: {len(wrong)}")
    for each in wrong[:20]:
        print(f"  {each}")
    return wrong


if __name__ == "__main__":
    sys.exit(main())

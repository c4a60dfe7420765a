"""Disturbs a cluster hundreds of times during play, and checks every promised answer after each.

Two PostgreSQL servers, one the synchronous standby of the other, and a venue with gateways; or
with `--nodes`, NATS, an office, three owners and two gateways. All are on hosts of their own if
namespaces can be made (as root, with `ip`), otherwise on this machine. Troubles are drawn from the
seed, but the state they hit depends on the machine. After so many, the journal is proved and a new
cluster is made; the outcome is stored in a file, and an interrupted campaign continues from there.
`make soak` runs it.
"""

import argparse
import asyncio
import logging
import signal
import statistics
import sys
import time
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec

from tests.faults.clustering.campaign import Campaign, Fault, Report
from tests.faults.clustering.cluster import cluster
from tests.faults.clustering.hosts import can_have_namespaces, leave_network
from tests.faults.clustering.nodes import nodes_cluster
from tests.faults.clustering.nodes_campaign import NodeFault, NodesCampaign

#: How many troubles a cluster goes through before a new one is made.
OF_A_CLUSTER = 25


class Kept(msgspec.Struct):
    """The outcome of a campaign so far."""

    seed: int
    namespaces: bool
    #: Whether it is a cluster of nodes, or a venue of one process with gateways.
    nodes: bool = False
    seconds: float = 0.0
    reports: list[Report] = msgspec.field(default_factory=list)

    @property
    def done(self) -> int:
        """Count the troubles."""
        return sum(sum(each.faults.values()) for each in self.reports)


async def trouble(seed: int, count: int, kept: Kept, logs: Path) -> Report:
    """Disturb one cluster so many times."""
    began = time.monotonic()
    async with AsyncExitStack() as stack:
        campaign: Campaign
        if kept.nodes:
            nodes = nodes_cluster(seed, namespaces=kept.namespaces)
            campaign = NodesCampaign(await stack.enter_async_context(nodes), seed)
        else:
            made = cluster(seed, namespaces=kept.namespaces)
            campaign = Campaign(await stack.enter_async_context(made), seed)
        campaign.report.spent_seconds["clusters made"] = time.monotonic() - began
        report = await campaign.run(campaign.draw(count), _say)
        if report.wrong:
            _keep_logs(campaign, logs / str(seed))
        return report


def _keep_logs(campaign: Campaign, folder: Path) -> None:
    """Store the logs of the members of a cluster with a fault."""
    folder.mkdir(parents=True, exist_ok=True)
    for member in campaign.members:
        (folder / f"{member.host.name}.log").write_text(member.log(), encoding="utf-8")
    (folder / "wrong.txt").write_text("\n".join(campaign.report.wrong) + "\n", encoding="utf-8")
    _say(f"something was wrong: see {folder}")


def _say(what: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


def go_on(kept: Kept, file: Path, faults: int) -> None:
    """Disturb one cluster after the other, and store the outcome of each."""
    while kept.done < faults:
        began = time.monotonic()
        seed = kept.seed * 1_000 + len(kept.reports)
        count = min(OF_A_CLUSTER, faults - kept.done)
        kept.reports.append(asyncio.run(trouble(seed, count, kept, file.with_suffix(""))))
        kept.seconds += time.monotonic() - began
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(msgspec.json.encode(kept))
        _say(f"{kept.done} of {faults}")


def show(kept: Kept) -> list[str]:
    """Print the counts; return the faults."""
    reports = kept.reports
    # In the form of docs/reliability.md.
    print("| trouble | times | back after, median | at most |\n|---|---:|---:|---:|")
    for fault in sorted({*NodeFault, *Fault}):
        seconds = [each for report in reports for each in report.back_seconds.get(fault, [])]
        if seconds:
            median, most = statistics.median(seconds), max(seconds)
            print(f"| {fault} | {len(seconds)} | {median:.2f} s | {most:.2f} s |")
    for name, count in (
        ("clusters, each journal proved at its end", sum(each.verified for each in reports)),
        ("bets told registered, and looked for", sum(each.told for each in reports)),
        ("bets refused for good", sum(each.refused for each in reports)),
        ("put off, and asked again", sum(each.put_off for each in reports)),
        ("connections found again", sum(each.reconnections for each in reports)),
    ):
        print(f"{name:<62}{count:>7,}")
    spent: Counter[str] = Counter()  # of seconds
    for report in reports:
        spent.update(report.spent_seconds)
    for on, lasted in spent.most_common():
        print(f"{'time: ' + on:<62}{lasted / kept.done:>7.2f} s a trouble")
    for report in reports:
        for each in report.long_away:
            print(f"not back soon: {each}")
    wrong = [each for report in reports for each in report.wrong]
    where = "in namespaces" if kept.namespaces else "on one machine"
    print(f"{kept.done} troubles {where} in {kept.seconds:,.0f} s; wrong: {len(wrong)}")
    return wrong


def main() -> int:
    """Run the campaign, and print its outcome."""
    parser = argparse.ArgumentParser(description="Trouble a cluster, many times.")
    parser.add_argument("--faults", type=int, default=100, help="how many (100)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first cluster (1)")
    parser.add_argument("--nodes", action="store_true", help="a cluster of nodes, with NATS")
    parser.add_argument("--here", action="store_true", help="on this machine, without namespaces")
    parser.add_argument(
        "--kept",
        type=Path,
        default=Path("build/soak_cluster.json"),
        help="where it is kept, to go on from",
    )
    asked = parser.parse_args()
    # Its hosts and processes end with it, however it is ended.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    # Clients log a warning for every lost connection, as they should.
    logging.disable(logging.CRITICAL)
    kept = Kept(asked.seed, not asked.here and can_have_namespaces(), asked.nodes)
    if asked.kept.exists():
        kept = msgspec.json.decode(asked.kept.read_bytes(), type=Kept)
    if kept.namespaces:
        leave_network()
    go_on(kept, asked.kept, asked.faults)
    wrong = show(kept)
    for each in wrong[:20]:
        print(f"  {each}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

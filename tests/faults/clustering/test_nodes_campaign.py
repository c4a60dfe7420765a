"""Faults of nodes, on this machine alone; one of them is renewed while people play.

The campaigns, `python -m tools.soak_cluster --nodes` and `python -m tools.soak_renewals`, have
hundreds of faults and whole clusters.
"""

import asyncio

from tests.faults.clustering.campaign import TERMINALS, Report
from tests.faults.clustering.checker import look
from tests.faults.clustering.nodes import nodes_cluster
from tests.faults.clustering.nodes_campaign import NodeFault
from tests.faults.clustering.renewals import Renewal, RenewalCampaign

FAULTS = [
    *(NodeFault.OWNER_KILLED, NodeFault.GATE_KILLED, NodeFault.NATS_KILLED),
    Renewal.OWNER,
]
CABLES = {NodeFault.OWNER_CABLE, NodeFault.GATE_CABLE}


async def troubled() -> tuple[Report, list[str]]:
    """Run a few faults; then give the checker a bet with a wrong answer."""
    async with nodes_cluster(1, namespaces=False) as made:
        campaign = RenewalCampaign(made, 1)
        assert not CABLES & {*campaign.possible()}
        report = await campaign.run(FAULTS)
        first = campaign.memory.told[0]
        campaign.memory.told.append(first._replace(stake=first.stake + 1))
        return report, await look(made.databases.first.url, campaign.memory)


def test_people_play_on_while_nodes_are_lost_and_renewed() -> None:
    report, found = asyncio.run(troubled())
    assert report.wrong == []
    assert report.faults == dict.fromkeys(FAULTS, 1)
    assert report.told > len(FAULTS) * TERMINALS
    assert report.verified == 1
    (lie,) = found
    assert lie.startswith("told, and not at its version")

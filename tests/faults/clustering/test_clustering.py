"""A cluster in trouble, on this machine alone; and what the checker in SQL would report.

The campaign, `python -m tools.soak_cluster`, has hundreds of faults on hosts of their own.
"""

import asyncio

from tests.faults.clustering import campaign as campaign_module
from tests.faults.clustering.campaign import Campaign, Fault, Report
from tests.faults.clustering.checker import look
from tests.faults.clustering.cluster import cluster

FAULTS = [Fault.GATEWAY_KILLED, Fault.DATABASE_BROKEN, Fault.PEOPLE_BROKEN]


async def troubled() -> tuple[Report, list[list[str]]]:
    """Run a few faults; then give the checker answers that never were."""
    async with cluster(1, namespaces=False) as made:
        campaign = Campaign(made, 1)
        report = await campaign.run(FAULTS)
        memory, url = campaign.memory, made.databases.first.url
        first, second, *_ = memory.told
        lies = []
        for lie in (
            first._replace(first=first.first + 1, last=first.last + 1),
            first._replace(stake=first.stake + 1),
            second._replace(id="0-never"),
        ):
            memory.told.append(lie)
            lies.append(await look(url, memory))
            memory.told.pop()
        memory.refused.add(first[:3])
        memory.asked.discard(second[:3])
        key, shown = next(iter(memory.shown.items()))
        memory.shown[key] = shown._replace(credits=shown.credits + 1)
        lies.append(await look(url, memory))
        return report, lies


def test_people_play_on_through_troubles_and_nothing_they_were_told_is_lost() -> None:
    report, lies = asyncio.run(troubled())
    assert report.wrong == []
    assert report.faults == dict.fromkeys(FAULTS, 1)
    assert report.told > 3 * campaign_module.TERMINALS
    assert report.verified == 1
    for told in lies[:3]:
        (found,) = told
        assert found.startswith("told, and not at its version")
    kinds = {each.partition(":")[0] for each in lies[3]}
    assert kinds == {
        "refused, and carried out",
        "carried out, and asked by nobody",
        "credits that do not agree",
    }

"""What a node refuses before it opens its port; a venue of one process refuses the same."""

from collections.abc import Iterator
from contextlib import contextmanager

from taisai.runtime.recovery import StartupError
from taisai.server.nodes.cluster import Cluster, NodePlan, settings_of
from taisai.server.nodes.switchboard import options_of
from taisai.server.setting_checks import check_demo_host, check_settings
from taisai.server.settings import Settings


def check_node(cluster: Cluster, plan: NodePlan, settings: Settings) -> None:
    """Refuse settings with which this node could not serve, or would serve whom it must not."""
    with _about(plan):
        check_settings(settings)
    for each in cluster.node:
        # One gateway on the network is enough to let everybody into the whole demo.
        with _about(each):
            check_demo_host(settings_of(cluster, each, None))
    options = options_of(cluster.nats)
    options.addresses()
    options.tls()
    if plan.roles != ("gateway",):
        cluster.check_journal()


@contextmanager
def _about(plan: NodePlan) -> Iterator[None]:
    """Name the node whose settings are refused."""
    try:
        yield
    except StartupError as error:
        raise StartupError(f"node {plan.name}: {error}") from None

"""The gateways that a node serves: for each call of one there is an `Attached`."""

import logging
from collections import Counter

from taisai.server.accounts.grants import Grants
from taisai.server.gateways.attached import Attached
from taisai.server.gateways.tunnels import Answering
from taisai.server.lanes.lane import Lane
from taisai.server.live.hub import Hub
from taisai.server.nodes.switchboard import Call

_log = logging.getLogger(__name__)


class Gates:
    """The gateways connected to a node; `pages` is the address of an office's own pages."""

    def __init__(self, hub: Hub, grants: Grants, pages: str = "") -> None:
        self.hub = hub
        self._grants = grants
        self._pages = pages
        #: How often each gateway was started.
        self._starts: Counter[str] = Counter()

    def takes(self, call: Call) -> Lane:
        """Accept the call of a gateway."""
        self._starts[call.name] += 1
        attached = Attached(
            *(self.hub, call.name, self._starts[call.name], self._lost),
            instance=call.instance,
            grants=self._grants,
        )
        if self._pages:
            attached.pages = Answering(attached.lane, self._pages)
        self.hub.gateways[call.name] = attached
        return attached.lane

    def _lost(self, attached: Attached, why: str) -> None:
        _log.warning("gateway %s is lost: %s; whoever was there comes back", attached.name, why)
        if self.hub.gateways.get(attached.name) is attached:
            del self.hub.gateways[attached.name]

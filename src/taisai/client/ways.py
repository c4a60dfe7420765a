"""The addresses of a venue: those one was given, and those it tells of; one of them at a time."""

import random
from collections.abc import Sequence
from urllib.parse import urlsplit

from taisai.client.failures import ClientError
from taisai.client.wire import LOG, live_address


class Ways:
    """Where a venue is reached; whoever loses one address goes on to another."""

    def __init__(self, given: Sequence[str]) -> None:
        if not given:
            raise ClientError("no address of a venue is given")
        self._given = [live_address(each) for each in given]
        self._told: list[str] = []
        #: The one that is used, or is tried next.
        self.url = self._given[0]

    @property
    def urls(self) -> list[str]:
        """Give all that are known, each once."""
        return [*dict.fromkeys([*self._given, *self._told])]

    def told(self, addresses: Sequence[str]) -> None:
        """Know the addresses that the venue tells of; one as secure as the first will do."""
        scheme = urlsplit(self._given[0]).scheme
        self._told = []
        for each in addresses:
            try:
                address = live_address(each)
            except ClientError as error:
                LOG.warning("the venue tells of an address of its own: %s", error)
                continue
            if urlsplit(address).scheme in (scheme, "wss"):
                self._told.append(address)

    def turn(self) -> None:
        """Go on to another, by lot: all who were at one that is lost spread over the others."""
        others = [each for each in self.urls if each != self.url]
        if others:
            self.url = random.choice(others)  # noqa: S311 - nothing is secret about it

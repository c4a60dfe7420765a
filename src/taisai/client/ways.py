"""The addresses of a venue: those given to the client, and those that the venue sends."""

import random
from collections.abc import Sequence
from urllib.parse import urlsplit

from taisai.client.failures import ClientError
from taisai.client.wire import LOG, live_address


class Ways:
    """The addresses of a venue, one of them in use; a client that loses one tries another."""

    def __init__(self, given: Sequence[str]) -> None:
        if not given:
            raise ClientError("no address of a venue is given")
        self._given = [live_address(each) for each in given]
        self._told: list[str] = []
        #: The address in use, or the next one to try.
        self.url = self._given[0]

    @property
    def urls(self) -> list[str]:
        """All known addresses, each once."""
        return [*dict.fromkeys([*self._given, *self._told])]

    def told(self, addresses: Sequence[str]) -> None:
        """Add the addresses that the venue sends, if they are as secure as the first one."""
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
        """Choose another at random: the clients of a lost address spread over the others."""
        others = [each for each in self.urls if each != self.url]
        if others:
            self.url = random.choice(others)  # noqa: S311 - nothing is secret about it

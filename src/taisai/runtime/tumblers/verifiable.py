"""Dice that follow from secrets which were bound before the bets: one table's verifiable tumbler.

It holds the chain that the table's journal has published, opened with the house's sealing key, and
says what the house owes the players between rounds. It remembers nothing that a journal and the
key do not give again.
"""

import os
from collections.abc import Callable

from taisai.core.rules.dice import Faces
from taisai.core.table.provably_fair import (
    SECRET_BYTES,
    PublishChain,
    RevealSecret,
    drawn_dice,
    is_verifiable,
    link_of,
    secret_due,
)
from taisai.core.table.state import IN_ROUND, TableState
from taisai.runtime.tumblers.contract import Tumble, TumblerFault
from taisai.runtime.tumblers.sealing import SealBrokenError, Sealer

#: So many rounds a chain serves, unless told otherwise.
CHAIN_LENGTH = 10_000


class VerifiableTumbler:
    """The dice of one table, from the chain that its journal says is published."""

    def __init__(
        self,
        sealer: Sealer,
        length: int = CHAIN_LENGTH,
        chance: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._sealer = sealer
        self._length = length
        self._chance = chance
        self._first = 0
        #: All links, which take 32 bytes a round and milliseconds to compute.
        self._links = b""
        #: A chain that is offered and not published yet: the command, and all of its links.
        self._offered: tuple[PublishChain, bytes] | None = None

    def follow(self, state: TableState) -> None:
        """Take up the chain that a table has published: after a restart, from its seal."""
        chain = state.chain
        if chain is None or self._holds(chain.commitment, chain.first):
            return
        if self._offered is not None and self._offered[0].commitment == chain.commitment:
            links = self._offered[1]
        else:
            last = self._sealer.open(chain.sealed, state.table, chain.commitment)
            links = links_from(last, chain.length)
            if link_at(links, 0).hex() != chain.commitment:
                raise SealBrokenError(
                    f"the secrets of table {state.table} do not lead to the chain it has published;"
                    " the journal was changed"
                )
        self._first, self._links, self._offered = chain.first, links, None

    def _holds(self, commitment: str, first: int) -> bool:
        return first == self._first and link_at(self._links, 0).hex() == commitment

    def owed(self, state: TableState) -> PublishChain | RevealSecret | None:
        """Tell what the house must say, as `system`, before the table's next round can begin."""
        if not is_verifiable(state) or state.phase in IN_ROUND:
            return None
        if state.chain is None or state.chain.used_up:
            return self._offer(state.table)
        self.follow(state)
        due = secret_due(state)
        return None if due is None else RevealSecret(due, self._secret(due).hex())

    def _offer(self, table: str) -> PublishChain:
        """Make up a new chain; the same is offered until a journal has it."""
        if self._offered is None:
            last = self._chance(SECRET_BYTES)
            links = links_from(last, self._length)
            commitment = link_at(links, 0).hex()
            sealed = self._sealer.seal(last, table, commitment)
            self._offered = PublishChain(commitment, self._length, sealed), links
        return self._offered[0]

    async def tumble(self, table: str, round: int, at_least: int) -> Tumble:
        """Count as a tumble what no dice do: as often as asked, flat and unseen."""
        del table, round
        return Tumble(at_least)

    async def draw(self, table: str, round: int) -> Faces:
        """Draw the dice of a round; asked again, after a restart too, they are the same."""
        return self.drawn(table, round)

    def drawn(self, table: str, round: int) -> Faces:
        """Give the dice of a round from its secret."""
        return drawn_dice(self._secret(round), table, round)

    def _secret(self, round: int) -> bytes:
        index = round - self._first + 1
        secret = link_at(self._links, index) if index >= 1 else b""
        if not secret:
            raise TumblerFault(f"no secret is published for round {round}")
        return secret


def links_from(last: bytes, length: int) -> bytes:
    """Compute a chain from its last secret: the commitment, then each round's, laid end to end."""
    links = [last]
    for _ in range(length):
        links.append(link_of(links[-1]))
    return b"".join(reversed(links))


def link_at(links: bytes, index: int) -> bytes:
    """Take one link out of a chain; the first is the commitment."""
    return links[index * SECRET_BYTES : (index + 1) * SECRET_BYTES]

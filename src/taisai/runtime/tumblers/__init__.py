"""Tumblers, the sources of dice: by chance, from a published chain of secrets, or by a reader.

A table whose dealer keys the faces has no tumbler here: its `Equipment` says `keyed`. The maker of
a physical reader implements `Tumbler` and needs nothing else of this project but `TumblerFault`. A
tumbler answers calls; it never acts at a table by itself, and keeps no books.

A verifiable tumbler holds the chain that the table's journal has published, opened with the venue's
sealing key, and says what the venue must publish or reveal between rounds. All that it knows can be
recovered from the journal and the key. A seal is ChaCha20-Poly1305: the nonce, the secret and its
tag, in hexadecimal.
"""

import os
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Literal, Protocol

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec import Struct

from taisai.core.rules.dice import Faces
from taisai.core.table.provably_fair import (
    SECRET_BYTES,
    PublishChain,
    RetireChain,
    RevealSecret,
    drawn_dice,
    fair_faces,
    is_verifiable,
    link_of,
    secret_due,
)
from taisai.core.table.state import IN_ROUND, Phase, TableState, in_force
from taisai.runtime.keys.files import NONCE_BYTES, every, opened_by


class Tumble(Struct, frozen=True):
    """A tumble as it happened: how often, and whether the dice lie flat and concealed."""

    times: int
    flat: bool = True
    concealed: bool = True


class TumblerFault(Exception):  # noqa: N818 - a fault of the equipment, as the documents call it
    """The tumbler cannot say what the dice show; `code` names the irregularity that is reported.

    The codes are the rulebooks' own: `malfunction` if the device fails, `die-not-flat`,
    `bad-tumble` or `dice-exposed` if the dice do not lie as they must.
    """

    def __init__(self, note: str, code: str = "malfunction") -> None:
        super().__init__(note)
        self.note = note
        self.code = code


class Tumbler(Protocol):
    """A device that tumbles three dice and says what they show.

    - `tumble` is called once for each round, when its document has the dice tumbled; it gives what
      happened, also a bad tumble: whether that voids the round is not decided by the device.
    - `draw` is called after the bets are closed and the tumble is in the journal. It gives the
      three faces in any order. They are in the journal before they are shown to anybody.
    - After an interruption `draw` may be called again for the same round. A device whose dice still
      lie there, or follow from a secret, gives the same; any other is not called (the round is void
      or is declared by people), and if it is, raises `TumblerFault`.
    - Either call may take its time and may be cancelled; it must leave the device ready for another
      call. The caller sets the time after which a silent device counts as failed.
    - Every failure is a `TumblerFault`; nothing else is raised.
    """

    async def tumble(self, table: str, round: int, at_least: int) -> Tumble:
        """Tumble the dice of a round, as often as its document asks at least."""
        ...

    async def draw(self, table: str, round: int) -> Faces:
        """Say what the dice of a round show."""
        ...


def turn_of(state: TableState) -> Literal["tumble", "draw"] | None:
    """Say what a table's device must do now that the bets are closed, if it has one.

    A tumble before the bets begins a round, and only the dealer begins a round.
    """
    if state.equipment.tumbler == "keyed" or state.phase is not Phase.NO_MORE_BETS:
        return None
    if state.in_doubt is not None or state.waiting or "device" in state.reported:
        return None
    if state.tumbled:
        # At a chip table the dealer lifts the cover when the layout is read, and then it draws.
        return "draw" if state.chips is None or state.uncovered else None
    return None if in_force(state).content.procedure.tumble.order == "before-bets" else "tumble"


# --- dice by chance alone ------------------------------------------------------------------------


#: So many bytes are drawn at a time; three dice rarely need more than three.
_AT_A_TIME = 16


class _WithoutDice:
    """A tumbler without dice that could be tumbled."""

    async def tumble(self, table: str, round: int, at_least: int) -> Tumble:
        """Report a tumble without dice: as often as required, flat and concealed."""
        del table, round
        return Tumble(at_least)


class SimulatedTumbler(_WithoutDice):
    """Draws each round anew and forgets it: only the journal knows what was drawn."""

    def __init__(self, chance: Callable[[int], bytes] = os.urandom) -> None:
        self._chance = chance

    async def draw(self, table: str, round: int) -> Faces:
        """Draw three faces; bytes that would favour some faces are thrown away."""
        del table, round
        low, middle, high = sorted(islice(fair_faces(self._bytes()), 3))
        return low, middle, high

    def _bytes(self) -> Iterator[int]:
        while True:
            yield from self._chance(_AT_A_TIME)


# --- secrets at rest, bound to their table and commitment ----------------------------------------


class SealBrokenError(Exception):
    """A seal cannot be opened: another key, another table, or it was tampered with."""


class Sealer:
    """Seals with a venue's sealing key, and opens what this key or an earlier one sealed."""

    def __init__(self, key: bytes, chance: Callable[[int], bytes] = os.urandom) -> None:
        self._ciphers = [ChaCha20Poly1305(each) for each in every(key)]
        self._chance = chance

    def seal(self, secret: bytes, table: str, commitment: str) -> str:
        """Seal a secret for one table and one published chain."""
        nonce = self._chance(NONCE_BYTES)
        return (nonce + self._ciphers[0].encrypt(nonce, secret, _bound(table, commitment))).hex()

    def open(self, sealed: str, table: str, commitment: str) -> bytes:
        """Open what was sealed for this table and this chain."""
        try:
            content = bytes.fromhex(sealed)
        except ValueError:
            content = b""
        opened = opened_by(self._ciphers, content, _bound(table, commitment))
        if opened is None:
            raise SealBrokenError(
                f"the secrets of table {table} cannot be opened: the sealing key is not the one "
                "they were sealed with, or the journal was changed; put the right key back"
            )
        return bytes(opened)


def _bound(table: str, commitment: str) -> bytes:
    """Give the bytes that a seal is bound to; no table's name has a colon."""
    return f"{table}:{commitment}".encode()


# --- dice that follow from secrets ---------------------------------------------------------------


#: Why a chain is retired at a start.
NOT_THE_NEWEST = "the venue was not stopped in order, and secrets after this point may be known"
#: A chain serves so many rounds by default.
CHAIN_LENGTH = 10_000


class VerifiableTumbler(_WithoutDice):
    """The dice of one table, from the chain that its journal says is published."""

    def __init__(
        self,
        sealer: Sealer,
        length: int = CHAIN_LENGTH,
        chance: Callable[[int], bytes] = os.urandom,
    ) -> None:
        #: A chain whose secrets may have been used in a lost history: it serves no more rounds.
        self.distrusted: str | None = None
        self._sealer = sealer
        self._length = length
        self._chance = chance
        self._first = 0
        #: All links, which take 32 bytes a round and milliseconds to compute.
        self._links = b""
        #: A chain that is not published yet: the command to publish it, and all its links.
        self._offered: tuple[PublishChain, bytes] | None = None

    def follow(self, state: TableState) -> None:
        """Use the chain that a table has published: after a restart, from its seal."""
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

    def owed(self, state: TableState) -> PublishChain | RevealSecret | RetireChain | None:
        """Give the command due from the venue, as `system`, before the next round can begin."""
        if not is_verifiable(state) or state.phase in IN_ROUND:
            return None
        chain = state.chain
        if chain is not None and chain.goes_on and chain.commitment == self.distrusted:
            # Before the secret that is due, since until that is revealed no round can begin.
            return RetireChain(NOT_THE_NEWEST)
        if state.chain is None or state.chain.used_up:
            return self._offer(state.table)
        self.follow(state)
        due = secret_due(state)
        return None if due is None else RevealSecret(due, self._secret(due).hex())

    def _offer(self, table: str) -> PublishChain:
        """Make a new chain; the same one is given until the journal has it."""
        if self._offered is None:
            last = self._chance(SECRET_BYTES)
            links = links_from(last, self._length)
            commitment = link_at(links, 0).hex()
            sealed = self._sealer.seal(last, table, commitment)
            self._offered = PublishChain(commitment, self._length, sealed), links
        return self._offered[0]

    async def draw(self, table: str, round: int) -> Faces:
        """Draw the dice of a round; they are the same each time, also after a restart."""
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

"""Taking over keys that two persons put in place while the venue was stopped [D39].

That a voucher key or a sealing key was replaced is in the chain of endorsements; here it is
recorded in the journal, once.
"""

from collections.abc import Awaitable
from itertools import pairwise
from typing import Protocol

from taisai.core.cage.state import CageState
from taisai.core.cage.vouchers import ReplaceVoucherKey
from taisai.core.kernel.messages import Command, Order
from taisai.core.rules.reason import Refusal
from taisai.core.venue.setup import ReplaceSealingKey
from taisai.core.venue.state import VenueState
from taisai.runtime.answers import HOST, Answer
from taisai.runtime.clock import Clock
from taisai.runtime.keys.signing import Endorsement, VenueKeys
from taisai.runtime.recovery import StartupError
from taisai.runtime.streams import CAGE, VENUE


class Venue(Protocol):
    """The part of a venue needed here."""

    clock: Clock

    @property
    def state(self) -> VenueState: ...

    @property
    def cage(self) -> CageState: ...

    def suspended(self) -> dict[str, str]: ...

    def submit(self, stream: str, order: Order) -> Awaitable[Answer]: ...


async def take_over_keys(venue: Venue, keys: VenueKeys) -> bool:
    """Record replaced keys in the journal; say whether the sealing key is one of them."""
    stopped = venue.suspended()
    if VENUE in stopped or CAGE in stopped or not (venue.state.currency and venue.cage.currency):
        return False
    vouchers = _changes(keys, "voucher")[len(venue.cage.key_changes) :]
    sealing = _changes(keys, "sealing")[venue.state.sealing_key_changes :]
    for link in vouchers:
        asked = ReplaceVoucherKey(link.voucher_mark, link.by or "", link.second or "")
        await _tell(venue, CAGE, asked, link)
    for link in sealing:
        told = ReplaceSealingKey(link.sealing_mark, link.by or "", link.second or "")
        await _tell(venue, VENUE, told, link)
    return bool(sealing)


def _changes(keys: VenueKeys, purpose: str) -> list[Endorsement]:
    """Find the signing keys that came with a replacement of a secret."""
    chain, name = keys.public.chain, f"{purpose}_mark"
    return [
        link for before, link in pairwise(chain) if getattr(link, name) != getattr(before, name)
    ]


async def _tell(venue: Venue, stream: str, command: Command, link: Endorsement) -> None:
    order = Order(f"{venue.clock.now()}-key-{link.number}", HOST, command)
    answer = await venue.submit(stream, order)
    if isinstance(answer, Refusal):
        raise StartupError(f"the {stream} does not take its new key over: {answer.code}")

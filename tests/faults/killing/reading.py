"""Reads the journal of a venue that was killed: each stream from its beginning, by decisions."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from taisai.core.cage.vouchers import VoucherIssued, VoucherTaken
from taisai.core.kernel.messages import Event, Instant
from taisai.core.kernel.transits import TransitClosed
from taisai.core.table.positions import CashedOut, CreditsReceived
from taisai.runtime.journal.contract import Head, Journal, Record, genesis
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.recovery import check_links
from taisai.runtime.streams import VENUE, kind_of

_read_cause = msgspec.json.Decoder(tuple[str, str, str]).decode

Key = tuple[str, str, str]


class Decision(NamedTuple):
    """The events of one command in a stream."""

    stream: str
    first: int
    last: int
    at: Instant
    sender: str
    id: str
    events: tuple[Event, ...]

    @property
    def key(self) -> Key:
        """Give the command's key."""
        return self.stream, self.sender, self.id


class Stream(NamedTuple):
    """A stream read from its beginning: its records' hashes, its decisions, and its state."""

    name: str
    head: Head
    hashes: Sequence[bytes]
    decisions: Sequence[Decision]
    state: Any


async def read_stream(journal: Journal, keys: VenueKeys, name: str) -> Stream:
    """Read a stream from its beginning, and check its chain link by link."""
    kind = kind_of(name)
    head, state = genesis(name), kind.fresh(keys.voucher)
    hashes = [head.hash]
    decisions: list[Decision] = []
    async for page in journal.read(name):
        head = check_links(head, page)
        for record in page:
            event = kind.read(record)
            kind.evolve(state, event)
            hashes.append(record.hash)
            _add_to(decisions, record, event)
    return Stream(name, head, hashes, decisions, state)


def _add_to(decisions: list[Decision], record: Record, event: Event) -> None:
    if record.cause is not None:
        role, person, id_ = _read_cause(record.cause)
        version, sender = record.version, f"{role}/{person}"
        made = Decision(record.stream, version, version, record.at, sender, id_, (event,))
        decisions.append(made)
        return
    begun = decisions[-1]
    decisions[-1] = begun._replace(last=record.version, events=(*begun.events, event))


def in_causal_order(streams: Sequence[Sequence[Decision]]) -> Iterator[Decision]:
    """Give the decisions of all streams by time, with money never arriving before it left.

    Within a millisecond the times do not show the order. Money that never left is passed on as it
    is, for the auditor to find.
    """
    known: set[tuple[str, str]] = set()
    fronts = {number: 0 for number, each in enumerate(streams) if each}
    while fronts:
        front = sorted(
            (streams[number][at].at, streams[number][at].stream != VENUE, number)
            for number, at in fronts.items()
        )
        numbers = [number for _, _, number in front]
        ready = (each for each in numbers if _needs(streams[each][fronts[each]]) <= known)
        number = next(ready, numbers[0])
        decision = streams[number][fronts[number]]
        known |= _gives(decision)
        fronts[number] += 1
        if fronts[number] == len(streams[number]):
            del fronts[number]
        yield decision


def _gives(decision: Decision) -> set[tuple[str, str]]:
    given = set()
    for event in decision.events:
        match event:
            case CashedOut(transit=transit) | VoucherTaken(transit=transit):
                given.add(("left", transit))
            case CreditsReceived(transit=str(transit)) | VoucherIssued(transit=str(transit)):
                given.add(("arrived", transit))
            case _:
                pass
    return given


def _needs(decision: Decision) -> set[tuple[str, str]]:
    needed = set()
    for event in decision.events:
        match event:
            case CreditsReceived(transit=str(transit)) | VoucherIssued(transit=str(transit)):
                needed.add(("left", transit))
            case TransitClosed(transit=transit):
                needed.add(("arrived", transit))
            case _:
                pass
    return needed - _gives(decision)

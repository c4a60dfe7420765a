"""Administration of a stopped venue: writes events to a journal that no other process writes to.

No stream is opened for play here: no round goes on, no dice are drawn, no money is transferred.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from taisai.core.kernel.messages import Instant, Order
from taisai.core.rules.reason import Refusal
from taisai.runtime.answers import cause_of
from taisai.runtime.clock import Clock
from taisai.runtime.journal.anchor import Anchor, check_anchor
from taisai.runtime.journal.checkpoints import make_checkpoint
from taisai.runtime.journal.contract import (
    SHAPE,
    Append,
    Checkpoint,
    Head,
    Journal,
    JournalError,
    Outcome,
    Record,
    genesis,
    link,
)
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.recovery import Started, read_back
from taisai.runtime.streams import Kind, kind_of
from taisai.runtime.timekeeper import Memory, Timekeeper

_encode = msgspec.json.Encoder().encode


class End(NamedTuple):
    """A stream at its end: its state and head."""

    stream: str
    kind: Kind[Any]
    state: Any
    head: Head


async def end_of(journal: Journal, stream: str) -> End:
    """Replay a stream; no key is needed, since nothing here depends on one."""
    kind, head = kind_of(stream), genesis(stream)
    state = kind.fresh(b"")
    async for page in journal.read(stream):
        for record in page:
            kind.evolve(state, kind.read(record))
        head = Head(page[-1].version, page[-1].hash)
    return End(stream, kind, state, head)


def decided(end: End, order: Order, at: Instant) -> Append | Refusal:
    """Decide a command at the end of a stream, and chain its events."""
    decision = end.kind.decide(end.state, order, at)
    if isinstance(decision, Refusal):
        return decision
    head, records = end.head, list[Record]()
    for event in decision:
        version, data = head.version + 1, _encode(event)
        cause = None if records else cause_of(order)
        head = Head(version, link(head.hash, version, SHAPE, at, cause, data))
        records.append(Record(end.stream, version, SHAPE, at, cause, data, head.hash))
    return Append(end.stream, end.head, records)


class Alone(NamedTuple):
    """A journal read back with the venue's keys, and the anchor that it was checked against."""

    journal: Journal
    keys: VenueKeys
    started: Started
    anchor: Anchor | None
    stopped: bool


async def read_alone(
    journal: Journal, keys: VenueKeys, anchor: Path | None, *, renewed: bool = False
) -> Alone:
    """Read a venue back; refuse one behind its anchor, unless that is to be set anew."""
    held = None if anchor is None else Anchor(anchor, keys.sealing)
    if held is not None:
        held.renewed = renewed
    anchored = None if held is None or renewed else await check_anchor(held, journal)
    stopped = not renewed and (anchored is None or anchored.stopped)
    return Alone(journal, keys, await read_back(journal, keys), held, stopped)


async def time_alone(alone: Alone, now: Instant) -> Instant:
    """Give the venue's time: it never goes back, and trusts this machine as a start does [D35].

    An event dated by a clock that is years ahead would make the venue's time start there.
    """
    memory = None if alone.anchor is None else Memory(alone.anchor.file.parent, alone.keys.sealing)
    keeper = Timekeeper(Clock(lambda: now * 1_000_000), alone.journal, memory)
    await keeper.begin(alone.started.at)
    return keeper.clock.now()


async def write_signed(alone: Alone, appends: Sequence[Append], at: Instant) -> Checkpoint:
    """Make decisions durable and sealed, sign the whole venue, and renew the anchor."""
    signed = await write_unanchored(alone, appends, at)
    renew_anchor(alone, signed)
    return signed


def renew_anchor(alone: Alone, signed: Checkpoint) -> None:
    """Store in the anchor what was signed, if there is one."""
    if alone.anchor is not None:
        alone.anchor.write(signed, stopped=alone.stopped)


async def write_unanchored(alone: Alone, appends: Sequence[Append], at: Instant) -> Checkpoint:
    """Make decisions durable and sealed, and sign the whole venue."""
    journal, keys, started = alone.journal, alone.keys, alone.started
    tail = started.tail
    outcomes = await journal.write(appends, sealing=tail)
    if set(outcomes) != {Outcome.DURABLE}:
        raise JournalError("another venue writes to this journal; nothing was done")
    tail.note()
    heads = started.heads
    for append in appends:
        heads[append.stream] = Head(append.records[-1].version, append.records[-1].hash)
    # In a batch of its own: what it signs is durable by then, even if this fails.
    forgotten = 0 if started.covered is None else started.covered.forgotten
    signed = make_checkpoint(at, heads, started.newest, keys.signer, tail.followed, forgotten)
    await journal.write((), signed)
    return signed

"""Journals for tests: simulated worlds recorded decision by decision, written as a venue does.

They can be written to any backend. Checkpoints and snapshots are signed with the given keys;
`venue_keys` are made once for all tests.
"""

import asyncio
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec

from taisai.core.kernel.messages import Actor, Command, Event, Instant, Order
from taisai.core.rules.reason import Refusal
from taisai.rulebooks import KEYS, rulebook
from taisai.runtime.answers import cause_of, input_of, sender_of
from taisai.runtime.journal.checkpoints import make_checkpoint, sign_snapshot
from taisai.runtime.journal.contract import (
    SHAPE,
    Append,
    Checkpoint,
    Head,
    IdempotencyRecord,
    Journal,
    Record,
    Snapshot,
    genesis,
    link,
)
from taisai.runtime.journal.seals import Tail, beginning
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.keys.signing import VenueKeys, fresh_keys
from taisai.runtime.simulator import World, world
from taisai.runtime.simulator.venue import Answer, SimulatedVenue
from taisai.runtime.streams import CAGE, VENUE, kind_of, table_stream
from taisai.runtime.writer import snapshot_is_due

VOUCHER_KEY = b"a key for numbers of vouchers"

_encode = msgspec.json.Encoder().encode


class Decided(NamedTuple):
    """The events of one order in a stream, and their time."""

    stream: str
    order: Order
    events: tuple[Event, ...]
    at: Instant


class RecordingVenue(SimulatedVenue):
    """A simulated venue that records every order with events."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.decided: list[Decided] = []

    def send(
        self, stream: str, actor: Actor, command: Command, order_id: str | None = None
    ) -> Answer:
        answer = super().send(stream, actor, command, order_id)
        if not isinstance(answer, Refusal):
            name = order_id or str(self.tally.commands)
            order = Order(name, actor, command)
            where = stream if stream in (VENUE, CAGE) else table_stream(stream)
            self.decided.append(Decided(where, order, tuple(answer), self.now))
        return answer


@cache
def venue_keys() -> VenueKeys:
    """Give the venue's keys, which all tests share."""
    return fresh_keys(1_700_000_000_000)


@cache
def played(
    seed: int, rounds: int, keys: tuple[str, ...] = KEYS, *, chip_table_share: float = 0.0
) -> tuple[Decided, ...]:
    """Play a simulated world once, and give its decisions in the order they were made."""
    with patch.object(world, "SimulatedVenue", RecordingVenue):
        made = World(seed, [rulebook(key) for key in keys], chip_table_share=chip_table_share)
    for _ in made.run(rounds):
        pass
    assert isinstance(made.venue, RecordingVenue)
    return tuple(made.venue.decided)


class Pen:
    """Writes decisions into a journal, a batch at a time, with checkpoints and snapshots.

    A checkpoint covers what was durable before its batch, as in a venue. A snapshot is taken as in
    a venue, but once `snapshot_every` events have gone by since the last.
    """

    def __init__(
        self, journal: Journal, keys: VenueKeys, snapshot_every: int = 100, chains: int = 1
    ) -> None:
        self.heads: dict[str, Head] = {}
        self.newest: Checkpoint | None = None
        #: Batches are sealed in so many chains in turn, as if that many nodes had written them.
        self.tails = [Tail(keys.sealing, (), {}, chain) for chain in range(chains)]
        self._batches = 0
        self._journal = journal
        self._keys = keys
        self._every = snapshot_every
        self._states: dict[str, Any] = {}
        self._snapshot_at: dict[str, int] = {}
        self._at: Instant = 0

    async def write(self, decided: Iterable[Decided], *, checkpoint: bool = True) -> None:
        """Write one batch, with a checkpoint of everything before it."""
        signed = self._checkpoint() if checkpoint and self.heads else None
        appends = self._appends(decided)
        tail = self.tails[self._batches % len(self.tails)]
        await self._journal.write(appends, signed, tail)
        tail.note()
        self._batches += 1

    async def end(self) -> None:
        """Sign everything that was written."""
        await self._journal.write((), self._checkpoint())

    def _checkpoint(self) -> Checkpoint:
        signer = self._keys.signer
        seals = [
            each.at for each in self.tails if not each.chain or each.at != beginning(each.chain)
        ]
        self.tails[0].begin_run()
        self.newest = make_checkpoint(self._at, self.heads, self.newest, signer, seals)
        return self.newest

    def _appends(self, decided: Iterable[Decided]) -> list[Append]:
        before = dict(self.heads)
        records: dict[str, list[Record]] = {}
        commands: dict[str, list[IdempotencyRecord]] = {}
        for decision in decided:
            made = self._records(decision)
            records.setdefault(decision.stream, []).extend(made)
            kept = _kept(decision, made[0].version, made[-1].version)
            commands.setdefault(decision.stream, []).append(kept)
        return [
            Append(
                stream,
                before.get(stream, genesis(stream)),
                added,
                commands[stream],
                self._snapshot(stream),
            )
            for stream, added in records.items()
        ]

    def _records(self, decision: Decided) -> list[Record]:
        stream, order, events, at = decision
        kind = kind_of(stream)
        state = self._states.setdefault(stream, kind.fresh(VOUCHER_KEY))
        version, hash_ = self.heads.get(stream, genesis(stream))
        cause: bytes | None = cause_of(order)
        made = []
        for event in events:
            version, data = version + 1, _encode(event)
            hash_ = link(hash_, version, SHAPE, at, cause, data)
            made.append(Record(stream, version, SHAPE, at, cause, data, hash_))
            kind.evolve(state, event)
            cause = None
        self.heads[stream] = Head(version, hash_)
        self._at = at
        return made

    def _snapshot(self, stream: str) -> Snapshot | None:
        version, hash_ = self.heads[stream]
        kind, state = kind_of(stream), self._states[stream]
        tail = version - self._snapshot_at.get(stream, 0)
        if not snapshot_is_due(kind, state, tail, self._every):
            return None
        self._snapshot_at[stream] = version
        return sign_snapshot(stream, version, hash_, kind.pack(state), self._keys.signer)


def _kept(decision: Decided, first: int, last: int) -> IdempotencyRecord:
    order = decision.order
    sender, input_ = sender_of(order), input_of(order)
    return IdempotencyRecord(
        decision.stream, sender, order.id, input_, decision.at, first, last, None
    )


async def write_world(
    journal: Journal,
    decided: Sequence[Decided],
    keys: VenueKeys | None = None,
    *,
    batch: int = 50,
    snapshot_every: int = 100,
    chains: int = 1,
) -> Pen:
    """Write a world into a journal, so many decisions to a batch, and sign the end of it."""
    pen = Pen(journal, keys or venue_keys(), snapshot_every, chains)
    for start in range(0, len(decided), batch):
        await pen.write(decided[start : start + batch])
    await pen.end()
    return pen


def make_journal(path: Path, seed: int = 9, rounds: int = 12, **written: int) -> Path:
    """Make a journal file of a simulated world."""

    async def make() -> None:
        journal = await SqliteJournal.open(path)
        try:
            decided = played(seed, rounds)
            await write_world(
                journal, decided, None, **{"batch": 25, "snapshot_every": 20} | written
            )
        finally:
            await journal.close()

    asyncio.run(make())
    return path

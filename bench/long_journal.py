"""Writes a long journal for benches, as a venue does: many rounds at several tables, mostly bets.

Every event is decided by the core, every batch chained, checkpoints and snapshots signed.
"""

import random
from collections.abc import Iterator

import msgspec

import taisai
from taisai.core.cage.drawer import OpenShift
from taisai.core.cage.vouchers import OpenCage, SellVoucher, TakeVoucher, VoucherTaken
from taisai.core.kernel.approvals import ApprovalRequested, Approve
from taisai.core.kernel.messages import (
    Actor,
    BoxStake,
    Command,
    Equipment,
    Event,
    LimitsAsked,
    Order,
)
from taisai.core.kernel.transits import CloseTransit
from taisai.core.rules.reason import Refusal
from taisai.core.table.betting import PlaceBets
from taisai.core.table.positions import ReceiveCredits
from taisai.core.table.round import (
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    Settle,
)
from taisai.core.table.setup import (
    AdoptRulebook,
    CreateTable,
    EnrolTerminal,
    OpenTable,
    RegisterDice,
    SetLimits,
)
from taisai.core.table.tumble import RecordTumble
from taisai.core.venue.setup import AdmitTable, OpenVenue
from taisai.runtime.answers import cause_of
from taisai.runtime.journal.checkpoints import make_checkpoint, sign_snapshot
from taisai.runtime.journal.contract import (
    SHAPE,
    Append,
    Checkpoint,
    Head,
    Journal,
    Record,
    Snapshot,
    genesis,
    link,
)
from taisai.runtime.journal.seals import Tail
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.streams import CAGE, VENUE, kind_of, table_stream
from taisai.runtime.writer import SNAPSHOT_EVERY, snapshot_is_due

BETS_A_ROUND = 1_000
TERMINALS = 100
CREDIT = 10**13
CHECKPOINT_EVERY = 10_000

_SYSTEM = Actor("host", "system")
_DEALER = Actor("dan", "dealer")
_SUPERVISOR = Actor("sue", "supervisor")
_PIT = Actor("pat", "pit-manager")
_TECHNICIAN = Actor("tom", "technician")
_CASHIER = Actor("cat", "cage")

_encode = msgspec.json.Encoder().encode


class LongVenue:
    """Decides, chains and signs; `write` adds what is new to the journal."""

    def __init__(
        self, journal: Journal, keys: VenueKeys, tables: int, terminals: int, seed: int = 1
    ) -> None:
        self.events = 0
        self._terminals = terminals
        self._journal = journal
        self._keys = keys
        self._tail = Tail(keys.sealing, (), {})
        self._rng = random.Random(seed)  # noqa: S311 - a seeded workload, nothing secret
        self._now = 1_760_000_000_000
        self._states = {stream: kind_of(stream).fresh(bytes(32)) for stream in (VENUE, CAGE)}
        self._heads: dict[str, Head] = {}
        self._written: dict[str, Head] = {}
        self._new: dict[str, list[Record]] = {}
        self._newest: Checkpoint | None = None
        self._unsigned = 0
        self._snapshot_at: dict[str, int] = {}
        self._orders = 0
        self._boxes = list(taisai.pay_table("ts6/2").boxes)
        self._do(VENUE, _SYSTEM, OpenVenue("the venue", "SGD"))
        self._do(VENUE, _SYSTEM, AdmitTable(CAGE, "SGD"))
        self._do(CAGE, _SYSTEM, OpenCage("SGD"))
        self._both(CAGE, _CASHIER, OpenShift(0))
        self._tables = [f"T{number}" for number in range(1, tables + 1)]
        for table in self._tables:
            self._open(table)

    # --- playing -----------------------------------------------------------------------------

    def play(self, bets: int = BETS_A_ROUND) -> Iterator[None]:
        """Play a round at every table, bets of all tables mixed.

        Yields once the bets are open, where a snapshot may be due, and after every so many bets.
        """
        for table in self._tables:
            self._do(table_stream(table), _DEALER, OpenBets())
        yield
        for number in range(bets * len(self._tables)):
            self._now += 1
            table = self._tables[number % len(self._tables)]
            terminal = f"{table}-{self._rng.randrange(self._terminals)}"
            bet = BoxStake(self._rng.choice(self._boxes), 1_000)
            command = PlaceBets(terminal, (bet,))
            self._do(table_stream(table), Actor(terminal, "terminal"), command)
            if number % bets == bets - 1:
                yield
        for table in self._tables:
            self._settle(table_stream(table))

    def change_dice(self, name: str) -> None:
        """Register another set of dice at every table."""
        for table in self._tables:
            self._do(table_stream(table), _SUPERVISOR, RegisterDice(name, f"seal of {name}"))

    def _settle(self, stream: str) -> None:
        faces = tuple(self._rng.randint(1, 6) for _ in range(3))
        self._do(stream, _DEALER, CloseBets(bell=True))
        self._do(stream, _DEALER, RecordTumble(3))
        self._do(stream, _DEALER, EnterResult(faces))
        self._do(stream, _DEALER, ConfirmResult())
        self._do(stream, _DEALER, Settle())

    def _open(self, table: str) -> None:
        stream = table_stream(table)
        self._states[stream] = kind_of(stream).fresh(bytes(32))
        self._do(VENUE, _SYSTEM, AdmitTable(stream, "SGD"))
        self._do(stream, _SYSTEM, CreateTable(table, "SGD", Equipment()))
        rulebook = taisai.rulebook("ts6")
        self._both(stream, _PIT, AdoptRulebook(rulebook.canonical.decode(), 2))
        limits = LimitsAsked(minimum=1_000, maximum=10**12, step=100, differential=10**11)
        self._both(stream, _PIT, SetLimits(limits))
        self._do(stream, _SUPERVISOR, RegisterDice("D1", "S1"))
        for number in range(self._terminals):
            self._seat(table, f"{table}-{number}")
        self._do(stream, _SUPERVISOR, OpenTable())

    def _seat(self, table: str, terminal: str) -> None:
        stream = table_stream(table)
        self._both(stream, _TECHNICIAN, EnrolTerminal(terminal, "a place"))
        sale = self._do(CAGE, _CASHIER, SellVoucher(CREDIT, "counter"))
        number = self._states[CAGE].number_for(sale)
        take = TakeVoucher(number, table, terminal)
        self._do(CAGE, Actor(terminal, "terminal"), take)
        event = self._last
        assert isinstance(event, VoucherTaken)
        self._do(stream, _SYSTEM, ReceiveCredits(event.transit, terminal, CREDIT))
        self._do(CAGE, _SYSTEM, CloseTransit(event.transit))

    def _both(self, stream: str, first: Actor, command: Command) -> None:
        self._do(stream, first, command)
        asked = self._last
        assert isinstance(asked, ApprovalRequested)
        version = self._states[stream].version
        self._do(stream, _SUPERVISOR, Approve(asked.pending, version))

    def _do(self, stream: str, actor: Actor, command: Command) -> Order:
        """Decide an order and chain its events; nothing here is refused."""
        self._orders += 1
        order = Order(f"order-{self._orders}", actor, command)
        kind, state = kind_of(stream), self._states[stream]
        decision = kind.decide(state, order, self._now)
        assert not isinstance(decision, Refusal), decision
        version, hash_ = self._heads.get(stream, genesis(stream))
        cause: bytes | None = cause_of(order)
        records = self._new.setdefault(stream, [])
        for event in decision:
            version, data = version + 1, _encode(event)
            hash_ = link(hash_, version, SHAPE, self._now, cause, data)
            records.append(Record(stream, version, SHAPE, self._now, cause, data, hash_))
            kind.evolve(state, event)
            cause = None
        self._heads[stream] = Head(version, hash_)
        self.events += len(decision)
        self._last: Event = decision[-1]
        return order

    # --- writing -----------------------------------------------------------------------------

    async def write(self) -> None:
        """Write new batches, with the snapshots and the checkpoint that are due."""
        signed = None
        if self._unsigned >= CHECKPOINT_EVERY:
            signed, self._unsigned = self.sign(self._written), 0
        appends = [
            Append(
                stream,
                self._written.get(stream, genesis(stream)),
                records,
                snapshot=self._snapshot(stream),
            )
            for stream, records in self._new.items()
        ]
        await self._journal.write(appends, signed, self._tail)
        self._tail.note()
        self._unsigned += sum(len(records) for records in self._new.values())
        self._written, self._new = dict(self._heads), {}

    async def end(self) -> None:
        """Sign everything that was written."""
        await self.write()
        await self._journal.write((), self.sign(self._written))

    def sign(self, heads: dict[str, Head]) -> Checkpoint:
        """Make the next checkpoint."""
        signer = self._keys.signer
        self._tail.begin_run()
        self._newest = make_checkpoint(self._now, heads, self._newest, signer, self._tail.followed)
        return self._newest

    def _snapshot(self, stream: str) -> Snapshot | None:
        kind, state = kind_of(stream), self._states[stream]
        version, hash_ = self._heads[stream]
        tail = version - self._snapshot_at.get(stream, 0)
        if not snapshot_is_due(kind, state, tail, SNAPSHOT_EVERY):
            return None
        self._snapshot_at[stream] = version
        return sign_snapshot(stream, version, hash_, kind.pack(state), self._keys.signer)


async def write_long(
    journal: Journal, keys: VenueKeys, events: int, tables: int = 2, terminals: int = TERMINALS
) -> int:
    """Write a journal of at least so many events; return their number."""
    venue = LongVenue(journal, keys, tables, terminals)
    while venue.events < events:
        for _ in venue.play():
            await venue.write()
        await venue.write()
    await venue.end()
    return venue.events

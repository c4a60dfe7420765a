"""A simulated venue without disk or network: commands go to its streams, and all is checked.

After each decision: deciding has not changed the state, a refusal has left nothing behind, the
auditor agrees with every event, and the ledgers agree with the auditor's books.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec import Struct, field

from taisai.core.cage.state import CageState
from taisai.core.kernel.decider import decide, evolve
from taisai.core.kernel.messages import Actor, Command, Event, Instant, Order
from taisai.core.kernel.registry import CROSSING
from taisai.core.rules.reason import Refusal
from taisai.core.table.betting import BetsRegistered, RoundVoided
from taisai.core.table.past import NOTHING_READ, Past
from taisai.core.table.round import RoundSettled
from taisai.core.table.state import Meter, TableState
from taisai.core.venue.setup import AdmitTable
from taisai.core.venue.state import VenueState
from taisai.runtime.answers import HOST
from taisai.runtime.auditor import Auditor
from taisai.runtime.keys.files import Secret, renewed
from taisai.runtime.past_rounds import Spans, find_past
from taisai.runtime.simulator.crowd import Chance
from taisai.runtime.streams import CAGE, VENUE, kind_of, table_of, table_stream
from taisai.runtime.transfers import ChipChecks, chips_sent
from taisai.wording import say


class Finding(Exception):  # noqa: N818 - what a simulation looks for is called a finding
    """Something that the system must never do; the text says what, and in which world."""


class Tally(Struct):
    """Counts that grow while a world runs."""

    commands: int = 0
    settled: int = 0
    void: int = 0
    bets: int = 0
    crashes: int = 0
    events: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    #: The checks made: glances at the state around each decision, deep comparisons of it,
    #: decisions audited, ledgers compared, replays from the start.
    glances: int = 0
    deep: int = 0
    audited: int = 0
    compared: int = 0
    replays: int = 0
    #: How often rounds were read back that a table no longer holds.
    read_back: int = 0

    def checks(self) -> dict[str, int]:
        """Give the number of each kind of check made."""
        return {
            "decisions that changed nothing": self.glances,
            "whole states compared": self.deep,
            "decisions audited": self.audited,
            "ledgers compared": self.compared,
            "replays from nothing": self.replays,
        }

    @property
    def rounds(self) -> int:
        """Count the rounds that ended, settled or void."""
        return self.settled + self.void


CURRENCY = "SGD"
#: No rulebook is approved for this operator, so its venue needs written departures.
OPERATOR = "the operator"
#: The hour at which its gaming days start, and its time zone.
GAMING_DAY = (5, "Asia/Singapore")

#: Every so many commands the whole state is compared around a decision, not only a part of it.
DEEP_EVERY = 61

AnyState = TableState | CageState | VenueState
Answer = Sequence[Event] | Refusal
_Glance = tuple[object, ...]

_encode = msgspec.json.Encoder().encode
_pack = msgspec.msgpack.Encoder(order=None, enc_hook=bytes).encode
#: Compiled rules never change, so a deep comparison leaves them out.
_COMPILED = ("rulebook", "pay_table", "limits")


class SimulatedVenue:
    """One venue: its own stream, the cage, tables, their journals and an auditor beside them."""

    def __init__(self, key: bytes, auditor: Auditor | None = None) -> None:
        self.now: Instant = 1_760_000_000_000
        self.state = VenueState()
        # A second key is ready, for when the first is replaced.
        self._key = renewed([Secret(key), Secret(key[::-1])])
        self.cage = CageState(key, (key[::-1],))
        self.tables: dict[str, TableState] = {}
        self.journals: dict[str, list[bytes]] = {VENUE: [], CAGE: []}
        self.auditor = auditor or Auditor()
        self.tally = Tally()
        self._worded: set[str] = set()
        #: The last snapshot taken of each stream.
        self._snapshots: dict[str, bytes] = {}
        self._chain = hashlib.sha256()

    @property
    def fingerprint(self) -> str:
        """Give the hash of every event of every stream, in the order they happened."""
        return self._chain.hexdigest()

    @property
    def operator(self) -> str | None:
        """Name who operates the venue, unless it is a demo."""
        return None if self.state.demo else OPERATOR

    def add_table(self, name: str) -> None:
        """Add a stream for a table and admit the table; its events then set it up."""
        self.tables[name] = TableState()
        self.journals[name] = []
        self.send(VENUE, HOST, AdmitTable(name, CURRENCY))

    def send(
        self,
        stream: str,
        actor: Actor,
        command: Command,
        order_id: str | None = None,
    ) -> Answer:
        """Send a command to a stream, check everything around it, and give the answer."""
        self.tally.commands += 1
        # A person may send any command to any stream; a command of another stream is refused.
        name = order_id or str(self.tally.commands)
        order = Order(name, actor, command)
        state = self._state_of(stream)
        deep = self.tally.commands % DEEP_EVERY == 0
        before, all_before = glance(state), deep_copy(state) if deep else b""
        decision = decide(state, order, self.now, self._past_for(stream, order))
        answer = self._chips_checked(stream, order, decision)
        self._check_untouched(state, before, all_before, order)
        if isinstance(answer, Refusal):
            self._note_refusal(answer)
            return answer
        for event in answer:
            self._apply(stream, event)
        self._recall(stream, answer)
        self.auditor.observe(stream, answer, self.now, actor.role)
        self.tally.audited += 1
        if stream != VENUE:
            ledger = self.cage.ledger if stream == CAGE else self.tables[stream].ledger
            self.auditor.compare(stream, ledger.balances)
            self.tally.compared += 1
        return answer

    def _past_for(self, stream: str, order: Order) -> Past:
        """Read old rounds that an order is about, as the runtime does [D24]."""
        state = self._state_of(stream)
        lacking = kind_of(stream).wanted(state, order, NOTHING_READ)
        if not lacking:
            return NOTHING_READ
        self.tally.read_back += 1
        return self._find(stream, lacking.rounds, lacking.versions, state.version)

    def _find(self, stream: str, rounds: Spans, versions: Sequence[int], newest: int) -> Past:
        journal, kind = self.journals[stream], kind_of(stream)
        return find_past(lambda each: kind.decode(journal[each - 1]), rounds, versions, newest)

    def _recall(self, stream: str, events: Sequence[Event]) -> None:
        """Give the auditor the old rounds that it asks for, before it judges a decision."""
        asked = self.auditor.asks(stream, events)
        if asked:
            newest = len(self.journals[stream]) - len(events)
            found = self._find(stream, asked.rounds, asked.versions, newest)
            self.auditor.recall(stream, found.ends, found.drawn, found.events)

    def _chips_checked(self, stream: str, order: Order, answer: Answer) -> Answer:
        """Check chips that move between streams, as the runtime does before it writes."""
        if isinstance(answer, Refusal) or type(order.command) not in CROSSING:
            return answer
        sent = {transit: (CAGE, each) for transit, each in self.cage.fills_open.items()}
        for name, table in self.tables.items():
            sent |= {key: (table_stream(name), each) for key, each in chips_sent(table).items()}
        # Those who act at tables here are not the persons whose roles change.
        checks = ChipChecks(sent, lambda name: self._at_work(table_of(name) or CAGE), VenueState)
        refusal = checks.refusal(CAGE if stream == CAGE else table_stream(stream), answer)
        return answer if refusal is None else refusal

    def _at_work(self, stream: str) -> TableState | CageState | None:
        return self.cage if stream == CAGE else self.tables.get(stream)

    def _state_of(self, stream: str) -> AnyState:
        if stream == VENUE:
            return self.state
        return self.cage if stream == CAGE else self.tables[stream]

    def answer_pending(self, stream: str, chance: Chance) -> Answer:
        """Answer a command that waits for a second person, as people do; or let it wait."""
        state = self._state_of(stream)
        waiting = [*state.lasting.values(), *([] if state.pending is None else [state.pending])]
        answer = chance.answer_to(chance.pick(waiting)) if waiting else None
        if answer is None:
            return ()
        actor, command, takes = answer
        self.now += takes
        return self.send(stream, actor, command)

    def _check_untouched(
        self, state: AnyState, before: _Glance, all_before: bytes, order: Order
    ) -> None:
        self.tally.glances += 1
        name = type(order.command).__name__
        if glance(state) != before:
            raise Finding(f"deciding {name} changed the state")
        if all_before:
            self.tally.deep += 1
            if deep_copy(state) != all_before:
                raise Finding(f"deciding {name} changed the state somewhere deep in it")

    def _note_refusal(self, refusal: Refusal) -> None:
        self.tally.refusals[refusal.code] += 1
        if refusal.reason.code not in self._worded:
            self._worded.add(refusal.reason.code)
            if not say(refusal.reason):
                raise Finding(f"the refusal {refusal.code} has no sentence")

    def _apply(self, stream: str, event: Event) -> None:
        data = _encode(event)
        self.journals[stream].append(data)
        self._chain.update(stream.encode() + b" " + data + b"\n")
        evolve(self._state_of(stream), event)
        self.tally.events[type(event).__name__] += 1
        if isinstance(event, RoundSettled):
            self.tally.settled += 1
        elif isinstance(event, RoundVoided):
            self.tally.void += 1
        elif isinstance(event, BetsRegistered):
            self.tally.bets += len(event.bets)

    def check_replay(self) -> None:
        """Check that every journal gives the live state.

        It is read back from the start, and from the last snapshot on; then a new one is taken.
        """
        for stream in self.journals:
            self._compare(stream, kind_of(stream).fresh(self._key), "replayed")
            if stream in self._snapshots:
                self._compare(stream, self.unpacked(stream, self._snapshots[stream]), "recovered")
            self._snapshots[stream] = self.packed(stream)
            self._compare(stream, self.unpacked(stream, self._snapshots[stream]), "unpacked")
        self.tally.replays += 1

    def _compare(self, stream: str, state: AnyState, how: str) -> None:
        """Apply the events that a state lacks, and compare it with the live one, order included."""
        live = self._state_of(stream)
        for data in self.journals[stream][state.version :]:
            evolve(state, kind_of(stream).decode(data))
        if state != live or deep_copy(state) != deep_copy(live):
            raise Finding(f"the {how} state of {stream} is not the live one")

    def packed(self, stream: str) -> bytes:
        """Take a snapshot of a stream."""
        return kind_of(stream).pack(self._state_of(stream))

    def unpacked(self, stream: str, data: bytes) -> AnyState:
        """Read a snapshot of a stream back, with the rounds it asks for from the journal."""
        kind, journal = kind_of(stream), self.journals[stream]
        rounds = {version: kind.decode(journal[version - 1]) for version in kind.needed(data)}
        state: AnyState = kind.unpack(data, rounds, self._key)
        return state

    def check_sums(self) -> None:
        """Check that each ledger sums to zero, and each table's meters to what was audited."""
        for stream in (CAGE, *self.tables):
            ledger = self.cage.ledger if stream == CAGE else self.tables[stream].ledger
            if sum(ledger.balances.values()):
                raise Finding(f"the ledger of {stream} does not sum to zero")
        for stream, table in self.tables.items():
            meter = table.meters.get("table", Meter())
            self.auditor.compare_meter(stream, meter.turnover, meter.collected, meter.won)


def glance(state: AnyState) -> _Glance:
    """Look at the parts of a state that a mistake would most likely change."""
    if isinstance(state, TableState):
        return (
            state.version,
            state.phase,
            state.round,
            state.live,
            state.placements,
            state.pending,
            state.faces,
            state.echo,
            state.doubts,
            len(state.lasting),
            state.to_announce,
            len(state.unruled),
            state.waiting,
            len(state.history),
            len(state.transits_open),
            (*state.ledger.balances.values(),),
        )
    if isinstance(state, CageState):
        return (
            state.version,
            state.serial,
            state.worth,
            state.pending,
            len(state.transits_open),
            (*state.ledger.balances.values(),),
        )
    sizes = len(state.streams), len(state.staff), len(state.keyed)
    return (state.version, state.currency, state.demo, state.pending, sizes)


def deep_copy(state: AnyState) -> bytes:
    """Write all of a state as bytes, including the order of its parts; sets have none."""
    parts = [getattr(state, name) for name in state.__struct_fields__ if name not in _COMPILED]
    return _pack([sorted(part) if isinstance(part, set | frozenset) else part for part in parts])

"""The writer of a stream: it orders commands, decides on the newest state, answers when durable.

While one batch is being written the next commands are decided. If the journal fails, decisions
that are not durable are thrown away with their state, every waiting sender is answered `RETRY`,
and the stream is suspended until it has been read back from the journal.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, islice, takewhile
from math import inf
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from taisai.core.kernel.approvals import Approve
from taisai.core.kernel.decider import date_refusal
from taisai.core.kernel.messages import Balances, Event, Instant, Order
from taisai.core.kernel.registry import CROSSING, DATED, WANTS
from taisai.core.rules.reason import Refusal, printable, refuse
from taisai.core.table.past import NOTHING_READ, Past, Wanted
from taisai.runtime.answers import (
    AGAIN,
    AHEAD_MS,
    ID_MAX,
    IDS_KEPT_MS,
    OWN,
    Answer,
    Registered,
    cause_of,
    input_of,
    issued_of,
    read_refusal,
    sender_of,
    write_refusal,
)
from taisai.runtime.journal.contract import (
    SHAPE,
    Append,
    Head,
    IdempotencyRecord,
    Journal,
    JournalError,
    Record,
    Snapshot,
    genesis,
    link,
)
from taisai.runtime.journal.group_commit import Committer
from taisai.runtime.known_ids import Key, KnownIds, key_of
from taisai.runtime.past_rounds import TooManyLinesError, read_past, with_more
from taisai.runtime.recovery import Ahead, Recovered
from taisai.runtime.streams import Kind
from taisai.wording import told

#: Commands that may wait to be decided; one more is refused as BUSY.
INBOX_MAX = 10_000
#: Room beyond that for staff, devices and the runtime: the close gets through a flood of bets.
STAFF_INBOX = 1_000
#: Commands that may be decided and not yet written, refused ones too, and the events of the others;
#: the inbox waits behind them.
UNDURABLE_MAX = 20_000
#: Commands decided before other tables and sockets have their turn.
TURN = 128
#: Fewer commands than this are not halved: two batches cost a database more than one.
HALVED_FROM = 32
#: So many ids are looked up in one query.
LOOKED_UP_AT_ONCE = 1_000
#: The journal is read so often for one command: its rounds may leave the history meanwhile.
READ_TIMES = 3
#: A cheap snapshot is taken once so many events have been written since the last; any other after
#: twice as many, with the end of a round, which everybody waits for.
SNAPSHOT_EVERY = 10_000

#: Commands that are checked against other streams, or against the date; no bet is.
_LOOKED_AT_TWICE = frozenset(CROSSING | DATED.keys())
#: Commands that need more than their stream's newest state; no bet does.
_NEED_MORE = _LOOKED_AT_TWICE | WANTS.keys() | {Approve}

OnAnswer = Callable[[Answer], None]

_log = logging.getLogger(__name__)
_encode = msgspec.json.Encoder().encode
#: Makes a named tuple at half the cost of calling its class, once for every event.
_tuple = tuple.__new__
_set = msgspec.structs.force_setattr


def snapshot_is_due(
    kind: Kind[Any], state: Any, tail: int, every: int, tail_max: float = inf
) -> bool:
    """Say whether a stream is due a snapshot, `tail` events after its newest one."""
    if tail < min(every, tail_max):
        return False
    # A snapshot of thousands of terminals is as long as one event of each.
    if tail >= max(tail_max, len(getattr(state, "positions", ()))):
        return True
    return (tail >= every and kind.snapshot_is_cheap(state)) or (
        tail >= 2 * every and kind.at_rest(state)
    )


def give(on_answer: OnAnswer, answer: Answer) -> None:
    """Give an answer to a callback; if it fails, those that wait behind it get theirs."""
    try:
        on_answer(answer)
    except Exception:  # noqa: BLE001 - logged, and nobody else is held up
        _not_given()


def _not_given() -> None:
    """Log the error of a callback."""
    _log.exception("an answer could not be given")


class Waiting(Struct, gc=False):
    """A command that has no answer yet, and the callbacks that wait for one."""

    key: Key
    sender: str
    order: Order
    issued: Instant
    first_waiting: OnAnswer
    more_waiting: list[OnAnswer] | None = None

    def add(self, on_answer: OnAnswer) -> None:
        """Add a callback that gets the answer too."""
        if self.more_waiting is None:
            self.more_waiting = [on_answer]
        else:
            self.more_waiting.append(on_answer)

    def finish(self, answer: Answer) -> None:
        """Give the answer to every callback."""
        on_answer, more = self.first_waiting, self.more_waiting
        while True:
            try:
                on_answer(answer)
            except Exception:  # noqa: BLE001 - logged; the other callbacks get theirs
                _not_given()
            if not more:
                return
            on_answer = more.pop(0)


class _Sought(NamedTuple):
    """A command whose id is to be looked up before it is decided."""

    order: Order
    #: The key of the command in the journal: sender and id.
    asked: tuple[str, str]
    issued: Instant
    on_answer: OnAnswer

    @property
    def is_own(self) -> bool:
        """Say whether the runtime itself, or one of its devices, sent the command."""
        return self.order.actor.role in OWN


class _ReadFor(Struct):
    """A command about old rounds: how often they were read, and why it is refused."""

    times: int = 0
    refusal: Refusal | None = None


class Writer:
    """Makes the events of one stream; nothing else does."""

    #: Too many attributes for Python's key-sharing dictionaries, and a bet reads each of these.
    __slots__ = (
        *("_commands", "_committer", "_decided", "_head", "_in_flight", "_inbox"),
        *("_journal", "_looking_up", "_now", "_past", "_read_for", "_reading"),
        *("_records", "_scheduled", "_seeker", "_sought", "_state", "_taken"),
        *("_turn_at", "_version"),
        *("elsewhere", "fills_refusal", "holds", "kind", "known", "on_suspended"),
        *("only", "others", "passing", "publish", "sign_snapshot", "snapshot_at"),
        *("stopping", "stream", "suspended", "tail_max"),
    )

    def __init__(
        self,
        stream: str,
        kind: Kind[Any],
        journal: Journal,
        committer: Committer,
        now: Callable[[], Instant],
    ) -> None:
        self.stream = stream
        self.kind = kind
        self.suspended: str | None = "it has not been read from the journal yet"
        #: Whether the suspension may end by itself, as when the journal is out of reach.
        self.passing = False
        self.stopping = False
        #: Forwards commands while another node decides; says whether this node may decide now.
        self.elsewhere: Callable[[Order, OnAnswer], None] | None = None
        self.holds: Callable[[], bool] | None = None
        #: While a round that was cut short is ruled on, only the command with this id is accepted.
        self.only: str | None = None
        self.publish: Callable[[str, Sequence[Registered]], None] = lambda _, __: None
        self.sign_snapshot: Callable[[str, int, bytes, bytes], Snapshot] | None = None
        self.on_suspended: Callable[[str, str], None] = lambda _, __: None
        #: Compares chips that are sent or received with the stream at their other end.
        self.fills_refusal: Callable[[str, Sequence[Event]], Refusal | None] = lambda _, __: None
        #: Gives the other possible times, while the time is in doubt [D35].
        self.others: Callable[[], Sequence[Instant]] = tuple
        self._journal = journal
        self._committer = committer
        self._now = now
        self._state: Any = None
        self._head = Head(0, b"")
        self._taken = Head(0, b"")
        #: The version of the newest event; within a turn it is ahead of the head.
        self._version = 0
        self.snapshot_at = 0
        #: So many events may follow on the newest snapshot, at rest or not.
        self.tail_max: float = inf
        self._inbox: deque[Waiting] = deque()
        self._looking_up: set[asyncio.Task[None]] = set()
        #: Commands whose ids are to be looked up, and the task that does it.
        self._sought: list[_Sought] = []
        self._seeker: asyncio.Task[None] | None = None
        #: How many commands wait for a read of the journal.
        self._reading = 0
        #: Whether a turn that decides the inbox is scheduled, and when it was scheduled.
        self._scheduled = False
        self._turn_at: Instant = 0
        #: Ids that were answered lately: if one is sent again, the journal has its answer.
        self.known: KnownIds[Waiting] = KnownIds(now() + AHEAD_MS)
        self._records: list[Record] = []
        self._commands: list[IdempotencyRecord] = []
        self._decided: list[tuple[Waiting, Answer]] = []
        #: What was read for commands about old rounds, and those commands that are not decided
        #: yet: how often the journal was read for each, and why it is refused [D24].
        self._past = NOTHING_READ
        self._read_for: dict[int, _ReadFor] = {}
        #: Batches that are being written or not answered yet, the oldest first: two at the most.
        self._in_flight: deque[list[tuple[Waiting, Answer]]] = deque()

    @property
    def state(self) -> Any:
        """The newest state; it may be ahead of the disk."""
        return self._state

    @property
    def head(self) -> Head:
        """The newest head; it may be ahead of the disk."""
        return self._head

    @property
    def is_durable(self) -> bool:
        """Say whether the stream is not suspended and its newest state is on disk."""
        return self.suspended is None and self._committer.heads.get(self.stream) == self._head

    @property
    def is_idle(self) -> bool:
        """Say whether no command waits to be decided, written or answered."""
        waits = self._inbox or self._sought or self._reading or self._decided
        return not (waits or self._in_flight)

    def resume_from(
        self, read: Recovered | None, voucher_key: bytes, ahead: Ahead | None = None
    ) -> None:
        """Start with an empty stream, or go on from the state read back from the journal."""
        if read is None:
            self._state, self._head = self.kind.fresh(voucher_key), genesis(self.stream)
            self.snapshot_at = 0
        else:
            self._state, self._head = read.state, read.head
            self.snapshot_at = read.snapshot_at
        self.begin(ahead)

    def begin(self, ahead: Ahead | None = None) -> None:
        """Go on from the newest state, which is on disk; ids made before are looked up there.

        Without the answered ids that are ahead of the clock, any may be one of them.
        """
        self._taken, self._version = self._head, self._head.version
        if ahead is None:
            self.known.begin(self._now() + AHEAD_MS)
        else:
            self.known.begin(ahead.at, ahead.ids[self.stream])
        self.suspended, self.passing = None, False

    def follow(self, records: Sequence[Record]) -> list[Registered]:
        """Apply records that another node has made durable; give its decisions.

        The caller has checked that the records follow on each other and are sealed. If one cannot
        be applied, those before it are in the state already: the stream is suspended until it has
        been read back, so that none is applied twice.
        """
        decided: list[tuple[Record, list[Event], list[Balances]]] = []
        try:
            for record in records:
                event = self.kind.read(record)
                if record.cause is not None or not decided:
                    decided.append((record, [], []))
                decided[-1][1].append(event)
                decided[-1][2].append(self.kind.evolve(self._state, event))
        except Exception as error:
            self.stop_for(error, passing=True)
            raise
        self._head = self._taken = Head(records[-1].version, records[-1].hash)
        self._version = self._head.version
        return [
            Registered(
                first.version,
                first.version + len(events) - 1,
                first.at,
                tuple(events),
                tuple(balances),
            )
            for first, events, balances in decided
        ]

    # --- submitting --------------------------------------------------------------------------

    async def submit(self, order: Order) -> Answer:
        """Send a command and wait until its answer is durable."""
        waiting: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def on_answer(answer: Answer) -> None:
            if type(answer) is Registered:
                # Balances are for followers; an answer read back from the journal has none either.
                _set(answer, "balances", ())
            # The caller may have given up waiting.
            if not waiting.done():
                waiting.set_result(answer)

        self.submit_then(order, on_answer)
        return await waiting

    def submit_then(self, order: Order, on_answer: OnAnswer) -> None:
        """Send a command; `on_answer` is called with its answer, at once or when it is durable."""
        if self.elsewhere is not None:
            self.elsewhere(order, on_answer)
            return
        # The clock is read once for all commands of a turn.
        role, now = order.actor.role, self._turn_at if self._scheduled else self._now()
        issued = issued_of(order)
        if issued is None and role in OWN:
            issued = now
        if (
            issued is None
            or self.suspended is not None
            or self.only is not None
            or self.stopping
            or len(self._inbox) + self._reading >= INBOX_MAX
            or not now - IDS_KEPT_MS <= issued <= now + AHEAD_MS
        ):
            # Almost never, so the reason is looked for only here.
            refusal = self._shut(order) or self._full(role) or _out_of_time(order, issued, now)
            if refusal is not None:
                on_answer(refusal)
                return
        assert issued is not None, "an id that does not say when it was made is refused"
        sender = sender_of(order)
        key = key_of(sender, order.id)
        if role in OWN or issued <= self.known.floor:
            # Not all ids of the runtime itself say when they were made.
            self._ask_again(self.known.get(key), order, issued, on_answer)
            return
        waiting = Waiting(key, sender, order, issued, on_answer)
        known = self.known.claim(key, waiting, issued)
        if known is not None:
            self._ask_again(known, order, issued, on_answer)
            return
        self._inbox.append(waiting)
        if not self._scheduled:
            self._schedule()

    def _ask_again(
        self, known: Waiting | Instant | None, order: Order, issued: Instant, on_answer: OnAnswer
    ) -> None:
        """Give a command the answer that its id waits for, or got before."""
        if type(known) is Waiting:
            _answer_with(known, order, on_answer)
        else:
            self._submit_after_look_up(order, issued, on_answer)

    def _submit_after_look_up(self, order: Order, issued: Instant, on_answer: OnAnswer) -> None:
        """Look up first whether the id was answered before, perhaps before a restart."""
        self._reading += 1
        self._sought.append(_Sought(order, (sender_of(order), order.id), issued, on_answer))
        if self._seeker is None:
            self._seeker = asyncio.get_running_loop().create_task(self._look_up_sought())

    async def _look_up_sought(self) -> None:
        """Look up, in one query, all ids that have gathered since the last."""
        try:
            while self._sought:
                # Apart: a failed look-up of the runtime's own ids must not affect other senders.
                own = self._sought[0].is_own
                together = takewhile(lambda each: each.is_own is own, self._sought)  # noqa: B023
                sought = [*islice(together, LOOKED_UP_AT_ONCE)]
                del self._sought[: len(sought)]
                for each, found in zip(sought, await self._look_up(sought), strict=True):
                    self._reading -= 1
                    try:
                        self._submit_looked_up(each, found)
                    except Exception:  # noqa: BLE001 - logged; the others of the look-up go on
                        _not_given()
        finally:
            self._seeker = None

    def _submit_looked_up(self, sought: _Sought, found: Answer | None) -> None:
        """Give the answer that was found, or have the command decided."""
        order, (sender, id_), issued, on_answer = sought
        # Meanwhile another node may decide, the table have stopped, or the id been sent again.
        if found is None and self.elsewhere is not None:
            self.elsewhere(order, on_answer)
            return
        found = found or self._shut(order)
        if found is not None:
            on_answer(found)
            return
        key = key_of(sender, id_)
        known = self.known.get(key)
        if known is not None:
            # If it has been answered meanwhile, the journal has it now.
            self._ask_again(known, order, issued, on_answer)
            return
        waiting = Waiting(key, sender, order, issued, on_answer)
        self.known.claim(key, waiting, issued)
        self._inbox.append(waiting)
        self._schedule()

    def _shut(self, order: Order) -> Refusal | None:
        if self.suspended is not None or self.only not in (None, order.id):
            return refuse("TABLE_SUSPENDED", stream=self.stream)
        if self.stopping and order.actor.role not in OWN:
            return refuse("VENUE_STOPPING")
        return None

    def _full(self, role: str) -> Refusal | None:
        most = INBOX_MAX if role == "terminal" else INBOX_MAX + STAFF_INBOX
        if len(self._inbox) + self._reading >= most:
            return refuse("BUSY", stream=self.stream)
        return None

    async def _look_up(self, sought: Sequence[_Sought]) -> list[Answer | None]:
        """Find the answer that each id got before, perhaps before a restart."""
        try:
            kept = await self._journal.answered_among(self.stream, [each.asked for each in sought])
            if not kept:
                # Almost always.
                return [None] * len(sought)
            spans = [range(each.first, each.last + 1) for each in kept.values() if not each.answer]
            records = await self._journal.records(self.stream, [*chain.from_iterable(spans)])
            held = {record.version: record for record in records}
            return [
                self._found(each, kept[each.asked], held) if each.asked in kept else None
                for each in sought
            ]
        except JournalError as error:
            _log.error("ids cannot be looked up: %s", error)
        except Exception:  # noqa: BLE001 - logged, and every sender is answered
            _log.exception("ids cannot be looked up")
        return [refuse("RETRY")] * len(sought)

    def _found(
        self, sought: _Sought, kept: IdempotencyRecord, held: Mapping[int, Record]
    ) -> Answer:
        if kept.input != input_of(sought.order):
            return _reused(sought.order)
        if kept.answer is not None:
            return read_refusal(kept.answer)
        records = [held[each] for each in range(kept.first, kept.last + 1) if each in held]
        if len(records) != kept.last - kept.first + 1:
            _log.error("%s lacks events that the id %s came to", self.stream, kept.id)
            return refuse("RETRY")
        events = tuple(self.kind.read(record) for record in records)
        return Registered(kept.first, kept.last, records[0].at, events, id=kept.id)

    # --- deciding ----------------------------------------------------------------------------

    def _schedule(self) -> None:
        if not self._scheduled:
            self._scheduled, self._turn_at = True, self._now()
            asyncio.get_running_loop().call_soon(self._drain)

    def go_on(self, *, in_halves: bool) -> None:
        """Decide what came while a batch was answered, unless that is more than one turn's work.

        In halves, the second is decided while the first is being written. From then on the two
        take turns, and neither the loop nor the database waits for the other.
        """
        waiting = len(self._inbox)
        if 0 < waiting <= TURN:
            self._drain(waiting // 2 if in_halves and waiting >= HALVED_FROM else waiting)

    def _drain(self, most: int = TURN) -> None:
        self._scheduled = False
        if self.suspended is not None or not self._inbox:
            return
        if self.holds is not None and not self.holds():
            self.suspend("this node may not decide for it now", passing=True)
            return
        before = len(self._decided)
        try:
            self._decide_turn(most)
            self._write_down(before)
        except Exception as error:  # noqa: BLE001 - only this table stops
            self.stop_for(error)
            return
        if self._decided:
            self._committer.ready(self)
        if self._inbox and self._has_room():
            self._schedule()

    def _has_room(self) -> bool:
        """Say whether more may be decided before the next batch is taken."""
        events = self._version - self._taken.version
        return events < UNDURABLE_MAX and len(self._decided) < UNDURABLE_MAX

    def stop_for(self, error: Exception, *, passing: bool = False) -> None:
        """Suspend for our own bug: this table stops, with the money as the journal has it."""
        _log.error("%s is suspended by a fault of ours", self.stream, exc_info=error)
        self.suspend(told("OUR_FAULT", why=f"{type(error).__name__}: {error}"), passing=passing)

    def _decide_turn(self, most: int) -> None:
        """Decide the commands of a turn, each on the newest state, and apply their events."""
        now, state, inbox, keep = self._now(), self._state, self._inbox, self._decided.append
        decide, evolve = self.kind.decide, self.kind.evolve
        version, newest = self._version, self._taken.version + UNDURABLE_MAX
        decision: tuple[Event, ...] | Refusal | None
        for _ in range(min(most, len(inbox), UNDURABLE_MAX - len(self._decided))):
            if version >= newest:
                break
            waiting = inbox.popleft()
            order = waiting.order
            try:
                if type(order.command) in _NEED_MORE:
                    decision = self._decide_with_more(waiting, now)
                    if decision is None:
                        continue
                else:
                    # Almost every command.
                    decision = decide(state, order, now, NOTHING_READ)
                if type(decision) is Refusal:
                    if decision.code in AGAIN:
                        # Not written down: it may be sent again, with the same id.
                        self._put_off([waiting], decision)
                    else:
                        keep((waiting, decision))
                    continue
                if len(decision) == 1:
                    balances: tuple[Balances, ...] = (evolve(state, decision[0]),)
                else:
                    balances = tuple(evolve(state, event) for event in decision)
            except Exception:
                keep((waiting, refuse("RETRY")))
                raise
            first, version = version + 1, version + len(decision)
            keep((waiting, Registered(first, version, now, decision, balances, order.id)))
            self._version = version
            if self._past is not NOTHING_READ:
                self._forget_past()

    def _decide_with_more(
        self, waiting: Waiting, now: Instant
    ) -> tuple[Event, ...] | Refusal | None:
        """Decide also by old rounds, other streams and the date; None while rounds are read."""
        order = waiting.order
        kind = type(order.command)
        if kind not in WANTS and kind is not Approve:
            decision = self.kind.decide(self._state, order, now, NOTHING_READ)
        elif self._reads_past(waiting, order):
            return None
        else:
            decision = self._by_the_past(waiting, order, now)
        return self._second_look(order, decision, now) if kind in _LOOKED_AT_TWICE else decision

    def _second_look(
        self, order: Order, decision: tuple[Event, ...] | Refusal, now: Instant
    ) -> tuple[Event, ...] | Refusal:
        """Refuse what other streams do not allow, or what depends on a date in doubt [D35]."""
        others = self.others()
        refusal = date_refusal(self._state, order, decision, now, others) if others else None
        if refusal is None and not isinstance(decision, Refusal):
            refusal = self.fills_refusal(self.stream, decision)
        return refusal or decision

    def _by_the_past(
        self, waiting: Waiting, order: Order, now: Instant
    ) -> tuple[Event, ...] | Refusal:
        read = self._read_for.pop(id(waiting), None)
        if read is not None and read.refusal is not None:
            return read.refusal
        return self.kind.decide(self._state, order, now, self._past)

    # --- rounds of long ago --------------------------------------------------------------------

    def _reads_past(self, waiting: Waiting, order: Order) -> bool:
        """Start reading the old rounds that a command lacks; other commands go on."""
        lacking = self.kind.wanted(self._state, order, self._past)
        if not lacking:
            return False
        read = self._read_for.setdefault(id(waiting), _ReadFor())
        if read.refusal is not None or read.times >= READ_TIMES:
            return False
        read.times += 1
        task = asyncio.get_running_loop().create_task(self._read_past(waiting, order, lacking))
        self._reading += 1
        self._looking_up.add(task)
        task.add_done_callback(self._read)
        return True

    def _read(self, task: "asyncio.Task[None]") -> None:
        self._reading -= 1
        self._looking_up.discard(task)

    async def _read_past(self, waiting: Waiting, order: Order, lacking: Wanted) -> None:
        """Read old rounds, which no longer change, and put the command back into the inbox."""
        read = self._read_for[id(waiting)]
        try:
            if read.times > 1:
                # The events that it needs may have been decided and not yet durable.
                await self._committer.settled()
            self._past = with_more(self._past, await self.read_past(lacking))
        except TooManyLinesError as error:
            read.refusal = refuse("TOO_MANY_ROUNDS", most=error.rounds)
        except Exception:  # noqa: BLE001 - logged, and nobody else is held up
            _log.exception("%s cannot be read back for a command", self.stream)
            self._give_up(waiting)
            return
        if self._shut(order) is not None or self.known.get(waiting.key) is not waiting:
            # Sent again since a resume, its id is another command's: it is not decided twice.
            self._give_up(waiting)
            return
        self._inbox.append(waiting)
        self._schedule()

    def _give_up(self, waiting: Waiting) -> None:
        self._read_for.pop(id(waiting), None)
        self._put_off([waiting], refuse("RETRY"))

    async def read_past(self, lacking: Wanted) -> Past:
        """Read old rounds and events, as far as they are on disk."""
        newest = self._committer.heads.get(self.stream, Head(0, b"")).version
        return await read_past(self._journal, self.stream, lacking.rounds, lacking.versions, newest)

    def _forget_past(self) -> None:
        """Forget the old rounds, unless a command or a second person still needs them."""
        if not self._read_for and self._state.pending is None:
            self._past = NOTHING_READ

    def _write_down(self, since: int) -> None:
        """Write down what was decided since a turn began: records, chained, and answered ids."""
        stream, (version, before) = self.stream, self._head
        add, keep = self._records.append, self._commands.append
        for waiting, answer in islice(self._decided, since, None):
            order, first, last, refusal = waiting.order, 0, 0, None
            if type(answer) is Refusal:
                refusal = write_refusal(answer)
            else:
                first, last, at = answer.first, answer.last, answer.at
                cause: bytes | None = cause_of(order)
                for event in answer.events:
                    data = _encode(event)
                    version += 1
                    before = link(before, version, SHAPE, at, cause, data)
                    add(_tuple(Record, (stream, version, SHAPE, at, cause, data, before)))
                    cause = None
            input_, issued = input_of(order), waiting.issued
            kept = stream, waiting.sender, order.id, input_, issued, first, last, refusal
            keep(_tuple(IdempotencyRecord, kept))
        assert version == self._version, "each event has the version that its answer says"
        self._head = _tuple(Head, (version, before))

    # --- writing -----------------------------------------------------------------------------

    def take(self) -> Append:
        """Give all that was decided since the last batch, with a snapshot if one is due."""
        append = Append(
            self.stream, self._taken, self._records, self._commands, self._snapshot_if_due()
        )
        self._taken = self._head
        if self._decided:
            self._in_flight.append(self._decided)
        self._records, self._commands, self._decided = [], [], []
        if self._inbox:
            self._schedule()
        return append

    def _snapshot_if_due(self) -> Snapshot | None:
        version = self._head.version
        tail = version - self.snapshot_at
        if self.sign_snapshot is None or self.suspended is not None:
            # The state of a suspended stream may be ahead of its head.
            return None
        if not snapshot_is_due(self.kind, self._state, tail, SNAPSHOT_EVERY, self.tail_max):
            return None
        self.snapshot_at = version
        try:
            return self.snapshot()
        except Exception:  # noqa: BLE001 - logged; other tables' answers wait for the same batch
            _log.exception("no snapshot can be taken of %s", self.stream)
            return None

    def snapshot(self) -> Snapshot:
        """Take a signed snapshot of the newest state."""
        assert self.sign_snapshot is not None, "only a runtime with keys takes snapshots"
        data = self.kind.pack(self._state)
        return self.sign_snapshot(self.stream, self._head.version, self._head.hash, data)

    def durable(self) -> None:
        """Publish the oldest batch in flight, which is now on disk, and hand over its answers."""
        decided, known = self._in_flight.popleft(), self.known.newer
        for waiting, _ in decided:
            # Before anybody is called who may send more, and so begin a new part of the known ids.
            known[waiting.key] = waiting.issued
        batch = [answer for _, answer in decided if type(answer) is Registered]
        try:
            # Published first: what a terminal receives of its bet is also the answer to it.
            self.publish(self.stream, batch)
        except Exception:  # noqa: BLE001 - logged, and nobody else is held up
            # A follower may fail; the events are durable, and the table goes on.
            _log.exception("news of %s could not be passed on", self.stream)
        for waiting, answer in decided:
            waiting.finish(answer)
        if self._inbox:
            self._schedule()

    def failed(self, why: str, *, passing: bool) -> None:
        """Suspend: the newest batch in flight is not on disk, or that is not known."""
        undone = self._in_flight.pop()
        self.suspend(why, passing=passing)
        self._put_off((waiting for waiting, _ in undone), refuse("RETRY"))

    def suspend(self, why: str, *, passing: bool = False) -> None:
        """Suspend the stream, and throw away what is decided and not being written."""
        if self.suspended is None:
            # Suspended because another node decides for it: that is normal.
            level = logging.ERROR if self.elsewhere is None else logging.INFO
            _log.log(level, "%s is suspended: %s", self.stream, why)
        if self.suspended is None or (self.passing and not passing):
            # A cause that does not pass by itself is told rather than one that does.
            self.suspended, self.passing = why, passing
        undone = [waiting for waiting, _ in self._decided]
        self._records, self._commands, self._decided = [], [], []
        self._put_off([*undone, *self._inbox], refuse("RETRY"))
        for each in self._inbox:
            self._read_for.pop(id(each), None)
        self._inbox.clear()
        self.on_suspended(self.stream, why)

    def _put_off(self, waiting: Iterable[Waiting], refusal: Refusal) -> None:
        """Refuse commands that may be sent again as they are."""
        for each in waiting:
            # The id is free again: it has no answer, or none that is known. If it was sent again
            # since a resume, it stays with that command.
            if self.known.get(each.key) is each:
                self.known.free(each.key)
            each.finish(refusal)


def _out_of_time(order: Order, issued: Instant | None, now: Instant) -> Refusal | None:
    if issued is None:
        return refuse("BAD_ID", id=printable(order.id[:ID_MAX]), most=ID_MAX)
    if issued < now - IDS_KEPT_MS:
        return refuse("STALE", minutes=IDS_KEPT_MS // 60_000)
    if issued > now + AHEAD_MS:
        return refuse("ISSUED_AHEAD", seconds=(issued - now) // 1_000)
    return None


def _answer_with(known: Waiting, order: Order, on_answer: OnAnswer) -> None:
    """Give a repeated id the same answer; refuse the id with another content."""
    if input_of(known.order) == input_of(order):
        known.add(on_answer)
    else:
        on_answer(_reused(order))


def _reused(order: Order) -> Refusal:
    return refuse("ID_REUSED", id=printable(order.id[:ID_MAX]))

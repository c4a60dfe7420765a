"""A model of PostgreSQL with a synchronous standby, as far as leases and appends depend on it.

A statement sees what was committed when it began, works for a while, and is written to the log;
once the log is synced and the standby has it, its changes are visible. A session that is ended
while it works has written nothing; one that is ended while it waits for the standby leaves changes
that are visible and may be missing at the standby. A failover loses what the standby had not
received.
"""

import asyncio
import random
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager

from taisai.runtime.journal.contract import (
    Append,
    FencedError,
    Head,
    IdempotencyRecord,
    Outcome,
    Record,
    genesis,
)
from taisai.runtime.ownership.tenure import NodeRow, OwnerRow, Seen, Taking

#: The time of its clock at the beginning.
NOON = 1_700_000_000_000


class LostError(Exception):
    """A session has ended, or the server cannot be reached."""


class State:
    """The visible state."""

    def __init__(self) -> None:
        self.records: dict[str, list[Record]] = {}
        self.commands: dict[tuple[str, str, str], IdempotencyRecord] = {}
        self.owners: dict[str, OwnerRow] = {}
        self.nodes: dict[str, NodeRow] = {}

    def head(self, stream: str) -> Head:
        """Give the head of a stream."""
        records = self.records.get(stream)
        return Head(records[-1].version, records[-1].hash) if records else genesis(stream)


class Entry:
    """A change in the log; its `keys` are unique, so that no other change may have one of them."""

    def __init__(
        self, change: Callable[[State], None], keys: Collection[object], position: int
    ) -> None:
        self.change = change
        self.position = position
        self.keys = frozenset(keys)
        self.synced = False


class Session:
    """A connection; one that adds events has the fence of its node."""

    def __init__(self, fence: int) -> None:
        self.fence = fence
        self.ended = False

    @property
    def writes(self) -> bool:
        """Say whether the session adds events."""
        return self.fence != 0


class Database:
    """A server and its standby; `chance` decides how long everything takes."""

    def __init__(self, chance: random.Random, streams: Sequence[str]) -> None:
        self.chance = chance
        self.state = State()
        self.up = True
        #: Whether the standby can be reached.
        self.linked = True
        #: How far its clock is from the loop's time, in milliseconds.
        self.clock_ms = NOON
        #: How likely a statement is delayed, and for how many seconds at most.
        self.stalls = (0.0, 0.0)
        #: Whether statements that add events are held up.
        self.holds_up = False
        self._log: list[Entry] = []
        self._at_standby = 0
        self._sessions: list[Session] = []
        self._pulse = asyncio.Event()
        self._one_by_one = asyncio.Lock()
        #: A node's row is locked by one transaction at a time.
        self._rows: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._lives = 0
        #: Changes that are written and not visible yet, and sessions with a statement under way.
        self._hidden: list[Entry] = []
        self._working: list[Session] = []
        self._record(lambda state: _add_streams(state, streams))
        self._begin_again(1)
        self._at_standby = 1

    # --- failures ----------------------------------------------------------------------------

    async def replicate(self) -> None:
        """Send the log to the standby for as long as it runs."""
        while True:
            if self.linked and self.up and self._at_standby < self._synced():
                reached, lives = self._synced(), self._lives
                await asyncio.sleep(self.chance.uniform(0.0005, 0.004))
                if self._is_at_work(lives):
                    self._at_standby = reached
                    self._wake()
            else:
                await self._pulsed()

    def _is_at_work(self, lives: int) -> bool:
        """Say whether the path to the standby is up, and the server has not restarted since."""
        return self.linked and lives == self._lives

    def adding(self) -> list[int]:
        """Give the fences of the sessions that are adding events."""
        return [session.fence for session in self._working if session.writes]

    def hold_up(self, *, held: bool) -> None:
        """Hold up statements that add events, or let them go on."""
        self.holds_up = held
        self._wake()

    def end_waiting(self) -> None:
        """End the sessions that are adding events, as a database administrator may."""
        for session in [each for each in self._working if each.writes]:
            self._end(session)

    def link(self, *, linked: bool) -> None:
        """Cut the path to the standby, or mend it."""
        self.linked = linked
        self._wake()

    def crash(self) -> None:
        """Stop at once; changes that had not reached the disk may be lost."""
        kept = len(self._log)
        while kept and not self._log[kept - 1].synced and self.chance.random() < 0.5:
            kept -= 1
        self._begin_again(kept)
        self.up = False

    def come_back(self) -> None:
        """Start again with the log on disk."""
        self.up = True
        self._wake()

    def fail_over(self) -> None:
        """Lose the server; the standby becomes the primary, and gets a standby of its own."""
        self._begin_again(self._at_standby)
        self.up = self.linked = True
        self._wake()

    def _begin_again(self, kept: int) -> None:
        del self._log[kept:]
        self._lives += 1
        self._hidden.clear()
        for session in self._sessions:
            session.ended = True
        self._sessions.clear()
        self.state = State()
        for entry in self._log:
            entry.synced = True
            entry.change(self.state)
        self._at_standby = min(self._at_standby, kept)
        self._wake()

    def hang_up(self, session: Session) -> None:
        """Notice that the client is gone; a statement under way is finished."""
        if session not in self._working:
            self._end(session)

    # --- sessions ----------------------------------------------------------------------------

    async def connect(self, fence: int) -> Session:
        """Begin a session that writes, once the former session of the same fence is over."""
        await self.settle([fence], barrier=False)
        session = Session(fence)
        self._sessions.append(session)
        return session

    async def settle(
        self, fences: Collection[int], *, fencing: bool = True, barrier: bool = True
    ) -> None:
        """End sessions, wait for the statements under way, and write a barrier."""
        with self._statement(Session(0)) as session:
            if fencing:
                for each in [each for each in self._sessions if each.fence in fences]:
                    self._end(each)
                others = [each for each in self._working if each.writes]
                while any(each in self._working for each in others):
                    await self._wait(session)
            if barrier:
                await self._commit(session, self._record(lambda _: None))

    def _end(self, session: Session) -> None:
        session.ended = True
        if session in self._sessions:
            self._sessions.remove(session)
        self._wake()

    # --- leases ------------------------------------------------------------------------------

    def time_ms(self) -> int:
        """Give the time of its own clock."""
        return self.clock_ms + int(asyncio.get_running_loop().time() * 1_000)

    async def name(self, node: str, fence: int) -> None:
        """Record which sessions belong to a node."""
        row = NodeRow(node, fence, ("owner",), 0, False)
        async with self._one_by_one:
            with self._statement(Session(0)) as session:
                await self._commit(session, self._record(lambda state: _put_node(state, row)))

    async def beat(self, node: str, fence: int) -> Seen:
        """Raise a node's beat, unsynced, and give all rows."""
        async with self._rows[node]:
            return await self._beat(node, fence)

    async def _beat(self, node: str, fence: int) -> Seen:
        with self._statement(Session(0)) as session:
            await self._work(session, stalled=False)
            row = self.state.nodes.get(node)
            if row is None or row.fence != fence:
                raise FencedError(f"another process has the name of the node {node}")
            seen = Seen([*self.state.nodes.values()], [*self.state.owners.values()], self.time_ms())
            self.state.nodes[node] = row._replace(beat=row.beat + 1)
            return seen

    async def take(self, node: str, takings: Sequence[Taking]) -> Mapping[str, int]:
        """Raise the epochs of the streams whose rows are unchanged."""
        formers = sorted({each.former for each in takings if each.former is not None})
        async with AsyncExitStack() as held:
            await held.enter_async_context(self._one_by_one)
            for former in formers:
                await held.enter_async_context(self._rows[former])
            with self._statement(Session(0)) as session:
                await self._work(session)
                taken = {
                    each.stream: each.epoch + 1 for each in takings if self._is_as_seen(each, node)
                }
                entry = self._record(lambda state: _give(state, taken, node))
                await self._commit(session, entry)
                return taken

    def _is_as_seen(self, taking: Taking, node: str) -> bool:
        row = self.state.owners[taking.stream]
        if row.epoch != taking.epoch:
            return False
        return row.node in (None, node) or self.state.nodes[row.node].beat == taking.beat

    async def release(self, stream: str, epoch: int) -> None:
        """Release a stream, so that nobody owns it."""
        async with self._one_by_one:
            with self._statement(Session(0)) as session:
                await self._work(session)
                if self.state.owners[stream].epoch == epoch:
                    entry = self._record(lambda state: _free(state, stream))
                    await self._commit(session, entry)

    async def want(self, stream: str, node: str) -> None:
        """Set the node where a stream is wanted."""
        async with self._one_by_one:
            with self._statement(Session(0)) as session:
                await self._commit(session, self._record(lambda state: _want(state, stream, node)))

    async def drain(self, node: str, *, draining: bool) -> None:
        """Drain a node, or end that."""
        with self._statement(Session(0)) as session:
            entry = self._record(lambda state: _drain(state, node, draining))
            await self._commit(session, entry)

    # --- appends -----------------------------------------------------------------------------

    async def append(
        self, session: Session, appends: Sequence[Append], held: Sequence[int] | None
    ) -> list[Outcome]:
        """Add all events or none, after comparing every epoch and every head."""
        with self._statement(session):
            found = [
                self._condition(append, None if held is None else held[place])
                for place, append in enumerate(appends)
            ]
            await self._work(session)
            if any(each is not Outcome.DURABLE for each in found):
                return [Outcome.CONFLICT if each is Outcome.DURABLE else each for each in found]
            keys = {*_keys(appends)}
            while any(each.keys & keys for each in self._hidden):
                await self._wait(session)
            if any(self._is_there(append) for append in appends):
                return [Outcome.CONFLICT] * len(appends)
            entry = self._record(lambda state: _add(state, appends), keys)
            await self._commit(session, entry)
            return [Outcome.DURABLE] * len(appends)

    def _condition(self, append: Append, epoch: int | None) -> Outcome:
        row = self.state.owners[append.stream]
        if epoch is not None and row.epoch != epoch:
            return Outcome.FENCED
        if self.state.head(append.stream) != append.after:
            return Outcome.CONFLICT
        return Outcome.DURABLE

    def _is_there(self, append: Append) -> bool:
        """Say whether a version or an id is taken, as a unique key does."""
        return self.state.head(append.stream).version >= append.records[0].version or any(
            each[:3] in self.state.commands for each in append.commands
        )

    # --- transactions ------------------------------------------------------------------------

    def _record(self, change: Callable[[State], None], keys: Collection[object] = ()) -> Entry:
        entry = Entry(change, keys, len(self._log))
        self._log.append(entry)
        self._hidden.append(entry)
        return entry

    async def _commit(self, session: Session, entry: Entry) -> None:
        """Sync the log, wait for the standby, and make the change visible."""
        lives = self._lives
        await asyncio.sleep(self.chance.uniform(0.0005, 0.003))
        if lives != self._lives:
            raise LostError("the server went away")
        entry.synced = True
        self._wake()
        while self._at_standby <= entry.position and not session.ended:
            await self._pulsed()
            if lives != self._lives:
                raise LostError("the server went away")
        self._hidden.remove(entry)
        entry.change(self.state)
        self._wake()
        if session.ended:
            raise LostError("the wait for the standby was broken off")

    async def _work(self, session: Session, *, stalled: bool = True) -> None:
        """Take a moment, sometimes a long one; a session that is ended meanwhile does nothing."""
        lives = self._lives
        likely, seconds = self.stalls
        until = asyncio.get_running_loop().time() + self.chance.uniform(0.0005, 0.003)
        if stalled and self.chance.random() < likely:
            until += self.chance.uniform(0.0, seconds)
        while (left := until - asyncio.get_running_loop().time()) > 0:
            await asyncio.sleep(min(left, 0.05))
            if session.ended or lives != self._lives:
                raise LostError("the session was ended")
        while self.holds_up and session.writes:
            await self._wait(session)

    async def _wait(self, session: Session) -> None:
        lives = self._lives
        await self._pulsed()
        if session.ended or lives != self._lives:
            raise LostError("the session was ended")

    def _synced(self) -> int:
        """Give the length of the log that is on disk."""
        reached = self._at_standby
        while reached < len(self._log) and self._log[reached].synced:
            reached += 1
        return reached

    async def _pulsed(self) -> None:
        await self._pulse.wait()

    def _wake(self) -> None:
        """Wake every task that waits for a change."""
        self._pulse.set()
        self._pulse = asyncio.Event()

    @contextmanager
    def _statement(self, session: Session) -> Iterator[Session]:
        if session.ended or not self.up:
            raise LostError("there is no such session")
        self._working.append(session)
        try:
            yield session
        finally:
            self._working.remove(session)
            self._wake()


# --- changes -----------------------------------------------------------------------------------


def _add_streams(state: State, streams: Sequence[str]) -> None:
    state.owners.update({each: OwnerRow(each, 0, None, "owner", None) for each in streams})


def _put_node(state: State, row: NodeRow) -> None:
    state.nodes[row.node] = row


def _give(state: State, taken: Mapping[str, int], node: str) -> None:
    for stream, epoch in taken.items():
        before = state.owners[stream]
        wanted = None if before.wanted == node else before.wanted
        state.owners[stream] = before._replace(epoch=epoch, node=node, wanted=wanted)


def _free(state: State, stream: str) -> None:
    state.owners[stream] = state.owners[stream]._replace(node=None)


def _want(state: State, stream: str, node: str) -> None:
    before = state.owners[stream]
    state.owners[stream] = before._replace(wanted=None if before.node == node else node)


def _drain(state: State, node: str, draining: bool) -> None:
    state.nodes[node] = state.nodes[node]._replace(draining=draining)


def _keys(appends: Sequence[Append]) -> Iterator[object]:
    for append in appends:
        yield from ((append.stream, record.version) for record in append.records)
        yield from (command[:3] for command in append.commands)


def _add(state: State, appends: Sequence[Append]) -> None:
    for append in appends:
        state.records.setdefault(append.stream, []).extend(append.records)
        state.commands.update({command[:3]: command for command in append.commands})

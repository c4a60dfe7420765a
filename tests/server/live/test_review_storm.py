"""Commits fail, tables are suspended and resumed, connections cut and slow: every message is true.

At the end, every message that terminals and visitors received is compared with the journal.
"""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
import websockets

from taisai.core.kernel.approvals import Approve
from taisai.core.kernel.decider import evolve
from taisai.core.kernel.ledger import credits_of, stakes_of
from taisai.core.kernel.messages import Command
from taisai.core.table.interruption import DeclareOutcome
from taisai.core.table.round import (
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    Settle,
)
from taisai.core.table.state import Phase, TableState
from taisai.core.table.tumble import RecordTumble
from taisai.protocol import server_messages as t
from taisai.protocol.client_messages import TerminalKey
from taisai.runtime.answers import Registered
from taisai.runtime.journal.contract import JournalError, Record
from taisai.runtime.streams import TABLES, table_stream
from tests.kit.floor import run
from tests.kit.people import DEALER, PIT, SUPERVISOR
from tests.kit.servers import Live, Wire, bets, opened

T1, STREAM = "T1", table_stream("T1")
ROUNDS, FAILURES = 6, 2
#: How often a commit fails, a table is suspended, a connection is slow, and the bets stay open.
FAILS, SUSPENDED, SLOW, OPEN = 0.02, 0.02, 0.05, 0.9

_read = msgspec.json.Decoder(t.ServerMessage).decode


class Storm:
    """A table in trouble, and every message that its terminals received."""

    def __init__(self, live: Live, seed: int) -> None:
        self.live = live
        self.rng = random.Random(seed)  # noqa: S311 - a seeded test
        self.over = asyncio.Event()
        self.heard: list[tuple[str, t.ServerMessage]] = []
        self.failed = 0
        self._write = live.venue.journal.write

    async def write(self, *given: Any) -> Any:
        """Write to the journal, or fail."""
        if self.rng.random() < FAILS and not self.over.is_set():
            self.failed += 1
            raise JournalError("for the sake of this test")
        return await self._write(*given)

    async def blow(self) -> None:
        """Suspend, resume, slow down and speed up."""
        venue, hub, rng = self.live.venue, self.live.application.hub, self.rng
        while not self.over.is_set():
            await asyncio.sleep(0.005)
            if rng.random() < SUSPENDED:
                venue.writer(STREAM).suspend("for the sake of this test")
            if rng.random() < 0.3 and venue.suspended():
                await venue.resume(STREAM)
            for connection in [*hub.everybody]:
                if connection.transport is not None and rng.random() < SLOW:
                    paused = connection.paused_at is not None
                    (connection.resume_writing if paused else connection.pause_writing)()

    async def deal(self) -> None:
        """Deal rounds, whatever happens meanwhile."""
        floor = self.live.floor
        while self.live.venue.table(T1).round < ROUNDS or self.failed < FAILURES:
            await asyncio.sleep(0.01)
            state = self.live.venue.table(T1)
            if state.phase is Phase.BETTING and self.rng.random() < OPEN:
                continue
            step = self._step(state)
            actor = SUPERVISOR if isinstance(step, DeclareOutcome) else DEALER
            answer = await floor.send(STREAM, actor, step)
            if isinstance(step, DeclareOutcome) and isinstance(answer, Registered):
                pending: Any = answer.events[-1]
                await floor.send(STREAM, PIT, Approve(pending.pending, answer.last))
        self.over.set()

    def _step(self, state: TableState) -> Command:
        if state.waiting:
            return DeclareOutcome()
        match state.phase:
            case Phase.READY:
                return OpenBets()
            case Phase.BETTING:
                return CloseBets(bell=True)
            case Phase.NO_MORE_BETS if not state.tumbled:
                return RecordTumble(3)
            case Phase.NO_MORE_BETS:
                return EnterResult((self.rng.randint(1, 6), 2, 5))
            case Phase.RESULT:
                return ConfirmResult()
            case _:
                return Settle()

    async def play(self, key: TerminalKey) -> None:
        """Bet and listen over a connection that is cut now and then."""
        after: dict[str, int] = {}
        while not self.over.is_set():
            try:
                async with self.live.sit(key, **after) as wire:
                    await wire.say({"type": "Watch", "table": T1})
                    for _ in range(self.rng.randrange(5, 60)):
                        await self._act(wire, key.terminal, after)
                    wire.socket.transport.abort()
            except websockets.ConnectionClosed:
                continue

    async def _act(self, wire: Wire, terminal: str, after: dict[str, int]) -> None:
        box, stake = self.rng.choice(["small", "big", "odd"]), 100 * self.rng.randint(1, 9)
        if self.rng.random() < 0.4:
            command: Any = bets(terminal, (box, stake))
            if self.rng.random() < 0.2:
                command = {"type": "ClearBets", "terminal": terminal}
            id_ = self.live.floor.new_id()
            await wire.say({"type": "Ask", "to": T1, "id": id_, "command": command})
        try:
            async with asyncio.timeout(0.02):
                message = _read(json.dumps(await wire.receive()))
        except TimeoutError:
            return
        self.heard.append((terminal, message))
        if isinstance(message, t.TerminalSnapshot):
            after["after"] = message.sequence
        elif isinstance(message, t.Private):
            assert message.after <= after["after"], "something was missed"
            after["after"] = max(after["after"], message.sequence)


class Truth:
    """The journal's state at each version."""

    def __init__(self, records: list[Record]) -> None:
        self._phases: dict[int, tuple[Any, ...]] = {}
        self._money: dict[tuple[int, str], tuple[int, int]] = {}
        self._registered: set[tuple[str, int]] = set()
        state = TableState()
        for record in records:
            evolve(state, TABLES.read(record))
            lying = {box: stake for box, stake in state.box_totals.items() if stake}
            self._phases[record.version] = (state.phase.value, state.round, state.faces, lying)
            ledger = state.ledger
            for name in state.positions:
                held = ledger.balance(credits_of(name)), ledger.balance(stakes_of(name))
                self._money[record.version, name] = held
            if record.cause is not None:
                id_ = json.loads(record.cause)[2]
                self._registered.add((id_, record.version))

    def check(self, terminal: str, message: t.ServerMessage) -> bool:
        """Compare a message with the journal; say whether there was something to compare."""
        match message:
            case t.TableSnapshot(sequence=version, view=view):
                lying = {box: stake for box, stake in view.totals.items() if stake}
                shown = (view.phase, view.round, view.faces, lying)
                assert shown == self._phases[version]
            case t.TerminalSnapshot(sequence=version, view=seat):
                assert (seat.credits, seat.staked) == self._money[version, terminal]
            case t.Private(sequence=version, changes=changes):
                held = self._money[version, terminal]
                told = (changes.get("credits", held[0]), changes.get("staked", held[1]))
                assert told == held
            case t.Registered(id=id_, first=version):
                assert (id_, version) in self._registered
            case _:
                return False
        return True


@pytest.mark.parametrize("seed", range(2))
def test_nothing_was_told_that_is_not_so(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with opened(tmp_path, commands_per_second=1e6, commands_burst=10**6) as live:
            await live.floor.add_table(T1, terminals=2, credit=1_000_000)
            storm = Storm(live, seed)
            monkeypatch.setattr(live.venue.journal, "write", storm.write)
            playing = [storm.play(live.key(T1, f"T1-{number}")) for number in (1, 2)]
            async with asyncio.timeout(60):
                await asyncio.gather(storm.deal(), storm.blow(), *playing)
            assert await live.venue.resume(STREAM) is None
            await live.venue.committer.settled()
            upto = live.venue.committer.heads[STREAM].version
            truth = Truth([*await live.venue.journal.records(STREAM, range(1, upto + 1))])
            compared = [truth.check(*each) for each in storm.heard]
            assert any(compared)

    run(play())

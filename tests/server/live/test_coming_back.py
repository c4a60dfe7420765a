"""A terminal that is disconnected at any moment comes back, and has seen exactly what happened."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
import websockets

from taisai.core.table.betting import BetsRegistered
from taisai.core.table.positions import CreditsReceived
from taisai.core.table.round import BetsClosed, OpenBets, RoundSettled
from taisai.core.table.state import Phase
from taisai.protocol.client_messages import TerminalKey
from taisai.runtime.journal.contract import Record
from taisai.runtime.streams import TABLES, table_stream
from tests.kit.floor import run
from tests.kit.people import DEALER
from tests.kit.servers import Live, Told, Wire, bets, opened

TABLE, TERMINAL, OTHER = "T1", "T1-1", "T1-2"
STREAM = table_stream(TABLE)
CREDIT = 1_000_000


class Player:
    """Bets over a connection that is cut again and again, and records every message."""

    def __init__(self, live: Live, key: TerminalKey, seed: int) -> None:
        self._live = live
        self._key = key
        self._rng = random.Random(seed)  # noqa: S311 - a seeded test
        self._unanswered: dict[str, Told] = {}
        self._number = 0
        self.sequence: int | None = None
        #: The newest snapshot, and every message since.
        self.snapshot: Told = {}
        self.messages: list[Told] = []
        self.answered: dict[str, str] = {}
        self.snapshots = 0
        #: The terminal's money after each message.
        self.money: dict[int, tuple[int, int]] = {}

    async def stay(self, over: asyncio.Event) -> None:
        """Reconnect until the test is over and no command is unanswered."""
        while not over.is_set() or self._unanswered:
            await self._visit(over)

    async def _visit(self, over: asyncio.Event) -> None:
        hello = {} if self.sequence is None else {"after": self.sequence}
        actions = 10_000 if over.is_set() else self._rng.randrange(1, 12)
        try:
            async with self._live.sit(self._key, **hello) as wire:
                for id_, command in [*self._unanswered.items()]:
                    await wire.say({"type": "Ask", "to": TABLE, "id": id_, "command": command})
                for _ in range(actions):
                    await self._act(wire, over)
                    if over.is_set() and not self._unanswered:
                        return
                if not over.is_set():
                    # No goodbye: messages in transit, in either direction, are lost.
                    wire.socket.transport.abort()
        except websockets.ConnectionClosed:
            return

    async def _act(self, wire: Wire, over: asyncio.Event) -> None:
        if self._rng.random() < 0.5 and not over.is_set():
            await self._bet(wire)
            return
        try:
            async with asyncio.timeout(0.02):
                self._note(await wire.receive())
        except TimeoutError:
            return

    async def _bet(self, wire: Wire) -> None:
        self._number += 1
        id_ = f"{self._live.venue.clock.now()}-{self._number}"
        box = self._rng.choice(["small", "big", "single-3", "total-9", "double-5"])
        command = bets(TERMINAL, (box, self._rng.randrange(1, 20) * 100))
        self._unanswered[id_] = command
        await wire.say({"type": "Ask", "to": TABLE, "id": id_, "command": command})

    def _note(self, told: Told) -> None:
        match told["type"]:
            case "TerminalSnapshot":
                self.snapshots += 1
                self.snapshot, self.messages = told, []
                self.sequence = told["sequence"]
            case "Private":
                assert self.sequence is not None
                assert told["after"] <= self.sequence < told["sequence"], "nothing is missed"
                self.messages.append(told)
                self.sequence = sequence = told["sequence"]
                held = self.money.get(told["after"]) or _credits_and_stakes(self.snapshot["view"])
                changes = {"credits": held[0], "staked": held[1], **told.get("changes", {})}
                self.money[sequence] = _credits_and_stakes(changes)
            case "Registered" | "Refused" if not told.get("again"):
                assert self._unanswered.pop(told["id"], None) is not None or (
                    self.answered[told["id"]] == told["type"]
                )
                self.answered[told["id"]] = told["type"]
            case _:
                pass


async def _deal(live: Live, rounds: int) -> None:
    """Deal rounds one after the other, each with a moment to bet in."""
    for number in range(rounds):
        await live.floor.do(STREAM, DEALER, OpenBets())
        await live.floor.bet(TABLE, OTHER, "big", 500)
        await asyncio.sleep(0.05)
        await live.floor.close_and_enter(TABLE, (1 + number % 6, 3, 5))
        await live.floor.settle(TABLE)


def _concerns(event: object) -> Any:
    """Give what the journal says happened to the terminal, by code other than the server's."""
    match event:
        case BetsRegistered(terminal=terminal, bets=laid) if terminal == TERMINAL:
            return "BetsRegistered", [[each.box, each.stake] for each in laid]
        case CreditsReceived(terminal=terminal, amount=amount) if terminal == TERMINAL:
            return "CreditsReceived", amount
        case RoundSettled(lines=lines):
            mine = [
                (each.box, each.stake, each.back) for each in lines if each.position == TERMINAL
            ]
            return ("RoundSettled", mine) if mine else None
        case BetsClosed(rejected=rejected):
            assert not rejected
            return None
        case _:
            return None


def _credits_and_stakes(view: Told) -> tuple[int, int]:
    return view["credits"], view["staked"]


def _shown(told: Told, event: Told) -> Any:
    match event["type"]:
        case "BetsRegistered":
            return "BetsRegistered", event["bets"]
        case "CreditsReceived":
            return "CreditsReceived", event["amount"]
        case "RoundSettled":
            lines = told["changes"]["last"]["lines"]
            return "RoundSettled", [(e["box"], e["stake"], e.get("back", 0)) for e in lines]
        case other:
            return other, None


def _money(records: list[Record], upto: int) -> tuple[int, int]:
    """Add up the terminal's credits and stakes from the journal."""
    credits_ = staked = 0
    for record in records[:upto]:
        happened = _concerns(TABLES.read(record))
        match happened:
            case "BetsRegistered", laid:
                total = sum(stake for _, stake in laid)
                credits_, staked = credits_ - total, staked + total
            case "CreditsReceived", amount:
                credits_ += amount
            case "RoundSettled", lines:
                credits_ += sum(back for _, _, back in lines)
                staked -= sum(stake for _, stake, _ in lines)
            case _:
                pass
    return credits_, staked


@pytest.mark.parametrize("seed", range(6))
def test_a_line_cut_at_any_moment(seed: int, tmp_path: Path) -> None:
    async def play() -> None:
        # It bets faster than the limit: refusals for that are not tested here.
        async with opened(tmp_path, commands_per_second=1e6, commands_burst=10**6) as live:
            await live.floor.add_table(TABLE, terminals=2, credit=CREDIT)
            player = Player(live, live.key(TABLE, TERMINAL), seed)
            over = asyncio.Event()
            playing = asyncio.create_task(player.stay(over))
            await _deal(live, 6)
            over.set()
            await playing
            head = live.venue.committer.heads[STREAM].version
            records = [
                *await live.venue.journal.records(STREAM, range(1, head + 1)),
            ]
            _check(player, records)

    run(play())


def _check(player: Player, records: list[Record]) -> None:
    registered = [id_ for id_, kind in player.answered.items() if kind == "Registered"]
    bets_made = [r for r in records if (_concerns(TABLES.read(r)) or ("",))[0] == "BetsRegistered"]
    assert len(registered) == len(bets_made) > 0, "every bet answered is there once"
    view = player.snapshot["view"]
    assert (view["credits"], view["staked"]) == _money(records, player.snapshot["sequence"])
    expected = [
        (record.version, _concerns(TABLES.read(record)))
        for record in records[player.snapshot["sequence"] :]
    ]
    expected = [each for each in expected if each[1] is not None]
    seen = [
        (told["sequence"], _shown(told, event))
        for told in player.messages
        for event in told["events"]
        if event["type"] not in ("TerminalLost", "TerminalRestored")
    ]
    assert seen == expected[: len(seen)]
    for told in player.messages:
        assert player.money[told["sequence"]] == _money(records, told["sequence"])


def test_after_a_restart_the_answer_is_still_there(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await live.floor.add_table(TABLE, terminals=2, credit=CREDIT)
            await live.floor.do(STREAM, DEALER, OpenBets())
            key, id_ = live.key(TABLE, TERMINAL), live.floor.new_id()
            async with live.sit(key) as wire:
                command = bets(TERMINAL, ("small", 1_000))
                first = await wire.ask(TABLE, id_, command)
                await wire.until("Private")
        async with opened(tmp_path) as live:
            assert live.venue.table(TABLE).phase is Phase.NO_MORE_BETS
            async with live.sit(key, after=first["last"]) as wire:
                snapshot = await wire.until("TerminalSnapshot")
                assert snapshot["view"]["bets"] == {"small": 1_000}
                assert await wire.ask(TABLE, id_, command) == first
            assert live.venue.table(TABLE).live == 1_000

    run(play())

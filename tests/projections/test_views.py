"""The views folded from events equal the views of the state, after every batch of long worlds.

Simulated worlds play everything that can happen at a table. Their channels' messages are applied as
a client does it, from the beginning and from later snapshots, and compared with the state after the
same events.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator
from typing import cast, get_args

import msgspec
import pytest

from taisai.core.table.betting import RoundVoided
from taisai.core.table.round import RoundSettled
from taisai.projections import position_view, table_view
from taisai.projections.calls import call_in
from taisai.protocol import server_messages as m
from taisai.protocol.private import AnyPrivateEvent
from taisai.protocol.views import PositionView, TableView, apply_changes
from taisai.rulebooks import KEYS
from taisai.server.live.connection import Connection
from taisai.server.live.seats import Seat
from tests.projections.replayed import Listener, Replayed, batches, decisions
from tests.simulated.recorded import Decided

#: A new client begins with a snapshot after this many batches.
BEGIN_EVERY = 61

_read = msgspec.json.Decoder(m.ServerMessage).decode


class Follower:
    """A client that began with a snapshot, and has applied every message since."""

    def __init__(self, snapshot: bytes) -> None:
        begun = _read(snapshot)
        assert isinstance(begun, m.TableSnapshot | m.TerminalSnapshot)
        self.view: TableView | PositionView = begun.view
        self._mine = begun.sequence
        self.listener = Listener()

    def take(self) -> Iterator[m.Public | m.Private]:
        """Apply the messages, by the rule of sequences."""
        for message in self.listener.sent():
            assert isinstance(message, m.Public | m.Private)
            assert message.after <= self._mine, "something was missed"
            if message.sequence > self._mine:
                self._mine = message.sequence
                apply_changes(self.view, message.changes)
                yield message


def follow_table(replayed: Replayed) -> Follower:
    follower = Follower(replayed.channel.snapshot(0, "en"))
    replayed.channel.join(cast("Connection", follower.listener))
    return follower


def follow_terminal(replayed: Replayed, terminal: str) -> Follower:
    follower = Follower(replayed.channel.terminal_snapshot(0, terminal))
    seat = Seat(replayed.channel.name, terminal, replayed.state.version)
    replayed.channel.seats[terminal] = seat
    seat.connection = cast("Connection", follower.listener)
    return follower


def table_of(replayed: Replayed) -> TableView:
    view = table_view.view_of(replayed.state)
    view.call = call_in(view.faces, "en")
    return view


def terminal_of(replayed: Replayed, terminal: str, shown: PositionView) -> PositionView:
    view = position_view.view_of(replayed.state, terminal)
    # A terminal's outcome of the last round is in the events, and not in the state.
    view.last = shown.last
    return view


@pytest.mark.parametrize("key", KEYS)
def test_everybody_sees_the_table_as_it_is(key: str) -> None:
    async def replay(table: str, decided: list[Decided]) -> None:
        replayed, followers = Replayed(table), list[Follower]()
        for number, batch in enumerate(batches(decided)):
            if number % BEGIN_EVERY == 0:
                followers.append(follow_table(replayed))
            replayed.publish(batch)
            expected = table_of(replayed)
            assert replayed.channel.view_in("en") == expected
            for one in followers:
                assert all(message.changes for message in one.take() if not message.events)
                assert one.view == expected
        assert len(followers) > 3

    for table, decided in decisions(key):
        asyncio.run(replay(table, decided))


def test_every_terminal_sees_the_money_that_the_ledger_has() -> None:
    seen: Counter[str] = Counter()

    async def replay(table: str, decided: list[Decided]) -> None:
        replayed, followers = Replayed(table), dict[str, Follower]()
        earlier: list[tuple[str, Follower]] = []
        for number, batch in enumerate(batches(decided)):
            replayed.publish(batch)
            for terminal, one in followers.items():
                seen.update(type(event).__name__ for sent in one.take() for event in sent.events)
                shown = replayed.channel.terminals[terminal]
                assert one.view == shown == terminal_of(replayed, terminal, shown)
            known = replayed.channel.terminals
            assert known.keys() == (
                set() if replayed.state.chips is not None else replayed.state.positions.keys()
            )
            if number % BEGIN_EVERY == 0:
                # Everybody reconnects, and the older views stay as they were.
                earlier += followers.items()
                followers = {}
            for terminal in known.keys() - followers.keys():
                followers[terminal] = follow_terminal(replayed, terminal)

    for key in KEYS:
        for table, decided in decisions(key):
            asyncio.run(replay(table, decided))
    every = {each.__name__ for each in get_args(AnyPrivateEvent)}
    assert seen.keys() == every, "everything that can be announced to a terminal is among it"


def test_the_last_round_of_a_terminal_is_shown_with_its_lines() -> None:
    """Compared with the events, since the state does not store it."""

    async def replay(table: str, decided: list[Decided]) -> int:
        replayed, rounds = Replayed(table), 0
        last: dict[str, tuple[int, dict[str, int], int]] = {}
        for batch in batches(decided):
            before = {
                name: dict(one.bets) for name, one in replayed.state.positions.items() if one.bets
            }
            replayed.publish(batch)
            every = [event for each in batch for event in each.events]
            ended = [each for each in every if isinstance(each, RoundSettled | RoundVoided)]
            if ended and replayed.state.chips is None:
                number, won = ended[0].round, Counter[str]()
                for line in ended[0].lines if isinstance(ended[0], RoundSettled) else ():
                    won[line.position] += line.won
                last |= {name: (number, bets, won[name]) for name, bets in before.items()}
                rounds += 1
            for name, (number, bets, paid) in last.items():
                shown = replayed.channel.terminals[name].last
                assert shown is not None
                assert shown.round == number
                assert {line.box: line.stake for line in shown.lines} == bets
                assert shown.back == sum(line.back for line in shown.lines)
                assert shown.won == sum(line.won for line in shown.lines) == paid
        return rounds

    rounds = [asyncio.run(replay(*each)) for each in decisions("etg8")]
    assert sum(rounds) > 100

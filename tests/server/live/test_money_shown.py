"""What channels tell, message by message, is what the books say: at every version of long worlds.

Simulated worlds play everything that can happen at a table. Their decisions are published to a
table's channels; what is told is taken in by the rules of the protocol, as a client does, and held
against the state that the same events come to.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import cast, get_args

import msgspec
import pytest
from msgspec import structs

from taisai.client import table_picture, terminal_picture
from taisai.core.kernel.decider import evolve
from taisai.core.kernel.ledger import credits_of, stakes_of
from taisai.core.table.state import TableState
from taisai.protocol import server_messages as t
from taisai.protocol.private import AnyPrivateEvent
from taisai.rulebooks import KEYS, rulebook
from taisai.runtime.answers import Registered
from taisai.runtime.simulator import World
from taisai.server.live.channels import TableChannel
from taisai.server.live.connection import Connection
from taisai.server.live.seats import Seat
from taisai.server.live.views import table_view, terminal_view
from tests.simulated.recorded import Decided, Recorder

SEEDS = (7, 8, 9)
ROUNDS = 150
#: What a client cannot know from the public channel, or is told more of by a snapshot.
NOT_TOLD = frozenset({"terminals", "rulebook", "limits"})

_read = msgspec.json.Decoder(t.ServerMessage).decode


@cache
def decisions(key: str) -> list[tuple[str, list[Decided]]]:
    """Play worlds by a rulebook, and give what was decided at each of their tables."""
    found: list[tuple[str, list[Decided]]] = []
    for seed in SEEDS:
        recorder = Recorder()
        for _ in World(seed, [rulebook(key)], recorder).run(ROUNDS):
            pass
        streams = sorted({each.stream for each in recorder.seen} - {"house", "cage"})
        found += [(one, [each for each in recorder.seen if each.stream == one]) for one in streams]
    return found


class Listener:
    """Somebody who hears a channel and keeps it until it is looked at."""

    language = "en"

    def __init__(self) -> None:
        self._heard: list[bytes] = []

    def hear(self, data: bytes) -> None:
        self._heard.append(data)

    say = hear

    def heard(self) -> list[t.ServerMessage]:
        """Give what was heard since the last time."""
        heard, self._heard = self._heard, []
        return [_read(data) for data in heard]


class Sequence:
    """The rule of the protocol for a channel: what is next, what is old, what was missed."""

    def __init__(self, mine: int) -> None:
        self.mine = mine

    def takes(self, message: t.Public | t.Totals | t.Private) -> bool:
        assert message.after <= self.mine, "something was missed"
        new = message.sequence > self.mine
        self.mine = max(self.mine, message.sequence)
        return new


class Replayed:
    """A table played again, decision by decision: its state, and its channels beside it."""

    def __init__(self, table: str) -> None:
        self.state = TableState()
        self.channel = TableChannel(table, self.state, 0)

    def publish(self, decided: Decided) -> None:
        first = self.state.version + 1
        for event in decided.events:
            evolve(self.state, event)
        answer = Registered(first, self.state.version, decided.at, decided.events)
        self.channel.published(answer)


class Seated:
    """A terminal that holds what it is told against the books."""

    def __init__(self, replayed: Replayed, terminal: str, at: int) -> None:
        self._state, version = replayed.state, replayed.state.version
        self._terminal, self._listener = terminal, Listener()
        self._seat = replayed.channel.seats[terminal] = Seat(replayed.channel.name, terminal)
        self._seat.begin(version, 0, 0)
        self._seat.connection = cast("Connection", self._listener)
        self._sequence = Sequence(version)
        view = terminal_view(self._state, terminal, None)
        self._picture = terminal_picture.picture_of(t.TerminalSnapshot(version, at, view))

    def look(self) -> Iterator[str]:
        """Take in what was told, check that it comes to the truth, and name what it was."""
        for message in self._listener.heard():
            assert isinstance(message, t.Private)
            assert self._sequence.takes(message), "a terminal is told nothing twice"
            self._picture.tell(message)
            yield from (type(event).__name__ for event in message.events)
        ledger, terminal = self._state.ledger, self._terminal
        held = ledger.balance(credits_of(terminal)), ledger.balance(stakes_of(terminal))
        assert (self._seat.credits, self._seat.staked) == held
        view = terminal_view(self._state, terminal, self._picture.last)
        assert structs.asdict(self._picture) == structs.asdict(view)


class Onlooker:
    """Somebody who watches a table, and holds what they picture against the table as it is."""

    def __init__(self, replayed: Replayed) -> None:
        self._state, self._channel = replayed.state, replayed.channel
        self._listener, self._sequence = Listener(), Sequence(0)
        self._picture: table_picture.TablePicture | None = None
        self._channel.begin_anew = self._begin

    def look(self) -> None:
        """Take in what was told, check that it comes to the truth."""
        # As if a tenth of a second went by after each decision.
        self._channel._tick()
        enough = [self._take(message) for message in self._listener.heard()]
        if self._picture is None or not all(enough):
            self._begin()
        picture, view = self._picture, table_view(self._state)
        assert picture is not None
        expected = structs.asdict(view)
        shown = {name: getattr(picture, name) for name in expected}
        for each in (shown, expected):
            each["totals"] = {box: lies for box, lies in each["totals"].items() if lies}
        differing = {name for name in expected.keys() - NOT_TOLD if shown[name] != expected[name]}
        assert not differing, [(name, shown[name], expected[name]) for name in differing]

    def _take(self, message: t.ServerMessage) -> bool:
        assert isinstance(message, t.Public | t.Totals)
        assert self._picture is not None
        return not self._sequence.takes(message) or self._picture.tell(message)

    def _begin(self) -> None:
        """Begin with a snapshot: at first, where one is wanted, and where the house says so."""
        version = self._sequence.mine = self._state.version
        self._listener.heard()
        snapshot = t.TableSnapshot(self._channel.name, version, 0, table_view(self._state))
        self._picture = table_picture.picture_of(snapshot)
        self._channel.join(cast("Connection", self._listener))


def test_every_terminal_is_shown_the_money_that_the_ledger_has() -> None:
    seen: Counter[str] = Counter()

    async def replay(table: str, decided: list[Decided]) -> None:
        replayed, seated = Replayed(table), dict[str, Seated]()
        for each in decided:
            replayed.publish(each)
            for one in seated.values():
                seen.update(one.look())
            # Who sits at a felt has no terminal, and is told nothing by one.
            known = {} if replayed.state.chips is not None else replayed.state.positions
            for terminal in known.keys() - seated.keys():
                seated[terminal] = Seated(replayed, terminal, each.at)

    for key in KEYS:
        for table, decided in decisions(key):
            asyncio.run(replay(table, decided))
    every = {each.__name__ for each in get_args(AnyPrivateEvent)}
    assert seen.keys() == every, "everything that a terminal can be shown is among it"


@pytest.mark.parametrize("key", KEYS)
def test_everybody_is_shown_the_table_as_it_is(key: str) -> None:
    async def replay(table: str, decided: list[Decided]) -> None:
        replayed = Replayed(table)
        onlooker = Onlooker(replayed)
        for each in decided:
            replayed.publish(each)
            onlooker.look()

    for table, decided in decisions(key):
        asyncio.run(replay(table, decided))

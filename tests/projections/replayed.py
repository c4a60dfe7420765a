"""Tables of simulated worlds, replayed with their channels.

Bets that follow on each other are published together, and everything else one by one.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby

import msgspec

from taisai.core.kernel.decider import evolve
from taisai.core.table.betting import BetsRegistered
from taisai.core.table.state import TableState
from taisai.protocol import server_messages as m
from taisai.rulebooks import rulebook
from taisai.runtime.answers import Registered
from taisai.runtime.simulator import World
from taisai.runtime.simulator.world import CHIP_TABLE_SHARE
from taisai.runtime.streams import table_stream
from taisai.server.live.channels import Channel, TableChannel
from taisai.server.live.hub import Hub
from tests.simulated.recorded import Decided, Recorder, record, recorded

#: Worlds that other tests record as well.
SEEDS = (1, 19)
#: Worlds with rare announcements: an excess over the Differential after a withdrawal, a win
#: that is set aside.
RARE = {"tso5": (2,), "etg8": (14,)}

_read = msgspec.json.Decoder(m.ServerMessage).decode


@cache
def decisions(key: str) -> list[tuple[str, list[Decided]]]:
    """Give the decisions at each table in the worlds of a rulebook."""
    worlds = [recorded(key, seed) for seed in SEEDS]
    worlds += [record(key, seed) for seed in RARE.get(key, ())]
    return [each for world in worlds for each in by_table(world)]


def tables_of(
    key: str, seed: int, rounds: int, chip_table_share: float = CHIP_TABLE_SHARE
) -> list[tuple[str, list[Decided]]]:
    """Play a world, and give the decisions at each of its tables."""
    recorder = Recorder()
    for _ in World(seed, [rulebook(key)], recorder, chip_table_share=chip_table_share).run(rounds):
        pass
    return by_table(recorder.seen)


def by_table(world: Sequence[Decided]) -> list[tuple[str, list[Decided]]]:
    """Divide the decisions of a world by table."""
    streams = sorted({each.stream for each in world} - {"venue", "cage"})
    return [(one, [each for each in world if each.stream == one]) for one in streams]


def batches(decided: Sequence[Decided]) -> Iterator[list[Decided]]:
    """Divide the decisions of a table into runs of bets alone, and everything else one by one."""
    for are_bets, run in groupby(decided, lambda each: type(each.events[0]) is BetsRegistered):
        if are_bets:
            yield [*run]
        else:
            yield from ([each] for each in run)


class Listener:
    """A subscriber of a channel, which stores the messages until they are read."""

    language = "en"

    def __init__(self) -> None:
        self._sent: list[bytes] = []

    def send_later(self, data: bytes) -> None:
        self._sent.append(data)

    send_now = send_along = send_later

    def crowd(self, _: str) -> None:
        """Join no crowd."""

    def frames(self) -> list[bytes]:
        """Give the messages since the last call, as on the wire."""
        sent, self._sent = self._sent, []
        return sent

    def sent(self) -> Iterator[m.ServerMessage]:
        """Give the messages since the last call."""
        return map(_read, self.frames())


class _Hub(Hub):
    """A hub of one channel, without a venue."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def _channel_of(self, stream: str, batch: Sequence[Registered]) -> Channel:
        """Give the channel."""
        del stream, batch
        return self._channel


class Replayed:
    """A replayed table: its state, and its channels."""

    def __init__(self, table: str) -> None:
        self.state = TableState()
        self.channel = TableChannel(table, self.state, 0)
        self._hub = _Hub(self.channel)

    def publish(self, decided: Sequence[Decided]) -> None:
        """Publish one decision, or bets that became durable together."""
        answers = [self._answer(each) for each in decided]
        if len(answers) > 1:
            self._hub.published_bets(table_stream(self.channel.name), answers)
        else:
            self.channel.published(answers[0])
        # As if a tenth of a second passed after them.
        self.channel.tick()

    def _answer(self, decided: Decided) -> Registered:
        first = self.state.version + 1
        balances = tuple(evolve(self.state, event) for event in decided.events)
        return Registered(first, self.state.version, decided.at, decided.events, balances)

"""Worlds played once and shared: their reports, and their decisions as an auditor sees them."""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future
from functools import cache
from typing import NamedTuple

from taisai.core.kernel.messages import Event, Instant, Role
from taisai.core.streams import TableEvent
from taisai.rulebooks import KEYS, rulebook
from taisai.runtime.auditor import Auditor
from taisai.runtime.simulator import Report, World, simulate
from tests.kit.tables import AnyCommand, Table
from tests.simulated.pool import pool

#: Seeds of each rulebook's worlds; together they play a thousand rounds by it.
SEEDS = (11, 12, 13, 14)
ROUNDS = 250
#: Worlds of tables by all rulebooks, which change them when they close: a long one, some of a few
#: hours, and many that have only just begun.
BEGUN = range(101, 117)
#: Worlds with rare events, such as a chain of secrets being retired.
_RARE = ((204, 60), (249, 60))
MIXED = ((21, 150), (22, 150), (23, 150), (24, 700), *_RARE, *((seed, 12) for seed in BEGUN))


#: Worlds recorded decision by decision, to be forged; most of them only if needed.
RECORDED_SEEDS = (1, 19, *range(2, 13))
RECORDED_ROUNDS = 100


class Decided(NamedTuple):
    """The events of one decision, with their stream and time."""

    stream: str
    events: tuple[Event, ...]
    at: Instant
    #: The role of the person who gave the command.
    role: str | None = None


class RecordedTable(Table):
    """A table that records its decisions as an auditor sees them."""

    def __init__(self, address: str = "ts6/2") -> None:
        super().__init__(address)
        self.seen: list[Decided] = []

    def does(
        self, role: Role, command: AnyCommand, person: str | None = None
    ) -> tuple[TableEvent, ...]:
        """Carry an order out, and record its events."""
        events = super().does(role, command, person)
        self.seen.append(Decided("T1", events, self.at, role))
        return events


class Recorder(Auditor):
    """An auditor that records what it sees."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Decided] = []

    def observe(
        self, stream: str, events: Sequence[Event], at: Instant, role: str | None = None
    ) -> None:
        super().observe(stream, events, at, role)
        self.seen.append(Decided(stream, tuple(events), at, role))


def play(keys: tuple[str, ...], seed: int, rounds: int) -> Report:
    """Play one world."""
    return simulate(seed, rounds, [rulebook(key) for key in keys])


@cache
def playing() -> dict[tuple[str, ...], list[Future[Report]]]:
    """Start all worlds at once: those of each rulebook, and those of all together."""
    worlds = {(key,): [(seed, ROUNDS) for seed in SEEDS] for key in KEYS} | {KEYS: [*MIXED]}
    return {
        keys: [pool().submit(play, keys, seed, rounds) for seed, rounds in asked]
        for keys, asked in worlds.items()
    }


def reports_of(key: str) -> list[Report]:
    """Give the reports of the worlds of one rulebook."""
    return [future.result() for future in playing()[key,]]


def mixed_reports() -> list[Report]:
    """Give the reports of the worlds of all rulebooks together."""
    return [future.result() for future in playing()[KEYS]]


@cache
def everything() -> tuple[Counter[str], Counter[str]]:
    """Add up the events and the refusals in all worlds of the tests."""
    events: Counter[str] = Counter()
    refusals: Counter[str] = Counter()
    for report in [report for key in KEYS for report in reports_of(key)] + mixed_reports():
        events += report.tally.events
        refusals += report.tally.refusals
    return events, refusals


def record(key: str, seed: int) -> tuple[Decided, ...]:
    """Play a world and record its decisions."""
    recorder = Recorder()
    for _ in World(seed, [rulebook(key)], recorder).run(RECORDED_ROUNDS):
        pass
    return tuple(recorder.seen)


@cache
def recording(seed: int) -> dict[str, Future[tuple[Decided, ...]]]:
    """Start to record the worlds of a seed, one by each rulebook."""
    return {key: pool().submit(record, key, seed) for key in KEYS}


def recorded(key: str, seed: int = 1) -> tuple[Decided, ...]:
    """Give a recorded world."""
    return recording(seed)[key].result()

"""Old rounds: what a command needs from the journal, and what was read for it [D24].

A table holds its newest rounds; the journal has all of them. This module says which events a
command still needs; the runtime finds and reads them. The state itself knows which old rounds were
reversed or settled again, so nothing that was read is ever out of date.
"""

from collections.abc import Iterator

from msgspec import Struct

from taisai.core.kernel.approvals import Approve
from taisai.core.kernel.decider import waiting_as
from taisai.core.kernel.messages import Event, Order
from taisai.core.kernel.registry import COMMANDS, WANTS
from taisai.core.rules.dice import Faces
from taisai.core.rules.rulebook import Rulebook
from taisai.core.table.betting import RoundVoided
from taisai.core.table.round import RoundSettled, settled_record
from taisai.core.table.setup import RulebookAdopted, journaled_rulebook
from taisai.core.table.state import (
    Adoption,
    RoundRecord,
    TableState,
    in_force,
    is_reversed,
    newest_ended,
    rules_of,
)

#: The most unreversed rounds that one command puts right; more take several commands.
ROUNDS_AT_ONCE = 20_000

#: Runs of rounds, each from its first to its last.
Spans = list[tuple[int, int]]


class Past(Struct, frozen=True):
    """What was read from the journal: ends of rounds, dice by their secrets, events by version.

    The events are adoptions of rulebooks, and rounds settled again.
    """

    ends: dict[int, RoundSettled | RoundVoided] = {}
    drawn: dict[int, Faces] = {}
    events: dict[int, Event] = {}


NOTHING_READ = Past()


class Wanted(Struct, frozen=True):
    """What is to be read: runs of rounds, and single events by their versions."""

    rounds: tuple[tuple[int, int], ...] = ()
    versions: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        """Say whether anything is to be read."""
        return bool(self.rounds or self.versions)


NOTHING_WANTED = Wanted()


def wanted(state: TableState, order: Order, past: Past) -> Wanted:
    """Say what an order, or the order it approves, still needs from the journal."""
    command = order.command
    if isinstance(command, Approve):
        pending = waiting_as(state, command.pending)
        command = command if pending is None else pending.order.command
    wants = WANTS.get(type(command))
    if wants is None or order.actor.role not in COMMANDS[type(order.command)].by:
        return NOTHING_WANTED
    spans = wants(state, command)
    if standing(state, spans) > ROUNDS_AT_ONCE:
        return NOTHING_WANTED
    old = [number for number in _standing(state, spans) if number not in state.history]
    again = (state.resettled[number] for number in old if number in state.resettled)
    adopted = (each.version for each in _played_by(state, spans))
    return Wanted(
        tuple(_runs(number for number in old if number not in past.ends)),
        tuple(version for version in (*again, *adopted) if version not in past.events),
    )


def standing(state: TableState, spans: Spans) -> int:
    """Count the rounds in some runs that were not reversed."""
    return sum(last - first + 1 for first, last in _less_reversed(state, spans))


def _standing(state: TableState, spans: Spans) -> Iterator[int]:
    for first, last in _less_reversed(state, spans):
        yield from range(first, last + 1)


def _less_reversed(state: TableState, spans: Spans) -> Iterator[tuple[int, int]]:
    """Cut from some runs the rounds that have not ended, or were reversed before."""
    newest = newest_ended(state)
    for first, upto in spans:
        begin, last = max(first, 1), min(upto, newest)
        for gone, until in state.reversed:
            if until < begin or gone > last:
                continue
            if begin < gone:
                yield begin, gone - 1
            begin = until + 1
        if begin <= last:
            yield begin, last


def _runs(numbers: Iterator[int]) -> Iterator[tuple[int, int]]:
    first = last = 0
    for number in numbers:
        if number != last + 1 or not first:
            if first:
                yield first, last
            first = number
        last = number
    if first:
        yield first, last


def _played_by(state: TableState, spans: Spans) -> Iterator[Adoption]:
    """Find the rulebooks under which rounds of some runs were played, except the one in force."""
    until = newest_ended(state)
    current = rules_of(state) if state.rulebook is not None else ""
    for adoption in reversed(state.adopted):
        own = any(first <= until and last >= adoption.first for first, last in spans)
        if own and adoption.rules != current:
            yield adoption
        until = adoption.first - 1


def adoption_of(state: TableState, number: int) -> Adoption:
    """Find the adoption of the rulebook that a round was played under."""
    return next(each for each in reversed(state.adopted) if each.first <= number)


def old_round(state: TableState, past: Past, number: int) -> RoundRecord | None:
    """Make the record of a round that is no longer in history; None if its end was not read."""
    end, rules = past.ends.get(number), adoption_of(state, number).rules
    if is_reversed(state, number) or isinstance(end, RoundVoided):
        return RoundRecord(number, None, (), True, rules, 0)
    if end is None:
        return None
    record = settled_record(end, rules, 0)
    record.drawn = past.drawn.get(number)
    return record


def rulebook_of(state: TableState, past: Past, record: RoundRecord) -> Rulebook | None:
    """Find the rulebook a round was played under, in force or read from the journal [D24]."""
    if record.rules == rules_of(state):
        return in_force(state)
    event = past.events.get(adoption_of(state, record.number).version)
    return journaled_rulebook(event.canonical) if isinstance(event, RulebookAdopted) else None
